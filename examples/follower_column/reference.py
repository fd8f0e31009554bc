#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Critical loads of a Bernoulli column with unit stiffness, mass and length, clamped at x = 0, independent of Limber: Galerkin with
x^2 times Legendre polynomials. A load of density p(x) along the tangent, and one at the tip of which eta follows, give
    int w'' v'' - int N w' v' + int p w' v + eta P w'(1) v(1) + lambda^2 (int w v + M w(1) v(1)) = 0,   N = P + int_x^1 p.
Prints the load at which two frequencies meet, or one vanishes, and the frequency there."""
import numpy as np
from numpy.polynomial import legendre, polynomial as poly

TERMS = 14


def matrices(mass=0, eta=1, tip=1, density=None):
    x, w = legendre.leggauss(80)
    x, w = (x + 1) / 2, w / 2
    basis = []
    for k in range(TERMS):
        p = np.zeros(1)
        for i, a in enumerate(legendre.leg2poly([0] * k + [1])):
            p = poly.polyadd(p, a * np.asarray(poly.polypow([-1, 2], i)))
        basis.append(poly.polymul(p, [0, 0, 1]))
    v = [np.array([poly.polyval(x, poly.polyder(b, d)) for b in basis]) for d in range(3)]
    end = [np.array([poly.polyval(1.0, poly.polyder(b, d)) for b in basis]) for d in range(2)]
    load = np.zeros(1) if density is None else np.array(density, float)
    whole = poly.polyint(load)
    axial = tip + poly.polyval(1.0, whole) - poly.polyval(x, whole)
    k0 = (v[2] * w) @ v[2].T
    k1 = -(v[1] * w * axial) @ v[1].T + (v[0] * w * poly.polyval(x, load)) @ v[1].T + tip * eta * np.outer(end[0], end[1])
    return k0, k1, (v[0] * w) @ v[0].T + mass * np.outer(end[0], end[0])


def lowest(load, m):
    s = np.linalg.eigvals(np.linalg.solve(m[2], m[0] + load * m[1]))
    return s[np.argsort(abs(s))][:4]


def critical(low, high, **case):
    m = matrices(**case)
    for _ in range(60):
        middle = (low + high) / 2
        s = lowest(middle, m)
        unstable = (abs(s.imag) > 1e-6 * abs(s)).any() or (s.real < 0).any()
        low, high = (low, middle) if unstable else (middle, high)
    s = lowest(low, m)[:2]
    meets = abs(s[0] - s[1]) < 0.1 * abs(s[0])
    return low, np.sqrt(s.mean().real) if meets else 0


if __name__ == "__main__":
    print("Beck %.7f %.6f" % critical(15, 22))
    for eta in (0, .25, .4, .45):
        print("eta %g %.7f" % (eta, critical(0, 9, eta=eta)[0]))
    for eta in (.5, .6, .8, .9):
        print("eta %g %.7f %.6f" % (eta, *critical(10, 22, eta=eta)))
    for mass in (.01, .05, .1, .2, .5, 1, 2, 5, 10, 100, 1000):
        print("mass %g %.7f %.6f" % (mass, *critical(10, 20.05, mass=mass)))
    print("Leipholz %.7f %.6f" % critical(30, 50, tip=0, density=[1]))
    print("Hauger %.6f %.6f" % critical(120, 180, tip=0, density=[1, -1]))
