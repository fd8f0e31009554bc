#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Frequencies and droop of the blade by one element of degree p, integrated at the stations of the file by the trapezoidal
rule, as BeamDyn does it: small motions about the straight blade, with the tension of the rotation. It shows which part of
the difference between programs is due to the degree, and which to the terms of a linearisation."""
import re

import numpy as np
from numpy.polynomial import legendre

HUB = 1.5  # m


def read():
    with open("NRELOffshrBsline5MW_BeamDyn.dat") as file:
        lines = file.read().splitlines()
    first = next(i for i, line in enumerate(lines) if line.split()[:1] == ["kp_xr"]) + 2
    count = int(next(line for line in lines if "kp_total" in line).split()[0])
    points = np.array([[float(w) for w in line.split()[:4]] for line in lines[first : first + count]])
    with open("NRELOffshrBsline5MW_BeamDyn_Blade.dat") as file:
        text = file.read()
    count = int(re.search(r"(\d+)\s+station_total", text).group(1))
    numbers = re.split(r"(?i)distributed properties[^\n]*\n", text)[1].split()[: 73 * count]
    rows = np.array([float(w) for w in numbers]).reshape(count, 73)
    return points, rows[:, 0], rows[:, 1:37].reshape(-1, 6, 6), rows[:, 37:].reshape(-1, 6, 6)


POINTS, ETA, K, M = read()
LENGTH = POINTS[-1, 2]


def matrices(p, rpm=0.0, softening=True, gravity=0.0, refine=1):
    """Stiffness, mass and a basis of the free motions. gravity: m/s2 along the blade, towards the tip."""
    speed = rpm * np.pi / 30
    q = np.concatenate([np.linspace(ETA[i], ETA[i + 1], refine + 1)[:-1] for i in range(len(ETA) - 1)] + [[1.0]])
    steps = np.diff(q) * LENGTH
    weight = np.append(steps / 2, 0) + np.append(0, steps / 2)
    unit = np.eye(p + 1)
    value = np.array([legendre.legval(2 * q - 1, unit[k]) for k in range(p + 1)])
    slope = np.array([legendre.legval(2 * q - 1, legendre.legder(unit[k])) for k in range(p + 1)]) * 2 / LENGTH
    z = np.linspace(0, LENGTH, 8001)
    pull = np.interp(z / LENGTH, ETA, M[:, 0, 0]) * ((z + HUB) * speed**2 + gravity)
    tension = np.append(0, np.cumsum((pull[1:] + pull[:-1]) / 2 * np.diff(z)))
    tension = tension[-1] - tension
    size = 6 * (p + 1)
    stiffness, mass = np.zeros((size, size)), np.zeros((size, size))
    for i in range(len(q)):
        angle = -np.radians(np.interp(q[i] * LENGTH, POINTS[:, 2], POINTS[:, 3]))
        c, s = np.cos(angle), np.sin(angle)
        turn = np.kron(np.eye(2), np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]))

        def at(a):
            return turn @ np.array([[np.interp(q[i], ETA, a[:, j, k]) for k in range(6)] for j in range(6)]) @ turn.T

        n = np.hstack([value[k, i] * np.eye(6) for k in range(p + 1)])
        d = np.hstack([slope[k, i] * np.eye(6) for k in range(p + 1)])
        strain = d.copy()
        strain[0] -= n[4]
        strain[1] += n[3]
        m = at(M)
        stiffness += weight[i] * strain.T @ at(K) @ strain
        stiffness += weight[i] * np.interp(q[i] * LENGTH, z, tension) * d[:2].T @ d[:2]
        if softening:  # the rotor's axis is x
            stiffness -= weight[i] * speed**2 * m[0, 0] * n[1:3].T @ n[1:3]
        mass += weight[i] * n.T @ m @ n
    root = np.hstack([(-1.0) ** k * np.eye(6) for k in range(p + 1)])
    return stiffness, mass, np.linalg.svd(root)[2][6:].T


def frequencies(*choice, **more):
    stiffness, mass, free = matrices(*choice, **more)
    lower = np.linalg.inv(np.linalg.cholesky(free.T @ mass @ free))
    return np.sqrt(np.linalg.eigvalsh(lower @ free.T @ stiffness @ free @ lower.T)[:6]) / (2 * np.pi)


def droop(p, refine):
    """Displacement of the tip under a weight along -x."""
    stiffness, mass, free = matrices(p, refine=refine)
    one = np.zeros(len(mass))
    one[0] = -9.80665  # the first Legendre polynomial is 1
    u = free @ np.linalg.solve(free.T @ stiffness @ free, free.T @ mass @ one)
    return np.hstack([np.eye(6)] * (p + 1))[:3] @ u


def show(what, numbers):
    print(f"{what:66}", *(f"{x:8.4f}" for x in numbers))


if __name__ == "__main__":
    for p in (5, 12):
        show(f"degree {p}, standing", frequencies(p))
        show(f"degree {p}, 12.1 rpm", frequencies(p, 12.1))
        show(f"degree {p}, 12.1 rpm, without spin softening", frequencies(p, 12.1, False))
    for name, part in (("up", -1), ("at 120 degrees", 0.5), ("down", 1)):
        what = f"degree 5, 12.1 rpm, without spin softening, gravity, blade {name}"
        show(what, frequencies(5, 12.1, False, 9.80665 * part))
    show("degree 16, stations refined 8 times, standing", frequencies(16, refine=8))
    show("degree 16, stations refined 8 times, 12.1 rpm", frequencies(16, 12.1, refine=8))
    show("degree 20, stations refined 16 times, droop of the tip, m", droop(20, 16))
