// SPDX-License-Identifier: Apache-2.0
// Solves a step with contacts without penetration: Newton is repeated and the contact multipliers are updated until the
// gaps are closed (assembly/contact_hard.h).
// Equations: eq-contact-augmented (22.9).
#include "assembly/evaluate.h"
#include "assembly/contact_hard.h"
#include "solvers/contact_acceleration.h"
#include "solvers/solvers.h"

enum { LONGEST = 40 };             // solutions of a step
enum { SOFTER = 2 };               // tries with softer penalties
static const double softer = 0.03; // of the penalty
static const double found = 0.5;   // of the depth: a gap that is so near to where it should be
static const double slow = 0.25;   // of the gaps that are left: where a solution leaves more, a soft penalty is raised
static const double raise = 4;

typedef struct {
  double scale, tolerance;
  int limit, iterations;
  Vec start, last; // unknowns of the first guess, of the last solution
  Acceleration acceleration;
} Step;

// Solutions until no gap that is left is more than its depth. A soft penalty is raised where gaps close slowly, as far
// as Newton follows.
static PetscErrorCode IterateMultipliers(System *s, Step *p, NewtonOutcome *out) {
  double before = HUGE_VAL, most = 1;
  bool raised = false, keeps = false;
  PetscFunctionBegin;
  for (int i = 0; i < LONGEST; i++) {
    double worst;
    s->motion.contacts->hard->keeps_tangent = keeps;
    PetscCall(SystemSolveAugmented(s, p->scale, p->tolerance, p->limit, out));
    s->motion.contacts->hard->keeps_tangent = false;
    p->iterations += out->iterations, keeps = false;
    bool accelerated = p->acceleration.count > 0;
    if (!out->converged && !raised && !accelerated) PetscFunctionReturn(0);
    if (!out->converged && accelerated) {
      PetscCall(VecCopy(p->last, s->equations.unknown));
      acceleration_undo(s->motion.contacts, &p->acceleration);
      continue;
    }
    if (!out->converged) {
      PetscCall(VecCopy(p->last, s->equations.unknown));
      contacts_set_softness(s->motion.contacts, s->motion.contacts->hard->softness / raise);
      most = s->motion.contacts->hard->softness, raised = false;
      continue;
    }
    PetscCall(EquationsMoveNodes(&s->motion, &s->equations));
    PetscCall(ContactsMultipliers(&s->motion, false, &worst));
    if (worst <= found) PetscFunctionReturn(0);
    if (worst > before) acceleration_forget(&p->acceleration); // other pairs push
    acceleration_take(s->motion.contacts, p->acceleration.before);
    PetscCall(ContactsMultipliers(&s->motion, true, &worst));
    raised = worst > slow * before && raise * s->motion.contacts->hard->softness <= most;
    before = worst;
    PetscCall(VecCopy(s->equations.unknown, p->last));
    if (!raised) PetscCall(AccelerateMultipliers(&s->motion, &p->acceleration));
    keeps = !raised;
    if (!raised) continue;
    acceleration_forget(&p->acceleration);
    contacts_set_softness(s->motion.contacts, raise * s->motion.contacts->hard->softness);
  }
  out->converged = false;
  PetscFunctionReturn(0);
}

// Newton may go in circles between pairs that push and pairs that do not. With softer penalties it does so less often,
// and takes more solutions.
PetscErrorCode SystemSolveContacts(System *s, double scale, double tolerance, int limit, NewtonOutcome *out) {
  Step p = {.scale = scale, .tolerance = tolerance, .limit = limit};
  PetscFunctionBegin;
  if (!s->motion.contacts || !s->motion.contacts->hard) {
    PetscCall(SystemSolveAugmented(s, scale, tolerance, limit, out));
    PetscFunctionReturn(0);
  }
  PetscCall(VecDuplicate(s->equations.unknown, &p.start));
  PetscCall(VecDuplicate(s->equations.unknown, &p.last));
  PetscCall(VecCopy(s->equations.unknown, p.start));
  PetscCall(AccelerationCreate(s->motion.contacts, &p.acceleration));
  double softness = 1;
  out->converged = out->singular = false;
  for (int n = 0; n <= SOFTER && !out->converged && !out->singular; n++, softness *= softer) {
    PetscCall(VecCopy(p.start, s->equations.unknown));
    contacts_reset_multipliers(s->motion.contacts, softness);
    acceleration_forget(&p.acceleration);
    PetscCall(IterateMultipliers(s, &p, out));
  }
  out->iterations = p.iterations;
  if (!out->converged) contacts_reset_multipliers(s->motion.contacts, s->motion.contacts->hard->softness);
  contacts_set_softness(s->motion.contacts, 1); // where the next step begins
  PetscCall(AccelerationDestroy(&p.acceleration));
  PetscCall(VecDestroy(&p.start));
  PetscCall(VecDestroy(&p.last));
  PetscFunctionReturn(0);
}
