#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mesh.py KIND N FILE: a square plate of 1 m and a thickness of 1 cm as N x N bricks, each one cell of 8 nodes (hexahedra) or six of 10
nodes (tetrahedra). Gmsh's format 2.2; the nodes of the edges are the group `edge`."""
import sys

kind, n, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
fine = 2 if kind == "tetrahedra" else 1  # points of a brick's edge, middles included
number, points, cells = {}, [], []


def node(i, j, k):
    if (i, j, k) not in number:
        number[i, j, k] = len(number) + 1
        points.append((i / (fine * n), j / (fine * n), (k / fine - 0.5) * 0.01))
    return number[i, j, k]


corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
six = [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)]  # about the diagonal from 0 to 6
edges = [(0, 1), (1, 2), (2, 0), (3, 0), (2, 3), (1, 3)]  # of a tetrahedron, in Gmsh's order
for i in range(n):
    for j in range(n):
        at = [tuple(fine * (c + d) for c, d in zip(corner, (i, j, 0))) for corner in corners]
        if fine == 1:
            cells.append([node(*p) for p in at])
            continue
        for tetrahedron in six:
            p = [at[c] for c in tetrahedron]
            p += [tuple((a + b) // 2 for a, b in zip(p[x], p[y])) for x, y in edges]
            cells.append([node(*q) for q in p])
rim = [v for (i, j, k), v in number.items() if i in (0, fine * n) or j in (0, fine * n)]
with open(path, "w") as f:
    print("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n0 1 \"edge\"\n3 2 \"plate\"\n$EndPhysicalNames\n$Nodes", file=f)
    print(len(points), *(f"{v} {x:.9g} {y:.9g} {z:.9g}" for v, (x, y, z) in enumerate(points, 1)), sep="\n", file=f)
    print(f"$EndNodes\n$Elements\n{len(rim) + len(cells)}", file=f)
    for v, a in enumerate(rim, 1):
        print(v, 15, 2, 1, 1, a, file=f)
    for v, cell in enumerate(cells, len(rim) + 1):
        print(v, 5 if fine == 1 else 11, 2, 2, 2, *cell, file=f)
    print("$EndElements", file=f)
