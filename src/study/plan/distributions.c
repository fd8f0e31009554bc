// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/report.h"
#include "study/plan/reader.h"

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
