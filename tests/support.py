# SPDX-License-Identifier: Apache-2.0
"""What the pytest files share: the command, the models, results as h5py files, runs that are stopped."""
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

source = pathlib.Path(os.environ.get("LIMBER_SOURCE") or pathlib.Path(__file__).parent.parent).resolve()
program = os.environ.get("LIMBER") or str(source / "build/dev/bin/limber")
models = source / "tests/models"

os.environ.update(re.findall(r"^(\w+)=(.*)$", (source / "tests/mpi.env").read_text(), re.M))
os.environ["OMPI_MCA_odls_base_sigkill_timeout"] = "6"  # s that mpiexec waits for the other ranks where one has ended with an error
mpiexec = os.environ.get("MPIEXEC", "mpiexec")
os.environ["LIMBER_CACHE"] = "off"  # reductions are made anew, but in their own tests

# Files are read here while a run writes them; the command itself keeps HDF5's defaults.
os.environ["HDF5_USE_FILE_LOCKING"] = "FALSE"
import h5py  # noqa: E402 (after the line above, which it reads)
import numpy as np  # noqa: E402
import pytest  # noqa: E402


def environment(**changes):
    """That of the command, with changes."""
    out = {k: v for k, v in os.environ.items() if k != "HDF5_USE_FILE_LOCKING"}
    out.update({k: str(v) for k, v in changes.items()})
    return out


def sanitizer():
    """What a Python needs in its environment to load a library with sanitizers."""
    with open(program, "rb") as f:
        if b"__asan_init" not in f.read():
            return {}
    libraries = (subprocess.run(["cc", f"-print-file-name=lib{name}.so"], text=True, stdout=subprocess.PIPE, check=True).stdout.strip()
                 for name in ("asan", "ubsan"))
    return {"LD_PRELOAD": " ".join(libraries), "ASAN_OPTIONS": "detect_leaks=0"}


def python(code, *words, **more):
    """What a Python with the module of this build prints. It must not fail."""
    path = pathlib.Path(program).resolve().parent.parent / "python"
    done = subprocess.run([sys.executable, "-B", "-c", code, *map(str, words)], env=environment(PYTHONPATH=path, **sanitizer(), **more), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def with_column(of, to, name, part, size, mean=0):
    """A copy of a run whose probe moves as wanted: mean + size sin(row) in a component of probe/quantity."""
    if of != to:
        shutil.copy(of, to)
    with h5py.File(to, "a") as f:
        data = f["history/probes/" + name]
        data[:, part] = [mean + size * math.sin(k) for k in range(len(data))]


def command(*words, ranks=1):
    if ranks > 1 and os.environ.get("LIMBER_WITHOUT_MPI"):
        pytest.skip("without MPI")
    mpi = [mpiexec, "-n", str(ranks)] if ranks > 1 else []
    return [*mpi, program, *map(str, words)]


class Said:
    """What a command left: its exit code, what it printed, what it complained of (without the last line's end)."""

    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout.rstrip("\n"), done.stderr.rstrip("\n")

    @property
    def lines(self):
        return self.out.split("\n") if self.out else []

    @property
    def complaints(self):
        return self.err.split("\n") if self.err else []


def limber(*words, ranks=1, cwd=None, **env):
    """What a command says. Where the leak sanitizer itself ends by a signal, with the text below and before it has looked,
    the command is asked again without it."""
    def ask(**more):
        return Said(subprocess.run(command(*words, ranks=ranks), cwd=cwd, env=environment(**env, **more), text=True, errors="replace",
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    said = ask()
    if "LeakSanitizer has encountered a fatal error" in said.err:
        said = ask(ASAN_OPTIONS="detect_leaks=0")
    return said


def run(model, results, *words, **options):
    """A quiet run that must reach its end."""
    said = limber("run", model, "-q", "-o", results, *words, **options)
    assert said.code == 0, said.err
    return said


def columns_of(results):
    """All columns of the history, by their names."""
    out = {}
    with h5(results) as f:
        f["history"].visititems(lambda name, item: out.update({name: item[()]} if hasattr(item, "shape") else {}))
    return out


def history_of(text, *changes, name="model", ranks=1):
    """The columns of a run of this text, with what is changed in it."""
    write(f"{name}.yaml", text)
    run(f"{name}.yaml", f"{name}.h5", *settings(*changes), ranks=ranks)
    return columns_of(f"{name}.h5")


def settings(*values):
    """--set for each."""
    return [w for v in values for w in ("--set", v)]


def count(pattern, text):
    """Lines in which a pattern is found."""
    return sum(bool(re.search(pattern, line)) for line in text.split("\n"))


def h5(path):
    return h5py.File(path, "r")


def column(path, name):
    """A probe's column of results."""
    with h5(path) as f:
        return np.array(f["history/probes/" + name]).ravel()


def times(path):
    """The times of the rows."""
    with h5(path) as f:
        return np.array(f["history/time"]).ravel()


def same_results(a, b, tolerance=None):
    """"same" if both results hold the same numbers, to the bit or to a part of the largest of each dataset; else what differs. What
    the solver did is not compared with a tolerance."""
    def difference(name, x, y):
        exact = tolerance is None or not np.issubdtype(x.dtype, np.floating)
        if x.shape != y.shape:
            return f"{name} has shape {y.shape}, not {x.shape}"
        if exact:
            return f"{name} differs" if x.tobytes() != y.tobytes() and (tolerance is None or "steps/" not in name) else None
        if name in ("history/ledger/residual", "history/ledger/constraint", "history/ledger/joints", "history/ledger/momentum_error",
                    "history/ledger/angular_momentum_error") or not x.size:
            return None
        off = np.abs(x - y).max() / max(np.abs(x).max(), 1e-6)
        return None if off <= tolerance else f"{name} is off by {off:.1e}"

    wrong = []
    with h5(a) as f, h5(b) as g:
        def compare(name, thing):
            if hasattr(thing, "shape"):
                wrong.append(difference(name, np.asarray(thing[()]), np.asarray(g[name][()])) if name in g else f"{name} is missing")
        f.visititems(compare)
    return "\n".join(filter(None, wrong)) or "same"


def same_bytes(a, b):
    return pathlib.Path(a).read_bytes() == pathlib.Path(b).read_bytes()


def write(path, text):
    pathlib.Path(path).write_text(text)
    return path


def edited(path, pattern, replacement, to):
    """A copy of a file in which lines are edited as by sed: every line on its own."""
    text = "\n".join(re.sub(pattern, replacement, line) for line in pathlib.Path(path).read_text().split("\n"))
    return write(to, text)


def needs(*programs):
    """A test that needs other programs is not tried without them."""
    import pytest
    names = {"chromium": ("chromium", "chromium-browser", "google-chrome")}
    for program in programs:
        if not any(map(shutil.which, names.get(program, (program,)))):
            pytest.skip(f"no {program} here")


def left_in(folder):
    """What a command left in a folder for temporary files; Open MPI 5 keeps one of its own there for each user."""
    return [name for name in os.listdir(folder) if not name.startswith("ompi.")]


def tool(name, *words, **options):
    """The lines that a Python script of this folder prints."""
    done = subprocess.run([sys.executable, str(source / "tests" / name), *map(str, words)], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    return done.stdout.rstrip("\n")


def until(found, tries=100, wait=0.2):
    """What `found` gives as soon as it is true; else its last answer. An answer that cannot be had yet is false."""
    answer = False
    for _ in range(tries):
        time.sleep(wait)
        try:
            answer = found()
        except (OSError, KeyError, ValueError, AssertionError, SyntaxError, IndexError, RuntimeError):
            answer = False
        if answer:
            break
    return answer


class Going:
    """A run that goes on beside the test: `with Going("run", ...) as run`. It is killed at the end if it still runs."""

    def __init__(self, *words, ranks=1):
        self.parallel = ranks > 1
        self.process = subprocess.Popen(command(*words, ranks=ranks), env=environment(), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")

    def __enter__(self):
        return self

    def ranks(self):
        """Identities of the processes that run Limber."""
        if not self.parallel:
            return [self.process.pid]
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], stdout=subprocess.PIPE, text=True)
        return [int(word) for word in found.stdout.split()]

    def stop(self, how=signal.SIGINT):
        """Sends a signal, and waits: what the run left. The code of a killed one is that of a shell, 128 + signal.
        Ranks get it themselves: an interrupted mpiexec kills them before a slow one has closed its files."""
        for process in self.ranks():
            os.kill(process, how)
        out, err = self.process.communicate(timeout=120)
        code = self.process.returncode
        return Said(subprocess.CompletedProcess([], code if code >= 0 else 128 - code, out, err))

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
