#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""reduction.py [ALONG [ACROSS [MODES]]]: reduces a bent, tapered bracket of ALONG x ACROSS x ACROSS/2 hexahedra with 20 nodes (170 x 16: 10^5 nodes) to MODES (8)
modes and two interfaces. Prints a table: nodes and elements of the mesh, points of the reduced body; seconds of wall time and of one processor and
peak memory of `limber modes`, which reads, reduces and finds ten modes with one end clamped; the same of CalculiX on the same mesh; and the ten
frequencies of both and their differences. $LIMBER is the program, $CCX is CalculiX (ccx; absent: its columns stay empty)."""
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
CORNERS = ((0, 0, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1))
MATERIAL = "*Material, name=Steel\n*Density\n 7800.,\n*Elastic\n 210e9, 0.3\n*Solid Section, elset=E, material=Steel\n"


def place(s, u, v):
    """Along the bracket s, across it u and v, all 0 to 1: straight, a bend of 90 degrees with a radius of 80 mm, and straight."""
    size, radius, leg = 0.03 + 0.03 * (2 * s - 1) ** 2, 0.08, 0.15
    arc = radius * math.pi / 2
    along, y, z = s * (2 * leg + arc), (u - 0.5) * size, (v - 0.5) * size / 2
    if along < leg:
        return along, y, z
    angle = min((along - leg) / radius, math.pi / 2)
    r = radius - y
    x, y = leg + r * math.sin(angle), radius - r * math.cos(angle)
    return x, y + max(0, along - leg - arc), z


def write_mesh(path, along, across):
    number = {}

    def node(at):  # in half cells
        return number.setdefault(at, len(number) + 1)
    cells = []
    for i in range(along):
        for j in range(across):
            for k in range(across // 2):
                corner = [(2 * (i + a), 2 * (j + b), 2 * (k + c)) for a, b, c in CORNERS]
                middle = [tuple((p + q) // 2 for p, q in zip(corner[a], corner[b])) for a, b in EDGES]
                cells.append([node(p) for p in corner + middle])
    with open(path, "w") as f:
        f.write("*Node, nset=All\n")
        for (i, j, k), n in number.items():
            f.write("%d, %.12g, %.12g, %.12g\n" % (n, *place(i / (2 * along), j / (2 * across), k / (across // 2 * 2))))
        f.write("*Element, type=C3D20, elset=E\n")
        for n, cell in enumerate(cells):
            f.write("%d, %s,\n %s\n" % (n + 1, ", ".join(map(str, cell[:15])), ", ".join(map(str, cell[15:]))))
        for name, end in (("ROOT", 0), ("TIP", 2 * along)):
            f.write("*Nset, nset=%s\n" % name + "".join("%d,\n" % n for at, n in number.items() if at[0] == end))
        f.write(MATERIAL)
    return len(number), len(cells)


def measure(command):
    start = time.time()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as p:
        said = p.stdout.read()
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode:
        sys.exit(said)
    return said, time.time() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    along, across, modes = (int(a) for a in sys.argv[1:] + ["170", "16", "8"][len(sys.argv) - 1:])
    limber, ccx = os.environ.get("LIMBER", "limber"), shutil.which(os.environ.get("CCX", "ccx"))
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        nodes, cells = write_mesh("bracket.inp", along, across)
        at = place(0, 0.5, 0.5), place(1, 0.5, 0.5)
        pathlib.Path("bracket.yaml").write_text(
            "limber: 1\nmeshes: {part: {file: bracket.inp}}\n"
            f"nodes: {{root: {{at: {list(at[0])}, kind: fixed}}, tip: {{at: {list(at[1])}, kind: frame}}}}\n"
            f"elements:\n  - reduced_body: {{name: bracket, mesh: part.E, material: part.Steel, modes: {modes},\n"
            f"      interfaces: [{{group: part.ROOT, node: root}}, {{group: part.TIP, node: tip}}]}}\nmodes: {{count: 10}}\n")
        said, wall, cpu, peak = measure([limber, "modes", "bracket.yaml", "-o", "bracket.h5"])
        found = [float(line.split()[1]) for line in said.splitlines() if line.strip()[:1].isdigit()][:10]
        print("program,nodes,cells,seconds,cpu_seconds,peak_MB")
        print(f"limber,{nodes},{cells},{wall:.1f},{cpu:.1f},{peak:.0f}", flush=True)
        exact = []
        if ccx:
            pathlib.Path("job.inp").write_text(
                pathlib.Path("bracket.inp").read_text() + "*Node\n%d, %.12g, %.12g, %.12g\n%d, %.12g, %.12g, %.12g\n" %
                (nodes + 1, *at[1], nodes + 2, *at[1]) +
                f"*Rigid body, nset=TIP, ref node={nodes + 1}, rot node={nodes + 2}\n"
                "*Boundary\nROOT, 1, 3\n*Step\n*Frequency\n10\n*End step\n")
            said, wall, cpu, peak = measure([ccx, "-i", "job"])
            rows = re.findall(r"^ +\d+ +\S+E\S+ +\S+E\S+ +(\S+E\S+) +\S+E\S+$", pathlib.Path("job.dat").read_text(), re.M)
            exact = [float(f) for f in rows][:10]
            print(f"ccx,{nodes},{cells},{wall:.1f},{cpu:.1f},{peak:.0f}")
        print("mode,limber_Hz,ccx_Hz,difference_%")
        for k, f in enumerate(found):
            print(f"{k + 1},{f:.4f}" + (f",{exact[k]:.4f},{100 * (f / exact[k] - 1):.4f}" if k < len(exact) else ",,"))


if __name__ == "__main__":
    main()
