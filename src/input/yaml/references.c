// SPDX-License-Identifier: Apache-2.0
// Fields that name other things of the file.
#include "input/yaml/fields.h"
#include "input/yaml/find_node.h"
#include "input/yaml/function.h"
#include "input/yaml/lookup.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/section_material.h"

#include <string.h>

Error ReadNodeField(Reader *r, FieldValue *v, void *out) {
  LimberId *id = out;
  TRY(FindNode(r, v->tree, id));
  if (*id == BROKEN) v->good = false;
  return 0;
}

Error ReadNodesField(Reader *r, FieldValue *v, void *out) {
  LimberId *id = out;
  int n = v->field->count;
  if (v->tree->kind != TREE_LIST || v->tree->count != n) {
    char wanted[40];
    snprintf(wanted, sizeof wanted, "a list of %d nodes", n);
    TRY(ReportWrongForm(r, v, wanted));
    return 0;
  }
  for (int i = 0; i < n; i++) {
    TRY(FindNode(r, v->tree->entry[i], &id[i]));
    if (id[i] == BROKEN) v->good = false;
  }
  return 0;
}

static Error ReadNamed(Reader *r, FieldValue *v, const char *what, const Names *names, LimberId *id) {
  TRY(FindName(r, what, names, v->tree, id));
  if (*id == BROKEN) v->good = false;
  return 0;
}

Error ReadSectionField(Reader *r, FieldValue *v, void *out) { return ReadNamed(r, v, "section", &r->sections, out); }
Error ReadJointField(Reader *r, FieldValue *v, void *out) { return ReadNamed(r, v, "joint", &r->joints, out); }
Error ReadLoadField(Reader *r, FieldValue *v, void *out) { return ReadNamed(r, v, "load", &r->loads, out); }
Error ReadEventField(Reader *r, FieldValue *v, void *out) { return ReadNamed(r, v, "event", &r->events, out); }
Error ReadElementField(Reader *r, FieldValue *v, void *out) { return ReadNamed(r, v, "element", &r->elements, out); }

static Error FindElement(Reader *r, const Tree *word, LimberId *id) {
  return FindName(r, "element", &r->elements, word, id);
}

Error ReadFunctionField(Reader *r, FieldValue *v, void *out) {
  LimberId *id = out;
  TRY(FindFunction(r, v->tree, v->field->unit, id));
  if (*id == BROKEN) v->good = false;
  return 0;
}

static Error FindAnyFunction(Reader *r, const Tree *word, LimberId *id) { return FindFunction(r, word, UNIT_ANY, id); }

// A list, or one of them; how many goes behind the pointer to them.
static Error ReadNames(Reader *r, FieldValue *v, const char *what,
                       Error (*find)(Reader *r, const Tree *word, LimberId *id), void *out) {
  const Tree *t = v->tree;
  int count = t->kind == TREE_LIST ? t->count : 1;
  LimberId *id = NULL;
  if (!count) {
    v->good = false;
    TRY(ReportError(r, t->at, "'%s' must name one %s or more, not none", v->field->name, what));
  }
  TRY(StoreAllocate(&r->store, (size_t)count * sizeof *id, &id));
  for (int i = 0; i < count; i++) {
    TRY(find(r, t->kind == TREE_LIST ? t->entry[i] : t, &id[i]));
    if (id[i] == BROKEN) v->good = false;
  }
  memcpy(out, &id, sizeof id);
  memcpy((char *)out + sizeof id, &count, sizeof count);
  return 0;
}

static Error FindSurface(Reader *r, const Tree *word, LimberId *id) {
  return FindName(r, "surface", &r->surfaces, word, id);
}
Error ReadSurfacesField(Reader *r, FieldValue *v, void *out) { return ReadNames(r, v, "surface", FindSurface, out); }
Error ReadElementsField(Reader *r, FieldValue *v, void *out) { return ReadNames(r, v, "element", FindElement, out); }
Error ReadFunctionsField(Reader *r, FieldValue *v, void *out) {
  return ReadNames(r, v, "function", FindAnyFunction, out);
}

Error ReadMaterialField(Reader *r, FieldValue *v, void *out) {
  bool good;
  TRY(FindIsotropic(r, v->tree, out, &good));
  v->good = v->good && good;
  return 0;
}
