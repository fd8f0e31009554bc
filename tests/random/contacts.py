#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random scenes of contact: bodies of all kinds of surfaces fall on each other. In every row the energy must not be above that at the
start and the work of loads, and the balance of energy must close. A scene whose run ends early is counted, not hidden.

    contacts.py --count 500 --jobs 2 --csv contacts.csv
    contacts.py --seed 17 --keep scene.yaml
    contacts.py --hard --count 50 --csv hard_contacts.csv      # the same scenes without penetration

Seeds from a million on have blocks of solids too, whose faces touch the others: contacts.py --first 1000000 --count 100.
"""
import argparse
import csv
import functools
import math
import multiprocessing
import os
import pathlib
import random
import subprocess
import sys
import tempfile

os.environ["HDF5_USE_FILE_LOCKING"] = "FALSE"
import h5py  # noqa: E402

source = pathlib.Path(__file__).resolve().parent.parent.parent
program = os.environ.get("LIMBER") or str(source / "build/dev/bin/limber")
columns = ["seed", "scheme", "step", "bodies", "law", "outcome", "rows", "growth", "balance", "most_touching", "halved"]


def vector(rnd, size):
    return [round(rnd.uniform(-size, size), 6) for _ in range(3)]


MILLION = 1000000


def add_block(rnd, name, height, nodes, elements, surfaces):
    """Four hexahedra that fall and turn; a skin about them lets spheres and other blocks meet them."""
    size, velocity, cells = 0.3, [*vector(rnd, 2)[:2], round(rnd.uniform(-5, -2), 4)], []
    at = [round(rnd.uniform(-0.4, 0.4), 6), round(rnd.uniform(-0.4, 0.4), 6), height]
    node = lambda i, j, k: f"{name}_{i}{j}{k}"
    for i, j, k in ((i, j, k) for k in (0, 1) for j in (0, 1, 2) for i in (0, 1, 2)):
        nodes.append(f"{node(i, j, k)}: {{at: {[round(a + size * f, 6) for a, f in zip(at, (i / 2, j / 2, k / 2))]}, kind: point, velocity: {velocity}}}")
    for i, j in ((0, 0), (1, 0), (0, 1), (1, 1)):
        corners = [node(i + a, j + b, k) for k in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
        cells.append(f"{{hexahedron: [{', '.join(corners)}]}}")
    elements.append(f"solid: {{name: {name}, mesh: [{', '.join(cells)}], material: m}}")
    surfaces.append(f"faces: {{name: {name}, element: {name}, points: {rnd.randint(1, 3)}, radius: 0.06}}")


def scene(seed, hard=False):
    """The model of a seed, as lines of a file, and what is told of it."""
    rnd = random.Random(seed)
    step = 10 ** rnd.uniform(-4, -1)
    scheme = rnd.choice(["preserving", "decaying", "decaying_a", "decaying_b", "decaying_c"])
    nodes, elements, surfaces = [], [], []
    for i in range(rnd.randint(1, 5)):
        at = [round(rnd.uniform(-0.4, 0.4), 6), round(rnd.uniform(-0.4, 0.4), 6), round(0.4 + 0.45 * i, 6)]
        motion = f"velocity: {[*vector(rnd, 2)[:2], round(rnd.uniform(-5, -2), 4)]}"
        kind = rnd.choice(["sphere", "point", "box", "rod", "beam"])
        mass = round(10 ** rnd.uniform(-1, 1), 4)
        if kind == "point":
            nodes.append(f"n{i}: {{at: {at}, kind: point, {motion}}}")
            elements.append(f"mass: {{name: e{i}, node: n{i}, mass: {mass}}}")
            surfaces.append(f"sphere: {{name: s{i}, node: n{i}, radius: 0.12}}")
        elif kind == "beam":
            end = [at[0] + 0.8, at[1], at[2]]
            nodes.append(f"n{i}: {{at: {at}}}")
            nodes.append(f"m{i}: {{at: {end}}}")
            elements.append(f"beam: {{name: e{i}, from: n{i}, to: m{i}, elements: 6, section: rod}}")
            surfaces.append(f"beam: {{name: s{i}, element: e{i}, radius: 0.03}}")
        else:
            nodes.append(f"n{i}: {{at: {at}, {motion}, angular_velocity: {vector(rnd, 5)}}}")
            elements.append(f"rigid_body: {{name: e{i}, node: n{i}, mass: {mass}, inertia: {[round(mass * 0.01, 6)] * 3}}}")
            surfaces.append({"sphere": f"sphere: {{name: s{i}, node: n{i}, radius: 0.15}}",
                             "box": f"box: {{name: s{i}, node: n{i}, size: [0.25, 0.2, 0.3], rounding: 0.04}}",
                             "rod": f"cylinder: {{name: s{i}, node: n{i}, axis: [1, 0, 0], radius: 0.08, length: 0.3}}"}[kind])
    tilt = [round(rnd.uniform(-0.3, 0.3), 3), round(rnd.uniform(-0.3, 0.3), 3), 1]
    surfaces.append(f"plane: {{name: floor, normal: {tilt}}}")
    surfaces.append("sphere: {name: peg, node: peg, radius: 0.2}")
    nodes.append("peg: {at: [0, 0, 0], kind: fixed}")
    law = [rnd.choice([f"stiffness: {10 ** rnd.uniform(3, 7):.4g}", f"hertz: {10 ** rnd.uniform(6, 9):.4g}"]),
           f"restitution: {rnd.choice([1, 1, 0.9, 0.5, 0.1, 0])}"]
    if rnd.random() < 0.6:
        law.append(f"friction: {round(rnd.uniform(0.05, 1), 3)}")
        if rnd.random() < 0.6:
            law += [f"stick_stiffness: {10 ** rnd.uniform(3, 6):.4g}", f"stick_damping: {rnd.choice([0, 1e-4, 1e-3])}"]
    if hard:
        law = ["penetration: none", *law[1:]] + rnd.choice([[], ["first_touch: ends_step"]])
    contacts = f"contacts:\n  - contact: {{name: c, {', '.join(law)}}}"
    if seed >= MILLION:
        others, blocks = [s.split("name: ")[1].split(",")[0] for s in surfaces], [f"b{i}" for i in range(rnd.randint(1, 2))]
        for i, name in enumerate(blocks):
            add_block(rnd, name, round(0.4 + 0.5 * i, 6), nodes, elements, surfaces)
        contacts = f"contacts:\n  - contact: {{name: c, surfaces: [{', '.join(others)}], {', '.join(law)}}}\n"
        law = [f"stiffness: {10 ** rnd.uniform(5, 9):.4g}", *law[1:]]
        contacts += f"  - contact: {{name: f, surfaces: [{', '.join(blocks)}], with: [{', '.join(others + blocks)}], {', '.join(law)}}}"
    lines = ["limber: 1", f"title: contact scene {seed}", "nodes:", *("  " + n for n in nodes),
             "materials: {m: {E: 5e6, nu: 0.3, density: 1000}}",
             "sections: {rod: {circle: {diameter: 0.06}, material: m}}",
             "elements:", *("  - " + e for e in elements), "surfaces:", *("  - " + s for s in surfaces),
             contacts, "loads:\n  - gravity: {acceleration: [0, 0, -9.81]}",
             f"run: {{scheme: {scheme}, step: {step:.6g}, end: {step * min(400, max(60, int(1 / step))):.6g}}}"]
    return lines, {"seed": seed, "scheme": scheme, "step": f"{step:.3g}", "bodies": len(elements), "law": " ".join(law)}


def judge(seed, keep=None, hard=False):
    lines, row = scene(seed, hard)
    with tempfile.TemporaryDirectory() as folder:
        model, results = pathlib.Path(folder) / "scene.yaml", pathlib.Path(folder) / "scene.h5"
        model.write_text("\n".join(lines) + "\n")
        if keep:
            pathlib.Path(keep).write_text(model.read_text())
        done = subprocess.run([program, "run", model, "-q", "-o", results], capture_output=True, text=True, timeout=600)
        row["outcome"] = "ends" if done.returncode == 0 else f"stops ({done.returncode})"
        if done.returncode == 2 or not results.exists():
            return {**row, "outcome": "refused: " + done.stderr[:300].replace("\n", " ")}
        with h5py.File(results, "r") as f:
            ledger = f["history/ledger"]
            energy = ledger["kinetic"][:] + ledger["strain"][:] + ledger["potential"][:] - ledger["work"][:]
            scale = max(ledger["exchanged"][-1], 1e-300)
            row["rows"] = len(energy)
            stands = slice(None) if done.returncode == 0 else slice(-1)  # a run that stops shows the step that cannot stand
            row["growth"] = f"{(energy - energy[0])[stands].max(initial=0) / scale:.1e}"
            parts = f["history/steps/substeps"][stands].clip(1)  # a row has the sum over the parts of its step
            row["balance"] = f"{(abs(ledger['residual'][stands]) / parts).max(initial=0) / scale:.1e}"
            row["most_touching"] = int(ledger["touching"][:].max())
            row["halved"] = int((f["history/steps/substeps"][:] > 1).sum())
    return row


def good(row):
    return "growth" in row and float(row["growth"]) <= 1e-9 and float(row["balance"]) <= 1e-9


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--count", type=int, default=20)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--csv")
    options.add_argument("--seed", type=int)
    options.add_argument("--keep")
    options.add_argument("--hard", action="store_true")
    given = options.parse_args()
    if given.seed is not None:
        print(judge(given.seed, given.keep, given.hard))
        return 0
    seeds = range(given.first, given.first + given.count)
    with multiprocessing.Pool(given.jobs) as pool:
        rows = []
        with open(given.csv or os.devnull, "w", newline="") as f:
            writer = csv.DictWriter(f, columns)
            writer.writeheader()
            for row in pool.imap(functools.partial(judge, hard=given.hard), seeds):
                rows.append(row)
                writer.writerow(row)
                f.flush()
    bad, early = [r for r in rows if not good(r)], [r for r in rows if r["outcome"] != "ends"]
    touched = sum(r.get("most_touching", 0) > 0 for r in rows)
    for r in bad:
        print(r)
    worst = max((float(r["growth"]) for r in rows if "growth" in r), default=math.nan)
    print(f"{len(rows)} scenes, {touched} with contacts, {len(early)} end early, {len(bad)} bad; largest growth {worst:.1e} of the "
          f"energy exchanged")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
