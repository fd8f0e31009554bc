// SPDX-License-Identifier: Apache-2.0
// What the commands that read results share: runs, rows and columns as the command line names them. All return false
// after a message on stderr.
#ifndef LIMBER_POST_SELECTION_H
#define LIMBER_POST_SELECTION_H

#include "console/output.h"
#include "results/read/results.h"

typedef struct {
  double from, to;
  bool whole; // neither was given
  int every;
} TimeRange;

typedef struct {
  int first, count, every; // row first, first + every, ...
} RowSelection;

typedef struct {
  int *column;
  const char **label; // the short name if the user wrote that, else the name in full
  int count;
} ColumnSelection;

bool open_results(const char *command, const char *path, Results **r);
bool parse_option_number(const char *command, const char *option, const char *text, double *value);
bool parse_time_range(const char *command, const Arguments *a, TimeRange *out); // --from, --to, --every
bool select_rows(const char *command, const Results *r, const TimeRange *i, RowSelection *rows);
bool select_columns(const char *command, const Results *r, int words, const char *const *word, ColumnSelection *out);
void column_selection_free(ColumnSelection *c);

// The rows of a column, to be freed.
bool read_selected_values(const char *command, Results *r, int column, const RowSelection *rows, double **values);

#endif
