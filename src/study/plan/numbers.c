// SPDX-License-Identifier: Apache-2.0
// Numbers and distributions of a plan. Numbers stay in the unit in which they are written: the model file gets them so.
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
    TRY(ReportError(r, word->at, "'%s' is not a number in %s, like others of '%s'", word->text, unit, field));
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

// The parameters of a distribution: those that have the unit of the number come first.
static Error ReadParameters(PlanReader *x, const DistributionInfo *info, const Tree *list, const char **unit,
                            Distribution *out, bool *good) {
  double p[DISTRIBUTION_PARAMETERS] = {0};
  char name[200];
  Tree one = *list, *ones[] = {&one};
  Tree *const *entry = list->kind == TREE_LIST ? list->entry : ones;
  int count = list->kind == TREE_LIST ? list->count : 1;
  *good = count == info->parameters && list->kind != TREE_MAP;
  if (!*good) {
    if (!list->broken)
      TRY(ReportError(&x->reader, list->at, "'%s' must be %s, not %s", info->name, info->help,
                      tree_name(list, name, sizeof name)));
    return 0;
  }
  if (!*unit) TRY(FindUnit(x, info->units, entry, unit));
  for (int i = 0; i < count; i++) {
    bool right;
    TRY(ReadInUnit(x, info->name, entry[i], i < info->units ? *unit : "", &p[i], &right));
    *good = *good && right;
  }
  out->a = p[0], out->b = p[1], out->c = p[2];
  return 0;
}

// Rows [value, probability].
static Error ReadPoints(PlanReader *x, const Tree *rows, const char **unit, Distribution *out, bool *good) {
  double *value, *probability;
  char name[200];
  *good = rows->kind == TREE_LIST && rows->count >= 2 && rows->count <= LIMIT_POINTS;
  for (int i = 0; *good && i < rows->count; i++)
    *good = rows->entry[i]->kind == TREE_LIST && rows->entry[i]->count == 2;
  if (!*good) {
    if (!rows->broken)
      TRY(ReportError(&x->reader, rows->at,
                      "'cumulative' must be a list of points [value, probability], two or more, not %s",
                      tree_name(rows, name, sizeof name)));
    return 0;
  }
  TRY(StoreAllocate(&x->plan->store, (size_t)rows->count * sizeof *value, &value));
  TRY(StoreAllocate(&x->plan->store, (size_t)rows->count * sizeof *probability, &probability));
  for (int i = 0; !*unit && i < rows->count; i++) {
    TRY(FindUnit(x, 1, rows->entry[i]->entry, unit));
    if (!**unit && i < rows->count - 1) *unit = NULL;
  }
  for (int i = 0; i < rows->count; i++) {
    bool right[2];
    TRY(ReadInUnit(x, "cumulative", rows->entry[i]->entry[0], *unit, &value[i], &right[0]));
    TRY(ReadInUnit(x, "cumulative", rows->entry[i]->entry[1], "", &probability[i], &right[1]));
    *good = *good && right[0] && right[1];
  }
  out->points = rows->count, out->x = value, out->probability = probability;
  return 0;
}

static Error ReadBounds(PlanReader *x, const Tree *list, const char *unit, Distribution *out, bool *good) {
  bool right[2];
  *good = list->kind == TREE_LIST && list->count == 2;
  if (!*good) {
    TRY(ReportError(&x->reader, list->at, "'within' must be [low, high]"));
    return 0;
  }
  TRY(ReadInUnit(x, "within", list->entry[0], unit, &out->low, &right[0]));
  TRY(ReadInUnit(x, "within", list->entry[1], unit, &out->high, &right[1]));
  *good = out->within = right[0] && right[1];
  return 0;
}

Error ReadDistribution(PlanReader *x, const DistributionText *t, const char **unit, Distribution *out, bool *found,
                       bool *good) {
  const Tree *const written[] = {
#define DISTRIBUTION(constant, name, parameters, units, help) t->name,
#include "statistics/distribution.def"
#undef DISTRIBUTION
      t->cumulative,
  };
  const Tree *tree = NULL;
  *out = (Distribution){0};
  *good = true, *found = false;
  for (int i = 0; i <= DISTRIBUTION_TABLE; i++) {
    if (!written[i]) continue;
    if (tree) {
      *good = false;
      TRY(ReportError(&x->reader, written[i]->at, "there is a distribution before this one: give one of them"));
      return 0;
    }
    out->kind = (DistributionKind)i, tree = written[i], *found = true;
  }
  if (!tree) {
    if (t->within) TRY(ReportError(&x->reader, t->within->at, "'within' needs a distribution, such as normal"));
    *good = !t->within;
    return 0;
  }
  if (out->kind == DISTRIBUTION_TABLE) TRY(ReadPoints(x, tree, unit, out, good));
  else TRY(ReadParameters(x, &distribution_info[out->kind], tree, unit, out, good));
  if (*good && t->within) TRY(ReadBounds(x, t->within, *unit, out, good));
  const char *error = *good ? distribution_error(out) : NULL;
  if (error)
    TRY(ReportError(&x->reader, tree->at, "'%s' %s",
                    out->kind == DISTRIBUTION_TABLE ? "cumulative" : distribution_info[out->kind].name, error));
  *good = *good && !error;
  return 0;
}
