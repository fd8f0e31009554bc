#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Boxes and rods that fly apart: the time to list the pairs that may touch over their number.

    contact_lists.py [--limber PROGRAM] [--count 1000 4000 16000] [--csv FILE]

The bodies begin on a grid with random velocities and spins, above a plane. The time is that of LimberContacts in PETSc's -log_view over
the number of lists, the first of which is made at the start.
"""
import argparse
import csv
import os
import pathlib
import random
import subprocess
import tempfile

STEP, STEPS, SIZE = 1e-3, 6, 0.1
SHAPES = {"box": "box: {{name: b{0}, node: n{0}, size: [0.1, 0.08, 0.06], rounding: 0.005}}",
          "rod": "cylinder: {{name: b{0}, node: n{0}, axis: [1, 0, 0], radius: 0.02, length: 0.06}}"}


def model(shape, count):
    """Of rods every second body is a sphere, since two rods do not meet."""
    rnd, side = random.Random(count), 1
    while side**3 < count:
        side += 1
    nodes, elements, surfaces = [], [], []
    for i in range(count):
        at = [round((k + 0.5) * 1.5 * SIZE, 6) for k in (i % side, i // side % side, i // side**2)]
        velocity, angular = ([round(rnd.uniform(-v, v), 6) for _ in range(3)] for v in (3, 10))
        nodes.append(f"  n{i}: {{at: {at}, velocity: {velocity}, angular_velocity: {angular}}}")
        elements.append(f"  - rigid_body: {{node: n{i}, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4]}}")
        ball = shape == "rod" and i % 2
        surfaces.append("  - " + (f"sphere: {{name: b{i}, node: n{i}, radius: 0.04}}" if ball else SHAPES[shape].format(i)))
    return "\n".join(["limber: 1", f"title: {count} bodies", "nodes:", *nodes, "elements:", *elements, "surfaces:", *surfaces,
                      "  - plane: {name: floor, normal: [0, 0, 1]}", "contacts:\n  - contact: {name: c, stiffness: 1e4}",
                      f"run: {{scheme: preserving, step: {STEP}, end: {STEP * STEPS}, every: {STEPS}, snapshots: {STEP * STEPS}}}", ""])


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--limber", default=os.environ.get("LIMBER", "limber"))
    options.add_argument("--count", type=int, nargs="+", default=[1000, 4000, 16000])
    options.add_argument("--csv", default="/dev/stdout")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, open(given.csv, "w", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(["shape", "bodies", "lists", "seconds_a_list", "microseconds_a_list_and_body"])
        for shape in SHAPES:
            for count in given.count:
                path = pathlib.Path(folder) / "bodies.yaml"
                path.write_text(model(shape, count))
                done = subprocess.run([given.limber, "run", path, "-q", "-o", path.with_suffix(".h5"), "--force", "--", "-log_view"],
                                      check=True, capture_output=True, text=True)
                row = next(line.split() for line in done.stdout.splitlines() if line.startswith("LimberContacts"))
                lists, seconds = int(row[1]), float(row[3])
                writer.writerow([shape, count, lists, f"{seconds / lists:.3g}", f"{seconds / lists / count * 1e6:.3g}"])
                f.flush()


if __name__ == "__main__":
    main()
