// SPDX-License-Identifier: Apache-2.0
// Newton's method with damping, for steps whose solution is far from every starting value (P. Deuflhard, Newton Methods for Nonlinear
// Problems, 2004, section 3.3.3, NLEQ-ERR). A correction d is taken by the part l for which the next one with the same tangent, d', is
// shorter, |d'| <= (1 - l/4) |d|: a test that does not depend on the units of rows. Lengths are those of displacements, rotations and
// coordinates of joints alone. It ends where whole corrections shrink well, and leaves the rest to Newton.
// Equations: eq-newton-damped (12.5).
#include "assembly/evaluate.h"
#include "solvers/solvers.h"

static const double least = 1e-3;   // part of a correction
static const double near = 0.25;    // |d'|/|d| of a whole one, at which it ends
static const double farthest = 1.5; // rotation by a correction

// Sum of squares over the unknowns of a block, and the largest rotation.
static double block_square(const Layout *layout, PetscInt b, const double *a, const double *e, double f,
                           double *rotation) {
  double sum = 0, size = 0;
  PetscInt node = layout->block_node[b], j = layout->block_joint[b];
  for (int i = 0; i < layout->bs; i++) {
    double d = a[i] + (e ? f * e[i] : 0);
    if (node >= 0) {
      PetscInt block_offset = b - layout->node_block[node];
      if (block_offset < 0) continue; // a projection
      size = block_offset == 0 ? layout->length : 1;
      if (block_offset == 1) *rotation = PetscMax(*rotation, fabs(d));
    } else if (j >= 0) {
      const ModelJoint *m = model_joint(layout->model, layout->joint[j]);
      int c = 3 * (int)(b - layout->joint_block[j]) + i % 3 - layout_joint(layout, j)->rows.nrow;
      if (c < 0 || c >= layout_joint(layout, j)->ncoord) continue;
      size = m->kind->coord_units[c][0] == 'm' ? layout->length : 1;
    } else continue;
    sum += d * d / (size * size);
  }
  return sum;
}

// |a + f e|; e may be NULL. `turn`: the largest rotation in it, or NULL.
static PetscErrorCode IncrementNorm(const Layout *layout, Vec a, double f, Vec e, double *norm, double *rotation) {
  const double *p, *q = NULL;
  double sum = 0, most = 0;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(a, &p));
  if (e) PetscCall(VecGetArrayRead(e, &q));
  for (PetscInt b = 0; b < layout->nblock_own; b++)
    sum += block_square(layout, b, p + b * layout->bs, q ? q + b * layout->bs : NULL, f, &most);
  if (e) PetscCall(VecRestoreArrayRead(e, &q));
  PetscCall(VecRestoreArrayRead(a, &p));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, layout->comm));
  *norm = PetscSqrtReal(sum);
  if (rotation) PetscCallMPI(MPI_Allreduce(&most, rotation, 1, MPI_DOUBLE, MPI_MAX, layout->comm));
  PetscFunctionReturn(0);
}

typedef struct {
  Vec d, from; // the correction, and the unknowns before it
  double norm, part, next;
} Damped;

// Takes the part of a correction that makes the next one shorter; `good` is false where there is none.
static PetscErrorCode TakePart(System *s, Damped *w, bool *good) {
  PetscBool solved;
  double off;
  PetscFunctionBegin;
  for (*good = false; !*good && w->part >= least;) {
    PetscCall(VecWAXPY(s->equations.unknown, -w->part, w->d, w->from));
    PetscCall(EquationsEvaluate(&s->motion, &s->equations, PETSC_FALSE));
    PetscCall(SystemSolve(s, &solved));
    if (!solved) PetscFunctionReturn(0);
    PetscCall(IncrementNorm(&s->motion.layout, s->linear.increment, 0, NULL, &w->next, NULL));
    *good = w->next <= (1 - 0.25 * w->part) * w->norm; // false for NaN
    if (*good) break;
    PetscCall(IncrementNorm(&s->motion.layout, s->linear.increment, w->part - 1, w->d, &off, NULL));
    double best = 0.5 * w->norm * w->part * w->part / off;
    w->part = best > 0 && best < 0.5 * w->part ? PetscMax(best, 0.1 * w->part) : 0.5 * w->part;
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode ApproachByDamping(System *s, int limit, Damped *w, int *iterations, bool *arrived) {
  PetscBool solved;
  double rotation, off, before = 0, last = 0;
  bool good = true;
  PetscFunctionBegin;
  w->part = 1;
  for (int i = 0; i < limit && good && !*arrived; i++) {
    PetscCall(EquationsEvaluate(&s->motion, &s->equations, PETSC_TRUE));
    if (i > 0) PetscCall(VecCopy(s->linear.increment, w->from)); // what the next correction was with the tangent before
    ++*iterations;
    PetscCall(SystemSolve(s, &solved));
    if (!solved) break;
    PetscCall(IncrementNorm(&s->motion.layout, s->linear.increment, 0, NULL, &w->norm, &rotation));
    if (!(w->norm > 0) || PetscIsInfOrNanReal(w->norm)) break;
    if (i > 0) { // as far as the tangent before would have told the present correction
      PetscCall(IncrementNorm(&s->motion.layout, s->linear.increment, -1, w->from, &off, NULL));
      w->part = off > 0 ? PetscMin(1, w->part * before * last / (off * w->norm)) : 1;
    }
    w->part = PetscMax(10 * least, PetscMin(w->part, farthest / PetscMax(rotation, farthest)));
    PetscCall(VecCopy(s->linear.increment, w->d));
    PetscCall(VecCopy(s->equations.unknown, w->from));
    PetscCall(TakePart(s, w, &good));
    before = w->norm, last = w->next;
    *arrived = good && w->part == 1 && w->next <= near * w->norm;
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SystemApproach(System *s, int limit, int *iterations, bool *arrived) {
  Damped w = {0};
  PetscFunctionBegin;
  *arrived = false;
  PetscCall(VecDuplicate(s->equations.residual, &w.d));
  PetscCall(VecDuplicate(s->equations.residual, &w.from));
  PetscCall(ApproachByDamping(s, limit, &w, iterations, arrived));
  PetscCall(VecDestroy(&w.d));
  PetscCall(VecDestroy(&w.from));
  PetscFunctionReturn(0);
}
