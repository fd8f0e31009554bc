#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The car of car_over_bump.yaml, integrated without Limber: a rigid body with four wheels that slide along its z axis,
10 degrees of freedom, Newton and Euler by Jacobians, Runge-Kutta of order 4. Prints the values of expected.yaml."""
import math

import numpy

SPEED, LENGTH, START = 10.0, 3.0, 4.0
MASS, INERTIA = 1200.0, numpy.diag([450.0, 1700.0, 1900.0])
WHEEL, WHEEL_INERTIA = 40.0, numpy.diag([0.9, 1.6, 0.9])
TYRE, TYRE_DAMPING, DAMPING = 190e3, 190e3 * 1e-3, 1500.0
E3 = numpy.array([0.0, 0.0, 1.0])
# wheel: place from the body's node, stiffness of the strut, height of the bump, distance before the front axle
WHEELS = [([1.1, 0.75, -0.5], 22e3, 0.08, 0.0), ([1.1, -0.75, -0.5], 22e3, 0.04, 0.0),
          ([-1.5, 0.75, -0.5], 26e3, 0.08, -2.6), ([-1.5, -0.75, -0.5], 26e3, 0.04, -2.6)]


def road(t, height, ahead):
    phase = (t - (START - ahead) / SPEED) / (LENGTH / SPEED)
    if not 0 < phase < 1:
        return 0.0, 0.0
    w = 2 * math.pi / (LENGTH / SPEED)
    return height / 2 * (1 - math.cos(2 * math.pi * phase)), height / 2 * w * math.sin(2 * math.pi * phase)


def cross(a):
    return numpy.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def rate(t, y):
    """y: position 3, rotation matrix 9, slides 4, velocity 3, angular velocity in body axes 3, rates of slides 4"""
    x, R, s, v, w, sd = y[:3], y[3:12].reshape(3, 3), y[12:16], y[16:19], y[19:22], y[22:26]
    M, f = numpy.zeros((10, 10)), numpy.zeros(10)
    M[:3, :3] += MASS * numpy.eye(3)
    inertia = INERTIA + 4 * WHEEL_INERTIA
    M[3:6, 3:6] += inertia
    f[3:6] -= numpy.cross(w, inertia @ w)
    for i, (a, stiffness, height, ahead) in enumerate(WHEELS):
        arm = numpy.array(a) + s[i] * E3
        J = numpy.zeros((3, 10))
        J[:, :3], J[:, 3:6], J[:, 6 + i] = numpy.eye(3), -R @ cross(arm), R @ E3
        velocity = J @ numpy.concatenate([v, w, sd])
        bias = R @ (numpy.cross(w, numpy.cross(w, arm)) + 2 * numpy.cross(w, sd[i] * E3))
        z, zd = road(t, height, ahead)
        lift = -TYRE * ((x + R @ arm)[2] + 0.3 - z) - TYRE_DAMPING * (velocity[2] - zd)
        M += WHEEL * J.T @ J
        f += J.T @ (lift * E3 - WHEEL * bias)
        f[6 + i] -= stiffness * s[i] + DAMPING * sd[i]
    a = numpy.linalg.solve(M, f)
    return numpy.concatenate([v, (R @ cross(w)).ravel(), sd, a])


def main():
    step, y = 2e-4, numpy.zeros(26)
    y[2], y[3:12] = 0.2, numpy.eye(3).ravel()
    rows = []
    for n in range(15000):
        t = n * step
        hub = y[2] + (y[3:12].reshape(3, 3) @ (numpy.array(WHEELS[0][0]) + y[12] * E3))[2]
        rows.append(numpy.concatenate([[t, y[2]], y[3:12], y[12:16], [hub]]))
        k1 = rate(t, y)
        k2 = rate(t + step / 2, y + step / 2 * k1)
        k3 = rate(t + step / 2, y + step / 2 * k2)
        k4 = rate(t + step, y + step * k3)
        y = y + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    rows = numpy.array(rows)
    at = {round(r[0], 4): r for r in rows}
    print("largest height of the body %.6f m at %.4f s" % (rows[:, 1].max(), rows[rows[:, 1].argmax(), 0]))
    print("least height of the body %.6f m" % rows[:, 1].min())
    for t in (0.6, 0.9, 1.5):
        r = at[t]
        print("t = %g s: body %.7f m, front left hub %.7f m, strut front left %.7f, rear right %.7f, "
              "e1.z %.7f, e2.z %.7f" % (t, r[1], r[15], r[11], r[14], r[8], r[9]))


if __name__ == "__main__":
    main()
