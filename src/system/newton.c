// SPDX-License-Identifier: Apache-2.0
// Newton's method for the unknowns of a step. The measure is sum_i |r_i dx_i|, an energy for every row (force times
// displacement, constraint times multiplier), against the energy of the system, together with the increments of
// displacement and rotation; increments at round-off are accepted in any case.
#include "system/system.h"

typedef struct {
  double energy, length, angle; // sum |r dx|, largest increments of u and c
  PetscInt block;               // that carries most of the sum
} Measure;

static PetscErrorCode MeasureIncrement(System *s, Measure *out) {
  const double *r, *d;
  double local[4] = {0, 0, 0, 0}, sum, most[2];
  PetscInt block = -1;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(s->residual, &r));
  PetscCall(VecGetArrayRead(s->increment, &d));
  for (PetscInt b = 0; b < s->nblock_own; b++) {
    double part = 0, step = 0;
    for (PetscInt i = b * s->bs; i < (b + 1) * s->bs; i++)
      part += PetscAbsReal(r[i] * d[i]), step = PetscMax(step, PetscAbsReal(d[i]));
    local[0] += part;
    if (s->block_node[b] >= 0) { // a slip's blocks, then u, c
      PetscInt i = s->block_node[b], place = b - s->node_block[i];
      if (place >= 0 && place < node_blocks(model_node(s->model, s->node[i])->kind))
        local[1 + place] = PetscMax(local[1 + place], step);
    }
    if (part > local[3] || PetscIsInfOrNanReal(part)) local[3] = part, block = s->block_global[b];
  }
  PetscCall(VecRestoreArrayRead(s->residual, &r));
  PetscCall(VecRestoreArrayRead(s->increment, &d));
  PetscCallMPI(MPI_Allreduce(&local[0], &sum, 1, MPI_DOUBLE, MPI_SUM, s->comm));
  PetscCallMPI(MPI_Allreduce(&local[1], most, 2, MPI_DOUBLE, MPI_MAX, s->comm));
  struct {
    double value;
    int rank;
  } mine = {local[3], s->rank}, best;
  PetscCallMPI(MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, s->comm));
  PetscCallMPI(MPI_Bcast(&block, 1, MPIU_INT, best.rank, s->comm));
  *out = (Measure){sum, most[0], most[1], block};
  PetscFunctionReturn(0);
}

// The tangent stays for the next iteration where the last one brought so much less, or, where two intervals make it dear, where
// the first one is so small against the energy that the next can be trusted to.
static const double STILL_GOOD = 1e-6, SO_SMALL = 1e-8;

PetscErrorCode SystemNewton(System *s, double scale, double tolerance, int limit, NewtonOutcome *out) {
  Measure m;
  PetscBool good;
  double first = 0, before = 0, rate = 1;
  PetscFunctionBegin;
  *out = (NewtonOutcome){.worst = -1};
  for (int i = 1; i <= limit; i++) {
    bool fresh = !(rate <= STILL_GOOD || (i == 2 && s->rule->tableau.s > 1 && first <= SO_SMALL * scale));
    out->iterations = i, s->tangents += fresh;
    PetscCall(SystemEvaluate(s, fresh));
    PetscCall(SystemSolve(s, &good));
    if (!good) {
      out->singular = true;
      PetscFunctionReturn(0);
    }
    PetscCall(MeasureIncrement(s, &m));
    out->worst = m.block;
    if (i == 1) first = m.energy;
    if (PetscIsInfOrNanReal(m.energy) || m.angle > 8 || m.length > 1e3 * s->length) PetscFunctionReturn(0);
    if (i > 6 && m.energy > 1e8 * (first + scale)) PetscFunctionReturn(0);
    PetscCall(VecAXPY(s->unknown, -1, s->increment));
    // What the next iteration would find: increments shrink as their square with a fresh tangent, else as they just did.
    rate = i > 1 ? m.energy / before : 1;
    double next = m.energy * rate * (fresh ? rate : 1), most = PetscMax(scale, first);
    bool small = m.energy <= tolerance * most && next <= 1e-5 * tolerance * tolerance * most &&
                 m.length <= 1e-7 * s->length && m.angle <= 1e-7;
    bool round_off = m.length <= 4e-16 * s->length && m.angle <= 4e-16;
    // where the energy at stake is itself near round-off, as in first steps from rest, increments circle at its floor
    bool at_floor = i > 1 && m.energy > 0.25 * before && m.length <= 1e-9 * s->length && m.angle <= 1e-9;
    before = m.energy;
    if (small || round_off || at_floor) {
      out->converged = true;
      PetscFunctionReturn(0);
    }
  }
  PetscFunctionReturn(0);
}

// The block with the largest entry; joints count only where nodes have next to nothing, since forces are large numbers.
static PetscErrorCode LargestBlock(System *s, Vec x, PetscInt *block) {
  const double *q;
  struct {
    double value;
    int rank;
  } mine = {0, s->rank}, best;
  PetscInt at = -1;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(x, &q));
  for (PetscInt b = 0; b < s->nblock_own; b++)
    for (PetscInt i = b * s->bs; i < (b + 1) * s->bs; i++) {
      double value = PetscAbsReal(q[i]) * (s->block_joint[b] >= 0 ? 1e-12 : 1);
      if (value > mine.value) mine.value = value, at = s->block_global[b];
    }
  PetscCall(VecRestoreArrayRead(x, &q));
  PetscCallMPI(MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, s->comm));
  PetscCallMPI(MPI_Bcast(&at, 1, MPIU_INT, best.rank, s->comm));
  *block = at;
  PetscFunctionReturn(0);
}

// Inverse iteration with a trace of the identity, which alone resists what floats.
PetscErrorCode SystemFloating(System *s, PetscInt *block) {
  Mat shifted;
  KSP ksp;
  Vec x;
  double largest, norm;
  KSPConvergedReason reason = KSP_CONVERGED_ITS;
  PetscFunctionBegin;
  *block = -1;
  PetscCall(MatDuplicate(s->tangent, MAT_COPY_VALUES, &shifted));
  PetscCall(MatNorm(shifted, NORM_INFINITY, &largest));
  PetscCall(MatShift(shifted, 1e-14 * largest));
  PetscCall(VecDuplicate(s->residual, &x));
  PetscCall(VecSet(x, 1));
  PetscCall(KSPCreate(s->comm, &ksp));
  PetscCall(KSPSetOperators(ksp, shifted, shifted));
  PetscCall(SolverUseLU(ksp, true));
  for (int i = 0; i < 3 && reason >= 0; i++) {
    PetscCall(KSPSolve(ksp, x, s->work));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCall(VecNormalize(s->work, &norm));
    PetscCall(VecCopy(s->work, x));
  }
  if (reason >= 0) PetscCall(LargestBlock(s, x, block));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(MatDestroy(&shifted));
  PetscCall(VecDestroy(&x));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemNameBlock(System *s, PetscInt block, char *text, size_t size) {
  int mine = block >= s->first_block && block < s->first_block + s->nblock_own, owner = -1, rank = mine ? s->rank : -1;
  PetscFunctionBegin;
  text[0] = 0;
  if (mine) {
    PetscInt b = block - s->first_block;
    if (s->block_joint[b] >= 0) {
      model_name_joint(s->model, (int)s->joint[s->block_joint[b]], text, size);
    } else if (s->block_node[b] >= 0) model_name_node(s->model, s->node[s->block_node[b]], text, size);
  }
  PetscCallMPI(MPI_Allreduce(&rank, &owner, 1, MPI_INT, MPI_MAX, s->comm));
  if (owner >= 0) PetscCallMPI(MPI_Bcast(text, (PetscMPIInt)size, MPI_CHAR, owner, s->comm));
  PetscFunctionReturn(0);
}
