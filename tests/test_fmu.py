# SPDX-License-Identifier: Apache-2.0
"""Models as FMUs: a host written in C (tests/fmu/master.c) gets the bits of `limber run`, through both versions of the standard."""
import os
import pathlib
import re
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest

from fmu_host import Fmu, build_master, same_bits
from support import environment, h5, limber, program, python, run, source, write

PUSHED = """
limber: 1
title: A pendulum <with> a "force" & a parameter
let: {mass: 500 g, length: 1 m, twice: 2*mass, turns: 3}
nodes: {pivot: [0, 0, 0]}
sections:
  rod: {E: 210 GPa, nu: 0.3, density: 7800, circle: {diameter: 6 mm}}
elements:
  - beam: {name: arm, from: pivot, end: [length, 0, 0], section: rod, elements: 3}
  - mass: {name: bob, node: arm.end, mass: mass}
joints:
  - revolute: {name: hinge, nodes: [ground, pivot], axis: [0, 1, 0], angle: {damping: 0.02}}
functions:
  pull: {signal: {value: 0.25}}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
  - force: {name: pulling, node: arm.end, direction: [0, 0, 1], amplitude: pull}
probes:
  - {name: tip, node: arm.end}
  - {name: hinge, joint: hinge}
run: {step: 4 ms, end: 0.2 s}
"""


@pytest.fixture(scope="module", autouse=True)
def master(folder):
    build_master()
    write("pushed.yaml", PUSHED)


def run_rows(model, names, *words):
    """The columns of those names in the history of `limber run`."""
    run(model, "run.h5", *words)
    columns = {}

    def visit(path, x):
        if isinstance(x, h5py.Dataset):
            part = path.removeprefix("probes/").replace("/", ".")
            for k, name in enumerate(x.attrs.get("columns", [""])):
                columns[part + ("." + name if name else "")] = x[:, k] if x.ndim == 2 else x[:]

    with h5("run.h5") as f:
        f["history"].visititems(visit)
    return np.array([columns["time"]] + [columns[n] for n in names]).T


# ---- the bits of a run ----
CASES = {"pendulum/pendulum.yaml": 40, "crane/crane.yaml": 10, "spinning_top/spinning_top.yaml": 20, "governor/governor.yaml": 10,
         "contacts/ball_drop.yaml": 20}


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("name", CASES)
def test_a_host_gets_the_bits_of_a_run(name, version):
    model, steps = source / "examples" / name, CASES[name]
    fmu = Fmu(model, version)
    step = float(fmu.root.find("DefaultExperiment").get("stepSize"))
    rows = fmu.host("start", "step", repr(step), steps, "wrong", "end")
    expected = run_rows(model, fmu.outputs(), "--set", f"run.end={steps * step:.17g}", "--set", "run.every=1")
    assert same_bits([r[1:] for r in rows], expected[:, 1:])
    assert np.allclose([r[0] for r in rows], expected[:, 0], rtol=1e-12)


@pytest.mark.parametrize("version", [2, 3])
def test_inputs_and_parameters_reach_the_model(version):
    fmu = Fmu("pushed.yaml", version)
    rows = fmu.host("set", "@let.mass", 0.75, "set", "@pull", 2, "start", "step", 0.004, 20)
    expected = run_rows("pushed.yaml", fmu.outputs(), "--set", "let.mass=750 g", "--set", "functions.pull.signal.value=2", "--set",
                        "run.end=80ms")
    assert same_bits([r[1:] for r in rows], expected[:, 1:])
    work = 1 + fmu.outputs().index("ledger.work")
    assert rows[-1][work] != fmu.host("start", "step", 0.004, 20)[-1][work]


@pytest.fixture
def german(monkeypatch):
    """A locale whose numbers have a comma."""
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", "./de_DE.UTF-8"], stderr=subprocess.DEVNULL, check=False)
    if not os.path.isdir("de_DE.UTF-8"):
        pytest.skip(f"localedef ended with {made.returncode}: install the package locales")
    monkeypatch.setenv("LOCPATH", os.getcwd())
    return "de_DE.UTF-8"


@pytest.mark.parametrize("version", [2, 3])
def test_a_host_may_write_numbers_with_a_comma(version, german):
    fmu = Fmu("pushed.yaml", version)
    rows = fmu.host("set", "@let.mass", "0.75", "start", "step", "0.004", 20)
    assert same_bits(fmu.host("locale", german, "set", "@let.mass", "0,75", "start", "step", "0,004", 20), rows)


def test_a_second_instance_and_a_reset_begin_anew():
    fmu = Fmu("pushed.yaml")
    once = fmu.host("start", "step", 0.004, 5)
    changed = ["set", "@let.mass", 2, "start", "step", 0.004, 7]
    assert same_bits(fmu.host(*changed, "reset", "start", "step", 0.004, 5)[-6:], once)
    assert same_bits(fmu.host(*changed, "end", "again", "start", "step", 0.004, 5)[-6:], once)


# ---- communication steps ----
def test_communication_steps_need_not_be_those_of_the_run():
    fmu = Fmu("pushed.yaml")
    fine = fmu.host("start", "step", 0.004, 30)
    assert same_bits(fmu.host("start", "step", 0.012, 10)[1:], [r for i, r in enumerate(fine) if i and i % 3 == 0]) is False
    columns = [i + 1 for i, n in enumerate(fmu.outputs()) if not n.startswith("steps.") and n != "ledger.residual"
               and n != "ledger.constraint"]
    coarse = fmu.host("start", "step", 0.012, 10)
    assert same_bits([[r[c] for c in columns] for r in coarse], [[r[c] for c in columns] for r in fine[::3]])
    assert fmu.err.endswith("30 updates\n")


def test_communication_steps_that_are_no_multiple_keep_second_order(measured):
    """Communication steps of 2.5 steps are divided into three equal steps."""
    residuals = []

    def tip(step, length, count):
        fmu = Fmu("pushed.yaml", 3, "--set", f"run.step={step} ms")
        rows = fmu.host("start", "step", length, count)
        assert rows[-1][0] == pytest.approx(0.1, abs=1e-12)
        residuals.append(max(abs(r[1 + fmu.outputs().index("ledger.residual")]) for r in rows))
        return rows[-1][1 + fmu.outputs().index("tip.position.z")]

    exact = tip(0.05, 0.1, 1)
    errors = [abs(tip(h, 2.5e-3 * h, round(40 / h)) - exact) for h in (4, 1, 0.25)]
    measured("errors of the tip with steps of 4, 1 and 0.25 ms: " + ", ".join(f"{e:.2g} m" for e in errors))  # 1.7e-5, 1.1e-6, 7.6e-8
    measured(f"energy balance error {max(residuals):.2g} J")
    assert errors[0] > 10 * errors[1] > 100 * errors[2] > 0
    assert max(residuals) < 1e-12


SCHEMES = {"decaying": (), "preserving": (), "preserving, order 4": ("run.scheme=preserving", "run.order=4"), "decaying_a": (),
           "generalized_alpha": (), "chosen": ("run.control={largest: 4 ms}",)}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_meets_the_times_of_a_host(scheme, measured):
    words = [w for change in SCHEMES[scheme] or (f"run.scheme={scheme}",) for w in ("--set", change)]
    write("free.yaml", PUSHED.replace(", angle: {damping: 0.02}", ""))  # which order 4 needs
    fmu = Fmu("free.yaml", 3, *words)
    rows = fmu.host("start", "step", 0.0037, 5, "step", 0.0315, 2, "step", 0.0185, 1)
    exact = Fmu("free.yaml", 3, "--set", "run.step=0.05ms").host("start", "step", 0.1, 1)[-1]
    assert rows[-1][0] == pytest.approx(0.1, abs=1e-12)
    x = 1 + fmu.outputs().index("tip.position.z")
    measured(f"error of the tip {abs(rows[-1][x] - exact[x]):.2g} m")
    assert abs(rows[-1][x] - exact[x]) < 4e-5  # at most 2.4e-5 measured


def test_a_slope_is_the_input_in_the_middle_of_each_step():
    fmu = Fmu("pushed.yaml", 2)
    ramp = fmu.host("start", "slope", "@pull", 50, "step", 0.008, 1)
    by_hand = fmu.host("set", "@pull", 0.25, "start", "set", "@pull", 0.25 + 50 * 0.002, "step", 0.004, 1, "set", "@pull",
                       0.25 + 50 * 0.006, "step", 0.004, 1)
    x = 1 + fmu.outputs().index("tip.velocity.z")
    assert ramp[-1][x] == by_hand[-1][x] != fmu.host("start", "step", 0.004, 2)[-1][x]


def test_a_step_may_end_early_after_an_event():
    model = next(p for p in sorted((source / "examples").glob("*/*.yaml")) if re.search(r"^events:", p.read_text(), re.M)
                 and "\nrun:" in p.read_text() and "/contacts/" not in str(p))
    fmu = Fmu(model)
    end = float(fmu.root.find("DefaultExperiment").get("stopTime"))
    fmu.host("early", "start", "step", end, 1)
    assert fmu.early == 1
    fmu.host("start", "step", end / 50, 2)
    assert fmu.early == 0


# ---- the state ----
@pytest.mark.parametrize("version", [2, 3])
def test_a_saved_state_gives_the_same_bits_also_in_another_process(version):
    fmu = Fmu("pushed.yaml", version)
    rows = fmu.host("start", "set", "@pull", 1, "step", 0.004, 7, "save", "write", "state.bin", "step", 0.004, 10, "set", "@pull", 3,
                    "step", 0.003, 4, "restore", "step", 0.004, 10)
    first, second = rows[8:18], rows[-10:]
    assert same_bits(first, second)
    other = fmu.host("read", "state.bin", "step", 0.004, 10)
    assert same_bits(other[0], rows[7]) and same_bits(other[1:], first)
    changed = fmu.host("set", "@let.mass", 9, "start", "step", 0.004, 2, "read", "state.bin", "step", 0.004, 10)
    assert same_bits(changed[-10:], first)  # parameters are part of the state


def test_a_state_between_steps_that_were_cut_gives_the_same_bits():
    fmu = Fmu("pushed.yaml")
    rows = fmu.host("start", "step", 0.003, 3, "save", "step", 0.0045, 6, "restore", "step", 0.0045, 6)
    assert same_bits(rows[4:10], rows[10:])


# ---- the file ----
UNITS = {"m s-1": {"m": "1", "s": "-1"}, "J": {"kg": "1", "m": "2", "s": "-2"}, "N m": {"kg": "1", "m": "2", "s": "-2"},
         "rad s-1": {"rad": "1", "s": "-1"}, "kg": {"kg": "1"}}


@pytest.mark.parametrize("version", [2, 3])
def test_the_description_lists_every_variable_once(version):
    fmu = Fmu("pushed.yaml", version)
    assert "2 parameters" not in fmu.said and "3 parameters, 1 input" in fmu.said
    assert fmu.root.get("fmiVersion") == f"{version}.0" and fmu.root.get("description") == 'A pendulum <with> a "force" & a parameter'
    references = [int(v.get("valueReference")) for v in fmu.variables.values()]
    assert references == list(range(len(references)))  # also: no name occurs twice
    real = {n: v.find("Real") if version == 2 else v for n, v in fmu.variables.items()}
    assert [n for n, v in fmu.variables.items() if v.get("causality") == "parameter"] == ["let.mass", "let.length", "let.turns"]
    assert (real["let.mass"].get("start"), real["let.mass"].get("unit"), real["let.turns"].get("unit")) == ("0.5", "kg", None)
    assert real["pull"].get("start") == "0.25"
    defined = {u.get("name"): u.find("BaseUnit").attrib for u in fmu.root.iter("Unit")}
    assert {v.get("unit") for v in real.values()} - {None} == set(defined)
    assert {n: defined[n] for n in UNITS} == UNITS
    outputs = [fmu.reference(n) for n in fmu.outputs()]
    if version == 2:
        listed = [int(u.get("index")) - 1 for u in fmu.root.find("ModelStructure/Outputs")]
    else:
        listed = [int(u.get("valueReference")) for u in fmu.root.iter("Output")]
    assert listed == outputs
    flags = fmu.root.find("CoSimulation").attrib
    assert flags["canGetAndSetFMUstate" if version == 2 else "canGetAndSetFMUState"] == "true"


def test_the_same_model_gives_the_same_bytes():
    one = Fmu("pushed.yaml").path.read_bytes()
    os.utime("pushed.yaml")
    assert Fmu("pushed.yaml").path.read_bytes() == one != Fmu("pushed.yaml", 3, "--set", "run.step=2ms").path.read_bytes()


def test_files_that_a_model_reads_are_in_the_fmu(folder):
    pathlib.Path("whole/parts").mkdir(parents=True)
    write("whole/parts/rod.yaml", "limber: 1\n" + "\n".join(line for line in PUSHED.splitlines() if "sections" in line or "rod: {E" in line))
    write("whole/main model.yaml", PUSHED.replace("sections:\n", "").replace(
        "  rod: {E: 210 GPa, nu: 0.3, density: 7800, circle: {diameter: 6 mm}}\n", "include: [parts/rod.yaml]\n"))
    fmu = Fmu("whole/main model.yaml")
    assert {"resources/model/parts/rod.yaml", "resources/model/main model.yaml"} <= set(fmu.names)
    assert any(n.endswith("/main_model.so") for n in fmu.names)
    os.rename("whole", "elsewhere")
    assert len(fmu.host("start", "step", 0.004, 3)) == 4


def refused(*words):
    said = limber("fmu", *words)
    assert said.code == 2, said.err
    return said.err


def test_a_model_that_cannot_travel_is_refused():
    pathlib.Path("inner").mkdir()
    write("inner/a.yaml", PUSHED.replace("sections:\n", "").replace(
        "  rod: {E: 210 GPa, nu: 0.3, density: 7800, circle: {diameter: 6 mm}}\n", "include: [../rod.yaml]\n"))
    write("rod.yaml", "limber: 1\nsections:\n  rod: {E: 210 GPa, nu: 0.3, density: 7800, circle: {diameter: 6 mm}}\n")
    assert "not below the folder of the model" in refused("inner/a.yaml")
    write("still.yaml", re.sub(r"run: .*", "", PUSHED))
    assert "no part `run`" in refused("still.yaml")
    assert "--fmi is 2 or 3, not '4'" in refused("pushed.yaml", "--fmi", "4")
    write("clash.yaml", PUSHED.replace("pull", "time"))
    assert "two variables of the FMU would be called 'time'" in refused("clash.yaml")


def test_no_other_file_is_overwritten():
    write("mine.fmu", "PK\3\4 of somebody else")
    assert "is not an FMU that Limber wrote" in refused("pushed.yaml", "-o", "mine.fmu")
    assert "is an input of this command" in refused("pushed.yaml", "-o", "pushed.yaml", "--force")
    os.symlink("target", "link.fmu")
    assert "cannot write 'link.fmu'" in refused("pushed.yaml", "-o", "link.fmu", "--force") and not os.path.exists("target")
    assert "no folder" in refused("pushed.yaml", "-o", "nowhere/a.fmu")
    assert open("mine.fmu").read() == "PK\3\4 of somebody else" and open("pushed.yaml").read() == PUSHED
    assert limber("fmu", "pushed.yaml", "-o", "mine.fmu", "--force").code == 0
    assert limber("fmu", "pushed.yaml", "-o", "mine.fmu").code == 0  # now it is Limber's


def test_a_killed_command_leaves_the_old_file():
    limber("fmu", "pushed.yaml", "-o", "kept.fmu")
    before, names = open("kept.fmu", "rb").read(), set(os.listdir())
    for wait in (0.02, 0.05, 0.08, 0.12, 0.16):
        going = subprocess.Popen([program, "fmu", "pushed.yaml", "-o", "kept.fmu", "-q"], env=environment())
        time.sleep(wait)
        going.send_signal(signal.SIGTERM)
        going.wait()
        assert open("kept.fmu", "rb").read() == before and set(os.listdir()) == names


def test_two_ranks_write_the_same_bytes():
    if os.environ.get("LIMBER_WITHOUT_MPI"):
        pytest.skip("Limber was built without MPI")
    limber("fmu", "pushed.yaml", "-o", "one.fmu")
    said = limber("fmu", "pushed.yaml", "-o", "two.fmu", ranks=2)
    assert said.code == 0 and open("one.fmu", "rb").read() == open("two.fmu", "rb").read()


def test_python_writes_the_same_bytes():
    limber("fmu", "pushed.yaml", "-o", "one.fmu", "--fmi", "2")
    code = ("import limber\nm = limber.Model('pushed.yaml')\nm.write_fmu('python.fmu', version=2)\n"
            "try: m.write_fmu('pushed.yaml')\nexcept limber.Error as e: print(e)\n")
    assert "is an input" in python(code)
    assert open("python.fmu", "rb").read() == open("one.fmu", "rb").read()


def test_a_host_without_limber_gets_a_message(folder):
    fmu = Fmu("pushed.yaml")
    write(fmu.folder / "resources/limber.txt", re.sub("library .*\n", "library /nowhere\n", (fmu.folder / "resources/limber.txt").read_text()))
    if "needs       a Limber" not in fmu.said:
        pytest.skip("the FMU contains Limber")
    fmu.host("start", code=1)
    assert re.search(r"this FMU needs liblimber.so.\S+ of Limber .*LD_LIBRARY_PATH", fmu.err)
