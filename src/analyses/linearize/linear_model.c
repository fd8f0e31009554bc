// SPDX-License-Identifier: Apache-2.0
// Assembles the linear model. With coordinates a that have mass, b that have only damping and c that have neither
// (matrices.h), in which mass and damping matrix are block diagonal,
//   c  = k_cc^-1 (f_c - k_ca a - k_cb b)
//   b' = c_bb^-1 (f_b - c_ba a' - k_ba a - k_bb b - k_bc c)
//   a" = m_aa^-1 (f_a - c_aa a' - c_ab b' - k_aa a - k_ab b - k_ac c)
// as linear maps of w = (x, u), x = (a, a', b).
#include "analyses/linearize/linear_model.h"

#include "analyses/linearize/dense.h"
#include "analyses/linearize/matrices.h"
#include "model/refusal.h"

#include <math.h>
#include <string.h>

typedef struct {
  PetscInt n, na, nb, nc, nx, nu, nw;
  double *position, *rate; // n x nw: (a, b, c) and their rates
  double *acceleration;    // na x nw: a"
  double *force;           // n x nu
} Maps;

// ---- forces of inputs on the coordinates ----

typedef struct { // effect of an input on all unknowns
  double *force, *driven[3];
  double *motion[3]; // Y d of the prescribed coordinates and of their rates
} InputEffect;

static PetscErrorCode CreateEffect(const LinearMatrices *p, InputEffect *e) {
  PetscFunctionBegin;
  PetscCall(PetscMalloc7(p->u.count, &e->force, p->u.count, &e->driven[0], p->u.count, &e->driven[1], p->u.count,
                         &e->driven[2], p->u.count, &e->motion[0], p->u.count, &e->motion[1], p->u.count,
                         &e->motion[2]));
  PetscFunctionReturn(0);
}

static PetscErrorCode FreeEffect(InputEffect *e) {
  PetscFunctionBegin;
  PetscCall(PetscFree7(e->force, e->driven[0], e->driven[1], e->driven[2], e->motion[0], e->motion[1], e->motion[2]));
  PetscFunctionReturn(0);
}

static PetscErrorCode FillEffect(const LinearMatrices *p, int column, InputEffect *e) {
  const Minimal *m = &p->minimal;
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(e->force, p->u.count));
  for (int k = 0; k < 3; k++) PetscCall(PetscArrayzero(e->driven[k], p->u.count));
  linear_input_effect(p, column, e->force, e->driven);
  for (int k = 0; k < 3; k++) {
    PetscCall(PetscArrayzero(e->motion[k], p->u.count));
    for (PetscInt j = 0; j < m->np; j++) {
      double d = e->driven[k][m->driven[j]];
      for (PetscInt i = 0; d != 0 && i < p->u.count; i++) e->motion[k][i] += d * m->y[i + j * m->count];
    }
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode FillForces(const LinearMatrices *p, Maps *x) {
  InputEffect e;
  PetscFunctionBegin;
  PetscCall(CreateEffect(p, &e));
  for (int i = 0; i < x->nu; i++) {
    PetscCall(FillEffect(p, i, &e));
    sparse_multiply(&p->k, -1, e.motion[0], e.force);
    sparse_multiply(&p->c, -1, e.motion[1], e.force);
    sparse_multiply(&p->m, -1, e.motion[2], e.force);
    PetscCall(DenseMultiply(true, x->n, 1, p->u.count, 1, p->groups.t, p->u.count, e.force, p->u.count, 0,
                            x->force + (PetscInt)i * x->n, x->n));
  }
  PetscCall(FreeEffect(&e));
  PetscFunctionReturn(0);
}

// ---- the maps ----

static PetscErrorCode CreateMaps(const LinearMatrices *p, Maps *x) {
  const Groups *g = &p->groups;
  PetscFunctionBegin;
  *x = (Maps){.n = g->n, .na = g->na, .nb = g->nb, .nc = g->nc, .nx = 2 * g->na + g->nb, .nu = p->columns};
  x->nw = x->nx + x->nu;
  PetscCall(PetscCalloc4(x->n * x->nw, &x->position, x->n * x->nw, &x->rate, x->na * x->nw, &x->acceleration,
                         x->n * x->nu, &x->force));
  for (PetscInt i = 0; i < x->na; i++) x->position[i + i * x->n] = 1, x->rate[i + (x->na + i) * x->n] = 1;
  for (PetscInt i = 0; i < x->nb; i++) x->position[x->na + i + (2 * x->na + i) * x->n] = 1;
  PetscFunctionReturn(0);
}

// out (`rows` x nw) = f - k position, and - c rate if `damped`, in the rows of coordinates from `first` on.
static PetscErrorCode Unbalanced(const LinearMatrices *p, const Maps *x, PetscInt first, PetscInt rows, bool damped,
                                 double *out) {
  const Groups *g = &p->groups;
  PetscFunctionBegin;
  for (PetscInt j = 0; j < x->nw; j++)
    for (PetscInt i = 0; i < rows; i++) out[i + j * rows] = j < x->nx ? 0 : x->force[first + i + (j - x->nx) * x->n];
  PetscCall(DenseMultiply(false, rows, x->nw, x->n, -1, g->k + first, x->n, x->position, x->n, 1, out, rows));
  if (damped) PetscCall(DenseMultiply(false, rows, x->nw, x->n, -1, g->c + first, x->n, x->rate, x->n, 1, out, rows));
  PetscFunctionReturn(0);
}

// Solves a diagonal block of a matrix for the unbalanced forces; writes to columns of `to`, `stride` apart.
static PetscErrorCode SolveBlock(const LinearMatrices *p, const Maps *x, const double *matrix, PetscInt first,
                                 PetscInt rows, bool damped, double *to, PetscInt stride, bool *good) {
  double *block, *right;
  PetscFunctionBegin;
  *good = true;
  if (rows == 0) PetscFunctionReturn(0);
  PetscCall(PetscMalloc2(rows * rows, &block, rows * x->nw, &right));
  for (PetscInt j = 0; j < rows; j++)
    PetscCall(PetscArraycpy(block + j * rows, matrix + first + (first + j) * x->n, rows));
  PetscCall(Unbalanced(p, x, first, rows, damped, right));
  PetscCall(DenseSolve(rows, x->nw, block, right, rows, good));
  for (PetscInt j = 0; j < x->nw && *good; j++) PetscCall(PetscArraycpy(to + j * stride, right + j * rows, rows));
  PetscCall(PetscFree2(block, right));
  PetscFunctionReturn(0);
}

// The rates of c without those of the inputs: c' = -k_cc^-1 (k_ca a' + k_cb b'). `omitted`: an input would contribute.
static PetscErrorCode FollowRates(const LinearMatrices *p, const Maps *x, bool *omitted) {
  PetscInt first = x->na + x->nb;
  double *block, *right;
  bool good;
  PetscFunctionBegin;
  *omitted = false;
  if (x->nc == 0) PetscFunctionReturn(0);
  PetscCall(PetscCalloc2(x->nc * x->nc, &block, x->nc * x->nw, &right));
  for (PetscInt j = 0; j < x->nc; j++)
    PetscCall(PetscArraycpy(block + j * x->nc, p->groups.k + first + (first + j) * x->n, x->nc));
  PetscCall(DenseMultiply(false, x->nc, x->nw, first, -1, p->groups.k + first, x->n, x->rate, x->n, 0, right, x->nc));
  PetscCall(DenseSolve(x->nc, x->nw, block, right, x->nc, &good));
  for (PetscInt j = 0; j < x->nw; j++) PetscCall(PetscArraycpy(x->rate + first + j * x->n, right + j * x->nc, x->nc));
  for (PetscInt j = 0; j < x->nu; j++)
    for (PetscInt i = 0; i < x->nc; i++) *omitted = *omitted || x->force[first + i + j * x->n] != 0;
  PetscCall(PetscFree2(block, right));
  PetscFunctionReturn(0);
}

static PetscErrorCode FillMaps(const LinearMatrices *p, Maps *x, bool *omitted, Refusal *wrong) {
  const Groups *g = &p->groups;
  bool good;
  PetscFunctionBegin;
  PetscCall(FillForces(p, x));
  PetscCall(SolveBlock(p, x, g->k, x->na + x->nb, x->nc, false, x->position + x->na + x->nb, x->n, &good));
  if (!good) {
    char name[200];
    unknown_name(&p->u, g->name[x->na + x->nb], name, sizeof name);
    refuse(wrong,
           "%d coordinate%s, such as %s, would move without mass, damping or stiffness. Give that part mass, or a "
           "spring",
           (int)x->nc, x->nc == 1 ? "" : "s", name);
    PetscFunctionReturn(0);
  }
  PetscCall(SolveBlock(p, x, g->c, x->na, x->nb, true, x->rate + x->na, x->n, &good));
  if (good) PetscCall(SolveBlock(p, x, g->m, 0, x->na, true, x->acceleration, x->na, &good));
  if (!good) refuse(wrong, "the mass or damping matrix is singular to round-off: masses differ by too much");
  if (good) PetscCall(FollowRates(p, x, omitted));
  PetscFunctionReturn(0);
}

static PetscErrorCode FreeMaps(Maps *x) {
  PetscFunctionBegin;
  PetscCall(PetscFree4(x->position, x->rate, x->acceleration, x->force));
  PetscFunctionReturn(0);
}

// ---- the model ----

static void fill_dynamics(const Maps *x, LinearModel *m) {
  for (PetscInt i = 0; i < x->nx; i++)
    for (PetscInt j = 0; j < x->nw; j++) {
      double v = i < x->na       ? (j == x->na + i ? 1 : 0)
                 : i < 2 * x->na ? x->acceleration[i - x->na + j * x->na]
                                 : x->rate[i - x->na + j * x->n];
      if (j < x->nx) m->a[i * x->nx + j] = v;
      else m->b[i * x->nu + j - x->nx] = v;
    }
}

// All unknowns and their rates for a unit of w_j: the motion, and the multipliers that balance it.
static PetscErrorCode MotionAlong(const LinearMatrices *p, const Maps *x, PetscInt j, InputEffect *e, double *change,
                                  double *rate, double *work) {
  const Groups *g = &p->groups;
  PetscInt n = p->u.count;
  PetscFunctionBegin;
  PetscCall(DenseMultiply(false, n, 1, x->n, 1, g->t, n, x->position + j * x->n, x->n, 0, change, n));
  PetscCall(DenseMultiply(false, n, 1, x->n, 1, g->t, n, x->rate + j * x->n, x->n, 0, rate, n));
  PetscCall(DenseMultiply(false, n, 1, x->na, 1, g->t, n, x->acceleration + j * x->na, x->na, 0, work, n));
  PetscCall(PetscArrayzero(e->force, n));
  if (j >= x->nx) {
    PetscCall(FillEffect(p, (int)(j - x->nx), e));
    for (PetscInt i = 0; i < n; i++)
      change[i] += e->motion[0][i], rate[i] += e->motion[1][i], work[i] += e->motion[2][i];
  }
  sparse_multiply(&p->k, -1, change, e->force);
  sparse_multiply(&p->c, -1, rate, e->force);
  sparse_multiply(&p->m, -1, work, e->force);
  PetscCall(MinimalMultipliers(&p->minimal, e->force, change));
  PetscFunctionReturn(0);
}

// Finds the output whose differences disagree most, relative to the largest derivative of all outputs of that unit.
static void find_rough_output(LinearModel *m, const double *largest, const double *worst) {
  for (int k = 0; k < m->outputs; k++) {
    double scale = 0;
    for (int i = 0; i < m->outputs; i++)
      if (!strcmp(m->output[i].unit, m->output[k].unit)) scale = fmax(scale, largest[i]);
    if (scale > 0 && worst[k] / scale > m->output_error) m->output_error = worst[k] / scale, m->rough_output = k;
  }
}

static PetscErrorCode FillOutputs(const LinearMatrices *p, const Maps *x, const StateQuestion *ask, LinearModel *m) {
  double *change, *rate, *work, *derivative, *error, *largest, *worst;
  InputEffect e;
  MovedState state;
  PetscInt n = p->u.count;
  PetscFunctionBegin;
  m->rough_output = -1;
  if (!ask->count) PetscFunctionReturn(0);
  PetscCall(PetscCalloc3(n, &change, n, &rate, n, &work));
  PetscCall(PetscCalloc4(ask->count, &derivative, ask->count, &error, ask->count, &largest, ask->count, &worst));
  PetscCall(CreateEffect(p, &e));
  PetscCall(MovedStateCreate(p->s, &p->u, &p->spin, &state));
  PetscCall(MoveState(&state, &(SmallMotion){change, rate}, 0));
  PetscCall(ask->sample(ask->self, m->at_output));
  for (PetscInt j = 0; j < x->nw; j++) {
    PetscCall(MotionAlong(p, x, j, &e, change, rate, work));
    PetscCall(DifferentiateState(&state, &(SmallMotion){change, rate}, ask, derivative, error));
    for (int k = 0; k < ask->count; k++) {
      largest[k] = fmax(largest[k], fabs(derivative[k])), worst[k] = fmax(worst[k], error[k]);
      if (j < x->nx) m->c[(PetscInt)k * x->nx + j] = derivative[k];
      else m->d[(PetscInt)k * x->nu + j - x->nx] = derivative[k];
    }
  }
  find_rough_output(m, largest, worst);
  PetscCall(MovedStateDestroy(&state));
  PetscCall(FreeEffect(&e));
  PetscCall(PetscFree3(change, rate, work));
  PetscCall(PetscFree4(derivative, error, largest, worst));
  PetscFunctionReturn(0);
}

// ---- names ----

static void name_states(const LinearMatrices *p, LinearModel *m) {
  const Groups *g = &p->groups;
  for (int i = 0; i < m->states; i++) {
    bool rate = i >= g->na && i < 2 * g->na;
    PetscInt k = i < g->na ? i : i - g->na, unknown = g->name[k];
    char name[190];
    if (unknown < 0) snprintf(name, sizeof name, "mode.%d", (int)-unknown);
    else unknown_name(&p->u, unknown, name, sizeof name);
    snprintf(m->state[i].name, sizeof m->state[i].name, "%s%s", name, rate ? ".rate" : "");
    snprintf(m->state[i].unit, sizeof m->state[i].unit, "%s",
             unknown < 0 ? (rate ? "kg1/2 m s-1" : "kg1/2 m")
             : rate      ? unknown_rate_unit(&p->u, unknown)
                         : unknown_unit(&p->u, unknown));
  }
}

static void name_inputs(const LinearMatrices *p, LinearModel *m) {
  static const char *const suffix[] = {".integral", "", ".rate", ".acceleration"};
  for (int i = 0; i < m->inputs; i++) {
    const LinearSource *q = &p->sources.source[p->column[i].source];
    int order = p->column[i].order;
    const char *unit[] = {q->integral_unit, q->unit, q->rate_unit, q->acceleration_unit};
    snprintf(m->input[i].name, sizeof m->input[i].name, "%.180s%s", q->name, suffix[order + 1]);
    snprintf(m->input[i].unit, sizeof m->input[i].unit, "%s", unit[order + 1]);
    m->at_input[i] = order == 0 ? q->value : 0;
  }
}

// ---- creating ----

static PetscErrorCode Allocate(const LinearMatrices *p, const LinearRequest *request, LinearModel *m) {
  const Groups *g = &p->groups;
  PetscFunctionBegin;
  m->states = (int)(2 * g->na + g->nb), m->inputs = p->columns, m->outputs = request->ask.count;
  m->first_order = (int)g->nb, m->followers = (int)g->nc;
  PetscInt nx = m->states, nu = m->inputs, ny = m->outputs;
  PetscCall(PetscCalloc4(nx * nx, &m->a, nx * nu, &m->b, ny * nx, &m->c, ny * nu, &m->d));
  PetscCall(PetscCalloc5(nx, &m->state, nu, &m->input, ny, &m->output, nu, &m->at_input, ny, &m->at_output));
  PetscCall(PetscCalloc3(nx, &m->eigen[0], nx, &m->eigen[1], nx, &m->eigen[2]));
  for (int i = 0; i < m->outputs; i++) m->output[i] = request->output[i];
  PetscFunctionReturn(0);
}

static PetscErrorCode Fill(const LinearMatrices *p, const LinearRequest *request, LinearModel *m, Refusal *wrong) {
  Maps x;
  PetscFunctionBegin;
  PetscCall(Allocate(p, request, m));
  name_states(p, m), name_inputs(p, m);
  PetscCall(CreateMaps(p, &x));
  PetscCall(FillMaps(p, &x, &m->omitted_rate, wrong));
  if (!is_refused(wrong)) {
    fill_dynamics(&x, m);
    PetscCall(FillOutputs(p, &x, &request->ask, m));
    PetscCall(LinearModelCompareForces(p, m));
    PetscCall(LinearModelFindEigenvalues(p, m));
  }
  PetscCall(FreeMaps(&x));
  PetscFunctionReturn(0);
}

PetscErrorCode LinearModelCreate(System *s, const Spin *spin, const LinearRequest *request, LinearModel **out,
                                 Refusal *wrong) {
  LinearMatrices p;
  PetscFunctionBegin;
  *out = NULL, wrong->text[0] = 0;
  PetscCall(LinearMatricesCreate(s, spin, request->names, request->name, &p, wrong));
  if (!is_refused(wrong) && request->modes > 0) PetscCall(LinearMatricesUseModes(&p, request->modes, wrong));
  else if (!is_refused(wrong)) PetscCall(LinearMatricesReduce(&p, wrong));
  if (!is_refused(wrong) && p.groups.n == 0) refuse(wrong, "nothing can move: joints fix every node");
  if (!is_refused(wrong)) {
    PetscCall(PetscNew(out));
    PetscCall(Fill(&p, request, *out, wrong));
    if (is_refused(wrong)) PetscCall(LinearModelDestroy(out));
  }
  PetscCall(LinearMatricesDestroy(&p));
  PetscFunctionReturn(0);
}

PetscErrorCode LinearModelDestroy(LinearModel **model) {
  LinearModel *m = *model;
  PetscFunctionBegin;
  if (!m) PetscFunctionReturn(0);
  PetscCall(PetscFree4(m->a, m->b, m->c, m->d));
  PetscCall(PetscFree5(m->state, m->input, m->output, m->at_input, m->at_output));
  PetscCall(PetscFree3(m->eigen[0], m->eigen[1], m->eigen[2]));
  PetscCall(PetscFree(*model));
  PetscFunctionReturn(0);
}
