#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""calculix.py: CalculiX (`ccx`, from Debian's calculix-ccx) on the mesh of the forearm, which Gmsh converts; writes results/calculix.csv.
The bore of the elbow is clamped, that of the wrist is rigid. Frequencies with gripper and load; displacement of the wrist under 100 N to the
side and downwards, and the von Mises stress at a node of the mesh under the first."""
import itertools
import math
import os
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).parent
GAUGE = 7  # a node of the mesh
MATERIAL = "*MATERIAL, NAME=M\n*ELASTIC\n70e3, 0.33\n*DENSITY\n2.7e-9\n*SOLID SECTION, ELSET={volume}, MATERIAL=M\n"  # N, mm, t


class Part:
    """A mesh whose group `fixed` is clamped and whose groups `held` are rigid. The first of them carries bodies: rows of mass (kg), centre (mm)
    and moments of inertia there (kg m2), about x and about y and z. Forces act at the point `at` (mm) of it. `sets`: more groups, as lines of
    CalculiX."""

    def __init__(self, mesh, volume, fixed, held, at, carried, sets=""):
        self.mesh, self.volume, self.fixed, self.held, self.at, self.carried, self.sets = mesh, volume, fixed, held, at, carried, sets

    def cells(self):
        """The input file of nodes, tetrahedra and groups, and the largest number in it."""
        subprocess.run(["gmsh", "-v", "1", str(self.mesh), "-0", "-setnumber", "Mesh.SaveGroupsOfNodes", "1", "-o", "mesh.inp"], check=True)
        blocks = re.split(r"^(?=\*\w)", pathlib.Path("mesh.inp").read_text().replace("*" * 7, "** "), flags=re.M)
        kept = [b for b in blocks if b.startswith(("*NODE", "*ELEMENT, type=C3D10", "*NSET", f"*ELSET,ELSET={self.volume}"))]
        rows = [r for b in kept if b.startswith(("*NODE", "*ELEMENT")) for r in b.splitlines()[1:]]
        return "".join(kept) + self.sets, max(int(r.split(",")[0]) for r in rows if r[:1].isdigit())

    def masses(self, last):
        """Six masses for each carried body, at the ends of a cross, with its mass, centre and inertia; numbers follow `last`."""
        nodes, elements = "", ""
        for k, (mass, centre, along, across) in enumerate(self.carried):
            side = 1.5 * along / mass
            arms = [1e3 * math.sqrt(a) for a in (3 * across / mass - side, side, side)]
            elements += f"*ELEMENT, TYPE=MASS, ELSET=MASS{k}\n"
            for axis, sign in itertools.product(range(3), (1, -1)):
                at = [x + (sign * arms[axis] if i == axis else 0) for i, x in enumerate(centre)]
                last += 1
                nodes += "%d, %.12g, %.12g, %.12g\n" % (last, *at)
                elements += f"{last}, {last}\n"
            elements += f"*MASS, ELSET=MASS{k}\n{1e-3 * mass / 6:.12g}\n"
        return f"*NODE, NSET=CARRIED\n{nodes}*NSET, NSET={self.held[0]}\nCARRIED\n{elements}", last

    def run(self, step, carries):
        """What CalculiX prints into job.dat."""
        text, last = self.cells()
        more, last = self.masses(last) if carries else ("", last)
        at = "%.12g, %.12g, %.12g" % self.at
        rigid = "".join(f"*NODE\n{n}, {at}\n{n + 1}, {at}\n*RIGID BODY, NSET={group}, REF NODE={n}, ROT NODE={n + 1}\n"
                        for n, group in zip(range(last + 1, last + 1000, 2), self.held))
        pathlib.Path("job.inp").write_text(f"{text}{more}{MATERIAL.format(volume=self.volume)}{rigid}*NSET, NSET=REF\n{last + 1}\n"
                                           f"*BOUNDARY\n{self.fixed}, 1, 3\n*STEP\n{step}*END STEP\n")
        said = subprocess.run(["ccx", "-i", "job"], stdout=subprocess.PIPE, text=True)
        if said.returncode:
            raise SystemExit(said.stdout[-2000:])
        return pathlib.Path("job.dat").read_text()

    def frequencies(self, count):
        """With the bodies that it carries, Hz."""
        return [float(f) for f in re.findall(r"^ +\d+ +\S+E\S+ +\S+E\S+ +(\S+E\S+) +\S+E\S+$", self.run(f"*FREQUENCY\n{count}\n", bool(self.carried)), re.M)][:count]

    def deflection(self, axis, force):
        """Along the axis, m; job.frd has stresses."""
        said = self.run(f"*STATIC\n*CLOAD\nREF, {axis}, {force}\n*NODE PRINT, NSET=REF\nU\n*EL FILE\nS\n", False)
        return float(said.split()[axis - 4]) / 1e3


def stress(node):
    """The von Mises stress at a node of the mesh, Pa, from the mean of the tetrahedra around it."""
    table = pathlib.Path("job.frd").read_text().split(" -4  STRESS")[1]
    row = re.search(rf"^ -1 +{node}( ?-?[\d.]+E.*)$", table, re.M).group(1)
    xx, yy, zz, xy, yz, zx = (float(row[12 * i : 12 * i + 12]) for i in range(6))
    return 1e6 * math.sqrt(((xx - yy)**2 + (yy - zz)**2 + (zz - xx)**2) / 2 + 3 * (xy**2 + yz**2 + zx**2))


def write(path, table):
    with open(path, "w") as f:
        print("quantity,CalculiX", *(f"{name},{value:.6g}" for name, value in table), sep="\n", file=f)


def main():
    gripper, load = (1, (450, 0, 0), 0.002, 0.002), (3, (450, 0, -100), 0.008, 0.008)  # as in arm.yaml
    part = Part(HERE / "forearm.msh", "part", "elbow", ["wrist"], (450, 0, 0), (gripper, load))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        table = [(f"frequency {k} (Hz)", f) for k, f in enumerate(part.frequencies(10), 1)]
        table.append(("100 N to the side (m)", part.deflection(2, 100)))
        table.append((f"the same: von Mises stress at node {GAUGE} (Pa)", stress(GAUGE)))
        table.append(("100 N downwards (m)", -part.deflection(3, -100)))
    write(HERE / "results/calculix.csv", table)


if __name__ == "__main__":
    main()
