// SPDX-License-Identifier: Apache-2.0
// Slopes of columns by the state in the adjoint method: central differences of fourth order over the few numbers on which a
// column depends. These are found by moving each number of a state, once, and again in rows where a column depends on others.
#include "gradient/adjoint.h"

#include "assembly/ranks.h"
#include "base/rotation.h"
#include "quantities/ledger.h"
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

static const size_t no_place = SIZE_MAX; // in a vector of the state

// Changes a number of the state; of a node's place also where the last step brought it.
static void set_number(Stepper *p, const StateArray *a, size_t number, double value) {
  ((double *)a->data)[number] = value;
  if (strcmp(a->name, "x")) return;
  Vec3 *x = &p->s->motion.step.motion[number / 12].x[number % 12 / 3];
  if (number % 3 == 0) x->x = value;
  else if (number % 3 == 1) x->y = value;
  else x->z = value;
}

// The increments of a node or a joint in the last step, on which forces of joints depend: from x_before to x. A number that
// is moved takes them along.
typedef struct {
  PetscInt at; // among own and ghost unknowns
  int count;
  double value[6];
} Increments;

static Increments increments_of(const Layout *layout, const StateArray *a, size_t owner) {
  bool node = !strcmp(a->name, "x") || !strcmp(a->name, "x_before");
  Increments none = {.count = 0};
  PetscInt i = (PetscInt)owner;
  if (node && layout->node_block[i] >= 0)
    return (Increments){.at = layout->node_block[i] * layout->bs,
                        .count = 3 * node_blocks(model_node(layout->model, layout->node[i])->kind)};
  if (strcmp(a->name, "coord") && strcmp(a->name, "coord_before")) return none;
  const Joint *joint = layout_joint(layout, i);
  return (Increments){.at = layout->joint_block[i] * layout->bs + joint->rows.nrow, .count = joint->ncoord};
}

static void move_increments(const StateArray *a, size_t number, double change, Increments *out) {
  bool before = !strcmp(a->name, "x_before") || !strcmp(a->name, "coord_before");
  size_t width = a->item / sizeof(double), k = number % width;
  double axis[3] = {0};
  if (a->owner == OWNER_JOINT || k < 3) {
    if (k < (size_t)out->count) out->value[k] += before ? -change : change;
    return;
  }
  axis[k % 3] = before ? -0.5 * change : 0.5 * change;
  Vec3 turn = vec3_cross(((const Vec3 *)a->data)[number / 3], vec3_of(axis)); // of the axes, half that of one of them
  Mat3 small = rotation_exponential(turn), all = rotation_matrix(vec3_of(out->value + 3));
  vec3_to(rotation_conformal(before ? mat3_mul(all, small) : mat3_mul(small, all)), out->value + 3);
}

static PetscErrorCode ExchangeIncrements(Equations *equations, Increments *i, bool put) {
  double *q;
  Vec local;
  PetscFunctionBegin;
  if (!i->count) PetscFunctionReturn(0);
  PetscCall(VecGhostGetLocalForm(equations->unknown, &local));
  PetscCall(VecGetArray(local, &q));
  if (put) PetscCall(PetscArraycpy(q + i->at, i->value, i->count));
  else PetscCall(PetscArraycpy(i->value, q + i->at, i->count));
  PetscCall(VecRestoreArray(local, &q));
  PetscCall(VecGhostRestoreLocalForm(equations->unknown, &local));
  PetscFunctionReturn(0);
}

// The sizes by which the numbers of an owner are moved, the same on every rank. Where control blocks read numbers, a state at
// rest does not make them small.
PetscErrorCode AdjointFindSizes(const Adjoint *w, const StateArray *a, size_t first, double **size) {
  const Layout *layout = &w->run->stepper->s->motion.layout;
  const double *data = a->data;
  size_t width = a->item / sizeof(double);
  bool place = !strcmp(a->name, "x") || !strcmp(a->name, "x_before");
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(width, size));
  for (size_t i = 0; i < width && a->count && !place && w->control.network && first != no_place; i++)
    (*size)[i] = w->control.largest[first + i];
  for (size_t i = 0; i < a->count * width && !place; i++) (*size)[i % width] = fmax((*size)[i % width], fabs(data[i]));
  for (size_t i = 0; i < 3 && place; i++) (*size)[i] = layout->length;
  PetscCall(ReduceArray(layout->comm, *size, (PetscInt64)width, MPI_DOUBLE, MPI_MAX));
  for (size_t i = 0; i < width; i++) (*size)[i] = (*size)[i] > 0 ? (*size)[i] : 1;
  PetscFunctionReturn(0);
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
  Increments moved = {.count = 0}, still;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count, &kept));
  if (here) moved = increments_of(&p->s->motion.layout, a, first * sizeof(double) / a->item);
  PetscCall(ExchangeIncrements(&p->s->equations, &moved, false));
  still = moved;
  for (size_t i = 0; i < count && here; i++) {
    kept[i] = data[first + i];
    if (moved.count) move_increments(a, first + i, change[i], &moved);
    set_number(p, a, first + i, kept[i] + change[i]);
  }
  PetscCall(ExchangeIncrements(&p->s->equations, &moved, true));
  PetscCall(ColumnsSample(&w->columns, w->run, out));
  PetscCall(FindReading(w, &out[w->columns.count]));
  for (size_t i = 0; i < count && here; i++) set_number(p, a, first + i, kept[i]);
  PetscCall(ExchangeIncrements(&p->s->equations, &still, true));
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

PetscErrorCode AdjointListRows(const Stepper *p, StateOwner owner, PetscInt *total, PetscInt *items, PetscInt **at) {
  OwnerRows rows = {.total = 1, .items = 1};
  PetscFunctionBegin;
  if (owner != OWNER_RUN) PetscCall(OwnerRowsCreate(p, owner, true, &rows));
  *total = rows.total, *items = rows.items;
  PetscCall(PetscMalloc1(rows.total, at));
  for (PetscInt i = 0; i < rows.total; i++) (*at)[i] = owner == OWNER_RUN ? 0 : -1;
  for (PetscInt k = 0; k < rows.count; k++) (*at)[rows.row[k]] = rows.local[k] * rows.items;
  PetscCall(OwnerRowsDestroy(&rows));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindIn(Adjoint *w, const StateArray *a, int index, size_t place, const double *row, double *out) {
  size_t width = a->item / sizeof(double), first = state_is_differentiated(a->name) ? place : no_place;
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

// ---- slopes ----

static const double noise = 1e-11;                // of values in the run: round-off that a gain has made larger
static const double part = 1e-4, shortest = 1e-8; // of the size of a number: its difference, and the shortest one

// A number of the state or of the control network.
typedef struct {
  StateArray array;
  double value, size;
  Increments still;
} Number;

static PetscErrorCode FindNumber(Adjoint *w, const ColumnEntry *e, Number *out) {
  StateArray list[MOST_STATE_ARRAYS];
  double *size;
  int count;
  PetscFunctionBegin;
  if (e->from < 0) {
    *out = (Number){.value = w->control.now[e->number], .size = adjoint_control_size(w, e->number)};
    PetscFunctionReturn(0);
  }
  PetscCall(StateList(w->run->stepper, TRIED, list, &count));
  out->array = list[e->from];
  out->value = e->here ? ((double *)out->array.data)[e->number] : 0;
  PetscCall(AdjointFindSizes(w, &out->array, e->here ? e->place - e->number : no_place, &size));
  out->size = size[e->number % (out->array.item / sizeof(double))];
  size_t owner = e->number * sizeof(double) / out->array.item;
  out->still =
      e->here ? increments_of(&w->run->stepper->s->motion.layout, &out->array, owner) : (Increments){.count = 0};
  PetscCall(ExchangeIncrements(&w->run->stepper->s->equations, &out->still, false));
  PetscCall(PetscFree(size));
  PetscFunctionReturn(0);
}

static PetscErrorCode PutNumber(Adjoint *w, const ColumnEntry *e, const Number *n, double value) {
  AdjointControl *c = &w->control;
  PetscFunctionBegin;
  if (e->from >= 0) {
    Increments moved = n->still;
    if (moved.count && value != n->value) move_increments(&n->array, e->number, value - n->value, &moved);
    PetscCall(ExchangeIncrements(&w->run->stepper->s->equations, &moved, true));
    if (e->here) set_number(w->run->stepper, &n->array, e->number, value);
    PetscFunctionReturn(0);
  }
  c->now[e->number] = value;
  PetscCall(c->network->put(c->network, c->now));
  PetscFunctionReturn(0);
}

// Of values at +1, -1, +2 and -2 lengths: whether a kink lies among them. `scale`: of the values in the run.
static bool is_kinked(const double f[4], double scale) {
  double odd = fabs(f[2] - f[3] - 2 * (f[0] - f[1]));
  double round = fmax(64 * PETSC_MACHINE_EPSILON * (fabs(f[2]) + fabs(f[3])), noise * scale);
  return !(odd <= 1e-5 * fabs(f[0] - f[1]) + round);
}

// Whether it lies in the middle: the even part is a line then and not a parabola.
static bool is_kinked_at(const double f[4], double middle, double scale) {
  double near = fabs(f[0] + f[1] - 2 * middle), far = fabs(f[2] + f[3] - 2 * middle);
  double size = fabs(f[0] - middle) + fabs(f[1] - middle), round = noise * fmax(scale, fabs(middle));
  return near > 1e-6 * size + round && far < 3 * near;
}

// A slope from such values at the distance d. Where both sides differ, it is their mean, and in the second way back that of one.
static double slope_of(Adjoint *w, const double f[4], double middle, double scale, double d) {
  bool differs = is_kinked(f, scale) || is_kinked_at(f, middle, scale);
  w->undecided = w->undecided || differs;
  if (differs && w->second) return (4 * f[0] - f[2] - 3 * middle) / (2 * d);
  return (8 * (f[0] - f[1]) - (f[2] - f[3])) / (12 * d);
}

PetscErrorCode AdjointFindSlopes(Adjoint *w, const AdjointSample *s, const ColumnEntry *e, double *slope) {
  double *f[4], *all;
  bool *done, left = true;
  Number n;
  PetscFunctionBegin;
  PetscCall(FindNumber(w, e, &n));
  PetscCall(PetscMalloc1(4 * s->count, &all));
  PetscCall(PetscCalloc1(s->count, &done));
  for (int k = 0; k < 4; k++) f[k] = all + k * s->count;
  for (double d = s->part * n.size; left; d *= 0.1) { // shorter where a kink is near
    left = false;
    for (int k = 0; k < 4; k++) {
      PetscCall(PutNumber(w, e, &n, n.value + (k % 2 ? -1 : 1) * (1 + k / 2) * d));
      PetscCall(s->take(w, f[k]));
    }
    for (int i = 0; i < s->count; i++) {
      double at[] = {f[0][i], f[1][i], f[2][i], f[3][i]};
      if (done[i] || (s->wanted && !s->wanted[i])) continue;
      double scale = s->scale ? s->scale[i] : 0;
      done[i] = !(d > shortest * n.size && is_kinked(at, scale)), left = left || !done[i];
      if (done[i]) slope[i] = slope_of(w, at, s->middle[i], scale, d);
    }
  }
  PetscCall(PutNumber(w, e, &n, n.value));
  PetscCall(PetscFree(all));
  PetscCall(PetscFree(done));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointMoveSupport(Adjoint *w, const ColumnSupport *s, bool away, double by, double *kept) {
  PetscFunctionBegin;
  for (int i = 0; i < s->count; i++) {
    Number n;
    PetscCall(FindNumber(w, &s->entry[i], &n));
    n.still.count = 0; // increments are put back to the bit only one by one
    if (away) kept[i] = n.value;
    PetscCall(
        PutNumber(w, &s->entry[i], &n, away ? n.value + by * (1 + adjoint_scatter((size_t)i)) * n.size : kept[i]));
  }
  PetscFunctionReturn(0);
}

// Multipliers of ghosts are their owners'.
bool adjoint_is_own(const Adjoint *w, const ColumnEntry *e) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  if (e->from < 0 || !e->here) return e->here;
  if (StateList(w->run->stepper, TRIED, list, &count)) return false;
  size_t owner = e->number * sizeof(double) / list[e->from].item;
  return list[e->from].owner != OWNER_NODE || (PetscInt)owner < w->run->stepper->s->motion.layout.nnode_own;
}

// All numbers that probes record.
static PetscErrorCode TakeProbes(Adjoint *w, double *out) {
  double *unused;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(w->columns.count, &unused));
  PetscCall(ColumnsSample(&w->columns, w->run, unused));
  PetscCall(PetscArraycpy(out, w->columns.probes.row, w->columns.probes.width));
  PetscCall(PetscFree(unused));
  PetscFunctionReturn(0);
}

// The slopes of a formula by the recorded numbers that it reads, at those of a row. Forces of a stiff body change by far more than
// their values where its nodes are moved: what a formula makes of them is not nearly linear there.
static PetscErrorCode FindFormulaSlopes(Adjoint *w, int formula, const double *row, double *slope, bool *wanted) {
  Probes *p = w->columns.probes.probes;
  int width = w->columns.probes.width;
  double *moved;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(width, &moved));
  for (int i = 0; i < width; i++) {
    double size = w->read[i] > 0 ? w->read[i] : 1, f[4];
    wanted[i] = probes_reads(p, formula, i) && !probes_is_formula(p, i), slope[i] = 0;
    for (double d = part * size; wanted[i]; d *= 0.1) {
      for (int k = 0; k < 4; k++) {
        PetscCall(PetscArraycpy(moved, row, width));
        moved[i] += (k % 2 ? -1 : 1) * (1 + k / 2) * d;
        probes_put_formulas(p, moved);
        f[k] = moved[formula];
      }
      slope[i] = slope_of(w, f, row[formula], w->read[formula], d);
      if (d <= shortest * size || !is_kinked(f, w->read[formula])) break;
    }
  }
  PetscCall(PetscFree(moved));
  PetscFunctionReturn(0);
}

// Whether a formula reads a number itself: of the ledger, or a signal.
static bool reads_number(Adjoint *w, const ColumnEntry *e) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  return e->from < 0 || (!StateList(w->run->stepper, TRIED, list, &count) && !strcmp(list[e->from].name, "ledger"));
}

PetscErrorCode AdjointAddColumn(Adjoint *w, int column, double weight, double *lambda) {
  const ProbeOutputs *o = &w->columns.probes;
  AdjointControl *c = &w->control;
  double *row, *slope, *by;
  bool *itself, *wanted;
  StateParts parts;
  PetscFunctionBegin;
  if (w->columns.ledger[column]) {
    PetscCall(StateVectorFind(w->run->stepper, lambda, &parts));
    *(double *)(uintptr_t)ledger_value(parts.ledger, w->columns.ledger[column]) += weight;
    PetscFunctionReturn(0);
  }
  int at = o->column[w->columns.probe[column]];
  bool formula = probes_is_formula(o->probes, at);
  PetscCall(PetscCalloc5(o->width, &row, o->width, &slope, o->width, &by, o->width, &itself, o->width, &wanted));
  itself[at] = true;
  PetscCall(TakeProbes(w, row));
  if (formula) PetscCall(FindFormulaSlopes(w, at, row, by, wanted));
  if (c->network) c->network->get(c->network, c->now);
  for (int i = 0; i < w->support[column].count; i++) {
    const ColumnEntry *e = &w->support[column].entry[i];
    bool through = formula && !reads_number(w, e);
    const AdjointSample sample = {TakeProbes, o->width, through ? wanted : itself, part, row, w->read};
    double sum = 0;
    PetscCall(AdjointFindSlopes(w, &sample, e, slope));
    for (int j = 0; j < o->width && through; j++)
      if (wanted[j]) sum += by[j] * slope[j];
    if (adjoint_is_own(w, e)) lambda[e->place] += weight * (through ? sum : slope[at]);
  }
  PetscCall(PetscFree5(row, slope, by, itself, wanted));
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
    Increments moved = increments_of(layout, a, owner);
    PetscCall(PetscArraycpy(moved.value, q + moved.at, moved.count));
    for (size_t number = owner * width; number < (owner + 1) * width; number++) {
      double change = by * (1 + adjoint_scatter(number)) * size[number % width];
      if (marked[place + number]) continue;
      if (moved.count) move_increments(a, number, change, &moved);
      set_number(w->run->stepper, a, number, ((double *)a->data)[number] + change);
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
  PetscCall(TakeProbes(w, out));
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
