#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes blade.htc: the line of half-chord points of the blade, which HAWC2 takes as its axis, from the outer shape of
the WindIO file. A section's half-chord point lies (1/2 - offset/chord) chord behind the reference axis, along the chord."""
import math

import yaml

with open("IEA-15-240-RWT_windIO.yaml") as file:
    blade = yaml.safe_load(file)["components"]["blade"]
axis, shape = blade["reference_axis"], blade["outer_shape"]


def at(part, s):
    grid, values = part["grid"], part["values"]
    k = next(i for i in range(1, len(grid)) if s <= grid[i] or i == len(grid) - 1)
    f = (s - grid[k - 1]) / (grid[k] - grid[k - 1])
    return values[k - 1] + f * (values[k] - values[k - 1])


grid = axis["z"]["grid"]
print("; Half-chord points by half_chord.py. x towards the leading edge, y towards the suction side, z towards the tip.")
print("begin main_body;\n  name blade1;\n  type timoschenko;\n  begin timoschenko_input;")
print("    filename IEA_15MW_RWT_Blade_st_FPM.st;\n    FPM 1;\n    set 1 1;\n  end timoschenko_input;")
print(f"  begin c2_def;\n    nsec {len(grid)};")
for i, s in enumerate(grid):
    twist = math.radians(at(shape["twist"], s))
    behind = 0.5 * at(shape["chord"], s) - at(shape["section_offset_y"], s)
    x = -behind * math.cos(twist) - at(axis["y"], s)
    y = behind * math.sin(twist) + at(axis["x"], s)
    print(f"    sec {i + 1} {x:.6e} {y:.6e} {at(axis['z'], s):.6e} {-math.degrees(twist):.6e};")
print("  end c2_def;\nend main_body;")
