// SPDX-License-Identifier: Apache-2.0
#include "study/table.h"

#include "study/file.h"

#include <stdio.h>

const double study_most_copied = 1e9;

bool study_table_copies(const Study *s) {
  return !s->in_place && (double)s->runs * (double)study_row_size(&s->layout) < study_most_copied;
}

void study_table_draft(const Study *s, char *path, size_t size) { snprintf(path, size, "%s.draft", s->output); }

typedef Error (*VisitRows)(void *self, uint64_t from, uint64_t count, const void *rows);

// Rows of all blocks in slices of one chunk: the table is written by whole chunks.
static Error VisitBlocks(const Study *s, VisitRows visit, void *self) {
  char path[4200], *rows = NULL;
  uint64_t first, count, used = 0, written = 0;
  size_t size = study_row_size(&s->layout);
  StudyFile f;
  TRY(MemoryNew(STUDY_CHUNK * size, &rows));
  for (uint64_t b = 0; b < study_blocks(s); b++) {
    study_block_range(s, b, &first, &count);
    study_block_path(s, b, "h5", path, sizeof path);
    TRY(StudyFileOpen(path, s, &f));
    for (uint64_t done = 0, n; done < count; done += n) {
      n = count - done < STUDY_CHUNK - used ? count - done : STUDY_CHUNK - used;
      TRY(StudyFileRead(&f, done, n, rows + used * size));
      for (uint64_t i = 0; i < n; i++) ((StudyRow *)(rows + (used + i) * size))->run = first + done + i;
      used += n;
      if (used < STUDY_CHUNK) continue;
      TRY(visit(self, written, used, rows));
      written += used, used = 0;
    }
    TRY(StudyFileClose(&f));
  }
  if (used) TRY(visit(self, written, used, rows));
  memory_free(&rows);
  return 0;
}

static Error WriteRows(void *self, uint64_t from, uint64_t count, const void *rows) {
  return StudyFileWrite(self, from, count, rows);
}

Error StudyTableMake(const Study *s) {
  char path[4300];
  StudyFile f;
  bool copy = study_table_copies(s);
  study_table_draft(s, path, sizeof path);
  TRY(StudyFileCreate(path, s, copy ? STUDY_FILE_TABLE : STUDY_FILE_VIRTUAL, 0, s->runs, &f));
  if (copy) TRY(VisitBlocks(s, WriteRows, &f));
  return StudyFileClose(&f);
}

Error StudyTableFinish(const Study *s) {
  char path[4300];
  study_table_draft(s, path, sizeof path);
  TRY(StudyFileRename(path, s->output));
  if (study_table_copies(s)) study_folder_remove(s);
  return 0;
}

typedef struct {
  Error (*visit)(void *self, const StudyRow *row);
  void *self;
  size_t size;
} RowVisit;

static Error VisitRow(void *self, uint64_t from, uint64_t count, const void *rows) {
  RowVisit *v = self;
  (void)from;
  for (uint64_t i = 0; i < count; i++) TRY(v->visit(v->self, (const StudyRow *)((const char *)rows + i * v->size)));
  return 0;
}

Error StudyTableVisit(const Study *s, Error (*visit)(void *self, const StudyRow *row), void *self) {
  RowVisit v = {visit, self, study_row_size(&s->layout)};
  return VisitBlocks(s, VisitRow, &v);
}
