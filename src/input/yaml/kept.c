// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/kept.h"

#include "input/yaml/files.h"
#include "input/yaml/include.h"
#include "input/yaml/kept_mesh.h"
#include "input/yaml/parameter_formula.h"
#include "input/yaml/reader.h"
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

// ---- the tree ----

// Keeps a tree about which there is nothing to say: a text with a mistake is read again each time.
static Error KeepTree(Reader *r, Tree *root) {
  InputFile *f = r->kept;
  KeptTree *t = &f->tree;
  int sources = r->in->sources;
  t->refused = r->incomplete || r->diagnostics->errors || r->diagnostics->warnings;
  if (t->refused) return 0;
  t->changed = r->changes != 0, t->count = r->count, t->bytes = r->bytes, t->includes = r->includes;
  t->sources = sources;
  TRY(StoreAllocate(&f->store, (size_t)sources * sizeof *t->name, &t->name));
  TRY(StoreAllocate(&f->store, (size_t)sources * sizeof *t->path, &t->path));
  for (int i = 1; i < sources; i++) {
    const char *name = r->in->source[i].name, *path = r->diagnostics->file[i + t->changed].name;
    TRY(StoreText(&f->store, name, strlen(name), &t->name[i]));
    TRY(StoreText(&f->store, path, strlen(path), &t->path[i]));
  }
  t->root = root;
  return 0;
}

static Error UseTree(Reader *r) {
  const KeptTree *t = &r->kept->tree;
  int source, file;
  for (int i = 1; i < t->sources; i++) {
    SourceText text = *kept_text(r->kept, t->path[i]);
    TRY(AddSource(r, t->name[i], t->path[i], &text, true, &source, &file));
  }
  r->count = t->count, r->includes = t->includes;
  count_bytes(r, t->bytes - r->bytes);
  return 0;
}

Error ReadKeptSources(Reader *r, Tree **root) {
  InputFile *f = r->kept;
  if (f && f->tree.root && f->tree.changed == (r->changes != 0)) {
    *root = f->tree.root;
    return UseTree(r);
  }
  if (!f || f->tree.root || f->tree.refused) return ReadSources(r, root);
  Store own = r->store;
  r->store = f->store;
  Error error = ReadSources(r, root);
  f->store = r->store, r->store = own;
  TRY(error);
  return KeepTree(r, *root);
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

// ---- all of it ----

Error InputFileCreate(const char *file, const char *text, size_t length, const InputOptions *o, InputFile **out) {
  InputFile *f;
  TRY(MemoryNew(sizeof *f, &f));
  TRY(StoreText(&f->store, file, strlen(file), &f->file));
  TRY(MemoryNew(length + 1, &f->text));
  if (length) memcpy(f->text, text, length);
  f->length = length;
  f->read = o->read, f->allow_outside = o->allow_outside, f->allow_library = o->allow_library, f->changes = o->changes;
  TRY(StoreAllocate(&f->store, (size_t)o->changes * sizeof *f->change, &f->change));
  for (int i = 0; i < o->changes; i++) TRY(StoreText(&f->store, o->change[i], strlen(o->change[i]), &f->change[i]));
  *out = f;
  return 0;
}

Error InputFileDestroy(InputFile **file) {
  InputFile *f = *file;
  if (!f) return 0;
  for (int i = 0; i < f->file_texts; i++) memory_free(&f->file_text[i].text.text);
  memory_free(&f->file_text);
  kept_formulae_destroy(f);
  TRY(KeptMeshesDestroy(f));
  TRY(NamesDestroy(&f->formulae));
  TRY(NamesDestroy(&f->parameters));
  TRY(UnitsDestroy(&f->units));
  TRY(StoreDestroy(&f->store));
  memory_free(&f->text);
  memory_free(file);
  return 0;
}
