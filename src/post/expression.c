// SPDX-License-Identifier: Apache-2.0
#include "post/expression.h"

#include "model/formula.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 32 };

typedef struct {
  Results *r;
  int column[MOST_COLUMNS], columns;
  double value[MOST_COLUMNS]; // of each in the row under way
  bool crowded;
} ColumnExpression;

bool is_expression(const Results *r, const char *text) {
  char none[400];
  int first;
  return strpbrk(text, "+-*/^( ") && !results_find(r, text, &first, none, sizeof none);
}

static const double *find_column(void *owner, const char *name) {
  ColumnExpression *c = owner;
  char none[400];
  int column;
  if (results_find(c->r, name, &column, none, sizeof none) != 1) return NULL;
  for (int i = 0; i < c->columns; i++)
    if (c->column[i] == column) return &c->value[i];
  if (c->columns == MOST_COLUMNS) return c->crowded = true, &c->value[0];
  c->column[c->columns] = column;
  return &c->value[c->columns++];
}

static bool evaluate_rows(ColumnExpression *c, Formula *f, int first, int count, double *values) {
  double *read = malloc((size_t)count * (size_t)(c->columns + 1) * sizeof *read);
  bool good = read != NULL;
  for (int k = 0; good && k < c->columns; k++)
    good = results_read(c->r, c->column[k], first, count, read + (size_t)k * (size_t)count);
  for (int i = 0; good && i < count; i++) {
    for (int k = 0; k < c->columns; k++) c->value[k] = read[(size_t)k * (size_t)count + (size_t)i];
    values[i] = formula_value(f);
  }
  free(read);
  return good;
}

bool evaluate_expression(Results *r, const char *text, int first, int count, double *values, char *wrong, size_t size) {
  ColumnExpression c = {.r = r};
  FormulaMistake mistake;
  Formula *f = NULL;
  bool good = false;
  int column, found;
  if (FormulaCreate(text, find_column, &c, &f, &mistake)) snprintf(wrong, size, "there is not enough memory");
  else if (mistake.unknown[0]) {
    found = results_find(r, mistake.unknown, &column, wrong, size);
    if (found > 1)
      snprintf(wrong, size, "'%s' is %d columns; name one, such as %s", mistake.unknown, found,
               results_column(r, column)->name);
  } else if (mistake.text[0]) snprintf(wrong, size, "'%s': %s", text, mistake.text);
  else if (c.crowded) snprintf(wrong, size, "a formula has at most %d columns", MOST_COLUMNS);
  else if (!evaluate_rows(&c, f, first, count, values)) snprintf(wrong, size, "'%s' cannot be read", text);
  else good = true;
  formula_destroy(&f);
  return good;
}
