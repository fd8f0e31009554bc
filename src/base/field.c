// SPDX-License-Identifier: Apache-2.0
#include "base/field.h"

#include <string.h>

const FieldMore field_position = {NULL, NULL}, field_point = {NULL, NULL}, field_direction = {NULL, NULL},
                field_load_direction = {NULL, NULL};

void field_defaults(const FieldTable *t, void *out) {
  memset(out, 0, t->size);
  for (int i = 0; i < t->count; i++) {
    const Field *f = &t->field[i];
    void *at = (char *)out + f->offset;
    switch (f->type) {
    case FIELD_REAL: *(double *)at = f->value; break;
    case FIELD_INT:
    case FIELD_WORD:
    case FIELD_NODE:
    case FIELD_SECTION:
    case FIELD_FUNCTION:
    case FIELD_JOINT:
    case FIELD_LOAD:
    case FIELD_EVENT:
    case FIELD_ELEMENT: *(int *)at = (int)f->value; break;
    case FIELD_FLAG: *(bool *)at = f->value != 0; break;
    case FIELD_MAP: field_defaults(f->more->fields, at); break;
    case FIELD_NODES:
      for (int k = 0; k < f->count; k++) ((int *)at)[k] = (int)f->value;
      break;
    case FIELD_REALS:
    case FIELD_ONE_OR_REALS:
    case FIELD_OPTIONAL_REALS:
    case FIELD_MATRIX:
    case FIELD_TENSOR:
    case FIELD_LIST:
    case FIELD_FUNCTIONS:
    case FIELD_ELEMENTS:
    case FIELD_SURFACES:
    case FIELD_FORMULA:
    case FIELD_ROWS:
    case FIELD_MATERIAL:
    case FIELD_CELLS:
    case FIELD_BULK:
    case FIELD_MESH:
    case FIELD_TEXT:
    case FIELD_MAPS:
    case FIELD_DAMPING:
    case FIELD_ANY: break;
    }
  }
}

bool field_has_word(const Field *f, const void *structure) {
  int value = *(const int *)((const char *)structure + f->offset), count = 0;
  while (f->more->word(count)) count++;
  return value >= 0 && value < count;
}

const char *field_units(const Field *f, char *text, size_t size) {
  size_t n = 0;
  for (const char *u = f->unit; *u && n + 3 < size; u++) {
    text[n++] = *u == '|' ? ',' : *u;
    if (*u == '|') text[n++] = ' ';
  }
  text[n] = 0;
  return text;
}

const Field *field_find(const FieldTable *t, const char *name) {
  for (int i = 0; i < t->count; i++)
    if (!strcmp(t->field[i].name, name)) return &t->field[i];
  return NULL;
}

// Optimal string alignment on three rolling rows; words longer than the rows are cut.
int field_distance(const char *a, const char *b) {
  enum { CUT = 64 };
  int na = (int)strlen(a), nb = (int)strlen(b), rows[3][CUT + 1];
  if (na > CUT) na = CUT;
  if (nb > CUT) nb = CUT;
  int *before = rows[0], *last = rows[1], *now = rows[2];
  for (int j = 0; j <= nb; j++) last[j] = before[j] = j;
  for (int i = 1; i <= na; i++) {
    now[0] = i;
    for (int j = 1; j <= nb; j++) {
      int best = last[j - 1] + (a[i - 1] != b[j - 1]);
      if (last[j] + 1 < best) best = last[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      now[j] = best;
    }
    int *spare = before;
    before = last, last = now, now = spare;
  }
  return last[nb];
}
