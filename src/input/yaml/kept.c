// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/kept.h"

#include "input/yaml/units.h"

#include <string.h>

// ---- files ----

const SourceText *kept_text(const InputFile *f, const char *path) {
  for (int i = 0; i < f->file_texts; i++)
    if (!strcmp(f->file_text[i].path, path)) return &f->file_text[i].text;
  return NULL;
}

Error KeepText(InputFile *f, const char *path, const SourceText *text) {
  KeptText *to;
  TRY(MemoryResize((size_t)(f->file_texts + 1) * sizeof *f->file_text, &f->file_text));
  to = &f->file_text[f->file_texts];
  to->text = *text;
  TRY(StoreText(&f->store, path, strlen(path), &to->path));
  f->file_texts++;
  return 0;
}

// ---- data of the files of the reader ----

struct KeptData {
  KeptData *next;
  const KeptKind *kind;
  void *data;
};

Error FindKept(InputFile *f, const KeptKind *kind, void *out) {
  KeptData *d = f->data;
  while (d && d->kind != kind) d = d->next;
  if (!d) {
    TRY(MemoryNew(sizeof *d, &d));
    TRY(MemoryNew(kind->size, &d->data));
    d->kind = kind, d->next = f->data, f->data = d;
  }
  memcpy(out, &d->data, sizeof d->data);
  return 0;
}

Error DestroyKept(InputFile *f) {
  for (int i = 0; i < f->file_texts; i++) memory_free(&f->file_text[i].text.text);
  memory_free(&f->file_text);
  while (f->data) {
    KeptData *next = f->data->next;
    if (f->data->kind->destroy) TRY(f->data->kind->destroy(f->data->data));
    memory_free(&f->data->data);
    memory_free(&f->data);
    f->data = next;
  }
  TRY(UnitsDestroy(&f->units));
  TRY(StoreDestroy(&f->store));
  memory_free(&f->text);
  return 0;
}
