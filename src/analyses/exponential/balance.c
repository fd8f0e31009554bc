// SPDX-License-Identifier: Apache-2.0
// The energy balance of a step of the exponential scheme: work of the loads and of the drives, dissipation in dampers.
// Integrals over the step use Gauss's rule with the modes inside it, those of drives Simpson's.
#include "analyses/exponential/exponential.h"

// Work of the loads on nodes and masses, and dissipation in dampers.
static PetscErrorCode IntegrateModeWork(Stepper *p, double *work, double *damped) {
  const Exponential *x = exponential_of(p);
  Model m = p->s->motion.layout.model;
  double *rate, *all, u;
  bool loads = false;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(x->m, &rate, x->m, &all));
  for (int l = 0; l < m->loads.count; l++) loads = loads || model_load(m, l)->load.target != LOAD_JOINT;
  for (int k = 0; k < STEP_POINTS; k++) {
    double t = p->s->motion.state.time + step_point[k] * x->h, power = 0;
    for (PetscInt i = 0; i < x->m; i++)
      exponential_mode(x, i, step_point[k], x->inside + MAX_RESPONSE * (STEP_POINTS * i + k), &u, &rate[i]);
    for (int l = 0; l < m->loads.count && loads; l++) {
      const Load *q = &model_load(m, l)->load;
      double sum = 0;
      if (q->target == LOAD_JOINT) continue;
      for (PetscInt i = 0; i < x->m; i++) sum += x->pattern[l * x->m + i] * rate[i];
      work[l] += step_weight[k] * x->h * model_amplitude(m, q->amplitude, t) * sum;
    }
    for (PetscInt i = 0; i < x->m; i++) power += 2 * x->decay[i] * rate[i] * rate[i];
    if (x->coupling) {
      exponential_times(x->m, x->m, x->coupling, false, rate, all);
      for (PetscInt i = 0; i < x->m; i++) power += rate[i] * all[i];
    }
    *damped += step_weight[k] * x->h * power;
  }
  PetscCall(PetscFree2(rate, all));
  PetscFunctionReturn(0);
}

// Work of the drives: their force is sum_r lambda_r dg_r/dz.
static void integrate_drive_work(Stepper *p, double *work, StepBalance *a) {
  static const double weight[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
  const Exponential *x = exponential_of(p);
  for (PetscInt i = 0; i < x->drives; i++) {
    const PrescribedCoord *q = &x->drive[i];
    double sum = 0, force = 0, on[MAX_ROWS];
    for (int k = START; k <= END; k++) {
      exponential_on_coord(x, p->s->motion.layout.model, q->joint, x->d[k], &x->at[k].z[q->joint], q->coord, on);
      force = 0;
      for (PetscInt r = 0; r < x->nconstraint; r++)
        if (x->row[r].joint == q->joint) force += x->lambda[k][r] * on[x->row[r].row];
      sum += weight[k] * x->h * force * x->at[k].rate[q->joint].z[q->coord];
    }
    p->drive_force[q->load] = force;
    work[q->load] += sum, a->drives += sum;
  }
}

PetscErrorCode ExponentialBalance(Stepper *p, double *work, StepBalance *a) {
  Model m = p->s->motion.layout.model;
  double *sum;
  PetscFunctionBegin;
  *work = 0, *a = (StepBalance){0};
  PetscCall(PetscCalloc1(m->loads.count, &sum));
  PetscCall(IntegrateModeWork(p, sum, &a->damped));
  integrate_drive_work(p, sum, a);
  for (int l = 0; l < m->loads.count; l++) {
    p->load_work[l] += sum[l];
    if (!ledger_has_potential(&p->s->motion.layout, &model_load(m, l)->load)) *work += sum[l];
  }
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}
