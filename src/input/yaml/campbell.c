// SPDX-License-Identifier: Apache-2.0
// The part `campbell`: over what modes are followed.
#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/rules.h"

#include <string.h>

typedef struct {
  int multiples; // before the list
  const char *vary, *from, *to;
  int steps, modes;
  const double *multiple;
} CampbellText;

static const Field campbell_fields[] = {
    {"vary", FIELD_TEXT, 1, offsetof(CampbellText, vary), "", true, 0,
     "what is varied: a parameter of `let`, or a path as for --set: let.speed", NULL},
    {"from", FIELD_TEXT, 1, offsetof(CampbellText, from), "", false, 0,
     "first value, a number with its unit: 0 rpm; default: 0", NULL},
    {"to", FIELD_TEXT, 1, offsetof(CampbellText, to), "", true, 0, "last value, in the same unit", NULL},
    {"steps", FIELD_INT, 1, offsetof(CampbellText, steps), "", false, 24,
     "from the first to the last; more are taken where modes change much", NULL},
    {"modes", FIELD_INT, 1, offsetof(CampbellText, modes), "", false, 8, "how many of the lowest are followed", NULL},
    {"multiples", FIELD_LIST, 1, offsetof(CampbellText, multiple), "", false, 0,
     "of the speed, whose crossings with frequencies are found; default: [1, 2, 3]", NULL},
};
static const FieldTable campbell_table = FIELDS(campbell_fields, CampbellText);
static const Kind kind_campbell = {"campbell", "Modes followed over a speed or another parameter.", &campbell_table};

static Error ReadCampbell(Reader *r, const Tree *map, SourceLocation at) {
  static const double usual[] = {1, 2, 3};
  LimberCampbellOptions *o = &r->in->campbell;
  CampbellText t;
  Form form = {&campbell_table, &t, 0, 0, 0};
  ParameterRange range;
  bool good;
  TRY(FormsRead(r, "campbell", at, map, 1, &form, &good));
  if (!good) return 0;
  const Rule rules[] = {{t.steps < 1, "steps", "must be at least 1"},
                        {t.modes < 1, "modes", "must be at least 1"},
                        {t.steps > LIMIT_POINTS, "steps", LIMIT_POINTS_TEXT},
                        {t.modes > LIMIT_POINTS, "modes", LIMIT_POINTS_TEXT}};
  TRY(APPLY(r, map, &form, rules, &good));
  *o = limber_campbell_options_default();
  o->steps = t.steps, o->modes = t.modes, o->multiples = 3, o->multiple = usual;
  TRY(ModelCopyString(r->model, t.vary, &o->vary));
  if (form_given(&form, "multiples")) {
    double *copy;
    TRY(ModelAllocate(r->model, (size_t)(t.multiples + 1) * sizeof *copy, &copy));
    if (t.multiples) memcpy(copy, t.multiple, (size_t)t.multiples * sizeof *copy);
    o->multiples = t.multiples, o->multiple = copy;
  }
  TRY(ReadParameterRange(r, map, t.from, t.to, "12 rpm", &range));
  o->from = range.from, o->to = range.to, o->unit = range.unit;
  return 0;
}

ONE_KIND(campbell_kind_of, kind_campbell)

const Part part_campbell = {
    .key = "campbell", .one = "campbell", .form = PART_ONE, .kind = campbell_kind_of, .read = ReadCampbell};
