// SPDX-License-Identifier: Apache-2.0
// Names that a file gives, and words that refer to them.
#ifndef LIMBER_INPUT_YAML_LOOKUP_H
#define LIMBER_INPUT_YAML_LOOKUP_H

#include "input/yaml/names.h"
#include "input/yaml/tree.h"
#include "limber/limber.h"

typedef struct Reader Reader;

enum { BROKEN = -2 }; // id of a thing that was given wrongly: whoever names it is not to blame

// Reports a name that cannot be one, or is taken; `good` tells.
Error CheckName(Reader *r, const char *what, const Names *names, const char *text, SourceLocation at, bool *good);
// The id of what a word names; BROKEN after a mistake, which has been noted.
Error FindName(Reader *r, const char *what, const Names *names, const Tree *word, LimberId *id);
// "; did you mean 'x'?" or "" for a word that should be one of some words.
const char *did_you_mean(Reader *r, const Names *names, const char *word, char *text, size_t size);

#endif
