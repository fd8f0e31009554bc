# SPDX-License-Identifier: Apache-2.0
"""Many runs of one model, each with other values: what does not change is read and prepared once.

    pendulum = limber.Repeater("pendulum.yaml")
    for angle in range(10, 90, 10):
        run = pendulum.run(angle=f"{angle} deg")       # another value of a name under `let`
        print(angle, run["P.z"].min())"""
import os
import weakref
from ctypes import byref, c_char_p, c_void_p
from typing import Any, Mapping, Optional, Union

import numpy

from .columns import Columns, History
from .library import library, ModelError, Outcome, read_options, step_error, Uninterrupted


class RepeatedRun(History):
    """What a run of a Repeater recorded: the rows that `limber run` would write."""

    def __init__(self, columns: Columns, history: numpy.ndarray, outcome: Outcome):
        self._columns, self._history, self.outcome = columns, history, outcome

    @property
    def history(self) -> numpy.ndarray:
        """All columns, rows in time: numbers in the order of `columns`."""
        return self._history

    def __repr__(self) -> str:
        return f"RepeatedRun: {self._extent()}"


class Repeater:
    """A model, as limber.Model takes it, of which many runs are made. A run gives the same numbers as
    `limber run` with the same changes, whatever runs came before it."""

    def __init__(self, source: Union[str, "os.PathLike[str]", Mapping[str, Any]], changes: Optional[Mapping[str, Any]] = None, allow_outside: bool = False,
                 allow_library: bool = False):
        from . import _source
        path, text, words = _source(source, changes)
        self._repeater = c_void_p()
        self._columns: Optional[Columns] = None
        library.LimberRepeaterCreate(path, byref(read_options(text, words, allow_outside, allow_library)), byref(self._repeater))
        weakref.finalize(self, library.destroy, "LimberRepeaterDestroy", self._repeater)

    def run(self, changes: Optional[Mapping[str, Any]] = None, **let: Any) -> RepeatedRun:
        """One run from 0 to the end. Keywords are names under `let`: run(mass=2, length="1.2 m"); changes: those of other fields,
        {"run.step": "1 ms"}. Raises ModelError if it cannot start with these values, StepError if a step fails."""
        from . import _source
        words = _source("", {**(changes or {}), **{"let." + name: value for name, value in let.items()}})[2]
        outcome = Outcome()
        with library.lock, Uninterrupted():
            library.LimberRepeaterRun(self._repeater, len(words), (c_char_p * len(words))(*words), byref(outcome))
            problem = library.limber_repeater_problem(self._repeater).decode()
            if problem:
                raise ModelError(problem.rstrip())
            if outcome.reason:
                raise step_error(outcome)
            columns = None if changes else self._columns  # values under `let` change no columns
            if columns is None:
                columns = Columns.of_record(library.limber_repeater_record(self._repeater))
            rows = library.limber_repeater_rows(self._repeater)
            history = numpy.ctypeslib.as_array(library.limber_repeater_history(self._repeater),
                                               (rows, len(columns.names))).copy()
        self._columns = None if changes else columns
        return RepeatedRun(columns, history, outcome)
