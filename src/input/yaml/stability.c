// SPDX-License-Identifier: Apache-2.0
// The part `stability`: what is varied, and in which range.
#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *vary, *from, *to;
  double time;
  int points, digits, modes;
} StabilityText;

static const Field fields[] = {
    {"vary", FIELD_TEXT, 1, offsetof(StabilityText, vary), "", true, 0,
     "what is varied, written as for --set: let.P, or loads.push.direction.1", NULL},
    {"from", FIELD_TEXT, 1, offsetof(StabilityText, from), "", false, 0,
     "first value, a number with its unit: 10 N; default: 0", NULL},
    {"to", FIELD_TEXT, 1, offsetof(StabilityText, to), "", true, 0, "last value, in the same unit", NULL},
    {"points", FIELD_INT, 1, offsetof(StabilityText, points), "", false, 31,
     "values of the range that are looked at first; a stretch of instability between two of them may be missed", NULL},
    {"digits", FIELD_INT, 1, offsetof(StabilityText, digits), "", false, 9, "to which the critical value is found",
     NULL},
    {"modes", FIELD_INT, 1, offsetof(StabilityText, modes), "", false, 10, "how many of the lowest are looked at",
     NULL},
    {"time", FIELD_REAL, 1, offsetof(StabilityText, time), "s", false, 0, "loads are those at this time", NULL},
};
static const FieldTable table = FIELDS(fields, StabilityText);
static const Kind kind_stability = {"stability", "The value of a parameter at which the equilibrium gets unstable.",
                                    &table};

// A number and the unit behind it, which lives as long as the model.
static Error ReadValue(Reader *r, const Tree *tree, const char *text, double *value, const char **unit) {
  char *end, *copy;
  *value = strtod(text, &end);
  if (end == text) return ReportError(r, tree->at, "'%s' must begin with a number, such as 10 N", text);
  while (*end == ' ') end++;
  *unit = NULL;
  if (!*end) return 0;
  TRY(ModelAllocate(r->model, strlen(end) + 1, &copy));
  *unit = strcpy(copy, end);
  return 0;
}

static Error ReadRange(Reader *r, const Tree *map, const StabilityText *t, LimberStabilityOptions *o) {
  const Tree *from = tree_find(map, "from"), *to = tree_find(map, "to");
  const char *unit = NULL;
  TRY(ReadValue(r, to, t->to, &o->to, &o->unit));
  o->from = 0;
  if (from) TRY(ReadValue(r, from, t->from, &o->from, &unit));
  if (from && strcmp(unit ? unit : "", o->unit ? o->unit : "") && !(o->from == 0 && !unit))
    return ReportError(r, from->at, "'from' and 'to' must have the same unit");
  if (!(o->to > o->from)) return ReportError(r, to->at, "'to' must be above 'from'");
  return 0;
}

static Error ReadStability(Reader *r, const Tree *map, SourceLocation at) {
  LimberStabilityOptions *o = &r->in->stability;
  StabilityText t;
  Form form = {&table, &t, 0, 0, 0};
  bool good;
  char *vary;
  TRY(FormsRead(r, "stability", at, map, 1, &form, &good));
  const struct {
    bool wrong;
    const char *field, *what;
  } rules[] = {
      {t.points < 2, "points", "must be at least 2"},
      {t.digits < 1 || t.digits > 15, "digits", "must be from 1 to 15"},
      {t.modes < 1, "modes", "must be at least 1"},
  };
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
    if (rules[i].wrong && form_good(&form, rules[i].field))
      TRY(ReportError(r, tree_find(map, rules[i].field)->at, "'%s' %s", rules[i].field, rules[i].what));
  if (!good) return 0;
  TRY(ModelAllocate(r->model, strlen(t.vary) + 1, &vary));
  o->vary = strcpy(vary, t.vary);
  o->points = t.points, o->digits = t.digits, o->modes = t.modes, o->time = t.time;
  TRY(ReadRange(r, map, &t, o));
  r->in->has_stability = true;
  return 0;
}

ONE_KIND(stability_kind_of, kind_stability)

const Part part_stability = {
    .key = "stability", .one = "stability", .form = PART_ONE, .kind = stability_kind_of, .read = ReadStability};
