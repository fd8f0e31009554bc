#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cantilever of bd_static_cantilever_beam by shooting: a plane beam of Reissner under its weight across its axis."""
import math

LENGTH, WEIGHT, EA, GA, EI = 10.0, 9.806, 1e4, 1e4, 100.0


def rate(s, y):
    force = WEIGHT * (LENGTH - s)
    c, n = math.cos(y[2]), math.sin(y[2])
    axial, shear = 1 + force * n / EA, force * c / GA
    dz = axial * c - shear * n
    return [axial * n + shear * c, dz, y[3] / EI, -force * dz]


def tip(moment, steps=2000):
    y, h = [0.0, 0.0, 0.0, moment], LENGTH / steps
    add = lambda k, f: [a + f * b for a, b in zip(y, k)]
    for i in range(steps):
        k1 = rate(i * h, y)
        k2 = rate((i + 0.5) * h, add(k1, h / 2))
        k3 = rate((i + 0.5) * h, add(k2, h / 2))
        k4 = rate((i + 1) * h, add(k3, h))
        y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
    return y


low, high = 50.0, 300.0
for _ in range(60):
    middle = (low + high) / 2
    low, high = (low, middle) if tip(middle)[3] > 0 else (middle, high)
x, z, angle, _ = tip(low)
print(f"x {x:.8f} m, z {z - LENGTH:.8f} m, angle {angle:.8f} rad, moment at the root {low:.6f} N m")
