// SPDX-License-Identifier: Apache-2.0
#include "post/selection.h"
#include "model/refusal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(const char *command) { return print_command_error(command, "not enough memory"), false; }

bool open_results(const char *command, const char *path, Results **r) {
  Refusal wrong;
  if (results_open(path, r, &wrong)) return true;
  print_command_error(command, "%s", wrong.text);
  return false;
}

bool parse_option_number(const char *command, const char *option, const char *text, double *value) {
  char *end;
  if (!text) return true;
  *value = strtod(text, &end);
  if (end != text && !*end && isfinite(*value)) return true;
  print_command_error(command, "--%s needs a number, not '%s'", option, text);
  return false;
}

bool parse_time_range(const char *command, const Arguments *a, TimeRange *out) {
  double every = 1;
  const char *from = argument_value(a, "from"), *to = argument_value(a, "to");
  *out = (TimeRange){-HUGE_VAL, HUGE_VAL, !from && !to, 1};
  if (!parse_option_number(command, "from", from, &out->from) || !parse_option_number(command, "to", to, &out->to) ||
      !parse_option_number(command, "every", argument_value(a, "every"), &every))
    return false;
  out->every = every >= 1 && every < 1e9 ? (int)every : 0;
  if (!out->every || out->every != every)
    return print_command_error(command, "--every needs a whole number from 1 on"), false;
  if (out->from > out->to)
    return print_command_error(command, "--from %g is later than --to %g", out->from, out->to), false;
  return true;
}

bool select_rows(const char *command, const Results *r, const TimeRange *i, RowSelection *rows) {
  const double *t = results_time(r);
  int n = results_time_range(r, i->from, i->to, &rows->first);
  rows->every = i->every, rows->count = (n + i->every - 1) / i->every;
  if (n) return true;
  print_command_error(command, "%s has no rows in that interval; it reaches from %g to %g s", results_path(r), t[0],
                      t[results_rows(r) - 1]);
  return false;
}

bool select_columns(const char *command, const Results *r, int words, const char *const *word, ColumnSelection *out) {
  Refusal wrong;
  int total = 0, first;
  *out = (ColumnSelection){0};
  for (int i = 0; i < words; i++) {
    int n = results_find(r, word[i], &first, &wrong);
    if (!n) return print_command_error(command, "%s", wrong.text), false;
    total += n;
  }
  out->column = calloc((size_t)total + 1, sizeof *out->column);
  out->label = calloc((size_t)total + 1, sizeof *out->label);
  if (!out->column || !out->label) return no_memory(command);
  for (int i = 0; i < words; i++) {
    int n = results_find(r, word[i], &first, &wrong);
    for (int k = 0; k < n; k++, out->count++) {
      const ResultColumn *c = results_column(r, first + k);
      out->column[out->count] = first + k;
      out->label[out->count] = strcmp(word[i], c->brief) ? c->name : c->brief;
    }
  }
  return true;
}

void column_selection_free(ColumnSelection *c) {
  free(c->column), free(c->label);
  *c = (ColumnSelection){0};
}

bool read_selected_values(const char *command, Results *r, int column, const RowSelection *rows, double **values) {
  int span = rows->count ? (rows->count - 1) * rows->every + 1 : 0;
  *values = malloc(((size_t)span + 1) * sizeof **values);
  if (!*values) return no_memory(command);
  if (!results_read(r, column, rows->first, span, *values)) {
    print_command_error(command, "'%s' is damaged: column %s cannot be read", results_path(r),
                        results_column(r, column)->name);
    free(*values), *values = NULL;
    return false;
  }
  for (int i = 1; i < rows->count; i++) (*values)[i] = (*values)[(size_t)i * (size_t)rows->every];
  return true;
}
