// SPDX-License-Identifier: Apache-2.0
// Materials of a model file: isotropic ones, which may also stand for a ply, and plies.
#ifndef LIMBER_INPUT_YAML_MATERIAL_H
#define LIMBER_INPUT_YAML_MATERIAL_H

#include "input/yaml/tree.h"
#include "limber/limber.h"
#include "mechanics/plane_material.h"

typedef struct Reader Reader;

Orthotropic ply_of_isotropic(const LimberMaterial *m);
// The material that a word names where an isotropic one is wanted; `good` is false after a mistake.
Error FindIsotropic(Reader *r, const Tree *word, LimberMaterial *out, bool *good);
// The same where any is.
Error FindPly(Reader *r, const Tree *word, Orthotropic *out, bool *good);

#endif
