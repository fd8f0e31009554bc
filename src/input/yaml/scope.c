// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/scope.h"

#include "input/yaml/reader.h"

#include <string.h>

enum { MOST_WORD = 2 * LIMIT_SCOPED_NAME };

// ---- names ----

Error ScopeName(Reader *r, const char *text, const char **out) {
  char *full;
  *out = text;
  if (!r->scope) return 0;
  size_t prefix = strlen(r->scope->prefix), length = strlen(text);
  TRY(StoreAllocate(&r->store, prefix + length + 1, &full));
  memcpy(full, r->scope->prefix, prefix);
  memcpy(full + prefix, text, length + 1);
  *out = full;
  return 0;
}

static bool join(const char *prefix, const char *word, size_t length, char *out) {
  size_t n = strlen(prefix);
  if (n + length >= MOST_WORD) return false;
  memcpy(out, prefix, n);
  memcpy(out + n, word, length);
  out[n + length] = 0;
  return true;
}

static const Name *find_in(const Scope *s, const Names *names, const char *word) {
  char full[MOST_WORD];
  return join(s->prefix, word, strlen(word), full) ? names_find(names, full) : NULL;
}

// The name that a parameter of the scope gives in the place of the first piece of a word; NULL: there is no such parameter.
static const char *word_of_parameter(const Reader *r, const Scope *s, const char *word, size_t *piece) {
  char full[MOST_WORD];
  *piece = strcspn(word, ".");
  const Name *found = join(s->prefix, word, *piece, full) ? names_find(&r->let, full) : NULL;
  return found && r->parameter[found->id].word ? r->parameter[found->id].tree->text : NULL;
}

const Name *scope_find(const Reader *r, const Names *names, const char *word) {
  char text[2][MOST_WORD];
  int next = 0;
  for (const Scope *s = r->scope; s; s = s->parent) {
    size_t piece;
    const Name *found = find_in(s, names, word);
    if (found) return found;
    const char *given = word_of_parameter(r, s, word, &piece);
    if (!given) continue;
    if (!join(given, word + piece, strlen(word + piece), text[next])) return NULL;
    word = text[next], next = 1 - next;
  }
  return names_find(names, word);
}

const char *scope_word(const Reader *r, const char *word) {
  for (const Scope *s = r->scope; s; s = s->parent) {
    size_t piece;
    const char *given = word_of_parameter(r, s, word, &piece);
    if (given && !word[piece]) word = given;
  }
  return word;
}

int scope_parameter(const Reader *r, const char *word) {
  const Name *found = NULL;
  for (const Scope *s = r->scope; s && !found; s = s->parent) found = find_in(s, &r->let, word);
  if (!found) found = names_find(&r->let, word);
  if (!found || strchr(word, '.') || r->parameter[found->id].word) return -1;
  return found->id;
}

const char *scope_nearest(const Reader *r, const Names *names, const char *word) {
  for (const Scope *s = r->scope; s; s = s->parent) {
    const char *best = names_nearest_with(names, s->prefix, word);
    if (best) return best;
  }
  return names_nearest(names, word);
}

// ---- poses ----

Vec3 scope_direction(const Scope *s, Vec3 d) { return s && s->posed ? mat3_apply(s->turn, d) : d; }
Vec3 scope_position(const Scope *s, Vec3 x) { return s && s->posed ? vec3_add(s->at, mat3_apply(s->turn, x)) : x; }

void scope_axes(const Scope *s, double axes[9]) {
  for (int j = 0; j < 3; j++) vec3_to(scope_direction(s, vec3_of(axes + 3 * j)), axes + 3 * j);
}
