// SPDX-License-Identifier: Apache-2.0
// Which runs ended well, and the others by status and cause.
#include "post/study/survey.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 14 };

// A message without its numbers, which differ from run to run: "step 0.013" and "step 0.02" are one cause. Digits of names stay.
static void mask_numbers(const char *text, char *out, size_t size) {
  size_t n = 0;
  char before = ' ';
  while (*text && n + 1 < size) {
    bool begins = !isalnum((unsigned char)before) && before != '_' && before != '.' && before != '[';
    size_t length = begins ? strspn(text, "+-.0123456789eE") : 0;
    if (length && strcspn(text, "0123456789") < length && !isalpha((unsigned char)text[length]) &&
        text[length] != '_') {
      out[n++] = '#', text += length, before = '#';
      continue;
    }
    before = out[n++] = *text++;
  }
  out[n] = 0;
}

static FailureGroup *find_group(Survey *s, int status, const char *culprit) {
  char kind[STUDY_CULPRIT_TEXT];
  mask_numbers(culprit, kind, sizeof kind);
  for (int i = 0; i < s->groups; i++)
    if (s->group[i].status == status && !strcmp(s->group[i].kind, kind)) return &s->group[i];
  if (s->groups == SURVEY_GROUPS) return NULL;
  FailureGroup *g = &s->group[s->groups++];
  g->status = status;
  snprintf(g->culprit, sizeof g->culprit, "%s", culprit);
  snprintf(g->kind, sizeof g->kind, "%s", kind);
  return g;
}

static void note_failure(Survey *s, long row, int status, const char *culprit) {
  FailureGroup *g = find_group(s, status, culprit);
  if (!g) {
    s->other_failures++;
    return;
  }
  g->count++;
  if (g->firsts < SURVEY_FIRST) g->first[g->firsts++] = row;
}

static int by_count(const void *left, const void *right) {
  const FailureGroup *a = left, *b = right;
  if (a->count != b->count) return a->count > b->count ? -1 : 1;
  return a->first[0] < b->first[0] ? -1 : 1;
}

bool survey_failures(Survey *s) {
  double *status = malloc(PIECE * sizeof *status);
  char(*culprit)[STUDY_CULPRIT_TEXT] = malloc(PIECE * sizeof *culprit);
  int column = study_table_find(s->table, "status");
  s->group = calloc(SURVEY_GROUPS, sizeof *s->group);
  bool good = status && culprit && s->group;
  if (!good) print_command_error(s->command, "there is not enough memory");
  for (long from = 0; good && from < s->runs; from += PIECE) {
    long count = s->runs - from < PIECE ? s->runs - from : PIECE, failed = 0;
    good = study_table_read(s->table, column, from, count, status);
    for (long i = 0; good && i < count; i++)
      if (status[i] == 0) s->ended[(from + i) / 8] |= (unsigned char)(1 << (from + i) % 8), s->finished++;
      else failed++;
    if (failed && good) good = study_table_culprits(s->table, from, count, culprit);
    for (long i = 0; failed && good && i < count; i++)
      if (status[i] != 0) note_failure(s, from + i, (int)status[i], culprit[i]);
    if (!good) print_command_error(s->command, "the table is damaged: how the runs ended cannot be read");
  }
  if (good) qsort(s->group, (size_t)s->groups, sizeof *s->group, by_count);
  free(status), free(culprit);
  return good;
}
