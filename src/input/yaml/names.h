// SPDX-License-Identifier: Apache-2.0
// Names of one kind of thing, found by hashing, with the nearest for "did you mean".
#ifndef LIMBER_INPUT_YAML_NAMES_H
#define LIMBER_INPUT_YAML_NAMES_H

#include "input/diagnostic.h"

typedef struct {
  const char *text; // kept by the caller
  int id;
  SourceLocation at; // where it was given
} Name;

typedef struct {
  Name *name;
  int count, room;
  int *slot, slots; // hash table of indices, -1: free
} Names;

Error NamesDestroy(Names *n);
Error NamesAdd(Names *n, const char *text, int id, SourceLocation at); // the first of equal names is found

const Name *names_find(const Names *n, const char *text);    // or NULL
const char *names_nearest(const Names *n, const char *text); // or NULL where none is near
// Of the names that begin so, the rest of the one whose rest is nearest; or NULL.
const char *names_nearest_with(const Names *n, const char *prefix, const char *text);

// The nearest of a few words that might have been meant.
typedef struct {
  const char *word; // what was written
  const char *best; // NULL: none is near, or several are as near
  int least;
  long work; // letters that were compared
  char all[600], hint[700];
} Nearest;

void nearest_begin(Nearest *n, const char *word);
void nearest_try(Nearest *n, const char *known);
// "; did you mean 'x'?", or, where none is near, "; LIST x, y, z" (LIST: "its fields are")
const char *nearest_hint(Nearest *n, const char *list);

// "a" or "an"
const char *article_of(const char *noun);

#endif
