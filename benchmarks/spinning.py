#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What turning costs: the energy of rotation that a scheme takes in the first turn, and in each of the next.

    benchmarks/spinning.py [--limber COMMAND] [--csv FILE]

A rod of frames, a rigid body of points, an elastic body of points, a block of solid cells and a ring of bars turn at
1 rad/s about z, free or held by a hinge or a pivot, with omega h = 0.05 and 0.2."""
import argparse
import csv
import os
import subprocess
import sys
import tempfile

import h5py
import numpy

TURNS = 4
BAR = "{nodes: [%s, %s], stiffness: 1e6, mass: 0.2}"


def frame(held):
    joint = "joints: [revolute: {nodes: [ground, B], axis: [0, 0, 1], at: [-0.5, 0, 0]}]\n" if held else ""
    velocity = "[0, 0.5, 0]" if held else "[0, 0, 0]"
    return "nodes: {B: {at: [0, 0, 0], velocity: %s, angular_velocity: [0, 0, 1]}}\n" \
           "elements: [rigid_body: {node: B, mass: 1, inertia: [0.01, 0.08, 0.09]}]\n%s" % (velocity, joint)


def beam(held):
    joint = "joints: [revolute: {nodes: [ground, rod.start], axis: [0, 0, 1]}]\n" if held else ""
    return "sections: {s: {E: 1 GPa, nu: 0.3, density: 1000, circle: {diameter: 50 mm}}}\n" \
           "elements: [beam: {name: rod, start: [%g, 0, 0], end: [%g, 0, 0], section: s, elements: 4}]\n" \
           "%smotion: {angular_velocity: [0, 0, 1]}\n" % (0 if held else -0.5, 1 if held else 0.5, joint)


def points(extra):
    def model(held):
        joint = "joints: [revolute: {nodes: [ground, B], axis: [0, 0, 1], at: [0, 0, 0]}]\n" if held else ""
        x = 0.5 if held else 0
        return "elements: [simplex_body: {name: B, centre: [%g, 0, 0], mass: 1, box: [0.4, 0.3, 0.2], " \
               "velocity: [0, %g, 0], angular_velocity: [0, 0, 1]%s}]\n%s" % (x, x, extra, joint)
    return model


def solid(held):
    start = 0 if held else -0.5
    names, nodes, cells = {}, [], []
    for i in range(5):
        for j in range(2):
            for k in range(2):
                names[i, j, k] = name = "n%d%d%d" % (i, j, k)
                x, y, z = start + 0.25 * i, 0.2 * j - 0.1, 0.2 * k - 0.1
                nodes.append("  %s: {at: [%g, %g, %g], kind: point, velocity: [%g, %g, 0]}" % (name, x, y, z, -y, x))
    for i in range(4):
        corners = [(i, 0, 0), (i + 1, 0, 0), (i + 1, 1, 0), (i, 1, 0)]
        cells.append("{hexahedron: [%s]}" % ", ".join(
            [names[c] for c in corners] + [names[a, b, 1] for a, b, _ in corners]))
    joints = "joints:\n" + "".join("  - distance: {nodes: [ground, %s], from: [0, 0, %g]}\n" % (names[0, j, k], 0.2 * k - 0.1)
                                   for j in range(2) for k in range(2)) if held else ""
    return "nodes:\n%s\nmaterials: {m: {E: 10 MPa, nu: 0.3, density: 1000}}\n" \
           "elements: [solid: {name: block, mesh: [%s], material: m}]\n%s" % ("\n".join(nodes), ", ".join(cells), joints)


def bars(held):
    n = 6
    place = [(numpy.cos(2 * numpy.pi * i / n), numpy.sin(2 * numpy.pi * i / n)) for i in range(n)]
    nodes = ["  p%d: {at: [%.15g, %.15g, 0], kind: point, velocity: [%.15g, %.15g, 0]}" % (i, x, y, -y, x)
             for i, (x, y) in enumerate(place)]
    nodes.append("  c: {at: [0, 0, 0], kind: %s}" % ("fixed" if held else "point"))
    items = ["  - bar: " + BAR % ("p%d" % i, "p%d" % ((i + 1) % n)) for i in range(n)]
    items += ["  - bar: " + BAR % ("c", "p%d" % i) for i in range(n)]
    return "nodes:\n%s\nelements:\n%s\n" % ("\n".join(nodes), "\n".join(items))


BODIES = [("frame", frame), ("beam", beam), ("points, rigid", points("")),
          ("points, elastic", points(", stiffness: 1e7, nu: 0.3")), ("solid cells", solid), ("bars", bars)]
SCHEMES = [("decaying", 0.5), ("decaying_c", 0.5), ("decaying_a", 0), ("generalized_alpha", 0.5)]


def losses(command, model, scheme, rho, turn):
    """Shares of the energy of the start that the first turn and each of the later ones take; the residual of the balance."""
    steps = round(2 * numpy.pi / turn)
    run = "run: {scheme: %s, rho_inf: %g, step: %.17g, end: %.17g, snapshots: 0}\n" % (
        scheme, rho, turn, turn * steps * TURNS)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m")
        with open(path + ".yaml", "w") as out:
            out.write("limber: 1\n" + model + run)
        done = subprocess.run([command, "run", path + ".yaml", "-o", path + ".h5", "-q"], capture_output=True, text=True)
        if done.returncode:
            sys.exit(model + run + done.stdout + done.stderr)
        with h5py.File(path + ".h5") as f:
            ledger = {k: v[:] for k, v in f["history/ledger"].items()}
    energy = ledger["kinetic"] + ledger["strain"]
    lost = ledger["dissipated"] + ledger["scheme_energy"]
    at = lost[[steps, TURNS * steps]]
    return at[0] / energy[0], (at[1] - at[0]) / (TURNS - 1) / energy[0], abs(ledger["residual"]).max() / energy[0]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--limber", default=os.environ.get("LIMBER", "limber"))
    options.add_argument("--csv")
    given = options.parse_args()
    rows = []
    for name, make in BODIES:
        for held in (False, True):
            for turn in (0.05, 0.2):
                for scheme, rho in SCHEMES:
                    first, later, open_by = losses(given.limber, make(held), scheme, rho, turn)
                    rows.append([name, "held" if held else "free", turn, scheme, "%.2e" % first, "%.2e" % later])
                    print("%-16s %-5s %5g %-18s first turn %9.2e, later %9.2e a turn, balance %.0e" % (
                        name, rows[-1][1], turn, scheme, first, later, open_by), flush=True)
    if given.csv:
        with open(given.csv, "w", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(["body", "support", "omega h", "scheme", "lost in the first turn", "lost in a later turn"])
            writer.writerows(rows)


if __name__ == "__main__":
    main()
