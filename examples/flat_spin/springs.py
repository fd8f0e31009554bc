# SPDX-License-Identifier: Apache-2.0
"""The satellite of springs.yaml: Newton's and Euler's equations of a rigid body and four masses on springs, integrated by the Runge-Kutta
method of order 4, and its flat spin, the minimum of J^2/(2 I) + strain energy.

    python3 springs.py [STEP [END]]    by default 2 ms and 100 s, which takes half a minute"""
import sys

import numpy

MASS, OFFSET, INERTIA, SPIN, TILT = 10.0, 0.25, numpy.array([0.6, 2.3, 2.7]), 6.0, 0.1
L, S, K, DAMPER, TIP = 0.8, 0.3, 40.0, 3.0, 0.2
ARMS = L * numpy.array([[0, 1, 0], [0, 0, 1], [0, -1, 0], [0, 0, -1]], float)
MINE = numpy.repeat(numpy.arange(4), 4)  # the mass of each spring
FEET = numpy.array([foot for k in range(4) for foot in ([S, 0, 0], [-S, 0, 0], *([[0, 0, S], [0, 0, -S]] if k % 2 == 0 else [[0, S, 0], [0, -S, 0]]))])
REST = numpy.linalg.norm(ARMS[MINE] - FEET, axis=1)
ARM = FEET + [OFFSET, 0, 0]  # feet from the mass centre of the body


def cross(a, b):
    return numpy.stack([a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1], a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
                        a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]], axis=-1)


def matrix(q):
    a, b, c, d = q / numpy.sqrt(q @ q)
    return numpy.array([[1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
                        [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
                        [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)]])


def split(y):
    """Position, velocity and quaternion of the body, its rates in its own axes, positions and velocities of the masses."""
    return y[:3], y[3:6], y[6:10], y[10:13], y[13:25].reshape(4, 3), y[25:].reshape(4, 3)


def rates(y):
    x, v, q, w, p, u = split(y)
    turn = matrix(q)
    arms = ARM @ turn.T
    along = p[MINE] - x - arms
    length = numpy.sqrt((along * along).sum(1))
    along /= length[:, None]
    speed = ((u[MINE] - v - cross(turn @ w, arms)) * along).sum(1)
    force = (K * (length - REST) + DAMPER * speed)[:, None] * along  # on the body
    moment = cross(ARM, force @ turn).sum(0)
    a, b, c, d = q
    spin = numpy.array([-b * w[0] - c * w[1] - d * w[2], a * w[0] + c * w[2] - d * w[1], a * w[1] + d * w[0] - b * w[2], a * w[2] + b * w[1] - c * w[0]])
    return numpy.concatenate([v, force.sum(0) / MASS, spin / 2, (moment - cross(w, INERTIA * w)) / INERTIA, u.ravel(),
                              -force.reshape(4, 4, 3).sum(1).ravel() / TIP])


def start():
    w = numpy.array([SPIN, TILT, 0])
    centre = numpy.array([-OFFSET * MASS / (MASS + 4 * TIP), 0, 0])
    body = numpy.array([-OFFSET, 0, 0])
    return numpy.concatenate([body, cross(w, body - centre), [1, 0, 0, 0], w, ARMS.ravel(), cross(w, ARMS - centre).ravel()])


def energy(y):
    x, v, q, w, p, u = split(y)
    length = numpy.sqrt(((p[MINE] - x - ARM @ matrix(q).T)**2).sum(1))
    return (MASS * v @ v + w @ (INERTIA * w) + TIP * (u * u).sum() + K * ((length - REST)**2).sum()) / 2


def momentum(y):
    x, v, q, w, p, u = split(y)
    return MASS * cross(x, v) + matrix(q) @ (INERTIA * w) + TIP * cross(p, u).sum(0)


def integrate(step, end, times):
    y, seen = start(), {}
    for n in range(round(end / step) + 1):
        if n and round(n * step, 9) in times:
            seen[round(n * step, 9)] = (energy(y), y[10], numpy.linalg.norm(momentum(y)))
        a = rates(y)
        b = rates(y + step / 2 * a)
        c = rates(y + step / 2 * b)
        y = y + step / 6 * (a + 2 * b + 2 * c + rates(y + step * c))
    return seen


def amended(z, total):
    """J^2/(2 I) + strain energy: z has the masses on the arms that turn (their x and y) and on those along the axis (x and z)."""
    x = -TIP * 2 * (z[0] + z[2]) / MASS  # of the mass centre of the body: that of all is at 0
    turning, parallel = numpy.array([z[0], z[1], 0]), numpy.array([z[2], 0, z[3]])
    inertia = INERTIA[2] + MASS * x * x + 2 * TIP * (z[0]**2 + z[1]**2 + z[2]**2)
    stretch = [numpy.linalg.norm(p - ARM[f] - [x, 0, 0]) - REST[f] for p, k in ((turning, 0), (parallel, 1)) for f in range(4 * k, 4 * k + 4)]
    strain = K * sum(s * s for s in stretch)
    return total**2 / (2 * inertia) + strain, inertia, strain


def flat_spin(total):
    z, unit = numpy.array([OFFSET, L, OFFSET, L]), numpy.eye(4)
    for _ in range(20):
        h = 1e-4
        value = lambda d: amended(z + d, total)[0]
        slope = numpy.array([8 * (value(h * e) - value(-h * e)) - value(2 * h * e) + value(-2 * h * e) for e in unit]) / (12 * h)
        curve = numpy.array([[(value(h * (e + f)) - value(h * (e - f)) - value(h * (f - e)) + value(-h * (e + f))) / (4 * h * h) for e in unit] for f in unit])
        z = z - numpy.linalg.solve(curve, slope)
    return z, *amended(z, total)


if __name__ == "__main__":
    step = float(sys.argv[1]) if len(sys.argv) > 1 else 2e-3
    end = float(sys.argv[2]) if len(sys.argv) > 2 else 100.0
    total = numpy.linalg.norm(momentum(start()))
    z, least, inertia, strain = flat_spin(total)
    print(f"angular momentum {total:.12g} N m s, energy at the start {energy(start()):.12g} J")
    print(f"flat spin: inertia {inertia:.12g} kg m2, rate {total / inertia:.12g} rad/s, kinetic {least - strain:.12g} J, strain {strain:.12g} J, masses at {z}")
    for t, (e, w, j) in integrate(step, end, {round(5.0 * k, 9) for k in range(1, 200)}).items():
        print(f"{t:6g} s: energy {e:.9g} J, rate about the long axis {w:.9g} rad/s, angular momentum off by {j / total - 1:.1e}", flush=True)
