// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/kept.h"

#include "input/yaml/reader.h"

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

// ---- names ----

bool is_kept_parameter(const Reader *r, const char *name) { return r->kept && names_find(&r->kept->parameters, name); }

Error KeepParameter(Reader *r, const char *name) {
  const char *copy;
  if (!r->kept || r->kept->parameters.count > LIMIT_KEPT_FORMULAE) return 0;
  TRY(StoreText(&r->kept->store, name, strlen(name), &copy));
  TRY(NamesAdd(&r->kept->parameters, copy, 0, (SourceLocation){0, 0, 0}));
  return 0;
}
