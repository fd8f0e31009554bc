#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Power and thrust of the rotor of NREL's 5 MW turbine with `strip` and induction, against those of the report that defines it,
NREL/TP-500-38060 (its curves are of flexible blades; numbers as in the tests of CCBlade), and with the coefficients that the manual
of CCBlade prints for the tip-speed ratio of 7.55.

  benchmarks/rotor_power.py FOLDER [--program build/release/bin/limber] [--csv benchmarks/results/rotor_power.csv]

FOLDER has the blade and the airfoils of OpenFAST's r-test (glue-codes/openfast/5MW_Baseline: NRELOffshrBsline5MW_AeroDyn_blade.dat
and Airfoils/*.dat, all in one folder). The blade is rigid, with the tilt, cone and shear of the report. One blade turns once; the rotor
has three times its mean work."""
import argparse
import csv
import math
import os
import pathlib
import subprocess
import tempfile

import h5py

FOILS = ("Cylinder1", "Cylinder2", "DU40_A17", "DU35_A17", "DU30_A17", "DU25_A17", "DU21_A17", "NACA64_A17")
# wind (m/s), rate (rpm), pitch (deg), power of the rotor (kW), thrust (kN) with the part of the rotor's weight along the shaft
REPORT = ((5, 7.506, 0, 427.9, 268.9), (8, 9.156, 0, 1876.2, 478.0), (10, 11.431, 0, 3653.0, 691.5), (11, 11.890, 0, 4833.2, 790.6),
          (12, 12.1, 3.823, 5296.6, 690.0), (15, 12.1, 10.450, 5296.6, 520.5), (20, 12.1, 17.473, 5296.7, 418.8))
WEIGHT = 110 * 9.81 * math.sin(math.radians(5))  # kN
HUB, TIP, STEPS = 1.5, 63.0, 180

MODEL = """limber: 1
nodes: {{hub: [0, 0, 90], root: [{root}], tip: [{tip}]}}
sections:
  s: {{stiffness: [1e13, 1e13, 1e13, 1e13, 1e13, 1e13], mass: 1, inertia: [1, 1, 1]}}
elements:
  - rigid_body: {{node: hub, mass: 1, inertia: [1, 1, 1]}}
  - beam: {{name: blade, from: root, to: tip, elements: {elements}, order: 1, section: s, up: [0, -1, 0]}}
  - strip: {{name: air, element: blade, wind: [{wind}, 0, 0], shear: 0.2, height: 90, stations: [{stations}], polars: [{polars}],
            {rotor}}}
joints:
  - revolute: {{name: shaft, nodes: [ground, hub], axis: [{axis}], at: [0, 0, 90]}}
  - weld: {{name: root, nodes: [hub, root]}}
loads:
  - drive: {{name: rate, joint: shaft, rate: {rate}}}
probes:
  - {{name: shaft, joint: shaft, record: [force, moment]}}
run: {{scheme: preserving, step: {step}, end: {end}}}
motion: {{at: [0, 0, 90], angular_velocity: [{omega}]}}
"""


def text(numbers):
    return ", ".join(f"{x!r}" for x in numbers)


def blade(folder):
    rows = []
    for line in (folder / "NRELOffshrBsline5MW_AeroDyn_blade.dat").read_text().splitlines():
        words = line.split()
        if len(words) >= 7 and "E+" in words[0] and (not rows or float(words[0]) > rows[-1][0]):
            rows.append((float(words[0]), float(words[4]), float(words[5]), int(words[6])))
    return rows


def model(folder, wind, rpm, pitch, elements, induced):
    tilt, cone = math.radians(5), math.radians(2.5)
    axis = (math.cos(tilt), 0, -math.sin(tilt))
    up = (math.sin(tilt), 0, math.cos(tilt))
    along = [math.cos(cone) * u - math.sin(cone) * n for u, n in zip(up, axis)]
    rows, rate = blade(folder), rpm * math.pi / 30
    places = [r[0] / rows[-1][0] for r in rows]
    stations = ", ".join(f"[{p!r}, {r[2]}, {-(r[1] + pitch)!r} deg, 0, 0]" for p, r in zip(places, rows))
    polars = ", ".join(f"{{at: {p!r}, table: {{aerodyn: {FOILS[r[3] - 1]}.dat}}}}" for p, r in zip(places, rows))
    end = 2 * math.pi / rate
    rotor = f"blades: 3, hub: hub, axis: [{text(axis)}]" if induced else "unsteady: none"
    return MODEL.format(root=text((HUB * a + (90 if k == 2 else 0) for k, a in enumerate(along))),
                        tip=text((TIP * a + (90 if k == 2 else 0) for k, a in enumerate(along))), elements=elements, wind=wind,
                        stations=stations, polars=polars, rotor=rotor, axis=text(axis), rate=rate, step=repr(end / STEPS),
                        end=repr(end), omega=text(rate * a for a in axis))


def turn(program, folder, work, *case):
    """Power (kW) and thrust (kN) of the rotor, means over a revolution."""
    for f in folder.glob("*.dat"):
        (work / f.name).write_bytes(f.read_bytes())
    (work / "rotor.yaml").write_text(model(folder, *case))
    done = subprocess.run([program, "run", "rotor.yaml", "-o", "rotor.h5", "--force", "-q"], cwd=work, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    with h5py.File(work / "rotor.h5") as f:
        time, wind = f["history/time"][:], f["history/ledger/wind"][:]
        force = f["history/probes/shaft/force"][1:]
    axis = (math.cos(math.radians(5)), 0, -math.sin(math.radians(5)))
    thrust = sum(abs(sum(x * a for x, a in zip(row, axis))) for row in force) / len(force)
    return 3e-3 * (wind[-1] - wind[0]) / (time[-1] - time[0]), 3e-3 * thrust


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("folder", type=pathlib.Path)
    words.add_argument("--program", default="limber", type=os.path.abspath)
    words.add_argument("--csv")
    words.add_argument("--elements", type=int, default=80)
    given = words.parse_args()
    table = [("wind (m/s)", "rate (rpm)", "pitch (deg)", "power (kW)", "power of the report (kW)", "difference (%)", "thrust (kN)",
              "thrust of the report (kN)", "difference (%)", "power without induction (kW)")]
    with tempfile.TemporaryDirectory() as work:
        for wind, rpm, pitch, power, thrust in REPORT:
            case = (given.program, given.folder, pathlib.Path(work), wind, rpm, pitch, given.elements)
            found, push = turn(*case, True)
            bare, _ = turn(*case, False)
            thrust -= WEIGHT
            table.append((wind, rpm, pitch, round(found, 1), power, round(100 * (found / power - 1), 2), round(push, 1), round(thrust, 1),
                          round(100 * (push / thrust - 1), 2), round(bare, 1)))
            print(*table[-1], sep="\t", flush=True)
        radius = TIP * math.cos(math.radians(2.5))
        push = 0.5 * 1.225 * math.pi * radius**2 * 10**2
        found = turn(given.program, given.folder, pathlib.Path(work), 10, 7.55 * 10 / radius * 30 / math.pi, 0, given.elements, True)
    coefficients = [1e3 * found[0] / (10 * push), 1e3 * found[1] / push]
    print("tip-speed ratio 7.55:", *(f"{x:.5f} ({100 * (x / y - 1):+.2f} %)" for x, y in zip(coefficients, (0.46488096, 0.76926398))))
    if given.csv:
        with open(given.csv, "w", newline="") as f:
            csv.writer(f, lineterminator="\n").writerows(table)


if __name__ == "__main__":
    main()
