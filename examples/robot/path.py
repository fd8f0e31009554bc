#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The path of the robot's tip, the angles of its joints and the torques that they need: writes path.csv.

The arm of robot.yaml, with a rigid forearm: a column that turns about z, a shoulder and an elbow about a horizontal axis. The tip is at
    r = L1 cos q2 + L2 cos(q2 + q3),  z = h + L1 sin q2 + L2 sin(q2 + q3),  x = r cos q1,  y = r sin q1.
It goes once around a circle and rests there. The torques follow from d'Alembert's principle: every mass m of the arm at p(q) adds
    m (p'' + g) . dp/dq_j,
where rods are the four masses of Gauss's rule, which gives their integrals exactly. Nothing of Limber is used."""
import csv
import math
import pathlib

L1, L2, H = 0.6, 0.6, 0.5                    # m: upper arm, forearm, height of the shoulder
START = [0.0, math.radians(60), math.radians(-75)]  # q1, q2, q3
G = 9.81
COLUMN = 0.15                                # kg m2: column about its axis
UPPER, SLENDER = 4.0, 0.004                  # kg; kg m2 of the upper arm about its own axis
FOREARM = 2700 * math.pi / 4 * (0.05**2 - 0.044**2) * L2  # kg: aluminium tube
PAYLOAD = 2.0                                # kg
HUB, GEAR = 1.5, 0.05                        # kg at the elbow; kg m2 of its gear, about any axis
RADIUS, MOVE, END, STEP = 0.15, 2.0, 2.5, 5e-3  # m; s: of the motion, of the table, between rows
E1, E2 = (-0.6, 0.0, 0.8), (0.0, 1.0, 0.0)   # the circle lies in their plane
GAUSS = [(0.5 * (1 + s * x), w / 2) for x, w in
         ((0.8611363115940526, 0.3478548451374538), (0.3399810435848563, 0.6521451548625461)) for s in (-1, 1)]


def angle(t):
    """The way around the circle, a polynomial of the fifth degree that starts and ends at rest, with two derivatives."""
    u = min(max(t / MOVE, 0), 1)
    return [2 * math.pi * v for v in (u**3 * (10 - 15 * u + 6 * u * u), 30 * u * u * (1 - u)**2 / MOVE,
                                      60 * u * (1 - u) * (1 - 2 * u) / MOVE**2)]


def position(q):
    r = L1 * math.cos(q[1]) + L2 * math.cos(q[1] + q[2])
    return [r * math.cos(q[0]), r * math.sin(q[0]), H + L1 * math.sin(q[1]) + L2 * math.sin(q[1] + q[2])]


def path(t):
    """Position, velocity and acceleration of the tip."""
    s, v, a = angle(t)
    start = position(START)
    c, n = math.cos(s), math.sin(s)
    return ([start[i] + RADIUS * ((c - 1) * E1[i] + n * E2[i]) for i in range(3)],
            [RADIUS * v * (-n * E1[i] + c * E2[i]) for i in range(3)],
            [RADIUS * (a * (-n * E1[i] + c * E2[i]) - v * v * (c * E1[i] + n * E2[i])) for i in range(3)])


def angles(p):
    """Joint angles of a position of the tip, elbow up."""
    r, z = math.hypot(p[0], p[1]), p[2] - H
    q3 = -math.acos((r * r + z * z - L1 * L1 - L2 * L2) / (2 * L1 * L2))
    return [math.atan2(p[1], p[0]), math.atan2(z, r) - math.atan2(L2 * math.sin(q3), L1 + L2 * math.cos(q3)), q3]


def point(q, a, b):
    """Jacobian of the point that is `a` along the upper arm's direction and `b` along the forearm's, columns for q1, q2, q3; and the
    products of rates of its acceleration as a function of the rates."""
    c1, s1, c2, s2, c3, s3 = math.cos(q[0]), math.sin(q[0]), math.cos(q[1]), math.sin(q[1]), math.cos(q[1] + q[2]), math.sin(q[1] + q[2])
    r, r2, r3 = a * c2 + b * c3, -a * s2 - b * s3, -b * s3
    z2, z3 = a * c2 + b * c3, b * c3
    jacobian = [[-r * s1, r2 * c1, r3 * c1], [r * c1, r2 * s1, r3 * s1], [0, z2, z3]]

    def rest(v):
        w2, w3 = v[1], v[1] + v[2]
        rr = -a * c2 * w2 * w2 - b * c3 * w3 * w3
        zz = -a * s2 * w2 * w2 - b * s3 * w3 * w3
        rv = -a * s2 * w2 - b * s3 * w3
        return [rr * c1 - 2 * rv * s1 * v[0] - r * c1 * v[0]**2, rr * s1 + 2 * rv * c1 * v[0] - r * s1 * v[0]**2, zz]

    return jacobian, rest


def solve(m, b):
    """Three equations, by Cramer's rule."""
    det = lambda m: sum(m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]) for i in range(3))
    d = det(m)
    return [det([[b[i] if j == k else m[i][j] for j in range(3)] for i in range(3)]) / d for k in range(3)]


def torques(q, v, a):
    masses = [(UPPER * w, L1 * x, 0) for x, w in GAUSS] + [(FOREARM * w, L1, L2 * x) for x, w in GAUSS] + [(PAYLOAD, L1, L2), (HUB, L1, 0)]
    s2, c2 = math.sin(q[1]), math.cos(q[1])
    out = [(COLUMN + GEAR) * a[0] + SLENDER * (a[0] * s2 * s2 + 2 * v[0] * v[1] * s2 * c2), GEAR * (a[1] + a[2]) - SLENDER * v[0]**2 * s2 * c2,
           GEAR * (a[1] + a[2])]
    for m, along1, along2 in masses:
        jacobian, rest = point(q, along1, along2)
        extra = rest(v)
        force = [m * (sum(jacobian[i][j] * a[j] for j in range(3)) + extra[i] + (G if i == 2 else 0)) for i in range(3)]
        for j in range(3):
            out[j] += sum(jacobian[i][j] * force[i] for i in range(3))
    return out


def main():
    with open(pathlib.Path(__file__).parent / "path.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["time"] + [n + str(i) for n in ("p", "q", "w", "tau") for i in (1, 2, 3)])
        for k in range(round(END / STEP) + 1):
            t = k * STEP
            p, v, a = path(t)
            q = angles(p)
            jacobian, rest = point(q, L1, L2)
            w = solve(jacobian, v)
            rates = solve(jacobian, [x - y for x, y in zip(a, rest(w))])
            row = [*p, *(x - y for x, y in zip(q, START)), *w, *torques(q, w, rates)]
            out.writerow(["%.3f" % t] + ["%.8g" % (round(x, 10) + 0.0) for x in row])


if __name__ == "__main__":
    main()
