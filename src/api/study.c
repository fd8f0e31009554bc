// SPDX-License-Identifier: Apache-2.0
// The public interface to studies.
#include "limber/limber.h"

#include "console/library_commands.h"
#include "model/error.h"
#include "model/refusal.h"
#include "results/read/study_table.h"

#include <petscsys.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

struct LimberStudyData {
  StudyTable *table;
};

// ---- running ----

static void give(Arguments *a, const Option *option, const char *value) {
  a->given[a->givens].option = option;
  a->given[a->givens++].value = value;
}

int LimberStudyRun(const char *plan, const char *output, int workers, int changes, const char *const *change,
                   LimberStudyEnd *end) {
  static const Option output_option = {.name = "output"}, workers_option = {.name = "workers"},
                      set_option = {.name = "set"}, quiet_option = {.name = "quiet"};
  Arguments *a = NULL;
  PetscBool started = PETSC_FALSE;
  char count[20], *argv[] = {(char[]){"study"}, NULL};
  struct sigaction before[2];
  ENSURE(plan && end, LIMBER_ERROR_ARGUMENT, "LimberStudyRun is given NULL");
  ENSURE(workers >= 0 && changes >= 0 && changes < MAX_GIVEN - 4 && (change || !changes), LIMBER_ERROR_ARGUMENT,
         "LimberStudyRun is given %d workers and %d changes", workers, changes);
  PetscInitialized(&started);
  ENSURE(!started, LIMBER_ERROR_WRONG_STATE,
         "LimberStudyRun makes processes, and must be called before LimberInitialize");
  TRY(MemoryNew(sizeof *a, &a));
  *a = (Arguments){.command = "study", .words = 1, .word = {plan}, .petsc_argc = 1, .petsc_argv = argv};
  snprintf(count, sizeof count, "%d", workers);
  if (output) give(a, &output_option, output);
  if (workers) give(a, &workers_option, count);
  for (int i = 0; i < changes; i++) give(a, &set_option, change[i]);
  give(a, &quiet_option, "");
  sigaction(SIGINT, NULL, &before[0]), sigaction(SIGTERM, NULL, &before[1]);
  int code = limber_command_study(a);
  sigaction(SIGINT, &before[0], NULL), sigaction(SIGTERM, &before[1], NULL);
  memory_free(&a);
  ENSURE(code == EXIT_GOOD || code == EXIT_FAILED || code == EXIT_MISTAKE, LIMBER_ERROR_LIBRARY,
         "the study of '%s' could not continue", plan);
  *end = code == EXIT_GOOD     ? LIMBER_STUDY_COMPLETE
         : code == EXIT_FAILED ? LIMBER_STUDY_INCOMPLETE
                               : LIMBER_STUDY_MISTAKE;
  return 0;
}

// ---- reading ----

int LimberStudyOpen(const char *path, LimberStudy *study) {
  Refusal wrong;
  StudyTable *t;
  ENSURE(path && study, LIMBER_ERROR_ARGUMENT, "LimberStudyOpen is given NULL");
  *study = NULL;
  ENSURE(study_table_open(path, &t, &wrong), LIMBER_ERROR_FILE_OPEN, "%s", wrong.text);
  TRY(MemoryNew(sizeof **study, study));
  (*study)->table = t;
  return 0;
}

int LimberStudyClose(LimberStudy *study) {
  if (!study || !*study) return 0;
  study_table_close(&(*study)->table);
  memory_free(study);
  return 0;
}

long long limber_study_runs(LimberStudy s) { return s ? study_table_runs(s->table) : 0; }
long long limber_study_first(LimberStudy s) { return s ? study_table_first(s->table) : 0; }
int limber_study_columns(LimberStudy s) { return s ? study_table_columns(s->table) : 0; }

static const StudyColumn *column_of(LimberStudy s, int column) {
  return s && column >= 0 && column < study_table_columns(s->table) ? study_table_column(s->table, column) : NULL;
}

const char *limber_study_name(LimberStudy s, int column) {
  const StudyColumn *c = column_of(s, column);
  return c ? c->name : NULL;
}

const char *limber_study_units(LimberStudy s, int column) {
  const StudyColumn *c = column_of(s, column);
  return c ? c->units : NULL;
}

int limber_study_kind(LimberStudy s, int column) {
  const StudyColumn *c = column_of(s, column);
  if (!c) return LIMBER_NONE;
  switch (c->kind) {
  case STUDY_PARAMETER: return LIMBER_STUDY_PARAMETER;
  case STUDY_OUTCOME: return LIMBER_STUDY_OUTCOME;
  case STUDY_STATISTIC: return LIMBER_STUDY_STATISTIC;
  case STUDY_CONCURRENT: return LIMBER_STUDY_CONCURRENT;
  case STUDY_ERROR: return LIMBER_STUDY_ERROR;
  case STUDY_GRADIENT: return LIMBER_STUDY_GRADIENT;
  }
  return LIMBER_NONE;
}

int limber_study_find(LimberStudy s, const char *name) {
  int column = s && name ? study_table_find(s->table, name) : -1;
  return column < 0 ? LIMBER_NONE : column;
}

int LimberStudyRead(LimberStudy s, int column, long long first, long long count, double *values) {
  ENSURE(column_of(s, column), LIMBER_ERROR_ARGUMENT, "there is no column %d", column);
  ENSURE(values || !count, LIMBER_ERROR_ARGUMENT, "LimberStudyRead is given NULL for values");
  ENSURE(first >= 0 && count >= 0 && count <= study_table_runs(s->table) - first, LIMBER_ERROR_ARGUMENT,
         "rows %lld to %lld are asked for, and there are %ld", first, first + count - 1, study_table_runs(s->table));
  ENSURE(study_table_read(s->table, column, (long)first, (long)count, values), LIMBER_ERROR_FILE_READ,
         "the table of the study is damaged, or a file of its blocks is missing");
  return 0;
}

const char *limber_study_status(LimberStudy s, int status) {
  return s && status >= 0 && status < study_table_statuses(s->table) ? study_table_status(s->table, status) : NULL;
}

static bool has_row(LimberStudy s, long long row) { return s && row >= 0 && row < study_table_runs(s->table); }

int LimberStudyGetCause(LimberStudy s, long long row, size_t size, char *text) {
  char cause[1][STUDY_CAUSE_TEXT];
  ENSURE(has_row(s, row) && text && size, LIMBER_ERROR_ARGUMENT, "there is no row %lld", row);
  ENSURE(study_table_causes(s->table, (long)row, 1, cause), LIMBER_ERROR_FILE_READ,
         "the table of the study is damaged, or a file of its blocks is missing");
  snprintf(text, size, "%s", cause[0]);
  return 0;
}

int LimberStudyGetChange(LimberStudy s, long long row, int i, size_t size, char *text) {
  ENSURE(has_row(s, row) && i >= 0 && text && size, LIMBER_ERROR_ARGUMENT, "there is no row %lld", row);
  if (!study_table_change(s->table, (long)row, i, text, size)) *text = 0;
  return 0;
}

int LimberStudyGetText(LimberStudy s, const char *name, size_t size, char *text) {
  ENSURE(s && name && text && size, LIMBER_ERROR_ARGUMENT, "LimberStudyGetText is given NULL");
  if (!study_table_text(s->table, name, text, size)) *text = 0;
  return 0;
}
