// SPDX-License-Identifier: Apache-2.0
// The set of contacts of a system, and how far its points move.
#include "assembly/contact_hard.h"
#include "assembly/state_values.h"

void contacts_touch_nodes(Model m, PetscInt *touched) {
  for (int i = 0; i < m->points.count && m->contacts.count; i++)
    for (int a = 0; a < model_point(m, i)->nnode; a++)
      if (!touched[model_point(m, i)->node[a]]) touched[model_point(m, i)->node[a]] = 2;
  for (int i = 0; i < m->surfaces.count && m->contacts.count; i++)
    if (model_surface(m, i)->body.kind && !touched[model_surface(m, i)->body.node])
      touched[model_surface(m, i)->body.node] = 2;
}

bool contacts_are_many(Model m) {
  enum { MANY = 150 };
  int moving = 0;
  for (int i = 0; i < m->points.count && m->contacts.count; i++)
    moving += model_node(m, model_point(m, i)->node[0])->kind != NODE_FIXED &&
              (!i || model_point(m, i)->node[0] != model_point(m, i - 1)->node[0]);
  return moving > MANY;
}

PetscErrorCode ContactSetCreate(Motion *motion) {
  PetscFunctionBegin;
  if (!motion->layout.model->contacts.count || contacts_forbidden(motion->layout.model, motion->layout.rule))
    PetscFunctionReturn(0);
  PetscCall(PetscNew(&motion->contacts));
  PetscCall(PetscNew(&motion->contacts->window));
  PetscCall(PetscCalloc1(4 * motion->layout.nnode, &motion->contacts->at));
  PetscCall(PetscCalloc1(motion->layout.model->contacts.count, &motion->contacts->total));
  PetscCall(HardContactsCreate(&motion->layout, motion->contacts));
  PetscCall(ContactsList(motion, 0));
  PetscFunctionReturn(0);
}

PetscErrorCode ContactSetDestroy(Motion *motion) {
  PetscFunctionBegin;
  if (!motion->contacts) PetscFunctionReturn(0);
  PetscCall(HardContactsDestroy(motion->contacts));
  PetscCall(PetscFree(motion->contacts->total));
  PetscCall(PetscFree(motion->contacts->item));
  PetscCall(PetscFree(motion->contacts->sieve));
  PetscCall(PetscFree(motion->contacts->normal));
  PetscCall(PetscFree(motion->contacts->travel));
  PetscCall(PetscFree(motion->contacts->at));
  PetscCall(PetscFree(motion->contacts->window));
  PetscCall(PetscFree(motion->contacts));
  PetscFunctionReturn(0);
}

// ---- motion since the list was made ----

Vec3 contact_position(const Layout *layout, int node, const double *coef, const Vec3 *x) {
  PetscInt i = layout->local_node[node];
  Vec3 y = vec3_zero();
  for (int j = 0; j < node_vectors(model_node(layout->model, node)->kind); j++) y = vec3_axpy(y, coef[j], x[4 * i + j]);
  return y;
}

Vec3 contact_point_position(const Layout *layout, const SurfacePoint *p, const Vec3 *x) {
  Vec3 y = vec3_zero();
  for (int a = 0; a < p->nnode; a++) y = vec3_add(y, contact_position(layout, p->node[a], p->coef[a], x));
  return y;
}

// The vectors of all local nodes at the end of the step by the unknowns.
static PetscErrorCode EndVectors(const Motion *motion, Vec3 **out) {
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(4 * motion->layout.nnode, out));
  PetscCall(PetscArraycpy(*out, motion->state.x, 4 * motion->layout.nnode));
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    NodeKind kind = model_node(motion->layout.model, motion->layout.node[i])->kind;
    for (int j = 0; j < node_vectors(kind) && kind != NODE_FIXED; j++)
      (*out)[4 * i + j] = motion->step.motion[i * motion->layout.rule->tableau.s].x[j];
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ContactsDistance(const Motion *motion, bool stepping, double *moved) {
  Model m = motion->layout.model;
  Vec3 *end = NULL;
  PetscFunctionBegin;
  *moved = 0;
  if (stepping) PetscCall(EndVectors(motion, &end));
  const Vec3 *x = stepping ? end : motion->state.x, *at = motion->contacts->at;
  for (int i = 0; i < m->points.count; i++) {
    const SurfacePoint *p = model_point(m, i);
    *moved = PetscMax(*moved, vec3_norm(vec3_sub(contact_point_position(&motion->layout, p, x),
                                                 contact_point_position(&motion->layout, p, at))));
  }
  for (int i = 0; i < m->surfaces.count; i++) {
    const SurfaceBody *b = &model_surface(m, i)->body;
    if (!b->kind || model_node(m, b->node)->kind == NODE_FIXED) continue;
    PetscInt k = motion->layout.local_node[b->node];
    double way = vec3_norm(vec3_sub(contact_position(&motion->layout, b->node, b->place, x),
                                    contact_position(&motion->layout, b->node, b->place, at)));
    double turn = 0, reach = PetscMin(b->reach, 10 * motion->layout.length);
    for (int j = 1; j < 4; j++) turn = PetscMax(turn, vec3_norm(vec3_sub(x[4 * k + j], at[4 * k + j])));
    *moved = PetscMax(*moved, way + 1.8 * turn * reach);
  }
  if (!(*moved < HUGE_VAL)) *moved = HUGE_VAL;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, moved, 1, MPI_DOUBLE, MPI_MAX, motion->layout.comm));
  PetscCall(PetscFree(end));
  PetscFunctionReturn(0);
}

PetscErrorCode ContactsSpeed(const Motion *motion, double *speed) {
  Model m = motion->layout.model;
  PetscFunctionBegin;
  *speed = 0;
  for (int i = 0; i < m->points.count; i++) {
    const SurfacePoint *p = model_point(m, i);
    for (int a = 0; a < p->nnode; a++) {
      Vec3 x[4], v, w, y;
      if (model_node(m, p->node[a])->kind == NODE_FIXED) continue;
      motion_node_values(motion, motion->layout.local_node[p->node[a]], x, &v, &w);
      y = vec3_zero();
      for (int j = 1; j < 4; j++) y = vec3_axpy(y, p->coef[a][j], x[j]);
      *speed = PetscMax(*speed, vec3_norm(vec3_add(v, vec3_cross(w, y))));
    }
  }
  for (int i = 0; i < m->surfaces.count; i++) {
    const SurfaceBody *b = &model_surface(m, i)->body;
    Vec3 x[4], v, w;
    if (!b->kind || model_node(m, b->node)->kind == NODE_FIXED) continue;
    motion_node_values(motion, motion->layout.local_node[b->node], x, &v, &w);
    *speed = PetscMax(*speed, vec3_norm(v) + vec3_norm(w) * PetscMin(b->reach, 10 * motion->layout.length));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, speed, 1, MPI_DOUBLE, MPI_MAX, motion->layout.comm));
  PetscFunctionReturn(0);
}
