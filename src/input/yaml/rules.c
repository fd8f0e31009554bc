// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/rules.h"

#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <stdlib.h>
#include <string.h>

Error ApplyRules(Reader *r, const Tree *map, const Form *form, size_t count, const Rule *rule, bool *good) {
  for (size_t i = 0; i < count; i++) {
    const Tree *value = tree_find(map, rule[i].field);
    if (!rule[i].error || !value || (form && !form_good(form, rule[i].field))) continue;
    *good = false;
    TRY(ReportError(r, value->at, "'%s' %s", rule[i].field, rule[i].what));
  }
  return 0;
}

// A number and the unit behind it.
static Error ReadValue(Reader *r, const Tree *tree, const char *text, const char *example, double *value,
                       const char **unit) {
  char *end;
  *value = strtod(text, &end), *unit = NULL;
  if (end == text) return ReportError(r, tree->at, "'%s' must begin with a number, such as %s", text, example);
  while (*end == ' ') end++;
  if (*end) TRY(ModelCopyString(r->model, end, unit));
  return 0;
}

Error ReadParameterRange(Reader *r, const Tree *map, const char *from, const char *to, const char *example,
                         ParameterRange *out) {
  const Tree *first = tree_find(map, "from"), *last = tree_find(map, "to");
  const char *unit = NULL;
  TRY(ReadValue(r, last, to, example, &out->to, &out->unit));
  out->from = 0;
  if (first) TRY(ReadValue(r, first, from, example, &out->from, &unit));
  if (first && strcmp(unit ? unit : "", out->unit ? out->unit : "") && !(out->from == 0 && !unit))
    return ReportError(r, first->at, "'from' and 'to' must have the same unit");
  if (!(out->to > out->from)) return ReportError(r, last->at, "'to' must be above 'from'");
  return 0;
}
