# SPDX-License-Identifier: Apache-2.0
"""Runs commands in which one allocation fails, and checks how they end: sweep.py [--samples 40] [--seed 1] [--csv FILE] [CASE ...]

Each run must end in one of two ways: with an exit code that is not 0, a message about memory and no results that look complete, or,
where the allocation was not needed, with the same results as an undisturbed run. A run that ends by a signal, that does not end, that
fails without a message or that leaves other results is a fault, and the exit code is then 1."""
import argparse
import collections
import csv
import math
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import numpy

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent))
from support import command, environment, h5, program, source  # noqa: E402

SILENT = "it fails without saying why"
LIMIT = 60  # s that a run may take, which takes 1 s undisturbed

BEAMS = """limber: 1
nodes: {a: [0, 0, 0], b: [1, 0, 0], b2: [1, 0, 0], c: [2, 0, 0]}
sections: {strip: {E: 70 GPa, nu: 0.3, density: 2700, rectangle: [4 mm, 12 mm]}}
elements:
  - beam: {name: first, from: a, to: b, section: strip, up: [0, 1, 0], elements: 3}
  - beam: {name: second, from: b2, to: c, section: strip, up: [0, 1, 0], elements: 3}
joints:
  - clamp: {name: root, node: a}
  - revolute: {name: hinge, nodes: [b, b2], axis: [0, 1, 0], angle: {stiffness: 100}}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
  - force: {name: push, node: c, direction: [0, 0, -1]}
probes: [{name: tip, node: c}, {joint: hinge}]
modes: {count: 4}
run: {scheme: decaying, step: 1 ms, end: 5 ms, snapshots: 2 ms}
"""
HEAP = """limber: 1
nodes:
  a: {at: [0.06, 0.06, 0.049], velocity: [0.1, 0, -1]}
  b: {at: [0.07, 0.07, 0.145], velocity: [0, 0, -1]}
  c: {at: [0.2, 0.07, 0.06], velocity: [0, 0.05, -1]}
elements:
  - rigid_body: {name: a, node: a, mass: 0.5, inertia: [5e-4, 5e-4, 5e-4]}
  - rigid_body: {name: b, node: b, mass: 0.5, inertia: [5e-4, 5e-4, 5e-4]}
  - rigid_body: {name: c, node: c, mass: 0.5, inertia: [5e-4, 5e-4, 5e-4]}
surfaces:
  - sphere: {name: a, node: a, radius: 0.05}
  - sphere: {name: b, node: b, radius: 0.05}
  - sphere: {name: c, node: c, radius: 0.05}
  - plane: {name: floor, normal: [0, 0, 1]}
contacts:
  - contact: {name: c, stiffness: 2e4, restitution: 0.6, friction: 0.4, stick_stiffness: 1e4, stick_damping: 1e-4}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
run: {scheme: preserving, step: 1 ms, end: 20 ms}
"""
PLAN = """limber: 1
study:
  model: pendulum.yaml
  vary: {run.step: {uniform: [2 ms, 4 ms]}}
  design: random
  runs: 4
  seed: 1
  summary:
    - {channel: ledger.kinetic, statistics: [extremes, mean]}
"""
MISTAKES = "limber: 1\nnodes: {a: [0, 0, 0]}\nelement: []\njoints: [{hinge: {nodes: [ground, b]}}]\nrun: {step: 1 s, end: soon}\n"

# The words of a command, and the file that it writes.
CASES = {
    "pendulum": (["run", "pendulum.yaml", "-q", "-o", "out.h5", "--set", "run.end=10 ms"], "out.h5"),
    "beams": (["run", "beams.yaml", "-q", "-o", "out.h5"], "out.h5"),
    "contacts": (["run", "heap.yaml", "-q", "-o", "out.h5"], "out.h5"),
    "statics": (["static", "beams.yaml", "-q", "-o", "out.h5"], "out.h5"),
    "modes": (["modes", "beams.yaml", "-q", "-o", "out.h5"], "out.h5"),
    "checkpoints": (["run", "beams.yaml", "-q", "-o", "out.h5", "--checkpoint", "1e-9 s"], "out.h5"),
    "resumed": (["resume", "out.h5", "-q", "--end", "8 ms"], "out.h5"),
    "study": (["study", "plan.yaml", "-q", "-o", "out.h5", "--workers", "1"], "out.h5"),
    "python": ([], "out.h5"),
    "mistakes": (["run", "mistakes.yaml", "-q", "-o", "out.h5"], "out.h5"),
}

Outcome = collections.namedtuple("Outcome", "code said results")


def build(folder):
    """The library that makes an allocation fail."""
    library = pathlib.Path(folder) / "allocations.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(here / "allocations.c")], check=True)
    return library


def prepare(folder):
    """Models, and what a run left that is to be resumed."""
    shutil.copy(source / "examples/pendulum/pendulum.yaml", folder)
    for name, text in (("beams", BEAMS), ("heap", HEAP), ("plan", PLAN), ("mistakes", MISTAKES)):
        (folder / f"{name}.yaml").write_text(text)
    start = folder / "start"
    start.mkdir()
    subprocess.run(command("run", folder / "beams.yaml", "-q", "-o", "out.h5"), cwd=start, env=environment(), check=True)


def is_complete(path):
    """Whether results look as if a run, or all runs of a study, had reached the end."""
    try:
        with h5(path) as f:
            if "status" in f:
                return not numpy.any(f["status"][()])
            return f.attrs.get("status", b"finished") in (b"finished", "finished")
    except OSError:
        return False


def contents(path):
    """All that a results file contains; what is no such file: its bytes."""
    out = {}

    def add(name, item):
        out.update({(name, key): str(value) for key, value in item.attrs.items()})
        out[name] = str(numpy.asarray(item[()]).tolist()) if hasattr(item, "shape") else None
    try:
        with h5(path) as f:
            out.update({key: str(value) for key, value in f.attrs.items()})
            f.visititems(add)
    except OSError:
        return path.read_bytes()
    return out


class Sweep:
    def __init__(self, folder, library, name, ranks):
        self.folder, self.library, self.name, self.ranks = folder, library, name, ranks
        self.words, self.output = CASES[name]
        self.reference = None

    def run(self, **fault):
        """How the command ends, in an empty folder."""
        work = self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(self.folder / "start", work) if self.name == "resumed" else work.mkdir()
        for model in self.folder.glob("*.yaml"):
            shutil.copy(model, work)
        preload = ["env", f"LD_PRELOAD={self.library}", *(f"LIMBER_FAULT_{k}={v}" for k, v in fault.items())]
        environ = environment(OMPI_MCA_odls_base_sigkill_timeout=1, PETSC_OPTIONS="-limber_failure_wait 2",
                              PYTHONPATH=pathlib.Path(program).parent.parent / "python")
        words = command(*self.words, ranks=self.ranks)
        at = len(words) - len(self.words) - 1  # before the program itself
        if self.name == "python":
            words[at:] = [sys.executable, "-B", str(here / "program.py")]
        try:
            done = subprocess.run([*words[:at], *preload, *words[at:]], cwd=work, env=environ, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT)
            code, said = done.returncode, done.stdout
        except subprocess.TimeoutExpired as error:
            code, said = None, (error.stdout or b"").decode(errors="replace")
        path = work / self.output
        return Outcome(code, said, path if path.exists() else None)

    def count(self):
        """Allocations of each rank; keeps what an undisturbed run leaves."""
        counts = self.folder / "counts"
        counts.unlink(missing_ok=True)
        self.reference = self.run(COUNT=counts)
        self.good = contents(self.reference.results) if self.reference.results else None
        most = collections.Counter()
        for line in counts.read_text().split("\n")[:-1]:
            rank, calls = map(int, line.split())
            most[rank] = max(most[rank], calls)
        return most

    def fault(self, outcome):
        """What is wrong with an outcome; None: nothing."""
        if outcome.code is None:
            return "it does not end"
        if outcome.code < 0 or outcome.code >= 128 or re.search(r"on signal (?!15)|Segmentation|Aborted|stack smashing", outcome.said):
            return "it ends by a signal"
        results = contents(outcome.results) if outcome.results else None
        if outcome.code == 0 or (outcome.code == self.reference.code and "memory" not in outcome.said):
            return None if results == self.good or self.row_tells(outcome) else "it leaves other results and reports success"
        if "memory" not in outcome.said:
            return SILENT
        if outcome.results and self.name != "resumed" and is_complete(outcome.results) and results != self.good and not self.row_tells(outcome):
            return "it leaves results that look complete"
        return None

    def row_tells(self, outcome):
        """Whether a study goes on with its other runs, and the row of the one that failed says why."""
        if self.name != "study" or not outcome.results:
            return False
        shown = subprocess.run(command("study", "plan.yaml", "-o", self.output, "--show", "failed"), cwd=outcome.results.parent,
                               env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return "memory" in shown.stdout

    def samples(self, count, seed):
        """(rank, n, lasts): numbers of allocations over the whole range, half of them in geometric steps."""
        chance = random.Random(f"{self.name} {self.ranks} {seed}")
        calls = self.count()
        out = []
        for i in range(count):
            rank = i % self.ranks
            part = i / max(1, count - 1)
            n = math.ceil(calls[rank] ** part) if i % 4 < 2 else chance.randint(1, max(1, calls[rank]))
            out.append((rank, max(1, n), i % 3 == 2))
        return sorted(set(out))


def sweep(folder, library, name, ranks, samples, seed, report):
    """Faults of a case, each as a text."""
    s = Sweep(folder, library, name, ranks)
    found = []
    for rank, n, lasts in s.samples(samples, seed):
        fault = {"AT": n, "RANK": rank, **({"LASTS": 1} if lasts else {})}
        outcome = s.run(**fault)
        wrong = s.fault(outcome)
        for _ in range(2):  # mpiexec may lose the last line of a process that ends before MPI has started
            if wrong != SILENT or ranks == 1:
                break
            outcome = s.run(**fault)
            wrong = s.fault(outcome)
        report(name, ranks, rank, n, lasts, outcome.code, wrong)
        if wrong:
            found.append(f"{name} on {ranks} ranks, {fault}: {wrong}\n  " + "\n  ".join(outcome.said.split("\n")[-12:]))
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--samples", type=int, default=40)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--ranks", type=int, nargs="*", default=[1, 2])
    options.add_argument("--csv")
    options.add_argument("cases", nargs="*", default=list(CASES))
    given = options.parse_args()
    rows, found = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        library = build(folder)
        prepare(folder)
        for ranks in given.ranks:
            for case in given.cases:
                found += sweep(folder, library, case, ranks, given.samples, given.seed, lambda *row: rows.append(row))
    print("\n".join(found))
    if given.csv:
        with open(given.csv, "w", newline="") as f:
            table = csv.writer(f, lineterminator="\n")
            table.writerow(["case", "ranks", "rank", "allocation", "lasts", "exit_code", "fault"])
            table.writerows(rows)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    ends = collections.Counter("fault" if row[-1] else "error" if row[-2] else "no error" for row in rows)
    print(f"{len(rows)} runs: {dict(ends)}; {used.ru_utime + used.ru_stime:.0f} s of CPU time")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
