# SPDX-License-Identifier: Apache-2.0
"""Random numbers, directions and the pieces of a model that stand alone: laws of coordinates, functions of time, sections."""
import math
import random

import numpy as np


def flow(x):
    """A value as YAML in one line."""
    if isinstance(x, dict):
        return "{" + ", ".join(f"{k}: {flow(v)}" for k, v in x.items()) + "}"
    if isinstance(x, (list, tuple)):
        return "[" + ", ".join(flow(v) for v in x) + "]"
    if isinstance(x, np.ndarray):
        return flow(x.tolist())
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, (np.floating, float)):
        return repr(float(x))
    return str(x)


class Numbers:
    """A stream of random numbers that depends on a seed alone."""

    def __init__(self, seed):
        self.r = random.Random(seed)

    def chance(self, share):
        return self.r.random() < share

    def one(self, choices, weights=None):
        return self.r.choices(choices, weights)[0]

    def between(self, a, b):
        return self.r.uniform(a, b)

    def spread(self, a, b):
        """Evenly in the logarithm."""
        return 10 ** self.r.uniform(math.log10(a), math.log10(b))

    def unit(self):
        v = np.array([self.r.gauss(0, 1) for _ in range(3)])
        return v / np.linalg.norm(v)

    def across(self, axis):
        """A unit vector normal to an axis."""
        v = np.cross(axis, self.unit())
        return v / np.linalg.norm(v)

    def axes(self):
        """A right-handed frame, one axis in each column."""
        q, r = np.linalg.qr(np.array([[self.r.gauss(0, 1) for _ in range(3)] for _ in range(3)]))
        q = q * np.sign(np.diag(r))
        if np.linalg.det(q) < 0:
            q[:, 0] *= -1
        return q

    def coupled(self, diagonal, share):
        """A full stiffness about a diagonal, positive definite."""
        n = len(diagonal)
        a = np.array([[self.between(-1, 1) for _ in range(n)] for _ in range(n)])
        a = np.eye(n) + (a + a.T) / np.linalg.norm(a + a.T, 2) * share
        d = np.sqrt(diagonal)
        k = a * np.outer(d, d)
        return (k + k.T) / 2


def law(n, tags, angle, scale=1.0):
    """What acts along a coordinate; empty in a third of all cases."""
    c = {}
    if n.chance(0.35):
        return c
    way = 1.0 if angle else 0.3
    k = n.spread(0.1, 1e5) * scale
    kind = n.r.random()
    if kind < 0.35:
        c["stiffness"] = k
        if n.chance(0.4):
            c["rest"] = n.between(-way, way)
        if n.chance(0.3):
            c["clearance"] = n.between(0.01, 0.3) * way
            tags.add("clearance")
    elif kind < 0.5:
        c["table"] = [[-way, -k * way * n.between(0.5, 3)], [-0.3 * way, -0.1 * k * way], [0.2 * way, 0.05 * k * way],
                      [way, k * way * n.between(0.5, 4)]]
        tags.add("law table")
    if n.chance(0.35):
        c["damping"] = n.spread(1e-3, 1e3) * scale
        tags.add("damper")
    if n.chance(0.3):
        c["friction"] = {"kinetic": n.spread(1e-2, 1e2) * scale}
        tags.add("friction")
        if n.chance(0.5):  # the deflection at which it slides
            c["friction"]["stiffness"] = c["friction"]["kinetic"] / n.spread(1e-4, 1e-1)
    if n.chance(0.35):
        c["limits"] = [-n.between(0.05, 1) * way, n.between(0.05, 1) * way]
        c["limit_stiffness"] = n.spread(1e2, 1e7) * scale
        tags.add("limits")
    if n.chance(0.15):
        c["initial_rate"] = n.between(-5, 5) * way
    return c


def function(n, tags, end, smooth=False):
    """A function of time of the order of one over a run that ends at `end`; smooth: one that leaves 0 at rest, for drives."""
    f = n.spread(0.1, 5)
    kinds = {
        "sine": {"frequency": f, "amplitude": n.between(0.1, 1)},
        "smooth_step": {"to": n.between(-1, 1), "end": end * n.between(0.2, 0.9)},
        "chirp": {"from": f, "to": f * n.between(0.5, 3), "end": end * n.between(0.3, 1)},
        "expression": {"value": f"0.5*(1 - cos({float(f)!r}*t))", "rate": f"{0.5 * f!r}*sin({float(f)!r}*t)"},
        "product": {"of": [{"sine": {"frequency": f}}, {"smooth_step": {"end": 0.5 * end}}]},
    }
    if not smooth:
        kinds.update({
            "constant": {"value": n.between(-1, 1)},
            "triangle": {"peak": n.between(-2, 2), "at": 0.2 * end, "end": 0.5 * end},
            "table": {"time": [0, 0.3 * end, 0.6 * end, end], "value": [0, n.between(-1, 1), n.between(-1, 1), 0]},
            "ramp": {"to": n.between(-1, 1), "end": end * n.between(0.1, 0.9)},
            "sum": {"of": [{"sine": {"frequency": f}}, {"ramp": {"end": 0.5 * end}}]},
        })
    kind = n.one(sorted(kinds))
    tags.add("function " + kind)
    return {kind: kinds[kind]}


def section(n, tags):
    """Stiffness and inertia of a beam, as numbers or from a shape."""
    if n.chance(0.5):
        w = n.spread(0.003, 0.1)
        d = {"E": n.spread(1e6, 3e11), "nu": n.between(0, 0.45), "density": n.spread(500, 9000)}
        thin = {"web": w / 15, "flange": w / 12}
        shape, size = n.one([
            ("rectangle", [w, w * n.between(0.3, 3)]), ("circle", {"diameter": w}), ("tube", {"diameter": w, "thickness": 0.1 * w}),
            ("box", {"width": w, "height": 1.5 * w, "thickness": w / 15}), ("i_beam", {"width": w, "height": 2 * w, **thin}),
            ("channel", {"width": w, "height": 2 * w, **thin}), ("tee", {"width": w, "height": 2 * w, **thin}),
            ("angle", {"width": w, "height": 1.5 * w, "thickness": w / 12}),
            ("profile", [{"points": [[-w, 0], [0, 0], [0, 2 * w]], "thickness": w / 12}])])
        d[shape] = size
        tags.add("shape " + shape)
        if n.chance(0.3):
            d["offset"] = [n.between(-w, w), n.between(-w, w)]
        return d
    axial, r = n.spread(1e3, 1e9), n.spread(0.002, 0.1)
    k = np.array([1, 0.35, 0.35, 0.7 * r ** 2, r ** 2, r ** 2 * n.spread(0.1, 10)]) * axial
    mass = n.spread(0.01, 20)
    j2, j3 = mass * r ** 2, mass * r ** 2 * n.between(0.1, 5)
    d = {"stiffness": n.coupled(k, 0.6) if n.chance(0.6) else k, "mass": mass, "inertia": [j2 + j3, j2, j3]}
    if n.chance(0.3):
        d["centre"] = [n.between(-0.3, 0.3) * r, n.between(-0.3, 0.3) * r]
    return d
