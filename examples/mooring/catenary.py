# SPDX-License-Identifier: Apache-2.0
"""An elastic line in water with a part of it on a flat bottom without friction, in closed form: python3 catenary.py

With the horizontal force H and the vertical force V at the upper end, the weight w in water and the stiffness EA, both per
unstretched length, the length L - V/w lies on the bottom. From the anchor to the upper end it is (Jonkman, NREL/TP-500-41958, 2007)
    x = L - V/w + H/w asinh(V/H) + H L/EA,      z = H/w (sqrt(1 + (V/H)^2) - 1) + V^2/(2 EA w),
two equations for H and V that Newton's method solves.
"""
import math

LENGTH, DIAMETER, MASS, EA = 835.35, 0.0766, 113.35, 753.6e6
RHO, G = 1025.0, 9.81
X, Z = 837.6 - 40.868, 200.0 - 14.0
W = (MASS - RHO * math.pi / 4 * DIAMETER**2) * G


def span(h, v):
    x = LENGTH - v / W + h / W * math.asinh(v / h) + h * LENGTH / EA
    return x, h / W * (math.sqrt(1 + (v / h) ** 2) - 1) + v * v / (2 * EA * W)


def derivative(h, v):
    root = math.sqrt(1 + (v / h) ** 2)
    return ((math.asinh(v / h) - v / h / root) / W + LENGTH / EA, -1 / W + 1 / (W * root),
            (1 / root - 1) / W, v / h / root / W + v / (EA * W))


def solve(x=X, z=Z):
    h, v = 1e6, W * math.hypot(x, z) / 4
    for _ in range(100):
        at = span(h, v)
        a, b, c, d = derivative(h, v)
        r, s = at[0] - x, at[1] - z
        dh, dv = (d * r - b * s) / (a * d - b * c), (a * s - c * r) / (a * d - b * c)
        part = min(1.0, 0.5 * h / abs(dh) if dh else 1.0, 0.5 * v / abs(dv) if dv else 1.0)
        h, v = h - part * dh, v - part * dv
        if abs(dh) + abs(dv) < 1e-12 * (h + v):
            break
    return h, v


def place(s, h, v):
    """Where the unstretched length s from the anchor is, x and z from there."""
    bottom = LENGTH - v / W
    if s <= bottom:
        return s * (1 + h / EA), 0.0
    u = W * (s - bottom)
    return (bottom + h / W * math.asinh(u / h) + h * s / EA,
            h / W * (math.sqrt(1 + (u / h) ** 2) - 1) + u * u / (2 * EA * W))


def main():
    h, v = solve()
    at = span(h, v)
    print(f"weight in water {W:.10g} N/m; residuals {at[0] - X:.1e} m, {at[1] - Z:.1e} m")
    print(f"H {h:.12g} N, V {v:.12g} N, tension at the fairlead {math.hypot(h, v):.12g} N")
    bottom = LENGTH - v / W
    print(f"on the bottom {bottom:.10g} m unstretched, to x = {place(bottom, h, v)[0]:.10g} m from the anchor")
    for part in (0.5, 0.75):
        x, z = place(part * LENGTH, h, v)
        print(f"at {part} of the length: x = {x:.10g} m, height {z:.10g} m")


if __name__ == "__main__":
    main()
