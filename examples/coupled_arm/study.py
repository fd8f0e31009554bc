#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Differences between the robot in two processes and in one model, over the step: study.py"""
import os
import pathlib
import tempfile

import limber
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ("hand.position.x", "shoulder.angle", "root.force.M2")


def difference(a, b, column):
    return float(abs(np.array(a["arm." + column]) - np.array(b[column])).max())


def main():
    os.chdir(tempfile.mkdtemp(prefix="limber."))
    print("step (ms)   hand.x (m)   shoulder (rad)   root.M2 (N m)   energy added (J)")
    for h in (4, 2, 1, 0.5):
        both = limber.run_couple(HERE / "system.yaml", f"system_{h}.h5", {"run.step": f"{h} ms"})
        limber.command("run", HERE / "whole.yaml", "-q", "-o", f"whole_{h}.h5", "--set", f"run.step={h} ms")
        one = limber.Results(f"whole_{h}.h5")
        added = abs(np.cumsum(both["ledger.residual"])).max()
        print(f"{h:9}", *(f"{difference(both, one, c):12.2g}" for c in COLUMNS), f"{added:12.1g}", sep="   ")


if __name__ == "__main__":
    main()
