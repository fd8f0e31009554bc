// SPDX-License-Identifier: Apache-2.0
// Where the centres and principal axes of a section lie, from its matrices. y and z are along e2 and e3, from the
// reference line. All follow from the compliance, so that couplings are free: a force at the tension centre does not
// bend, one at the shear centre does not twist, a moment about a principal axis bends about that axis only.
#ifndef LIMBER_MECHANICS_SECTION_FRAME_H
#define LIMBER_MECHANICS_SECTION_FRAME_H

#include "limber/section.h"

#include <stdbool.h>
#include <stddef.h>

typedef LimberSectionFrame SectionFrame;

// False where the stiffness is not positive definite; then only what follows from the masses is filled.
bool section_frame(const LimberSection *s, SectionFrame *out);

// Stiffnesses of the diagonal that are not positive, in words with commas; "": none.
const char *section_lacks(const LimberSection *s, char *text, size_t size);

#endif
