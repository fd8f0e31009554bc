# SPDX-License-Identifier: Apache-2.0
"""FMUs for model exchange in control blocks, whose states Limber integrates: a small one that is built here, of versions 2.0 and 3.0."""
import subprocess
import zipfile

import numpy as np
import pytest

from support import column, columns_of, limber, needs, run, same_results, settings, source, times, write
from test_bonds import MODEL as BOND, exact
from test_fmu_block import BOTH, PLATFORM, model


def description(version, saves=True, kind="ModelExchange", tolerance=None):
    """modelDescription.xml of tests/fmu/exchange/model.c."""
    state = "state" if version == 2 else "State"
    flags = f'modelIdentifier="model" canGetAndSetFMU{state}="{str(saves).lower()}" canSerializeFMU{state}="{str(saves).lower()}"'
    experiment = f'<DefaultExperiment tolerance="{tolerance}"/>' if tolerance else ""
    names = [("u", 1, "input", "continuous", 'start="0"'), ("l", 2, "output", "continuous", ""), ("x", 3, "output", "continuous", 'start="1"'),
             ("v", 4, "output", "continuous", ""), ("h", 5, "output", "continuous", ""), ("w", 6, "output", "continuous", ""),
             ("relay", 7, "output", "discrete", ""), ("count", 8, "output", "discrete", ""), ("T", 9, "parameter", "fixed", 'start="0.1"'),
             ("k", 10, "parameter", "fixed", 'start="900"'), ("fault", 11, "parameter", "fixed", 'start="0"'), ("n", 12, "input", "discrete", 'start="0"'),
             ("square", 13, "output", "discrete", ""), ("flow", 15, "input", "continuous", 'start="0"'), ("effort", 16, "output", "continuous", ""),
             ("c", 17, "parameter", "fixed", 'start="0"'), ("s", 18, "output", "continuous", "")]
    initial = {"x": ' initial="exact"'}
    whole = {"relay", "count", "fault", "n", "square"}
    if version == 2:
        variables = "".join(f'<ScalarVariable name="{n}" valueReference="{r}" causality="{c}" variability="{v}"{initial.get(n, "")}>'
                            f'<{"Integer" if n in whole else "Real"} {s}/></ScalarVariable>' for n, r, c, v, s in names)
        head = 'fmiVersion="2.0" modelName="model" guid="{model}" numberOfEventIndicators="3"'
        structure = "<Derivatives>" + "".join(f'<Unknown index="{i}"/>' for i in range(2, 9)) + "</Derivatives>"
    else:
        variables = "".join(f'<{"Int32" if n in whole else "Float64"} name="{n}" valueReference="{r}" causality="{c}" variability="{v}" {s}{initial.get(n, "")}/>'
                            for n, r, c, v, s in names)
        head, structure = 'fmiVersion="3.0" modelName="model" instantiationToken="{model}"', ""
    return (f'<?xml version="1.0"?><fmiModelDescription {head}><{kind} {flags}/>{experiment}<ModelVariables>{variables}</ModelVariables>'
            f"<ModelStructure>{structure}</ModelStructure></fmiModelDescription>")


@pytest.fixture(scope="module", autouse=True)
def binaries(folder):
    needs("cc")
    compile_models()


def compile_models():
    for version in (2, 3):
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", f"-DFMI={version}", "-I", source / "src", "-o", f"model{version}.so",
                        source / "tests/fmu/exchange/model.c", "-lm"], check=True)


def pack(version, name="model.fmu", **options):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("modelDescription.xml", description(version, **options))
        z.write(f"model{version}.so", f"binaries/{PLATFORM[version]}/model.so")


def block(outputs, inputs="", parameters="", more="", name="m.yaml", before="", **options):
    """The mass on its slide, and the FMU: its outputs are the columns y1, y2, ..."""
    signals = [f"motor.{i + 1}" for i in range(len(outputs))] if len(outputs) > 1 else ["motor"]
    return model(f"{before}  motor: {{fmu: {{file: model.fmu, inputs: {{{inputs}}}, outputs: [{', '.join(outputs)}], parameters: {{{parameters}}}{more}}}}}\n",
                 name, probes="".join(f"  - {{name: y{i + 1}, formula: {s}}}\n" for i, s in enumerate(signals)), amplitude=signals[0], **options)


def go(*changes, to="m.h5", ranks=1):
    run("m.yaml", to, "--allow-library", *settings(*changes), ranks=ranks)
    return times(to)


def y(i, file="m.h5"):
    return column(file, f"y{i}/value")


# ---- what it computes ----

@BOTH
def test_states_follow_the_closed_forms(version, measured):
    """A lag of an input in straight lines, an oscillator; whatever the step of the run."""
    pack(version)
    block(["l", "x", "v"], "u: 3*t")
    for step in ("1 ms", "20 ms"):
        t = go("run.end=0.5", f"run.step={step}")
        lag, swing = 3 * (t - 0.1 + 0.1 * np.exp(-10 * t)), np.cos(30 * t)
        error = abs(y(1) - lag).max(), abs(y(2) - swing).max(), abs(y(3) + 30 * np.sin(30 * t)).max() / 30
        measured("%s: lag %.1e, x %.1e, v %.1e" % (step, *error))
        assert error[0] < 1e-6 and error[1] < 4e-6 and error[2] < 4e-6


@BOTH
def test_the_tolerance_sets_the_error(version, measured):
    """That of the file comes before that of the FMU."""
    errors = []
    for inside, field in ((1e-3, ""), (1e-3, ", tolerance: 1e-8"), (1e-11, "")):
        pack(version, tolerance=inside)
        block(["x"], more=field)
        t = go("run.end=2", "run.step=50 ms", "run.iterations=20")
        errors.append(abs(y(1) - np.cos(30 * t)).max())
    measured(f"{errors}")
    assert errors[0] > 20 * errors[1] > 400 * errors[2] and errors[2] < 1e-8


def bounces(t, factor=0.8, g=9.81):
    """Height of a ball that falls from 1 m, in closed form."""
    h, start, v = np.empty_like(t), -np.sqrt(2 / g), np.sqrt(2 * g)
    for i, time in enumerate(t):
        while time > start + 2 * v / g:
            start, v = start + 2 * v / g, factor * v
        h[i] = v * (time - start) - g / 2 * (time - start)**2
    return h


@BOTH
def test_a_ball_bounces_at_the_instant(version, measured):
    pack(version)
    block(["h"])
    t = go("run.end=2", "run.step=10 ms")
    error = abs(y(1) - bounces(t)).max()
    measured(f"{error:.1e}")
    assert error < 1e-10  # m; measured 2e-12: 5 bounces


@BOTH
def test_a_relay_switches_between_its_thresholds(version, measured):
    """The lag of a ramp up and down: it is above 0.6 from 0.4 s to ... by the closed form."""
    pack(version)
    block(["relay", "l"], "u: u", before="  u: 2*min(t, 1 - t)\n")
    t = go("run.end=1", "run.step=1 ms")
    lag, on, state = y(2), y(1), 0
    for value, seen in zip(lag, on):
        state = (value > 0.4) if state else (value > 0.6)
        assert seen == state or min(abs(value - 0.4), abs(value - 0.6)) < 1e-9
    assert 0 < on.sum() < len(on)


@BOTH
@pytest.mark.parametrize("step", ["20 ms", "30 ms"])
def test_events_of_time_are_met(version, step):
    pack(version)
    block(["count", "x"])
    t = go("run.end=0.9", f"run.step={step}")
    assert (y(1) == np.floor(10 * t + 1e-9)).all()


@BOTH
def test_discrete_inputs_jump_at_the_end_of_a_step(version):
    """The FMU refuses them outside of an event."""
    pack(version)
    block(["square"], "n: 3*(t > 0.0105) + 1*(t > 0.0205)")
    t = go("run.end=30 ms")
    assert (y(1) == np.select([t > 0.0205, t > 0.0105], [16, 9], 0)).all()


# ---- what it answers ----

FAULTS = [(1, "s the derivative of its state 3 of 7 is no finite number, although all calls returned OK"),
          (3, 'returned "discard": there is no solution'), (4, "returned an error at t = 0.1"), (5, "returned a fatal error at t = 0.1"),
          (6, "it ends the simulation at t = 0."), (7, "it has more than 10000 events between t = "), (8, "its discrete states do not settle at t = 0."),
          (10, "its output 'x' is no finite number at t = 0.")]


@BOTH
@pytest.mark.parametrize("fault, words", FAULTS)
def test_every_failure_is_named(version, fault, words):
    pack(version)
    block(["x"], parameters=f"fault: {fault}")
    said = limber("run", "m.yaml", "-q", "--force", "-o", "no.h5", "--allow-library")
    assert said.code == 1 and "control block 'motor', whose FMU failed: " in said.err and words in said.err, said.err


@BOTH
def test_a_step_that_is_discarded_is_repeated_shorter(version):
    """From 0.1 s on the FMU discards times more than 1 ms beyond the last step of the solver."""
    pack(version)
    block(["x"], parameters="fault: 9")
    t = go("run.end=0.3", "run.step=20 ms")
    assert abs(y(1) - np.cos(30 * t)).max() < 4e-6


@BOTH
def test_warnings_are_told_and_counted(version):
    pack(version)
    block(["x"], parameters="fault: 2")
    said = run("m.yaml", "m.h5", "--allow-library")
    assert "warning: control block 'motor': fmi" in said.err and "the oil is warm" in said.err and "calls returned a warning" in said.err


@BOTH
def test_states_that_are_too_fast_are_named(version):
    pack(version)
    block(["l"], "u: 1", parameters="T: 1e-12")
    said = limber("run", "m.yaml", "-q", "--force", "-o", "no.h5", "--allow-library")
    assert said.code == 1 and "too fast for an explicit method" in said.err, said.err


@BOTH
def test_mistakes_are_shown_in_the_file(version):
    for more, words in ((", interface: co_simulation", "'model.fmu' is not made for co-simulation"), (", tolerance: 0", "'tolerance' must be between 0 and 1"),
                        (", interface: model", "did you mean 'model_exchange'?")):
        pack(version)
        block(["x"], more=more)
        said = limber("check", "m.yaml")
        assert said.code == 2 and said.err.startswith("m.yaml:12:") and words in said.err, said.err
    pack(version, kind="CoSimulation")
    block(["x"], more=", tolerance: 1e-3")
    said = limber("check", "m.yaml")
    assert said.code == 2 and "'tolerance' is for model exchange" in said.err
    pack(version, kind="ScheduledExecution")
    block(["x"])
    said = limber("check", "m.yaml")
    assert said.code == 2 and "not made for co-simulation, nor for model exchange" in said.err


# ---- bonds ----

@BOTH
@pytest.mark.parametrize("scheme", ["preserving", "decaying"])
def test_a_bond_sets_it_back_and_repeats_the_step(scheme, version, measured):
    """The spring and the mass of test_bonds.py. The FMU is set back with its states, its clock and the step of the solver."""
    pack(version)
    write("m.yaml", BOND.replace("bond.fmu", "model.fmu").replace("[effort, given, x]", "[effort, x, v, s]").replace("spring.2", "spring.4")
          .replace("formula: spring.3", "formula: spring.2").replace("x: 0}", "x: 0, k: 23}, tolerance: 1e-10").replace("{k: 23, c", "{c"))
    error = []
    for h in (0.004, 0.002, 0.001):
        go(f"run.scheme={scheme}", f"run.step={h}", "run.end=0.4", "ports.1.tolerance=1e-9 J")
        error.append(abs(np.array([column("m.h5", "rail/slide")[-1], column("m.h5", "x/value")[-1]]) - exact(0.4)).max())
        assert abs(columns_of("m.h5")["ledger/exchange"]).max() < 1e-9
    measured(f"{error}")
    assert 1.8 < np.log2(error[0] / error[2]) / 2 < 2.2


# ---- ranks and checkpoints ----

ALL = dict(outputs=["h", "l", "x", "relay", "count", "square"], inputs="u: 2*sin(8*t), n: 7*t")


@BOTH
@pytest.mark.parametrize("ranks", [1, 2])
def test_a_resumed_run_has_the_same_bits(version, ranks):
    pack(version)
    block(**ALL)
    go("run.end=0.8", to="whole.h5", ranks=ranks)
    go("run.end=0.497", to="part.h5", ranks=ranks)
    said = limber("resume", "part.h5", "-q", "--end", "0.8 s", "--allow-library", ranks=ranks)
    assert said.code == 0, said.err
    assert same_results("whole.h5", "part.h5") == "same"


@BOTH
def test_two_ranks_give_the_same(version):
    pack(version)
    block(**ALL)
    go("run.end=0.3", to="one.h5")
    go("run.end=0.3", to="two.h5", ranks=2)
    assert same_results("one.h5", "two.h5", 1e-9) == "same"


@BOTH
def test_without_its_state_a_run_is_not_resumed(version):
    pack(version, saves=False)
    block(["x"])
    go("run.end=0.1", to="part.h5")
    said = limber("resume", "part.h5", "-q", "--end", "0.5", "--allow-library")
    assert said.code != 0 and "cannot serialise its state" in said.err


def test_the_description_of_the_page_is_that_of_the_tests():
    assert (source / "tests/fmu/exchange/modelDescription.xml").read_text() == description(2) + "\n"
