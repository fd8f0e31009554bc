// SPDX-License-Identifier: Apache-2.0
#include "study/table.h"

#include "study/file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const double study_most_copied = 1e9;

void study_table_draft(const Study *s, char *path, size_t size) { snprintf(path, size, "%s.draft", s->output); }

// Rows on their way to the table, which is written by whole chunks.
typedef struct {
  StudyFile file;
  char *rows;
  size_t size;
  uint64_t used, written;
} Writer;

static Error WriteChunk(Writer *w) {
  if (w->used) TRY(StudyFileWrite(&w->file, w->written, w->used, w->rows));
  w->written += w->used, w->used = 0;
  return 0;
}

static Error AddRows(void *self, uint64_t count, const void *rows) {
  Writer *w = self;
  for (uint64_t done = 0, n; done < count; done += n) {
    n = count - done < STUDY_CHUNK - w->used ? count - done : STUDY_CHUNK - w->used;
    memcpy(w->rows + w->used * w->size, (const char *)rows + done * w->size, (size_t)n * w->size);
    w->used += n;
    if (w->used == STUDY_CHUNK) TRY(WriteChunk(w));
  }
  return 0;
}

static Error CopyBlocks(const Study *s, Writer *w, bool *damaged) {
  bool bad;
  TRY(MemoryNew(STUDY_CHUNK * w->size, &w->rows));
  for (uint64_t b = 0; b < study_blocks(s); b++) {
    TRY(StudyBlockVisit(s, b, AddRows, w, &bad));
    *damaged = *damaged || bad;
  }
  if (!*damaged) TRY(WriteChunk(w));
  memory_free(&w->rows);
  return 0;
}

Error StudyTableMake(const Study *s) {
  char path[4300];
  Writer w = {.size = study_row_size(&s->layout)};
  bool damaged = false;
  study_table_draft(s, path, sizeof path);
  TRY(StudyFileCreate(path, s, s->in_place ? STUDY_FILE_VIRTUAL : STUDY_FILE_TABLE, 0, s->runs, &w.file));
  if (!s->in_place) TRY(CopyBlocks(s, &w, &damaged));
  TRY(StudyFileClose(&w.file));
  if (damaged) unlink(path);
  return 0;
}

Error StudyTableFinish(const Study *s) {
  char path[4300];
  study_table_draft(s, path, sizeof path);
  TRY(StudyFileRename(path, s->output));
  if (!s->in_place) study_folder_remove(s);
  return 0;
}
