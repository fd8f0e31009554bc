// SPDX-License-Identifier: Apache-2.0
// Probes: what a run records beside its ledger.
#include "quantities/probe.h"

#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/probe_formula.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "model/stress.h"
#include "quantities/ledger.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name, *formula, *unit;
  int node, element, joint, load, drive, energy, stress, wheel, axes, mesh_node;
  const char *contact;
  double at;
  const void *point, *record, *extremes;
  const double *gauge;
} ProbeText;

static const FieldMore quantities = {NULL, quantity_name};

static const Field probe_fields[] = {
    {"name", FIELD_TEXT, 1, offsetof(ProbeText, name), "", false, 0,
     "name in the results; default: that of the probed component", NULL},
    {"node", FIELD_NODE, 1, offsetof(ProbeText, node), "", false, LIMBER_NONE, "records its motion", NULL},
    {"element", FIELD_ELEMENT, 1, offsetof(ProbeText, element), "", false, LIMBER_NONE,
     "records forces and strains at `at` or `point`, at `at` also the motion", NULL},
    {"at", FIELD_REAL, 1, offsetof(ProbeText, at), "", false, 0, "position along the element, 0 to 1 of its length",
     NULL},
    {"point", FIELD_ANY, 1, offsetof(ProbeText, point), "", false, 0,
     "integration point along the element, from 0, or last", NULL},
    {"mesh_node", FIELD_INT, 1, offsetof(ProbeText, mesh_node), "", false, 0,
     "node of the mesh of a reduced body, its number in the file: records its motion and the stress there", NULL},
    {"gauge", FIELD_OPTIONAL_REALS, 2, offsetof(ProbeText, gauge), "m", false, 0,
     "with `at`, for a beam whose section has a mesh: records stresses at this point [y, z] of the section", NULL},
    {"joint", FIELD_JOINT, 1, offsetof(ProbeText, joint), "", false, LIMBER_NONE,
     "records the reaction, force and moment of the first body on the second at the joint, its coordinates and their "
     "rates, and the forces of drives, springs, dampers and friction along them",
     NULL},
    {"drive", FIELD_LOAD, 1, offsetof(ProbeText, drive), "", false, LIMBER_NONE,
     "a drive or another load on a joint: records its torque or force, power and work, and spring, damper and friction "
     "of the coordinate",
     NULL},
    {"load", FIELD_LOAD, 1, offsetof(ProbeText, load), "", false, LIMBER_NONE,
     "any load: records its force and moment, power and work; for a load on a joint the same as `drive`", NULL},
    {"energy", FIELD_ELEMENT, 1, offsetof(ProbeText, energy), "", false, LIMBER_NONE,
     "an element: records its kinetic, strain and potential energy", NULL},
    {"stress", FIELD_ELEMENT, 1, offsetof(ProbeText, stress), "", false, LIMBER_NONE,
     "a beam whose section has a mesh: records the largest von Mises stress and Tsai-Wu index along it; a reduced "
     "body: "
     "the largest von Mises stress over its mesh",
     NULL},
    {"contact", FIELD_TEXT, 1, offsetof(ProbeText, contact), "", false, 0,
     "a contact: records its normal and friction force, number of touching pairs, smallest gap, energy, and the last "
     "time at which a pair began to touch",
     NULL},
    {"wheel", FIELD_ELEMENT, 1, offsetof(ProbeText, wheel), "", false, LIMBER_NONE,
     "a wheel: records its speed, its spin momentum, and torque, power and work of its motor", NULL},
    {"formula", FIELD_TEXT, 1, offsetof(ProbeText, formula), "", false, 0,
     "records a number computed from other probes: tip.x - base.x", NULL},
    {"unit", FIELD_TEXT, 1, offsetof(ProbeText, unit), "", false, 0, "unit of the formula; default: 1", NULL},
    {"axes", FIELD_NODE, 1, offsetof(ProbeText, axes), "", false, LIMBER_NONE,
     "records motion as seen from this node, in its moving axes, and forces of joints and loads in these axes; "
     "default: from the "
     "ground, and deflection, angles and "
     "resultant from the first section of the beam",
     NULL},
    {"record", FIELD_ANY, 1, offsetof(ProbeText, record), "", false, 0,
     "quantities to record, a word or a list of words; default: the usual ones", &quantities},
    {"extremes", FIELD_ANY, 1, offsetof(ProbeText, extremes), "", false, 0,
     "true, or a list of columns: smallest and largest values over all steps", NULL},
};
static const FieldTable probe_table = FIELDS(probe_fields, ProbeText);
static const Kind kind_probe = {
    "probe",
    "What a run records: one of node, element, joint, drive, load, energy, stress, contact, wheel and formula.",
    &probe_table};

static const char *const targets[] = {"node",   "element", "joint",   "drive", "load",
                                      "energy", "stress",  "contact", "wheel", "formula"};
enum { TARGETS = sizeof targets / sizeof targets[0] };

// ---- places along an element ----

// Of an element that `refine` gives more elements, its i-th point without it: the same place, or, where there are no
// places along it, the point of the element that begins there.
static void refine_point(const Reader *r, int id, int i, int count, Probe *probe) {
  const ModelComponent *c = model_component(r->model, id);
  int each = count / c->count;
  ElementPoint point = {0};
  probe->point = i;
  if (!component_is_refined(c) || r->in->refine == 1) return;
  c->kind->point(model_element(r->model, c->first)->data, i % each, &point);
  probe->placed = c->kind->line.station, probe->at = (i / each + point.at) * r->in->refine / c->count;
  if (!probe->placed) probe->point = i / each * r->in->refine * each + i % each;
}

static Error ReadPoint(Reader *r, const Tree *point, Probe *probe, bool *good) {
  char *end = NULL, name[200];
  int points = limber_model_element_points(r->model, (LimberElementId){probe->id});
  const ModelComponent *component = model_component(r->model, probe->id);
  int count = component_is_refined(component) ? points / r->in->refine : points;
  long i = point->kind == TREE_WORD ? strtol(point->text, &end, 10) : 0;
  if (point->kind == TREE_WORD && !strcmp(point->text, "last")) refine_point(r, probe->id, count - 1, points, probe);
  else if (!end || end == point->text || *end || i < 0 || i >= count) {
    *good = false;
    TRY(ReportError(r, point->at, "'point' of %s '%s' must be 0 to %d, or last, not %s", component->kind->name,
                    component->name, count - 1, tree_name(point, name, sizeof name)));
  } else refine_point(r, probe->id, (int)i, points, probe);
  return 0;
}

// A node of the mesh that a component carries.
static Error ReadMeshNode(Reader *r, const Tree *map, const Form *form, const ModelMesh *of, SourceLocation at,
                          Probe *probe, bool *good) {
  const ProbeText *t = form->out;
  const ModelComponent *c = model_component(r->model, probe->id);
  probe->kind = PROBE_MESH_NODE;
  if (form_given(form, "at") || t->point || !form_given(form, "mesh_node")) {
    *good = false;
    return ReportError(r, at,
                       "the probe of %s '%s' needs 'mesh_node', the number of a node of its mesh, and nothing else",
                       c->kind->name, c->name);
  }
  probe->point = carried_point(of->mesh, t->mesh_node);
  if (probe->point >= 0 || !form_good(form, "mesh_node")) return 0;
  *good = false;
  return ReportError(r, tree_find(map, "mesh_node")->at, "the mesh of %s '%s' has no node %d: its nodes are %d to %d",
                     c->kind->name, c->name, t->mesh_node, of->mesh->number[0], of->mesh->number[of->mesh->points - 1]);
}

static Error ReadStation(Reader *r, const Tree *map, const Form *form, SourceLocation at, Probe *probe, bool *good) {
  const ProbeText *t = form->out;
  bool station = form_given(form, "at");
  const ModelComponent *component = probe->id == BROKEN ? NULL : model_component(r->model, probe->id);
  int count = component ? limber_model_element_points(r->model, (LimberElementId){probe->id}) : 0;
  ModelMesh of;
  if (component && model_component_mesh(r->model, probe->id, &of))
    return ReadMeshNode(r, map, form, &of, at, probe, good);
  if (form_given(form, "mesh_node")) {
    *good = false;
    return ReportError(r, tree_find(map, "mesh_node")->at, "'mesh_node' is for a reduced body");
  }
  probe->kind = station ? PROBE_STATION : PROBE_POINT, probe->at = t->at;
  if (station && t->point) {
    *good = false;
    TRY(ReportError(r, ((const Tree *)t->point)->at, "a probe has either 'at' or 'point'"));
  } else if (form_good(form, "at") && !(t->at >= 0 && t->at <= 1)) {
    *good = false;
    TRY(ReportError(r, tree_find(map, "at")->at, "'at' must be between 0, the start of the element, and 1, its end"));
  } else if (!component) *good = false;
  else if (!count) {
    *good = false;
    TRY(ReportError(r, at, "%s '%s' has no length and no forces; probe its node", component->kind->name,
                    component->name));
  } else if (!station && !t->point) {
    *good = false;
    TRY(ReportError(r, at, "the probe of an element needs 'at' (0 to 1 along it) or 'point' (0 to %d, or last)",
                    count - 1));
  } else if (!station) TRY(ReadPoint(r, t->point, probe, good));
  else if (!component->kind->line.station) {
    *good = false;
    TRY(ReportError(r, at, "%s '%s' has no positions along it; give 'point'", component->kind->name, component->name));
  }
  return 0;
}

// ---- what is probed ----

// Fields that say nothing of this kind of probe.
static Error ReportMisplacedField(Reader *r, const Tree *map, ProbeKind kind, bool *good) {
  static const struct {
    const char *field;
    unsigned kinds;
    const char *belongs;
  } of[] = {{"at", 1 << PROBE_STATION | 1 << PROBE_POINT, "the probe of an element"},
            {"point", 1 << PROBE_STATION | 1 << PROBE_POINT, "the probe of an element"},
            {"mesh_node", 1 << PROBE_STATION | 1 << PROBE_POINT | 1 << PROBE_MESH_NODE, "the probe of a reduced body"},
            {"gauge", 1 << PROBE_STATION, "the probe of a position `at` along a beam"},
            {"unit", 1 << PROBE_FORMULA, "a formula"},
            {"axes", 1 << PROBE_NODE | 1 << PROBE_STATION | 1 << PROBE_MESH_NODE | 1 << PROBE_JOINT | 1 << PROBE_LOAD,
             "the probe of a node, of a position `at` along an element, of a joint, or of a load"},
            {"record", ~(1u << PROBE_FORMULA), "probes of the model, not for a formula"}};
  for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
    const Tree *t = tree_find(map, of[i].field);
    if (!t || of[i].kinds >> kind & 1) continue;
    *good = false;
    TRY(ReportError(r, t->at, "'%s' is for %s", of[i].field, of[i].belongs));
  }
  return 0;
}

static Error ReadAxes(Reader *r, const Tree *map, const ProbeText *t, Probe *probe, bool *good) {
  char name[200];
  probe->axes = t->axes == GROUND ? LIMBER_NONE : t->axes;
  probe->from_root = !tree_find(map, "axes");
  if (probe->axes < 0 || model_node(r->model, probe->axes)->kind != NODE_POINT) return 0;
  *good = false;
  model_name_node(r->model, probe->axes, name, sizeof name);
  TRY(ReportError(r, tree_find(map, "axes")->at, "%s is a point, which has no axes", name));
  return 0;
}

static Error ReadGauge(Reader *r, const Tree *map, const double *at, Probe *probe, bool *good) {
  char text[400];
  StressGauge *gauge;
  StressStation station[2];
  SourceLocation where = tree_find(map, "gauge")->at;
  const char *lacks = stress_lacks(r->model, probe->id, STRESS_VON_MISES, text, sizeof text);
  if (lacks) {
    *good = false;
    return ReportError(r, where, "%s", lacks);
  }
  TRY(ModelAllocate(r->model, sizeof *gauge, &gauge));
  int nearer = stress_stations(r->model, probe->id, stress_along(r->model, probe->id, probe->at), station);
  if (!stress_gauge(&station[nearer], at, gauge)) {
    *good = false;
    TRY(ReportError(r, where, "the gauge lies outside of the section there"));
  }
  probe->gauge = gauge;
  return 0;
}

static Error CheckStress(Reader *r, SourceLocation at, const Probe *probe, bool *good) {
  char text[400];
  const char *lacks = probe->kind == PROBE_MESH_STRESS
                          ? mesh_stress_lacks(r->model, probe->id, text, sizeof text)
                          : stress_lacks(r->model, probe->id, STRESS_VON_MISES, text, sizeof text);
  if (!lacks) return 0;
  *good = false;
  TRY(ReportError(r, at, "%s", lacks));
  return 0;
}

static Error CheckDrive(Reader *r, SourceLocation at, const Probe *probe, bool *good) {
  const ModelLoad *l = model_load(r->model, probe->id);
  if (l->load.target == LOAD_JOINT) return 0;
  *good = false;
  TRY(ReportError(r, at, "%s '%s' does not act on a joint: probe it as `load`", l->kind->name, l->name));
  return 0;
}

// `what` is the word that names the thing probed, which is also the probe's name if it has no other.
static Error ReadTarget(Reader *r, const Tree *map, const Form *form, Probe *probe, const Tree **what, bool *good) {
  const ProbeText *t = form->out;
  const int id[TARGETS] = {t->node, t->element, t->joint, t->drive, t->load, t->energy, t->stress, 0, t->wheel, 0};
  const ProbeKind kind[TARGETS] = {PROBE_NODE,   PROBE_POINT,  PROBE_JOINT,   PROBE_LOAD,  PROBE_LOAD,
                                   PROBE_ENERGY, PROBE_STRESS, PROBE_CONTACT, PROBE_WHEEL, PROBE_FORMULA};
  int count = 0, target = 0;
  for (int i = 0; i < TARGETS; i++)
    if (form_given(form, targets[i])) count++, target = i;
  if (count != 1) {
    *good = false;
    TRY(ReportError(
        r, map->at,
        "a probe has one of node, element, joint, drive, load, energy, stress, contact, wheel and formula%s",
        count ? "; this has more" : ""));
    return 0;
  }
  *what = tree_find(map, targets[target]);
  probe->kind = kind[target], probe->id = id[target];
  if (probe->kind == PROBE_CONTACT) TRY(FindPartName(r, &part_contacts, *what, &probe->id));
  if (probe->id == BROKEN) *good = false;
  if (probe->kind == PROBE_POINT) TRY(ReadStation(r, map, form, (*what)->at, probe, good));
  ModelMesh of;
  if (probe->kind == PROBE_STRESS && probe->id != BROKEN && model_component_mesh(r->model, probe->id, &of))
    probe->kind = PROBE_MESH_STRESS;
  if ((probe->kind == PROBE_STRESS || probe->kind == PROBE_MESH_STRESS) && probe->id != BROKEN)
    TRY(CheckStress(r, (*what)->at, probe, good));
  if (probe->kind == PROBE_WHEEL && probe->id >= 0 && model_find_wheel(r->model, probe->id) < 0) {
    *good = false;
    TRY(ReportError(r, (*what)->at, "'%s' is not a wheel", (*what)->text));
  }
  if (form_given(form, "drive") && probe->id != BROKEN) TRY(CheckDrive(r, (*what)->at, probe, good));
  TRY(ReportMisplacedField(r, map, probe->kind, good));
  TRY(ReadAxes(r, map, t, probe, good));
  if (*good && t->gauge && probe->kind == PROBE_STATION) TRY(ReadGauge(r, map, t->gauge, probe, good));
  return 0;
}

// ---- what is recorded ----

// The words of a list, or a single one.
static int list_words(const Tree *t, const Tree *const **out, const Tree *const *single) {
  bool list = t->kind == TREE_LIST;
  *out = list ? (const Tree *const *)t->entry : single;
  return list ? t->count : 1;
}

static Error ReadRecord(Reader *r, const Tree *record, Probe *probe, bool *good) {
  const Tree *const *word;
  char name[200], lack[400];
  int count = record ? list_words(record, &word, &record) : 0;
  for (int q = 0; q < QUANTITIES && !record; q++)
    if (probe_usual((ProbeQuantity)q) && probe_has(r->model, probe, (ProbeQuantity)q))
      probe->record |= (uint64_t)1 << q;
  for (int i = 0; i < count; i++) {
    bool found = false;
    Nearest n;
    if (word[i]->kind != TREE_WORD) {
      *good = false;
      TRY(ReportError(r, word[i]->at, "'record' must be a list of words, such as [position, velocity]"));
      continue;
    }
    for (int q = 0; q < QUANTITIES; q++)
      if (probe_has(r->model, probe, (ProbeQuantity)q) && probe_calls(r->model, probe, (ProbeQuantity)q, word[i]->text))
        probe->record |= (uint64_t)1 << q, found = true;
    if (found) continue;
    nearest_begin(&n, word[i]->text);
    for (int q = 0; q < QUANTITIES; q++)
      for (int k = 0; probe_has(r->model, probe, (ProbeQuantity)q) && quantity_name(k); k++)
        if (probe_calls(r->model, probe, (ProbeQuantity)q, quantity_name(k))) nearest_try(&n, quantity_name(k));
    for (int k = 0; quantity_name(k); k++)
      if (!strcmp(quantity_name(k), word[i]->text)) n.best = NULL; // rightly spelt, but of other things
    *good = false;
    const char *lacks = probe_lacks(r->model, probe, word[i]->text, lack, sizeof lack);
    if (lacks) TRY(ReportError(r, word[i]->at, "%s", lacks));
    if (lacks) continue;
    probe_about(r->model, probe, name, sizeof name);
    TRY(ReportError(r, word[i]->at, "%s has no '%s'%s", name, word[i]->text, nearest_hint(&n, "it has")));
  }
  if (record && !count) {
    *good = false;
    TRY(ReportError(r, record->at, "'record' is empty: name at least one quantity"));
  }
  return 0;
}

// A place stands beside what was found there.
static void mark_places(Model m, Probe *probe) {
  ProbeColumns c;
  for (int i = 0, at = 0; probe_columns(m, probe, i, &c); at += c.width, i++) {
    bool any = false;
    for (int k = 0; k < c.width; k++) any = any || probe->extreme[at + k];
    if (c.placed && any) memset(probe->extreme + at, 1, (size_t)c.width);
  }
}

static Error ReadExtremes(Reader *r, const Tree *extremes, Probe *probe, bool *good) {
  static const char *const yes[] = {"true", "yes", "on"}, *const no[] = {"false", "no", "off"};
  const Tree *const *word;
  char name[200], example[100];
  int width = probe_width(r->model, probe), count = list_words(extremes, &word, &extremes);
  for (int i = 0; i < 3 && extremes->kind == TREE_WORD; i++)
    if (!strcmp(extremes->text, no[i])) return 0;
  TRY(ModelAllocate(r->model, (size_t)width, &probe->extreme));
  for (int i = 0; i < 3 && extremes->kind == TREE_WORD; i++)
    if (!strcmp(extremes->text, yes[i])) {
      memset(probe->extreme, 1, (size_t)width);
      return 0;
    }
  for (int i = 0; i < count; i++) {
    if (word[i]->kind == TREE_WORD && probe_mark(r->model, probe, word[i]->text, probe->extreme)) continue;
    *good = false;
    TRY(ReportError(r, word[i]->at, "'extremes' must be true or a list of this probe's columns, such as [%s], not %s",
                    probe_example(r->model, probe, example, sizeof example), tree_name(word[i], name, sizeof name)));
  }
  mark_places(r->model, probe);
  return 0;
}

static Error MarkAll(LimberModel m, Probe *probe) {
  size_t width = (size_t)probe_width(m, probe);
  TRY(ModelAllocate(m, width, &probe->extreme));
  memset(probe->extreme, 1, width);
  return 0;
}

// ---- the list ----

static Error ReadName(Reader *r, const Tree *named, bool given, bool *good) {
  const char *full;
  TRY(ScopeName(r, named->text, &full));
  const Name *old = names_find(part_names(r, &part_probes), full);
  *good = true;
  if (given) TRY(CheckPartName(r, &part_probes, named->text, named->at, good));
  else if (old) {
    *good = false;
    TRY(ReportError(r, named->at, "there is already a probe '%s'; give this one a name", named->text));
  }
  if (*good && (!strcmp(full, "time") || ledger_has_group(full))) {
    *good = false;
    TRY(ReportError(r, named->at, "'%s' is reserved: every run records it; give the probe another name", named->text));
  }
  return 0;
}

typedef struct {        // while a file is read
  const Tree **formula; // by the index of the probe; NULL: it has none
  const Scope **scope;
  int room;
  long recorded; // numbers of all probes in a row
} ProbeTexts;

// All but the names in a formula.
static Error ReadProbe(Reader *r, const Tree *map, const Tree **formula) {
  ProbeText text;
  Form form = {&probe_table, &text, 0, 0, 0};
  Probe probe = {.axes = LIMBER_NONE};
  const Tree *what = NULL;
  bool good, right = true;
  TRY(FormsRead(r, "probe", map->at, map, 1, &form, &good));
  if (map->kind != TREE_MAP) return 0;
  TRY(ReadTarget(r, map, &form, &probe, &what, &good));
  const Tree *named = text.name ? tree_find(map, "name") : what;
  if (what && probe.kind == PROBE_FORMULA && !text.name) {
    TRY(ReportError(r, map->at, "a formula needs a 'name'"));
    return 0;
  }
  if (!named || named->kind != TREE_WORD) return 0;
  TRY(ReadName(r, named, text.name, &right));
  if (good) TRY(ReadRecord(r, text.record, &probe, &good));
  if (good && text.extremes) TRY(ReadExtremes(r, text.extremes, &probe, &good));
  else if (good && (probe.kind == PROBE_STRESS || probe.kind == PROBE_MESH_STRESS)) TRY(MarkAll(r->model, &probe));
  if (good && probe.kind == PROBE_FORMULA) TRY(ReadUnit(r, text.unit ? tree_find(map, "unit") : NULL, &probe, &good));
  const char *full;
  TRY(ScopeName(r, named->text, &full));
  if (right) TRY(NamesAdd(part_names(r, &part_probes), full, good ? r->in->probes : BROKEN, named->at));
  if (!good || !right) return 0;
  ProbeTexts *texts = part_data(r, &part_probes);
  long before = texts->recorded, most = LIMIT_RECORDED;
  texts->recorded += probe_width(r->model, &probe);
  if (before <= most && texts->recorded > most)
    TRY(ReportError(r, named->at, "probes record at most %ld numbers in a row, and with this one they are more", most));
  if (texts->recorded > most) return 0;
  TRY(StoreText(&r->model->store, full, strlen(full), &probe.name));
  if (probe.kind == PROBE_FORMULA) *formula = what;
  r->in->probe[r->in->probes++] = probe;
  return 0;
}

static Error ReadProbeList(Reader *r, const Tree *list) {
  char name[200];
  if (list->kind != TREE_LIST) {
    TRY(ReportError(r, list->at, "'probes' must be a list with one entry per line, each beginning with '-', not %s",
                    tree_name(list, name, sizeof name)));
    return 0;
  }
  ProbeTexts *t = part_data(r, &part_probes);
  int count = r->in->probes, need = count + list->count + 1, room[2] = {t->room, t->room};
  TRY(StoreGrow(&r->store, sizeof *t->formula, count, need, &room[0], &t->formula));
  TRY(StoreGrow(&r->store, sizeof *t->scope, count, need, &room[1], &t->scope));
  TRY(StoreGrow(&r->model->store, sizeof(Probe), count, need, &t->room, &r->in->probe));
  for (int i = 0; i < list->count; i++) {
    t->scope[r->in->probes] = r->scope;
    TRY(ReadProbe(r, list->entry[i], &t->formula[r->in->probes]));
  }
  return 0;
}

// Formulae are read when all probes are known, those of instances among them.
static Error ReadProbes(Reader *r, const Tree *list, SourceLocation at) {
  (void)at;
  const ProbeTexts *t = part_data(r, &part_probes);
  if (list) TRY(ReadProbeList(r, list));
  if (!r->scope && r->in->probes) TRY(ReadFormulae(r, t->formula, t->scope));
  return 0;
}

ONE_KIND(probe_kind_of, kind_probe)

const Part part_probes = {.key = "probes",
                          .one = "probe",
                          .form = PART_LIST,
                          .kind = probe_kind_of,
                          .always = true,
                          .scoped = true,
                          .size = sizeof(ProbeTexts),
                          .read = ReadProbes};
