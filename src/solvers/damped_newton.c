// SPDX-License-Identifier: Apache-2.0
// Newton's method with damping, for steps whose solution is far from every starting value (P. Deuflhard, Newton Methods for Nonlinear
// Problems, 2004, section 3.3.3, NLEQ-ERR). A correction d is taken by the part l for which the next one with the same tangent, d', is
// shorter, |d'| <= (1 - l/4) |d|: a test that does not depend on the units of rows. Lengths are those of displacements, rotations and
// coordinates of joints alone. It ends where whole corrections shrink well, and leaves the rest to Newton.
// Equations: eq-newton-damped (12.5).
#include "assembly/evaluate.h"
#include "solvers/newton.h"

static const double least = 1e-3;    // part of a correction
static const double near = 0.25;     // |d'|/|d| of a whole one, at which it ends
static const double farthest = 1.5;  // rotation by a correction
static const double monotone = 0.25; // of the part that is taken, by which the next correction is shorter at least
static const double least_cut = 0.1, most_cut = 0.5; // of a part that is too long, to the next

// Sum of squares over the unknowns of a block, and the largest rotation.
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
  Vec d, from;             // the correction, and the unknowns before it
  double norm, part, next; // of the correction; part of it that is taken; norm of the next
  double before, last;     // norms of the correction before and of the one that its tangent foresaw
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
    PetscCall(VecCopy(s->linear.increment, w->from)); // what the next correction was with the tangent before
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
  if (n->corrections > 1) { // as far as the tangent before would have told the present correction
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
