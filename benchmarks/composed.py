#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU time against the error of the tip: `preserving` of order 2, 4 and 6.

    PYTHONPATH=build/release/python benchmarks/composed.py [--csv FILE]

Ten hinged rods fall for one second from the horizontal (examples/falling_rods); the error of the tip is against a solution of
order 8 by an independent program. Times are those of all steps in one process, without reading the model: the least of
several runs. The last line of each order is the longest step whose error is below 1e-5 m."""
import argparse
import csv
import math
import os
import resource
import sys

import limber

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODEL = os.path.join(ROOT, "examples/falling_rods/ten_rods.yaml")
TIP = (7.527229016, -4.906262320)
STEPS = {2: (250, 500, 580, 1000, 2000), 4: (5, 8, 10, 12, 16, 20, 40), 6: (4, 6, 8, 10, 12, 20)}
SOLVED = {2: 1, 4: 10, 6: 18}
REPEATS = 7


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measure(order, steps):
    model = limber.Model(MODEL, {"run.scheme": "preserving", "run.order": order, "run.step": 1 / steps, "run.end": 1})
    best = math.inf
    for _ in range(REPEATS):
        run, iterations = model.start(), 0
        begun = cpu()
        for _ in range(steps):
            iterations += run.step().iterations
        best = min(best, cpu() - begun)
        error = max(abs(run.now("tip_x") - TIP[0]), abs(run.now("tip_z") - TIP[1]))
        energy = run.ledger.kinetic + run.ledger.potential
        run.close()
    return {"order": order, "steps": steps, "step_s": f"{1 / steps:.6g}", "solved": steps * SOLVED[order],
            "tangents": iterations, "cpu_s": f"{best:.4g}", "error_m": f"{error:.3g}", "energy_J": f"{energy:.1e}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", default="/dev/stdout")
    rows = [measure(order, steps) for order, all_steps in STEPS.items() for steps in all_steps]
    with open(parser.parse_args().csv, "w", encoding="utf-8") as out:
        table = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    sys.exit(main())
