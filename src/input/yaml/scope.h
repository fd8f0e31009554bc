// SPDX-License-Identifier: Apache-2.0
// Where a text of the file is read: in the model itself, or in an instance of a part (instances.h). A scope has the names and the
// pose of its instance. All that looks for a name uses scope_find, all that adds one ScopeName, and all positions and
// directions, which field tables mark (base/field.h), go through the pose.
//   name `hub` in the instance `front.left`: `front.left.hub`, then `front.hub`, then `hub`
#ifndef LIMBER_INPUT_YAML_SCOPE_H
#define LIMBER_INPUT_YAML_SCOPE_H

#include "base/field.h"
#include "base/vec3.h"
#include "input/yaml/form.h"
#include "input/yaml/names.h"
#include "input/yaml/tree.h"

typedef struct Reader Reader;
typedef struct Parameter Parameter;

typedef struct Scope Scope;
struct Scope {
  const Scope *parent; // NULL: the model
  const char *name;    // of the instance, with those of the instances that it is in
  const char *prefix;  // of its names: the name and a '.'
  const char *part;
  const Tree *tree;        // of the part
  const Tree *key, *entry; // of the instance
  bool posed;              // a pose is given, here or outside
  Vec3 at;                 // the pose: x = at + turn X
  Mat3 turn;
  int depth;
};

// ---- names ----

// The name in full, of a thing that the text of the current scope gives.
Error ScopeName(Reader *r, const char *text, const char **out);
// What a word of the current scope means: a name of the scope, or of one around it; a parameter that stands for a name is
// followed. Or NULL.
const Name *scope_find(const Reader *r, const Names *names, const char *word);
// What a parameter of the current scope stands for if it is a name, through all scopes; the word itself if there is none.
const char *scope_word(const Reader *r, const char *word);
// A parameter with a value that a word of the current scope names; -1: none.
int scope_parameter(const Reader *r, const char *word);
// The nearest name, as it is written in the current scope; or NULL.
const char *scope_nearest(const Reader *r, const Names *names, const char *word);

// ---- poses ----

Vec3 scope_position(const Scope *s, Vec3 x); // in ground axes; `s` NULL: as it is
Vec3 scope_direction(const Scope *s, Vec3 d);
void scope_axes(const Scope *s, double axes[9]); // three, one after the other
// Brings the fields of a form that has been read to ground axes.
void scope_pose_form(const Scope *s, const Form *form);

#endif
