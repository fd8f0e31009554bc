// SPDX-License-Identifier: Apache-2.0
// Rules that the values of a part must keep beside the types of its fields.
#ifndef LIMBER_INPUT_YAML_RULES_H
#define LIMBER_INPUT_YAML_RULES_H

#include "input/yaml/form.h"

typedef struct {
  bool error; // it is broken
  const char *field, *what;
} Rule;

// Reports each rule that is broken at the value of its field, if that was written in `map` and could be read (`form` NULL: all
// could). `good` turns false with a mistake.
Error ApplyRules(Reader *r, const Tree *map, const Form *form, size_t count, const Rule *rule, bool *good);
#define APPLY(r, map, form, rules, good) ApplyRules(r, map, form, sizeof(rules) / sizeof(rules)[0], rules, good)

// A range of a parameter, of texts `from` (NULL: 0) and `to`: numbers with one unit, NULL where there is none, which lives as
// long as the model. `example` is a value as it could be written.
typedef struct {
  double from, to;
  const char *unit;
} ParameterRange;
Error ReadParameterRange(Reader *r, const Tree *map, const char *from, const char *to, const char *example,
                         ParameterRange *out);

#endif
