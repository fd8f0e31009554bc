# SPDX-License-Identifier: Apache-2.0
"""Results files of runs and of analyses, as arrays (docs/results.md).

    results = limber.Results("run.h5")
    results["tip.x"], results.now("tip.x")"""
import math
import os
import weakref
from ctypes import POINTER, byref, c_double, c_void_p
from typing import Optional, Union

import numpy

from . import notebook
from .columns import Columns, History
from .library import library


class Results(History):
    """The history of a results file, also of one that a run is still writing: the rows are those that it had when it was opened."""

    def __init__(self, path: Union[str, "os.PathLike[str]"]):
        self.path, self._history = os.fspath(path), c_void_p()
        library.LimberHistoryOpen(os.fsencode(path), byref(self._history))
        weakref.finalize(self, library.destroy, "LimberHistoryClose", self._history)
        self._rows: int = library.limber_history_rows(self._history)
        count = range(library.limber_history_columns(self._history))
        self._columns = Columns([library.limber_history_name(self._history, i).decode() for i in count],
                                [library.limber_history_units(self._history, i).decode() for i in count])

    def __len__(self) -> int:
        """Rows."""
        return self._rows

    def __repr__(self) -> str:
        return f"Results({self.path!r}): {self._extent()}"

    def _read(self, i: int) -> numpy.ndarray:
        values = numpy.empty(self._rows)
        library.LimberHistoryRead(self._history, i, 0, self._rows, values.ctypes.data_as(POINTER(c_double)))
        return values

    def _error(self, i: int, of: str = "history") -> Optional[float]:
        error = library.limber_history_error(self._history, i, of.encode())
        return None if math.isnan(error) else error

    def error(self, name: str, of: str = "history") -> Optional[float]:
        """The error bar of a column, if `limber run` chose the step: of all its values, or of the value at its "end", its "min", "max",
        "mean" or "rms". None: there is none."""
        if of not in ("history", "end", "min", "max", "mean", "rms"):
            raise ValueError(f"there is no error of '{of}'; there are history, end, min, max, mean, rms")
        return self._error(self._columns.find(name), of)

    @property
    def history(self) -> numpy.ndarray:
        """All columns, rows in time: numbers in the order of `columns`. They are read from the file each time."""
        return numpy.column_stack([self._read(i) for i in range(len(self.columns))])

    def _repr_html_(self) -> str:
        return notebook.show_history(self, notebook.try_to(notebook.show_motion, self.path))
