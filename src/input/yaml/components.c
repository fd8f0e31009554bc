// SPDX-License-Identifier: Apache-2.0
// Things of the catalogue: an entry names its kind, and the kind's field table says the rest.
//   - beam: {name: strip1, from: A, to: C, section: strip}
#include "input/yaml/part.h"

#include "input/yaml/form.h"
#include "input/yaml/nodes.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"

#include <limits.h>
#include <string.h>

typedef struct {
  const char *name;
} ComponentText;

static const Field component_fields[] = {
    {"name", FIELD_TEXT, 1, offsetof(ComponentText, name), "", false, 0, "name by which other components refer to it",
     NULL},
};
static const FieldTable item_table = FIELDS(component_fields, ComponentText);
const Kind kind_component = {"item", "Fields of every element, joint and load.", &item_table};

static Error ReportUnknownKind(Reader *r, const Part *part, const Tree *key) {
  Nearest n;
  Kind kind;
  nearest_begin(&n, key->text);
  for (int i = 0; part->kind(i, &kind); i++) nearest_try(&n, kind.name);
  TRY(ReportError(r, key->at, "there is no kind of %s '%s'%s", part->one, key->text, nearest_hint(&n, "there are")));
  return 0;
}

// An entry must be a map of one key, its kind. Fields that lost their indentation are the usual mistake.
static Error FindKind(Reader *r, const Part *part, const Tree *entry, Kind *kind, bool *good) {
  char name[200];
  *good = false;
  if (entry->broken) return 0;
  if (entry->kind != TREE_MAP || entry->count < 1) {
    TRY(ReportError(r, entry->at, "%s %s is written as its kind and its fields, {kind: {...}}, not as %s",
                    article_of(part->one), part->one, tree_name(entry, name, sizeof name)));
    return 0;
  }
  *good = kind_find(part, entry->key[0]->text, kind);
  if (!*good) TRY(ReportUnknownKind(r, part, entry->key[0]));
  if (!*good || entry->count == 1) return 0;
  *good = false;
  const char *second = entry->key[1]->text;
  if (field_find(kind->fields, second) || field_find(&item_table, second))
    TRY(ReportError(r, entry->key[1]->at,
                    "'%s' is on the level of '%s'; indent it further to make it a field of the %s", second, kind->name,
                    kind->name));
  else
    TRY(ReportError(r, entry->key[1]->at, "one %s at a time: '%s' begins another in the same entry", part->one,
                    second));
  return 0;
}

// Adds an entry for each node of a group, NAME-1, NAME-2, ...; what they share is that of all together.
static Error AddToNodeGroup(Reader *r, const Part *part, const Kind *kind, const char *name, void *params,
                            SourceLocation at, Names *names) {
  const Field *f = part->shared ? field_find(kind->fields, part->shared) : NULL;
  double *vector = f ? (double *)((char *)params + f->offset) : NULL, whole[3] = {0};
  const NodeGroup *group = node_group(r);
  int before = r->model->reasons.count;
  long long made = (long long)r->model->joints.count + r->model->loads.count + group->count;
  if (made > r->model->most_elements) {
    TRY(ReportError(r, at, "with this group there are %lld joints and loads; a model of this size has at most %d", made,
                    r->model->most_elements));
    return 0;
  }
  if (f) memcpy(whole, vector, sizeof whole);
  for (int i = 0; i < group->count && r->model->reasons.count == before; i++) {
    *group->target = group->node[i];
    for (int k = 0; f && k < 3; k++) vector[k] = group->weight[i] * whole[k];
    if (f && group->weight[i] == 0) continue;
    char *own;
    int id = BROKEN;
    TRY(StoreAllocate(&r->store, strlen(name) + 16, &own));
    snprintf(own, strlen(name) + 16, "%s-%d", name, i + 1);
    TRY(part->add(r->model, kind->name, own, params, &id));
    TRY(NamesAdd(names, own, id, at));
  }
  return 0;
}

// NULL: it has no number of elements.
static const Field *refined_field(const FieldTable *fields) {
  const Field *f = field_find(fields, "elements");
  return f && f->type == FIELD_INT ? f : NULL;
}

bool component_is_refined(const ModelComponent *c) { return refined_field(&c->kind->fields) != NULL; }

// More elements than an int counts are as many as no model can have.
static void refine_elements(Reader *r, const Part *part, const Form *form) {
  const Field *f = part == &part_elements ? refined_field(form->fields) : NULL;
  if (!f) return;
  int *elements = (int *)((char *)form->out + f->offset);
  r->in->refinable++;
  *elements = *elements > INT_MAX / r->in->refine ? INT_MAX : *elements * r->in->refine;
}

// Adds one entry to the model. `name` is the name that it has already (a function's), or NULL.
static Error ReadComponent(Reader *r, const Part *part, const Tree *entry, const char *name, int order, Names *names,
                           int *id) {
  Kind kind;
  bool good, named = false;
  ComponentText text = {0};
  NodeGroup *group = node_group(r);
  char *made;
  *id = BROKEN;
  TRY(FindKind(r, part, entry, &kind, &good));
  SourceLocation at = entry->at;
  if (!good) {
    const Tree *fields = entry->kind == TREE_MAP && entry->count ? entry->entry[0] : entry;
    const Tree *given =
        names ? tree_find(fields, "name") : NULL; // so that others may refer to it without more diagnostics
    if (given && given->kind == TREE_WORD) {
      TRY(ScopeName(r, given->text, &name));
      TRY(NamesAdd(names, name, BROKEN, given->at));
    }
    return 0;
  }
  const Tree *fields = entry->entry[0];
  void *params;
  Tree name_tree, wrapped;
  Tree *keys[1], *entries[1];
  const Field *brief = kind_brief(part, &kind);
  at = entry->key[0]->at;
  if (brief && fields->kind != TREE_MAP && !tree_empty(fields)) { // {sum: [a, b]} is {sum: {of: [a, b]}}
    name_tree = (Tree){.kind = TREE_WORD, .at = fields->at, .text = brief->name};
    keys[0] = &name_tree, entries[0] = entry->entry[0];
    wrapped = (Tree){.kind = TREE_MAP, .at = fields->at, .text = "", .count = 1, .key = keys, .entry = entries};
    fields = &wrapped;
  }
  TRY(StoreAllocate(&r->store, kind.fields->size, &params));
  Form forms[2] = {{kind.fields, params, 0, 0, 0}, {&item_table, &text, 0, 0, 0}};
  if (names) *group = (NodeGroup){.allowed = part->each_node, .bodies = group->bodies};
  TRY(FormsRead(r, kind.name, at, fields, names ? 2 : 1, forms, &good));
  if (names && text.name) {
    bool right;
    const Tree *where = tree_find(fields, "name");
    TRY(CheckPartName(r, part, text.name, where->at, &right));
    TRY(ScopeName(r, text.name, &name));
    named = right, good = good && right;
    at = where->at;
  } else if (names) {
    TRY(StoreAllocate(&r->store, strlen(kind.name) + 16, &made));
    snprintf(made, strlen(kind.name) + 16, "%s#%d", kind.name, order);
    TRY(ScopeName(r, made, &name));
    named = true;
  }
  if (part->complete) TRY(part->complete(r, &kind, name, entry->key[0]->at, fields, &forms[0], &good));
  if (good) refine_elements(r, part, &forms[0]);
  if (good) {
    int before = r->model->reasons.count;
    if (names && group->target) TRY(AddToNodeGroup(r, part, &kind, name, params, at, names));
    else TRY(part->add(r->model, kind.name, name, params, id));
    if (r->model->reasons.count > before) {
      *id = BROKEN;
      TRY(TakeModelDiagnostics(r, before, fields, entry->key[0]->at));
    }
  }
  bool grouped = good && group->target && names; // each has a name of its own
  if (named && !grouped) TRY(NamesAdd(names, name, *id, at));
  group->allowed = false; // what comes next, a probe, wants one node
  return 0;
}

Error ReadComponents(Reader *r, const Part *part, const Tree *list) {
  Names *names = part_names(r, part);
  int id;
  char name[200];
  if (list->kind != TREE_LIST)
    TRY(ReportError(r, list->at, "'%s' must be a list with one entry per line, each beginning with '-', not %s",
                    part->key, tree_name(list, name, sizeof name)));
  for (int pass = 0; pass < (part->later ? 2 : 1); pass++)
    for (int i = 0; list->kind == TREE_LIST && i < list->count; i++)
      if (!part->later || part->later(list->entry[i]) == pass)
        TRY(ReadComponent(r, part, list->entry[i], NULL, i + 1, names, &id));
  return 0;
}

Error ReadUnlisted(Reader *r, const Part *part, const Tree *entry, const char *name, int *id) {
  return ReadComponent(r, part, entry, name, 0, NULL, id);
}

Error ReadPart(Reader *r, const Part *part, const Tree *tree, SourceLocation at) {
  return part->read ? part->read(r, tree, at) : ReadComponents(r, part, tree);
}
