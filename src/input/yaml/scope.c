// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/scope.h"

#include "input/yaml/part.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <ctype.h>
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

// The name that a parameter of the scope gives in the place of the first piece of a word; NULL: there is no such
// parameter.
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

// The nearest name, as it is written in the current scope; or NULL.
static const char *scope_nearest(const Reader *r, const Names *names, const char *word) {
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

// ---- words that name something ----

// The search for the nearest name is given up after many mistakes: it takes time for each.
const char *did_you_mean(Reader *r, const Names *names, const char *word, char *text, size_t size) {
  const char *nearest = r->diagnostics->count < 200 ? scope_nearest(r, names, word) : NULL;
  text[0] = 0;
  if (nearest) snprintf(text, size, "; did you mean '%s'?", nearest);
  return text;
}

// A name begins with a letter; '.' and '/' divide names of nodes and of results.
static bool is_name(const char *s) {
  if (!isalpha((unsigned char)*s) && *s != '_' && !((unsigned char)*s & 0x80)) return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_' && *s != '-' && *s != '#' && !((unsigned char)*s & 0x80)) return false;
  return true;
}

Error CheckName(Reader *r, const char *what, const Names *names, const char *text, SourceLocation at, bool *good) {
  const char *full;
  char where[300];
  *good = false;
  if (r->scope && strlen(r->scope->prefix) + strlen(text) > LIMIT_SCOPED_NAME)
    return ReportError(r, at, "the name '%.40s...' in an instance has more than %d letters", text, LIMIT_SCOPED_NAME);
  TRY(ScopeName(r, text, &full));
  const Name *old = names_find(names, full);
  if (!is_name(text))
    TRY(ReportError(r, at,
                    "'%s' is not a valid name: it must begin with a letter, followed by letters, digits, '_' and '-'",
                    text));
  else if (!strcmp(text, "ground"))
    TRY(ReportError(r, at, "'ground' is reserved: it names the ground, which always exists"));
  else if (old)
    TRY(ReportError(r, at, "there is already %s %s '%s', %s", article_of(what), what, text,
                    diagnostics_describe_location(r->diagnostics, old->at, at, where, sizeof where)));
  else *good = true;
  return 0;
}

Error FindName(Reader *r, const char *what, const Names *names, const Tree *word, int *id) {
  char hint[200], name[200];
  *id = BROKEN;
  if (word->broken) return 0;
  if (word->kind != TREE_WORD || tree_empty(word)) {
    TRY(ReportError(r, word->at, "the name of %s %s is expected here, not %s", article_of(what), what,
                    tree_name(word, name, sizeof name)));
    return 0;
  }
  const Name *found = scope_find(r, names, word->text);
  const char *given = scope_word(r, word->text);
  if (found) *id = found->id;
  else if (given != word->text)
    TRY(ReportError(r, word->at, "there is no %s '%s', which '%s' stands for%s", what, given, word->text,
                    did_you_mean(r, names, given, hint, sizeof hint)));
  else
    TRY(ReportError(r, word->at, "there is no %s '%s'%s", what, word->text,
                    did_you_mean(r, names, word->text, hint, sizeof hint)));
  return 0;
}

Error CheckPartName(Reader *r, const Part *part, const char *text, SourceLocation at, bool *good) {
  return CheckName(r, part->one, part_names(r, part), text, at, good);
}

Error FindPartName(Reader *r, const Part *part, const Tree *word, int *id) {
  return FindName(r, part->one, part_names(r, part), word, id);
}
