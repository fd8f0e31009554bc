// SPDX-License-Identifier: Apache-2.0
// Matrices of sections, 6x6 and symmetric: their inverse and transforms, and the centres and principal axes that follow
// from them.
#ifndef LIMBER_MECHANICS_SECTION_MATRIX_H
#define LIMBER_MECHANICS_SECTION_MATRIX_H

#include "limber/section.h"

#include <stdbool.h>
#include <stddef.h>

// Symmetric matrices of sections, 6x6.

// The inverse, by Cholesky's factor of the matrix with a unit diagonal. False: it is not positive definite.
bool symmetric_inverse(const double k[6][6], double out[6][6]);
// t^T k t, the matrix for strains e of which t e are those of k; `out` may be k.
void symmetric_transform(const double k[6][6], const double t[6][6], double out[6][6]);

// Where the centres and principal axes of a section lie, from its matrices. y and z are along e2 and e3, from the
// reference line. All follow from the compliance, so that couplings are free: a force at the tension centre does not
// bend, one at the shear centre does not twist, a moment about a principal axis bends about that axis only.

typedef LimberSectionFrame SectionFrame;

// False where the stiffness is not positive definite; then only what follows from the masses is filled.
bool section_frame(const LimberSection *s, SectionFrame *out);

// Stiffnesses of the diagonal that are not positive, in words with commas; "": none.
const char *section_lacks(const LimberSection *s, char *text, size_t size);

#endif
