// SPDX-License-Identifier: Apache-2.0
// Propagates the modes over a step: the state on them, loads and forces at its start, and the state at its end.
// Equations: eq-exponential-mode (15.2), eq-exponential-start (15.4), eq-exponential-middle (15.5).
#include "analyses/exponential/exponential.h"
#include "assembly/state_values.h"
#include "base/rotation.h"

#include <petscblaslapack.h>
#include <string.h>

// ---- the state as unknowns ----

PetscErrorCode ExponentialGatherState(Stepper *p) {
  const Motion *motion = &p->s->motion;
  Exponential *x = exponential_of(p);
  PetscInt joints = motion->layout.model->joints.count;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(x->d[START], x->n));
  PetscCall(PetscArrayzero(x->v[START], x->n));
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    PetscInt node = motion->layout.node[i], at = x->offset[node];
    const Vec3 *reference = x->reference + 4 * node;
    Vec3 y[4], v, w;
    if (at < 0) continue;
    motion_node_values(motion, i, y, &v, &w);
    vec3_to(vec3_sub(y[0], reference[0]), x->d[START] + at);
    vec3_to(v, x->v[START] + at);
    if (model_node(motion->layout.model, node)->kind != NODE_FRAME) continue;
    Vec3 c = rotation_conformal(mat3_mul(node_axes(y), mat3_transpose(node_axes(reference))));
    vec3_to(c, x->d[START] + at + 3); // w = tau G c'
    vec3_to(vec3_scale(1 / rotation_tau(c), mat3_apply_transpose(rotation_half(c), w)), x->v[START] + at + 3);
  }
  PetscCall(ExponentialGather(&motion->layout, x->d[START], x->n));
  PetscCall(ExponentialGather(&motion->layout, x->v[START], x->n));
  PetscCall(PetscArrayzero(x->at[START].z, joints));
  for (PetscInt j = 0; j < motion->layout.njoint; j++)
    if (motion->layout.joint_primary[j]) x->at[START].z[motion->layout.joint[j]] = motion->state.coord[j];
  PetscCall(ExponentialGather(&motion->layout, (double *)x->at[START].z, MAX_COORDS * joints));
  PetscFunctionReturn(0);
}

// ---- modes over the step ----

static void update_responses(Exponential *x, double h) {
  if (x->h == h) return;
  x->h = h;
  for (PetscInt i = 0; i < x->m; i++) {
    oscillator_response(x->square[i], x->decay[i], h, MAX_RESPONSE, x->psi + MAX_RESPONSE * i);
    for (int k = 0; k < STEP_POINTS; k++)
      oscillator_response(x->square[i], x->decay[i], step_point[k] * h, MAX_RESPONSE,
                          x->inside + MAX_RESPONSE * (STEP_POINTS * i + k));
  }
}

// The loads over the step on the modes: coefficients of the powers of (t - t_n)/h.
static void add_loads(const Stepper *p, double h) {
  Exponential *x = exponential_of(p);
  Model m = p->s->motion.layout.model;
  memset(x->load, 0, (size_t)(STEP_POINTS * x->m) * sizeof *x->load);
  for (int l = 0; l < m->loads.count; l++) {
    const Load *q = &model_load(m, l)->load;
    double value[STEP_POINTS], c[STEP_POINTS] = {0};
    if (q->target == LOAD_JOINT) continue;
    bool constant = model_amplitude_constant(m, q->amplitude);
    for (int i = 0; i < STEP_POINTS; i++)
      value[i] = model_amplitude(m, q->amplitude, p->s->motion.state.time + step_point[i] * h);
    for (int k = 0; k < STEP_POINTS && !constant; k++)
      for (int i = 0; i < STEP_POINTS; i++) c[k] += x->inverse[k][i] * value[i];
    if (constant) c[0] = value[0];
    for (int k = 0; k < STEP_POINTS; k++)
      for (PetscInt i = 0; i < x->m && c[k] != 0; i++) x->load[k * x->m + i] += c[k] * x->pattern[l * x->m + i];
  }
}

void exponential_mode(const Exponential *x, PetscInt i, double part, const double *psi, double *out, double *rate) {
  double s = part * x->h, w = x->square[i], d = x->decay[i], f0 = x->force[START][i];
  double slope = (-3 * f0 + 4 * x->force[MIDDLE][i] - x->force[END][i]) * part;
  double curve = (4 * f0 - 8 * x->force[MIDDLE][i] + 4 * x->force[END][i]) * part * part;
  double power = 1; // k! part^k
  *out = (psi[0] + 2 * d * s * psi[1]) * x->x0[i] + s * psi[1] * x->v0[i];
  *rate = -w * s * psi[1] * x->x0[i] + psi[0] * x->v0[i];
  *out += s * s * (f0 * psi[2] + slope * psi[3] + curve * psi[4]);
  *rate += s * (f0 * psi[1] + slope * psi[2] + curve * psi[3]);
  for (int k = 0; k < STEP_POINTS; k++, power *= k * part) {
    double f = power * x->load[k * x->m + i];
    *out += s * s * f * psi[k + 2], *rate += s * f * psi[k + 1];
  }
}

// ---- forces ----

void exponential_rows_on_modes(const Exponential *x, const double *e, double *out) {
  PetscInt n = x->n, m = x->m;
  for (PetscInt r = 0; r < x->nconstraint; r++) {
    double *row = out + r * m;
    for (PetscInt i = 0; i < m; i++) row[i] = 0;
    for (PetscInt t = 0; t < x->near; t++) {
      PetscInt k = x->touched[t];
      double f = e[r * n + k];
      for (PetscInt i = 0; i < m && f != 0; i++) row[i] += f * x->mode[k + n * i];
    }
  }
}

// force = modes^T (Q - E^T lambda) minus the coupling of the damping, at the start, middle or end
PetscErrorCode ExponentialForceAt(Stepper *p, int k) {
  Exponential *x = exponential_of(p);
  PetscInt n = x->n, m = x->m;
  double *f = x->work + n, *rate = x->work + 2 * n;
  PetscFunctionBegin;
  PetscCall(ExponentialRemainder(p, x->d[k], x->force[k]));
  for (PetscInt t = 0; t < x->near; t++) { // sums forces of joints at the nodes, then projects them onto the modes
    PetscInt at = x->touched[t];
    double sum = 0;
    for (PetscInt r = 0; r < x->nconstraint; r++) sum += x->lambda[k][r] * x->e[k][r * n + at];
    for (PetscInt i = 0; i < m && sum != 0; i++) x->force[k][i] -= sum * x->mode[at + n * i];
  }
  if (x->coupling) { // C V without the damping of each mode alone; modes^T M V are the modal rates
    exponential_times(n, m, x->heavy, true, x->v[k], rate);
    exponential_times(m, m, x->coupling, false, rate, f);
    for (PetscInt i = 0; i < m; i++) x->force[k][i] -= f[i];
  }
  PetscFunctionReturn(0);
}

// g'' without E D'': the rate of g' along the motion with D'' = 0, including the accelerations of the drives.
static void rates_of_rates(const Stepper *p, double h, double *out) {
  Exponential *x = exponential_of(p);
  Model m = p->s->motion.layout.model;
  PetscInt n = x->n, joints = m->joints.count;
  static const double weight[4] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, offset[4] = {-2, -1, 1, 2};
  double fast = 0, *d = x->d[END], *rate = x->rate;
  for (PetscInt i = 0; i < n; i++) fast = PetscMax(fast, fabs(x->v[START][i]) / p->s->motion.layout.length);
  for (PetscInt j = 0; j < joints; j++)
    for (int c = 0; c < MAX_COORDS; c++) fast = PetscMax(fast, fabs(x->at[START].rate[j].z[c]));
  for (PetscInt r = 0; r < x->nconstraint; r++) out[r] = 0;
  double step = fast > 0 ? 1e-3 / fast : 0;
  for (int k = 0; k < 4 && step > 0; k++) {
    double s = offset[k] * step;
    for (PetscInt i = 0; i < n; i++) d[i] = x->d[START][i] + s * x->v[START][i];
    for (PetscInt j = 0; j < joints; j++) {
      x->at[END].z[j] = x->at[START].z[j], x->at[END].rate[j] = x->at[START].rate[j];
      for (int c = 0; c < MAX_COORDS; c++) x->at[END].z[j].z[c] += s * x->at[START].rate[j].z[c];
    }
    exponential_rows(x, m, d, x->v[START], &x->at[END], x->g, rate, x->e[END]);
    for (PetscInt r = 0; r < x->nconstraint; r++) out[r] += weight[k] / step * rate[r];
  }
  for (PetscInt i = 0; i < x->drives; i++) {
    const PrescribedCoord *q = &x->drive[i];
    const Load *l = &model_load(m, q->load)->load;
    double t = p->s->motion.state.time, tiny = 1e-3 * h, on[MAX_ROWS];
    double acceleration =
        (-3 * model_drive_rate(m, l, t) + 4 * model_drive_rate(m, l, t + tiny) - model_drive_rate(m, l, t + 2 * tiny)) /
        (2 * tiny);
    exponential_on_coord(x, m, q->joint, x->d[START], &x->at[START].z[q->joint], q->coord, on);
    for (PetscInt r = 0; r < x->nconstraint; r++)
      if (x->row[r].joint == q->joint) out[r] += on[x->row[r].row] * acceleration;
  }
}

// Baumgarte's terms with powers, as in the paper, which counteract the drift of constraints.
static double baumgarte_term(const LimberOptions *o, double g, double rate) {
  double a = o->paper.kappa1 * copysign(pow(fabs(rate), o->paper.power1), rate);
  return a + o->paper.kappa2 * copysign(pow(fabs(g), o->paper.power2), g);
}

// Multipliers at the start: E M^-1 E^T lambda = E M^-1 (P + Q - K D - C V) + g'' without D'' (+ stabilising terms).
PetscErrorCode ExponentialStartForces(Stepper *p, double h, bool *good) {
  Exponential *x = exponential_of(p);
  PetscInt n = x->n, m = x->m;
  PetscBLASInt rows = (PetscBLASInt)x->nconstraint, one = 1, info = 0;
  double *e = x->work + 4 * n, *lambda = x->lambda[START];
  PetscFunctionBegin;
  for (PetscInt r = 0; r < x->nconstraint; r++) lambda[r] = 0;
  PetscCall(ExponentialForceAt(p, START));
  *good = true;
  if (rows > 0) {
    rates_of_rates(p, h, lambda);
    exponential_rows(x, p->s->motion.layout.model, x->d[START], x->v[START], &x->at[START], x->g, x->rate, x->e[START]);
    for (PetscInt r = 0; r < rows && p->rule.drifts; r++) lambda[r] += baumgarte_term(&p->options, x->g[r], x->rate[r]);
    exponential_rows_on_modes(x, x->e[START], e);
    for (PetscInt r = 0; r < rows; r++) {
      for (PetscInt c = 0; c < rows; c++) {
        double sum = 0;
        for (PetscInt i = 0; i < m; i++) sum += e[r * m + i] * e[c * m + i];
        x->solve[r + rows * c] = sum;
      }
      for (PetscInt i = 0; i < m; i++)
        lambda[r] +=
            e[r * m + i] * (x->force[START][i] + x->load[i] - x->square[i] * x->x0[i] - 2 * x->decay[i] * x->v0[i]);
    }
    LAPACKgesv_(&rows, &one, x->solve, &rows, x->pivot, lambda, &rows, &info);
    *good = info == 0;
    PetscCall(ExponentialForceAt(p, START));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ExponentialBegin(Stepper *p, double h, bool *good) {
  Exponential *x = exponential_of(p);
  PetscFunctionBegin;
  PetscCall(ExponentialGatherState(p));
  PetscCall(ExponentialFindConstraints(p));
  update_responses(x, h);
  add_loads(p, h);
  exponential_prescribe(p, p->s->motion.state.time, 0, x->at[START].z, &x->at[START]);
  exponential_times(x->n, x->m, x->heavy, true, x->d[START], x->x0);
  exponential_times(x->n, x->m, x->heavy, true, x->v[START], x->v0);
  PetscCall(ExponentialStartForces(p, h, good));
  PetscFunctionReturn(0);
}

// ---- the end of the step ----

double exponential_propagate(Exponential *x, double length, bool whole) {
  double *a = x->work, *b = x->work + x->n;
  for (PetscInt i = 0; i < x->m; i++) exponential_mode(x, i, 1, x->psi + MAX_RESPONSE * i, &a[i], &b[i]);
  return exponential_arrive(x, length, a, b, whole);
}

double exponential_arrive(Exponential *x, double length, const double *a, const double *b, bool whole) {
  PetscInt n = x->n;
  double *d = x->work + 2 * n, h = x->h, most = 0;
  if (whole) {
    exponential_times(n, x->m, x->mode, false, a, d);
    exponential_times(n, x->m, x->mode, false, b, x->v[END]);
  }
  for (PetscInt t = 0; t < x->near && !whole; t++) {
    PetscInt i = x->touched[t];
    d[i] = x->v[END][i] = 0;
    for (PetscInt k = 0; k < x->m; k++) d[i] += x->mode[i + n * k] * a[k], x->v[END][i] += x->mode[i + n * k] * b[k];
  }
  for (PetscInt t = 0; t < (whole ? n : x->near); t++) {
    PetscInt i = whole ? t : x->touched[t];
    const double d0 = x->d[START][i], v0 = x->v[START][i], v1 = x->v[END][i];
    double change = fabs(d[i] - x->d[END][i]) / length;
    most = change > most || change != change ? change : most;
    x->d[END][i] = d[i];
    x->d[MIDDLE][i] = 0.5 * (d0 + d[i]) + h / 8 * (v0 - v1);
    x->v[MIDDLE][i] = 1.5 * (d[i] - d0) / h - 0.25 * (v0 + v1);
  }
  return most;
}
