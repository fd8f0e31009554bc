# SPDX-License-Identifier: Apache-2.0
"""The gear train as three equations of motion, integrated by Runge and Kutta's method of order 4 with steps that end where teeth meet or
leave each other. Prints angles and rates at 0.25, 0.5 and 1 s."""
import math

inertia, ratio, stiffness, damping, gap, load = (0.02, 0.04, 0.4), (-2.0, -3.0), (2000.0, 8000.0), (0.2, 0.4), 4e-3, 0.2


def differences(y):
    return [y[i] - ratio[i] * y[i + 1] for i in range(2)]


def side(y):
    """Of each pair -1, 0 or 1: which flanks touch."""
    return [0 if abs(d) <= gap else math.copysign(1, d) for d in differences(y)]


def slope(t, y, touch):
    torque = [20 * math.sin(2 * math.pi * 4 * t), 0.0, -load * y[5]]
    for i in range(2):
        d, rate = y[i] - ratio[i] * y[i + 1], y[3 + i] - ratio[i] * y[4 + i]
        mesh = damping[i] * rate + (stiffness[i] * (d - touch[i] * gap) if touch[i] else 0)
        torque[i] -= mesh
        torque[i + 1] += ratio[i] * mesh
    return y[3:] + [m / j for m, j in zip(torque, inertia)]


def step(t, y, h, touch):
    k1 = slope(t, y, touch)
    k2 = slope(t + h / 2, [a + h / 2 * b for a, b in zip(y, k1)], touch)
    k3 = slope(t + h / 2, [a + h / 2 * b for a, b in zip(y, k2)], touch)
    k4 = slope(t + h, [a + h * b for a, b in zip(y, k3)], touch)
    return [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(y, k1, k2, k3, k4)]


def integrate(end, h, y=(0, 0, 0, 10, -5, 5 / 3)):
    t, y, events = 0.0, list(y), 0
    touch = side(y)
    while t < end - 1e-14:
        d = min(h, end - t)
        after = step(t, y, d, touch)
        if side(after) != touch:  # the event, by bisection; the step ends just after it
            low, high = 0.0, d
            while high - low > 1e-15:
                middle = 0.5 * (low + high)
                low, high = (middle, high) if side(step(t, y, middle, touch)) == touch else (low, middle)
            d, events = high, events + 1
            after = step(t, y, d, touch)
        t, y, touch = t + d, after, side(after)
    return y, events


if __name__ == "__main__":
    for end in (0.25, 0.5, 1.0):
        (fine, events), (coarse, _) = integrate(end, 1e-5), integrate(end, 2e-5)
        print(f"{end} s, {events} events:", " ".join(f"{x:.10g}" for x in fine),
              f"; steps twice as long differ by {max(abs(a - b) for a, b in zip(fine, coarse)):.1e}")
