# SPDX-License-Identifier: Apache-2.0
"""How Newton's method converges in a run: a record of each of its corrections."""
import math
from typing import Callable, NamedTuple, Optional, Union

from .interface import LimberMonitor
from .library import library


class Iteration(NamedTuple):
    """One correction of Newton's method."""
    step: int             # the number of the step, from 1
    time: float           # s: end of the step that is tried; of a static analysis the load factor
    iteration: int        # corrections of this attempt so far, from 1
    new_tangent: bool     # False: the tangent of the correction before serves once more
    residual: float       # J: force times correction, summed over all equations; nan: the tangent is singular
    accepted: float       # J: at a residual below it Newton may stop; 0: the correction alone decides
    correction: float     # the largest one: displacement as a part of the model's size, or rotation in rad
    residual_at: str      # the node or joint with most of the residual
    correction_at: str    # the node or joint with the largest correction


class Table:
    """Prints each correction as a row, as `limber run --monitor` does."""

    def __init__(self):
        self._rows = 0

    def __call__(self, i: Iteration) -> None:
        if library.limber_rank() > 0:
            return
        if not self._rows:
            print(f"  step   time or load factor  iteration  tangent  residual (J)  accepted (J)  {'residual at':26}  correction  correction at")
        self._rows += 1
        start, accepted = f"{i.step:6}  {i.time:20.12g}  {i.iteration:9}  ", f"{i.accepted:.1e}" if i.accepted > 0 else "-"
        if math.isnan(i.correction):
            print(start + "singular")
        else:
            print(start + f"{'new' if i.new_tangent else 'same':7}  {i.residual:12.1e}  {accepted:>12}  {i.residual_at:26}  "
                  f"{i.correction:10.1e}  {i.correction_at}")


class Monitor:
    """Passes the corrections of a run to a function, and keeps the first exception that it raises."""

    def __init__(self, run, function: Union[bool, Callable[[Iteration], object]]):
        if function is not True and not callable(function):
            raise TypeError(f"the monitor is {function!r}, and neither True nor a function")
        self._function: Callable[[Iteration], object] = Table()
        if not isinstance(function, bool):
            self._function = function
        self._error: Optional[BaseException] = None
        self._call = LimberMonitor(self._report)  # the library keeps its address
        library.LimberRunSetMonitor(run, self._call, None)

    def _report(self, structure, data):
        values = structure.contents
        try:
            self._function(Iteration(values.step, values.time, values.iteration, values.new_tangent, values.residual, values.accepted,
                                     values.correction, values.residual_at.name.decode(), values.correction_at.name.decode()))
        except BaseException as error:  # it cannot pass through the library
            self._error = self._error or error

    def check(self) -> None:
        """Raises what the function raised."""
        error, self._error = self._error, None
        if error:
            raise error
