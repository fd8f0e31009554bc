#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Square plates by Ritz's method with products of polynomials: omega a^2 sqrt(rho h/D), Poisson's ratio 0.3. Thin ones by Kirchhoff's
theory, and those of a thickness of a/100 by Mindlin's, with the shear factor 5/6. Needs numpy."""
import numpy as np
from numpy.polynomial import Legendre, Polynomial, legendre


def values(factor, terms):
    """Polynomials of one direction with their first and second derivatives at Gauss points of [-1, 1], and the weights."""
    x, weight = legendre.leggauss(terms + 8)
    shapes = [Polynomial(factor) * Legendre.basis(k).convert(kind=Polynomial) for k in range(terms)]
    return [np.array([f.deriv(d)(x) if d else f(x) for f in shapes]) for d in (0, 1, 2)], weight


def plate(along_x, along_y, terms, count, nu=0.3):
    """along_x, along_y: the polynomial that meets the conditions at the edges, such as (1 + x)^2 of a clamped one at x = -1."""
    (u, u1, u2), weight = values(along_x, terms)
    (v, v1, v2), _ = values(along_y, terms)
    inner = lambda f, g: f * weight @ g.T
    pair = lambda a, b: np.kron(a, b)
    k = (pair(inner(u2, u2), inner(v, v)) + pair(inner(u, u), inner(v2, v2))
         + nu * (pair(inner(u2, u), inner(v, v2)) + pair(inner(u, u2), inner(v2, v)))
         + 2 * (1 - nu) * pair(inner(u1, u1), inner(v1, v1)))
    square = np.linalg.eigvals(np.linalg.solve(pair(inner(u, u), inner(v, v)), k)).real
    square = np.sort(square[square > 1e-4])[:count]
    return 4 * np.sqrt(square)  # the side is 2 here


def mindlin(w_factor, turn_factor, terms, count, h, nu=0.3):
    """The same with deflection and two rotations; side 2 and D = 1."""
    (w, w1, _), weight = values(w_factor, terms)
    (p, p1, _), _ = values(turn_factor, terms)
    inner = lambda f, g: f * weight @ g.T
    shear = 5 / 6 * 6 * (1 - nu) / (h * 2) ** 2  # 5/6 G h for D = 1
    pair = np.kron
    n = terms * terms
    k, m = np.zeros((3 * n, 3 * n)), np.zeros((3 * n, 3 * n))
    blocks = [slice(i * n, (i + 1) * n) for i in range(3)]
    W, X, Y = blocks
    k[W, W] = shear * (pair(inner(w1, w1), inner(w, w)) + pair(inner(w, w), inner(w1, w1)))
    k[W, X] = -shear * pair(inner(w1, p), inner(w, p))
    k[W, Y] = -shear * pair(inner(w, p), inner(w1, p))
    twist = (1 - nu) / 2
    same = pair(inner(p, p), inner(p, p))
    k[X, X] = pair(inner(p1, p1), inner(p, p)) + twist * pair(inner(p, p), inner(p1, p1)) + shear * same
    k[Y, Y] = pair(inner(p, p), inner(p1, p1)) + twist * pair(inner(p1, p1), inner(p, p)) + shear * same
    k[X, Y] = nu * pair(inner(p1, p), inner(p, p1)) + twist * pair(inner(p, p1), inner(p1, p))
    for a, b in ((W, X), (W, Y), (X, Y)):
        k[b, a] = k[a, b].T
    m[W, W] = pair(inner(w, w), inner(w, w))
    m[X, X] = m[Y, Y] = (2 * h) ** 2 / 12 * same
    root = np.linalg.inv(np.linalg.cholesky(m))
    square = np.linalg.eigvalsh(root @ k @ root.T)
    return 4 * np.sqrt(square[square > 1e-4][:count])


if __name__ == "__main__":
    free, clamped, once = [1], [1, 0, -2, 0, 1], [1, 0, -1]
    for terms in (8, 10, 12):
        print(terms, "thin, free       ", *(f"{w:.5f}" for w in plate(free, free, terms, 6)))
        print(terms, "thin, clamped    ", *(f"{w:.5f}" for w in plate(clamped, clamped, terms, 6)))
    for terms in (10, 14, 18):
        print(terms, "Mindlin, free    ", *(f"{w:.5f}" for w in mindlin(free, free, terms, 6, 0.01)))
        print(terms, "Mindlin, clamped ", *(f"{w:.5f}" for w in mindlin(once, once, terms, 6, 0.01)))
