#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the blade with the sections of BeamDyn's file and the axis of HAWC2's: each section is moved to its half-chord
point. What then differs from BeamDyn's blade is due to the axis, and what differs from HAWC2's to the sections.
    limber import IEA-15-240-RWT_BeamDyn.dat -o beamdyn.yaml
    limber import blade.htc --gyration mass_centre -o hawc2.yaml
    ./same_axis.py beamdyn.yaml hawc2.yaml > moved.yaml"""
import sys

import numpy as np
import yaml

sections, axis = (yaml.safe_load(open(name)) for name in sys.argv[1:3])
with open("IEA-15-240-RWT_windIO.yaml") as file:
    shape = yaml.safe_load(file)["components"]["blade"]["outer_shape"]


def at(part, s):
    return np.interp(s, shape[part]["grid"], shape[part]["values"])


def square(a):
    a = np.array(a)
    return np.diag(a) if a.ndim == 1 else a


stations = next(iter(sections["sections"].values()))
for s in stations:
    behind = 0.5 * at("chord", s["at"]) - at("section_offset_y", s["at"])
    d = np.array([0, 0, behind])  # from the old reference point to the new one
    move = np.eye(6)
    move[:3, 3:] = [[0, -d[2], d[1]], [d[2], 0, -d[0]], [-d[1], d[0], 0]]
    s["stiffness"] = (move.T @ square(s["stiffness"]) @ move).tolist()
    c, m = np.array([0, *s["centre"]]), s["mass"]
    about = lambda r: m * (r @ r * np.eye(3) - np.outer(r, r))
    s["inertia"] = (square(s["inertia"]) - about(c) + about(c - d)).tolist()
    s["centre"] = (c - d)[1:].tolist()
axis["sections"][next(iter(axis["sections"]))] = stations
yaml.safe_dump(axis, sys.stdout)
