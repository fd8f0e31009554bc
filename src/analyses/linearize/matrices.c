// SPDX-License-Identifier: Apache-2.0
#include "analyses/linearize/matrices.h"

#include "analyses/linearize/dense.h"
#include "model/refusal.h"

#include <math.h>
#include <string.h>

// ---- matrices and inputs ----

static PetscErrorCode GatherMatrices(LinearMatrices *p) {
  Mat k, c, g, m;
  PetscFunctionBegin;
  PetscCall(CreateStiffness(&p->s->motion, &p->s->equations, &p->spin, &k));
  PetscCall(CreateDamping(&p->s->motion, &p->s->equations, &p->spin, &c));
  PetscCall(CreateMass(&p->s->motion.layout, &p->s->motion.state, &m));
  if (layout_has_gyroscopic(&p->s->motion.layout, &p->spin)) {
    PetscCall(CreateGyroscopic(&p->s->motion, &p->spin, &g));
    PetscCall(MatAXPY(c, 1, g, DIFFERENT_NONZERO_PATTERN));
    PetscCall(MatDestroy(&g));
  }
  PetscCall(SparseGather(&p->u, k, &p->k));
  PetscCall(SparseGather(&p->u, c, &p->c));
  PetscCall(SparseGather(&p->u, m, &p->m));
  PetscCall(MatDestroy(&k));
  PetscCall(MatDestroy(&c));
  PetscCall(MatDestroy(&m));
  PetscFunctionReturn(0);
}

static PetscErrorCode ListInputs(LinearMatrices *p) {
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(4 * p->sources.count, &p->column));
  for (int i = 0; i < p->sources.count; i++) {
    const LinearSource *q = &p->sources.source[i];
    const bool has[4] = {q->has_drive[1], true, q->has_rate || q->has_drive[0] || q->has_drive[1], q->has_drive[0]};
    static const int order[4] = {0, 1, 2, -1}, at[4] = {1, 2, 3, 0};
    for (int k = 0; k < 4; k++)
      if (has[at[k]]) p->column[p->columns++] = (InputColumn){i, order[k]};
  }
  PetscFunctionReturn(0);
}

void linear_input_effect(const LinearMatrices *p, int column, double *force, double *driven[3]) {
  const LinearSource *q = &p->sources.source[p->column[column].source];
  int order = p->column[column].order;
  for (PetscInt i = 0; i < p->u.count; i++) {
    if (order == 0 || order == 1) force[i] += q->force[order][i];
    if (order >= 0) driven[order][i] += q->drive[0][i];
    if (order <= 1) driven[order + 1][i] += q->drive[1][i];
  }
}

PetscErrorCode LinearMatricesCreate(System *s, const Spin *spin, int names, const char *const *name, LinearMatrices *p,
                                    Refusal *wrong) {
  PetscFunctionBegin;
  *p = (LinearMatrices){.s = s, .spin = *spin};
  PetscCall(UnknownsCreate(&s->motion, &p->u));
  PetscCall(SourcesCreate(&s->motion, &s->equations, &p->u, names, name, &p->sources, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(ListInputs(p));
  PetscCall(GatherMatrices(p));
  PetscFunctionReturn(0);
}

PetscErrorCode LinearMatricesDestroy(LinearMatrices *p) {
  PetscFunctionBegin;
  PetscCall(SparseDestroy(&p->k));
  PetscCall(SparseDestroy(&p->c));
  PetscCall(SparseDestroy(&p->m));
  if (p->minimal.count) PetscCall(MinimalDestroy(&p->minimal));
  PetscCall(SourcesDestroy(&p->sources));
  PetscCall(PetscFree(p->column));
  PetscCall(PetscFree5(p->groups.t, p->groups.k, p->groups.c, p->groups.m, p->groups.name));
  PetscCall(UnknownsDestroy(&p->u));
  PetscFunctionReturn(0);
}

// ---- groups ----

// out = t^T A t, of n columns
static PetscErrorCode Project(const Sparse *a, const double *t, PetscInt n, double *out) {
  double *at;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(a->count * n, &at));
  for (PetscInt j = 0; j < n; j++) sparse_multiply(a, 1, t + j * a->count, at + j * a->count);
  PetscCall(DenseMultiply(true, n, n, a->count, 1, t, a->count, at, a->count, 0, out, n));
  PetscCall(PetscFree(at));
  PetscFunctionReturn(0);
}

static int compare_indices(const void *a, const void *b) {
  PetscInt x = *(const PetscInt *)a, y = *(const PetscInt *)b;
  return x < y ? -1 : x > y;
}

// Orders the columns of a positive semidefinite matrix so that those that span its range come first. `null_part`: what
// each of the others needs of these to be in the null space.
static PetscErrorCode SplitRange(double *a, PetscInt n, PetscInt *order, double *null_part, PetscInt *rank) {
  double *size, *scaled, *tau, *range, largest = 0;
  PetscInt *pivot;
  bool good;
  PetscFunctionBegin;
  PetscCall(PetscMalloc4(n, &size, n * n, &scaled, n + 1, &tau, n, &pivot));
  for (PetscInt i = 0; i < n; i++) largest = fmax(largest, a[i + i * n]);
  for (PetscInt i = 0; i < n; i++) size[i] = a[i + i * n] > 1e-30 * largest ? 1 / sqrt(a[i + i * n]) : 0;
  for (PetscInt j = 0; j < n; j++)
    for (PetscInt i = 0; i < n; i++) scaled[i + j * n] = a[i + j * n] * size[i] * size[j];
  PetscCall(DensePivotedQR(n, n, scaled, pivot, tau, 1e-11, rank));
  if (largest == 0) *rank = 0;
  PetscInt r = *rank, rest = n - r;
  for (PetscInt i = 0; i < n; i++) order[i] = pivot[i];
  qsort(order, (size_t)r, sizeof *order, compare_indices);
  qsort(order + r, (size_t)rest, sizeof *order, compare_indices);
  // -a_rr^-1 a_r0 of the sorted matrix
  PetscCall(PetscMalloc1(r * r, &range));
  for (PetscInt j = 0; j < r; j++)
    for (PetscInt i = 0; i < r; i++) range[i + j * r] = a[order[i] + order[j] * n];
  for (PetscInt j = 0; j < rest; j++)
    for (PetscInt i = 0; i < r; i++) null_part[i + j * r] = -a[order[i] + order[r + j] * n];
  PetscCall(DenseSolve(r, rest, range, null_part, r, &good));
  PetscCall(PetscFree(range));
  PetscCall(PetscFree4(size, scaled, tau, pivot));
  PetscFunctionReturn(0);
}

// Splits the columns of t from `first` on into those in the range and those in the null space of a matrix, with names.
static PetscErrorCode SplitColumns(const Sparse *a, Groups *g, PetscInt first, PetscInt *rank) {
  PetscInt n = g->n - first, *order, *name;
  double *matrix, *part, *t;
  PetscFunctionBegin;
  *rank = 0;
  if (n == 0) PetscFunctionReturn(0);
  PetscCall(PetscMalloc5(n * n, &matrix, n * n, &part, n, &order, n, &name, a->count * n, &t));
  PetscCall(Project(a, g->t + first * a->count, n, matrix));
  PetscCall(SplitRange(matrix, n, order, part, rank));
  qsort(order, (size_t)*rank, sizeof *order, compare_indices);
  if (*rank<n && * rank> 0) PetscCall(SplitRange(matrix, n, order, part, rank));
  PetscCall(PetscArraycpy(t, g->t + first * a->count, a->count * n));
  for (PetscInt j = 0; j < n; j++) {
    double *to = g->t + (first + j) * a->count;
    name[j] = g->name[first + order[j]];
    PetscCall(PetscArraycpy(to, t + order[j] * a->count, a->count));
    for (PetscInt i = 0; j >= *rank && i < *rank; i++)
      for (PetscInt k = 0; k < a->count; k++) to[k] += part[i + (j - *rank) * *rank] * t[order[i] * a->count + k];
  }
  PetscCall(PetscArraycpy(g->name + first, name, n));
  PetscCall(PetscFree5(matrix, part, order, name, t));
  PetscFunctionReturn(0);
}

PetscErrorCode LinearMatricesProject(LinearMatrices *p) {
  Groups *g = &p->groups;
  PetscFunctionBegin;
  PetscCall(Project(&p->k, g->t, g->n, g->k));
  PetscCall(Project(&p->c, g->t, g->n, g->c));
  PetscCall(Project(&p->m, g->t, g->n, g->m));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindGroups(LinearMatrices *p) {
  Groups *g = &p->groups;
  PetscInt n = p->minimal.n;
  PetscFunctionBegin;
  g->n = n;
  PetscCall(PetscMalloc5(p->u.count * n, &g->t, n * n, &g->k, n * n, &g->c, n * n, &g->m, n, &g->name));
  PetscCall(PetscArraycpy(g->t, p->minimal.z, p->u.count * n));
  PetscCall(PetscArraycpy(g->name, p->minimal.free, n));
  PetscCall(SplitColumns(&p->m, g, 0, &g->na));
  PetscCall(SplitColumns(&p->c, g, g->na, &g->nb));
  g->nc = n - g->na - g->nb;
  PetscCall(LinearMatricesProject(p));
  PetscFunctionReturn(0);
}

// Refuses models whose dense matrices, of the states or of the joints' equations, would be too large.
static void check_size(const Unknowns *u, Refusal *wrong) {
  double rows = 0, columns = 0;
  for (PetscInt i = 0; i < u->count; i++) {
    UnknownKind kind = u->unknown[i].kind;
    rows += kind == UNKNOWN_ROW, columns += kind == UNKNOWN_NODE || kind == UNKNOWN_COORDINATE;
  }
  double states = 2 * (columns - rows);
  if (states > LINEAR_MOST_STATES)
    refuse(wrong,
           "the linear model would have %.0f states, and %d are the most. `linearize: {modes: 50}` uses the lowest "
           "modes as coordinates; `limber response` has no such limit",
           states, LINEAR_MOST_STATES);
  else if (rows * columns > 1e8)
    refuse(wrong,
           "the joints have %.0f equations for %.0f unknowns, too many for minimal coordinates. `linearize: {modes: "
           "50}` uses the lowest modes as coordinates",
           rows, columns);
}

PetscErrorCode LinearMatricesReduce(LinearMatrices *p, Refusal *wrong) {
  PetscFunctionBegin;
  check_size(&p->u, wrong);
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(MinimalCreate(&p->u, &p->k, &p->minimal));
  PetscCall(FindGroups(p));
  PetscFunctionReturn(0);
}
