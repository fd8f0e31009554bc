// SPDX-License-Identifier: Apache-2.0
// Ends a step where two surfaces begin to touch (contact.h).
// Equations: eq-contact-touch (22.12).
#include "analyses/stepping/contact.h"

#include "assembly/contact_hard.h"
#include "assembly/ranks.h"

enum { MOST_TRIES = 60 };
static const double no_gap = 1e-13; // of the model size: below this, a gap counts as zero
static const double narrow = 1e-14; // of a step: bracket width at which the search ends

bool first_touch_ends_steps(const Stepper *p) {
  Model m = p->s->motion.layout.model;
  bool any = false;
  for (int i = 0; i < m->contacts.count && p->s->motion.contacts; i++) any = any || model_contact(m, i)->ends_step;
  return any;
}

// The smallest gap at the end of the step, among pairs that were apart at its start, and the smallest at the start.
// With contact without penetration, a pair that pushes has gap zero; then the change of the gap by its force, W h^2 N
// (contact_hard.h), gives sign and size.
static PetscErrorCode LeastGap(const Motion *motion, double *end, double *start) {
  double least[2] = {HUGE_VAL, HUGE_VAL};
  PetscFunctionBegin;
  for (PetscInt i = 0; i < motion->contacts->count; i++) {
    const ContactItem *c = &motion->contacts->item[i];
    const Vec3 *now[CONTACT_NODES], *before[CONTACT_NODES];
    if (!c->primary || !model_contact(motion->layout.model, c->law)->ends_step) continue;
    ContactRoom room[2];
    contact_vectors(&motion->layout, c, motion->state.x, &room[0], now),
        contact_vectors(&motion->layout, c, motion->state.x_before, &room[1], before);
    double gap = contact_gap(&c->pair, before);
    if (!contacts_apart(&motion->layout, gap)) continue;
    double then =
        c->pair.law.hard && c->force > 0 ? -HARD_STIFF * c->force / c->pair.penalty : contact_gap(&c->pair, now);
    least[0] = PetscMin(least[0], then), least[1] = PetscMin(least[1], gap);
  }
  PetscCall(ReduceArray(motion->layout.comm, least, 2, MPI_DOUBLE, MPI_MIN));
  *end = least[0], *start = least[1];
  PetscFunctionReturn(0);
}

// Records the time for contacts that began to touch at the end of the step.
static PetscErrorCode MarkTouched(Motion *motion) {
  Model m = motion->layout.model;
  double *found;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(m->contacts.count, &found));
  for (PetscInt i = 0; i < motion->contacts->count; i++) {
    const ContactItem *c = &motion->contacts->item[i];
    const Vec3 *now[CONTACT_NODES], *before[CONTACT_NODES];
    if (!c->primary || !model_contact(m, c->law)->ends_step) continue;
    ContactRoom room[2];
    contact_vectors(&motion->layout, c, motion->state.x, &room[0], now),
        contact_vectors(&motion->layout, c, motion->state.x_before, &room[1], before);
    if (contacts_apart(&motion->layout, contact_gap(&c->pair, before)) &&
        !contacts_apart(&motion->layout, contact_gap(&c->pair, now)))
      found[c->law] = 1;
  }
  PetscCall(ReduceArray(motion->layout.comm, found, m->contacts.count, MPI_DOUBLE, MPI_MAX));
  for (int i = 0; i < m->contacts.count; i++)
    if (found[i] > 0) motion->contacts->total[i].touched = motion->state.time;
  PetscCall(PetscFree(found));
  PetscFunctionReturn(0);
}

// Illinois method: false position with half the value of an end that stays.
PetscErrorCode FirstTouchFind(Stepper *p, double *length, StepAgain again, void *context, bool *good) {
  Motion *motion = &p->s->motion;
  double a, b, tolerance = no_gap * motion->layout.length, least = PetscMin(SHORTEST_PART * p->options.step, *length);
  double low = 0, high = *length;
  int side = 0;
  bool at_high = true;
  PetscFunctionBegin;
  *good = true;
  PetscCall(LeastGap(motion, &b, &a));
  if (!(b < -tolerance)) PetscFunctionReturn(0);
  for (int n = 0; n < MOST_TRIES && high - low > narrow * *length && high > least && b < -tolerance; n++) {
    double x = n % 4 == 3 ? 0.5 * (low + high) : low + a * (high - low) / (a - b), f, start;
    x = PetscMax(x, least);
    if (!(x > low && x < high)) x = 0.5 * (low + high);
    PetscCall(again(p, x, context, good));
    if (!*good) break;
    PetscCall(LeastGap(motion, &f, &start));
    at_high = f <= tolerance;
    if (at_high) {
      if (side == 1) a *= 0.5;
      side = 1, high = x, b = f;
    } else {
      if (side == -1) b *= 0.5;
      side = -1, low = x, a = f;
    }
  }
  if (!*good) { // no step of this length exists: keep the whole step
    PetscCall(again(p, *length, context, good));
    PetscFunctionReturn(0);
  }
  *length = high;
  if (!at_high) PetscCall(again(p, high, context, good));
  if (*good) PetscCall(MarkTouched(motion));
  PetscFunctionReturn(0);
}
