# SPDX-License-Identifier: Apache-2.0
"""Control in the model file: networks of blocks between probes and loads."""
import math
import pathlib
import signal
import subprocess
import time

import numpy as np
import pytest

from support import Going, column, h5, limber, models, needs, run, same_bytes, same_results, settings, times, write

MASS = models / "control/mass.yaml"
TEXT = MASS.read_text()
HEAD, TAIL = TEXT.split("control:\n")[0], "loads:\n" + TEXT.split("loads:\n")[1]


def model(control, name="m.yaml", change=lambda text: text):
    """The mass on its slide with other blocks."""
    return write(name, change(HEAD + "control:\n" + control + TAIL))


def recorded(formulae):
    """Probes of signals."""
    return lambda text: text.replace("probes:\n", "probes:\n" + "".join(f"  - {{name: {n}, formula: {f}}}\n" for n, f in formulae.items()))


# ---- the loop ----
def discrete(h, steps, sample=1, m=2.0, kp=80, ki=40, kd=20, ref=0.3):
    """The mass under a force that is held over each step: exact, as is the scheme `preserving`. The PID is evaluated at every
    `sample`-th end."""
    x = v = i = 0.0
    before = ref
    u = kp * ref
    out = [(x, u)]
    for k in range(1, steps + 1):
        x, v = x + h * v + h * h * u / (2 * m), v + h * u / m
        if k % sample == 0:
            e = ref - x
            i += ki * sample * h * (before + e) / 2
            u, before = kp * e + i - kd * v, e
        out.append((x, u))
    return np.array(out).T


def test_a_pid_loop_is_the_exact_discrete_solution(measured):
    run(MASS, "mass.h5")
    x, u = discrete(1e-3, 500)
    error = abs(column("mass.h5", "slide/slide") - x).max(), abs(column("mass.h5", "force/value") - u).max()
    measured("slide %.1e m, force %.1e N" % error)
    assert error[0] < 1e-14 and error[1] < 1e-12  # measured: 5e-16, 6e-14


def test_a_sampled_controller_holds_its_output(measured):
    model("  motor: {pid: {input: ref - slide.slide, rate: -slide.rate, kp: 80, ki: 40, kd: 20, period: 10 ms}}\n")
    run("m.yaml", "m.h5")
    x, u = discrete(1e-3, 500, sample=10)
    got = column("m.h5", "force/value")
    assert abs(got - u).max() < 1e-12  # measured: 6e-14
    assert (got.reshape(-1)[:500].reshape(50, 10) == got[:500:10, None]).all()


def test_the_error_of_the_hold_is_of_first_order(measured):
    """Against the loop in continuous time, by the exponential of its matrix."""
    a = np.array([[0, 1, 0], [-(80 / 2), -(20 / 2), 1 / 2], [-40.0, 0, 0]])
    b = np.array([0, 80 * 0.3 / 2, 40 * 0.3])
    w, vectors = np.linalg.eig(a)
    rest = np.linalg.solve(a, b)
    exact = (vectors @ (np.exp(w * 0.5) * np.linalg.solve(vectors, rest + 0j)) - rest).real[0]
    error = []
    for h in (4e-3, 2e-3, 1e-3):
        run(MASS, "order.h5", *settings(f"run.step={h}"))
        error.append(abs(column("order.h5", "slide/slide")[-1] - exact))
    orders = np.log2(np.array(error[:-1]) / error[1:])
    measured(f"errors {error}, orders {orders}")
    assert (abs(orders - 1) < 0.1).all()  # measured: 1.02, 1.01


def test_the_step_is_stable_as_far_as_theory_says():
    """On a mass of 2 kg: h kd < 2 m and h kp < 2 kd (docs/theory/control.md)."""
    def last(kp, kd, h="10 ms"):
        model(f"  motor: {{pid: {{input: ref - slide.slide, rate: -slide.rate, kp: {kp}, kd: {kd}}}}}\n")
        run("m.yaml", "stable.h5", *settings(f"run.step={h}", "run.end=4"))
        return abs(column("stable.h5", "slide/slide")[-100:] - 0.3).max()
    assert last(100, 390) < 0.2 and last(100, 410) > 1
    assert last(1000, 5.5) < 0.3 and last(1000, 4.5) > 0.3


def test_the_work_of_the_actuator_closes_the_balance(measured):
    run(MASS, "mass.h5")
    with h5("mass.h5") as f:
        ledger = f["history/energy"] if "energy" in f["history"] else f["history/ledger"]
        kinetic, work = np.array(ledger["kinetic"]).ravel(), np.array(ledger["work"]).ravel()
    measured("%.1e J" % abs(kinetic - work).max())
    assert abs(kinetic - work).max() < 1e-14  # J, of 0.35; measured: 8e-16


def test_the_integral_stops_at_the_limit():
    limited = "  motor: {pid: {input: ref - slide.slide, kp: 1, ki: 100, smallest: -2, largest: 2}}\n"
    model(limited)
    run("m.yaml", "clamped.h5", *settings("run.end=0.3"))
    assert (column("clamped.h5", "force/value") <= 2).all()
    model(limited.replace("largest: 2", "largest: 2, anti_windup: none"))
    run("m.yaml", "wound.h5", *settings("run.end=1.2"))
    model(limited)
    run("m.yaml", "clamped.h5", *settings("run.end=1.2"))
    # after the reference is passed the force of the wound integral stays at the limit for longer
    passed = lambda name: np.sum((column(name, "slide/slide") > 0.3) & (column(name, "force/value") > 0))
    assert passed("wound.h5") > 1.5 * passed("clamped.h5")  # rows: 402 and 208


# ---- blocks in a file ----
BLOCKS = """  plant: {transfer_function: {input: ref, numerator: [1, 3], denominator: [1, 2, 5]}}
  same: {state_space: {inputs: ref, a: [[0, 1], [-5, -2]], b: [0, 1], c: [3, 1]}}
  table: {lookup: {input: t, argument: [0, 0.1], value: [1, 3]}}
  late: {delay: {input: t, samples: 5}}
  both: {state_space: {inputs: [ref, t], a: [-1], b: [[1, 0]], c: [[1], [2]]}}
  twice: {gain: {input: both.2, gain: 2}}
  all: {sum: {inputs: [table, -late]}}
  motor: "0"
"""


@pytest.fixture(scope="module")
def blocks(folder):
    model(BLOCKS, "blocks.yaml", recorded({n: n for n in ("plant", "same", "table", "late", "twice")} | {"total": "all"}))
    text = pathlib.Path("blocks.yaml").read_text()
    for n in ("plant", "same", "table", "late", "twice"):
        text = text.replace(f"{{name: {n}, formula: {n}}}", f"{{name: of_{n}, formula: {n}}}")
    write("blocks.yaml", text)
    run("blocks.yaml", "blocks.h5", *settings("run.end=0.3"))


def test_a_transfer_function_is_the_closed_form(blocks, measured):
    t = times("blocks.h5")
    exact = 0.3 * (0.6 - np.exp(-t) * (0.6 * np.cos(2 * t) - 0.2 * np.sin(2 * t)))
    error = abs(column("blocks.h5", "of_plant/value") - exact).max()
    measured("%.1e" % error)
    assert error < 1e-14  # measured: 6e-16


def test_state_space_is_the_same_transfer_function(blocks):
    assert abs(column("blocks.h5", "of_plant/value") - column("blocks.h5", "of_same/value")).max() < 1e-15


def test_tables_delays_and_sums_do_what_they_say(blocks):
    t = times("blocks.h5")
    table = np.interp(t, [0, 0.1], [1, 3])
    late = np.concatenate([np.zeros(5), t[:-5]])
    assert abs(column("blocks.h5", "of_table/value") - table).max() < 1e-14
    assert abs(column("blocks.h5", "of_late/value") - late).max() < 1e-15
    assert abs(column("blocks.h5", "total/value") - (table - late)).max() < 1e-14


def test_outputs_of_a_block_have_numbers(blocks):
    exact = 4 * 0.3 * (1 - np.exp(-times("blocks.h5")))
    assert abs(column("blocks.h5", "of_twice/value") - exact).max() < 1e-14


def test_a_loop_closes_through_a_block_without_feed_through(measured):
    """y = 1 / (s + 1) (ref - y), whose input is that of the step before: explicit, so of first order."""
    model("  y: {transfer_function: {input: ref - y, numerator: [1], denominator: [1, 1]}}\n  motor: y\n")
    run("m.yaml", "loop.h5")
    error = abs(column("loop.h5", "force/value") - 0.15 * (1 - np.exp(-2 * times("loop.h5")))).max()
    measured("%.1e" % error)
    assert error < 6e-5  # measured: 5.5e-5, of the step of 1e-3 s


def test_an_amplitude_may_be_a_formula_of_probes():
    write("m.yaml", HEAD + TAIL.replace("amplitude: motor", 'amplitude: "80*(0.3 - slide.slide) - 20*slide.rate"')
          .replace("  - {name: force, formula: motor, unit: N}\n", ""))
    run("m.yaml", "m.h5")
    assert abs(column("m.h5", "slide/slide") - discrete(1e-3, 500, ki=0)[0]).max() < 1e-14


# ---- messages ----
def complaint(control, change=lambda text: text):
    said = limber("check", model(control, change=change))
    assert said.code == 2
    return said.err


def test_an_algebraic_loop_is_told_with_its_blocks():
    text = complaint("  a: b + 1\n  b: {gain: {input: c, gain: 2}}\n  c: a\n  motor: a\n")
    assert "m.yaml:12:3: error: an algebraic loop of control blocks: 'a' needs 'b', 'b' needs 'c', 'c' needs 'a';" in text


@pytest.mark.parametrize("control, words", [
    ("  motor: reff - slide.slide\n", "m.yaml:12:10: error: nothing is called 'reff'; did you mean 'ref'?"),
    ("  motor: {pid: {input: slide.slid, kp: 1}}\n", "m.yaml:12:24: error: nothing is called 'slide.slid'; did you mean 'slide.slide'?"),
    ("  motor: {pdi: {input: ref}}\n", "there is no kind of block 'pdi'; did you mean 'pid'?"),
    ("  motor: {pid: {input: ref}}\n", "one of `kp`, `ki` and `kd` must not be 0"),
    ("  motor: {pid: {input: ref, kp: 1, smallest: 3, largest: 2}}\n", "m.yaml:12:46: error: pid 'motor': `smallest` must be below `largest`"),
    ("  motor: {transfer_function: {input: ref, numerator: [1, 0, 0], denominator: [1, 2]}}\n", "the order of `numerator` exceeds"),
    ("  motor: {state_space: {inputs: ref, a: [[0, 1]], b: [1], c: [1]}}\n", "`a` must have as many rows as columns"),
    ("  motor: {state_space: {inputs: ref, a: [[0, 1], [2]], b: [1], c: [1]}}\n", "'a' must be numbers"),
    ("  motor: {filter: {input: ref, frequency: 5 m}}\n", "frequency"),
    ("  motor: {delay: {input: ref, samples: 0}}\n", "`samples` must be at least 1"),
    ("  motor: {lookup: {input: ref, argument: [1, 0], value: [0, 1]}}\n", "`argument` must increase"),
    ("  motor: [1, 2]\n", "error"),
    ("  t: ref\n  motor: t\n", "'t' is the time"),
    ("  ref: 2*3\n  motor: ref\n", "a function is called 'ref' too"),
])
def test_a_mistake_is_told_where_it_stands(control, words):
    assert words in complaint(control)


def test_a_block_without_a_finite_value_ends_the_run():
    model("  motor: 1/(0.3 - slide.slide*0 - 0.3)\n")
    said = limber("run", "m.yaml", "-q", "-o", "m.h5")
    assert said.code == 2 and "control block 'motor', which gives no finite number" in said.err
    model("  motor: sqrt(0.01 - slide.slide)\n")
    said = limber("run", "m.yaml", "-q", "-o", "m.h5", *settings("run.end=5"))
    assert said.code == 1 and "s: control block 'motor', which gives no finite number" in said.err
    assert "control ends the run at t = " in said.err and "Newton" not in said.err and "left the domain" in said.err
    with h5("m.h5") as f:
        assert f.attrs["status"] == "control_failure"


def test_functions_of_any_form_are_signals():
    """A number, a formula of the time, a formula of parameters, one more name of another function."""
    functions = "functions:\n  ten: 10\n  wave: 3*sin(20*t)\n  same: wave\n  again: same\n  twice: 2*3\n"
    model("  motor: ten + 100*wave + 10000*same + 1e6*again + twice\n", "forms.yaml", lambda text: text.replace("functions:\n", functions))
    run("forms.yaml", "forms.h5")
    t = times("forms.h5")
    assert column("forms.h5", "force/value") == pytest.approx(16 + 1010100 * 3 * np.sin(20 * t), rel=1e-13)


# ---- libraries ----
LIBRARY = ("  motor: {library: {file: discon.so, inputs: [ref - slide.slide, slide.rate, 0], input_records: [20, 21, 30], output_records: [47, 48], "
           "period: 5 ms}}\n  force_of: motor.1\n")


@pytest.fixture(scope="module")
def library(folder):
    needs("cc")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "discon.so", models / "control/discon.c"], check=True)
    model(LIBRARY, "library.yaml", lambda text: text.replace("amplitude: motor", "amplitude: motor.1").replace("formula: motor", "formula: motor.1"))


def test_a_library_is_loaded_only_when_allowed(library):
    said = limber("run", "library.yaml", "-q", "-o", "no.h5")
    assert said.code == 2 and "--allow-library" in said.err and "discon.so" in said.err
    run("library.yaml", "library.h5", "--allow-library")
    _, u = discrete(1e-3, 500, sample=5, ki=0)
    assert abs(column("library.h5", "force/value") - u).max() < 1e-4  # N: its numbers are floats


def test_errors_of_a_library_are_told(library):
    text = pathlib.Path("library.yaml").read_text()
    write("none.yaml", text.replace("discon.so", "none.so"))
    said = limber("run", "none.yaml", "-q", "-o", "no.h5", "--allow-library")
    assert said.code == 2 and "cannot load its library" in said.err and "none.so" in said.err
    write("fails.yaml", text.replace("slide.rate, 0]", "slide.rate, 0.1]"))
    said = limber("run", "fails.yaml", "-q", "-o", "no.h5", "--allow-library")
    assert said.code == 1 and "whose library failed: the test wants it so" in said.err and "Newton" not in said.err
    with h5("no.h5") as f:
        assert f.attrs["status"] == "library_failure"
    subprocess.run("echo 'int nothing;' | cc -shared -fPIC -o empty.so -xc -", shell=True, check=True)
    write("empty.yaml", text.replace("discon.so", "empty.so"))
    said = limber("run", "empty.yaml", "-q", "-o", "no.h5", "--allow-library")
    assert said.code == 2 and "has no function DISCON" in said.err


def test_a_library_runs_on_two_ranks(library):
    run("library.yaml", "library.h5", "--allow-library")
    run("library.yaml", "library2.h5", "--allow-library", ranks=2)
    assert same_results("library.h5", "library2.h5", 1e-9) == "same"


# ---- ranks and checkpoints ----
WIDE = """  slow: {filter: {input: ref - slide.slide, frequency: 8 Hz, order: 2}}
  late: {delay: {input: slide.rate, samples: 7, period: 3 ms}}
  motor: {pid: {input: slow, kp: 60, ki: 50, kd: 3, filter: 5 ms, feed_forward: -8*late, largest: 15, anti_windup: back_calculation, period: 2 ms}}
"""


def test_two_ranks_give_the_same(measured):
    model(WIDE)
    run("m.yaml", "one.h5")
    run("m.yaml", "two.h5", ranks=2)
    assert same_results("one.h5", "two.h5", 1e-9) == "same"


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_resumed_run_has_the_same_bits(ranks):
    model(WIDE)
    run("m.yaml", "whole.h5", ranks=ranks)
    run("m.yaml", "part.h5", *settings("run.end=0.1234"), ranks=ranks)
    said = limber("resume", "part.h5", "-q", "--end", "0.5", ranks=ranks)
    assert said.code == 0, said.err
    assert same_results("whole.h5", "part.h5") == "same"


def test_a_killed_run_has_the_same_bytes():
    model(WIDE)
    run("m.yaml", "whole.h5", *settings("run.end=20"))
    pathlib.Path("part.checkpoint").unlink(missing_ok=True)
    with Going("run", "m.yaml", "-q", "-o", "part.h5", "--checkpoint", "0.05s", *settings("run.end=20")) as going:
        for _ in range(1000):
            if pathlib.Path("part.checkpoint").exists():
                break
            time.sleep(0.01)
        time.sleep(0.3)
        assert going.stop(signal.SIGKILL).code == 137
    said = limber("resume", "part.h5", "-q")
    assert said.code == 0, said.err
    assert same_bytes("whole.h5", "part.h5")


def test_steps_that_are_chosen_are_controlled_too():
    model(WIDE)
    run("m.yaml", "chosen.h5", *settings("run.scheme=decaying", "run.control={loss: 1 mW, largest: 2 ms}"))
    assert abs(column("chosen.h5", "slide/slide")[-1]) < 1


def test_a_study_runs_the_controller():
    write("study.yaml", TEXT.replace("kp: 80", "kp: kp").replace("\nnodes:", "\nlet: {kp: 80}\nnodes:"))
    write("plan.yaml", "limber: 1\nstudy: {model: study.yaml, vary: {let.kp: [20, 80]}, summary: [{channel: slide.slide}]}\n")
    said = limber("study", "plan.yaml", "-q", "-o", "plan.h5", "--workers", "1")
    assert said.code == 0, said.err
    said = limber("study", "plan.yaml", "--run", "1", "-o", "one.h5", "-q")
    assert said.code == 0, said.err
    assert abs(column("one.h5", "slide/slide") - discrete(1e-3, 500)[0]).max() < 1e-14


# ---- drives ----
def test_units_of_set_points_gains_and_limits_are_turned_into_si():
    units = TEXT.replace("kp: 80", "kp: 0.08 N/mm, largest: 2e-5 MN")
    assert units != TEXT
    write("plain.yaml", TEXT.replace("kp: 80", "kp: 80, largest: 20")), write("units.yaml", units)
    run("plain.yaml", "plain.h5"), run("units.yaml", "units.h5")
    assert abs(column("plain.h5", "slide/slide") - column("units.h5", "slide/slide")).max() < 1e-13


ROTOR = """
limber: 1
nodes: {r: [0, 0, 0]}
elements: [rigid_body: {node: r, mass: 1, inertia: [1, 1, 1]}]
joints: [revolute: {name: shaft, nodes: [ground, r], axis: [0, 0, 1]}]
let: {fast: 60 rpm}
functions: {slow: 30 rpm, start: {smooth_step: {from: 0 rpm, to: 60 rpm, end: 0.1 s}}}
loads: [drive: {joint: shaft, rate: RATE}]
probes: [joint: shaft]
run: {step: 10 ms, end: 1 s, snapshots: 0}
"""


@pytest.mark.parametrize("rate, factor", [("60 rpm", 1), ("fast", 1), ("slow", 0.5), ("start", 1), ("2*fast", 2), ("-60 rpm", -1),
                                          ("{constant: {value: 60 rpm}}", 1), ("{sum: [slow, 30 rpm]}", 1), ("360 deg/s", 1)])
def test_a_rate_in_rpm(rate, factor):
    write("rotor.yaml", ROTOR.replace("RATE", rate))
    run("rotor.yaml", "rotor.h5")
    # 1.3e-3 at most: rates of angles have an error of the second order in the step
    assert abs(column("rotor.h5", "shaft/rate")[-1] / (factor * 2 * math.pi) - 1) < 4e-3


@pytest.mark.parametrize("rate, message", [("60 Hz", "'60 Hz' is not a number in rad s-1 or m s-1"), ("3 kN", "'3 kN' is not a number in rad s-1 or m s-1"),
                                           ("3 rpx", "there is no unit 'rpx'")])
def test_a_rate_in_a_wrong_unit_is_told(rate, message):
    said = limber("check", write("rotor.yaml", ROTOR.replace("RATE", rate)))
    assert said.code == 2 and message in said.err, said.err


def test_a_load_of_a_formula_of_probes_needs_no_control():
    text = ROTOR.replace("[drive: {joint: shaft, rate: RATE}]", '[torque: {joint: shaft, amplitude: "3 - 2*shaft.rate"}]')
    write("formula.yaml", text)
    run("formula.yaml", "formula.h5", *settings("run.end=8 s", "run.step=1 ms"))
    assert abs(column("formula.h5", "shaft/rate")[-1] - 1.5) < 1e-5


def test_an_amplitude_with_a_unit_is_told_what_to_write():
    text = HEAD + TAIL.replace("amplitude: motor}", "amplitude: 3 mN}")
    said = limber("check", write("d.yaml", text.replace("  - {name: force, formula: motor, unit: N}\n", "")))
    assert "'3 mN': a pure number or a function is expected here; write 0.003, which is 3 mN in SI units" in said.err
