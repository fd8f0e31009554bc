#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""calculix.py: Limber and CalculiX (`ccx`, from Debian's calculix-ccx) on the same meshes of hexahedra; writes results/calculix.csv.
Frequencies of a clamped plate, and deflections of a bar, of a bar of trapezoids, of a bar that is nearly incompressible and of Cook's
membrane, under forces that are equal at all nodes of the end."""
import itertools
import os
import pathlib
import subprocess
import tempfile

CORNERS = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
LIMBER = os.environ.get("LIMBER", "limber")


def trapezoids(x, y, z):
    inner = 1e-9 < x < 1 - 1e-9
    return 10 * x + (0.5 - y) * (1 if inner and round(5 * x) % 2 == 0 else -1 if inner else 0), y, z


#        name            cells        places of the unit cube                                             E     nu      density  force
CASES = [("plate", (20, 20, 1), lambda x, y, z: (x, y, 0.01 * z), 70e9, 0.3, 2700, None),
         ("plate", (10, 10, 1), lambda x, y, z: (x, y, 0.01 * z), 70e9, 0.3, 2700, None),
         ("bar", (5, 1, 1), lambda x, y, z: (10 * x, y, z), 1e7, 0.3, 1, 1e-3),
         ("trapezoids", (5, 1, 1), trapezoids, 1e7, 0.3, 1, 1e-3),
         ("incompressible bar", (5, 1, 1), lambda x, y, z: (10 * x, y, z), 1e7, 0.4999, 1, 1e-3)]
CASES += [("Cook's membrane", (n, n, 1), lambda x, y, z: (48 * x, 44 * x + y * (44 - 28 * x), z), 1, 1 / 3, 1, 1e-6) for n in (2, 4, 8)]


def write_mesh(path, kind, n, place, E, nu, density):
    """The input file of a block of cells; returns how many nodes TIP has, and the node at its upper front corner."""
    number, at, cells = {}, {}, []
    for k, j, i in itertools.product(*(range(m) for m in reversed(n))):
        corner = [(2 * (i + a), 2 * (j + b), 2 * (k + c)) for a, b, c in CORNERS]
        cell = corner + [tuple((x + y) // 2 for x, y in zip(corner[a], corner[b])) for a, b in EDGES if "20" in kind]
        ends = [place(*(x / 2 / m for x, m in zip(c, n))) for c in corner]
        ends += [tuple((x + y) / 2 for x, y in zip(ends[a], ends[b])) for a, b in EDGES]
        cells.append([number.setdefault(p, len(number) + 1) for p in cell])
        at.update(zip(cells[-1], ends))
    sets = {"ROOT": [v for p, v in number.items() if p[0] == 0], "TIP": [v for p, v in number.items() if p[0] == 2 * n[0]]}
    with open(path, "w") as f:
        print("*NODE, NSET=ALL", *(f"{v}, {x:.12g}, {y:.12g}, {z:.12g}" for v, (x, y, z) in sorted(at.items())), sep="\n", file=f)
        print(f"*ELEMENT, TYPE={kind}, ELSET=BODY", file=f)
        for e, cell in enumerate(cells, 1):
            print(f"{e}, " + ", ".join(map(str, cell[:8])) + (",\n" + ", ".join(map(str, cell[8:])) if len(cell) > 8 else ""), file=f)
        for name, nodes in sets.items():
            print(f"*NSET, NSET={name}", *(f"{v}," for v in nodes), sep="\n", file=f)
        print(f"*MATERIAL, NAME=M\n*ELASTIC\n{E:.12g}, {nu:.12g}\n*DENSITY\n{density:.12g}\n*SOLID SECTION, ELSET=BODY, MATERIAL=M", file=f)
    return len(sets["TIP"]), number[2 * n[0], 2 * n[1], 0]


def of_calculix(path, force, tip, node):
    step = "*FREQUENCY\n1" if force is None else f"*STATIC\n*CLOAD\nTIP, 2, {force / tip:.12g}\n*NODE PRINT, NSET=T\nU"
    job = path.with_name("job")
    job.with_suffix(".inp").write_text(f"{path.read_text()}*NSET, NSET=T\n{node}\n*BOUNDARY\nROOT, 1, 3\n*STEP\n{step}\n*END STEP\n")
    subprocess.run(["ccx", "-i", job.name], cwd=path.parent, stdout=subprocess.DEVNULL, check=True)
    for line in map(str.split, open(job.with_suffix(".dat"))):
        if len(line) == (5 if force is None else 4) and line[0] == ("1" if force is None else str(node)):
            return float(line[3 if force is None else 2])


def of_limber(path, force, node):
    what = "modes: {count: 1}" if force is None else f"""loads: [force: {{node: m.TIP, direction: [0, {force!r}, 0]}}]
probes: [{{name: t, node: m.{node}, record: [displacement]}}]
static: {{to: 1, step: 1}}"""
    path.with_suffix(".yaml").write_text(f"""limber: 1
meshes: {{m: {{file: {path.name}, fixed: ROOT}}}}
elements: [solid: {{name: body, mesh: m.BODY, material: m.M}}]
{what}
""")
    command = "modes" if force is None else "static"
    said = subprocess.run([LIMBER, command, path.stem + ".yaml", "-o", "r.h5", "--force"], cwd=path.parent, stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    if force is None:
        return float(next(line.split()[1] for line in said.splitlines() if line.split()[:1] == ["1"]))
    said = subprocess.run([LIMBER, "export", "r.h5", "t.displacement.y"], cwd=path.parent, stdout=subprocess.PIPE, text=True, check=True)
    return float(said.stdout.splitlines()[-1].split(",")[-1])


with tempfile.TemporaryDirectory() as folder, open(pathlib.Path(__file__).parent / "results/calculix.csv", "w") as out:
    print("case,cells,type,calculix,limber,difference", file=out)
    for (name, n, place, E, nu, density, force), kind in itertools.product(CASES, ("C3D8", "C3D8I", "C3D20")):
        path = pathlib.Path(folder) / "mesh.inp"
        tip, node = write_mesh(path, kind, n, place, E, nu, density)
        theirs, ours = of_calculix(path, force, tip, node), of_limber(path, force, node)
        print(f"{name},{n[0]} x {n[1]} x {n[2]},{kind},{theirs:.6e},{ours:.6e},{ours / theirs - 1:+.1e}", file=out)
