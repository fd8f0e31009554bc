// SPDX-License-Identifier: Apache-2.0
// Numbers with units, through UDUNITS. Its database is read when the first unit is met.
#ifndef LIMBER_INPUT_UNITS_H
#define LIMBER_INPUT_UNITS_H

#include "model/error.h"

typedef struct Units Units;

typedef enum {
  UNITS_GOOD,
  UNITS_NO_NUMBER,  // the text does not begin with a finite number
  UNITS_UNKNOWN,    // what follows the number is no unit
  UNITS_DIMENSION,  // a unit of another dimension
  UNITS_REVOLUTION, // an angular velocity where a frequency is wanted, or the reverse: off by 2 pi
} UnitsResult;

Error UnitsDestroy(Units **units);

// The number of a text such as "5", "5 mm" or "90 deg" in the unit `si` ("" for a pure number). A text without unit is
// SI already. `unit` points at the text's unit.
Error UnitsRead(Units **units, const char *text, const char *si, double *value, const char **unit, UnitsResult *result);

// The base units of a unit: "m2 kg s-2" for N m, "a pure number" for none.
Error UnitsDimension(Units **units, const char *unit, char *text, size_t size);

#endif
