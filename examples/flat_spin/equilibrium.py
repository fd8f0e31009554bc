# SPDX-License-Identifier: Apache-2.0
"""The flat spin of flat_spin.yaml without a run in time: the satellite at rest in a frame that turns about its axis of greatest inertia.

The angular momentum J is that of the straight satellite at the start. Each antenna is an elastic rod (Reissner 1972) under its centrifugal
force, integrated from its root by the Runge-Kutta method; forces and moment at the root, the position of the body on its axis and the rate
are found by Newton's method, so that the ends of the antennas are free, the mass centre lies on the axis and the angular momentum is J.
Prints J, the moment of inertia I of the deformed satellite, the rate J/I, the kinetic energy J^2/(2 I) and the strain energy."""
import math

import numpy

MASS, OFFSET, INERTIA = 10.0, 0.25, (0.6, 2.3, 2.7)
SPIN, TILT = 6.0, 0.1
L, RADIUS, DENSITY, E, NU, TIP = 0.8, 2.75e-3, 2000.0, 10e9, 0.3, 0.15

A = math.pi * RADIUS**2
MU, EA, EI = DENSITY * A, E * A, E * A * RADIUS**2 / 4
GA = E / (2 * (1 + NU)) * A * 6 * (1 + NU) / (7 + 6 * NU)
SQUARE = RADIUS**2 / 4  # radius of gyration of the section, squared


def momentum():
    """Angular momentum at the start about the mass centre, as a vector."""
    whip = TIP + MU * L
    end = TIP * L**2 + MU * L**3 / 3                       # of one antenna across its direction, about its root
    reduced = MASS * 4 * whip / (MASS + 4 * whip) * OFFSET**2
    section = MU * L * SQUARE
    first = INERTIA[0] + 4 * (end + section)
    second = INERTIA[1] + 2 * end + 2 * (section + 2 * section) + reduced
    return numpy.array([first * SPIN, second * TILT, 0])


def slopes(y, rate, along):
    """Derivatives along an antenna of: distance x from the axis of rotation in the direction of the body's long axis, distance w along the
    unbent antenna, angle, force in x and w, moment; then of the integrals mass moment, moment of inertia, strain energy. `along`: the antenna
    points along the axis of rotation, otherwise outwards."""
    x, w, angle, fx, fw, moment = y[:6]
    s, c = math.sin(angle), math.cos(angle)
    axial, shear = fx * s + fw * c, fx * c - fw * s
    stretch, slide = 1 + axial / EA, shear / GA
    out = 0 if along else w
    turned = SQUARE * (1 + c * c) if along else SQUARE
    return numpy.array([stretch * s + slide * c, stretch * c - slide * s, moment / EI, -MU * rate**2 * x, -MU * rate**2 * out,
                        axial * slide - shear * stretch, MU * x, MU * (x * x + out * out + turned),
                        (axial**2 / EA + shear**2 / GA + moment**2 / EI) / 2])


def antenna(root, place, rate, along, steps=400):
    """What is left at the free end, and mass moment, moment of inertia and strain energy."""
    y, h = numpy.array([place, 0, 0, *root, 0, 0, 0]), L / steps
    for _ in range(steps):
        a = slopes(y, rate, along)
        b = slopes(y + h / 2 * a, rate, along)
        c = slopes(y + h / 2 * b, rate, along)
        y = y + h / 6 * (a + 2 * b + 2 * c + slopes(y + h * c, rate, along))
    out = 0 if along else y[1]
    left = y[3:6] - [TIP * rate**2 * y[0], TIP * rate**2 * out, 0]
    return left, numpy.array([y[6] + TIP * y[0], y[7] + TIP * (y[0]**2 + out**2), y[8]]), y[:2]


def residual(z, total):
    """z: position of the antennas from the axis, rate, force and moment at the root of the outward and of the parallel antennas."""
    place, rate = z[:2]
    ends, sums, tips = [], numpy.array([MASS * (place - OFFSET), INERTIA[2] + MASS * (place - OFFSET)**2, 0]), []
    for k, along in enumerate((False, True)):
        left, own, tip = antenna(z[2 + 3 * k:5 + 3 * k], place, rate, along)
        ends.extend(left)
        sums = sums + 2 * own
        tips.append(tip)
    return numpy.array([sums[0], sums[1] * rate - total, *ends]), sums, tips


def solve():
    total = numpy.linalg.norm(momentum())
    whip = TIP + MU * L
    z = numpy.array([OFFSET * MASS / (MASS + 4 * whip), total / 3, 0, 0, 0, 0, 0, 0])
    for _ in range(12):
        r = residual(z, total)[0]
        tangent = numpy.array([(residual(z + d, total)[0] - r) / 1e-6 for d in 1e-6 * numpy.eye(len(z))]).T
        z = z - numpy.linalg.solve(tangent, r)
    r, sums, tips = residual(z, total)
    return total, sums[1], z[1], sums[2], tips, z[0], abs(r).max()


if __name__ == "__main__":
    total, inertia, rate, strain, tips, place, left = solve()
    print(f"angular momentum        {total:.12g} N m s")
    print(f"moment of inertia       {inertia:.12g} kg m2")
    print(f"rate                    {rate:.12g} rad/s")
    print(f"kinetic energy          {total**2 / (2 * inertia):.12g} J")
    print(f"strain energy           {strain:.12g} J")
    print(f"energy at the start     {momentum()[0] * SPIN / 2 + momentum()[1] * TILT / 2:.12g} J")
    print(f"tips bent by            {tips[0][0] - place:.9g} m outwards, {tips[1][0] - place:.9g} m along the axis")
    print(f"left                    {left:.1e}")
