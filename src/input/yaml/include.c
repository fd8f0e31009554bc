// SPDX-License-Identifier: Apache-2.0
// The model file and the files that it includes, merged into one: maps take the entries of both, lists stand one after
// the other, what is included first. A file is read once, however many include it.

#include "input/yaml/files.h"
#include "input/yaml/form.h"
#include "input/yaml/kept.h"
#include "input/yaml/names.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 64 };

typedef struct Chain Chain;
struct Chain { // from a file to the model file
  int source;
  const Chain *by;
};

// ---- merging ----

typedef struct {
  Tree root;               // the parts of all files
  size_t room[MOST_PARTS]; // for entries of each; 0: those of the one file that has it
} Merged;

// The entries of a second tree after those of the first, in room that doubles: many files may bring a few each.
static Error AppendEntries(Reader *r, Tree **part, size_t *room, const Tree *second) {
  const Tree *first = *part;
  Tree *t;
  size_t n = (size_t)first->count, m = (size_t)second->count;
  TRY(StoreAllocate(&r->store, sizeof *t, &t));
  *t = *second, t->count = first->count + second->count, t->entry = first->entry, t->key = first->key;
  if (n + m > *room) {
    *room = 2 * (n + m);
    TRY(StoreAllocate(&r->store, *room * sizeof *t->entry, &t->entry));
    TRY(StoreAllocate(&r->store, *room * sizeof *t->key, &t->key));
    if (n) memcpy(t->entry, first->entry, n * sizeof *t->entry);
    if (n && first->key) memcpy(t->key, first->key, n * sizeof *t->key);
  }
  if (m) memcpy(t->entry + n, second->entry, m * sizeof *t->entry);
  if (m && second->key) memcpy(t->key + n, second->key, m * sizeof *t->key);
  *part = t;
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
static Error MergePart(Reader *r, Merged *all, Tree *key, Tree *entry) {
  Tree *root = &all->root;
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
    root->entry[i] = entry, all->room[i] = 0;
    TRY(ReportForm(r, key->text, old, wanted));
  } else TRY(AppendEntries(r, &root->entry[i], &all->room[i], entry));
  return 0;
}

// ---- files ----

static Error ReadOne(Reader *r, Merged *all, int source, int file, const Chain *by);

// "a.yaml includes b.yaml, b.yaml includes a.yaml"
static const char *cycle_text(const Reader *r, const Chain *c, int to, char *text, size_t size) {
  int chain[LIMIT_INCLUDE_DEPTH + 2], n = 0;
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

// Reads what `word` names, unless it has been read, or is being read.
static Error IncludeFile(Reader *r, Merged *all, const Tree *word, const Chain *by) {
  const char *path;
  char text[600];
  int depth = 0, source;
  bool fresh;
  for (const Chain *c = by; c; c = c->by) depth++;
  if (!r->read || depth > LIMIT_INCLUDE_DEPTH) {
    if (!r->read) TRY(ReportError(r, word->at, "no file can be included here"));
    else TRY(ReportError(r, word->at, "includes are nested more than %d deep", LIMIT_INCLUDE_DEPTH));
    r->incomplete = true;
    return 0;
  }
  TRY(FindSource(r, word, &path, &source, &fresh));
  for (const Chain *c = by; c && source >= 0; c = c->by)
    if (c->source == source) {
      TRY(ReportError(r, word->at, "a file cannot include itself: %s", cycle_text(r, by, source, text, sizeof text)));
      return 0;
    }
  if (source >= 0 && !fresh) return 0;
  if (source >= 0 && !text_is_model(r->in->source[source].text, r->in->source[source].length)) {
    TRY(ReportError(r, word->at, "'%s' is not a model file: a line `limber: 1` is missing", path));
    source = -1;
  }
  if (source < 0) r->incomplete = true;
  else TRY(ReadOne(r, all, source, r->diagnostics->files - 1, by));
  return 0;
}

static Error IncludeEntry(Reader *r, Merged *all, const Tree *word, const Chain *by) {
  char name[200];
  if (word->kind != TREE_WORD || tree_empty(word)) {
    if (!word->broken)
      TRY(ReportError(r, word->at, "the name of a file is expected here, not %s", tree_name(word, name, sizeof name)));
    return 0;
  }
  if (r->includes == LIMIT_INCLUDES)
    TRY(ReportError(r, word->at, "files are included more than %d times", LIMIT_INCLUDES));
  if (++r->includes <= LIMIT_INCLUDES) TRY(IncludeFile(r, all, word, by));
  else r->incomplete = true;
  return 0;
}

// What a file includes, then its own parts. `run` may stand in any of the files, and the title is the model file's.
static Error TakeParts(Reader *r, Merged *all, const Tree *map, const Chain *here) {
  const Tree *include = tree_find(map, "include");
  if (include && include->kind == TREE_LIST)
    for (int i = 0; i < include->count; i++) TRY(IncludeEntry(r, all, include->entry[i], here));
  else if (include && !tree_empty(include)) TRY(IncludeEntry(r, all, include, here));
  for (int i = 0; i < map->count; i++) {
    const char *key = map->key[i]->text;
    bool own = !strcmp(key, "title") || !strcmp(key, "limber");
    if (!field_find(kind_file.fields, key) || !strcmp(key, "include") || (own && here->by)) continue;
    if (tree_find(map, key) != map->entry[i]) continue; // given twice
    TRY(MergePart(r, all, map->key[i], map->entry[i]));
  }
  return 0;
}

// Whether the file that the user names may be meant as a model: a line begins as one of its parts does, or it is empty.
static bool is_like_model(const char *text, size_t length) {
  const char *end = text + length;
  if (text_is_model(text, length)) return true;
  for (const char *p = text; p < end; p = (p = memchr(p, '\n', (size_t)(end - p))) ? p + 1 : end) {
    char key[32];
    size_t n = 0;
    while (p + n < end && n < sizeof key - 1 && (islower((unsigned char)p[n]) || p[n] == '_')) key[n] = p[n], n++;
    key[n] = 0;
    if (n && p + n < end && p[n] == ':' && field_find(kind_file.fields, key)) return true;
  }
  return strspn(text, " \t\r\n") == length;
}

static Error ReadOne(Reader *r, Merged *all, int source, int file, const Chain *by) {
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
  if (!by && !is_like_model(r->in->source[source].text, r->in->source[source].length)) {
    r->diagnostics->file[file].hidden = true, r->incomplete = true;
    TRY(ReportError(r, (SourceLocation){0, 0, file}, "this is not a model file: a line `limber: 1` is missing"));
    return 0;
  }
  TRY(TreeRead(&r->store, r->diagnostics, (SourceLocation){0, r->in->source[source].length, file}, &r->count, &map));
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
  TRY(TakeParts(r, all, map, &here));
  return 0;
}

Error CheckVersion(Reader *r, const Tree *limber, int version) {
  enum { FORMAT = 1 };
  if (version != FORMAT)
    TRY(ReportError(r, limber->at, "this file is of format %d; this program reads format %d%s", version, FORMAT,
                    version > FORMAT ? ": use a newer Limber" : ""));
  return 0;
}

static Error ReadNewSources(Reader *r, Tree **out) {
  Merged *all;
  TRY(StoreAllocate(&r->store, sizeof *all, &all));
  all->root.kind = TREE_MAP, all->root.text = "";
  TRY(StoreAllocate(&r->store, MOST_PARTS * sizeof *all->root.key, &all->root.key));
  TRY(StoreAllocate(&r->store, MOST_PARTS * sizeof *all->root.entry, &all->root.entry));
  TRY(ReadOne(r, all, 0, 0, NULL));
  *out = &all->root;
  return 0;
}

// ---- the tree of readings before ----

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

Error ReadSources(Reader *r, Tree **root) {
  InputFile *f = r->kept;
  if (f && f->tree.root && f->tree.changed == (r->changes != 0)) {
    *root = f->tree.root;
    return UseTree(r);
  }
  if (!f || f->tree.root || f->tree.refused) return ReadNewSources(r, root);
  Store own = r->store;
  r->store = f->store;
  Error error = ReadNewSources(r, root);
  f->store = r->store, r->store = own;
  TRY(error);
  return KeepTree(r, *root);
}

// ---- changes of the command line ----

// Changes to a model file from the command line: `run.step=1 ms`. The words of the path are keys of maps; an entry of a
// list goes by its name, such as `strip` or `gravity#2`, or by its number from 1. What a change touches is copied
// first, for anchors share it with other places.

typedef struct { // of the path: one word, and the text up to it
  SourceLocation at;
  const char *text;
} PathStep;

static Error CopyTree(Reader *r, Tree **slot, int more) {
  Tree *t;
  size_t n = (size_t)(*slot)->count, room = (n + (size_t)more) * sizeof(Tree *);
  TRY(StoreAllocate(&r->store, sizeof *t, &t));
  *t = **slot;
  TRY(StoreAllocate(&r->store, room, &t->entry));
  if (n) memcpy(t->entry, (*slot)->entry, n * sizeof *t->entry);
  if (t->kind == TREE_MAP) {
    TRY(StoreAllocate(&r->store, room, &t->key));
    if (n) memcpy(t->key, (*slot)->key, n * sizeof *t->key);
  }
  *slot = t;
  return 0;
}

static Error NewTree(Reader *r, TreeKind kind, const PathStep *step, Tree **out) {
  TRY(StoreAllocate(&r->store, sizeof **out, out));
  (*out)->kind = kind, (*out)->at = step->at;
  (*out)->text = kind == TREE_WORD ? step->text : "";
  return 0;
}

// ---- entries of lists ----

// {beam: {name: strip, ...}} holds its fields one deeper, {name: tip, node: A} does not.
static bool has_kind(const Tree *entry) {
  return entry->kind == TREE_MAP && entry->count == 1 && entry->entry[0]->kind == TREE_MAP;
}

static const char *entry_name(const Tree *entry, int i, char *text, size_t size) {
  const Tree *name = tree_find(has_kind(entry) ? entry->entry[0] : entry, "name");
  if (name && name->kind == TREE_WORD) return name->text;
  snprintf(text, size, "%.100s#%d", has_kind(entry) ? entry->key[0]->text : "", i + 1);
  return text;
}

static Error FindEntry(Reader *r, const Tree *list, const char *where, const PathStep *step, int *found) {
  char made[128], *end;
  Nearest n;
  long number = strtol(step->text, &end, 10);
  *found = -1;
  if (isdigit((unsigned char)*step->text) && !*end) {
    if (number >= 1 && number <= list->count) *found = (int)number - 1;
    else TRY(ReportError(r, step->at, "the entries of '%s' are 1 to %d", where, list->count));
    return 0;
  }
  if (list->count && list->entry[0]->kind == TREE_WORD) {
    TRY(ReportError(r, step->at, "'%s' is a list: its entries are 1 to %d", where, list->count));
    return 0;
  }
  nearest_begin(&n, step->text);
  for (int i = 0; i < list->count && *found < 0; i++) {
    const char *name = entry_name(list->entry[i], i, made, sizeof made);
    if (!strcmp(name, step->text)) *found = i;
    else if (name != made) nearest_try(&n, name);
  }
  if (*found < 0)
    TRY(ReportError(r, step->at, "'%s' has no entry '%s'%s%s%s", where, step->text, n.best ? "; did you mean '" : "",
                    n.best ? n.best : "", n.best ? "'?" : ""));
  return 0;
}

// ---- the path ----

// Goes one step from the tree at `*slot`, which is copied, to the place of its entry; NULL after a mistake.
static Error DescendPath(Reader *r, Tree ***slot, bool listed, const char *where, const PathStep *step) {
  Tree **at = *slot;
  char name[200];
  int i = 0;
  *slot = NULL;
  if (listed && has_kind(*at)) { // its fields are meant
    TRY(CopyTree(r, at, 0));
    at = &(*at)->entry[0];
  }
  if (tree_empty(*at)) TRY(NewTree(r, TREE_MAP, step, at));
  if ((*at)->kind == TREE_WORD) {
    TRY(ReportError(r, step->at, "'%s' is %s: it has no fields", where, tree_name(*at, name, sizeof name)));
    return 0;
  }
  TRY(CopyTree(r, at, 1));
  Tree *t = *at;
  if (t->kind == TREE_LIST) TRY(FindEntry(r, t, where, step, &i));
  else
    while (i < t->count && strcmp(t->key[i]->text, step->text)) i++;
  if (i < 0) return 0;
  if (i == t->count) {
    TRY(NewTree(r, TREE_WORD, step, &t->key[i]));
    TRY(NewTree(r, TREE_WORD, step, &t->entry[i]));
    t->entry[i]->text = "", t->entry[i]->broken = true; // until there is a value
    t->count++;
  }
  *slot = &t->entry[i];
  return 0;
}

static Error ApplyChange(Reader *r, Tree **root, SourceLocation at) {
  const char *all = r->diagnostics->file[at.file].text, *text = all + at.begin;
  const char *equal = memchr(text, '=', at.end - at.begin), *value;
  Tree **slot = root, *tree;
  bool listed = false;
  int depth = 0;
  if (!equal) {
    TRY(ReportError(r, at, "a change is written path=value, such as run.step=1ms"));
    return 0;
  }
  for (const char *p = text, *end; p <= equal; p = end + 1) {
    const char *where;
    end = p;
    while (end < equal && *end != '.') end++;
    PathStep step = {.at = {(size_t)(p - all), (size_t)(end - all), at.file}};
    TRY(StoreText(&r->store, p, (size_t)(end - p), &step.text));
    TRY(StoreText(&r->store, text, p > text ? (size_t)(p - text) - 1 : 0, &where));
    if (++depth > LIMIT_DEPTH) {
      TRY(ReportError(r, step.at, "a path has at most %d words", LIMIT_DEPTH));
      return 0;
    }
    if (p == end || !strcmp(step.text, "<<")) {
      TRY(ReportError(r, step.at, "a word of the path is missing before '%c'", *end));
      return 0;
    }
    if (p == text && !strcmp(step.text, "include")) {
      TRY(ReportError(r, step.at, "the contents of an included file cannot be changed here"));
      return 0;
    }
    bool is_list = (*slot)->kind == TREE_LIST;
    TRY(DescendPath(r, &slot, listed, where, &step));
    if (!slot) return 0;
    listed = is_list;
  }
  value = equal + 1;
  int errors = r->diagnostics->errors;
  SourceLocation piece = {(size_t)(value - all), at.end, at.file};
  TRY(TreeRead(&r->store, r->diagnostics, piece, &r->count, &tree));
  if (tree) *slot = tree;
  else if (r->diagnostics->errors == errors) TRY(ReportError(r, at, "the value is missing after '='"));
  return 0;
}

Error ApplyChanges(Reader *r, Tree **root) {
  size_t begin = 0;
  for (int i = 0; i < r->in->changes; i++) {
    size_t length = strlen(r->in->change[i]);
    TRY(ApplyChange(r, root, (SourceLocation){begin, begin + length, r->changes}));
    begin += length + 1;
  }
  return 0;
}
