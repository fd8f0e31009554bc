// SPDX-License-Identifier: Apache-2.0
// Where the unloaded model has no stiffness of its own (slack cables, what hangs freely), there is no path from it: the model comes
// to rest under all of its loads at once.
#include "analyses/statics/statics.h"

#include "analyses/stepping/settle.h"
#include "analyses/stepping/start.h"

PetscErrorCode StaticsRest(Stepper *p, LimberOutcome *out, bool *found) {
  Statics *x = statics_of(p);
  PetscInt loads = p->s->motion.layout.model->loads.count;
  Settled settled;
  PetscFunctionBegin;
  *found = false;
  if (x->options.control != LIMBER_CONTROL_LOAD || x->count > 0) PetscFunctionReturn(0);
  for (PetscInt l = 0; l <= loads; l++) x->share[l][1] *= x->options.to;
  PetscCall(SystemSettle(p->s, &x->loads, &settled));
  for (PetscInt l = 0; l <= loads; l++) x->share[l][1] /= x->options.to;
  out->iterations += settled.iterations;
  if (!settled.found) {
    out->reason = LIMBER_NO_CONVERGENCE;
    out->cause = settled.cause;
    PetscFunctionReturn(0);
  }
  *found = x->finished = true;
  x->count++, p->count++, x->factor = p->ledger.load_factor = x->options.to;
  double before = p->ledger.strain + p->ledger.potential;
  PetscCall(EquationsBeginStatic(&p->s->motion, &p->s->equations));
  PetscCall(MotionSetFactor(&p->s->motion, &x->loads, x->factor));
  PetscCall(StepperUpdateEnergies(p, NULL));
  p->ledger.work += p->ledger.strain + p->ledger.potential - before;
  p->s->motion.state.time = x->options.to > 0 ? x->factor : x->count;
  out->substeps++, out->step = x->options.to, out->time = p->s->motion.state.time;
  x->came_to_rest = true;
  PetscCall(PetscStrncpy(x->free, settled.free.name, sizeof x->free));
  PetscFunctionReturn(0);
}
