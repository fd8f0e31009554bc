// SPDX-License-Identifier: Apache-2.0
// The parts that are lists of what the catalogue has: elements, surfaces, contacts, joints, loads and events.
#include "input/yaml/blades.h"
#include "input/yaml/part.h"
#include "input/yaml/form.h"
#include "input/yaml/nodes.h"
#include "input/yaml/number.h"
#include "input/yaml/parts.h"
#include "input/yaml/probe_formula.h"
#include "input/yaml/reader.h"
#include "input/yaml/bonds.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "input/yaml/turbsim.h"
#include "mechanics/element.h"
#include "mechanics/event.h"
#include "mechanics/joint.h"
#include "mechanics/load.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

// ---- elements: what has mass or stiffness ----

CATALOGUE_KINDS(catalogue_kind, element_kinds)

static bool element_kind(int i, Kind *out) {
  if (!catalogue_kind(i, out)) return false;
  if (!strcmp(out->name, "beam")) out->fields = blade_beam_fields(out->fields);
  return true;
}

// What names other elements is read after them.
static bool names_elements(const Tree *entry) {
  bool names = false;
  if (entry->kind != TREE_MAP || entry->count < 1) return false;
  for (int i = 0; element_kinds[i]; i++) {
    const FieldTable *t = &element_kinds[i]->fields;
    for (int k = 0; k < t->count && !strcmp(element_kinds[i]->name, entry->key[0]->text); k++)
      names = names || t->field[k].type == FIELD_ELEMENTS;
  }
  return names;
}

// `up` of a beam that has none, chosen by the axes of the part that it is in, as curve_axes chooses it by the ground's.
static Error ChooseUp(Reader *r, SourceLocation at, const Form *form) {
  LimberBeam *b = form->out;
  bool straight = !form_given(form, "curvature") && !form_given(form, "arc") && !form_given(form, "helix") &&
                  !form_given(form, "stations");
  if (!r->scope || !r->scope->posed || form_given(form, "up") || form_given(form, "from_file")) return 0;
  if (!straight) {
    static const double zero[3];
    Vec3 z = vec3(0, 0, 1);
    if (vec3_norm(vec3_sub(scope_direction(r->scope, z), z)) > 1e-12 && !memcmp(b->up, zero, sizeof zero))
      TRY(ReportWarning(r, at, "a curved beam without 'up' in a rotated instance takes it from the ground axes"));
    return 0;
  }
  bool from = b->from.index >= 0, to = b->to.index >= 0;
  Vec3 start = from ? model_node(r->model, b->from.index)->x[0] : vec3_of(b->start);
  Vec3 end = to ? model_node(r->model, b->to.index)->x[0] : vec3_of(b->end), along = vec3_sub(end, start);
  if (!(vec3_norm(along) > 0)) return 0; // told by the beam
  Vec3 e1 = vec3_unit(mat3_apply_transpose(r->scope->turn, along));
  vec3_to(scope_direction(r->scope, fabs(e1.z) < 0.9 ? vec3_cross(vec3(0, 0, 1), e1) : vec3(0, 1, 0)), b->up);
  return 0;
}

static Error CompleteElement(Reader *r, const Kind *kind, const char *name, SourceLocation at, const Tree *fields,
                             Form *form, bool *good) {
  if (!strcmp(kind->name, "beam")) TRY(CompleteBladeBeam(r, name, at, fields, form, good));
  if (!strcmp(kind->name, "beam") && *good) TRY(ChooseUp(r, at, form));
  if (!strcmp(kind->name, "wind_box")) TRY(CompleteWindBox(r, fields, form, good));
  return 0;
}

// Names of joints that elements have for others, ELEMENT.NAME, stand where the element does.
static Error AddJointsOfElements(Reader *r, int first, SourceLocation at) {
  for (int i = first; i < r->model->joints.count; i++) {
    const ModelJoint *j = model_joint(r->model, i);
    char element[256];
    if (!j->named || strlen(j->name) >= sizeof element) continue;
    strcpy(element, j->name);
    char *dot = strrchr(element, '.');
    if (!dot) continue; // a long name was cut
    *dot = 0;
    const Name *of = names_find(part_names(r, &part_elements), element);
    TRY(NamesAdd(part_names(r, &part_joints), j->name, i, of ? of->at : at));
  }
  return 0;
}

static Error ReadElements(Reader *r, const Tree *list, SourceLocation at) {
  int before = r->model->joints.count;
  TRY(ReadComponents(r, &part_elements, list));
  TRY(AddJointsOfElements(r, before, at));
  return 0;
}

const Part part_elements = {.key = "elements",
                            .one = "element",
                            .form = PART_LIST,
                            .kind = element_kind,
                            .add = ModelAddElement,
                            .complete = CompleteElement,
                            .named = true,
                            .later = names_elements,
                            .scoped = true,
                            .read = ReadElements,
                            .check = CheckWinds};

// ---- surfaces: shapes that can touch each other ----

CATALOGUE_KINDS(surface_kind, surface_kinds)

const Part part_surfaces = {.key = "surfaces",
                            .one = "surface",
                            .form = PART_LIST,
                            .kind = surface_kind,
                            .add = ModelAddSurface,
                            .named = true,
                            .each_node = true,
                            .scoped = true};

// ---- contacts: which of them do, and how ----

static bool contact_kind(int i, Kind *out) {
  if (i > 0) return false;
  *out = (Kind){"contact", contact_help, &contact_fields};
  return true;
}

// A field that says nothing beside others: warned of where it is written.
typedef struct {
  const char *field;
  bool idle;
  const char *why;
} Idle;

// Whether surfaces that were given wrongly are missing, so that those left do not meet: their mistakes have been noted.
static bool lacks_surfaces(const Reader *r) {
  enum { MOST = 100 };
  bool broken = false, meet = r->model->surfaces.count > MOST;
  for (int i = 0; i < part_names(r, &part_surfaces)->count; i++)
    broken = broken || part_names(r, &part_surfaces)->name[i].id == BROKEN;
  for (int a = 0; a < r->model->surfaces.count && broken && !meet; a++)
    for (int b = a + 1; b < r->model->surfaces.count && !meet; b++) meet = !model_surfaces_apart(r->model, a, b);
  return broken && !meet;
}

// The default of a restitution is 1, and 0 without penetration.
static Error CompleteContact(Reader *r, const Kind *kind, const char *name, SourceLocation at, const Tree *fields,
                             Form *form, bool *good) {
  LimberContact *p = form->out;
  bool hard = p->penetration == LIMBER_PENETRATION_NONE, rubs = form_given(form, "friction");
  (void)kind, (void)name, (void)at;
  if (!p->nsurfaces && !p->nwith && lacks_surfaces(r)) *good = false;
  if (hard && !form_given(form, "restitution")) p->restitution = 0;
  const Idle idle[] = {
      {"slip_speed", !rubs, "there is no `friction`"},
      {"stick_stiffness", !rubs, "there is no `friction`"},
      {"stick_damping", !rubs, "there is no `friction`"},
      {"slip_speed", rubs && p->stick_stiffness > 0, "with `stick_stiffness` friction is not regularised"},
      {"slip_speed", rubs && hard && !(p->stick_stiffness > 0), "without penetration friction is not regularised"},
      {"stick_damping", rubs && !form_given(form, "stick_stiffness"), "there is no `stick_stiffness`"},
      {"rest_speed", hard, "without penetration there is no damper"},
      {"rest_speed", !hard && !form_given(form, "restitution"), "the restitution is 1, which needs no damper"},
  };
  for (size_t i = 0; i < sizeof idle / sizeof *idle && *good; i++)
    if (idle[i].idle && form_good(form, idle[i].field))
      TRY(ReportWarning(r, tree_find(fields, idle[i].field)->at, "`%s` has no effect here: %s", idle[i].field,
                        idle[i].why));
  return 0;
}

const Part part_contacts = {.key = "contacts",
                            .one = "contact",
                            .form = PART_LIST,
                            .kind = contact_kind,
                            .add = ModelAddContact,
                            .named = true,
                            .scoped = true,
                            .complete = CompleteContact};

// ---- joints: what ties nodes ----

static bool joint_kind(int i, Kind *out) {
  int n = 0;
  while (joint_kinds[n]) n++;
  const JointKind *k = i < n ? joint_kinds[i] : joint_aliases[i - n].name ? joint_find(joint_aliases[i - n].of) : NULL;
  if (k) *out = (Kind){i < n ? k->name : joint_aliases[i - n].name, k->help, &k->fields};
  return k;
}

static Error ReadJoints(Reader *r, const Tree *list, SourceLocation at) {
  (void)at;
  node_group(r)->bodies = true;
  TRY(ReadComponents(r, &part_joints, list));
  node_group(r)->bodies = false;
  return 0;
}

const Part part_joints = {.key = "joints",
                          .one = "joint",
                          .form = PART_LIST,
                          .kind = joint_kind,
                          .add = ModelAddJoint,
                          .named = true,
                          .scoped = true,
                          .each_node = true,
                          .read = ReadJoints};

// ---- loads: what drives a model ----

CATALOGUE_KINDS(load_kind, load_kinds)

const Part part_loads = {.key = "loads",
                         .one = "load",
                         .form = PART_LIST,
                         .kind = load_kind,
                         .add = ModelAddLoad,
                         .named = true,
                         .scoped = true,
                         .each_node = true,
                         .shared = "direction"};

// ---- ports: ends of lines to other models, bonds to FMUs ----

CATALOGUE_KINDS(port_kind, port_kinds)

const Part part_ports = {.key = "ports",
                         .one = "port",
                         .form = PART_LIST,
                         .kind = port_kind,
                         .add = ModelAddPort,
                         .named = true,
                         .scoped = true,
                         .complete = CompletePort,
                         .size = sizeof(BondText *),
                         .finish = FinishPorts};

// ---- events: conditions, and what happens where they are met; those of probes are checked when these are read ----

typedef struct EventText EventText;
struct EventText {
  ptrdiff_t event; // in the model
  const Scope *scope;
  const Tree *probe, *value;
  EventText *next;
};

// The last one, as the data of the part.
static EventText **texts_of(const Reader *r) { return part_data(r, &part_events); }

static Error CompleteEvent(Reader *r, const Kind *kind, const char *name, SourceLocation at, const Tree *fields,
                           Form *form, bool *good) {
  const Tree *probe = field_find(kind->fields, "probe") ? tree_find(fields, "probe") : NULL;
  EventText *t, **last = texts_of(r);
  (void)name, (void)at, (void)form;
  if (!*good || !probe) return 0;
  if (strlen(probe->text) > LIMIT_FORMULA) {
    *good = false;
    return ReportError(r, probe->at, "a formula has at most %d characters", LIMIT_FORMULA);
  }
  TRY(StoreAllocate(&r->store, sizeof *t, &t));
  *t = (EventText){r->model->events.count, r->scope, probe, tree_find(fields, "value"), *last};
  *last = t;
  return 0;
}

// The unit of a column, "" where the name is none or its unit is not known.
static const char *unit_of_column(const Reader *r, const char *name) {
  for (int k = 0; k < r->in->probes; k++) {
    const Probe *p = &r->in->probe[k];
    ProbeColumns c;
    int at = probes_find(r->model, 1, p, name);
    for (int i = 0; at >= 0 && probe_columns(r->model, p, i, &c); at -= c.width, i++)
      if (at < c.width) {
        const char *unit = c.units ? c.units[at] : c.unit;
        return unit && strcmp(unit, "1") ? unit : "";
      }
  }
  return "";
}

static Error CheckEvent(Reader *r, const EventText *t) {
  int errors = r->diagnostics->errors;
  const char *full;
  bool good;
  TRY(ReadSignalFormula(r, t->probe, NULL, NULL, &full));
  if (r->diagnostics->errors > errors || t->event >= r->model->events.count) return 0;
  EventCondition *c = &((ModelEvent *)r->model->events.data)[t->event].condition;
  double before = c->threshold;
  const char *unit = unit_of_column(r, full);
  c->formula = full;
  if (*unit) TRY(ReadNumber(r, "value", t->value, unit, &c->threshold, &good));
  c->tolerance *= fmax(1, fabs(c->threshold)) / fmax(1, fabs(before));
  return 0;
}

// Formulae of events, once probes are read, and the units of columns for their values.
static Error CheckEvents(Reader *r) {
  for (const EventText *t = *texts_of(r); t; t = t->next) {
    r->scope = t->scope;
    TRY(CheckEvent(r, t));
  }
  r->scope = NULL;
  return 0;
}

CATALOGUE_KINDS(event_kind, event_kinds)

const Part part_events = {.key = "events",
                          .one = "event",
                          .form = PART_LIST,
                          .kind = event_kind,
                          .add = ModelAddEvent,
                          .named = true,
                          .scoped = true,
                          .complete = CompleteEvent,
                          .size = sizeof(EventText *),
                          .check = CheckEvents};
