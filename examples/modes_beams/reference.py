#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Frequencies of the beams of this example without finite elements of Limber's kind: of Timoshenko beams from the exact
solution of their differential equations, of the tapered one by polynomials (Ritz). Prints tables; needs numpy."""
import numpy as np
from numpy.polynomial import Legendre, Polynomial, legendre

STEEL = dict(EI=210e9 * 0.05 ** 4 / 12, GA=5 / 6 * 210e9 / 2.6 * 0.05 ** 2, m=7850 * 0.05 ** 2, J=7850 * 0.05 ** 4 / 12, L=1)
IDEAL = dict(EI=1037.13e9, GA=1037.13e11, m=9517.14, J=41979.2, L=100)  # Ideal_Beam_BeamDyn_Blade.dat of OpenFAST
FREE = {"clamped": [2, 3], "free": [0, 1], "pinned": [1, 3]}  # of deflection, rotation, moment and shear force
ZERO = {"clamped": [0, 1], "free": [2, 3], "pinned": [0, 2]}


def exponential(a):
    """Of a matrix: Taylor's series of a part of it, squared."""
    halvings = max(0, int(np.ceil(np.log2(np.abs(a).sum(1).max()))) + 4)
    a = a / 2.0 ** halvings
    total, term = np.eye(len(a)), np.eye(len(a))
    for k in range(1, 18):
        term = term @ a / k
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total


def timoshenko(EI, GA, m, J, L, start, end, count):
    """Zeros of the determinant of the end's conditions: w' = theta + V/GA, theta' = M/EI, M' = -V - J w^2 theta,
    V' = -m w^2 w along the beam."""
    scale = np.array([L, 1, EI / L, EI / L ** 2])

    def determinant(omega):
        a = np.array([[0, 1, 0, 1 / GA], [0, 0, 1 / EI, 0], [0, -J * omega ** 2, 0, -1], [-m * omega ** 2, 0, 0, 0]])
        return np.linalg.det(exponential(a * L * scale / scale[:, None])[np.ix_(ZERO[end], FREE[start])])
    step = 0.25 * np.sqrt(EI / m) / L ** 2
    omega, found = 5 * step, []
    while len(found) < count:
        low, high = omega, omega + step
        if determinant(low) * determinant(high) < 0:
            for _ in range(80):
                middle = (low + high) / 2
                low, high = (low, middle) if determinant(low) * determinant(middle) <= 0 else (middle, high)
            found.append(low / 2 / np.pi)
        omega += step
    return np.array(found)


def tapered(terms):
    """Clamped beam with EI = m = 1 - x/2, by x^2 times Legendre polynomials."""
    x, weight = legendre.leggauss(40)
    x, weight = (x + 1) / 2, weight / 2 * (1 - (x + 1) / 4)
    shape = [Polynomial([0, 0, 1]) * Legendre.basis(k, domain=[0, 1]).convert(kind=Polynomial) for k in range(terms)]
    w, bent = (np.array([f.deriv(k)(x) if k else f(x) for f in shape]) for k in (0, 2))
    square = np.linalg.eigvals(np.linalg.solve(w * weight @ w.T, bent * weight @ bent.T)).real
    return np.sqrt(np.sort(square)[:3])


def beamdyn(clamped, order=8, intervals=10):
    """The ideal beam as OpenFAST's test has it: one finite element of order 8, integrals by the trapezoidal rule."""
    EI, GA, m, J, L = (IDEAL[k] for k in ("EI", "GA", "m", "J", "L"))
    nodes = np.sort(np.concatenate([[-1, 1], legendre.legroots(legendre.legder([0] * order + [1]))]))
    to_power = np.linalg.inv(np.vander(nodes, increasing=True))
    x = np.linspace(-1, 1, intervals + 1)
    weight = np.full(intervals + 1, L / intervals)
    weight[[0, -1]] /= 2
    power = np.vander(x, order + 1, increasing=True)
    slope = np.hstack([0 * power[:, :1], power[:, :-1] * np.arange(1, order + 1)])
    n, b = power @ to_power, slope @ to_power * 2 / L
    shear, bent = np.hstack([b, -n]), np.hstack([0 * b, b])
    zero = np.zeros((order + 1, order + 1))
    k = GA * shear.T @ (weight[:, None] * shear) + EI * bent.T @ (weight[:, None] * bent)
    mass = n.T @ (weight[:, None] * n)
    mass = np.block([[m * mass, zero], [zero, J * mass]])
    keep = [i for i in range(2 * order + 2) if not (clamped and i in (0, order + 1))]
    square = np.linalg.eigvals(np.linalg.solve(mass[np.ix_(keep, keep)], k[np.ix_(keep, keep)])).real
    square = np.sort(square)
    return np.sqrt(np.abs(square[0 if clamped else 2:][:3])) / 2 / np.pi


def show(name, values):
    print(f"{name:44}", *(f"{v:12.9g}" for v in values))


if __name__ == "__main__":
    for name, beam in (("steel bar", STEEL), ("ideal beam", IDEAL)):
        for ends in (("free", "free"), ("clamped", "free"), ("pinned", "pinned")):
            show(f"{name}, {ends[0]} and {ends[1]}, Hz", timoshenko(**beam, start=ends[0], end=ends[1], count=3))
    show("tapered, 12 terms, rad/s", tapered(12))
    show("ideal beam, clamped, as in OpenFAST, Hz", beamdyn(True))
    show("ideal beam, free, as in OpenFAST, Hz", beamdyn(False))
