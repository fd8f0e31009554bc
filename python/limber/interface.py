# SPDX-License-Identifier: Apache-2.0
"""Structures and functions of the public headers for ctypes. Made by python/generate.py."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_int, c_long, c_longlong, c_size_t, c_uint, c_void_p
from typing import Any

ERROR_CODE = object()  # what a function returns that fails with a code


class Id(ctypes.Structure):
    """LimberNodeId and the like: functions take and return it by value. In Python it is an int, LIMBER_NONE is -1."""
    _fields_ = [("index", c_int)]

    @classmethod
    def from_param(cls, index):
        return cls(index)


class LimberWave(ctypes.Structure):
    _fields_ = [("joint", Id), ("coordinate", c_char_p), ("node", Id), ("mass", c_double),
                ("impedance", c_double)]


class LimberPaperOptions(ctypes.Structure):
    _fields_ = [("terms", c_int), ("kappa1", c_double), ("kappa2", c_double), ("power1", c_int),
                ("power2", c_int), ("free_start", c_bool)]


class LimberControl(ctypes.Structure):
    _fields_ = [("on", c_bool), ("loss", c_double), ("smallest", c_double), ("largest", c_double),
                ("end", c_double), ("meet", c_double * 2)]
    on: bool
    loss: float
    smallest: float
    largest: float
    end: float
    meet: Any


class LimberStatics(ctypes.Structure):
    _fields_ = [("to", c_double), ("step", c_double), ("smallest", c_double), ("largest", c_double),
                ("steps", c_int), ("time", c_double), ("control", c_int), ("node", Id), ("joint", Id),
                ("direction", c_double * 3), ("coordinate", c_int), ("target", c_double), ("constant", c_int),
                ("constants", POINTER(Id)), ("no_critical", c_bool), ("stops", c_int),
                ("stop", POINTER(c_double))]
    to: float
    step: float
    smallest: float
    largest: float
    steps: int
    time: float
    control: int
    node: Any
    joint: Any
    direction: Any
    coordinate: int
    target: float
    constant: int
    constants: Any
    no_critical: bool
    stops: int
    stop: Any


class LimberOptions(ctypes.Structure):
    _fields_ = [("cookie", c_int), ("scheme", c_int), ("rho_inf", c_double), ("order", c_int), ("beta", c_double),
                ("step", c_double), ("tolerance", c_double), ("iterations", c_int), ("halvings", c_int),
                ("literal_jump", c_bool), ("end_forces", c_bool), ("equilibrium", c_bool),
                ("start_increments", c_int), ("momentum", c_int), ("linear", c_bool), ("modes", c_int),
                ("paper", LimberPaperOptions), ("control", LimberControl), ("analysis", c_int),
                ("statics", LimberStatics)]
    cookie: int
    scheme: int
    rho_inf: float
    order: int
    beta: float
    step: float
    tolerance: float
    iterations: int
    halvings: int
    literal_jump: bool
    end_forces: bool
    equilibrium: bool
    start_increments: int
    momentum: int
    linear: bool
    modes: int
    paper: LimberPaperOptions
    control: LimberControl
    analysis: int
    statics: LimberStatics


class LimberCause(ctypes.Structure):
    _fields_ = [("kind", c_int), ("index", c_int), ("name", c_char * 256)]
    kind: int
    index: int
    name: Any


class LimberOutcome(ctypes.Structure):
    _fields_ = [("reason", c_int), ("time", c_double), ("iterations", c_int), ("substeps", c_int),
                ("rejected", c_int), ("step", c_double), ("cause", LimberCause), ("unbalanced", c_double),
                ("rotation", c_double)]
    reason: int
    time: float
    iterations: int
    substeps: int
    rejected: int
    step: float
    cause: LimberCause
    unbalanced: float
    rotation: float


class LimberIteration(ctypes.Structure):
    _fields_ = [("step", c_longlong), ("time", c_double), ("iteration", c_int), ("new_tangent", c_bool),
                ("residual", c_double), ("accepted", c_double), ("correction", c_double),
                ("residual_at", LimberCause), ("correction_at", LimberCause)]


LimberMonitor = ctypes.CFUNCTYPE(None, POINTER(LimberIteration), c_void_p)


class LimberLedger(ctypes.Structure):
    _fields_ = [("kinetic", c_double), ("strain", c_double), ("potential", c_double), ("scheme_energy", c_double),
                ("work", c_double), ("drives", c_double), ("joints", c_double), ("damping", c_double),
                ("dissipated", c_double), ("residual", c_double), ("worst_residual", c_double),
                ("exchanged", c_double), ("constraint", c_double), ("momentum_error", c_double),
                ("angular_momentum_error", c_double), ("worst_momentum_error", c_double),
                ("worst_angular_momentum_error", c_double), ("momentum_scale", c_double),
                ("angular_momentum_scale", c_double), ("load_factor", c_double), ("negative", c_double),
                ("wind", c_double), ("aerodynamic_damping", c_double), ("wind_power", c_double),
                ("port_work", c_double), ("ports", c_double), ("port_loss", c_double), ("exchange", c_double)]
    kinetic: float
    strain: float
    potential: float
    scheme_energy: float
    work: float
    drives: float
    joints: float
    damping: float
    dissipated: float
    residual: float
    worst_residual: float
    exchanged: float
    constraint: float
    momentum_error: float
    angular_momentum_error: float
    worst_momentum_error: float
    worst_angular_momentum_error: float
    momentum_scale: float
    angular_momentum_scale: float
    load_factor: float
    negative: float
    wind: float
    aerodynamic_damping: float
    wind_power: float
    port_work: float
    ports: float
    port_loss: float
    exchange: float


class LimberSectionForces(ctypes.Structure):
    _fields_ = [("rows", c_int), ("strain", c_double * 6), ("force", c_double * 6)]


class LimberJointState(ctypes.Structure):
    _fields_ = [("rows", c_int), ("multiplier", c_double * 6), ("force", c_double * 3), ("moment", c_double * 3),
                ("reaction", c_double * 6), ("coordinates", c_int), ("coordinate", c_double * 4),
                ("rate", c_double * 4), ("drive", c_double * 4), ("spring", c_double * 4),
                ("damper", c_double * 4), ("friction", c_double * 4)]


class LimberEventRecord(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("time", c_double), ("loss", c_double)]


class LimberBladeOptions(ctypes.Structure):
    _fields_ = [("cookie", c_int), ("format", c_int), ("part", c_char_p), ("sections", c_char_p),
                ("about_mass_centre", c_bool), ("torsion", c_double), ("stretch", c_double)]


class LimberStation(ctypes.Structure):
    _fields_ = [("at", c_double * 3), ("twist", c_double)]


class LimberSection(ctypes.Structure):
    _fields_ = [("at", c_double), ("stiffness", c_double * 36), ("mass", c_double), ("centre", c_double * 2),
                ("inertia", c_double * 9)]


class LimberReadOptions(ctypes.Structure):
    _fields_ = [("cookie", c_int), ("text", c_char_p), ("changes", c_int), ("change", POINTER(c_char_p)),
                ("allow_outside", c_bool), ("allow_library", c_bool)]


class LimberModesOptions(ctypes.Structure):
    _fields_ = [("cookie", c_int), ("count", c_int), ("target", c_double), ("damped", c_int), ("time", c_double),
                ("bending_y", c_char_p), ("bending_z", c_char_p)]


class LimberMode(ctypes.Structure):
    _fields_ = [("re", c_double), ("im", c_double), ("frequency", c_double), ("damping", c_double),
                ("residual", c_double), ("error", c_double * 2), ("effective", c_double * 6), ("whirl", c_double),
                ("rotor_frequency", c_double), ("name", c_char * 192)]


class LimberCampbellOptions(ctypes.Structure):
    _fields_ = [("cookie", c_int), ("vary", c_char_p), ("from", c_double), ("to", c_double), ("unit", c_char_p),
                ("steps", c_int), ("modes", c_int), ("multiples", c_int), ("multiple", POINTER(c_double))]


class LimberCampbellCrossing(ctypes.Structure):
    _fields_ = [("branch", c_int), ("multiple", c_double), ("value", c_double), ("rate", c_double),
                ("frequency", c_double)]


class LimberErrorBar(ctypes.Structure):
    _fields_ = [("column", c_char_p), ("units", c_char_p), ("measure", c_int), ("verdict", c_int),
                ("value", c_double), ("error", c_double), ("relative", c_double), ("spread", c_double),
                ("order", c_double), ("mesh", c_double)]


class LimberField(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("type", c_int), ("count", c_int), ("unit", c_char_p),
                ("refers_to", c_char_p), ("required", c_bool), ("value", c_double), ("help", c_char_p)]


class LimberFloquetOptions(ctypes.Structure):
    _fields_ = [("cookie", c_int), ("period", c_double), ("steps", c_int), ("after", c_double),
                ("tolerance", c_double), ("count", c_int)]


class LimberMultiplier(ctypes.Structure):
    _fields_ = [("real", c_double), ("imag", c_double), ("magnitude", c_double), ("growth", c_double),
                ("frequency", c_double), ("error", c_double), ("largest", c_char_p)]


class LimberFmuOptions(ctypes.Structure):
    _fields_ = [("cookie", c_int), ("allow_library", c_bool), ("interface", c_int), ("tolerance", c_double)]


class LimberFmuDescription(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("version", c_int), ("co_simulation", c_bool), ("model_exchange", c_bool),
                ("interface", c_int), ("can_save", c_bool), ("variable_step", c_bool), ("variables", c_int),
                ("start", c_double), ("stop", c_double), ("step", c_double), ("tolerance", c_double)]


class LimberFmuVariable(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("type", c_char_p), ("causality", c_int),
                ("number", c_bool), ("settable", c_bool), ("start", c_double)]


class LimberGradientOptions(ctypes.Structure):
    _fields_ = [("cookie", c_int), ("quantities", c_int), ("quantity", POINTER(c_char_p)), ("parameters", c_int),
                ("parameter", POINTER(c_char_p)), ("method", c_int), ("check", c_bool), ("states", c_int)]


class LimberDerivative(ctypes.Structure):
    _fields_ = [("value", c_double), ("error", c_double), ("elasticity", c_double), ("check", c_double),
                ("check_error", c_double)]


class LimberLinearOptions(ctypes.Structure):
    _fields_ = [("cookie", c_int), ("modes", c_int), ("inputs", c_int), ("input", POINTER(c_char_p)),
                ("outputs", c_int), ("output", POINTER(c_char_p))]


class LimberPort(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("waves", c_int), ("mass", c_double), ("impedance", c_double),
                ("largest_mass", c_double), ("step", c_double), ("velocity", c_double * 3)]


class LimberPortState(ctypes.Structure):
    _fields_ = [("in", c_double * 3), ("out", c_double * 3), ("force", c_double * 3), ("moved", c_double * 3),
                ("gap", c_double * 3)]


class LimberBondState(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("flow", c_double), ("effort", c_double), ("force", c_double),
                ("moved", c_double), ("exchange", c_double)]


class LimberConnection(ctypes.Structure):
    _fields_ = [("run", c_int * 2), ("port", Id * 2), ("sign", c_double)]


class LimberCoupleOptions(ctypes.Structure):
    _fields_ = [("cookie", c_int), ("changes", c_int), ("change", POINTER(c_char_p)), ("resume", c_bool),
                ("allow_library", c_bool), ("overwrite", c_bool)]


class LimberResponseOptions(ctypes.Structure):
    _fields_ = [("cookie", c_int), ("from", c_double), ("to", c_double), ("points", c_int), ("spacing", c_int),
                ("inputs", c_int), ("input", POINTER(c_char_p)), ("outputs", c_int),
                ("output", POINTER(c_char_p))]


class LimberSectionFrame(ctypes.Structure):
    _fields_ = [("axial", c_double), ("bending", c_double * 2), ("torsion", c_double), ("shear", c_double * 2),
                ("tension_centre", c_double * 2), ("shear_centre", c_double * 2), ("mass_centre", c_double * 2),
                ("inertia", c_double * 2), ("bending_angle", c_double), ("inertia_angle", c_double)]


class LimberStabilityOptions(ctypes.Structure):
    _fields_ = [("cookie", c_int), ("vary", c_char_p), ("from", c_double), ("to", c_double), ("unit", c_char_p),
                ("points", c_int), ("digits", c_int), ("modes", c_int), ("time", c_double)]


class LimberCrossing(ctypes.Structure):
    _fields_ = [("kind", c_int), ("value", c_double), ("width", c_double), ("frequency", c_double),
                ("mode", c_char * 256), ("direction", c_char * 256)]


STRUCTURES: dict[str, Any] = {"LimberWave": LimberWave, "LimberPaperOptions": LimberPaperOptions,
    "LimberControl": LimberControl, "LimberStatics": LimberStatics, "LimberOptions": LimberOptions,
    "LimberCause": LimberCause, "LimberOutcome": LimberOutcome, "LimberIteration": LimberIteration,
    "LimberLedger": LimberLedger, "LimberSectionForces": LimberSectionForces,
    "LimberJointState": LimberJointState, "LimberEventRecord": LimberEventRecord,
    "LimberBladeOptions": LimberBladeOptions, "LimberStation": LimberStation, "LimberSection": LimberSection,
    "LimberReadOptions": LimberReadOptions, "LimberModesOptions": LimberModesOptions,
    "LimberMode": LimberMode, "LimberCampbellOptions": LimberCampbellOptions,
    "LimberCampbellCrossing": LimberCampbellCrossing, "LimberErrorBar": LimberErrorBar,
    "LimberField": LimberField, "LimberFloquetOptions": LimberFloquetOptions,
    "LimberMultiplier": LimberMultiplier, "LimberFmuOptions": LimberFmuOptions,
    "LimberFmuDescription": LimberFmuDescription, "LimberFmuVariable": LimberFmuVariable,
    "LimberGradientOptions": LimberGradientOptions, "LimberDerivative": LimberDerivative,
    "LimberLinearOptions": LimberLinearOptions, "LimberPort": LimberPort, "LimberPortState": LimberPortState,
    "LimberBondState": LimberBondState, "LimberConnection": LimberConnection,
    "LimberCoupleOptions": LimberCoupleOptions, "LimberResponseOptions": LimberResponseOptions,
    "LimberSectionFrame": LimberSectionFrame, "LimberStabilityOptions": LimberStabilityOptions,
    "LimberCrossing": LimberCrossing}

# name: what it returns, what it takes
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "LimberModelDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "LimberModelSetVelocity": (ERROR_CODE, [c_void_p, Id, POINTER(c_double), POINTER(c_double)]),
    "LimberModelSetRigidVelocity": (ERROR_CODE, [c_void_p, POINTER(c_double), POINTER(c_double)]),
    "limber_wave_default": (LimberWave, []),
    "limber_model_find_node": (Id, [c_void_p, c_char_p]),
    "limber_model_find_element": (Id, [c_void_p, c_char_p]),
    "limber_model_find_joint": (Id, [c_void_p, c_char_p]),
    "limber_model_find_load": (Id, [c_void_p, c_char_p]),
    "limber_model_find_function": (Id, [c_void_p, c_char_p]),
    "limber_model_element_node": (Id, [c_void_p, Id, c_int]),
    "limber_model_element_points": (c_int, [c_void_p, Id]),
    "limber_model_nodes": (c_int, [c_void_p]),
    "limber_model_diagnostics": (c_char_p, [c_void_p]),
    "limber_model_error": (c_char_p, [c_void_p]),
    "LimberModelSetSignal": (ERROR_CODE, [c_void_p, Id, c_double]),
    "limber_reason_name": (c_char_p, [c_int]),
    "limber_cause_name": (c_char_p, [c_int]),
    "limber_scheme_name": (c_char_p, [c_int]),
    "limber_scheme_find": (c_int, [c_char_p]),
    "limber_options_default": (LimberOptions, []),
    "LimberRunCreate": (ERROR_CODE, [c_void_p, POINTER(LimberOptions), POINTER(c_void_p)]),
    "LimberRunDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "LimberRunStep": (ERROR_CODE, [c_void_p, POINTER(LimberOutcome)]),
    "LimberRunStepTo": (ERROR_CODE, [c_void_p, c_double, POINTER(LimberOutcome)]),
    "LimberRunSetMonitor": (ERROR_CODE, [c_void_p, LimberMonitor, c_void_p]),
    "LimberRunSave": (ERROR_CODE, [c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "LimberRunRestore": (ERROR_CODE, [c_void_p, c_void_p, c_size_t]),
    "limber_state_free": (None, [POINTER(c_void_p)]),
    "limber_run_finished": (c_bool, [c_void_p]),
    "limber_run_time": (c_double, [c_void_p]),
    "limber_run_remarks": (c_char_p, [c_void_p]),
    "LimberRunGetFound": (ERROR_CODE, [c_void_p, c_size_t, c_char_p]),
    "LimberRunGetLedger": (ERROR_CODE, [c_void_p, POINTER(LimberLedger)]),
    "LimberRunGetLoadWork": (ERROR_CODE, [c_void_p, Id, POINTER(c_double)]),
    "LimberRunGetNode": (ERROR_CODE, [c_void_p, Id, POINTER(c_double), POINTER(c_double), POINTER(c_double),
        POINTER(c_double)]),
    "LimberRunGetStation": (ERROR_CODE, [c_void_p, Id, c_double, POINTER(c_double), POINTER(c_double),
        POINTER(c_double), POINTER(c_double)]),
    "LimberRunGetForces": (ERROR_CODE, [c_void_p, Id, c_int, POINTER(LimberSectionForces)]),
    "LimberRunGetStationForces": (ERROR_CODE, [c_void_p, Id, c_double, POINTER(LimberSectionForces)]),
    "LimberRunGetJoint": (ERROR_CODE, [c_void_p, Id, POINTER(LimberJointState)]),
    "LimberRunGetLoad": (ERROR_CODE, [c_void_p, Id, POINTER(c_double), POINTER(c_double)]),
    "LimberRunGetEnergy": (ERROR_CODE, [c_void_p, Id, POINTER(c_double), POINTER(c_double),
        POINTER(c_double)]),
    "LimberRunGetMomentum": (ERROR_CODE, [c_void_p, POINTER(c_double), POINTER(c_double)]),
    "limber_run_events": (c_int, [c_void_p]),
    "LimberRunGetEvent": (ERROR_CODE, [c_void_p, c_int, POINTER(LimberEventRecord)]),
    "limber_run_unknowns": (c_long, [c_void_p]),
    "limber_blade_options_default": (LimberBladeOptions, []),
    "LimberBladeRead": (ERROR_CODE, [c_char_p, POINTER(LimberBladeOptions), POINTER(c_void_p)]),
    "LimberBladeDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_blade_errors": (c_int, [c_void_p]),
    "limber_blade_diagnostics": (c_char_p, [c_void_p]),
    "limber_blade_format": (c_char_p, [c_void_p]),
    "limber_blade_stations": (c_int, [c_void_p, POINTER(POINTER(LimberStation))]),
    "limber_blade_sections": (c_int, [c_void_p, POINTER(POINTER(LimberSection))]),
    "limber_blade_asymmetry": (c_double, [c_void_p, c_int]),
    "limber_blade_chord": (c_double, [c_void_p, c_int]),
    "limber_blade_damping": (POINTER(c_double), [c_void_p]),
    "limber_blade_remarks": (c_char_p, [c_void_p]),
    "limber_read_options_default": (LimberReadOptions, []),
    "LimberFileRead": (ERROR_CODE, [c_char_p, POINTER(LimberReadOptions), POINTER(c_void_p)]),
    "LimberFileDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_file_errors": (c_int, [c_void_p]),
    "limber_file_diagnostics": (c_char_p, [c_void_p]),
    "limber_file_model": (c_void_p, [c_void_p]),
    "limber_file_options": (LimberOptions, [c_void_p]),
    "limber_file_end": (c_double, [c_void_p]),
    "limber_file_steps": (c_longlong, [c_void_p]),
    "LimberFileStart": (ERROR_CODE, [c_void_p, POINTER(c_void_p)]),
    "LimberFileStartStatic": (ERROR_CODE, [c_void_p, POINTER(c_void_p)]),
    "LimberFileWriteFmu": (ERROR_CODE, [c_void_p, c_char_p, c_int, c_bool]),
    "LimberRecordCreate": (ERROR_CODE, [c_void_p, POINTER(c_void_p)]),
    "LimberRecordDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_record_columns": (c_int, [c_void_p]),
    "limber_record_name": (c_char_p, [c_void_p, c_int]),
    "limber_record_units": (c_char_p, [c_void_p, c_int]),
    "LimberRecordRow": (ERROR_CODE, [c_void_p, c_void_p, POINTER(LimberOutcome), POINTER(c_double)]),
    "LimberRecordSave": (ERROR_CODE, [c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "LimberRecordRestore": (ERROR_CODE, [c_void_p, c_void_p, c_size_t]),
    "LimberResultsCreate": (ERROR_CODE, [c_void_p, c_void_p, c_char_p, c_bool, POINTER(c_void_p)]),
    "LimberResultsStep": (ERROR_CODE, [c_void_p, c_void_p, POINTER(LimberOutcome)]),
    "LimberResultsClose": (ERROR_CODE, [POINTER(c_void_p), c_void_p, c_int]),
    "LimberHistoryOpen": (ERROR_CODE, [c_char_p, POINTER(c_void_p)]),
    "LimberHistoryClose": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_history_rows": (c_int, [c_void_p]),
    "limber_history_columns": (c_int, [c_void_p]),
    "limber_history_name": (c_char_p, [c_void_p, c_int]),
    "limber_history_units": (c_char_p, [c_void_p, c_int]),
    "limber_history_find": (c_int, [c_void_p, c_char_p]),
    "limber_history_error": (c_double, [c_void_p, c_int, c_char_p]),
    "LimberHistoryRead": (ERROR_CODE, [c_void_p, c_int, c_int, c_int, POINTER(c_double)]),
    "limber_modes_options_default": (LimberModesOptions, []),
    "limber_file_modes_options": (LimberModesOptions, [c_void_p]),
    "LimberModesCreate": (ERROR_CODE, [c_void_p, POINTER(LimberModesOptions), POINTER(c_void_p)]),
    "LimberModesDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_modes_count": (c_int, [c_void_p]),
    "limber_modes_rigid": (c_int, [c_void_p]),
    "LimberModesGet": (ERROR_CODE, [c_void_p, c_int, POINTER(LimberMode)]),
    "LimberModesGetNode": (ERROR_CODE, [c_void_p, c_int, Id, POINTER(c_double), POINTER(c_double)]),
    "LimberModesGetElement": (ERROR_CODE, [c_void_p, c_int, Id, POINTER(c_double), POINTER(c_double)]),
    "LimberModesGetJoint": (ERROR_CODE, [c_void_p, c_int, Id, POINTER(c_double)]),
    "limber_modes_remarks": (c_char_p, [c_void_p]),
    "limber_campbell_options_default": (LimberCampbellOptions, []),
    "limber_file_campbell_options": (LimberCampbellOptions, [c_void_p]),
    "LimberCampbellCreate": (ERROR_CODE, [c_void_p, POINTER(LimberCampbellOptions), POINTER(c_void_p)]),
    "LimberCampbellDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_campbell_rows": (c_int, [c_void_p]),
    "limber_campbell_modes": (c_int, [c_void_p]),
    "limber_campbell_value": (c_double, [c_void_p, c_int]),
    "limber_campbell_rate": (c_double, [c_void_p, c_int]),
    "limber_campbell_eigenvalue": (None, [c_void_p, c_int, c_int, POINTER(c_double)]),
    "limber_campbell_rotor_frequency": (c_double, [c_void_p, c_int, c_int]),
    "limber_campbell_name": (c_char_p, [c_void_p, c_int]),
    "limber_campbell_crossings": (c_int, [c_void_p]),
    "limber_campbell_crossing": (LimberCampbellCrossing, [c_void_p, c_int]),
    "limber_campbell_remarks": (c_char_p, [c_void_p]),
    "LimberConverge": (ERROR_CODE, [c_char_p, c_double, c_int, c_bool, c_int, POINTER(c_char_p),
        POINTER(c_void_p)]),
    "LimberConvergenceDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_convergence_rows": (c_int, [c_void_p]),
    "LimberConvergenceGetRow": (ERROR_CODE, [c_void_p, c_int, POINTER(LimberErrorBar)]),
    "limber_convergence_step": (c_double, [c_void_p]),
    "limber_convergence_horizon": (c_double, [c_void_p]),
    "limber_kind": (c_char_p, [c_int, c_int]),
    "limber_kind_help": (c_char_p, [c_int, c_char_p]),
    "limber_kind_field": (c_bool, [c_int, c_char_p, c_int, POINTER(LimberField)]),
    "limber_kind_word": (c_char_p, [c_int, c_char_p, c_char_p, c_int]),
    "LimberFitCreate": (ERROR_CODE, [c_void_p, POINTER(c_void_p)]),
    "LimberFitDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_fit_parameters": (c_int, [c_void_p]),
    "limber_fit_name": (c_char_p, [c_void_p, c_int]),
    "limber_fit_unit": (c_char_p, [c_void_p, c_int]),
    "limber_fit_value": (c_double, [c_void_p, c_int]),
    "limber_fit_error": (c_double, [c_void_p, c_int]),
    "limber_fit_half_step_change": (c_double, [c_void_p, c_int]),
    "limber_fit_correlation": (c_double, [c_void_p, c_int, c_int]),
    "limber_fit_chi_square": (c_double, [c_void_p]),
    "limber_fit_freedom": (c_int, [c_void_p]),
    "limber_fit_unknown": (c_int, [c_void_p]),
    "limber_fit_direction": (c_double, [c_void_p, c_int, c_int]),
    "limber_fit_points": (c_int, [c_void_p]),
    "limber_fit_measured": (c_double, [c_void_p, c_int]),
    "limber_fit_fitted": (c_double, [c_void_p, c_int]),
    "limber_fit_remarks": (c_char_p, [c_void_p]),
    "limber_floquet_options_default": (LimberFloquetOptions, []),
    "limber_file_floquet_options": (LimberFloquetOptions, [c_void_p]),
    "LimberFloquetCreate": (ERROR_CODE, [c_void_p, POINTER(LimberFloquetOptions), POINTER(c_void_p)]),
    "LimberFloquetDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_floquet_count": (c_int, [c_void_p]),
    "limber_floquet_multiplier": (LimberMultiplier, [c_void_p, c_int]),
    "limber_floquet_closure": (c_double, [c_void_p]),
    "limber_floquet_repeats": (c_bool, [c_void_p]),
    "limber_floquet_verdict": (c_int, [c_void_p]),
    "limber_fmu_options_default": (LimberFmuOptions, []),
    "LimberFmuOpen": (ERROR_CODE, [c_char_p, POINTER(LimberFmuOptions), POINTER(c_void_p)]),
    "LimberFmuClose": (ERROR_CODE, [POINTER(c_void_p)]),
    "LimberFmuGetDescription": (ERROR_CODE, [c_void_p, POINTER(LimberFmuDescription)]),
    "LimberFmuGetVariable": (ERROR_CODE, [c_void_p, c_int, POINTER(LimberFmuVariable)]),
    "limber_fmu_find": (c_int, [c_void_p, c_char_p]),
    "LimberFmuStart": (ERROR_CODE, [c_void_p, c_double]),
    "LimberFmuSet": (ERROR_CODE, [c_void_p, c_int, c_double]),
    "LimberFmuGet": (ERROR_CODE, [c_void_p, c_int, POINTER(c_double)]),
    "LimberFmuStep": (ERROR_CODE, [c_void_p, c_double]),
    "limber_fmu_time": (c_double, [c_void_p]),
    "LimberFmuSave": (ERROR_CODE, [c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "LimberFmuRestore": (ERROR_CODE, [c_void_p, c_void_p, c_size_t]),
    "limber_gradient_options_default": (LimberGradientOptions, []),
    "LimberGradientCreate": (ERROR_CODE, [c_void_p, POINTER(LimberGradientOptions), POINTER(c_void_p)]),
    "LimberGradientDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_gradient_derivative": (LimberDerivative, [c_void_p, c_int, c_int]),
    "limber_gradient_value": (c_double, [c_void_p, c_int]),
    "limber_gradient_unit": (c_char_p, [c_void_p, c_int]),
    "limber_gradient_parameter": (c_double, [c_void_p, c_int]),
    "limber_gradient_parameter_unit": (c_char_p, [c_void_p, c_int]),
    "limber_gradient_remarks": (c_char_p, [c_void_p]),
    "limber_linear_options_default": (LimberLinearOptions, []),
    "limber_file_linear_options": (LimberLinearOptions, [c_void_p]),
    "LimberLinearCreate": (ERROR_CODE, [c_void_p, POINTER(LimberLinearOptions), POINTER(c_void_p)]),
    "LimberLinearDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_linear_wrong": (c_char_p, [c_void_p]),
    "limber_linear_remarks": (c_char_p, [c_void_p]),
    "limber_linear_count": (c_int, [c_void_p, c_int]),
    "limber_linear_name": (c_char_p, [c_void_p, c_int, c_int]),
    "limber_linear_units": (c_char_p, [c_void_p, c_int, c_int]),
    "limber_linear_at": (c_double, [c_void_p, c_int, c_int]),
    "limber_linear_matrix": (POINTER(c_double), [c_void_p, c_char, POINTER(c_int), POINTER(c_int)]),
    "limber_linear_eigenvalue": (c_int, [c_void_p, c_int, POINTER(c_double), POINTER(c_double)]),
    "LimberLinearWrite": (ERROR_CODE, [c_void_p, c_char_p, c_int, c_bool]),
    "LimberOptimumCreate": (ERROR_CODE, [c_void_p, POINTER(c_void_p)]),
    "LimberOptimumDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_optimum_objective": (c_double, [c_void_p]),
    "limber_optimum_parameters": (c_int, [c_void_p]),
    "limber_optimum_name": (c_char_p, [c_void_p, c_int]),
    "limber_optimum_unit": (c_char_p, [c_void_p, c_int]),
    "limber_optimum_value": (c_double, [c_void_p, c_int]),
    "limber_optimum_next_step": (c_double, [c_void_p, c_int]),
    "limber_optimum_bound_multiplier": (c_double, [c_void_p, c_int]),
    "limber_optimum_constraints": (c_int, [c_void_p]),
    "limber_optimum_constraint": (c_double, [c_void_p, c_int]),
    "limber_optimum_multiplier": (c_double, [c_void_p, c_int]),
    "limber_optimum_remarks": (c_char_p, [c_void_p]),
    "limber_run_ports": (c_int, [c_void_p]),
    "limber_run_find_port": (Id, [c_void_p, c_char_p]),
    "LimberRunGetPort": (ERROR_CODE, [c_void_p, Id, POINTER(LimberPort)]),
    "LimberRunGetPortState": (ERROR_CODE, [c_void_p, Id, POINTER(LimberPortState)]),
    "LimberRunSetPortWave": (ERROR_CODE, [c_void_p, Id, POINTER(c_double)]),
    "limber_run_bonds": (c_int, [c_void_p]),
    "LimberRunGetBond": (ERROR_CODE, [c_void_p, c_int, POINTER(LimberBondState)]),
    "LimberPortsStart": (ERROR_CODE, [c_int, POINTER(c_void_p), c_int, POINTER(LimberConnection)]),
    "LimberPortsExchange": (ERROR_CODE, [c_int, POINTER(c_void_p), c_int, POINTER(LimberConnection)]),
    "limber_couple_options_default": (LimberCoupleOptions, []),
    "LimberCouple": (ERROR_CODE, [c_char_p, c_char_p, POINTER(LimberCoupleOptions)]),
    "LimberRepeaterCreate": (ERROR_CODE, [c_char_p, POINTER(LimberReadOptions), POINTER(c_void_p)]),
    "LimberRepeaterDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "LimberRepeaterStart": (ERROR_CODE, [c_void_p, c_int, POINTER(c_char_p), POINTER(c_void_p)]),
    "limber_repeater_problem": (c_char_p, [c_void_p]),
    "limber_repeater_file": (c_void_p, [c_void_p]),
    "LimberRepeaterRun": (ERROR_CODE, [c_void_p, c_int, POINTER(c_char_p), POINTER(LimberOutcome)]),
    "limber_repeater_record": (c_void_p, [c_void_p]),
    "limber_repeater_rows": (c_int, [c_void_p]),
    "limber_repeater_history": (POINTER(c_double), [c_void_p]),
    "limber_response_options_default": (LimberResponseOptions, []),
    "limber_file_response_options": (LimberResponseOptions, [c_void_p]),
    "LimberResponseCreate": (ERROR_CODE, [c_void_p, POINTER(LimberResponseOptions), POINTER(c_void_p)]),
    "LimberResponseDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_response_wrong": (c_char_p, [c_void_p]),
    "limber_response_count": (None, [c_void_p, POINTER(c_int), POINTER(c_int), POINTER(c_int)]),
    "limber_response_frequency": (c_double, [c_void_p, c_int]),
    "limber_response_name": (c_char_p, [c_void_p, c_int, c_int]),
    "limber_response_units": (c_char_p, [c_void_p, c_int, c_int]),
    "limber_response_value": (None, [c_void_p, c_int, c_int, c_int, POINTER(c_double), POINTER(c_double)]),
    "LimberResponseWrite": (ERROR_CODE, [c_void_p, c_char_p, c_bool]),
    "limber_section_frame": (c_bool, [POINTER(LimberSection), POINTER(LimberSectionFrame)]),
    "limber_stability_options_default": (LimberStabilityOptions, []),
    "limber_file_stability_options": (LimberStabilityOptions, [c_void_p]),
    "LimberStabilityCreate": (ERROR_CODE, [c_void_p, POINTER(LimberStabilityOptions), POINTER(c_void_p)]),
    "LimberStabilityDestroy": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_stability_crossing": (LimberCrossing, [c_void_p]),
    "limber_stability_rows": (c_int, [c_void_p]),
    "limber_stability_modes": (c_int, [c_void_p]),
    "limber_stability_value": (c_double, [c_void_p, c_int]),
    "limber_stability_eigenvalue": (None, [c_void_p, c_int, c_int, POINTER(c_double)]),
    "limber_stability_remarks": (c_char_p, [c_void_p]),
    "LimberStudyRun": (ERROR_CODE, [c_char_p, c_char_p, c_int, c_int, POINTER(c_char_p), POINTER(c_int)]),
    "LimberStudyOpen": (ERROR_CODE, [c_char_p, POINTER(c_void_p)]),
    "LimberStudyClose": (ERROR_CODE, [POINTER(c_void_p)]),
    "limber_study_runs": (c_longlong, [c_void_p]),
    "limber_study_first": (c_longlong, [c_void_p]),
    "limber_study_columns": (c_int, [c_void_p]),
    "limber_study_name": (c_char_p, [c_void_p, c_int]),
    "limber_study_units": (c_char_p, [c_void_p, c_int]),
    "limber_study_kind": (c_int, [c_void_p, c_int]),
    "limber_study_find": (c_int, [c_void_p, c_char_p]),
    "LimberStudyRead": (ERROR_CODE, [c_void_p, c_int, c_longlong, c_longlong, POINTER(c_double)]),
    "limber_study_status": (c_char_p, [c_void_p, c_int]),
    "LimberStudyGetCause": (ERROR_CODE, [c_void_p, c_longlong, c_size_t, c_char_p]),
    "LimberStudyGetChange": (ERROR_CODE, [c_void_p, c_longlong, c_int, c_size_t, c_char_p]),
    "LimberStudyGetText": (ERROR_CODE, [c_void_p, c_char_p, c_size_t, c_char_p]),
    "LimberInitialize": (ERROR_CODE, [POINTER(c_int), POINTER(POINTER(c_char_p))]),
    "LimberFinalize": (ERROR_CODE, []),
    "limber_ranks": (c_int, []),
    "limber_rank": (c_int, []),
    "LimberAgree": (ERROR_CODE, [c_char_p, c_uint]),
    "limber_abort": (None, [c_int]),
    "limber_version": (c_char_p, []),
    "limber_sizeof": (c_size_t, [c_char_p]),
    "limber_error": (c_char_p, []),
    "limber_error_print": (None, [c_bool]),
}
