# SPDX-License-Identifier: Apache-2.0
"""Judges a run by its ledger: python3 steps.py RESULTS prints `good`, or what is wrong, and on standard error what was measured."""
import sys

import h5py
import numpy as np


def main():
    with h5py.File(sys.argv[1]) as f:
        c = {name: np.asarray(f["history/ledger"][name]) for name in f["history/ledger"]}
        probes = f.get("history/probes", {})
        hinge = None
        if "bob" in probes:
            x = np.asarray(probes["bob/position"])
            hinge = np.abs(np.asarray(probes["hinge/angle"]).ravel() + np.arctan2(x[:, 2], x[:, 0])).max()
    size = c["exchanged"][-1]
    energy = c["kinetic"] + c["strain"] + c["potential"] + c.get("scheme_energy", 0)
    left = np.diff(energy - c["work"] + c["damping"] + c["dissipated"] + c["joints"])
    found = {
        "gap of a joint or a strain that is held": (c["constraint"].max(), 1e-10),
        "account left open": (np.abs(c["residual"]).max() / size, 1e-10),
        "column residual beside the balance of the other columns": (np.abs(left - c["residual"][1:]).max() / size, 1e-10),
    }
    if hinge is not None:
        found["angle of the hinge beside that of the body"] = (hinge, 1e-12)
    wrong = [f"{name}: {value:.1e}, more than {most:.0e}" for name, (value, most) in found.items() if not value <= most]
    print("; ".join(f"{name} {value:.1e}" for name, (value, _) in found.items()), file=sys.stderr)
    print("; ".join(wrong) or "good")


main()
