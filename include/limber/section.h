/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Centres and principal axes of a section, from its stiffness and inertia. */
#ifndef LIMBER_SECTION_H
#define LIMBER_SECTION_H

#include <limber/catalogue.h>
#include <limber/version.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where a section's centres and principal axes are, in its axes e2 and e3, from the reference line. They follow from
 * the compliance, the inverse of the stiffness, and so hold with any coupling: an axial force at the tension centre
 * does not bend, a shear force at the shear centre does not twist, a moment about a principal axis bends about that
 * axis only. */
typedef struct {
  double axial;             /**< N: axial force over strain where nothing bends it, EA */
  double bending[2];        /**< N m2: about the principal axes, the smaller first */
  double torsion;           /**< N m2: torque over rate of twist without another force, GJ */
  double shear[2];          /**< N: along the principal axes of shear, the smaller first */
  double tension_centre[2]; /**< m: (e2, e3) */
  double shear_centre[2];   /**< m */
  double mass_centre[2];    /**< m */
  double inertia[2];        /**< kg m: about the principal axes through the mass centre, the smaller first */
  double bending_angle;     /**< rad: from e2 about e1 to the axis of the smaller bending stiffness, -pi/2 .. pi/2 */
  double inertia_angle;     /**< rad: the same of the smaller inertia */
} LimberSectionFrame;

/** Fills the frame of a section. False where its stiffness is not positive definite: then only what follows from the
 * mass is filled. */
LIMBER_API bool limber_section_frame(const LimberSection *section, LimberSectionFrame *frame);

#ifdef __cplusplus
}
#endif

#endif
