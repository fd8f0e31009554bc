// SPDX-License-Identifier: Apache-2.0
// Words that name other things of the file, and the fields that consist of them.

#include "input/yaml/fields.h"
#include "input/yaml/function.h"
#include "input/yaml/material.h"
#include "input/yaml/meshes.h"
#include "input/yaml/nodes.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- nodes ----

// ITEM.start, ITEM.end of a component with two faces: the nodes of both, of which `last` is one.
static Error FindPair(Reader *r, const Tree *word, int component, int last, int *id) {
  int *node;
  double *weight;
  NodeGroup *group = node_group(r);
  if (!group->allowed || group->target) {
    TRY(ReportError(r, word->at, "'%s' are two nodes; one is expected here, '%s-below' or '%s-above'", word->text,
                    word->text, word->text));
    return 0;
  }
  TRY(StoreAllocate(&r->store, 2 * sizeof *node, &node));
  TRY(StoreAllocate(&r->store, 2 * sizeof *weight, &weight));
  for (int k = 0; k < 2; k++) node[k] = model_component_node(r->model, component, (last & ~1) + k), weight[k] = 0.5;
  *id = node[0];
  group->target = id, group->node = node, group->weight = weight, group->count = 2;
  return 0;
}

// start, end, and of a component with two faces start-below, start-above ...: the node's number; -1: none of these.
static long node_index_of_word(const char *node_word, long last, bool faces, bool *both) {
  static const char *const side[] = {"-below", "-above"};
  bool start = !strncmp(node_word, "start", 5), end = !strncmp(node_word, "end", 3);
  const char *rest = node_word + (start ? 5 : 3);
  *both = faces && !*rest;
  if (!start && !end) return -1;
  for (int k = 0; k < 2 && faces; k++)
    if (!strcmp(rest, side[k])) return (start ? 0 : last - 1) + k;
  return *rest ? -1 : start ? 0 : last;
}

// Of a component that `refine` gives more elements, the node at the place of the i-th without it; -1: none is there, as
// inner nodes of cubic elements are closer to their ends. `last`: its last node; becomes that without `refine`.
static long refined_node(const Reader *r, const ModelComponent *c, long i, long *last) {
  const int width = c->kind->faces ? 2 : 1; // nodes of each station
  if (!component_is_refined(c) || r->in->refine == 1) return i;
  long stations = (*last + 1) / width - 1, order = stations / c->count, station = i / width;
  *last = stations / r->in->refine * width + width - 1;
  if (order > 2 && station % order) return -1;
  return station * r->in->refine * width + i % width;
}

// ITEM.i, ITEM.start, ITEM.end: a node along a component.
static Error FindNodeOfComponent(Reader *r, const Tree *word, const char *dot, int *id) {
  char component[256], hint[200], *end;
  const char *node_word = dot + 1;
  snprintf(component, sizeof component, "%.*s", (int)(dot - word->text), word->text);
  const Name *found = scope_find(r, part_names(r, &part_elements), component);
  if (!found) {
    TRY(ReportError(r, word->at, "there is no element '%s' before this line%s", component,
                    did_you_mean(r, part_names(r, &part_elements), component, hint, sizeof hint)));
    return 0;
  }
  if (found->id == BROKEN) return 0;
  const ModelComponent *it = model_component(r->model, found->id);
  long last = model_component_last_node(r->model, found->id), i = strtol(node_word, &end, 10);
  bool number = isdigit((unsigned char)*node_word) && !*end, both = false;
  if (!number) i = node_index_of_word(node_word, last, it->kind->faces, &both);
  if (i < 0) {
    TRY(ReportError(r, word->at, "'%s': after the element's name comes a number, 'start' or 'end'%s", word->text,
                    it->kind->faces ? ", which are two nodes, or one of them, such as 'end-above'" : ""));
    return 0;
  }
  if (both) return FindPair(r, word, found->id, (int)i, id);
  long refined = number ? refined_node(r, it, i, &last) : i;
  if (i > last) {
    TRY(ReportError(r, word->at, "there is no node '%s': the nodes of %s '%s' are 0 to %ld", word->text, it->kind->name,
                    component, last));
    return 0;
  }
  if (refined < 0) {
    TRY(ReportError(
        r, word->at,
        "'refine' leaves no node at the place of '%s', inside a cubic element: name a node between elements, "
        "%s.%ld",
        word->text, component, i / 3 * 3));
    return 0;
  }
  *id = model_component_node(r->model, found->id, (int)refined);
  return 0;
}

// A body of points whose name no node has.
static const Name *find_body(Reader *r, const Tree *word) {
  const Name *body = word->kind == TREE_WORD ? scope_find(r, part_names(r, &part_elements), word->text) : NULL;
  if (!body || body->id < 0 || scope_find(r, part_names(r, &part_nodes), word->text)) return NULL;
  return model_component(r->model, body->id)->kind->body ? body : NULL;
}

// In the place of a node: joints take the whole body.
static Error UseBody(Reader *r, const Tree *word, int *id) {
  const Name *body = find_body(r, word);
  if (node_group(r)->bodies) *id = LIMBER_BODY((LimberElementId){body->id}).index;
  else
    TRY(ReportError(r, word->at,
                    "'%s' is a body of points, which only joints accept as a node; name one of its points, '%s.0' to "
                    "'%s.%d', or a point that a spherical joint ties to it",
                    word->text, word->text, word->text, model_component_last_node(r->model, body->id)));
  return 0;
}

// The ground, or a parameter of an instance that stands for it.
static bool is_ground(const Reader *r, const char *text) {
  if (!strcmp(text, "ground")) return true;
  const char *given = r->scope ? scope_word(r, text) : text;
  return !strcmp(given, "ground");
}

// Whether an instance stands before the last '.'.
static bool is_instance(const Reader *r, const char *text, const char *dot) {
  char name[256];
  if (!part_names(r, &part_instances)->count || (size_t)(dot - text) >= sizeof name) return false;
  snprintf(name, sizeof name, "%.*s", (int)(dot - text), text);
  return scope_find(r, part_names(r, &part_instances), name);
}

Error FindNode(Reader *r, const Tree *word, int *id) {
  *id = BROKEN;
  const char *dot = word->kind == TREE_WORD ? strrchr(word->text, '.') : NULL;
  const Name *named =
      dot || (word->kind == TREE_WORD && r->scope) ? scope_find(r, part_names(r, &part_nodes), word->text) : NULL;
  if (word->kind == TREE_WORD && is_ground(r, word->text)) *id = GROUND;
  else if (named) *id = named->id; // `front.hub` of an instance
  else if (dot && is_instance(r, word->text, dot)) TRY(FindPartName(r, &part_nodes, word, id));
  else if (dot) {
    bool mesh;
    TRY(FindNodeOfMesh(r, word, id, &mesh));
    if (!mesh) TRY(FindNodeOfComponent(r, word, dot, id));
  } else if (find_body(r, word)) TRY(UseBody(r, word, id));
  else TRY(FindPartName(r, &part_nodes, word, id));
  return 0;
}

// ---- fields ----

Error ReadNodeField(Reader *r, FieldValue *v, void *out) {
  int *id = out;
  TRY(FindNode(r, v->tree, id));
  if (*id == BROKEN) v->good = false;
  return 0;
}

Error ReadNodesField(Reader *r, FieldValue *v, void *out) {
  int *id = out;
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

static Error ReadNamed(Reader *r, FieldValue *v, const Part *part, int *id) {
  TRY(FindPartName(r, part, v->tree, id));
  if (*id == BROKEN) v->good = false;
  return 0;
}

Error ReadSectionField(Reader *r, FieldValue *v, void *out) { return ReadNamed(r, v, &part_sections, out); }
Error ReadJointField(Reader *r, FieldValue *v, void *out) { return ReadNamed(r, v, &part_joints, out); }
Error ReadLoadField(Reader *r, FieldValue *v, void *out) { return ReadNamed(r, v, &part_loads, out); }
Error ReadEventField(Reader *r, FieldValue *v, void *out) { return ReadNamed(r, v, &part_events, out); }
Error ReadElementField(Reader *r, FieldValue *v, void *out) { return ReadNamed(r, v, &part_elements, out); }

static Error FindElement(Reader *r, const Tree *word, int *id) { return FindPartName(r, &part_elements, word, id); }

Error ReadFunctionField(Reader *r, FieldValue *v, void *out) {
  int *id = out;
  TRY(FindFunction(r, v->tree, v->field->unit, id));
  if (*id == BROKEN) v->good = false;
  return 0;
}

static Error FindAnyFunction(Reader *r, const Tree *word, int *id) { return FindFunction(r, word, UNIT_ANY, id); }

// A list, or one of them; how many goes behind the pointer to them.
static Error ReadNames(Reader *r, FieldValue *v, const char *what, Error (*find)(Reader *r, const Tree *word, int *id),
                       void *out) {
  const Tree *t = v->tree;
  int count = t->kind == TREE_LIST ? t->count : 1;
  int *id = NULL;
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

static Error FindSurface(Reader *r, const Tree *word, int *id) { return FindPartName(r, &part_surfaces, word, id); }
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
