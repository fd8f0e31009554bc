# SPDX-License-Identifier: Apache-2.0
"""Euler's equations of a body with wheels, J w' + w x (J w + p) = -t, p' = t in the axes of the body, integrated by Runge and Kutta's
method of order 4. Prints the rates of the body and the speed of the third wheel at 20 s."""
import math

J, I = (1.0, 2.0, 3.0), 1e-3


def torque(t):
    return 0.2 * math.sin(2 * math.pi * 0.05 * t), 0.3 * math.sin(2 * math.pi * 0.04 * t + 1), 0.05


def rates(t, y):
    w, p, u = y[:3], y[3:], torque(t)
    h = [J[i] * w[i] + p[i] for i in range(3)]
    cross = (w[1] * h[2] - w[2] * h[1], w[2] * h[0] - w[0] * h[2], w[0] * h[1] - w[1] * h[0])
    return [-(cross[i] + u[i]) / J[i] for i in range(3)] + list(u)


def integrate(end, steps):
    y, h = [0, 0, 0, 0, 0, I * 2000 * 2 * math.pi / 60], end / steps
    for n in range(steps):
        t = n * h
        k1 = rates(t, y)
        k2 = rates(t + h / 2, [a + h / 2 * b for a, b in zip(y, k1)])
        k3 = rates(t + h / 2, [a + h / 2 * b for a, b in zip(y, k2)])
        k4 = rates(t + h, [a + h * b for a, b in zip(y, k3)])
        y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
    return y


if __name__ == "__main__":
    for steps in (20000, 40000):
        y = integrate(20, steps)
        print(*(f"{x:.12g}" for x in y), f"speed {y[5] / I - y[2]:.12g}")
