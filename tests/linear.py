# SPDX-License-Identifier: Apache-2.0
"""Linear models and transfer functions in results files, for tests."""
from types import SimpleNamespace

import numpy as np

from support import h5


def text(names):
    return [n.decode() for n in names]


def linear_model(path):
    with h5(path) as f:
        g = f["linear_model"]
        out = SimpleNamespace(**{k: g[k][:] for k in "ABCD"})
        for what in ("state", "input", "output"):
            setattr(out, what + "s", text(g[what + "_names"]))
            setattr(out, what + "_units", text(g[what + "_units"]))
        out.input_at, out.output_at = g["input_at"][:, 0], g["output_at"][:, 0]
        out.modes_off, out.stiffness_off = g.attrs.get("mode_difference"), g.attrs["stiffness_difference"]
        return out


def transfer(m, frequencies):
    """C (s - A)^-1 B + D by source: a source's value, rate and acceleration, or integral, are one input."""
    out = {}
    order = {"": 0, "rate": 1, "acceleration": 2, "integral": -1}
    for f in frequencies:
        s = 2j * np.pi * f
        h = m.C @ np.linalg.solve(s * np.eye(len(m.A)) - m.A, m.B) + m.D
        one = {}
        for i, name in enumerate(m.inputs):
            source, _, suffix = name.rpartition(".")
            if suffix not in order or not source:
                source, suffix = name, ""
            one[source] = one.get(source, 0) + s ** order[suffix] * h[:, i]
        for source, row in one.items():
            out.setdefault(source, []).append(row)
    return {k: np.array(v) for k, v in out.items()}


def response(path):
    """Frequencies, and output over input by both names."""
    with h5(path) as f:
        g = f["history"]
        at = {i: {o: g[i][o][:, 2] + 1j * g[i][o][:, 3] for o in g[i]} for i in g if i != "time"}
        return g["time"][:], at
