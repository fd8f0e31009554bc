#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Frequencies of the mechanisms in small motion, in rad/s, from their linearised equations. No numpy."""
import math

G = 9.81


def two_rods(l):
    """Angles p, q of the rods: the rods' energies are m l^2/2 (4/3 p'^2 + p' q' + 1/3 q'^2) and m g l/2 (3/2 p^2 + 1/2 q^2), so
    (3/2 - 4/3 x)(1/2 - 1/3 x) = x^2/4 for x = omega^2 l/g."""
    return [math.sqrt((3 + sign * 6 / math.sqrt(7)) * G / l) for sign in (-1, 1)]


def four_bar(A, B, h, rod, plank):
    """One coordinate, the angle of the left rod. Closure a e(p) + b e(f) - a e(q) = d along x, differentiated twice, gives rates and
    accelerations of the plank's angle f and of the other rod's angle q; omega^2 is the second derivative of the potential energy over
    the mass that moves."""
    a, b = math.hypot(A - B, h), 2 * B
    p, f, q = math.atan2(-h, A - B), 0.0, math.atan2(-h, B - A)
    # a p' n(p) + b f' n(f) - a q' n(q) = 0 with p' = 1, n = e turned by 90 degrees
    f1 = a * math.sin(q - p) / (b * math.sin(f - q))
    q1 = math.sin(p - f) / math.sin(q - f)
    # a n(p) p'' + b n(f) f'' - a n(q) q'' = a e(p) + b e(f) f'^2 - a e(q) q'^2 with p'' = 0; along e(q): n(q).e(q) = 0
    right = lambda t: a * math.cos(p - t) + b * f1 ** 2 * math.cos(f - t) - a * q1 ** 2 * math.cos(q - t)
    f2 = right(q) / (b * math.sin(q - f))
    q2 = -right(f) / (a * math.sin(f - q))

    def second(length, angle, rate, acceleration):  # of the height of length e(angle)
        return length * (math.cos(angle) * acceleration - math.sin(angle) * rate ** 2)
    left, right_rod = second(a / 2, p, 1, 0), second(a / 2, q, q1, q2)
    middle = second(a, p, 1, 0) + second(b / 2, f, f1, f2)
    stiffness = G * (rod * (left + right_rod) + plank * middle)
    # velocity of the plank's middle: a n(p) + b/2 f' n(f)
    x = -a * math.sin(p) - b / 2 * f1 * math.sin(f)
    z = a * math.cos(p) + b / 2 * f1 * math.cos(f)
    mass = rod * a ** 2 / 3 * (1 + q1 ** 2) + plank * (x ** 2 + z ** 2) + plank * B ** 2 / 3 * f1 ** 2
    return math.sqrt(stiffness / mass)


def parallelogram(h, rod, plank):
    """The plank moves along a circle without turning."""
    return math.sqrt(G / h * (rod + plank) / (2 / 3 * rod + plank))


if __name__ == "__main__":
    print("double pendulum", *(f"{w:.12g}" for w in two_rods(1)))
    print("four-bar", f"{four_bar(0.5, 0.3, 0.8, 1, 3):.12g}")
    print("four-bar, B nearly A", f"{four_bar(0.5, 0.4999999, 0.8, 1, 3):.9g}", "parallelogram", f"{parallelogram(0.8, 1, 3):.12g}")
