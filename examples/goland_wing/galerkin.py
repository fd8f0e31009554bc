#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Flutter of Goland's wing by Galerkin's method: bending and torsion of a uniform cantilever in its own modes without
air, strip theory with R. T. Jones' approximation. At the speed of flutter a motion exp(i w t) exists. Nothing of Limber
is used."""
import math

SPAN, CHORD, RHO = 6.096, 1.8288, 1.225
EI, GJ, MASS, J, BEHIND, QUARTER = 9.77221e6, 0.987581e6, 35.71, 8.64, 0.1 * CHORD, 0.08 * CHORD
PART, RATE = (0.165, 0.335), (0.0455, 0.3)
MODES, POINTS = 5, 400  # of each kind; of Simpson's rule


def root(f, x):
    for _ in range(60):
        x -= f(x) / ((f(x + 1e-7) - f(x - 1e-7)) / 2e-7)
    return x


def bending(i):
    k = root(lambda x: math.cos(x) + 1 / math.cosh(x), math.pi * (i + 0.5))
    r = (math.cosh(k) + math.cos(k)) / (math.sinh(k) + math.sin(k))
    return k, lambda x: math.cosh(k * x) - math.cos(k * x) - r * (math.sinh(k * x) - math.sin(k * x))


def integral(f):
    n = POINTS
    return SPAN / (3 * n) * sum((1 if i in (0, n) else 4 if i % 2 else 2) * f(i / n) for i in range(n + 1))


W = [bending(i) for i in range(MODES)]
T = [lambda x, i=i: math.sin(math.pi * (i + 0.5) * x) for i in range(MODES)]
WW = [integral(lambda x, f=f: f(x)**2) for _, f in W]
TT = [integral(lambda x, f=f: f(x)**2) for f in T]
WT = [[integral(lambda x: f(x) * g(x)) for g in T] for _, f in W]


def determinant(a):
    a, d = [list(r) for r in a], 1
    for i in range(len(a)):
        p = max(range(i, len(a)), key=lambda r: abs(a[r][i]))
        if p != i:
            a[i], a[p], d = a[p], a[i], -d
        d *= a[i][i]
        for r in range(i + 1, len(a)):
            f = a[r][i] / a[i][i]
            for c in range(i, len(a)):
                a[r][c] -= f * a[i][c]
    return d


def balance(v, s):
    """Forces of unit plunge and pitch on plunge and pitch, per length, without the springs."""
    b = CHORD / 2
    lag = 1 - sum(PART) + sum(a * r * v / b / (s + r * v / b) for a, r in zip(PART, RATE))
    lift, mass = math.pi * RHO * CHORD * v * lag, math.pi * RHO * b**2
    quarter, half, rear = ((1, QUARTER - x) for x in (0, CHORD / 4, CHORD / 2))
    inertia, pitch = ((MASS, -MASS * BEHIND), (-MASS * BEHIND, J)), (0, 1)
    return [[s * s * inertia[i][j] - quarter[i] * lift * (v * pitch[j] - s * rear[j])
             - half[i] * mass * s * (v * pitch[j] - s * half[j])
             + pitch[i] * pitch[j] * (mass * b / 2 * v * s + math.pi * RHO * b**4 / 8 * s * s) for j in (0, 1)]
            for i in (0, 1)]


def singular(v, s):
    f, n = balance(v, s), MODES
    a = [[0j] * 2 * n for _ in range(2 * n)]
    for i in range(n):
        a[i][i] = WW[i] * (f[0][0] + EI * (W[i][0] / SPAN)**4)
        a[n + i][n + i] = TT[i] * (f[1][1] + GJ * (math.pi * (i + 0.5) / SPAN)**2)
        for j in range(n):
            a[i][n + j], a[n + j][i] = WT[i][j] * f[0][1], WT[i][j] * f[1][0]
    scale = [math.sqrt(abs(a[i][i])) for i in range(2 * n)]
    return determinant([[a[i][j] / scale[i] / scale[j] for j in range(2 * n)] for i in range(2 * n)])


def flutter(v=137.0, w=70.0):
    for _ in range(50):
        f = singular(v, 1j * w)
        fv = (singular(v * (1 + 1e-5), 1j * w) - singular(v * (1 - 1e-5), 1j * w)) / (2e-5 * v)
        fw = (singular(v, 1j * w * (1 + 1e-5)) - singular(v, 1j * w * (1 - 1e-5))) / (2e-5 * w)
        d = fv.real * fw.imag - fw.real * fv.imag
        dv, dw = (fw.real * f.imag - f.real * fw.imag) / d, (f.real * fv.imag - fv.real * f.imag) / d
        v, w = v + dv, w + dw
        if abs(dv) < 1e-10 * v and abs(dw) < 1e-10 * w:
            break
    return v, w


if __name__ == "__main__":
    print("flutter at %.4f m/s with %.4f rad/s" % flutter())
    print("divergence at %.4f m/s" % (math.pi / (2 * SPAN) * math.sqrt(GJ / (math.pi * RHO * CHORD * QUARTER))))
