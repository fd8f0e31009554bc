// SPDX-License-Identifier: Apache-2.0
// A step whose length is chosen (step_control.h). A try that loses too much has moved the state before that is known: the
// state is saved before the try and put back after it, to the bit.
#include "analyses/stepping/fast_rotation.h"
#include "analyses/stepping/events.h"
#include "analyses/stepping/first_touch.h"
#include "analyses/stepping/ledger.h"
#include "assembly/contacts.h"
#include "solvers/redundancy.h"

#include <string.h>

enum { ARRAYS = 16 };

struct Saved {
  void *array[ARRAYS];
  double *load_work, *drive_force;
  LimberLedger ledger;
  Vec previous[2];
  double previous_step[2], time, last_h, past_step, recalled_step;
  bool stepped;
};

typedef struct {
  void *data;
  size_t size;
} Piece;

// All that a step changes, but for numbers that every step computes anew.
static void list_state_arrays(const Stepper *p, Piece out[ARRAYS]) {
  const System *s = p->s;
  size_t nodes = 4 * (size_t)s->layout.nnode * sizeof(Vec3), joints = (size_t)s->layout.njoint;
  size_t rows =
      s->state.row_increment_start ? (size_t)s->state.row_increment_start[s->layout.nelement] * sizeof(double) : 0;
  const Piece all[ARRAYS] = {
      {s->state.x, nodes},
      {s->state.v, nodes},
      {s->state.a, s->state.a ? nodes : 0},
      {s->state.w, s->state.w ? nodes : 0},
      {s->state.coord, joints * sizeof *s->state.coord},
      {s->state.multiplier, joints * sizeof *s->state.multiplier},
      {s->state.reaction, s->state.reaction ? joints * sizeof *s->state.reaction : 0},
      {s->state.bristles, joints * sizeof *s->state.bristles},
      {s->state.x_before, nodes},
      {s->state.coord_before, joints * sizeof *s->state.coord},
      {s->state.dv, s->state.dv ? nodes : 0},
      {s->state.wheel, (size_t)s->layout.model->wheels.count * sizeof *s->state.wheel},
      {s->state.row_increment[0], rows},
      {s->state.row_increment[1], rows},
      {s->state.coord_increment[0], s->state.row_increment_start ? joints * sizeof *s->state.coord : 0},
      {s->state.coord_increment[1], s->state.row_increment_start ? joints * sizeof *s->state.coord : 0}};
  memcpy(out, all, sizeof all);
}

static size_t work_size(const Stepper *p) { return (size_t)p->s->layout.model->loads.count * sizeof *p->load_work; }

static PetscErrorCode StateCreate(Stepper *p) {
  Piece piece[ARRAYS];
  PetscFunctionBegin;
  PetscCall(PetscNew(&p->saved));
  list_state_arrays(p, piece);
  for (int i = 0; i < ARRAYS; i++) PetscCall(PetscMalloc(piece[i].size, &p->saved->array[i]));
  PetscCall(PetscMalloc(work_size(p), &p->saved->load_work));
  PetscCall(PetscMalloc(work_size(p), &p->saved->drive_force));
  for (int i = 0; i < 2; i++) PetscCall(VecDuplicate(p->previous[i], &p->saved->previous[i]));
  PetscFunctionReturn(0);
}

PetscErrorCode StateDestroy(Stepper *p) {
  PetscFunctionBegin;
  if (!p->saved) PetscFunctionReturn(0);
  for (int i = 0; i < ARRAYS; i++) PetscCall(PetscFree(p->saved->array[i]));
  PetscCall(PetscFree(p->saved->load_work));
  PetscCall(PetscFree(p->saved->drive_force));
  for (int i = 0; i < 2; i++) PetscCall(VecDestroy(&p->saved->previous[i]));
  PetscCall(PetscFree(p->saved));
  PetscFunctionReturn(0);
}

PetscErrorCode StateSave(Stepper *p) {
  Piece piece[ARRAYS];
  PetscFunctionBegin;
  if (!p->saved) PetscCall(StateCreate(p));
  if (p->s->contacts) PetscCall(ContactsSave(p->s));
  list_state_arrays(p, piece);
  for (int i = 0; i < ARRAYS; i++) PetscCall(PetscMemcpy(p->saved->array[i], piece[i].data, piece[i].size));
  PetscCall(PetscMemcpy(p->saved->load_work, p->load_work, work_size(p)));
  PetscCall(PetscMemcpy(p->saved->drive_force, p->drive_force, work_size(p)));
  for (int i = 0; i < 2; i++) {
    PetscCall(VecCopy(p->previous[i], p->saved->previous[i]));
    p->saved->previous_step[i] = p->previous_step[i];
  }
  p->saved->ledger = p->ledger, p->saved->time = p->s->state.time, p->saved->last_h = p->s->state.last_h;
  p->saved->past_step = p->s->state.past_step, p->saved->recalled_step = p->s->state.recalled_step,
  p->saved->stepped = p->s->state.stepped;
  PetscFunctionReturn(0);
}

PetscErrorCode StateRestore(Stepper *p) {
  Piece piece[ARRAYS];
  PetscFunctionBegin;
  if (p->s->contacts) contacts_restore(p->s);
  list_state_arrays(p, piece);
  for (int i = 0; i < ARRAYS; i++) PetscCall(PetscMemcpy(piece[i].data, p->saved->array[i], piece[i].size));
  PetscCall(PetscMemcpy(p->load_work, p->saved->load_work, work_size(p)));
  PetscCall(PetscMemcpy(p->drive_force, p->saved->drive_force, work_size(p)));
  for (int i = 0; i < 2; i++) {
    PetscCall(VecCopy(p->saved->previous[i], p->previous[i]));
    p->previous_step[i] = p->saved->previous_step[i];
  }
  p->ledger = p->saved->ledger, p->s->state.time = p->saved->time, p->s->state.last_h = p->saved->last_h;
  p->s->state.past_step = p->saved->past_step, p->s->state.recalled_step = p->saved->recalled_step,
  p->s->state.stepped = p->saved->stepped;
  PetscFunctionReturn(0);
}

// One try, judged: what it lost, and whether it may stand.
typedef struct {
  NewtonOutcome newton;
  int iterations;
  LimberOutcome verdict; // on the step that Newton found
  double lost;
} Attempt;

static PetscErrorCode AttemptAndJudge(Stepper *p, double h, Attempt *a, bool *good) {
  double before = p->ledger.dissipated, memory = p->ledger.memory, t = p->s->state.time;
  PetscFunctionBegin;
  *a = (Attempt){.lost = -1}, *good = false;
  PetscCall(p->kind->advance(p, h, &a->iterations, &a->newton));
  if (!a->newton.converged) PetscFunctionReturn(0);
  PetscCall(StepperAccept(p, h));
  PetscCall(StepperVerdict(p, h, &a->verdict));
  if (a->verdict.reason != LIMBER_CONVERGED) PetscFunctionReturn(0);
  // a step that is shorter than the last lets go a part of the memory, however short it is: that is not counted
  double let_go = (1 - p->s->step.recall.keep * p->s->step.recall.keep) * memory;
  a->lost = PetscAbsReal(p->ledger.dissipated - before - let_go);
  *good = a->lost <= control_allows(&p->control, t, h);
  PetscFunctionReturn(0);
}

// The shortest step cannot stand: why. The state is that before the step, the unknowns are those of the step.
static PetscErrorCode ExplainRejection(Stepper *p, const Attempt *a, LimberOutcome *out) {
  PetscFunctionBegin;
  if (!a->newton.converged) PetscCall(StepperNameFailure(p, &a->newton, out));
  else if (a->verdict.reason == LIMBER_CONVERGED) out->reason = LIMBER_LOSS;
  else {
    out->reason = a->verdict.reason;
    memcpy(out->where, a->verdict.where, sizeof out->where);
  }
  if (out->reason == LIMBER_LOSS && p->rule.proved) PetscCall(LedgerNameLoss(p, out->where, sizeof out->where));
  PetscCall(StepperRecall(p));
  PetscFunctionReturn(0);
}

static PetscErrorCode RepeatStep(Stepper *p, double h, void *context, bool *good) {
  LimberOutcome *out = context;
  Attempt a;
  bool small;
  PetscFunctionBegin;
  PetscCall(StateRestore(p));
  PetscCall(AttemptAndJudge(p, h, &a, &small));
  out->iterations += a.iterations;
  *good = a.newton.converged && a.verdict.reason == LIMBER_CONVERGED;
  if (*good) out->reason = LIMBER_CONVERGED;
  else PetscCall(ExplainRejection(p, &a, out));
  PetscFunctionReturn(0);
}

static PetscErrorCode ThrowEvents(Stepper *p, double h, LimberOutcome *out) {
  char conflict[256];
  PetscFunctionBegin;
  PetscCall(EventsThrow(p, h, conflict, sizeof conflict));
  if (!conflict[0]) PetscFunctionReturn(0);
  out->reason = LIMBER_CONTRADICTION;
  snprintf(out->where, sizeof out->where, "%s", conflict);
  PetscFunctionReturn(0);
}

PetscErrorCode ControlledStep(Stepper *p, LimberOutcome *out) {
  double t = p->s->state.time, end = t, h = 0;
  Attempt a = {0};
  bool good = false, changed;
  PetscFunctionBegin;
  PetscCall(SystemUpdateRedundantRows(p->s, false, &changed));
  *out = (LimberOutcome){.reason = LIMBER_CONVERGED};
  PetscCall(StateSave(p));
  while (!good) {
    h = control_length(&p->control, t, &end);
    if (p->events && events_limit(p, t, h) < h) h = events_limit(p, t, h), end = t + h;
    PetscCall(AttemptAndJudge(p, h, &a, &good));
    out->iterations += a.iterations;
    if (good) break;
    PetscCall(StateRestore(p));
    out->rejected++;
    if (!control_reject(&p->control, t, h, a.lost)) break;
  }
  if (good) {
    double length = h;
    bool found = true;
    if (p->ends_at_touch) PetscCall(FirstTouchFind(p, &length, RepeatStep, out, &found));
    if (p->events && found) PetscCall(EventsFind(p, &length, RepeatStep, out));
    if (length < h) h = length, end = t + h;
    control_accept(&p->control, t, h, a.lost, a.iterations, out->rejected == 0);
    p->s->state.time = end;
    rotation_step(p);
    p->count++, out->substeps = 1;
    if (p->events && out->reason == LIMBER_CONVERGED) PetscCall(ThrowEvents(p, h, out));
  } else PetscCall(ExplainRejection(p, &a, out));
  out->time = p->s->state.time, out->step = h;
  PetscFunctionReturn(0);
}
