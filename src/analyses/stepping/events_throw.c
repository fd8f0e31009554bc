// SPDX-License-Identifier: Apache-2.0
// Triggers an event. Joints and loads are switched at once; positions stay. Velocities change as little as possible, in
// the mass metric, to what the joints now allow. The event accounts for the energy that this removes.
// Equations: eq-event-projection (21.3), eq-event-loss (21.4).
#include "analyses/stepping/events.h"
#include "analyses/stepping/ledger.h"
#include "analyses/stepping/observable.h"
#include "assembly/evaluate.h"
#include "assembly/motion.h"
#include "assembly/step_memory.h"
#include "solvers/redundancy.h"
#include "solvers/solvers.h"

#include <math.h>

// ---- switches ----

// Engages a joint where its nodes are: this is its new reference, from which its coordinates count.
static PetscErrorCode Engage(System *s, int id, LimberCause *conflict) {
  const ModelJoint *m = model_joint(s->motion.layout.model, id);
  JointSwitch *w = &s->motion.switches.joint[id];
  PetscFunctionBegin;
  for (int i = 0; i < ENGAGED_NODES && i < m->nnode - 1; i++) {
    const ModelNode *node = model_node(s->motion.layout.model, m->node[i]);
    StateSample a;
    if (node->kind == NODE_FIXED)
      for (int k = 0; k < 4; k++) vec3_to(node->x[k], &w->at[i][3 * k]);
    else {
      PetscCall(SystemSample(s, 1, &(Observable){.kind = OBSERVABLE_NODE, .id = m->node[i]}, &a));
      for (int k = 0; k < 12; k++) w->at[i][k] = a.motion.x[k / 3][k % 3];
    }
  }
  w->released = 0, w->engaged = 1;
  Vec3 x[ENGAGED_NODES][4];
  Joint made;
  for (int i = 0; i < 4 * ENGAGED_NODES; i++) x[i / 4][i % 4] = vec3_of(&w->at[i / 4][3 * (i % 4)]);
  if (!model_joint_at(s->motion.layout.model, id, ENGAGED_NODES, x, &made)) {
    *conflict = (LimberCause){.kind = LIMBER_CAUSE_JOINT, .index = id};
    snprintf(conflict->name, sizeof conflict->name, "joint '%s', which cannot be engaged as its nodes are then",
             shown_name(m->name));
  }
  for (int c = 0; c < MAX_COORDS; c++)
    if (w->locked[c] != 0) w->lock_at[c] = 0;
  for (PetscInt j = 0; j < s->motion.layout.njoint; j++)
    if (s->motion.layout.joint[j] == id)
      s->motion.state.coord[j] = s->motion.state.coord_before[j] = (Coords){{0}},
      s->motion.state.bristles[j] = (Bristles){{{0}}};
  PetscFunctionReturn(0);
}

static PetscErrorCode FindCoords(System *s, int joint, double *coord) {
  StateSample a;
  PetscFunctionBegin;
  PetscCall(SystemSample(s, 1, &(Observable){.kind = OBSERVABLE_JOINT, .id = joint}, &a));
  for (int c = 0; c < MAX_COORDS; c++) coord[c] = a.joint.coord[c];
  PetscFunctionReturn(0);
}

static PetscErrorCode ThrowSwitch(System *s, const ModelAction *a, LimberCause *conflict) {
  Switches *w = &s->motion.switches;
  double coord[MAX_COORDS];
  PetscFunctionBegin;
  switch (a->kind) {
  case ACTION_LOCK:
    PetscCall(FindCoords(s, a->id, coord));
    for (int c = 0; c < MAX_COORDS; c++)
      if ((a->coord < 0 || a->coord == c) && w->joint[a->id].locked[c] == 0)
        w->joint[a->id].locked[c] = 1, w->joint[a->id].lock_at[c] = coord[c];
    break;
  case ACTION_UNLOCK:
    for (int c = 0; c < MAX_COORDS; c++)
      if (a->coord < 0 || a->coord == c) w->joint[a->id].locked[c] = 0;
    break;
  case ACTION_RELEASE: w->joint[a->id].released = 1; break;
  case ACTION_ENGAGE:
    if (w->joint[a->id].released != 0) PetscCall(Engage(s, a->id, conflict));
    break;
  case ACTION_BEGIN: {
    const Load *l = &model_load(s->motion.layout.model, a->id)->load;
    w->load[a->id].off = 0, w->load[a->id].since = s->motion.state.time;
    if (!load_prescribes(l)) break;
    PetscCall(FindCoords(s, l->id, coord));
    w->load[a->id].from = coord[l->coord] - model_drive_start(s->motion.layout.model, l);
    break;
  }
  case ACTION_END: w->load[a->id].off = 1; break;
  case ACTIONS: break;
  }
  PetscFunctionReturn(0);
}

// ---- consequences ----

PetscErrorCode SwitchesApply(Stepper *p, LimberCause *conflict) {
  System *s = p->s;
  RedundancyReport report;
  PetscFunctionBegin;
  *conflict = (LimberCause){.index = LIMBER_NONE};
  motion_form_joints(&s->motion);
  PetscCall(RedundancyFreeLoops(&s->redundancy));
  PetscCall(RedundancyFindLoops(&s->motion, &s->redundancy));
  PetscCall(MotionBeginStep(&s->motion, s->motion.step.h > 0 ? s->motion.step.h : p->options.step)); // rates of drives
  PetscCall(RedundancyFindRows(&s->motion, &s->redundancy, &report));
  if (report.conflict) snprintf(conflict->name, sizeof conflict->name, "%.255s", report.text);
  for (int i = 0; i < 2; i++) s->linear.factors[i].made = false, s->linear.factors[i].tangent = 0;
  s->linear.scale_tangent = 0;
  PetscFunctionReturn(0);
}

static PetscErrorCode AddRecord(Stepper *p, int event, double loss) {
  Events *e = p->events;
  PetscFunctionBegin;
  if (e->records == e->room) {
    e->room = e->room ? 2 * e->room : 16;
    PetscCall(PetscRealloc((size_t)e->room * sizeof *e->record, &e->record));
  }
  e->record[e->records++] = (EventRecord){p->s->motion.state.time, event, loss};
  e->loss += loss;
  PetscFunctionReturn(0);
}

// Whether an event adds constraints that the velocities may violate.
static bool ties_more(Model m, const ModelEvent *e) {
  bool more = false;
  for (int i = 0; i < e->actions; i++) {
    const ModelAction *a = &e->action[i];
    more = more || a->kind == ACTION_LOCK || a->kind == ACTION_ENGAGE ||
           (a->kind == ACTION_BEGIN && load_prescribes(&model_load(m, a->id)->load));
  }
  return more;
}

PetscErrorCode EventThrow(Stepper *p, int event, LimberCause *conflict) {
  System *s = p->s;
  LimberLedger *l = &p->ledger;
  const ModelEvent *e = model_event(s->motion.layout.model, event);
  double before = l->kinetic + l->strain + l->potential;
  ProjectedStart change;
  Vec3 *velocity;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(4 * s->motion.layout.nnode, &velocity));
  PetscCall(PetscArraycpy(velocity, s->motion.state.v, 4 * s->motion.layout.nnode));
  for (int i = 0; i < e->actions; i++) PetscCall(ThrowSwitch(s, &e->action[i], conflict));
  if (!conflict->name[0]) PetscCall(SwitchesApply(p, conflict));
  if (conflict->name[0]) {
    PetscCall(PetscFree(velocity));
    PetscFunctionReturn(0);
  }
  if (ties_more(s->motion.layout.model, e)) {
    s->motion.switches.throwing = true;
    PetscCall(EquationsProjectVelocities(&s->motion, &s->equations, &change));
    s->motion.switches.throwing = false;
  }
  double memory = l->scheme_energy;
  PetscCall(StateForget(&s->motion.layout, &s->motion.state,
                        velocity)); // the last step was of another mechanism, except at nodes with the same velocity
  PetscCall(PetscFree(velocity));
  PetscCall(LedgerMemory(&s->motion.layout, &s->motion.state, &l->scheme_energy));
  l->dissipated += memory - l->scheme_energy;
  p->previous_step[0] = p->previous_step[1] = 0;
  PetscCall(StepperUpdateEnergies(p, NULL));
  PetscCall(AddRecord(p, event, before - l->kinetic - l->strain - l->potential));
  if (s->motion.state.stepped) PetscCall(StepperRecall(p));
  PetscFunctionReturn(0);
}
