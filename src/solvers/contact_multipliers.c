// SPDX-License-Identifier: Apache-2.0
// A step with contacts without penetration: solutions until their gaps are zero (assembly/contact_hard.h).
// Equations: eq-contact-augmented (22.9).
#include "assembly/contact_hard.h"
#include "solvers/solvers.h"

enum { LONGEST = 40, SOFTER = 2 }; // solutions of a step; tries with softer penalties
static const double softer = 0.03; // of the penalty

// Solutions until no gap that is left is more than its depth.
static PetscErrorCode IterateMultipliers(System *s, double scale, double tolerance, int limit, int longest,
                                         int *iterations, NewtonOutcome *out) {
  PetscFunctionBegin;
  for (int i = 0; i < longest; i++) {
    double worst;
    PetscCall(SystemSolveAugmented(s, scale, tolerance, limit, out));
    out->iterations = *iterations += out->iterations;
    if (!out->converged) PetscFunctionReturn(0);
    PetscCall(SystemMoveNodes(s));
    PetscCall(ContactsMultipliers(s, false, &worst));
    if (worst <= 1) PetscFunctionReturn(0);
    PetscCall(ContactsMultipliers(s, true, &worst));
  }
  out->converged = false;
  PetscFunctionReturn(0);
}

// Newton may go in circles between pairs that push and pairs that do not. With softer penalties it does so less often, and
// takes more solutions.
PetscErrorCode SystemSolveContacts(System *s, double scale, double tolerance, int limit, NewtonOutcome *out) {
  int iterations = 0;
  Vec start;
  PetscFunctionBegin;
  if (!s->contacts || !s->contacts->hard) {
    PetscCall(SystemSolveAugmented(s, scale, tolerance, limit, out));
    PetscFunctionReturn(0);
  }
  PetscCall(VecDuplicate(s->linear.unknown, &start));
  PetscCall(VecCopy(s->linear.unknown, start));
  contacts_reset_multipliers(s);
  PetscCall(IterateMultipliers(s, scale, tolerance, limit, LONGEST, &iterations, out));
  double factor = 1;
  for (int n = 0; n < SOFTER && !out->converged && !out->singular; n++) {
    factor *= softer;
    PetscCall(VecCopy(start, s->linear.unknown));
    contacts_reset_multipliers(s);
    contacts_scale_penalties(s, factor);
    PetscCall(IterateMultipliers(s, scale, tolerance, limit, LONGEST, &iterations, out));
  }
  PetscCall(VecDestroy(&start));
  PetscFunctionReturn(0);
}
