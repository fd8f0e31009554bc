// SPDX-License-Identifier: Apache-2.0
// Changes to a model file from the command line: `run.step=1 ms`. The words of the path are keys of maps; an entry of a
// list goes by its name, such as `strip` or `gravity#2`, or by its number from 1. What a change touches is copied
// first, for anchors share it with other places.
#include "input/yaml/change.h"

#include "input/yaml/names.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
      TRY(ReportError(r, step.at, "what a file includes cannot be changed here"));
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
