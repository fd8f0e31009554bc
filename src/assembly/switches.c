// SPDX-License-Identifier: Apache-2.0
// Joints as the switches have them. A locked coordinate is prescribed, at a value that stays. A joint that is released has no
// rows and no laws; its multipliers and coordinates stay among the unknowns, with equations of their own.
#include "assembly/motion.h"

// The drive of a coordinate: 1 where one acts, -1 where all that there are do not, 0 without one.
static int drive_of(const Layout *layout, const Switches *switches, int joint, int coord) {
  Model m = layout->model;
  int found = 0;
  for (int l = 0; l < m->loads.count && found <= 0; l++) {
    const Load *q = &model_load(m, l)->load;
    if (load_prescribes(q) && q->id == joint && q->coord == coord) found = switches->load[l].off != 0 ? -1 : 1;
  }
  return found;
}

static void form_joint(const Layout *layout, Switches *switches, int id) {
  Joint *j = switches->form[id];
  const JointSwitch *w = &switches->joint[id];
  if (!j) return;
  *j = model_joint(layout->model, id)->joint;
  if (w->engaged != 0) {
    Vec3 x[ENGAGED_NODES][4];
    for (int i = 0; i < 4 * ENGAGED_NODES; i++) x[i / 4][i % 4] = vec3_of(&w->at[i / 4][3 * (i % 4)]);
    model_joint_at(layout->model, id, ENGAGED_NODES, x, j);
  }
  for (int c = 0; c < j->ncoord; c++) {
    if (drive_of(layout, switches, id, c) < 0) j->prescribed[c] = false;
    if (w->locked[c] != 0 || w->released != 0) j->prescribed[c] = true;
    if (w->released != 0) j->law[c] = (Law){0};
  }
  joint_complete(j);
  j->coords_follow = false;
  if (w->released != 0) j->nprojection = 0;
}

void motion_form_joints(Motion *motion) {
  if (!motion->switches.any) return;
  for (int j = 0; j < motion->layout.model->joints.count; j++) form_joint(&motion->layout, &motion->switches, j);
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    if (!motion->switches.form[motion->layout.joint[j]]) continue;
    bool released = motion->switches.joint[motion->layout.joint[j]].released != 0;
    for (int r = 0; r < MAX_ROWS; r++) motion->row_off[j][r] = released;
  }
}

// At the start all is as it must be for the first event that names it to change it.
static void find_start(Model m, Switches *w) {
  for (int e = m->events.count; e-- > 0;) // backwards, so that the first has the last word
    for (int i = model_event(m, e)->actions; i-- > 0;) {
      const ModelAction *a = &model_event(m, e)->action[i];
      switch (a->kind) {
      case ACTION_LOCK:
      case ACTION_UNLOCK:
        for (int c = 0; c < model_joint(m, a->id)->joint.ncoord; c++)
          if (a->coord < 0 || a->coord == c) w->joint[a->id].locked[c] = a->kind == ACTION_UNLOCK;
        break;
      case ACTION_RELEASE:
      case ACTION_ENGAGE: w->joint[a->id].released = a->kind == ACTION_ENGAGE; break;
      case ACTION_BEGIN:
      case ACTION_END: w->load[a->id].off = a->kind == ACTION_BEGIN; break;
      case ACTIONS: break;
      }
    }
}

PetscErrorCode MotionCreateSwitches(Motion *motion) {
  Switches *w = &motion->switches;
  Model m = motion->layout.model;
  PetscFunctionBegin;
  w->any = m->events.count > 0;
  if (!w->any) PetscFunctionReturn(0);
  PetscCall(PetscCalloc3(m->joints.count, &w->joint, m->loads.count, &w->load, m->joints.count, &w->form));
  for (int j = 0; j < m->joints.count; j++)
    for (int c = 0; c < MAX_COORDS; c++) w->joint[j].lock_at[c] = NAN;
  find_start(m, w);
  for (int j = 0; j < m->joints.count; j++)
    if (model_joint(m, j)->joint.switched) PetscCall(PetscMalloc1(1, &w->form[j]));
  for (PetscInt j = 0; j < motion->layout.njoint; j++)
    if (w->form[motion->layout.joint[j]]) motion->layout.joint_form[j] = w->form[motion->layout.joint[j]];
  motion_form_joints(motion);
  PetscFunctionReturn(0);
}

PetscErrorCode SwitchesDestroy(const Layout *layout, Switches *switches) {
  PetscFunctionBegin;
  if (!switches->any) PetscFunctionReturn(0);
  for (int j = 0; j < layout->model->joints.count; j++) PetscCall(PetscFree(switches->form[j]));
  PetscCall(PetscFree3(switches->joint, switches->load, switches->form));
  PetscFunctionReturn(0);
}
