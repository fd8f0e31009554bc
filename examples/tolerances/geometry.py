# SPDX-License-Identifier: Apache-2.0
"""geometry.py TABLE.csv: the largest difference between the angles of the rocker in the table of a study (limber export) and those
that the lengths of its bars give at the same times. Ends with code 1 where it is above 1e-9 rad."""
import csv
import math
import sys

STEPS, TURN, START = 50, 2*math.pi, math.radians(60)


def direction(crank, coupler, rocker, base, angle):
    """Of the rocker, from its support on the ground to its end, for an angle of the crank."""
    x, y = crank*math.cos(angle), crank*math.sin(angle)
    d = math.hypot(base - x, y)
    along = (coupler**2 - rocker**2 + d**2)/(2*d)
    across = math.sqrt(coupler**2 - along**2)
    u, v = (base - x)/d, -y/d
    return math.atan2(y + along*v + across*u, x + along*u - across*v - base)


worst = 0.0
rows = 0
with open(sys.argv[1], newline="") as file:
    for row in csv.DictReader(file):
        if row["status [1]"] != "finished":
            continue
        bars = [float(row[f"let.{name} [mm]"]) for name in ("crank", "coupler", "rocker", "base")]
        first = direction(*bars, START)
        angles = [math.remainder(direction(*bars, START + TURN*i/STEPS) - first, TURN) for i in range(STEPS + 1)]
        worst = max(worst, abs(min(angles) - float(row["support.angle min [rad]"])),
                    abs(max(angles) - float(row["support.angle max [rad]"])))
        rows += 1
print(f"{rows} runs, largest difference {worst:.2g} rad")
sys.exit(not (rows and worst < 1e-9))
