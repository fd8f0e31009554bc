// SPDX-License-Identifier: Apache-2.0
// Rows of a study as HDF5: a block, or the table of all runs. Each part of a row is one dataset. The same rows give the
// same bytes.
#ifndef LIMBER_STUDY_FILE_H
#define LIMBER_STUDY_FILE_H

#include "study/study.h"

#include <hdf5.h>

typedef enum {
  STUDY_FILE_BLOCK,   // datasets in one piece
  STUDY_FILE_TABLE,   // datasets in chunks of one column
  STUDY_FILE_VIRTUAL, // datasets that stand in the files of the blocks
} StudyFileForm;

enum { STUDY_CHUNK = 8192, STUDY_PARTS = 13 }; // rows of a chunk; datasets at most

typedef struct {
  const Study *study;
  hid_t id, set[STUDY_PARTS];
  void *buffer;  // of one dataset
  uint64_t room; // rows
} StudyFile;

// A file for `rows` rows from run `first` on.
Error StudyFileCreate(const char *path, const Study *s, StudyFileForm form, uint64_t first, uint64_t rows,
                      StudyFile *f);
Error StudyFileWrite(StudyFile *f, uint64_t from, uint64_t count, const void *rows);
Error StudyFileClose(StudyFile *f);
// Brings a file to the disk and gives it its name.
Error StudyFileRename(const char *from, const char *to);

// The table of a study: the rows of all blocks in one file.

// From so many bytes of rows on the blocks stay where they are, and the table refers to them.
extern const double study_most_copied;

// Makes the table under another name, that of study_table_draft; all blocks are there. Without a draft a block was
// damaged, and is to be done again.
Error StudyTableMake(const Study *s);
// Gives it its name and removes the blocks that it copied.
Error StudyTableFinish(const Study *s);
void study_table_draft(const Study *s, char *path, size_t size);

#endif
