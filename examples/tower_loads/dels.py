# SPDX-License-Identifier: Apache-2.0
"""dels.py TABLE.csv RUN HISTORY.csv [RUN HISTORY.csv ...]: damage-equivalent loads of the moment at the foot of the tower, counted from
the histories of some runs by the rules of ASTM E1049-85 as they are written, beside those in the table of the study. Ends with code 1
where they differ by more than 1e-12."""
import csv
import sys

CHANNEL, EXPONENTS = "base.moment.y", (4, 10)


def reversals(values):
    out = values[:1]
    for x in values[1:]:
        if x == out[-1]:
            continue
        if len(out) > 1 and (out[-1] - out[-2])*(x - out[-1]) > 0:
            out[-1] = x
        else:
            out.append(x)
    return out


def cycles(points):
    """Section 5.4.4 of the standard: ranges, each with its count."""
    points, at = list(points), 3
    while at <= len(points):
        new, old = abs(points[at - 1] - points[at - 2]), abs(points[at - 2] - points[at - 3])
        if new < old:
            at += 1
        elif at == 3:
            yield old, 0.5
            del points[0]
        else:
            yield old, 1.0
            del points[at - 3:at - 1]
            at = max(3, at - 2)
    for a, b in zip(points, points[1:]):
        yield abs(b - a), 0.5


def column(path, name):
    with open(path, newline="") as file:
        rows = csv.DictReader(file)
        head = next(h for h in rows.fieldnames if h.split(" [")[0] == name)
        return [float(row[head]) for row in rows if row[head] and row[head] != "nan"]


worst = 0.0
table, *rest = sys.argv[1:]
for run, history in zip(map(int, rest[::2]), rest[1::2]):
    times, moments = column(history, "time")[1:], column(history, CHANNEL)[1:] # a reaction is that of a step: the first is at its end
    seconds, counted = times[-1] - times[0], list(cycles(reversals(moments)))
    for m in EXPONENTS:
        load = (sum(n*s**m for s, n in counted)/seconds)**(1/m)
        told = column(table, f"{CHANNEL} del {m}")[run]
        worst = max(worst, abs(load/told - 1))
        print(f"run {run}, exponent {m}: {load:.17g}, in the table {told:.17g}")
print(f"largest difference {worst:.2g} of the load")
sys.exit(not (rest and worst < 1e-12))
