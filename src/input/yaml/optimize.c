// SPDX-License-Identifier: Apache-2.0
// The part `optimize`: which numbers of the model may change, what is made best, and what it must keep
// (docs/optimize.md).
#include "input/yaml/tuned.h"

#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *of;
  const Tree *from, *to;
} ConstraintText;

static const Field constraint_fields[] = {
    {"of", FIELD_TEXT, 1, offsetof(ConstraintText, of), "", true, 0,
     "a quantity as for `limber gradient`, such as max(crank.stress), static(tip.z), frequency(1) or mass", NULL},
    {"from", FIELD_ANY, 1, offsetof(ConstraintText, from), "", false, 0, "smallest value; default: none", NULL},
    {"to", FIELD_ANY, 1, offsetof(ConstraintText, to), "", false, 0, "largest value; default: none", NULL},
};
static const FieldTable constraint_table = FIELDS(constraint_fields, ConstraintText);
static const FieldMore constraint_more = {&constraint_table, NULL};

typedef struct {
  const char *minimize, *maximize;
  const TunedText *parameter;
  int parameters;
  const ConstraintText *constraint;
  int constraints;
} OptimizeText;

static const Field optimize_fields[] = {
    {"minimize", FIELD_TEXT, 1, offsetof(OptimizeText, minimize), "", false, 0,
     "a quantity as for `limber gradient`, such as mass or norm(tip.z, 8)", NULL},
    {"maximize", FIELD_TEXT, 1, offsetof(OptimizeText, maximize), "", false, 0, "the same, in place of `minimize`",
     NULL},
    {"parameters", FIELD_MAPS, 1, offsetof(OptimizeText, parameter), "", true, 0,
     "numbers of the model that change, with bounds: a list of maps", &tuned_more},
    {"constraints", FIELD_MAPS, 1, offsetof(OptimizeText, constraint), "", false, 0,
     "limits of other quantities: a list of maps", &constraint_more},
};
static const FieldTable optimize_table = FIELDS(optimize_fields, OptimizeText);
static const Kind kind_optimize = {
    "optimize", "Numbers of the model that make a result best within limits, for `limber optimize`.", &optimize_table};

static Error ReadLimit(Reader *r, const char *field, const Tree *word, double *out, const char **unit, double *factor,
                       bool *good) {
  bool known = true;
  *unit = "", *factor = 1;
  TRY(ReadWithUnit(r, field, word, out, unit, good));
  return **unit ? ReadUnitFactor(r, *unit, factor, &known) : 0;
}

static Error ReadConstraint(Reader *r, const Tree *map, const ConstraintText *t, OptimizeConstraint *out, bool *good) {
  *out = (OptimizeConstraint){.from = -INFINITY, .to = INFINITY};
  TRY(ModelCopyString(r->model, t->of, &out->of));
  TRY(ReadLimit(r, "from", t->from, &out->from, &out->from_unit, &out->from_factor, good));
  TRY(ReadLimit(r, "to", t->to, &out->to, &out->to_unit, &out->to_factor, good));
  if (!t->from && !t->to) {
    *good = false;
    return ReportError(r, map->at, "a constraint needs 'from', 'to' or both");
  }
  const Rule rules[] = {{t->from && t->to && !(out->to > out->from), "to", "must be above 'from'"}};
  return APPLY(r, map, NULL, rules, good);
}

static Error ReadOptimize(Reader *r, const Tree *map, SourceLocation at) {
  OptimizePart *o = &r->in->optimize;
  OptimizeText t;
  Form form = {&optimize_table, &t, 0, 0, 0};
  bool good;
  TRY(FormsRead(r, "optimize", at, map, 1, &form, &good));
  if (!good) return 0;
  const Tree *list = tree_find(map, "constraints");
  if (!t.minimize == !t.maximize)
    return ReportError(r, at,
                       "the part `optimize` needs either 'minimize' or 'maximize', with a quantity such as mass");
  TRY(ReadTuned(r, tree_find(map, "parameters"), t.parameters, t.parameter, &o->parameter, &good));
  if (t.constraints > LIMIT_CONSTRAINTS)
    return ReportError(r, list->at, "'constraints' has more than %d entries", LIMIT_CONSTRAINTS);
  TRY(ModelAllocate(r->model, (size_t)t.constraints * sizeof *o->constraint, &o->constraint));
  for (int i = 0; i < t.constraints; i++)
    TRY(ReadConstraint(r, list->kind == TREE_MAP ? list : list->entry[i], &t.constraint[i], &o->constraint[i], &good));
  TRY(ModelCopyString(r->model, t.minimize ? t.minimize : t.maximize, &o->objective));
  o->maximize = t.maximize != NULL;
  if (good) o->parameters = t.parameters, o->constraints = t.constraints;
  return 0;
}

ONE_KIND(optimize_kind_of, kind_optimize)

const Part part_optimize = {
    .key = "optimize", .one = "optimize", .form = PART_ONE, .kind = optimize_kind_of, .read = ReadOptimize};
