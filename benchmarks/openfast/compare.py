#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""NREL's 5 MW turbine in OpenFAST and in Limber (docs/openfast.md): means, extremes and damage-equivalent loads, how they depend on
the step, CPU time and energy balance.

  benchmarks/openfast/compare.py FOLDER    # reads the runs, writes ../results/openfast_*.csv and histories.png, prints the tables
  benchmarks/openfast/compare.py           # prints the tables of docs/openfast.md from the CSV files

FOLDER has the results of each CASE (turbulent, steady8, steady12) and step (in ms): CASE_STEP.outb of OpenFAST, CASE_STEP.h5 of Limber
(turbine.yaml), and cpu.csv with rows of program, case, step and seconds. A file that is missing is a run that failed."""
import argparse
import csv
import math
import pathlib
import struct
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE.parent / "results"
CASES = {"turbulent": "turbulent, 12 m/s", "steady8": "steady, 8 m/s", "steady12": "steady, 12 m/s"}
STEPS = (3.125, 6.25, 12.5, 20, 25, 50)  # ms
FROM, COMPARED = 20.0, 12.5              # s: start of the statistics; ms: step of the comparison
PROGRAMS = ("OpenFAST", "Limber")
# name, unit, column of OpenFAST, column of Limber, factor to this unit, Woehler exponent (0: no load)
CHANNELS = (
    ("power of the generator", "kW", "GenPwr", "power", 1e-3, 0),
    ("power of the air", "kW", "RtAeroPwr/1000", "air", 1e-3, 0),
    ("speed of the generator", "rpm", "GenSpeed", "generator.rate", 97 * 30 / math.pi, 0),
    ("pitch", "deg", "BldPitch1", "pitch1.angle", 180 / math.pi, 0),
    ("blade root, flap", "kN m", "RootMyb1", "pitch1.moment.z", -1e-3, 10),
    ("blade root, edge", "kN m", "RootMxb1", "pitch1.moment.y", -1e-3, 10),
    ("blade tip, flap", "m", "TipDxb1", "tip1.deflection.y", 1, 0),
    ("blade tip, edge", "m", "TipDyb1", "tip1.deflection.z", 1, 0),
    ("tower base, fore-aft", "kN m", "TwrBsMyt", "foundation.moment.y", -1e-3, 4),
    ("tower base, side to side", "kN m", "TwrBsMxt", "foundation.moment.x", -1e-3, 4),
    ("tower top, fore-aft", "m", "TTDspFA", "top.displacement.x", 1, 0),
    ("tower top, side to side", "m", "TTDspSS", "top.displacement.y", 1, 0),
)
# runs of each case, one with the mode shapes of this tower in ElastoDyn
VARIANTS = (("OpenFAST", ".outb"), ("OpenFAST, other shapes of the tower", "_shapes.outb"), ("Limber", ".h5"))
TOWERS = {VARIANTS[0][0]: "r-test", VARIANTS[1][0]: "other shapes"}
SHOWN = (("power of the generator", "mean"), ("blade root, flap", "DEL"), ("blade root, edge", "DEL"), ("tower base, fore-aft", "DEL"),
         ("tower base, side to side", "DEL"), ("tower top, fore-aft", "mean"), ("tower top, fore-aft", "largest"))
LOADS = [c[0] for c in CHANNELS if c[5]]


# ---- reading ----

def read_openfast(path):
    """Columns of an .outb file by their names."""
    data = path.read_bytes()
    kind, = struct.unpack_from("<h", data)
    at, width = 2, 10
    if kind == 4:
        (width,), at = struct.unpack_from("<h", data, 2), 4
    n, rows = struct.unpack_from("<2i", data, at)
    first, second = struct.unpack_from("<2d", data, at + 8)
    at += 24
    scale, offset = [1.0] * n, [0.0] * n
    if kind != 3:
        scale, offset = struct.unpack_from(f"<{n}f", data, at), struct.unpack_from(f"<{n}f", data, at + 4 * n)
        at += 8 * n
    at += 4 + struct.unpack_from("<i", data, at)[0]
    names = [data[at + k * width:at + (k + 1) * width].decode().strip() for k in range(n + 1)]
    at += 2 * (n + 1) * width
    if kind == 1:
        time = [(x - second) / first for x in struct.unpack_from(f"<{rows}i", data, at)]
        at += 4 * rows
    else:
        time = [first + k * second for k in range(rows)]
    values = struct.unpack_from(f"<{rows * n}{'d' if kind == 3 else 'h'}", data, at)
    out = {name: [(x - offset[k]) / scale[k] for x in values[k::n]] for k, name in enumerate(names[1:])}
    return {"time": time, **out}


def openfast_runs(path):
    file = read_openfast(path)
    out = {"time": file["time"]}
    for name, _, column, *_ in CHANNELS:
        column, _, part = column.partition("/")
        out[name] = [x / float(part or 1) for x in file[column]]
    return out


def limber_runs(path):
    import h5py

    with h5py.File(path) as f:
        out = {"time": f["history/time"][:].tolist()}
        for name, _, _, column, factor, _ in CHANNELS:
            probe, *words = column.split(".")
            group = f["history/probes/" + probe]
            values = group[words[0]] if words else group[next(iter(group))]
            values = values[:, "xyz".index(words[1])] if len(words) > 1 else values[:]
            out[name] = (factor * values.reshape(len(values))).tolist()
        ledger = f["history/ledger"]
        out["balance"] = max(ledger["residual"][:]) / ledger["exchanged"][-1]
    return out


# ---- numbers of a channel ----

def equivalent(values, duration, exponent):
    """Damage-equivalent load at 1 Hz: rainflow counting of ASTM E1049-85, open ranges as half cycles."""
    points = [values[0]]
    for x in values[1:]:
        if len(points) > 1 and (points[-1] - points[-2]) * (x - points[-1]) >= 0:
            points[-1] = x
        elif x != points[-1]:
            points.append(x)
    stack, damage = [], 0.0
    for x in points:
        stack.append(x)
        while len(stack) >= 3 and abs(stack[-1] - stack[-2]) >= abs(stack[-2] - stack[-3]):
            size = abs(stack[-2] - stack[-3])
            if len(stack) == 3:
                damage += 0.5 * size**exponent
                del stack[0]
            else:
                damage += size**exponent
                del stack[-3:-1]
    damage += sum(0.5 * abs(b - a)**exponent for a, b in zip(stack, stack[1:]))
    return (damage / duration)**(1 / exponent)


def numbers(run):
    """Of each channel: mean, smallest, largest, damage-equivalent load."""
    begin = next(k for k, t in enumerate(run["time"]) if t >= FROM - 1e-9)
    out = {}
    for name, *_, exponent in CHANNELS:
        values = run[name][begin:]
        load = equivalent(values, run["time"][-1] - run["time"][begin], exponent) if exponent else math.nan
        out[name] = {"mean": sum(values) / len(values), "smallest": min(values), "largest": max(values), "DEL": load}
    return out


# ---- tables ----

def rows_of(name):
    with open(RESULTS / name, newline="") as f:
        return list(csv.DictReader(f))


def write(name, head, rows):
    with open(RESULTS / name, "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(head)
        out.writerows([f"{x:.7g}" if isinstance(x, float) else x for x in row] for row in rows)


def collect(folder):
    """Reads the runs, writes the CSV files, and returns the histories that are drawn. Runs are compared at one step; the error
    bar is twice the difference from half of this step, or the difference from twice the step, as of an error of first order."""
    with open(folder / "cpu.csv", newline="") as f:
        cpu = {(r[0], r[1], float(r[2])): float(r[3]) for r in csv.reader(f) if r}
    runs, found = {}, {}
    for case in CASES:
        for program, end, read in zip(PROGRAMS, (".outb", ".h5"), (openfast_runs, limber_runs)):
            for h in STEPS:
                path = folder / f"{case}_{h:g}{end}"
                if path.exists():
                    run = read(path)
                    found[case, program, h] = numbers(run) | {"balance": run.get("balance", math.nan)}
                    runs[case, program, h] = run
    channels, steps = [], []
    for case in CASES:
        for name, unit, *_, exponent in CHANNELS:
            for kind in ("mean", "smallest", "largest", *(["DEL"] if exponent else [])):
                row = [case, COMPARED, name, unit, kind]
                for program in PROGRAMS:
                    now, fine, coarse = (found[case, program, h][name][kind] if (case, program, h) in found else math.nan
                                         for h in (COMPARED, COMPARED / 2, 2 * COMPARED))
                    row += [now, abs(now - coarse) if math.isnan(fine) else 2 * abs(now - fine)]
                channels.append(row)
        for program in PROGRAMS:
            for h in STEPS:
                if (case, program, h) in found:
                    finest = next(x for x in STEPS if (case, program, x) in found)
                    fine, now = found[case, program, finest], found[case, program, h]
                    errors = [100 * (now[name]["DEL"] / fine[name]["DEL"] - 1) for name in LOADS]
                    steps.append([case, program, h, cpu[program, case, h], *errors, now["balance"]])
    write("openfast_channels.csv",
          ("case", "step (ms)", "channel", "unit", "number", *(f"{p}{w}" for p in PROGRAMS for w in ("", " error bar"))), channels)
    write("openfast_steps.csv", ("case", "program", "step (ms)", "CPU time (s)", *(f"{x}, DEL error (%)" for x in LOADS), "energy balance"), steps)
    read = {".outb": openfast_runs, ".h5": limber_runs}
    variants = []
    for case in CASES:
        for model, end in VARIANTS:
            path = folder / f"{case}_{COMPARED:g}{end}"
            if path.exists():
                found = numbers(read[path.suffix](path))
                variants.append([case, model, *(found[c][k] for c, k in SHOWN)])
    write("openfast_variants.csv", ("case", "model", *(f"{c}, {k}" for c, k in SHOWN)), variants)
    return {p: runs["turbulent", p, COMPARED] for p in PROGRAMS}


def percent(x, digits=1):
    return f"{x:+.{digits}f}".replace("-", "−")


def shown(x):
    return f"{x:.4g}" if abs(x) < 1e4 else f"{x:.0f}"


def small(x):
    return "" if math.isnan(x) else f"{x:.2g}"


def differences(case):
    """Rows of a case: channel, unit, number, values and error bars of both, difference in % (nan: of a value that is small in its channel),
    and whether it exceeds both error bars together."""
    rows = [r for r in rows_of("openfast_channels.csv") if r["case"] == case]
    sizes = {r["channel"]: max(abs(float(x["OpenFAST"])) for x in rows if x["channel"] == r["channel"]) for r in rows}
    for r in rows:
        one, two, *bars = (float(r[k]) for k in ("OpenFAST", "Limber", "OpenFAST error bar", "Limber error bar"))
        share = 100 * (two - one) / abs(one) if r["number"] == "DEL" or abs(one) > 0.2 * sizes[r["channel"]] else math.nan
        yield r["channel"], r["unit"], r["number"], one, two, *bars, share, abs(two - one) > sum(bars)


def tables():
    """The tables of the page, by their names."""
    out = {}
    for case in CASES:
        lines = ["| channel | | OpenFAST | ± | Limber | ± | difference, % | more than both ± |", "|---|---|---|---|---|---|---|---|"]
        for channel, unit, number, one, two, bar, bar_two, share, apart in differences(case):
            if case == "turbulent" or number in ("mean", "DEL"):
                lines.append(f"| {channel}, {unit} | {number} | {shown(one)} | {small(bar)} | {shown(two)} | {small(bar_two)} | "
                             f"{'' if math.isnan(share) else percent(share)} | {'' if math.isnan(bar + bar_two) else 'yes' if apart else 'no'} |")
        out[case] = "\n".join(lines)
    lines = ["| step, ms | program | CPU time, s | " + " | ".join(x + ", %" for x in LOADS) + " |", "|---" * (3 + len(LOADS)) + "|"]
    steps = {(r["program"], float(r["step (ms)"])): r for r in rows_of("openfast_steps.csv") if r["case"] == "turbulent"}
    for h in STEPS:
        for program in PROGRAMS:
            r = steps.get((program, h))
            if r:
                errors = (percent(float(r[f"{x}, DEL error (%)"]), 2) for x in LOADS)
                lines.append(f"| {h:g} | {program} | {float(r['CPU time (s)']):.1f} | " + " | ".join(errors) + " |")
            else:
                lines.append(f"| {h:g} | {program} | {'stops' if program == 'OpenFAST' else ''} |" + " |" * len(LOADS))
    out["steps"] = "\n".join(lines)
    units = {c[0]: c[1] for c in CHANNELS}
    variants = {(r["case"], r["model"]): {x: float(r[f"{x[0]}, {x[1]}"]) for x in SHOWN} for r in rows_of("openfast_variants.csv")}
    lines = ["| wind | | " + " | ".join(f"{c}, {k}, {units[c]}" for c, k in SHOWN) + " |", "|---" * (2 + len(SHOWN)) + "|"]
    lines += ["| " + " | ".join([CASES[case], model, *map(shown, row.values())]) + " |" for (case, model), row in variants.items()]
    out["variants"] = "\n".join(lines)
    towers = [(case, model) for case, model in variants if model != "Limber"]
    lines = ["| | " + " | ".join(f"{CASES[case]}, {TOWERS[model]}" for case, model in towers) + " |", "|---" * (1 + len(towers)) + "|"]
    for x in SHOWN[1:]:
        share = (100 * (variants[case, "Limber"][x] / variants[case, model][x] - 1) for case, model in towers)
        lines.append(f"| {', '.join(x)} | " + " | ".join(percent(s) + " %" for s in share) + " |")
    out["towers"] = "\n".join(lines)
    lines = ["| case | OpenFAST | Limber |", "|---|---|---|"]
    lines += [f"| {text} | {largest_step(case, 'OpenFAST'):g} | {largest_step(case, 'Limber'):g} |" for case, text in CASES.items()]
    out["largest steps"] = "\n".join(lines)
    return out


def largest_step(case, program, loads=LOADS, limit=1.0):
    """The largest step (ms) up to which all of these loads are within this limit (%) of those of the smallest step."""
    best = STEPS[0]
    for r in rows_of("openfast_steps.csv"):
        if (r["case"], r["program"]) == (case, program):
            if any(not abs(float(r[f"{x}, DEL error (%)"])) <= limit for x in loads):
                break
            best = float(r["step (ms)"])
    return best


def draw(runs, names=("power of the generator", "pitch", "blade root, flap", "blade root, edge", "tower base, fore-aft", "tower top, fore-aft")):
    with tempfile.TemporaryDirectory() as work:
        for program in PROGRAMS:
            run = runs[program]
            lines = zip(run["time"], *(run[name] for name in names))
            (pathlib.Path(work) / program).write_text("".join(" ".join(f"{x:.6g}" for x in row) + "\n" for row in lines))
        units = {c[0]: c[1] for c in CHANNELS}
        text = f"""set terminal pngcairo size 1000,1300 font "DejaVu Sans,11"
set output "{HERE}/histories.png"
set multiplot layout {len(names)},1 margins 0.1,0.97,0.045,0.985 spacing 0,0.022
set xrange [0:60]
set grid
set format x ""
"""
        for k, name in enumerate(names):
            if k == len(names) - 1:
                text += 'set format x "%g"\nset xlabel "time (s)"\n'
            text += f"""set ylabel "{name} ({units[name]})" font ",10"
plot "{work}/OpenFAST" using 1:{k + 2} with lines lw 2.5 lc rgb "#e08214" title "OpenFAST", \\
     "{work}/Limber" using 1:{k + 2} with lines lw 1 lc rgb "#2166ac" title "Limber"
"""
        subprocess.run(["gnuplot"], input=text, text=True, check=True)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("folder", type=pathlib.Path, nargs="?")
    given = words.parse_args()
    if given.folder:
        draw(collect(given.folder))
    for name, table in tables().items():
        print(f"\n{name}\n\n{table}")


if __name__ == "__main__":
    main()
