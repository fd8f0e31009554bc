// SPDX-License-Identifier: Apache-2.0
// Reading the table of a study (docs/studies.md): columns of numbers by name, one row a run. It needs neither MPI nor
// PETSc. A block of a study that is not finished is such a table, too.
#ifndef LIMBER_RESULTS_READ_STUDY_TABLE_H
#define LIMBER_RESULTS_READ_STUDY_TABLE_H

#include "model/refusal.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum { STUDY_PARAMETER, STUDY_OUTCOME, STUDY_STATISTIC, STUDY_COMPANION } StudyColumnKind;

typedef struct {
  const char *name; // "let.wind", "status", "tip.z max", "tip.z at max of root.moment.y"
  const char *units;
  StudyColumnKind kind;
  const char *set; // where it lies in the file
  int index;
} StudyColumn;

enum { STUDY_CULPRIT_TEXT = 97 }; // characters of a cause, with the zero

typedef struct StudyTable StudyTable;

// False, with the reason in `wrong`, if it is not the table of a study.
bool study_table_open(const char *path, StudyTable **out, Refusal *wrong);
void study_table_close(StudyTable **t);
// Whether a file says that it is the table of a study.
bool is_study_table(const char *path);
// Of the study that a table is of; "": the file is none.
void study_table_identity(const char *path, char *identity, size_t size);

long study_table_runs(const StudyTable *t);
long study_table_first(const StudyTable *t); // number of the run in the first row
int study_table_columns(const StudyTable *t);
const StudyColumn *study_table_column(const StudyTable *t, int i);
int study_table_find(const StudyTable *t, const char *name); // -1: there is none
// Rows `from` to `from + count - 1` of a column. False: the file is damaged.
bool study_table_read(StudyTable *t, int column, long from, long count, double *values);
bool study_table_culprits(StudyTable *t, long from, long count, char (*text)[STUDY_CULPRIT_TEXT]);
// Parts of the lifetime that rows `from` to `from + count - 1` stand for; 1/runs where the plan gives no weights.
bool study_table_weights(StudyTable *t, long from, long count, double *weight);
bool study_table_is_weighted(const StudyTable *t);
// Partial safety factor of a channel; 1 where the plan gives none.
double study_table_factor(const StudyTable *t, const char *channel);
// The word that a number of a parameter stands for; NULL: it is a number.
const char *study_table_word(const StudyTable *t, int column, double value, char *text, size_t size);
// The i-th change of the model file that makes the run of a row: "let.E=70100000000 Pa". False: there are no more.
bool study_table_change(StudyTable *t, long row, int i, char *text, size_t size);
int study_table_statuses(const StudyTable *t);
const char *study_table_status(const StudyTable *t, int status); // "finished"; "" if there is no such

// Attributes: title, identity, plan, model; false if there is none of that name.
bool study_table_text(const StudyTable *t, const char *attribute, char *text, size_t size);
// A text that the table was made of, "/plan" or "/model", to be freed; NULL if there is none.
char *study_table_source(const StudyTable *t, const char *path);

#endif
