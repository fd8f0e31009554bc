#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The option `momentum: exact` of the scheme decaying against the same scheme without it.

    benchmarks/momentum.py [--limber COMMAND] [--folder FOLDER] [errors] [damping] [rotation] [cost] [drift]

errors    errors of positions and velocities at three steps, each half of the one before, and their orders
damping   how much of the velocity of a vibration is left per step, over omega h of its fastest mode, at rest and in rotation
rotation  rate, energy and angular momentum of a rotor and of a tumbling flexible body after 100 turns, without stored increments
cost      instructions of a step (callgrind)
drift     angular momentum, energy and balance after 10^5 steps of a free body with each kind of element and joint; long

Each part writes momentum_PART.csv to the folder, by default benchmarks/results."""
import argparse
import csv
import os
import subprocess
import sys
import tempfile

import h5py
import numpy
import yaml

import spinning
import spheres

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPTIONS = ["unchecked", "exact"]


def run(limber, model, path=None):
    """The history of a model given as a dict, with files beside `path`."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path) if path else None) as folder:
        name = os.path.join(folder, "m")
        with open(name + ".yaml", "w", encoding="utf-8") as out:
            yaml.safe_dump(model, out, sort_keys=False)
        done = subprocess.run([limber, "run", name + ".yaml", "-q", "-o", name + ".h5", "--checkpoint", "0"], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        out = {}
        with h5py.File(name + ".h5") as f:
            f["history"].visititems(lambda key, item: out.update({key: item[()]} if isinstance(item, h5py.Dataset) else {}))
    return out


def write(folder, part, head, rows):
    with open(os.path.join(folder, "momentum_%s.csv" % part), "w", newline="", encoding="utf-8") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(head)
        table.writerows(rows)


def show(row):
    print("  ".join("%-16s" % c for c in row), flush=True)
    return row


# ---- errors ----

# model, end in s, largest step in s, node, part of the run after which errors count
MODELS = [
    ("heavy top", "examples/heavy_top/heavy_top.yaml", 0.4, 4e-4, "top", 0.1),
    ("double pendulum", "examples/pendulum/double_pendulum.yaml", 1.0, 4e-3, "P2", 0.1),
    ("ten rods", "examples/falling_rods/ten_rods.yaml", 1.0, 4e-3, "r10", 0.1),
    ("flying beam", "examples/flying_beam_3d/flying_beam_3d.yaml", 8.0, 4e-2, "A", 0.1),
    ("slider crank", "tests/models/fast_rod.yaml", 0.05, 2e-4, "piston", 0.6),
    ("swing before its event", "examples/swing/swing.yaml", 0.6, 1e-3, "C", 0.1),
    ("governor", "examples/governor/governor.yaml", 2.0, 4e-3, None, 0.1),
]


def moved(limber, path, end, step, node, **option):
    full = os.path.join(ROOT, path)
    with open(full, encoding="utf-8") as text:
        model = yaml.safe_load(text)
    node = node or sorted(model["nodes"])[-1]
    model["probes"] = [{"name": "node", "node": node, "record": ["position", "velocity"]}]
    model["run"] = {"step": step, "end": end, "snapshots": 0, **option}
    h = run(limber, model, full)
    return h["time"], h["probes/node/position"], h["probes/node/velocity"]


def error(found, reference, k, after):
    t, end = found[0], found[0][-1]
    use = (t > after * end) & (t < end - 1e-9)
    exact = numpy.stack([numpy.interp(t[use], reference[0], reference[k][:, i]) for i in range(3)], axis=1)
    return numpy.linalg.norm(found[k][use] - exact, axis=1).max() / numpy.linalg.norm(exact, axis=1).max()


def errors(limber, folder):
    head = ["model", "momentum", "quantity", "error at h", "at h/2", "at h/4", "order", "order"]
    rows = []
    for name, path, end, step, node, after in MODELS:
        reference = moved(limber, path, end, step / 64, node, scheme="preserving")
        for option in OPTIONS:
            runs = [moved(limber, path, end, step / 2**k, node, momentum=option) for k in range(3)]
            for k, quantity in ((1, "position"), (2, "velocity")):
                e = [error(r, reference, k, after) for r in runs]
                rows.append(show([name, option, quantity, *("%.2e" % x for x in e), *("%.2f" % numpy.log2(e[i] / e[i + 1]) for i in range(2))]))
    write(folder, "errors", head, rows)


# ---- damping ----

def masses(places, bars, mass):
    """Point masses and bars between them: nodes, elements, and the stiffness matrix of bars of stiffness 1 (EA)."""
    n = len(places)
    k = numpy.zeros((3 * n, 3 * n))
    for i, j in bars:
        e = places[j] - places[i]
        length = numpy.linalg.norm(e)
        b = numpy.zeros(3 * n)
        b[3 * i:3 * i + 3], b[3 * j:3 * j + 3] = -e / length, e / length
        k += numpy.outer(b, b) / length
    m = numpy.repeat(mass, 3)
    return numpy.sqrt(numpy.linalg.eigvalsh(k / numpy.sqrt(numpy.outer(m, m))).max())


def truss():
    r = numpy.random.default_rng(3)
    x = r.normal(size=(6, 3)) * [1.5, 1.0, 0.6]
    return x, [(i, j) for i in range(6) for j in range(i)], r.uniform(0.5, 2, 6)


def chain():
    return numpy.array([[0.2 * i - 0.7, 0, 0] for i in range(8)]), [(i, i + 1) for i in range(7)], numpy.ones(8)


def ring():
    a = 2 * numpy.pi * numpy.arange(12) / 12
    x = numpy.stack([numpy.cos(a), numpy.sin(a), 0 * a], axis=1)
    return x, [(i, (i + 1) % 12) for i in range(12)] + [(i, (i + 2) % 12) for i in range(12)], numpy.ones(12)


def blade():
    """A tapered lattice, two masses for each station."""
    x = numpy.array([[0.3 * i, (0.5 - j) * (0.2 - 0.02 * i), 0.03 * j * i] for i in range(7) for j in range(2)])
    bars = [(2 * i, 2 * i + 1) for i in range(7)]
    for i in range(6):
        bars += [(2 * i, 2 * i + 2), (2 * i + 1, 2 * i + 3), (2 * i, 2 * i + 3), (2 * i + 1, 2 * i + 2)]
    return x, bars, numpy.repeat(1 - 0.1 * numpy.arange(7), 2)


STRUCTURES = [("chain", chain), ("ring", ring), ("blade", blade), ("truss", truss)]
RATE, STEP, FIRST, LAST = 1.0, 0.05, 4, 60  # rad/s, s; steps between which decay is measured


def vibration(x, v, mass):
    """Kinetic energy beyond that of the rigid motion with the same momenta."""
    m = mass[:, None]
    x, v = x - (m * x).sum(0) / mass.sum(), v - (m * v).sum(0) / mass.sum()
    inertia = sum(a * (p @ p * numpy.eye(3) - numpy.outer(p, p)) for a, p in zip(mass, x))
    omega = numpy.linalg.lstsq(inertia, (m * numpy.cross(x, v)).sum(0), rcond=1e-9)[0]
    return 0.5 * (m * (v - numpy.cross(omega, x))**2).sum()


def decay(limber, make, fast, rate, option):
    """What is left of velocities per step."""
    x, bars, mass = make()
    x = x - (mass[:, None] * x).sum(0) / mass.sum()
    ea = (fast / STEP / masses(x, bars, mass))**2
    r = numpy.random.default_rng(5)
    stretch = numpy.zeros_like(x)  # a random change of velocities along bars: no mechanism moves
    for i, j in bars:
        e = (x[j] - x[i]) * r.normal()
        stretch[i] -= e / mass[i]
        stretch[j] += e / mass[j]
    v = numpy.cross([0.1 * rate, 0, rate], x) + 0.05 * stretch / numpy.abs(stretch).max()
    nodes = {"p%d" % i: {"at": x[i].tolist(), "kind": "point", "velocity": v[i].tolist()} for i in range(len(x))}
    elements = [{"mass": {"node": "p%d" % i, "mass": float(mass[i])}} for i in range(len(x))]
    elements += [{"bar": {"nodes": ["p%d" % i, "p%d" % j], "stiffness": float(ea), "mass": 0}} for i, j in bars]
    probes = [{"name": "p%d" % i, "node": "p%d" % i, "record": ["position", "velocity"]} for i in range(len(x))]
    model = {"limber": 1, "nodes": nodes, "elements": elements, "probes": probes,
             "run": {"step": STEP, "end": STEP * (LAST + 8), "snapshots": 0, "momentum": option, "start_increments": "zero"}}
    h = run(limber, model)
    place = numpy.stack([h["probes/p%d/position" % i] for i in range(len(x))], axis=1)
    speed = numpy.stack([h["probes/p%d/velocity" % i] for i in range(len(x))], axis=1)
    energy = numpy.array([vibration(p, q, mass) for p, q in zip(place, speed)])
    # where little is left, up to there
    last = next((k for k in range(FIRST + 8, LAST) if energy[k:k + 8].max() < 1e-22 * energy[0]), LAST)
    left = energy[last:last + 8].mean() / energy[FIRST:FIRST + 8].mean()
    return left**(0.5 / (last - FIRST)), (energy[LAST:LAST + 8].mean() / energy[0])


def damping(limber, folder):
    head = ["structure", "rate (rad/s)", "omega h", *("left per step, " + o for o in OPTIONS), *("energy left after 60 steps, " + o for o in OPTIONS)]
    rows = []
    for name, make in STRUCTURES:
        for rate in (0, RATE):
            for fast in (1, 3, 10, 30, 100, 300, 1000):
                found = [decay(limber, make, fast, rate, option) for option in OPTIONS]
                rows.append(show([name, rate, fast, *("%.3f" % f[0] for f in found), *("%.1e" % f[1] for f in found)]))
    write(folder, "damping", head, rows)


# ---- rotation ----

TUMBLING = "sections: {s: {E: 20 MPa, nu: 0.3, density: 1000, rectangle: [40 mm, 20 mm]}}\n" \
           "elements: [beam: {name: rod, start: [-0.5, 0, 0], end: [0.5, 0, 0], up: [0, 0, 1], section: s, elements: 4}]\n" \
           "motion: {angular_velocity: [0.3, 0.1, 1]}\n"


def rotation(limber, folder):
    head = ["body", "steps a turn", "momentum", "energy over its start", "angular momentum: error", "rate: error"]
    rows = []
    for name, text in (("rotor", spinning.frame(False)), ("tumbling beam", TUMBLING)):
        for steps in (10, 40, 100):
            for option in ("checked", "exact"):
                step = 2 * numpy.pi / steps
                model = yaml.safe_load("limber: 1\n" + text)
                if name == "rotor":
                    model["probes"] = [{"name": "B", "node": "B", "record": ["angular_velocity"]}]
                model["run"] = {"step": step, "end": 100 * steps * step, "snapshots": 0, "momentum": option, "start_increments": "zero"}
                h = run(limber, model)
                energy, j = h["ledger/kinetic"] + h["ledger/strain"], h["ledger/angular_momentum"]
                start = 2 * numpy.arctan(step / 2) / step  # what the scheme makes of a rate of 1 rad/s
                rate = h["probes/B/angular_velocity"][-1, 2] / start - 1 if name == "rotor" else numpy.nan
                drift = numpy.linalg.norm(j - j[0], axis=1).max() / numpy.linalg.norm(j[0])
                rows.append(show([name, steps, option, "%.6f" % (energy[-1] / energy[0]), "%.1e" % drift, "" if numpy.isnan(rate) else "%.1e" % rate]))
    write(folder, "rotation", head, rows)


# ---- cost ----

def chain_of_rods(count):
    nodes = {"r%d" % i: [i + 0.5, 0, 0] for i in range(count)}
    elements = [{"rigid_body": {"node": "r%d" % i, "mass": 1, "inertia": [0.01, 1 / 12, 1 / 12]}} for i in range(count)]
    joints = [{"revolute": {"nodes": ["r%d" % (i - 1) if i else "ground", "r%d" % i], "axis": [0, 1, 0], "at": [i, 0, 0]}} for i in range(count)]
    return {"limber": 1, "nodes": nodes, "elements": elements, "joints": joints, "loads": [{"gravity": {"acceleration": [0, 0, -9.81]}}]}


def of_file(path):
    def make():
        with open(os.path.join(ROOT, path), encoding="utf-8") as text:
            model = yaml.safe_load(text)
        model.pop("probes", None)
        return model
    return make


def net():
    text = subprocess.run([sys.executable, os.path.join(ROOT, "benchmarks/net.py"), "10", "1"], check=True, capture_output=True, text=True).stdout
    return yaml.safe_load(text)


# name, model, folder of its files, step in s, steps
COSTS = [
    ("P1", of_file("benchmarks/models/pendulum.yaml"), "benchmarks/models", 1e-3, 60),
    ("elbow", of_file("examples/elbow_revolute/elbow_revolute.yaml"), "examples/elbow_revolute", 4e-3, 40),
    ("heavy top", of_file("examples/heavy_top/heavy_top.yaml"), "examples/heavy_top", 2e-4, 200),
    ("chain of 10", lambda: chain_of_rods(10), None, 2e-3, 100),
    ("four-bars", of_file("examples/four_bar_chain/chain_40_plane.yaml"), "examples/four_bar_chain", 4e-3, 20),
    ("flying beam", of_file("examples/flying_beam_3d/flying_beam_3d.yaml"), "examples/flying_beam_3d", 1e-2, 60),
    ("governor", of_file("examples/governor/governor.yaml"), "examples/governor", 2e-3, 60),
    ("net", net, None, 1e-3, 2),
    ("solid", of_file("examples/bending_block/tumble.yaml"), "examples/bending_block", 2e-3, 4),
    ("10^4 spheres", lambda: yaml.load(spheres.model(10000, 40), getattr(yaml, "CSafeLoader", yaml.SafeLoader)), None, 5e-4, 4),
    ("chain of 10^4", lambda: chain_of_rods(10000), None, 2e-3, 2),
]


def instructions(limber, path, folder):
    """Of all steps, counted by callgrind."""
    out = os.path.join(folder, "calls")
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out, "--toggle-collect=LimberRunStep", limber, "run", path, "-q",
                           "-o", os.path.join(folder, "m.h5"), "--force", "--checkpoint", "0"], capture_output=True, text=True,
                          env=dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"))
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    with open(out, encoding="utf-8") as text:
        return float(next(line for line in text if line.startswith(("summary:", "totals:"))).split()[1])


def cost(limber, folder):
    head = ["model", "instructions of a step, unchecked", *("of that, " + o for o in ("checked", "exact"))]
    rows = []
    for name, make, beside, step, steps in COSTS:
        found = []
        model = make()
        with tempfile.TemporaryDirectory() as place, \
                tempfile.NamedTemporaryFile("w+", suffix=".yaml", dir=os.path.join(ROOT, beside) if beside else place, encoding="utf-8") as text:
            for option in ("unchecked", "checked", "exact"):
                model["run"] = {"step": step, "end": step * steps, "every": steps, "snapshots": 0, "momentum": option}
                text.seek(0), text.truncate()
                yaml.dump(model, text, getattr(yaml, "CSafeDumper", yaml.SafeDumper), sort_keys=False)
                text.flush()
                found.append(instructions(limber, text.name, place) / steps)
        rows.append(show([name, "%.3g" % found[0], *("%.3f" % (f / found[0]) for f in found[1:])]))
        write(folder, "cost", head, rows)


# ---- drift ----

# A free body for each kind of element and joint that needs no ground: frames or points, and what else holds them together.
FRAMES = """
nodes: {A: {at: [0, 0, 0]}, B: {at: [1, 0, 0]}, C: {at: [1, 1, 0]}}
elements:
  - rigid_body: {node: A, mass: 2, inertia: [0.1, 0.2, 0.25]}
  - rigid_body: {node: B, mass: 1, inertia: [0.1, 0.1, 0.05]}
  - rigid_body: {node: C, mass: 3, inertia: [0.3, 0.1, 0.3]}
"""
POINTS = """
nodes: {a: {at: [0, 0, 0], kind: point}, b: {at: [1, 0, 0], kind: point}, c: {at: [0, 1, 0], kind: point}, d: {at: [0, 0, 1], kind: point}}
elements:
  - mass: {node: a, mass: 1}
  - mass: {node: b, mass: 2}
  - mass: {node: c, mass: 1.5}
  - mass: {node: d, mass: 1}
"""
PLATE = "{a: {at: [0, 0, 0], kind: point}, b: {at: [1, 0, 0], kind: point}, c: {at: [1, 1, 0], kind: point}, d: {at: [0, 1, 0], kind: point}}"
MATERIAL = "materials: {m: {E: 1 MPa, nu: 0.3, density: 1000}}\n"
CELLS = MATERIAL + """
nodes: {a: {at: [0, 0, 0], kind: point}, b: {at: [1, 0, 0], kind: point}, c: {at: [1, 1, 0], kind: point}, d: {at: [0, 1, 0], kind: point},
  e: {at: [0, 0, 0.2], kind: point}, f: {at: [1, 0, 0.2], kind: point}, g: {at: [1, 1, 0.2], kind: point}, h: {at: [0, 1, 0.2], kind: point}}
"""
RATE_OF_ALL = [0.5, 0.2, 2]  # rad/s
STEPS = 100000
BARS = ["bar: {nodes: [%s, %s], stiffness: 1e4}" % (p, q) for p, q in ("ab", "ac", "ad", "bc", "bd", "cd")]
TREE = ["revolute: {name: first, nodes: [A, B], axis: [0, 1, 0], at: [0.5, 0, 0], angle: {initial_rate: 3}}",
        "revolute: {name: second, nodes: [A, C], axis: [0, 1, 0], at: [0, 0.5, 0]}"]
FREE_HINGE = "revolute: {name: third, nodes: [A, D], axis: [0, 1, 0], at: [0, -1, 0]}"


def frames(*joints, elements=(), more=""):
    text = FRAMES + more + "".join("  - %s\n" % e for e in elements)
    return text + ("joints:\n" + "".join("  - %s\n" % j for j in joints) if joints else "")


def points(*elements, joints=(), keep=BARS):
    text = POINTS + "".join("  - %s\n" % e for e in (*elements, *keep))
    return text + ("joints:\n" + "".join("  - %s\n" % j for j in joints) if joints else "")


def pair(kind, more=""):
    """Two bodies joined by a kind, the third by a hinge."""
    return frames("%s: {nodes: [A, B], at: [0.5, 0, 0]%s}" % (kind, more), TREE[1])


# kind, model
KINDS = [
    ("beam", TUMBLING),
    ("rigid_body", frames(*TREE)),
    ("mass", points()),
    ("wheel", frames(*TREE, elements=["wheel: {name: w, node: A, axis: [0, 0, 1], inertia: 0.01, speed: 100 rad/s}"])),
    ("bar", points()),
    ("bushing", frames(*TREE[1:], elements=["bushing: {nodes: [A, B], stiffness: [1e4, 1e4, 1e4, 100, 100, 100]}"])),
    ("spring", frames(*TREE, elements=["spring: {nodes: [B, C], stiffness: 200}"])),
    ("cable", frames(*TREE, elements=["cable: {from: B, to: C, stiffness: 500, mass: 0.1, length: 0.9, elements: 3}"])),
    ("simplex_body", spinning.points(", stiffness: 1e7, nu: 0.3")(False).replace("angular_velocity: [0, 0, 1]", "angular_velocity: [0.3, 0.1, 1]")),
    ("solid", CELLS + "elements: [solid: {mesh: [{hexahedron: [a, b, c, d, e, f, g, h]}], material: m}]\n"),
    ("membrane", MATERIAL + "nodes: " + PLATE + "\nelements: [membrane: {mesh: [{quadrilateral: [a, b, c, d]}], material: m, thickness: 20 mm}]\n"),
    ("plane_beam", MATERIAL + "elements: [plane_beam: {name: p, start: [2, 0, 0], end: [4, 0, 0], depth: 0.1, width: 0.1, elements: 3, material: m}]\n"),
    ("solid_shell", CELLS + "elements: [solid_shell: {mesh: [{hexahedron: [a, b, c, d, e, f, g, h]}], material: m, across: [0, 0, 1]}]\n"),
    ("reeved_cable", frames(*TREE, elements=["reeved_cable: {name: r, from: B, over: A, to: C, stiffness: 500, tension: 20}"])),
    ("weld", pair("weld").replace(", at: [0.5, 0, 0]", "", 1)),
    ("spherical", pair("spherical")),
    ("revolute", pair("revolute", ", axis: [0, 1, 1], angle: {initial_rate: 4}")),
    ("cylindrical", pair("cylindrical", ", axis: [1, 0, 0], slide: {stiffness: 100}")),
    ("prismatic", pair("prismatic", ", axis: [1, 0, 0], slide: {stiffness: 100}")),
    ("planar", pair("planar", ", axis: [0, 1, 0], slide1: {stiffness: 100}, slide2: {stiffness: 100}")),
    ("universal", pair("universal", ", axis: [0, 1, 0], second_axis: [0, 0, 1]")),
    ("screw", pair("screw", ", axis: [1, 0, 0], pitch: 0.1, angle: {stiffness: 3}")),
    ("point_on_line", frames(TREE[0], "point_on_line: {nodes: [A, C], axis: [0, 1, 0], slide: {stiffness: 100}}")),
    ("point_in_plane", frames(TREE[0], "point_in_plane: {nodes: [A, C], axis: [0, 0, 1], slide1: {stiffness: 100}, slide2: {stiffness: 100}}")),
    ("distance", frames(TREE[0], "distance: {nodes: [B, C]}", "spherical: {nodes: [A, C], at: [0, 0.5, 0]}")),
    ("actuator", frames(*TREE, "actuator: {nodes: [B, C], slide: {stiffness: 100}}")),
    ("rigid_points", points(joints=["rigid_points: {nodes: [a, b]}"])),
    ("rigid_tie", "nodes: {A: {at: [0, 0, 0]}, a: {at: [1, 0, 0], kind: point}, b: {at: [1, 1, 0], kind: point}}\nelements:\n"
     "  - rigid_body: {node: A, mass: 2, inertia: [0.1, 0.2, 0.25]}\n  - mass: {node: b, mass: 1}\n  - bar: {nodes: [a, b], stiffness: 1e4, mass: 0.5}\n"
     "joints: [rigid_tie: {body: A, node: a}]\n"),
    ("multipoint_constraint", points(joints=["multipoint_constraint: {node: e, reference: [a, b]}"]).replace(
        "d: {at", "e: {at: [0.4, 0, 0], kind: point}, d: {at").replace("  - mass: {node: d", "  - mass: {node: e, mass: 0.5}\n  - mass: {node: d")),
    ("gear", frames(*TREE, "gear: {first: first, second: second, ratio: -2}")),
    ("rack_and_pinion", frames(TREE[0], "prismatic: {name: slide, nodes: [A, C], axis: [0, 1, 0], at: [0, 0.5, 0], slide: {stiffness: 100}}",
                               "rack_and_pinion: {pinion: first, rack: slide, radius: 0.1}")),
    ("belt", frames(*TREE, "belt: {first: first, second: second, radii: [0.1, 0.2]}")),
    ("differential", frames(*TREE, FREE_HINGE, "differential: {input: third, first: first, second: second}",
                            more="  - rigid_body: {node: D, mass: 1, inertia: [0.1, 0.2, 0.15]}\n").replace("C: {at", "D: {at: [0, -1, 0]}, C: {at")),
    ("coupler", frames(*TREE, "coupler: {first: first, second: second, formula: second - 0.5*sin(first)}")),
]


def turning(limber, text, step):
    """A model that turns about its mass centre, which is at rest."""
    model = yaml.safe_load("limber: 1\n" + text)
    if "motion" in model or "velocity: [" in text:
        return model
    model["run"] = {"step": step, "end": step, "snapshots": 0, "momentum": "exact"}
    momentum = []
    for velocity in ([0, 0, 0], [1, 0, 0]):
        model["motion"] = {"angular_velocity": RATE_OF_ALL, "velocity": velocity}
        momentum.append(run(limber, model)["ledger/momentum"][0])
    mass = momentum[1][0] - momentum[0][0]
    model["motion"]["velocity"] = [float(p) for p in -momentum[0] / mass]
    return model


def drift(limber, folder):
    head = ["model", "steps", "angular momentum: drift", "balance error of a step", "energy above its start and work"]
    rows = []
    cases = [("rigid body", spinning.frame(False).replace("angular_velocity: [0, 0, 1]", "angular_velocity: [0.3, 0.1, 1]"), 0.05)]
    cases += [(kind, text, 0.02) for kind, text in KINDS]
    for name, text, step in cases:
        model = turning(limber, text, step)
        model["run"] = {"step": step, "end": STEPS * step, "every": STEPS // 1000, "snapshots": 0, "momentum": "exact"}
        h = run(limber, model)
        j = h["ledger/angular_momentum"]
        energy = h["ledger/kinetic"] + h["ledger/strain"] + h["ledger/potential"] - h["ledger/work"]
        rows.append(show([name, STEPS, "%.1e" % (numpy.linalg.norm(j - j[0], axis=1).max() / numpy.linalg.norm(j[0])),
                          "%.1e" % (h["ledger/angular_momentum_error"].max() / h["ledger/angular_momentum_scale"][-1]),
                          "%.1e" % max(0, (energy - energy[0] - h["ledger/scheme_energy"][0]).max() / h["ledger/exchanged"][-1])]))
        write(folder, "drift", head, rows)


PARTS = {"errors": errors, "damping": damping, "rotation": rotation, "cost": cost, "drift": drift}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--limber", default=os.environ.get("LIMBER", "limber"))
    options.add_argument("--folder", default=os.path.join(ROOT, "benchmarks/results"))
    options.add_argument("parts", nargs="*", help="errors, damping, rotation, cost, drift; without: all")
    given = options.parse_args()
    for part in given.parts or PARTS:
        PARTS[part](given.limber, given.folder)


if __name__ == "__main__":
    main()
