// SPDX-License-Identifier: Apache-2.0
// Numbers of a model file that a part such as `fit` changes, with their bounds.
#ifndef LIMBER_INPUT_YAML_TUNED_H
#define LIMBER_INPUT_YAML_TUNED_H

#include "input/data.h"
#include "input/yaml/part.h"

typedef struct {
  const char *name;
  const Tree *start, *from, *to;
} TunedText;

extern const FieldMore tuned_more; // of a field of FIELD_MAPS

// `list`: as it is written, of `count` entries. `good` turns false after a mistake, which has been noted.
Error ReadTuned(Reader *r, const Tree *list, int count, const TunedText *text, TunedParameter **out, bool *good);

// What 1 of a unit is in SI. False: it is not a unit.
Error ReadUnitFactor(Reader *r, const char *unit, double *factor, bool *good);

// A number in SI, and its unit as written (NULL: not asked for). Without a word, both are left as they are.
Error ReadWithUnit(Reader *r, const char *field, const Tree *word, double *out, const char **unit, bool *good);

#endif
