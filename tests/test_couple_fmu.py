# SPDX-License-Identifier: Apache-2.0
"""FMUs as participants of coupled runs, without a model file of their own."""
import os
import pathlib
import subprocess
import zipfile

import h5py
import numpy as np
import pytest

from support import limber, needs, source, write

ROTOR = """limber: 1
nodes: {disc: [0, 0, 0]}
elements:
  - rigid_body: {node: disc, mass: 3, inertia: [1, 1.5, 1]}
joints:
  - revolute: {name: shaft, nodes: [ground, disc], axis: [0, 1, 0], angle: {stiffness: 8, initial_rate: 2}}
functions: {brake: {signal: {value: 0}}}
control: {hold: -0.1*brake}
loads:
  - joint_force: {name: brake, joint: shaft, amplitude: hold}
probes:
  - {name: hinge, joint: shaft}
run: {step: 1 ms, end: 1 s}
"""
SYSTEM = """limber: 1
participants:
  rotor: rotor.yaml
  valve: {fmu: units/valve.fmu, parameters: {k: 2}, outputs: [x]}
connections:
  - signal: {from: rotor.hinge.rate, to: valve.u}
  - signal: {from: valve.y, to: rotor.brake}
run: {step: 10 ms, end: 2 s}
"""
# The same with a model that has the FMU in a control block.
UNIT = """limber: 1
functions: {u: {signal: {value: 0}}}
control:
  valve: {fmu: {file: units/valve.fmu, inputs: {u: u}, outputs: [x, y], parameters: {k: 2}}}
probes:
  - {name: x, formula: valve.1}
  - {name: y, formula: valve.2}
run: {step: 1 ms, end: 1 s}
"""


@pytest.fixture(scope="module", autouse=True)
def valve(folder):
    needs("cc")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-DFMI=2", "-I", source / "src", "-o", "block.so", source / "tests/fmu/blocks/block.c", "-lm"],
                   check=True)
    pathlib.Path("units").mkdir()
    with zipfile.ZipFile("units/valve.fmu", "w") as z:
        z.write(source / "tests/fmu/blocks/modelDescription.xml", "modelDescription.xml")
        z.write("block.so", "binaries/linux64/block.so")
    write("rotor.yaml", ROTOR)
    write("system.yaml", SYSTEM)
    write("unit.yaml", UNIT)
    write("with_unit.yaml", SYSTEM.replace("{fmu: units/valve.fmu, parameters: {k: 2}, outputs: [x]}", "unit.yaml"))


def couple(*words):
    said = limber("couple", *words, "-q", "--force", "--allow-library")
    assert said.code == 0, said.err


def columns(path):
    out = {}
    with h5py.File(path) as f:
        f["history"].visititems(lambda name, x: out.__setitem__(name, x[()]) if isinstance(x, h5py.Dataset) else None)
    return out


def test_it_gives_the_bits_of_a_model_with_the_fmu_in_a_control_block():
    couple("system.yaml")
    couple("with_unit.yaml")
    a, b = columns("system.h5"), columns("with_unit.h5")
    assert a.keys() == b.keys() and all(np.array_equal(a[k], b[k]) for k in a)
    assert np.ptp(a["valve.y/value"]) > 0 and np.ptp(a["valve.x/value"]) > 0


def test_its_state_is_in_the_checkpoints():
    couple("system.yaml", "-o", "whole.h5")
    couple("system.yaml", "-o", "half.h5", "--set", "run.end=1 s")
    said = limber("couple", "system.yaml", "-q", "-o", "half.h5", "--resume", "--allow-library")
    assert said.code == 0, said.err
    a, b = columns("whole.h5"), columns("half.h5")
    assert all(np.array_equal(a[k], b[k]) for k in a)


def test_a_model_of_limber_as_an_fmu_gives_the_bits_of_the_model():
    """Names with dots, inputs and outputs of Limber's own FMUs."""
    folder = source / "examples/coupled_fmu"
    for name in ("carriage.yaml", "models.yaml", "system.yaml", "pendulum.yaml"):
        pathlib.Path("two_" + name if name == "system.yaml" else name).write_text((folder / name).read_text())
    assert limber("fmu", "pendulum.yaml", "-q").code == 0
    couple("two_system.yaml", "--set", "run.end=0.4 s")
    couple("models.yaml", "--set", "run.end=0.4 s")
    a, b = columns("two_system.h5"), columns("models.h5")
    assert np.array_equal(a["pendulum.tip_position_x/value"], b["pendulum.tip/position"][:, 0])
    assert np.array_equal(a["carriage.rail/slide"], b["carriage.rail/slide"]) and np.ptp(a["carriage.rail/slide"]) > 0.01
    with h5py.File("two_system.pendulum.h5") as f:
        assert f["history/probes/tip_velocity_x/value"].attrs["units"] == "m s-1"


def test_parameters_inputs_and_changes_of_the_command_line_reach_it():
    still = SYSTEM.replace("  - signal: {from: rotor.hinge.rate, to: valve.u}\n", "").replace("outputs: [x]", "outputs: [x], inputs: {u: 3}")
    couple(write("still.yaml", still))
    changed = columns("still.h5")["valve.y/value"][-1]
    couple("still.yaml", "--set", "participants.valve.parameters.k=4")
    assert columns("still.h5")["valve.y/value"][-1] == pytest.approx(2 * changed) and changed != 0


@pytest.mark.parametrize("old, new, message", [
    ("{fmu: units/valve.fmu,", "{fmu: units/valve.fmu, model: unit.yaml,", "a participant is a `model` or an `fmu`, not both"),
    ("fmu: units/valve.fmu, parameters: {k: 2}, outputs: [x]", "", "a participant needs a `model`, such as {model: crane.yaml}, or an `fmu`"),
    ("fmu: units/valve.fmu, parameters: {k: 2}, outputs: [x]", "model: unit.yaml, outputs: [x]", "system_2.yaml:4:38: error: 'outputs' is for an `fmu`"),
    ("valve.u}", "valve.uu}", "system_2.yaml:6:42: error: 'units/valve.fmu' has no input 'uu'; it has"),
    ("{k: 2}", "{kk: 1}", "has no parameter or start value 'kk'"),
    ("outputs: [x]", "inputs: {u: 2}", "the input 'u' has a number already, in `inputs`"),
    ("- signal: {from: valve.y, to: rotor.brake}", "- wave: {from: valve.y, to: rotor.brake}", "the FMU 'units/valve.fmu' has no wave ports"),
    ("units/valve.fmu", "rotor.yaml", "cannot use 'rotor.yaml': it is not a zip archive"),
    (", outputs: [x]}", "}\n  other: {fmu: units/valve.fmu}", "system_2.yaml:5:3: error: nothing comes from the FMU"),
])
def test_mistakes_are_reported_where_they_are(old, new, message):
    assert old in SYSTEM
    said = limber("couple", write("system_2.yaml", SYSTEM.replace(old, new)), "-q", "--allow-library")
    assert said.code == 2 and message in said.err, said.err


def test_it_needs_permission():
    said = limber("couple", "system.yaml", "-q", "-o", "no.h5")
    assert said.code == 2 and "--allow-library" in said.err and not os.path.exists("no.h5")
