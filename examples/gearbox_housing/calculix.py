#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""calculix.py: CalculiX on the mesh of the housing with its feet clamped; writes results/calculix.csv. First with four rigid bores, without
shafts; then with the bores as one rigid group, which carries the shafts. Last the run-up of one oscillator with the first frequency and the
stiffness to the side that CalculiX found for these."""
import math
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "robot_forearm"))
from calculix import Part, write  # noqa: E402

UNBALANCE, F0, F1, T = 2 * 5e-6, 95, 140, 0.25  # kg m, Hz, s, as in gearbox_housing.yaml


def run_up(frequency, stiffness, damping):
    """The largest displacement, from Runge and Kutta's method: the force of the unbalance, which rotates from z, along y."""
    w = 2 * math.pi * frequency
    rise = 2 * math.pi * (F1 - F0) / T

    def rates(t, y, v):
        rate, angle = 2 * math.pi * F0 + rise * t, 2 * math.pi * F0 * t + rise * t * t / 2
        force = UNBALANCE * (rise * math.cos(angle) - rate**2 * math.sin(angle))
        return v, w * w * force / stiffness - 2 * damping * w * v - w * w * y
    h, y, v, most = 1e-5, 0, 0, 0
    for i in range(round(T / h)):
        t = i * h
        a = rates(t, y, v)
        b = rates(t + h / 2, y + h / 2 * a[0], v + h / 2 * a[1])
        c = rates(t + h / 2, y + h / 2 * b[0], v + h / 2 * b[1])
        d = rates(t + h, y + h * c[0], v + h * c[1])
        y, v = (x + h / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip((y, v), a, b, c, d))
        most = max(most, abs(y))
    return most


def main():
    shafts = (2, (0, -50, 60), 0.0009, 0.005), (5, (0, 40, 60), 0.009, 0.012)  # as in gearbox_housing.yaml
    bores = ["bearing_1a", "bearing_1b", "bearing_2a", "bearing_2b"]
    apart = Part(HERE / "housing.msh", "housing", "feet", bores, (0, 0, 60), ())
    common = Part(HERE / "housing.msh", "housing", "feet", ["bearings"], (0, 0, 60), shafts, f"*NSET, NSET=bearings\n{', '.join(bores)}\n")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        alone = apart.frequencies(3)
        found = common.frequencies(1)
        moved = common.deflection(2, 1000)
    # damping of the first mode from limber modes
    write(HERE / "results/calculix.csv", [*((f"four rigid bores, without shafts: frequency {k} (Hz)", f) for k, f in enumerate(alone, 1)),
                                          ("bores as one rigid group with the shafts: frequency 1 (Hz)", found[0]),
                                          ("the same: 1000 N to the side (m)", moved),
                                          ("the same: run-up of one oscillator, largest displacement (m)", run_up(found[0], 1000 / moved, 0.01429))])


if __name__ == "__main__":
    main()
