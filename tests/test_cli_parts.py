# SPDX-License-Identifier: Apache-2.0
"""Parts that are used again: names, parameters, poses, nesting, included files, ranks, resume: docs/parts.md."""
import pathlib
import subprocess

import numpy
import pytest
import yaml

from support import command, environment, h5, limber, run, settings, source, write

CAR = source / "examples/car_over_bump/car_over_bump.yaml"

ARM = """
  arm:
    parameters: {root: ground, mass: 2 kg, width: 20 mm}
    let: {half: width/2}
    nodes:
      shoulder: [0, 0, 0]
      wrist: {at: [1, 0.2, 0.1], rotate: {about: [0, 1, 0], by: 30 deg}, velocity: [0, 0.4, 0.1], angular_velocity: [0.1, 0.2, 0.3]}
      anchor: {at: [1, 0, 0.5], kind: fixed}
    sections:
      strip: {rectangle: [width, half], material: alloy}
    elements:
      - rigid_body: {node: shoulder, mass: 1, inertia: [0.1, 0.2, 0.3]}
      - rigid_body: {node: wrist, mass: mass, centre: [0.01, 0, 0.02], inertia: [0.01, 0.02, 0.03]}
      - beam: {name: link, from: shoulder, to: wrist, section: strip, elements: 2, damping: 1 ms}
      - spring: {nodes: [anchor, wrist], from: [1, 0.1, 0.5], stiffness: 200, damping: 1}
    joints:
      - revolute: {name: hinge, nodes: [root, shoulder], axis: [0.2, 1, 0], at: [0, 0.05, 0], angle: {stiffness: 5}}
    functions:
      pull: 1 + sin(5*t)
    loads:
      - force: {node: wrist, direction: [0, 0, 2], amplitude: pull}
      - line_force: {element: link, direction: [0, 1, 0]}
      - line_moment: {element: link, direction: [0.1, 0, 0], axes: section}
      - gravity: {elements: link, acceleration: [0, 0, -3]}
    probes:
      - {name: tip, node: wrist, record: [position, velocity]}
      - {name: strain, formula: tip.z/half}
"""
HEAD = "limber: 1\nmaterials: {alloy: {E: 70 GPa, nu: 0.3, density: 2700}}\n"
TAIL = "run: {scheme: preserving, step: 2 ms, end: 60 ms}\n"


@pytest.fixture(name="folder")
def path_of_folder(folder):
    return pathlib.Path(folder)


def history(path, name):
    with h5(path) as f:
        return f["history/probes/" + name][:]


def plain(folder):
    """The arm itself as a model."""
    body = yaml.safe_load(ARM)["arm"]
    model = yaml.safe_load(HEAD + TAIL)
    model["let"] = {"width": "20 mm", "half": "width/2", "mass": "2 kg"}
    model.update({k: v for k, v in body.items() if k not in ("parameters", "let")})
    model["joints"][0]["revolute"]["nodes"] = ["ground", "shoulder"]
    return write(folder / "plain.yaml", yaml.safe_dump(model))


def turn(axis, angle):
    a = numpy.array(axis) / numpy.linalg.norm(axis)
    k = numpy.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return numpy.eye(3) + numpy.sin(angle) * k + (1 - numpy.cos(angle)) * k @ k


def test_an_instance_without_a_pose_is_the_model_itself_to_the_bit(folder):
    run(plain(folder), folder / "plain.h5")
    run(write(folder / "one.yaml", f"{HEAD}parts:{ARM}instances: {{a: {{part: arm}}}}\n{TAIL}"), folder / "one.h5")
    assert numpy.array_equal(history(folder / "plain.h5", "tip/position"), history(folder / "one.h5", "a.tip/position"))
    assert numpy.array_equal(history(folder / "plain.h5", "strain/value"), history(folder / "one.h5", "a.strain/value"))


def test_a_pose_turns_and_moves_all_that_a_part_has(folder):
    """Beam, springs, joint, loads, velocities: the motion in the axes of the part does not know the pose."""
    run(plain(folder), folder / "plain.h5")
    pose = "at: [3, -1, 2], rotate: {about: [1, 2, -1], by: 70 deg}"
    run(write(folder / "turned.yaml", f"{HEAD}parts:{ARM}instances: {{a: {{part: arm, {pose}}}}}\n{TAIL}"), folder / "turned.h5")
    R, p = turn([1, 2, -1], numpy.radians(70)), numpy.array([3, -1, 2])
    x, v = history(folder / "plain.h5", "tip/position"), history(folder / "plain.h5", "tip/velocity")
    # measured 6e-15 and 4e-13
    assert numpy.abs(history(folder / "turned.h5", "a.tip/position") - (x @ R.T + p)).max() < 1e-12
    assert numpy.abs(history(folder / "turned.h5", "a.tip/velocity") - v @ R.T).max() < 1e-11
    assert numpy.abs(x - x[0]).max() > 0.01


def test_poses_of_nested_instances_compose_and_their_values_are_those_around_them(folder):
    nested = """
  pair:
    parameters: {heavy: 5 kg}
    instances:
      left: {part: arm, at: [0, 1, 0], parameters: {mass: heavy}}
      right: {part: arm, at: [0, -1, 0], axes: [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]}
"""
    text = f"{HEAD}parts:{ARM}{nested}instances:\n  two: {{part: pair, at: [1, 0, 0], rotate: {{about: [0, 0, 1], by: 90 deg}}}}\n"
    run(write(folder / "nested.yaml", text + TAIL), folder / "nested.h5", "--set", "run.end=2 ms")
    with h5(folder / "nested.h5") as f:
        assert sorted(k for k in f["history/probes"]) == ["two.left.strain", "two.left.tip", "two.right.strain", "two.right.tip"]
    assert numpy.allclose(history(folder / "nested.h5", "two.left.tip/position")[0], [1 - 1.2, 1, 0.1], atol=1e-12)
    assert numpy.allclose(history(folder / "nested.h5", "two.right.tip/position")[0], [1 + 1.2, -1, 0.1], atol=1e-12)
    said = limber("check", folder / "nested.yaml", *settings("instances.two.parameters={heavy: -1 kg}"))
    assert said.code == 2 and "in instance two.left of part arm" in said.err


def test_parts_of_included_files_and_names_between_instances(folder):
    write(folder / "arms.yaml", f"limber: 1\nmaterials: {{alloy: {{E: 70 GPa, nu: 0.3, density: 2700}}}}\nparts:{ARM}")
    text = """limber: 1
include: arms.yaml
instances:
  upper: {part: arm}
  lower: {part: arm, at: [1, 0.2, 0.1], parameters: {root: upper.wrist, mass: 1 kg}}
joints:
  - distance: {nodes: [ground, lower.link.end]}
probes:
  - {name: middle, node: upper.link.3, record: position}
  - {name: way, formula: lower.tip.z - upper.tip.z, unit: m}
"""
    run(write(folder / "chain.yaml", text + TAIL), folder / "chain.h5")
    z = [history(folder / "chain.h5", f"{a}.tip/position")[:, 2] for a in ("lower", "upper")]
    assert numpy.array_equal(history(folder / "chain.h5", "way/value").ravel(), z[0] - z[1])
    said = limber("check", write(folder / "bad.yaml", text.replace("mass: 1 kg", "mass: 1 m") + TAIL))
    assert said.code == 2
    assert said.complaints[0].endswith("arms.yaml:15:41: error: 'mass' has the dimension m, but 'mass' is in kg "
                                       "(in instance lower of part arm)")


def test_two_ranks_and_a_resumed_run_give_the_same(folder):
    short = settings("run.end=60 ms", "run.step=2 ms")
    run(CAR, folder / "one.h5", *short)
    run(CAR, folder / "two.h5", *short, ranks=2)
    run(CAR, folder / "part.h5", *settings("run.end=20 ms", "run.step=2 ms"))
    assert limber("resume", folder / "part.h5", "-q", "--end", "60 ms").code == 0
    for name in "front_left.hub/position", "rear_right.strut/slide", "heave_front/value":
        one = history(folder / "one.h5", name)
        assert numpy.array_equal(one, history(folder / "part.h5", name))
        assert numpy.abs(one - history(folder / "two.h5", name)).max() <= 1e-15


@pytest.mark.parametrize("count", [1000])
def test_a_thousand_instances_are_read_in_a_second(folder, count):
    lines = "".join(f"  i{i}: {{part: arm, at: [{i}, 0, 0]}}\n" for i in range(count))
    model = write(folder / "many.yaml", f"{HEAD}parts:{ARM}instances:\n{lines}{TAIL}")
    done = subprocess.run(command("check", model), env=environment(), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    assert done.returncode == 0 and f"joints      {count}" in done.stdout


def test_a_picture_shows_all_instances(folder):
    assert limber("check", CAR, "--picture", folder / "car.svg").code == 0
    assert all(f"{c}.hub" in (folder / "car.svg").read_text() for c in ("front_left", "front_right", "rear_left", "rear_right"))
