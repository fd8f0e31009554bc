// SPDX-License-Identifier: Apache-2.0
// On which numbers of the state a column depends, in the adjoint method. They are found by moving each number, once, and again in
// rows where a column depends on others.
#include "gradient/adjoint.h"

#include "solvers/redundancy.h"

#include <math.h>
#include <string.h>

// Numbers that a step makes of others; columns that depend on them have no slopes here.
static bool is_made(const char *array) {
  static const char *const names[] = {"coord_force", "load_force",   "drive_force", "reaction",
                                      "load_work",   "contact_sums", "contact_last"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(array, names[i])) return true;
  return false;
}

static PetscErrorCode AddEntry(ColumnSupport *s, ColumnEntry e) {
  PetscFunctionBegin;
  if (s->count == s->room) {
    int room = 2 * s->room + 16;
    PetscCall(PetscRealloc((size_t)room * sizeof *s->entry, &s->entry));
    s->room = room;
  }
  s->entry[s->count++] = e;
  PetscFunctionReturn(0);
}

// Whether a column, or one that its formula reads, is another one than in `row`. A formula may forget what it reads, such as the
// smaller of two numbers does.
static bool has_changed(const Adjoint *w, int c, const double *row) {
  const ProbeOutputs *o = &w->columns.probes;
  int column = w->columns.ledger[c] ? -1 : o->column[w->columns.probe[c]];
  for (int i = 0; i < o->width && column >= 0; i++)
    if (o->row[i] != row[i] && probes_reads(o->probes, column, i)) return true;
  return false;
}

// 1 + the first number that the control network reads and that has changed; 0: none.
static PetscErrorCode FindReading(Adjoint *w, double *out) {
  AdjointControl *c = &w->control;
  PetscFunctionBegin;
  *out = 0;
  if (!c->network) PetscFunctionReturn(0);
  PetscCall(c->network->back->read(c->network, c->read));
  for (size_t i = 0; i < c->network->back->count(c->network) && *out == 0; i++)
    if (c->read[i] != c->reading[i]) *out = (double)(i + 1);
  PetscFunctionReturn(0);
}

// The numbers of a row of the state (OwnerRows), which may be of another rank.
typedef struct {
  const StateArray *array;
  int index;           // of the array in its list
  size_t place;        // of the array in a vector of the state
  size_t count, width; // numbers of a row, and of an owner
  const double *size;
  bool here;
  size_t at, model; // where the row begins in the array, and in that of the whole model
} StateRow;

// The columns where numbers of an owner, or of elements, are changed, and then whether a reading is. All ranks sample; those that
// have the numbers change them.
static PetscErrorCode SampleChanged(Adjoint *w, const StateArray *a, bool here, size_t first, size_t count,
                                    const double *change, double *out) {
  Stepper *p = w->run->stepper;
  double *data = a->data, *kept;
  StepIncrements moved = {.count = 0}, still;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count, &kept));
  if (here) moved = adjoint_increments(&p->s->motion.layout, a, first * sizeof(double) / a->item);
  PetscCall(AdjointExchangeIncrements(&p->s->equations, &moved, false));
  still = moved;
  for (size_t i = 0; i < count && here; i++) {
    kept[i] = data[first + i];
    if (moved.count) adjoint_move_increments(a, first + i, change[i], &moved);
    adjoint_set_number(p, a, first + i, kept[i] + change[i]);
  }
  PetscCall(AdjointExchangeIncrements(&p->s->equations, &moved, true));
  PetscCall(ColumnsSample(&w->columns, w->run, out));
  PetscCall(FindReading(w, &out[w->columns.count]));
  for (size_t i = 0; i < count && here; i++) adjoint_set_number(p, a, first + i, kept[i]);
  PetscCall(AdjointExchangeIncrements(&p->s->equations, &still, true));
  PetscCall(PetscFree(kept));
  PetscFunctionReturn(0);
}

// Which columns change with numbers from .. to of a row, which all ranks move where they have it, and then whether a reading does.
static PetscErrorCode FindChanges(Adjoint *w, const StateRow *r, size_t from, size_t to, const double *row,
                                  double *out) {
  const ProbeOutputs *o = &w->columns.probes;
  double *change;
  bool ledger = !strcmp(r->array->name, "ledger");
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(r->count, &change));
  for (size_t i = from; i < to; i++)
    change[i] = 0.013 * (1 + 0.37 * (double)((r->model + i) % 7)) * r->size[i % r->width];
  PetscCall(SampleChanged(w, r->array, r->here, r->at + from, to - from, change + from, out));
  for (int c = 0; c < w->columns.count; c++) {
    out[c] = has_changed(w, c, row);
    for (size_t i = from; i < to && ledger && !w->columns.ledger[c]; i++)
      if (probes_reads_ledger(o->probes, o->column[w->columns.probe[c]], i)) out[c] = 1;
  }
  PetscCall(PetscFree(change));
  PetscFunctionReturn(0);
}

static void refuse_column(const Adjoint *w, int c) {
  refuse(w->wrong, "the adjoint method does not support '%s' yet: use `--method forward`",
         w->p->g->quantity[w->columns.quantity[c]].column);
}

static void refuse_reading(const Adjoint *w, size_t reading) {
  bool of_several;
  refuse(w->wrong, "the adjoint method does not support control blocks that read '%s' yet: use `--method forward`",
         w->control.network->back->name(w->control.network, reading, &of_several));
}

// Of joints with redundant equations forces follow from those of other joints, which samples find (solvers/redundancy.h).
static bool is_distributed(const Adjoint *w, const StateArray *a) {
  const Redundancy *r = &w->run->stepper->s->redundancy;
  bool any = false;
  for (PetscInt i = 0; i < r->nloop; i++) any = any || r->loop[i].redundant > 0;
  return any && !strcmp(a->name, "multiplier");
}

// Adds a number to the support of all columns, and readings, that have changed.
static PetscErrorCode AddToSupports(Adjoint *w, const StateArray *a, ColumnEntry e, const double *changed) {
  int count = w->columns.count;
  PetscFunctionBegin;
  for (int c = 0; c <= count && !is_refused(w->wrong); c++) {
    if (changed[c] == 0) continue;
    if (!state_is_differentiated(a->name) || !state_is_carried(a, e.number) || is_distributed(w, a)) {
      if (c < count) refuse_column(w, c);
      else refuse_reading(w, (size_t)changed[c] - 1);
      PetscFunctionReturn(0);
    }
    w->energies = w->energies || !strcmp(a->name, "ledger");
    PetscCall(AddEntry(&w->support[c], e));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode FindInRow(Adjoint *w, const StateRow *r, const double *row, double *out) {
  bool any = false;
  PetscFunctionBegin;
  PetscCall(FindChanges(w, r, 0, r->count, row, out));
  for (int c = 0; c <= w->columns.count; c++) any = any || out[c] != 0;
  for (size_t i = 0; any && i < r->count && !is_refused(w->wrong); i++) {
    size_t number = r->here ? r->at + i : i;
    PetscCall(FindChanges(w, r, i, i + 1, row, out));
    PetscCall(AddToSupports(w, r->array, (ColumnEntry){r->index, number, r->place + number, r->here}, out));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode FindIn(Adjoint *w, const StateArray *a, int index, size_t place, const double *row, double *out) {
  size_t width = a->item / sizeof(double), first = state_is_differentiated(a->name) ? place : adjoint_no_place;
  PetscInt total = 0, items = 1, *at;
  double *size;
  PetscFunctionBegin;
  if (!width) PetscFunctionReturn(0);
  PetscCall(AdjointListRows(w->run->stepper, a->owner, &total, &items, &at));
  PetscCall(AdjointFindSizes(w, a, first, &size));
  StateRow r = {
      .array = a, .index = index, .place = place, .count = (size_t)items * width, .width = width, .size = size};
  for (PetscInt i = 0; i < total && !is_refused(w->wrong); i++) {
    r.here = at[i] >= 0, r.at = r.here ? (size_t)at[i] * width : 0, r.model = (size_t)i * r.count;
    PetscCall(FindInRow(w, &r, row, out));
  }
  PetscCall(PetscFree(size));
  PetscCall(PetscFree(at));
  PetscFunctionReturn(0);
}

// Signals that formulae read.
static PetscErrorCode FindSignals(Adjoint *w) {
  const AdjointControl *n = &w->control;
  PetscFunctionBegin;
  for (int c = 0; c < w->columns.count && n->network; c++)
    for (size_t i = 0; i < n->count && !w->columns.ledger[c]; i++) {
      const ProbeOutputs *o = &w->columns.probes;
      if (n->function[i] >= 0 && probes_reads_function(o->probes, o->column[w->columns.probe[c]], n->function[i]))
        PetscCall(AddEntry(&w->support[c], (ColumnEntry){-1, i, n->place + i, true}));
    }
  PetscFunctionReturn(0);
}

// What control blocks read, at this state; no reading may belong to several states.
static PetscErrorCode TakeReadings(Adjoint *w) {
  const AdjointControl *c = &w->control;
  const BetweenBack *back = c->network ? c->network->back : NULL;
  PetscFunctionBegin;
  if (!back) PetscFunctionReturn(0);
  PetscCall(back->read(c->network, c->reading));
  for (size_t i = 0; i < back->count(c->network) && !is_refused(w->wrong); i++) {
    bool of_several;
    back->name(c->network, i, &of_several);
    if (of_several) refuse_reading(w, i);
  }
  PetscFunctionReturn(0);
}

// Whether there is anything to look for. Largest values of many places have no slopes here.
static bool has_supports(Adjoint *w) {
  const ProbeOutputs *o = &w->columns.probes;
  bool any = w->control.network;
  for (int c = 0; c < w->columns.count; c++) {
    w->energies = w->energies || w->columns.ledger[c];
    if (w->columns.ledger[c]) continue;
    any = true;
    if (probes_searches(o->probes, o->column[w->columns.probe[c]])) refuse_column(w, c);
    w->formulas = w->formulas || probes_is_formula(o->probes, o->column[w->columns.probe[c]]);
  }
  return any;
}

PetscErrorCode AdjointFindSupport(Adjoint *w) {
  StateArray list[MOST_STATE_ARRAYS], saved[MOST_STATE_ARRAYS];
  double *row, *out;
  int count, all;
  size_t place = 0;
  bool any = has_supports(w);
  PetscFunctionBegin;
  for (int c = 0; c <= w->columns.count; c++) w->support[c].count = 0;
  PetscCall(PetscMalloc2(w->columns.probes.width, &row, w->columns.count + 1, &out));
  PetscCall(ColumnsSample(&w->columns, w->run, out));
  PetscCall(PetscArraycpy(row, w->columns.probes.row, w->columns.probes.width));
  PetscCall(TakeReadings(w));
  PetscCall(StateList(w->run->stepper, TRIED, list, &count));
  PetscCall(StateList(w->run->stepper, SAVED, saved, &all));
  for (int i = 0; i < count && any && !is_refused(w->wrong); i++) {
    if (list[i].packing) continue;
    if (state_is_differentiated(list[i].name)) PetscCall(FindIn(w, &list[i], i, place, row, out));
    place += state_array_numbers(&list[i]);
  }
  for (int i = 0; i < all && any && !is_refused(w->wrong); i++)
    if (is_made(saved[i].name)) PetscCall(FindIn(w, &saved[i], i, 0, row, out));
  if (!is_refused(w->wrong)) PetscCall(FindSignals(w));
  PetscCall(PetscFree2(row, out));
  PetscFunctionReturn(0);
}

// ---- other states ----

// The state and the step that led to it, while many numbers are moved.
typedef struct {
  double *number, *unknown;
  NodeMotion *motion;
} KeptState;

static PetscErrorCode ExchangeUnknown(Equations *equations, PetscInt n, double *q, bool put) {
  double *at;
  Vec local;
  PetscFunctionBegin;
  PetscCall(VecGhostGetLocalForm(equations->unknown, &local));
  PetscCall(VecGetArray(local, &at));
  PetscCall(PetscArraycpy(put ? at : q, put ? q : at, n));
  PetscCall(VecRestoreArray(local, &at));
  PetscCall(VecGhostRestoreLocalForm(equations->unknown, &local));
  PetscFunctionReturn(0);
}

static PetscErrorCode ExchangeArrays(Adjoint *w, const StateArray *list, int count, const KeptState *kept, bool put) {
  System *s = w->run->stepper->s;
  const Layout *layout = &s->motion.layout;
  double *number = kept->number;
  PetscFunctionBegin;
  for (int i = 0; i < count; i++) {
    if (list[i].packing) continue;
    size_t bytes = state_array_bytes(&list[i]);
    if (bytes && state_is_differentiated(list[i].name))
      memcpy(put ? list[i].data : number, put ? number : list[i].data, bytes);
    number += state_array_numbers(&list[i]);
  }
  if (put) PetscCall(PetscArraycpy(s->motion.step.motion, kept->motion, layout->nnode));
  else PetscCall(PetscArraycpy(kept->motion, s->motion.step.motion, layout->nnode));
  PetscCall(ExchangeUnknown(&s->equations, layout->nblock * layout->bs, kept->unknown, put));
  PetscFunctionReturn(0);
}

// Moves all numbers of an array, but for those that are marked, by about a part of their sizes. `q`: own and ghost unknowns.
static PetscErrorCode MoveArray(Adjoint *w, const StateArray *a, size_t place, const bool *marked, double by,
                                double *q) {
  const Layout *layout = &w->run->stepper->s->motion.layout;
  size_t width = a->item / sizeof(double);
  double *size;
  PetscFunctionBegin;
  PetscCall(AdjointFindSizes(w, a, place, &size));
  for (size_t owner = a->owner == OWNER_NODE; owner < state_array_numbers(a) / width; owner++) { // not the ground
    StepIncrements moved = adjoint_increments(layout, a, owner);
    PetscCall(PetscArraycpy(moved.value, q + moved.at, moved.count));
    for (size_t number = owner * width; number < (owner + 1) * width; number++) {
      double change = by * (1 + adjoint_scatter(number)) * size[number % width];
      if (marked[place + number]) continue;
      if (moved.count) adjoint_move_increments(a, number, change, &moved);
      adjoint_set_number(w->run->stepper, a, number, ((double *)a->data)[number] + change);
    }
    PetscCall(PetscArraycpy(q + moved.at, moved.value, moved.count));
  }
  PetscCall(PetscFree(size));
  PetscFunctionReturn(0);
}

// Numbers of all probes, and then what the network reads.
static PetscErrorCode TakeOutputs(Adjoint *w, double *out) {
  const Between *network = w->control.network;
  PetscFunctionBegin;
  PetscCall(AdjointTakeProbes(w, out));
  if (network) PetscCall(network->back->read(w->control.network, out + w->columns.probes.width));
  PetscFunctionReturn(0);
}

// The same where all numbers of the state are moved but those of a support.
static PetscErrorCode TakeWithOthers(Adjoint *w, const ColumnSupport *support, double by, double *out) {
  System *s = w->run->stepper->s;
  PetscInt all = s->motion.layout.nblock * s->motion.layout.bs;
  StateArray list[MOST_STATE_ARRAYS];
  KeptState kept;
  bool *marked;
  double *q;
  size_t place = 0;
  int count;
  PetscFunctionBegin;
  PetscCall(StateList(w->run->stepper, TRIED, list, &count));
  PetscCall(PetscMalloc4(w->size, &kept.number, all, &kept.unknown, s->motion.layout.nnode, &kept.motion, all, &q));
  PetscCall(PetscCalloc1(w->size, &marked));
  for (int i = 0; i < support->count; i++)
    if (support->entry[i].from >= 0 && support->entry[i].here) marked[support->entry[i].place] = true;
  PetscCall(ExchangeArrays(w, list, count, &kept, false));
  PetscCall(PetscArraycpy(q, kept.unknown, all));
  for (int i = 0; i < count; i++) {
    if (list[i].packing) continue;
    if (list[i].item >= sizeof(double) && state_is_differentiated(list[i].name))
      PetscCall(MoveArray(w, &list[i], place, marked, by, q));
    place += state_array_numbers(&list[i]);
  }
  PetscCall(ExchangeUnknown(&s->equations, all, q, true));
  PetscCall(TakeOutputs(w, out));
  PetscCall(ExchangeArrays(w, list, count, &kept, true));
  PetscCall(PetscFree(marked));
  PetscCall(PetscFree4(kept.number, kept.unknown, kept.motion, q));
  PetscFunctionReturn(0);
}

// Puts the end of the last step exactly where the state is: a step that is recalled finds it with round-off, and then samples
// would change when numbers are put back.
static void place_end(Adjoint *w) {
  Motion *motion = &w->run->stepper->s->motion;
  for (PetscInt i = 0; i < motion->layout.nnode; i++)
    for (int j = 0; j < node_vectors(model_node(motion->layout.model, motion->layout.node[i])->kind); j++)
      motion->step.motion[i].x[j] = motion->state.x[4 * i + j];
}

// Whether a column, or after the last one what the network reads, depends on numbers outside its support: then it changes by half
// as much with half the way. Products of two numbers that are zero do not count.
static PetscErrorCode DependsOnOthers(Adjoint *w, int column, bool *out) {
  const double by = 1e-5, round = 64 * PETSC_MACHINE_EPSILON;
  const ProbeOutputs *o = &w->columns.probes;
  const Between *network = w->control.network;
  int count = o->width + (network ? (int)network->back->count(network) : 0);
  double *at, *near, *far;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(count, &at, count, &near, count, &far));
  PetscCall(TakeOutputs(w, at));
  PetscCall(TakeWithOthers(w, &w->support[column], by, near));
  PetscCall(TakeWithOthers(w, &w->support[column], 2 * by, far));
  *out = false;
  for (int i = 0; i < count && !*out; i++) {
    bool read = column == w->columns.count
                    ? i >= o->width
                    : i < o->width && probes_reads(o->probes, o->column[w->columns.probe[column]], i);
    double change = fabs(near[i] - at[i]);
    *out = read && change > round * fabs(at[i]) && fabs(far[i] - at[i]) < 3 * change;
  }
  PetscCall(PetscFree3(at, near, far));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointSampleRow(Adjoint *w, const double *weight, const double *recorded) {
  const double most = 1e-6; // of the largest value: by how much a column may differ from what it was in the run
  bool others = false;
  double *row;
  PetscFunctionBegin;
  place_end(w);
  PetscCall(PetscMalloc1(w->columns.count, &row));
  PetscCall(ColumnsSample(&w->columns, w->run, row));
  for (int c = 0; c < w->columns.count && !is_refused(w->wrong); c++) {
    if (weight[c] == 0 || w->columns.ledger[c]) continue;
    if (!(fabs(row[c] - recorded[c]) <= most * w->largest[c]))
      refuse(w->wrong,
             "'%s' counts turns of a body that tumbles, which the adjoint method cannot do backwards: use `--method "
             "forward`",
             w->p->g->quantity[w->columns.quantity[c]].column);
    else if (!others) PetscCall(DependsOnOthers(w, c, &others));
  }
  PetscCall(PetscFree(row));
  if (others && !is_refused(w->wrong)) PetscCall(AdjointFindSupport(w));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointCheckReadings(Adjoint *w) {
  AdjointControl *c = &w->control;
  bool others;
  PetscFunctionBegin;
  place_end(w);
  PetscCall(c->network->back->read(c->network, c->reading));
  PetscCall(DependsOnOthers(w, w->columns.count, &others));
  if (others) PetscCall(AdjointFindSupport(w));
  PetscFunctionReturn(0);
}
