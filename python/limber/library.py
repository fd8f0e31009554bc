# SPDX-License-Identifier: Apache-2.0
"""liblimber by ctypes: where it is, what its functions take, and errors as exceptions."""
import atexit
import ctypes
import functools
import glob
import os
import signal
import sys
import threading
import weakref
import zlib
from ctypes import byref, c_char_p, c_int, c_void_p
from typing import Optional

from .interface import ERROR_CODE, FUNCTIONS, STRUCTURES, Id
from .interface import LimberLedger
from .interface import LimberOptions as Options
from .interface import LimberOutcome as Outcome

SONAME = "liblimber.so.0.2"


class Error(Exception):
    """What went wrong, in Limber's words."""


class Ledger(LimberLedger):
    """The energy balance of a run: energies, and works since the start, in J. `constraint`, `load_factor` and `negative` have no unit."""

    def _items(self):
        return [(name, getattr(self, name)) for name, _ in LimberLedger._fields_]

    def __repr__(self) -> str:
        return f"Ledger({', '.join(f'{name}={value:.9g}' for name, value in self._items())})"

    def _repr_html_(self) -> str:
        from .notebook import show_table
        rows = [(name, value, "1" if name in ("constraint", "load_factor", "negative") else "J") for name, value in self._items()]
        return show_table(("energy balance", "", "unit"), rows)


class ModelError(Error, ValueError):
    """A model with errors: all of them, each with its source location."""


class StepError(Error, ArithmeticError):
    """A step that could not be taken. `reason` says why, such as "no convergence"; the run stopped at `time`. The cause of the failure is
    the node, element, joint or control block (`kind`) with this `id`, called `name`; without a cause, `kind` is "" and `id` None."""

    def __init__(self, reason: str, time: float, kind: str = "", id: Optional[int] = None, name: str = ""):
        self.reason, self.time, self.kind, self.id, self.name = reason, time, kind, id, name
        super().__init__(f"the step from t = {time:g} s failed: {reason}" + (f", at {name}" if name else ""))


# LimberPart and LimberFieldType, in their order
PARTS = ("elements", "joints", "loads", "functions", "shapes", "events")
FIELD_TYPES = ("number", "integer", "numbers", "matrix", "rows", "name", "names", "text", "map", "maps", "other",
               "number or map", "flag")


def check_sizes(dll, path, structures):
    """Raises ImportError where a structure of this module is not that of the library."""
    try:
        dll.limber_sizeof.restype, dll.limber_sizeof.argtypes = ctypes.c_size_t, [c_char_p]
        dll.limber_version.restype = c_char_p
    except AttributeError:
        raise ImportError(f"{path} is a library of an older Limber than this module; LIMBER_LIBRARY can name another") from None
    for name, structure in structures.items():
        size = dll.limber_sizeof(name.encode())
        if size != ctypes.sizeof(structure):
            raise ImportError(f"{path} (Limber {dll.limber_version().decode()}) has a {name} of {size} bytes, this module one of "
                              f"{ctypes.sizeof(structure)}: they are of different versions; LIMBER_LIBRARY can name another library")


def _find():
    """The library next to this module, in a build folder or where both are installed; else where the system has it."""
    if "LIMBER_LIBRARY" in os.environ:
        return os.environ["LIMBER_LIBRARY"]
    here = os.path.dirname(os.path.abspath(__file__))
    lib = os.path.join(here, "..", "..", "..")  # <prefix>/lib/python3/dist-packages/limber
    places = [os.path.join(here, "..", ".."), lib, os.path.join(here, "..", "lib"), os.path.join(lib, "*"), os.path.join(lib, "..", "lib64")]
    for place in places:
        # by name: in a build folder the module is a link to the sources
        for path in glob.glob(os.path.join(os.path.normpath(place), SONAME)):
            return path
    return SONAME


def _check(code, function, arguments):
    if code:
        raise Error(library.limber_error().decode() or f"{function.__name__} failed with code {code}")
    return code


def _index(id, function, arguments):
    return id.index


# What all processes do together, each waiting for the others
_COLLECTIVE = ("LimberFileRead", "LimberFileStart", "LimberFileStartStatic", "LimberModelSetSignal", "LimberRunStep",
               "LimberRunSetMonitor", "LimberRunSave", "LimberRunRestore",
               "LimberRunGetNode", "LimberRunGetStation", "LimberRunGetJoint",
               "LimberRunGetLoad", "LimberResultsCreate",
               "LimberResultsClose", "LimberRepeaterCreate", "LimberRepeaterRun", "LimberModesCreate", "LimberModesGetNode",
               "LimberCampbellCreate", "LimberLinearCreate", "LimberLinearWrite", "LimberResponseCreate",
               "LimberResponseWrite", "LimberStabilityCreate", "LimberFloquetCreate")
_FORKED = ("this process was made by fork from one that uses Limber, which MPI does not allow: start it anew, as "
           "multiprocessing.get_context('spawn') does")


class _Library:
    """Loads and starts the engine when it is first asked for anything. One thread calls it at a time."""

    def __init__(self):
        self.lock, self.ranks, self.forked = threading.RLock(), 1, False

    def __getattr__(self, name):
        if self.forked:
            raise Error(_FORKED)
        with self.lock:
            if name not in self.__dict__:
                self._load()
            return self.__dict__[name]

    def _load(self):
        try:
            path = _find()
            dll = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            raise ImportError(f"cannot load Limber's library: {error}; LIMBER_LIBRARY can say where it is") from None
        check_sizes(dll, path, STRUCTURES)
        for function, (result, arguments) in FUNCTIONS.items():
            f = getattr(dll, function)
            f.argtypes, f.restype = arguments, c_int if result is ERROR_CODE else result
            if result is ERROR_CODE:
                f.errcheck = _check
            elif result is Id:
                f.errcheck = _index
            setattr(self, function, self._call(f, function in _COLLECTIVE))
        self.abort = dll.limber_abort  # of any thread
        self.abort.argtypes, self.abort.restype = [c_int], None
        words = (c_char_p * 3)(sys.argv[0].encode() or b"python3", b"-no_signal_handler", None)
        count, start = c_int(2), ctypes.cast(words, ctypes.POINTER(c_char_p))
        self.limber_error_print(False)
        self._words = words  # PETSc keeps the pointers
        self.LimberInitialize(byref(count), byref(start))
        weakref.finalize(self, self._end)  # the first to be made is the last to be called at the end
        os.register_at_fork(after_in_child=self._leave)
        self.ranks = self.limber_ranks()
        if self.ranks > 1:
            sys.excepthook = functools.partial(_end_all, sys.excepthook)
            atexit.register(self._agree_on_the_end)  # before what is still there ends, which all processes do together

    def _call(self, f, collective):
        def call(*arguments):
            with self.lock:
                if collective and self.ranks > 1:
                    self.agree(f.__name__, *(a for a, kind in zip(arguments, f.argtypes)
                                             if kind is not c_void_p and isinstance(a, (int, float, bytes))))
                return f(*arguments)
        call.__name__ = f.__name__
        return call

    def agree(self, what, *values):
        """Raises Error where another process is at another call or has other values."""
        if self.ranks > 1:
            self.LimberAgree(what.encode(), zlib.crc32(repr(values).encode()))

    def destroy(self, function, handle):
        """Destroys the object of a handle; a forked process only forgets it."""
        if not self.forked:
            getattr(self, function)(byref(handle))

    def _agree_on_the_end(self):
        try:
            if not self.forked:
                self.agree("the end of the program")
        except Error as error:
            _end_all(None, Error, error, None)

    def _end(self):
        if not self.forked:
            self.LimberFinalize()

    def _leave(self):
        for name in FUNCTIONS:
            self.__dict__.pop(name, None)
        self.forked, self.lock = True, threading.RLock()


def _end_all(before, kind, value, trace):
    """An exception that nobody caught ends all processes: the others would wait for this one for ever."""
    (before or sys.__excepthook__)(kind, value, trace)
    print("limber: one of several processes ended with an exception, so all are ended", file=sys.stderr)
    sys.stdout.flush(), sys.stderr.flush()
    library.abort(1)


class Uninterrupted:
    """Ctrl-C waits until the block is done: a step is taken with all that is written of it, or not at all."""

    def __enter__(self):
        self.caught = self.before = None
        if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
            self.before = signal.signal(signal.SIGINT, self._note)

    def _note(self, *arguments):
        self.caught = arguments

    def __exit__(self, *exception):
        if not callable(self.before):
            return
        signal.signal(signal.SIGINT, self.before)
        if self.caught:
            self.before(*self.caught)


def number(value, what):
    """A number, or an exception that names what it should have been."""
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(f"{what} is {value!r}, and not a number")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what} is {value!r}, and not a number") from None


library = _Library()


def _scheme_name(options: Options) -> str:
    """The scheme as model files name it."""
    return library.limber_scheme_name(options.scheme).decode()


setattr(Options, "scheme_name", property(_scheme_name))


def step_error(outcome):
    """What an outcome reports, as an exception."""
    cause = outcome.cause
    return StepError(library.limber_reason_name(outcome.reason).decode(), outcome.time, library.limber_cause_name(cause.kind).decode(),
                     cause.index if cause.kind else None, cause.name.decode())


def set_given(options, **values):
    """Sets the members of an options structure that are given."""
    for name, value in values.items():
        if value is not None:
            setattr(options, name, value.encode() if isinstance(value, str) else value)
    return options


def analyse(create, source, options, model):
    """What an analysis about the operating point of a model finds; raises the diagnostics of the model if it finds nothing."""
    found = c_void_p()
    getattr(library, create)(source, options if options is None else byref(options), byref(found))
    if not found:
        raise ModelError(library.limber_model_diagnostics(model._model).decode().rstrip())
    return found


def read_options(text, words, allow_outside, allow_library):
    """How a model file is read; `words` are its changes."""
    options = library.limber_read_options_default()
    library.agree("the reading of a model", text, *words, allow_outside, allow_library)
    options.text, options.changes, options.change = text, len(words), (c_char_p * len(words))(*words)
    options.allow_outside, options.allow_library = allow_outside, allow_library
    return options
