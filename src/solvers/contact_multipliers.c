// SPDX-License-Identifier: Apache-2.0
// Solves a step with contacts without penetration: Newton is repeated and the contact multipliers are updated until the
// gaps are closed (assembly/contact_hard.h).
// Equations: eq-contact-augmented (22.9).
#include "assembly/evaluate.h"
#include "assembly/contact_hard.h"
#include "solvers/solvers.h"

enum { LONGEST = 40 };             // solutions of a step
enum { SOFTER = 2, SLOWER = 3 };   // tries with softer penalties; times as many iterations of a secant
static const double softer = 0.03; // of the penalty
static const double loose = 1e-3;  // tolerance of a secant
static const double slow = 0.25;   // of the gaps that are left: where a solution leaves more, a soft penalty is raised
static const double raise = 4;

typedef struct {
  double scale, tolerance;
  int limit, iterations;
  Vec start, last; // unknowns of the first guess, of the last solution
} Step;

// Regularised friction turns around within next to no slip, and Newton jumps over it. With the multipliers as its
// limits it is the gradient of a convex potential, along which a secant of it goes down from everywhere; near the
// solution Newton goes on.
static PetscErrorCode SolveOnce(System *s, Step *p, NewtonOutcome *out) {
  PetscFunctionBegin;
  if (s->motion.contacts->hard->bounded) {
    contacts_use_secant(s->motion.contacts, true);
    PetscCall(SystemSolveAugmented(s, p->scale, loose, SLOWER * p->limit, out));
    contacts_use_secant(s->motion.contacts, false);
    p->iterations += out->iterations;
    if (!out->converged) PetscFunctionReturn(0);
  }
  PetscCall(SystemSolveAugmented(s, p->scale, p->tolerance, p->limit, out));
  p->iterations += out->iterations;
  PetscFunctionReturn(0);
}

// Solutions until no gap that is left is more than its depth. A soft penalty is raised where gaps close slowly, as far
// as Newton follows.
static PetscErrorCode IterateMultipliers(System *s, Step *p, NewtonOutcome *out) {
  double before = HUGE_VAL, most = 1;
  bool raised = false;
  PetscFunctionBegin;
  for (int i = 0; i < LONGEST; i++) {
    double worst;
    PetscCall(SolveOnce(s, p, out));
    if (!out->converged && !raised) PetscFunctionReturn(0);
    if (!out->converged) {
      PetscCall(VecCopy(p->last, s->equations.unknown));
      contacts_scale_penalties(s->motion.contacts, 1 / raise);
      most = s->motion.contacts->hard->softness, raised = false;
      continue;
    }
    PetscCall(EquationsMoveNodes(&s->motion, &s->equations));
    PetscCall(ContactsMultipliers(&s->motion, false, &worst));
    if (worst <= 1) PetscFunctionReturn(0);
    PetscCall(ContactsMultipliers(&s->motion, true, &worst));
    raised = worst > slow * before && raise * s->motion.contacts->hard->softness <= most;
    before = worst;
    if (!raised) continue;
    PetscCall(VecCopy(s->equations.unknown, p->last));
    contacts_scale_penalties(s->motion.contacts, raise);
  }
  out->converged = false;
  PetscFunctionReturn(0);
}

// Newton may go in circles between pairs that push and pairs that do not. With softer penalties it does so less often,
// and takes more solutions. Where friction is regularised each try has a second one, with bounds.
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
  double softness = 1;
  out->converged = out->singular = false;
  for (int n = 0; n <= SOFTER; n++, softness *= softer)
    for (int bounded = 0; bounded <= s->motion.contacts->hard->rubs && !out->converged && !out->singular; bounded++) {
      PetscCall(VecCopy(p.start, s->equations.unknown));
      contacts_reset_multipliers(&s->motion, softness, bounded);
      PetscCall(IterateMultipliers(s, &p, out));
    }
  out->iterations = p.iterations;
  if (!out->converged) contacts_reset_multipliers(&s->motion, softness / softer, false);
  s->motion.contacts->hard->softness = 1, s->motion.contacts->hard->bounded = false; // where the next step begins
  PetscCall(VecDestroy(&p.start));
  PetscCall(VecDestroy(&p.last));
  PetscFunctionReturn(0);
}
