# SPDX-License-Identifier: Apache-2.0
"""What the Python module promises, on three examples: python_cases.py FOLDER_OF_EXAMPLES, in a folder to write to."""
import os
import shutil
import sys

import numpy as np

import limber
import python_study_cases

os.environ.pop("LD_PRELOAD", None)  # of a sanitizer: this process has it, and a browser that it starts must not
EXAMPLES = sys.argv[1]
PENDULUM, SWING, ARM = (f"{EXAMPLES}/{name}/{name}.yaml" for name in ("pendulum", "swing", "driven_arm"))
CASES = []


def case(function):
    CASES.append(function)
    return function


def caught(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} was raised")


class NotTried(Exception):
    pass


@case
def a_pendulum_is_where_an_independent_program_has_it():
    run = limber.Model(PENDULUM).start(output="python.h5").advance()
    assert run.time == 10 and run["time"].shape == (10001,)
    assert abs(run.now("P.x") + 0.2750874626) < 8e-5  # measured 5.9e-5


@case
def the_catalogue_describes_itself():
    beam = limber.describe("elements", "beam")
    order = next(f for f in beam.fields if f.name == "order")
    assert (order.type, order.default, order.required) == ("integer", 3, False)
    assert "'beem'" in str(caught(KeyError, lambda: limber.describe("elements", "beem")))
    assert limber.elements.mass(node="P", mass="1 kg", name="bob") == {"mass": {"name": "bob", "node": "P", "mass": "1 kg"}}
    caught(TypeError, lambda: limber.elements.mass(node="P"))  # its mass is required
    wind = limber.elements.wind_box(velocity=[[9, 0, 0], [11, 0, 0]], direction=[1, 0, 0], spacing=[1, 1], step=1, speed=10, periodic=True)
    assert wind["wind_box"]["velocity"] == [[9, 0, 0], [11, 0, 0]]


@case
def a_part_is_used_twice_by_a_dict():
    leg = {"parameters": {"mass": "2 kg"}, "nodes": {"foot": [0, 0, -1]},
           "elements": [limber.elements.rigid_body(node="foot", mass="mass", inertia=[1, 1, 1])],
           "joints": [{"weld": {"nodes": ["ground", "foot"]}}], "probes": [{"node": "foot", "record": "position"}]}
    run = limber.Model({"limber": 1, "parts": {"leg": leg}, "run": {"step": 0.01, "end": 0.02},
                        "instances": {"left": {"part": "leg"}, "right": {"part": "leg", "at": [3, 0, 0]}}}).start().advance()
    assert abs(run.now("right.foot.x") - run.now("left.foot.x") - 3) < 1e-14


@case
def a_library_with_other_structures_is_refused():
    import ctypes
    from limber.library import STRUCTURES, check_sizes, library
    version = library.limber_version
    assert check_sizes(ctypes.CDLL(None), "x", {}) is None
    dll = ctypes.CDLL(None)  # the library was loaded for all
    check_sizes(dll, "liblimber", STRUCTURES)
    error = caught(ImportError, lambda: check_sizes(dll, "liblimber", {"LimberOutcome": ctypes.c_int}))
    assert "liblimber (Limber " + version().decode() in str(error) and "this module one of 4" in str(error)


@case
def control_blocks_of_a_file_run_in_python():
    changes = {"run.end": "0.2 s"}
    run = limber.Model(f"{EXAMPLES}/robot/robot.yaml", changes).start().advance()
    assert 1e-4 < run["deviation"].max() < 1e-3 and abs(run["torque2"][0] - 31.709226) < 1e-9
    again = limber.Repeater(f"{EXAMPLES}/robot/robot.yaml", changes).run()
    assert again.now("deviation") == run.now("deviation")


@case
def a_linear_model_comes_as_arrays_with_names():
    model = limber.Model(f"{EXAMPLES}/linear_model/cart.yaml")
    linear = limber.linearize(model)
    assert linear.states == ("rail.slide", "hinge.angle", "rail.slide.rate", "hinge.angle.rate") and linear.inputs == ("force",)
    assert linear.A.shape == (4, 4) and linear.B.shape == (4, 1) and linear.units["hinge.angle.rate"] == "rad s-1"
    assert abs(np.linalg.eigvals(linear.A).real.max() - 4.19662407) < 1e-6
    assert np.array_equal(limber.linearize(f"{EXAMPLES}/linear_model/cart.yaml").A, linear.A)
    some = limber.linearize(model, inputs=["motor", "gravity"], outputs="lean", output="cart.mat")
    assert some.inputs == ("motor", "gravity") and some.outputs == ("lean",) and os.path.getsize("cart.mat") > 500
    assert "'nothing'" in str(caught(limber.ModelError, lambda: limber.linearize(model, outputs="nothing")))


@case
def a_response_is_the_transfer_function_of_the_linear_model():
    model = limber.Model(f"{EXAMPLES}/cantilever_response/cantilever.yaml", {"let.elements": 2})
    linear = limber.linearize(model, outputs="tip.displacement.y")
    found = limber.response(model, 0.2, 5, 6, outputs="tip.displacement.y", output="tip.h5")
    assert found.value.shape == (6, 1, 1) and found.frequencies[-1] == 5 and os.path.exists("tip.h5")
    assert np.allclose(found.value, linear.transfer(found.frequencies), rtol=1e-6)


@case
def ledger_and_options_are_those_of_the_run():
    run = limber.Model(PENDULUM).start().advance(0.1)
    assert run.ledger.kinetic == run.now("ledger.kinetic") and run.model.options.scheme_name == "decaying"
    assert run.model.options.step == run.outcome.step


@case
def events_are_told_with_their_times_and_losses():
    joint = limber.joints.revolute(name="hinge", nodes=["ground", "a"], axis=[0, 0, 1], at=[0, 0, 0], angle={"initial_rate": 2})
    latch = limber.events.coordinate(name="latch", joint="hinge", angle=1, do={"lock": "hinge"})
    run = limber.Model({"limber": 1, "nodes": {"a": [1, 0, 0]}, "joints": [joint], "events": [latch],
                        "elements": [limber.elements.rigid_body(node="a", mass=1, inertia=[1, 1, 1])],
                        "run": {"step": 0.01, "end": 1, "scheme": "preserving"}}).start().advance()
    (event,) = run.events
    assert event.name == "latch" and abs(event.time - 0.5) < 1e-4 and abs(event.loss - 4 * (np.tan(0.01) / 0.01) ** 2) < 1e-12, event  # the scheme's energy


@case
def a_dict_is_a_model():
    model = limber.Model({
        "limber": 1, "nodes": {"P": {"at": np.array([-1.0, 0, 0]), "kind": "point"}},
        "elements": [{"mass": {"node": "P", "mass": np.float64(1)}}],
        "joints": [{"distance": {"nodes": ["ground", "P"]}}],
        "loads": [{"gravity": {"acceleration": [0, 0, -9.81]}}],
        "probes": [{"name": "P", "node": "P"}],
        "run": {"scheme": "decaying", "step": "1 ms", "end": 1}})
    assert model.end == 1
    other = limber.Model(PENDULUM, {"run.end": 1}).start().advance()
    assert np.array_equal(model.start().advance()["P.position.x"], other["P.x"])


@case
def histories_are_views_of_one_array():
    run = limber.Model(PENDULUM, {"run.end": "20 ms"}).start().advance()
    assert np.shares_memory(run["P.x"], run.history) and run.history.shape == (21, len(run.columns))
    assert run.units["P.velocity.x"] == "m s-1" and run["energy"] is not None
    assert np.array_equal(run["time"], np.arange(21)*1e-3)


@case
def a_column_knows_its_unit_until_it_is_calculated_with():
    import pickle
    run = limber.Model(PENDULUM, {"run.end": "20 ms"}).start().advance()
    x, v = run["P.x"], run["P.velocity.x"]
    assert (x.name, x.unit, v.unit) == ("P.position.x", "m", "m s-1")
    for same in (x[3:], x[::2], x[x < 0], x[np.array([1, 2])], x.copy(), pickle.loads(pickle.dumps(x)), x[2:][1:]):
        assert same.unit == "m" and same.name == x.name
    assert x[3:].base is not None and np.shares_memory(x[3:], run.history) and "unit='m'" in repr(x[:2])
    for other in (x * v, x + x, abs(x), -x, np.sqrt(x * x), x @ np.eye(21), np.gradient(x, run["time"]), x.dot(np.ones((21, 2))), np.cumsum(x)):
        assert getattr(other, "unit", "") == "" and isinstance(other, np.ndarray), other
    assert type(x.max()) is np.float64 and type(x[0]) is np.float64 and type(x.mean()) is np.float64 and type(x * v) is np.ndarray
    own = x.copy()
    own *= 2
    assert np.array_equal(own, 2 * np.asarray(x)) and x.min() == run["P.x"].min()


@case
def results_files_are_columns_as_of_the_run():
    run = limber.Model(PENDULUM, {"run.end": "20 ms", "run.every": 1}).start(output="read.h5").advance()
    results = limber.Results("read.h5")
    assert results.columns == run.columns and results.units == run.units and np.array_equal(results.history, run.history)
    assert results["P.x"].unit == "m" and results.now("P.x") == run.now("P.x") and len(results) == 21
    assert "there is no column 'P.angle'" in str(caught(KeyError, lambda: results["P.angle"]))
    assert "nothing.h5" in str(caught(limber.Error, lambda: limber.Results("nothing.h5")))
    assert repr(results) == "Results('read.h5'): 21 rows to time = 0.02 s"


@case
def tables_of_pandas_have_the_columns():
    run = limber.Model(PENDULUM, {"run.end": "20 ms"}).start().advance()
    before, sys.modules["pandas"] = sys.modules.get("pandas"), None
    assert "apt install python3-pandas" in str(caught(ImportError, run.to_pandas))
    del sys.modules["pandas"]
    if before:
        sys.modules["pandas"] = before
    try:
        import pandas  # noqa: F401
    except ImportError:
        raise NotTried("no pandas here") from None
    frame = run.to_pandas()
    assert frame.index.name == "time" and list(frame.columns) == run.columns[1:] and frame.attrs["units"]["P.position.x"] == "m"
    assert np.array_equal(frame["P.position.x"].to_numpy(), run["P.x"]) and frame.index[-1] == 0.02
    modes = limber.modes(f"{EXAMPLES}/modes_cable/cable.yaml", {"let.n": 8}, count=3)
    assert list(modes.to_pandas()["frequency"]) == [m.frequency for m in modes]
    diagram = limber.campbell(f"{EXAMPLES}/rotating_cantilever/cantilever.yaml", {"campbell.steps": 2, "campbell.modes": 2, "elements.beam.elements": 2})
    assert diagram.to_pandas().shape == (len(diagram.value), 2) and np.array_equal(diagram.to_pandas().to_numpy(), diagram.frequency)


@case
def commands_without_a_function_are_called_by_name():
    path = limber.new("pendulum", "called.yaml")
    assert "exists already" in str(caught(limber.ModelError, lambda: limber.new("pendulum", "called.yaml")))
    assert "no errors in 'Flexible pendulum'" in limber.command("check", path)
    limber.Model(path, {"run.end": "20 ms"}).start(output="called.h5").advance()
    assert limber.view("called.h5") == "called.html" and os.path.getsize("called.html") > 500_000
    limber.command("report", "called.h5", "-o", "called.report.html")
    assert os.path.getsize("called.report.html") > 1000
    assert "there is no command 'chekc'; did you mean 'check'?" in str(caught(limber.Error, lambda: limber.command("chekc")))


@case
def the_body_of_a_mesh_is_reported():
    shutil.copy(f"{EXAMPLES}/../tests/models/lever.inp", "lever.inp")
    lever, = limber.body("lever.inp", ["ROOT", "TIP"], modes=6, hold=["ROOT"], count=3, unit="mm", cells="BODY", output="lever.yaml")
    assert abs(lever["mass"] - 0.628) < 1e-12 and lever["modes"][1]["held"] == ["ROOT"] and len(lever["modes"][1]["mesh"]) == 3
    assert np.allclose(limber.body("lever.yaml", count=2)[0]["modes"][0]["mesh"], lever["modes"][0]["mesh"][:2], rtol=1e-9)
    assert "has no interface 'TOP'" in str(caught(limber.ModelError, lambda: limber.body("lever.yaml", hold=["TOP"])))


@case
def models_and_results_show_themselves():
    model = limber.Model({"limber": 1, "title": "A <bob> & co", "nodes": {"P": {"at": [1, 0, 0], "kind": "point"}},
                          "elements": [{"mass": {"node": "P", "mass": 1}}], "joints": [{"distance": {"nodes": ["ground", "P"]}}],
                          "probes": [{"name": "P", "node": "P"}], "run": {"step": "1 ms", "end": "10 ms"}})
    shown = model._repr_html_()
    assert "A &lt;bob&gt; &amp; co" in shown and "data:image/svg+xml;base64," in shown and "<td" in shown and repr(model) == "Model(dict)"
    run = model.start().advance()
    assert "P.position.x" in run._repr_html_() and "start(output=" in run._repr_html_() and "Run of Model(dict): 11 rows to time = 0.01 s" == repr(run)
    assert "<td style=\"text-align:left\">kinetic</td>" in run.ledger._repr_html_() and "kinetic=0" in repr(run.ledger)
    assert limber.Repeater(PENDULUM, {"run.end": "2 ms"}).run()._repr_html_().count("<svg") > 3
    modes = limber.modes(f"{EXAMPLES}/modes_cable/cable.yaml", {"let.n": 8}, count=3)
    assert f"{modes[0].frequency:.6g}" in modes._repr_html_() and "3 modes of" in modes._repr_html_()


CAM = {
    "limber": 1, "nodes": {"shaft": [0, 0, 0], "rod": [0, 0, 0.1]},
    "elements": [{"rigid_body": {"node": n, "mass": 1, "inertia": [1, 1, 1]}} for n in ("shaft", "rod")],
    "joints": [{"revolute": {"name": "shaft", "nodes": ["ground", "shaft"], "axis": [0, 1, 0]}},
               {"prismatic": {"name": "rod", "nodes": ["ground", "rod"], "axis": [0, 0, 1]}},
               {"coupler": {"name": "cam", "first": "shaft", "second": "rod", "formula": "second - 0.1*(1 - cos(first))"}}],
    "probes": [{"joint": "cam"}, {"joint": "shaft"}], "run": {"step": "1 ms", "end": "1 ms"}}


@case
def a_column_has_one_unit():
    units = limber.Model(CAM).start().units
    assert [units[f"cam.coordinate.{c}"] for c in ("sum", "first", "second")] == ["m", "rad", "m"]
    assert [units[f"cam.rate.{c}"] for c in ("sum", "first", "second")] == ["m s-1", "rad s-1", "m s-1"]
    assert [units[f"cam.multiplier.{c}"] for c in ("sum", "first", "second")] == ["N", "N m", "N"]
    assert [units[f"shaft.multiplier.{c}"] for c in ("F1", "M1")] == ["N", "N m"] and units["shaft.angle"] == "rad"


@case
def what_is_asked_is_what_is_recorded():
    run = limber.Model(ARM, {"run.end": "1 s"}).start().advance()
    tip, pin, end = run.node("arm.end"), run.joint("pin"), run.station("arm", 1)
    assert np.array_equal(tip.position, [run.now(f"tip.{c}") for c in "xyz"])
    assert np.array_equal(tip.velocity, [run.now(f"tip.velocity.{c}") for c in "xyz"])
    assert np.abs(tip.axes @ tip.axes.T - np.eye(3)).max() < 1e-14
    assert pin.coordinate == [run.now("pin.angle")] and pin.rate == [run.now("pin.rate")]
    assert np.array_equal(pin.force, [run.now(f"pin.force.{c}") for c in "xyz"])
    assert np.array_equal(pin.reaction, [run.now(f"pin.reaction.{c}") for c in ("F1", "F2", "F3", "M1", "M2", "M3")])
    assert np.abs(end.position - tip.position).max() < 1e-14
    assert run.outcome.step == 0.01 and 1 <= run.outcome.iterations == run.now("steps.iterations")


@case
def a_signal_that_stays_is_a_constant():
    runs = [limber.Model(ARM, {"functions.push": f, "run.end": "1 s"}).start().advance()
            for f in ({"signal": {"value": 0.5}}, {"constant": {"value": 0.5}})]
    assert np.array_equal(runs[0].history, runs[1].history)


@case
def a_pulse_from_python_moves_the_swing_as_the_models_own():
    """The mean of the triangle over each step has the same impulse; the swing then moves alike to the order of h^2."""
    T, h = 0.256, 1/2000

    def pulse(run):
        t = run.time + 0.5*h
        return max(0.0, 1 - abs(2*t/T - 1))

    own = limber.Model(SWING).start().advance()
    run = limber.Model(SWING, {"functions.pulse": {"signal": {}}}).start()
    run.control("pulse", pulse)
    run.advance()
    apart = max(np.abs(run[f"C.{c}"] - own[f"C.{c}"]).max() for c in "xyz")
    assert 0 < apart < 1e-6, apart  # measured 8e-8
    ledger = {name: run["ledger." + name] for name in ("kinetic", "strain", "potential", "work", "dissipated")}
    open_ = np.abs(ledger["kinetic"] + ledger["strain"] + ledger["potential"] + ledger["dissipated"] - ledger["work"]).max()
    assert open_ < 2e-12*ledger["work"].max() and ledger["work"].max() > 0.05, open_  # measured 2e-13


def arm(step, function):
    model = limber.Model(ARM, {"functions.push": function, "let.n": 2, "run.end": "4 s", "run.step": step, **(
        {"loads": [{"controller": {"joint": "pin", "reference": "push", "gain": 60, "derivative_gain": 150}}]}
        if "constant" in function else {})})
    run = model.start()
    if "signal" in function:
        run.control("push", lambda r: (60*(1 - r.now("pin.angle")) - 150*r.now("pin.rate"))/80)
    return run.advance()


@case
def the_work_of_a_controller_in_python_is_the_energy_of_the_arm():
    run = arm(0.01, {"signal": {}})
    energy = run["ledger.kinetic"] + run["ledger.strain"]
    assert run["ledger.work"].max() > 1 and np.abs(energy - run["ledger.work"]).max() < 1e-11*run["ledger.work"].max()
    assert np.array_equal(run["drive.work"], run["ledger.work"])


@case
def a_controller_in_python_tends_to_the_one_that_is_built_in():
    """It is half a step late, so the distance goes with the step: by a factor of 2."""
    apart = []
    for h in (0.01, 0.005, 0.0025):
        apart.append(abs(arm(h, {"signal": {}}).now("pin.angle") - arm(h, {"constant": {"value": 1}}).now("pin.angle")))
    ratios = [a/b for a, b in zip(apart, apart[1:])]
    assert all(1.8 < r < 2.2 for r in ratios), (apart, ratios)


@case
def a_signal_can_be_the_rate_of_a_drive():
    model = limber.Model(ARM, {"functions.push": {"signal": {}}, "run.end": "1 s",
                               "loads": [{"drive": {"joint": "pin", "rate": "push"}}]})
    run = model.start()
    run.control("push", lambda r: 0.5 if r.time < 0.495 else -0.25)
    run.advance()
    assert abs(run["pin.angle"].max() - 0.25) < 1e-12 and abs(run.now("pin.angle") - 0.125) < 1e-12


@case
def a_signal_is_no_motion():
    error = caught(limber.ModelError, lambda: limber.Model(
        ARM, {"functions.push": {"signal": {}}, "loads": [{"drive": {"joint": "pin", "motion": "push"}}]}))
    assert "a signal jumps from step to step, which no motion does: let it be the `rate`" in str(error)


@case
def files_of_others_and_results_under_way_are_kept():
    for name in "mine.h5", "mine.mat":
        with open(name, "w") as f:
            f.write("mine\n")
    def write(**more):
        return limber.Model(PENDULUM).start(output="mine.h5", **more)
    assert "'mine.h5' is not a results file (HDF5) that Limber wrote" in str(caught(limber.Error, write))
    cart = limber.Model(f"{EXAMPLES}/linear_model/cart.yaml")
    assert "'mine.mat' is not a MAT-file" in str(caught(limber.Error, lambda: limber.linearize(cart, output="mine.mat")))
    assert "not overwritten" in str(caught(limber.Error, lambda: limber.linearize(cart, output="mine.h5")))
    assert open("mine.h5").read() == open("mine.mat").read() == "mine\n"
    limber.linearize(cart, output="mine.mat", force=True)
    run = write(force=True)
    assert "'mine.h5' is being written by this process" in str(caught(limber.Error, lambda: write(force=True)))
    run.close()
    write().close()


@case
def mistakes_are_exceptions_with_their_message():
    e = caught(limber.ModelError, lambda: limber.Model(PENDULUM, {"run.stp": 1}))
    assert "run has no field 'stp'; did you mean 'step'?" in str(e)
    e = caught(limber.ModelError, lambda: limber.Model("nothing.yaml"))
    assert str(e) == "cannot read 'nothing.yaml': No such file or directory"
    e = caught(limber.Error, lambda: limber.Model(PENDULUM).start(output="nowhere/run.h5"))
    assert str(e) == "cannot write 'nowhere/run.h5': No such file or directory"
    run = limber.Model(ARM, {"functions.push": {"signal": {}}}).start()
    e = caught(limber.Error, lambda: run.set_signal("push", float("inf")))
    assert str(e) == "the signal 'push' is set to inf"
    assert "there is no column 'pin.angel'; there are pin.force.x" in str(caught(KeyError, lambda: run["pin.angel"]))
    assert "no function 'pull'" in str(caught(KeyError, lambda: run.control("pull", None)))
    assert "no node 'arm.99'" in str(caught(KeyError, lambda: run.node("arm.99")))
    run = limber.Model(ARM).start()
    assert "'push' is a table, and only a signal can be set" in str(caught(limber.Error, lambda: run.set_signal("push", 1)))


@case
def a_step_that_fails_says_why():
    run = limber.Model(SWING, {"run.iterations": 1, "run.halvings": 1}).start()
    e = caught(limber.StepError, run.advance)
    assert e.reason == "no_convergence" and e.time < 0.1, (e.reason, e.time)
    assert (e.kind, e.name) == ("node", "node 'right.5'") and e.id > 0, (e.kind, e.id, e.name)


@case
def exceptions_of_a_law_come_through():
    run = limber.Model(ARM, {"functions.push": {"signal": {}}}).start()
    run.control("push", lambda r: 1/(2 - len(r["time"])))
    caught(ZeroDivisionError, run.advance)
    assert run.time == 0.01 and len(run["time"]) == 2


@case
def an_end_that_is_none_is_an_exception():
    run = limber.Model(PENDULUM).start()
    assert str(caught(ValueError, lambda: run.advance(float("nan")))) == "the end of advance is nan s, and the run begins at 0 s"
    assert "there is no `each`" in str(caught(ValueError, lambda: run.advance(float("inf"))))
    for end in (-1, -float("inf"), np.nan, np.float64("nan")):
        caught(ValueError, lambda: run.advance(end))
    for end in ("1 s", b"1", [1, 2], {}, np.zeros(2), run, 1j):
        assert "and not a number" in str(caught(TypeError, lambda: run.advance(end)))
    assert run.time == 0 and len(run["time"]) == 1
    assert run.advance(float("inf"), each=lambda r: r.time >= 0.002).time == 0.002
    caught(limber.Error, lambda: limber.Model(ARM).start().station("arm", float("nan")))
    caught(limber.Error, lambda: limber.Model(ARM).start().station("arm", 2))


def steered(law, output=None):
    run = limber.Model(ARM, {"functions.push": {"signal": {}}}).start(output)
    run.control("push", law)
    return run


@case
def a_law_that_steps_the_run_is_an_exception():
    for law in (lambda r: r.advance(), lambda r: r.step(), lambda r: r.close(), lambda r: r.set_signal("push", 1)):
        run = steered(law, "steered.h5")
        assert "a control law" in str(caught(limber.Error, run.advance))
        assert run.time == 0
        run.close()


@case
def what_a_law_returns_is_a_number():
    for value in (None, "1", np.zeros(2), [], {}, lambda: 1):
        run = steered(lambda r: value)
        assert "what the law of 'push' returned is" in str(caught(TypeError, run.advance))
        run.close()
    assert str(caught(limber.Error, steered(lambda r: float("nan")).advance)) == "the signal 'push' is set to nan"
    assert "and not a function" in str(caught(TypeError, lambda: steered(3)))
    assert steered(lambda r: np.float32(0.5)).step().reason == 0


@case
def a_run_goes_on_after_an_exception_of_its_law():
    failed = []

    def law(run):
        if run.time > 0.055 and not failed:
            failed.append(run.time)
            raise RuntimeError("once")
        return 1.0
    run, other = steered(law), steered(lambda r: 1.0)
    caught(RuntimeError, lambda: run.advance(0.1))
    run.advance(0.1), other.advance(0.1)
    assert np.array_equal(run.history, other.history)


@case
def a_run_that_was_closed_can_be_asked():
    run = limber.Model(PENDULUM, {"run.end": "10 ms"}).start(output="closed.h5", force=True)
    run.advance(0.005).close()
    run.close()
    assert run.advance().time == 0.01 and run.node("P").position.shape == (3,)


@case
def two_threads_may_each_have_a_run():
    import threading
    runs = [limber.Model(ARM, {"functions.push": {"signal": {}}, "run.end": "0.5 s"}).start() for _ in range(3)]
    for k, run in enumerate(runs):
        run.control("push", lambda r, k=k: 0.5 + 0.1*(k % 2))
    threads = [threading.Thread(target=run.advance) for run in runs[:2]]
    [t.start() for t in threads], [t.join() for t in threads]
    assert np.array_equal(runs[2].advance().history, runs[0].history) and not np.array_equal(runs[0].history, runs[1].history)


@case
def a_process_that_was_forked_says_so():
    run, (read, write) = limber.Model(PENDULUM).start(), os.pipe()
    child = os.fork()
    if not child:
        try:
            run.step()
        except limber.Error as error:
            os.write(write, str(error).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(write)
    assert b"multiprocessing.get_context('spawn')" in os.read(read, 1000)
    assert run.step().reason == 0


@case
def an_interrupt_leaves_whole_steps():
    import signal
    run = limber.Model(ARM, {"run.end": "100 s"}).start(output="interrupted.h5", force=True)

    def interrupt(r):
        os.kill(os.getpid(), signal.SIGINT)
    run.advance(0.05)
    before, run._add_row = run._add_row, lambda step: (interrupt(run), before(step))  # amid a step
    caught(KeyboardInterrupt, run.advance)
    run._add_row = before
    assert len(run["time"]) == run._steps + 1 == 7 and run.now("time") == run.time
    run.close()


@case
def a_run_stops_where_it_is_told():
    run = limber.Model(PENDULUM).start(output="stopped.h5")
    run.advance(each=lambda r: r.now("P.z") < -0.5)
    assert run["P.z"][-1] < -0.5 <= run["P.z"][-2]
    run.advance(0.5)
    assert run.time == 0.5
    run.close()


@case
def a_picture_is_drawn_of_a_results_file():
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        raise NotTried("no chromium here")
    limber.Model(PENDULUM, {"run.end": "20 ms"}).start(output="drawn.h5").advance().close()
    limber.picture("drawn.h5", "drawn.png", at=[0, 0.01], size=(120, 80), view="y")
    with open("drawn.png", "rb") as f:
        head = f.read(24)
    assert head[:8] == b"\x89PNG\r\n\x1a\n" and [int.from_bytes(head[i:i + 4], "big") for i in (16, 20)] == [120, 80]
    assert str(caught(limber.Error, lambda: limber.picture("drawn.h5", "drawn.png", at=9))).startswith("the snapshots reach")


@case
def tables_are_written_of_a_results_file():
    limber.Model(PENDULUM, {"run.end": "20 ms"}).start(output="table.h5").advance().close()
    limber.export("table.h5", "table.csv", "P.x")
    limber.export("table.h5", "table.outb", "P.x", "P.z", file_id=3)
    with open("table.csv") as text, open("table.outb", "rb") as binary:
        rows = text.read().splitlines()[1:]
        words = binary.read()
    assert words[:2] == b"\x03\x00" and int.from_bytes(words[6:10], "little") == len(rows)
    assert [float(row.split(",")[1]) for row in rows] == list(np.frombuffer(words[-16 * len(rows):]).reshape(-1, 2)[:, 0])
    assert str(caught(limber.Error, lambda: limber.export("table.h5", "table.csv", file_id=3))).startswith("--file-id is for")


@case
def a_static_path_is_a_history():
    truss = os.path.join(sys.argv[1], "static_truss", "truss.yaml")
    path = limber.static(truss, output="path.h5")
    factor, z = path["ledger.load_factor"], path["apex.position.z"]
    assert path.now("ledger.load_factor") == 1 and np.abs(factor - z * (9 - z * z) / 27).max() < 1e-13
    assert [word.split(":")[0] for word in path.found] == ["limit point at load factor 0.384900179", "limit point at load factor -0.384900179"]
    again = limber.static(limber.Model(truss, {"static.control": "load"}), {"static.to": 0.3})
    assert again.now("time") == 0.3 and again.found == []
    error = caught(limber.StepError, lambda: limber.static(truss, {"static.control": "load"}))
    assert str(error).startswith("no equilibrium was found beyond a load factor of 0.3849")


@case
def runs_of_a_repeater_are_those_of_new_models():
    repeater = limber.Repeater(SWING, {"run.end": "5 ms"})
    for step, scheme in [("1 ms", "decaying"), ("0.5 ms", "preserving"), ("1 ms", "decaying")]:
        changes = {"run.step": step, "run.scheme": scheme, "run.every": 1}
        again = repeater.run(changes)
        alone = limber.Model(SWING, {"run.end": "5 ms", **changes}).start().advance()
        assert again.columns == alone.columns and again.units == alone.units
        assert again.history.shape == alone.history.shape and (again.history == alone.history).all()


@case
def a_run_of_a_repeater_that_fails_does_not_touch_the_next():
    repeater = limber.Repeater({"limber": 1, "let": {"l": "1 m", "m": "1 kg"}, "nodes": {"p": {"at": ["l", 0, 0], "kind": "point"}},
                                "elements": [{"mass": {"name": "bob", "node": "p", "mass": "m"}}],
                                "joints": [{"distance": {"nodes": ["ground", "p"]}}],
                                "loads": [{"gravity": {"acceleration": [0, 0, -9.81]}}], "probes": [{"name": "p", "node": "p"}],
                                "run": {"scheme": "preserving", "step": "5 ms", "end": "0.1 s"}})
    first = repeater.run(l="1.2 m", m=3)
    assert first.history.shape == (21, len(first.columns)) and abs(first["p.x"][0] - 1.2) < 1e-15
    assert "must be" in str(caught(limber.ModelError, lambda: repeater.run(l="abc")))
    assert "'m'" in str(caught(limber.ModelError, lambda: repeater.run(m="2 s")))
    assert "has no field" in str(caught(limber.ModelError, lambda: repeater.run({"run.stap": 1})))
    caught(limber.StepError, lambda: repeater.run({"run.iterations": 1, "run.halvings": -1}))
    assert (repeater.run(l="1.2 m", m=3).history == first.history).all()
    assert caught(limber.Error, lambda: limber.Repeater("nowhere.yaml")) and caught(KeyError, lambda: first["q.x"])


@case
def stability_is_lost_where_theory_says():
    model = limber.Model(f"{EXAMPLES}/ziegler/ziegler.yaml")
    found = limber.stability(model, points=11)
    assert found.kind == "coalescence" and abs(found.value - 3.5 + 2 ** 0.5) < 1e-8
    assert found.parameter.shape == (11,) and found.eigenvalues.shape == (11, 10)
    assert abs(found.eigenvalues[0, :2].real).max() < 1e-9
    assert limber.stability(f"{EXAMPLES}/ziegler/ziegler.yaml", to=1.0).kind == "stable"


@case
def floquet_multipliers_are_those_of_mathieu():
    motion = limber.floquet(limber.Model(f"{EXAMPLES}/shaken_pendulum/pendulum.yaml"), steps=100)
    assert motion.verdict == "unstable" and abs(motion.multipliers[0] + 1.155868659) < 1e-4
    assert motion.largest[0] == "node 'bob'" and motion.closure < 1e-9 and max(motion.error) < 1e-3
    caught(limber.ModelError, lambda: limber.floquet(limber.Model(PENDULUM), period=-1.0))



@case
def the_frame_of_a_section_is_that_of_its_matrices():
    K = np.diag([4e9, 2e8, 6e8, 3e7, 1e8, 5e8])
    K[0, 5] = K[5, 0] = -0.1 * K[0, 0]  # the tension centre is at e2 = 0.1
    K[5, 5] += 0.1 ** 2 * K[0, 0]
    f = limber.section_frame(K, mass=20, centre=(0.15, 0), inertia=[9.45, 2, 7.45])
    assert np.allclose(f.tension_centre, [0.1, 0]) and np.allclose(f.shear_centre, 0) and np.allclose(f.mass_centre, [0.15, 0])
    assert np.allclose([f.axial, f.torsion], [4e9, 3e7]) and np.allclose(f.bending, [1e8, 5e8]) and abs(f.bending_angle) < 1e-9
    assert np.allclose(f.shear, [2e8, 6e8]) and np.allclose(f.inertia, [2, 7]) and abs(f.inertia_angle) < 1e-9
    assert str(caught(ValueError, lambda: limber.section_frame([1, 1, 0, 1, 1, 1]))) == "the stiffness is not positive definite"
    caught(ValueError, lambda: limber.section_frame(np.eye(5)))


@case
def a_blade_file_is_arrays_and_a_beam():
    file = f"{EXAMPLES}/nrel_5mw_blade/NRELOffshrBsline5MW_BeamDyn.dat"
    b = limber.read_blade(file)
    assert b.format == "beamdyn" and b.position.shape == (49, 3) and b.stiffness.shape == (49, 6, 6) and b.remarks == []
    assert np.array_equal(b.stiffness, b.stiffness.transpose(0, 2, 1)) and abs(b.twist[0] + np.radians(13.308)) < 1e-12
    assert abs(b.damping[5] - 0.0022) < 1e-15 and np.allclose(b.position[-1], [0, 0, 61.5])
    assert limber.read_blade(file.replace(".dat", "_Blade.dat")).position.shape == (0, 3)
    common = {"limber": 1, "nodes": {"root": [0, 0, 0]}, "joints": [{"weld": {"nodes": ["ground", "root"]}}]}
    made = {**common, "sections": {"blade": b.section()}, "elements": [b.beam("blade", {"name": "blade", "from": "root"})]}
    named = {**common, "elements": [limber.elements.beam(name="blade", from_="root", damping=0, from_file={"beamdyn": os.path.abspath(file)})]}
    runs = []
    for model in (made, named):
        model = {**model, "loads": [{"gravity": {"acceleration": [9.81, 0, 0]}}], "probes": [{"name": "tip", "node": "blade.end"}],
                 "run": {"step": "10 ms", "end": "50 ms"}}
        runs.append(limber.Model(model, allow_outside=True).start().advance())
    assert runs[0].now("tip.x") > 1e-4 and np.isclose(runs[0].now("tip.x"), runs[1].now("tip.x"), rtol=1e-12, atol=0)
    error = caught(limber.ModelError, lambda: limber.read_blade("no.dat"))
    assert str(error).startswith("no.dat:1:1: error: cannot read 'no.dat'"), error
    assert "there is no such format" in str(caught(limber.ModelError, lambda: limber.read_blade(file, format="flex")))


@case
def a_shared_library_is_loaded_only_when_allowed():
    import subprocess
    text = open(f"{EXAMPLES}/../tests/models/control/mass.yaml").read()
    block = "{library: {file: py_discon.so, inputs: [error, slide.rate, 0], input_records: [20, 21, 30], output_records: [47, 48], period: 5 ms}}"
    lines = [f"  motor: {block}" if line.startswith("  motor:") else line for line in text.split("\n")]
    with open("py_library.yaml", "w") as f:
        f.write("\n".join(lines).replace("amplitude: motor", "amplitude: motor.1").replace("formula: motor", "formula: motor.1"))
    error = caught(limber.ModelError, lambda: limber.Model("py_library.yaml").start())
    assert "allow_library=True" in str(error), error
    error = caught(limber.ModelError, lambda: limber.Model("py_library.yaml", allow_library=True).start())
    assert "cannot load its library" in str(error), error
    assert "allow_library=True" in str(caught(limber.ModelError, lambda: limber.Model("py_library.yaml").start()))  # it was for that one
    if not shutil.which("cc"):
        raise NotTried("no cc here")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "py_discon.so", f"{EXAMPLES}/../tests/models/control/discon.c"], check=True)
    run = limber.Model("py_library.yaml", allow_library=True).start().advance()
    assert 0.2 < run.now("slide.slide") < 0.4
    again = limber.Repeater("py_library.yaml", allow_library=True).run()
    assert again.now("slide.slide") == run.now("slide.slide")


passed = failed = 0
for function in CASES + python_study_cases.CASES:
    try:
        function()
        passed += 1
        print("ok  ", function.__name__)
    except NotTried as why:
        print(f"     not tried: {function.__name__}: {why}")
    except Exception as error:
        failed += 1
        print("FAIL", function.__name__, "-", type(error).__name__, error)
print(f"{passed} passed, {failed} failed")
