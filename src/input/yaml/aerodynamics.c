// SPDX-License-Identifier: Apache-2.0
// The part `aerodynamics`: loads of the air on blades, from AeroDyn and InflowWind in a shared library.
//   - aerodyn: {library: libaerodyn_inflow_c_binding.so, aerodyn: AeroDyn.dat, inflow: InflowWind.dat, hub: hub, blades: [b1, b2, b3]}
#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "model/adders.h"

#include <math.h>
#include <string.h>

static const char *hold_word(int i) { // of HoldRule
  static const char *const words[] = {"extrapolated", "constant", NULL};
  return words[i];
}
static const FieldMore holds = {NULL, hold_word};

static const Field aerodyn_fields[] = {
    {"library", FIELD_TEXT, 1, offsetof(AerodynText, library), "", true, 0,
     "shared library with the C interface of AeroDyn and InflowWind, from the folder of the model; needs "
     "--allow-library",
     NULL},
    {"aerodyn", FIELD_TEXT, 1, offsetof(AerodynText, aerodyn), "", true, 0,
     "primary input file of AeroDyn, from the folder of the model", NULL},
    {"inflow", FIELD_TEXT, 1, offsetof(AerodynText, inflow), "", true, 0,
     "primary input file of InflowWind, from the folder of the model", NULL},
    {"output", FIELD_TEXT, 1, offsetof(AerodynText, output), "", false, 0,
     "begin of the names of files that AeroDyn may write, if its input file asks for them; default: aerodyn", NULL},
    {"hub", FIELD_NODE, 1, offsetof(AerodynText, hub), "", true, LIMBER_NONE,
     "node at the centre of the hub, which rotates with the rotor", NULL},
    {"nacelle", FIELD_NODE, 1, offsetof(AerodynText, nacelle), "", false, LIMBER_NONE,
     "node of the nacelle; default: a fixed place at the hub", NULL},
    {"blades", FIELD_ELEMENTS, 1, offsetof(AerodynText, blades), "", true, 0,
     "beams, each from the root to the tip; their nodes are the points where the air acts", NULL},
    {"axis", FIELD_REALS, 3, offsetof(AerodynText, axis), "", false, 0,
     "axis of the rotor, downwind; default: x of the ground", &field_direction},
    {"pitch", FIELD_REAL, 1, offsetof(AerodynText, pitch), "rad", false, 0,
     "pitch of the blades in the model file, positive to feather", NULL},
    {"origin", FIELD_REALS, 3, offsetof(AerodynText, origin), "m", false, 0, "foot of the tower of AeroDyn's file",
     &field_position},
    {"step", FIELD_REAL, 1, offsetof(AerodynText, step), "s", false, 0,
     "step of AeroDyn, a multiple of `step` of `run`; default: that step", NULL},
    {"hold", FIELD_WORD, 1, offsetof(AerodynText, hold), "", false, 0,
     "loads over a step. extrapolated: 3/2 of the last minus 1/2 of those before, of second order; constant: the last; "
     "default: extrapolated",
     &holds},
    {"iterations", FIELD_INT, 1, offsetof(AerodynText, iterations), "", false, 0,
     "how often each step is repeated with the mean of the loads at both of its ends", NULL},
    {"density", FIELD_REAL, 1, offsetof(AerodynText, density), "kg m-3", false, 1.225,
     "of air, where AeroDyn's file has the word default", NULL},
    {"viscosity", FIELD_REAL, 1, offsetof(AerodynText, viscosity), "m2 s-1", false, 1.464e-5,
     "kinematic viscosity of air, where AeroDyn's file has the word default", NULL},
    {"sound_speed", FIELD_REAL, 1, offsetof(AerodynText, sound_speed), "m s-1", false, 335,
     "speed of sound, where AeroDyn's file has the word default", NULL},
};
static const FieldTable aerodyn_table = FIELDS(aerodyn_fields, AerodynText);
static const Kind kind_aerodyn = {"aerodyn", "AeroDyn and InflowWind of OpenFAST 5, loaded from a shared library.",
                                  &aerodyn_table};
ONE_KIND(aerodyn_kind, kind_aerodyn)

static int AddNothing(LimberModel m, const char *kind, const char *name, const void *params, int *id) {
  (void)m, (void)kind, (void)name, (void)params;
  *id = 0;
  return 0;
}

// Adds a point and its load.
static Error AddPoint(Reader *r, Aerodyn *a, int blade, int node) {
  char name[300];
  int p = a->points++;
  a->node[p] = node, a->blade[p] = blade;
  snprintf(name, sizeof name, "%.200s.%d.%d", a->name, blade + 1, p + 1);
  return ModelAddHeldLoad(r->model, node, name, &a->held[p]);
}

static const char *wrong_blade(const Reader *r, int component) {
  const ModelComponent *c = model_component(r->model, component);
  if (!c->count || !c->kind->line.station || !c->kind->line.axes) return "it is no beam";
  for (int e = c->first; e < c->first + c->count; e++)
    for (int k = 0; k < model_element(r->model, e)->nnode; k++)
      if (model_node(r->model, model_element_nodes(r->model, model_element(r->model, e))[k])->kind != NODE_FRAME)
        return "each of its nodes must be able to move and rotate";
  return NULL;
}

// The nodes of the blades, in order from the root to the tip.
static Error AddPoints(Reader *r, Aerodyn *a, const Tree *fields, SourceLocation at, bool *good) {
  int most = 0;
  const Tree *list = tree_find(fields, "blades");
  for (int b = 0; b < a->text.nblades && *good; b++) {
    const ModelComponent *c = model_component(r->model, a->text.blades[b].index);
    const char *wrong = wrong_blade(r, a->text.blades[b].index);
    for (int i = 0; i < b && !wrong; i++)
      if (a->text.blades[i].index == a->text.blades[b].index) wrong = "it is given twice";
    if (wrong) {
      *good = false;
      TRY(ReportError(r, list ? list->at : at, "'%s' cannot be a blade: %s", shown_name(c->name), wrong));
      continue;
    }
    for (int e = c->first; e < c->first + c->count; e++) most += model_element(r->model, e)->nnode;
  }
  if (*good && most > LIMIT_AIR_POINTS) {
    *good = false;
    TRY(ReportError(r, at, "the blades have more than %d nodes", LIMIT_AIR_POINTS));
  }
  if (!*good) return 0;
  TRY(ModelAllocate(r->model, (size_t)most * sizeof *a->node, &a->node));
  TRY(ModelAllocate(r->model, (size_t)most * sizeof *a->blade, &a->blade));
  TRY(ModelAllocate(r->model, (size_t)most * sizeof *a->held, &a->held));
  TRY(ModelAllocate(r->model, (size_t)a->text.nblades * sizeof *a->root, &a->root));
  for (int b = 0; b < a->text.nblades; b++) {
    const ModelComponent *c = model_component(r->model, a->text.blades[b].index);
    a->root[b] = model_element_nodes(r->model, model_element(r->model, c->first))[0];
    TRY(AddPoint(r, a, b, a->root[b]));
    for (int e = c->first; e < c->first + c->count; e++) {
      const ModelElement *el = model_element(r->model, e);
      for (int k = 1; k < el->nnode; k++) TRY(AddPoint(r, a, b, model_element_nodes(r->model, el)[k]));
    }
  }
  return 0;
}

// Where AeroDyn needs a blade's axis: from the centre of the hub to the root, and not along the axis of the rotor.
static const char *wrong_root(const Reader *r, const Aerodyn *a, int blade) {
  Vec3 arm = vec3_sub(model_node(r->model, a->root[blade])->x[0], model_node(r->model, a->text.hub.index)->x[0]);
  Vec3 across = vec3_cross(vec3_of(a->text.axis), arm);
  if (!(vec3_norm(arm) > 0)) return "begins at the hub: its pitch axis goes from the hub to its root";
  return vec3_norm(across) > 1e-6 * vec3_norm(arm) ? NULL : "begins on the axis of the rotor";
}

static Error CompleteAerodyn(Reader *r, const Kind *kind, const char *name, SourceLocation at, const Tree *fields,
                             Form *form, bool *good) {
  AerodynText *t = form->out;
  Aerodyn *a;
  double size = vec3_norm(vec3_of(t->axis));
  (void)kind;
  if (r->in->aerodyn) {
    *good = false;
    return ReportError(r, at, "there can be one entry: AeroDyn's library has one set of turbines per process");
  }
  if (!form_given(form, "axis")) vec3_to(vec3(1, 0, 0), t->axis), size = 1;
  const Rule rules[] = {
      {!(size > 0), "axis", "must not be zero"},
      {t->step < 0 || (form_given(form, "step") && !(t->step > 0)), "step", "must be positive"},
      {t->iterations < 0 || t->iterations > 10, "iterations", "must be from 0 to 10"},
      {!(t->density > 0), "density", "must be positive"},
      {!(t->viscosity > 0), "viscosity", "must be positive"},
      {!(t->sound_speed > 0), "sound_speed", "must be positive"},
  };
  TRY(APPLY(r, fields, form, rules, good));
  if (!*good) return 0;
  vec3_to(vec3_scale(1 / size, vec3_of(t->axis)), t->axis);
  TRY(ModelAllocate(r->model, sizeof *a, &a));
  *a = (Aerodyn){.text = *t, .at = at};
  TRY(ModelCopyString(r->model, name, &a->name));
  const char **word[] = {&a->text.library, &a->text.aerodyn, &a->text.inflow, &a->text.output};
  for (size_t i = 0; i < sizeof word / sizeof *word; i++) TRY(ModelCopyString(r->model, *word[i], word[i]));
  LimberElementId *blades;
  TRY(ModelAllocate(r->model, (size_t)t->nblades * sizeof *blades, &blades));
  a->text.blades = memcpy(blades, t->blades, (size_t)t->nblades * sizeof *blades);
  if (!t->nblades) {
    *good = false;
    return ReportError(r, tree_find(fields, "blades")->at, "there are no blades");
  }
  if (model_node(r->model, t->hub.index)->kind == NODE_POINT) {
    *good = false;
    return ReportError(r, tree_find(fields, "hub")->at, "the hub must be a node that rotates, not a point");
  }
  TRY(AddPoints(r, a, fields, at, good));
  for (int b = 0; b < t->nblades && *good; b++) {
    const char *wrong = wrong_root(r, a, b);
    if (!wrong) continue;
    *good = false;
    TRY(ReportError(r, tree_find(fields, "blades")->at, "blade '%s' %s",
                    shown_name(model_component(r->model, t->blades[b].index)->name), wrong));
  }
  if (*good) r->in->aerodyn = a;
  return 0;
}

// What must fit the part `run`, which is read later.
static Error CheckAerodyn(Reader *r) {
  Aerodyn *a = r->in->aerodyn;
  const LimberOptions *o = &r->in->options;
  if (!a || !(r->in->end > 0) || o->analysis) return 0;
  if (!(a->text.step > 0)) a->text.step = o->step;
  double steps = a->text.step / o->step;
  const char *wrong = NULL;
  if (o->control.on) wrong = "AeroDyn needs equal steps: leave out `control` of `run`";
  else if (fabs(steps - round(steps)) > 1e-9 * steps || steps < 0.5)
    wrong = "`step` must be a whole multiple of `step` of `run`";
  else if (a->text.iterations && steps > 1.5) wrong = "`iterations` repeat whole steps of AeroDyn: leave out `step`";
  else if (a->text.iterations && (r->model->events.count || r->model->ports.count))
    wrong = "`iterations` cannot repeat steps of a model with events or ports";
  return wrong ? ReportError(r, a->at, "%s", wrong) : 0;
}

const Part part_aerodynamics = {.key = "aerodynamics",
                                .one = "aerodynamics",
                                .form = PART_LIST,
                                .kind = aerodyn_kind,
                                .add = AddNothing,
                                .named = true,
                                .complete = CompleteAerodyn,
                                .check = CheckAerodyn};
