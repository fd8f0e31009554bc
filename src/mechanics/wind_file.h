// SPDX-License-Identifier: Apache-2.0
// A file with the velocities of a box of wind, which a model may name in place of them: `more` of a field of rows.
#ifndef LIMBER_MECHANICS_WIND_FILE_H
#define LIMBER_MECHANICS_WIND_FILE_H

#include "base/field.h"

typedef struct {
  const char *turbsim;
} WindFile;

extern const FieldMore wind_file; // elements/wind_box.c

#endif
