# SPDX-License-Identifier: Apache-2.0
"""Centres and principal axes of a section, from its stiffness and inertia.

    f = limber.section_frame(K, mass=377.7, centre=(0.02, 0.72), inertia=I)
    f.tension_centre, f.shear_centre, f.bending_angle"""
from ctypes import byref
from typing import NamedTuple, Sequence, Union

import numpy

from .interface import LimberSection, LimberSectionFrame
from .library import library


class SectionFrame(NamedTuple):
    """Where a section's centres and principal axes are, in its axes e2 and e3, from the reference line."""
    axial: float  #: N: axial force over strain where nothing bends it, EA
    bending: numpy.ndarray  #: N m2: about the principal axes, the smaller first
    torsion: float  #: N m2: torque over rate of twist, GJ
    shear: numpy.ndarray  #: N: along the principal axes of shear, the smaller first
    tension_centre: numpy.ndarray  #: m: (e2, e3)
    shear_centre: numpy.ndarray  #: m
    mass_centre: numpy.ndarray  #: m
    inertia: numpy.ndarray  #: kg m: about the principal axes through the mass centre, the smaller first
    bending_angle: float  #: rad: from e2 about e1 to the axis of the smaller bending stiffness
    inertia_angle: float  #: rad: the same of the smaller inertia


def section_frame(stiffness: Union[Sequence, numpy.ndarray], mass: float = 0, centre: Union[Sequence[float], numpy.ndarray] = (0, 0),
                  inertia: Union[Sequence, numpy.ndarray, None] = None) -> SectionFrame:
    """The frame of a section.

    stiffness: 6x6, symmetric, in the order axial, shear 2, shear 3, torsion, bending 2, bending 3, or its diagonal;
    mass: kg/m; centre: of mass, m; inertia: 3x3, kg m, about the reference line, or its diagonal.
    ValueError where the stiffness is not positive definite."""
    def matrix(values, size, name):
        out = numpy.zeros((size, size)) if values is None else numpy.asarray(values, float)
        out = numpy.diag(out) if out.shape == (size,) else out
        if out.shape != (size, size):
            raise ValueError(f"{name} is a matrix of {size}x{size} or its diagonal")
        return 0.5 * (out + out.T)

    s, f = LimberSection(mass=mass), LimberSectionFrame()
    s.stiffness[:], s.inertia[:] = matrix(stiffness, 6, "stiffness").ravel(), matrix(inertia, 3, "inertia").ravel()
    s.centre[:] = numpy.asarray(centre, float)
    if not library.limber_section_frame(byref(s), byref(f)):
        raise ValueError("the stiffness is not positive definite")
    pair = {name: numpy.array(getattr(f, name)) for name in ("bending", "shear", "tension_centre", "shear_centre", "mass_centre",
                                                             "inertia")}
    return SectionFrame(axial=f.axial, torsion=f.torsion, bending_angle=f.bending_angle, inertia_angle=f.inertia_angle, **pair)
