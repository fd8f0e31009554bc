// SPDX-License-Identifier: Apache-2.0
// Reads the table of a study (docs/studies.md): columns of numbers by name, one row per run. It needs neither MPI nor
// PETSc. A block of an unfinished study is such a table, too.
#ifndef LIMBER_RESULTS_READ_STUDY_TABLE_H
#define LIMBER_RESULTS_READ_STUDY_TABLE_H

#include "model/refusal.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  STUDY_PARAMETER,
  STUDY_OUTCOME,
  STUDY_STATISTIC,
  STUDY_CONCURRENT,
  STUDY_ERROR, // of a statistic or of a derivative
  STUDY_GRADIENT
} StudyColumnKind;

typedef struct {
  const char *name; // "let.wind", "status", "tip.z max", "tip.z at max of root.moment.y"
  const char *units;
  StudyColumnKind kind;
  const char *set; // dataset in the file
  int index;
} StudyColumn;

enum { STUDY_CAUSE_TEXT = 97 }; // characters of a cause, including the zero

typedef struct StudyTable StudyTable;

// False, with the reason in `wrong`, if it is not the table of a study.
bool study_table_open(const char *path, StudyTable **out, Refusal *wrong);
void study_table_close(StudyTable **t);
// Whether a file declares itself the table of a study.
bool is_study_table(const char *path);
// The identity of the study of a table; "": the file is not such a table.
void study_table_identity(const char *path, char *identity, size_t size);

long study_table_runs(const StudyTable *t);
long study_table_first(const StudyTable *t); // number of the run in the first row
int study_table_columns(const StudyTable *t);
const StudyColumn *study_table_column(const StudyTable *t, int i);
int study_table_find(const StudyTable *t, const char *name); // -1: none
// Rows `from` to `from + count - 1` of a column. False: the file is damaged.
bool study_table_read(StudyTable *t, int column, long from, long count, double *values);
bool study_table_causes(StudyTable *t, long from, long count, char (*text)[STUDY_CAUSE_TEXT]);
// Fractions of the lifetime that rows `from` to `from + count - 1` represent; 1/runs if the study file gives no
// weights.
bool study_table_weights(StudyTable *t, long from, long count, double *weight);
bool study_table_is_weighted(const StudyTable *t);
// Partial safety factor of a channel; 1 if the study file gives none.
double study_table_factor(const StudyTable *t, const char *channel);
// The word that a value of a parameter stands for; NULL: it is a number.
const char *study_table_word(const StudyTable *t, int column, double value, char *text, size_t size);
// The i-th change of the model file for the run of a row: "let.E=70100000000 Pa". False: there are no more.
bool study_table_change(StudyTable *t, long row, int i, char *text, size_t size);
int study_table_statuses(const StudyTable *t);
const char *study_table_status(const StudyTable *t, int status); // "finished"; "" if unknown

// Attributes: title, identity, plan, model; false if there is none of that name.
bool study_table_text(const StudyTable *t, const char *attribute, char *text, size_t size);
// A source text stored in the table, "/plan" or "/model", to be freed; NULL: none.
char *study_table_source(const StudyTable *t, const char *path);

#endif
