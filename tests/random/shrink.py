#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a model that fails smaller, as long as it fails in the same way: takes out items and fields, and rounds numbers.

  tests/random/shrink.py MODEL.yaml SMALLER.yaml [--seconds 300]
"""
import argparse
import copy
import os
import sys
import tempfile
import time

import yaml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from judge import judge  # noqa: E402
from mechanism import text  # noqa: E402
from pieces import flow  # noqa: E402

ITEMS = ("loads", "joints", "elements")
NAMED = ("nodes", "sections", "materials")
NEEDED = {"at", "node", "nodes", "name", "axis", "mass", "section", "kind", "second", "second_axis", "stiffness", "pitch", "limit_stiffness", "from", "to", "inertia",
          "centre", "box", "penalty", "table", "material", "mesh", "joint", "coordinate", "direction", "acceleration", "element"}
TOGETHER = {"limits": "limit_stiffness", "enforcement": "penalty"}


class Shrinker:
    def __init__(self, model, limber, cpu, seconds):
        self.limber, self.cpu, self.end = limber, cpu, time.time() + seconds
        self.folder = tempfile.TemporaryDirectory()
        self.kind = self.verdict(model)
        self.model = model

    def verdict(self, model):
        path = os.path.join(self.folder.name, "model.yaml")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text(model))
        return judge(self.limber, path, path[:-5] + ".h5", self.cpu, step=float(model["run"]["step"]))["verdict"]

    def fails(self, model):
        return time.time() < self.end and self.verdict(model) == self.kind

    def take_items(self):
        """Takes out items, and what only they name. True: some went."""
        went = False
        for part in ITEMS:
            i = 0
            while i < len(self.model.get(part) or []):
                less = copy.deepcopy(self.model)
                del less[part][i]
                used = flow([less.get(p) or [] for p in ITEMS])
                for p in NAMED:
                    less[p] = {k: v for k, v in (less.get(p) or {}).items() if k in used}
                if self.fails(less):
                    self.model, went = less, True
                else:
                    i += 1
        return went

    def take_fields(self, fields):
        """Takes fields out of a map of the model, and out of maps in it. True: one went."""
        for key in [k for k in fields if k not in NEEDED]:
            before = dict(fields)
            fields.pop(key)
            fields.pop(TOGETHER.get(key), None)
            if self.fails(self.model):
                return True
            fields.clear()
            fields.update(before)
            if isinstance(before[key], dict) and self.take_fields(before[key]):
                return True
        return False

    def rounded(self, digits, x):
        if isinstance(x, float):
            return float(f"%.{digits}g" % x)
        if isinstance(x, list):
            return [self.rounded(digits, y) for y in x]
        return {k: self.rounded(digits, v) for k, v in x.items()} if isinstance(x, dict) else x

    def shrink(self):
        again = True
        while again and time.time() < self.end:
            again = self.take_items()
            maps = [d for part in ("joints", "elements", "loads") for item in self.model.get(part) or [] for d in item.values()]
            for fields in maps + list((self.model.get("nodes") or {}).values()):
                while self.take_fields(fields):
                    again = True
        for digits in (1, 2, 3, 4, 6):
            less = self.rounded(digits, self.model)
            if self.fails(less):
                self.model = less
                break
        return self.model


def main():
    p = argparse.ArgumentParser(description="Makes a model that fails smaller.")
    p.add_argument("model")
    p.add_argument("smaller")
    p.add_argument("--seconds", type=float, default=300, help="how long to try")
    p.add_argument("--cpu", type=int, default=8, help="seconds of CPU time that a run may take")
    p.add_argument("--limber", default=os.environ.get("LIMBER", "limber"), help="the command")
    a = p.parse_args()
    with open(a.model, encoding="utf-8") as f:
        model = yaml.safe_load(f)
    s = Shrinker(model, a.limber, a.cpu, a.seconds)
    if s.kind in ("good", "refused"):
        sys.exit(f"{a.model} does not fail")
    smaller = text(s.shrink())
    with open(a.smaller, "w", encoding="utf-8") as f:
        f.write(smaller)
    print(f"{s.kind}\n{smaller}", end="")


if __name__ == "__main__":
    main()
