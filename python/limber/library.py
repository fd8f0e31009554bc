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
from ctypes import POINTER, byref, c_bool, c_char, c_char_p, c_double, c_int, c_longlong, c_void_p

SONAME = "liblimber.so.0.2"


class Error(Exception):
    """What went wrong, in Limber's words."""


class ModelError(Error, ValueError):
    """A model with errors: all of them, each with its source location."""


class StepError(Error, ArithmeticError):
    """A step that could not be taken. `reason` says why, such as "no convergence"; the run stopped at `time`. The cause of the failure is
    the node, element, joint or control block (`kind`) with this `id`, called `name`; without a cause, `kind` is "" and `id` None."""

    def __init__(self, reason, time, kind="", id=None, name=""):
        self.reason, self.time, self.kind, self.id, self.name = reason, time, kind, id, name
        super().__init__(f"the step from t = {time:g} s failed: {reason}" + (f", at {name}" if name else ""))


class Id(ctypes.Structure):
    """LimberNodeId and the like: functions take and return it by value. In Python it is an int, LIMBER_NONE is -1."""
    _fields_ = [("index", c_int)]

    @classmethod
    def from_param(cls, index):
        return cls(index)


class Cause(ctypes.Structure):
    """LimberCause."""
    _fields_ = [("kind", c_int), ("index", c_int), ("name", c_char * 256)]


class Outcome(ctypes.Structure):
    """LimberOutcome."""
    _fields_ = [("reason", c_int), ("time", c_double), ("iterations", c_int), ("substeps", c_int),
                ("rejected", c_int), ("step", c_double), ("cause", Cause),
                ("unbalanced", c_double), ("rotation", c_double)]


class IterationStructure(ctypes.Structure):
    """LimberIteration."""
    _fields_ = [("step", c_longlong), ("time", c_double), ("iteration", c_int), ("new_tangent", c_bool), ("residual", c_double),
                ("accepted", c_double), ("correction", c_double), ("residual_at", Cause), ("correction_at", Cause)]


MONITOR = ctypes.CFUNCTYPE(None, POINTER(IterationStructure), c_void_p)


class Control(ctypes.Structure):
    """LimberControl: of a run that chooses its steps."""
    _fields_ = [("on", c_bool), ("loss", c_double), ("smallest", c_double), ("largest", c_double), ("end", c_double),
                ("meet", c_double * 2)]


class Statics(ctypes.Structure):
    """LimberStatics: a static analysis."""
    _fields_ = [("to", c_double), ("step", c_double), ("smallest", c_double), ("largest", c_double), ("steps", c_int),
                ("time", c_double), ("control", c_int), ("node", Id), ("joint", Id), ("direction", c_double * 3), ("coordinate", c_int),
                ("target", c_double), ("constant", c_int), ("constants", ctypes.POINTER(Id)), ("no_critical", c_bool),
                ("stops", c_int), ("stop", ctypes.POINTER(c_double))]


class PaperOptions(ctypes.Structure):
    """LimberPaperOptions: of the schemes exponential_paper and newmark_paper."""
    _fields_ = [("terms", c_int), ("kappa1", c_double), ("kappa2", c_double), ("power1", c_int), ("power2", c_int),
                ("free_start", c_bool)]


class Options(ctypes.Structure):
    """LimberOptions: what a run does. `scheme_name` is its scheme as model files name it."""
    _fields_ = [("cookie", c_int), ("scheme", c_int), ("rho_inf", c_double), ("order", c_int), ("beta", c_double),
                ("step", c_double), ("tolerance", c_double), ("iterations", c_int), ("halvings", c_int), ("literal_jump", c_bool),
                ("end_forces", c_bool), ("equilibrium", c_bool), ("start_memory", c_int), ("linear", c_bool), ("modes", c_int),
                ("paper", PaperOptions), ("control", Control), ("analysis", c_int), ("statics", Statics)]

    @property
    def scheme_name(self) -> str:
        return library.limber_scheme_name(self.scheme).decode()


class JointStructure(ctypes.Structure):
    """LimberJointState."""
    _fields_ = [("rows", c_int), ("multiplier", c_double * 6), ("force", c_double * 3), ("moment", c_double * 3),
                ("reaction", c_double * 6), ("coordinates", c_int),
                *((name, c_double * 4) for name in ("coordinate", "rate", "drive", "spring", "damper", "friction"))]


class EventStructure(ctypes.Structure):
    """LimberEventRecord."""
    _fields_ = [("name", c_char_p), ("time", c_double), ("loss", c_double)]


class LinearOptions(ctypes.Structure):
    """LimberLinearOptions."""
    _fields_ = [("cookie", c_int), ("modes", c_int), ("inputs", c_int), ("input", POINTER(c_char_p)), ("outputs", c_int),
                ("output", POINTER(c_char_p))]


class ResponseOptions(ctypes.Structure):
    """LimberResponseOptions; `from` is a word of Python."""
    _fields_ = [("cookie", c_int), ("start", c_double), ("to", c_double), ("points", c_int), ("spacing", c_int), ("inputs", c_int),
                ("input", POINTER(c_char_p)), ("outputs", c_int), ("output", POINTER(c_char_p))]


class StabilityOptions(ctypes.Structure):
    """LimberStabilityOptions; `from` is a word of Python."""
    _fields_ = [("cookie", c_int), ("vary", c_char_p), ("start", c_double), ("to", c_double), ("unit", c_char_p), ("points", c_int),
                ("digits", c_int), ("modes", c_int), ("time", c_double)]


class Crossing(ctypes.Structure):
    """LimberCrossing."""
    _fields_ = [("kind", c_int), ("value", c_double), ("width", c_double), ("frequency", c_double),
                ("mode", c_char * 256), ("direction", c_char * 256)]


class FloquetOptions(ctypes.Structure):
    """LimberFloquetOptions."""
    _fields_ = [("cookie", c_int), ("period", c_double), ("steps", c_int), ("after", c_double), ("tolerance", c_double)]


class Multiplier(ctypes.Structure):
    """LimberMultiplier."""
    _fields_ = [("real", c_double), ("imag", c_double), ("magnitude", c_double), ("growth", c_double),
                ("frequency", c_double), ("error", c_double), ("largest", c_char_p)]


class Ledger(ctypes.Structure):
    """LimberLedger: the energy ledger."""
    _fields_ = [(name, c_double) for name in (
        "kinetic", "strain", "potential", "memory", "work", "drives", "joints", "damping", "dissipated", "residual",
        "worst_residual", "exchanged", "constraint", "load_factor", "negative")]


class ModesOptions(ctypes.Structure):
    """LimberModesOptions: which modes."""
    _fields_ = [("cookie", c_int), ("count", c_int), ("target", c_double), ("damped", c_int), ("time", c_double), ("along_y", c_char_p),
                ("along_z", c_char_p)]


class ModeStructure(ctypes.Structure):
    """LimberMode."""
    _fields_ = [("re", c_double), ("im", c_double), ("frequency", c_double), ("damping", c_double),
                ("residual", c_double), ("error", c_double * 2), ("effective", c_double * 6), ("whirl", c_double),
                ("name", c_char * 192)]


class CampbellOptions(ctypes.Structure):
    """LimberCampbellOptions."""
    _fields_ = [("cookie", c_int), ("vary", c_char_p), ("from", c_double), ("to", c_double), ("unit", c_char_p), ("steps", c_int),
                ("modes", c_int), ("multiples", c_int), ("multiple", POINTER(c_double))]


class CrossingStructure(ctypes.Structure):
    """LimberCampbellCrossing."""
    _fields_ = [("branch", c_int), ("multiple", c_double), ("value", c_double), ("rate", c_double),
                ("frequency", c_double)]


class SectionStructure(ctypes.Structure):
    """LimberSection."""
    _fields_ = [("at", c_double), ("stiffness", c_double * 36), ("mass", c_double), ("centre", c_double * 2), ("inertia", c_double * 9)]


class SectionFrameStructure(ctypes.Structure):
    """LimberSectionFrame."""
    _fields_ = [("axial", c_double), ("bending", c_double * 2), ("torsion", c_double), ("shear", c_double * 2),
                ("tension_centre", c_double * 2), ("shear_centre", c_double * 2), ("mass_centre", c_double * 2),
                ("inertia", c_double * 2), ("bending_angle", c_double), ("inertia_angle", c_double)]


class StationStructure(ctypes.Structure):
    """LimberStation."""
    _fields_ = [("at", c_double * 3), ("twist", c_double)]


class BladeOptions(ctypes.Structure):
    """LimberBladeOptions."""
    _fields_ = [("cookie", c_int), ("format", c_int), ("part", c_char_p), ("sections", c_char_p), ("about_mass_centre", c_bool)]


class ReadOptions(ctypes.Structure):
    """LimberReadOptions."""
    _fields_ = [("cookie", c_int), ("text", c_char_p), ("changes", c_int), ("change", POINTER(c_char_p)), ("allow_outside", c_bool),
                ("allow_library", c_bool)]


class FieldStructure(ctypes.Structure):
    """LimberField."""
    _fields_ = [("name", c_char_p), ("type", c_int), ("count", c_int), ("unit", c_char_p), ("refers_to", c_char_p),
                ("required", c_bool), ("value", c_double), ("help", c_char_p)]


# LimberPart and LimberFieldType, in their order
PARTS = ("elements", "joints", "loads", "functions", "shapes", "events")
FIELD_TYPES = ("number", "integer", "numbers", "matrix", "rows", "name", "names", "text", "map", "maps", "other",
               "number or map", "flag")

STRUCTURES = {"LimberOutcome": Outcome, "LimberIteration": IterationStructure, "LimberCause": Cause, "LimberOptions": Options, "LimberControl": Control, "LimberPaperOptions": PaperOptions, "LimberStatics": Statics, "LimberLedger": Ledger, "LimberJointState": JointStructure, "LimberEventRecord": EventStructure,
              "LimberLinearOptions": LinearOptions, "LimberResponseOptions": ResponseOptions,
              "LimberField": FieldStructure, "LimberModesOptions": ModesOptions, "LimberMode": ModeStructure,
              "LimberCampbellOptions": CampbellOptions, "LimberCampbellCrossing": CrossingStructure,
              "LimberStabilityOptions": StabilityOptions, "LimberCrossing": Crossing,
              "LimberFloquetOptions": FloquetOptions, "LimberMultiplier": Multiplier,
              "LimberSection": SectionStructure, "LimberSectionFrame": SectionFrameStructure,
              "LimberStation": StationStructure, "LimberBladeOptions": BladeOptions, "LimberReadOptions": ReadOptions}


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
    """The library beside this module, in a build folder or where both are installed; else where the system has it."""
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


_RUN = _MODEL = _FILE = _RECORD = _RESULTS = c_void_p
_ARRAY = POINTER(c_double)

# name: what it returns (None: an error code), what it takes
_FUNCTIONS = {
    "LimberInitialize": (None, [c_void_p, c_void_p]),
    "LimberFinalize": (None, []),
    "LimberAgree": (None, [c_char_p, ctypes.c_uint]),
    "limber_ranks": (c_int, []),
    "limber_rank": (c_int, []),
    "limber_version": (c_char_p, []),
    "limber_error": (c_char_p, []),
    "limber_reason_name": (c_char_p, [c_int]),
    "limber_scheme_name": (c_char_p, [c_int]),
    "limber_cause_name": (c_char_p, [c_int]),
    "limber_kind": (c_char_p, [c_int, c_int]),
    "limber_kind_help": (c_char_p, [c_int, c_char_p]),
    "limber_kind_field": (c_bool, [c_int, c_char_p, c_int, POINTER(FieldStructure)]),
    "limber_kind_word": (c_char_p, [c_int, c_char_p, c_char_p, c_int]),
    "limber_file_options": (Options, [c_void_p]),
    "LimberRunGetLedger": (None, [c_void_p, POINTER(Ledger)]),
    "limber_error_print": (c_int, [c_bool]),
    "limber_model_diagnostics": (c_char_p, [_MODEL]),
    "limber_model_find_node": (Id, [_MODEL, c_char_p]),
    "limber_model_find_element": (Id, [_MODEL, c_char_p]),
    "limber_model_find_joint": (Id, [_MODEL, c_char_p]),
    "limber_model_find_load": (Id, [_MODEL, c_char_p]),
    "limber_model_find_function": (Id, [_MODEL, c_char_p]),
    "limber_model_element_node": (Id, [_MODEL, Id, c_int]),
    "LimberModelSetSignal": (None, [_MODEL, Id, c_double]),
    "limber_run_time": (c_double, [_RUN]),
    "limber_run_remarks": (c_char_p, [_RUN]),
    "limber_run_events": (c_int, [_RUN]),
    "LimberRunGetEvent": (None, [_RUN, c_int, POINTER(EventStructure)]),
    "limber_run_finished": (c_bool, [_RUN]),
    "LimberRunGetFound": (None, [_RUN, ctypes.c_size_t, c_char_p]),
    "LimberRunStep": (None, [_RUN, POINTER(Outcome)]),
    "LimberRunSetMonitor": (None, [_RUN, MONITOR, c_void_p]),
    "LimberRunSave": (None, [_RUN, POINTER(c_void_p), POINTER(ctypes.c_size_t)]),
    "LimberRunRestore": (None, [_RUN, c_void_p, ctypes.c_size_t]),
    "limber_state_free": (c_int, [POINTER(c_void_p)]),
    "LimberRunDestroy": (None, [POINTER(_RUN)]),
    "LimberRunGetNode": (None, [_RUN, Id, _ARRAY, _ARRAY, _ARRAY, _ARRAY]),
    "LimberRunGetStation": (None, [_RUN, Id, c_double, _ARRAY, _ARRAY, _ARRAY, _ARRAY]),
    "LimberRunGetJoint": (None, [_RUN, Id, POINTER(JointStructure)]),
    "LimberRunGetLoad": (None, [_RUN, Id, _ARRAY, _ARRAY]),
    "limber_read_options_default": (ReadOptions, []),
    "LimberFileRead": (None, [c_char_p, POINTER(ReadOptions), POINTER(_FILE)]),
    "LimberFileDestroy": (None, [POINTER(_FILE)]),
    "limber_file_errors": (c_int, [_FILE]),
    "limber_file_diagnostics": (c_char_p, [_FILE]),
    "limber_file_model": (c_void_p, [_FILE]),
    "limber_file_end": (c_double, [_FILE]),
    "limber_file_steps": (c_longlong, [_FILE]),
    "LimberFileStart": (None, [_FILE, POINTER(_RUN)]),
    "LimberFileStartStatic": (None, [_FILE, POINTER(_RUN)]),
    "LimberRecordCreate": (None, [_FILE, POINTER(_RECORD)]),
    "LimberRecordDestroy": (None, [POINTER(_RECORD)]),
    "limber_record_columns": (c_int, [_RECORD]),
    "limber_record_name": (c_char_p, [_RECORD, c_int]),
    "limber_record_units": (c_char_p, [_RECORD, c_int]),
    "LimberRecordRow": (None, [_RECORD, _RUN, POINTER(Outcome), _ARRAY]),
    "LimberRecordSave": (None, [_RECORD, POINTER(c_void_p), POINTER(ctypes.c_size_t)]),
    "LimberRecordRestore": (None, [_RECORD, c_void_p, ctypes.c_size_t]),
    "LimberResultsCreate": (None, [_FILE, _RUN, c_char_p, c_bool, POINTER(_RESULTS)]),
    "LimberResultsStep": (None, [_RESULTS, _RUN, POINTER(Outcome)]),
    "LimberResultsClose": (None, [POINTER(_RESULTS), _RUN, c_int]),
    "LimberRepeaterCreate": (None, [c_char_p, POINTER(ReadOptions), POINTER(c_void_p)]),
    "LimberRepeaterDestroy": (None, [POINTER(c_void_p)]),
    "LimberRepeaterRun": (None, [c_void_p, c_int, POINTER(c_char_p), POINTER(Outcome)]),
    "limber_repeater_problem": (c_char_p, [c_void_p]),
    "limber_repeater_record": (c_void_p, [c_void_p]),
    "limber_repeater_rows": (c_int, [c_void_p]),
    "limber_repeater_history": (_ARRAY, [c_void_p]),
    "limber_file_modes_options": (ModesOptions, [_FILE]),
    "LimberModesCreate": (None, [_MODEL, POINTER(ModesOptions), POINTER(c_void_p)]),
    "LimberModesDestroy": (None, [POINTER(c_void_p)]),
    "limber_modes_count": (c_int, [c_void_p]),
    "limber_modes_rigid": (c_int, [c_void_p]),
    "limber_modes_remarks": (c_char_p, [c_void_p]),
    "LimberModesGet": (None, [c_void_p, c_int, POINTER(ModeStructure)]),
    "LimberModesGetNode": (None, [c_void_p, c_int, Id, _ARRAY, _ARRAY]),
    "LimberModesGetElement": (None, [c_void_p, c_int, Id, _ARRAY, _ARRAY]),
    "LimberModesGetJoint": (None, [c_void_p, c_int, Id, _ARRAY]),
    "LimberCampbellCreate": (None, [_FILE, POINTER(CampbellOptions), POINTER(c_void_p)]),
    "LimberCampbellDestroy": (None, [POINTER(c_void_p)]),
    "limber_campbell_rows": (c_int, [c_void_p]),
    "limber_campbell_modes": (c_int, [c_void_p]),
    "limber_campbell_value": (c_double, [c_void_p, c_int]),
    "limber_campbell_rate": (c_double, [c_void_p, c_int]),
    "limber_campbell_eigenvalue": (c_int, [c_void_p, c_int, c_int, _ARRAY]),
    "limber_campbell_name": (c_char_p, [c_void_p, c_int]),
    "limber_campbell_crossings": (c_int, [c_void_p]),
    "limber_campbell_crossing": (CrossingStructure, [c_void_p, c_int]),
    "limber_campbell_remarks": (c_char_p, [c_void_p]),
    "limber_file_linear_options": (LinearOptions, [_FILE]),
    "LimberLinearCreate": (None, [_FILE, POINTER(LinearOptions), POINTER(c_void_p)]),
    "LimberLinearDestroy": (None, [POINTER(c_void_p)]),
    "limber_linear_wrong": (c_char_p, [c_void_p]),
    "limber_linear_remarks": (c_char_p, [c_void_p]),
    "limber_linear_count": (c_int, [c_void_p, c_int]),
    "limber_linear_name": (c_char_p, [c_void_p, c_int, c_int]),
    "limber_linear_units": (c_char_p, [c_void_p, c_int, c_int]),
    "limber_linear_at": (c_double, [c_void_p, c_int, c_int]),
    "limber_linear_matrix": (_ARRAY, [c_void_p, c_char, POINTER(c_int), POINTER(c_int)]),
    "LimberLinearWrite": (None, [c_void_p, c_char_p, c_int, c_bool]),
    "limber_file_response_options": (ResponseOptions, [_FILE]),
    "LimberResponseCreate": (None, [_FILE, POINTER(ResponseOptions), POINTER(c_void_p)]),
    "LimberResponseDestroy": (None, [POINTER(c_void_p)]),
    "limber_response_wrong": (c_char_p, [c_void_p]),
    "limber_response_count": (c_int, [c_void_p, POINTER(c_int), POINTER(c_int), POINTER(c_int)]),
    "limber_response_frequency": (c_double, [c_void_p, c_int]),
    "limber_response_name": (c_char_p, [c_void_p, c_int, c_int]),
    "limber_response_units": (c_char_p, [c_void_p, c_int, c_int]),
    "limber_response_value": (c_int, [c_void_p, c_int, c_int, c_int, POINTER(c_double), POINTER(c_double)]),
    "LimberResponseWrite": (None, [c_void_p, c_char_p, c_bool]),
    "limber_file_stability_options": (StabilityOptions, [_FILE]),
    "LimberStabilityCreate": (None, [_FILE, POINTER(StabilityOptions), POINTER(c_void_p)]),
    "LimberStabilityDestroy": (None, [POINTER(c_void_p)]),
    "limber_stability_crossing": (Crossing, [c_void_p]),
    "limber_stability_rows": (c_int, [c_void_p]),
    "limber_stability_modes": (c_int, [c_void_p]),
    "limber_stability_value": (c_double, [c_void_p, c_int]),
    "limber_stability_eigenvalue": (c_int, [c_void_p, c_int, c_int, _ARRAY]),
    "limber_stability_remarks": (c_char_p, [c_void_p]),
    "limber_file_floquet_options": (FloquetOptions, [_FILE]),
    "LimberFloquetCreate": (None, [_MODEL, POINTER(FloquetOptions), POINTER(c_void_p)]),
    "LimberFloquetDestroy": (None, [POINTER(c_void_p)]),
    "limber_floquet_count": (c_int, [c_void_p]),
    "limber_floquet_multiplier": (Multiplier, [c_void_p, c_int]),
    "limber_floquet_closure": (c_double, [c_void_p]),
    "limber_floquet_repeats": (c_bool, [c_void_p]),
    "limber_floquet_verdict": (c_int, [c_void_p]),
    "limber_blade_options_default": (BladeOptions, []),
    "LimberBladeRead": (None, [c_char_p, POINTER(BladeOptions), POINTER(c_void_p)]),
    "LimberBladeDestroy": (None, [POINTER(c_void_p)]),
    "limber_blade_errors": (c_int, [c_void_p]),
    "limber_blade_diagnostics": (c_char_p, [c_void_p]),
    "limber_blade_format": (c_char_p, [c_void_p]),
    "limber_blade_stations": (c_int, [c_void_p, POINTER(POINTER(StationStructure))]),
    "limber_blade_sections": (c_int, [c_void_p, POINTER(POINTER(SectionStructure))]),
    "limber_blade_asymmetry": (c_double, [c_void_p, c_int]),
    "limber_blade_chord": (c_double, [c_void_p, c_int]),
    "limber_blade_damping": (_ARRAY, [c_void_p]),
    "limber_blade_remarks": (c_char_p, [c_void_p]),
    "LimberStudyOpen": (None, [c_char_p, POINTER(c_void_p)]),
    "LimberStudyClose": (None, [POINTER(c_void_p)]),
    "limber_study_runs": (c_longlong, [c_void_p]),
    "limber_study_first": (c_longlong, [c_void_p]),
    "limber_study_columns": (c_int, [c_void_p]),
    "limber_study_name": (c_char_p, [c_void_p, c_int]),
    "limber_study_units": (c_char_p, [c_void_p, c_int]),
    "limber_study_kind": (c_int, [c_void_p, c_int]),
    "LimberStudyRead": (None, [c_void_p, c_int, c_longlong, c_longlong, _ARRAY]),
    "limber_study_status": (c_char_p, [c_void_p, c_int]),
    "LimberStudyGetCulprit": (None, [c_void_p, c_longlong, ctypes.c_size_t, c_char_p]),
    "LimberStudyGetChange": (None, [c_void_p, c_longlong, c_int, ctypes.c_size_t, c_char_p]),
    "LimberStudyGetText": (None, [c_void_p, c_char_p, ctypes.c_size_t, c_char_p]),
    "limber_section_frame": (c_bool, [POINTER(SectionStructure), POINTER(SectionFrameStructure)]),
}


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
        for function, (result, arguments) in _FUNCTIONS.items():
            f = getattr(dll, function)
            f.argtypes, f.restype = arguments, c_int if result is None else result
            if result is None:
                f.errcheck = _check
            elif result is Id:
                f.errcheck = _index
            setattr(self, function, self._call(f, function in _COLLECTIVE))
        self.abort = dll.limber_abort  # of any thread
        self.abort.argtypes, self.abort.restype = [c_int], None
        words = (c_char_p * 3)(sys.argv[0].encode() or b"python3", b"-no_signal_handler", None)
        count, start = c_int(2), ctypes.cast(words, c_void_p)
        self.limber_error_print(0)
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
        """Ends what a handle stands for; a process that was forked only forgets it."""
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
        for name in _FUNCTIONS:
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
