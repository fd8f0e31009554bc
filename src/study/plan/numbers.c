// SPDX-License-Identifier: Apache-2.0
// Numbers of a plan stay in the unit in which they are written: the model file gets them so.
#include "input/yaml/number.h"
#include "input/yaml/report.h"
#include "study/plan/reader.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Error ReadPlanNumber(PlanReader *x, const Tree *word, PlanNumber *out, bool *good) {
  Reader *r = &x->reader;
  Dimension dimension;
  UnitsResult result = UNITS_NO_NUMBER;
  const char *unit = "";
  double si;
  *out = (PlanNumber){.unit = ""};
  *good = true;
  if (word->kind == TREE_WORD) TRY(UnitsReadAny(&r->units, word->text, &si, &dimension, &unit, &result));
  switch (result) {
  case UNITS_GOOD:
    out->is_number = true, out->value = strtod(word->text, NULL);
    TRY(StoreText(&x->plan->store, unit, strlen(unit), &out->unit));
    break;
  case UNITS_UNKNOWN:
    if (!isalpha((unsigned char)*unit) && is_formula(r, word->text)) break; // 2*E
    *good = false;
    TRY(ReportError(r, word->at, "'%s': there is no unit '%s'", word->text, unit));
    break;
  case UNITS_NO_NUMBER:
  case UNITS_DIMENSION:
  case UNITS_REVOLUTION: break;
  }
  return 0;
}

Error FindUnit(PlanReader *x, int count, Tree *const *word, const char **unit) {
  Dimension dimension;
  UnitsResult result;
  double si;
  *unit = "";
  for (int i = 0; i < count && !**unit; i++) {
    if (word[i]->kind != TREE_WORD) continue;
    TRY(UnitsReadAny(&x->reader.units, word[i]->text, &si, &dimension, unit, &result));
    if (result != UNITS_GOOD) *unit = "";
  }
  TRY(StoreText(&x->plan->store, *unit, strlen(*unit), unit));
  return 0;
}

Error ReadInUnit(PlanReader *x, const char *field, const Tree *word, const char *unit, double *out, bool *good) {
  Reader *r = &x->reader;
  PlanNumber number;
  UnitsResult result = UNITS_GOOD;
  const char *own;
  char name[200];
  TRY(ReadPlanNumber(x, word, &number, good));
  if (!*good) return 0;
  *good = number.is_number;
  if (!*good) {
    if (!word->broken)
      TRY(ReportError(r, word->at, "'%s' must be a number%s%s, not %s", field, *unit ? " in " : "", unit,
                      tree_name(word, name, sizeof name)));
    return 0;
  }
  *out = number.value;
  if (!strcmp(number.unit, unit) || (number.value == 0 && !*number.unit)) return 0;
  if (!*number.unit) {
    *good = false;
    TRY(ReportError(r, word->at, "'%s' has no unit, but others of '%s' are in %s", word->text, field, unit));
    return 0;
  }
  TRY(UnitsRead(&r->units, word->text, unit, out, &own, &result));
  *good = result == UNITS_GOOD;
  if (!*good && !*unit) TRY(ReportError(r, word->at, "'%s' must be a pure number, not '%s'", field, word->text));
  else if (!*good)
    TRY(ReportError(r, word->at, "'%s' is no number in %s, as others of '%s' are", word->text, unit, field));
  return 0;
}

Error ReadInSi(PlanReader *x, const char *field, const Tree *word, double *out, const char **unit, bool *good) {
  NumberValue w;
  TRY(ReadNumberValue(&x->reader, field, word, "", &w, good));
  *out = w.value, *unit = "";
  if (*good && w.unit) TRY(StoreText(&x->plan->store, w.unit, strlen(w.unit), unit));
  return 0;
}

Error ReadWhole(PlanReader *x, const char *field, double value, double least, double most, uint64_t *out) {
  *out = (uint64_t)least;
  if (!form_good(&x->form, field)) return 0;
  if (value == floor(value) && value >= least && value <= most) *out = (uint64_t)value;
  else
    TRY(ReportError(&x->reader, tree_find(x->map, field)->at, "'%s' must be a whole number from %.0f to %.0f", field,
                    least, most));
  return 0;
}
