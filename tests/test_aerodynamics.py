# SPDX-License-Identifier: Apache-2.0
"""Loads of the air on blades: the part `aerodynamics` with an own small library that has the functions of AeroDyn and closed answers."""
import math
import os
import subprocess

import numpy as np
import pytest

from support import h5, limber, models, python, run, same_results, times, write

AIR = ["--allow-library"]
# a beam of 2 elements along z, in a wind along x of 10 m/s: 3 points, c = 0.5 kg/m * 10 m/s = 5 N s/m each
MASS, DAMPER, WIND = 10 + 160.0, 15.0, 10.0
MODEL = """limber: 1
nodes: {{hub: [0, 0, 0], root: [0, 0, 1]}}
materials:
  stuff: {{E: 1e15, G: 4e14, density: 1000}}
sections:
  blade: {{material: stuff, rectangle: [0.2, 0.2]}}
elements:
  - rigid_body: {{node: hub, mass: 10, inertia: [1, 1, 1]}}
  - beam: {{name: blade, from: root, end: [0, 0, 5], section: blade, elements: 2, order: 1, damping: 1 s}}
joints:
  - weld: {{nodes: [hub, root]}}
  - {joint}
aerodynamics:
  - aerodyn: {{name: air, library: {library}, aerodyn: {file}, inflow: wind.dat, hub: hub, blades: [blade]{more}}}
probes:
  - {{node: hub}}
run: {{scheme: {scheme}, step: {step}, end: {end}}}
"""
SLIDE = "prismatic: {name: slide, nodes: [ground, hub], axis: [1, 0, 0]}"


def build(name="air.so", *words):
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", *words, "-o", name, models / "aerodynamics/air.c", "-lm"], check=True)


def air(name="air.dat", slope=0.5, moment=0, lag=0, fault="none", when=0):
    return write(name, f"{slope} slope\n{moment} moment\n{lag} lag\n{fault} fault\n{when} when\n")


@pytest.fixture(scope="module", autouse=True)
def library():
    build()
    air()
    write("wind.dat", f"{WIND} speed\n")


def model(name="m.yaml", joint=SLIDE, library="air.so", file="air.dat", more="", scheme="preserving", step="10 ms", end="1 s", change=lambda text: text):
    return write(name, change(MODEL.format(joint=joint, library=library, file=file, more=more and ", " + more, scheme=scheme, step=step, end=end)))


def column(path, name):
    """A column of the ledger or of a probe."""
    with h5(path) as f:
        return f["history/" + (name if name.split("/")[0] in ("ledger", "steps") else "probes/" + name)][()]


def refused(path):
    said = limber("run", path, *AIR, "-o", "refused.h5", "--force")
    assert said.code == 2
    return said.err


def discrete(h, steps, hold, every=1):
    """The mass with a damper against the wind, whose force is held: v of the ends of steps."""
    v, force, last, held = [0.0], DAMPER * WIND, DAMPER * WIND, DAMPER * WIND
    for k in range(1, steps + 1):
        v.append(v[-1] + h * held / MASS)
        if k % every == 0:
            last, force = force, DAMPER * (WIND - v[-1])
            held = 1.5 * force - 0.5 * last if hold == "extrapolated" else force
    return np.array(v)


# ---- the coupling ----
@pytest.mark.parametrize("hold", ["extrapolated", "constant"])
@pytest.mark.parametrize("every", [1, 4])
def test_a_mass_in_the_wind_is_the_exact_discrete_solution(hold, every, measured):
    run(model(more=f"hold: {hold}, step: {10 * every} ms"), "m.h5", *AIR)
    v = discrete(0.01, 100, hold, every)
    got = column("m.h5", "hub/velocity")[:, 0]
    measured("%.1e m/s" % abs(got - v).max())
    assert abs(got - v).max() < 2e-7  # measured: 3e-8, of 0.84 m/s: single precision of the loads


def test_the_work_of_the_wind_is_in_the_ledger(measured):
    run(model(), "m.h5", *AIR)
    v, wind = column("m.h5", "hub/velocity")[:, 0], column("m.h5", "ledger/wind")
    assert abs(wind - 0.5 * MASS * v**2).max() < 1e-8 * wind[-1]  # measured: 1.6e-9, of the blade that bends a little
    assert abs(column("m.h5", "ledger/load_work").sum(axis=1) - wind).max() < 1e-12 * wind[-1]
    assert (column("m.h5", "ledger/work") == wind).all()
    power = column("m.h5", "ledger/wind_power")
    assert abs(power - DAMPER * (WIND - v) * v).max() < 3e-7 * power.max()
    error = abs(column("m.h5", "ledger/residual")).max() / wind[-1]
    measured("balance %.1e of the work" % error)
    assert error < 1e-12  # measured: 2e-15
    assert abs(column("m.h5", "ledger/aerodynamic_damping")).max() < 1e-9 * wind[-1]  # the blade does not move against the hub


def test_work_on_a_blade_that_bends_is_work_of_deformation(measured):
    run(model(joint="weld: {nodes: [ground, hub]}", change=lambda text: text.replace("1e15", "1e9").replace("4e14", "4e8")), "m.h5", *AIR)
    wind, bent = column("m.h5", "ledger/wind"), column("m.h5", "ledger/aerodynamic_damping")
    measured("%.1e of the work" % (abs(bent + wind).max() / abs(wind).max()))
    assert abs(bent + wind).max() < 1e-6 * abs(wind).max()
    assert wind[-1] > 0


def test_moments_act_too():
    air("moment.dat", slope=0, moment=2)
    run(model(file="moment.dat", joint="revolute: {name: hinge, nodes: [ground, hub], axis: [0, 0, 1]}",
              change=lambda text: text.replace("  - {node: hub}", "  - {node: hub}\n  - {joint: hinge, name: hinge}")), "m.h5", *AIR)
    angle = column("m.h5", "hinge/angle")
    assert angle[-1] > 0.01
    assert column("m.h5", "ledger/wind") == pytest.approx(3 * 2 * angle, rel=1e-4, abs=1e-9)  # measured: 3.5e-5, of steps of 0.03 rad: (0.03)^2/24


def test_repeated_steps_are_of_second_order(measured):
    """The force lags behind the motion, so that the library has states, and a repeated step must begin at the same ones."""
    air("lag.dat", lag=0.2)
    # m v' = f, lag f' = c (w - v) - f, f(0) = c w
    a = np.array([[0, 1 / MASS], [-DAMPER / 0.2, -1 / 0.2]])
    values, vectors = np.linalg.eig(a)
    start = np.array([-WIND, DAMPER * WIND])  # of v - w and f
    exact = WIND + (vectors @ (np.exp(values * 1.0) * np.linalg.solve(vectors, start))).real[0]
    error = []
    for h in (100, 50, 25):
        run(model(file="lag.dat", step=f"{h} ms", more="iterations: 1"), "m.h5", *AIR)
        error.append(abs(column("m.h5", "hub/velocity")[-1, 0] - exact))
    measured("errors %.1e, %.1e, %.1e m/s" % tuple(error))
    assert max(error) < 1e-3
    assert math.log2(error[0] / error[2]) > 3.6  # of two halvings
    wind = column("m.h5", "ledger/wind")[-1]
    assert wind == pytest.approx(0.5 * MASS * column("m.h5", "hub/velocity")[-1, 0]**2, rel=1e-8)  # measured: 6e-10


def test_repeated_steps_of_a_damper_are_better(measured):
    exact = WIND * (1 - math.exp(-DAMPER / MASS))
    error = {}
    for n in (0, 1, 2):
        run(model(step="50 ms", more=f"iterations: {n}, hold: constant"), "m.h5", *AIR)
        error[n] = abs(column("m.h5", "hub/velocity")[-1, 0] - exact)
    measured("%s" % error)
    assert error[1] < 0.02 * error[0] and error[2] < 0.02 * error[0]


def test_a_divided_step_keeps_the_loads():
    """Newton's method may use 2 iterations: it divides steps, and the library, which checks its times, gets whole ones."""
    hinge = "revolute: {name: hinge, nodes: [ground, hub], axis: [0, 1, 0]}"
    change = lambda text: text.replace("step: 100 ms", "step: 100 ms, iterations: 2")
    run(model(joint=hinge, step="100 ms", change=change, end="2 s"), "m.h5", *AIR)
    assert column("m.h5", "steps/rejected").sum() > 0
    assert column("m.h5", "ledger/wind")[-1] > 1


@pytest.mark.parametrize("ranks", [2])
def test_ranks_agree(ranks):
    path = model(joint="revolute: {name: hinge, nodes: [ground, hub], axis: [0, 1, 0]}", more="iterations: 1")
    run(path, "one.h5", *AIR)
    run(path, "two.h5", *AIR, ranks=ranks)
    for name in ("hub/position", "hub/velocity"):
        assert abs(column("one.h5", name) - column("two.h5", name)).max() < 1e-9


def test_the_same_run_is_the_same_bit_for_bit():
    path = model(joint="revolute: {name: hinge, nodes: [ground, hub], axis: [0, 1, 0]}", more="iterations: 1")
    run(path, "one.h5", *AIR)
    run(path, "again.h5", *AIR)
    same_results("one.h5", "again.h5")


# ---- what goes wrong, each by its name ----
def test_a_library_needs_permission():
    said = limber("run", model(), "-o", "no.h5").err
    assert "aerodynamics 'air' needs the option --allow-library" in said and "air.so" in said
    assert ".yaml:" in said and "aerodynamics 'air'" in said.split(".yaml:", 1)[1], said  # where it is


def test_the_polar_grid_is_refused():
    """BEM_Mod 2 of AeroDyn's file, which the C interface computes with wrong forces; 1 is accepted."""
    for value in (1, 2):
        with open(air("polar.dat"), "a") as f:
            f.write(f"{value} BEM_Mod - BEM model\n")
        said = limber("run", model(file="polar.dat"), *AIR, "-q", "-o", "polar.h5", "--force")
        assert (said.code == 0) == (value == 1)
    assert "line 6 of 'polar.dat': BEM_Mod 2 gives wrong forces" in said.err


@pytest.mark.parametrize("fault, words", [
    ("Init", "aerodynamics 'air': ADI_C_Init: AD_Init: cannot read [31mthis [0m file (status 4)"),
])
def test_a_failed_start_is_named(fault, words):
    air("fault.dat", fault=fault)
    assert words in refused(model(file="fault.dat"))


@pytest.mark.parametrize("fault, words", [
    ("CalcOutput", "ADI_C_CalcOutput: the test wants it so (status 4)"),
    ("UpdateStates", "ADI_C_UpdateStates: the times of a step do not follow (status 4)"),
    ("nan", "its library gives a moment that is no finite number, at point 3 of blade 'blade'"),
])
@pytest.mark.parametrize("ranks", [1, 2])
def test_a_failed_step_is_named(fault, words, ranks):
    air("fault.dat", fault=fault, when=0.5)
    said = limber("run", model(file="fault.dat"), *AIR, "-q", "-o", "fault.h5", "--force", ranks=ranks)
    assert said.code == 1
    assert "aerodynamics 'air': " + words in said.err and "0.5 s" in said.err
    assert len(times("fault.h5")) == 50  # the rows before it


def test_a_warning_of_the_library_is_no_failure():
    air("warning.dat", fault="warning")
    run(model(file="warning.dat"), "m.h5", *AIR)


def test_a_library_without_a_function_is_named():
    build("old.so", "-DADI_C_UpdateStates=ADI_C_Other")
    assert "its library has no function ADI_C_UpdateStates, which that of OpenFAST 5 has" in refused(model(library="old.so"))


@pytest.mark.parametrize("change, words", [
    ({"library": "none.so"}, "cannot load its library"),
    ({"library": "wind.dat"}, "cannot load its library"),
    ({"library": "pipe.so"}, "cannot load its library: it is not a regular file"),
    ({"file": "none.dat"}, "there is no file 'none.dat'"),
    ({"file": "."}, "'.' is not a regular file"),
    ({"file": "a" * 1100}, "has more than 1024 characters"),
    ({"scheme": "generalized_alpha", "more": "iterations: 1"}, ""),
])
def test_what_cannot_start_says_why(change, words):
    if not os.path.exists("pipe.so"):
        os.mkfifo("pipe.so")
    if not words:  # a scheme that has no objection
        run(model(**change), "m.h5", *AIR)
        return
    assert words in refused(model(**change))


@pytest.mark.parametrize("change, words", [
    ({"more": "step: 15 ms"}, "`step` must be a whole multiple of `step` of `run`"),
    ({"more": "step: 20 ms, iterations: 1"}, "`iterations` repeat whole steps of AeroDyn: leave out `step`"),
    ({"more": "iterations: 11"}, "must be from 0 to 10"),
    ({"more": "density: 0"}, "must be positive"),
    ({"more": "axis: [0, 0, 0]"}, "must not be zero"),
    ({"more": "axis: [0, 0, 1]"}, "begins on the axis of the rotor"),
    ({"more": "hold: sometimes"}, "extrapolated"),
    ({"change": lambda t: t.replace("blades: [blade]", "blades: [blade, blade]")}, "it is given twice"),
    ({"change": lambda t: t.replace("blades: [blade]", "blades: [rigid_body#1]")}, "it is no beam"),
    ({"change": lambda t: t.replace("blades: [blade]", "blades: []")}, "blades"),
    ({"change": lambda t: t.replace("from: root", "from: hub")}, "begins at the hub"),
    ({"change": lambda t: t.replace("probes:", "  - aerodyn: {library: air.so, aerodyn: a, inflow: b, hub: hub, blades: [blade]}\nprobes:")},
     "one set of turbines per process"),
    ({"change": lambda t: t.replace("end: 1 s", "end: 1 s, control: {loss: 1}").replace("preserving", "decaying")}, "AeroDyn needs equal steps"),
    ({"more": "iterations: 1", "change": lambda t: t.replace("probes:", "events:\n  - time: {at: 0.5, do: [lock: slide]}\nprobes:")},
     "cannot repeat steps of a model with events or ports"),
])
def test_a_mistake_is_told_where_it_stands(change, words):
    said = limber("check", model("wrong.yaml", **change))
    assert said.code == 2
    assert words in said.err and "wrong.yaml:" in said.err


def test_a_run_cannot_be_resumed():
    run(model(end="0.5 s"), "m.h5", *AIR)
    said = limber("resume", "m.h5", "--end", "1 s", *AIR)
    assert said.code == 2
    said = said.err
    assert "AeroDyn's library cannot save its states; run the model again from the start" in said


# ---- from Python, and many runs in a process ----
PYTHON = """
import limber
m = limber.Model("m.yaml", allow_library=True)
run = m.start()
run.step()
print(run.ledger.wind > 0, run.ledger.wind_power > 0)
saved = run.save()
try:
    run.restore(saved)
except limber.Error as error:
    print("cannot save its states" in str(error))
try:
    limber.Model("m.yaml", allow_library=True).start()
except limber.Error as error:
    print("one set of turbines per process" in str(error))
"""


def test_python_has_it():
    model()
    done = python(PYTHON)
    assert done.split()[:4] == ["True"] * 4, done


def test_a_study_has_one_rotor_after_the_other():
    model("air.yaml", change=lambda text: text.replace("mass: 10", "mass: hub").replace("\nnodes:", "\nlet: {hub: 10}\nnodes:"))
    write("plan.yaml", "limber: 1\nstudy: {model: air.yaml, vary: {let.hub: [10, 20, 30]}, summary: [{channel: hub.velocity.x}]}\n")
    said = limber("study", "plan.yaml", *AIR, "-q", "-o", "plan.h5", "--workers", "1")
    assert said.code == 0, said.err
    with h5("plan.h5") as f:
        found = []
        f.visititems(lambda name, item: found.append(name))
    assert found
