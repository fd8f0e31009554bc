#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Errors of the quarter car over the step, uncut and coupled in two ways, against the closed form: study.py [FOLDER]

Runs in a temporary folder; writes steps.csv and, with gnuplot, steps.png to FOLDER (default: figures of this example)."""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile

import limber
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
STEPS = (0.02, 0.01, 0.005, 0.002, 0.001, 0.0005)


def closed_form(t):
    """Rise of wheel and chassis, and their velocities, after a step of the road."""
    m, M, k, d, K, rise = 40.0, 400.0, 15e3, 1e3, 150e3, 0.1
    a = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-(k + K) / m, k / m, -d / m, d / m], [k / M, -k / M, d / M, -d / M]])
    values, vectors = np.linalg.eig(a)
    part = np.linalg.solve(vectors, -np.array([rise, rise, 0, 0]) + 0j)
    return np.real((vectors * part) @ np.exp(np.outer(values, t))) + np.array([[rise], [rise], [0], [0]])


def error(results, column):
    t = np.array(results["time"])
    return float(abs(np.array(results[column]) - closed_form(t)[1]).max())


def measure(h):
    """Errors of the chassis with a step, and what the coupling adds to the energy. Not finite: the run did not reach its end."""
    changes = {"run.step": f"{h} s"}
    limber.command("run", HERE / "whole.yaml", "-q", "-o", "whole.h5", "--force", "--set", f"run.step={h} s")
    row = {"step (s)": h, "uncut (m)": error(limber.Results("whole.h5"), "chassis.displacement.z")}
    waves = limber.run_couple(HERE / "waves.yaml", "waves.h5", changes, force=True)
    row["wave port (m)"] = max(error(waves, side + ".chassis.displacement.z") for side in ("chassis", "wheel"))
    row["energy added (J)"] = float(abs(np.cumsum(waves["ledger.residual"])).max())
    try:
        plain = limber.run_couple(HERE / "plain.yaml", "plain.h5", changes, force=True)
        row["plain (m)"], row["energy added by plain (J)"] = error(plain, "chassis.chassis.displacement.z"), float(np.max(plain["ledger.work"]))
    except limber.Error:
        row["plain (m)"] = row["energy added by plain (J)"] = float("inf")
    return row


def draw(folder):
    text = f"""set terminal pngcairo size 900,560 font "DejaVu Sans,11"
set output "{folder}/steps.png"
set datafile separator ","
set logscale xy
set format y "10^{{%L}}"
set yrange [1e-7:1]
set xlabel "step (s)"
set ylabel "largest error of the chassis in 2 s (m)"
set key bottom right
plot "{folder}/steps.csv" using 1:5 skip 1 with linespoints pt 7 title "plain exchange of force and velocity", \\
     "" using 1:3 skip 1 with linespoints pt 5 title "wave port", "" using 1:2 skip 1 with linespoints pt 9 title "not cut"
"""
    subprocess.run(["gnuplot"], input=text, text=True, check=True)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "figures").resolve()
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        rows = [measure(h) for h in STEPS]
        os.chdir(folder)
    with open(folder / "steps.csv", "w", newline="") as f:
        out = csv.DictWriter(f, rows[0], lineterminator="\n")
        out.writeheader()
        out.writerows({k: f"{v:.3g}" for k, v in row.items()} for row in rows)
    draw(folder)
    print((folder / "steps.csv").read_text(), end="")


if __name__ == "__main__":
    main()
