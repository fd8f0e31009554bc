# SPDX-License-Identifier: Apache-2.0
"""Many runs of one model: rows as they come, the table as arrays (docs/reading_studies.md), and scripts for clusters
(docs/clusters.md)."""
import ctypes
import json
import os
import signal
import subprocess
import tempfile
import time
import weakref
from ctypes import POINTER, byref, c_double, c_void_p
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Set, Tuple, Union

import numpy

from . import notebook
from .columns import Column, data_frame
from .library import Error, ModelError, library
from .pictures import _environment, _program

if TYPE_CHECKING:
    import pandas  # type: ignore

Path = Union[str, "os.PathLike[str]"]
_KINDS = ("parameter", "outcome", "statistic", "concurrent", "error", "gradient")
_TEXT = 4096


class StudyRow:
    """One run of a study. row["tip.z max"], row["let.wind"] are its numbers."""

    __slots__ = ("run", "status", "cause", "_values")

    def __init__(self, run: int, status: str, cause: str, values: Dict[str, float]):
        self.run, self.status, self.cause, self._values = run, status, cause, values

    def __getitem__(self, name: str) -> float:
        if name not in self._values:
            raise KeyError(f"there is no column '{name}'; there are {', '.join(self._values)}")
        return self._values[name]

    def __repr__(self) -> str:
        return f"StudyRow(run={self.run}, status={self.status!r})"

    @property
    def finished(self) -> bool:
        """Whether the run reached its end."""
        return self.status == "finished"

    def values(self) -> Dict[str, float]:
        """All numbers by the names of their columns."""
        return dict(self._values)


def _close(handle):
    if not library.forked:
        library.LimberStudyClose(byref(handle))


class StudyTable:
    """The table that `limber study` writes: table["tip.z max"] is an array with a number for each run, in the order of the runs.

    Columns are read when they are asked for. Of a parameter with words the number of the word is given."""

    def __init__(self, path: Path):
        self._table = c_void_p()
        library.LimberStudyOpen(os.fspath(path).encode(), byref(self._table))
        self._closed = weakref.finalize(self, _close, self._table)
        self.path = os.fspath(path)
        self.runs: int = library.limber_study_runs(self._table)
        self.first: int = library.limber_study_first(self._table)
        count = range(library.limber_study_columns(self._table))
        self.columns: Tuple[str, ...] = tuple(library.limber_study_name(self._table, i).decode() for i in count)
        self.units: Dict[str, str] = {self.columns[i]: library.limber_study_units(self._table, i).decode() for i in count}
        self._kind = [_KINDS[library.limber_study_kind(self._table, i)] for i in count]
        self._index = {name: i for i, name in enumerate(self.columns)}

    def __len__(self) -> int:
        return self.runs

    def __repr__(self) -> str:
        return f"StudyTable({self.path!r}, {self.runs} runs)"

    def close(self) -> None:
        """Closes the file."""
        self._closed()

    def _column(self, name: str) -> int:
        if name in self._index:
            return self._index[name]
        near = [c for c in self.columns if c.startswith(name.split(" ")[0].split(".")[0])] or list(self.columns)
        raise KeyError(f"there is no column '{name}'; there are {', '.join(near[:20])}")

    def read(self, name: str, first: int = 0, count: Optional[int] = None) -> Column:
        """`count` rows of a column from row `first` on, for tables that are larger than the memory."""
        column = self._column(name)
        if not self._closed.alive:
            raise Error("the table is closed")
        count = self.runs - first if count is None else count
        values = numpy.empty(max(count, 0))
        library.LimberStudyRead(self._table, column, first, count, values.ctypes.data_as(POINTER(c_double)))
        return Column(values, name, self.units[name])

    def __getitem__(self, name: str) -> Column:
        return self.read(name)

    def to_pandas(self) -> "pandas.DataFrame":
        """All columns as a table of pandas, a row for each run; its `attrs["units"]` has the units."""
        runs = numpy.arange(self.first, self.first + self.runs)
        return data_frame({"run": runs, **{name: self[name] for name in self.columns}}, self.units, "run")

    def _repr_html_(self) -> str:
        title = notebook.show_line(f"{self!r}, {len(self.failed())} of them failed", strong=True)
        return title + notebook.show_columns(self, self.parameters + self.statistics, "the runs")

    @property
    def parameters(self) -> Tuple[str, ...]:
        """Names of the columns of what varies."""
        return tuple(n for n, kind in zip(self.columns, self._kind) if kind == "parameter")

    @property
    def statistics(self) -> Tuple[str, ...]:
        """Names of the columns of statistics of channels."""
        return tuple(n for n, kind in zip(self.columns, self._kind) if kind == "statistic")

    @property
    def gradients(self) -> Tuple[str, ...]:
        """Names of the columns of `gradients` in the plan: quantities, and derivatives such as "d tip.z@end / d let.length"."""
        return tuple(n for n, kind in zip(self.columns, self._kind) if kind == "gradient")

    @property
    def status(self) -> numpy.ndarray:
        """How each run ended, in words: finished, no_convergence, ..."""
        numbers = self["status"].astype(int)
        words = {n: (library.limber_study_status(self._table, n) or b"unknown").decode() for n in numpy.unique(numbers).tolist()}
        return numpy.array([words[n] for n in numbers.tolist()])

    def failed(self) -> numpy.ndarray:
        """Numbers of the runs that did not finish."""
        return numpy.flatnonzero(self["status"]) + self.first

    def cause(self, run: int) -> str:
        """Of a run that failed: the joint or element that is to blame, or a message. Of one without gradients: why."""
        text = ctypes.create_string_buffer(200)
        library.LimberStudyGetCause(self._table, run - self.first, len(text), text)
        return text.value.decode(errors="replace")

    def worst(self, channel: str, n: int = 10) -> numpy.ndarray:
        """Numbers of the n runs with the largest absolute value of a channel, the worst first, of those that finished. A column,
        such as "tip.z mean", is taken as it is."""
        names = [name for name in (f"{channel} max", f"{channel} min") if name in self._index] or [channel]
        size = numpy.max([numpy.abs(self[name]) for name in names], axis=0)
        size[(self["status"] != 0) | numpy.isnan(size)] = -1
        order = numpy.argsort(-size, kind="stable")[:n]
        return order[size[order] >= 0] + self.first

    def changes(self, run: int) -> Dict[str, str]:
        """What the model of a run is changed by: limber.Model(table.model, table.changes(7)) is the model of run 7."""
        out: Dict[str, str] = {}
        text = ctypes.create_string_buffer(_TEXT)
        while True:
            library.LimberStudyGetChange(self._table, run - self.first, len(out), len(text), text)
            if not text.value:
                return out
            path, _, value = text.value.decode().partition("=")
            out[path] = value

    def _text(self, name):
        text = ctypes.create_string_buffer(_TEXT)
        library.LimberStudyGetText(self._table, name.encode(), len(text), text)
        return text.value.decode(errors="replace")

    @property
    def title(self) -> str:
        """The title of the plan."""
        return self._text("title")

    @property
    def model(self) -> str:
        """The path of the model file, from the folder in which the study was started."""
        return self._text("model")

    def rows(self, first: int = 0, count: Optional[int] = None) -> Iterator[StudyRow]:
        """Runs one after the other, without concurrent values of extremes."""
        names = [n for n, kind in zip(self.columns, self._kind) if kind != "concurrent"]
        end = self.runs if count is None else first + count
        for start in range(first, end, 4096):
            size = min(4096, end - start)
            piece = {n: self.read(n, start, size).tolist() for n in names}
            for i in range(size):
                status, run = int(piece["status"][i]), self.first + start + i
                word = (library.limber_study_status(self._table, status) or b"unknown").decode()
                yield StudyRow(run, word, self.cause(run) if status or self.gradients else "", {n: x[i] for n, x in piece.items()})


def _table_path(plan, output):
    """Where `limber study` writes, as its help says."""
    return os.fspath(output) if output is not None else os.path.splitext(os.path.basename(os.fspath(plan)))[0] + ".h5"


def _files(folder):
    """Names of a folder's files with the times of their last change."""
    try:
        return {(entry.name, entry.stat().st_mtime_ns) for entry in os.scandir(folder)}
    except OSError:
        return set()


def _new_blocks(folder, seen) -> List[str]:
    try:
        names = sorted(n for n in os.listdir(folder) if n.endswith(".h5") and n[:-3].isdigit())
    except OSError:
        return []
    return [n for n in names if n not in seen]


def _rows_of_blocks(folder, seen, runs) -> Iterator[StudyRow]:
    """Rows of the blocks that were finished since the last time."""
    for name in _new_blocks(folder, seen):
        try:
            table = StudyTable(os.path.join(folder, name))
            rows = list(table.rows())
            table.close()
        except Error:  # the table was made meanwhile, and has these rows
            return
        seen.add(name)
        for row in rows:
            runs[row.run] = True
            yield row


def _fail(process, said, command="study"):
    words = said.strip().removeprefix(f"limber {command}: ") or f"limber {command} ended with code {process.returncode}"
    raise (ModelError if process.returncode == 2 else Error)(words)


def _words(command, file, output, changes, allow_outside, allow_library) -> List[str]:
    """The command line of what a run and a study have in common."""
    words = [_program(), command, os.fspath(file)]
    words += ["-o", os.fspath(output)] if output is not None else []
    for key, value in (changes or {}).items():
        words += ["--set", f"{key}={value}"]
    words += ["--allow-outside"] if allow_outside else []
    words += ["--allow-library"] if allow_library else []
    return words


def _ended(words) -> "subprocess.CompletedProcess[str]":
    """A command that has ended, with what it printed."""
    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="surrogateescape", env=_environment(), check=False)


def _printed(words) -> str:
    """What a command prints."""
    done = _ended(words)
    if done.returncode:
        _fail(done, done.stderr, words[1])
    return done.stdout


def _answer(command, file, output, changes, allow_outside, *more) -> Dict[str, Any]:
    """What a command answers as JSON."""
    if library.limber_ranks() > 1:
        raise Error(f"{command} starts a process of its own, and cannot be started by several: mpiexec -n 4 limber {command} MODEL")
    return dict(json.loads(_printed([*_words(command, file, output, changes, allow_outside, False), "--json", *more])))


def _script(words) -> str:
    """The script that a command prints."""
    return _printed([*words, "--script", "slurm"])


def study_script(plan: Path, jobs: Optional[int] = None, output: Optional[Path] = None, workers: Optional[int] = None,
                 changes: Optional[Mapping[str, Any]] = None, allow_outside: bool = False, allow_library: bool = False) -> str:
    """A script that does a study on a cluster with Slurm, as `limber study --script slurm` prints it (docs/clusters.md). Write it to
    a file and submit it with `bash FILE`.

    jobs: default 100, at most one per block. workers: processes per job; default: 1. The other arguments are those of `study`.

    Raises ModelError where the plan or the model is wrong."""
    words = _words("study", plan, output, changes, allow_outside, allow_library)
    words += ["--jobs", str(jobs)] if jobs is not None else []
    words += ["--workers", str(workers)] if workers is not None else []
    return _script(words)


def run_script(model: Path, ranks: int = 1, output: Optional[Path] = None, changes: Optional[Mapping[str, Any]] = None,
               checkpoint: Optional[str] = None, allow_outside: bool = False, allow_library: bool = False) -> str:
    """A script that runs a model file on a cluster with Slurm, as `limber run --script slurm` prints it (docs/clusters.md). Write it
    to a file and submit it with `sbatch FILE`.

    ranks: MPI processes. output: the results; default: the name of the model with .h5. checkpoint: wall time between two
    checkpoints, "60s". changes: other values of fields.

    Raises ModelError where the model is wrong."""
    words = _words("run", model, output, changes, allow_outside, allow_library) + ["--ranks", str(ranks)]
    words += ["--checkpoint", checkpoint] if checkpoint is not None else []
    return _script(words)


class _Done:
    """Which runs were given already, a bit each."""

    def __init__(self):
        self._bits = bytearray()

    def __setitem__(self, run, _):
        if run >= 8 * len(self._bits):
            self._bits.extend(bytes(run // 8 + 1))
        self._bits[run // 8] |= 1 << run % 8

    def __contains__(self, run):
        return run < 8 * len(self._bits) and bool(self._bits[run // 8] >> run % 8 & 1)


def study(plan: Path, output: Optional[Path] = None, workers: Optional[int] = None, changes: Optional[Mapping[str, Any]] = None,
          force: bool = False, allow_outside: bool = False, allow_library: bool = False) -> Iterator[StudyRow]:
    """Does the runs of a plan as `limber study` does and yields their rows as blocks of them are finished, in no certain order.

    output: the table; default: the name of the plan with .h5, in this folder. workers: processes; default: as many as there are
    cores. changes: other values of fields for all runs. A study that was interrupted or killed goes on where it was: rows that are
    there already come first. Closing the generator interrupts the study. When it ends, StudyTable(output) has all rows in order.

    Raises ModelError where the plan or the model is wrong, Error where the study stopped."""
    if library.limber_ranks() > 1:
        raise Error("a study starts processes of its own, and cannot be started by several: mpiexec -n 4 limber study PLAN")
    path = _table_path(plan, output)
    words = _words("study", plan, path, changes, allow_outside, allow_library) + ["--quiet", "--readable-blocks"]
    words += ["--workers", str(workers)] if workers is not None else []
    words += ["--force"] if force else []
    seen: Set[str] = set()
    folder, done = os.path.splitext(path)[0] + ".blocks", _Done()
    before, going = _files(folder), False
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, env=_environment())
        try:
            while process.poll() is None:
                time.sleep(0.1)
                # blocks may be those of another study: the command has looked at them when it writes there itself
                going = going or bool(_files(folder) - before)
                if going and process.poll() is None:
                    yield from _rows_of_blocks(folder, seen, done)
            if process.returncode:
                said.seek(0)
                _fail(process, said.read())
            table = StudyTable(path)
            for row in table.rows():
                if row.run not in done:
                    yield row
            table.close()
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                process.wait()
