// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/names.h"

#include "base/field.h"

#include <string.h>
#include <strings.h>

static unsigned hash_name(const char *s) { // FNV-1a
  unsigned h = 2166136261u;
  while (*s) h = (h ^ (unsigned char)*s++) * 16777619u;
  return h;
}

static int *slot_of(const Names *n, const char *text) {
  unsigned i = hash_name(text) & (unsigned)(n->slots - 1);
  while (n->slot[i] >= 0 && strcmp(n->name[n->slot[i]].text, text)) i = (i + 1) & (unsigned)(n->slots - 1);
  return &n->slot[i];
}

Error NamesDestroy(Names *n) {
  memory_free(&n->name);
  memory_free(&n->slot);
  *n = (Names){0};
  return 0;
}

Error NamesAdd(Names *n, const char *text, int id, SourceLocation at) {
  if (n->count == n->room) { // the table is at most half full
    n->room = n->room ? 2 * n->room : 16;
    n->slots = 2 * n->room;
    TRY(MemoryResize((size_t)n->room * sizeof *n->name, &n->name));
    TRY(MemoryResize((size_t)n->slots * sizeof *n->slot, &n->slot));
    for (int i = 0; i < n->slots; i++) n->slot[i] = -1;
    for (int i = 0; i < n->count; i++) {
      int *slot = slot_of(n, n->name[i].text);
      if (*slot < 0) *slot = i;
    }
  }
  n->name[n->count] = (Name){text, id, at};
  int *slot = slot_of(n, text);
  if (*slot < 0) *slot = n->count;
  n->count++;
  return 0;
}

const Name *names_find(const Names *n, const char *text) {
  if (!n->slots) return NULL;
  int i = *slot_of(n, text);
  return i < 0 ? NULL : &n->name[i];
}

// Edits from what was written to a known word, -1: not near. One edit in three letters is near, and the same word in
// other case always is.
static int name_distance(const char *written, const char *known) {
  if (!strcasecmp(written, known)) return 0;
  int edits = field_distance(written, known), length = (int)strlen(written);
  return edits <= (length + 1) / 3 && edits < (int)strlen(known) ? edits : -1;
}

const char *names_nearest(const Names *n, const char *text) {
  const char *best = NULL;
  int least = 1 << 30;
  for (int i = 0; i < n->count; i++) {
    int edits = name_distance(text, n->name[i].text);
    if (edits >= 0 && edits < least) least = edits, best = n->name[i].text;
  }
  return best;
}

void nearest_begin(Nearest *n, const char *word) { *n = (Nearest){.word = word, .least = 1 << 30}; }

void nearest_try(Nearest *n, const char *known) {
  size_t used = strlen(n->all);
  int edits = name_distance(n->word, known);
  snprintf(n->all + used, sizeof n->all - used, "%s%s", used ? ", " : "", known);
  if (edits < 0 || edits > n->least) return;
  n->best = edits < n->least ? known : NULL;
  n->least = edits;
}

const char *nearest_hint(Nearest *n, const char *list) {
  if (n->best) snprintf(n->hint, sizeof n->hint, "; did you mean '%s'?", n->best);
  else snprintf(n->hint, sizeof n->hint, "; %s %s", list, n->all);
  return n->hint;
}

const char *article_of(const char *noun) { return strchr("aeiou", noun[0]) ? "an" : "a"; }
