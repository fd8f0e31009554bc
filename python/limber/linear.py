# SPDX-License-Identifier: Apache-2.0
"""Linear models and transfer functions about the equilibrium of a model (docs/linear_models.md)."""
import os
from ctypes import byref, c_char_p, c_double, c_int, c_void_p
from typing import TYPE_CHECKING, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy

from .library import ModelError, library, set_given
from .modes import read_model

if TYPE_CHECKING:
    from .modes import Source

_STATES, _INPUTS, _OUTPUTS = range(3)


class LinearModel(NamedTuple):
    """x' = A x + B u, y = C x + D u: changes from the operating point, in SI units."""
    A: numpy.ndarray
    B: numpy.ndarray
    C: numpy.ndarray
    D: numpy.ndarray
    states: Tuple[str, ...]
    inputs: Tuple[str, ...]
    outputs: Tuple[str, ...]
    units: Mapping[str, str]  # of all names
    input_at: numpy.ndarray   # at the operating point
    output_at: numpy.ndarray
    remarks: str

    def transfer(self, frequencies: Union[float, Sequence[float], numpy.ndarray]) -> numpy.ndarray:
        """C (s - A)^-1 B + D at s = 2 pi i f, for each frequency in Hz: frequencies x outputs x inputs."""
        n = len(self.A)
        return numpy.array([self.C @ numpy.linalg.solve(2j * numpy.pi * f * numpy.eye(n) - self.A, self.B) + self.D
                            for f in numpy.atleast_1d(frequencies)])


class Response(NamedTuple):
    """Transfer functions: value[f, o, i] is output o over input i at the frequency f."""
    frequencies: numpy.ndarray  # Hz
    value: numpy.ndarray
    inputs: Tuple[str, ...]
    outputs: Tuple[str, ...]
    units: Mapping[str, str]


def _names(words):
    words = [w.encode() for w in ([words] if isinstance(words, str) else words or ())]
    return len(words), (c_char_p * len(words))(*words)


def _fill(options, inputs, outputs):
    """Gives the options names, and returns what must live as long as they do."""
    kept = []
    for names, count, field in ((inputs, "inputs", "input"), (outputs, "outputs", "output")):
        if names is not None:
            number, array = _names(names)
            setattr(options, count, number)
            setattr(options, field, array)
            kept.append(array)
    return kept


def _part(linear, part):
    count = range(library.limber_linear_count(linear, part))
    names = tuple(library.limber_linear_name(linear, part, i).decode() for i in count)
    units = {name: library.limber_linear_units(linear, part, i).decode() for i, name in enumerate(names)}
    return names, units, numpy.array([library.limber_linear_at(linear, part, i) for i in count])


def _matrix(linear, letter):
    rows, columns = c_int(), c_int()
    at = library.limber_linear_matrix(linear, letter.encode(), byref(rows), byref(columns))
    shape = (rows.value, columns.value)
    return numpy.ctypeslib.as_array(at, shape).copy() if at and all(shape) else numpy.zeros(shape)


def _format(path, fmi):
    """The number of a LimberLinearFormat."""
    if path.endswith(".fmu"):
        if fmi not in (2, 3):
            raise ValueError(f"fmi is 2 or 3, not {fmi!r}")
        return fmi
    return int(path.endswith(".mat"))


def linearize(model: "Source", modes: Optional[int] = None, inputs: Union[str, Sequence[str], None] = None,
              outputs: Union[str, Sequence[str], None] = None,
              output: Union[str, "os.PathLike[str]", None] = None, force: bool = False, fmi: int = 3) -> LinearModel:
    """The linear model about the equilibrium of a model: a Model, a file or a dict. Without arguments it is that of the part `linearize` of the model.

    modes: how many of the lowest modes stand for the coordinates; inputs: names of loads and signals; outputs: names of
    probes or of what they record; output: a file to write, HDF5 or, ending in .mat, for MATLAB or, ending in .fmu, an FMU of
    version `fmi`, 2 or 3; force: in place of a file that Limber did not write, too."""
    model = read_model(model)
    options, linear = library.limber_file_linear_options(model._file), c_void_p()
    set_given(options, modes=modes)
    kept = _fill(options, inputs, outputs)  # noqa: F841
    library.LimberLinearCreate(model._file, byref(options), byref(linear))
    try:
        wrong = library.limber_linear_wrong(linear).decode()
        if wrong:
            raise ModelError(wrong)
        parts = [_part(linear, part) for part in (_STATES, _INPUTS, _OUTPUTS)]
        if output is not None:
            path = os.fspath(output)
            library.LimberLinearWrite(linear, os.fsencode(path), _format(path, fmi), force)
        a, b, c, d = (_matrix(linear, letter) for letter in "ABCD")
        states, inputs_named, outputs_named = (names for names, _, _ in parts)
        return LinearModel(a, b, c, d, states, inputs_named, outputs_named,
                           {k: v for _, units, _ in parts for k, v in units.items()}, parts[1][2], parts[2][2],
                           library.limber_linear_remarks(linear).decode())
    finally:
        library.LimberLinearDestroy(byref(linear))


def response(model: "Source", start: Optional[float] = None, end: Optional[float] = None, points: Optional[int] = None,
             spacing: Optional[str] = None, inputs: Union[str, Sequence[str], None] = None,
             outputs: Union[str, Sequence[str], None] = None,
             output: Union[str, "os.PathLike[str]", None] = None, force: bool = False) -> Response:
    """Transfer functions about the equilibrium of a model: a Model, a file or a dict; from `start` to `end` in Hz, `spacing` log or linear. Without
    arguments they are those of the part `response` of the model."""
    model = read_model(model)
    options, handle = library.limber_file_response_options(model._file), c_void_p()
    set_given(options, **{"from": start}, to=end, points=points, spacing=spacing and {"log": 0, "linear": 1}[spacing])
    kept = _fill(options, inputs, outputs)  # noqa: F841
    library.LimberResponseCreate(model._file, byref(options), byref(handle))
    try:
        wrong = library.limber_response_wrong(handle).decode()
        if wrong:
            raise ModelError(wrong)
        return _take(handle, output, force)
    finally:
        library.LimberResponseDestroy(byref(handle))


def _take(handle, output, force):
    count = [c_int() for _ in range(3)]
    library.limber_response_count(handle, *map(byref, count))
    nf, ni, no = (c.value for c in count)
    re, im = c_double(), c_double()
    value = numpy.empty((nf, no, ni), complex)
    for f in range(nf):
        for o in range(no):
            for i in range(ni):
                library.limber_response_value(handle, f, i, o, byref(re), byref(im))
                value[f, o, i] = complex(re.value, im.value)
    inputs, outputs = (tuple(library.limber_response_name(handle, k, i).decode() for i in range(n)) for k, n in ((0, ni), (1, no)))
    units = {name: library.limber_response_units(handle, k, i).decode()
             for k, names in ((0, inputs), (1, outputs)) for i, name in enumerate(names)}
    if output is not None:
        library.LimberResponseWrite(handle, os.fsencode(output), force)
    return Response(numpy.array([library.limber_response_frequency(handle, i) for i in range(nf)]), value, inputs, outputs,
                    units)
