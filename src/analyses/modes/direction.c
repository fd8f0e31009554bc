// SPDX-License-Identifier: Apache-2.0
// A direction in words: the node that moves most, and where to.
#include "analyses/modes/shapes.h"

#include <limits.h>

// Of the blocks of displacements, or of rotations, the largest in a vector, and its node of the model; of nodes that move alike, the first.
static PetscErrorCode LargestNode(const Layout *layout, Vec direction, bool turns, double *largest, int *node,
                                  Vec3 *moves) {
  const double *d;
  double own = 0, found[3] = {0};
  int first = INT_MAX;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(direction, &d));
  for (int pass = 0; pass < 2; pass++) {
    for (PetscInt b = 0; b < layout->nblock_own; b++) {
      PetscInt local = layout->block_node[b];
      if (local < 0 || (b != layout->node_block[local]) != turns) continue;
      double size = vec3_norm(vec3_of(d + 3 * b));
      if (pass == 0) own = PetscMax(own, size);
      else if (size > 0 && size >= (1 - 1e-6) * *largest && layout->node[local] < first)
        first = (int)layout->node[local], vec3_to(vec3_of(d + 3 * b), found);
    }
    if (pass == 0) PetscCallMPI(MPI_Allreduce(&own, largest, 1, MPI_DOUBLE, MPI_MAX, layout->comm));
  }
  PetscCall(VecRestoreArrayRead(direction, &d));
  PetscCallMPI(MPI_Allreduce(&first, node, 1, MPI_INT, MPI_MIN, layout->comm));
  for (int i = 0; i < 3; i++) found[i] = first == *node && first < INT_MAX ? found[i] : 0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, found, 3, MPI_DOUBLE, MPI_SUM, layout->comm));
  *moves = vec3_of(found);
  PetscFunctionReturn(0);
}

static double rounded(double x) { return fabs(x) < 5e-4 ? 0 : x; }

// "node 'apex' moves most, along (0, 0, 1)", with its largest component positive.
PetscErrorCode ModeDescribeDirection(const Layout *layout, Vec direction, char *text, size_t size) {
  double displaced, turned;
  int node[2];
  Vec3 moves[2];
  char name[200];
  PetscFunctionBegin;
  PetscCall(LargestNode(layout, direction, false, &displaced, &node[0], &moves[0]));
  PetscCall(LargestNode(layout, direction, true, &turned, &node[1], &moves[1]));
  int which = displaced > 1e-6 * layout->length * turned ? 0 : 1;
  text[0] = 0;
  if (node[which] == INT_MAX) PetscFunctionReturn(0);
  double v[3], most;
  vec3_to(vec3_scale(1 / vec3_norm(moves[which]), moves[which]), v);
  most = fabs(v[0]) > fabs(v[1]) - 1e-6 ? v[0] : v[1];
  most = fabs(most) > fabs(v[2]) - 1e-6 ? most : v[2];
  model_name_node(layout->model, node[which], name, sizeof name);
  snprintf(text, size, "%s %s most, %s (%.3g, %.3g, %.3g)", name, which ? "turns" : "moves", which ? "about" : "along",
           rounded(copysign(1, most) * v[0]), rounded(copysign(1, most) * v[1]), rounded(copysign(1, most) * v[2]));
  PetscFunctionReturn(0);
}
