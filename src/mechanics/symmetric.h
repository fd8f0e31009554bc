// SPDX-License-Identifier: Apache-2.0
// Symmetric matrices of sections, 6x6.
#ifndef LIMBER_MECHANICS_SYMMETRIC_H
#define LIMBER_MECHANICS_SYMMETRIC_H

#include <stdbool.h>

// The inverse, by Cholesky's factor of the matrix with a unit diagonal. False: it is not positive definite.
bool symmetric_inverse(const double k[6][6], double out[6][6]);
// t^T k t, the matrix for strains e of which t e are those of k; `out` may be k.
void symmetric_transform(const double k[6][6], const double t[6][6], double out[6][6]);

#endif
