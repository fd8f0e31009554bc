// SPDX-License-Identifier: Apache-2.0
#include "input/input.h"

#include "files/cache.h"
#include "input/first_step.h"
#include "input/importers/mesh.h"
#include "input/lint/lint.h"
#include "input/yaml/part.h"
#include "input/yaml/fields.h"
#include "input/yaml/files.h"
#include "input/yaml/function.h"
#include "input/yaml/instances.h"
#include "input/yaml/kept.h"
#include "input/yaml/scope.h"
#include "input/yaml/meshes.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "model/refusal.h"
#include "model/start_pose.h"
#include "model/steps.h"

#include <string.h>

void input_use_static(Input *in, bool frames) {
  in->options.analysis = LIMBER_ANALYSIS_STATIC, in->options.statics = in->statics;
  in->every = 1, in->snapshots = frames ? 1e-9 : 0, in->end = 0, in->accuracy = 0;
}

const char *input_yaml_library(void) { return tree_library(); }

// ---- checks of the whole model ----

// A node that no element and no joint holds has neither mass nor stiffness.
static Error ReportUnconnectedNodes(Reader *r) {
  const LimberModel m = r->model;
  bool *is_used;
  TRY(MemoryNew((size_t)m->nodes.count * sizeof *is_used, &is_used));
  for (int i = 0; i < m->element_node.count; i++) is_used[((const int *)m->element_node.data)[i]] = true;
  for (int j = 0; j < m->joints.count; j++)
    for (int i = 0; i < model_joint(m, j)->nnode; i++) is_used[model_joint(m, j)->node[i]] = true;
  for (int i = 0; i < m->points.count; i++) { // the ground may carry a surface at any place
    int node = model_point(m, i)->node[0];
    if (model_node(m, node)->kind == NODE_FIXED) is_used[node] = true;
  }
  for (int i = 0; i < m->surfaces.count; i++) {
    const SurfaceBody *b = &model_surface(m, i)->body;
    if (b->kind && model_node(m, b->node)->kind == NODE_FIXED) is_used[b->node] = true;
  }
  const Names *nodes = part_names(r, &part_nodes);
  for (int i = 0; i < nodes->count; i++)
    if (!is_used[nodes->name[i].id])
      TRY(ReportError(r, nodes->name[i].at, "no element or joint uses node '%s'", nodes->name[i].text));
  memory_free(&is_used);
  return 0;
}

static Error ReportForbidden(Reader *r, const Names *names, const char *(*forbids)(Model m, int id),
                             const char *(*kind)(Model m, int id)) {
  for (int i = 0; i < names->count; i++) {
    int id = names->name[i].id;
    const char *why = id >= 0 ? forbids(r->model, id) : NULL;
    if (why)
      TRY(ReportError(r, names->name[i].at, "%s '%s' %s, " STEP_BACK_ADVICE, kind(r->model, id), names->name[i].text,
                      why, r->in->options.order));
  }
  return 0;
}

static const char *component_kind(Model m, int id) { return model_component(m, id)->kind->name; }
static const char *joint_kind(Model m, int id) { return model_joint(m, id)->kind->name; }
static const char *load_kind(Model m, int id) { return model_load(m, id)->kind->name; }

// Of events the first.
static Error ReportEvents(Reader *r) {
  const Names *events = part_names(r, &part_events);
  const char *why =
      events->count && r->in->end > 0 ? events_refused(r->in->options.scheme, r->in->options.order) : NULL;
  if (why) TRY(ReportError(r, events->name[0].at, "event '%s': %s", events->name[0].text, why));
  return 0;
}

// Of contacts too.
static Error ReportContacts(Reader *r) {
  const Names *contacts = part_names(r, &part_contacts);
  const SchemeKind *kind = contacts->count && r->in->end > 0 ? scheme_kind(r->in->options.scheme) : NULL;
  StepRule rule = {0};
  const char *why =
      kind && !scheme_make(kind, &r->in->options, &rule).text ? contacts_forbidden(r->model, &rule) : NULL;
  if (why) TRY(ReportError(r, contacts->name[0].at, "contact '%s': %s", contacts->name[0].text, why));
  return 0;
}

// Coordinates that cannot begin at their `start`.
static Error ReportStarts(Reader *r) {
  const Names *joints = part_names(r, &part_joints);
  StartPose pose;
  Store store = {0};
  Error error = ModelStartPose(r->model, &store, &pose);
  for (int i = 0; i < joints->count && !error && is_refused(&pose.wrong); i++)
    if (joints->name[i].id == pose.joint)
      error = ReportError(r, joints->name[i].at, "%s '%s': %s", joint_kind(r->model, pose.joint), joints->name[i].text,
                          pose.wrong.text);
  TRY(StoreDestroy(&store));
  return error;
}

// Of a run whose steps go backwards in time in part: every component, joint and load that forbids it.
static Error ReportStepBack(Reader *r) {
  TRY(ReportStarts(r));
  TRY(ReportEvents(r));
  TRY(ReportContacts(r));
  if (r->in->options.order <= 2) return 0;
  TRY(ReportForbidden(r, part_names(r, &part_elements), component_forbids_step_back, component_kind));
  TRY(ReportForbidden(r, part_names(r, &part_joints), joint_forbids_step_back, joint_kind));
  TRY(ReportForbidden(r, part_names(r, &part_loads), load_forbids_step_back, load_kind));
  return 0;
}

// ---- reading ----

static SourceLocation key_location(const Tree *map, const char *key) {
  for (int i = 0; i < map->count; i++)
    if (!strcmp(map->key[i]->text, key)) return map->key[i]->at;
  return map->at;
}

static Error ReadRefine(Reader *r, const Tree *root, const Form *form) {
  const FileText *text = form->out;
  r->in->refine = 1;
  if (!form_good(form, "refine")) return 0;
  if (text->refine >= 1 && text->refine <= LIMIT_REFINE) return r->in->refine = text->refine, 0;
  return ReportError(r, tree_find(root, "refine")->at, "'refine' must be 1 to %d, not %d", LIMIT_REFINE, text->refine);
}

static Error ReadParts(Reader *r, const Tree *root) {
  FileText text;
  Form form = {kind_file.fields, &text, 0, 0, 0};
  bool good;
  char *title;
  TRY(FormsRead(r, "a model file", (SourceLocation){0, 0, 0}, root, 1, &form, &good));
  if (text.limber) TRY(CheckVersion(r, tree_find(root, "limber"), text.limber));
  TRY(ModelAllocate(r->model, text.title ? strlen(text.title) + 1 : 1, &title));
  r->in->title = text.title ? strcpy(title, text.title) : title;
  TRY(ReadRefine(r, root, &form));
  TRY(ReadInstances(r, text.part_parts, text.part_instances));
  if (text.let || r->scope_count) TRY(ReadLet(r, text.let));
  TRY(ReadPoses(r));
  for (int i = 0; parts[i]; i++) {
    const Tree *tree = file_part(&text, parts[i]);
    if (parts[i]->scoped) TRY(ReadInInstances(r, parts[i]));
    if (tree || parts[i]->always) TRY(ReadPart(r, parts[i], tree, key_location(root, parts[i]->key)));
  }
  for (int i = 0; parts[i]; i++)
    if (parts[i]->check) TRY(parts[i]->check(r));
  r->in->run_location = key_location(root, "run");
  if (!r->diagnostics->errors) TRY(CheckTimeFormulae(r));
  if (!r->diagnostics->errors) TRY(ReportUnconnectedNodes(r));
  if (!r->diagnostics->errors) TRY(ReportStepBack(r));
  for (int i = 0; parts[i] && !r->diagnostics->errors; i++)
    if (parts[i]->finish) TRY(parts[i]->finish(r));
  if (r->in->first_step && !r->diagnostics->errors) TRY(InputFindFirstStep(r->in));
  if (r->diagnostics->errors || r->kept) return 0; // warnings are for whoever wrote the file
  TRY(WarnAboutUnusedParameters(r));
  TRY(ReportWarnings(r));
  return 0;
}

// The changes, one a line, are a text that diagnostics can point at.
static Error StoreChanges(Reader *r, int changes, const char *const *change) {
  size_t length = 0;
  char *all, *end;
  if (!changes) return 0;
  for (int i = 0; i < changes; i++) length += strlen(change[i]) + 1;
  TRY(ModelAllocate(r->model, length + 1, &all));
  end = all;
  TRY(ModelAllocate(r->model, (size_t)changes * sizeof *r->in->change, &r->in->change));
  for (int i = 0; i < changes; i++) {
    char *copy;
    TRY(ModelAllocate(r->model, strlen(change[i]) + 1, &copy));
    r->in->change[r->in->changes++] = strcpy(copy, change[i]);
    end = stpcpy(stpcpy(end, copy), "\n");
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

static Error DestroyReader(Reader *r) {
  TRY(EndParts(r));
  TRY(NamesDestroy(&r->let));
  TRY(StoreDestroy(&r->store));
  TRY(UnitsDestroy(&r->units));
  return 0;
}

// An empty input of a text, which belongs to it unless it is `kept`.
static Error CreateInput(const char *file, char *text, size_t length, bool kept, Input **out) {
  const char *base = strrchr(file, '/');
  Input *in;
  char *name;
  TRY(MemoryNew(sizeof *in, &in));
  TRY(LimberModelCreate(&in->model));
  in->model->kept_values = &cached_values;
  TRY(ModelAllocate(in->model, strlen(file) + 1, &name));
  in->file = strcpy(name, file);
  TRY(MemoryNew(sizeof *in->source, &in->source));
  in->source[in->sources++] = (InputSource){base ? name + (base - file) + 1 : name, text, length, kept};
  in->text = text, in->title = "";
  *out = in;
  return 0;
}

static Error ReadInput(Reader *r, const Importer *const *formats, int changes, const char *const *change) {
  Input *in = r->in;
  int index;
  TRY(BeginParts(r, parts));
  meshes_use_formats(r, formats);
  r->field_reader = field_readers, r->diagnostics = &in->diagnostics, r->model = in->model;
  TRY(DiagnosticsAddFile(r->diagnostics, in->file, in->text, in->source[0].length, &index));
  count_bytes(r, in->source[0].length);
  TRY(StoreChanges(r, changes, change));
  TRY(ReadAll(r));
  TRY(StoreLocations(part_names(r, &part_nodes), &in->node_locations));
  TRY(StoreLocations(part_names(r, &part_elements), &in->component_locations));
  TRY(StoreLocations(part_names(r, &part_joints), &in->joint_locations));
  TRY(StoreLocations(part_names(r, &part_loads), &in->load_locations));
  return 0;
}

Error InputReadWith(const char *file, const char *text, size_t length, const InputOptions *options,
                    const Importer *const *formats, Input **out) {
  static const InputOptions none = {0};
  const InputOptions *o = options ? options : &none;
  Input *in;
  char *copy;
  TRY(MemoryNew(length + 1, &copy));
  if (length) memcpy(copy, text, length);
  TRY(CreateInput(file, copy, length, false, &in));
  in->allow_outside = o->allow_outside, in->allow_library = o->allow_library, in->without_steps = o->without_steps;
  Reader r = {.in = in, .read = o->read};
  TRY(ReadInput(&r, formats, o->changes, o->change));
  TRY(DestroyReader(&r));
  *out = in;
  return 0;
}

Error InputRead(const char *file, const char *text, size_t length, const InputOptions *options, Input **out) {
  return InputReadWith(file, text, length, options, importers, out);
}

// ---- files that are read many times ----

Error InputFileCreate(const char *file, const char *text, size_t length, const InputOptions *o, InputFile **out) {
  InputFile *f;
  TRY(MemoryNew(sizeof *f, &f));
  TRY(StoreText(&f->store, file, strlen(file), &f->file));
  TRY(MemoryNew(length + 1, &f->text));
  if (length) memcpy(f->text, text, length);
  f->length = length;
  f->read = o->read, f->allow_outside = o->allow_outside, f->allow_library = o->allow_library, f->changes = o->changes;
  TRY(StoreAllocate(&f->store, (size_t)o->changes * sizeof *f->change, &f->change));
  for (int i = 0; i < o->changes; i++) TRY(StoreText(&f->store, o->change[i], strlen(o->change[i]), &f->change[i]));
  *out = f;
  return 0;
}

Error InputFileRead(InputFile *f, int changes, const char *const *change, Input **out) {
  Input *in;
  TRY(CreateInput(f->file, f->text, f->length, true, &in));
  in->allow_outside = f->allow_outside, in->allow_library = f->allow_library;
  Reader r = {.in = in, .read = f->read, .kept = f, .units = f->units};
  const char **all;
  TRY(StoreAllocate(&r.store, (size_t)(f->changes + changes) * sizeof *all, &all));
  for (int i = 0; i < f->changes + changes; i++) all[i] = i < f->changes ? f->change[i] : change[i - f->changes];
  TRY(ReadInput(&r, importers, f->changes + changes, all));
  f->units = r.units, r.units = NULL;
  TRY(DestroyReader(&r));
  *out = in;
  return 0;
}

Error InputFileDestroy(InputFile **f) {
  if (!*f) return 0;
  TRY(DestroyKept(*f));
  memory_free(f);
  return 0;
}

// ---- what was read ----

Error InputDestroy(Input **in) {
  if (!*in) return 0;
  TRY(DiagnosticsDestroy(&(*in)->diagnostics));
  TRY(LimberModelDestroy(&(*in)->model));
  for (int i = 0; i < (*in)->sources; i++)
    if (!(*in)->source[i].kept) memory_free(&(*in)->source[i].text);
  memory_free(&(*in)->source);
  InputLocations *locations[] = {&(*in)->node_locations, &(*in)->component_locations, &(*in)->joint_locations,
                                 &(*in)->load_locations};
  for (size_t i = 0; i < sizeof locations / sizeof locations[0]; i++) memory_free(&locations[i]->of);
  memory_free(in);
  return 0;
}
