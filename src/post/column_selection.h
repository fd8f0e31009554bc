// SPDX-License-Identifier: Apache-2.0
// What the commands that read results share: runs, rows and columns as the command line names them. All return false
// after a message on stderr.
#ifndef LIMBER_POST_COLUMN_SELECTION_H
#define LIMBER_POST_COLUMN_SELECTION_H

#include "console/console.h"
#include "results/read/columns.h"

typedef struct {
  double from, to;
  bool whole; // neither was given
  int every;
} Interval;

typedef struct {
  int first, count, every; // row first, first + every, ...
} RowChoice;

typedef struct {
  int *column;
  const char **label; // the short name if the user wrote that, else the name in full
  int count;
} Choice;

bool choose_run(const char *command, const char *path, Results **r);
bool choose_number(const char *command, const char *option, const char *text, double *value);
bool choose_interval(const char *command, const Arguments *a, Interval *out); // --from, --to, --every
bool choose_rows(const char *command, const Results *r, const Interval *i, RowChoice *rows);
bool choose_columns(const char *command, const Results *r, int words, const char *const *word, Choice *out);
void choice_free(Choice *c);

// The rows of a column, to be freed.
bool choose_values(const char *command, Results *r, int column, const RowChoice *rows, double **values);

// Can this be written? An HDF5 file is not overwritten: it may be a result.
bool choose_output(const char *command, const char *path);

#endif
