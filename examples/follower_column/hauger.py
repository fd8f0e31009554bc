#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes Hauger's column, whose following load falls linearly to zero at the tip, as n beams with the mean load of each.
Their axial force is then exact at the ends of beams and too large between them, by p/(12 n^2) on average; a force at the tip takes
that away.
    python3 hauger.py 16 > hauger.yaml"""
import sys

n = int(sys.argv[1])
print(f"""# Hauger's column: clamped, under a load p (1 - x) along its tangent, which follows it. {n} beams, each with its mean load.
# Written by hauger.py {n}; units as in column.yaml.
limber: 1
title: A column under a following load that falls linearly to zero
let: {{p: 1, rigid: 1e7}}
nodes:""")
for i in range(n + 1):
    print(f"  x{i}: [{i}/{n}, 0, 0]")
print("""sections:
  s: {stiffness: [rigid, rigid, rigid, 100, 100, 1], mass: 1, inertia: [1e-8, 1e-8, 1e-8]}
elements:""")
for i in range(n):
    print(f"  - beam: {{name: b{i}, from: x{i}, to: x{i + 1}, section: s, elements: 1, order: 3, up: [0, 1, 0]}}")
print("""joints:
  - clamp: {node: x0}
loads:""")
for i in range(n):
    print(f"  - line_force: {{element: b{i}, direction: [-p*{1 - (i + 0.5) / n:.10g}, 0, 0], axes: section}}")
print(f"  - follower_force: {{node: x{n}, direction: [p*{1 / (12 * n * n):.10g}, 0, 0]}}  # the mean error of the axial force")
print("stability: {vary: let.p, from: 120, to: 180, points: 5, digits: 9, modes: 6}")
