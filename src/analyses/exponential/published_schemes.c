// SPDX-License-Identifier: Apache-2.0
// Forces over a step as in Liu, Begg, Devane & Zhong: F(t_n) + F' s + F'' s^2/2, with F' along the motion (their
// equation 26) and F'' from the F' of three steps (their equation 29). Multipliers follow from accelerations alone, so
// joints drift unless stabilising terms pull them back (equation 32).
// Also the method that they compare with, Newmark's with a predictor: the multipliers at the end follow from the
// predicted motion there, and then the accelerations from the multipliers.
// Equations: eq-exponential-newmark (15.7).
#include "analyses/exponential/exponential.h"

#include <string.h>

// The scheme stores F' of the last step in a and of the one before in w, component by component.
static PetscErrorCode CopyAccelerations(const Stepper *p, const Vec3 *from, double *out) {
  const Layout *layout = &p->s->motion.layout;
  const Exponential *x = exponential_of(p);
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(out, x->n));
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    for (int b = 0; b < node_blocks(model_node(layout->model, layout->node[i])->kind); b++)
      vec3_to(from[4 * i + b], out + x->offset[layout->node[i]] + 3 * b);
  PetscCall(ExponentialGather(layout, out, x->n));
  PetscFunctionReturn(0);
}

void paper_store_slope(Stepper *p) {
  Motion *motion = &p->s->motion;
  const Exponential *x = exponential_of(p);
  for (PetscInt i = 1; i < motion->layout.nnode; i++)
    for (int b = 0; b < node_blocks(model_node(motion->layout.model, motion->layout.node[i])->kind); b++) {
      motion->state.w[4 * i + b] = motion->state.a[4 * i + b];
      motion->state.a[4 * i + b] = vec3_of(x->slope + x->offset[motion->layout.node[i]] + 3 * b);
    }
}

typedef struct { // the start of the step, saved while other values take its place
  double *all, *d, *v, *x0, *v0, *load, *acceleration, *on_nodes, *force[3], *lambda[3], time;
  Coords *z;
} SavedStart;

static PetscErrorCode SaveStart(const Stepper *p, SavedStart *k) {
  const Exponential *x = exponential_of(p);
  PetscInt n = x->n, joints = p->s->motion.layout.model->joints.count;
  PetscFunctionBegin;
  k->time = p->s->motion.state.time;
  PetscCall(PetscMalloc2((9 + STEP_POINTS) * n + 3 * x->nconstraint, &k->all, joints, &k->z));
  k->d = k->all, k->v = k->d + n, k->x0 = k->v + n, k->v0 = k->x0 + n, k->acceleration = k->v0 + n;
  k->on_nodes = k->acceleration + n, k->load = k->on_nodes + n;
  k->force[0] = k->load + STEP_POINTS * n, k->lambda[0] = k->force[0] + 3 * n;
  for (int i = 1; i < 3; i++) k->force[i] = k->force[0] + i * n, k->lambda[i] = k->lambda[0] + i * x->nconstraint;
  PetscCall(PetscArraycpy(k->d, x->d[START], n));
  PetscCall(PetscArraycpy(k->v, x->v[START], n));
  PetscCall(PetscArraycpy(k->x0, x->x0, n));
  PetscCall(PetscArraycpy(k->v0, x->v0, n));
  PetscCall(PetscArraycpy(k->load, x->load, STEP_POINTS * n));
  PetscCall(PetscArraycpy(k->z, x->at[START].z, joints));
  for (PetscInt i = 0; i < n; i++)
    k->acceleration[i] = x->force[START][i] + x->load[i] - x->square[i] * x->x0[i] - 2 * x->decay[i] * x->v0[i];
  PetscFunctionReturn(0);
}

static PetscErrorCode RestoreStart(Stepper *p, SavedStart *k) {
  Exponential *x = exponential_of(p);
  PetscInt n = x->n;
  PetscFunctionBegin;
  PetscCall(PetscArraycpy(x->d[START], k->d, n));
  PetscCall(PetscArraycpy(x->v[START], k->v, n));
  PetscCall(PetscArraycpy(x->x0, k->x0, n));
  PetscCall(PetscArraycpy(x->v0, k->v0, n));
  PetscCall(PetscArraycpy(x->load, k->load, STEP_POINTS * n));
  exponential_prescribe(p, k->time, 0, k->z, &x->at[START]);
  PetscCall(PetscFree2(k->all, k->z));
  PetscFunctionReturn(0);
}

// Forces and multipliers after a time s, at D + s V + bend A and V + turn A.
static PetscErrorCode EvaluateLater(Stepper *p, double h, double s, double bend, double turn, const SavedStart *k,
                                    bool *good) {
  Exponential *x = exponential_of(p);
  PetscInt n = x->n;
  PetscFunctionBegin;
  for (PetscInt i = 0; i < n; i++) {
    x->d[START][i] = k->d[i] + s * k->v[i] + bend * k->on_nodes[i];
    x->v[START][i] = k->v[i] + turn * k->on_nodes[i];
    x->x0[i] = k->x0[i] + s * k->v0[i] + bend * k->acceleration[i];
    x->v0[i] = k->v0[i] + turn * k->acceleration[i];
    double sum = 0;
    for (int j = STEP_POINTS - 1; j >= 0; j--) sum = sum * s / h + k->load[j * n + i];
    x->load[i] = sum;
  }
  exponential_prescribe(p, k->time, s, k->z, &x->at[START]);
  p->s->motion.state.time = k->time + s;
  PetscCall(ExponentialStartForces(p, h, good));
  p->s->motion.state.time = k->time;
  PetscFunctionReturn(0);
}

// ---- the paper's method ----

// The rate of forces and multipliers at the start, from a second-order difference over a hundredth of the step.
static PetscErrorCode FindSlope(Stepper *p, double h, bool *good) {
  Exponential *x = exponential_of(p);
  PetscInt n = x->n;
  double s = 0.01 * h;
  SavedStart k;
  PetscFunctionBegin;
  PetscCall(SaveStart(p, &k));
  exponential_times(n, n, x->mode, false, k.acceleration, k.on_nodes);
  for (int i = 2; i >= 0 && *good; i--) { // the start itself comes last
    PetscCall(EvaluateLater(p, h, i * s, 0.5 * i * s * i * s, i * s, &k, good));
    PetscCall(PetscArraycpy(k.force[i], x->force[START], n));
    PetscCall(PetscArraycpy(k.lambda[i], x->lambda[START], x->nconstraint));
  }
  for (PetscInt i = 0; i < n; i++) x->slope[i] = (-3 * k.force[0][i] + 4 * k.force[1][i] - k.force[2][i]) / (2 * s);
  for (PetscInt r = 0; r < x->nconstraint; r++) {
    double slope = (-3 * k.lambda[0][r] + 4 * k.lambda[1][r] - k.lambda[2][r]) / (2 * s);
    x->lambda[MIDDLE][r] = k.lambda[0][r] + 0.5 * h * slope, x->lambda[END][r] = k.lambda[0][r] + h * slope;
  }
  PetscCall(RestoreStart(p, &k));
  PetscFunctionReturn(0);
}

PetscErrorCode PaperAttempt(Stepper *p, double h, int *iterations, NewtonOutcome *o) {
  Exponential *x = exponential_of(p);
  PetscInt n = x->n;
  double *last, *before;
  bool good;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(n, &last, n, &before));
  PetscCall(ExponentialBegin(p, h, &good));
  if (good) PetscCall(FindSlope(p, h, &good));
  PetscCall(CopyAccelerations(p, p->s->motion.state.a, last));
  PetscCall(CopyAccelerations(p, p->s->motion.state.w, before));
  for (PetscInt i = 0; i < n && good; i++) {
    double f = x->force[START][i], slope = x->slope[i], curve = 0;
    if (p->options.paper.terms > 1 && p->count > 1) curve = (before[i] - 4 * last[i] + 3 * slope) / (2 * h);
    else if (p->options.paper.terms > 1 && p->count > 0) curve = (slope - last[i]) / h;
    x->force[MIDDLE][i] = f + 0.5 * h * slope + 0.125 * h * h * curve;
    x->force[END][i] = f + h * slope + 0.5 * h * h * curve;
    x->d[END][i] = x->d[START][i];
  }
  for (int k = MIDDLE; k <= END; k++)
    exponential_prescribe(p, p->s->motion.state.time, k == END ? h : 0.5 * h, x->at[START].z, &x->at[k]);
  // a motion that diverges, by the model's own size in a step, has no next step
  o->converged = good && exponential_propagate(x, p->s->motion.layout.length, true) < 1;
  o->singular = !good, o->iterations = 1, ++*iterations;
  p->s->motion.step.h = h;
  PetscCall(PetscFree2(last, before));
  PetscFunctionReturn(0);
}

// ---- Newmark's, beta = 1/4 and gamma = 1/2 ----

// For the energy balance, forces vary linearly over the step.
PetscErrorCode NewmarkAttempt(Stepper *p, double h, int *iterations, NewtonOutcome *o) {
  Exponential *x = exponential_of(p);
  PetscInt n = x->n;
  double *a = x->slope, *d1, *v1;
  bool good;
  SavedStart k;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(n, &d1, n, &v1));
  PetscCall(ExponentialBegin(p, h, &good));
  PetscCall(SaveStart(p, &k));
  PetscCall(PetscArraycpy(k.force[0], x->force[START], n));
  PetscCall(PetscArraycpy(k.lambda[0], x->lambda[START], x->nconstraint));
  if (p->count > 0) PetscCall(CopyAccelerations(p, p->s->motion.state.a, k.acceleration));
  else if (p->options.paper.free_start) {
    PetscCall(ExponentialRemainder(p, x->d[START], k.acceleration));
    for (PetscInt i = 0; i < n; i++)
      k.acceleration[i] += x->load[i] - x->square[i] * x->x0[i] - 2 * x->decay[i] * x->v0[i];
  }
  exponential_times(n, n, x->mode, false, k.acceleration, k.on_nodes);
  if (good)
    PetscCall(EvaluateLater(p, h, h, 0.25 * h * h, 0.5 * h, &k, &good)); // x0, v0, load: predicted values at the end
  for (PetscInt i = 0; i < n; i++) {
    double w = x->square[i], d = x->decay[i];
    x->force[END][i] = x->force[START][i];
    x->force[MIDDLE][i] = 0.5 * (k.force[0][i] + x->force[END][i]), x->force[START][i] = k.force[0][i];
    a[i] = (x->force[END][i] + x->load[i] - w * x->x0[i] - 2 * d * x->v0[i]) / (1 + h * d + 0.25 * h * h * w);
    d1[i] = x->x0[i] + 0.25 * h * h * a[i], v1[i] = x->v0[i] + 0.5 * h * a[i];
  }
  for (PetscInt r = 0; r < x->nconstraint; r++) {
    x->lambda[END][r] = x->lambda[START][r], x->lambda[START][r] = k.lambda[0][r];
    x->lambda[MIDDLE][r] = 0.5 * (x->lambda[START][r] + x->lambda[END][r]);
  }
  PetscCall(RestoreStart(p, &k));
  PetscCall(PetscArraycpy(x->d[END], x->d[START], n));
  for (int i = MIDDLE; i <= END; i++)
    exponential_prescribe(p, p->s->motion.state.time, i == END ? h : 0.5 * h, x->at[START].z, &x->at[i]);
  o->converged = good && exponential_arrive(x, p->s->motion.layout.length, d1, v1, true) < 1;
  o->singular = !good, o->iterations = 1, ++*iterations;
  p->s->motion.step.h = h;
  PetscCall(PetscFree2(d1, v1));
  PetscFunctionReturn(0);
}
