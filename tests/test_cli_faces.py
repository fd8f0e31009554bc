# SPDX-License-Identifier: Apache-2.0
"""Faces of solids in contact: what a run records against solutions by hand, ranks, runs that go on, what is refused and warned of."""
import subprocess
import sys

import numpy as np
import pytest
from support import h5, limber, run, settings, source, write

g = 9.81
gauss = 1 / np.sqrt(3)


def block(name, cells, size, at=(0, 0, 0), velocity=(0, 0, 0), material="rubber", more=""):
    """Nodes and the element of a block of hexahedra, whose corner of least coordinates is `at`."""
    place = lambda i, j, k: [round(at[d] + size[d] * v / cells[d], 12) for d, v in enumerate((i, j, k))]
    ranges = lambda extra: [(i, j, k) for k in range(cells[2] + extra) for j in range(cells[1] + extra) for i in range(cells[0] + extra)]
    corners = [(a, b, c) for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
    node = lambda i, j, k: f"{name}{i}_{j}_{k}"
    nodes = [f"  {node(*n)}: {{at: {place(*n)}, kind: point, velocity: {list(velocity)}}}" for n in ranges(1)]
    hexahedra = ["{hexahedron: [" + ", ".join(node(i + a, j + b, k + c) for a, b, c in corners) + "]}" for i, j, k in ranges(0)]
    return nodes, f"  - solid: {{name: {name}, material: {material}, mesh: [{', '.join(hexahedra)}]{more}}}"


def model(blocks, surfaces, contact, run, material="{E: 1e6, nu: 0.4, density: 1000}", nodes=(), elements=(), gravity=(0, 0, -g), probes=()):
    lines = ["limber: 1", "title: faces", "nodes:", *[n for b in blocks for n in b[0]], *nodes, f"materials:\n  rubber: {material}", "elements:",
             *[b[1] for b in blocks], *elements, "surfaces:", *surfaces, f"contacts:\n  - contact: {{name: c, {contact}}}"]
    if gravity:
        lines.append(f"loads:\n  - gravity: {{acceleration: {list(gravity)}}}")
    if probes:
        lines += ["probes:", *probes]
    return "\n".join([*lines, f"run: {{{run}}}"]) + "\n"


def ledger(path):
    with h5(path) as f:
        return {name: f["history/ledger"][name][:] for name in f["history/ledger"]}


def positions(path, row=-1):
    """Of all nodes by name, at a snapshot."""
    with h5(path) as f:
        names = [n.decode() if isinstance(n, bytes) else n for n in f["names/nodes"][:]]
        return dict(zip(names, f["VTKHDF/Points"][:].reshape(-1, len(names), 3)[row]))


def points_of_face(x):
    """Places of the four points of Gauss of a quadrilateral, and the parts of its area at the reference (a rectangle)."""
    for a in (-gauss, gauss):
        for b in (-gauss, gauss):
            n = 0.25 * np.array([(1 - a) * (1 - b), (1 + a) * (1 - b), (1 + a) * (1 + b), (1 - a) * (1 + b)])
            yield n @ x


def force_on_floor(at, name, cells, area, stiffness):
    total = 0
    for i in range(cells[0]):
        for j in range(cells[1]):
            x = np.array([at[f"{name}{i + a}_{j + b}_0"] for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))])
            total += sum(stiffness * area / 4 / (cells[0] * cells[1]) * max(0, -p[2]) for p in points_of_face(x))
    return total


floor = ["  - faces: {name: skin, element: b}", "  - plane: {name: floor, normal: [0, 0, 1]}"]


def test_a_block_at_rest_is_borne_by_its_weight():
    b = block("b", (2, 2, 2), (0.1, 0.1, 0.1), more=", damping: 5 ms")
    write("rest.yaml", model([b], floor, "stiffness: 1e8, restitution: 0", "scheme: decaying, step: 2 ms, end: 2 s, snapshots: 0.5 s"))
    run("rest.yaml", "rest.h5")
    force = force_on_floor(positions("rest.h5"), "b", (2, 2), 0.01, 1e8)
    assert abs(force / g - 1) <= 1e-8  # a mass of 1 kg; measured 5e-10, of what still moves
    d = ledger("rest.h5")
    assert d["kinetic"][-1] <= 1e-15
    assert np.abs(d["residual"]).max() <= 1e-12 * d["exchanged"][-1]


@pytest.mark.parametrize("scheme", ["preserving", "decaying"])
def test_a_block_that_bounces_keeps_its_balance(scheme):
    b = block("b", (2, 2, 2), (0.1, 0.1, 0.1), at=(0, 0, 0.01))
    write("drop.yaml", model([b], floor, "stiffness: 1e8", f"scheme: {scheme}, step: 0.5 ms, end: 0.2 s"))
    run("drop.yaml", "drop.h5")
    d = ledger("drop.h5")
    assert d["touching"].max() == 16
    assert np.abs(d["residual"]).max() <= 1e-12 * d["exchanged"][-1]  # measured 2e-14
    assert np.abs(d["momentum"][:, :2]).max() <= 1e-13
    if scheme == "preserving":
        energy = d["kinetic"] + d["strain"] + d["potential"]
        assert np.abs(energy - energy[0]).max() <= 1e-12


def test_a_bar_of_solids_that_hits_a_floor_is_a_wave():
    """Length L = 10, E = 900, density 1: the floor bears rho c v for 2 L/c, and the bar leaves with the speed it came with (Doyen, Ern &
    Piperno 2011, without weight). Poisson's ratio 0 and a strain of 1/300 make it the bar of one dimension."""
    bar = block("b", (1, 1, 60), (1, 1, 10), velocity=(0, 0, -0.1))
    write("bar.yaml", model([bar], floor, "stiffness: 9e3", "scheme: decaying, step: 2 ms, end: 0.9 s, snapshots: 0.02 s",
                            material="{E: 900, nu: 0, density: 1}", gravity=None))
    run("bar.yaml", "bar.h5")
    d = ledger("bar.h5")
    time = 0.002 * np.arange(len(d["kinetic"]))
    force = np.gradient(d["momentum"][:, 2], time)
    during = (time > 0.1) & (time < 0.6)
    assert abs(force[during].mean() / 3 - 1) <= 0.01  # rho c v A; measured 0.3 %
    assert abs(d["momentum"][-1, 2] - 1) <= 0.04  # 10 kg at 0.1 m/s; measured 1.3 %
    with h5("bar.h5") as f:
        rows = len(f["VTKHDF/Steps/Values"])
    halfway = positions("bar.h5", (rows - 1) * 16 // 45)
    assert abs(force_on_floor(halfway, "b", (1, 1), 1, 9e3) / 3 - 1) <= 0.1  # measured 3 %, of the waves behind the front


def test_a_ball_rests_in_a_block_of_solids():
    """The force on it, by hand from where the nodes are: sum of stiffness, area and depth along the way from point to centre."""
    n, size, radius = (6, 6, 2), (0.12, 0.12, 0.04), 0.05
    soft = block("b", n, size, more=", damping: 5 ms")
    fixed = [line.replace("kind: point", "kind: fixed").replace(", velocity: [0, 0, 0]", "") if "_0:" in line else line for line in soft[0]]
    write("ball.yaml", model([(fixed, soft[1])], ["  - faces: {name: skin, element: b, facing: [0, 0, 1]}",
                                                  f"  - sphere: {{name: ball, node: ball, radius: {radius}}}"],
                             "stiffness: 5e7, restitution: 0.3", "scheme: decaying, step: 1 ms, end: 0.6 s, snapshots: 0.1 s",
                             nodes=["  ball: [0.06, 0.06, 0.0902]"],
                             elements=["  - rigid_body: {name: ball, node: ball, mass: 0.5, inertia: [5e-4, 5e-4, 5e-4]}"]))
    run("ball.yaml", "ball.h5")
    at = positions("ball.h5")
    force = np.zeros(3)
    for i in range(n[0]):
        for j in range(n[1]):
            x = np.array([at[f"b{i + a}_{j + b}_{n[2]}"] for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))])
            for p in points_of_face(x):
                away = at["ball"] - p
                depth = max(0, radius - np.linalg.norm(away))
                force += 5e7 * 0.02 * 0.02 / 4 * depth * away / np.linalg.norm(away)
    assert np.abs(force - [0, 0, 0.5 * g]).max() <= 1e-10  # measured 3e-13
    d = ledger("ball.h5")
    assert d["touching"][-1] >= 4 and np.abs(d["residual"]).max() <= 1e-12 * d["exchanged"][-1]


def two_blocks(scheme="preserving", end=0.08):
    """Two blocks in space that hit each other aslant; the second is turned by its velocities."""
    a = block("a", (2, 2, 2), (0.1, 0.1, 0.1), velocity=(1, 0, 0))
    b = block("b", (2, 2, 2), (0.1, 0.1, 0.1), at=(0.125, 0.04, 0.03), velocity=(-0.5, 0.1, 0))
    return model([a, b], ["  - faces: {name: a, element: a, radius: 10 mm, points: 3}", "  - faces: {name: b, element: b, radius: 10 mm, points: 3}"],
                 "stiffness: 3e10, friction: 0", f"scheme: {scheme}, step: 0.5 ms, end: {end}", gravity=None)


def test_two_blocks_keep_their_momentum():
    write("two.yaml", two_blocks())
    run("two.yaml", "two.h5")
    d = ledger("two.h5")
    assert d["touching"].max() >= 4
    assert np.abs(d["momentum"] - d["momentum"][0]).max() <= 1e-13
    assert np.abs(d["angular_momentum"] - d["angular_momentum"][0]).max() <= 1e-13
    energy = d["kinetic"] + d["strain"]
    assert np.abs(energy - energy[0]).max() <= 1e-13 and d["strain"].max() > 0.01
    x = positions("two.h5")
    overlap = max(p[0] for n, p in x.items() if n.startswith("a")) - min(p[0] for n, p in x.items() if n.startswith("b"))
    assert overlap < -0.01  # they part again, and did not pass through each other


@pytest.mark.parametrize("friction, way", [(0.3, 0.5 * g * (np.sin(0.4) - 0.3 * np.cos(0.4)) * 0.2**2), (0.6, 0)])
def test_a_block_on_a_slope_slides_or_sticks(friction, way):
    """Of 0.4 rad, by the direction of the weight. tan 0.4 = 0.42."""
    b = block("b", (2, 2, 1), (0.1, 0.1, 0.02), at=(0, 0, -1.94e-6), more=", damping: 1 ms")
    write("slope.yaml", model([b], ["  - faces: {name: skin, element: b, facing: [0, 0, -1]}", floor[1]],
                              f"stiffness: 1e8, restitution: 0, friction: {friction}, stick_stiffness: 1e8, stick_damping: 1 ms",
                              "scheme: decaying, step: 1 ms, end: 0.2 s, snapshots: 0.2 s", material="{E: 1e8, nu: 0.3, density: 1000}",
                              gravity=(g * np.sin(0.4), 0, -g * np.cos(0.4))))
    run("slope.yaml", "slope.h5")
    start, end = positions("slope.h5", 0), positions("slope.h5")
    moved = np.mean([end[n][0] - start[n][0] for n in end if n.startswith("b")])
    assert abs(moved - way) <= 3e-6  # measured 5e-8 and 8e-7, of springs and the start


def test_two_ranks_find_what_one_finds():
    for name, text in (("two", two_blocks()), ("drop", model([block("b", (3, 3, 3), (0.1, 0.1, 0.1), at=(0, 0, 0.002))], floor, "stiffness: 1e8, friction: 0.3",
                                                             "scheme: decaying, step: 0.5 ms, end: 0.05"))):
        write(f"{name}.yaml", text)
        run(f"{name}.yaml", f"{name}1.h5")
        run(f"{name}.yaml", f"{name}2.h5", ranks=2)
        one, two = ledger(f"{name}1.h5"), ledger(f"{name}2.h5")
        for column in ("kinetic", "strain", "contact", "contact_friction"):
            assert np.abs(one[column] - two[column]).max() <= 1e-13, column  # measured 5e-16
        assert np.array_equal(one["touching"], two["touching"]) and one["touching"].max() >= 4


def test_a_run_that_goes_on_has_the_same_bits():
    write("two.yaml", two_blocks("decaying"))
    run("two.yaml", "whole.h5")
    run("two.yaml", "part.h5", *settings("run.end=0.03"))
    said = limber("resume", "part.h5", "--end", "0.08", "-q")
    assert said.code == 0, said.err
    whole, part = ledger("whole.h5"), ledger("part.h5")
    assert all(np.array_equal(whole[name], part[name]) for name in whole)


def test_faces_of_a_group_are_those_that_touch():
    """Two cells in a row above the floor, of which the first has a face in the group: it alone bears."""
    write("row.msh", """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
2 1 "sole"
3 2 "body"
$EndPhysicalNames
$Nodes
12
""" + "\n".join(f"{1 + i + 3 * j + 6 * k} {i} {j} {k}" for k in (0, 1) for j in (0, 1) for i in (0, 1, 2)) + """
$EndNodes
$Elements
3
1 3 2 1 1 1 2 5 4
2 5 2 2 1 1 2 5 4 7 8 11 10
3 5 2 2 1 2 3 6 5 8 9 12 11
$EndElements
""")
    text = """limber: 1
title: group
materials: {rubber: {E: 1e6, nu: 0.3, density: 1000}}
meshes: {row: {file: row.msh, unit: cm}}
elements: [solid: {name: b, mesh: row.body, material: rubber}]
surfaces:
  - faces: {name: skin, element: b, mesh: row.sole, points: 3}
  - plane: {name: floor, normal: [0, 0, 1]}
contacts: [contact: {name: c, stiffness: 1e8}]
loads: [gravity: {acceleration: [0, 0, -9.81]}]
run: {step: 0.1 ms, end: 2 ms}
"""
    write("row.yaml", text)
    run("row.yaml", "row.h5")
    assert ledger("row.h5")["touching"].max() == 9
    write("wrong.yaml", text.replace("mesh: row.sole", "mesh: row.sol"))
    assert "mesh 'row' has no" in limber("check", "wrong.yaml").err
    write("inner.yaml", text.replace("mesh: row.sole", "mesh: [{quadrilateral: [row.2, row.5, row.11, row.8]}]"))
    said = limber("check", "inner.yaml")
    assert said.code == 2 and "its `mesh` has cells that are no outer faces of its `element`" in said.err, said.err


def test_random_scenes_with_blocks_gain_no_energy():
    done = subprocess.run([sys.executable, source / "tests/random/contacts.py", "--first", "1000000", "--count", "3"], capture_output=True, text=True)
    assert done.returncode == 0 and "3 with contacts, 0 end early, 0 bad" in done.stdout, done.stdout


def small(surfaces, contact="stiffness: 1e8", nodes=(), elements=()):
    return model([block("b", (1, 1, 1), (0.1, 0.1, 0.1))], surfaces, contact, "step: 1 ms, end: 0.01", nodes=nodes, elements=elements)


ball = (["  ball: [0, 0, 1]"], ["  - rigid_body: {name: ball, node: ball, mass: 1, inertia: [1, 1, 1]}"])


@pytest.mark.parametrize("text, words", [
    (small(["  - faces: {name: s, element: b, facing: [0, 0, 0]}", floor[1]]), "`facing` must not be zero"),
    (small(["  - faces: {name: s, element: b, points: 4}", floor[1]]), "`points` must be 1, 2 or 3"),
    (small(["  - faces: {name: s, element: b, radius: -1 mm}", floor[1]]), "`radius` must not be negative"),
    (small(["  - faces: {name: s, element: ball}", floor[1]], nodes=ball[0], elements=ball[1]), "has no faces: it must be a solid"),
    (small(floor, "hertz: 1e6"), "the solid itself provides the compliance"),
])
def test_what_cannot_be_is_refused(text, words):
    write("wrong.yaml", text)
    said = limber("check", "wrong.yaml")
    assert said.code == 2 and words in said.err, said.err


def test_check_warns_of_what_slips_between_points():
    sphere = lambda r: f"  - sphere: {{name: ball, node: ball, radius: {r}}}"
    write("slips.yaml", small([floor[0], sphere(0.02)], nodes=ball[0], elements=ball[1]))
    said = limber("check", "slips.yaml")
    assert said.code == 0 and "the points of 'skin' are up to 0.05 m apart, more than 0.02 m, the radius at which 'ball' touches them" in said.err, said.err
    write("holds.yaml", small([floor[0], sphere(0.06)], nodes=ball[0], elements=ball[1]))
    assert "apart" not in limber("check", "holds.yaml").err
    write("bare.yaml", small([floor[0], sphere(0)], nodes=ball[0], elements=ball[1]))
    assert "which never touch" in limber("check", "bare.yaml").err
