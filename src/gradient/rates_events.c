// SPDX-License-Identifier: Apache-2.0
// Events of runs that are differentiated: what they switch as numbers, and the same events in a neighbouring model (rates.h).
#include "gradient/rates.h"

#include "analyses/stepping/events.h"
#include "analyses/stepping/ledger.h"

#include <math.h>
#include <string.h>

enum { JOINT_NUMBERS = sizeof(JointSwitch) / sizeof(double), LOAD_NUMBERS = sizeof(LoadSwitch) / sizeof(double) };

static size_t joint_numbers(const Stepper *p) {
  return (size_t)p->s->motion.layout.model->joints.count * JOINT_NUMBERS;
}
static size_t load_numbers(const Stepper *p) { return (size_t)p->s->motion.layout.model->loads.count * LOAD_NUMBERS; }

size_t switches_size(const Stepper *p) {
  return p->events ? joint_numbers(p) + load_numbers(p) + (size_t)p->events->count : 0;
}

// A place of a lock that is not known yet is no number.
static double *add_numbers(double weight, const double *from, size_t count, double *rate) {
  for (size_t k = 0; k < count; k++)
    if (isfinite(from[k])) rate[k] += weight * from[k];
  return rate + count;
}

void switches_add(const Stepper *p, double weight, double *rate) {
  const Switches *w = &p->s->motion.switches;
  if (!p->events) return;
  rate = add_numbers(weight, (const double *)w->joint, joint_numbers(p), rate);
  rate = add_numbers(weight, (const double *)w->load, load_numbers(p), rate);
  for (int i = 0; i < p->events->count; i++) rate[i] += weight * p->events->track[i].time;
}

static const double *put_numbers(const double *at, double e, const double *rate, size_t count, double *to) {
  for (size_t k = 0; k < count; k++) to[k] = isfinite(at[k]) ? at[k] + e * rate[k] : at[k];
  return rate + count;
}

PetscErrorCode SwitchesPut(Stepper *p, const Stepper *at, double e, const double *rate) {
  const Switches *from = &at->s->motion.switches;
  Switches *to = &p->s->motion.switches;
  LimberCause conflict;
  PetscFunctionBegin;
  if (!p->events) PetscFunctionReturn(0);
  rate = put_numbers((const double *)from->joint, e, rate, joint_numbers(p), (double *)to->joint);
  rate = put_numbers((const double *)from->load, e, rate, load_numbers(p), (double *)to->load);
  for (int i = 0; i < p->events->count; i++) {
    p->events->track[i] = at->events->track[i];
    p->events->track[i].time += e * rate[i];
  }
  PetscCall(SwitchesApply(p, &conflict));
  PetscFunctionReturn(0);
}

// A projection changes velocities by round-off, too: which nodes forget the last step is decided by the other run.
static PetscErrorCode ForgetAlike(Stepper *p, const Stepper *other, const Vec3 *before) {
  const Layout *layout = &p->s->motion.layout;
  State *state = &p->s->motion.state;
  const Vec3 *kept = other->s->motion.state.dv;
  double memory = p->ledger.scheme_energy;
  PetscFunctionBegin;
  for (PetscInt i = 0; i < layout->nnode; i++) {
    bool any = false;
    for (PetscInt j = 4 * i; j < 4 * i + 4; j++) any = any || vec3_norm(kept[j]) > 0;
    for (PetscInt j = 4 * i; j < 4 * i + 4; j++) state->dv[j] = any ? before[j] : vec3_zero();
  }
  PetscCall(LedgerMemory(layout, state, &p->ledger.scheme_energy));
  p->ledger.dissipated += memory - p->ledger.scheme_energy;
  PetscFunctionReturn(0);
}

PetscErrorCode ThrowAlike(Stepper *p, const Stepper *other, int first, LimberCause *conflict) {
  State *state = &p->s->motion.state;
  size_t count = state->dv ? 4 * (size_t)p->s->motion.layout.nnode : 0;
  bool any = other->events->records > first;
  Vec3 *before;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count, &before));
  if (count) PetscCall(PetscArraycpy(before, state->dv, count));
  PetscCall(EventsThrowAlike(p, other, first, conflict));
  if (any && count && !conflict->name[0]) PetscCall(ForgetAlike(p, other, before));
  PetscCall(PetscFree(before));
  PetscFunctionReturn(0);
}
