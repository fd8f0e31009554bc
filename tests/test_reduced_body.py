# SPDX-License-Identifier: Apache-2.0
"""Reduced bodies against the solid of the same mesh and against CalculiX: frequencies, rotation, a slider crank, energy; mistakes in a file."""
import json
import sys

import h5py
import numpy as np
import pytest

from support import limber, run, same_results, source, write
from test_cli_inp import box, frequencies, steel

sys.path.insert(0, str(source / "benchmarks"))
import reduction  # noqa: E402

BODY = """limber: 1
let: {{omega: 0}}
meshes: {{bar: {{file: beam.inp}}}}
nodes: {{root: {{at: [0, 0, 0]{root}}}, tip: [1, 0, 0]}}
elements:
  - {body}
{more}
"""
REDUCED = ("reduced_body: {name: bar, mesh: bar.E, material: bar.Steel, "
           "interfaces: [{group: bar.ROOT, node: root}, {group: bar.TIP, node: tip}], modes: 6}")
SOLID = "solid: {name: bar, mesh: bar.E, material: bar.Steel}"
TIES = "  - rigid_tie: {body: root, node: bar.ROOT}\n  - rigid_tie: {body: tip, node: bar.TIP}\n"


def model(name, more, body=REDUCED, root=""):
    return write(name, BODY.format(body=body, more=more, root=root))


@pytest.fixture(scope="module", autouse=True)
def files(folder):
    write("beam.inp", box((40, 2, 2), (1, 0.05, 0.02)) + "*Nset, nset=EDGE\n5,\n6,\n7,\n" + steel)


# CalculiX 2.20, *FREQUENCY, as in test_cli_inp.py; measured 2.4e-4 6.8e-5 1.9e-3 3.0e-3 4.6e-3, from the masses at the nodes of the mesh
@pytest.mark.parametrize("ranks", [1, 2])
def test_a_bar_has_the_frequencies_of_calculix(ranks):
    said = limber("modes", model("bar.yaml", "modes: {count: 5}\n", root=", kind: fixed"), "-o", f"bar{ranks}.h5", ranks=ranks)
    assert said.code == 0, said.err
    assert frequencies(said) == pytest.approx([21.7437, 44.5698, 136.128, 276.589, 380.783], rel=5e-3)


# one layer of cells in bending; measured below 1e-3
@pytest.mark.parametrize("how", ["full", "enhanced"])
def test_its_cells_deform_as_those_of_the_mesh_do(how):
    write("layer.inp", box((16, 1, 1), (1, 0.05, 0.02)) + "*Nset, nset=EDGE\n5,\n6,\n7,\n" + steel)
    found = []
    for name, body, ties in (("layer", REDUCED, ""), ("layer_solid", SOLID, TIES)):
        body = body.replace("material:", f"hexahedra: {how}, material:")
        m = model(f"{name}_{how}.yaml", ties and "joints:\n" + ties, body, ", kind: fixed")
        said = limber("modes", m, "--set", "modes.count=3", "--set", "meshes.bar.file=layer.inp")
        assert said.code == 0, said.err
        found.append(frequencies(said))
    assert found[0] == pytest.approx(found[1], rel=2e-3)
    assert (found[0][0] > 25) == (how == "full")


# four cells, whose nodes inside are as many as functions are wanted: measured 1.7e-2 6.7e-3 5.8e-3
def test_a_coarse_mesh_is_reduced_to_what_its_nodes_inside_can_do():
    write("coarse.inp", box((4, 1, 1), (0.4, 0.05, 0.02)) + steel)
    found = []
    for name, body, ties in (("coarse", "reduced_body: {name: bar, mesh: bar.E, material: bar.Steel, hexahedra: enhanced, modes: 2, "
                              "interfaces: [{group: bar.ROOT, node: root}]}", "[]"),
                             ("coarse_solid", SOLID.replace("material", "hexahedra: enhanced, material"), "[rigid_tie: {body: root, node: bar.ROOT}]")):
        m = write(name + ".yaml", "limber: 1\nmeshes: {bar: {file: coarse.inp}}\nnodes: {root: [0, 0, 0]}\n"
                  f"elements:\n  - {body}\njoints: {ties}\nmodes: {{count: 3}}\n")
        said = limber("modes", m)
        assert said.code == 0, said.err
        assert "6 rigid motions left out" in said.out
        rows = [line.split() for line in said.lines if "strain in bar" in line]
        found.append([float(row[1]) for row in rows])
    assert found[0] == pytest.approx(found[1], rel=0.025)


def errors(modes):
    """Of the frequencies of a bent bracket with two interfaces: free, with one and with both clamped."""
    found = []
    for hold in ("ROOT", None):
        said = limber("body", "bracket.inp", "--cells", "E", "-i", "ROOT", "-i", "TIP", "-m", str(modes), "--json", *(["--hold", hold] if hold else []))
        assert said.code == 0, said.err
        found += json.loads(said.out)["bodies"][0]["modes"][0 if hold else 1:]
    return [np.array(m["reduced"]) / np.array(m["mesh"]) - 1 for m in found]


# of the lowest four, 4 modes: free 5e-5, one end clamped 2e-5, both 3.6e-2; 20 modes: 8e-5, 1e-5, 2e-4; of all ten with 20 modes 2.6e-3
def test_more_modes_do_not_make_low_frequencies_worse():
    reduction.write_mesh("bracket.inp", 10, 2)
    few, many = errors(4), errors(20)
    for a, b in zip(few, many):
        assert np.all(b[:4] < np.maximum(a[:4], 3e-4))
        assert np.all(b < 5e-3)


def plate(cells, feet):
    """A plate of cells x cells with feet of one cell, whose corners are given."""
    sets = [f"*Nset, nset=F{f}\n" + "".join(f"{1 + x + i + (cells + 1) * (y + j + (cells + 1) * k)},\n" for i in (0, 1) for j in (0, 1) for k in (0, 1))
            for f, (x, y) in enumerate(feet)]
    write("plate.inp", box((cells, cells, 1), (0.3, 0.2, 0.02)) + "".join(sets) + steel)
    return [word for f in range(len(feet)) for word in ("-i", f"F{f}")]


# a plate on four feet; measured at most 2.6e-3 free, 4.9e-3 with all feet clamped
def test_a_body_with_four_interfaces_and_modes_has_the_frequencies_of_its_mesh():
    feet = plate(8, [(0, 0), (7, 0), (0, 7), (7, 7)])
    said = limber("body", "plate.inp", "--hexahedra", "enhanced", "--cells", "E", *feet, "-m", "8", "-c", "8", "--json")
    assert said.code == 0, said.err
    for m in json.loads(said.out)["bodies"][0]["modes"]:
        assert m["reduced"] == pytest.approx(m["mesh"], rel=6e-3)


def test_a_body_that_needs_too_many_points_is_refused():
    feet = plate(14, [(x, y) for x in (0, 4, 9, 13) for y in (0, 13)])
    said = limber("body", "plate.inp", "--cells", "E", *feet, "-m", "40")
    assert said.code == 2
    assert "96 points are too few for its interfaces and modes" in said.err


SPIN = """joints:
{ties}  - revolute: {{name: hub, nodes: [ground, root], axis: [0, 0, 1]}}
loads:
  - drive: {{joint: hub, rate: {{expression: omega}}}}
motion: {{angular_velocity: [0, 0, omega]}}
modes: {{count: 5}}
"""


# at 800 rad/s each of the five frequencies has grown by more than 20 %; measured 1.0e-4 and 2.5e-4
@pytest.mark.parametrize("omega", [100, 800])
def test_rotation_stiffens_the_body_as_it_stiffens_the_mesh(omega):
    found = []
    for name, body, ties in (("spin", REDUCED, ""), ("spin_solid", SOLID, TIES)):
        said = limber("modes", model(name + ".yaml", SPIN.format(ties=ties), body), "--set", f"let.omega={omega}")
        assert said.code == 0, said.err
        found.append(frequencies(said))
    assert found[0] == pytest.approx(found[1], rel=1e-3)
    grown = np.array(found[1]) / [21.74, 44.55, 135.86, 275.67, 379.02]
    assert grown.max() > 1.25 and (omega == 100 or grown.min() > 1.2)


FREE = """loads:
  - force: {{node: tip, direction: [500, 2000, 3000], amplitude: {{triangle: {{peak: 1, at: 1 ms, end: 2 ms}}}}}}
motion: {{angular_velocity: [30, 50, 70], velocity: [1, 2, 3]}}
probes: [{{node: tip}}]
run: {{scheme: {scheme}, step: 0.1 ms, end: {end} ms}}
"""


@pytest.mark.parametrize("scheme", ["preserving", "decaying", "decaying_c"])
def test_the_energy_of_a_body_in_free_flight_is_balanced(scheme):
    assert run(model(f"{scheme}.yaml", FREE.format(scheme=scheme, end=20)), f"{scheme}.h5").code == 0
    with h5py.File(f"{scheme}.h5") as f:
        energy, error = (np.array(f["history/ledger/" + k]) for k in ("kinetic", "residual"))
    assert np.abs(error).max() < 1e-12 * energy.max()  # measured 3e-14


def test_ranks_do_not_change_the_motion():
    m = model("ranks.yaml", FREE.format(scheme="decaying", end=5))
    for ranks in (1, 2):
        assert run(m, f"ranks{ranks}.h5", ranks=ranks).code == 0
    same_results("ranks1.h5", "ranks2.h5", 1e-8)


def test_each_mode_has_the_damping_that_is_written():
    body = REDUCED.replace("modes: 6", "modes: 6, damping: 3 %")
    said = limber("modes", model("damped.yaml", "modes: {count: 12}\n", body), "-o", "damped.h5")
    assert said.code == 0, said.err
    ratios = [float(line.split()[2]) for line in said.lines if line.split()[:1] and line.split()[0].isdigit() and "." in line.split()[1]]
    assert ratios[:3] == pytest.approx([3, 3, 3], rel=0.05)  # frames carry a part of the mass


CRANK = """limber: 1
let: {{r: 0.15, W: 60, T: 20 ms}}
meshes: {{bar: {{file: beam.inp, at: [r, 0, 0]}}}}
nodes: {{crank: [0, 0, 0], root: [r, 0, 0], tip: [r + 1, 0, 0], slider: [r + 1, 0, 0]}}
elements:
  - rigid_body: {{node: crank, mass: 2, inertia: [0.01, 0.01, 0.01]}}
  - rigid_body: {{node: slider, mass: 1, inertia: [0.01, 0.01, 0.01]}}
  - {body}
joints:
{ties}  - revolute: {{name: shaft, nodes: [ground, crank], axis: [0, 0, 1]}}
  - revolute: {{name: pin, nodes: [crank, root], axis: [0, 0, 1], at: [r, 0, 0]}}
  - spherical: {{name: wrist, nodes: [slider, tip]}}
  - prismatic: {{name: guide, nodes: [ground, slider], axis: [1, 0, 0]}}
loads:
  - drive: {{joint: shaft, rate: {{expression: "W*(1 - cos(pi*t/T))/2"}}}}
probes:
  - {{name: pin, joint: pin, record: [force]}}
  - {{name: root, node: root, record: [rotation]}}
  - {{name: tip, node: tip, record: [rotation]}}
run: {{scheme: decaying, step: 0.2 ms, end: 40 ms}}
"""


def test_the_rod_of_a_slider_crank_bends_and_pulls_as_the_solid_does():
    found = {}
    for name, body, ties in (("rod", REDUCED, ""), ("rod_solid", SOLID, TIES)):
        assert run(write(name + ".yaml", CRANK.format(body=body, ties=ties)), name + ".h5").code == 0
        with h5py.File(name + ".h5") as f:
            p = f["history/probes"]
            found[name] = np.array(p["pin/force"]), np.array(p["tip/rotation"])[:, 2] - np.array(p["root/rotation"])[:, 2]
    for a, b, limit in zip(found["rod"], found["rod_solid"], (0.01, 0.01)):
        assert np.abs(a - b).max() < limit * np.abs(b).max()


AVERAGE = """limber: 1
meshes: {{bar: {{file: short.inp}}}}
nodes: {{root: {{at: [0, 0.025, 0.02], kind: fixed}}, tip: [0.5, 0.025, 0.02]}}
elements:
  - reduced_body: {{name: bar, mesh: bar.E, material: bar.Steel, modes: {modes},
                   interfaces: [{{group: bar.ROOT, node: root}}, {{group: bar.TIP, node: tip, kind: averaging}}]}}
{more}
"""


# CalculiX 2.20: *DISTRIBUTING COUPLING with the weights 1, 2 and 4 of the nodes for forces, whose means are given here; *COUPLING with
# *DISTRIBUTING for moments. Measured 1.1e-3 and 2e-4
@pytest.mark.parametrize("load, displacement, rotation", [
    ("force: {node: tip, direction: [1000, 2000, 3000]}", (1.17956e-6, 6.63573e-4, 1.342473e-3), (0, -4.03021e-3, 1.98880e-3)),
    ("moment: {node: tip, direction: [50, 70, 90]}", (0, 8.94959e-5, -9.40384e-5), (4.7514e-4, 3.7801e-4, 3.6001e-4)),
])
def test_loads_on_an_averaging_interface_are_distributed_as_in_calculix(load, displacement, rotation):
    write("short.inp", box((10, 2, 2), (0.5, 0.05, 0.04)) + steel)
    m = write("average.yaml", AVERAGE.format(modes=0, more=f"loads: [{load}]\nprobes: [{{node: tip}}]\nstatic: {{}}"))
    said = limber("static", m, "-o", "average.h5")
    assert said.code == 0, said.err
    with h5py.File("average.h5") as f:
        u, r = (np.array(f["history/probes/tip/" + k])[-1] for k in ("displacement", "rotation"))
    assert np.abs(u[1:] - displacement[1:]).max() < 2e-3 * np.abs(displacement[1:]).max()
    assert np.abs(r - rotation).max() < 2e-3 * np.abs(rotation).max()


def test_a_body_with_an_averaging_interface_flies_freely():
    write("short.inp", box((10, 2, 2), (0.5, 0.05, 0.04)) + steel)
    more = FREE.format(scheme="preserving", end=5)
    m = write("flies.yaml", AVERAGE.format(modes=0, more=more).replace(", kind: fixed", ""))
    for ranks in (1, 2):
        assert run(m, f"flies{ranks}.h5", ranks=ranks).code == 0
    same_results("flies1.h5", "flies2.h5", 1e-8)
    with h5py.File("flies1.h5") as f:
        energy, error = (np.array(f["history/ledger/" + k]) for k in ("kinetic", "residual"))
    assert np.abs(error).max() < 1e-12 * energy.max()


# both with the interface held, from `limber body`: an averaging one leaves the section free to deform. Measured 4e-3, 2 modes
def test_frequencies_with_an_averaging_interface_held():
    write("short.inp", box((10, 2, 2), (0.5, 0.05, 0.04)) + steel)
    said = limber("body", "short.inp", "-i", "ROOT", "--averaging", "TIP", "-m", "2", "-c", "3", "--json")
    assert said.code == 0, said.err
    b = json.loads(said.out)["bodies"][0]
    assert [i["averaging"] for i in b["interfaces"]] == [False, True]
    for s in b["modes"]:
        assert s["reduced"] == pytest.approx(s["mesh"], rel=1e-2)


@pytest.mark.parametrize("body, message", [
    (REDUCED.replace("bar.TIP", "bar.TOP"), "mesh 'bar' has no set or surface 'TOP'; did you mean 'TIP'?"),
    (REDUCED.replace("bar.TIP", "bar.EDGE"), "the nodes of an interface are one point or lie on one line"),
    (REDUCED.replace("bar.TIP", "bar.ROOT"), "two of its interfaces have a node in common"),
    (REDUCED.replace("node: tip", "node: root"), "two of its interfaces have the same `node`"),
    (REDUCED.replace("modes: 6", "modes: 100"), "`modes` must be 0 to 40"),
    (REDUCED.replace("modes: 6", "damping: 2"), "`damping` is a fraction of critical damping"),
    (REDUCED.replace("mesh: bar.E", "mesh: bar.F"), "mesh 'bar' has no set or surface of volumes 'F'; it has E"),
])
def test_mistakes_are_told(body, message):
    said = limber("check", model("wrong.yaml", "run: {step: 1 ms, end: 1 ms}\n", body))
    assert said.code == 2
    assert message in said.err
