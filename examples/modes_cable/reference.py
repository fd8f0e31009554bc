#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Symmetric modes of a cable of small sag in its plane, by Irvine and Caughey (1974): tan(x/2) = x/2 - 4/lambda^2 (x/2)^3 for
x = omega L sqrt(m/H). Prints x/pi; no numpy."""
import math


def irvine(square, count):
    def f(x):  # without poles
        return math.sin(x / 2) - (x / 2 - 4 / square * (x / 2) ** 3) * math.cos(x / 2)
    found, x, step = [], 0.5, 1e-3
    while len(found) < count:
        if f(x) * f(x + step) < 0:
            low, high = x, x + step
            for _ in range(80):
                middle = (low + high) / 2
                low, high = (low, middle) if f(low) * f(middle) <= 0 else (middle, high)
            found.append(low / math.pi)
        x += step
    return found


if __name__ == "__main__":
    for square in (0.1, 1, 10, 4 * math.pi ** 2, 100, 400):
        print(f"{square:10.6g}", *(f"{v:.8f}" for v in irvine(square, 3)))
