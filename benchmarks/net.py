#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""net.py CELLS ELEMENTS: a model file of a square net of steel tubes in the xy plane, CELLS x CELLS squares of 1 m, ELEMENTS cubic elements along
each side of a square; its corners are clamped, and gravity acts."""
import sys

cells, elements = int(sys.argv[1]), int(sys.argv[2])
name = lambda i, j: f"n{i}_{j}"
print("limber: 1\ntitle: Net of beams\nnodes:")
for i in range(cells + 1):
    for j in range(cells + 1):
        print(f"  {name(i, j)}: [{i}, {j}, 0]")
print("sections:\n  tube: {E: 210 GPa, nu: 0.3, density: 7850, tube: {diameter: 40 mm, thickness: 3 mm}}\nelements:")
for i in range(cells + 1):
    for j in range(cells + 1):
        for a, b, up in ((i + 1, j, "[0, 1, 0]"), (i, j + 1, "[1, 0, 0]")):
            if a <= cells and b <= cells:
                print(f"  - beam: {{from: {name(i, j)}, to: {name(a, b)}, section: tube, up: {up}, elements: {elements}, order: 3}}")
print("joints:")
for i in (0, cells):
    for j in (0, cells):
        print(f"  - clamp: {{node: {name(i, j)}}}")
print("loads:\n  - gravity: {acceleration: [0, 0, -9.81]}\nmodes: {count: 10, frames: 0}")
