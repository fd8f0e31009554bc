#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The multipliers of J theta'' + c theta' + m l (g - A w^2 cos w t) theta = 0, Mathieu's equation, by 20000 steps of Runge and
Kutta in a period. Independent of Limber: python3 reference.py w A [c]"""
import sys

import numpy as np

w, amplitude = map(float, sys.argv[1:3])
damping = float(sys.argv[3]) if len(sys.argv) > 3 else 0
m, l, moment, w0, n = 1.5, 0.4, 0.02, 5.0, 20000
j = moment + m * l * l
a, b, c, h = w0 ** 2, m * l * amplitude * w ** 2 / j, damping / j, 2 * np.pi / w / n


def rate(t, y):
    return np.array([y[1], -c * y[1] - (a - b * np.cos(w * t)) * y[0]])


y = np.eye(2)
for i in range(n):
    t = i * h
    k1 = rate(t, y)
    k2 = rate(t + h / 2, y + h / 2 * k1)
    k3 = rate(t + h / 2, y + h / 2 * k2)
    k4 = rate(t + h, y + h * k3)
    y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
for mu in np.linalg.eigvals(y):
    print(f"{mu:.9f}  |mu| = {abs(mu):.9f}")
