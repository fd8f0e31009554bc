// SPDX-License-Identifier: Apache-2.0
// The row of a run in the table of a study: how the run ended, the values that it had, the statistics of its channels.
#ifndef LIMBER_STUDY_ROW_H
#define LIMBER_STUDY_ROW_H

#include "model/steps.h"
#include "study/gradients.h"
#include "study/plan/plan.h"

// Numbers of a row, in this order: values of the variables, statistics of the channels, concurrent values, error bars of
// the statistics, values of the quantities of `gradients` and their derivatives, errors of the derivatives,
// the step that a run chose and its largest relative error.
typedef struct {
  int parameters, statistics, concurrent, errors, gradients, gradient_errors, chosen, width;
  const char *const *name, *const *unit; // of each
} StudyLayout;

// `unit[c]` is that of channel c. The names belong to the store.
Error StudyLayoutCreate(const Plan *p, const char *const *unit, const StudyGradients *g, Store *store,
                        StudyLayout *out);
int study_errors_at(const StudyLayout *l);    // where error bars begin in a row of numbers
int study_gradients_at(const StudyLayout *l); // the same of gradients, which their errors follow
int study_chosen_at(const StudyLayout *l);    // the same of the step that was chosen, which the error follows
// Where the concurrent values of channel c begin in a row of numbers: the values of all channels at its maximum, then
// at its minimum. -1: it has none.
int study_concurrent(const Plan *p, const StudyLayout *l, int channel);

enum { STUDY_CAUSE = 96 };

typedef struct {
  uint64_t run, checksum;
  int64_t steps;
  double time;    // s, reached
  double balance; // J, worst energy balance error of a step
  double constraint;
  int64_t status;
  char cause[STUDY_CAUSE]; // what failed, padded with zeros
  double value[];          // `width` numbers
} StudyRow;

size_t study_row_size(const StudyLayout *l);
// A row without numbers: its statistics are NaN.
void study_row_clear(const StudyLayout *l, uint64_t run, StudyRow *row);
void study_row_end(StudyRow *row, RunStatus status, const char *cause);

// The rows of a block that is under way: appended to a file in order, each with a sum of its bytes. Whatever ends the
// process, what was written stays, and the block continues after the last complete row.

typedef struct {
  char path[4200];
  int fd;
  const StudyLayout *layout;
  size_t row_size;
  uint64_t first, rows; // run of the first row; rows, with those in the buffer
  char *buffer;
  size_t used;
  double written; // when the buffer was last written, s
} Journal;

// Begins a journal, or continues the one that is there: its good rows are kept, the rest is cut off. One with
// another identity begins anew. `most`: rows that it may have.
Error JournalOpen(const char *path, const char *identity, const StudyLayout *l, uint64_t first, uint64_t most,
                  Journal *j);
// Opens a journal that is complete, to read; fewer rows than `most`: it is damaged.
Error JournalOpenComplete(const char *path, const char *identity, const StudyLayout *l, uint64_t first, uint64_t most,
                          Journal *j);
// Adds the next row, with its sum. It is in the file at most half a second later.
Error JournalAppend(Journal *j, StudyRow *row);
Error JournalFlush(Journal *j);
// Rows `from` to `from + count - 1`, all of which are in the file.
Error JournalRead(const Journal *j, uint64_t from, uint64_t count, void *rows);
Error JournalClose(Journal *j); // its file stays

#endif
