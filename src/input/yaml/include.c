// SPDX-License-Identifier: Apache-2.0
// The model file and the files that it includes, merged into one: maps take the entries of both, lists stand one after
// the other, what is included first. A file is read once, however many include it.
#include "input/yaml/include.h"

#include "input/yaml/files.h"
#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <string.h>

enum { DEEPEST = 16, MOST_PARTS = 64 };

typedef struct Chain Chain;
struct Chain { // from a file to the model file
  int source;
  const Chain *by;
};

// ---- merging ----

static Error AppendEntries(Reader *r, const Tree *first, const Tree *second, Tree **out) {
  Tree *t;
  size_t n = (size_t)first->count, m = (size_t)second->count;
  TRY(StoreAllocate(&r->store, sizeof *t, &t));
  *t = *second, t->count = first->count + second->count;
  TRY(StoreAllocate(&r->store, (n + m) * sizeof *t->entry, &t->entry));
  if (n) memcpy(t->entry, first->entry, n * sizeof *t->entry);
  if (m) memcpy(t->entry + n, second->entry, m * sizeof *t->entry);
  if (t->kind == TREE_MAP) {
    TRY(StoreAllocate(&r->store, (n + m) * sizeof *t->key, &t->key));
    if (n) memcpy(t->key, first->key, n * sizeof *t->key);
    if (m) memcpy(t->key + n, second->key, m * sizeof *t->key);
  }
  *out = t;
  return 0;
}

static Error ReportForm(Reader *r, const char *key, const Tree *entry, TreeKind wanted) {
  char name[200];
  if (!entry->broken && !tree_empty(entry))
    TRY(ReportError(r, entry->at, "'%s' must be %s, not %s", key, wanted == TREE_LIST ? "a list" : "a map",
                    tree_name(entry, name, sizeof name)));
  return 0;
}

// A part of one more file.
static Error MergePart(Reader *r, Tree *root, Tree *key, Tree *entry) {
  const Part *part = part_find(key->text);
  TreeKind wanted = part && part->form == PART_LIST ? TREE_LIST : TREE_MAP;
  int i = 0;
  while (i < root->count && strcmp(root->key[i]->text, key->text)) i++;
  root->key[i] = key;
  if (i == root->count) {
    root->entry[i] = entry, root->count++;
    return 0;
  }
  Tree *old = root->entry[i];
  if (entry->kind != wanted) TRY(ReportForm(r, key->text, entry, wanted));
  else if (old->kind != wanted) {
    root->entry[i] = entry;
    TRY(ReportForm(r, key->text, old, wanted));
  } else TRY(AppendEntries(r, old, entry, &root->entry[i]));
  return 0;
}

// ---- files ----

static Error ReadOne(Reader *r, Tree *root, int source, int file, const Chain *by);

// "a.yaml includes b.yaml, b.yaml includes a.yaml"
static const char *cycle_text(const Reader *r, const Chain *c, int to, char *text, size_t size) {
  int chain[DEEPEST + 2], n = 0;
  for (; c->source != to; c = c->by) chain[n++] = c->source;
  chain[n] = to;
  snprintf(text, size, "%s", "");
  for (int i = n; i >= 0; i--) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%.100s includes %.100s", i < n ? ", " : "", r->in->source[chain[i]].name,
             r->in->source[i ? chain[i - 1] : to].name);
  }
  return text;
}

static Error IncludeFile(Reader *r, Tree *root, const Tree *word, const Chain *by) {
  Input *in = r->in;
  const char *name, *path;
  char text[600];
  int depth = 0, source = 0, file;
  SourceText got = {0};
  if (word->kind != TREE_WORD || tree_empty(word)) {
    if (!word->broken)
      TRY(ReportError(r, word->at, "the name of a file is wanted here, not %s", tree_name(word, text, 200)));
    return 0;
  }
  TRY(JoinNames(&in->model->store, in->source[by->source].name, word->text, &name));
  while (source < in->sources && strcmp(in->source[source].name, name)) source++;
  for (const Chain *c = by; c; c = c->by, depth++)
    if (c->source == source) {
      TRY(ReportError(r, word->at, "a file cannot include itself: %s", cycle_text(r, by, source, text, sizeof text)));
      return 0;
    }
  if (source < in->sources) return 0;
  TRY(JoinNames(&in->model->store, in->file, name, &path));
  if (!strcmp(path, "-")) path = "./-"; // the name of stdin
  if (!r->read) TRY(ReportError(r, word->at, "no file can be included here"));
  else if (depth > DEEPEST) TRY(ReportError(r, word->at, "files include each other more than %d deep", DEEPEST));
  else {
    TRY(r->read(path, &got));
    if (!got.text) TRY(ReportError(r, word->at, "cannot read '%s': %s", path, strerror(got.error)));
  }
  if (!got.text) {
    r->incomplete = true;
    return 0;
  }
  TRY(AddSource(r, name, path, &got, &source, &file));
  TRY(ReadOne(r, root, source, file, by));
  return 0;
}

// What a file includes, then its own parts. `run` may stand in any of the files, and the title is the model file's.
static Error TakeParts(Reader *r, Tree *root, const Tree *map, const Chain *here) {
  const Tree *include = tree_find(map, "include");
  if (include && include->kind == TREE_LIST)
    for (int i = 0; i < include->count; i++) TRY(IncludeFile(r, root, include->entry[i], here));
  else if (include && !tree_empty(include)) TRY(IncludeFile(r, root, include, here));
  for (int i = 0; i < map->count; i++) {
    const char *key = map->key[i]->text;
    bool own = !strcmp(key, "title") || !strcmp(key, "limber");
    if (!field_find(kind_file.fields, key) || !strcmp(key, "include") || (own && here->by)) continue;
    if (tree_find(map, key) != map->entry[i]) continue; // given twice
    TRY(MergePart(r, root, map->key[i], map->entry[i]));
  }
  return 0;
}

static Error ReadOne(Reader *r, Tree *root, int source, int file, const Chain *by) {
  const FieldTable *table = kind_file.fields;
  const Field *limber = field_find(table, "limber");
  const Chain here = {source, by};
  Field field[MOST_PARTS];
  Form form = {&(FieldTable){field, table->count, table->size}, NULL, 0, 0, 0};
  Tree *map;
  bool good;
  int errors = r->diagnostics->errors;
  ENSURE(table->count <= MOST_PARTS, ERROR_PROGRAM, "a file has more than %d parts", MOST_PARTS);
  memcpy(field, table->field, (size_t)table->count * sizeof *field);
  for (int i = 0; i < table->count; i++) field[i].required = &table->field[i] == limber;
  TRY(TreeRead(&r->store, r->diagnostics, (SourceLocation){0, r->in->source[source].length, file}, &map));
  if (!map && r->diagnostics->errors == errors) TRY(ReportError(r, (SourceLocation){0, 0, file}, "the file is empty"));
  if (map) {
    TRY(StoreAllocate(&r->store, table->size, &form.out));
    TRY(FormsRead(r, "a model file", (SourceLocation){0, 0, file}, map, 1, &form, &good));
  }
  if (!map || map->kind != TREE_MAP) {
    r->incomplete = true;
    return 0;
  }
  if (form_good(&form, "limber"))
    TRY(CheckVersion(r, tree_find(map, "limber"), *(const int *)((const char *)form.out + limber->offset)));
  TRY(TakeParts(r, root, map, &here));
  return 0;
}

Error CheckVersion(Reader *r, const Tree *limber, int version) {
  enum { FORMAT = 1 };
  if (version != FORMAT)
    TRY(ReportError(r, limber->at, "this file is of format %d; this program reads format %d%s", version, FORMAT,
                    version > FORMAT ? ": use a newer Limber" : ""));
  return 0;
}

Error ReadSources(Reader *r, Tree **out) {
  Tree *root;
  size_t room = MOST_PARTS * sizeof *root;
  TRY(StoreAllocate(&r->store, sizeof *root, &root));
  root->kind = TREE_MAP, root->text = "";
  TRY(StoreAllocate(&r->store, room, &root->key));
  TRY(StoreAllocate(&r->store, room, &root->entry));
  TRY(ReadOne(r, root, 0, 0, NULL));
  *out = root;
  return 0;
}
