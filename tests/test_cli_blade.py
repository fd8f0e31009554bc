# SPDX-License-Identifier: Apache-2.0
"""What is told of a beam against its own root: deflections, angles of sections, forces in the axes of the root."""
import numpy as np
import pytest

from support import h5, limber, run, write

ARM = """limber: 1
nodes: {{A: {{at: [0.5, -1, 2], axes: {axes}}}}}
sections: {{bar: {{E: 70 GPa, nu: 0.3, density: 2700, rectangle: [20 mm, 10 mm]}}}}
elements: [{{beam: {{name: arm, from: A, end: {end}, up: {up}, elements: 8, section: bar{more}}}}}]
joints: [{{clamp: {{node: A}}}}]
loads:
{loads}
probes:
- {{name: tip, element: arm, at: 1, record: [position, axes, deflection, angles]}}
- {{name: root, element: arm, at: 0, record: [position, axes, resultant, force]}}
- {{name: end, element: arm, at: 1, record: resultant}}
- {{name: base, element: arm, at: 0, record: [resultant, deflection], axes: ground}}
- {{name: A, element: arm, at: 1, record: [deflection, angles, resultant], axes: A}}
"""
EI2, EI3 = 70e9 * 0.02 * 0.01**3 / 12, 70e9 * 0.01 * 0.02**3 / 12
PUSH = [("force", [0, 90, 300]), ("moment", [30, 0, 0])]


def turned(vector):
    """The rotation by a vector."""
    angle = np.linalg.norm(vector)
    if angle == 0:
        return np.eye(3)
    a = np.array(vector) / angle
    k = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def words(vector):
    return "[%s]" % ", ".join("%.17g" % x for x in vector)


def last(results):
    with h5(results) as f:
        probes = f["history/probes"]
        return {f"{p}.{q}": probes[p][q][-1] for p in probes for q in probes[p]}


def arm(name, loads, turn=np.eye(3), more=""):
    """The equilibrium of an arm of 1 m along x, turned in space with its loads at the tip."""
    lines = ["- %s: {name: load%d, node: arm.end, direction: %s, amplitude: %.17g}" % (
        kind, i, words(turn @ np.array(v) / np.linalg.norm(v)), np.linalg.norm(v)) for i, (kind, v) in enumerate(loads)]
    write(name + ".yaml", ARM.format(axes="[%s]" % ", ".join(words(turn[:, k]) for k in range(3)), more=more, up=words(turn[:, 1]),
                                     end=words(np.array([0.5, -1, 2]) + turn[:, 0]), loads="\n".join(lines)))
    said = limber("static", name + ".yaml", "-q", "-o", name + ".h5")
    assert said.code == 0, said.err + said.out
    return last(name + ".h5")


def test_the_force_through_the_root_is_that_at_the_tip_however_far_the_beam_bends():
    at = arm("push", PUSH)
    arm_vector = at["tip.position"] - at["root.position"]
    assert np.linalg.norm(at["tip.deflection"]) > 0.5
    assert np.abs(at["root.resultant"][:3] - [0, 90, 300]).max() < 1e-5
    assert np.abs(at["end.resultant"][:3] - [0, 90, 300]).max() < 1e-5
    assert np.abs(at["root.resultant"][3:] - np.cross(arm_vector, [0, 90, 300]) - [30, 0, 0]).max() < 0.05  # measured: 0.024, of 235
    assert np.array_equal(at["base.resultant"], at["root.resultant"])
    assert np.abs(at["tip.deflection"] - arm_vector + [1, 0, 0]).max() < 1e-15


def test_turning_model_and_loads_changes_nothing():
    for turn in turned([0.3, -1.2, 0.8]), turned([0, 0, 3]):
        a, b = arm("push", PUSH), arm("turned", PUSH, turn)
        for key in "tip.deflection", "tip.angles", "root.resultant", "A.deflection", "A.angles", "A.resultant":
            assert np.abs(a[key] - b[key]).max() < 1e-7 * max(1, np.abs(a[key]).max()), key
        assert np.abs(turn @ a["root.resultant"][:3] - b["base.resultant"][:3]).max() < 1e-5
        assert np.abs(turn @ a["base.deflection"] - b["base.deflection"]).max() < 1e-8


def test_bending_in_a_plane_is_the_angle_of_the_section():
    for axis, stiffness, loaded in (1, EI2, [0, 1, 0]), (2, EI3, [0, 0, 1]):
        turn = 2.2  # rad
        at = arm("bent", [("moment", np.array(loaded) * turn * stiffness)])
        expected = np.zeros(3)
        expected[axis] = turn
        assert np.abs(at["tip.angles"] - expected).max() < 1e-6
        assert np.abs(at["root.resultant"][3:] - np.array(loaded) * turn * stiffness).max() < 1e-5 * turn * stiffness  # measured: 4e-6


def test_torsion_is_the_angle_of_the_section():
    torque, rate = 20, 70e9 / 2.6 * 0.02 * 0.01**3 * (1 / 3 - 0.21 * 0.5 * (1 - 0.5**4 / 12))
    at = arm("twist", [("moment", [torque, 0, 0])])
    assert abs(at["tip.angles"][0] / (torque / rate) - 1) < 3e-3  # a rectangle's torsion constant by Roark's formula
    assert np.abs(at["tip.angles"][1:]).max() < 1e-12


@pytest.mark.parametrize("more", ["", ", twist: 0.7"])
def test_the_three_angles_are_the_rotation_of_the_section(more):
    at, start = arm("push", PUSH, more=more), arm("none", [("force", [0, 0, 1e-9])], more=more)
    q, unloaded = ((a["root.axes"].reshape(3, 3) @ a["tip.axes"].reshape(3, 3).T) for a in (at, start))  # rows are axes
    torsion, bend2, bend3 = at["tip.angles"]
    assert abs(torsion) > 0.05 and abs(bend2) > 0.3 and abs(bend3) > 0.03
    assert np.abs(unloaded @ turned([0, bend2, bend3]) @ turned([torsion, 0, 0]) - q).max() < 1e-8


# ---- runs ----
ROTOR = """limber: 1
nodes: {hub: {at: [0, 0, 0], angular_velocity: [0, 0, 5]}}
sections: {blade: {E: 40 GPa, nu: 0.3, density: 1900, rectangle: [60 mm, 12 mm]}}
elements:
  - rigid_body: {name: block, node: hub, mass: 5, inertia: [0.5, 0.5, 0.8]}
  - beam: {name: blade, from: hub, end: [3, 0, 0], up: [0, 1, 0.4], twist: 0.3, section: blade}
joints: [{revolute: {name: shaft, nodes: [ground, hub], axis: [0, 0, 1]}}]
loads: [{gravity: {acceleration: [0, 0, -9.81]}}]
motion: {angular_velocity: [0, 0, 5]}
probes:
  - {name: tip, element: blade, at: 0.9, record: [position, axes, deflection, angles]}
  - {name: root, element: blade, at: 0, record: [position, axes, resultant]}
  - {name: rooty, element: blade, at: 0, record: [resultant], axes: ground}
  - {name: hub, element: blade, at: 0.9, record: [deflection, angles, resultant], axes: hub}
  - {name: flap, formula: root.My, unit: N m, extremes: true}
run: {step: 5 ms, end: 0.4 s, snapshots: 0}
"""


def rotor(name, *words_, **options):
    write("rotor.yaml", ROTOR)
    run("rotor.yaml", name, *words_, **options)
    with h5(name) as f:
        probes = f["history/probes"]
        return {f"{p}.{q}": probes[p][q][:] for p in probes for q in probes[p]}


def test_in_a_run_they_are_told_against_the_moving_root():
    at = rotor("rotor.h5")
    n = len(at["tip.position"])
    root, tip = (at[f"{k}.axes"].reshape(n, 3, 3) for k in ("root", "tip"))  # rows are axes
    x = np.einsum("nij,nj->ni", root, at["tip.position"] - at["root.position"])
    assert np.abs(at["tip.deflection"][0]).max() < 1e-14 and np.abs(at["tip.angles"][0]).max() < 1e-14
    assert np.abs(at["tip.deflection"] - x + x[0]).max() < 1e-12
    q = np.einsum("nij,nkj->nik", root, tip)
    for i in range(0, n, 8):
        torsion, bend2, bend3 = at["tip.angles"][i]
        assert np.abs(q[0] @ turned([0, bend2, bend3]) @ turned([torsion, 0, 0]) - q[i]).max() < 1e-12
    for part in slice(0, 3), slice(3, 6):
        there = np.einsum("nij,nj->ni", root, at["rooty.resultant"][:, part])
        assert np.abs(at["root.resultant"][:, part] - there).max() < 1e-10
    assert np.array_equal(at["flap.value"], at["root.resultant"][:, 4])
    assert np.abs(at["hub.angles"] - at["tip.angles"]).max() < 1e-12  # the root is fixed to the hub


def test_one_rank_and_two_give_the_same_bits():
    one, two = rotor("one.h5"), rotor("two.h5", ranks=2)
    assert all(np.array_equal(one[key], two[key]) for key in one)


def test_a_run_resumes_to_the_same_bits():
    write("rotor.yaml", ROTOR)
    run("rotor.yaml", "whole.h5")
    run("rotor.yaml", "parts.h5", "--set", "run.end=0.2 s")
    said = limber("resume", "parts.h5", "--end", "0.4s", "-q")
    assert said.code == 0, said.err
    with h5("whole.h5") as a, h5("parts.h5") as b:
        for probe in a["history/probes"]:
            for q in a[f"history/probes/{probe}"]:
                assert np.array_equal(a[f"history/probes/{probe}/{q}"][:], b[f"history/probes/{probe}/{q}"][:])


def test_a_bar_has_no_angles():
    write("bar.yaml", """limber: 1
nodes: {A: {at: [0, 0, 0], kind: point}, B: {at: [1, 0, 0], kind: point}}
elements: [{bar: {name: rod, nodes: [A, B], stiffness: 1e5, mass: 1}}]
probes: [{name: tip, element: rod, at: 1, record: angles}]
run: {step: 1 ms, end: 1 ms}
""")
    assert "has no 'angles'" in limber("check", "bar.yaml").err
