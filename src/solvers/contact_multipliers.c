// SPDX-License-Identifier: Apache-2.0
// Solves a step with contacts without penetration: Newton is repeated and the contact multipliers are updated until the
// gaps are closed (assembly/contact_hard.h).
// Equations: eq-contact-augmented (22.9).
#include "assembly/contact_hard.h"
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "solvers/solvers.h"

// ---- faster convergence of the multipliers ----

// Multipliers of contacts without penetration converge slowly in a tall stack: a solution leaves 1/(1 + r w) of an
// error, and the softest way in which n bodies tilt together has w of about n^-4 of that of one pair. While the same
// pairs push, what a solution makes of the multipliers is nearly linear. The combination of the last solutions that
// leaves least of the errors is then exact after as many of them as there are slow errors (Anderson 1965, in the form
// of generalised conjugate residuals).
enum { ACCELERATION_DEPTH = 12 }; // solutions that it remembers

typedef struct {
  PetscInt size;                   // numbers of all pairs of this rank
  int count;                       // directions
  bool begun;                      // there was a solution before
  double *memory;                  // of all arrays below
  double *before, *after;          // multipliers before and after the last solution
  double *last_after, *last_error; // of the solution before
  double *direction, *image;       // orthonormal changes of errors; changes of multipliers that belong to them
} Acceleration;

enum { WIDTH = 4 };                 // numbers of a pair: N and the traction, each over its penalty: m
static const double parallel = 0.1; // of a difference of errors: what is left of it beside the others must be more

static PetscErrorCode AccelerationCreate(const ContactSet *contacts, Acceleration *a) {
  PetscFunctionBegin;
  *a = (Acceleration){.size = WIDTH * contacts->count};
  PetscCall(PetscMalloc1((4 + 2 * ACCELERATION_DEPTH) * a->size + 1, &a->memory));
  a->before = a->memory, a->after = a->before + a->size;
  a->last_after = a->after + a->size, a->last_error = a->last_after + a->size;
  a->direction = a->last_error + a->size, a->image = a->direction + ACCELERATION_DEPTH * a->size;
  PetscFunctionReturn(0);
}

static PetscErrorCode AccelerationDestroy(Acceleration *a) {
  PetscFunctionBegin;
  PetscCall(PetscFree(a->memory));
  PetscFunctionReturn(0);
}

static void acceleration_forget(Acceleration *a) { a->count = 0, a->begun = false; }

static void acceleration_take(const ContactSet *contacts, double *out) {
  for (PetscInt i = 0; i < contacts->count; i++) {
    const ContactPair *p = &contacts->item[i].pair;
    double r = p->law.hard && p->penalty > 0 ? 1 / p->penalty : 0, grip = r > 0 && p->grip > 0 ? 1 / p->grip : 0;
    out[WIDTH * i] = r * p->multiplier;
    vec3_to(contact_is_coulomb(&p->law) ? vec3_scale(grip, p->shear) : vec3_zero(), out + WIDTH * i + 1);
  }
}

static void give(ContactSet *contacts, const double *from) {
  for (PetscInt i = 0; i < contacts->count; i++) {
    ContactPair *p = &contacts->item[i].pair;
    if (!p->law.hard) continue;
    p->multiplier = PetscMax(0, p->penalty * from[WIDTH * i]);
    if (contact_is_coulomb(&p->law)) p->shear = vec3_scale(p->grip, vec3_of(from + WIDTH * i + 1));
  }
}

// Over the pairs of all ranks.
static PetscErrorCode Dot(const Motion *motion, const double *x, const double *y, double *out) {
  PetscFunctionBegin;
  *out = 0;
  for (PetscInt i = 0; i < motion->contacts->count; i++)
    for (int k = 0; k < WIDTH && motion->contacts->item[i].primary; k++) *out += x[WIDTH * i + k] * y[WIDTH * i + k];
  PetscCall(ReduceArray(motion->layout.comm, out, 1, MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}

static void add(PetscInt size, double factor, const double *x, double *y) {
  for (PetscInt i = 0; i < size; i++) y[i] += factor * x[i];
}

// Adds how errors and multipliers changed between the last two solutions, orthogonal to the changes before.
static PetscErrorCode AddDirection(const Motion *motion, Acceleration *a, const double *error) {
  double *q = a->direction + a->count * a->size, *p = a->image + a->count * a->size, whole, part, left;
  PetscFunctionBegin;
  for (PetscInt i = 0; i < a->size; i++) q[i] = error[i] - a->last_error[i], p[i] = a->after[i] - a->last_after[i];
  PetscCall(Dot(motion, q, q, &whole));
  for (int k = 0; k < a->count; k++) {
    PetscCall(Dot(motion, q, a->direction + k * a->size, &part));
    add(a->size, -part, a->direction + k * a->size, q), add(a->size, -part, a->image + k * a->size, p);
  }
  PetscCall(Dot(motion, q, q, &left));
  if (!(left > parallel * parallel * whole) || a->count == ACCELERATION_DEPTH - 1) PetscFunctionReturn(0);
  left = 1 / PetscSqrtReal(left);
  for (PetscInt i = 0; i < a->size; i++) q[i] *= left, p[i] *= left;
  a->count++;
  PetscFunctionReturn(0);
}

// The part of the way to better multipliers at whose end the first of those that push is zero.
static PetscErrorCode FindPart(const Motion *motion, const Acceleration *a, double *part) {
  PetscFunctionBegin;
  *part = 1;
  for (PetscInt i = 0; i < a->size; i += WIDTH) {
    double from = a->last_after[i], to = a->after[i];
    if (from > 0 && to < 0) *part = PetscMin(*part, from / (from - to));
  }
  PetscCall(ReduceArray(motion->layout.comm, part, 1, MPI_DOUBLE, MPI_MIN));
  PetscFunctionReturn(0);
}

static void acceleration_undo(ContactSet *contacts, Acceleration *a) {
  give(contacts, a->last_after);
  acceleration_forget(a);
}

static PetscErrorCode AccelerateMultipliers(Motion *motion, Acceleration *a) {
  double *error = a->before, part;
  PetscFunctionBegin;
  acceleration_take(motion->contacts, a->after);
  for (PetscInt i = 0; i < a->size; i++) error[i] = a->after[i] - a->before[i];
  if (a->begun) PetscCall(AddDirection(motion, a, error));
  PetscCall(PetscArraycpy(a->last_after, a->after, a->size));
  PetscCall(PetscArraycpy(a->last_error, error, a->size));
  a->begun = true;
  for (int k = 0; k < a->count; k++) {
    PetscCall(Dot(motion, a->last_error, a->direction + k * a->size, &part));
    add(a->size, -part, a->image + k * a->size, a->after);
  }
  if (!a->count) PetscFunctionReturn(0);
  PetscCall(FindPart(motion, a, &part));
  for (PetscInt i = 0; i < a->size; i++) a->after[i] = a->last_after[i] + part * (a->after[i] - a->last_after[i]);
  give(motion->contacts, a->after);
  PetscFunctionReturn(0);
}

// ---- the step ----

enum { LONGEST = 120 };            // most solutions per try: of soft penalties, each leaves much of the gaps
enum { SOFTER = 2 };               // tries with softer penalties
static const double softer = 0.03; // factor on the penalty per retry
static const double found = 0.5;   // of the depth: a gap that is so near to where it should be
static const double slow = 0.25;   // a solution that leaves more of the gaps raises a soft penalty
static const double raise = 4;

typedef struct {
  double scale, tolerance;
  int limit, iterations;
  Vec start, last; // unknowns of the first guess and of the last solution
  Acceleration acceleration;
} Step;

// Repeats the solution until every remaining gap is within its tolerated depth. Where gaps close slowly, a soft penalty
// is raised as far as Newton still converges.
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
