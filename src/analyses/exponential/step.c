// SPDX-License-Identifier: Apache-2.0
// One step of the exponential scheme.
// Equations: eq-exponential-mode (15.2), eq-exponential-start (15.4), eq-exponential-middle (15.5).
#include "analyses/exponential/exponential.h"
#include "assembly/state_values.h"
#include "base/rotation.h"

#include <petscblaslapack.h>
#include <string.h>

// A Newton step for the multipliers at the middle and the end, with the present E. They act on g and g' through the
// modes.
static PetscErrorCode CorrectMultipliers(Exponential *x, bool *good) {
  PetscInt n = x->n, m = x->m, rows = x->nconstraint;
  PetscBLASInt size = (PetscBLASInt)(2 * rows), one = 1, info;
  double h = x->h, *em = x->work + 4 * n, *e1 = em + rows * m, *right = x->solve + 4 * rows * rows;
  PetscFunctionBegin;
  exponential_rows_on_modes(x, x->e[MIDDLE], em);
  exponential_rows_on_modes(x, x->e[END], e1);
  for (PetscInt r = 0; r < rows; r++) {
    for (PetscInt c = 0; c < rows; c++) {
      double sum[4] = {0};
      for (PetscInt i = 0; i < m; i++) {
        const double *psi = x->psi + MAX_RESPONSE * i, to_m = e1[r * m + i] * em[c * m + i],
                     to_1 = e1[r * m + i] * e1[c * m + i];
        sum[0] += to_m * (4 * psi[3] - 8 * psi[4]), sum[1] += to_1 * (4 * psi[4] - psi[3]);
        sum[2] += to_m * (4 * psi[2] - 8 * psi[3]), sum[3] += to_1 * (4 * psi[3] - psi[2]);
      }
      x->solve[r + size * c] = sum[0], x->solve[r + size * (rows + c)] = sum[1];
      x->solve[rows + r + size * c] = sum[2], x->solve[rows + r + size * (rows + c)] = sum[3];
    }
    right[r] = x->g[r] / (h * h), right[rows + r] = x->rate[r] / h;
  }
  LAPACKgesv_(&size, &one, x->solve, &size, x->pivot, right, &size, &info);
  *good = info == 0;
  for (PetscInt r = 0; r < rows && *good; r++) x->lambda[MIDDLE][r] += right[r], x->lambda[END][r] += right[rows + r];
  PetscFunctionReturn(0);
}

PetscErrorCode ExponentialAdvance(Stepper *p, double h, int *iterations, NewtonOutcome *o) {
  Exponential *x = exponential_of(p);
  Motion *motion = &p->s->motion;
  double before = 1, change;
  bool good, whole = !x->linear || x->coupling; // else forces depend only on the unknowns of joints
  PetscFunctionBegin;
  *o = (NewtonOutcome){.worst = -1};
  if (p->rule.drifts) {
    PetscCall((p->rule.variant == EXPONENTIAL_NEWMARK ? NewmarkAttempt : PaperAttempt)(p, h, iterations, o));
    PetscFunctionReturn(0);
  }
  PetscCall(ExponentialBegin(p, h, &good));
  o->singular = !good;
  if (!good) PetscFunctionReturn(0);
  for (int k = MIDDLE; k <= END; k++) {
    PetscCall(PetscArraycpy(x->lambda[k], x->lambda[START], x->nconstraint));
    PetscCall(PetscArraycpy(x->force[k], x->force[START], x->m));
    exponential_prescribe(p, motion->state.time, k == END ? h : 0.5 * h, x->at[START].z, &x->at[k]);
  }
  for (int i = 1; i <= p->options.iterations && !o->converged && good; i++) {
    o->iterations = i, ++*iterations;
    change = exponential_propagate(x, motion->layout.length, whole);
    if (!(change < 1e3)) break;
    bool at_floor = i > 2 && change >= 0.5 * before && change <= 1e-12;
    o->converged = (i > 1 && (change <= 4e-16 || at_floor)) || (x->linear && x->nconstraint == 0 && !x->coupling);
    before = change;
    if (o->converged) break;
    if (x->nconstraint > 0) {
      exponential_rows(x, motion->layout.model, x->d[MIDDLE], NULL, &x->at[MIDDLE], x->g, NULL, x->e[MIDDLE]);
      exponential_rows(x, motion->layout.model, x->d[END], x->v[END], &x->at[END], x->g, x->rate, x->e[END]);
      PetscCall(CorrectMultipliers(x, &good));
    }
    PetscCall(ExponentialForceAt(p, MIDDLE));
    PetscCall(ExponentialForceAt(p, END));
  }
  if (o->converged && !whole) exponential_propagate(x, motion->layout.length, true);
  o->singular = !good;
  motion->step.h = h;
  PetscFunctionReturn(0);
}

// ---- the state ----

// Sets node i of the system from the unknowns at k.
static void set_node_position(const Stepper *p, PetscInt i, int k) {
  Motion *motion = &p->s->motion;
  const Exponential *x = exponential_of(p);
  PetscInt at = x->offset[motion->layout.node[i]];
  NodeState node = step_node_state(&motion->state, &motion->step, i);
  NodeMotion m;
  if (at < 0) return;
  exponential_node(x, motion->layout.model, motion->layout.node[i], x->d[k], &m);
  node.x[0] = m.x[0], node.v[0] = vec3_of(x->v[k] + at);
  if (model_node(motion->layout.model, motion->layout.node[i])->kind != NODE_FRAME) return;
  Vec3 rate = vec3_of(x->v[k] + at + 3);
  for (int j = 1; j < 4; j++) node.x[j] = m.x[j], node.v[j] = vec3_cross(mat3_apply(m.spin, rate), m.x[j]);
}

static void store_multipliers(const Stepper *p, int k) {
  System *s = p->s;
  const Exponential *x = exponential_of(p);
  for (PetscInt j = 0; j < s->motion.layout.njoint; j++) {
    memset(s->motion.state.multiplier[j], 0, sizeof s->motion.state.multiplier[j]);
    for (PetscInt r = 0; r < x->nconstraint; r++)
      if (x->row[r].joint == s->motion.layout.joint[j]) s->motion.state.multiplier[j][x->row[r].row] = x->lambda[k][r];
  }
  s->redundancy.least_norm = false;
}

PetscErrorCode ExponentialStart(Stepper *p, Refusal *wrong) {
  bool good;
  PetscFunctionBegin;
  (void)wrong; // nothing can be wrong by now
  PetscCall(ExponentialBegin(p, p->options.step, &good));
  if (good) store_multipliers(p, START);
  PetscFunctionReturn(0);
}

// Sets the increments of the step, for outputs that need them.
static PetscErrorCode SetIncrements(Stepper *p) {
  System *s = p->s;
  const Exponential *x = exponential_of(p);
  double *q;
  PetscFunctionBegin;
  PetscCall(VecZeroEntries(s->equations.unknown));
  PetscCall(VecGetArray(s->equations.unknown, &q));
  for (PetscInt i = 1; i < s->motion.layout.nnode_own; i++) {
    NodeMotion a, b;
    if (s->motion.layout.node_block[i] < 0) continue;
    exponential_node(x, s->motion.layout.model, s->motion.layout.node[i], x->d[START], &a);
    exponential_node(x, s->motion.layout.model, s->motion.layout.node[i], x->d[END], &b);
    vec3_to(vec3_sub(b.x[0], a.x[0]), q + 3 * s->motion.layout.node_block[i]);
    if (model_node(s->motion.layout.model, s->motion.layout.node[i])->kind == NODE_FRAME)
      vec3_to(rotation_conformal(mat3_mul(node_axes(b.x), mat3_transpose(node_axes(a.x)))),
              q + 3 * (s->motion.layout.node_block[i] + 1));
  }
  for (PetscInt j = 0; j < s->motion.layout.njoint; j++) {
    const Joint *joint = &model_joint(s->motion.layout.model, s->motion.layout.joint[j])->joint;
    if (!s->motion.layout.joint_primary[j]) continue;
    for (int r = 0; r < joint_unknowns(joint); r++) {
      int c = r - joint->rows.nrow;
      q[3 * s->motion.layout.joint_block[j] + r] =
          c < 0 ? s->motion.state.multiplier[j][r]
                : x->at[END].z[s->motion.layout.joint[j]].z[c] - x->at[START].z[s->motion.layout.joint[j]].z[c];
    }
  }
  PetscCall(VecRestoreArray(s->equations.unknown, &q));
  PetscCall(EquationsRefresh(&s->motion.layout, &s->equations));
  PetscFunctionReturn(0);
}

PetscErrorCode ExponentialAccept(Stepper *p, double *work, StepBalance *a) {
  Motion *motion = &p->s->motion;
  Exponential *x = exponential_of(p);
  PetscFunctionBegin;
  PetscCall(ExponentialBalance(p, work, a));
  exponential_follow(x, motion->layout.model, x->d[END], x->at[END].z);
  store_multipliers(p, END);
  PetscCall(SetIncrements(p));
  for (PetscInt i = 1; i < motion->layout.nnode; i++) set_node_position(p, i, END);
  p->ledger.constraint = 0;
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    motion->state.coord[j] = x->at[END].z[motion->layout.joint[j]];
    p->ledger.constraint = PetscMax(p->ledger.constraint, motion_joint_gap(motion, j));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &p->ledger.constraint, 1, MPI_DOUBLE, MPI_MAX, motion->layout.comm));
  if (p->rule.drifts) paper_store_slope(p);
  PetscCall(ExponentialGatherState(p));
  PetscFunctionReturn(0);
}
