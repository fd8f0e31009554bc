#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coverage of the error bars of `limber converge`: each example is run with its own step h, h/2 and h/4, and once with h/16. The true
error of a value of the run with h/4 is its distance from the run with h/16, whose end, extremes, means and histories are found here
from `limber export`, not by the command under test.

  benchmarks/error_bars.py [--program build/release/bin/limber] [--csv benchmarks/results/error_bars.csv] [--show] [example ...]

  benchmarks/error_bars.py --chosen [--csv benchmarks/results/chosen_steps.csv]

runs models without their steps: the step that `limber run` chooses, the largest error bar of lengths and angles, their largest distance
from a run with a quarter of that step, both over the range, and the time of all runs over that of the chosen one (processor time, the
least of three).

  benchmarks/error_bars.py --ten [--csv benchmarks/results/ten_error_bars.csv]

writes one value of each of ten examples with its error bar and its true error.

The table has a row for each example: quantities with an error bar, those whose true error is inside, the median of bar over true
error, quantities without a bar. Values that agree within 1e-9 of the range are left out: there bar and error are those of Newton's
tolerance."""
import argparse
import csv
import json
import math
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import h5py
import numpy as np

CHOSEN = "pendulum slider_crank blade crane robot car_over_bump".split()
SOURCE = pathlib.Path(__file__).resolve().parent.parent
TEN = """falling_rods/ten_rods last.1z max|crane/crane rope.N1 max|heavy_top/wheel top.x end|slider_crank/slider_crank bearing.y max
 cable_swing/cable_swing top.N max|free_top/satellite bus.y max|rubber_block/cube b.y max|contacts/hertz ball.z max
 tower_loads/tower top.x max|four_bar_chain/chain_2_plane first.x max"""
FINER = 16
EXAMPLES = """bending_block/plate bolted_beam/all_beam cable_swing/cable_swing contacts/cradle contacts/hertz contacts/skid crane/crane
 disk_with_beam/disk_with_beam driven_arm/driven_arm falling_rods/ten_rods falling_rods/two_rods four_bar_chain/chain_2_plane
 free_top/satellite heavy_top/wheel rubber_block/cube rubber_block/sheet shared_hinge/shared shared_hinge/twice slewing_beam/slewing_beam
 slider_crank/slider_crank slider_crank_3d/slider_crank_3d spinning_top/spinning_top spun_beam/beam spun_beam/flight spun_beam/links
 spun_beam/point spun_beam/rod spun_beam/tumble square_block/square_block tolerances/four_bar tower_loads/tower two_blocks/frames
 two_blocks/joint two_blocks/two_blocks""".split()  # short ones: three runs take less than a second together


def table(text):
    rows = list(csv.reader(text.splitlines()))
    names = [name.rsplit(" [", 1)[0] for name in rows[0]]
    return dict(zip(names, map(list, zip(*([float(x) for x in row] for row in rows[1:])))))


def mean(t, y):
    pieces = [(b - a, 0.5 * (u + v)) for a, b, u, v in zip(t, t[1:], y, y[1:]) if math.isfinite(u + v)]
    return sum(d * x for d, x in pieces) / sum(d for d, _ in pieces)


def values(t, y):
    finite = [x for x in y if math.isfinite(x)]
    return {"end": y[-1], "min": min(finite), "max": max(finite), "mean": mean(t, y),
            "rms": math.sqrt(mean(t, [x * x for x in y]))}


def at_times(times, t, y, close):
    """The history at other times, straight between rows."""
    out, j = [], 0
    for at in times:
        while j + 1 < len(t) and t[j + 1] <= at + close:
            j += 1
        part = (at - t[j]) / (t[j + 1] - t[j]) if j + 1 < len(t) and at - t[j] > close else 0
        out.append(y[j] + part * (y[j + 1] - y[j]) if part else y[j])
    return out


def measure(program, name, show):
    """Bars and true errors of an example: list of (column, quantity, bar or None, error, range)."""
    model = SOURCE / "examples" / f"{name}.yaml"
    with tempfile.TemporaryDirectory() as folder:
        bars, run = f"{folder}/bars.csv", f"{folder}/run.h5"
        said = subprocess.run([program, "converge", model, "--runs", "3", "--json", "-o", bars], stdout=subprocess.PIPE, check=False)
        if said.returncode > 1:
            sys.exit(f"{name}: limber converge ended with code {said.returncode}")
        found = json.loads(said.stdout)
        step = found["runs"][0]["step"] / FINER
        subprocess.run([program, "run", model, "-o", run, "--set", f"run.step={step!r} s", "--set", f"run.end={found['end']!r} s",
                        "--set", "run.snapshots=0", "--checkpoint", "0"], stdout=subprocess.DEVNULL, check=True)
        columns = sorted({q["label"] for q in found["quantities"]})
        fine = table(subprocess.run([program, "export", run, *columns], stdout=subprocess.PIPE, text=True, check=True).stdout)
        coarse = table(pathlib.Path(bars).read_text(encoding="utf-8"))
    out = []
    for q in found["quantities"]:
        label, scale = q["label"], q["error"] / q["relative"] if q["error"] and q["relative"] else None
        y = fine[label]
        if q["quantity"] == "history":
            reference = at_times(coarse["time"], fine["time"], y, 1e-6 * step)
            pairs = [abs(a - b) for a, b in zip(coarse[label], reference) if math.isfinite(a - b)]
            error = max(pairs)
        else:
            error = abs(q["value"] - values(fine["time"], y)[q["quantity"]])
        span = max(x for x in y if math.isfinite(x)) - min(x for x in y if math.isfinite(x))
        out.append((label, q["quantity"], q["error"], error, scale or span, q["verdict"]))
        if show and (q["error"] is None or error > q["error"]):
            print("   ", label, q["quantity"], q["error"], error, q["order"], q["verdict"], file=sys.stderr)
    return found, out


def without_step(name, folder):
    """A copy of an example, or of a model of `limber new`, whose part `run` has neither step nor accuracy."""
    source = SOURCE / "src/cli/templates" / f"{name}.yaml"
    if not source.exists():
        source = SOURCE / "examples" / name / f"{name}.yaml"
        shutil.copytree(source.parent, folder, dirs_exist_ok=True)
    text = re.sub(r"(?m)^  step: .*\n", "", source.read_text(encoding="utf-8"))
    path = pathlib.Path(folder) / f"{name}.yaml"
    path.write_text(re.sub(r"(run: \{.*?)step: [^,}]*, ", r"\1", text), encoding="utf-8")
    return path


def processor_time(*words):
    """The least of three, s; waiting of processes for others does not count."""
    least = math.inf
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, stdout=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return least


def chosen(program, name):
    """A row of the table of chosen steps."""
    with tempfile.TemporaryDirectory() as folder:
        model, run, fine = without_step(name, folder), f"{folder}/run.h5", f"{folder}/fine.h5"
        cost = processor_time(program, "run", model, "-q", "-o", run)
        with h5py.File(run) as f:
            step, end = f.attrs["step"], f.attrs["end"]
        fixed = ["-q", "--set", f"run.end={end!r} s", "--checkpoint", "0"]
        alone = processor_time(program, "run", model, "-o", f"{folder}/alone.h5", "--set", f"run.step={step!r} s", *fixed)
        subprocess.run([program, "run", model, "-o", fine, "--set", f"run.step={step / 4!r} s", *fixed], check=True)
        claimed, true = 0, 0
        with h5py.File(run) as a, h5py.File(fine) as b:
            columns = []
            a["history/probes"].visititems(lambda path, item: columns.append(path) if "error" in item.attrs else None)
            for path in columns:
                x, y = (np.atleast_2d(f["history/probes"][path][()].T).T for f in (a, b))
                units = a["history/probes"][path].attrs["units"]
                units = (units.decode() if isinstance(units, bytes) else str(units)).split(", ")
                errors = a["history/probes"][path].attrs["error"]
                for i, error in enumerate(errors):
                    if units[min(i, len(units) - 1)] in ("m", "rad") and error > 0:
                        group = [k for k in range(len(errors)) if units[min(k, len(units) - 1)] == units[min(i, len(units) - 1)]]
                        span = max(np.ptp(y[:, k]) for k in group)
                        claimed, true = max(claimed, error / span), max(true, np.abs(x[:, i] - y[::4, i][:len(x)]).max() / span)
    return [name, f"{step:.6g}", f"{end / step:.0f}", f"{100 * claimed:.2g}", f"{100 * true:.2g}", f"{cost / alone:.2f}"]


def write_chosen(program, path):
    rows = []
    for name in CHOSEN:
        rows.append(chosen(program, name))
        print(*rows[-1], sep=",", flush=True)
    with open(path, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["model", "step [s]", "steps", "error bar [%]", "true error [%]", "cost over that of the chosen run"])
        out.writerows(rows)


def write_ten(program, path):
    with open(path, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["example", "column", "quantity", "value", "unit", "error bar", "true error", "order", "verdict"])
        for name, label, quantity in (line.split() for line in TEN.replace("\n", "|").split("|")):
            found, judged = measure(program, name, False)
            q = next(q for q in found["quantities"] if (q["label"], q["quantity"]) == (label, quantity))
            true = next(t[3] for t in judged if t[:2] == (label, quantity))
            bar, order = (f"{q[k]:.2g}" if q[k] is not None else "" for k in ("error", "order"))
            out.writerow([name, label, quantity, f"{q['value']:.8g}", q["units"], bar, f"{true:.2g}", order, q["verdict"]])
            f.flush()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--program", default=str(SOURCE / "build/release/bin/limber"))
    p.add_argument("--csv")
    p.add_argument("--chosen", action="store_true", help="chosen steps in place of the coverage of error bars")
    p.add_argument("--ten", action="store_true", help="one value of each of ten examples")
    p.add_argument("--show", action="store_true", help="prints the quantities that are outside")
    p.add_argument("example", nargs="*", default=EXAMPLES)
    a = p.parse_args()
    a.csv = a.csv or str(SOURCE / "benchmarks/results" / (
        "chosen_steps.csv" if a.chosen else "ten_error_bars.csv" if a.ten else "error_bars.csv"))
    if a.chosen:
        return write_chosen(a.program, a.csv)
    if a.ten:
        return write_ten(a.program, a.csv)
    ratios, bars, inside_all, none_all, rows = [], 0, 0, 0, []
    for name in a.example:
        found, quantities = measure(a.program, name, a.show)
        judged = [q for q in quantities if q[3] > 1e-9 * q[4] or (q[2] or 0) > 1e-9 * q[4]]
        with_bar = [q for q in judged if q[2] is not None]
        inside = [q for q in with_bar if q[3] <= q[2]]
        here = [q[2] / q[3] for q in with_bar if q[3] > 0]
        ratios += here
        bars, inside_all, none_all = bars + len(with_bar), inside_all + len(inside), none_all + len(judged) - len(with_bar)
        converged = sum(q[5] == "converged" for q in with_bar)
        rows.append([name, f"{found['runs'][0]['step']:.6g}", found["order"], len(with_bar), len(inside), converged,
                     f"{statistics.median(here):.3g}" if here else "", len(judged) - len(with_bar), f"{found['horizon']:.6g}", f"{found['end']:.6g}"])
        print(*rows[-1], sep=",", flush=True)
        total = ["all", "", "", bars, inside_all, "", f"{statistics.median(ratios):.3g}" if ratios else "", none_all, "", ""]
        with open(a.csv, "w", newline="", encoding="utf-8") as f:
            out = csv.writer(f, lineterminator="\n")
            out.writerow(["example", "step [s]", "order", "bars", "inside", "converged", "median of bar over error", "without a bar",
                          "horizon [s]", "end [s]"])
            out.writerows([*rows, total])
    print(f"{len(a.example)} examples, {bars} quantities with an error bar, {100 * inside_all / bars:.2f} % inside, median of bar over "
          f"error {statistics.median(ratios):.3g}; {none_all} without a bar")


main()
