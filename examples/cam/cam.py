# SPDX-License-Identifier: Apache-2.0
"""The mechanism as one equation of motion M(a) a'' + M'(a) a'^2/2 = Q(a, a') of the angle a of the driver, integrated by Runge and
Kutta's method of order 4. The angle of the shaft is that of elliptic gears in closed form, tan(b/2) = (1 + e)/(1 - e) tan(a/2).
Prints angles, the slide and its rate, and the force of the cam at 0.5, 1.3 and 2 s."""
import math

J, I, m, k, c, torque, g = 0.02, 0.03, 2.0, 800.0, 0.05, 0.8, 9.81
e, lift = 0.3, 0.02


def shaft(a):
    """Angle b, b' = db/da and b''."""
    b = 2 * math.atan2((1 + e) * math.sin(a / 2), (1 - e) * math.cos(a / 2))
    b += 2 * math.pi * round((a - b) / (2 * math.pi))
    # b' = (1 - e^2)/(1 + e^2 - 2 e cos a)
    n = 1 + e * e - 2 * e * math.cos(a)
    return b, (1 - e * e) / n, -(1 - e * e) * 2 * e * math.sin(a) / n**2


def motion(a, w):
    """The acceleration of a, the slide s, its rate and its acceleration."""
    b, b1, b2 = shaft(a)
    s, s1, s2 = lift * (1 - math.cos(b)), lift * math.sin(b) * b1, lift * (math.cos(b) * b1**2 + math.sin(b) * b2)
    mass, slope = J + I * b1**2 + m * s1**2, 2 * (I * b1 * b2 + m * s1 * s2)
    acceleration = (torque - c * w - (k * s + m * g) * s1 - slope * w * w / 2) / mass
    return acceleration, s, s1 * w, s2 * w * w + s1 * acceleration


def integrate(end, steps, a=0.0, w=5.0):
    h = end / steps
    for _ in range(steps):
        k1 = w, motion(a, w)[0]
        k2 = w + h / 2 * k1[1], motion(a + h / 2 * k1[0], w + h / 2 * k1[1])[0]
        k3 = w + h / 2 * k2[1], motion(a + h / 2 * k2[0], w + h / 2 * k2[1])[0]
        k4 = w + h * k3[1], motion(a + h * k3[0], w + h * k3[1])[0]
        a, w = (x + h / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip((a, w), k1, k2, k3, k4))
    return a, w


if __name__ == "__main__":
    for end in (0.5, 1.3, 2.0):
        a, w = integrate(end, int(end * 20000))
        _, s, rate, acceleration = motion(a, w)
        print(f"t = {end:g} s: driver {a:.10g} rad, {w:.10g} rad/s; shaft {shaft(a)[0]:.10g} rad; rod {s:.10g} m, {rate:.10g} m/s; "
              f"cam {m * (acceleration + g) + k * s:.10g} N")
