// SPDX-License-Identifier: Apache-2.0
// Samples the probes of a run at every step or row, and keeps their extremes (probes.h).
#include "results/write/probes.h"

#include "analyses/stepping/observable.h"
#include "model/formula.h"
#include "model/refusal.h"
#include "quantities/ledger.h"
#include "results/write/probe_values.h"

#include <string.h>

typedef struct {
  int first; // position in a row
  int parts, part_width[QUANTITIES];
  ProbeQuantity part[QUANTITIES]; // quantities it records
  int observable, second;         // indices of its observables; `second`: section of a station
  int axes;                       // observable of the node whose axes it uses; -1: none
  int observer, resultant;        // observables for quantities relative to the unloaded beam; -1: the ground
  bool carried;                   // it records such quantities
  bool accelerates;               // it records accelerations
  bool stress[STRESS_MEASURES];   // measures it records
  int peak;                       // index of the first peak; -1: none
  ProbeMotion unloaded;           // relative to the observer
  Followed at;                    // updated at every step
  int joint, coord;               // of a load on a joint: observable of the joint (-1: none), and the coordinate
  Formula *formula;
  bool *reads; // columns that the formula reads, then numbers of the ledger, then functions
} Tracked;

enum { LEDGER_NUMBERS = sizeof(LimberLedger) / sizeof(double) };

struct Probes {
  const Input *in;
  Observable *observable;
  StateSample *sample;
  int observables;
  StressSearch *search;
  Tracked *tracked; // one per probe
  double *row;
  int width;
  int *place;    // for each column: n if it locates the value n columns before; 0: it is a value itself
  bool *of_step; // for each column: it belongs to a step, so there is none at the start
  bool started, always;
  int creating; // column of the formula being created
  bool *reads;  // of that formula
  double time;  // of the row
  LimberLedger ledger;
  ProbeExtremes *extremes;
  int *extremes_of, with_extremes; // probe of each; their number
};

// ---- values ----

static ProbeMotion motion_of(const StateSample *a) {
  ProbeMotion m = {vec3_of(a->motion.x[0]), vec3_of(a->motion.velocity), vec3_of(a->motion.angular), mat3_zero()};
  m.axes = mat3_columns(vec3_of(a->motion.x[1]), vec3_of(a->motion.x[2]), vec3_of(a->motion.x[3]));
  return m;
}

// The motion relative to a node that moves and turns: x' = R^T (x - r), and accordingly for axes and rates.
static ProbeMotion seen_from(const ProbeMotion *node, const ProbeMotion *m) {
  Mat3 back = mat3_transpose(node->axes);
  Vec3 arm = vec3_sub(m->x, node->x), v = vec3_sub(vec3_sub(m->v, node->v), vec3_cross(node->w, arm));
  return (ProbeMotion){mat3_apply(back, arm), mat3_apply(back, v), mat3_apply(back, vec3_sub(m->w, node->w)),
                       mat3_mul(back, m->axes)};
}

static const ProbeMotion ground = {.axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};

static void put_carried(const Probes *p, const Tracked *t, ProbeState *s) {
  s->observer = t->observer >= 0 ? motion_of(&p->sample[t->observer]) : ground;
  s->carried = seen_from(&s->observer, &s->motion);
  s->unloaded = &t->unloaded, s->resultant = &p->sample[t->resultant];
}

static void put_probe(Probes *p, int k) {
  const Probe *probe = &p->in->probe[k];
  Tracked *t = &p->tracked[k];
  bool moves = probe->kind == PROBE_NODE || probe->kind == PROBE_STATION || probe->kind == PROBE_MESH_NODE;
  ProbeMotion node = {0};
  ProbeState s = {.followed = &t->at, .sample = &p->sample[t->second], .formula = t->formula, .gauge = probe->gauge};
  s.coord = t->coord, s.joint = &p->sample[t->joint >= 0 ? t->joint : t->second];
  if (t->peak >= 0) s.peak = stress_peak(p->search, t->peak);
  if (t->axes >= 0) {
    const StateSample *a = &p->sample[t->axes];
    node = motion_of(a), s.node = &node;
    s.force_axes = mat3_columns(vec3_of(a->motion.force_axes[0]), vec3_of(a->motion.force_axes[1]),
                                vec3_of(a->motion.force_axes[2]));
  }
  if (moves) {
    s.motion = motion_of(&p->sample[t->observable]), s.mesh = &p->sample[t->observable];
    if (t->carried) put_carried(p, t, &s);
    if (t->axes >= 0) s.motion = seen_from(&node, &s.motion);
    if (!p->started) t->at.start = s.motion;
    s.rotation = follow_motion(&t->at, &s.motion);
  }
  double *out = p->row + t->first;
  for (int i = 0; i < t->parts; out += t->part_width[i++]) {
    s.width = t->part_width[i];
    probe_puts[t->part[i]](&s, out);
  }
}

// The motion of a probe from a set of samples.
static ProbeMotion probed_motion(const Tracked *t, const StateSample *sample) {
  ProbeMotion m = motion_of(&sample[t->observable]), node;
  if (t->axes < 0) return m;
  node = motion_of(&sample[t->axes]);
  return seen_from(&node, &m);
}

// Accelerations at the start, from the motion after short times h, 2 h and 3 h, each reached in one step. Errors of
// such a step grow with its square; (-5 v(h) + 8 v(2 h) - 3 v(3 h))/2h cancels them. The velocities at the start itself
// are those of the scheme and are not used. A static analysis has no accelerations.
static PetscErrorCode StartAccelerations(Probes *p, Stepper *stepper) {
  enum { SHORT_STEPS = 3 };
  static const double weight[SHORT_STEPS] = {-2.5, 4, -1.5};
  StateSample *after[SHORT_STEPS];
  double h = 0.1 * stepper->options.step;
  bool good = !stepper->kind->finished;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(p->observables, &after[0], p->observables, &after[1], p->observables, &after[2]));
  for (int i = 0; i < SHORT_STEPS && good; i++)
    PetscCall(StepperSampleAfter(stepper, (i + 1) * h, p->observables, p->observable, after[i], &good));
  for (int k = 0; k < p->in->probes; k++) {
    Tracked *t = &p->tracked[k];
    PastMotion *past = &t->at.past;
    past->start = past->angular_start = vec3_zero();
    for (int i = 0; i < SHORT_STEPS && good && t->accelerates; i++) {
      ProbeMotion m = probed_motion(t, after[i]);
      past->start = vec3_axpy(past->start, weight[i] / h, m.v);
      past->angular_start = vec3_axpy(past->angular_start, weight[i] / h, m.w);
    }
  }
  PetscCall(PetscFree3(after[0], after[1], after[2]));
  PetscFunctionReturn(0);
}

// Stores the velocities of each step, and the accelerations at the start.
static PetscErrorCode FollowVelocities(Probes *p, Stepper *stepper) {
  bool first = false;
  PetscFunctionBegin;
  for (int k = 0; k < p->in->probes; k++) {
    Tracked *t = &p->tracked[k];
    if (!t->accelerates) continue;
    ProbeMotion m = probed_motion(t, p->sample);
    follow_past(&t->at.past, p->time, &m);
    first = first || t->at.past.count == 1;
  }
  if (first) PetscCall(StartAccelerations(p, stepper));
  PetscFunctionReturn(0);
}

// Updates the mean power over the last step. If the time is the same as before, there was no step.
static void follow_work(Probes *p, int k, const double *work) {
  Followed *f = &p->tracked[k].at;
  double h = p->time - f->time, now = work[p->in->probe[k].id];
  if (!p->started) f->power = 0;
  else if (h > 0) f->power = (now - f->work) / h;
  f->time = p->time, f->work = now;
}

// ---- extremes ----

static void note_extremes(Probes *p) {
  for (int e = 0; e < p->with_extremes; e++) {
    const Probe *probe = &p->in->probe[p->extremes_of[e]];
    int first = p->tracked[p->extremes_of[e]].first;
    double(*row)[4] = p->extremes[e].values;
    bool below = false, above = false;
    for (int i = 0; first + i < p->width && row < p->extremes[e].values + p->extremes[e].rows; i++) {
      double v = p->row[first + i];
      if (!probe->extreme[i]) continue;
      if (p->started || !p->of_step[first + i]) {
        if (!p->place[first + i]) below = v < (*row)[0] || isnan((*row)[0]), above = v > (*row)[2] || isnan((*row)[2]);
        if (below) (*row)[0] = v, (*row)[1] = p->time;
        if (above) (*row)[2] = v, (*row)[3] = p->time;
      }
      row++;
    }
  }
}

static PetscErrorCode CreateExtremes(Probes *p, int k, ProbeExtremes *e) {
  const Probe *probe = &p->in->probe[k];
  ProbeColumns c;
  const char **names;
  char text[200], *units;
  int width = probe_width(p->in->model, probe), at = 0;
  PetscFunctionBegin;
  e->probe = probe->name;
  PetscCall(PetscCalloc1(width, &names));
  PetscCall(PetscCalloc1(20 * width + 1, &units));
  for (int i = 0; probe_columns(p->in->model, probe, i, &c); i++)
    for (int j = 0; j < c.width; j++) {
      if (!probe->extreme[at++]) continue;
      snprintf(text, sizeof text, c.columns ? "%s.%s" : "%s", c.name, c.columns ? c.columns[j] : "");
      snprintf(units + strlen(units), 20, "%s%s", e->rows ? ", " : "", c.units ? c.units[j] : c.unit);
      PetscCall(PetscStrallocpy(text, (char **)&names[e->rows++]));
    }
  PetscCall(PetscMalloc1(e->rows, &e->values));
  for (int i = 0; i < 4 * e->rows; i++) e->values[i / 4][i % 4] = NAN;
  e->names = names, e->units = units;
  PetscFunctionReturn(0);
}

const ProbeExtremes *probes_extremes(const Probes *p, int *count) { return *count = p->with_extremes, p->extremes; }

// Describes a stress from its rows: value and location at the time of the largest value.
static void tell_stress(const Probes *p, const Probe *probe, const char *axis, const char *name, double (*row)[4],
                        char *text, size_t size) {
  char place[400], at[60];
  size_t used = strlen(text);
  snprintf(at, sizeof at, "%s %.6g%s", axis ? axis : "t =", row[0][3], axis ? "" : " s");
  stress_place(p->in->model, probe->id, row[1][2], row[2][2], row[3][2], (int)row[4][2], place, sizeof place);
  snprintf(text + used, size - used, "largest %s of '%s': %.6g%s at %s; %s\n", name, probe->name, row[0][2],
           strcmp(name, "von Mises stress") ? "" : " Pa", at, place);
}

// The same of the largest stress over a mesh.
static void tell_mesh_stress(const Probes *p, const Probe *probe, const char *axis, double (*row)[4], char *text,
                             size_t size) {
  const ModelComponent *c = model_component(p->in->model, probe->id);
  size_t used = strlen(text);
  snprintf(text + used, size - used,
           "largest von Mises stress of '%s': %.6g Pa at %s %.6g%s; %s '%s', node %d, at %.6g, %.6g, %.6g m\n",
           probe->name, row[0][2], axis ? axis : "t =", row[0][3], axis ? "" : " s", c->kind->name, c->name,
           (int)row[1][2], row[2][2], row[3][2], row[4][2]);
}

void probes_stresses(const Probes *p, const char *axis, char *text, size_t size) {
  text[0] = 0;
  for (int e = 0; e < p->with_extremes; e++) {
    const Probe *probe = &p->in->probe[p->extremes_of[e]];
    const Tracked *t = &p->tracked[p->extremes_of[e]];
    double(*row)[4] = p->extremes[e].values;
    if (probe->kind == PROBE_MESH_STRESS && probe->extreme[0] && !isnan(row[0][2]))
      tell_mesh_stress(p, probe, axis, row, text, size);
    if (probe->kind != PROBE_STRESS) continue;
    for (int i = 0, at = 0; i < t->parts; at += t->part_width[i++]) {
      if (!probe->extreme[at]) continue;
      if (!isnan(row[0][2]))
        tell_stress(p, probe, axis, t->part[i] == QUANTITY_VON_MISES_ALONG ? "von Mises stress" : "Tsai-Wu index", row,
                    text, size);
      row += t->part_width[i];
    }
  }
}

// ---- all probes ----

// The probe whose formula a column is; NULL: it is none.
static Tracked *formula_of(const Probes *p, int column) {
  for (int k = 0; k < p->in->probes; k++)
    if (p->in->probe[k].kind == PROBE_FORMULA && p->tracked[k].first == column) return &p->tracked[k];
  return NULL;
}

// Whether a column is that of the formula being created or of a later one: a formula cannot use these.
static bool is_later_formula(const Probes *p, int column) { return formula_of(p, column) && column >= p->creating; }

// How many numbers a formula may read.
static int read_numbers(const Probes *p) { return p->width + LEDGER_NUMBERS + (int)p->in->model->functions.count; }

static void note_column(Probes *p, int column) {
  const Tracked *of = formula_of(p, column);
  p->reads[column] = true;
  for (int i = 0; of && i < read_numbers(p); i++) p->reads[i] = p->reads[i] || of->reads[i];
}

static const double *note_ledger(Probes *p, const double *value) {
  if (value) p->reads[p->width + (value - (const double *)&p->ledger)] = true;
  return value;
}

static const double *find_value(void *owner, const char *name) {
  Probes *p = owner;
  int at = probes_find(p->in->model, p->in->probes, p->in->probe, name);
  if (at >= 0 && is_later_formula(p, at)) at = -1; // the name may be that of a parameter
  if (!strcmp(name, "time")) return &p->time;
  if (at >= 0 && p->of_step[at]) p->of_step[p->creating] = true;
  if (at >= 0) note_column(p, at);
  if (at >= 0) return &p->row[at];
  const double *signal = p->in->network.signals ? model_signal_value(p->in->model, name) : NULL;
  if (signal) p->reads[p->width + LEDGER_NUMBERS + limber_model_find_function(p->in->model, name).index] = true;
  if (signal) return signal;
  for (int i = 0; i < p->in->constants; i++)
    if (!strcmp(p->in->constant[i].name, name)) return &p->in->constant[i].value;
  return note_ledger(p, ledger_value(&p->ledger, name));
}

static PetscErrorCode SampleProbes(Probes *p, LimberRun run) {
  PetscFunctionBegin;
  p->time = limber_run_time(run);
  PetscCall(LimberRunGetLedger(run, &p->ledger));
  PetscCall(SystemSample(run->stepper->s, p->observables, p->observable, p->sample));
  PetscCall(StressSearchFind(p->search, run->stepper->s->motion.layout.comm, p->sample));
  PetscCall(FollowVelocities(p, run->stepper));
  for (int k = 0; k < p->in->probes; k++)
    if (p->in->probe[k].kind == PROBE_LOAD) follow_work(p, k, run->stepper->load_work);
  for (int k = 0; k < p->in->probes; k++)
    if (p->in->probe[k].kind != PROBE_FORMULA) put_probe(p, k);
  for (int k = 0; k < p->in->probes; k++)
    if (p->in->probe[k].kind == PROBE_FORMULA) put_probe(p, k);
  note_extremes(p);
  p->started = true;
  PetscFunctionReturn(0);
}

PetscErrorCode ProbesStep(Probes *p, LimberRun run) {
  PetscFunctionBegin;
  if (p->always) PetscCall(SampleProbes(p, run));
  PetscFunctionReturn(0);
}

PetscErrorCode ProbesRow(Probes *p, LimberRun run, double **out) {
  PetscFunctionBegin;
  if (!p->started || p->time != limber_run_time(run)) PetscCall(SampleProbes(p, run));
  if (p->width) memcpy(*out, p->row, (size_t)p->width * sizeof **out);
  *out += p->width;
  PetscFunctionReturn(0);
}

PetscErrorCode ProbesSample(Probes *p, LimberRun run, double *row) {
  PetscFunctionBegin;
  PetscCall(SampleProbes(p, run));
  PetscCall(PetscArraycpy(row, p->row, p->width));
  PetscFunctionReturn(0);
}

PetscErrorCode ProbesPeek(Probes *p, LimberRun run, double *row) {
  Followed *at;
  bool started = p->started;
  double time = p->time;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(p->in->probes, &at));
  for (int k = 0; k < p->in->probes; k++) at[k] = p->tracked[k].at;
  PetscCall(ProbesSample(p, run, row));
  for (int k = 0; k < p->in->probes; k++) p->tracked[k].at = at[k];
  p->started = started, p->time = time;
  PetscCall(PetscFree(at));
  PetscFunctionReturn(0);
}

int probes_width(const Probes *p) { return p->width; }
bool probes_of_step(const Probes *p, int column) { return p->of_step[column]; }

bool probes_is_formula(const Probes *p, int column) { return formula_of(p, column) != NULL; }

bool probes_reads(const Probes *p, int column, int other) {
  const Tracked *of = formula_of(p, column);
  return of ? of->reads[other] : column == other;
}

bool probes_reads_ledger(const Probes *p, int column, size_t number) {
  const Tracked *of = formula_of(p, column);
  return of && of->reads[(size_t)p->width + number];
}

bool probes_reads_function(const Probes *p, int column, int function) {
  const Tracked *of = formula_of(p, column);
  return of && of->reads[p->width + LEDGER_NUMBERS + function];
}

void probes_put_formulas(Probes *p, double *row) {
  memcpy(p->row, row, (size_t)p->width * sizeof *row);
  for (int k = 0; k < p->in->probes; k++)
    if (p->in->probe[k].kind == PROBE_FORMULA) put_probe(p, k);
  memcpy(row, p->row, (size_t)p->width * sizeof *row);
}

void probes_follow(Probes *p, const Probes *like) {
  for (int k = 0; k < p->in->probes; k++) {
    ProbeMotion start = p->tracked[k].at.start;
    p->tracked[k].at = like->tracked[k].at;
    p->tracked[k].at.start = start;
  }
  p->started = like->started, p->time = like->time;
}

static bool is_largest(const Probes *p, int column) {
  for (int k = 0; k < p->in->probes; k++) {
    const Tracked *t = &p->tracked[k];
    for (int i = 0, at = t->first; i < t->parts; at += t->part_width[i++])
      if (column >= at && column < at + t->part_width[i])
        return t->part[i] == QUANTITY_VON_MISES_ALONG || t->part[i] == QUANTITY_TSAI_WU_ALONG;
  }
  return false;
}

bool probes_searches(const Probes *p, int column) {
  for (int i = 0; i < p->width; i++)
    if (probes_reads(p, column, i) && is_largest(p, i)) return true;
  return false;
}

PetscErrorCode ProbesDeclare(Probes *p, const ProbeTables *tables) {
  char group[300], text[300];
  ProbeColumns c;
  PetscFunctionBegin;
  for (int k = 0; k < p->in->probes; k++) {
    const Probe *probe = &p->in->probe[k];
    PetscCall(PetscSNPrintf(group, sizeof group, "/history/probes/%s", probe->name));
    probe_about(p->in->model, probe, text, sizeof text);
    PetscCall(tables->group(tables->self, group, text));
    for (int i = 0; probe_columns(p->in->model, probe, i, &c); i++)
      PetscCall(tables->column(tables->self, group, c.name, c.width, probe_units(&c, text, sizeof text), c.description,
                               c.columns));
  }
  PetscFunctionReturn(0);
}

// ---- creating ----

static int add_observable(Probes *p, Observable q) {
  for (int i = 0; i < p->observables; i++) // a node needs only one observable
    if (q.kind == OBSERVABLE_NODE && p->observable[i].kind == OBSERVABLE_NODE && p->observable[i].id == q.id) return i;
  p->observable[p->observables] = q;
  return p->observables++;
}

// Adds the observables relative to the unloaded beam, and finds the unloaded position.
static void add_carried(Probes *p, const Probe *probe, Tracked *t) {
  Model m = p->in->model;
  StateSample at, of;
  t->resultant = add_observable(p, observable_station(m, OBSERVABLE_RESULTANT, probe->id, probe->at));
  if (probe->from_root) t->observer = add_observable(p, observable_station(m, OBSERVABLE_STATION, probe->id, 0));
  observable_unloaded(m, &p->observable[t->observable], &at);
  t->unloaded = motion_of(&at);
  if (t->observer < 0) return;
  observable_unloaded(m, &p->observable[t->observer], &of);
  ProbeMotion observer = motion_of(&of), seen = seen_from(&observer, &t->unloaded);
  t->unloaded = seen;
}

static void add_load(Probes *p, const Probe *probe, Tracked *t) {
  const Load *l = &model_load(p->in->model, probe->id)->load;
  t->second = add_observable(p, (Observable){.kind = OBSERVABLE_LOAD, .id = probe->id});
  if (l->target != LOAD_JOINT) return;
  t->joint = add_observable(p, (Observable){.kind = OBSERVABLE_JOINT, .id = l->id}), t->coord = l->coord;
}

static Observable mesh_observable(Model m, ObservableKind kind, const Probe *probe) {
  ModelMesh of;
  model_component_mesh(m, probe->id, &of);
  return (Observable){.kind = kind, .id = of.element, .point = probe->point};
}

// Whether a probe of a joint records what motion_joint_reaction finds.
static bool records_reactions(const Probe *p) {
  return probe_records(p, QUANTITY_JOINT_FORCE) || probe_records(p, QUANTITY_JOINT_MOMENT) ||
         probe_records(p, QUANTITY_REACTION) || probe_records(p, QUANTITY_DRIVE);
}

static void add_observables_of(Probes *p, const Probe *probe, Tracked *t) {
  Model m = p->in->model;
  t->axes =
      probe->axes == LIMBER_NONE ? -1 : add_observable(p, (Observable){.kind = OBSERVABLE_NODE, .id = probe->axes});
  t->observer = t->axes, t->joint = -1;
  switch (probe->kind) {
  case PROBE_NODE: t->observable = add_observable(p, (Observable){.kind = OBSERVABLE_NODE, .id = probe->id}); break;
  case PROBE_STATION:
    t->observable = add_observable(p, observable_station(m, OBSERVABLE_STATION, probe->id, probe->at));
    t->second = add_observable(p, observable_station(m, OBSERVABLE_SECTION, probe->id, probe->at));
    if (t->carried) add_carried(p, probe, t);
    break;
  case PROBE_POINT:
    t->second = add_observable(p, probe->placed ? observable_station(m, OBSERVABLE_SECTION, probe->id, probe->at)
                                                : observable_point(m, probe->id, probe->point));
    break;
  case PROBE_JOINT:
    t->second = add_observable(
        p, (Observable){.kind = OBSERVABLE_JOINT, .id = probe->id, .without_forces = !records_reactions(probe)});
    break;
  case PROBE_ENERGY: t->second = add_observable(p, (Observable){.kind = OBSERVABLE_ENERGY, .id = probe->id}); break;
  case PROBE_CONTACT: t->second = add_observable(p, (Observable){.kind = OBSERVABLE_CONTACT, .id = probe->id}); break;
  case PROBE_WHEEL: t->second = add_observable(p, (Observable){.kind = OBSERVABLE_WHEEL, .id = probe->id}); break;
  case PROBE_LOAD: add_load(p, probe, t); break;
  case PROBE_MESH_NODE: t->observable = add_observable(p, mesh_observable(m, OBSERVABLE_MESH_NODE, probe)); break;
  case PROBE_MESH_STRESS: t->second = add_observable(p, mesh_observable(m, OBSERVABLE_MESH_STRESS, probe)); break;
  case PROBE_STRESS:
  case PROBE_FORMULA: break;
  }
}

static int add_stress_observable(void *self, Observable q) { return add_observable(self, q); }

static PetscErrorCode AddStresses(Probes *p, const Probe *probe, Tracked *t) {
  bool any = false;
  PetscFunctionBegin;
  for (int i = 0; i < t->parts; i++) {
    ProbeQuantity q = t->part[i];
    if (q == QUANTITY_VON_MISES || q == QUANTITY_VON_MISES_ALONG) any = t->stress[STRESS_VON_MISES] = true;
    if (q == QUANTITY_TSAI_WU || q == QUANTITY_TSAI_WU_ALONG) any = t->stress[STRESS_TSAI_WU] = true;
  }
  t->peak = -1;
  if (any) PetscCall(StressSearchAdd(p->search, probe, t->stress, add_stress_observable, p, &t->peak));
  PetscFunctionReturn(0);
}

// A formula that uses values of a step is itself of a step.
static PetscErrorCode CreateFormula(Probes *p, int k) {
  FormulaMistake mistake;
  PetscFunctionBegin;
  p->creating = p->tracked[k].first;
  PetscCall(PetscCalloc1(read_numbers(p), &p->tracked[k].reads));
  p->reads = p->tracked[k].reads;
  PetscCall(FormulaCreate(p->in->probe[k].formula, find_value, p, &p->tracked[k].formula, &mistake));
  PetscCheck(p->tracked[k].formula, PETSC_COMM_SELF, PETSC_ERR_PLIB, "formula '%s': %s", p->in->probe[k].formula,
             mistake.text);
  PetscFunctionReturn(0);
}

PetscErrorCode ProbesCreate(const Input *in, Probes **out) {
  Probes *p;
  ProbeColumns c;
  int room = 0;
  PetscFunctionBegin;
  PetscCall(PetscNew(&p));
  p->in = in;
  PetscCall(PetscCalloc1(in->probes, &p->tracked));
  PetscCall(StressSearchCreate(in->model, &p->search));
  for (int k = 0; k < in->probes; k++) room += 6 + stress_positions(in->model, &in->probe[k]);
  PetscCall(PetscMalloc2(room, &p->observable, room, &p->sample));
  PetscCall(PetscCalloc2(in->probes, &p->extremes, in->probes, &p->extremes_of));
  for (int k = 0; k < in->probes; k++) {
    const Probe *probe = &in->probe[k];
    Tracked *t = &p->tracked[k];
    t->first = p->width;
    for (; probe_columns(in->model, probe, t->parts, &c); p->width += c.width)
      t->part[t->parts] = c.quantity, t->part_width[t->parts++] = c.width, p->always = p->always || c.followed,
      t->carried = t->carried || c.carried;
    t->accelerates = probe_records(probe, QUANTITY_ACCELERATION) || probe_records(probe, QUANTITY_ANGULAR_ACCELERATION);
    add_observables_of(p, probe, t);
    PetscCall(AddStresses(p, probe, t));
    p->always = p->always || probe->extreme;
    if (!probe->extreme) continue;
    p->extremes_of[p->with_extremes] = k;
    PetscCall(CreateExtremes(p, k, &p->extremes[p->with_extremes++]));
  }
  PetscCall(PetscCalloc3(p->width, &p->row, p->width, &p->place, p->width, &p->of_step));
  int at = 0;
  for (int k = 0; k < in->probes; k++)
    for (int i = 0; probe_columns(in->model, &in->probe[k], i, &c); i++)
      for (int j = 0; j < c.width; j++) p->place[at] = c.placed ? j : 0, p->of_step[at++] = c.of_step;
  for (int k = 0; k < in->probes; k++)
    if (in->probe[k].kind == PROBE_FORMULA) PetscCall(CreateFormula(p, k));
  *out = p;
  PetscFunctionReturn(0);
}

PetscErrorCode ProbesSave(const Probes *p, CheckpointContainer *container) {
  double now[] = {p->time, p->started};
  PetscFunctionBegin;
  PetscCall(ContainerPut(container, "probes", 0, now, sizeof now));
  PetscCall(ContainerPut(container, "row", 0, p->row, (size_t)p->width * sizeof *p->row));
  for (int k = 0; k < p->in->probes; k++)
    PetscCall(ContainerPut(container, "probe", k, &p->tracked[k].at, sizeof p->tracked[k].at));
  for (int e = 0; e < p->with_extremes; e++)
    PetscCall(ContainerPut(container, "extremes", e, p->extremes[e].values,
                           (size_t)p->extremes[e].rows * sizeof *p->extremes[e].values));
  PetscFunctionReturn(0);
}

bool probes_restore(Probes *p, const CheckpointContainer *container) {
  double now[2];
  bool good = container_take(container, "probes", 0, now, sizeof now) &&
              container_take(container, "row", 0, p->row, (size_t)p->width * sizeof *p->row);
  for (int k = 0; good && k < p->in->probes; k++)
    good = container_take(container, "probe", k, &p->tracked[k].at, sizeof p->tracked[k].at);
  for (int e = 0; good && e < p->with_extremes; e++)
    good = container_take(container, "extremes", e, p->extremes[e].values,
                          (size_t)p->extremes[e].rows * sizeof *p->extremes[e].values);
  if (good) p->time = now[0], p->started = now[1] != 0;
  return good;
}

PetscErrorCode ProbesDestroy(Probes **probes) {
  Probes *p = *probes;
  PetscFunctionBegin;
  for (int k = 0; k < p->in->probes; k++) {
    formula_destroy(&p->tracked[k].formula);
    PetscCall(PetscFree(p->tracked[k].reads));
  }
  for (int e = 0; e < p->with_extremes; e++) {
    for (int i = 0; i < p->extremes[e].rows; i++) PetscCall(PetscFree(*(char **)&p->extremes[e].names[i]));
    PetscCall(PetscFree(p->extremes[e].names));
    PetscCall(PetscFree(p->extremes[e].units));
    PetscCall(PetscFree(p->extremes[e].values));
  }
  PetscCall(PetscFree2(p->extremes, p->extremes_of));
  PetscCall(PetscFree3(p->row, p->place, p->of_step));
  PetscCall(StressSearchDestroy(&p->search));
  PetscCall(PetscFree2(p->observable, p->sample));
  PetscCall(PetscFree(p->tracked));
  PetscCall(PetscFree(*probes));
  PetscFunctionReturn(0);
}

void probes_name_columns(const Input *in, LinearName *all, bool *no_output) {
  ProbeColumns c;
  int at = 0;
  for (int k = 0; k < in->probes; k++)
    for (int i = 0; probe_columns(in->model, &in->probe[k], i, &c); i++)
      for (int j = 0; j < c.width; j++, at++) {
        bool formula = in->probe[k].kind == PROBE_FORMULA;
        no_output[at] = c.no_output;
        snprintf(all[at].name, sizeof all[at].name, "%.80s%s%.60s%s%.40s", in->probe[k].name, formula ? "" : ".",
                 formula ? "" : c.name, c.columns ? "." : "", c.columns ? c.columns[j] : "");
        snprintf(all[at].unit, sizeof all[at].unit, "%.23s", c.units ? c.units[j] : c.unit);
      }
}

typedef enum { NO_COLUMN, NO_OUTPUT_COLUMN, OUTPUT_COLUMN } Taken;

// Adds a column to the outputs, if it is not there. Accelerations and forces of loads cannot be outputs.
static Taken take_column(ProbeOutputs *o, int column) {
  if (o->no_output[column]) return NO_OUTPUT_COLUMN;
  for (int i = 0; i < o->count; i++)
    if (o->column[i] == column) return OUTPUT_COLUMN;
  o->column[o->count] = column, o->name[o->count++] = o->all[column];
  return OUTPUT_COLUMN;
}

// Adds the columns with that name or below it; otherwise the column with that short name. Returns the best of them.
static Taken take_name(const Input *in, ProbeOutputs *o, const char *name) {
  size_t n = strlen(name);
  int short_name = probes_find(in->model, in->probes, in->probe, name);
  Taken best = NO_COLUMN;
  for (int i = 0; i < o->width; i++)
    if (!strncmp(o->all[i].name, name, n) && (!o->all[i].name[n] || o->all[i].name[n] == '.'))
      best = PetscMax(best, take_column(o, i));
  return best == NO_COLUMN && short_name >= 0 ? take_column(o, short_name) : best;
}

// Of columns that compare several samples, such as accelerations and power, formulas cannot be outputs, either.
static void exclude_formulas(ProbeOutputs *o, const Input *in) {
  ProbeColumns c;
  int at = 0;
  for (int k = 0; k < in->probes; k++)
    for (int i = 0; probe_columns(in->model, &in->probe[k], i, &c); i++, at += c.width)
      for (int f = 0; f < o->width && c.no_output && c.followed; f++)
        for (int j = at; j < at + c.width; j++) o->no_output[f] = o->no_output[f] || probes_reads(o->probes, f, j);
}

PetscErrorCode ProbeOutputsCreate(const Input *in, LimberRun run, int names, const char *const *name, ProbeOutputs *o,
                                  Refusal *wrong) {
  PetscFunctionBegin;
  *o = (ProbeOutputs){.run = run};
  PetscCall(ProbesCreate(in, &o->probes));
  o->width = probes_width(o->probes);
  PetscCall(PetscCalloc5(o->width, &o->column, o->width, &o->row, o->width, &o->name, o->width, &o->all, o->width,
                         &o->no_output));
  probes_name_columns(in, o->all, o->no_output);
  exclude_formulas(o, in);
  for (int i = 0; names == 0 && i < o->width; i++) take_column(o, i);
  for (int i = 0; i < names && !is_refused(wrong); i++) {
    Taken taken = take_name(in, o, name[i]);
    if (taken == NO_COLUMN) refuse(wrong, "no probe records '%s'", name[i]);
    else if (taken == NO_OUTPUT_COLUMN)
      refuse(wrong,
             "'%s' has no derivative, as it belongs to more than one state: take velocities or reactions of joints",
             name[i]);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ProbeOutputsDestroy(ProbeOutputs *o) {
  PetscFunctionBegin;
  if (o->probes) PetscCall(ProbesDestroy(&o->probes));
  PetscCall(PetscFree5(o->column, o->row, o->name, o->all, o->no_output));
  PetscFunctionReturn(0);
}

PetscErrorCode ProbeOutputsSample(void *self, double *row) {
  ProbeOutputs *o = self;
  PetscFunctionBegin;
  PetscCall(ProbesSample(o->probes, o->run, o->row));
  for (int i = 0; i < o->count; i++) row[i] = o->row[o->column[i]];
  PetscFunctionReturn(0);
}
