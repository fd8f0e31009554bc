// SPDX-License-Identifier: Apache-2.0
// Damped Newton, for steps whose solution is far from every starting value (P. Deuflhard, Newton Methods for Nonlinear
// Problems, 2004, section 3.3.3, NLEQ-ERR). Of a correction d, the fraction l is applied for which the next correction
// with the same tangent, d', satisfies |d'| <= (1 - l/4) |d|. This test does not depend on the units of rows: only
// displacements, rotations and joint coordinates count in the norm. The iteration ends where full corrections shrink
// quickly, and Newton continues.
// Equations: eq-newton-damped (12.5).
#include "assembly/evaluate.h"
#include "solvers/newton.h"

static const double least = 1e-3;    // smallest fraction of a correction
static const double near = 0.25;     // |d'|/|d| of a full correction, below which it ends
static const double farthest = 1.5;  // rad: largest rotation per correction
static const double monotone = 0.25; // required decrease of the next correction, relative to the fraction
static const double least_cut = 0.1, most_cut = 0.5; // factors from a rejected fraction to the next

// Returns the sum of squares over the unknowns of a block, and updates the largest rotation.
static double block_square(const Layout *layout, PetscInt b, const double *a, const double *e, double f,
                           double *rotation) {
  double sum = 0, size = 0;
  PetscInt node = layout->block_node[b], j = layout->block_joint[b];
  if (node < 0 && j < 0) return 0;
  PetscInt block_offset = node >= 0 ? b - layout->node_block[node] : 0;
  if (block_offset < 0) return 0; // a projection
  for (int i = 0; i < layout->bs; i++) {
    double d = a[i] + (e ? f * e[i] : 0);
    if (node >= 0) {
      size = block_offset == 0 ? layout->length : 1;
      if (block_offset == 1) *rotation = PetscMax(*rotation, fabs(d));
    } else {
      int c = newton_block_coord(layout, b, i);
      if (c < 0) continue;
      size = newton_coord_size(layout, j, c);
    }
    sum += d * d / (size * size);
  }
  return sum;
}

// |a + f e|; e may be NULL. `rotation`: the largest rotation in it, or NULL.
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
  Vec d, from;             // the correction; the unknowns before it
  double norm, part, next; // norm of the correction; fraction applied; norm of the next correction
  double before, last;     // norms of the last correction and of the one that its tangent predicted
} Damped;

// Applies the fraction of a correction that makes the next one shorter; `good` is false if there is none.
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
    *good = w->next <= (1 - monotone * w->part) * w->norm; // false for NaN
    if (*good) break;
    PetscCall(IncrementNorm(&s->motion.layout, s->linear.increment, w->part - 1, w->d, &off, NULL));
    double best = 0.5 * w->norm * w->part * w->part / off;
    w->part = best > 0 && best < most_cut * w->part ? PetscMax(best, least_cut * w->part) : most_cut * w->part;
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode CorrectDamped(System *s, Newton *n, PetscBool *good) {
  Damped *w = n->data;
  PetscFunctionBegin;
  PetscCall(EquationsEvaluate(&s->motion, &s->equations, PETSC_TRUE));
  if (n->corrections > 1)
    PetscCall(VecCopy(s->linear.increment, w->from)); // the correction that the last tangent predicted
  PetscCall(SystemSolve(s, good));
  PetscFunctionReturn(0);
}

static PetscErrorCode TakeDampedCorrection(System *s, Newton *n) {
  Damped *w = n->data;
  double rotation, off;
  bool good;
  PetscFunctionBegin;
  n->verdict = NEWTON_FAILED;
  PetscCall(IncrementNorm(&s->motion.layout, s->linear.increment, 0, NULL, &w->norm, &rotation));
  if (!(w->norm > 0) || PetscIsInfOrNanReal(w->norm)) PetscFunctionReturn(0);
  if (n->corrections > 1) { // as far as the last tangent predicts the present correction
    PetscCall(IncrementNorm(&s->motion.layout, s->linear.increment, -1, w->from, &off, NULL));
    w->part = off > 0 ? PetscMin(1, w->part * w->before * w->last / (off * w->norm)) : 1;
  }
  w->part = PetscMax(10 * least, PetscMin(w->part, farthest / PetscMax(rotation, farthest)));
  PetscCall(VecCopy(s->linear.increment, w->d));
  PetscCall(VecCopy(s->equations.unknown, w->from));
  PetscCall(TakePart(s, w, &good));
  w->before = w->norm, w->last = w->next;
  if (good) n->verdict = w->part == 1 && w->next <= near * w->norm ? NEWTON_CONVERGED : NEWTON_NEW_TANGENT;
  PetscFunctionReturn(0);
}

PetscErrorCode SystemApproach(System *s, int limit, int *iterations, bool *arrived) {
  Damped w = {.part = 1};
  Newton n = {.correct = CorrectDamped,
              .take = TakeDampedCorrection,
              .data = &w,
              .limit = limit,
              .at = s->motion.state.time + s->motion.step.h};
  NewtonOutcome out;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(s->equations.residual, &w.d));
  PetscCall(VecDuplicate(s->equations.residual, &w.from));
  PetscCall(NewtonIterate(s, &n, &out));
  *iterations += out.iterations, *arrived = out.converged;
  PetscCall(VecDestroy(&w.d));
  PetscCall(VecDestroy(&w.from));
  PetscFunctionReturn(0);
}
