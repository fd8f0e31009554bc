#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""IEA's 15 MW and 22 MW turbines at rated wind in Limber, OpenFAST with blades of BeamDyn, and HAWC2 (docs/openfast.md).

  benchmarks/openfast/compare_iea.py FOLDER    # reads the runs, writes ../results/openfast_iea*.csv, prints the tables
  benchmarks/openfast/compare_iea.py           # prints the tables of docs/openfast.md from the CSV files

FOLDER has the results of each CASE and step (in ms): CASE_STEP.out of OpenFAST, CASE_STEP.h5 of Limber (CASE.yaml) and
CASE_STEP_stations.h5 with the stations of the blade moved, cpu.csv with rows of program, case, step and seconds and, for each PROGRAM of
PUBLISHED, PROGRAM.yaml, its steady states in the repository of the 22 MW turbine, and steady_PROGRAM.h5 of Limber at the same speed and
pitch (iea22_steady.yaml). Those of Limber may be missing."""
import argparse
import csv
import math
import pathlib

import compare

CASES = {"iea15": "IEA 15 MW", "iea22": "IEA 22 MW"}
SPEED = {"iea15": 7.56, "iea22": 7.0172}  # rpm
STEP = {"iea15": 5, "iea22": 2.5}         # ms, of the comparison; the error bar is twice the difference from half of it
PROGRAMS = compare.PROGRAMS
REVOLUTIONS = 1                           # at the end of the shortest run, over which statistics are taken
# name, unit, column of OpenFAST, column of Limber, factors to this unit, Woehler exponent (0: no load)
CHANNELS = (
    ("power of the air", "MW", "RtAeroPwr", "air", 1e-6, 1e-6, 0),
    ("force on the shaft", "kN", "RotThrust", "shaft.force.x", 1, -1e-3, 0),
    ("torque of the shaft", "kN m", "RotTorq", "shaft.moment.x", 1, -1e-3, 0),
    ("blade root, flap", "kN m", "B1RootMyr", "root.moment.z", 1e-3, -1e-3, 10),
    ("blade root, edge", "kN m", "B1RootMxr", "root.moment.y", 1e-3, -1e-3, 10),
    ("blade root, torsion", "kN m", "B1RootMzr", "root.moment.x", 1e-3, -1e-3, 10),
    ("blade tip, flap", "m", "B1TipTDxr", "tip.displacement.y", 1, 1, 0),
    ("blade tip, edge", "m", "B1TipTDyr", "tip.displacement.z", 1, 1, 0),
    ("blade tip, axial", "m", "B1TipTDzr", "tip.displacement.x", 1, 1, 0),
    ("blade tip, twist", "deg", "B1TipRDzr", "tip.rotation.x", 180 / math.pi, 180 / math.pi, 0),
)
PUBLISHED = ("OpenFAST", "HAWC2")
SETTLED = 0.5                             # last part of a steady run over which the mean is taken
WIND = 11.0                               # m/s, of the published states that are compared
# name, unit, place in the published file (distributed: at the root, 0, or the tip, -1), factor, channel of Limber
STEADY = (
    ("power", "MW", "mechanical_power", None, 1e-6, "power of the air"),
    ("thrust", "kN", "rotor_thrust", None, 1e-3, "force on the shaft"),
    ("blade root, flap", "kN m", "blade_My_pitching", 0, 1e-3, "blade root, flap"),
    ("blade root, edge", "kN m", "blade_Mx_pitching", 0, 1e-3, "blade root, edge"),
    ("blade root, torsion", "kN m", "blade_Mz_pitching", 0, 1e-3, "blade root, torsion"),
    ("blade tip, flap", "m", "blade_translation_deflection_x_pitching", -1, 1, "blade tip, flap"),
    ("blade tip, edge", "m", "blade_translation_deflection_y_pitching", -1, 1, "blade tip, edge"),
    ("blade tip, axial", "m", "blade_translation_deflection_z_pitching", -1, 1, "blade tip, axial"),
    ("blade tip, twist", "deg", "blade_rotation_deflection_z_pitching", -1, 1, "blade tip, twist"),
)


# ---- reading ----

def openfast_run(path):
    """Channels of a text file of results."""
    rows = [line.split() for line in path.read_text().splitlines()]
    names = next(k for k, r in enumerate(rows) if r[:1] == ["Time"])
    file = dict(zip(rows[names], zip(*([float(x) for x in r] for r in rows[names + 2:] if len(r) == len(rows[names])))))
    # BeamDyn gives the rotation of the tip as Wiener-Milenkovic parameters 4 tan(angle/4) n
    sizes = (math.hypot(*row) for row in zip(*(file[f"B1TipRD{x}r"] for x in "xyz")))
    file["B1TipRDzr"] = [x * (4 * math.atan(size / 4) / size if size else 1) for x, size in zip(file["B1TipRDzr"], sizes)]
    return {"time": file["Time"]} | {c[0]: [c[4] * x for x in file[c[2]]] for c in CHANNELS}


def limber_run(path):
    import h5py

    with h5py.File(path) as f:
        out = {"time": f["history/time"][:].tolist()}
        for name, _, _, column, _, factor, _ in CHANNELS:
            probe, *words = column.split(".")
            if probe in f["history/probes"]:
                group = f["history/probes/" + probe]
                values = group[words[0]][:, "xyz".index(words[1])] if words else group[next(iter(group))][:]
                out[name] = (factor * values.reshape(len(values))).tolist()
        ledger = f["history/ledger"]
        out["balance"] = max(ledger["residual"][:]) / ledger["exchanged"][-1]
    return out


def numbers(run, end, length):
    """Of each channel: mean and damage-equivalent load over this length of time before this end."""
    first, last = (min(range(len(run["time"])), key=lambda k: abs(run["time"][k] - t)) for t in (end - length, end))
    out = {}
    for name, *_, exponent in CHANNELS:
        values = run[name][first:last + 1]
        mean = (sum(values) - (values[0] + values[-1]) / 2) / (len(values) - 1)
        out[name] = {"mean": mean} | ({"DEL": compare.equivalent(values, length, exponent)} if exponent else {})
    return out


# ---- tables ----

def collect(folder):
    import yaml

    with open(folder / "cpu.csv", newline="") as f:
        cpu = {(r[0], r[1], float(r[2])): float(r[3]) for r in csv.reader(f) if r}
    rows, steps, moved = [], [], []
    for case, speed in SPEED.items():
        paths = {(p, h): folder / f"{case}_{h:g}{kind}" for p, kind in zip(PROGRAMS, (".out", ".h5")) for h in (STEP[case], STEP[case] / 2)}
        runs = {key: (limber_run if path.suffix == ".h5" else openfast_run)(path) for key, path in paths.items() if path.exists()}
        end = min(run["time"][-1] for run in runs.values())
        found = {key: numbers(run, end, REVOLUTIONS * 60 / speed) for key, run in runs.items()}
        step = float(STEP[case])
        for name, unit, *_, exponent in CHANNELS:
            for kind in ("mean", *(["DEL"] if exponent else [])):
                rows.append([case, step, name, unit, kind])
                for p in PROGRAMS:
                    now = found[p, step][name][kind]
                    rows[-1] += [now, 2 * abs(now - found[p, step / 2][name][kind]) if (p, step / 2) in found else math.nan]
        path = folder / f"{case}_{step:g}_stations.h5"
        if path.exists():
            other = numbers(limber_run(path), end, REVOLUTIONS * 60 / speed)
            fine = found.get(("OpenFAST", step / 2), found["OpenFAST", step])
            moved += [[case, name, unit, kind, fine[name][kind], found["Limber", step][name][kind], x]
                      for name, unit, *_ in CHANNELS for kind, x in other[name].items()]
        steps += [[case, p, float(h), cpu.get((p, case, h), math.nan), runs[p, h].get("balance", math.nan)] for p, h in runs]
    compare.write("openfast_iea.csv", ("case", "step (ms)", "channel", "unit", "number", *(p + w for p in PROGRAMS for w in ("", " error bar"))), rows)
    compare.write("openfast_iea_stations.csv", ("case", "channel", "unit", "number", "OpenFAST", "Limber", "Limber, stations moved"),
                  moved)
    compare.write("openfast_iea_steps.csv", ("case", "program", "step (ms)", "CPU time (s)", "energy balance"), steps)
    rows = []
    for program in PUBLISHED:
        states = yaml.safe_load((folder / f"{program}.yaml").read_text())["cases"]
        state = next(s for s in states if s["configuration"]["wind_speed"] == WIND)
        path = folder / f"steady_{program}.h5"
        if not path.exists():
            continue
        run = limber_run(path)
        found = numbers(run, run["time"][-1], SETTLED * run["time"][-1])
        for name, unit, field, place, factor, channel in STEADY:
            value = state["outputs"]["integrated"][field] if place is None else state["outputs"]["distributed"][field]["values"][place]
            rows.append([program, *(state["configuration"][x] for x in ("rotor_speed", "pitch")), name, unit, factor * value, found[channel]["mean"],
                         run["balance"]])
    compare.write("openfast_iea_steady.csv", ("program", "speed (rpm)", "pitch (deg)", "channel", "unit", "published", "Limber", "energy balance"), rows)


def tables():
    """The tables of the page, by their names."""
    out = {}
    for case in CASES:
        lines = ["| channel | | OpenFAST | ± | Limber | ± | difference, % | more than both ± |", "|---|---|---|---|---|---|---|---|"]
        for r in compare.rows_of("openfast_iea.csv"):
            if r["case"] == case:
                one, two, *bars = (float(r[k]) for k in ("OpenFAST", "Limber", "OpenFAST error bar", "Limber error bar"))
                apart = "" if math.isnan(sum(bars)) else "yes" if abs(two - one) > sum(bars) else "no"
                lines.append(f"| {r['channel']}, {r['unit']} | {r['number']} | {compare.shown(one)} | {compare.small(bars[0])} | {compare.shown(two)} | "
                             f"{compare.small(bars[1])} | {compare.percent(100 * (two - one) / abs(one))} | {apart} |")
        out[case] = "\n".join(lines)
    moved = compare.rows_of("openfast_iea_stations.csv")
    cases = list(dict.fromkeys(r["case"] for r in moved))
    lines = ["| channel | | " + " | ".join(f"{CASES[c]}, stations {w}" for c in cases for w in ("as read", "moved")) + " |",
             "|---" * (2 + 2 * len(cases)) + "|"]
    for name, kind in dict.fromkeys((r["channel"], r["number"]) for r in moved):
        shares = []
        for r in (r for r in moved if (r["channel"], r["number"]) == (name, kind)):
            one, *others = (float(r[k]) for k in ("OpenFAST", "Limber", "Limber, stations moved"))
            shares += [compare.percent(100 * (x - one) / abs(one), 2) for x in others]
        lines.append(f"| {name} | {kind} | " + " | ".join(shares) + " |")
    out["stations"] = "\n".join(lines)
    lines = ["| turbine | step, ms | program | CPU time, s |", "|---|---|---|---|"]
    lines += [f"| {CASES[r['case']]} | {float(r['step (ms)']):g} | {r['program']} | {float(r['CPU time (s)']):.0f} |"
              for r in compare.rows_of("openfast_iea_steps.csv") if r["CPU time (s)"] != "nan"]
    out["times"] = "\n".join(lines)
    steady = {(r["program"], r["channel"]): r for r in compare.rows_of("openfast_iea_steady.csv")}
    found = [p for p in PUBLISHED if (p, STEADY[0][0]) in steady]
    lines = ["| channel | " + " | ".join(f"{p} | Limber | difference, %" for p in found) + " |", "|---" * (1 + 3 * len(found)) + "|"]
    for name, unit, *_ in STEADY:
        words = []
        for program in found:
            one, two = (float(steady[program, name][k]) for k in ("published", "Limber"))
            words += [compare.shown(one), compare.shown(two), compare.percent(100 * (two - one) / abs(one))]
        lines.append(f"| {name}, {unit} | " + " | ".join(words) + " |")
    out["steady"] = "\n".join(lines)
    return out


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("folder", type=pathlib.Path, nargs="?")
    given = words.parse_args()
    if given.folder:
        collect(given.folder)
    for name, table in tables().items():
        print(f"\n{name}\n\n{table}")


if __name__ == "__main__":
    main()
