// SPDX-License-Identifier: Apache-2.0
#include "input/analyses/point_analysis.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/scope.h"
#include "mechanics/joint.h"

#include <string.h>

typedef struct {
  int stops; // length of `at`
  const char *control, *probe;
  double to, step, smallest, largest, time, displacement, angle;
  int steps, critical;
  const Tree *constant;
  const double *at;
} StaticText;

static const char *const control_words[] = {"load", "arc", "probe", NULL};
static const char *control_word(int i) { return control_words[i]; }
static const FieldMore controls = {NULL, control_word};

static const Field fields[] = {
    {"to", FIELD_REAL, 1, offsetof(StaticText, to), "", false, 1, "load factor at the end; it starts at 0", NULL},
    {"control", FIELD_TEXT, 1, offsetof(StaticText, control), "", false, 0,
     "what is controlled: `load`, the load factor; `arc`, the length along the path, which passes limit points; "
     "`probe`, the value of a probe; default: load, or probe if one is given",
     &controls},
    {"probe", FIELD_TEXT, 1, offsetof(StaticText, probe), "", false, 0,
     "controlled displacement or coordinate: tip.z of a node, hinge.angle of a joint", NULL},
    {"displacement", FIELD_REAL, 1, offsetof(StaticText, displacement), "m", false, 0,
     "displacement of the probe at the end, from the reference", NULL},
    {"angle", FIELD_REAL, 1, offsetof(StaticText, angle), "rad", false, 0, "the same for an angle", NULL},
    {"step", FIELD_REAL, 1, offsetof(StaticText, step), "", false, 0.1, "first increment, as a fraction of the range",
     NULL},
    {"smallest", FIELD_REAL, 1, offsetof(StaticText, smallest), "", false, 0,
     "smallest increment, as a fraction of the range; default: 1e-6 of the first", NULL},
    {"largest", FIELD_REAL, 1, offsetof(StaticText, largest), "", false, 0,
     "largest increment, as a fraction of the range; default: all of it for loads, 10 times the first otherwise", NULL},
    {"at", FIELD_LIST, 1, offsetof(StaticText, at), "", false, 0,
     "fractions of the range at which states are required, such as [0.25, 0.5]: of the load factor, or of the "
     "displacement of the probe",
     NULL},
    {"steps", FIELD_INT, 1, offsetof(StaticText, steps), "", false, 1000, "largest number of steps", NULL},
    {"time", FIELD_REAL, 1, offsetof(StaticText, time), "s", false, 0, "time at which loads are evaluated", NULL},
    {"constant", FIELD_ANY, 1, offsetof(StaticText, constant), "", false, 0,
     "loads that act in full from the start: a name or a list", NULL},
    {"critical", FIELD_INT, 1, offsetof(StaticText, critical), "", false, 1,
     "0: do not search for limit points and bifurcations", NULL},
};

// ---- what leads ----

// x, y or z of a node's position or displacement.
static bool node_direction(const char *word, double direction[3]) {
  static const char *const before[] = {"position.", "displacement.", ""};
  for (int i = 0; i < 3; i++) {
    size_t n = strlen(before[i]);
    if (strncmp(word, before[i], n)) continue;
    const char *axis = strchr("xyz", word[n]);
    if (!word[n] || word[n + 1] || !axis) continue;
    for (int k = 0; k < 3; k++) direction[k] = k == axis - "xyz";
    direction[word[n] - 'x'] = 1;
    return true;
  }
  return false;
}

static Error ReadControlled(Reader *r, const Tree *map, const StaticText *t, LimberStatics *out) {
  const Tree *at = tree_find(map, "probe");
  size_t length = strcspn(t->probe, ".");
  const char *rest = t->probe[length] ? t->probe + length + 1 : "";
  const Probe *p = NULL;
  for (int i = 0; i < r->in->probes; i++)
    if (strlen(r->in->probe[i].name) == length && !strncmp(r->in->probe[i].name, t->probe, length))
      p = &r->in->probe[i];
  if (!p) return ReportError(r, at->at, "there is no probe '%.*s' to control", (int)length, t->probe);
  bool angle = false;
  if (p->kind == PROBE_NODE && p->axes == LIMBER_NONE && node_direction(rest, out->direction))
    out->control = LIMBER_CONTROL_NODE, out->node.index = p->id;
  else if (p->kind == PROBE_JOINT) {
    const ModelJoint *j = model_joint(r->model, p->id);
    if (!strncmp(rest, "coordinate.", 11)) rest += 11;
    int c = joint_coord(j->kind, rest);
    if (c < 0) return ReportError(r, at->at, "%s '%s' has no coordinate '%s'", j->kind->name, j->name, rest);
    angle = strcmp(j->kind->coord_units[c], "m") != 0;
    out->control = LIMBER_CONTROL_JOINT, out->joint.index = p->id, out->coordinate = c;
  } else
    return ReportError(r, at->at,
                       "'%s' cannot be controlled: it must be a displacement of a node in ground axes, such as tip.z, "
                       "or a coordinate of a joint, such as hinge.angle",
                       t->probe);
  const char *needed = angle ? "angle" : "displacement", *other = angle ? "displacement" : "angle";
  if (tree_find(map, other))
    return ReportError(r, tree_find(map, other)->at, "'%s' needs '%s', not '%s'", t->probe, needed, other);
  out->target = angle ? t->angle : t->displacement;
  if (out->target == 0) return ReportError(r, at->at, "give the final value of '%s' with '%s'", t->probe, needed);
  return 0;
}

static Error ReadConstant(Reader *r, const Tree *constant, LimberStatics *out) {
  int count = constant->kind == TREE_LIST ? constant->count : 1;
  LimberLoadId *id;
  TRY(ModelAllocate(r->model, (size_t)count * sizeof *id, &id));
  for (int i = 0; i < count; i++)
    TRY(FindPartName(r, &part_loads, constant->kind == TREE_LIST ? constant->entry[i] : constant, &id[i].index));
  out->constant = count, out->constants = id;
  return 0;
}

static Error CompleteStatic(Reader *r, const Tree *map, const Form *form, bool good) {
  const StaticText *t = form->out;
  LimberStatics *out = &r->in->statics;
  const Rule rules[] = {
      {t->to == 0, "to", "must not be zero"},
      {!(t->step > 0 && t->step <= 1), "step", "must be a fraction of the range, above 0 and at most 1"},
      {t->smallest < 0, "smallest", "must not be negative"},
      {t->largest < 0, "largest", "must not be negative"},
      {t->steps < 1, "steps", "must be at least 1"},
      {t->critical < 0 || t->critical > 1, "critical", "is 0 or 1"}};
  bool kept = true;
  TRY(APPLY(r, map, form, rules, &kept));
  if (!good) return 0;
  *out = (LimberStatics){.to = t->to,
                         .step = t->step,
                         .smallest = t->smallest,
                         .largest = t->largest,
                         .steps = t->steps,
                         .time = t->time,
                         .no_critical = !t->critical,
                         .stops = t->stops,
                         .stop = t->at};
  if (t->control && !strcmp(t->control, "arc")) out->control = LIMBER_CONTROL_ARC;
  if (t->control && !strcmp(t->control, "probe") && !t->probe)
    TRY(ReportError(r, tree_find(map, "control")->at, "control by a probe needs its name, such as 'probe: tip.z'"));
  if (t->probe && t->control && strcmp(t->control, "probe"))
    TRY(ReportError(r, tree_find(map, "probe")->at, "'probe' needs 'control: probe'"));
  else if (t->probe) TRY(ReadControlled(r, map, t, out));
  for (int i = 0; i < 2 && !t->probe; i++) {
    const Tree *far = tree_find(map, i ? "angle" : "displacement");
    if (far)
      TRY(ReportError(r, far->at, "'%s' needs 'probe': the quantity that reaches this value",
                      i ? "angle" : "displacement"));
  }
  if (t->constant) TRY(ReadConstant(r, t->constant, out));
  return 0;
}

static const char help[] =
    "Loads increase by a factor from 0 to 1, or as the part `static` of the model says. The command controls the\n"
    "factor, the length along the path (`control: arc`), or a displacement (`probe: tip.z`); the last two pass limit\n"
    "points. It finds limit points and bifurcations and reports them. Each state is a row of the results, whose time "
    "is\n"
    "the load factor or the step. If `motion` sets all nodes in rotation, the equilibrium is that in the rotating "
    "frame.";
static const char example[] = "  limber static arch.yaml\n"
                              "  limber static arch.yaml --set static.control=arc -o arch.h5\n"
                              "  limber plot arch.h5 ledger.load_factor --over tip.z\n"
                              "  mpiexec -n 4 limber static tower.yaml";

static const Option options[] = {OPTION_MONITOR, POINT_OPTIONS("arch.h5", ".static.h5")};

const PointAnalysis analysis_of_static = {
    .command = {.summary = "Finds the equilibrium under loads, or the equilibrium path as loads increase.",
                POINT_COMMAND("static", "[--monitor] ", "arch.h5", "static.control=arc")},
    .ending = ".static.h5",
    .fields = FIELDS(fields, StaticText),
    .given = offsetof(Input, has.part_static),
    .complete = CompleteStatic,
};
