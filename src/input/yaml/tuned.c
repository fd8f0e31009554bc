// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/tuned.h"

#include "input/yaml/number.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

static const Field fields[] = {
    {"name", FIELD_TEXT, 1, offsetof(TunedText, name), "", true, 0,
     "a number of `let`, or the path of any other field, which then needs `start`", NULL},
    {"start", FIELD_ANY, 1, offsetof(TunedText, start), "", false, 0,
     "value with which the search begins; default: that of `let`", NULL},
    {"from", FIELD_ANY, 1, offsetof(TunedText, from), "", false, 0, "smallest value; default: none", NULL},
    {"to", FIELD_ANY, 1, offsetof(TunedText, to), "", false, 0, "largest value; default: none", NULL},
};
static const FieldTable table = FIELDS(fields, TunedText);
const FieldMore tuned_more = {&table, NULL};

// A number of the dimension that the others have; a plain number is SI.
static Error ReadIn(Reader *r, const char *field, const Tree *word, Dimension *dimension, bool *known, double *out,
                    bool *good) {
  NumberValue w;
  char own[200], other[200];
  bool read;
  if (!word) return 0;
  TRY(ReadNumberValue(r, field, word, UNIT_ANY, &w, &read));
  *good = *good && read;
  if (!read) return 0;
  *out = w.value;
  if (w.unit && !*known) *dimension = w.dimension, *known = true;
  else if (w.unit &&
           strcmp(dimension_text(&w.dimension, own, sizeof own), dimension_text(dimension, other, sizeof other))) {
    *good = false;
    TRY(ReportError(r, word->at, "'%s' has the unit %s, but the parameter has %s", field, own, other));
  }
  return 0;
}

static Error ReportUnknown(Reader *r, const Tree *map, const char *name) {
  const Tree *at = map->kind == TREE_MAP ? tree_find(map, "name") : map;
  const char *near = names_nearest(&r->let, name);
  if (near) return ReportError(r, at->at, "'%s' is no number of `let`; did you mean '%s'?", name, near);
  return ReportError(r, at->at, "'%s' is no number of `let`: any other field needs its value, as `start`", name);
}

// The value of a number of `let`; NAN: it is a formula.
static Error ReadOwn(Reader *r, const Parameter *let, double *out) {
  const char *unit;
  Dimension dimension;
  UnitsResult result;
  TRY(UnitsReadAny(&r->units, let->tree->text, out, &dimension, &unit, &result));
  if (result != UNITS_GOOD) *out = NAN;
  return 0;
}

static Error ReadOne(Reader *r, const Tree *map, const TunedText *t, TunedParameter *out, bool *good) {
  const char *name = strncmp(t->name, "let.", 4) ? t->name : t->name + 4;
  const Name *found = strchr(name, '.') ? NULL : names_find(&r->let, name);
  const Parameter *let = found ? &r->parameter[found->id] : NULL;
  Dimension dimension = {{0}};
  bool known = let && let->unit && let->good;
  char path[300], unit[200] = "";
  *out = (TunedParameter){.unit = "", .start = NAN, .from = -INFINITY, .to = INFINITY};
  if (!let && (!t->start || !strchr(name, '.'))) return *good = false, ReportUnknown(r, map, t->name);
  if (let) TRY(ReadOwn(r, let, &out->start));
  if (known) dimension = let->dimension;
  TRY(ReadIn(r, "start", t->start, &dimension, &known, &out->start, good));
  TRY(ReadIn(r, "from", t->from, &dimension, &known, &out->from, good));
  TRY(ReadIn(r, "to", t->to, &dimension, &known, &out->to, good));
  snprintf(path, sizeof path, "%s%.250s", let ? "let." : "", name);
  TRY(ModelCopyString(r->model, path, &out->path));
  if (known && strcmp(dimension_text(&dimension, unit, sizeof unit), "1"))
    TRY(ModelCopyString(r->model, unit, &out->unit));
  SourceLocation at = t->start ? t->start->at : map->at;
  if (!*good) return 0;
  // Gradients read the model with values on both sides of a bound.
  bool changed = r->changes && let && !t->start && let->tree->at.file == r->changes;
  *good = (changed || (out->start >= out->from && out->start <= out->to)) && out->from < out->to;
  if (!(out->from < out->to)) TRY(ReportError(r, map->at, "'to' must be above 'from'"));
  else if (isnan(out->start)) TRY(ReportError(r, map->at, "'%s' is a formula: vary the numbers in it", t->name));
  else if (!*good) TRY(ReportError(r, at, "the start value of '%s' is outside of its bounds", t->name));
  return 0;
}

Error ReadTuned(Reader *r, const Tree *list, int count, const TunedText *text, TunedParameter **out, bool *good) {
  if (count > LIMIT_TUNED) {
    *good = false;
    return ReportError(r, list->at, "there are more than %d parameters", LIMIT_TUNED);
  }
  TRY(ModelAllocate(r->model, (size_t)count * sizeof **out, out));
  for (int i = 0; i < count; i++) {
    const Tree *map = list->kind == TREE_MAP ? list : list->entry[i];
    bool one = true;
    TRY(ReadOne(r, map, &text[i], &(*out)[i], &one));
    for (int k = 0; k < i && one; k++)
      if ((*out)[k].path && !strcmp((*out)[k].path, (*out)[i].path)) {
        one = false;
        TRY(ReportError(r, map->at, "the parameter '%s' is listed twice", text[i].name));
      }
    *good = *good && one;
  }
  return 0;
}

Error ReadUnitFactor(Reader *r, const char *unit, double *factor, bool *good) {
  char text[120];
  const char *written;
  Dimension dimension;
  UnitsResult result;
  snprintf(text, sizeof text, "1 %.100s", unit);
  TRY(UnitsReadAny(&r->units, text, factor, &dimension, &written, &result));
  *good = result == UNITS_GOOD;
  return 0;
}

Error ReadWithUnit(Reader *r, const char *field, const Tree *word, double *out, const char **unit, bool *good) {
  NumberValue w = {.value = NAN};
  bool own = true;
  if (!word) return 0;
  TRY(ReadNumberValue(r, field, word, UNIT_ANY, &w, &own));
  *good = *good && own;
  if (!own) return 0;
  *out = w.value;
  if (w.unit && unit) TRY(ModelCopyString(r->model, w.unit, unit));
  return 0;
}
