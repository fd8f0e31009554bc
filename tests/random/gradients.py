#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gradients of random mechanisms: forward, adjoint, and differences of whole runs must agree.

  tests/random/gradients.py --count 200 --jobs 2 --csv FILE

Of each mechanism up to three numbers are parameters: masses, stiffnesses, lengths, positions, velocities, loads. Derivatives of the
kinetic energy at the end, of the mean strain energy and of the position of a node after ten steps are found in three ways. They
agree if they differ by at most three times their errors (five times those of the adjoint method), which are estimates from two or
four neighbours, 1e-9 of the derivative, and round-off of the quantity over the parameter. The columns `worst` (of differences of
runs) and `adjoint` are these differences over the errors. `jumps`: a step has several solutions, such as those of a slack cable, and
runs that are 1e-7 of the parameter away take another one; differences of runs show nothing there. A refusal needs a reason. The exit code is 1 where a seed fails. --keep FOLDER keeps models that fail."""
import argparse
import collections
import concurrent.futures
import copy
import csv
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mechanism import Mechanism, text  # noqa: E402
from pieces import Numbers  # noqa: E402

STEPS = [1e-3, 1e-2]
ROWS = 10  # steps of a run
MOST, MOST_ADJOINT = 3, 5  # times the errors
WHOLE = {"elements", "order", "stages", "seed", "count"}  # numbers that are not real
FIELDS = ["seed", "scheme", "step", "verdict", "worst", "adjoint", "adjoint_verdict", "parameters", "tags", "said"]


def scalars(part, path=()):
    """Places of real numbers in a part of a model."""
    items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in items:
        if isinstance(value, bool) or key in WHOLE:
            continue
        if isinstance(value, (int, float)) and value != 0:
            yield (*path, key)
        else:
            yield from scalars(value, (*path, key))


def plain(value):
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return [plain(v) for v in value] if isinstance(value, (list, tuple)) else value


def put(part, path, value):
    for key in path[:-1]:
        part = part[key]
    old, part[path[-1]] = part[path[-1]], value
    return old


def make(seed):
    n = Numbers(f"gradient {seed}")
    step, scheme = STEPS[seed % 2], ["decaying", "preserving"][seed // 2 % 2]
    m = Mechanism(seed, ROWS * step)
    model = plain(m.model({"scheme": scheme, "step": step, "end": ROWS * step, "snapshots": 0}))
    places = [("nodes", *p) for p in scalars(model["nodes"]) if p[1] in ("at", "velocity", "angular_velocity")]
    for part in ("elements", "joints", "loads", "sections", "materials"):
        places += [(part, *p) for p in scalars(model[part] or {}) if p[-2] not in ("nodes", "axis", "axes")]
    let = {}
    for i in range(min(3, len(places))):
        place = places.pop(n.r.randrange(len(places)))
        let[f"p{i}"] = (put(model, place, f"p{i}"), ".".join(map(str, place)))
    node = next(iter(model["nodes"]), None)
    model["probes"] = [{"node": {"name": "probe", "node": node}}] if node else []
    return m, scheme, step, model, let, node


def model_text(model, let, node):
    body = copy.deepcopy(model)
    body.pop("probes")
    out = text(body).splitlines()
    out.insert(1, "let: {" + ", ".join(f"{k}: {v!r}" for k, (v, _) in let.items()) + "}")
    if node:
        out.append(f"probes: [{{name: probe, node: {node}, record: [position]}}]")
    return "\n".join(out) + "\n"


def differentiate(limber, path, of, let, *more):
    words = [limber, "gradient", path, "--json", *more]
    words += [w for q in of for w in ("--of", q)] + [w for p in let for w in ("--wrt", p)]
    try:
        said = subprocess.run(words, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return None, "timeout", ""
    if said.returncode == 1 and said.stderr.strip():
        return None, "refused", said.stderr.strip().splitlines()[0]
    if said.returncode:
        return None, f"code {said.returncode}", said.stderr[-300:].replace("\n", " ")
    return json.loads(said.stdout), "good", ""


def tables(found):
    value = {q["name"]: q["value"] for q in found["quantities"]}
    return {(d["quantity"], d["parameter"]): (value[d["quantity"]], d) for d in found["derivatives"]}


def gap(a, b, allowed, value, parameter):
    """By how much two derivatives differ, over what is allowed. Energies of 1e-28 J are none."""
    allowed += 1e-9 * max(abs(a), abs(b)) + (1e-11 * abs(value) + 1e-28) / max(abs(parameter), 1e-300)
    return abs(a - b) / allowed


def jumps(limber, path, key, let, found):
    """Whether runs with neighbouring values of a parameter are elsewhere than the derivative says, by far."""
    value, d = found
    number = let[key[1].replace("let.", "")][0]
    for part in (-1e-6, -1e-7, 1e-7, 1e-6):
        near, _, _ = differentiate(limber, path, [key[0]], [key[1]], "--set", f"{key[1]}={number * (1 + part)!r}")
        moved = near["quantities"][0]["value"] - value if near else math.nan
        if not abs(moved - part * number * d["value"]) <= 10 * abs(part * number * d["value"]) + 1e-8 * abs(value):
            return True
    return False


def one(task):
    seed, limber, folder, keep = task
    m, scheme, step, model, let, node = make(seed)
    path = os.path.join(folder, f"g{seed}.yaml")
    with open(path, "w", encoding="utf-8") as f:
        f.write(model_text(model, let, node))
    of = ["ledger.kinetic@end", "mean(ledger.strain)"] + (["probe.x@end"] if node else [])
    row = {"seed": seed, "scheme": scheme, "step": step, "tags": " ".join(sorted(t.replace(" ", "_") for t in m.tags)),
           "parameters": " ".join(p for _, p in let.values())}
    found, row["verdict"], row["said"] = differentiate(limber, path, of, let, "--check")
    if found:
        forward = tables(found)
        gaps = {k: gap(d["value"], d["check"], d["error"] + 2 * d["check_error"], v, let[k[1].replace("let.", "")][0]) for k, (v, d) in forward.items()}
        worst = max(gaps, key=lambda k: gaps[k] if math.isfinite(gaps[k]) else math.inf)
        row["worst"] = f"{gaps[worst]:.2g}"
        if not gaps[worst] <= MOST:
            away = jumps(limber, path, worst, let, forward[worst])
            row["verdict"], row["said"] = "jumps" if away else "differs", f"{worst} {forward[worst][1]}"
        found, row["adjoint_verdict"], said = differentiate(limber, path, of, let, "--method", "adjoint")
        if found:
            gaps = {k: gap(d["value"], forward[k][1]["value"], d["error"] + forward[k][1]["error"], v, let[k[1].replace("let.", "")][0])
                    for k, (v, d) in tables(found).items()}
            worst = max(gaps, key=lambda k: gaps[k] if math.isfinite(gaps[k]) else math.inf)
            row["adjoint"] = f"{gaps[worst]:.2g}"
            if not gaps[worst] <= MOST_ADJOINT:
                row["adjoint_verdict"] = "differs"
                row["said"] += f" adjoint {worst} {tables(found)[worst][1]} forward {forward[worst][1]}"
        else:
            row["said"] = row["said"] or said
    bad = row["verdict"] not in ("good", "jumps", "refused") or row.get("adjoint_verdict", "good") not in ("good", "refused")
    if keep and bad:
        shutil.copy(path, keep)
    os.remove(path)
    return row, bad


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--count", type=int, default=50)
    words.add_argument("--first", type=int, default=0)
    words.add_argument("--seeds", help="in place of a count: 1,2,3")
    words.add_argument("--jobs", type=int, default=1)
    words.add_argument("--csv")
    words.add_argument("--keep")
    words.add_argument("--limber", default=os.environ.get("LIMBER", "limber"))
    given = words.parse_args()
    if given.keep:
        os.makedirs(given.keep, exist_ok=True)
    count, bad_count = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        rows = []
        seeds = map(int, given.seeds.split(",")) if given.seeds else range(given.first, given.first + given.count)
        tasks = [(s, given.limber, folder, given.keep) for s in seeds]
        for row, bad in pool.map(one, tasks):
            rows.append(row)
            bad_count += bad
            count["forward " + row["verdict"]] += 1
            if "adjoint_verdict" in row:
                count["adjoint " + row["adjoint_verdict"]] += 1
            if bad:
                print(row, flush=True)
    for name, n in sorted(count.items()):
        print(f"{n:5d} {name}")
    if given.csv:
        with open(given.csv, "w", newline="", encoding="utf-8") as f:
            table = csv.DictWriter(f, FIELDS, lineterminator="\n")
            table.writeheader()
            table.writerows(rows)
    return 1 if bad_count else 0


if __name__ == "__main__":
    sys.exit(main())
