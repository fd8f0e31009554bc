// SPDX-License-Identifier: Apache-2.0
// Coefficients of airfoils over the angle of attack, from files of other programs.
#ifndef LIMBER_INPUT_BLADES_POLAR_H
#define LIMBER_INPUT_BLADES_POLAR_H

#include "input/blades/blade.h"

typedef struct {
  const double *row; // angle (rad), coefficients of lift, drag and moment; angles increase
  int rows;
} PolarRows;

// An airfoil file of AeroDyn: lines of a value and its name, comments after '!', and behind the line NumAlf as many rows
// of angle (degrees), lift, drag and, if there are more columns, moment. `number`: of the tables, from 1; 0: the only
// one. polar.c
Error PolarReadAerodyn(const BladeText *text, Store *store, int number, PolarRows *out);
// An airfoil of WindIO, version 1 or 2, by its name; `number`: of the Reynolds numbers, as above. windio.c
Error PolarReadWindio(const BladeText *text, Store *store, const char *airfoil, int number, PolarRows *out);

// A mistake if there is no such table among `tables`; then `number` is 0.
void polar_choose(ImportMistake *mistake, int tables, int *number);

#endif
