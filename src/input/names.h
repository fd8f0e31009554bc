// SPDX-License-Identifier: Apache-2.0
// Names of one kind of thing, found by hashing, with the nearest for "did you mean".
#ifndef LIMBER_INPUT_NAMES_H
#define LIMBER_INPUT_NAMES_H

#include "input/note.h"

typedef struct {
  const char *text; // kept by the caller
  int id;
  Place at; // where it was given
} Name;

typedef struct {
  Name *name;
  int count, room;
  int *slot, slots; // hash table of indices, -1: free
} Names;

PetscErrorCode NamesDestroy(Names *n);
PetscErrorCode NamesAdd(Names *n, const char *text, int id, Place at); // the first of equal names is found

const Name *names_find(const Names *n, const char *text);    // or NULL
const char *names_nearest(const Names *n, const char *text); // or NULL where none is near

// Is `known` near enough to what was written, and by how many edits? -1: no.
int name_distance(const char *written, const char *known);

#endif
