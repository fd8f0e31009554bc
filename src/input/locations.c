// SPDX-License-Identifier: Apache-2.0
#include "input/input.h"

#include <ctype.h>
#include <string.h>

Error StoreLocations(const Names *names, InputLocations *out) {
  TRY(MemoryNew((size_t)names->count * sizeof *out->of, &out->of));
  out->count = names->count;
  for (int i = 0; i < names->count; i++) out->of[i] = (InputLocation){names->name[i].id, names->name[i].at};
  return 0;
}

static const SourceLocation *location_of(const InputLocations *p, int id) {
  for (int i = 0; i < p->count; i++)
    if (p->of[i].id == id) return &p->of[i].at;
  return NULL;
}

static bool is_name(const char *name, const char *text, size_t length) {
  return name && strlen(name) == length && !strncmp(name, text, length);
}

// An element by its name; `kind` NULL: of any kind.
static const SourceLocation *find_component(const Input *in, const char *kind, const char *name, size_t length) {
  Model m = in->model;
  for (int i = 0; i < m->components.count; i++)
    if (is_name(model_component(m, i)->name, name, length) &&
        (!kind || !strcmp(model_component(m, i)->kind->name, kind)))
      return location_of(&in->component_locations, i);
  return NULL;
}

// A node of the file, or one that an element made: blade.7 stands where `blade` does.
static const SourceLocation *find_node(const Input *in, const char *name, size_t length) {
  Model m = in->model;
  for (int i = 0; i < m->nodes.count; i++)
    if (is_name(model_node(m, i)->name, name, length) && location_of(&in->node_locations, i))
      return location_of(&in->node_locations, i);
  while (length && name[length - 1] != '.') length--;
  return length ? find_component(in, NULL, name, length - 1) : NULL;
}

static const SourceLocation *find_location(const Input *in, const char *kind, const char *name, size_t length) {
  Model m = in->model;
  if (!strcmp(kind, "node")) return find_node(in, name, length);
  if (!strcmp(kind, "aerodynamics") && in->aerodyn && is_name(in->aerodyn->name, name, length)) return &in->aerodyn->at;
  for (int i = 0; i < m->joints.count; i++)
    if (is_name(model_joint(m, i)->name, name, length) && !strcmp(model_joint(m, i)->kind->name, kind))
      return location_of(&in->joint_locations, i);
  for (int i = 0; i < m->loads.count; i++)
    if (is_name(model_load(m, i)->name, name, length) && !strcmp(model_load(m, i)->kind->name, kind))
      return location_of(&in->load_locations, i);
  return find_component(in, kind, name, length);
}

void input_point_at(const Input *in, const char *text, FILE *out) {
  const SourceLocation *seen[8];
  int count = 0;
  for (const char *open = text, *close; (open = strchr(open, '\'')) && (close = strchr(open + 1, '\''));
       open = close + 1) {
    const char *end = open > text && open[-1] == ' ' ? open - 1 : open, *begin = end;
    char kind[40], what[300];
    while (begin > text && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_')) begin--;
    snprintf(kind, sizeof kind, "%.*s", (int)(end - begin), begin);
    const SourceLocation *at = find_location(in, kind, open + 1, (size_t)(close - open - 1));
    bool new = at &&count < 8;
    for (int i = 0; i < count && new; i++) new = seen[i] != at;
    if (!new) continue;
    seen[count++] = at;
    snprintf(what, sizeof what, "%.*s", (int)(close + 1 - begin), begin);
    diagnostic_print_location(&in->diagnostics, *at, what, out);
  }
}

// Of a node that an element made, the element.
static const SourceLocation *location_of_cause(const Input *in, const LimberCause *c) {
  switch (c->kind) {
  case LIMBER_CAUSE_NODE: {
    const SourceLocation *at = location_of(&in->node_locations, c->index);
    return at ? at : location_of(&in->component_locations, model_node(in->model, c->index)->component);
  }
  case LIMBER_CAUSE_ELEMENT: return location_of(&in->component_locations, c->index);
  case LIMBER_CAUSE_JOINT: return location_of(&in->joint_locations, c->index);
  case LIMBER_CAUSE_BLOCK:
  case LIMBER_CAUSE_NONE: break;
  }
  return NULL;
}

void input_point_at_cause(const Input *in, const LimberCause *cause, FILE *out) {
  const SourceLocation *at = location_of_cause(in, cause);
  if (at) diagnostic_print_location(&in->diagnostics, *at, cause->name, out);
  else if (cause->kind == LIMBER_CAUSE_NONE) input_point_at(in, cause->name, out);
}

void input_point_at_run(const Input *in, const char *text, FILE *out) {
  diagnostic_print_location(&in->diagnostics, in->run_location, text, out);
}
