#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tip of the box under forces of 1 N and a torque of 1 N m, by a linear beam with the stiffness that VABS gives:
Yu, Hodges & Ho, Variational asymptotic beam sectional analysis - an updated version, 2012, as the documentation of
PreVABS lists it (example box beam), in lb and in."""
import numpy as np

LB, INCH = 4.4482216152605, 0.0254
LENGTH = 30 * INCH
S = np.diag([1.437e6, 9.027e4, 3.943e4, 1.679e4, 6.621e4, 1.725e5])
for i, value in ((0, 1.074e5), (1, -5.201e4), (2, -5.635e4)):
    S[i, i + 3] = S[i + 3, i] = value
size = np.array([1, 1, 1, INCH, INCH, INCH])
compliance = np.linalg.inv(LB * S * np.outer(size, size))
axis = np.array([1.0, 0, 0])


def tip(force, moment):
    """Displacement and rotation, by Simpson's rule, exact for these polynomials."""
    n = 8
    x = np.linspace(0, LENGTH, 2 * n + 1)
    weight = np.array([1] + [4, 2] * (n - 1) + [4, 1]) * LENGTH / (6 * n)
    strain = [compliance @ np.concatenate([force, moment + np.cross((LENGTH - s) * axis, force)]) for s in x]
    rotation = sum(w * e[3:] for w, e in zip(weight, strain))
    moved = sum(w * (e[:3] + np.cross(e[3:], (LENGTH - s) * axis)) for w, e, s in zip(weight, strain, x))
    return moved, rotation


zero = np.zeros(3)
for name, force, moment in (("axial", axis, zero), ("flap", np.array([0, 0, 1.0]), zero), ("lag", np.array([0, 1.0, 0]), zero), ("torque", zero, axis)):
    moved, rotation = tip(force, moment)
    print(name, *(f"{value:.6g}" for value in (*moved, *rotation)))
