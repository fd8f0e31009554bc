#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs random mechanisms over all proved schemes and steps from 1e-4 to 1 s, and counts what fails by kind and step.

  tests/random/run.py --count 2000 --jobs 2 --csv FILE

A seed is one mechanism with one scheme and one step. What must hold: no crash, no number that is not one, no energy less work above its start
by more than 1e-10 of the energy exchanged, no energy balance error by more, no joint that is not met to 1e-10 of the model's size, no refusal without
a reason. With --momentum exact, for which only `decaying` and `preserving` run, also no momentum balance error above 1e-12 of what is exchanged. The exit code is 1 where a seed fails. --keep FOLDER keeps models that fail; shrink.py makes them smaller.
"""
import argparse
import collections
import concurrent.futures
import csv
import os
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from judge import judge, tied_force  # noqa: E402
from mechanism import Mechanism, text  # noqa: E402

STEPS = [1e-4, 1e-3, 1e-2, 1e-1, 1.0]
SCHEMES = [("decaying", {"rho_inf": 0.5}), ("preserving", {}), ("decaying_c", {"rho_inf": 0.5}), ("decaying", {"rho_inf": 1 / 3}),
           ("decaying_a", {}), ("decaying", {"rho_inf": 0.9}), ("decaying_b", {"beta": 0.3}), ("decaying", {"rho_inf": 1.0}),
           ("decaying_c", {"rho_inf": 0}), ("decaying_c", {"rho_inf": 0.95})]
ROWS = 100  # steps of a run
FIELDS = ["seed", "scheme", "rho_inf", "step", "verdict", "code", "ended", "energy", "account", "books", "loss", "damping", "gap", "momentum", "nan", "cpu",
          "iterations", "rejected", "rows", "tags", "said"]


def make(seed, momentum=None):
    """The mechanism of a seed, its scheme and its step."""
    step = STEPS[seed % len(STEPS)]
    schemes = [s for s in SCHEMES if not momentum or s[0] in ("decaying", "preserving")]
    scheme, more = schemes[seed // len(STEPS) % len(schemes)]
    m = Mechanism(seed, ROWS * step)
    run = {"scheme": scheme, **more, "step": step, "end": ROWS * step, "snapshots": 0, **({"momentum": momentum} if momentum else {})}
    if m.n.chance(0.05):
        run["control"] = {"largest": 4 * step}
        m.tags.add("control")
    return m, m.model(run)


def one(task):
    seed, limber, cpu, folder, keep, momentum = task
    m, model = make(seed, momentum)
    path = os.path.join(folder, f"{seed}.yaml")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text(model))
    places = list(m.place.values()) + [np.asarray(v["at"]) for v in m.nodes.values()]
    reach = max(1.0, 2 * max(np.linalg.norm(p) for p in places))
    mass = sum(d.get("mass", 0) for _, d in m.elements)
    row = judge(limber, path, path[:-5] + ".h5", cpu, reach, mass, model["run"]["step"], momentum == "exact",
                tied_force(m.elements, m.nodes, m.sections, model["run"]["step"]))
    row.update(seed=seed, scheme=model["run"]["scheme"], rho_inf=model["run"].get("rho_inf", ""), step=model["run"]["step"],
               tags=" ".join(sorted(t.replace(" ", "_") for t in m.tags)))
    if keep and row["verdict"] not in ("good", "refused"):
        with open(os.path.join(keep, f"{seed}.yaml"), "w", encoding="utf-8") as f:
            f.write(text(model))
    for end in (".yaml", ".h5", ".xdmf"):
        if os.path.exists(path[:-5] + end):
            os.remove(path[:-5] + end)
    return row


def table(rows):
    """Verdicts by step."""
    count = collections.Counter((r["verdict"], r["step"]) for r in rows)
    kinds = sorted({r["verdict"] for r in rows}, key=lambda k: (k != "good", k != "refused", k))
    out = [f"{'':20s}" + "".join(f"{s:>9g}" for s in STEPS) + f"{'all':>9s}"]
    for k in kinds:
        line = [count[k, s] for s in STEPS]
        out.append(f"{k:20s}" + "".join(f"{c:9d}" for c in line) + f"{sum(line):9d}")
    return "\n".join(out)


def main():
    p = argparse.ArgumentParser(description="Random mechanisms over all proved schemes and steps from 1e-4 to 1 s.")
    p.add_argument("--count", type=int, default=2000, help="how many")
    p.add_argument("--start", type=int, default=0, help="the first seed")
    p.add_argument("--seeds", help="these seeds, with commas between them, or the name of a file of them")
    p.add_argument("--jobs", type=int, default=1, help="runs at the same time")
    p.add_argument("--cpu", type=int, default=8, help="seconds of CPU time that a run may take")
    p.add_argument("--slow", type=int, default=None, help="how many runs may meet that limit; without: any number")
    p.add_argument("--momentum", choices=["checked", "exact"], help="the option of `run`")
    p.add_argument("--csv", help="a row for every seed")
    p.add_argument("--keep", help="a folder for models that fail")
    p.add_argument("--limber", default=os.environ.get("LIMBER", "limber"), help="the command")
    a = p.parse_args()
    seeds = range(a.start, a.start + a.count)
    if a.seeds:
        given = open(a.seeds, encoding="utf-8").read().replace("\n", ",") if os.path.exists(a.seeds) else a.seeds
        seeds = [int(s) for s in given.split(",") if s.strip() and not s.startswith("#")]
    if a.keep:
        os.makedirs(a.keep, exist_ok=True)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        tasks = [(s, a.limber, a.cpu, folder, a.keep, a.momentum) for s in seeds]
        with concurrent.futures.ProcessPoolExecutor(a.jobs) as pool:
            for row in pool.map(one, tasks):
                rows.append(row)
                if row["verdict"] not in ("good", "refused"):
                    print(f"{row['seed']:7d} {row['scheme']:12s} {row['step']:<7g} {row['verdict']:16s} {row['said'][:110]}", flush=True)
    if a.csv:
        with open(a.csv, "w", newline="", encoding="utf-8") as f:
            w = csv.DictWriter(f, FIELDS, extrasaction="ignore")
            w.writeheader()
            w.writerows(rows)
    print(table(rows))
    slow = sum(r["verdict"] == "slow" for r in rows)
    failed = sum(r["verdict"] not in ("good", "refused", "slow") for r in rows)
    print(f"{len(rows) - failed - slow} passed, {failed} failed, {slow} met the limit of CPU time")
    sys.exit(1 if failed or (a.slow is not None and slow > a.slow) else 0)


if __name__ == "__main__":
    main()
