// SPDX-License-Identifier: Apache-2.0
// Numbers with units, through UDUNITS. Its database is read when the first unit is met.
#ifndef LIMBER_INPUT_YAML_UNITS_H
#define LIMBER_INPUT_YAML_UNITS_H

#include "model/error.h"

typedef struct Units Units;

typedef enum {
  UNITS_GOOD,
  UNITS_NO_NUMBER,  // the text does not begin with a finite number
  UNITS_UNKNOWN,    // what follows the number is no unit
  UNITS_DIMENSION,  // a unit of another dimension
  UNITS_REVOLUTION, // an angular velocity where a frequency is wanted, or the reverse: off by 2 pi
} UnitsResult;

// Powers of m kg s A K mol cd rad.
enum { SECOND = 2, RADIAN = 7, BASES = 8 };
typedef struct {
  double power[BASES];
} Dimension;

Error UnitsDestroy(Units **units);
// The database that travels with Limber; NULL: that of the system.
const char *units_database(void);

// The number of a text such as "5", "5 mm" or "90 deg" in the unit `si` ("" for a pure number, UNIT_ANY for SI base
// units). A text without unit is SI already. `unit` points at the text's unit.
Error UnitsRead(Units **units, const char *text, const char *si, double *value, const char **unit, UnitsResult *result);

// The same in any unit: the value in SI base units, and the dimension.
Error UnitsReadAny(Units **units, const char *text, double *value, Dimension *dimension, const char **unit,
                   UnitsResult *result);
// Whether a number in `unit` may stand where `si` is wanted.
Error UnitsCompare(Units **units, const char *unit, const char *si, UnitsResult *result);
Error UnitsDimension(Units **units, const char *unit, Dimension *out);

// "m2 kg s-2" for N m, "1" for a pure number
const char *dimension_text(const Dimension *d, char *text, size_t size);

#endif
