#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Errors and orders of places, velocities, section forces and joint forces.

    benchmarks/orders.py [--limber COMMAND] [--csv FILE]

Each model is run with three steps, each half of the one before, and with a sixteenth of the last by `preserving`, whose alternating joint
forces are taken as means of two steps. Errors are the largest after the first tenth of the run (of the
slider crank: after its rod has rung out), over the largest value. Joint forces belong to
the middle of a step (generalized_alpha: to its end) and are compared there."""
import argparse
import csv
import os
import subprocess
import sys
import tempfile

import h5py
import numpy
import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# model, end in s, largest step in s, node, element and place, joint
MODELS = [
    ("double pendulum", "examples/pendulum/double_pendulum.yaml", 1.0, 4e-3, "P2", None, "lower"),
    ("heavy top", "examples/heavy_top/heavy_top.yaml", 0.4, 4e-4, "top", None, "tip"),
    ("swing before its event", "examples/swing/swing.yaml", 0.6, 1e-3, "C", ("left", 0.5), "O1-A"),
    ("flying beam", "examples/flying_beam_3d/flying_beam_3d.yaml", 8.0, 4e-2, "A", ("beam", 0.5), None),
    ("elbow", "examples/elbow_revolute/elbow_revolute.yaml", 3.0, 4e-3, "tip", ("beam1", 0.5), "elbow"),
    ("slider crank", "tests/models/fast_rod.yaml", 0.05, 2e-4, "piston", ("rod", 0.5), "big"),
]
SETTLED = {"slider crank": 0.6}  # its rod rings at the start, faster than the steps
SCHEMES = ["decaying", "generalized_alpha", "preserving"]
QUANTITIES = ["position", "velocity", "section force", "joint force"]


def run(limber, path, end, step, scheme, node, section, joint):
    """Times and values of each quantity."""
    model = yaml.safe_load(open(os.path.join(ROOT, path), encoding="utf-8"))
    model["probes"] = [{"name": "node", "node": node, "record": ["position", "velocity"]}]
    if section:
        model["probes"].append({"name": "section", "element": section[0], "at": section[1], "record": "force"})
    if joint:
        model["probes"].append({"name": "joint", "joint": joint})
    model["run"] = {"scheme": scheme, "step": step, "end": end, "snapshots": 0}
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "model.yaml")
        with open(copy, "w", encoding="utf-8") as out:
            yaml.safe_dump(model, out, sort_keys=False)
        done = subprocess.run([limber, "run", copy, "-q", "-o", copy[:-5] + ".h5"], capture_output=True, text=True)
        if done.returncode:
            sys.exit(path + ": " + done.stderr)
        with h5py.File(copy[:-5] + ".h5") as f:
            t, p = f["history/time"][:], f["history/probes"]
            out = {"position": (t, p["node/position"][:]), "velocity": (t, p["node/velocity"][:])}
            if section:
                out["section force"] = (t, p["section/force"][:, :3])
            if joint:
                force, at = p["joint/force"][:], t - (0 if scheme == "generalized_alpha" else step / 2)
                if scheme == "preserving":
                    force, at = (force[1:] + force[:-1]) / 2, (at[1:] + at[:-1]) / 2
                out["joint force"] = (at[2:], force[2:])
    return out


def error(found, reference, end, settled):
    t, x = found
    use = (t > settled * end) & (t < end - 1e-9)
    exact = numpy.stack([numpy.interp(t[use], reference[0], reference[1][:, k]) for k in range(x.shape[1])], axis=1)
    return numpy.linalg.norm(x[use] - exact, axis=1).max() / numpy.linalg.norm(exact, axis=1).max()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--limber", default=os.environ.get("LIMBER", "limber"))
    options.add_argument("--csv")
    options.add_argument("models", nargs="*", help="some of them")
    given = options.parse_args()
    rows = []
    for name, path, end, step, *rest in MODELS:
        if given.models and name not in given.models:
            continue
        reference = run(given.limber, path, end, step / 64, "preserving", *rest)
        for scheme in SCHEMES:
            runs = [run(given.limber, path, end, step / 2**k, scheme, *rest) for k in range(3)]
            for q in QUANTITIES:
                if q not in reference:
                    continue
                e = [error(r[q], reference[q], end, SETTLED.get(name, 0.1)) for r in runs]
                rows.append([name, scheme, q, *("%.2e" % x for x in e), "%.2f" % numpy.log2(e[0] / e[1]), "%.2f" % numpy.log2(e[1] / e[2])])
                print("%-23s %-18s %-14s %s   orders %s %s" % (name, scheme, q, " ".join(rows[-1][3:6]), *rows[-1][6:]), flush=True)
    if given.csv:
        with open(given.csv, "w", newline="", encoding="utf-8") as out:
            w = csv.writer(out, lineterminator="\n")
            w.writerow(["model", "scheme", "quantity", "error at h", "at h/2", "at h/4", "order", "order"])
            w.writerows(rows)


if __name__ == "__main__":
    main()
