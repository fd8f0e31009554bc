# SPDX-License-Identifier: Apache-2.0
"""Kinds of the catalogue that no random mechanism holds: python3 covers.py FILE SEEDS, where FILE is what `limber describe` prints."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mechanism import Mechanism  # noqa: E402

ALIASES = {"hinge", "pin", "slider", "ball", "fixed"}  # other names of joints
BY_PROGRAMS = {"signal"}  # functions that only a program sets
OF_FILES = {"reduced_body"}  # elements that need a mesh in a file of its own
PARTS = ("functions", "elements", "joints", "loads")


def kinds(path):
    """Names under the parts of a model file that have kinds."""
    part, found = None, set()
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line[:1].strip():
                part = line.split()[0]
            elif part in PARTS and line.startswith("  ") and line[2:3].strip():
                found.add(line.split()[0])
    return found - ALIASES - BY_PROGRAMS - OF_FILES


def main():
    made = set()
    for seed in range(int(sys.argv[2])):
        m = Mechanism(seed, 1.0)
        made |= {k for items in (m.elements, m.joints, m.loads) for k, _ in items}
        made |= {t.split()[1] for t in m.tags if t.startswith("function ")}
    print(" ".join(sorted(kinds(sys.argv[1]) - made)))


main()
