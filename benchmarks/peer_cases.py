#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models on which other programs were timed: rods, piles of spheres, stacks of boxes, a study, a solid block, a chain.

    peer_cases.py FOLDER                             # writes the models
    peer_cases.py FOLDER --time LIMBER [CASE ...]    # and prints CPU seconds and memory of each, the best of three

benchmarks/README.md has the figures. Times include the start of the program.
"""
import argparse
import itertools
import os
import pathlib
import random
import subprocess

GRAVITY = ["loads:", "  - gravity: {acceleration: [0, 0, -9.81]}"]


def rods(count):
    """Uniform rods that hang on each other by hinges and fall from the horizontal."""
    yield from ["limber: 1", f"title: {count} rods", "let: {m: 1 kg, L: 1 m, I: m*L^2/12}", "nodes:"]
    yield from (f"  r{i}: [{i - 0.5}, 0, 0]" for i in range(1, count + 1))
    yield "elements:"
    yield from (f"  - rigid_body: {{name: rod{i}, node: r{i}, mass: m, inertia: [0, I, I]}}" for i in range(1, count + 1))
    yield "joints:"
    for i in range(count):
        yield f"  - hinge: {{nodes: [{f'r{i}' if i else 'ground'}, r{i + 1}], axis: [0, 1, 0], at: [{i}, 0, 0]}}"
    yield from [*GRAVITY, "run: {scheme: decaying, step: 1 ms, end: 1 s}"]


def pile(count, steps, friction=""):
    """Spheres of random velocities that fall in a box."""
    rnd, side, pitch = random.Random(count), 1, 0.12
    while side**3 < count:
        side += 1
    size = round(side * pitch, 6)
    yield from ["limber: 1", f"title: {count} spheres", "nodes:"]
    for i in range(count):
        at = [round((n + 0.5) * pitch, 6) for n in (i % side, i // side % side, i // side**2)]
        velocity = [round(rnd.uniform(-1, 1), 6) for _ in range(3)]
        yield f"  s{i}: {{at: {at}, {'' if friction else 'kind: point, '}velocity: {velocity}}}"
    yield "elements:"
    body = "rigid_body: {{node: s{}, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4]}}" if friction else "mass: {{node: s{}, mass: 0.1}}"
    yield from ("  - " + body.format(i) for i in range(count))
    yield "surfaces:"
    yield from (f"  - sphere: {{name: s{i}, node: s{i}, radius: 0.05}}" for i in range(count))
    for axis, sign in itertools.product(range(3), (1, -1)):
        normal, at = [0, 0, 0], [0, 0, 0]
        normal[axis], at[axis] = sign, 0 if sign > 0 else size
        yield f"  - plane: {{name: wall{axis}{'ab'[sign < 0]}, at: {at}, normal: {normal}}}"
    yield from ["contacts:", f"  - contact: {{name: c, stiffness: 2e4, restitution: 0.5{friction}}}", *GRAVITY]
    yield f"run: {{scheme: decaying, step: 1 ms, end: {steps} ms, every: {steps // 20}, snapshots: {steps} ms}}"


def stack(scheme, law):
    """Ten boxes, each a little beside the one below."""
    beside = [(0, 0), (0.001, 0.001), (-0.001, 0), (0, -0.001), (0.001, 0)]
    yield from ["limber: 1", "title: Stack", "let: {a: 0.2, I: 0.0533333}", "nodes:"]
    yield from (f"  n{i}: [{beside[i % 5][0]}, {beside[i % 5][1]}, {round(0.1 + 0.2 * i, 9)}]" for i in range(10))
    yield "elements:"
    yield from (f"  - rigid_body: {{name: b{i}, node: n{i}, mass: 8, inertia: [I, I, I]}}" for i in range(10))
    yield "surfaces:"
    yield from (f"  - box: {{name: s{i}, node: n{i}, size: [a, a, a]}}" for i in range(10))
    yield from ["  - plane: {name: floor, normal: [0, 0, 1]}", "contacts:", f"  - contact: {{name: rest, {law}}}", *GRAVITY, "probes:"]
    yield from (f"  - {{name: p{i}, node: n{i}}}" for i in range(10))
    yield f"run: {{scheme: {scheme}, step: 1 ms, end: 10 s, every: 100}}"


TWO_RODS = """limber: 1
title: Double pendulum
let: {m: 1 kg, L: 1 m, I: m*L^2/12, m2: 1 kg}
nodes:
  r1: [0.5*L, 0, 0]
  r2: [1.5*L, 0, 0]
elements:
  - rigid_body: {name: rod1, node: r1, mass: m, inertia: [0, I, I]}
  - rigid_body: {name: rod2, node: r2, mass: m2, inertia: [0, m2*L^2/12, m2*L^2/12]}
joints:
  - hinge: {nodes: [ground, r1], axis: [0, 1, 0], at: [0, 0, 0]}
  - hinge: {nodes: [r1, r2], axis: [0, 1, 0], at: [L, 0, 0]}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
probes:
  - {name: last, node: r2, record: position}
run: {scheme: preserving, step: 1 ms, end: 0.1 s, every: 100, snapshots: 0}
"""
STUDY = """limber: 1
study:
  model: two_rods.yaml
  vary:
    let.m2: {from: 0.5 kg, to: 1.5 kg, count: 10000}
  summary:
    - {channel: last.z}
"""
CHAIN = """limber: 1
title: Chain
sections:
  rod: {E: 210 GPa, nu: 0.3, density: 7800 kg/m3, rectangle: [10 mm, 10 mm]}
elements:
  - beam: {name: rod, start: [0, 0, 0], end: [10000 m, 0, 0], up: [0, 0, 1], section: rod, elements: 100000, order: 3}
joints:
  - clamp: {node: rod.start}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
run: {scheme: decaying, step: 1 ms, end: 3 ms, every: 10, snapshots: 10}
"""
BLOCK = """limber: 1
title: Steel cube
materials:
  steel: {E: 210 GPa, nu: 0.3, density: 7800 kg/m3}
meshes:
  block: {file: block.msh, fixed: root}
elements:
  - solid: {name: block, mesh: block.all, material: steel}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
static: {step: 1}
modes: {count: 10, frames: 0}
"""


def middle(a, b):
    return tuple((x + y) // 2 for x, y in zip(a, b))


def tetrahedra(bricks):
    """The 10 nodes of each cell, six cells in a brick, as places on a grid of half bricks."""
    for brick in itertools.product(*map(range, bricks)):
        for axes in itertools.permutations(range(3)):
            v = [tuple(2 * x for x in brick)]
            for axis in axes:
                v.append(tuple(x + 2 * (i == axis) for i, x in enumerate(v[-1])))
            if axes not in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
                v[1], v[2] = v[2], v[1]
            yield v + [middle(v[a], v[b]) for a, b in ((0, 1), (1, 2), (2, 0), (3, 0), (3, 2), (3, 1))]


def solid_mesh(bricks, size):
    """Lines of a Gmsh file: a block of bricks, with groups of its faces at both ends along x, `root` and `end`."""
    places, cells = [2 * n + 1 for n in bricks], []
    number = lambda p: 1 + p[0] + places[0] * (p[1] + places[1] * p[2])
    for cell in tetrahedra(bricks):
        cells.append((11, 1, cell))
        for group, x in ((2, 0), (3, places[0] - 1)):
            face = [p for p in cell[:4] if p[0] == x]
            if len(face) == 3:
                cells.append((9, group, face + [middle(face[a], face[b]) for a, b in ((0, 1), (1, 2), (2, 0))]))
    points = sorted(itertools.product(*map(range, places)), key=number)
    yield from ["$MeshFormat", "2.2 0 8", "$EndMeshFormat"]
    yield from ["$PhysicalNames", "3", '3 1 "all"', '2 2 "root"', '2 3 "end"', "$EndPhysicalNames"]
    yield from ["$Nodes", str(len(points))]
    yield from (f"{number(p)} {' '.join(repr(size[i] * p[i] / (places[i] - 1)) for i in range(3))}" for p in points)
    yield from ["$EndNodes", "$Elements", str(len(cells))]
    yield from (f"{i} {kind} 2 {g} {g} {' '.join(str(number(p)) for p in nodes)}" for i, (kind, g, nodes) in enumerate(cells, 1))
    yield "$EndElements"


STICKS = ", friction: 0.3, stick_stiffness: 1e4, stick_damping: 2 ms"
FILES = {
    "rods.yaml": lambda: rods(10),
    "pile.yaml": lambda: pile(1000, 1000),
    "pile_friction.yaml": lambda: pile(1000, 1000, STICKS),
    "pile_10000.yaml": lambda: pile(10000, 200),
    "stack_soft.yaml": lambda: stack("preserving", "stiffness: 1e6, restitution: 0.3, friction: 0.5, stick_stiffness: 5e5, stick_damping: 2 ms"),
    "stack_hard.yaml": lambda: stack("decaying", "penetration: none, friction: 0.5"),
    "two_rods.yaml": TWO_RODS.splitlines,
    "study.yaml": STUDY.splitlines,
    "chain.yaml": CHAIN.splitlines,
    "block.yaml": BLOCK.splitlines,
}
CASES = {name: ["run", f"{name}.yaml"] for name in ("rods", "pile", "pile_friction", "pile_10000", "stack_soft", "stack_hard", "chain")}
CASES.update(study=["study", "study.yaml", "--force"], block_static=["static", "block.yaml"], block_modes=["modes", "block.yaml"])


def measure(limber, arguments, folder):
    """CPU seconds and MB of a command."""
    out = [] if arguments[0] == "study" else ["-q", "-o", "results.h5"]
    done = subprocess.Popen([limber, *arguments, *out], cwd=folder, env=dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"),
                            stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)} ends with {done.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    options = argparse.ArgumentParser()
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--time", metavar="LIMBER")
    options.add_argument("--side", type=int, default=15, help="bricks along a side of the block: 15 give 86490 unknowns")
    options.add_argument("case", nargs="*", help=" ".join(CASES))
    given = options.parse_args()
    for name, lines in FILES.items():
        (given.folder / name).write_text("\n".join(lines()) + "\n", encoding="utf-8")
    (given.folder / "block.msh").write_text("\n".join(solid_mesh((given.side,) * 3, (1, 1, 1))) + "\n", encoding="utf-8")
    for case in given.case or CASES if given.time else ():
        runs = [measure(given.time, CASES[case], given.folder) for _ in range(3)]
        print(f"{case}: {min(s for s, _ in runs):.2f} s, {max(m for _, m in runs):.0f} MB", flush=True)


if __name__ == "__main__":
    main()
