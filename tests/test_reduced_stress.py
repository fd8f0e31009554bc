# SPDX-License-Identifier: Apache-2.0
"""Stresses and places of the full mesh of a reduced body against the solid of the same mesh: bending at rest, a slow swing; probes, results."""
import h5py
import numpy as np
import pytest

from support import limber, same_results, run, write
from test_cli_inp import box, steel

BODY = """limber: 1
meshes: {{bar: {{file: stress.inp}}}}
nodes: {{root: {{at: [0, 0, 0]{root}}}, tip: [1, 0, 0]}}
elements:
  - {body}
joints:
{joints}
"""
REDUCED = ("reduced_body: {name: bar, mesh: bar.E, material: bar.Steel, hexahedra: enhanced, "
           "interfaces: [{group: bar.ROOT, node: root}, {group: bar.TIP, node: tip}], modes: 6}")
SOLID = "solid: {name: bar, mesh: bar.E, material: bar.Steel, hexahedra: enhanced}"
TIES = "  - rigid_tie: {body: root, node: bar.ROOT}\n  - rigid_tie: {body: tip, node: bar.TIP}\n"
CELLS = 80
FIVE = [1, 20, 30, 47, 65]  # next to the root and along the bar, in all four corners of its section


@pytest.fixture(scope="module", autouse=True)
def files(folder):
    write("stress.inp", box((20, 2, 2), (1, 0.05, 0.02)) + "*Nset, nset=EDGE\n5,\n6,\n7,\n" + steel)


def model(name, more, body=REDUCED, joints="  []", root=""):
    return write(name, BODY.format(body=body, joints=joints, root=root) + more)


def von_mises(s):
    a, b, c, d, e, f = np.moveaxis(s, -1, 0)
    return np.sqrt(0.5 * ((a - b)**2 + (b - c)**2 + (c - a)**2) + 3 * (d**2 + e**2 + f**2))


def mesh(path):
    """Of all snapshots: stresses of the cells of the mesh, and places of its nodes by name."""
    with h5py.File(path) as f:
        v = f["VTKHDF"]
        cells, points = int(v["NumberOfCells"][0]), int(v["NumberOfPoints"][0])
        names = f["names/nodes"].asstr()[:]
        at = v["Points"][:].reshape(-1, points, 3)
        return v["CellData/force"][:].reshape(-1, cells, 6)[:, :CELLS], {n: at[:, i] for i, n in enumerate(names) if n.startswith("bar.")}


def both(name, analysis, more, joints="", root=", kind: fixed"):
    found = []
    for kind, body, ties in (("reduced", REDUCED, ""), ("solid", SOLID, TIES)):
        m = model(f"{name}_{kind}.yaml", more, body, joints + ties or "  []", root)
        said = limber(analysis, m, "-o", f"{name}_{kind}.h5")
        assert said.code == 0, said.err
        found.append(mesh(f"{name}_{kind}.h5"))
    (a, xa), (b, xb) = found
    return von_mises(a), von_mises(b), {n: (xa[n], xb[n]) for n in xb}


LOAD = """loads: [force: {name: push, node: tip, direction: [0, -400, 60]}]
static: {}
run: {step: 1 ms, end: 1 ms}
"""


def test_stresses_of_a_bent_bar_are_those_of_the_solid():
    a, b, places = both("bent", "static", LOAD)
    assert b[-1].max() > 3e7
    assert np.abs(a[-1] / b[-1] - 1)[FIVE].max() < 0.01  # measured 1.7e-3
    assert np.abs(a[-1] - b[-1]).max() < 5e-3 * b[-1].max()  # all cells, measured 9.4e-4
    moved = max(np.abs(x[-1] - x[0]).max() for _, x in places.values())
    assert max(np.abs(x[-1] - y[-1]).max() for x, y in places.values()) < 1e-4 * moved  # measured 1.5e-5


SWING = """loads: [gravity: {acceleration: [0, -9.81, 0]}]
run: {scheme: decaying, step: 2 ms, end: 0.4 s, snapshots: 40 ms}
"""


# a pendulum, which is accelerated sideways: its stress is that of its own weight and inertia
def test_stresses_in_a_slow_swing_are_those_of_the_solid():
    hinge = "  - revolute: {name: hinge, nodes: [ground, root], axis: [0, 0, 1]}\n"
    a, b, places = both("swing", "run", SWING, hinge, "")
    most = b.max()
    assert np.abs(a - b)[3:, FIVE].max() < 0.01 * most  # measured 2.0e-3
    moved = max(np.abs(x[-1] - x[0]).max() for _, x in places.values())
    assert moved > 0.3
    assert max(np.abs(x - y).max() for x, y in places.values()) < 1e-5 * moved  # measured 8.7e-7


PROBES = """probes:
  - {name: gauge, element: bar, mesh_node: 128}
  - {name: seen, element: bar, mesh_node: 128, axes: tip, record: [position, von_mises]}
  - {name: strength, stress: bar}
"""


def test_probes_record_a_node_of_the_mesh_and_the_largest_stress():
    said = limber("static", model("probes.yaml", LOAD + PROBES, root=", kind: fixed"), "-o", "probes.h5")
    assert said.code == 0, said.err
    _, places = mesh("probes.h5")
    with h5py.File("probes.h5") as f:
        p = f["history/probes"]
        gauge, largest = {k: np.array(p["gauge"][k]) for k in p["gauge"]}, np.array(p["strength/von_mises"])
        assert np.array(p["seen/position"])[0] == pytest.approx([-0.95, 0, 0.02], abs=1e-12)
        assert np.array(p["seen/von_mises"])[-1] == gauge["von_mises"][-1]
    assert gauge["position"][-1] == pytest.approx(places["bar.128"][-1], abs=1e-12)
    assert von_mises(gauge["stress"]) == pytest.approx(gauge["von_mises"], rel=1e-12)
    assert list(largest[-1, 1:]) == [128, 0.05, 0, 0.02]
    assert largest[-1, 0] == gauge["von_mises"][-1]
    # bending about both axes at 0.95 m from the force; the constraint of the clamped face raises it, measured 3.7 %
    bending = 6 * 0.95 * (400 / (0.02 * 0.05**2) + 60 / (0.05 * 0.02**2))
    assert largest[-1, 0] == pytest.approx(bending, rel=0.05)
    assert f"largest von Mises stress of 'strength': {largest[-1, 0]:.6g} Pa at load factor 1; reduced_body 'bar', node 128, at 0.05, 0, 0.02 m" in said.out


def test_ranks_do_not_change_stresses():
    hinge = "  - revolute: {name: hinge, nodes: [ground, root], axis: [0, 0, 1]}\n"
    m = model("ranks.yaml", SWING.replace("0.4 s", "20 ms").replace("40 ms", "10 ms") + PROBES, joints=hinge)
    for ranks in (1, 2):
        assert run(m, f"ranks{ranks}.h5", ranks=ranks).code == 0
    same_results("ranks1.h5", "ranks2.h5", 1e-8)


@pytest.mark.parametrize("probe, message", [
    ("{element: bar, at: 0.5}", "the probe of reduced_body 'bar' needs 'mesh_node', the number of a node of its mesh, and nothing else"),
    ("{element: bar, point: 0}", "the probe of reduced_body 'bar' needs 'mesh_node'"),
    ("{element: bar, mesh_node: 190}", "the mesh of reduced_body 'bar' has no node 190: its nodes are 1 to 189"),
    ("{node: tip, mesh_node: 1}", "'mesh_node' is for the probe of a reduced body"),
    ("{element: bar, mesh_node: 1, record: [rotation]}", "reduced_body 'bar', node 1 of its mesh has no 'rotation'"),
    ("{stress: bar, record: [tsai_wu]}", "has no 'tsai_wu'"),
])
def test_mistakes_are_told(probe, message):
    said = limber("check", model("wrong.yaml", LOAD + f"probes:\n  - {probe[:-1]}, name: p}}\n"))
    assert said.code == 2
    assert message in said.err
