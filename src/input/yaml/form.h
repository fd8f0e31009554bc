// SPDX-License-Identifier: Apache-2.0
// From a map of the file to a structure, by its field table.
#ifndef LIMBER_INPUT_YAML_FORM_H
#define LIMBER_INPUT_YAML_FORM_H

#include "base/field.h"
#include "input/yaml/tree.h"

#include <stdint.h>

typedef struct Reader Reader;

// One table and the structure that it fills. A map may fill several.
typedef struct Form Form;
struct Form {
  const FieldTable *fields;
  void *out;
  uint64_t given;  // bit i: field i was written ...
  uint64_t bad;    // ... wrongly
  uint64_t missed; // bit i: field i was misspelt
};

// Fills the forms' structures from a map. `what` names it in messages, `at` is where a missing field is noted.
// `good` is false after a mistake.
Error FormsRead(Reader *r, const char *what, SourceLocation at, const Tree *map, int count, Form *forms, bool *good);
bool form_given(const Form *f, const char *field); // written
bool form_good(const Form *f, const char *field);  // written, and rightly

typedef struct FieldValue FieldValue;
struct FieldValue { // the value of one field under way
  const Field *field;
  const Tree *tree;
  char *structure; // that the table fills
  bool good;       // turns false with a mistake, which has been noted
};

// Those of maps within maps, which are forms again.
Error ReadMapField(Reader *r, FieldValue *v, void *out);
Error ReadMapsField(Reader *r, FieldValue *v, void *out);

// "'field' must be ..., not a list"
Error ReportWrongForm(Reader *r, FieldValue *v, const char *wanted);

// ---- rules that the values of a part must keep beside the types of its fields ----

typedef struct {
  bool error; // it is broken
  const char *field, *what;
} Rule;

// Reports each rule that is broken at the value of its field, if that was written in `map` and could be read (`form`
// NULL: all could). `good` turns false with a mistake.
Error ApplyRules(Reader *r, const Tree *map, const Form *form, size_t count, const Rule *rule, bool *good);
#define APPLY(r, map, form, rules, good) ApplyRules(r, map, form, sizeof(rules) / sizeof(rules)[0], rules, good)

// A range of a parameter, of texts `from` (NULL: 0) and `to`: numbers with one unit, NULL where there is none, which
// lives as long as the model. `example` is a value as it could be written.
Error ReadParameterRange(Reader *r, const Tree *map, const char *from, const char *to, const char *example,
                         double *first, double *last, const char **unit);

#endif
