// SPDX-License-Identifier: Apache-2.0
// Axes of a node or an instance: written out as `axes`, or as a turn, `rotate: {about: [x, y, z], by: 90 deg}`.
#ifndef LIMBER_INPUT_YAML_TURN_H
#define LIMBER_INPUT_YAML_TURN_H

#include "input/yaml/form.h"

typedef struct {
  double about[3], by;
} RotateText;

extern const FieldMore rotate_more;

// The axes, one after the other, from `axes` or `rotate` of a form that has been read; `has` tells whether there are any. `what`:
// "a node".
Error ReadAxes(Reader *r, const char *what, const Form *form, const Tree *entry, const RotateText *turn, double axes[9],
               bool *has, bool *good);

#endif
