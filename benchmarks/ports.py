#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ports: the energy of 200 random pairs of mechanisms that are cut at a ball joint (results/ports_pairs.csv), and the energy of coupled
runs over steps from 0.1 ms to 0.2 s (results/ports_steps.csv, ports_steps.png): of two masses that are rigidly linked, by waves and by
the plain exchange of force and velocity, and of a mass whose spring leads to a mass in an FMU (tests/test_bonds.py), by a bond and by
that exchange.

    PYTHONPATH=python LIMBER_LIBRARY=build/release/lib/liblimber.so python3 benchmarks/ports.py
"""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

import coupled  # noqa: E402 (after the line above)
import limber  # noqa: E402
import test_bonds  # noqa: E402
import test_fmu_block  # noqa: E402

STEPS = (1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2)
END, MASS, MOST = 2.0, 1.5, 1e12


def exchange_plainly(h):
    """The first mass takes the force of the last step, the second the velocity. Largest energy over that of the start, until MOST."""
    one, two = (coupled.slider(i, h, "preserving", {"mass": MASS}, "joint") for i in (0, 1))
    for model in one, two:
        del model["ports"]
        model["functions"] = {"given": {"signal": {}}}
    one["loads"] = [{"joint_force": {"joint": "rail", "amplitude": "given"}}]
    two["loads"] = [{"drive": {"joint": "rail", "rate": "given"}}]
    two["functions"]["given"]["signal"] = {"value": coupled.SPEED}
    a, b = limber.Model(one).start(), limber.Model(two).start()
    _, speed, acceleration, force = coupled.linked(0)
    first = most = sum(r.ledger.kinetic + r.ledger.strain for r in (a, b))
    while a.time < END - h / 2 and most < MOST * first:
        a.set_signal("given", -force)
        b.set_signal("given", speed + (acceleration * h / 2 if a.time == 0 else 0))
        a.step(), b.step()
        speed, force = a.joint("rail").rate[0], b.joint("rail").drive[0]
        most = max(most, sum(r.ledger.kinetic + r.ledger.strain for r in (a, b)))
    return most / first, a.time


def exchange_waves(h):
    s = coupled.start_two_masses(h, "preserving", {"mass": MASS})
    first = most = s.energy.stored + s.energy.lines
    while s.time < END - h / 2:
        s.step()
        most = max(most, s.energy.stored + s.energy.lines)
    x = abs(s.runs[0].joint("rail").coordinate[0] - coupled.linked(END)[0])
    return most / first, x


BONDED = test_bonds.MODEL.replace("outputs: [effort, given, x]", "outputs: [effort, s, x, v]")
PLAIN = BONDED.replace("ports:\n  - bond: {name: link, joint: rail, fmu: spring, flow: flow, effort: effort, tolerance: 1 mJ}",
                       "loads:\n  - joint_force: {joint: rail, amplitude: spring.1}")
SUM = "  - {name: fmu, formula: '(spring.4^2 + 23*spring.3^2 + 1000*(spring.2 - spring.3)^2)/2'}\n"


def exchange_with_fmu(text, h):
    """Largest energy of both sides over that of the start, the error of the position, and the run. Until MOST."""
    pathlib.Path("bonded.yaml").write_text(text.replace("probes:\n", "probes:\n" + SUM))
    run = limber.Model("bonded.yaml", {"run.step": h}, allow_library=True).start()
    first = most = run.ledger.kinetic
    while run.time < END - h / 2 and most < MOST * first:
        run.step()
        most = max(most, run.ledger.kinetic + run.ledger.strain + run.now("fmu.value"))
    return most / first, abs(run.joint("rail").coordinate[0] - test_bonds.exact(run.time)[0]), run


def write(name, rows):
    with open(HERE / "results" / name, "w", newline="") as f:
        out = csv.DictWriter(f, rows[0], lineterminator="\n")
        out.writeheader()
        out.writerows({k: f"{v:.3g}" if isinstance(v, float) else v for k, v in row.items()} for row in rows)


def draw():
    text = f"""set terminal pngcairo size 900,560 font "DejaVu Sans,11"
set output "{HERE}/ports_steps.png"
set datafile separator ","
set logscale xy
set format y "10^{{%L}}"
set yrange [0.3:3e12]
set xlabel "step (s)"
set ylabel "largest energy over that of the start, t up to {END:g} s"
set key left center
plot "{HERE}/results/ports_steps.csv" using 1:2 skip 1 with linespoints pt 7 title "two linked masses, plain exchange", \\
     "" using 1:4 skip 1 with linespoints pt 5 title "two linked masses, wave port", \\
     "" using 1:10 skip 1 with linespoints pt 6 title "a mass and an FMU, plain exchange", \\
     "" using 1:7 skip 1 with linespoints pt 9 title "a mass and an FMU, bond"
"""
    subprocess.run(["gnuplot"], input=text, text=True, check=True)


def main():
    test_fmu_block.compile_blocks()
    test_fmu_block.pack("bond.fmu", 3, bond=True)
    rows = coupled.pairs(0, 200)
    write("ports_pairs.csv", rows)
    print(f"{len(rows)} runs of pairs: largest excess {max(r['excess'] for r in rows):.2g}, residual {max(r['residual'] for r in rows):.2g}")
    rows = []
    for h in STEPS:
        (plain, time), (wave, error) = exchange_plainly(h), exchange_waves(h)
        (bond, off, run), (held, _, ended) = exchange_with_fmu(BONDED, h), exchange_with_fmu(PLAIN, h)
        rows.append({"step": h, "plain": plain, "plain_until": time, "wave": wave, "wave_gain": wave - 1, "wave_error": error, "bond": bond,
                     "bond_exchange": run.ledger.exchange, "bond_error": off, "fmu_plain": held, "fmu_plain_until": ended.time})
        print(rows[-1])
    write("ports_steps.csv", rows)
    draw()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main()
