// SPDX-License-Identifier: Apache-2.0
// Columns of the table of a study by the names that a user writes.
#include "input/yaml/names.h"
#include "post/study/survey.h"

#include <stdlib.h>
#include <string.h>

static bool same_but_blanks(const char *a, const char *b) {
  for (; *a && *b; a++, b++)
    if (*a != *b && !((*a == ' ' || *a == '.') && (*b == ' ' || *b == '.'))) return false;
  return *a == *b;
}

static const char *group_of(const StudyColumn *c) {
  switch (c->kind) {
  case STUDY_PARAMETER: return "parameters";
  case STUDY_OUTCOME: return "outcome";
  case STUDY_STATISTIC: return "statistics";
  case STUDY_COMPANION: return "companions";
  }
  return "";
}

static bool is_of_channel(const StudyColumn *c, const char *word) {
  size_t n = strlen(word);
  return c->kind == STUDY_STATISTIC && !strncmp(c->name, word, n) && c->name[n] == ' ';
}

static bool matches(const StudyColumn *c, const char *word, int way) {
  switch (way) {
  case 0: return !strcmp(c->name, word);
  case 1: return same_but_blanks(c->name, word);
  case 2: return is_of_channel(c, word);
  default: return !strcmp(group_of(c), word);
  }
}

// Adds what a word means, in the first way in which it means something; how many.
static int add_columns(const StudyTable *t, const char *word, int *column) {
  int count = 0;
  for (int way = 0; way < 4 && !count; way++)
    for (int i = 0; i < study_table_columns(t); i++)
      if (matches(study_table_column(t, i), word, way)) column[count++] = i;
  return count;
}

static void explain(const char *command, const StudyTable *t, const char *word) {
  Nearest n;
  nearest_begin(&n, word);
  for (int i = 0; i < study_table_columns(t); i++)
    if (study_table_column(t, i)->kind != STUDY_COMPANION) nearest_try(&n, study_table_column(t, i)->name);
  print_command_error(command, "the study has no column '%s'%s", word, nearest_hint(&n, "there are"));
}

bool study_columns(const char *command, const StudyTable *t, int words, const char *const *word, int **column,
                   int *count) {
  size_t all = (size_t)study_table_columns(t);
  *column = calloc(all * (size_t)words + 1, sizeof **column), *count = 0;
  if (!*column) return print_command_error(command, "there is not enough memory"), false;
  for (int i = 0; i < words; i++) {
    int n = add_columns(t, word[i], *column + *count);
    if (!n) return explain(command, t, word[i]), free(*column), *column = NULL, false;
    *count += n;
  }
  return true;
}
