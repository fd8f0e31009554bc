// SPDX-License-Identifier: Apache-2.0
// The loop of Newton's method, and the measure of a correction: sum_i |r_i dx_i|, which is an energy for every row
// (force times displacement, constraint times multiplier), and the largest corrections of displacement, rotation and
// joint coordinates. The latter are needed because a coordinate that carries no force has no energy. An iteration is a
// tangent with all corrections that use it.
// Equations: eq-newton-measure (12.1).
#include "solvers/newton.h"

#include "assembly/evaluate.h"
#include "assembly/ranks.h"

#include <float.h>

int newton_block_coord(const Layout *layout, PetscInt block, int i) {
  PetscInt j = layout->block_joint[block];
  int c = 3 * (int)(block - layout->joint_block[j]) + i % 3 - layout_joint(layout, j)->rows.nrow;
  return c < layout_joint(layout, j)->ncoord ? PetscMax(c, -1) : -1;
}

double newton_coord_size(const Layout *layout, PetscInt joint, int coord) {
  const ModelJoint *m = model_joint(layout->model, layout->joint[joint]);
  return m->kind->coord_units[coord][0] == 'm' ? layout->length : 1;
}

// The largest correction of the joint coordinates in an own block.
static double measure_coords(const Layout *layout, const State *state, PetscInt b, const double *d) {
  PetscInt j = layout->block_joint[b];
  double most = 0;
  if (layout_joint(layout, j)->ncoord == 0) return 0;
  for (int i = 0; i < layout->bs; i++) {
    int c = newton_block_coord(layout, b, i);
    if (c < 0) continue;
    double size = newton_coord_size(layout, j, c);
    most = PetscMax(most, PetscAbsReal(d[i]) / PetscMax(size, PetscAbsReal(state->coord[j].z[c])));
  }
  return most;
}

// The contribution of a block to the sum. A residual that is not finite ranks highest, because it causes all others.
static double block_part(double part, PetscInt bs, const double *r) {
  if (isfinite(part)) return part;
  for (PetscInt i = 0; i < bs; i++)
    if (!isfinite(r[i])) return (double)INFINITY;
  return DBL_MAX;
}

enum { LENGTH, ANGLE, COORD, LARGEST }; // kinds of corrections

// Updates the largest corrections of each kind with those of a block. Returns the block's largest correction, relative
// to the model size for displacements.
static double measure_block(const Motion *motion, PetscInt b, const double *d, double step, double largest[LARGEST]) {
  PetscInt node = motion->layout.block_node[b];
  if (node < 0 && motion->layout.block_joint[b] < 0) return 0;
  if (node < 0) {
    double coord = measure_coords(&motion->layout, &motion->state, b, d);
    largest[COORD] = PetscMax(largest[COORD], coord);
    return coord;
  }
  PetscInt sort = b - motion->layout.node_block[node]; // blocks of the projection, then u, c
  if (sort < 0 || sort >= node_blocks(model_node(motion->layout.model, motion->layout.node[node])->kind)) return 0;
  largest[sort] = PetscMax(largest[sort], step);
  return sort == LENGTH ? step / motion->layout.length : step;
}

static PetscErrorCode MeasureCorrection(System *s, NewtonMeasure *out) {
  const double *r, *d;
  double energy = 0, largest[LARGEST] = {0}, most = 0, farthest = 0;
  PetscInt bs = s->motion.layout.bs, block = -1, moved = -1;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(s->equations.residual, &r));
  PetscCall(VecGetArrayRead(s->linear.increment, &d));
  for (PetscInt b = 0; b < s->motion.layout.nblock_own; b++) {
    double part = 0, step = 0;
    for (PetscInt i = b * bs; i < (b + 1) * bs; i++)
      part += PetscAbsReal(r[i] * d[i]), step = PetscMax(step, PetscAbsReal(d[i]));
    energy += part;
    double size = number_or_infinity(measure_block(&s->motion, b, d + b * bs, step, largest));
    if (size > farthest) farthest = size, moved = s->motion.layout.block_global[b];
    part = block_part(part, bs, r + b * bs);
    if (part > most) most = part, block = s->motion.layout.block_global[b];
  }
  PetscCall(VecRestoreArrayRead(s->equations.residual, &r));
  PetscCall(VecRestoreArrayRead(s->linear.increment, &d));
  PetscCall(ReduceArray(s->motion.layout.comm, &energy, 1, MPI_DOUBLE, MPI_SUM));
  PetscCall(ReduceArray(s->motion.layout.comm, largest, LARGEST, MPI_DOUBLE, MPI_MAX));
  PetscCall(ReduceLargest(s->motion.layout.comm, &most, &block, NULL));
  if (s->monitor.call) PetscCall(ReduceLargest(s->motion.layout.comm, &farthest, &moved, NULL));
  double size = PetscMax(largest[LENGTH] / s->motion.layout.length, PetscMax(largest[ANGLE], largest[COORD]));
  *out = (NewtonMeasure){energy, largest[LENGTH], largest[ANGLE], largest[COORD], size, block, moved};
  PetscFunctionReturn(0);
}

static PetscErrorCode ReportCorrection(System *s, const Newton *n, bool good) {
  LimberIteration out = {.step = s->monitor.step,
                         .time = n->at,
                         .iteration = n->corrections,
                         .new_tangent = n->fresh,
                         .residual = good ? n->measure.energy : (double)NAN,
                         .accepted = n->accepted,
                         .correction = good ? n->measure.size : (double)NAN,
                         .residual_at.index = LIMBER_NONE,
                         .correction_at.index = LIMBER_NONE};
  PetscFunctionBegin;
  if (good && n->measure.block >= 0)
    PetscCall(EquationsNameResidual(&s->motion, &s->equations, n->measure.block, &out.residual_at));
  if (good && n->measure.moved >= 0)
    PetscCall(LayoutNameBlock(&s->motion.layout, n->measure.moved, &out.correction_at));
  s->monitor.call(&out, s->monitor.data);
  PetscFunctionReturn(0);
}

static bool continues(const Newton *n, int tangents) {
  return n->verdict == NEWTON_SAME_TANGENT || (n->verdict == NEWTON_NEW_TANGENT && tangents < n->limit);
}

PetscErrorCode NewtonIterate(System *s, Newton *n, NewtonOutcome *out) {
  PetscBool good;
  PetscFunctionBegin;
  *out = (NewtonOutcome){.worst = -1};
  n->verdict = n->keeps_tangent ? NEWTON_SAME_TANGENT : NEWTON_NEW_TANGENT, n->worst = -1;
  while (continues(n, out->iterations)) {
    n->fresh = n->verdict == NEWTON_NEW_TANGENT;
    n->corrections++, out->iterations += n->fresh;
    PetscCall(n->correct(s, n, &good));
    if (good) {
      PetscCall(MeasureCorrection(s, &n->measure));
      PetscCall(n->take(s, n));
    } else n->verdict = NEWTON_FAILED, out->singular = true;
    if (s->monitor.call) PetscCall(ReportCorrection(s, n, good));
  }
  out->converged = n->verdict == NEWTON_CONVERGED, out->worst = n->worst;
  PetscFunctionReturn(0);
}
