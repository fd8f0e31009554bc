// SPDX-License-Identifier: Apache-2.0
// Accepts, judges and explains steps: ledger, energy balance, causes of failures (stepper.h).
#include "analyses/stepping/stepper.h"

#include "analyses/stepping/bonds.h"
#include "assembly/evaluate.h"
#include "assembly/contacts.h"
#include "assembly/state_values.h"

PetscErrorCode StepperUpdateEnergies(Stepper *p, const StepBalance *balance) {
  LimberLedger *l = &p->ledger;
  PetscFunctionBegin;
  PetscCall(p->kind->energies(p, balance, &l->kinetic, &l->strain, &l->potential));
  PetscFunctionReturn(0);
}

// Applies the impulses of impacts at the end of a step and accounts for their energy.
static PetscErrorCode TakeImpulses(Stepper *p, double h, const StepBalance *balance) {
  LimberLedger *l = &p->ledger;
  double before = l->kinetic + l->strain + l->potential;
  ContactImpulses c;
  PetscFunctionBegin;
  PetscCall(EquationsFindImpulses(&p->s->motion, &p->s->equations, h, &c));
  if (c.joints) PetscCall(StepperRecall(p));
  PetscCall(StepperUpdateEnergies(p, balance));
  l->damping += c.impact + c.friction, l->scheme_energy -= c.memory, l->dissipated += c.memory;
  l->residual += l->kinetic + l->strain + l->potential - before + c.impact + c.friction;
  l->worst_residual = PetscMax(l->worst_residual, fabs(l->residual));
  PetscFunctionReturn(0);
}

// Moves the state by a converged step and updates the ledger.
PetscErrorCode StepperAccept(Stepper *p, double h) {
  System *s = p->s;
  LimberLedger *l = &p->ledger;
  double before = l->kinetic + l->strain + l->potential + l->scheme_energy, work;
  StepBalance a = {0};
  PetscFunctionBegin;
  PetscCall(p->kind->accept(p, &work, &a));
  PetscCall(StepperUpdateEnergies(p, &a));
  work += a.wind - a.air_damped;
  l->scheme_energy = a.memory, p->rough = a.rough;
  double change = l->kinetic + l->strain + l->potential + l->scheme_energy - before;
  if (!p->rule.proved) a.lost = work - a.damped - a.augmented - change; // it has no ports
  l->work += work, l->joints += a.joints + a.augmented, l->drives += a.drives, l->damping += a.damped,
      l->dissipated += a.lost, l->port_work += a.ports, l->wind += a.held + a.wind - a.air_damped,
      l->aerodynamic_damping += a.air_damped;
  l->residual = change - work + a.damped + a.lost + a.augmented + a.ports;
  l->worst_residual = PetscMax(l->worst_residual, fabs(l->residual));
  l->exchanged = PetscMax(l->exchanged, PetscMax(l->kinetic + l->strain, fabs(l->potential - p->potential_start)));
  l->exchanged = PetscMax(l->exchanged, PetscMax(fabs(l->work - p->branched), fabs(l->port_work)));
  if (p->bonds) l->exchange = bonds_exchange(p);
  s->motion.state.time += h;
  Vec oldest = p->previous[PREVIOUS - 1];
  for (int i = PREVIOUS - 1; i > 0; i--)
    p->previous[i] = p->previous[i - 1], p->previous_step[i] = p->previous_step[i - 1];
  p->previous[0] = oldest, p->previous_step[0] = h;
  PetscCall(VecCopy(s->equations.unknown, oldest));
  if (s->motion.contacts && s->motion.contacts->hard) PetscCall(TakeImpulses(p, h, &a));
  PetscFunctionReturn(0);
}

// By theorem, the balance error of a step is at most Newton's tolerance (1e-11 of the energy) plus round-off, including
// that of strains of stiff parts that hardly move. Below the energy of all masses moving by 1e-9 of the model size per
// step, as in first steps from rest, everything may be round-off.
static bool is_balance_violated(const Stepper *p, double h) {
  double slow = 1e-9 * p->s->motion.layout.length / h;
  return fabs(p->ledger.residual) >
         1e-9 * p->ledger.exchanged + p->s->motion.layout.total_mass * slow * slow + p->rough;
}

PetscErrorCode StepperVerdict(Stepper *p, double h, LimberOutcome *out) {
  double gap;
  PetscInt joint;
  PetscFunctionBegin;
  if (is_balance_violated(p, h)) out->reason = LIMBER_BALANCE_ERROR;
  else if (!p->rule.drifts && p->ledger.constraint > PetscMax(1e-6 * PetscMax(1, p->s->motion.layout.length),
                                                              p->s->motion.augmented.strain)) {
    // of joints, only rows that were left out can be violated
    out->reason = LIMBER_CONTRADICTION;
    PetscCall(MotionWorstGap(&p->s->motion, &gap, &joint));
    out->cause = model_joint_cause(p->s->motion.layout.model, joint);
  }
  PetscFunctionReturn(0);
}

// sum |r dx| over all rows as Newton left them.
static PetscErrorCode SumUnbalanced(const System *s, double *out) {
  const double *r, *d;
  double sum = 0;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(s->equations.residual, &r));
  PetscCall(VecGetArrayRead(s->linear.increment, &d));
  for (PetscInt i = 0; i < s->motion.layout.nblock_own * s->motion.layout.bs; i++) sum += PetscAbsReal(r[i] * d[i]);
  PetscCall(VecRestoreArrayRead(s->equations.residual, &r));
  PetscCall(VecRestoreArrayRead(s->linear.increment, &d));
  PetscCallMPI(MPI_Allreduce(&sum, out, 1, MPI_DOUBLE, MPI_SUM, s->motion.layout.comm));
  PetscFunctionReturn(0);
}

PetscErrorCode StepperNameFailure(Stepper *p, const NewtonOutcome *o, LimberOutcome *out) {
  PetscFunctionBegin;
  if (p->bonds && is_refused(&p->bonds->wrong)) {
    out->reason = LIMBER_LIBRARY_FAILURE;
    out->cause = (LimberCause){.kind = LIMBER_CAUSE_BLOCK, .index = p->bonds->cause};
    snprintf(out->cause.name, sizeof out->cause.name, "%.250s", p->bonds->wrong.text);
    PetscFunctionReturn(0);
  }
  if (o->inverted) {
    out->reason = LIMBER_INVERTED_ELEMENT;
    out->cause = model_component_cause(p->s->motion.layout.model, o->inverted - 1);
    PetscFunctionReturn(0);
  }
  if (o->rotation.angle > 0) {
    out->reason = LIMBER_LARGE_ROTATION, out->rotation = o->rotation.angle;
    out->cause = o->rotation.node >= 0 ? model_node_cause(p->s->motion.layout.model, o->rotation.node)
                                       : model_joint_cause(p->s->motion.layout.model, o->rotation.joint);
    PetscFunctionReturn(0);
  }
  out->reason = o->singular ? LIMBER_SINGULAR : LIMBER_NO_CONVERGENCE;
  if (!o->singular && p->kind->has_residual) PetscCall(SumUnbalanced(p->s, &out->unbalanced));
  if (o->singular) PetscCall(EquationsNameUnconstrained(&p->s->motion.layout, &p->s->equations, &out->cause));
  else if (o->worst >= 0) PetscCall(EquationsNameResidual(&p->s->motion, &p->s->equations, o->worst, &out->cause));
  PetscFunctionReturn(0);
}

// Restores the increments that led to the state.
PetscErrorCode StepperRecall(Stepper *p) {
  PetscFunctionBegin;
  PetscCall(VecCopy(p->previous[0], p->s->equations.unknown));
  PetscCall(EquationsRefresh(&p->s->motion.layout, &p->s->equations));
  PetscCall(EquationsMoveAgain(&p->s->motion, &p->s->equations));
  PetscFunctionReturn(0);
}
