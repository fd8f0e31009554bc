#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads of the turbine of `limber new turbine`: fatigue (11 wind speeds, 3 yaw errors, 4 seeds: 132 runs) and extreme turbulence
(11 speeds, 6 seeds: 66 runs), 40 s each with steps of 40 ms, of which the last 20 s count.

  benchmarks/load_set.py [--workers 2] [--csv benchmarks/results/load_set.csv]    runs in this folder; continues what was interrupted
  benchmarks/load_set.py --read benchmarks/results/load_set.csv                   the tables of finished runs, without a run

Prints lifetime loads and extremes. Each wind speed has the probability of its interval in a year with a mean of 10 m/s (Rayleigh),
and all its finished runs weigh the same."""
import argparse
import csv
import math
import pathlib
import subprocess

CHANNELS = {"blade1.flapwise": 10, "blade1.edgewise": 10, "foundation.moment.x": 4, "foundation.moment.y": 4}
MORE = ("blade1.tip.deflection.y", "generator.rate")
CHANGES = {"run.end": "40s", "run.step": "40ms"}
SPEEDS = "let.wind: {from: 4 m/s, to: 24 m/s, step: 2 m/s}"
PLANS = {"fatigue": (f"{SPEEDS}\n    let.yaw: [-8 deg, 0 deg, 8 deg]\n    let.seed: {{count: 4}}", "normal"),
         "extreme": (f"{SPEEDS}\n    let.seed: {{count: 6}}", "extreme")}


def plan(name):
    vary, model = PLANS[name]
    summary = "".join(f"    - {{channel: {c}, exponents: [{m}], from: 20 s}}\n" for c, m in CHANNELS.items())
    summary += "".join(f"    - {{channel: {c}, from: 20 s}}\n" for c in MORE)
    return (f"limber: 1\nstudy:\n  model: turbine.yaml\n  vary:\n    elements.wind.model: [{model}]\n    {vary}\n"
            f"  summary:\n{summary}")


def done(name, workers):
    """Rows of a study: numbers of a run by their names."""
    import limber
    pathlib.Path(f"{name}.yaml").write_text(plan(name))
    for row in limber.study(f"{name}.yaml", workers=workers, changes=CHANGES):
        out = {"set": name, "wind": row["let.wind"], "yaw": row["let.yaw"] if name == "fatigue" else 0, "seed": row["let.seed"],
               "status": row.status}
        for c, m in CHANNELS.items():
            out.update({f"{c} {s}": row[f"{c} {s}"] for s in ("min", "max", f"del {m}")})
        out.update({f"{c} {s}": row[f"{c} {s}"] for c in MORE for s in ("min", "max")})
        yield {k: v if isinstance(v, str) else f"{v:.6g}" for k, v in out.items()}


def probability(speed, width=2, mean=10):
    def above(v):
        return math.exp(-math.pi / 4 * (v / mean) ** 2)
    return above(speed - width / 2) - above(speed + width / 2)


def lifetime(rows, channel, m):
    """(sum_v p_v mean(S^m) / sum_v p_v)^(1/m)"""
    speeds = {}
    for row in rows:
        speeds.setdefault(float(row["wind"]), []).append(float(row[f"{channel} del {m}"]) ** m)
    weight = sum(map(probability, speeds))
    return (sum(probability(v) * sum(s) / len(s) for v, s in speeds.items()) / weight) ** (1 / m)


def report(rows):
    for name in PLANS:
        of = [r for r in rows if r["set"] == name]
        good = [r for r in of if r["status"] == "finished"]
        print(f"{name}: {len(of)} runs, {len(good)} finished")
        for c, m in CHANNELS.items():
            low, high = (f(good, key=lambda r: float(r[f"{c} {s}"])) for f, s in ((min, "min"), (max, "max")))
            life = f", lifetime load {lifetime(good, c, m) / 1e6:.3f} MN m (m = {m})" if name == "fatigue" else ""
            print(f"  {c}: {float(low[c + ' min']) / 1e6:.2f} at {low['wind']} m/s to {float(high[c + ' max']) / 1e6:.2f} MN m at "
                  f"{high['wind']} m/s{life}")
        for c in MORE:
            print(f"  {c}: {min(float(r[c + ' min']) for r in good):.4g} to {max(float(r[c + ' max']) for r in good):.4g}")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--workers", type=int)
    words.add_argument("--csv")
    words.add_argument("--read")
    given = words.parse_args()
    if given.read:
        with open(given.read, newline="") as f:
            return report(list(csv.DictReader(f)))
    if not pathlib.Path("turbine.yaml").exists():
        subprocess.run(["limber", "new", "turbine"], check=True)
    rows = [row for name in PLANS for row in done(name, given.workers)]
    if given.csv:
        with open(given.csv, "w", newline="") as f:
            table = csv.DictWriter(f, rows[0].keys(), lineterminator="\n")
            table.writeheader()
            table.writerows(rows)
    report(rows)


if __name__ == "__main__":
    main()
