// SPDX-License-Identifier: Apache-2.0
// A YAML text as a tree of words, lists and maps, each with its place. Aliases and merge keys (<<) are resolved; what
// an alias stands for is shared, not copied.
#ifndef LIMBER_INPUT_YAML_TREE_H
#define LIMBER_INPUT_YAML_TREE_H

#include "input/diagnostic.h"
#include "model/store.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum { TREE_WORD, TREE_LIST, TREE_MAP } TreeKind;

typedef struct Tree Tree;
struct Tree {
  TreeKind kind;
  unsigned size; // words, lists and maps in it, itself among them, those of aliases as often as they stand in it
  SourceLocation at;
  const char *text; // of a word; "" where nothing was written
  bool quoted;      // the word stood in quotes
  bool broken;      // an alias of nothing, which has been noted
  int count;        // of entries
  Tree **entry;     // of a list or map
  Tree **key;       // of a map, all words
};

// What the texts of a model hold together, held against the limits (base/limits.h).
typedef struct {
  long long nodes;   // words, lists and maps that are written out
  long long aliased; // that aliases and merge keys add
} TreeCount;

// The tree of a piece of one of the diagnostics' files, or NULL where it is no YAML, empty or too much; mistakes are
// noted.
Error TreeRead(Store *s, Diagnostics *n, SourceLocation piece, TreeCount *count, Tree **out);

// The entry of that key, or NULL.
const Tree *tree_find(const Tree *map, const char *key);

static inline bool tree_empty(const Tree *t) { return t->kind == TREE_WORD && !t->quoted && !t->text[0]; }

// "a list", "a map", "the word 'x'" for messages
const char *tree_name(const Tree *t, char *text, size_t size);

const char *tree_library(void); // name and version of the YAML parser

// Prints a text as a word in quotes.
void tree_print_quoted(FILE *out, const char *text);

#endif
