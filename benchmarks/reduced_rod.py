#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""reduced_rod.py [--csv FILE] [--steps N] [CELLS_ALONG [CELLS_ACROSS]]: the rod of a slider crank that reaches 3000 rpm in 20 ms and turns once more, as a reduced body
and as the solid of the same mesh. Writes a table: unknowns, seconds of one processor of the whole run and of its start alone, and the largest differences of axial
force, force across, bending (relative rotation of the ends) and of the von Mises stress in five cells, each over the largest value of the solid. Then the reduced
rod of a coarse mesh in free flight over N (100 000) steps: the largest energy balance error over the energy. CELLS_ALONG 0: the flight alone. $LIMBER is the program."""
import argparse
import csv
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

LENGTH, HIGH, WIDE = 0.15, 0.02, 0.01
RADIUS, SPEED, TURN = 0.04, 314.159265, 0.02  # m, rad/s, s
MATERIAL = "*Material, name=Steel\n*Density\n 7850.,\n*Elastic\n 210e9, 0.3\n*Solid Section, elset=E, material=Steel\n"

MODEL = """limber: 1
let: {{r: {radius}, l: {length}, W: {speed}, T: {turn}}}
meshes: {{rod: {{file: rod.inp, at: [r, 0, 0]}}}}
nodes:
  crank: {{at: [0, 0, 0], kind: frame}}
  big: {{at: [r, 0, 0], kind: frame}}
  small: {{at: [r + l, 0, 0], kind: frame}}
  slider: {{at: [r + l, 0, 0], kind: frame}}
elements:
  - rigid_body: {{node: crank, mass: 2, inertia: [0.01, 0.01, 0.01]}}
  - rigid_body: {{node: slider, mass: 0.5, inertia: [0.001, 0.001, 0.001]}}
  - {body}
joints:
{ties}  - revolute: {{name: shaft, nodes: [ground, crank], axis: [0, 0, 1]}}
  - revolute: {{name: pin, nodes: [crank, big], axis: [0, 0, 1], at: [r, 0, 0]}}
  - spherical: {{name: wrist, nodes: [slider, small]}}
  - prismatic: {{name: guide, nodes: [ground, slider], axis: [1, 0, 0]}}
loads:
  - drive: {{joint: shaft, rate: {{expression: "W*(1 - cos(pi*min(t, T)/T))/2"}}}}
probes:
  - {{name: pin, joint: pin, record: [force]}}
  - {{name: big, node: big, record: [position, rotation]}}
  - {{name: small, node: small, record: [position, rotation]}}
run: {{scheme: decaying, step: {step}, end: {end}, snapshots: 1 ms}}
"""
REDUCED = ("reduced_body: {name: rod, mesh: rod.E, material: rod.Steel, hexahedra: enhanced, modes: 6, "
           "interfaces: [{group: rod.BIG, node: big}, {group: rod.SMALL, node: small}]}")
SOLID = "solid: {name: rod, mesh: rod.E, material: rod.Steel, hexahedra: enhanced}"
TIES = "  - rigid_tie: {body: big, node: rod.BIG}\n  - rigid_tie: {body: small, node: rod.SMALL}\n"
FREE = """limber: 1
meshes: {rod: {file: rod.inp}}
elements:
  - reduced_body: {name: rod, mesh: rod.E, material: rod.Steel, hexahedra: enhanced, modes: 4}
motion: {angular_velocity: [100, 300, 200], velocity: [1, 2, 3]}
run: {scheme: preserving, step: 10 us, end: {steps} us, every: 100}
"""


def write_mesh(along, across):
    n = along, across, across // 2
    number = {at: i + 1 for i, at in enumerate(itertools.product(*(range(m + 1) for m in n)))}
    corner = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    with open("rod.inp", "w") as f:
        f.write("*Node, nset=All\n")
        for (i, j, k), m in number.items():
            f.write("%d, %.12g, %.12g, %.12g\n" % (m, LENGTH * i / n[0], HIGH * (j / n[1] - 0.5), WIDE * (k / n[2] - 0.5)))
        f.write("*Element, type=C3D8, elset=E\n")
        for m, (i, j, k) in enumerate(itertools.product(*(range(c) for c in n))):
            f.write("%d, " % (m + 1) + ", ".join(str(number[i + a, j + b, k + c]) for a, b, c in corner) + "\n")
        for name, end in (("BIG", 0), ("SMALL", along)):
            f.write("*Nset, nset=%s\n" % name + "".join("%d,\n" % m for at, m in number.items() if at[0] == end))
        f.write(MATERIAL)
    return len(number)


def run(model, out, *words):
    """CPU seconds."""
    with subprocess.Popen([os.environ.get("LIMBER", "limber"), "run", model, "-q", "-o", out, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as p:
        said = p.stdout.read()
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode:
        sys.exit(said)
    return used.ru_utime + used.ru_stime


def von_mises(s):
    a, b, c, d, e, f = np.moveaxis(s, -1, 0)
    return np.sqrt(0.5 * ((a - b)**2 + (b - c)**2 + (c - a)**2) + 3 * (d**2 + e**2 + f**2))


def histories(path, cells, five):
    """Along the rod and across it: force at the pin; bending; von Mises stress of five cells."""
    with h5py.File(path) as f:
        p = f["history/probes"]
        force, big, small = (np.array(p[k]) for k in ("pin/force", "big/position", "small/position"))
        along = (small - big) / np.linalg.norm(small - big, axis=1)[:, None]
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)
        bending = np.array(p["small/rotation"])[:, 2] - np.array(p["big/rotation"])[:, 2]
        stress = f["VTKHDF/CellData/force"][:].reshape(-1, int(f["VTKHDF/NumberOfCells"][0]), 6)[:, :cells]
        return {"axial force": (force * along).sum(axis=1), "force across": (force[:, :2] * across).sum(axis=1), "bending": np.unwrap(bending),
                "stress in five cells": von_mises(stress)[:, five]}


def crank(along, across):
    """Rows of the table, of the slider crank."""
    rows, found, cost = [], {}, {}
    nodes, cells = write_mesh(along, across), along * across * (across // 2)
    five = [(along * k // 6 * across + (across - 1) * (k % 2)) * (across // 2) for k in (1, 2, 3, 4, 5)]
    for name, body, ties in (("reduced", REDUCED, ""), ("solid", SOLID, TIES)):
        pathlib.Path(f"{name}.yaml").write_text(MODEL.format(radius=RADIUS, length=LENGTH, speed=SPEED, turn=TURN, body=body, ties=ties, step="0.2 ms",
                                                             end="40 ms"))
        whole, start = run(f"{name}.yaml", f"{name}.h5"), run(f"{name}.yaml", "start.h5", "--set", "run.end=0.2 ms")
        cost[name] = whole - start
        rows += [(f"CPU s, {name}", f"{whole:.3g}"), (f"CPU s of reading and start, {name}", f"{start:.3g}")]
        found[name] = histories(f"{name}.h5", cells, five)
        print(rows[-2:], flush=True)
    rows = [("nodes of the mesh", nodes), *rows, ("CPU of 200 steps, solid / reduced", f"{cost['solid'] / cost['reduced']:.3g}")]
    for name, exact in found["solid"].items():
        rows.append((f"{name}: largest of the solid", f"{np.abs(exact).max():.6g}"))
        rows.append((f"{name}: largest difference %", f"{100 * np.abs(found['reduced'][name] - exact).max() / np.abs(exact).max():.3g}"))
    return rows


def main():
    parse = argparse.ArgumentParser(description=__doc__)
    parse.add_argument("--csv")
    parse.add_argument("--steps", type=int, default=100000)
    parse.add_argument("along", nargs="?", type=int, default=48)
    parse.add_argument("across", nargs="?", type=int, default=8)
    a = parse.parse_args()
    rows = []
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    here = pathlib.Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if a.along:
            rows += crank(a.along, a.across)
        if a.steps:
            pathlib.Path("free.yaml").write_text(FREE.replace("{steps}", str(10 * a.steps)))
            write_mesh(12, 4)
            run("free.yaml", "free.h5")
            with h5py.File("free.h5") as f:
                energy, strain, error = (np.array(f["history/ledger/" + k]) for k in ("kinetic", "strain", "residual"))
            rows += [("free flight: largest kinetic energy, J", f"{energy.max():.4g}"), ("free flight: largest strain energy, J", f"{strain.max():.3g}")]
            rows.append((f"balance error of {a.steps} steps over the energy", f"{np.abs(error).max() / energy.max():.2g}"))
    with open(here / a.csv, "w") if a.csv else sys.stdout as f:
        csv.writer(f, lineterminator="\n").writerows([("quantity", "value"), *rows])


if __name__ == "__main__":
    main()
