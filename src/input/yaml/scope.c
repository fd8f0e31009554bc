// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/scope.h"

#include "input/yaml/number.h"
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

// Whether the numbers of a load are in axes of their own, which its field `axes` says.
static bool has_own_axes(const Form *form) {
  const Field *axes = field_find(form->fields, "axes");
  return axes && axes->type == FIELD_WORD && *(const int *)((char *)form->out + axes->offset) != LIMBER_AXES_GROUND;
}

static void pose_numbers(const Scope *s, const Field *f, double *x) {
  static const double ground[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, none[9] = {0};
  bool place = f->more == &field_position || f->more == &field_point;
  if (f->count == 9 && !memcmp(x, none, sizeof none)) memcpy(x, ground, sizeof ground);
  for (int j = 0; j < f->count; j += 3)
    vec3_to(place ? scope_position(s, vec3_of(x + j)) : scope_direction(s, vec3_of(x + j)), x + j);
}

void scope_pose_form(const Scope *s, const Form *form) {
  if (!s || !s->posed) return;
  for (int i = 0; i < form->fields->count; i++) {
    const Field *f = &form->fields->field[i];
    void *out = (char *)form->out + f->offset;
    bool given = (form->given & ~form->bad) >> i & 1, bad = form->bad >> i & 1;
    bool marked = f->more == &field_position || f->more == &field_point || f->more == &field_direction ||
                  (f->more == &field_load_direction && !has_own_axes(form));
    if (!marked || bad || f->count % 3) continue;
    if (!given && f->more == &field_point) continue;
    if (f->type == FIELD_REALS) pose_numbers(s, f, out);
    else if (f->type == FIELD_OPTIONAL_REALS && given) pose_numbers(s, f, *(double **)out);
  }
}
