#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Flutter of the typical section of section.yaml: Theodorsen's forces with R. T. Jones' approximation of the lag of the
lift, in the two coordinates plunge and pitch. At the speed of flutter a motion exp(i w t) exists: Newton's method finds
the speed and w from the determinant. Divergence has a closed form. Nothing of Limber is used."""
import math

M, S, J = 13.0, -1.2, 1.0                      # mass, moment of the mass before the elastic axis, about it
KH, KA = 12 * 50.0**2, 0.8 * 100.0**2          # springs
CHORD, QUARTER, RHO, SLOPE = 1.0, 0.1, 1.225, 2 * math.pi
PART, RATE = (0.165, 0.335), (0.0455, 0.3)


def determinant(v, s):
    b = CHORD / 2
    lag = 1 - sum(PART) + sum(a * r * v / b / (s + r * v / b) for a, r in zip(PART, RATE))
    lift, mass = 0.5 * RHO * CHORD * v * SLOPE * lag, math.pi * RHO * b**2
    quarter, half, rear = ((1, QUARTER - x) for x in (0, CHORD / 4, CHORD / 2))  # motions of these points along z
    pitch = (0, 1)
    inertia, spring = ((M, S), (S, J)), ((KH, 0), (0, KA))
    z = [[s * s * inertia[i][j] + spring[i][j] - quarter[i] * lift * (v * pitch[j] - s * rear[j])
          - half[i] * mass * s * (v * pitch[j] - s * half[j])
          + pitch[i] * pitch[j] * (mass * b / 2 * v * s + math.pi * RHO * b**4 / 8 * s * s) for j in (0, 1)] for i in (0, 1)]
    return z[0][0] * z[1][1] - z[0][1] * z[1][0]


def flutter(v=85.0, w=75.0):
    for _ in range(50):
        f = determinant(v, 1j * w)
        fv = (determinant(v * (1 + 1e-6), 1j * w) - determinant(v * (1 - 1e-6), 1j * w)) / (2e-6 * v)
        fw = (determinant(v, 1j * w * (1 + 1e-6)) - determinant(v, 1j * w * (1 - 1e-6))) / (2e-6 * w)
        d = fv.real * fw.imag - fw.real * fv.imag
        dv, dw = (fw.real * f.imag - f.real * fw.imag) / d, (f.real * fv.imag - fv.real * f.imag) / d
        v, w = v + dv, w + dw
        if abs(dv) < 1e-13 * v and abs(dw) < 1e-13 * w:
            break
    return v, w


def divergence():
    return math.sqrt(2 * KA / (RHO * CHORD * SLOPE * QUARTER))


if __name__ == "__main__":
    print("flutter at %.9f m/s with %.9f rad/s" % flutter())
    print("divergence at %.9f m/s" % divergence())
