#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Spheres in a box: the time of a step over their number, on 1 and 2 processes.

    spheres.py [--limber PROGRAM] [--count 1000 3000 10000 30000 100000] [--ranks 1 2] [--csv FILE]
    spheres.py --write 1000 > spheres.yaml

The spheres begin on a grid, a little apart, with random velocities. A step costs the difference of a long and a short run
over the difference of their steps. On a machine that is busy with other work the processor time tells more than the other.
"""
import argparse
import csv
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

STEP, SHORT, LONG, RADIUS, GAP = 0.5e-3, 20, 100, 0.05, 0.002


def model(count, steps):
    rnd, side = random.Random(count), 1
    while side**3 < count:
        side += 1
    pitch = 2 * RADIUS + GAP
    size = side * pitch
    out = ["limber: 1", f"title: {count} spheres in a box", "nodes:"]
    for i in range(count):
        at = [(i % side + 0.5) * pitch, (i // side % side + 0.5) * pitch, (i // side**2 + 0.5) * pitch]
        velocity = [round(rnd.uniform(-1, 1), 6) for _ in range(3)]
        out.append(f"  s{i}: {{at: {[round(x, 6) for x in at]}, kind: point, velocity: {velocity}}}")
    out.append("elements:")
    out += [f"  - mass: {{node: s{i}, mass: 0.1}}" for i in range(count)]
    out.append("surfaces:")
    out += [f"  - sphere: {{name: s{i}, node: s{i}, radius: {RADIUS}}}" for i in range(count)]
    for axis in range(3):
        for sign in (1, -1):
            normal, at = [0, 0, 0], [0, 0, 0]
            normal[axis], at[axis] = sign, 0 if sign > 0 else round(size, 6)
            out.append(f"  - plane: {{name: wall{axis}{'ab'[sign < 0]}, at: {at}, normal: {normal}}}")
    out += ["contacts:", "  - contact: {name: c, stiffness: 1e5, restitution: 0.8}", "loads:",
            "  - gravity: {acceleration: [0, 0, -9.81]}",
            f"run: {{step: {STEP}, end: {STEP * steps:.6g}, every: {steps}, snapshots: {STEP * steps:.6g}}}"]
    return "\n".join(out) + "\n"


def seconds(program, ranks, path, results):
    command = ([] if ranks == 1 else ["mpiexec", "-n", str(ranks)]) + [program, "run", path, "-q", "-o", results, "--force"]
    begun, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - begun, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--limber", default=os.environ.get("LIMBER", "limber"))
    options.add_argument("--count", type=int, nargs="+", default=[1000, 3000, 10000, 30000, 100000])
    options.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    options.add_argument("--csv", default="/dev/stdout")
    options.add_argument("--write", type=int)
    given = options.parse_args()
    if given.write:
        sys.stdout.write(model(given.write, LONG))
        return
    with tempfile.TemporaryDirectory() as folder, open(given.csv, "w", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(["spheres", "ranks", "seconds_a_step", "microseconds_a_step_and_sphere",
                         "processor_microseconds_a_step_and_sphere"])
        for count in given.count:
            paths = {}
            for steps in (SHORT, LONG):
                paths[steps] = pathlib.Path(folder) / f"{steps}.yaml"
                paths[steps].write_text(model(count, steps))
            for ranks in given.ranks:
                took = [seconds(given.limber, ranks, paths[s], pathlib.Path(folder) / "r.h5") for s in (SHORT, LONG)]
                step, processor = ((long - short) / (LONG - SHORT) for short, long in zip(*took))
                writer.writerow([count, ranks, f"{step:.4g}", f"{step / count * 1e6:.3g}", f"{processor / count * 1e6:.3g}"])
                f.flush()


if __name__ == "__main__":
    main()
