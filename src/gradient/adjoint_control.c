// SPDX-License-Identifier: Apache-2.0
// Control networks in the adjoint method. At the end of a step, S, a network makes numbers z_1 = B(S, z; p) of its numbers z;
// the signals among them are amplitudes of loads in the next step. With multipliers zeta of z_1,
//   lambda <- lambda + B_S^T zeta,   zeta <- B_z^T zeta + L_z,   dJ/dp += zeta . B_p,
// where L is the product of the step that follows from z (product.h). B_S and B_z are central differences over the few numbers
// that sensors read and over those of the network. Numbers that a step carries on as they are, or forgets, are found in groups.
// Equations: eq-gradient-network (27.13).
#include "gradient/adjoint.h"

#include "analyses/stepping/ledger.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"

#include <math.h>
#include <string.h>

PetscErrorCode AdjointControlCreate(Adjoint *w) {
  AdjointControl *c = &w->control;
  const Between *b = w->run->stepper->between;
  PetscFunctionBegin;
  *c = (AdjointControl){.network = w->run->stepper->between};
  if (!b) PetscFunctionReturn(0);
  PetscCheck(!b->next && b->back, PETSC_COMM_SELF, PETSC_ERR_PLIB, "what happens between steps cannot go back");
  c->count = b->count(b), c->place = w->size - c->count;
  size_t readings = b->back->count(b);
  PetscCall(PetscCalloc4(c->count, &c->now, c->count, &c->after, c->count, &c->moved, c->count, &c->slope));
  PetscCall(PetscCalloc5(c->count, &c->smooth, c->count, &c->function, readings, &c->reading, readings, &c->read,
                         w->size, &c->largest));
  PetscCall(PetscCalloc1(c->count * (size_t)w->count, &c->before));
  for (size_t i = 0; i < c->count; i++)
    c->smooth[i] = b->back->is_smooth(b, i), c->function[i] = b->back->function(b, i);
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointControlDestroy(AdjointControl *c) {
  PetscFunctionBegin;
  PetscCall(PetscFree4(c->now, c->after, c->moved, c->slope));
  PetscCall(PetscFree5(c->smooth, c->function, c->reading, c->read, c->largest));
  PetscCall(PetscFree(c->before));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointControlMeasure(Adjoint *w) {
  AdjointControl *c = &w->control;
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  size_t place = 0;
  PetscFunctionBegin;
  if (!c->network) PetscFunctionReturn(0);
  PetscCall(StateList(w->run->stepper, TRIED, list, &count));
  for (int i = 0; i < count; i++) { // of all owners together
    size_t width = list[i].item / sizeof(double), n = state_array_numbers(&list[i]);
    const double *data = list[i].data;
    if (list[i].packing) continue;
    for (size_t j = 0; j < n && width > 0 && state_is_differentiated(list[i].name); j++)
      c->largest[place + j % width] = fmax(c->largest[place + j % width], fabs(data[j]));
    place += n;
  }
  c->network->get(c->network, c->now);
  for (size_t i = 0; i < c->count; i++) c->largest[place + i] = fmax(c->largest[place + i], fabs(c->now[i]));
  PetscFunctionReturn(0);
}

double adjoint_control_size(const Adjoint *w, size_t number) {
  double largest = w->control.largest[w->control.place + number];
  return largest > 0 ? largest : 1;
}

PetscErrorCode AdjointControlShare(Adjoint *w) {
  AdjointControl *c = &w->control;
  PetscFunctionBegin;
  if (!c->network) PetscFunctionReturn(0);
  c->network->get(c->network, c->now);
  for (int i = 0; i < w->parameters; i++)
    for (int k = 0; k < MOST_POINTS; k++) {
      LimberRun run = w->parameter[i].shadow[k].run;
      if (run) PetscCall(run->stepper->between->put(run->stepper->between, c->now));
    }
  PetscFunctionReturn(0);
}

// ---- back through the network ----

// Of the size of a number: by how much it is moved; the same in loads, on which it acts linearly, and in wind.
static const double part = 1e-4, part_in_loads = 0.1, part_in_wind = 1e-3;

// What the network makes of its numbers and of the state of the run. It is left there.
static PetscErrorCode TakeControl(Adjoint *w, double *out) {
  AdjointControl *c = &w->control;
  Between *b = c->network;
  LimberOutcome unused = {.reason = LIMBER_CONVERGED}; // what is not finite shows in the numbers
  PetscFunctionBegin;
  PetscCall(b->put(b, c->now));
  if (c->reads) PetscCall(b->back->read(b, c->read));
  PetscCall(b->back->react(b, c->reads ? c->read : c->reading, &unused));
  b->get(b, out);
  PetscFunctionReturn(0);
}

static double *multipliers_of(const Adjoint *w, int k) { return w->lambda[k] + w->control.place; }

static double moved_number(const Adjoint *w, size_t i) {
  return w->control.now[i] + part * (1 + adjoint_scatter(i)) * adjoint_control_size(w, i);
}

// Whether numbers from .. to are carried on as they are, or forgotten. Then adds their multipliers.
static PetscErrorCode CarryNumbers(Adjoint *w, size_t from, size_t to, bool *carried) {
  AdjointControl *c = &w->control;
  double *kept;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(to - from, &kept));
  PetscCall(PetscArraycpy(kept, c->now + from, to - from));
  for (size_t i = from; i < to; i++)
    if (c->smooth[i]) c->now[i] = moved_number(w, i);
  PetscCall(TakeControl(w, c->moved));
  *carried = true;
  for (size_t i = 0; i < c->count && *carried; i++) {
    bool inside = i >= from && i < to && c->moved[i] == c->now[i] && c->after[i] == kept[i - from];
    *carried = c->moved[i] == c->after[i] || inside;
  }
  for (size_t i = from; i < to && *carried; i++)
    for (int k = 0; k < w->count && c->moved[i] != c->after[i]; k++)
      c->before[(size_t)k * c->count + i] = multipliers_of(w, k)[i];
  PetscCall(PetscArraycpy(c->now + from, kept, to - from));
  PetscCall(PetscFree(kept));
  PetscFunctionReturn(0);
}

// What slopes of all numbers count for a quantity.
static double sum_of_slopes(const Adjoint *w, int k) {
  const double *zeta = multipliers_of(w, k);
  double sum = 0;
  for (size_t j = 0; j < w->control.count; j++)
    if (zeta[j] != 0) sum += w->control.slope[j] * zeta[j];
  return sum;
}

static PetscErrorCode BackThroughNumbers(Adjoint *w, size_t from, size_t to) {
  AdjointControl *c = &w->control;
  const AdjointSample sample = {TakeControl, (int)c->count, NULL, part, c->after, c->largest + c->place};
  bool any = false, carried = false;
  PetscFunctionBegin;
  for (size_t i = from; i < to && !any; i++) any = c->smooth[i];
  if (!any) PetscFunctionReturn(0);
  PetscCall(CarryNumbers(w, from, to, &carried));
  if (carried) PetscFunctionReturn(0);
  if (to - from > 1) {
    PetscCall(BackThroughNumbers(w, from, (from + to) / 2));
    PetscCall(BackThroughNumbers(w, (from + to) / 2, to));
    PetscFunctionReturn(0);
  }
  PetscCall(AdjointFindSlopes(w, &sample, &(ColumnEntry){-1, from, c->place + from, true}, c->slope));
  for (int k = 0; k < w->count; k++) c->before[(size_t)k * c->count + from] = sum_of_slopes(w, k);
  PetscFunctionReturn(0);
}

// The network may read nothing in a step, between its samples.
static PetscErrorCode BackThroughReadings(Adjoint *w) {
  AdjointControl *c = &w->control;
  const ColumnSupport *support = &w->support[w->columns.count];
  const AdjointSample sample = {TakeControl, (int)c->count, NULL, part, c->after, c->largest + c->place};
  double *kept;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(support->count, &kept));
  PetscCall(AdjointMoveSupport(w, support, true, part, kept));
  PetscCall(TakeControl(w, c->moved));
  PetscCall(AdjointMoveSupport(w, support, false, part, kept));
  PetscCall(PetscFree(kept));
  if (!memcmp(c->moved, c->after, c->count * sizeof *c->moved)) PetscFunctionReturn(0);
  for (int i = 0; i < support->count; i++) {
    PetscCall(AdjointFindSlopes(w, &sample, &support->entry[i], c->slope));
    for (int k = 0; k < w->count && adjoint_is_own(w, &support->entry[i]); k++)
      w->lambda[k][support->entry[i].place] += sum_of_slopes(w, k);
  }
  PetscFunctionReturn(0);
}

// ---- parameters of the network ----

// What it reads in a shadow at the state of the run.
static PetscErrorCode ReadShadow(Adjoint *w, AdjointParameter *a, int point) {
  PetscFunctionBegin;
  PetscCall(AdjointPlaceShadow(w, a, point));
  Between *own = w->control.network, *other = a->shadow[point].run->stepper->between;
  other->back->follow(other, own);
  PetscCall(other->back->read(other, w->control.read));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointFindInSensors(Adjoint *w, AdjointParameter *a) {
  AdjointControl *c = &w->control;
  PetscFunctionBegin;
  if (!c->network) PetscFunctionReturn(0);
  a->in_sensors = w->kinked || c->network->back->reads_formulas(c->network); // a cable may be slack here
  PetscCall(c->network->back->read(c->network, c->reading));
  for (int k = 0; k < 2 && !a->in_sensors; k++) {
    PetscCall(ReadShadow(w, a, k));
    a->in_sensors = memcmp(c->read, c->reading, c->network->back->count(c->network) * sizeof *c->read) != 0;
  }
  PetscFunctionReturn(0);
}

// The numbers that the network of a shadow makes of those of the run.
static PetscErrorCode TakeShadow(Adjoint *w, AdjointParameter *a, int point, double *out) {
  AdjointControl *c = &w->control;
  Stepper *p = a->shadow[point].run->stepper;
  LimberOutcome outcome = {.reason = LIMBER_CONVERGED};
  PetscFunctionBegin;
  if (a->in_sensors) PetscCall(ReadShadow(w, a, point));
  p->s->motion.state.time = w->run->stepper->s->motion.state.time;
  PetscCall(p->between->put(p->between, c->now));
  PetscCall(p->between->back->react(p->between, a->in_sensors ? c->read : c->reading, &outcome));
  if (outcome.reason != LIMBER_CONVERGED) refuse_failure(w->wrong, w->run->stepper, &outcome);
  p->between->get(p->between, out);
  PetscFunctionReturn(0);
}

// Shadows of a parameter that acts linearly, at two distances.
static PetscErrorCode JudgeControl(Adjoint *w, AdjointParameter *a, double *const *out) {
  AdjointControl *c = &w->control;
  PetscFunctionBegin;
  PetscCall(TakeShadow(w, a, 1, out[1]));
  for (size_t i = 0; i < c->count && !is_refused(w->wrong); i++) {
    Straightness s = {0, 0};
    double near = out[0][i] - c->after[i], far = out[1][i] - c->after[i];
    if (fabs(near + 0.5 * far) > 64 * PETSC_MACHINE_EPSILON * fabs(c->after[i])) adjoint_add_pair(&s, near, far);
    PetscCall(AdjointJudgeLine(w, a, s));
  }
  PetscFunctionReturn(0);
}

static void add_control(Adjoint *w, const AdjointParameter *a, int k, double *const *out) {
  const AdjointControl *c = &w->control;
  const double *zeta = w->lambda[k] + c->place;
  double value[MOST_POINTS] = {0}, base = 0;
  for (size_t i = 0; i < c->count; i++) {
    bool acts = false;
    for (int point = 0; point < adjoint_points(a); point++) {
      value[point] += zeta[i] * (out[point][i] - c->after[i]);
      acts = acts || out[point][i] != c->after[i];
    }
    if (acts) base += fabs(zeta[i] * c->after[i]);
  }
  if (base != 0 || value[0] != 0) adjoint_add_values(w, a, k, base, value);
}

static PetscErrorCode AddParameter(Adjoint *w, AdjointParameter *a) {
  AdjointControl *c = &w->control;
  double *all, *out[MOST_POINTS];
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(MOST_POINTS * c->count, &all));
  for (int point = 0; point < MOST_POINTS; point++) out[point] = all + (size_t)point * c->count;
  PetscCall(TakeShadow(w, a, 0, out[0]));
  bool acts = !a->linear || memcmp(out[0], c->after, c->count * sizeof *c->after) != 0;
  if (acts && a->linear && !is_refused(w->wrong)) PetscCall(JudgeControl(w, a, out));
  for (int point = 0; point < adjoint_points(a) && !a->linear && !is_refused(w->wrong); point++)
    PetscCall(TakeShadow(w, a, point, out[point]));
  for (int k = 0; k < w->count && acts && !is_refused(w->wrong); k++) add_control(w, a, k, out);
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

// ---- a step ----

// The numbers at the start of the step, and what the network makes of them at the state at its end.
static PetscErrorCode BeginControlBack(Adjoint *w, const StateCopy *copy) {
  AdjointControl *c = &w->control;
  LimberLedger *l = &w->run->stepper->ledger;
  PetscFunctionBegin;
  PetscCall(StateCopyRestoreBetween(w->run->stepper, copy));
  c->network->get(c->network, c->now);
  if (w->energies) PetscCall(LedgerEnergies(&w->run->stepper->s->motion, NULL, &l->kinetic, &l->strain, &l->potential));
  PetscCall(AdjointCheckReadings(w));
  c->reads = false;
  PetscCall(TakeControl(w, c->after));
  PetscCall(PetscArrayzero(c->before, (size_t)w->count * c->count));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointControlBack(Adjoint *w, const StateCopy *copy) {
  AdjointControl *c = &w->control;
  PetscFunctionBegin;
  if (!c->network) PetscFunctionReturn(0);
  PetscCall(BeginControlBack(w, copy));
  c->reads = c->network->back->reads_itself(c->network);
  PetscCall(BackThroughNumbers(w, 0, c->count));
  c->reads = true;
  PetscCall(BackThroughReadings(w));
  PetscCall(c->network->put(c->network, c->now));
  for (int i = 0; i < w->parameters && !is_refused(w->wrong); i++) PetscCall(AddParameter(w, &w->parameter[i]));
  PetscCall(AdjointControlShare(w));
  for (int k = 0; k < w->count; k++) {
    PetscCall(PetscArraycpy(multipliers_of(w, k), c->before + (size_t)k * c->count, c->count));
    PetscCall(AdjointSpreadLedger(w, w->lambda[k]));
  }
  PetscFunctionReturn(0);
}

// ---- signals in a step ----

static bool is_signalled(const Layout *layout, PetscInt load) {
  return !model_amplitude_constant(layout->model, model_load(layout->model, load)->load.amplitude);
}

static bool is_signalled_wind(Model m, int component) {
  const ModelComponent *c = model_component(m, component);
  return c->kind->around && !model_amplitude_constant(m, c->amplitude);
}

static bool any_signalled_wind(Model m) {
  for (int i = 0; i < m->components.count; i++)
    if (is_signalled_wind(m, i)) return true;
  return false;
}

// Whether an item bears a load, or is in a wind, with an amplitude that may change.
static bool bears_signal(const Layout *layout, int kind, PetscInt i) {
  bool any = false;
  for (PetscInt k = 0, load; !any && (load = product_load(layout, kind, i, k)) >= 0; k++)
    any = is_signalled(layout, load);
  for (PetscInt l = 0; l < layout->nfield && kind == OF_NODES && !any; l++)
    any = is_signalled(layout, layout->field[l]);
  if (kind == OF_ELEMENTS && !any)
    any = is_signalled_wind(layout->model, model_element(layout->model, layout->element[i])->component);
  return any;
}

// The product of the step with other signals: of items on which these act.
static PetscErrorCode TakeProduct(Adjoint *w, double *out) {
  Motion *motion = &w->run->stepper->s->motion;
  const PetscInt count[ITEMS] = {motion->layout.nnode, motion->layout.nelement, motion->layout.njoint};
  StepProduct other = w->product;
  PetscFunctionBegin;
  PetscCall(MotionBeginStep(motion, motion->step.h));
  other.state = NULL, *out = 0;
  for (int kind = 0; kind < ITEMS; kind++)
    for (PetscInt i = kind == OF_NODES; i < count[kind]; i++)
      if (product_counts(&motion->layout, kind, i) && bears_signal(&motion->layout, kind, i))
        *out += product_of_item(&other, kind, i) - w->product.value[kind][i];
  PetscCall(ReduceArray(motion->layout.comm, out, 1, MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointControlAddLoads(Adjoint *w, int k) {
  AdjointControl *c = &w->control;
  Motion *motion = &w->run->stepper->s->motion;
  const double none = 0, length = any_signalled_wind(motion->layout.model) ? part_in_wind : part_in_loads;
  const AdjointSample sample = {TakeProduct, 1, NULL, length, &none, NULL};
  PetscFunctionBegin;
  if (!c->network) PetscFunctionReturn(0);
  c->network->get(c->network, c->now);
  PetscCall(PetscArraycpy(multipliers_of(w, k), w->next[k] + c->place, c->count));
  for (size_t i = 0; i < c->count; i++) {
    double slope;
    if (c->function[i] < 0) continue;
    PetscCall(AdjointFindSlopes(w, &sample, &(ColumnEntry){-1, i, c->place + i, true}, &slope));
    multipliers_of(w, k)[i] += slope;
  }
  PetscCall(MotionBeginStep(motion, motion->step.h));
  PetscFunctionReturn(0);
}
