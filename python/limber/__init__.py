# SPDX-License-Identifier: Apache-2.0
"""Limber: flexible multibody dynamics with schemes that never create energy.

    import limber
    model = limber.Model("pendulum.yaml", {"run.step": "2 ms"})
    run = model.start()
    run.advance()
    run["time"], run["P.x"]         # arrays

Names of fields and columns are those of the model file and of the results. Everything is SI."""
import ctypes
import json
import os
import weakref
from ctypes import POINTER, byref, c_double, c_void_p
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy

from . import notebook
from .blades import Blade, read_blade
from .columns import Column, Columns, History
from .catalogue import elements, events, functions, joints, loads
from .convergence import Convergence, ErrorBar, converge
from .describe import describe
from .fits import Fit, FitData, FitParameter, fit
from .fmu import FMU, FmuDescription, FmuVariable
from .gradients import Derivative, Gradient, gradient
from .linear import LinearModel, Response, linearize, response
from .interface import LimberEventRecord, LimberJointState
from .library import Error, Ledger, library, ModelError, number, Options, Outcome, read_options, step_error, StepError, Uninterrupted
from .monitor import Iteration, Monitor
from .modes import Campbell, Mode, Modes, campbell, modes
from .optima import Optimum, OptimumConstraint, OptimumParameter, optimize
from .ports import Bond, bonds, CoupledEnergy, Coupling, Port, Ports, couple, run_couple
from .pictures import body, command, export, new, picture, view
from .repeat import RepeatedRun, Repeater
from .results import Results
from .sections import SectionFrame, section_frame
from .stability import Floquet, Stability, floquet, stability
from .studies import StudyRow, StudyTable, run_script, study, study_script

__all__ = ["Blade", "Bond", "Campbell", "Column", "Convergence", "CoupledEnergy", "Coupling", "Derivative", "Error", "ErrorBar", "Event", "FMU", "Fit",
           "FitData", "FitParameter", "Floquet", "FmuDescription", "FmuVariable", "Gradient", "History",
           "Iteration", "Ledger", "LinearModel", "Mode", "Model", "ModelError", "Modes", "Optimum",
           "OptimumConstraint", "OptimumParameter", "Options", "Outcome", "Port", "Ports", "RepeatedRun",
           "Repeater", "Response", "Results", "Run", "SavedState", "SectionFrame", "Stability", "StaticPath", "StepError", "StudyRow", "StudyTable",
           "body", "campbell", "command", "converge", "couple", "describe", "elements", "events", "export", "fit", "floquet", "functions", "gradient", "joints",
           "linearize", "loads", "modes", "new", "optimize", "picture", "read_blade", "response", "run_couple", "run_script", "section_frame", "stability", "static", "study",
           "study_script", "version", "view"]

Path = Union[str, "os.PathLike[str]"]


class Motion(NamedTuple):
    """Of a node or of a place along an element, in ground components."""
    position: numpy.ndarray          # m
    axes: numpy.ndarray              # rows
    velocity: numpy.ndarray          # m/s
    angular_velocity: numpy.ndarray  # rad/s


class JointState(NamedTuple):
    """Coordinates of a joint, and the forces and moments on them, in SI units."""
    coordinate: numpy.ndarray
    rate: numpy.ndarray
    force: numpy.ndarray       # of the first body on the second, in ground axes
    moment: numpy.ndarray
    multiplier: numpy.ndarray
    reaction: numpy.ndarray    # force and moment in the axes of the joint
    drive: numpy.ndarray       # along the coordinates, as spring, damper and friction
    spring: numpy.ndarray
    damper: numpy.ndarray
    friction: numpy.ndarray


class Event(NamedTuple):
    """An event that happened."""
    name: str
    time: float  # s
    loss: float  # J


def version() -> str:
    """The version of the library."""
    return library.limber_version().decode()


def _plain(value):
    """What JSON does not know: arrays and numbers of numpy, paths."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def _text(value):
    return value if isinstance(value, str) else json.dumps(value, default=_plain)


def _source(source, changes):
    """Path and text of a file or a dict, and changes as the library takes them."""
    words = [f"{key}={_text(value)}".encode() for key, value in (changes or {}).items()]
    if isinstance(source, dict):
        return "model".encode(), json.dumps(source, indent=1, default=_plain).encode(), words
    return os.fspath(source).encode(), None, words


def _make(create, *arguments):
    """A C object that `create` makes as its last argument."""
    handle = c_void_p()
    create(*arguments, byref(handle))
    return handle


def _end_run(model, run, record, results):
    """Destroys the objects of a Run, in this order. `model` is an argument because it must outlive its runs."""
    if not library.forked:
        if results:
            library.LimberResultsClose(byref(results), run, 0)
        library.LimberRecordDestroy(byref(record))
        library.LimberRunDestroy(byref(run))


def _save(save, handle):
    """The bytes that a function of the library saves, in memory of its own."""
    state, size = c_void_p(), ctypes.c_size_t()
    save(handle, byref(state), byref(size))
    try:
        return ctypes.string_at(state, size.value)
    finally:
        library.limber_state_free(byref(state))


def _array(array):
    return array.ctypes.data_as(POINTER(c_double))


class Model:
    """A model, read from a file or from a dict of the same form (docs/model.md).

    changes: a dict of other values for its fields, {"run.step": "1 ms", "let.n": 16}, as --set of the command.
    allow_outside: files that the model names may be outside of its folder (docs/safety.md).
    allow_library: its control blocks may load shared libraries, which run with your permissions (docs/control.md)."""

    def __init__(self, source: Union[Path, Mapping[str, Any]], changes: Optional[Mapping[str, Any]] = None,
                 allow_outside: bool = False, allow_library: bool = False):
        self._source, self._outside, self._loads = (source, changes), allow_outside, allow_library
        path, text, words = _source(source, changes)
        self._file = _make(library.LimberFileRead, path, byref(read_options(text, words, allow_outside, allow_library)))
        weakref.finalize(self, library.destroy, "LimberFileDestroy", self._file)
        self.notes = library.limber_file_diagnostics(self._file).decode()  # also those that are warnings
        if library.limber_file_errors(self._file):
            raise ModelError(self.notes.rstrip())
        self._model = library.limber_file_model(self._file)

    def __repr__(self) -> str:
        source, changes = self._source
        return f"Model({repr(os.fspath(source)) if isinstance(source, (str, os.PathLike)) else 'dict'}{f', {changes}' if changes else ''})"

    def _source_words(self) -> Tuple[str, str, List[str]]:
        """File, or "-" with a text, and changes as the program takes them."""
        path, text, words = _source(*self._source)
        return "-" if text is not None else path.decode(), (text or b"").decode(), [word.decode() for word in words]

    def _repr_html_(self) -> str:
        return notebook.show_model(self)

    @property
    def end(self) -> float:
        """The end of the run that the file asks for, s."""
        return library.limber_file_end(self._file)

    @property
    def options(self) -> Options:
        """The options of the run that the file asks for."""
        return library.limber_file_options(self._file)

    def start(self, output: Optional[Path] = None, force: bool = False,
              monitor: Union[bool, Callable[[Iteration], object], None] = None) -> "Run":
        """A run from t = 0. output: the results that `limber run` would write, for limber plot and limber export; force: in place
        of a file that Limber did not write, too. monitor: monitor(iteration) is called for each correction of Newton's method and
        must not use the run; True prints the table of `limber run --monitor`."""
        return Run(self, output, force, monitor)

    def write_fmu(self, path: Path, version: int = 3, force: bool = False) -> None:
        """Writes the model as an FMU of that version of the standard, 2 or 3 (docs/fmu.md). force: in place of a file that is not an
        FMU of Limber, too."""
        library.LimberFileWriteFmu(self._file, os.fsencode(path), version, force)

    def _find(self, what, name):
        found = getattr(library, "limber_model_find_" + what)(self._model, name.encode())
        if found < 0:
            raise KeyError(f"the model has no {what} '{name}'")
        return found

    def _node(self, name):
        """By its name, or along an element: blade.start, blade.7, blade.end."""
        item, dot, place = name.rpartition(".")
        found = library.limber_model_find_node(self._model, name.encode())
        if found < 0 and dot and (place in ("start", "end") or place.isdigit()):
            element, i = self._find("element", item), int(place) if place.isdigit() else 0
            found = library.limber_model_element_node(self._model, element, i)
            while place == "end" and library.limber_model_element_node(self._model, element, i + 1) >= 0:
                i, found = i + 1, library.limber_model_element_node(self._model, element, i + 1)
        if found < 0:
            raise KeyError(f"the model has no node '{name}'")
        return found


class SavedState:
    """A state of a run, which Run.save made and Run.restore takes. On several processes each has its own part."""

    def __init__(self, run: "Run"):
        self.time = run.time  # s
        self._state, self._record = _save(library.LimberRunSave, run._run), _save(library.LimberRecordSave, run._record)
        self._rows, self._count, self._steps, self._outcome = run._rows, run._count, run._steps, run.outcome

    def __len__(self) -> int:
        """Bytes of the state on this process, without the rows of the history."""
        return len(self._state) + len(self._record)

    def __eq__(self, other: object) -> bool:
        """Whether two states are bit-for-bit identical."""
        return isinstance(other, SavedState) and (self._state, self._record) == (other._state, other._record)

    __hash__ = None  # type: ignore[assignment]


class Run(History):
    """A run in time. It records all columns of the history at the start and after every step. A column is a view of the run's own numbers:
    nothing is copied."""

    _start = "LimberFileStart"

    def __init__(self, model: Model, output: Optional[Path] = None, force: bool = False,
                 monitor: Union[bool, Callable[[Iteration], object], None] = None):
        self.model = model
        self.outcome: Optional[Outcome] = None
        self._run = _make(getattr(library, self._start), model._file)
        if not self._run:
            raise ModelError(library.limber_model_diagnostics(model._model).decode().rstrip())
        self._record, self._results, self._output = c_void_p(), c_void_p(), None if output is None else os.fspath(output)
        weakref.finalize(self, _end_run, model, self._run, self._record, self._results)
        self._monitor = Monitor(self._run, monitor) if monitor else None
        library.LimberRecordCreate(model._file, byref(self._record))
        if output is not None:
            library.LimberResultsCreate(model._file, self._run, os.fsencode(output), force, byref(self._results))
        self._columns = Columns.of_record(self._record)
        self._rows = numpy.empty((256, len(self.columns)))
        self._count = self._steps = 0
        self._controls: List[Tuple[int, str, Callable[["Run"], float]]] = []
        self._at_law = False
        self._add_row(None)

    def _add_row(self, step):
        if self._count == len(self._rows):
            self._rows = numpy.concatenate([self._rows, numpy.empty_like(self._rows)])
        library.LimberRecordRow(self._record, self._run, step, _array(self._rows[self._count]))
        self._count += 1

    def _restart_rows(self):
        """Records the start again, whose waves are known now."""
        self._count = 0
        self._add_row(None)
        if self._results:
            library.LimberResultsStep(self._results, self._run, None)

    def __repr__(self) -> str:
        return f"{type(self).__name__} of {self.model!r}: {self._extent()}"

    def _repr_html_(self) -> str:
        if self._output is None:
            remark = 'start(output="run.h5") adds the animated page.'
            return notebook.show_history(self, notebook.show_model(self.model), remark)
        return notebook.show_history(self, notebook.try_to(notebook.show_motion, self._output))

    # ---- in time ----

    @property
    def time(self) -> float:
        """The present time of the run, s."""
        return library.limber_run_time(self._run)

    @property
    def remarks(self) -> str:
        """What was done to start: parts assembled, velocities changed, redundant constraints resolved."""
        return library.limber_run_remarks(self._run).decode()

    def control(self, signal: str, law: Callable[["Run"], float]) -> None:
        """law(run) is called before every step; the number that it returns is the value of that function of the model,
        a `signal`, over the step."""
        function = self.model._find("function", signal)
        if not callable(law):
            raise TypeError(f"the law of '{signal}' is {law!r}, and not a function")
        self._controls.append((function, signal, law))

    def set_signal(self, signal: str, value: float) -> None:
        """The value of a `signal` from the next step on."""
        if self._at_law:
            raise Error("a control law returns the value of its signal, and sets no other")
        function = self.model._find("function", signal)
        library.LimberModelSetSignal(self.model._model, function, number(value, f"the signal '{signal}'"))

    def step(self) -> Outcome:
        """One step. Raises StepError if it cannot be taken."""
        values = self._evaluate_laws()
        o = Outcome()
        with library.lock, Uninterrupted():  # signals are the model's, and other runs of it may set theirs
            for function, value in values:
                library.LimberModelSetSignal(self.model._model, function, value)
            library.LimberRunStep(self._run, byref(o))
            if self._monitor:
                self._monitor.check()
            if o.reason:
                raise self._failure(o)
            self.outcome = o
            self._steps += 1
            self._add_row(byref(o))
            if self._results:
                library.LimberResultsStep(self._results, self._run, byref(o))
                if self._ended(self.model.end):
                    library.LimberResultsClose(byref(self._results), self._run, 1)
        return o

    def _evaluate_laws(self):
        if self._at_law:
            raise Error("a control law cannot step or advance the run that asks it, nor can another thread meanwhile")
        self._at_law = True
        try:
            return [(function, number(law(self), f"what the law of '{signal}' returned"))
                    for function, signal, law in self._controls]
        finally:
            self._at_law = False

    def _failure(self, outcome):
        return step_error(outcome)

    def _ended(self, end):
        steps = library.limber_file_steps(self.model._file)
        if steps and end == self.model.end:
            return self._steps >= steps
        return self.time >= end * (1 - 1e-12)

    def advance(self, end: Optional[float] = None, each: Optional[Callable[["Run"], Optional[bool]]] = None) -> "Run":
        """Steps until `end` (s; without: the end that the model gives). each(run) is called after every step; if it returns
        True the run stops there."""
        end = self.model.end if end is None else self._check_end(end, each)
        library.agree("advance", end, each is None)
        while not self._ended(end):
            self.step()
            if each is not None:
                stop = bool(each(self))
                library.agree("what `each` returned", stop)
                if stop:
                    break
        return self

    def _check_end(self, end, each):
        end = number(end, "the end of advance")
        if not end >= 0:
            raise ValueError(f"the end of advance is {end:g} s, and the run begins at 0 s")
        if end == float("inf") and each is None:
            raise ValueError("the end of advance is inf, and there is no `each` that would stop it")
        return end

    # ---- states ----

    def save(self) -> SavedState:
        """The state of the run in memory. `restore` takes the run back to it, as often as you like."""
        if self._at_law:
            raise Error("a control law cannot save the run that asks it")
        with library.lock:
            return SavedState(self)

    def restore(self, state: SavedState) -> "Run":
        """Takes the run back to a state that it, or another run of the same model with the same options, saved. The history ends
        there, too, and the same steps from there on give the same numbers, bit for bit. Laws of `control` are called as they are."""
        if not isinstance(state, SavedState):
            raise TypeError(f"the state to restore is {state!r}, and not what save returned")
        if self._at_law:
            raise Error("a control law cannot restore the run that asks it")
        if self._results:
            raise Error("results in a file cannot be taken back: start the run without an output")
        with library.lock, Uninterrupted():
            library.agree("restore", state.time)
            library.LimberRunRestore(self._run, state._state, ctypes.c_size_t(len(state._state)))
            library.LimberRecordRestore(self._record, state._record, ctypes.c_size_t(len(state._record)))
            self._rows = state._rows.copy()  # rows after the state may belong to another that was saved since
            self._count, self._steps, self.outcome = state._count, state._steps, state._outcome
        return self

    def close(self) -> None:
        """Closes the results, where the run is to go no further."""
        if self._at_law:
            raise Error("a control law cannot close the run that asks it")
        if not self._results:
            return
        library.LimberResultsClose(byref(self._results), self._run, 0)

    # ---- what was and what is ----

    @property
    def history(self) -> numpy.ndarray:
        """All columns, rows in time: numbers in the order of `columns`."""
        return self._rows[:self._count]

    @property
    def ledger(self) -> Ledger:
        """The energy ledger."""
        ledger = Ledger()
        library.LimberRunGetLedger(self._run, byref(ledger))
        return ledger

    @property
    def bonds(self) -> Dict[str, Bond]:
        """The bonds of the model to FMUs by their names, over the last step."""
        return bonds(self)

    @property
    def ports(self) -> Ports:
        """The wave ports of the model by their names."""
        return Ports(self)

    @property
    def events(self) -> "list[Event]":
        """The events that happened so far: name, time (s) and the energy that each took (J)."""
        found = []
        for i in range(library.limber_run_events(self._run)):
            event = LimberEventRecord()
            library.LimberRunGetEvent(self._run, i, byref(event))
            found.append(Event((event.name or b"").decode(), event.time, event.loss))
        return found

    def node(self, name: str) -> Motion:
        """Position, axes (rows), velocity and angular velocity of a node, in ground components."""
        m = Motion(numpy.empty(3), numpy.empty((3, 3)), numpy.empty(3), numpy.empty(3))
        library.LimberRunGetNode(self._run, self.model._node(name), *map(_array, m))
        return m

    def station(self, element: str, at: float) -> Motion:
        """The same at a place along an element, 0 .. 1 of its length."""
        m = Motion(numpy.empty(3), numpy.empty((3, 3)), numpy.empty(3), numpy.empty(3))
        library.LimberRunGetStation(self._run, self.model._find("element", element), number(at, "the place"),
                                    *map(_array, m))
        return m

    def joint(self, name: str) -> JointState:
        """Coordinates of a joint and their rates; of the last step: force and moment of the first body on the second at the
        joint, in ground axes, the multipliers, the same force and moment in the axes of the joint (reaction), and what drives
        and loads, spring, damper and friction put on the coordinates."""
        s = LimberJointState()
        library.LimberRunGetJoint(self._run, self.model._find("joint", name), byref(s))
        along = [numpy.array(getattr(s, name)[:s.coordinates])
                 for name in ("coordinate", "rate", "drive", "spring", "damper", "friction")]
        return JointState(along[0], along[1], numpy.array(s.force), numpy.array(s.moment), numpy.array(s.multiplier[:s.rows]),
                          numpy.array(s.reaction), *along[2:])

    def load(self, name: str) -> "tuple[numpy.ndarray, numpy.ndarray]":
        """Force and moment of a load, in ground axes. Of a load or drive on a joint the first number of the force is its torque
        or force along the coordinate, over the last step."""
        force, moment = numpy.zeros(3), numpy.zeros(3)
        library.LimberRunGetLoad(self._run, self.model._find("load", name), _array(force), _array(moment))
        return force, moment


class StaticPath(Run):
    """Equilibria as loads grow, as the part `static` of a model asks for them: a row each, found one by one by step(), or all
    by advance()."""

    _start = "LimberFileStartStatic"

    def _failure(self, outcome):
        error = step_error(outcome)
        at = f", at {error.name}" if error.name else ""
        error.args = (f"no equilibrium was found beyond a load factor of {self.ledger.load_factor:.9g}: {error.reason}{at}",)
        return error

    def _ended(self, end):
        return bool(library.limber_run_finished(self._run))

    @property
    def found(self) -> "list[str]":
        """Limit points and bifurcations up to here, in words."""
        text = ctypes.create_string_buffer(1 << 14)
        library.LimberRunGetFound(self._run, len(text), text)
        return text.value.decode().split("\n")[:-1]


def static(model: Union[Model, Path, Mapping[str, Any]], changes: Optional[Mapping[str, Any]] = None,
           output: Optional[Path] = None, force: bool = False,
           monitor: Union[bool, Callable[[Iteration], object], None] = None) -> StaticPath:
    """The equilibrium of a model under its loads, or the path to it: a Model, a file or a dict, with changes as for Model.

    path["ledger.load_factor"], path["tip.z"] are arrays, path.found tells limit points. output: the results that
    `limber static` would write. monitor: as for Model.start. Raises StepError where the path cannot go on."""
    outside, loads = isinstance(model, Model) and model._outside, isinstance(model, Model) and model._loads
    if isinstance(model, Model):
        source, before = model._source
        model, changes = source, {**(before or {}), **(changes or {})}
    path = StaticPath(Model(model, changes, outside, loads), output, force, monitor)
    path.advance()
    return path
