// SPDX-License-Identifier: Apache-2.0
#include "post/column_selection.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool no_memory(const char *command) { return complain(command, "there is not enough memory"), false; }

bool choose_run(const char *command, const char *path, Results **r) {
  char wrong[5000];
  if (results_open(path, r, wrong, sizeof wrong)) return true;
  complain(command, "%s", wrong);
  return false;
}

bool choose_number(const char *command, const char *option, const char *text, double *value) {
  char *end;
  if (!text) return true;
  *value = strtod(text, &end);
  if (end != text && !*end && isfinite(*value)) return true;
  complain(command, "--%s needs a number, not '%s'", option, text);
  return false;
}

bool choose_interval(const char *command, const Arguments *a, Interval *out) {
  double every = 1;
  const char *from = argument(a, "from"), *to = argument(a, "to");
  *out = (Interval){-HUGE_VAL, HUGE_VAL, !from && !to, 1};
  if (!choose_number(command, "from", from, &out->from) || !choose_number(command, "to", to, &out->to) ||
      !choose_number(command, "every", argument(a, "every"), &every))
    return false;
  out->every = every >= 1 && every < 1e9 ? (int)every : 0;
  if (!out->every || out->every != every) return complain(command, "--every needs a whole number from 1 on"), false;
  if (out->from > out->to) return complain(command, "--from %g is later than --to %g", out->from, out->to), false;
  return true;
}

bool choose_rows(const char *command, const Results *r, const Interval *i, RowChoice *rows) {
  const double *t = results_time(r);
  int n = results_interval(r, i->from, i->to, &rows->first);
  rows->every = i->every, rows->count = (n + i->every - 1) / i->every;
  if (n) return true;
  complain(command, "%s has no rows in that interval; it reaches from %g to %g s", results_path(r), t[0],
           t[results_rows(r) - 1]);
  return false;
}

bool choose_columns(const char *command, const Results *r, int words, const char *const *word, Choice *out) {
  char wrong[5000];
  int total = 0, first;
  *out = (Choice){0};
  for (int i = 0; i < words; i++) {
    int n = results_find(r, word[i], &first, wrong, sizeof wrong);
    if (!n) return complain(command, "%s", wrong), false;
    total += n;
  }
  out->column = calloc((size_t)total + 1, sizeof *out->column);
  out->label = calloc((size_t)total + 1, sizeof *out->label);
  if (!out->column || !out->label) return no_memory(command);
  for (int i = 0; i < words; i++) {
    int n = results_find(r, word[i], &first, wrong, sizeof wrong);
    for (int k = 0; k < n; k++, out->count++) {
      const Column *c = results_column(r, first + k);
      out->column[out->count] = first + k;
      out->label[out->count] = strcmp(word[i], c->brief) ? c->name : c->brief;
    }
  }
  return true;
}

void choice_free(Choice *c) {
  free(c->column), free(c->label);
  *c = (Choice){0};
}

bool choose_values(const char *command, Results *r, int column, const RowChoice *rows, double **values) {
  int span = rows->count ? (rows->count - 1) * rows->every + 1 : 0;
  *values = malloc(((size_t)span + 1) * sizeof **values);
  if (!*values) return no_memory(command);
  if (!results_read(r, column, rows->first, span, *values)) {
    complain(command, "'%s' is damaged: column %s cannot be read", results_path(r), results_column(r, column)->name);
    free(*values), *values = NULL;
    return false;
  }
  for (int i = 1; i < rows->count; i++) (*values)[i] = (*values)[(size_t)i * (size_t)rows->every];
  return true;
}

bool choose_output(const char *command, const char *path) {
  static const char signature[] = "\x89HDF";
  char head[4];
  FILE *f = fopen(path, "rb");
  bool existed = f != NULL;
  size_t got = f ? fread(head, 1, sizeof head, f) : 0;
  if (f) fclose(f);
  if (got == sizeof head && !memcmp(head, signature, sizeof head)) {
    complain(command, "'%s' is an HDF5 file, so it is not overwritten", path);
    return false;
  }
  f = fopen(path, "ab");
  if (!f) return complain(command, "cannot write '%s': %s", path, strerror(errno)), false;
  fclose(f);
  if (!existed) unlink(path);
  return true;
}
