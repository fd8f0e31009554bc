// SPDX-License-Identifier: Apache-2.0
// The table of a study: the rows of all blocks in one file.
#ifndef LIMBER_STUDY_TABLE_H
#define LIMBER_STUDY_TABLE_H

#include "study/study.h"

// From so many bytes of rows on the blocks stay where they are, and the table refers to them.
extern const double study_most_copied;

// Makes the table under another name, that of study_table_draft; all blocks are there. Without a draft a block was damaged, and is
// to be done again.
Error StudyTableMake(const Study *s);
// Gives it its name and removes the blocks that it copied.
Error StudyTableFinish(const Study *s);
void study_table_draft(const Study *s, char *path, size_t size);

#endif
