#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often the true values of parameters are within two standard errors of `limber fit`. The models are those of tests/test_fit.py:
stiffness and damping of a pendulum from its own history with 1 % noise, and three stiffness factors of a blade from its first eight
frequencies with 0.2 % noise. The noise is not given, so the fits estimate it.

  LIMBER=build/release/bin/limber benchmarks/fit.py [--seeds 100] [--csv benchmarks/results/fit.csv]

The table has a row for each parameter of each fit."""
import argparse
import csv
import os
import pathlib
import random
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "tests"))
import test_fit as models  # noqa: E402


def pendulum(seed):
    models.history(noise=0.01, seed=seed)
    return models.write("fit.yaml", models.PENDULUM + models.FIT), models.TRUE


def blade(seed, exact):
    source = random.Random(seed)
    return models.write("fit.yaml", models.blade_fit([f * (1 + 2e-3 * source.gauss(0, 1)) for f in exact])), models.FACTORS


def rows_of(name, seed, case):
    found, _ = models.fit(case[0])
    return [[name, seed, p, f"{true:.8g}", f"{found[p]['value']:.12g}", f"{found[p]['error']:.6g}"] for p, true in case[1].items()]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seeds", type=int, default=100)
    p.add_argument("--csv", default=str(SOURCE / "benchmarks/results/fit.csv"))
    a = p.parse_args()
    a.csv = pathlib.Path(a.csv).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        exact = models.frequencies()
        rows = []
        for seed in range(a.seeds):
            rows += rows_of("pendulum", seed, pendulum(seed)) + rows_of("blade", seed, blade(seed, exact))
            with open(a.csv, "w", newline="", encoding="utf-8") as f:
                out = csv.writer(f, lineterminator="\n")
                out.writerow(["model", "seed", "parameter", "true", "estimate", "standard error"])
                out.writerows(sorted(rows, key=lambda r: r[0], reverse=True))
        os.chdir(SOURCE)


if __name__ == "__main__":
    main()
