// SPDX-License-Identifier: Apache-2.0
// Names that a file gives, and words that refer to them, where a text of the file is read: in the model itself, or in
// an instance of a part (instances.h). A scope has the names and the pose of its instance. All that looks for a name
// uses scope_find, all that adds one uses ScopeName, and all positions and directions, which field tables mark
// (base/field.h), are posed.
//   name `hub` in the instance `front.left`: `front.left.hub`, then `front.hub`, then `hub`
#ifndef LIMBER_INPUT_YAML_SCOPE_H
#define LIMBER_INPUT_YAML_SCOPE_H

#include "base/vec3.h"
#include "input/yaml/names.h"
#include "input/yaml/tree.h"
#include "limber/limber.h"

typedef struct Part Part;
typedef struct Reader Reader;
typedef struct Scope Scope;

// ---- names ----

// The name in full, of a thing that the text of the current scope gives.
Error ScopeName(Reader *r, const char *text, const char **out);
// What a word of the current scope means: a name of the scope, or of one around it; a parameter that stands for a name
// is followed. Or NULL.
const Name *scope_find(const Reader *r, const Names *names, const char *word);
// What a parameter of the current scope stands for if it is a name, through all scopes; the word itself if there is
// none.
const char *scope_word(const Reader *r, const char *word);
// A parameter with a value that a word of the current scope names; -1: none.
int scope_parameter(const Reader *r, const char *word);

// ---- poses ----

Vec3 scope_position(const Scope *s, Vec3 x); // in ground axes; `s` NULL: as it is
Vec3 scope_direction(const Scope *s, Vec3 d);
void scope_axes(const Scope *s, double axes[9]); // three, one after the other

// ---- words that name something ----

enum { BROKEN = -2 }; // id of a thing that was given wrongly: whoever names it is not to blame

// Reports a name that cannot be one, or is taken; `good` tells.
Error CheckName(Reader *r, const char *what, const Names *names, const char *text, SourceLocation at, bool *good);
// The id of what a word names; BROKEN after a mistake, which has been noted.
Error FindName(Reader *r, const char *what, const Names *names, const Tree *word, int *id);
// The same of the things that a part names.
Error CheckPartName(Reader *r, const Part *part, const char *text, SourceLocation at, bool *good);
Error FindPartName(Reader *r, const Part *part, const Tree *word, int *id);
// "; did you mean 'x'?" or "" for a word that should be one of some words.
const char *did_you_mean(Reader *r, const Names *names, const char *word, char *text, size_t size);

// The parameters under `let`.

typedef struct Reader Reader;

Error ReadLet(Reader *r, const Tree *map);
Error WarnAboutUnusedParameters(Reader *r);

#endif
