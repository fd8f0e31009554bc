// SPDX-License-Identifier: Apache-2.0
// Numbers of the state of a run that are moved, in the adjoint method (adjoint.h).
#include "gradient/adjoint.h"

#include "assembly/ranks.h"
#include "base/rotation.h"

#include <math.h>
#include <string.h>

// Changes a number of the state; of a node's place also where the last step brought it.
void adjoint_set_number(Stepper *p, const StateArray *a, size_t number, double value) {
  ((double *)a->data)[number] = value;
  if (strcmp(a->name, "x")) return;
  Vec3 *x = &p->s->motion.step.motion[number / 12].x[number % 12 / 3];
  if (number % 3 == 0) x->x = value;
  else if (number % 3 == 1) x->y = value;
  else x->z = value;
}

StepIncrements adjoint_increments(const Layout *layout, const StateArray *a, size_t owner) {
  bool node = !strcmp(a->name, "x") || !strcmp(a->name, "x_before");
  StepIncrements none = {.count = 0};
  PetscInt i = (PetscInt)owner;
  if (node && layout->node_block[i] >= 0)
    return (StepIncrements){.at = layout->node_block[i] * layout->bs,
                            .count = 3 * node_blocks(model_node(layout->model, layout->node[i])->kind)};
  if (strcmp(a->name, "coord") && strcmp(a->name, "coord_before")) return none;
  const Joint *joint = layout_joint(layout, i);
  return (StepIncrements){.at = layout->joint_block[i] * layout->bs + joint->rows.nrow, .count = joint->ncoord};
}

void adjoint_move_increments(const StateArray *a, size_t number, double change, StepIncrements *out) {
  bool before = !strcmp(a->name, "x_before") || !strcmp(a->name, "coord_before");
  size_t width = a->item / sizeof(double), k = number % width;
  double axis[3] = {0};
  if (a->owner == OWNER_JOINT || k < 3) {
    if (k < (size_t)out->count) out->value[k] += before ? -change : change;
    return;
  }
  axis[k % 3] = before ? -0.5 * change : 0.5 * change;
  Vec3 turn = vec3_cross(((const Vec3 *)a->data)[number / 3], vec3_of(axis)); // of the axes, half that of one of them
  Mat3 small = rotation_exponential(turn), all = rotation_matrix(vec3_of(out->value + 3));
  vec3_to(rotation_conformal(before ? mat3_mul(all, small) : mat3_mul(small, all)), out->value + 3);
}

PetscErrorCode AdjointExchangeIncrements(Equations *equations, StepIncrements *i, bool put) {
  double *q;
  Vec local;
  PetscFunctionBegin;
  if (!i->count) PetscFunctionReturn(0);
  PetscCall(VecGhostGetLocalForm(equations->unknown, &local));
  PetscCall(VecGetArray(local, &q));
  if (put) PetscCall(PetscArraycpy(q + i->at, i->value, i->count));
  else PetscCall(PetscArraycpy(i->value, q + i->at, i->count));
  PetscCall(VecRestoreArray(local, &q));
  PetscCall(VecGhostRestoreLocalForm(equations->unknown, &local));
  PetscFunctionReturn(0);
}

// The sizes by which the numbers of an owner are moved, the same on every rank. Where control blocks read numbers, a state at
// rest does not make them small.
PetscErrorCode AdjointFindSizes(const Adjoint *w, const StateArray *a, size_t first, double **size) {
  const Layout *layout = &w->run->stepper->s->motion.layout;
  const double *data = a->data;
  size_t width = a->item / sizeof(double);
  bool place = !strcmp(a->name, "x") || !strcmp(a->name, "x_before");
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(width, size));
  for (size_t i = 0; i < width && a->count && !place && w->control.network && first != adjoint_no_place; i++)
    (*size)[i] = w->control.largest[first + i];
  for (size_t i = 0; i < a->count * width && !place; i++) (*size)[i % width] = fmax((*size)[i % width], fabs(data[i]));
  for (size_t i = 0; i < 3 && place; i++) (*size)[i] = layout->length;
  PetscCall(ReduceArray(layout->comm, *size, (PetscInt64)width, MPI_DOUBLE, MPI_MAX));
  for (size_t i = 0; i < width; i++) (*size)[i] = (*size)[i] > 0 ? (*size)[i] : 1;
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointListRows(const Stepper *p, StateOwner owner, PetscInt *total, PetscInt *items, PetscInt **at) {
  OwnerRows rows = {.total = 1, .items = 1};
  PetscFunctionBegin;
  if (owner != OWNER_RUN) PetscCall(OwnerRowsCreate(p, owner, true, &rows));
  *total = rows.total, *items = rows.items;
  PetscCall(PetscMalloc1(rows.total, at));
  for (PetscInt i = 0; i < rows.total; i++) (*at)[i] = owner == OWNER_RUN ? 0 : -1;
  for (PetscInt k = 0; k < rows.count; k++) (*at)[rows.row[k]] = rows.local[k] * rows.items;
  PetscCall(OwnerRowsDestroy(&rows));
  PetscFunctionReturn(0);
}
