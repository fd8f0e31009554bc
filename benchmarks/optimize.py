#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Brute force against `limber optimize`: the crank of docs/optimize.md, whose arm has the width b and the height h. A study runs the
model at every point of a grid of 1 mm. Then, for each width and for 21 widths near the best, studies find the height at which the
largest stress is at its limit.

  LIMBER=build/release/bin/limber benchmarks/optimize.py [--csv benchmarks/results/crank_scan.csv]

The table has the rows of the grid and of these heights. The masses are those of the three bodies, density times volume, not
of `limber optimize`."""
import argparse
import csv
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "tests"))
from support import program  # noqa: E402

LIMIT, TOLERANCE = 120e6, 1e-9
WIDTHS, HEIGHTS = range(10, 37), range(10, 58)  # mm
FINE = [26.5 + 0.05 * i for i in range(21)]


def model():
    page = (SOURCE / "docs/optimize.md").read_text(encoding="utf-8")
    return re.search(r"<!-- file: crank.yaml -->\n```yaml\n(.*?)```", page, re.S).group(1)


def mass(b, h):
    """In kg, of lengths in mm: pin, piston and arm."""
    return 0.4 + 3 + 7850 * 0.12 * b * h * 1e-6


def stresses(points):
    """The largest stress at each (b, h), of one study."""
    with open("cases.csv", "w", encoding="utf-8") as f:
        f.write("let.b [mm], let.h [mm]\n" + "".join(f"{b!r}, {h!r}\n" for b, h in points))
    for words in (["study", "scan.yaml", "--force"], ["export", "scan.h5", "-o", "scan.csv", "--force"]):
        subprocess.run([program, *words], stdout=subprocess.DEVNULL, check=True)
    with open("scan.csv", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    assert len(rows) == len(points)
    return [float(r["stress max [Pa]"]) for r in rows]


def heights(grid):
    """For each width the height with the stress of the limit: secants of logarithms between two points that enclose it."""
    inside = {}
    for b in sorted({*WIDTHS, *FINE}):  # the stress falls with both
        low = max(h for h in HEIGHTS if grid[math.ceil(b), h] > LIMIT)
        high = min(h + 1 for h in HEIGHTS if grid[math.floor(b), h + 1] <= LIMIT)
        inside[b] = [(low, grid[math.ceil(b), low]), (high, grid[math.floor(b), high])]
    found = {}
    for _ in range(20):
        left = [b for b in inside if b not in found]
        if not left:
            break
        points = []
        for b in left:
            (h0, s0), (h1, s1) = inside[b]
            part = math.log(s0 / LIMIT) / math.log(s0 / s1)
            points.append((b, h0 * (h1 / h0) ** min(max(part, 1e-3), 1 - 1e-3)))
        for (b, h), s in zip(points, stresses(points)):
            if abs(s / LIMIT - 1) <= TOLERANCE:
                found[b] = (h, s)
            inside[b][s <= LIMIT] = (h, s)
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--csv", default=str(SOURCE / "benchmarks/results/crank_scan.csv"))
    a = p.parse_args()
    path = pathlib.Path(a.csv).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        pathlib.Path("crank.yaml").write_text(model(), encoding="utf-8")
        pathlib.Path("scan.yaml").write_text("limber: 1\nstudy:\n  model: crank.yaml\n  table: cases.csv\n"
                                             "  summary: [{channel: stress, statistics: [extremes]}]\n", encoding="utf-8")
        points = [(b, h) for b in WIDTHS for h in (*HEIGHTS, HEIGHTS.stop)]
        grid = dict(zip(points, stresses(points)))
        rows = [[b, h, s] for (b, h), s in grid.items()] + [[b, *hs] for b, hs in sorted(heights(grid).items())]
        os.chdir(SOURCE)
    with open(path, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["b [mm]", "h [mm]", "mass [kg]", "largest stress [MPa]"])
        out.writerows([f"{b:.12g}", f"{h:.12g}", f"{mass(b, h):.12g}", f"{s / 1e6:.12g}"] for b, h, s in rows)


if __name__ == "__main__":
    main()
