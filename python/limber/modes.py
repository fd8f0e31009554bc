# SPDX-License-Identifier: Apache-2.0
"""Modes of small motions about the equilibrium, and modes followed over a parameter.

    m = limber.modes("blade.yaml")
    m[0].frequency, m[0].damping, m[0].name
    m.shape(0, "blade.end")          # displacement and rotation, complex
    c = limber.campbell("rotor.yaml")
    c.value, c.frequency, c.crossings"""
import os
import weakref
from ctypes import byref, c_double
from typing import TYPE_CHECKING, Any, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy

from . import notebook
from .columns import data_frame
from .interface import LimberMode, LimberModesOptions
from .library import analyse, library, set_given

if TYPE_CHECKING:
    import pandas  # type: ignore
    from . import Model
    Source = Union[Model, str, os.PathLike[str], Mapping[str, Any]]


class Mode(NamedTuple):
    """A mode of small motions."""
    frequency: float          # Hz
    damping: float            # ratio
    eigenvalue: complex       # 1/s
    name: str
    effective: numpy.ndarray  # shares of the mass along and about the ground's axes
    whirl: float              # in the rotating frame
    residual: float           # relative
    error: complex            # bounds of the errors of the real and imaginary part; a real part within its bound is 0
    rotor_frequency: float    # Hz, in the frame of a rotor on a support


class Crossing(NamedTuple):
    """Where a mode crosses a multiple of the speed."""
    mode: int         # from 0
    multiple: float
    value: float      # of the parameter
    rate: float       # rad/s
    frequency: float  # Hz


def read_model(source: Any, changes: Optional[Mapping[str, Any]] = None) -> "Model":
    """A Model as it is, or the one of a file or a dict."""
    from . import Model
    return source if isinstance(source, Model) and not changes else Model(source, changes)


def _numbers(count):
    return (c_double * count)()


class Modes(List[Mode]):
    """Modes of a model, in the order of their frequencies, as a list. `rigid` motions have no stiffness and are not in it."""

    def __init__(self, model: "Model", options: LimberModesOptions):
        super().__init__()
        self.model, self._modes = model, analyse("LimberModesCreate", model._model, options, model)
        weakref.finalize(self, library.destroy, "LimberModesDestroy", self._modes)
        self.rigid: int = library.limber_modes_rigid(self._modes)
        self.remarks: List[str] = library.limber_modes_remarks(self._modes).decode().split("\n")[:-1]
        for i in range(library.limber_modes_count(self._modes)):
            m = LimberMode()
            library.LimberModesGet(self._modes, i, byref(m))
            self.append(Mode(m.frequency, m.damping, complex(m.re, m.im), m.name.decode(), numpy.array(m.effective),
                             m.whirl, m.residual, complex(*m.error), m.rotor_frequency))

    def to_pandas(self) -> "pandas.DataFrame":
        """Frequencies, damping ratios and names as a table of pandas."""
        units = {"frequency": "Hz", "damping": "1"}
        return data_frame({name: [getattr(mode, name) for mode in self] for name in (*units, "name")}, units)

    def _repr_html_(self) -> str:
        rows = [(i, m.frequency, 100 * m.damping, m.name) for i, m in enumerate(self)]
        title = f"{len(self)} modes of {self.model!r}" + (f" and {self.rigid} rigid motions" if self.rigid else "")
        return notebook.show_table(("", "frequency (Hz)", "damping (%)", "mode"), rows, title)

    __hash__ = object.__hash__  # type: ignore[assignment]  # a list has none, and weakref.finalize asks for one

    def shape(self, i: int, node: str) -> numpy.ndarray:
        """Displacement and rotation of a node in mode i, complex, of unit modal mass."""
        re, im = _numbers(6), _numbers(6)
        library.LimberModesGetNode(self._modes, i, self.model._node(node), re, im)
        return numpy.array(re) + 1j * numpy.array(im)

    def energy(self, i: int, element: str) -> Tuple[float, float]:
        """Shares of an element in the energies of deformation and of motion of mode i."""
        strain, kinetic = _numbers(1), _numbers(1)
        library.LimberModesGetElement(self._modes, i, self.model._find("element", element), strain, kinetic)
        return strain[0], kinetic[0]


def modes(model: "Source", changes: Optional[Mapping[str, Any]] = None, count: Optional[int] = None, target: Optional[float] = None,
          time: Optional[float] = None) -> Modes:
    """Modes about the equilibrium of a model: a Model, a file or a dict, with changes as for Model.

    count, target (Hz) and time (s) replace those of its part `modes`."""
    model = read_model(model, changes)
    return Modes(model, set_given(library.limber_file_modes_options(model._file), count=count, target=target, time=time))


class Campbell:
    """Modes followed over what the part `campbell` of a model varies.

    value, rate (rad/s): of each row; eigenvalue: rows x modes, complex; rotor_frequency: rows x modes, Hz, as seen from a rotor on a support; names: of the modes; crossings: with multiples of the
    speed, each with mode (from 0 on), multiple, value, rate and frequency."""

    def __init__(self, model: "Model"):
        f = analyse("LimberCampbellCreate", model._file, None, model)
        rows, count = range(library.limber_campbell_rows(f)), range(library.limber_campbell_modes(f))
        self.value = numpy.array([library.limber_campbell_value(f, i) for i in rows])
        self.rate = numpy.array([library.limber_campbell_rate(f, i) for i in rows])
        self.eigenvalue = numpy.empty((len(rows), len(count)), complex)
        pair = _numbers(2)
        for i in rows:
            for k in count:
                library.limber_campbell_eigenvalue(f, i, k, pair)
                self.eigenvalue[i, k] = complex(*pair)
        self.rotor_frequency = numpy.array([[library.limber_campbell_rotor_frequency(f, i, k) for k in count] for i in rows])
        self.names = [library.limber_campbell_name(f, k).decode() for k in count]
        found = [library.limber_campbell_crossing(f, i) for i in range(library.limber_campbell_crossings(f))]
        self.crossings = [Crossing(c.branch, c.multiple, c.value, c.rate, c.frequency) for c in found]
        self.remarks = library.limber_campbell_remarks(f).decode().split("\n")[:-1]
        library.LimberCampbellDestroy(byref(f))

    @property
    def frequency(self) -> numpy.ndarray:
        """Hz, rows x modes."""
        return numpy.abs(self.eigenvalue.imag) / (2 * numpy.pi)

    @property
    def damping(self) -> numpy.ndarray:
        """Ratios, rows x modes."""
        return -self.eigenvalue.real / numpy.abs(self.eigenvalue)

    def to_pandas(self) -> "pandas.DataFrame":
        """Frequencies of the modes in Hz over the parameter, as a table of pandas; modes of the same name are numbered."""
        return data_frame({"value": self.value, **dict(zip(self._labels(), self.frequency.T))}, dict.fromkeys(self._labels(), "Hz"), "value")

    def _labels(self) -> List[str]:
        return [name if self.names.count(name) == 1 else f"{name} ({self.names[:i + 1].count(name)})" for i, name in enumerate(self.names)]

    def _repr_html_(self) -> str:
        rows = [(value, *(float(f) for f in line)) for value, line in zip(self.value, self.frequency)]
        crossings = [(self._labels()[c.mode], c.multiple, c.value, c.frequency) for c in self.crossings]
        return (notebook.show_table(("parameter", *self._labels()), rows, "Frequencies of the modes (Hz)") +
                (notebook.show_table(("mode", "multiple of the speed", "parameter", "frequency (Hz)"), crossings, "Crossings") if crossings else ""))


def campbell(model: "Source", changes: Optional[Mapping[str, Any]] = None) -> Campbell:
    """Modes followed over what the part `campbell` of a model varies: a Model, a file or a dict, with changes as for Model."""
    return Campbell(read_model(model, changes))
