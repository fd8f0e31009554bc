// SPDX-License-Identifier: Apache-2.0
// Slopes of columns by the state in the adjoint method: central differences of fourth order over the few numbers on which a
// column depends, which are found once by moving each number of a state; and of the energies of the ledger.
#include "gradient/adjoint.h"

#include "analyses/stepping/ledger.h"
#include "quantities/ledger.h"

#include <math.h>
#include <string.h>

// Numbers that a step makes of others; columns that depend on them have no slopes here.
static bool is_made(const char *array) {
  static const char *const names[] = {"coord_force", "load_force", "drive_force", "reaction", "load_work"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(array, names[i])) return true;
  return false;
}

// Changes a number of the state; of a node's place also where the last step brought it.
static void set_number(Stepper *p, const StateArray *a, size_t number, double value) {
  ((double *)a->data)[number] = value;
  if (strcmp(a->name, "x")) return;
  Vec3 *x = &p->s->motion.step.motion[number / 12].x[number % 12 / 3];
  if (number % 3 == 0) x->x = value;
  else if (number % 3 == 1) x->y = value;
  else x->z = value;
}

// The size by which numbers of an array are moved.
static double size_of(const Adjoint *w, const StateArray *a, size_t number) {
  double largest = 0, length = w->run->stepper->s->motion.layout.length;
  const double *data = a->data;
  size_t width = a->item / sizeof(double);
  if (!strcmp(a->name, "x") || !strcmp(a->name, "x_before")) return number % 12 < 3 && length > 0 ? length : 1;
  for (size_t i = 0; i < a->count; i++) largest = fmax(largest, fabs(data[i * width + number % width]));
  return largest > 0 ? largest : 1;
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

// Which columns change with numbers from .. to of an array.
static PetscErrorCode FindChanges(Adjoint *w, const StateArray *a, size_t from, size_t to, const double *row,
                                  double *out) {
  const ProbeOutputs *o = &w->columns.probes;
  double *data = a->data, *kept;
  bool ledger = !strcmp(a->name, "ledger");
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(to - from, &kept));
  memcpy(kept, data + from, (to - from) * sizeof *kept);
  for (size_t i = from; i < to; i++)
    set_number(w->run->stepper, a, i, kept[i - from] + 0.013 * (1 + 0.37 * (double)(i % 7)) * size_of(w, a, i));
  PetscCall(ColumnsSample(&w->columns, w->run, out));
  for (size_t i = from; i < to; i++) set_number(w->run->stepper, a, i, kept[i - from]);
  for (int c = 0; c < w->columns.count; c++) {
    out[c] = has_changed(w, c, row);
    for (size_t i = from; i < to && ledger && !w->columns.ledger[c]; i++)
      if (probes_reads_ledger(o->probes, o->column[w->columns.probe[c]], i)) out[c] = 1;
  }
  PetscCall(PetscFree(kept));
  PetscFunctionReturn(0);
}

static void refuse_column(const Adjoint *w, int c) {
  refuse(w->wrong, "the adjoint method does not support '%s' yet: use `--method forward`",
         w->p->g->quantity[w->columns.quantity[c]].column);
}

static PetscErrorCode FindIn(Adjoint *w, const StateArray *a, int index, size_t place, const double *row, double *out) {
  size_t width = a->item / sizeof(double);
  PetscFunctionBegin;
  for (size_t owner = 0; owner < a->count && width > 0 && !is_refused(w->wrong); owner++) {
    bool any = false;
    PetscCall(FindChanges(w, a, owner * width, (owner + 1) * width, row, out));
    for (int c = 0; c < w->columns.count; c++) any = any || out[c] != 0;
    for (size_t i = owner * width; any && i < (owner + 1) * width; i++) {
      PetscCall(FindChanges(w, a, i, i + 1, row, out));
      for (int c = 0; c < w->columns.count; c++) {
        if (out[c] == 0) continue;
        if (!state_is_differentiated(a->name)) {
          refuse_column(w, c);
          PetscFunctionReturn(0);
        }
        w->energies = w->energies || !strcmp(a->name, "ledger");
        PetscCall(AddEntry(&w->support[c], (ColumnEntry){index, i, place + i}));
      }
    }
  }
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointFindSupport(Adjoint *w) {
  StateArray list[MOST_STATE_ARRAYS], saved[MOST_STATE_ARRAYS];
  double *row, *out;
  int count, all;
  size_t place = 0;
  bool any = false;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(w->columns.probes.width, &row, w->columns.count, &out));
  PetscCall(ColumnsSample(&w->columns, w->run, out));
  PetscCall(PetscArraycpy(row, w->columns.probes.row, w->columns.probes.width));
  for (int c = 0; c < w->columns.count; c++) {
    const ProbeOutputs *o = &w->columns.probes;
    if (w->columns.ledger[c]) continue;
    if (probes_searches(o->probes, o->column[w->columns.probe[c]])) refuse_column(w, c);
    w->formulas = w->formulas || probes_is_formula(o->probes, o->column[w->columns.probe[c]]);
  }
  for (int c = 0; c < w->columns.count; c++)
    any = any || !w->columns.ledger[c], w->energies = w->energies || w->columns.ledger[c];
  PetscCall(StateList(w->run->stepper, TRIED, list, &count));
  PetscCall(StateList(w->run->stepper, SAVED, saved, &all));
  for (int i = 0; i < count && any && !is_refused(w->wrong); i++) {
    if (list[i].packing) continue;
    if (state_is_differentiated(list[i].name)) PetscCall(FindIn(w, &list[i], i, place, row, out));
    place += state_array_numbers(&list[i]);
  }
  for (int i = 0; i < all && any && !is_refused(w->wrong); i++)
    if (is_made(saved[i].name)) PetscCall(FindIn(w, &saved[i], i, 0, row, out));
  PetscCall(PetscFree2(row, out));
  PetscFunctionReturn(0);
}

static const double part = 1e-4, shortest = 1e-8; // of the size of a number: its difference

PetscErrorCode AdjointAddColumn(Adjoint *w, int column, double weight, double *lambda) {
  StateArray list[MOST_STATE_ARRAYS];
  double *row;
  int count;
  StateParts parts;
  PetscFunctionBegin;
  if (w->columns.ledger[column]) {
    PetscCall(StateVectorFind(w->run->stepper, lambda, &parts));
    *(double *)(uintptr_t)ledger_value(parts.ledger, w->columns.ledger[column]) += weight;
    PetscFunctionReturn(0);
  }
  PetscCall(PetscMalloc1(w->columns.count, &row));
  PetscCall(StateList(w->run->stepper, TRIED, list, &count));
  for (int i = 0; i < w->support[column].count; i++) {
    const ColumnEntry *e = &w->support[column].entry[i];
    const StateArray *a = &list[e->from];
    double at = ((double *)a->data)[e->number], size = size_of(w, a, e->number), d = part * size, f[4];
    for (bool kinked = true; kinked; d = kinked ? 0.1 * d : d) { // shorter where a kink of the column is near
      for (int k = 0; k < 4; k++) {
        set_number(w->run->stepper, a, e->number, at + (k % 2 ? -1 : 1) * (1 + k / 2) * d);
        PetscCall(ColumnsSample(&w->columns, w->run, row));
        f[k] = row[column];
      }
      double odd = fabs(f[2] - f[3] - 2 * (f[0] - f[1])),
             round = 64 * PETSC_MACHINE_EPSILON * (fabs(f[2]) + fabs(f[3]));
      kinked = d > shortest * size && odd > 1e-5 * fabs(f[0] - f[1]) + round;
    }
    set_number(w->run->stepper, a, e->number, at);
    lambda[e->place] += weight * (8 * (f[0] - f[1]) - (f[2] - f[3])) / (12 * d);
  }
  PetscCall(PetscFree(row));
  PetscFunctionReturn(0);
}

// ---- energies ----

static void add_kinetic(const Motion *motion, PetscInt i, double weight, Vec3 *v) {
  int nvec = node_vectors(model_node(motion->layout.model, motion->layout.node[i])->kind);
  for (int j = 0; j < nvec; j++)
    for (int k = 0; k < nvec; k++)
      v[4 * i + j] = vec3_axpy(v[4 * i + j], weight * motion->layout.mass[i][j][k], motion->state.v[4 * i + k]);
}

static void add_potential(const Motion *motion, PetscInt i, double weight, Vec3 *x) {
  const Layout *layout = &motion->layout;
  int nvec = node_vectors(model_node(layout->model, layout->node[i])->kind);
  for (PetscInt l = 0; l < layout->nfield; l++) {
    const Load *q = &model_load(layout->model, layout->field[l])->load;
    double first[4];
    layout_field_mass(layout, l, i, first);
    for (int j = 0; j < nvec && ledger_has_potential(layout, q); j++)
      x[4 * i + j] = vec3_axpy(x[4 * i + j], -weight * model_amplitude(layout->model, q->amplitude, 0) * first[j],
                               q->acceleration);
  }
}

static void add_strain(const Motion *motion, PetscInt e, double weight, Vec3 *out) {
  const Layout *layout = &motion->layout;
  const ModelElement *el = model_element(layout->model, layout->element[e]);
  Vec3 x[MAX_LOCAL_VECTORS], sum[MAX_LOCAL_VECTORS], y[MAX_Y], on[MAX_Y];
  PetscInt place[MAX_LOCAL_VECTORS];
  int n = 0;
  for (PetscInt a = layout->element_node_start[e]; a < layout->element_node_start[e + 1]; a++) {
    PetscInt i = layout->element_node[a];
    for (int j = 0; j < node_vectors(model_node(layout->model, layout->node[i])->kind); j++, n++)
      place[n] = 4 * i + j, x[n] = motion->state.x[4 * i + j], sum[n] = vec3_zero();
  }
  for (int g = 0; g < el->kind->points(el->data); g++) {
    ElementPoint p;
    double strain[MAX_ROWS], force[MAX_ROWS];
    element_point(el->kind, el->data, g, &p);
    rows_value(&p.rows, x, no_coords, strain);
    p.response->force(&p, strain, force);
    rows_interpolate(&p.rows, x, y);
    for (int r = 0; r < p.rows.nrow; r++) {
      double length = r < p.rows.nroot ? strain[r] + p.rows.ref[r] : 1;
      force[r] *= length > 0 ? weight * p.weight / length : 0;
    }
    for (int i = 0; i < p.rows.ny; i++) on[i] = vec3_zero();
    rows_add_slopes(&p.rows, NULL, force, y, on);
    rows_add_to_vectors(&p.rows, on, sum);
  }
  for (int a = 0; a < n; a++) out[place[a]] = vec3_add(out[place[a]], sum[a]);
}

PetscErrorCode AdjointSpreadLedger(Adjoint *w, double *lambda) {
  const Motion *motion = &w->run->stepper->s->motion;
  StateParts parts;
  PetscFunctionBegin;
  PetscCall(StateVectorFind(w->run->stepper, lambda, &parts));
  LimberLedger l = *parts.ledger;
  memset(parts.ledger, 0, sizeof *parts.ledger);
  LimberLedger other = l;
  other.kinetic = other.strain = other.potential = 0;
  if (memcmp(&other, parts.ledger, sizeof other) != 0)
    refuse(w->wrong, "the adjoint method supports kinetic, strain and potential energy of the ledger: use `--method "
                     "forward` for its other columns");
  if (l.kinetic == 0 && l.strain == 0 && l.potential == 0) PetscFunctionReturn(0);
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    add_kinetic(motion, i, l.kinetic, parts.v);
    add_potential(motion, i, l.potential, parts.x);
  }
  for (PetscInt e = 0; e < motion->layout.nelement && l.strain != 0; e++) {
    const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
    if (el->kind->points(el->data) > 0) add_strain(motion, e, l.strain, parts.x);
  }
  for (PetscInt j = 0; j < motion->layout.njoint && l.strain != 0; j++) {
    const Joint *joint = layout_joint(&motion->layout, j);
    for (int c = 0; c < joint->ncoord; c++)
      parts.coord[j].z[c] += l.strain * law_force(&joint->law[c], motion->state.coord[j].z[c]);
  }
  PetscFunctionReturn(0);
}
