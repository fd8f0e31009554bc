# SPDX-License-Identifier: Apache-2.0
"""Blades, towers and shafts from files of other programs: BeamDyn, WindIO, HAWC2, VABS, ElastoDyn.

    b = limber.read_blade("blade.dat")
    b.position, b.stiffness                    # arrays
    model = {"limber": 1, "nodes": {"root": [0, 0, 0]}, "sections": {"blade": b.section()},
             "elements": [b.beam("blade", {"from": "root"})], ...}"""
import os
from ctypes import POINTER, byref, c_void_p
from typing import Any, List, Literal, Mapping, NamedTuple, Optional, Union, get_args

import numpy

from .interface import LimberSection, LimberStation
from .library import ModelError, library


Format = Literal["beamdyn", "windio", "hawc2", "vabs", "elastodyn"]  # LimberBladeFormat, from 1 on


class Blade(NamedTuple):
    """Axis and sections, in the axes of the root: z from the root to the tip, x to the suction side, y to the trailing edge.

    Sections are about the axis, in Limber's order (axial, shear 2, shear 3, torsion, bending 2, bending 3), e2 and e3 being x
    and y of the twisted section."""
    format: str  #: "beamdyn", "windio", "hawc2", "vabs" or "elastodyn"
    position: numpy.ndarray  #: m: points of the axis, n x 3; empty where the file has sections only
    twist: numpy.ndarray  #: rad: of the section about the tangent, n
    at: numpy.ndarray  #: parts of the arc length, 0 .. 1, m
    stiffness: numpy.ndarray  #: m x 6 x 6, symmetric
    mass: numpy.ndarray  #: kg/m, m
    centre: numpy.ndarray  #: m: mass centre along e2, e3, m x 2
    inertia: numpy.ndarray  #: kg m: about e1, e2, e3, m x 3 x 3
    chord: numpy.ndarray  #: m; 0 where the file has none, m
    asymmetry: numpy.ndarray  #: of the stiffness in the file, over its diagonal, m
    damping: numpy.ndarray  #: s: six times, 0 where the file has none
    remarks: List[str]  #: what the file has that was not taken

    def section(self) -> list:
        """Its sections for the part `sections` of a model."""
        return [{"at": float(at), "stiffness": k.tolist(), "mass": float(m), "centre": c.tolist(), "inertia": i.tolist()}
                for at, k, m, c, i in zip(self.at, self.stiffness, self.mass, self.centre, self.inertia)]

    def beam(self, section: str, fields: Optional[Mapping[str, Any]] = None) -> dict:
        """A beam for the part `elements` of a model, along the axis of the file, with more fields of a beam."""
        if not len(self.position):
            raise ValueError("the file has sections and no axis")
        stations = [{"at": p.tolist(), "twist": float(t)} for p, t in zip(self.position, self.twist)]
        return {"beam": {"section": section, "up": [1, 0, 0], "elements": max(20, len(self.at)), "stations": stations, **(fields or {})}}


def read_blade(path: Union[str, "os.PathLike[str]"], *, format: Optional[Format] = None, part: Optional[str] = None,
               sections: Optional[str] = None, about_mass_centre: bool = False,
               torsion: float = 0, stretch: float = 0) -> Blade:
    """Reads a file, with those that it names.

    format: "beamdyn", "windio", "hawc2", "vabs" or "elastodyn"; default: the one that recognises the file.
    part: of a file with several: a component of WindIO such as "tower", a main body of HAWC2.
    sections: HAWC2: section file instead of the one that the .htc names.
    about_mass_centre: of HAWC2: radii of gyration are about the mass centre.
    torsion, stretch: N m2, N: of ElastoDyn, whose files do not have these stiffnesses; 0: stiff.
    ModelError where the file has a mistake."""
    def text(value):
        return None if value is None else os.fsencode(value)

    formats = (None, *get_args(Format))
    if format not in formats:
        raise ModelError(f"there is no such format: {format}")
    blade = c_void_p()
    options = library.limber_blade_options_default()
    options.format, options.part, options.sections = formats.index(format), text(part), text(sections)
    options.about_mass_centre, options.torsion, options.stretch = about_mass_centre, torsion, stretch
    library.LimberBladeRead(os.fsencode(path), byref(options), byref(blade))
    try:
        if library.limber_blade_errors(blade):
            raise ModelError(library.limber_blade_diagnostics(blade).decode(errors="replace").rstrip("\n"))
        station, section = POINTER(LimberStation)(), POINTER(LimberSection)()
        points = range(library.limber_blade_stations(blade, byref(station)))
        rows = range(library.limber_blade_sections(blade, byref(section)))
        return Blade(
            format=library.limber_blade_format(blade).decode(),
            position=numpy.array([station[i].at[:] for i in points]).reshape(-1, 3),
            twist=numpy.array([station[i].twist for i in points]),
            at=numpy.array([section[i].at for i in rows]),
            stiffness=numpy.array([section[i].stiffness[:] for i in rows]).reshape(-1, 6, 6),
            mass=numpy.array([section[i].mass for i in rows]),
            centre=numpy.array([section[i].centre[:] for i in rows]).reshape(-1, 2),
            inertia=numpy.array([section[i].inertia[:] for i in rows]).reshape(-1, 3, 3),
            chord=numpy.array([library.limber_blade_chord(blade, i) for i in rows]),
            asymmetry=numpy.array([library.limber_blade_asymmetry(blade, i) for i in rows]),
            damping=numpy.array(library.limber_blade_damping(blade)[:6]),
            remarks=library.limber_blade_remarks(blade).decode(errors="replace").splitlines())
    finally:
        library.LimberBladeDestroy(byref(blade))
