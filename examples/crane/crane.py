# SPDX-License-Identifier: Apache-2.0
"""The load of the crane in the plane, on a rope that a winch reels in, with EA over the length that is left: Runge and Kutta's method of order 4, steps of 0.2 ms."""
import math

mass, g, stiffness, rise, duration, swing = 1000.0, 9.81, 1e7, 10.0, 10.0, 2.0
drum = math.hypot(15, 25)
length = (drum + 20) / (1 + mass * g / stiffness)


def reeled(t):
    """limber describe smooth_step."""
    s = min(max((t - 1) / duration, 0), 1)
    return rise * s**3 * (10 - 15 * s + 6 * s * s)


def tension(t, x, z):
    left = length - reeled(t)
    return stiffness * max(0.0, math.hypot(x, z) + drum - left) / left


def slope(t, y):
    x, z, u, w = y
    f, r = tension(t, x, z), math.hypot(x, z)
    return [u, w, -f * x / r / mass, -f * z / r / mass - g]


def integrate(end, h=2e-4):
    y = [swing, -math.sqrt(400 - swing**2), 0.0, 0.0]
    for i in range(round(end / h)):
        t = i * h
        a = slope(t, y)
        b = slope(t + h / 2, [p + h / 2 * q for p, q in zip(y, a)])
        c = slope(t + h / 2, [p + h / 2 * q for p, q in zip(y, b)])
        d = slope(t + h, [p + h * q for p, q in zip(y, c)])
        y = [p + h / 6 * (k + 2 * m + 2 * n + o) for p, k, m, n, o in zip(y, a, b, c, d)]
    return y


if __name__ == "__main__":
    for end in (5.0, 15.0):
        y = integrate(end)
        energy = mass * (0.5 * (y[2]**2 + y[3]**2) + g * y[1]) + 0.5 * tension(end, y[0], y[1])**2 * (length - reeled(end)) / stiffness
        start = mass * g * -math.sqrt(400 - swing**2) + 0.5 * (mass * g)**2 * length / stiffness
        print(f"{end} s: x {y[0]:.9g}, z {30 + y[1]:.9g}, work of the winch {energy - start:.9g} J")
