// SPDX-License-Identifier: Apache-2.0
// Events in the adjoint method. A step in which events happen is differentiated forward, in each number of its state and in each
// parameter (run.h): with the multipliers lambda of its end, those of its start are lambda . dS_1/dS, and lambda . dS_1/dp belongs
// to the derivatives. Such steps are few. In the others, what events switched acts on a few items: places of locks, times at which
// loads began. These numbers have multipliers, too, which follow those of the state.
#include "gradient/adjoint.h"
#include "gradient/rates.h"
#include "gradient/run.h"

#include "analyses/stepping/events.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"

#include <math.h>
#include <string.h>

enum {
  JOINT_NUMBERS = sizeof(JointSwitch) / sizeof(double),
  LOAD_NUMBERS = sizeof(LoadSwitch) / sizeof(double),
  LOCK_AT = offsetof(JointSwitch, lock_at) / sizeof(double),
  ENGAGED_AT = offsetof(JointSwitch, at) / sizeof(double),
  SINCE = offsetof(LoadSwitch, since) / sizeof(double)
};

// ---- numbers that events switch ----

typedef enum { AT_TIMES, AT_JOINT, AT_LOAD } SwitchedPlace;
typedef struct { // a number: the joint or load of the model that has it, and its place there
  SwitchedPlace place;
  int id, number;
} Switched;

static Switched switched_at(const Adjoint *w, size_t i) {
  Model m = w->p->in->model;
  size_t joints = (size_t)m->joints.count * JOINT_NUMBERS, loads = (size_t)m->loads.count * LOAD_NUMBERS;
  if (i < joints) return (Switched){AT_JOINT, (int)(i / JOINT_NUMBERS), (int)(i % JOINT_NUMBERS)};
  i -= joints;
  if (i < loads) return (Switched){AT_LOAD, (int)(i / LOAD_NUMBERS), (int)(i % LOAD_NUMBERS)};
  return (Switched){AT_TIMES, (int)(i - loads), 0};
}

// Whether the state of the run depends on a number smoothly.
static bool acts(const Adjoint *w, const Switched *q) {
  const Stepper *p = w->run->stepper;
  const Switches *now = &p->s->motion.switches;
  if (q->place == AT_TIMES) return p->events->track[q->id].happened > 0;
  if (q->place == AT_LOAD) return now->load[q->id].off == 0 && q->number >= SINCE;
  const JointSwitch *joint = &now->joint[q->id];
  if (q->number >= LOCK_AT && q->number < LOCK_AT + MAX_COORDS)
    return joint->locked[q->number - LOCK_AT] != 0 && isfinite(joint->lock_at[q->number - LOCK_AT]);
  return q->number >= ENGAGED_AT && joint->engaged != 0;
}

static double *number_of(const Switches *switches, const Switched *q) {
  return (q->place == AT_JOINT ? (double *)&switches->joint[q->id] : (double *)&switches->load[q->id]) + q->number;
}

static PetscErrorCode Share(const Stepper *from, Stepper *to) {
  const Model m = from->s->motion.layout.model;
  Switches *own = &to->s->motion.switches;
  PetscFunctionBegin;
  PetscCall(PetscArraycpy(own->joint, from->s->motion.switches.joint, m->joints.count));
  PetscCall(PetscArraycpy(own->load, from->s->motion.switches.load, m->loads.count));
  motion_form_joints(&to->s->motion);
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointEventsShare(Adjoint *w) {
  PetscFunctionBegin;
  if (!w->events.any) PetscFunctionReturn(0);
  for (int i = 0; i < w->parameters; i++)
    for (int k = 0; k < MOST_POINTS; k++)
      if (w->parameter[i].shadow[k].run) PetscCall(Share(w->run->stepper, w->parameter[i].shadow[k].run->stepper));
  PetscFunctionReturn(0);
}

bool adjoint_switched_number(const Adjoint *w, const Stepper *p, size_t i, double *out) {
  Switched q = switched_at(w, i);
  if (!acts(w, &q)) return false;
  *out = q.place == AT_TIMES ? p->events->track[q.id].time : *number_of(&p->s->motion.switches, &q);
  return true;
}

// ---- steps without events ----

// Items on which a number that events switch may act.
static bool is_switched(const Layout *layout, int kind, PetscInt i, const Switched *q) {
  if (q->place == AT_JOINT) return kind == OF_JOINTS && layout->joint[i] == q->id;
  for (PetscInt k = 0, load; (load = product_load(layout, kind, i, k)) >= 0; k++)
    if (load == q->id) return true;
  for (PetscInt l = 0; l < layout->nfield && kind == OF_NODES; l++)
    if (layout->field[l] == q->id) return true;
  return false;
}

typedef struct {
  Adjoint *w;
  const Switched *q; // NULL: the length of the last step, on which all items depend
} Moved;

// The product of the step that has begun, of such items.
static double moved_product(const void *self, double x) {
  const Moved *m = self;
  Motion *motion = &m->w->run->stepper->s->motion;
  const PetscInt count[ITEMS] = {motion->layout.nnode, motion->layout.nelement, motion->layout.njoint};
  StepProduct other = m->w->product;
  double sum = 0, *to = m->q ? number_of(&motion->switches, m->q) : &motion->state.past_step, kept = *to;
  *to = x, other.state = NULL;
  if (m->q) motion_form_joints(motion);
  if (MotionBeginStep(motion, motion->step.h)) return NAN;
  for (int kind = 0; kind < ITEMS; kind++)
    for (PetscInt i = kind == OF_NODES; i < count[kind]; i++)
      if (product_counts(&motion->layout, kind, i) && (!m->q || is_switched(&motion->layout, kind, i, m->q)))
        sum += product_of_item(&other, kind, i);
  *to = kept;
  return ReduceArray(motion->layout.comm, &sum, 1, MPI_DOUBLE, MPI_SUM) ? NAN : sum;
}

static const double part = 1e-4; // of the size of a number: a difference

PetscErrorCode AdjointEventsAddStep(Adjoint *w, int64_t step, int k) {
  Stepper *p = w->run->stepper;
  AdjointEvents *e = &w->events;
  Motion *motion = &p->s->motion;
  PetscFunctionBegin;
  if (!e->any) PetscFunctionReturn(0);
  PetscCall(PetscArraycpy(w->lambda[k] + w->size, w->next[k] + w->size, e->count));
  for (size_t i = 0; i < e->count; i++) {
    Switched q = switched_at(w, i);
    Moved moved = {w, &q};
    if (q.place == AT_TIMES || !acts(w, &q)) continue;
    double at = *number_of(&motion->switches, &q), size = q.place == AT_LOAD && q.number == SINCE ? motion->step.h : 1;
    w->lambda[k][w->size + i] += kinked_slope(moved_product, &moved, at, part * size, &w->product.kinks);
  }
  if (step > 0 && e->thrown[step - 1] && motion->state.past_step > 0)
    w->lambda[k][e->past_step] +=
        smooth_slope(moved_product, &(Moved){w, NULL}, motion->state.past_step, part * motion->state.past_step);
  motion_form_joints(motion);
  PetscCall(MotionBeginStep(motion, motion->step.h));
  PetscFunctionReturn(0);
}

typedef struct {
  Adjoint *w;
  int column;
  double *number, *row;
} OneLength;

static double column_by_length(const void *self, double x) {
  const OneLength *at = self;
  double kept = *at->number;
  *at->number = x;
  if (ColumnsSample(&at->w->columns, at->w->run, at->row)) return NAN;
  *at->number = kept;
  return at->row[at->column];
}

// Velocities and stresses at the end of a step depend on its length, which a parameter changes where the step ends after an event.
PetscErrorCode AdjointEventsAddColumn(Adjoint *w, int64_t row, int column, double weight, double *lambda) {
  State *state = &w->run->stepper->s->motion.state;
  AdjointEvents *e = &w->events;
  double *const number[] = {&state->last_h, &state->past_step, &state->recalled_step};
  const size_t place[] = {e->last_h, e->past_step, e->recalled_step};
  PetscFunctionBegin;
  if (!e->any || row < 1 || !e->thrown[row - 1] || w->columns.ledger[column]) PetscFunctionReturn(0);
  OneLength at = {.w = w, .column = column};
  PetscCall(PetscMalloc1(w->columns.count, &at.row));
  for (int i = 0; i < 3; i++) {
    at.number = number[i];
    if (*number[i] > 0) lambda[place[i]] += weight * smooth_slope(column_by_length, &at, *number[i], part * *number[i]);
  }
  PetscCall(PetscFree(at.row));
  PetscFunctionReturn(0);
}

// ---- a step with events ----

// A number at the start of the step that is moved.
typedef struct {
  size_t place; // in a vector of the state, or behind it
  double size;  // by how much
  bool here;    // on this rank
  bool sets;    // its multiplier belongs to this rank
} MovedNumber;

typedef struct {
  MovedNumber *at;
  size_t count, room;
} MovedNumbers;

static PetscErrorCode AddNumber(MovedNumbers *to, MovedNumber n) {
  PetscFunctionBegin;
  if (to->count == to->room) PetscCall(PetscRealloc((to->room = 2 * to->room + 64) * sizeof n, &to->at));
  to->at[to->count++] = n;
  PetscFunctionReturn(0);
}

// Whether a number of an owner, in a row of the model, is moved.
static bool is_moved(const Stepper *p, const StateArray *a, PetscInt row, size_t number) {
  static const char *const still[] = {"x_before",    "coord_before", "coord_last",    "row_last", "time",
                                      "ledger",      "multiplier",   "recalled_step", "last_h",   "load_work",
                                      "drive_force", "contact_sums", "contact_last"};
  if (!rates_is_smooth(a, number) || !state_is_carried(a, number)) return false;
  for (size_t i = 0; i < sizeof still / sizeof *still; i++)
    if (!strcmp(a->name, still[i])) return false;
  if (a->owner != OWNER_NODE) return true;
  NodeKind kind = model_node(p->s->motion.layout.model, (int)row)->kind;
  return row > 0 && (kind == NODE_FIXED || (int)(number / 3) < node_vectors(kind));
}

// Multipliers of a fixed node have parts on all ranks (product.h): these become one.
static PetscErrorCode AddArray(Adjoint *w, const StateArray *a, size_t first, MovedNumbers *to) {
  const Stepper *p = w->run->stepper;
  const Layout *layout = &p->s->motion.layout;
  size_t width = a->item / sizeof(double);
  PetscInt total, items, *at;
  double *size;
  PetscFunctionBegin;
  if (!width) PetscFunctionReturn(0);
  PetscCall(AdjointListRows(p, a->owner, &total, &items, &at));
  PetscCall(AdjointFindSizes(w, a, first, &size));
  for (PetscInt row = 0; row < total; row++)
    for (size_t j = 0; j < (size_t)items * width; j++) {
      bool here = at[row] >= 0, ghost = a->owner == OWNER_NODE && at[row] >= layout->nnode_own;
      size_t place = first + (here ? (size_t)at[row] * width + j : 0);
      if (is_moved(p, a, row, j % width))
        PetscCall(AddNumber(to, (MovedNumber){place, size[j % width], here, here && !ghost}));
    }
  PetscCall(PetscFree(at));
  PetscCall(PetscFree(size));
  PetscFunctionReturn(0);
}

// Those of all ranks, in the order of the model.
static PetscErrorCode ListNumbers(Adjoint *w, MovedNumbers *to) {
  Stepper *p = w->run->stepper;
  AdjointControl *c = &w->control;
  StateArray list[MOST_STATE_ARRAYS];
  size_t first = 0;
  int arrays;
  PetscFunctionBegin;
  *to = (MovedNumbers){.at = NULL};
  PetscCall(StateList(p, TRIED, list, &arrays));
  for (int i = 0; i < arrays; i++) {
    if (list[i].packing) continue;
    PetscCall(AddArray(w, &list[i], first, to));
    first += state_array_numbers(&list[i]);
  }
  for (size_t i = 0; i < c->count; i++)
    if (c->smooth[i]) PetscCall(AddNumber(to, (MovedNumber){c->place + i, adjoint_control_size(w, i), true, true}));
  for (size_t i = 0; i < w->events.count; i++) {
    Switched q = switched_at(w, i);
    double size = q.place == AT_JOINT ? 1 : p->options.step;
    if (acts(w, &q)) PetscCall(AddNumber(to, (MovedNumber){w->size + i, size, true, true}));
  }
  PetscFunctionReturn(0);
}

// The step with all directions, whose rates at its start are given, from the same state.
static PetscErrorCode TakeStep(Adjoint *w, RunWork *run, const StateCopy *copy) {
  Stepper *p = w->run->stepper;
  StepVisitor visit = run_visitor(run);
  PetscFunctionBegin;
  PetscCall(StateCopyRestore(p, copy->data, copy->size, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  run->thrown = p->events->records;
  for (int i = 0; i < run->count; i++) {
    Direction *d = &run->direction[i];
    d->delta = (1 + i % LENGTHS) * parameter_delta(run_parameter(run, d), forward_part);
    d->shorter = i % LENGTHS ? &run->direction[i - 1] : NULL;
    for (int k = 0; k < POINTS; k++)
      PetscCall(SwitchesPut(d->shadow[k].run->stepper, p, distance_of(d, k), d->switched));
    run_follow(run, d);
  }
  PetscCall(RunTakeStep(w->run, &visit, w->wrong));
  PetscFunctionReturn(0);
}

// lambda . dS_1 of a quantity and a parameter or number, of all ranks: from both lengths of a difference, extrapolated, and by how
// much they disagree.
typedef struct {
  double value, apart;
} EndProduct;

static PetscErrorCode FindEndProducts(const Adjoint *w, const RunWork *run, int count, EndProduct *out) {
  const Layout *layout = &w->run->stepper->s->motion.layout;
  size_t n = (size_t)(w->count * count);
  double *sum;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(LENGTHS * n, &sum));
  for (int k = 0; k < w->count; k++)
    for (int i = 0; i < LENGTHS * count; i++) {
      const double *lambda = w->next[k], *rate = run->direction[i].rate, *switched = run->direction[i].switched;
      double *to = &sum[k * LENGTHS * count + i];
      for (size_t j = 0; j < w->size; j++)
        if (w->events.counts[j] && lambda[j] != 0) *to += lambda[j] * rate[j];
      for (size_t j = 0; j < w->events.count && layout->rank == 0; j++)
        if (lambda[w->size + j] != 0) *to += lambda[w->size + j] * switched[j];
    }
  PetscCall(ReduceArray(layout->comm, sum, (PetscInt64)(LENGTHS * n), MPI_DOUBLE, MPI_SUM));
  for (size_t i = 0; i < n; i++)
    out[i] =
        (EndProduct){(4 * sum[LENGTHS * i] - sum[LENGTHS * i + 1]) / 3, fabs(sum[LENGTHS * i] - sum[LENGTHS * i + 1])};
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

static PetscErrorCode Clear(const Adjoint *w, Direction *d) {
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(d->rate, w->size));
  PetscCall(PetscArrayzero(d->switched, w->events.count));
  PetscFunctionReturn(0);
}

static PetscErrorCode PutNumber(const Adjoint *w, const MovedNumber *n, Direction *d) {
  PetscFunctionBegin;
  PetscCall(Clear(w, d));
  if (!n || !n->here) PetscFunctionReturn(0);
  if (n->place < w->size) d->rate[n->place] = n->size;
  else d->switched[n->place - w->size] = n->size;
  PetscFunctionReturn(0);
}

// Multipliers of the state at the start.
static PetscErrorCode BackThroughState(Adjoint *w, RunWork *run, const StateCopy *copy) {
  MovedNumbers moved;
  EndProduct *end, *all;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(w->count * AT_ONCE, &end, w->count, &all));
  PetscCall(PetscArrayzero(all, w->count));
  PetscCall(ListNumbers(w, &moved));
  for (int i = 0; i < DIRECTIONS && !is_refused(w->wrong); i++)
    PetscCall(RunStartDirection(run, &run->direction[run->count++], -1, 1 + i % LENGTHS));
  for (size_t first = 0; first < moved.count && !gradient_ends(w->p, w->wrong); first += AT_ONCE) {
    int count = (int)PetscMin(AT_ONCE, moved.count - first);
    for (int i = 0; i < DIRECTIONS; i++)
      PetscCall(
          PutNumber(w, i / LENGTHS < count ? &moved.at[first + (size_t)(i / LENGTHS)] : NULL, &run->direction[i]));
    PetscCall(TakeStep(w, run, copy));
    if (is_refused(w->wrong)) break;
    PetscCall(FindEndProducts(w, run, count, end));
    for (int i = 0; i < w->count * count; i++) {
      const MovedNumber *n = &moved.at[first + (size_t)(i % count)];
      int k = i / count;
      if (n->sets) w->lambda[k][n->place] = end[i].value / n->size;
      all[k].value += fabs(end[i].value), all[k].apart += end[i].apart;
    }
  }
  for (int k = 0; k < w->count; k++)
    if (all[k].value > 0) w->events.apart[k] += all[k].apart / all[k].value;
  PetscCall(PetscFree2(end, all));
  PetscCall(PetscFree(moved.at));
  PetscFunctionReturn(0);
}

static PetscErrorCode AddParameters(Adjoint *w, RunWork *run, const StateCopy *copy) {
  EndProduct *end;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(w->count * AT_ONCE, &end));
  for (int first = 0; first < w->parameters && !gradient_ends(w->p, w->wrong); first += AT_ONCE) {
    int count = PetscMin(AT_ONCE, w->parameters - first);
    for (int i = 0; i < LENGTHS * count && !is_refused(w->wrong); i++) {
      Direction *d = &run->direction[run->count++];
      PetscCall(RunStartDirection(run, d, w->parameter[first + i / LENGTHS].parameter, 1 + i % LENGTHS));
      PetscCall(Clear(w, d));
    }
    if (!is_refused(w->wrong)) PetscCall(TakeStep(w, run, copy));
    if (!is_refused(w->wrong)) PetscCall(FindEndProducts(w, run, count, end));
    for (int i = 0; i < w->count * count && !is_refused(w->wrong); i++) {
      size_t at = (size_t)(i / count) * (size_t)w->parameters + (size_t)(first + i % count);
      w->sum[at] += end[i].value, w->rough[at] += end[i].value, w->noise[at] += 2 * end[i].apart;
    }
    PetscCall(RunEndDirections(run));
  }
  PetscCall(PetscFree(end));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointEventsBack(Adjoint *w, const StateCopy *copy) {
  RunWork run[1] = {{.p = w->p, .run = w->run, .columns = w->columns, .wrong = w->wrong}};
  PetscFunctionBegin;
  for (int k = 0; k < w->count; k++) {
    double *swap = w->next[k];
    w->next[k] = w->lambda[k], w->lambda[k] = swap;
    PetscCall(PetscArrayzero(w->lambda[k], w->size + w->events.count));
  }
  PetscCall(StateCopyRestore(w->run->stepper, copy->data, copy->size, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(RunPrepareWork(run));
  PetscCall(BackThroughState(w, run, copy));
  PetscCall(RunEndDirections(run));
  PetscCall(AddParameters(w, run, copy));
  PetscCall(RunEndWork(run));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  PetscCall(StateCopyRestore(w->run->stepper, copy->data, copy->size, w->wrong));
  PetscCall(AdjointEventsShare(w));
  PetscCall(AdjointControlShare(w));
  PetscFunctionReturn(0);
}

// ---- the whole run ----

static PetscErrorCode FindCounted(Adjoint *w) {
  const Stepper *p = w->run->stepper;
  StateArray list[MOST_STATE_ARRAYS];
  size_t first = 0;
  int arrays;
  PetscFunctionBegin;
  for (size_t j = 0; j < w->size; j++) w->events.counts[j] = p->s->motion.layout.rank == 0; // of the network
  PetscCall(StateList(w->run->stepper, TRIED, list, &arrays));
  for (int i = 0; i < arrays; i++) {
    bool *counts;
    if (list[i].packing) continue;
    PetscCall(PetscMalloc1(list[i].count, &counts));
    if (list[i].count) PetscCall(AdjointMarkCounted(p, &list[i], counts));
    for (size_t j = 0; j < state_array_numbers(&list[i]); j++)
      w->events.counts[first + j] = counts[j * sizeof(double) / list[i].item];
    first += state_array_numbers(&list[i]);
    PetscCall(PetscFree(counts));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode FindPlaces(Adjoint *w) {
  AdjointEvents *e = &w->events;
  const struct {
    const char *name;
    size_t *place;
  } wanted[] = {{"last_h", &e->last_h}, {"past_step", &e->past_step}, {"recalled_step", &e->recalled_step}};
  StateArray list[MOST_STATE_ARRAYS];
  size_t first = 0;
  int arrays;
  PetscFunctionBegin;
  PetscCall(StateList(w->run->stepper, TRIED, list, &arrays));
  for (int i = 0; i < arrays; i++) {
    if (list[i].packing) continue;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
      if (!strcmp(list[i].name, wanted[k].name)) *wanted[k].place = first;
    first += state_array_numbers(&list[i]);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointEventsCreate(Adjoint *w) {
  AdjointEvents *e = &w->events;
  PetscFunctionBegin;
  e->any = w->run->stepper->events;
  e->count = switches_size(w->run->stepper);
  if (!e->any) PetscFunctionReturn(0);
  PetscCall(PetscCalloc3(w->p->in->steps, &e->thrown, w->count, &e->apart, w->size, &e->counts));
  PetscCall(FindPlaces(w));
  PetscCall(FindCounted(w));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointEventsDestroy(AdjointEvents *e) {
  PetscFunctionBegin;
  if (e->any) PetscCall(PetscFree3(e->thrown, e->apart, e->counts));
  PetscFunctionReturn(0);
}
