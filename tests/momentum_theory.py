# SPDX-License-Identifier: Apache-2.0
"""Blade-element momentum theory for one section of a rotor, by Ning's one equation in the form in which he writes it,
solved by bisection: Wind Energy 17 (2014) 1327-1345. Nothing of Limber is used."""
import math


def cubic(table, angle):
    """Coefficients between the rows of a polar, by cubics with the slope of the parabola through three rows at each row, but for drag
    no steeper than that it stays positive."""
    def slope(i, k):
        at = [j for j in (i - 1, i, i + 1) if 0 <= j < len(table)]
        x, y = [table[j][0] for j in at], [table[j][k] for j in at]
        if len(at) == 2:
            return (y[1] - y[0]) / (x[1] - x[0])
        left, right = (y[1] - y[0]) / (x[1] - x[0]), (y[2] - y[1]) / (x[2] - x[1])
        middle = (left * (x[2] - x[1]) + right * (x[1] - x[0])) / (x[2] - x[0])
        return middle if k == 1 else min(max(middle, -3 * y[1] / (x[2] - x[1])), 3 * y[1] / (x[1] - x[0]))
    i = max(j for j in range(len(table) - 1) if j == 0 or table[j][0] <= angle)
    width = table[i + 1][0] - table[i][0]
    t = (angle - table[i][0]) / width
    return [(2 * t**3 - 3 * t**2 + 1) * table[i][k] + (3 * t**2 - 2 * t**3) * table[i + 1][k] + width *
            ((t**3 - 2 * t**2 + t) * slope(i, k) + (t**3 - t**2) * slope(i + 1, k)) for k in (1, 2)]


def state(phi, force, theta, solidity, blades, r, tip, hub):
    """C_n, C_t, a and a' at an angle of inflow."""
    s, c = math.sin(phi), math.cos(phi)
    lift, drag = force(phi - theta)
    normal, tangential = lift * c + drag * s, lift * s - drag * c
    loss = 2 / math.pi * math.acos(math.exp(-blades / 2 * (tip - r) / (r * s)))
    if hub > 0:
        loss *= 2 / math.pi * math.acos(math.exp(-blades / 2 * (r - hub) / (hub * s)))
    k, k_t = solidity * normal / (4 * loss * s * s), solidity * tangential / (4 * loss * s * c)
    if k <= 2 / 3:
        a = k / (1 + k)
    else:
        g1, g2, g3 = 2 * loss * k - (10 / 9 - loss), 2 * loss * k - loss * (4 / 3 - loss), 2 * loss * k - (25 / 9 - 2 * loss)
        a = (g1 - math.sqrt(g2)) / g3
    return normal, tangential, a, k_t / (1 - k_t)


def section(force, through, along, chord, theta, blades, r, tip, hub):
    """phi, a, a' of a section with the angle theta of its chord to the plane of rotation."""
    def residual(phi):
        _, _, a, b = state(phi, force, theta, blades * chord / (2 * math.pi * r), blades, r, tip, hub)
        return math.sin(phi) / (1 - a) - through / along * math.cos(phi) / (1 + b)
    low, high = 1e-6, math.pi / 2 - 1e-9
    assert residual(low) < 0 < residual(high)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if residual(middle) < 0 else (low, middle)
    return (low, *state(low, force, theta, blades * chord / (2 * math.pi * r), blades, r, tip, hub)[2:])
