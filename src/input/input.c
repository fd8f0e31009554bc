// SPDX-License-Identifier: Apache-2.0
#include "input/input.h"

#include "input/yaml/kinds.h"
#include "input/lint/lint.h"
#include "input/yaml/reader.h"
#include "input/yaml/locations.h"

#include <string.h>

typedef struct {
  int limber;
  const char *title;
  const void *include, *let, *nodes, *functions, *materials, *meshes, *sections, *elements, *joints, *loads, *motion,
      *probes, *run;
} FileText;

static const Field file_fields[] = {
    {"limber", FIELD_INT, 1, offsetof(FileText, limber), "", true, 0, "version of the format: 1", NULL},
    {"title", FIELD_TEXT, 1, offsetof(FileText, title), "", false, 0, "what the model is", NULL},
    {"include", FIELD_ANY, 1, offsetof(FileText, include), "", false, 0,
     "files of the same form whose parts belong to this one: a name or a list", NULL},
    {"let", FIELD_ANY, 1, offsetof(FileText, let), "", false, 0,
     "parameters: a map of name to number or formula; they stand wherever a number is wanted", NULL},
    {"nodes", FIELD_ANY, 1, offsetof(FileText, nodes), "", false, 0, "named places: a map of name to node", NULL},
    {"functions", FIELD_ANY, 1, offsetof(FileText, functions), "", false, 0, "of time: a map of name to function",
     NULL},
    {"materials", FIELD_ANY, 1, offsetof(FileText, materials), "", false, 0,
     "of sections and solids: a map of name to material", NULL},
    {"meshes", FIELD_ANY, 1, offsetof(FileText, meshes), "", false, 0, "of solids and membranes: a map of name to mesh",
     NULL},
    {"sections", FIELD_ANY, 1, offsetof(FileText, sections), "", false, 0, "of beams: a map of name to section", NULL},
    {"elements", FIELD_ANY, 1, offsetof(FileText, elements), "", false, 0, "what has mass or stiffness: a list", NULL},
    {"joints", FIELD_ANY, 1, offsetof(FileText, joints), "", false, 0, "what ties nodes: a list", NULL},
    {"loads", FIELD_ANY, 1, offsetof(FileText, loads), "", false, 0, "what drives it: a list", NULL},
    {"motion", FIELD_ANY, 1, offsetof(FileText, motion), "", false, 0, "of all nodes at the start, as one rigid body",
     NULL},
    {"probes", FIELD_ANY, 1, offsetof(FileText, probes), "", false, 0, "what to record: a list", NULL},
    {"run", FIELD_ANY, 1, offsetof(FileText, run), "", true, 0, "scheme, step and end of the run", NULL},
};
static const FieldTable file_table = FIELDS(file_fields, FileText);
const Kind kind_file = {"file", "A model file.", &file_table};

const char *input_yaml_library(void) { return tree_library(); }

static SourceLocation key_location(const Tree *map, const char *key) {
  for (int i = 0; i < map->count; i++)
    if (!strcmp(map->key[i]->text, key)) return map->key[i]->at;
  return map->at;
}

// A node that no element and no joint holds has neither mass nor stiffness.
static Error ReportUnconnectedNodes(Reader *r) {
  const LimberModel m = r->model;
  bool *is_used;
  TRY(MemoryNew((size_t)m->nodes.count * sizeof *is_used, &is_used));
  for (int i = 0; i < m->element_node.count; i++) is_used[((const LimberId *)m->element_node.data)[i]] = true;
  for (int j = 0; j < m->joints.count; j++)
    for (int i = 0; i < model_joint(m, j)->nnode; i++) is_used[model_joint(m, j)->node[i]] = true;
  for (int i = 0; i < r->nodes.count; i++)
    if (!is_used[r->nodes.name[i].id])
      TRY(ReportError(r, r->nodes.name[i].at, "no element and no joint holds node '%s'", r->nodes.name[i].text));
  memory_free(&is_used);
  return 0;
}

static Error ReadParts(Reader *r, const Tree *root) {
  FileText text;
  Form form = {&file_table, &text, 0, 0, 0};
  bool good;
  char *title;
  TRY(FormsRead(r, "a model file", (SourceLocation){0, 0, 0}, root, 1, &form, &good));
  if (text.limber) TRY(CheckVersion(r, tree_find(root, "limber"), text.limber));
  TRY(ModelAllocate(r->model, text.title ? strlen(text.title) + 1 : 1, &title));
  r->in->title = text.title ? strcpy(title, text.title) : title;
  if (text.let) TRY(ReadLet(r, text.let));
  if (text.functions) TRY(ReadFunctions(r, text.functions));
  if (text.materials) TRY(ReadMaterials(r, text.materials));
  if (text.meshes) TRY(ReadMeshes(r, text.meshes));
  if (text.sections) TRY(ReadSections(r, text.sections));
  if (text.nodes) TRY(ReadNodes(r, text.nodes));
  if (text.elements) TRY(ReadElements(r, text.elements));
  if (text.joints) TRY(ReadJoints(r, text.joints));
  if (text.loads) TRY(ReadLoads(r, text.loads));
  TRY(ReadMotion(r, text.motion, key_location(root, "motion")));
  if (text.probes) TRY(ReadProbes(r, text.probes));
  r->in->run_location = key_location(root, "run");
  if (text.run) TRY(ReadRun(r, text.run, r->in->run_location));
  if (!r->diagnostics->errors) TRY(CheckTimeFormulae(r));
  if (!r->diagnostics->errors) TRY(ReportUnconnectedNodes(r));
  if (!r->diagnostics->errors) TRY(WarnAboutUnusedParameters(r));
  if (!r->diagnostics->errors) TRY(ReportWarnings(r));
  return 0;
}

// The changes, one a line, are a text that diagnostics can point at.
static Error StoreChanges(Reader *r, const InputOptions *o) {
  size_t length = 0;
  char *all;
  if (!o->changes) return 0;
  for (int i = 0; i < o->changes; i++) length += strlen(o->change[i]) + 1;
  TRY(ModelAllocate(r->model, length + 1, &all));
  TRY(ModelAllocate(r->model, (size_t)o->changes * sizeof *r->in->change, &r->in->change));
  for (int i = 0; i < o->changes; i++) {
    char *copy;
    TRY(ModelAllocate(r->model, strlen(o->change[i]) + 1, &copy));
    r->in->change[r->in->changes++] = strcpy(copy, o->change[i]);
    strcat(strcat(all, copy), "\n");
  }
  TRY(DiagnosticsAddFile(r->diagnostics, "--set", all, length, &r->changes));
  return 0;
}

static Error ReadAll(Reader *r) {
  Tree *root;
  TRY(ReadSources(r, &root));
  if (r->incomplete) return 0; // what is missing would be blamed on the rest
  TRY(ApplyChanges(r, &root));
  TRY(ReadParts(r, root));
  return 0;
}

Error InputRead(const char *file, const char *text, size_t length, const InputOptions *options, Input **out) {
  static const InputOptions none = {0};
  const InputOptions *o = options ? options : &none;
  const char *base = strrchr(file, '/');
  Input *in;
  char *name, *copy;
  int index;
  TRY(MemoryNew(sizeof *in, &in));
  TRY(LimberModelCreate(&in->model));
  TRY(MemoryNew(length + 1, &copy));
  if (length) memcpy(copy, text, length);
  TRY(ModelAllocate(in->model, strlen(file) + 1, &name));
  in->file = strcpy(name, file);
  TRY(MemoryNew(sizeof *in->source, &in->source));
  in->source[in->sources++] = (InputSource){base ? name + (base - file) + 1 : name, copy, length};
  in->text = copy, in->title = "", in->every = 1;
  limber_options_default(&in->options);
  Reader r = {.in = in, .read = o->read, .diagnostics = &in->diagnostics, .model = in->model};
  TRY(DiagnosticsAddFile(r.diagnostics, in->file, copy, length, &index));
  TRY(StoreChanges(&r, o));
  TRY(ReadAll(&r));
  TRY(StoreLocations(&r.nodes, &in->node_locations));
  TRY(StoreLocations(&r.elements, &in->component_locations));
  TRY(StoreLocations(&r.joints, &in->joint_locations));
  TRY(StoreLocations(&r.loads, &in->load_locations));
  Names *names[] = {&r.nodes,    &r.functions, &r.materials, &r.meshes, &r.sections,
                    &r.elements, &r.joints,    &r.loads,     &r.probes, &r.let};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) TRY(NamesDestroy(names[i]));
  memory_free(&r.moving);
  memory_free(&r.motion);
  memory_free(&r.moves);
  memory_free(&r.timed);
  TRY(StoreDestroy(&r.store));
  formula_destroy(&r.calculator);
  TRY(UnitsDestroy(&r.units));
  *out = in;
  return 0;
}

Error InputDestroy(Input **in) {
  if (!*in) return 0;
  TRY(DiagnosticsDestroy(&(*in)->diagnostics));
  TRY(LimberModelDestroy(&(*in)->model));
  for (int i = 0; i < (*in)->sources; i++) memory_free(&(*in)->source[i].text);
  memory_free(&(*in)->source);
  InputLocations *locations[] = {&(*in)->node_locations, &(*in)->component_locations, &(*in)->joint_locations,
                                 &(*in)->load_locations};
  for (size_t i = 0; i < sizeof locations / sizeof locations[0]; i++) memory_free(&locations[i]->of);
  memory_free(in);
  return 0;
}
