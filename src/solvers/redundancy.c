// SPDX-License-Identifier: Apache-2.0
// Finds redundant constraints of loops, leaves them out, and reports conflicts and singular positions (redundancy.h).
#include "solvers/redundancy.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"

#include "base/rotation.h"

#include <petscblaslapack.h>
#include <string.h>

// LAPACK's QR with column pivoting, which PETSc does not declare.
extern void dgeqp3_(const PetscBLASInt *m, const PetscBLASInt *n, double *a, const PetscBLASInt *lda,
                    PetscBLASInt *jpvt, double *tau, double *work, const PetscBLASInt *lwork, PetscBLASInt *info);

static const double dependent = 1e-8; // a row this close to the span of others depends on them
static const double grown = 1e-5;     // a row left out that is farther away does not
static const double poor = 1e-3;      // active rows this close to dependence are replaced if possible
enum { LARGEST = 6000 };              // most rows of a loop that is checked

typedef struct {
  PetscBLASInt rows, columns, rank;
  double *a;           // columns x rows, by columns: factor^-1 Ghat^T, each of length one; then R
  double *scale;       // their lengths before
  double *rate;        // prescribed rates of the rows
  PetscBLASInt *pivot; // rows in the order of the factorisation, counted from 1
  double *tau, *work;
  PetscBLASInt nwork;
} LoopRank;

static double factor_diagonal(const LoopRank *k, PetscBLASInt i) {
  return i < k->columns ? fabs(k->a[(size_t)i * (size_t)k->columns + (size_t)i]) : 0;
}

static PetscErrorCode LoopRankDestroy(LoopRank *k) {
  PetscFunctionBegin;
  PetscCall(PetscFree6(k->a, k->scale, k->rate, k->pivot, k->tau, k->work));
  PetscFunctionReturn(0);
}

// The index of a model node in a loop; -1: it is not there.
static PetscInt place_in_loop(const Loop *l, PetscInt node) {
  for (PetscInt i = 0; i < l->nnode; i++)
    if (l->node[i] == node) return i;
  return -1;
}

// Whether an element keeps the distances of its points by multipliers outside the unknowns and all its points are in
// the loop. `place`: their indices there.
static bool held_in_loop(const Layout *layout, const Loop *l, PetscInt element, PetscInt *place) {
  const ModelElement *e = model_element(layout->model, element);
  if (!element_is_augmented(e->kind, e->data)) return false;
  for (int a = 0; a < e->nnode; a++)
    if ((place[a] = place_in_loop(l, model_element_nodes(layout->model, e)[a])) < 0) return false;
  return true;
}

static PetscInt count_held_rows(const Layout *layout, const AugmentedLagrangian *augmented, const Loop *l) {
  PetscInt count = 0, place[MAX_LOCAL_NODES];
  for (PetscInt e = 0; augmented->at && e < layout->model->elements.count; e++) {
    int n = model_element(layout->model, e)->nnode;
    if (held_in_loop(layout, l, e, place)) count += n * (n - 1) / 2;
  }
  return count;
}

// One row per pair of points of such an element: their distance is constant.
static void fill_held_rows(const Layout *layout, const State *state, const Loop *l, LoopRank *k) {
  PetscInt row = l->start[l->njoint], place[MAX_LOCAL_NODES];
  for (PetscInt e = 0; e < layout->model->elements.count; e++) {
    const ModelElement *element = model_element(layout->model, e);
    const int *node = model_element_nodes(layout->model, element);
    bool here = false;
    if (!held_in_loop(layout, l, e, place)) continue;
    for (PetscInt i = 0; i < layout->nelement; i++)
      here = here || (layout->element[i] == e && layout->element_primary[i]);
    for (int a = 0; a < element->nnode; a++)
      for (int b = 0; b < a; b++, row++) {
        if (!here) continue;
        Vec3 d = vec3_sub(state->x[4 * layout->local_node[node[a]]], state->x[4 * layout->local_node[node[b]]]);
        double *into = k->a + row * k->columns, *of_a = l->factor + 36 * place[a], *of_b = l->factor + 36 * place[b];
        vec3_to(vec3_scale(1 / of_a[0], d), into + l->column[place[a]]); // the metric of a point is its mass
        vec3_to(vec3_scale(-1 / of_b[0], d), into + l->column[place[b]]);
      }
  }
}

// Gathers the rows of a loop, each from the primary rank of its joint. `held`: with those of constrained elements.
static PetscErrorCode LoopRankCreate(const Motion *motion, const Loop *l, bool held, LoopRank *k) {
  PetscInt nrow = l->start[l->njoint] + (held ? count_held_rows(&motion->layout, &motion->augmented, l) : 0),
           ncol = l->column[l->nnode];
  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(nrow, &k->rows));
  PetscCall(PetscBLASIntCast(ncol, &k->columns));
  k->nwork = 64 * (k->rows + 2);
  PetscCall(PetscCalloc6((size_t)nrow * (size_t)ncol, &k->a, nrow, &k->scale, nrow, &k->rate, nrow, &k->pivot,
                         PetscMax(nrow, ncol), &k->tau, k->nwork, &k->work));
  for (PetscInt i = 0; i < l->njoint; i++) {
    const ModelJoint *m = model_joint(motion->layout.model, l->joint[i]);
    PetscInt j = l->local[i];
    ProjectionRows projection_rows;
    if (j < 0 || !motion->layout.joint_primary[j]) continue;
    motion_projection_rows(motion, j, false, &projection_rows);
    for (int r = 0; r < switches_model_joint(&motion->layout, &motion->switches, l->joint[i])->nprojection; r++) {
      PetscInt row = l->start[i] + r;
      k->rate[row] = projection_rows.rate[r];
      for (int a = 0; a < m->nnode; a++) {
        PetscBLASInt six = 6, single = 1, info;
        double part[6];
        PetscInt node = l->node_index[i][a];
        if (node < 0) continue;
        vec3_to(projection_rows.v[a][r], part), vec3_to(projection_rows.w[a][r], part + 3);
        PetscCallBLAS("LAPACKtrtrs",
                      LAPACKtrtrs_("L", "N", "N", &six, &single, l->factor + 36 * node, &six, part, &six, &info));
        for (PetscInt c = l->column[node]; c < l->column[node + 1]; c++)
          k->a[row * ncol + c] += part[c - l->column[node]];
      }
    }
  }
  if (nrow > l->start[l->njoint]) fill_held_rows(&motion->layout, &motion->state, l, k);
  PetscCall(ReduceArray(motion->layout.comm, k->a, (PetscInt64)nrow * ncol, MPI_DOUBLE, MPI_SUM));
  PetscCall(ReduceArray(motion->layout.comm, k->rate, nrow, MPI_DOUBLE, MPI_SUM));
  for (PetscInt r = 0; r < nrow; r++) {
    double sum = 0;
    for (PetscInt c = 0; c < ncol; c++) sum += k->a[r * ncol + c] * k->a[r * ncol + c];
    k->scale[r] = sum > 0 ? sqrt(sum) : 1;
    for (PetscInt c = 0; c < ncol; c++) k->a[r * ncol + c] /= k->scale[r];
  }
  PetscFunctionReturn(0);
}

// Factors the rows. Active rows come first and keep their order; with NULL, all rows are free.
static PetscErrorCode LoopRankFactor(LoopRank *k, const bool *off) {
  PetscBLASInt info;
  PetscFunctionBegin;
  for (PetscBLASInt r = 0; r < k->rows; r++) k->pivot[r] = off && !off[r];
  if (k->rows > 0 && k->columns > 0)
    dgeqp3_(&k->columns, &k->rows, k->a, &k->columns, k->pivot, k->tau, k->work, &k->nwork, &info);
  k->rank = 0;
  while (k->rank < PetscMin(k->rows, k->columns) && factor_diagonal(k, k->rank) > dependent) k->rank++;
  PetscFunctionReturn(0);
}

// How the last d rows depend on the others: column i of `null` is a combination of all rows that vanishes.
static PetscErrorCode LoopRankNullVector(const LoopRank *k, PetscBLASInt d, double *null) {
  PetscBLASInt r = k->rows - d, info;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(null, (size_t)k->rows * (size_t)d));
  for (PetscBLASInt i = 0; i < d; i++) {
    double *sorted;
    PetscBLASInt one = 1;
    PetscCall(PetscCalloc1(k->rows, &sorted));
    for (PetscBLASInt c = 0; c < PetscMin(r, k->columns); c++)
      sorted[c] = -k->a[(size_t)(r + i) * (size_t)k->columns + (size_t)c];
    if (r > 0)
      PetscCallBLAS("LAPACKtrtrs", LAPACKtrtrs_("U", "N", "N", &r, &one, k->a, &k->columns, sorted, &r, &info));
    sorted[r + i] = 1;
    for (PetscBLASInt c = 0; c < k->rows; c++)
      null[(size_t)i * (size_t)k->rows + (size_t)(k->pivot[c] - 1)] = sorted[c];
    PetscCall(PetscFree(sorted));
  }
  PetscFunctionReturn(0);
}

// Finds the rank of the rows of a loop, and how the redundant rows depend on the others.
static PetscErrorCode LoopRankFind(const Motion *motion, const Loop *l, bool held, LoopRank *k, double **null) {
  PetscFunctionBegin;
  PetscCall(LoopRankCreate(motion, l, held, k));
  PetscCall(LoopRankFactor(k, NULL));
  PetscCall(PetscMalloc1((size_t)k->rows * (size_t)PetscMax(1, k->rows - k->rank), null));
  PetscCall(LoopRankNullVector(k, k->rows - k->rank, *null));
  PetscFunctionReturn(0);
}

// Passes the choice of a loop to the joints on this rank.
static void tell_joints(Motion *motion, const Loop *l) {
  for (PetscInt i = 0; i < l->njoint; i++) {
    const Joint *m = switches_model_joint(&motion->layout, &motion->switches, l->joint[i]);
    for (int r = 0; r < m->nprojection && l->local[i] >= 0; r++)
      motion->row_off[l->local[i]][m->projection_row[r]] = l->off[l->start[i] + r];
  }
}

static void mark_redundant_rows(Loop *l, const LoopRank *k, PetscBLASInt redundant) {
  l->redundant = redundant;
  for (PetscBLASInt r = 0; r < k->rows; r++) l->off[k->pivot[r] - 1] = r >= k->rows - redundant;
}

// Lists the joints that take part in the combinations `null`.
static void name_joints(const Layout *layout, const Loop *l, const double *null, PetscInt rows, PetscInt d, char *text,
                        size_t size) {
  size_t used = 0;
  int named = 0, more = 0;
  text[0] = 0;
  for (PetscInt i = 0; i < l->njoint; i++) {
    double most = 0;
    for (PetscInt r = l->start[i]; r < l->start[i + 1]; r++)
      for (PetscInt c = 0; c < d; c++) most = PetscMax(most, fabs(null[c * rows + r]));
    if (most < 1e-6) continue;
    if (named >= 8) more++;
    else if (used < size) {
      char name[256];
      model_name_joint(layout->model, l->joint[i], name, sizeof name);
      int n = snprintf(text + used, size - used, "%s%s", named++ ? ", " : "", name);
      used += n > 0 ? (size_t)n : 0;
    }
  }
  if (more && used < size) snprintf(text + used, size - used, " and %d more", more);
}

// A combination of rows that vanishes must also vanish for the prescribed rates.
static bool dependent_rows_conflict(const LoopRank *k, const double *null) {
  double sum = 0, rates = 0, norm = 0;
  for (PetscBLASInt r = 0; r < k->rows; r++) {
    double rate = k->rate[r] / k->scale[r];
    sum += null[r] * rate, rates += rate * rate, norm += null[r] * null[r];
  }
  return fabs(sum) > 1e-6 * sqrt(rates * norm);
}

// ---- singular positions ----

// Rows that depend on free coordinates of joints cannot be evaluated from the nodes alone.
static bool rows_depend_on_coordinates(const Layout *layout, const Switches *switches, const Loop *l) {
  for (PetscInt i = 0; i < l->njoint; i++) {
    const Joint *m = switches_model_joint(layout, switches, l->joint[i]);
    for (int r = 0; r < m->nprojection; r++)
      for (int t = 0; t < m->rows.nterm; t++)
        if (m->rows.term[t].row == m->projection_row[r] && m->rows.term[t].factor != FACTOR_ONE &&
            !m->prescribed[m->rows.term[t].coord])
          return true;
  }
  return false;
}

// Moves the local nodes of a loop with `velocity` (6 numbers per node, in its own axes) over the time `time`.
static void move_loop(const Layout *layout, State *state, const Loop *l, const PetscInt *local, const double *velocity,
                      double time) {
  for (PetscInt i = 0; i < l->nnode; i++) {
    Vec3 *x = &state->x[4 * PetscMax(0, local[i])], v = vec3_of(velocity + 6 * i), w = vec3_of(velocity + 6 * i + 3);
    bool frame = model_node(layout->model, l->node[i])->kind == NODE_FRAME;
    if (local[i] < 0) continue;
    Mat3 axes = frame ? mat3_columns(x[1], x[2], x[3]) : mat3_identity();
    x[0] = vec3_axpy(x[0], time, mat3_apply(axes, v));
    if (!frame) continue;
    axes = mat3_mul(axes, rotation_exponential(vec3_scale(time, w)));
    for (int k = 0; k < 3; k++) x[1 + k] = mat3_column(axes, k);
  }
}

// The time in which a motion moves no part of a loop by more than 1e-4 of its size.
static double short_time(const Layout *layout, const Switches *switches, const Loop *l, const double *velocity) {
  Vec3 first = switches_model_joint(layout, switches, l->joint[0])->geometry.at[0];
  double size = 0, fastest = 0;
  for (PetscInt i = 0; i < l->njoint; i++)
    size =
        PetscMax(size, vec3_norm(vec3_sub(switches_model_joint(layout, switches, l->joint[i])->geometry.at[0], first)));
  for (PetscInt i = 0; i < l->nnode; i++)
    fastest = PetscMax(fastest,
                       PetscMax(vec3_norm(vec3_of(velocity + 6 * i)), size * vec3_norm(vec3_of(velocity + 6 * i + 3))));
  return fastest > 0 ? 1e-4 * size / fastest : 0;
}

// In a singular position, such as a change point, rows of a loop depend on each other that are independent nearby. Take
// a combination w of rows that vanishes, w Ghat = 0, and a motion u that the rows allow, Ghat u = 0. The motion
// continues to second order if w dGhat/dt u = 0. Otherwise w is redundant only in this position. `motion`: u in the
// mass metric.
static PetscErrorCode MotionIsBlocked(Motion *moving, const Loop *l, const LoopRank *k, const double *null,
                                      PetscBLASInt d, const double *motion, PetscBLASInt *blocked) {
  double *velocity;
  PetscInt *local;
  Vec3(*kept)[4];
  LoopRank moved = {0};
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(6 * l->nnode, &velocity, l->nnode, &local, l->nnode, &kept));
  PetscCall(PetscArrayzero(velocity, 6 * l->nnode));
  for (PetscInt i = 0; i < l->nnode; i++) {
    PetscBLASInt six = 6, one = 1, info;
    local[i] = -1;
    for (PetscInt c = l->column[i]; c < l->column[i + 1]; c++) velocity[6 * i + c - l->column[i]] = motion[c];
    PetscCallBLAS("LAPACKtrtrs",
                  LAPACKtrtrs_("L", "T", "N", &six, &one, l->factor + 36 * i, &six, velocity + 6 * i, &six, &info));
  }
  for (PetscInt i = 0; i < l->njoint; i++)
    for (int a = 0; a < model_joint(moving->layout.model, l->joint[i])->nnode && l->local[i] >= 0; a++)
      if (l->node_index[i][a] >= 0) local[l->node_index[i][a]] = moving->layout.joint_node[l->local[i]][a];
  for (PetscInt i = 0; i < l->nnode; i++)
    if (local[i] >= 0) memcpy(kept[i], &moving->state.x[4 * local[i]], sizeof kept[i]);
  move_loop(&moving->layout, &moving->state, l, local, velocity,
            short_time(&moving->layout, &moving->switches, l, velocity));
  PetscCall(LoopRankCreate(moving, l, false, &moved));
  for (PetscInt i = 0; i < l->nnode; i++)
    if (local[i] >= 0) memcpy(&moving->state.x[4 * local[i]], kept[i], sizeof kept[i]);
  for (PetscBLASInt c = 0; c < d && *blocked < 0; c++) {
    double sum = 0;
    for (PetscBLASInt r = 0; r < k->rows; r++)
      for (PetscBLASInt n = 0; n < k->columns; n++)
        sum += null[(size_t)c * (size_t)k->rows + (size_t)r] * moved.scale[r] / k->scale[r] *
               moved.a[(size_t)r * (size_t)k->columns + (size_t)n] * motion[n];
    if (fabs(sum) > 1e-6) *blocked = c; // 1e-4 times a number of order 1, or 1e-8
  }
  PetscCall(LoopRankDestroy(&moved));
  PetscCall(PetscFree3(velocity, local, kept));
  PetscFunctionReturn(0);
}

// `blocked`: a combination of rows that is redundant only in this position; -1: none.
static PetscErrorCode FindBlockedRow(Motion *moving, const Loop *l, const LoopRank *k, const double *null,
                                     PetscBLASInt d, PetscBLASInt *blocked) {
  enum { MOST_ROWS = 600, MOST_MOTIONS = 6 };
  PetscBLASInt motions = k->columns - k->rank, reflectors = PetscMin(k->rows, k->columns), one = 1, info;
  double *motion;
  PetscFunctionBegin;
  *blocked = -1;
  if (k->rows > MOST_ROWS || motions < 1 || motions > MOST_MOTIONS ||
      rows_depend_on_coordinates(&moving->layout, &moving->switches, l))
    PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(k->columns, &motion));
  for (PetscBLASInt i = 0; i < motions + (motions > 1) && *blocked < 0; i++) { // the last is the sum of all
    PetscCall(PetscArrayzero(motion, k->columns));
    for (PetscBLASInt n = 0; n < motions; n++) motion[k->rank + n] = i == motions ? 1 / sqrt(motions) : n == i;
    PetscCallBLAS("LAPACKormqr", LAPACKormqr_("L", "N", (PetscBLASInt *)&k->columns, &one, &reflectors, k->a,
                                              (PetscBLASInt *)&k->columns, k->tau, motion, (PetscBLASInt *)&k->columns,
                                              k->work, (PetscBLASInt *)&k->nwork, &info));
    PetscCall(MotionIsBlocked(moving, l, k, null, d, motion, blocked));
  }
  PetscCall(PetscFree(motion));
  PetscFunctionReturn(0);
}

// Whether dependent rows prescribe different motions; `names`: their joints.
static PetscErrorCode FindConflict(const Layout *layout, const Loop *l, const LoopRank *k, const double *null,
                                   char *names, size_t size, bool *conflict) {
  PetscFunctionBegin;
  for (PetscBLASInt c = 0; c < k->rows - k->rank && !*conflict; c++) {
    const double *w = null + (size_t)c * (size_t)k->rows;
    *conflict = dependent_rows_conflict(k, w);
    if (*conflict) name_joints(layout, l, w, k->rows, 1, names, size);
  }
  PetscFunctionReturn(0);
}

// The same, including the rows of constrained elements.
static PetscErrorCode FindConflictOfHeld(const Motion *motion, const Loop *l, char *names, size_t size,
                                         bool *conflict) {
  LoopRank k = {0};
  double *null;
  PetscFunctionBegin;
  PetscCall(LoopRankFind(motion, l, true, &k, &null));
  PetscCall(FindConflict(&motion->layout, l, &k, null, names, size, conflict));
  PetscCall(PetscFree(null));
  PetscCall(LoopRankDestroy(&k));
  PetscFunctionReturn(0);
}

// Appends a line to a report if there is space. Returns 1 + its start.
static size_t add_line(RedundancyReport *r, const char *format, ...) PRINTF_LIKE(2, 3);
static size_t add_line(RedundancyReport *r, const char *format, ...) {
  size_t used = strlen(r->text);
  va_list list;
  if (used && used + 1 < sizeof r->text) r->text[used++] = '\n', r->text[used] = 0;
  va_start(list, format);
  vsnprintf(r->text + used, sizeof r->text - used, format, list);
  va_end(list);
  return used + 1;
}

// Reports the d redundant rows of a loop, and whether they are redundant only in this position.
static PetscErrorCode ReportRedundant(Motion *motion, const Loop *l, const LoopRank *k, double *null, PetscBLASInt d,
                                      RedundancyReport *report) {
  PetscBLASInt blocked;
  char names[1024];
  PetscFunctionBegin;
  name_joints(&motion->layout, l, null, k->rows, d, names, sizeof names);
  add_line(report, "%s have %d redundant constraint%s", names, (int)d, d == 1 ? "" : "s");
  PetscCall(FindBlockedRow(motion, l, k, null, d, &blocked));
  if (blocked < 0) PetscFunctionReturn(0);
  name_joints(&motion->layout, l, null + (size_t)blocked * (size_t)k->rows, k->rows, 1, names, sizeof names);
  size_t at = add_line(report,
                       "%s are in a singular position (a change point or dead centre): from there the linkage can move "
                       "in more than one way, or not at all; start it elsewhere, such as 1 degree further",
                       names);
  if (!report->singular) report->singular = at;
  PetscFunctionReturn(0);
}

PetscErrorCode RedundancyFindRows(Motion *motion, Redundancy *redundancy, RedundancyReport *report) {
  PetscFunctionBegin;
  *report = (RedundancyReport){.conflict = false};
  for (PetscInt i = 0; i < redundancy->nloop && !report->conflict; i++) {
    Loop *l = &redundancy->loop[i];
    LoopRank k = {0};
    double *null;
    char names[1024];
    if (l->start[l->njoint] > LARGEST) {
      add_line(report, "a loop of %d joints is too large to be checked for redundant constraints", (int)l->njoint);
      continue;
    }
    PetscCall(LoopRankFind(motion, l, false, &k, &null));
    PetscBLASInt d = k.rows - k.rank;
    mark_redundant_rows(l, &k, d);
    tell_joints(motion, l);
    PetscCall(FindConflict(&motion->layout, l, &k, null, names, sizeof names, &report->conflict));
    if (!report->conflict && count_held_rows(&motion->layout, &motion->augmented, l) > 0)
      PetscCall(FindConflictOfHeld(motion, l, names, sizeof names, &report->conflict));
    if (report->conflict)
      snprintf(report->text, sizeof report->text, "drives contradict each other: %.900s cannot all move as prescribed",
               names);
    else if (d > 0) PetscCall(ReportRedundant(motion, l, &k, null, d, report));
    PetscCall(PetscFree(null));
    PetscCall(LoopRankDestroy(&k));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCopyRedundantRows(const System *s, System *other) {
  PetscFunctionBegin;
  for (PetscInt i = 0; i < s->redundancy.nloop; i++) { // loops depend only on the model, so both systems have the same
    other->redundancy.loop[i].redundant = s->redundancy.loop[i].redundant;
    PetscCall(PetscArraycpy(other->redundancy.loop[i].off, s->redundancy.loop[i].off,
                            s->redundancy.loop[i].start[s->redundancy.loop[i].njoint]));
    tell_joints(&other->motion, &other->redundancy.loop[i]);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode RedundancyUpdate(Motion *motion, Redundancy *redundancy, bool everywhere, bool *changed) {
  PetscFunctionBegin;
  *changed = false;
  for (PetscInt i = 0; i < redundancy->nloop; i++) {
    Loop *l = &redundancy->loop[i];
    LoopRank k = {0};
    if (l->redundant == 0 || (!everywhere && ++l->wait < l->interval)) continue;
    l->wait = 0;
    PetscCall(LoopRankCreate(motion, l, false, &k));
    PetscCall(LoopRankFactor(&k, l->off));
    PetscBLASInt d = (PetscBLASInt)l->redundant, independent = k.rows - d;
    double least = 1, most = factor_diagonal(&k, independent);
    for (PetscBLASInt r = 0; r < independent; r++) least = PetscMin(least, factor_diagonal(&k, r));
    PetscCall(LoopRankDestroy(&k));
    if (most < grown && least > poor) continue;
    PetscCall(LoopRankCreate(motion, l, false, &k));
    PetscCall(LoopRankFactor(&k, NULL));
    bool *before;
    PetscCall(PetscMalloc1(k.rows, &before));
    PetscCall(PetscArraycpy(before, l->off, k.rows));
    mark_redundant_rows(l, &k, PetscMin(d, k.rows - k.rank));
    *changed = *changed || memcmp(before, l->off, (size_t)k.rows * sizeof *before);
    PetscCall(PetscFree(before));
    tell_joints(motion, l);
    PetscCall(LoopRankDestroy(&k));
  }
  PetscFunctionReturn(0);
}

// Removes from lambda (scaled as the rows) its projection on the combinations that vanish.
static void least_norm(PetscBLASInt rows, PetscBLASInt d, double *null, double *lambda) {
  for (PetscBLASInt i = 0; i < d; i++) {
    double *w = null + (size_t)i * (size_t)rows, dot, norm;
    for (int twice = 0; twice < 2; twice++)
      for (PetscBLASInt j = 0; j < i; j++) {
        const double *v = null + (size_t)j * (size_t)rows;
        dot = 0;
        for (PetscBLASInt r = 0; r < rows; r++) dot += v[r] * w[r];
        for (PetscBLASInt r = 0; r < rows; r++) w[r] -= dot * v[r];
      }
    norm = 0, dot = 0;
    for (PetscBLASInt r = 0; r < rows; r++) norm += w[r] * w[r];
    for (PetscBLASInt r = 0; r < rows; r++) w[r] /= sqrt(norm), dot += w[r] * lambda[r];
    for (PetscBLASInt r = 0; r < rows; r++) lambda[r] -= dot * w[r];
  }
}

PetscErrorCode RedundancyLeastNormMultipliers(Motion *motion, Redundancy *redundancy) {
  PetscFunctionBegin;
  if (redundancy->least_norm) PetscFunctionReturn(0);
  redundancy->least_norm = true;
  for (PetscInt i = 0; i < redundancy->nloop; i++) {
    Loop *l = &redundancy->loop[i];
    LoopRank k = {0};
    double *null, *lambda, *change;
    if (l->redundant == 0) continue;
    PetscCall(LoopRankCreate(motion, l, false, &k));
    PetscCall(LoopRankFactor(&k, l->off));
    PetscCall(PetscMalloc3(k.rows * l->redundant, &null, k.rows, &lambda, k.rows, &change));
    PetscCall(PetscArrayzero(lambda, k.rows));
    PetscCall(LoopRankNullVector(&k, (PetscBLASInt)l->redundant, null));
    for (int pass = 0; pass < 2; pass++) {
      for (PetscInt n = 0; n < l->njoint; n++) {
        const Joint *m = switches_model_joint(&motion->layout, &motion->switches, l->joint[n]);
        PetscInt j = l->local[n];
        ProjectionRows projection_rows;
        if (j < 0 || (!pass && !motion->layout.joint_primary[j])) continue;
        if (pass) motion_projection_rows(motion, j, false, &projection_rows);
        for (int r = 0; r < m->nprojection; r++) {
          PetscInt row = l->start[n] + r;
          if (!pass) lambda[row] = motion->state.multiplier[j][m->projection_row[r]] * k.scale[row];
          else
            for (int q = 0; q < layout_joint(&motion->layout, j)->rows.nrow; q++)
              motion->state.multiplier[j][q] += projection_rows.part[r][q] * (lambda[row] - change[row]) / k.scale[row];
        }
      }
      if (pass) continue;
      PetscCall(ReduceArray(motion->layout.comm, lambda, k.rows, MPI_DOUBLE, MPI_SUM));
      PetscCall(PetscArraycpy(change, lambda, k.rows));
      least_norm(k.rows, (PetscBLASInt)l->redundant, null, lambda);
    }
    PetscCall(PetscFree3(null, lambda, change));
    PetscCall(LoopRankDestroy(&k));
  }
  PetscFunctionReturn(0);
}
