// SPDX-License-Identifier: Apache-2.0
// The largest multipliers without the matrix M (implicit Floquet analysis: Bauchau & Nikishkov, 2001). The motion of a
// period is computed once; then Arnoldi's method needs the product of M with one vector after another, each a
// disturbance that is propagated through the steps of the period. Every rank takes the same vectors.
// Equations: eq-floquet-product (25.4).
#include "analyses/floquet/floquet.h"
#include "analyses/stepping/saved_state.h"
#include "assembly/evaluate.h"
#include "solvers/krylov.h"
#include "statistics/random.h"

typedef struct {
  Stepper *p;
  const Coordinates *c;
  double h;
  int steps, done;
  StateCopy *at; // the state before each step, and at the end
  Vec *unknown;  // of each step
  Disturbance d;
  Refusal wrong;
} Period;

static PetscErrorCode RememberStep(Stepper *p, double h, void *self) {
  Period *q = self;
  PetscFunctionBegin;
  (void)h;
  PetscCall(StateCopySave(p, &q->at[q->done]));
  PetscCall(VecDuplicate(p->s->equations.unknown, &q->unknown[q->done]));
  PetscCall(VecCopy(p->s->equations.unknown, q->unknown[q->done]));
  q->done++;
  PetscFunctionReturn(0);
}

static PetscErrorCode GoTo(Period *q, int step) {
  Motion *motion = &q->p->s->motion;
  PetscFunctionBegin;
  PetscCall(StateCopyRestore(q->p, q->at[step].data, q->at[step].size, &q->wrong));
  PetscCheck(!is_refused(&q->wrong), motion->layout.comm, PETSC_ERR_PLIB, "a state of the period: %s", q->wrong.text);
  PetscCall(MotionBeginStep(motion, q->h));
  PetscFunctionReturn(0);
}

// to = M from
static PetscErrorCode Propagate(void *self, Vec from, Vec to) {
  Period *q = self;
  Motion *motion = &q->p->s->motion;
  const double *y;
  double *image;
  PetscFunctionBegin;
  PetscCall(GoTo(q, 0));
  PetscCall(VecGetArrayRead(from, &y));
  PetscCall(CoordinatesSpread(motion, q->c, y, &q->d));
  PetscCall(VecRestoreArrayRead(from, &y));
  for (int k = 0; k < q->steps; k++) {
    if (k > 0) PetscCall(GoTo(q, k));
    PetscCall(VecCopy(q->unknown[k], q->p->s->equations.unknown));
    PetscCall(StepDerivative(q->p, q->h, 1, &q->d));
  }
  PetscCall(GoTo(q, q->steps));
  PetscCall(VecGetArray(to, &image));
  PetscCall(CoordinatesRead(&motion->layout, &motion->state, q->c, &q->d, image));
  PetscCall(VecRestoreArray(to, &image));
  PetscFunctionReturn(0);
}

// The matrix on the space, and for each vector the part of its image outside.
static PetscErrorCode Project(Period *q, const KrylovResult *found, LimberFloquet f) {
  int n = f->count;
  const double *v;
  Vec image;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(found->vector[0], &image));
  for (int i = 0; i < n; i++) {
    PetscCall(VecGetArrayRead(found->vector[i], &v));
    PetscCall(PetscArraycpy(f->space + i * f->unknowns, v, f->unknowns));
    PetscCall(VecRestoreArrayRead(found->vector[i], &v));
    PetscCall(Propagate(q, found->vector[i], image));
    PetscCall(VecMDot(image, n, found->vector, f->matrix + i * n));
    for (int k = 0; k < n; k++) PetscCall(VecAXPY(image, -f->matrix[i * n + k], found->vector[k]));
    PetscCall(VecNorm(image, NORM_2, &f->residual[i]));
  }
  PetscCall(VecDestroy(&image));
  PetscFunctionReturn(0);
}

static PetscErrorCode Search(Period *q, LimberFloquet f, Refusal *wrong) {
  KrylovSearch search = {Propagate, q, .count = f->options.count, .tolerance = 1e-10, .limit = 10};
  KrylovResult found = {0};
  double *start;
  PetscFunctionBegin;
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, f->unknowns, &search.start));
  PetscCall(VecGetArray(search.start, &start));
  for (int i = 0; i < f->unknowns; i++) start[i] = random_unit(random_mix((uint64_t)i + 1)) - 0.5;
  PetscCall(VecRestoreArray(search.start, &start));
  PetscCall(KrylovFind(&search, &found));
  if (found.count == 0)
    refuse(wrong,
           "floquet: the %d largest of %d multipliers were not found: without dampers all have the magnitude 1. Give "
           "the model some damping, or find all of them (`count: 0`)",
           f->options.count, f->unknowns);
  else {
    PetscCall(FloquetAllocate(f, found.count));
    PetscCall(Project(q, &found, f));
  }
  PetscCall(KrylovDestroy(&found));
  PetscCall(VecDestroy(&search.start));
  PetscFunctionReturn(0);
}

PetscErrorCode FloquetLargest(Stepper *p, const Coordinates *c, LimberFloquet f, Refusal *wrong) {
  Period q = {.p = p, .c = c, .h = p->options.step, .steps = f->options.steps};
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(q.steps + 1, &q.at, q.steps, &q.unknown));
  PetscCall(DisturbanceCreate(&p->s->motion.layout, &q.d));
  for (int k = 0; k < q.steps && !is_refused(wrong); k++) PetscCall(FloquetStep(p, q.h, RememberStep, &q, wrong));
  PetscCall(StateCopySave(p, &q.at[q.steps]));
  if (!is_refused(wrong)) PetscCall(Search(&q, f, wrong));
  for (int k = 0; k < q.done; k++) PetscCall(VecDestroy(&q.unknown[k]));
  for (int k = 0; k <= q.steps; k++) memory_free(&q.at[k].data);
  PetscCall(DisturbanceDestroy(&q.d));
  PetscCall(PetscFree2(q.at, q.unknown));
  PetscFunctionReturn(0);
}
