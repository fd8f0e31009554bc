// SPDX-License-Identifier: Apache-2.0
// Forces of the system, of its loads and of the linear structure, on unknowns and modes.
#include "analyses/exponential/exponential.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"

void exponential_times(PetscInt n, PetscInt m, const double *a, bool transposed, const double *x, double *y) {
  for (PetscInt i = 0; i < (transposed ? m : n); i++) y[i] = 0;
  for (PetscInt k = 0; k < m; k++) {
    const double *column = a + n * k;
    if (transposed)
      for (PetscInt i = 0; i < n; i++) y[k] += column[i] * x[i];
    else
      for (PetscInt i = 0; i < n; i++) y[i] += column[i] * x[k];
  }
}

PetscErrorCode ExponentialGather(const Layout *layout, double *values, PetscInt count) {
  PetscFunctionBegin;
  if (layout->size > 1) PetscCall(ReduceArray(layout->comm, values, count, MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}

// ---- forces of the system ----

static PetscErrorCode GatherResidual(const Stepper *p, double *out) {
  const System *s = p->s;
  const Exponential *x = exponential_of(p);
  const double *r;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(out, x->n));
  PetscCall(VecGetArrayRead(s->equations.residual, &r));
  for (PetscInt b = 0; b < s->motion.layout.nblock_own; b++) {
    PetscInt at = x->block[s->motion.layout.block_global[b]];
    for (int i = 0; i < 3 && at >= 0; i++) out[at + i] = r[3 * b + i];
  }
  PetscCall(VecRestoreArrayRead(s->equations.residual, &r));
  PetscCall(ExponentialGather(&s->motion.layout, out, x->n));
  PetscFunctionReturn(0);
}

PetscErrorCode ExponentialForces(Stepper *p, const double *d, double h, PetscBool tangent, double *out) {
  System *s = p->s;
  const Exponential *x = exponential_of(p);
  double *q;
  PetscFunctionBegin;
  s->motion.step.h = h;
  for (PetscInt l = 0; l < s->motion.layout.model->loads.count; l++)
    s->motion.step.amplitude[l][0] = 0, s->motion.step.end_amplitude[l] = (Amplitude){.now = 0};
  PetscCall(VecZeroEntries(s->equations.unknown));
  PetscCall(VecGetArray(s->equations.unknown, &q));
  for (PetscInt i = 1; i < s->motion.layout.nnode_own && d; i++) // only points have a remainder
    if (s->motion.layout.node_block[i] >= 0) {
      Vec3 to = vec3_add(x->reference[4 * s->motion.layout.node[i]], vec3_of(d + x->offset[s->motion.layout.node[i]]));
      vec3_to(vec3_sub(to, s->motion.state.x[4 * i]), q + 3 * s->motion.layout.node_block[i]);
    }
  PetscCall(VecRestoreArray(s->equations.unknown, &q));
  PetscCall(EquationsEvaluate(&s->motion, &s->equations, tangent));
  PetscCall(GatherResidual(p, out));
  PetscFunctionReturn(0);
}

PetscErrorCode ExponentialRemainder(Stepper *p, const double *d, double *out) {
  Exponential *x = exponential_of(p);
  PetscFunctionBegin;
  if (x->linear) {
    for (PetscInt i = 0; i < x->m; i++) out[i] = -x->rest_mode[i];
    PetscFunctionReturn(0);
  }
  PetscCall(ExponentialForces(p, d, PETSC_INFINITY, PETSC_FALSE, x->work));
  exponential_times(x->n, x->m, x->mode, true, x->work, out);
  exponential_times(x->n, x->m, x->heavy, true, d, x->work);
  for (PetscInt i = 0; i < x->m; i++) out[i] = x->square[i] * x->work[i] - out[i];
  PetscFunctionReturn(0);
}

// ---- loads ----

// The force of each load for an amplitude of 1, and which loads prescribe a coordinate.
PetscErrorCode ExponentialFindLoads(Stepper *p) {
  System *s = p->s;
  Exponential *x = exponential_of(p);
  PetscInt count = s->motion.layout.model->loads.count;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(count * x->n, &x->push, count, &x->drive));
  s->motion.step.h = PETSC_INFINITY;
  for (PetscInt l = 0; l < count; l++) {
    const Load *q = &model_load(s->motion.layout.model, l)->load;
    double *force = x->push + l * x->n;
    if (load_prescribes(q)) x->drive[x->drives++] = (PrescribedCoord){l, q->id, q->coord};
    if (q->target == LOAD_JOINT) continue;
    PetscCall(VecZeroEntries(s->equations.unknown));
    for (PetscInt i = 0; i < count; i++) {
      double a = i == l;
      s->motion.step.amplitude[i][0] = a, s->motion.step.end_amplitude[i] = (Amplitude){.now = a, .next = a};
    }
    PetscCall(EquationsEvaluate(&s->motion, &s->equations, PETSC_FALSE));
    PetscCall(GatherResidual(p, force));
    for (PetscInt i = 0; i < x->n; i++) force[i] = x->rest[i] - force[i];
  }
  PetscFunctionReturn(0);
}

// Projects loads and the forces at the reference onto the modes.
PetscErrorCode ExponentialProjectForces(Stepper *p) {
  Exponential *x = exponential_of(p);
  PetscInt count = p->s->motion.layout.model->loads.count;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count * x->m, &x->pattern, x->m, &x->rest_mode));
  for (PetscInt l = 0; l < count; l++)
    exponential_times(x->n, x->m, x->mode, true, x->push + l * x->n, x->pattern + l * x->m);
  exponential_times(x->n, x->m, x->mode, true, x->rest, x->rest_mode);
  PetscFunctionReturn(0);
}
