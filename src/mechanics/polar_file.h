// SPDX-License-Identifier: Apache-2.0
// A file with the rows of a polar, which a model may name in place of them: `more` of a field of rows.
#ifndef LIMBER_MECHANICS_POLAR_FILE_H
#define LIMBER_MECHANICS_POLAR_FILE_H

#include "base/field.h"

typedef struct {
  const char *aerodyn, *windio, *airfoil;
  int number;
} PolarFile;

extern const FieldMore polar_file; // airfoil.c

#endif
