# SPDX-License-Identifier: Apache-2.0
"""Where an equilibrium gets unstable, and whether a periodic motion is stable (docs/stability.md)."""
from ctypes import byref, c_double
from typing import TYPE_CHECKING, NamedTuple, Optional, Tuple

import numpy

from .library import analyse, library, set_given
from .modes import read_model

if TYPE_CHECKING:
    from .modes import Source

_KINDS = ("stable", "divergence", "flutter", "coalescence", "unstable")
_VERDICTS = ("stable", "unstable", "undecided")


class Stability(NamedTuple):
    """The first loss of stability over a parameter."""
    kind: str        # stable (none in the range), divergence, flutter, coalescence, unstable (from the start on)
    value: float     # of the parameter, in its unit
    width: float     # error bound of the value
    frequency: float  # Hz
    mode: str        # name of the mode that gets unstable
    direction: str   # what moves most in it
    parameter: numpy.ndarray    # values that were looked at
    eigenvalues: numpy.ndarray  # values x modes, complex, 1/s; each mode is followed from value to value
    remarks: str


class Floquet(NamedTuple):
    """The multipliers of a periodic motion, the largest first."""
    multipliers: numpy.ndarray  # complex
    growth: numpy.ndarray       # 1/s
    largest: Tuple[str, ...]    # the node that moves most in each
    verdict: str    # stable, unstable or undecided
    error: numpy.ndarray  # bounds on the errors of the magnitudes
    closure: float  # what the motion is short of being periodic, over the size of the model


def stability(model: "Source", vary: Optional[str] = None, start: Optional[float] = None, to: Optional[float] = None,
              unit: Optional[str] = None, points: Optional[int] = None, digits: Optional[int] = None,
              modes: Optional[int] = None) -> Stability:
    """Searches for the first loss of stability of a model: a Model, a file or a dict. What is not given is that of the model's part `stability`.

    vary: what is varied, such as "let.P"; start, to: its range; unit: of both; points: values that are looked at first; digits: to
    which the crossing is found; modes: number of the lowest modes to examine."""
    model = read_model(model)
    options = set_given(library.limber_file_stability_options(model._file), vary=vary, **{"from": start}, to=to, unit=unit, points=points,
                        digits=digits, modes=modes)
    found = analyse("LimberStabilityCreate", model._file, options, model)
    try:
        c, pair = library.limber_stability_crossing(found), (c_double * 2)()
        rows = range(library.limber_stability_rows(found))
        eigenvalues = numpy.zeros((len(rows), library.limber_stability_modes(found)), complex)
        for row, mode in numpy.ndindex(*eigenvalues.shape):
            library.limber_stability_eigenvalue(found, row, mode, pair)
            eigenvalues[row, mode] = complex(*pair)
        return Stability(_KINDS[c.kind], c.value, c.width, c.frequency, c.mode.decode(), c.direction.decode(),
                         numpy.array([library.limber_stability_value(found, row) for row in rows]), eigenvalues,
                         library.limber_stability_remarks(found).decode())
    finally:
        library.LimberStabilityDestroy(byref(found))


def floquet(model: "Source", period: Optional[float] = None, steps: Optional[int] = None,
            after: Optional[float] = None, count: Optional[int] = None) -> Floquet:
    """The multipliers of the motion with which a model starts: a Model, a file or a dict. What is not given is that of the model's part `floquet`.

    period: s; steps: of the period; after: s, the time at which the period begins; count: multipliers to find, the largest, 0: all."""
    model = read_model(model)
    options = set_given(library.limber_file_floquet_options(model._file), period=period, steps=steps, after=after,
                        count=count)
    found = analyse("LimberFloquetCreate", model._model, options, model)
    try:
        all_of = [library.limber_floquet_multiplier(found, i) for i in range(library.limber_floquet_count(found))]
        return Floquet(numpy.array([complex(m.real, m.imag) for m in all_of]), numpy.array([m.growth for m in all_of]),
                       tuple(m.largest.decode() for m in all_of), _VERDICTS[library.limber_floquet_verdict(found)],
                       numpy.array([m.error for m in all_of]), library.limber_floquet_closure(found))
    finally:
        library.LimberFloquetDestroy(byref(found))
