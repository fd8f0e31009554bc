#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tip receptances of a cantilever with EI = m = L = 1 and Kelvin-Voigt damping, in closed form: Bernoulli's beam, and
Timoshenko's with the shear stiffness GA and the rotary inertia J of cantilever.yaml."""
import numpy as np

GA, J = 1e6, 1e-8


def bernoulli(f, eta):
    w = 2 * np.pi * f
    z = 1 + 1j * w * eta
    b = np.sqrt(np.sqrt(w * w / z))
    return (np.sin(b) * np.cosh(b) - np.cos(b) * np.sinh(b)) / (b**3 * (1 + np.cos(b) * np.cosh(b))) / z


def timoshenko(f, eta):
    """GA (v" - phi') + w^2 v = 0 and EI phi" + GA (v' - phi) + J w^2 phi = 0: v = exp(k x), phi = r exp(k x)."""
    w = 2 * np.pi * f
    z = 1 + 1j * w * eta
    ga, ei = GA * z, z
    k = np.roots([ga * ei, 0, ei * w * w + ga * J * w * w, 0, J * w**4 - ga * w * w])
    r = (ga * k * k + w * w) / (ga * k)
    end = np.exp(k)
    rows = [np.ones(4), r, ei * r * k * end, ga * (k - r) * end]  # held at the root; no moment, a unit force at the tip
    return np.linalg.solve(rows, [0, 0, 0, 1]) @ end


if __name__ == "__main__":
    print("   Hz   eta        Bernoulli                             Timoshenko")
    for eta in (0, 2e-3):
        for f in (0.1, 0.5, 1, 3, 5, 10):
            a, b = bernoulli(f, eta), timoshenko(f, eta)
            print(f"{f:5g} {eta:5g}   {a.real:17.12g} {a.imag:17.12g}   {b.real:17.12g} {b.imag:17.12g}")
