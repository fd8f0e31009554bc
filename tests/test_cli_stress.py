# SPDX-License-Identifier: Apache-2.0
"""Stresses of beams whose sections are solved on a mesh: the largest along a beam, and gauges."""
import os

import numpy as np
import pytest

from support import count, h5, limber, run, write

BAR = """limber: 1
nodes: {{A: [0, 0, 0], T: [1, 0, 0]}}
sections: {{bar: {{E: 70 GPa, nu: 0.3, density: 2700, {shape}, solve: true}}}}
elements: [{{beam: {{name: arm, from: A, to: T, elements: 4, section: bar, up: [0, 1, 0]}}}}]
joints: [{{clamp: {{node: A}}}}]
loads: {loads}
probes:
- {{name: strength, stress: arm}}
- {{name: mid, element: arm, at: 0.5, record: [von_mises, force]}}
"""
WIDTH, HEIGHT = 0.02, 0.04
RECTANGLE = "rectangle: [20 mm, 40 mm]"


def last(results):
    with h5(results) as f:
        probes = f["history/probes"]
        return {f"{p}.{q}": probes[p][q][-1] for p in probes for q in probes[p]}


def static(name, model, *words):
    write(name + ".yaml", model)
    said = limber("static", name + ".yaml", "-o", name + ".h5", *words)
    assert said.code == 0, said.err + said.out
    return said, last(name + ".h5")


def bar(name, kind, direction, amplitude, shape=RECTANGLE):
    return static(name, BAR.format(shape=shape, loads="[{%s: {name: push, node: T, direction: %s, amplitude: %g}}]" % (
        kind, direction, amplitude)))


# ---- closed forms ----
def test_bending_is_that_of_the_outermost_fibre_at_the_root():
    for direction, across, along, place in ([0, 0, 1], HEIGHT, WIDTH, 3), ([0, 1, 0], WIDTH, HEIGHT, 2):
        said, at = bar("bend", "force", direction, 10)
        stress = 10 / (along * across**2 / 6)
        largest = at["strength.von_mises"]
        assert abs(largest[0] / stress - 1) < 1e-5  # measured: 3e-6
        assert largest[1] == 0
        assert abs(abs(largest[place]) - across / 2) < 1e-12
        # under the forces there
        assert np.abs(np.abs(largest[5:]) - np.abs([0, *(10 * np.array(direction[1:])), 0, *(10 * np.array(direction[:0:-1]))])).max() < 1e-3
        assert abs(at["mid.von_mises"][0] / (stress / 2) - 1) < 1e-4  # measured: 7e-6, of shear in the corner cells
        assert "largest von Mises stress of 'strength': %.6g Pa at load factor 1; beam 'arm', 0 of its length, y = " % largest[0] in said.out


def test_torsion_of_a_round_rod_is_sqrt_3_times_its_shear():
    _, at = bar("rod", "moment", [1, 0, 0], 3, shape="circle: {diameter: 30 mm}")
    assert abs(at["strength.von_mises"][0] / (np.sqrt(3) * 16 * 3 / (np.pi * 0.03**3)) - 1) < 2e-3  # of the mesh
    assert abs(np.hypot(*at["strength.von_mises"][2:4]) - 0.015) < 1e-9


def test_a_pulled_bar_has_the_same_stress_everywhere():
    _, at = bar("pull", "force", [1, 0, 0], 1000)
    assert abs(at["strength.von_mises"][0] / (1000 / (WIDTH * HEIGHT)) - 1) < 1e-4  # Green's strain
    assert at["strength.von_mises"][1] == 0  # of equals the first


# ---- plies ----
PLY = {"E": [140e9, 10e9, 10e9], "nu": [0.3, 0.3, 0.4], "G": [5e9, 5e9, 3.5e9]}
STACK = [30, 90, 90, 30]  # degrees, from the lowest
THICK, WIDE = 0.25e-3, 40e-3
STRENGTH = dict(Xt=1500e6, Xc=1200e6, Yt=50e6, Yc=200e6, S=70e6)


def strip_mesh(path):
    """A strip of plies along y, stacked along z: quadrilaterals of 9 nodes, a group for each ply."""
    columns, per_ply = 80, 2
    rows = per_ply * len(STACK)
    y, z = np.linspace(-WIDE / 2, WIDE / 2, 2 * columns + 1), np.linspace(-len(STACK) / 2, len(STACK) / 2, 2 * rows + 1) * THICK
    node = {(i, j): 1 + i + j * len(y) for j in range(len(z)) for i in range(len(y))}
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(STACK))]
    lines += [f'2 {k + 1} "ply{k}"' for k in range(len(STACK))] + ["$EndPhysicalNames", "$Nodes", str(len(node))]
    lines += ["%d %.17g %.17g 0" % (n, y[i], z[j]) for (i, j), n in node.items()] + ["$EndNodes", "$Elements", str(columns * rows)]
    place = [(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1), (1, 1)]
    for r in range(rows):
        for c in range(columns):
            ids = " ".join(str(node[2 * c + a, 2 * r + b]) for a, b in place)
            lines.append(f"{1 + c + r * columns} 10 2 {r // per_ply + 1} {r // per_ply + 1} {ids}")
    write(path, "\n".join(lines + ["$EndElements", ""]))


def laminate(forces):
    """Classical lamination theory: stresses along and across the fibres at the top and bottom of each ply, under Nx, Ny, Nxy,
    Mx, My, Mxy per width."""
    E1, E2, nu, G = PLY["E"][0], PLY["E"][1], PLY["nu"][0], PLY["G"][0]
    d = 1 - nu**2 * E2 / E1
    Q = np.array([[E1 / d, nu * E2 / d, 0], [nu * E2 / d, E2 / d, 0], [0, 0, G]])
    z = (np.arange(len(STACK) + 1) - len(STACK) / 2) * THICK
    turned, abd = [], np.zeros((6, 6))
    for k, degrees in enumerate(STACK):
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        T = np.array([[c * c, s * s, 2 * c * s], [s * s, c * c, -2 * c * s], [-c * s, c * s, c * c - s * s]])  # stresses to ply axes
        R = np.diag([1, 1, 2])
        turned.append((T, np.linalg.inv(T) @ Q @ R @ T @ np.linalg.inv(R)))
        for n, block in enumerate([(0, 0), (0, 3), (3, 0), (3, 3)]):
            order = [1, 2, 2, 3][n]
            abd[block[0]:block[0] + 3, block[1]:block[1] + 3] += turned[k][1] * (z[k + 1]**order - z[k]**order) / order
    strain = np.linalg.solve(abd, forces)
    return [[T @ Qk @ (strain[:3] + zz * strain[3:]) for zz in (z[k], z[k + 1])] for k, (T, Qk) in enumerate(turned)]


STRIP = """limber: 1
nodes: {{A: [0, 0, 0], T: [1, 0, 0]}}
materials:
  carbon: {{E: [140 GPa, 10 GPa, 10 GPa], nu: [0.3, 0.3, 0.4], G: [5 GPa, 5 GPa, 3.5 GPa], density: 1600,
           strength: {{Xt: 1500 MPa, Xc: 1200 MPa, Yt: 50 MPa, Yc: 200 MPa, S: 70 MPa}}}}
sections:
  strip: {{mesh: {{file: strip.msh, materials: {{{groups}}}}}}}
elements: [{{beam: {{name: arm, from: A, to: T, elements: 2, section: strip, up: [0, 1, 0]}}}}]
joints: [{{clamp: {{node: A}}}}]
loads: [{{{load}}}]
probes:
- {{name: strength, stress: arm}}
{gauges}
"""


@pytest.mark.parametrize("load,forces", [("force: {name: pull, node: T, direction: [1, 0, 0], amplitude: 10}", [10 / WIDE, 0, 0, 0, 0, 0]),
                                         ("moment: {name: bend, node: T, direction: [0, 1, 0], amplitude: 0.001}", [0, 0, 0, 0.001 / WIDE, 0, 0])])
def test_stresses_of_plies_are_those_of_lamination_theory(load, forces):
    strip_mesh("strip.msh")
    places = [((k - len(STACK) / 2 + part) * THICK) for k in range(len(STACK)) for part in (0.1, 0.9)]
    gauges = "\n".join("- {name: g%d, element: arm, at: 0.5, gauge: [0.001, %.17g]}" % (i, z) for i, z in enumerate(places))
    groups = ", ".join("ply%d: {material: carbon, angle: %d deg}" % (k, a) for k, a in enumerate(STACK))
    _, at = static("strip", STRIP.format(groups=groups, load=load, gauges=gauges))
    plies = laminate(np.array(forces))
    scale = max(np.abs(p).max() for p in plies)
    worst = 0
    for k in range(len(STACK)):
        for i, part in enumerate((0.1, 0.9)):
            expected = (1 - part) * plies[k][0] + part * plies[k][1]
            found = at[f"g{2 * k + i}.ply_stress"]
            worst = max(worst, np.abs(found[[0, 1, 5]] - expected).max() / scale, np.abs(found[2:5]).max() / scale)
    assert worst < 5e-3  # measured: 3.4e-3 and 5e-4; a layer as wide as the strip is thick, at its free edges, carries less
    X, Y = np.sqrt(STRENGTH["Xt"] * STRENGTH["Xc"]), np.sqrt(STRENGTH["Yt"] * STRENGTH["Yc"])
    linear = 1 / STRENGTH["Xt"] - 1 / STRENGTH["Xc"], 1 / STRENGTH["Yt"] - 1 / STRENGTH["Yc"]
    index = max(a * linear[0] + b * linear[1] + (a / X)**2 + (b / Y)**2 + (c / STRENGTH["S"])**2 - a * b / (X * Y)
                for ply in plies for a, b, c in ply)
    assert at["strength.tsai_wu"][0] > 0.99 * index > 0  # at the free edges it may be larger


# ---- runs ----
WING = """limber: 1
title: Wing
nodes: {A: [0, 0, 0], T: [1, 0, 0]}
materials: {alu: {E: 70 GPa, nu: 0.3, density: 2700, strength: {Xt: 300 MPa, Xc: 300 MPa, Yt: 300 MPa, Yc: 300 MPa, S: 170 MPa}}}
sections:
  bar:
      - {at: 0, material: alu, box: {width: 60 mm, height: 20 mm, thickness: 2 mm}, solve: true, cells: 2}
      - {at: 1, material: alu, box: {width: 30 mm, height: 10 mm, thickness: 2 mm}, solve: true, cells: 2}
elements: [{beam: {name: arm, from: A, to: T, elements: 4, section: bar, up: [0, 1, 0]}}]
joints: [{clamp: {node: A}}]
functions: {knock: {sine: {amplitude: 80, frequency: 15 Hz}}}
loads: [{force: {name: push, node: T, direction: [0, 0.3, 1], amplitude: knock}}]
probes:
- {name: strength, stress: arm}
- {name: root, element: arm, at: 0, record: [von_mises, tsai_wu], extremes: [von_mises]}
run: {step: 1 ms, end: 0.1 s, every: 7}
"""


def histories(results):
    with h5(results) as f:
        probes = f["history/probes"]
        out = {f"{p}.{q}": probes[p][q][:] for p in probes for q in probes[p]}
        out.update({f"extremes.{p}": f["extremes"][p][:] for p in f["extremes"]})
        return out, f.attrs["remarks"]


def test_a_run_tells_the_largest_of_all_steps_with_time_and_place():
    write("wing.yaml", WING)
    said = limber("run", "wing.yaml", "-o", "wing.h5")
    assert said.code == 0, said.err
    rows, remarks = histories("wing.h5")
    every = limber("run", "wing.yaml", "-q", "-o", "every.h5", "--set", "run.every=1")
    assert every.code == 0
    all_rows, _ = histories("every.h5")
    extremes = rows["extremes.strength"]
    for quantity, first in ("von_mises", 0), ("tsai_wu", 11):
        top = int(np.argmax(all_rows[f"strength.{quantity}"][:, 0]))
        assert np.array_equal(extremes[first:first + 11, 2], all_rows[f"strength.{quantity}"][top])  # value, place and forces
        assert abs(extremes[first, 3] - 0.001 * top) < 1e-12
    lines = remarks.strip().split("\n")
    assert lines == [line[14:] for line in said.lines if line.startswith("  stress")]
    assert lines[0].startswith("largest von Mises stress of 'strength': %.6g Pa at t = %.6g s; beam 'arm', %.4g of its length, y = " % (
        extremes[0, 2], extremes[0, 3], extremes[1, 2]))
    assert lines[1].startswith("largest Tsai-Wu index of 'strength': %.6g at t = " % extremes[11, 2])
    assert np.array_equal(rows["root.von_mises"][:, 0] <= rows["strength.von_mises"][:, 0], [True] * len(rows["root.von_mises"]))
    report = limber("report", "wing.h5", "-o", "wing.html")
    assert report.code == 0 and count("largest Tsai-Wu index of", open("wing.html").read()) == 1


def test_one_rank_and_two_give_the_same_bits():
    write("wing.yaml", WING)
    run("wing.yaml", "one.h5")
    run("wing.yaml", "two.h5", ranks=2)
    one, two = histories("one.h5"), histories("two.h5")
    assert one[1] == two[1]
    assert all(np.array_equal(one[0][key], two[0][key]) for key in one[0])


def test_a_run_resumes_to_the_same_bits():
    write("wing.yaml", WING)
    run("wing.yaml", "whole.h5")
    run("wing.yaml", "parts.h5", "--set", "run.end=0.049 s")
    said = limber("resume", "parts.h5", "--end", "0.1s", "-q")
    assert said.code == 0, said.err
    whole, parts = histories("whole.h5"), histories("parts.h5")
    assert whole[1] == parts[1]
    assert all(np.array_equal(whole[0][key], parts[0][key]) for key in whole[0])


def test_between_stations_it_is_that_of_the_strains_there():
    stations = "[{{at: 0, %s, solve: true}}, {{at: 1, %s, solve: true}}]"
    own = "E: 70 GPa, nu: 0.3, density: 2700, rectangle: "
    model = BAR.replace("{{E: 70 GPa, nu: 0.3, density: 2700, {shape}, solve: true}}", stations % (own + "[20 mm, 40 mm]", own + "[20 mm, 20 mm]"))
    gauge = "- {{name: gauge, element: arm, at: 0.3, gauge: [0, 10 mm]}}\n"
    _, at = static("taper", (model + gauge).format(loads="[{force: {name: push, node: T, direction: [0, 0, 1], amplitude: 1}}]"))
    second = [0.02 * height**3 / 12 for height in (0.04, 0.02)]  # the stiffness changes in a straight line
    assert abs(at["mid.von_mises"][0] / (0.5 / np.mean(second) * 0.015) - 1) < 1e-4
    assert abs(at["gauge.stress"][0] / (-0.7 / (0.7 * second[0] + 0.3 * second[1]) * 0.01) - 1) < 1e-4
    assert at["strength.von_mises"][0] > at["mid.von_mises"][0]


def test_verify_compares_stresses():
    os.makedirs("examples/arm", exist_ok=True)
    write("examples/arm/arm.yaml", BAR.format(shape=RECTANGLE, loads="[{force: {name: push, node: T, direction: [0, 0, 1], amplitude: 10}}]"))
    write("examples/arm/expected.yaml", """limber: 1
title: Arm
seconds: 1
runs: {arm: {model: arm.yaml, command: static}}
quantities:
  - {name: largest stress, column: strength.von_mises.max, at: 1, reference: 10*6/(0.02*0.04^2), source: bending, relative: 1e-5}
  - {name: where, column: strength.von_mises.at, at: 1, reference: 0, source: bending, absolute: 1e-9}
""")
    said = limber("verify", "examples/arm")
    assert said.code == 0, said.out + said.err


# ---- pictures ----
def test_stresses_over_the_section_are_drawn():
    write("wing.yaml", WING)
    run("wing.yaml", "wing.h5")
    for word, name in ("strength", "von Mises stress [MPa]"), ("strength.tsai_wu", "Tsai-Wu index"):
        said = limber("plot", "wing.h5", "--stress", word, "-o", "stress.svg")
        assert (said.code, said.out) == (0, "stress.svg"), said.err
        svg = open("stress.svg").read()
        assert name in svg and "strength: " in svg and svg.count("<path") > 20
    assert limber("plot", "wing.h5", "--stress", "strength", "--script").out.count("with filledcurves closed") > 10
    said = limber("plot", "wing.h5", "--stress", "root")
    assert (said.code, said.err) == (2, "limber plot: 'root' is not of a probe `stress` along a beam")
    assert limber("plot", "wing.h5", "--stress", "strngth").err == (
        "limber plot: wing.h5 has no column 'strngth.von_mises'; there are time, ledger, steps, root, strength")
    assert limber("plot", "wing.h5", "--stress").code == 2


# ---- mistakes ----
def refused(old, new):
    model = BAR.format(shape=RECTANGLE, loads="[]").replace(old, new)
    assert model != BAR.format(shape=RECTANGLE, loads="[]")
    write("wrong.yaml", model)
    said = limber("check", "wrong.yaml")
    assert said.code == 2
    return said.err


def test_a_section_without_a_mesh_is_told_with_the_cure():
    said = refused(", solve: true", "")
    cure = ("section 'bar' of beam 'arm' has no mesh, so that it has no stresses; give it a shape with `solve: true`, a `mesh` or a `layup`")
    assert f"wrong.yaml:8:28: error: {cure}" in said and f"wrong.yaml:9:47: error: {cure}" in said


def test_an_index_needs_strengths():
    assert "no material of section 'bar' of beam 'arm' has a `strength`, which Tsai-Wu's index needs" in refused("stress: arm", "stress: arm, record: tsai_wu")


def test_a_gauge_lies_in_the_section():
    assert "the gauge lies outside of the section there" in refused("at: 0.5,", "at: 0.5, gauge: [11 mm, 0],")
    assert "'gauge' is for the probe of a position `at` along a beam" in refused("at: 0.5, record: [von_mises, force]", "point: 0, gauge: [0, 0]")
