#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The array of rigid.yaml by itself: a plane chain of rigid links with springs and dampers in its hinges, which lock and unlock.

Angles phi of the links against the ground, M_ij = a_ij cos(phi_i - phi_j). Hinges that are locked tie the rates, phi' = P u, and
    P' M P u' = P' (Q - h),   h_i = sum_j a_ij sin(phi_i - phi_j) phi_j'^2.
Steps are of the classical Runge-Kutta method; where an angle reaches its latch within one, the step is bisected, and the rates
after it keep the momentum along what stays free: P+' M P+ u+ = P+' M phi'.
"""
import sys

import numpy as np

length, mass, inertia = np.array([1, 2, 2, 2.0]), np.array([3, 6, 6, 6.0]), np.array([0.26, 2.02, 2.02, 2.02])
sign = np.array([1, -1, 1, -1])  # of the axis of each hinge
latch = np.radians([90, 180, 180, 180])
stiffness, rest, damping, hold = np.ones(4), np.radians([150, 240, 240, 240]), 4 * np.ones(4), 3.0

# phi: angle about y from the z axis; folded, the links point up and down
folded = np.array([0, np.pi, 0, np.pi])
to_phi = np.tril(np.ones((4, 4))) * sign  # phi = folded + to_phi q
a = np.zeros((4, 4))
for k in range(4):  # the centre of link k: all lengths before it and half its own
    arm = np.where(np.arange(4) < k, length, 0) + np.where(np.arange(4) == k, length / 2, 0)
    a += mass[k] * np.outer(arm, arm)
a += np.diag(inertia)


def matrices(q, rate):
    phi, dphi = folded + to_phi @ q, to_phi @ rate
    m = a * np.cos(phi[:, None] - phi[None, :])
    h = (a * np.sin(phi[:, None] - phi[None, :])) @ dphi ** 2
    return to_phi.T @ m @ to_phi, to_phi.T @ h


def derivative(state, free):
    q, rate = state[:4], state[4:]
    m, h = matrices(q, rate)
    force = stiffness * (rest - q) - damping * rate - h
    change = np.zeros(8)
    change[:4] = rate
    change[4:][free] = np.linalg.solve(m[np.ix_(free, free)], force[free])
    return change


def step(state, h, free):
    k1 = derivative(state, free)
    k2 = derivative(state + h / 2 * k1, free)
    k3 = derivative(state + h / 2 * k2, free)
    k4 = derivative(state + h * k3, free)
    return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def kinetic(state):
    return 0.5 * state[4:] @ matrices(state[:4], state[4:])[0] @ state[4:]


def deploy(h=1e-3, end=60.0, report=print):
    """Times of the latches, the energy that each takes, and angles at times that are asked for."""
    t, state, free = 0.0, np.zeros(8), np.array([True, False, False, False])
    timers, found, rows = [], [], []
    while t < end - 1e-12:
        length_ = min([h, end - t] + [when - t for when, _ in timers if when - t > 1e-12])
        after = step(state, length_, free)
        over = free & (after[:4] > latch)
        if over.any():
            low, high = 0.0, length_
            for _ in range(60):
                middle = 0.5 * (low + high)
                over_middle = free & (step(state, middle, free)[:4] > latch)
                low, high = (low, middle) if over_middle.any() else (middle, high)
            over, length_ = free & (step(state, high, free)[:4] > latch), high
            after = step(state, length_, free)
        t, state = t + length_, after
        if over.any():
            before, m = kinetic(state), matrices(state[:4], state[4:])[0]
            free = free & ~over
            rate = np.zeros(4)
            if free.any():
                rate[free] = np.linalg.solve(m[np.ix_(free, free)], (m @ state[4:])[free])
            state[4:] = rate
            hinge = int(np.argmax(over))
            found.append((hinge, t, before - kinetic(state)))
            report(f"latch {'root a b c'.split()[hinge]:4s} t = {t:.9f} s, {before - kinetic(state):.9f} J")
            if hinge == 0:
                timers.append((t + hold, [1]))
            if hinge == 1:
                timers.append((t + hold, [2, 3]))
        for when, hinges in timers:
            if abs(when - t) <= 1e-12:
                free[hinges] = True
        rows.append((t, *state[:4]))
    return found, np.array(rows)


if __name__ == "__main__":
    found, rows = deploy(float(sys.argv[1]) if len(sys.argv) > 1 else 1e-3)
    for t in (4, 8, 14, 18, 24, 28, 30, 32):
        i = int(np.argmin(abs(rows[:, 0] - t)))
        q = rows[i, 1:] + (t - rows[i, 0]) * (rows[i + 1, 1:] - rows[i, 1:]) / (rows[i + 1, 0] - rows[i, 0])
        print(f"t = {t} s: " + " ".join(f"{x:.7f}" for x in q))
    print(f"energy of all latches {sum(f[2] for f in found):.9f} J")
