# SPDX-License-Identifier: Apache-2.0
"""liblimber by ctypes: where it is, what its functions take, and errors as exceptions."""
import ctypes
import glob
import os
import sys
import weakref
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int, c_longlong, c_void_p

SONAME = "liblimber.so.0.2"


class Error(Exception):
    """What went wrong, in Limber's words."""


class ModelError(Error, ValueError):
    """A model with errors: all of them, each with its source location."""


class StepError(Error, ArithmeticError):
    """A step that could not be taken. `reason` names why, `time` is where the run stands."""

    def __init__(self, reason, time, where):
        self.reason, self.time, self.where = reason, time, where
        super().__init__(f"the step from t = {time:g} s failed: {reason}" + (f", at {where}" if where else ""))


class Outcome(ctypes.Structure):
    """LimberOutcome."""
    _fields_ = [("reason", c_int), ("time", c_double), ("iterations", c_int), ("substeps", c_int),
                ("rejected", c_int), ("step", c_double), ("where", c_char * 256),
                ("unbalanced", c_double)]


REASONS = ("converged", "no convergence", "singular", "contradiction", "energy balance error", "loss", "inverted element")


def _find():
    """The library beside this module, in a build folder or where both are installed; else where the system has it."""
    if "LIMBER_LIBRARY" in os.environ:
        return os.environ["LIMBER_LIBRARY"]
    here = os.path.dirname(os.path.abspath(__file__))
    lib = os.path.join(here, "..", "..", "..")  # <prefix>/lib/python3/dist-packages/limber
    places = [os.path.join(here, "..", ".."), lib, os.path.join(lib, "*"), os.path.join(lib, "..", "lib64")]
    for place in places:
        # by name: in a build folder the module is a link to the sources
        for path in glob.glob(os.path.join(os.path.normpath(place), SONAME)):
            return path
    return SONAME


_RUN = _MODEL = _FILE = _RECORD = _RESULTS = c_void_p
_ARRAY = POINTER(c_double)

# name: what it returns (None: an error code), what it takes
_FUNCTIONS = {
    "LimberInitialize": (None, [c_void_p, c_void_p]),
    "LimberFinalize": (None, []),
    "limber_version": (c_char_p, []),
    "limber_error": (c_char_p, []),
    "limber_error_print": (c_int, [c_int]),
    "limber_model_diagnostics": (c_char_p, [_MODEL]),
    "limber_model_find_node": (c_int, [_MODEL, c_char_p]),
    "limber_model_find_element": (c_int, [_MODEL, c_char_p]),
    "limber_model_find_joint": (c_int, [_MODEL, c_char_p]),
    "limber_model_find_function": (c_int, [_MODEL, c_char_p]),
    "limber_model_element_node": (c_int, [_MODEL, c_int, c_int]),
    "LimberModelSetSignal": (None, [_MODEL, c_int, c_double]),
    "limber_run_time": (c_double, [_RUN]),
    "limber_run_remarks": (c_char_p, [_RUN]),
    "LimberRunStep": (None, [_RUN, POINTER(Outcome)]),
    "LimberRunDestroy": (None, [POINTER(_RUN)]),
    "LimberRunGetNode": (None, [_RUN, c_int, _ARRAY, _ARRAY, _ARRAY, _ARRAY]),
    "LimberRunGetStation": (None, [_RUN, c_int, c_double, _ARRAY, _ARRAY, _ARRAY, _ARRAY]),
    "LimberRunGetJoint": (None, [_RUN, c_int, POINTER(c_int), _ARRAY, _ARRAY]),
    "LimberRunGetReaction": (None, [_RUN, c_int, _ARRAY, _ARRAY, _ARRAY]),
    "LimberFileRead": (None, [c_char_p, c_char_p, c_int, POINTER(c_char_p), POINTER(_FILE)]),
    "LimberFileDestroy": (None, [POINTER(_FILE)]),
    "limber_file_errors": (c_int, [_FILE]),
    "limber_file_diagnostics": (c_char_p, [_FILE]),
    "limber_file_model": (c_void_p, [_FILE]),
    "limber_file_end": (c_double, [_FILE]),
    "limber_file_steps": (c_longlong, [_FILE]),
    "LimberFileStart": (None, [_FILE, POINTER(_RUN)]),
    "LimberRecordCreate": (None, [_FILE, POINTER(_RECORD)]),
    "LimberRecordDestroy": (None, [POINTER(_RECORD)]),
    "limber_record_columns": (c_int, [_RECORD]),
    "limber_record_name": (c_char_p, [_RECORD, c_int]),
    "limber_record_units": (c_char_p, [_RECORD, c_int]),
    "LimberRecordRow": (None, [_RECORD, _RUN, POINTER(Outcome), _ARRAY]),
    "LimberResultsCreate": (None, [_FILE, _RUN, c_char_p, POINTER(_RESULTS)]),
    "LimberResultsStep": (None, [_RESULTS, _RUN, POINTER(Outcome)]),
    "LimberResultsClose": (None, [POINTER(_RESULTS), _RUN, c_int]),
}


def _check(code, function, arguments):
    if code:
        raise Error(library.limber_error().decode() or f"{function.__name__} failed with code {code}")
    return code


class _Library:
    """Loads and starts the engine when it is first asked for anything."""

    def __getattr__(self, name):
        try:
            dll = ctypes.CDLL(_find(), mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            raise ImportError(f"cannot load Limber's library: {error}; LIMBER_LIBRARY can say where it is") from None
        for function, (result, arguments) in _FUNCTIONS.items():
            f = getattr(dll, function)
            f.argtypes, f.restype = arguments, c_int if result is None else result
            if result is None:
                f.errcheck = _check
            setattr(self, function, f)
        words = (c_char_p * 3)(sys.argv[0].encode() or b"python3", b"-no_signal_handler", None)
        count, start = c_int(2), ctypes.cast(words, c_void_p)
        self.limber_error_print(0)
        self._words = words  # PETSc keeps the pointers
        self.LimberInitialize(byref(count), byref(start))
        weakref.finalize(self, self.LimberFinalize)  # the first to be made is the last to be called at the end
        return self.__dict__[name]


library = _Library()
