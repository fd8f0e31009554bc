// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/where.h"

#include <ctype.h>
#include <string.h>

Error PlacesKeep(const Names *names, InputPlaces *out) {
  TRY(MemoryNew((size_t)names->count * sizeof *out->of, &out->of));
  out->count = names->count;
  for (int i = 0; i < names->count; i++) out->of[i] = (InputPlace){names->name[i].id, names->name[i].at};
  return 0;
}

static const Place *place_of(const InputPlaces *p, int id) {
  for (int i = 0; i < p->count; i++)
    if (p->of[i].id == id) return &p->of[i].at;
  return NULL;
}

static bool is(const char *name, const char *text, size_t length) {
  return name && strlen(name) == length && !strncmp(name, text, length);
}

// An element by its name; `kind` NULL: of any kind.
static const Place *find_item(const Input *in, const char *kind, const char *name, size_t length) {
  Model m = in->model;
  for (int i = 0; i < m->items.count; i++)
    if (is(model_item(m, i)->name, name, length) && (!kind || !strcmp(model_item(m, i)->kind->name, kind)))
      return place_of(&in->item_places, i);
  return NULL;
}

// A node of the file, or one that an element made: blade.7 stands where `blade` does.
static const Place *find_node(const Input *in, const char *name, size_t length) {
  Model m = in->model;
  for (int i = 0; i < m->nodes.count; i++)
    if (is(model_node(m, i)->name, name, length) && place_of(&in->node_places, i)) return place_of(&in->node_places, i);
  while (length && name[length - 1] != '.') length--;
  return length ? find_item(in, NULL, name, length - 1) : NULL;
}

static const Place *find(const Input *in, const char *kind, const char *name, size_t length) {
  Model m = in->model;
  if (!strcmp(kind, "node")) return find_node(in, name, length);
  for (int i = 0; i < m->joints.count; i++)
    if (is(model_joint(m, i)->name, name, length) && !strcmp(model_joint(m, i)->kind->name, kind))
      return place_of(&in->joint_places, i);
  for (int i = 0; i < m->loads.count; i++)
    if (is(model_load(m, i)->name, name, length) && !strcmp(model_load(m, i)->kind->name, kind))
      return place_of(&in->load_places, i);
  return find_item(in, kind, name, length);
}

void input_point_at(const Input *in, const char *text, FILE *out) {
  const Place *seen[8];
  int count = 0;
  for (const char *open = text, *close; (open = strchr(open, '\'')) && (close = strchr(open + 1, '\''));
       open = close + 1) {
    const char *end = open > text && open[-1] == ' ' ? open - 1 : open, *begin = end;
    char kind[40], what[300];
    while (begin > text && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_')) begin--;
    snprintf(kind, sizeof kind, "%.*s", (int)(end - begin), begin);
    const Place *at = find(in, kind, open + 1, (size_t)(close - open - 1));
    bool new = at &&count < 8;
    for (int i = 0; i < count && new; i++) new = seen[i] != at;
    if (!new) continue;
    seen[count++] = at;
    snprintf(what, sizeof what, "%.*s", (int)(close + 1 - begin), begin);
    note_print_place(&in->notes, *at, what, out);
  }
}

void input_point_at_run(const Input *in, const char *text, FILE *out) {
  note_print_place(&in->notes, in->run_place, text, out);
}
