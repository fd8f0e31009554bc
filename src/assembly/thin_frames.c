// SPDX-License-Identifier: Apache-2.0
// Frames without inertia about an axis, as those of rods without thickness. What holds them about it are joints alone, whose multipliers
// come later in the order of elimination: block LU, which does not pivot between blocks, would meet a pivot of zero or of round-off. A
// trace of inertia about that axis in the tangent leaves the solution as it is, which is found from the residual. The first step goes
// without, so that a frame that nothing holds is found out.
#include "assembly/system.h"

static const double TRACE = 1e-6; // of the largest inertia

static bool is_thin(const Inertia *q) {
  if (!(q->m > 0)) return false;
  Mat3 shift = mat3_scale(1 / q->m, mat3_mul(mat3_cross(q->s), mat3_cross(q->s))),
       j = mat3_add(q->j, shift); // about the mass centre
  double sum = j.m[0][0] + j.m[1][1] + j.m[2][2];
  return sum > 0 && mat3_det(j) <= 1e-12 * sum * sum * sum;
}

// Stiffness of an element is inertia enough.
static bool is_elastic(const System *s, PetscInt e) {
  const ModelElement *el = model_element(s->layout.model, s->layout.element[e]);
  return el->kind->points(el->data) > 0;
}

PetscErrorCode SystemCreateThinFrames(System *s) {
  PetscInt count = 0;
  bool *elastic;
  PetscFunctionBegin;
  if (s->rule->without_inertia || s->rule->analysis) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(s->layout.nnode_own, &s->matrix.thin));
  PetscCall(PetscCalloc1(s->layout.nnode, &elastic));
  for (PetscInt e = 0; e < s->layout.nelement; e++)
    for (PetscInt a = s->layout.element_node_start[e]; a < s->layout.element_node_start[e + 1] && is_elastic(s, e); a++)
      elastic[s->layout.element_node[a]] = true;
  for (PetscInt i = 1; i < s->layout.nnode_own; i++) {
    PetscInt block = s->layout.node_block[i] + 1;
    if (block < 1 || model_node(s->layout.model, s->layout.node[i])->kind != NODE_FRAME) continue;
    if (elastic[i] || !is_thin(&s->layout.inertia[i])) continue;
    PetscCall(SystemFindSlots(s, 1, &block));
    s->matrix.thin[count++] = s->matrix.slot[--s->matrix.count];
  }
  s->matrix.nthin = count;
  PetscCall(PetscFree(elastic));
  PetscFunctionReturn(0);
}

void system_stiffen_thin_frames(System *s) {
  const int bs = (int)s->layout.bs;
  for (PetscInt i = 0; i < s->matrix.nthin && s->state.stepped; i++) {
    double *block = s->matrix.value[0] + (size_t)bs * (size_t)bs * (size_t)s->matrix.thin[i];
    for (int k = 0; k < bs; k += 3) {
      double most = 0;
      for (int a = k; a < k + 3; a++) most = PetscMax(most, PetscAbsReal(block[a * bs + a]));
      for (int a = k; a < k + 3; a++) block[a * bs + a] += TRACE * most;
    }
  }
}
