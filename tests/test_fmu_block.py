# SPDX-License-Identifier: Apache-2.0
"""Control blocks that are functional mock-up units (FMUs): small ones, built here, of versions 2.0 and 3.0."""
import os
import pathlib
import platform
import signal
import stat
import struct
import subprocess
import time
import zipfile

import numpy as np
import pytest

from support import Going, column, h5, left_in, limber, models, needs, python, run, same_bytes, same_results, settings, source, times, write

MASS = (models / "control/mass.yaml").read_text()
HEAD, TAIL = MASS.split("control:\n")[0], "loads:\n" + MASS.split("loads:\n")[1]
PLATFORM = {2: "linux64", 3: platform.machine() + "-linux"}


def model(control, name="m.yaml", probes="", amplitude="motor"):
    """The mass on its slide with other blocks, of which `motor` is the force."""
    tail = TAIL.replace("amplitude: motor", f"amplitude: {amplitude}").replace("formula: motor", f"formula: {amplitude}")
    return write(name, HEAD + "control:\n" + control + tail.replace("probes:\n", "probes:\n" + probes))


# ---- the FMUs ----
UNITS = """<UnitDefinitions><Unit name="N"><BaseUnit kg="1" m="1" s="-2"/></Unit><Unit name="mm"><BaseUnit m="1" factor="0.001"/></Unit>
<Unit name="1/s2"><BaseUnit s="-2"/></Unit></UnitDefinitions>"""


def description(version, kind="CoSimulation", saves=True, units=False, identifier="block", more="", variable_step=True, bond=False):
    """modelDescription.xml of tests/fmu/blocks/block.c."""
    u, y, k = (' unit="mm"', ' unit="N"', ' unit="1/s2"') if units else ("", "", "")
    state, truth = ("state" if version == 2 else "State"), str(saves).lower()
    flags = (f'modelIdentifier="{identifier}" canGetAndSetFMU{state}="{truth}" canSerializeFMU{state}="{truth}" '
             f'canHandleVariableCommunicationStepSize="{str(variable_step).lower()}"')
    variables = [("u", 1, "input", "continuous", f'start="0"{u}', ""), ("y", 2, "output", "continuous", y, ""),
                 ("x", 3, "output", "continuous", 'start="1"', ' initial="exact"'), ("v", 4, "local", "continuous", 'start="0"', ' initial="exact"'),
                 ("k", 5, "parameter", "fixed", f'start="4"{k}', ""), ("fault", 6, "parameter", "fixed", 'start="0"', "")]
    if bond:
        variables += [("flow", 7, "input", "continuous", 'start="0"', ""), ("effort", 8, "output", "continuous", "", ""),
                      ("given", 9, "output", "continuous", "", ""), ("s", 12, "output", "continuous", "", ""), ("c", 10, "parameter", "fixed", 'start="0"', ""),
                      ("cheat", 11, "parameter", "fixed", 'start="0"', "")]
    if version == 2:
        def one(name, reference, causality, varies, start, initial):
            kind = "Integer" if name == "fault" else "Real"
            return (f'<ScalarVariable name="{name}" valueReference="{reference}" causality="{causality}" variability="{varies}"{initial}>'
                    f'<{kind} {start}/></ScalarVariable>')
        head = 'fmiVersion="2.0" modelName="block" guid="{block}"'
        structure = '<Outputs><Unknown index="2"/><Unknown index="3" dependencies=""/></Outputs>'
    else:
        def one(name, reference, causality, varies, start, initial):
            kind = "Int32" if name == "fault" else "Float64"
            return f'<{kind} name="{name}" valueReference="{reference}" causality="{causality}" variability="{varies}" {start}{initial}/>'
        head = 'fmiVersion="3.0" modelName="block" instantiationToken="{block}"'
        structure = '<Output valueReference="2"/><Output valueReference="3" dependencies=""/>'
    return (f'<?xml version="1.0"?>{more}<fmiModelDescription {head}><{kind} {flags}/>{UNITS if units else ""}<ModelVariables>'
            + "".join(one(*v) for v in variables) + f"</ModelVariables><ModelStructure>{structure}</ModelStructure></fmiModelDescription>")


@pytest.fixture(scope="module", autouse=True)
def binaries(folder):
    needs("cc")
    compile_blocks()


def compile_blocks():
    for version in (2, 3):
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", f"-DFMI={version}", "-I", source / "src", "-o", f"block{version}.so",
                        source / "tests/fmu/blocks/block.c", "-lm"], check=True)


def pack(name, version, text=None, entries=(), **options):
    """An FMU: a zip archive of the description, the binary and other entries."""
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("modelDescription.xml", text or description(version, **options))
        z.write(f"block{version}.so", f"binaries/{PLATFORM[version]}/block.so")
        for entry, content in entries:
            z.writestr(entry, content)
    return name


BOTH = pytest.mark.parametrize("version", [2, 3])


# ---- what it computes ----
@BOTH
def test_a_gain_is_exact(version):
    """The force is k times the input of the same instant, as that of the block `gain`."""
    pack("gain.fmu", version)
    model("  motor: {fmu: {file: gain.fmu, inputs: {u: ref - slide.slide}, outputs: [y], parameters: {k: 80}}}\n", "fmu.yaml")
    model("  motor: {gain: {input: ref - slide.slide, gain: 80}}\n", "gain.yaml")
    run("fmu.yaml", "fmu.h5", "--allow-library")
    run("gain.yaml", "gain.h5")
    for name in ("slide/slide", "force/value"):
        assert column("fmu.h5", name).tobytes() == column("gain.h5", name).tobytes()


@BOTH
def test_an_oscillator_moves_with_the_run(version, measured):
    """Its input is that of the end of each step. Compared with the same steps of the closed form."""
    pack("swing.fmu", version)
    model("  drive: sin(20*t)\n  motor: {fmu: {file: swing.fmu, inputs: {u: drive}, outputs: [x, v], parameters: {k: 900, x: 0.5, v: 3}}}\n",
          probes="  - {name: speed, formula: motor.2}\n", amplitude="motor.1")
    run("m.yaml", "m.h5", "--allow-library")
    t, x, v, w = times("m.h5"), [0.5], [3.0], 30.0
    for h, end in zip(np.diff(t), t[1:]):
        rest, c, s = np.sin(20 * end) / w**2, np.cos(w * h), np.sin(w * h)
        x.append(rest + (x[-1] - rest) * c + v[-1] / w * s)
        v.append(v[-1] * c - (x[-2] - rest) * w * s)
    error = abs(column("m.h5", "force/value") - x).max(), abs(column("m.h5", "speed/value") - v).max()
    measured("x %.1e, v %.1e" % error)
    assert error[0] < 1e-13 and error[1] < 1e-11  # measured: 5e-14, 1.7e-12


@BOTH
def test_a_period_is_kept(version):
    """With a period of 10 ms it is stepped by 10 ms, and its output is held."""
    pack("swing.fmu", version, variable_step=False)
    model("  motor: {fmu: {file: swing.fmu, outputs: x, parameters: {k: 900}, period: 10 ms}}\n")
    run("m.yaml", "m.h5", "--allow-library")
    got = column("m.h5", "force/value")
    assert abs(got[::10] - np.cos(30 * times("m.h5")[::10])).max() < 1e-13  # measured: 3e-15
    assert (got[:500].reshape(50, 10) == got[:500:10, None]).all()
    model("  motor: {fmu: {file: swing.fmu, outputs: x, period: 3.5 ms}}\n")
    said = limber("run", "m.yaml", "-q", "-o", "no.h5", "--allow-library")
    assert said.code == 1 and "it needs steps of equal length" in said.err and "'period'" in said.err


@BOTH
def test_an_output_without_feedthrough_closes_a_loop(version):
    """`x` depends on no input of the same instant, `y` does."""
    pack("swing.fmu", version)
    loop = "  motor: {fmu: {file: swing.fmu, inputs: {u: back}, outputs: [%s]}}\n  back: 3*motor\n"
    model(loop % "x")
    run("m.yaml", "m.h5", "--allow-library")
    model(loop % "y")
    said = limber("check", "m.yaml")
    assert said.code == 2 and "an algebraic loop of control blocks" in said.err


def test_values_are_converted_to_its_units():
    """Its input is in mm, Limber's numbers are in m."""
    pack("gain.fmu", 3, units=True)
    model("  motor: {fmu: {file: gain.fmu, inputs: {u: slide.slide + 0.002}, outputs: [y], parameters: {k: 3 s-2}}}\n")
    run("m.yaml", "m.h5", "--allow-library", *settings("run.end=1 ms"))
    assert column("m.h5", "force/value")[0] == pytest.approx(3 * 2, rel=1e-15)


# ---- permission and folders ----
def test_it_is_loaded_only_when_allowed():
    pack("gain.fmu", 3)
    model("  motor: {fmu: {file: gain.fmu, inputs: {u: 1}, outputs: [y]}}\n")
    assert limber("check", "m.yaml").code == 0  # which does not load it
    said = limber("run", "m.yaml", "-q", "-o", "no.h5")
    assert said.code == 2 and "--allow-library" in said.err and "gain.fmu" in said.err


@pytest.mark.parametrize("fault", [0, 3, 4])
def test_its_folder_goes_at_the_end(fault, tmp_path):
    pack("gain.fmu", 3, entries=[("resources/a/table.txt", "1 2 3")])
    model(f"  motor: {{fmu: {{file: gain.fmu, inputs: {{u: 1}}, outputs: [y], parameters: {{fault: {fault}}}}}}}\n")
    said = limber("run", "m.yaml", "-q", "-o", "no.h5", "--allow-library", TMPDIR=tmp_path)
    assert said.code == (1 if fault else 0) and left_in(tmp_path) == []


# ---- what it answers ----
FAULTS = [(1, "its output 'y' is no finite number at t = 0.1 s"), (3, 'DoStep returned "discard" at t = 0.099 s: the step is too long at 0.1 s'),
          (4, "DoStep returned an error at t = 0.099 s: the valve is stuck at 0.1 s"),
          (5, "DoStep returned a fatal error at t = 0.099 s: the pump has burst at 0.1 s"), (6, "it ends the simulation at t = 0.")]


@BOTH
@pytest.mark.parametrize("fault, words", FAULTS)
def test_every_failure_is_named(version, fault, words):
    pack("gain.fmu", version)
    model(f"  motor: {{fmu: {{file: gain.fmu, inputs: {{u: 1}}, outputs: [y], parameters: {{fault: {fault}}}}}}}\n")
    said = limber("run", "m.yaml", "-q", "-o", "no.h5", "--allow-library")
    assert said.code == 1 and "control block 'motor', whose FMU failed: " in said.err and words in said.err, said.err
    with h5("no.h5") as f:
        assert f.attrs["status"] == "library_failure"


@BOTH
def test_warnings_are_told_and_counted(version):
    pack("gain.fmu", version)
    model("  motor: {fmu: {file: gain.fmu, inputs: {u: 1}, outputs: [y], parameters: {fault: 2}}}\n")
    said = run("m.yaml", "m.h5", "--allow-library")
    assert f"warning: control block 'motor': fmi{version}DoStep returned a warning at t = 0.099 s: the oil is warm at 0.1 s" in said.err
    assert "401 calls returned a warning" in said.err


# ---- the model file ----
WRONG = [("inputs: {w: 1}, outputs: [y]", "has no input 'w'"), ("inputs: {x: 1}, outputs: [y]", "has no input 'x'"),
         ("inputs: {u: 1}, outputs: [speed]", "has no output 'speed'"), ("inputs: {u: 1}, outputs: [y], parameters: {fautl: 1}", "did you mean 'fault'?"),
         ("inputs: {u: 1}, outputs: [y], parameters: {k: 3 m}", "'k' of the FMU is in 1/s2, and this is in m"),
         ("inputs: {u: slide.rate}, outputs: [y]", "'slide.rate' is in m s-1, and 'u' of the FMU is in mm"),
         ("inputs: [1], outputs: [y]", "must be a map"),
         ("inputs: {u: 1}, outputs: []", "'outputs' must be a list")]


@BOTH
@pytest.mark.parametrize("fields, words", WRONG)
def test_mistakes_are_shown_in_the_file(version, fields, words):
    pack("gain.fmu", version, units=True)
    model(f"  motor: {{fmu: {{file: gain.fmu, {fields}}}}}\n")
    said = limber("check", "m.yaml")
    assert said.code == 2 and said.err.startswith("m.yaml:12:") and words in said.err, said.err


def test_the_unit_of_a_probe_is_compared():
    pack("gain.fmu", 3, units=True)
    text = "  motor: {fmu: {file: gain.fmu, inputs: {u: 1}, outputs: [y]}}\n"
    model(text, probes="  - {name: look, formula: motor, unit: kN}\n")
    assert limber("check", "m.yaml").code == 0
    model(text, probes="  - {name: look, formula: motor, unit: W}\n")
    said = limber("check", "m.yaml")
    assert said.code == 2 and "'look' is in W, and 'y' of the FMU is in N" in said.err


# ---- hostile archives ----
def refusal(path, control="  motor: {fmu: {file: bad.fmu, inputs: {u: 1}, outputs: [y]}}\n"):
    model(control)
    said = limber("check", "m.yaml")
    assert said.code == 2 and f"m.yaml:12:23: error: cannot use '{path}'" in said.err, said.err
    return said.err


@pytest.mark.parametrize("name", ["../evil", "/tmp/evil", "resources/../../evil", "resources//x", "./x", "a\\..\\b", "resources/a\nb", "x" * 501])
def test_names_that_lead_elsewhere_are_refused(name):
    pack("bad.fmu", 3, entries=[(name, "x")])
    assert "is refused: a name " in refusal("bad.fmu")


def test_links_and_devices_are_refused():
    for kind in (stat.S_IFLNK, stat.S_IFIFO, stat.S_IFBLK):
        entry = zipfile.ZipInfo("resources/link")
        entry.create_system, entry.external_attr = 3, (kind | 0o777) << 16
        pack("bad.fmu", 3, entries=[(entry, "/etc/passwd")])
        assert "it is a link or a device" in refusal("bad.fmu")


def test_equal_names_are_refused():
    with pytest.warns(UserWarning):
        pack("bad.fmu", 3, entries=[("modelDescription.xml", "<x/>")])
    assert "it has two entries 'modelDescription.xml'" in refusal("bad.fmu")


def test_folders_may_be_listed_twice():
    """As CMake's zip lists them in a Reference FMU."""
    with pytest.warns(UserWarning):
        pack("twice.fmu", 3, entries=[("resources/", ""), ("resources/", ""), ("resources/a", "x")])
    model("  motor: {fmu: {file: twice.fmu, outputs: [x]}}\n")
    run("m.yaml", "m.h5", "--allow-library", *settings("run.end=2 ms"))


def test_sizes_are_bounded():
    """Sizes of the list are looked at before memory is taken: each can be that of its bytes, and the sum is at most 1 GB."""
    for size, words in ((400 << 20, "its sizes contradict each other"), (300 << 20, "unpacked it is larger than 1024 MB")):
        pack("bad.fmu", 3, entries=[(f"resources/{i}", os.urandom(320 << 10)) for i in range(4)])
        data = bytearray(pathlib.Path("bad.fmu").read_bytes())
        for i in range(4):
            at = data.rindex(b"resources/%d" % i) - 46
            data[at + 24:at + 28] = struct.pack("<I", size)
        pathlib.Path("bad.fmu").write_bytes(data)
        assert words in refusal("bad.fmu")


@pytest.mark.parametrize("place, words", [("crc", "is damaged"), ("size", "is damaged"), ("data", "is damaged"), ("local", "contradicts the list"),
                                          ("encrypted", "it is encrypted"), ("method", "packed in a way")])
def test_damage_is_found(place, words):
    pack("bad.fmu", 3)
    data = bytearray(pathlib.Path("bad.fmu").read_bytes())
    listed, body = data.index(b"PK\1\2"), 30 + len("modelDescription.xml")
    at = {"crc": listed + 16, "size": listed + 24, "data": body + 40, "local": 32, "encrypted": listed + 8, "method": listed + 10}[place]
    data[at] ^= 1
    pathlib.Path("bad.fmu").write_bytes(data)
    assert words in refusal("bad.fmu")


def test_every_cut_is_refused():
    pack("whole.fmu", 2)
    data = pathlib.Path("whole.fmu").read_bytes()
    for size in (0, 1, 21, 22, 100, len(data) // 2, len(data) - 23, len(data) - 1):
        pathlib.Path("bad.fmu").write_bytes(data[:size])
        refusal("bad.fmu")


XML = [('<!DOCTYPE a [<!ENTITY x SYSTEM "/etc/passwd">]>', "a document type"), ("<a/>", "it begins with <a>"), ("<a", "line 1"),
       ('<fmiModelDescription fmiVersion="1.0"/>', "version 1.0 of the interface"), ('<fmiModelDescription fmiVersion="3.0"/>', "'instantiationToken' is missing"),
       ('<fmiModelDescription fmiVersion="3.0" instantiationToken="x"><CoSimulation modelIdentifier="../x"/></fmiModelDescription>', "a name of C"),
       ('<fmiModelDescription fmiVersion="2.0" guid="x">' + "<a>" * 40, "nested more than")]


@pytest.mark.parametrize("text, words", XML)
def test_descriptions_are_hostile_until_read(text, words):
    pack("bad.fmu", 3, text=text)
    assert words in refusal("bad.fmu")


def test_what_is_missing_is_named():
    pack("bad.fmu", 2, kind="ScheduledExecution")
    model("  motor: {fmu: {file: bad.fmu, inputs: {u: 1}, outputs: [y]}}\n")
    assert "m.yaml:12:23: error: 'bad.fmu' is not made for co-simulation" in limber("check", "m.yaml").err
    with zipfile.ZipFile("bad.fmu", "w") as z:
        z.writestr("binaries/win64/block.dll", "x")
    assert "it has no modelDescription.xml" in refusal("bad.fmu")
    with zipfile.ZipFile("bad.fmu", "w") as z:
        z.writestr("modelDescription.xml", description(2))
        z.writestr("binaries/win64/block.dll", "x")
    said = limber("run", "m.yaml", "-q", "-o", "no.h5", "--allow-library")
    assert said.code == 2 and "it has no binaries/linux64/block.so; it has binaries for win64" in said.err


# ---- ranks and checkpoints ----
SWING = "  motor: {fmu: {file: swing.fmu, inputs: {u: 50*slide.slide}, outputs: [x], parameters: {k: 900}}}\n"


@BOTH
def test_two_ranks_give_the_same(version):
    pack("swing.fmu", version)
    model(SWING)
    run("m.yaml", "one.h5", "--allow-library", *settings("run.end=50 ms"))
    run("m.yaml", "two.h5", "--allow-library", *settings("run.end=50 ms"), ranks=2)
    assert same_results("one.h5", "two.h5", 1e-9) == "same"
    model(SWING.replace("k: 900", "k: 900, fault: 4"))
    said = limber("run", "m.yaml", "-q", "-o", "no.h5", "--allow-library", *settings("run.step=0.1"), ranks=2)
    assert said.code == 1 and said.err.count("the valve is stuck") == 1


@BOTH
@pytest.mark.parametrize("ranks", [1, 2])
def test_a_resumed_run_has_the_same_bits(version, ranks):
    pack("swing.fmu", version)
    model(SWING)
    run("m.yaml", "whole.h5", "--allow-library", *settings("run.end=50 ms"), ranks=ranks)
    run("m.yaml", "part.h5", "--allow-library", *settings("run.end=13 ms"), ranks=ranks)
    if ranks == 1:
        assert "--allow-library" in limber("resume", "part.h5", "-q", "--end", "50 ms").err
    said = limber("resume", "part.h5", "-q", "--end", "50 ms", "--allow-library", ranks=ranks)
    assert said.code == 0, said.err
    assert same_results("whole.h5", "part.h5") == "same"


def test_a_killed_run_has_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # a process that is killed leaves its folder
    pack("swing.fmu", 3)
    model(SWING)
    run("m.yaml", "whole.h5", "--allow-library", *settings("run.end=20"))
    pathlib.Path("part.checkpoint").unlink(missing_ok=True)
    with Going("run", "m.yaml", "-q", "-o", "part.h5", "--allow-library", "--checkpoint", "0.05s", *settings("run.end=20")) as going:
        for _ in range(1000):
            if pathlib.Path("part.checkpoint").exists():
                break
            time.sleep(0.01)
        time.sleep(0.3)
        assert going.stop(signal.SIGKILL).code == 137
    os.remove("swing.fmu")  # the checkpoint has it
    said = limber("resume", "part.h5", "-q", "--allow-library")
    assert said.code == 0, said.err
    assert same_bytes("whole.h5", "part.h5")


@BOTH
def test_without_its_state_a_run_is_not_resumed(version):
    pack("swing.fmu", version, saves=False)
    model(SWING)
    run("m.yaml", "part.h5", "--allow-library", *settings("run.end=0.1"))
    said = limber("resume", "part.h5", "-q", "--end", "0.5", "--allow-library")
    assert said.code != 0 and "the state of the FMU of control block 'motor' cannot be restored: it cannot serialise its state" in said.err and "canSerializeFMU" in said.err


PENDULUM = """limber: 1
nodes: {tip: [1, 0, 0]}
elements:
  - rigid_body: {node: tip, mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  - revolute: {name: pin, nodes: [ground, tip], at: [0, 0, 0], axis: [0, 1, 0]}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
control:
  swing: {fmu: {file: swing.fmu, outputs: [x], parameters: {k: 900}}}
probes:
  - {name: look, formula: swing}
run: {step: 100 ms, end: 1 s, iterations: 1, snapshots: 0}
"""


def test_a_step_that_is_repeated_asks_it_once():
    """Steps that Newton's method cannot take are divided; the FMU is called at their ends alone, and is where they are."""
    pack("swing.fmu", 3)
    write("p.yaml", PENDULUM)
    run("p.yaml", "p.h5", "--allow-library")
    with h5("p.h5") as f:
        assert f["history/steps/rejected"][()].sum() > 100  # measured: 176 attempts in 10 steps
    assert abs(column("p.h5", "look/value") - np.cos(30 * times("p.h5"))).max() < 1e-13  # measured: 3e-15



PYTHON = """
import limber
def pulled(file):
    run = limber.Model(file, allow_library=True).start().advance(0.05)
    state = run.save()
    first = run.advance(0.1).now("slide.slide")
    run.restore(state)
    assert run.advance(0.1).now("slide.slide") == first
try:
    limber.Model("saves.yaml").start()
except limber.ModelError as error:
    assert "allow_library=True" in str(error), error
pulled("saves.yaml")
try:
    pulled("not.yaml")
except limber.Error as error:
    assert "cannot serialise its state" in str(error), error
else:
    raise AssertionError("its state was restored")
"""


def test_python_saves_and_restores_it():
    for name, saves in (("saves", True), ("not", False)):
        pack(f"{name}.fmu", 2, saves=saves)
        model(SWING.replace("swing.fmu", f"{name}.fmu"), f"{name}.yaml")
    python(PYTHON)


def test_the_description_of_the_page_is_that_of_the_tests():
    assert (source / "tests/fmu/blocks/modelDescription.xml").read_text() == description(2, bond=True) + "\n"
