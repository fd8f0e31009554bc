// SPDX-License-Identifier: Apache-2.0
// What parameters count in the adjoint method: differences between shadows of the product of a step with its multipliers, at
// the state of the run. Only items on which a parameter acts are evaluated: those whose product differs between a shadow
// and the run, for arbitrary multipliers, at an arbitrary state and at states of the run. Most parameters act linearly at a
// fixed state, such as a modulus, a density, a load: shadows at two distances say so, and then one of them serves.
#include "gradient/adjoint.h"
#include "gradient/run.h"

#include "analyses/stepping/ledger.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"

#include <math.h>
#include <string.h>

static const double part = 4e-5;      // of a parameter: the length of differences
static const double long_part = 1e-3; // the same of one that acts linearly
static const double straight = 1e-11; // of a difference: how far two of them may disagree there
static const Difference line = {2, {1, -2}, {1, 0}, {0, -0.5}};

static const Difference *stencil_of(const AdjointParameter *a) { return a->linear ? &line : &difference_of_four; }

// How many shadows count.
int adjoint_points(const AdjointParameter *a) { return a->linear ? 1 : difference_of_four.points; }

// ---- shadows ----

static PetscErrorCode CreateShadow(Adjoint *w, AdjointParameter *a, int k) {
  const char *path = w->p->g->parameter[a->parameter].path;
  const LimberOptions *o = &w->p->in->options;
  Shadow *s = &a->shadow[k];
  size_t size = 0;
  PetscFunctionBegin;
  PetscCall(ShadowCreate(w->p, IN_RUN, a->parameter, stencil_of(a)->at[k], a->delta, o,
                         &w->run->stepper->s->motion.layout, s, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(StateVectorSize(s->run->stepper, &size));
  check_shadow(w->p, a->parameter, s->in, w->wrong);
  if (size != w->size && !is_refused(w->wrong)) refuse(w->wrong, "%s changes what the model contains", path);
  if (!is_refused(w->wrong)) check_start(w->run->stepper, s->run->stepper, path, w->wrong);
  PetscCall(RefusalSend(w->run->stepper->s->motion.layout.comm, w->wrong));
  PetscFunctionReturn(0);
}

// Gives the run and the two nearest shadows the same signals, none of them 0; or puts the run's own signals back.
static PetscErrorCode PutSignals(Adjoint *w, const AdjointParameter *a, bool away) {
  AdjointControl *c = &w->control;
  PetscFunctionBegin;
  if (!c->network) PetscFunctionReturn(0);
  if (away) c->network->get(c->network, c->now);
  for (size_t i = 0; i < c->count; i++) c->moved[i] = c->now[i] + (c->function[i] >= 0 ? 1 + adjoint_scatter(i) : 0);
  PetscCall(c->network->put(c->network, away ? c->moved : c->now));
  for (int k = 0; k < 2 && away; k++) {
    Between *other = a->shadow[k].run->stepper->between;
    PetscCall(other->put(other, c->moved));
  }
  PetscFunctionReturn(0);
}

// Functions of time of the loads in the two nearest shadows, at all times at which steps read them. A pulse may act between the
// states at which items are compared (AdjointTouch).
static PetscErrorCode CompareLoads(Adjoint *w, AdjointParameter *a, Straightness *line_of) {
  Model m = w->p->in->model;
  double h = w->p->in->options.step;
  PetscFunctionBegin;
  PetscCall(PutSignals(w, a, true));
  for (int l = 0; l < m->loads.count; l++) {
    int parts = model_load(m, l)->load.drive == DRIVE_RATE ? 2 : 1; // the middles of steps, too
    for (int64_t n = 0; n <= parts * w->p->in->steps; n++) {
      double value = model_amplitude(m, model_load(m, l)->load.amplitude, (double)n * h / parts), differs[2];
      for (int k = 0; k < 2; k++) {
        Model other = a->shadow[k].in->model;
        differs[k] = model_amplitude(other, model_load(other, l)->load.amplitude, (double)n * h / parts) - value;
      }
      if (differs[0] == 0 && differs[1] == 0) continue;
      a->loads = true;
      bool counts = w->run->stepper->s->motion.layout.rank == 0; // all ranks have the same
      if (counts && fabs(differs[0] + 0.5 * differs[1]) > 8 * PETSC_MACHINE_EPSILON * fabs(value))
        adjoint_add_pair(line_of, differs[0], differs[1]);
    }
  }
  PetscCall(PutSignals(w, a, false));
  PetscFunctionReturn(0);
}

// Joint forces at the start, which shadows do not have: a step finds its own, and no column contains them before the first.
static bool is_found_by_steps(const char *array) { return !strcmp(array, "multiplier"); }

PetscErrorCode AdjointMarkCounted(const Stepper *p, const StateArray *a, bool *counts) {
  const Layout *layout = &p->s->motion.layout;
  OwnerRows rows = {.count = 0};
  PetscFunctionBegin;
  for (size_t i = 0; i < a->count; i++) counts[i] = a->owner == OWNER_RUN && layout->rank == 0;
  if (a->owner == OWNER_RUN) PetscFunctionReturn(0);
  PetscCall(OwnerRowsCreate(p, a->owner, false, &rows));
  for (PetscInt k = 0; k < rows.count; k++)
    for (PetscInt i = 0; i < rows.items; i++) counts[rows.local[k] * rows.items + i] = true;
  PetscCall(OwnerRowsDestroy(&rows));
  for (PetscInt i = 1; i < layout->nnode && a->owner == OWNER_NODE; i++)
    counts[i] = counts[i] || layout->node_block[i] < 0;
  PetscFunctionReturn(0);
}

// Adds a number at the start: those of the shadows and that of the run.
static PetscErrorCode AddStart(AdjointParameter *a, size_t place, const double *number, double own, size_t *room,
                               Straightness *line_of) {
  StartDifference d = {.place = place};
  bool any = false;
  PetscFunctionBegin;
  for (int k = 0; k < stencil_of(a)->points; k++) d.differs[k] = number[k] - own, any = any || d.differs[k] != 0;
  if (!any) PetscFunctionReturn(0);
  adjoint_add_pair(line_of, d.differs[0], d.differs[1]);
  if (a->starts == *room) PetscCall(PetscRealloc((*room = 2 * *room + 16) * sizeof d, &a->start));
  a->start[a->starts++] = d;
  PetscFunctionReturn(0);
}

// Numbers of the control network at the start.
static PetscErrorCode FindControlStart(Adjoint *w, AdjointParameter *a, size_t *room, Straightness *line_of) {
  AdjointControl *c = &w->control;
  const int points = stencil_of(a)->points;
  double *all, number[MOST_POINTS];
  PetscFunctionBegin;
  if (!c->network) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1((size_t)points * c->count, &all));
  for (int k = 0; k < points; k++) {
    const Between *other = a->shadow[k].run->stepper->between;
    other->get(other, all + (size_t)k * c->count);
  }
  for (size_t i = 0; i < c->count; i++) {
    for (int k = 0; k < points; k++) number[k] = all[(size_t)k * c->count + i];
    if (c->smooth[i]) PetscCall(AddStart(a, c->place + i, number, w->start[c->place + i], room, line_of));
  }
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

// Numbers of the state in which the shadows start otherwise than the run.
static PetscErrorCode FindStart(Adjoint *w, AdjointParameter *a, Straightness *line_of) {
  const int points = stencil_of(a)->points;
  StateArray list[MOST_POINTS][MOST_STATE_ARRAYS];
  double number[MOST_POINTS];
  int count;
  size_t place = 0, room = 0;
  PetscFunctionBegin;
  for (int k = 0; k < points; k++) PetscCall(StateList(a->shadow[k].run->stepper, TRIED, list[k], &count));
  a->starts = 0;
  PetscCall(PetscFree(a->start));
  for (int i = 0; i < count; i++) {
    size_t n = state_array_numbers(&list[0][i]);
    if (list[0][i].packing) continue;
    if (is_found_by_steps(list[0][i].name) || !state_is_differentiated(list[0][i].name)) {
      place += n;
      continue;
    }
    bool *counts;
    PetscCall(PetscMalloc1(list[0][i].count, &counts));
    PetscCall(AdjointMarkCounted(w->run->stepper, &list[0][i], counts));
    for (size_t j = 0; j < n; j++, place++) {
      if (!counts[j * sizeof(double) / list[0][i].item]) continue;
      for (int k = 0; k < points; k++) number[k] = ((const double *)list[k][i].data)[j];
      PetscCall(AddStart(a, place, number, w->start[place], &room, line_of));
    }
    PetscCall(PetscFree(counts));
  }
  if (w->run->stepper->s->motion.layout.rank > 0) PetscFunctionReturn(0); // all ranks have what follows
  PetscCall(FindControlStart(w, a, &room, line_of));
  for (size_t i = 0; i < w->events.count; i++) {
    double own;
    if (!adjoint_switched_number(w, w->run->stepper, i, &own)) continue;
    for (int k = 0; k < points; k++) adjoint_switched_number(w, a->shadow[k].run->stepper, i, &number[k]);
    PetscCall(AddStart(a, w->size + i, number, own, &room, line_of));
  }
  PetscFunctionReturn(0);
}

// Shadows on both sides of a parameter that does not act linearly.
static PetscErrorCode Bend(Adjoint *w, AdjointParameter *a) {
  Straightness unused = {0, 0};
  PetscFunctionBegin;
  for (int k = 0; k < line.points; k++) PetscCall(ShadowDestroy(&a->shadow[k]));
  a->linear = false, a->bend = 0;
  a->delta = parameter_delta(&w->p->g->parameter[a->parameter], part);
  for (int k = 0; k < difference_of_four.points && !is_refused(w->wrong); k++) PetscCall(CreateShadow(w, a, k));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(FindStart(w, a, &unused));
  PetscCall(CompareLoads(w, a, &unused));
  PetscFunctionReturn(0);
}

// Of the sums of all ranks.
PetscErrorCode AdjointJudgeLine(Adjoint *w, AdjointParameter *a, Straightness s) {
  double all[] = {s.bend, s.size};
  PetscFunctionBegin;
  if (!a->linear) PetscFunctionReturn(0);
  PetscCall(ReduceArray(w->run->stepper->s->motion.layout.comm, all, 2, MPI_DOUBLE, MPI_SUM));
  if (!(all[1] > 0)) PetscFunctionReturn(0);
  a->bend = fmax(a->bend, all[0] / all[1]);
  if (a->bend > straight) PetscCall(Bend(w, a));
  PetscFunctionReturn(0);
}

// A parameter that cannot be moved so far, such as a number at the end of its range, says so when it is moved less.
static PetscErrorCode CreateLine(Adjoint *w, AdjointParameter *a) {
  Refusal refused = *w->wrong;
  Straightness s = {0, 0};
  PetscFunctionBegin;
  a->linear = true, a->delta = parameter_delta(&w->p->g->parameter[a->parameter], long_part);
  for (int k = 0; k < line.points && !is_refused(w->wrong); k++) PetscCall(CreateShadow(w, a, k));
  if (is_refused(w->wrong)) {
    *w->wrong = refused;
    PetscCall(Bend(w, a));
    PetscFunctionReturn(0);
  }
  PetscCall(FindStart(w, a, &s));
  PetscCall(CompareLoads(w, a, &s));
  PetscCall(AdjointJudgeLine(w, a, s));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointParameterCreate(Adjoint *w, int parameter, AdjointParameter *out) {
  const Layout *layout = &w->run->stepper->s->motion.layout;
  const PetscInt all[ITEMS] = {layout->nnode, layout->nelement, layout->njoint};
  PetscFunctionBegin;
  *out = (AdjointParameter){.parameter = parameter, .loads = w->events.any};
  PetscCall(PetscCalloc1(2 * w->columns.count, &out->change));
  for (int k = 0; k < ITEMS; k++) {
    out->touched[k].all = all[k];
    PetscCall(PetscCalloc2(all[k], &out->touched[k].is, all[k], &out->touched[k].list));
  }
  if (w->kinked) PetscCall(Bend(w, out));
  else PetscCall(CreateLine(w, out));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointParameterDestroy(AdjointParameter *a) {
  PetscFunctionBegin;
  for (int k = 0; k < MOST_POINTS; k++) PetscCall(ShadowDestroy(&a->shadow[k]));
  for (int k = 0; k < ITEMS; k++) PetscCall(PetscFree2(a->touched[k].is, a->touched[k].list));
  PetscCall(PetscFree(a->start));
  PetscCall(PetscFree(a->change));
  PetscFunctionReturn(0);
}

// The shadow at the state and the step of the run.
static PetscErrorCode View(const Adjoint *w, AdjointParameter *a, int k) {
  const Motion *base = &w->run->stepper->s->motion;
  Motion *view = &a->view[k];
  PetscFunctionBegin;
  *view = a->shadow[k].run->stepper->s->motion;
  view->state = base->state, view->row_off = base->row_off;
  if (a->loads) {
    view->step.motion = base->step.motion;
    PetscCall(MotionBeginStep(view, base->step.h));
  } else view->step = base->step;
  PetscFunctionReturn(0);
}

// ---- items ----

static void touch(Touched *t, PetscInt i) {
  if (!t->is[i]) t->is[i] = true, t->list[t->count++] = i;
}

// Items that bear loads.
static bool has_loads(const Layout *layout, int kind, PetscInt i) {
  return product_load(layout, kind, i, 0) >= 0 || (kind == OF_NODES && layout->nfield > 0);
}

PetscErrorCode AdjointTouch(Adjoint *w, AdjointParameter *a) {
  const Layout *layout = &w->run->stepper->s->motion.layout;
  StepProduct other[2] = {w->product, w->product};
  PetscFunctionBegin;
  for (int k = 0; k < 2; k++) {
    PetscCall(View(w, a, k));
    other[k].motion = &a->view[k];
  }
  for (int kind = 0; kind < ITEMS; kind++)
    for (PetscInt i = kind == OF_NODES; i < a->touched[kind].all; i++) {
      if (!product_counts(layout, kind, i)) continue;
      double value = w->product.value[kind][i], near = product_of_item(&other[0], kind, i) - value;
      if (near != 0 || product_is_kinked(layout, kind, i) || (a->loads && has_loads(layout, kind, i)))
        touch(&a->touched[kind], i);
      if (near != 0) adjoint_add_pair(&a->in_steps, near, product_of_item(&other[1], kind, i) - value);
    }
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointJudge(Adjoint *w, AdjointParameter *a) {
  PetscFunctionBegin;
  PetscCall(AdjointJudgeLine(w, a, a->in_steps)); // where little moves, differences are round-off
  PetscFunctionReturn(0);
}

// ---- sums ----

// Adds a difference between a shadow and the run.
static void add(Adjoint *w, const AdjointParameter *a, int k, int point, double value) {
  size_t at = (size_t)k * (size_t)w->parameters + (size_t)(a - w->parameter);
  double weight = stencil_of(a)->weight[point] / a->delta;
  w->sum[at] += weight * value, w->gross[at] += fabs(weight * value);
  w->rough[at] += a->linear ? weight * value : stencil_of(a)->rough[point] / a->delta * value;
}

// What four shadows show of kinks, and of tolerances with which starts are solved: of a smooth function only the fourth power of
// the length is left.
static double even_part(const double *value) { return fabs(value[2] + value[3] - 4 * (value[0] + value[1])); }

// The same with the third power, wherever the run is among its shadows.
static double odd_part(const double *value) { return fabs(value[2] - value[3] - 2 * (value[0] - value[1])); }

// Adds a derivative to that of quantity k, from f[0..4] at -2, -1, 0, 1 and 2 lengths, where a kink may lie between the shadows.
static void add_five(Adjoint *w, const AdjointParameter *a, int k, double weight, const double f[5], double *change) {
  size_t at = (size_t)k * (size_t)w->parameters + (size_t)(a - w->parameter);
  HistoryRate rate = rate_of_row(f, a->delta, change);
  w->sum[at] += weight * rate.value, w->gross[at] += fabs(weight * rate.value);
  w->noise[at] += fabs(weight) * rate.doubt;
  w->rough[at] += rate.doubt > 0 ? weight * rate.value : weight * (f[3] - f[1]) / (2 * a->delta);
}

// Adds the differences of shadows from a value of the run.
void adjoint_add_values(Adjoint *w, const AdjointParameter *a, int k, double base, const double *value) {
  size_t at = (size_t)k * (size_t)w->parameters + (size_t)(a - w->parameter);
  w->square[at] += base / a->delta * (base / a->delta);
  if (a->linear) {
    for (int point = 0; point < adjoint_points(a); point++) add(w, a, k, point, value[point]);
    return;
  }
  const double f[] = {base + value[3], base + value[1], base, base + value[0], base + value[2]};
  add_five(w, a, k, 1, f, &a->change[w->columns.count + k]);
}

PetscErrorCode AdjointFindStep(const Adjoint *w, AdjointParameter *a, StepDifference *out) {
  PetscFunctionBegin;
  *out = (StepDifference){.base = 0};
  bool contacts = w->run->stepper->s->motion.contacts;
  if (!a->touched[0].count && !a->touched[1].count && !a->touched[2].count && !contacts) PetscFunctionReturn(0);
  out->base = w->product.contacts;
  for (int kind = 0; kind < ITEMS; kind++)
    for (PetscInt i = 0; i < a->touched[kind].count; i++) out->base += w->product.value[kind][a->touched[kind].list[i]];
  for (int point = 0; point < adjoint_points(a); point++) {
    PetscCall(View(w, a, point));
    StepProduct other = w->product;
    other.motion = &a->view[point], other.state = NULL;
    for (int kind = 0; kind < ITEMS; kind++)
      for (PetscInt i = 0; i < a->touched[kind].count; i++) {
        PetscInt item = a->touched[kind].list[i];
        out->differs[point] += product_of_item(&other, kind, item) - w->product.value[kind][item];
      }
    if (contacts) out->differs[point] += product_of_contacts(&other) - w->product.contacts;
  }
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointAddStart(Adjoint *w, AdjointParameter *a, int k) {
  size_t at = (size_t)k * (size_t)w->parameters + (size_t)(a - w->parameter);
  enum { SQUARES = MOST_POINTS, SIZES, VALUES };
  double value[VALUES] = {0}, whole = parameter_delta(&w->p->g->parameter[a->parameter], 1);
  PetscFunctionBegin;
  for (int point = 0; point < adjoint_points(a); point++)
    for (size_t i = 0; i < a->starts; i++) {
      double each = w->lambda[k][a->start[i].place] * a->start[i].differs[point], base = each * whole / a->delta;
      value[point] += each;
      value[SQUARES] += base / a->delta * (base / a->delta);
      value[SIZES] += fabs(stencil_of(a)->weight[point] * each / a->delta);
    }
  PetscCall(ReduceArray(w->run->stepper->s->motion.layout.comm, value, VALUES, MPI_DOUBLE, MPI_SUM));
  for (int point = 0; point < adjoint_points(a); point++) add(w, a, k, point, value[point]);
  w->square[at] += value[SQUARES], w->gross[at] += value[SIZES];
  if (!a->linear) w->noise[at] += fmin(odd_part(value), even_part(value)) / a->delta;
  PetscFunctionReturn(0);
}

// ---- columns ----

// Energies of the ledger, from the state alone.
static PetscErrorCode FindEnergies(LimberRun run) {
  LimberLedger *l = &run->stepper->ledger;
  PetscFunctionBegin;
  PetscCall(LedgerEnergies(&run->stepper->s->motion, NULL, &l->kinetic, &l->strain, &l->potential));
  PetscFunctionReturn(0);
}

// Puts a shadow at the state of the run.
PetscErrorCode AdjointPlaceShadow(Adjoint *w, AdjointParameter *a, int point) {
  Shadow *s = &a->shadow[point];
  StateArray own[MOST_STATE_ARRAYS], other[MOST_STATE_ARRAYS];
  int count;
  PetscFunctionBegin;
  PetscCall(StateList(w->run->stepper, TRIED, own, &count));
  PetscCall(StateList(s->run->stepper, TRIED, other, &count));
  for (int i = 0; i < count; i++)
    if (!own[i].packing && state_array_bytes(&own[i])) memcpy(other[i].data, own[i].data, state_array_bytes(&own[i]));
  System *from = w->run->stepper->s, *to = s->run->stepper->s;
  PetscCall(PetscArraycpy(to->motion.step.motion, from->motion.step.motion, from->motion.layout.nnode));
  PetscCall(VecCopy(from->equations.unknown, to->equations.unknown)); // forces of joints depend on them
  PetscCall(EquationsRefresh(&to->motion.layout, &to->equations));
  PetscCall(RunPlaceContacts(to, w->p->in->options.step));
  if (w->energies) PetscCall(FindEnergies(s->run));
  if (!w->control.network) PetscFunctionReturn(0);
  w->control.network->get(w->control.network, w->control.now);
  PetscCall(s->run->stepper->between->put(s->run->stepper->between, w->control.now));
  PetscFunctionReturn(0);
}

// Its columns at the state of the run, less those of the run.
static PetscErrorCode SampleShadow(Adjoint *w, AdjointParameter *a, int point, const double *row, double *out) {
  Shadow *s = &a->shadow[point];
  PetscFunctionBegin;
  PetscCall(AdjointPlaceShadow(w, a, point));
  if (w->columns.probes.probes) probes_follow(s->columns.probes.probes, w->columns.probes.probes);
  PetscCall(ColumnsSample(&s->columns, s->run, out));
  for (int c = 0; c < w->columns.count; c++) out[c] -= row[c];
  PetscFunctionReturn(0);
}

// Whether columns depend on the parameter other than through the state, and linearly.
static PetscErrorCode JudgeColumns(Adjoint *w, AdjointParameter *a, const double *row, double *out[2]) {
  Straightness most = {0, 0};
  PetscFunctionBegin;
  for (int k = 0; k < 2; k++) PetscCall(SampleShadow(w, a, k, row, out[k]));
  for (int c = 0; c < w->columns.count; c++) { // the one that is bent most: others may be far larger
    Straightness s = {0, 0};
    a->in_columns = a->in_columns || out[0][c] != 0 || out[1][c] != 0;
    if (fabs(out[0][c] + 0.5 * out[1][c]) > 8 * PETSC_MACHINE_EPSILON * fabs(row[c]))
      adjoint_add_pair(&s, out[0][c], out[1][c]);
    if (s.bend * most.size >= most.bend * s.size && s.size > 0) most = s;
  }
  PetscCall(AdjointJudgeLine(w, a, most));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointDisturb(Adjoint *w, bool away, double *kept) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  PetscFunctionBegin;
  PetscCall(StateList(w->run->stepper, TRIED, list, &count));
  for (int i = 0; i < count; i++) {
    double *data = list[i].data, largest = 0;
    size_t n = state_array_numbers(&list[i]);
    if (list[i].packing || !state_is_differentiated(list[i].name)) continue;
    for (size_t j = 0; j < n; j++) largest = fmax(largest, fabs(data[j]));
    for (size_t j = 0; j < n; j++)
      if (away) kept[j] = data[j], data[j] += 0.013 * (1 + 0.37 * (double)(j % 7)) * (largest > 0 ? largest : 1);
      else data[j] = kept[j];
    kept += n;
  }
  AdjointControl *c = &w->control;
  if (!c->network) PetscFunctionReturn(0);
  if (away) c->network->get(c->network, kept);
  for (size_t i = 0; i < c->count; i++)
    c->now[i] = kept[i] + (away && c->smooth[i] ? 0.013 * (1 + adjoint_scatter(i)) * adjoint_control_size(w, i) : 0);
  PetscCall(c->network->put(c->network, c->now));
  PetscCall(MotionBeginStep(&w->run->stepper->s->motion, w->p->in->options.step));
  PetscFunctionReturn(0);
}

// At an arbitrary state: at those of the run a spring may be at rest in one row and not in another. Formulae are judged in each
// row.
PetscErrorCode AdjointFindInColumns(Adjoint *w) {
  int n = w->columns.count;
  double *row, *out[2], *kept;
  PetscFunctionBegin;
  PetscCall(PetscMalloc4(n, &row, n, &out[0], n, &out[1], w->size, &kept));
  PetscCall(AdjointDisturb(w, true, kept));
  if (w->energies) PetscCall(FindEnergies(w->run));
  PetscCall(ColumnsSample(&w->columns, w->run, row));
  for (int i = 0; i < w->parameters && !is_refused(w->wrong); i++) {
    PetscCall(JudgeColumns(w, &w->parameter[i], row, out));
    if (!is_refused(w->wrong)) PetscCall(AdjointFindInSensors(w, &w->parameter[i]));
  }
  PetscCall(AdjointDisturb(w, false, kept));
  PetscCall(PetscFree4(row, out[0], out[1], kept));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointAddRow(Adjoint *w, AdjointParameter *a, const double *weight) {
  int n = w->columns.count;
  double *row, *out[MOST_POINTS], *at;
  PetscFunctionBegin;
  if (!a->in_columns && !w->formulas && !w->kinked) PetscFunctionReturn(0);
  PetscCall(PetscMalloc2(n, &row, n * MOST_POINTS, &at));
  for (int point = 0; point < MOST_POINTS; point++) out[point] = at + point * n;
  if (w->energies) PetscCall(FindEnergies(w->run));
  PetscCall(ColumnsSample(&w->columns, w->run, row));
  if (a->linear && w->formulas) PetscCall(JudgeColumns(w, a, row, out));
  for (int point = 0; point < adjoint_points(a) && !is_refused(w->wrong); point++) {
    PetscCall(SampleShadow(w, a, point, row, out[point]));
    for (int c = 0; c < n && a->linear; c++)
      if (weight[c] != 0) add(w, a, c, point, weight[c] * out[point][c]);
  }
  for (int c = 0; c < n && !a->linear && !is_refused(w->wrong); c++)
    if (weight[c] != 0) {
      const double f[] = {row[c] + out[3][c], row[c] + out[1][c], row[c], row[c] + out[0][c], row[c] + out[2][c]};
      add_five(w, a, c, weight[c], f, &a->change[c]);
    }
  PetscCall(PetscFree2(row, at));
  PetscFunctionReturn(0);
}
