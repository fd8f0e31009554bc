// SPDX-License-Identifier: Apache-2.0
// The rows of a block that is under way: appended to a file in order, each with a sum of its bytes. Whatever ends the process, what
// was written stays, and the block goes on after the last row that is whole.
#ifndef LIMBER_STUDY_JOURNAL_H
#define LIMBER_STUDY_JOURNAL_H

#include "study/row.h"

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

// Begins a journal, or goes on with the one that is there: its good rows are kept, the rest is cut off. One with another
// identity begins anew. `most`: rows that it may have.
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
