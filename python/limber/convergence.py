# SPDX-License-Identifier: Apache-2.0
"""Error bars: a model is run with shorter and shorter steps (docs/error_bars.md)."""
import json
import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .library import Error, library
from .studies import Path, _ended, _fail, _words


class ErrorBar(NamedTuple):
    """A value of the run with the shortest step, and its error. None: there is none."""
    column: str
    units: str
    quantity: str
    value: float
    error: Optional[float]
    relative: Optional[float]
    spread: float
    order: Optional[float]
    verdict: str
    mesh: Optional[float] = None  # error of the mesh of the model file


class Convergence:
    """What `limber converge` finds. c["tip.z", "max"] is an ErrorBar; the quantities are end, min, max, mean, rms and history.

    step: the longest step [s] with all errors within the accuracy, or None. horizon: the time [s] up to which the last two runs
    agree. mesh_error: the largest error of the mesh, over the range of its quantity. runs: a dict for each run, with step, steps, seconds, status and error. bars: all error bars."""

    def __init__(self, found: Dict[str, Any]):
        self.model: str = found["model"]
        self.accuracy: float = found["accuracy"]
        self.order: float = found["order"]
        self.end: float = found["end"]
        self.horizon: float = found["horizon"]
        self.step: Optional[float] = found["step"]
        self.mesh_error: Optional[float] = found["mesh_error"]
        self.runs: List[Dict[str, Any]] = found["runs"]
        self.constant: Tuple[str, ...] = tuple(found["constant"])
        self._bars = {}
        self.bars: List[ErrorBar] = []
        for q in found["quantities"]:
            bar = ErrorBar(*(q[key] for key in ErrorBar._fields))
            self.bars.append(bar)
            self._bars[q["column"], bar.quantity] = self._bars[q["label"], bar.quantity] = bar

    def __getitem__(self, name: Tuple[str, str]) -> ErrorBar:
        if name not in self._bars:
            raise KeyError(f"there is no {name!r}; there are {', '.join(sorted({b.column for b in self.bars}))}, each with end, min, max, "
                           "mean, rms and history")
        return self._bars[name]

    def __repr__(self) -> str:
        return f"Convergence({self.model!r}, {len(self.runs)} runs, step={self.step})"


def converge(model: Path, columns: Sequence[str] = (), accuracy: float = 0.01, runs: Optional[int] = None, workers: Optional[int] = None,
             changes: Optional[Mapping[str, Any]] = None, output: Optional[Path] = None, allow_outside: bool = False,
             allow_library: bool = False, mesh: bool = False) -> Convergence:
    """Runs a model file with its own step, half of it, a quarter, ... as `limber converge` does, until all errors are within the
    accuracy, a part of the range of each quantity.

    columns: of these probes; default: all. runs: at most, default 6. workers: processes; default: as many as there are cores.
    mesh: also with twice and four times the elements of beams and cables. changes: other values of fields. output: a table (CSV) of the histories with their error bars.

    Raises ModelError where the model is wrong, Error where a run fails. A model that does not converge is no error: `step` is None."""
    if library.limber_ranks() > 1:
        raise Error("converge starts processes of its own, and cannot be started by several: mpiexec -n 4 limber converge MODEL")
    words = _words("converge", model, output, changes, allow_outside, allow_library)
    words[3:3] = columns
    words += ["--json", "--accuracy", repr(float(accuracy))]
    words += ["--mesh"] if mesh else []
    words += ["--runs", str(runs)] if runs is not None else []
    words += ["--workers", str(workers)] if workers is not None else []
    done = _ended(words)
    if done.returncode not in (0, 1) or not done.stdout.strip():
        _fail(done, done.stderr, "converge")
    return Convergence(json.loads(done.stdout))
