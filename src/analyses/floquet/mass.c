// SPDX-License-Identifier: Apache-2.0
// Whether every direction that joints allow has mass: the least eigenvalue of N^T M N.
#include "analyses/floquet/floquet.h"
#include "assembly/reduce.h"

#include <petscblaslapack.h>

// M of every node on (v, w) in ground components, rotations by the size of the model: 6 x 6 a node.
static PetscErrorCode FillMass(const Layout *layout, const State *state, const Coordinates *c, double *mass) {
  PetscFunctionBegin;
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    bool frame = model_node(layout->model, layout->node[i])->kind == NODE_FRAME;
    Mat3 r = frame ? node_axes(state->x + 4 * i) : mat3_identity();
    if (layout->node_block[i] < 0) continue;
    for (int k = 0; k < (frame ? 6 : 3); k++) {
      double unit[6] = {0}, *out = mass + 36 * layout->node[i] + 6 * k;
      unit[k] = k < 3 ? 1 : 1 / c->length;
      Vec3 v = mat3_apply_transpose(r, vec3_of(unit)), w = mat3_apply_transpose(r, vec3_of(unit + 3));
      vec3_to(mat3_apply(r, inertia_momentum(&layout->inertia[i], v, w)), out);
      vec3_to(vec3_scale(1 / c->length, mat3_apply(r, inertia_angular(&layout->inertia[i], v, w))), out + 3);
    }
  }
  PetscCall(ReduceArray(layout->comm, mass, (PetscInt64)36 * c->nodes, MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}

static double product(const Coordinates *c, const double *mass, PetscInt i, PetscInt j) {
  const double *a = c->basis + i * 6 * c->nodes, *b = c->basis + j * 6 * c->nodes;
  double sum = 0;
  for (PetscInt n = 0; n < c->nodes; n++)
    for (int k = 0; k < 36; k++) sum += a[6 * n + k / 6] * mass[36 * n + k] * b[6 * n + k % 6];
  return sum;
}

PetscErrorCode CheckMass(const Layout *layout, const State *state, const Coordinates *c, char *wrong, size_t size) {
  PetscBLASInt n = (PetscBLASInt)c->count, room = -1, info;
  double *mass, *reduced, *value, *work, *q, query, most = 0;
  PetscInt at = 0;
  char name[256];
  PetscFunctionBegin;
  PetscCall(PetscCalloc4(36 * c->nodes, &mass, n * n, &reduced, n, &value, 6 * c->nodes, &q));
  PetscCall(FillMass(layout, state, c, mass));
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) reduced[i * n + j] = reduced[j * n + i] = product(c, mass, i, j);
  PetscCallBLAS("LAPACKsyev", LAPACKsyev_("V", "U", &n, reduced, &n, value, &query, &room, &info));
  room = (PetscBLASInt)query;
  PetscCall(PetscMalloc1(room, &work));
  PetscCallBLAS("LAPACKsyev", LAPACKsyev_("V", "U", &n, reduced, &n, value, work, &room, &info));
  PetscCall(PetscFree(work));
  if (!(value[0] > 1e-14 * value[n - 1])) {
    coordinates_displacement(c, reduced, q);
    for (PetscInt k = 0; k < 6 * c->nodes; k++)
      if (fabs(q[k]) > most) most = fabs(q[k]), at = k;
    model_name_node(layout->model, at / 6, name, sizeof name);
    PetscCall(
        PetscSNPrintf(wrong, size,
                      "floquet: %s has no %s in a direction in which it may %s: multipliers need mass everywhere. "
                      "Give its section or body one, however small",
                      name, at % 6 < 3 ? "mass" : "moment of inertia", at % 6 < 3 ? "move" : "turn"));
  }
  PetscCall(PetscFree4(mass, reduced, value, q));
  PetscFunctionReturn(0);
}
