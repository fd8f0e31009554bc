// SPDX-License-Identifier: Apache-2.0
// Lines in which the texts of two models differ: what is left of each beside a longest common sequence.
#include "post/compare/compare.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 3000 }; // between the first and the last difference

typedef struct {
  char *text, **line;
  int lines;
} ModelText;

static void split_lines(ModelText *t) {
  int room = 1;
  for (const char *c = t->text; *c; c++) room += *c == '\n';
  t->line = calloc((size_t)room + 1, sizeof *t->line);
  for (char *at = t->text; t->line && *at;) {
    t->line[t->lines++] = at;
    at += strcspn(at, "\n");
    if (*at) *at++ = 0;
  }
}

static void print_line(FILE *out, bool page, const char *name, int side, int line, const char *text) {
  if (page) page_text(out, "pre", "", "%c %s:%d  %s", side ? '+' : '-', name, line, text);
  else fprintf(out, "  %c %s:%d: %s\n", side ? '+' : '-', name, line, text);
}

// length[i][j]: of the longest common sequence of the lines from i and from j on.
static int compare_middle(const ModelText t[2], const int from[2], const int n[2], const char *name, FILE *out,
                          bool page) {
  size_t width = (size_t)n[1] + 1;
  int *length = calloc(((size_t)n[0] + 1) * width, sizeof *length), told = 0, i = 0, j = 0;
  char **a = t[0].line + from[0], **b = t[1].line + from[1];
  if (!length) return 1;
  for (int p = n[0] - 1; p >= 0; p--)
    for (int q = n[1] - 1; q >= 0; q--) {
      int *at = &length[(size_t)p * width + (size_t)q];
      *at = !strcmp(a[p], b[q]) ? at[width + 1] + 1 : at[width] > at[1] ? at[width] : at[1];
    }
  while (i < n[0] || j < n[1]) {
    const int *at = &length[(size_t)i * width + (size_t)j];
    if (i < n[0] && j < n[1] && !strcmp(a[i], b[j])) i++, j++;
    else if (i < n[0] && (j == n[1] || at[width] >= at[1]))
      print_line(out, page, name, 0, from[0] + i + 1, a[i]), i++, told++;
    else print_line(out, page, name, 1, from[1] + j + 1, b[j]), j++, told++;
  }
  free(length);
  return told;
}

static int compare_texts(ModelText t[2], const char *name, FILE *out, bool page) {
  int from[2] = {0, 0}, n[2], told = 0;
  for (int k = 0; k < 2; k++) split_lines(&t[k]);
  if (!t[0].line || !t[1].line) return 1;
  int least = t[0].lines < t[1].lines ? t[0].lines : t[1].lines, end = 0;
  while (from[0] < least && !strcmp(t[0].line[from[0]], t[1].line[from[0]])) from[0]++;
  from[1] = from[0];
  while (end < least - from[0] && !strcmp(t[0].line[t[0].lines - 1 - end], t[1].line[t[1].lines - 1 - end])) end++;
  for (int k = 0; k < 2; k++) n[k] = t[k].lines - from[k] - end;
  if (n[0] > MOST_LINES || n[1] > MOST_LINES) {
    print_line(out, page, name, 0, from[0] + 1, "... the texts differ from here on by too many lines to list them");
    told = 1;
  } else told = compare_middle(t, from, n, name, out, page);
  return told;
}

static int compare_changes(Comparison *c, FILE *out, bool page) {
  char **change[2];
  int count[2], told = 0;
  for (int k = 0; k < 2; k++) change[k] = results_changes(c->run[k], &count[k]);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < count[k]; i++) {
      bool found = false;
      for (int j = 0; j < count[1 - k]; j++) found = found || !strcmp(change[k][i], change[1 - k][j]);
      if (!found) print_line(out, page, "--set", k, i + 1, change[k][i]), told++;
    }
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < count[k]; i++) free(change[k][i]);
    free(change[k]);
  }
  return told;
}

int compare_models(Comparison *c, FILE *out, bool page) {
  int told = 0;
  bool more = true;
  for (int file = 0; more; file++) {
    ModelText t[2] = {{0}, {0}};
    char *name[2] = {NULL, NULL};
    bool there[2];
    for (int k = 0; k < 2; k++) there[k] = results_source(c->run[k], file, &name[k], &t[k].text);
    more = there[0] && there[1];
    if (more) told += compare_texts(t, name[0], out, page);
    else if (there[0] || there[1])
      print_line(out, page, there[0] ? name[0] : name[1], !there[0], 1, "(this file)"), told++;
    for (int k = 0; k < 2; k++) free(name[k]), free(t[k].line), free(t[k].text);
  }
  return told + compare_changes(c, out, page);
}
