# SPDX-License-Identifier: Apache-2.0
"""Functional mock-up units (FMUs) of other programs, for co-simulation and model exchange.

    fmu = limber.FMU("valve.fmu", allow_library=True)
    fmu.set(k=900)
    fmu.start()
    fmu.do_step(0.01)
    print(fmu["x"])"""
import ctypes
import math
import os
import weakref
from ctypes import byref, c_double, c_size_t, c_void_p
from typing import Callable, Dict, Mapping, NamedTuple, Optional, Sequence, Union

import numpy

from .interface import LimberFmuDescription, LimberFmuVariable
from .library import Error, library

Path = Union[str, "os.PathLike[str]"]
Value = Union[float, Callable[[float], float]]
INTERFACES = ("any", "co_simulation", "model_exchange")
CAUSALITIES = ("local", "input", "output", "parameter", "calculated", "independent")


class FmuVariable(NamedTuple):
    """A variable of an FMU. Its numbers are in `unit`, "" if the FMU states none."""
    name: str
    unit: str
    type: str                # Float64, Int32, Boolean, String and so on, as version 3.0 of the standard calls them
    causality: str           # local, input, output, parameter, calculated or independent
    number: bool             # a single number; others cannot be read or set
    settable: bool           # before the start, and later if it is an input
    start: Optional[float]   # value; None: none is given


class FmuDescription(NamedTuple):
    """What an FMU is. Times are in s; None: the FMU does not state it."""
    name: str
    version: int             # of the interface: 2 or 3
    co_simulation: bool
    model_exchange: bool
    interface: str           # that is used
    can_save: bool
    variable_step: bool
    start: Optional[float]
    stop: Optional[float]
    step: Optional[float]
    tolerance: Optional[float]


def _given(value):
    return None if math.isnan(value) else value


def _close(handle):
    library.destroy("LimberFmuClose", handle)


class FMU:
    """An FMU of a file, which this process runs step by step. Numbers are in the units that the FMU states.

    allow_library: it may be started; its library runs with your permissions. interface: "co_simulation" or "model_exchange"; default:
    co-simulation if it is made for that. tolerance: relative error of a step of the solver of model exchange.

    `description`, `variables`, `inputs`, `outputs` and `parameters` need no permission."""

    def __init__(self, path: Path, allow_library: bool = False, interface: str = "any", tolerance: Optional[float] = None):
        if interface not in INTERFACES:
            raise Error(f"there is no interface {interface!r}; there are {', '.join(INTERFACES)}")
        self._path, self._words = os.fspath(path), (allow_library, interface, tolerance)
        options = library.limber_fmu_options_default()
        options.allow_library, options.interface, options.tolerance = allow_library, INTERFACES.index(interface), tolerance or 0
        self._fmu = c_void_p()
        library.LimberFmuOpen(os.fsencode(self._path), byref(options), byref(self._fmu))
        self._end = weakref.finalize(self, _close, self._fmu)
        d, v = LimberFmuDescription(), LimberFmuVariable()
        library.LimberFmuGetDescription(self._fmu, byref(d))
        self.description = FmuDescription(d.name.decode(), d.version, d.co_simulation, d.model_exchange, INTERFACES[d.interface], d.can_save,
                                          d.variable_step, *(_given(x) for x in (d.start, d.stop, d.step, d.tolerance)))
        self.variables: Dict[str, FmuVariable] = {}
        self._index: Dict[str, int] = {}
        for i in range(d.variables):
            library.LimberFmuGetVariable(self._fmu, i, byref(v))
            one = FmuVariable(v.name.decode(), v.unit.decode(), v.type.decode(), CAUSALITIES[v.causality], v.number, v.settable, _given(v.start))
            if one.name not in self.variables:
                self.variables[one.name], self._index[one.name] = one, i

    def __repr__(self) -> str:
        d = self.description
        return (f"FMU({self._path!r}): {d.name}, FMI {d.version}.0, {'model exchange' if d.interface == 'model_exchange' else 'co-simulation'}, "
                f"{len(self.inputs)} inputs, "
                f"{len(self.outputs)} outputs, {len(self.parameters)} parameters")

    def _of(self, causality):
        return {name: v for name, v in self.variables.items() if v.causality == causality}

    @property
    def inputs(self) -> Dict[str, FmuVariable]:
        """Its inputs by name."""
        return self._of("input")

    @property
    def outputs(self) -> Dict[str, FmuVariable]:
        """Its outputs by name."""
        return self._of("output")

    @property
    def parameters(self) -> Dict[str, FmuVariable]:
        """Its parameters by name."""
        return self._of("parameter")

    def _find(self, name):
        if name not in self.variables:
            raise KeyError(f"the FMU has no variable {name!r}; it has {', '.join(list(self.variables)[:50])}")
        return self._index[name]

    @property
    def time(self) -> Optional[float]:
        """The time that it has reached, s; None before the start."""
        return _given(library.limber_fmu_time(self._fmu))

    def set(self, values: Optional[Mapping[str, float]] = None, **more: float) -> None:
        """Sets numbers: parameters, start values and inputs before the start, inputs after it. An input is held until it is set again."""
        for name, value in {**(values or {}), **more}.items():
            library.LimberFmuSet(self._fmu, self._find(name), value)

    def get(self, name: str) -> float:
        """A number, after the start. fmu["x"] is the same."""
        value = c_double()
        library.LimberFmuGet(self._fmu, self._find(name), byref(value))
        return value.value

    __getitem__ = get

    def __setitem__(self, name: str, value: float) -> None:
        self.set({name: value})

    def start(self, time: float = 0.0) -> "FMU":
        """Loads its library and initialises it. It needs allow_library=True."""
        library.LimberFmuStart(self._fmu, time)
        return self

    def do_step(self, step: float) -> None:
        """Takes a step of this length, s. Raises Error with the reason of the FMU if it fails; then only close() may follow."""
        library.LimberFmuStep(self._fmu, step)

    def save(self) -> bytes:
        """Its state with its inputs. The bytes can be restored in another process."""
        state, size = c_void_p(), c_size_t()
        library.LimberFmuSave(self._fmu, byref(state), byref(size))
        try:
            return ctypes.string_at(state, size.value)
        finally:
            library.limber_state_free(byref(state))

    def restore(self, state: bytes) -> None:
        """Takes it back to a state that was saved. It must have been started."""
        library.LimberFmuRestore(self._fmu, ctypes.cast(ctypes.c_char_p(state), c_void_p), len(state))

    def close(self) -> None:
        """Ends the simulation and removes its temporary folder, which otherwise happens when the object is no longer used."""
        self._end()

    def __enter__(self) -> "FMU":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def simulate(self, end: Optional[float] = None, step: Optional[float] = None, start: Optional[float] = None,
                 values: Optional[Mapping[str, Value]] = None, outputs: Optional[Sequence[str]] = None) -> Dict[str, numpy.ndarray]:
        """Runs a new instance in equal steps, and returns an array for "time" and for each output.

        end, step, start: s; default: those of the default experiment, a step of a hundredth of the time and a start at 0. values: parameters,
        start values and inputs; a function of time for an input gives its value at the start of each step, over which it is held. outputs:
        names of variables; default: all outputs that are numbers."""
        d = self.description
        begin = start if start is not None else d.start or 0.0
        until = end if end is not None else d.stop
        if until is None:
            raise Error("the FMU states no default end: give one")
        if not until > begin:
            raise Error(f"the end, {until:g} s, is not after the start, {begin:g} s")
        names = list(outputs) if outputs is not None else [n for n, v in self.outputs.items() if v.number]
        given = dict(values or {})
        count = max(1, round((until - begin) / (step or d.step or (until - begin) / 100)))
        rows = numpy.empty((count + 1, len(names)))
        laws = {n: law for n, law in given.items() if callable(law)}
        with FMU(self._path, *self._words) as one:
            one.set({n: v(begin) if callable(v) else v for n, v in given.items()})
            one.start(begin)
            times = begin + (until - begin) / count * numpy.arange(count + 1)
            for i, time in enumerate(times):
                if i:
                    one.do_step(time - one.time)
                one.set({n: law(time) for n, law in laws.items()})
                rows[i] = [one.get(n) for n in names]
        return {"time": times, **{n: rows[:, i] for i, n in enumerate(names)}}
