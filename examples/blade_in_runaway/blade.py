#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Flutter of the rigid blade of blade.yaml that turns in still air: its angles of flap and pitch and the states of the air,
in the rotating frame. The blade is a set of points with mass. An imaginary step differentiates the equations about the
steady rotation. Nothing of Limber is used."""
import math
import sys

import numpy as np

HINGE, FLAP, PITCH, CUFF = 1.0, 2e5, 3e4, 1.0   # place; springs; inertia of the cuff
MASS, BEHIND, HIGH, LONG = 30.0, 0.1, 0.1, 1.4  # per length; second moments across the chord and along it
CHORD, RHO, SLOPE, ZERO, DRAG = 0.8, 1.225, 2 * math.pi, math.radians(-2), 0.01
PART, RATE = (0.165, 0.335), (0.0455, 0.3)
PARTS = ((1.5, 3.0), (4.5, 3.0), (7.0, 2.0))    # of the blade: middle, from the hinge, and length
N = 2 + 3 * len(PARTS)                          # flap, pitch, states


def points():
    """Mass and place in the axes of the blade: each part has half of its mass at each end, and a ring of air."""
    for middle, length in PARTS:
        for r in (middle - length / 2, middle + length / 2):
            m = length / 2
            across, along = math.sqrt(2 * HIGH / MASS), math.sqrt(2 * (LONG / MASS - BEHIND**2))
            ring = math.sqrt(math.pi / 256 * RHO * CHORD**4)
            for y, z in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                yield MASS * m / 4, (r, -BEHIND + y * along, z * across)
                yield m / 2, (r, y * ring, z * ring)
            yield -2 * m, (r, 0, 0)


def axes(q):
    c, s, k, l = np.cos(q[0]), np.sin(q[0]), np.cos(q[1]), np.sin(q[1])
    return np.array([[c, -s * l, -s * k], [0, k, -l], [s, c * l, c * k]])


def place(p, q):
    return np.array([HINGE, 0, 0]) + axes(q) @ p


def slopes(p, q):
    """d place/d q"""
    c, s, k, l = np.cos(q[0]), np.sin(q[0]), np.cos(q[1]), np.sin(q[1])
    x, y, z = p
    up, side = l * y + k * z, k * y - l * z
    return np.array([[-s * x - c * up, -s * side], [0, -up], [c * x - s * up, c * side]])


def residual(rate, x, v, a):
    """Forces and equations of the states; x, v, a: angles and states, their rates, and accelerations of the angles."""
    q, z, spin = x[:2], x[2:], rate * np.array([[0, -1, 0], [1, 0, 0], [0, 0, 0]])
    f = -np.array([FLAP, PITCH]) * q - np.array([CUFF, 0]) * a
    for m, p in points():
        j = slopes(p, q)
        f = f - m * j.T @ (j @ a + spin @ (2 * j @ v[:2] + spin @ place(p, q)))
    chord, normal, states = axes(q)[:, 1], axes(q)[:, 2], []
    half, mass = 0.5 * RHO * CHORD, math.pi / 4 * RHO * CHORD**2
    for i, (r, length) in enumerate(PARTS):
        quarter, middle, rear = ((r, -part * CHORD, 0) for part in (0, 0.25, 0.5))
        wind = {p: -(slopes(p, q) @ v[:2] + spin @ place(p, q)) for p in (middle, rear)}  # in the blade's frame
        z1, z2, z3 = z[3 * i:3 * i + 3]
        along, across = -wind[rear] @ chord, wind[rear] @ normal
        w = (1 - sum(PART)) * across + z1 + z2
        speed = np.sqrt(along**2 + w**2)
        lift = SLOPE * (w * math.cos(ZERO) - along * math.sin(ZERO)) / speed
        force = half * speed * (lift * (w * chord + along * normal) + DRAG * (w * normal - along * chord))
        turn = v[1] + normal @ spin @ chord
        f = f + length * (slopes(quarter, q).T @ force + mass * v[4 + 3 * i] * slopes(middle, q).T @ normal
                          - np.array([0, mass * CHORD / 4 * along * turn]))
        for n, zn in ((0, z1), (1, z2)):
            states.append(v[2 + 3 * i + n] - RATE[n] * 2 * speed / CHORD * (PART[n] * across - zn))
        states.append(z3 - wind[middle] @ normal)
    return np.concatenate([f, states])


def derivative(rate, x, which):
    out = np.zeros((N, N if which < 2 else 2))
    for k in range(out.shape[1]):
        y = [x + 0j, np.zeros(N, complex), np.zeros(2, complex)]
        y[which][k] += 1e-40j
        out[:, k] = residual(rate, *y).imag / 1e-40
    return out


def steady(rate):
    x, change = np.zeros(N), np.ones(N)
    while np.abs(change).max() > 1e-11:
        change = np.linalg.solve(derivative(rate, x, 0), residual(rate, x + 0j, np.zeros(N), np.zeros(2)).real)
        x = x - change
    return x


def eigenvalues(rate):
    """Of a y = s b y with y = (q, q', z)"""
    x = steady(rate)
    k, c, m = (derivative(rate, x, i) for i in range(3))
    a, b = np.zeros((N + 2, N + 2)), np.zeros((N + 2, N + 2))
    a[:2, 2:4] = b[:2, :2] = np.eye(2)
    a[2:, :2], a[2:, 2:4], a[2:, 4:] = k[:, :2], c[:, :2], k[:, 2:]
    b[2:, 2:4], b[2:, 4:] = -m, -c[:, 2:]
    inverse = np.linalg.eigvals(np.linalg.solve(a, b))
    return 1 / inverse[np.abs(inverse) > 1e-6]


def fastest(rate):
    s = eigenvalues(rate)
    s = s[s.imag > 1]
    return s[np.argmax(s.real)]


def flutter(before=17.0, rate=18.0):
    """By secants."""
    growth = fastest(before).real
    while abs(rate - before) > 1e-12 * rate:
        s = fastest(rate)
        before, rate, growth = rate, rate - s.real * (rate - before) / (s.real - growth), s.real
    return rate, s.imag


if __name__ == "__main__":
    if len(sys.argv) > 1:
        angles = steady(float(sys.argv[1]))[:2]
        print("steady: flap %.9f rad, pitch %.9f rad; fastest growth %s 1/s" % (*angles, fastest(float(sys.argv[1]))))
    else:
        print("flutter at %.10f rad/s with %.10f rad/s" % flutter())
