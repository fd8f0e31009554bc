// SPDX-License-Identifier: Apache-2.0
// The table of a study: the rows of all blocks in one file.
#ifndef LIMBER_STUDY_TABLE_H
#define LIMBER_STUDY_TABLE_H

#include "study/study.h"

// From so many bytes of rows on the blocks stay where they are, and the table refers to them.
extern const double study_most_copied;

// Makes the table under another name, `study_table_draft`; all blocks are there. TableFinish gives it its name and removes the
// blocks that it copied.
Error StudyTableMake(const Study *s);
Error StudyTableFinish(const Study *s);
void study_table_draft(const Study *s, char *path, size_t size);
bool study_table_copies(const Study *s);

// Calls `visit` with every row of the draft, in order.
Error StudyTableVisit(const Study *s, Error (*visit)(void *self, const StudyRow *row), void *self);

#endif
