#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds a pole upright on its cart: limber.linearize gives A and B, an LQR design gives the gains, and the controller
acts on the nonlinear model, which starts 15 degrees off."""
import os
import sys

import numpy as np

import limber

here = os.path.dirname(os.path.abspath(__file__))
TILT = np.radians(15)


def lqr(a, b, q, r):
    """Gains that minimise the integral of x'Qx + u'Ru: the stable eigenvectors of the Hamiltonian matrix."""
    n = len(a)
    values, vectors = np.linalg.eig(np.block([[a, -b @ np.linalg.solve(r, b.T)], [-q, -a.T]]))
    x = vectors[:, values.real < 0]
    return np.linalg.solve(r, b.T) @ (x[n:] @ np.linalg.inv(x[:n])).real


linear = limber.linearize(limber.Model(os.path.join(here, "cart.yaml")))
gains = lqr(linear.A, linear.B, np.diag([4, 20, 1, 1]), np.eye(1))
closed = np.linalg.eigvals(linear.A - linear.B @ gains)
print("states      ", ", ".join(linear.states))
print("open loop   ", np.array2string(np.sort_complex(np.linalg.eigvals(linear.A)), precision=4))
print("closed loop ", np.array2string(np.sort_complex(closed), precision=4))

run = limber.Model(os.path.join(here, "cart.yaml"), {"let.tilt": TILT}).start(sys.argv[1] if len(sys.argv) > 1 else None)
measured = ("rail.slide", "lean", "rail.rate", "hinge.rate")


def force(run):
    return float(-(gains @ [run.now(name) for name in measured])[0])


run.control("force", force)
run.advance()
angle = run["lean"]
print(f"angle        {np.degrees(angle[0]):.1f} deg at the start, {np.degrees(angle[-1]):.4f} deg after {run.time:g} s")
print(f"cart         goes {np.abs(run['rail.slide']).max():.3f} m away and comes back to {run['rail.slide'][-1]:.5f} m")
assert closed.real.max() < 0 and abs(angle[-1]) < 1e-3 and abs(run["rail.slide"][-1]) < 1e-2
