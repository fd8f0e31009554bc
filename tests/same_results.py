# SPDX-License-Identifier: Apache-2.0
# same_results.py A B [TOLERANCE]: "same" if both results hold the same numbers, to the bit or to a part of the largest of
# each dataset; else what differs. What the solver did is not compared with a tolerance.
import sys

import h5py
import numpy as np

a, b = h5py.File(sys.argv[1]), h5py.File(sys.argv[2])
tolerance = float(sys.argv[3]) if len(sys.argv) > 3 else None
wrong = []


def compare(name, thing):
    if not isinstance(thing, h5py.Dataset):
        return
    if name not in b:
        wrong.append(name + " is missing")
        return
    x, y = thing[()], b[name][()]
    if np.shape(x) != np.shape(y):
        wrong.append("%s has shape %s, not %s" % (name, np.shape(y), np.shape(x)))
    elif tolerance is None or not np.issubdtype(thing.dtype, np.floating):
        if np.asarray(x).tobytes() != np.asarray(y).tobytes() and (tolerance is None or "steps/" not in name):
            wrong.append(name + " differs")
    elif name not in ("history/ledger/residual", "history/ledger/constraint", "history/ledger/joints", "history/ledger/momentum_error",
                      "history/ledger/angular_momentum_error") and np.size(x):
        off = np.abs(x - y).max() / max(np.abs(x).max(), 1e-6)
        if not off <= tolerance:
            wrong.append("%s is off by %.1e" % (name, off))


a.visititems(compare)
print("\n".join(wrong) or "same")
