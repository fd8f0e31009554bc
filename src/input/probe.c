// SPDX-License-Identifier: Apache-2.0
// Probes: what a run records beside its ledger.
#include "input/kinds.h"
#include "input/reader.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name;
  LimberId node, joint, element;
  const void *point;
} ProbeText;

static const Field probe_fields[] = {
    {"name", FIELD_TEXT, 1, offsetof(ProbeText, name), "", false, 0, "in the results; without: that of what is probed",
     NULL},
    {"node", FIELD_NODE, 1, offsetof(ProbeText, node), "", false, LIMBER_NONE,
     "records position, displacement, velocity, rotation", NULL},
    {"element", FIELD_ELEMENT, 1, offsetof(ProbeText, element), "", false, LIMBER_NONE,
     "records forces and strains at one of its integration points", NULL},
    {"point", FIELD_ANY, 1, offsetof(ProbeText, point), "", false, 0,
     "integration point along the element, from 0, or last", NULL},
    {"joint", FIELD_JOINT, 1, offsetof(ProbeText, joint), "", false, LIMBER_NONE,
     "records multipliers, and the angle if there is one", NULL},
};
static const FieldTable probe_table = FIELDS(probe_fields, ProbeText);
const Kind kind_probe = {"probe", "What a run records: one of node, element and joint.", &probe_table};

static Error ReadPoint(Reader *r, const Tree *point, Place at, LimberId element, int *out, bool *good) {
  char *end = NULL, name[200];
  int count = limber_model_element_points(r->model, element);
  const ModelItem *item = model_item(r->model, element);
  *good = false;
  if (!count) {
    TRY(Wrong(r, at, "%s '%s' has no integration points; probe its node", item->kind->name, item->name));
    return 0;
  }
  if (!point) {
    TRY(Wrong(r, at, "the probe of an element needs 'point' (0 to %d, or last)", count - 1));
    return 0;
  }
  long i = point->kind == TREE_WORD ? strtol(point->text, &end, 10) : 0;
  if (point->kind == TREE_WORD && !strcmp(point->text, "last")) *good = true, *out = count - 1;
  else if (!end || end == point->text || *end || i < 0 || i >= count)
    TRY(Wrong(r, point->at, "'point' of %s '%s' must be 0 to %d, or last, not %s", item->kind->name, item->name,
              count - 1, tree_name(point, name, sizeof name)));
  else *good = true, *out = (int)i;
  return 0;
}

// `what` is the word that names the thing probed, which is also the probe's name if it has no other.
static Error ReadTarget(Reader *r, const Tree *map, const Form *form, Probe *probe, const Tree **what, bool *good) {
  const ProbeText *t = form->out;
  bool node = form_given(form, "node"), element = form_given(form, "element"), joint = form_given(form, "joint");
  *what = tree_find(map, node ? "node" : element ? "element" : "joint");
  if (node + element + joint != 1) {
    *good = false;
    TRY(Wrong(r, map->at, "a probe has one of node, element and joint%s",
              node + element + joint ? "; this has more" : ""));
    return 0;
  }
  if (!element && t->point) {
    *good = false;
    TRY(Wrong(r, ((const Tree *)t->point)->at, "'point' is for the probe of an element"));
  }
  probe->kind = node ? PROBE_NODE : element ? PROBE_ELEMENT : PROBE_JOINT;
  probe->id = node ? t->node : t->joint;
  if (element) {
    bool right = false;
    probe->id = t->element;
    if (probe->id != BROKEN) TRY(ReadPoint(r, t->point, (*what)->at, probe->id, &probe->point, &right));
    *good = *good && right;
  }
  return 0;
}

static Error ReadProbe(Reader *r, const Tree *map) {
  ProbeText text;
  Form form = {&probe_table, &text, 0, 0, 0};
  Probe probe = {0};
  const Tree *what = NULL;
  bool good, right = true;
  char *name;
  TRY(FormsRead(r, "probe", map->at, map, 1, &form, &good));
  if (map->kind != TREE_MAP) return 0;
  TRY(ReadTarget(r, map, &form, &probe, &what, &good));
  const Tree *named = text.name ? tree_find(map, "name") : what;
  if (!named || named->kind != TREE_WORD) return 0;
  const Name *old = names_find(&r->probes, named->text);
  if (text.name) TRY(CheckName(r, "probe", &r->probes, text.name, named->at, &right));
  else if (old) {
    right = false;
    TRY(Wrong(r, named->at, "there is already a probe '%s'; give this one a name", named->text));
  }
  if (right) TRY(NamesAdd(&r->probes, named->text, 0, named->at));
  if (!good || !right) return 0;
  TRY(ModelKeep(r->model, strlen(named->text) + 1, &name));
  strcpy(name, named->text);
  probe.name = name;
  r->in->probe[r->in->probes++] = probe;
  return 0;
}

Error ReadProbes(Reader *r, const Tree *list) {
  char name[200];
  if (list->kind != TREE_LIST) {
    TRY(Wrong(r, list->at, "'probes' must be a list, one entry a line that begins with '-', not %s",
              tree_name(list, name, sizeof name)));
    return 0;
  }
  TRY(ModelKeep(r->model, (size_t)list->count * sizeof(Probe), &r->in->probe));
  for (int i = 0; i < list->count; i++) TRY(ReadProbe(r, list->entry[i]));
  return 0;
}
