// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of small dense symmetric matrices, row after row, without a library.
#ifndef LIMBER_MECHANICS_DENSE_H
#define LIMBER_MECHANICS_DENSE_H

#include <stdbool.h>

// By Householder's reflections and the implicit QL method: values ascending, vectors in the columns of `vector`. `a` is
// destroyed.
void dense_eigen(int n, double *a, double *value, double *vector);

// Of a x = value b x: values ascending, vectors orthonormal in b. False: b is not positive definite. Both are destroyed.
bool dense_eigen_pair(int n, double *a, double *b, double *value, double *vector);

#endif
