// SPDX-License-Identifier: Apache-2.0
// Solves steps with regularised friction for which Newton fails. The force mu N s/sqrt(s^2 + (v0 h)^2) reverses within
// slips of v0 h, which may be 1e-6 of the slips that Newton crosses: it jumps from one side to the other. With a larger
// slip speed the same equations are smooth, and far above all speeds friction vanishes. The path of solutions is
// followed from there down to the slip speed of the model, so the last equations solved are those of the step.
// Equations: eq-contact-path (22.7).
#include "assembly/contacts.h"
#include "solvers/solvers.h"

enum { MOST_STAGES = 60 };
static const double widest = 16, narrowest = 1.02; // ratios of the slip speeds of consecutive stages
static const double loose = 1e-6;                  // tolerance of stages before the last

typedef struct {
  double scale;
  int limit, *iterations;
  Vec from; // solution of the last stage
} Path;

// Newton at `factor` times the slip speed of the model, from the last solution, then with damping.
static PetscErrorCode SolveStage(System *s, Path *p, double factor, bool *found) {
  NewtonOutcome o;
  bool arrived = true;
  PetscFunctionBegin;
  contacts_scale_slip(&s->motion.layout, s->motion.contacts, factor);
  *found = false;
  for (int damped = 0; damped < 2 && !*found; damped++) {
    PetscCall(VecCopy(p->from, s->equations.unknown));
    if (damped) PetscCall(SystemApproach(s, p->limit, p->iterations, &arrived));
    if (!arrived) break;
    PetscCall(SystemNewton(s, p->scale, loose, p->limit, &o));
    *p->iterations += o.iterations, *found = o.converged;
  }
  if (*found) PetscCall(VecCopy(s->equations.unknown, p->from));
  PetscFunctionReturn(0);
}

static PetscErrorCode Follow(System *s, Path *p, double factor, bool *arrived) {
  double ratio = widest;
  bool found;
  PetscFunctionBegin;
  PetscCall(SolveStage(s, p, factor, &found));
  for (int stage = 0; found && !*arrived && stage < MOST_STAGES && ratio > narrowest; stage++) {
    double next = PetscMax(1, factor / ratio);
    bool good;
    PetscCall(SolveStage(s, p, next, &good));
    if (good) factor = next, ratio = PetscMin(widest, ratio * ratio);
    else ratio = PetscSqrtReal(ratio);
    *arrived = good && next == 1;
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SystemFollowFriction(System *s, double scale, int limit, int *iterations, bool *arrived) {
  Path p = {.scale = scale, .limit = limit, .iterations = iterations};
  double slowest = contacts_slip_speed(&s->motion.layout, s->motion.contacts), speed;
  PetscFunctionBegin;
  *arrived = false;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MIN, s->motion.layout.comm));
  if (!(slowest < HUGE_VAL)) PetscFunctionReturn(0);
  PetscCall(ContactsSpeed(&s->motion, &speed));
  PetscCall(VecDuplicate(s->equations.unknown, &p.from));
  PetscCall(VecCopy(s->equations.unknown, p.from));
  PetscCall(Follow(s, &p, PetscMax(4 * speed / slowest, widest), arrived));
  PetscCall(VecCopy(p.from, s->equations.unknown));
  PetscCall(VecDestroy(&p.from));
  contacts_scale_slip(&s->motion.layout, s->motion.contacts, 1);
  PetscFunctionReturn(0);
}
