// SPDX-License-Identifier: Apache-2.0
// Newton's method for the unknowns of a step. The measure is sum_i |r_i dx_i|, an energy for every row (force times
// displacement, constraint times multiplier), against the energy of the system, together with the increments of
// displacement and rotation; increments at round-off are accepted in any case.
#include "system/system.h"

// Whether a solution is as good as round-off lets it be, row by row, |T x - b| <= 1e-11 (|T| |x| + |b|), and of a size
// that a motion can have. The sum of squares that is asked first fails where rows are of very different size
// and the residual lies in the small ones, as in short steps from rest.
static PetscErrorCode SolvedToRoundOff(System *s, PetscBool *good) {
  const double *x, *b, *d;
  VecScatter scatter;
  Vec all;
  PetscInt first, last, ncol;
  const PetscInt *col;
  const PetscScalar *value;
  int bad = 0;
  PetscFunctionBegin;
  PetscCall(VecScatterCreateToAll(s->increment, &scatter, &all));
  PetscCall(VecScatterBegin(scatter, s->increment, all, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(scatter, s->increment, all, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGetArrayRead(all, &x));
  PetscCall(VecGetArrayRead(s->residual, &b));
  PetscCall(VecGetArrayRead(s->work, &d));
  PetscCall(MatGetOwnershipRange(s->tangent, &first, &last));
  for (PetscInt i = first; i < last; i++) {
    double scale = PetscAbsReal(b[i - first]);
    PetscInt block = (i - first) / s->bs;
    PetscCall(MatGetRow(s->tangent, i, &ncol, &col, &value));
    for (PetscInt k = 0; k < ncol; k++) scale += PetscAbsReal(value[k] * x[col[k]]);
    PetscCall(MatRestoreRow(s->tangent, i, &ncol, &col, &value));
    bad |= !(PetscAbsReal(d[i - first]) <= 1e-11 * scale); // also for NaN
    bad |= s->block_node[block] >= 0 && PetscAbsReal(x[i]) > 1e3 * PetscMax(1, s->length);
  }
  PetscCall(VecRestoreArrayRead(s->work, &d));
  PetscCall(VecRestoreArrayRead(s->residual, &b));
  PetscCall(VecRestoreArrayRead(all, &x));
  PetscCall(VecScatterDestroy(&scatter));
  PetscCall(VecDestroy(&all));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_LOR, s->comm));
  *good = (PetscBool)!bad;
  PetscFunctionReturn(0);
}

// Rows without mass delay MUMPS's pivots, for which its estimate of room in small systems leaves none.
static PetscErrorCode GiveRoom(System *s, KSP ksp) {
  PC pc;
  Mat factor;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(MatGetSize(s->tangent, &n, NULL));
  if (n > 20000) PetscFunctionReturn(0);
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCFactorSetUpMatSolverType(pc));
  PetscCall(PCFactorGetMatrix(pc, &factor));
  PetscCall(MatMumpsSetIcntl(factor, 14, 400)); // per cent
  PetscFunctionReturn(0);
}

// The linear system by block LU; where it meets a zero pivot or its answer is poor, by MUMPS.
PetscErrorCode SystemSolve(System *s, PetscBool *good) {
  PetscReal error, norm;
  KSPConvergedReason reason;
  PetscLogDouble t0, t1;
  PetscFunctionBegin;
  PetscCall(PetscTime(&t0));
  *good = PETSC_FALSE;
  PetscCall(VecNorm(s->residual, NORM_2, &norm));
  for (int robust = s->falls > 3; robust < 2 && !*good; robust++) {
    KSP ksp = robust ? s->robust : s->ksp;
    PetscCall(KSPSetOperators(ksp, s->tangent, s->tangent));
    if (robust || s->size > 1) PetscCall(GiveRoom(s, ksp));
    PetscCall(KSPSolve(ksp, s->residual, s->increment));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    if (reason >= 0) {
      PetscCall(MatMult(s->tangent, s->increment, s->work));
      PetscCall(VecAXPY(s->work, -1, s->residual));
      PetscCall(VecNorm(s->work, NORM_2, &error));
      *good = (PetscBool)(error <= 1e-6 * norm); // false for NaN
      if (!*good && (robust || s->size > 1)) PetscCall(SolvedToRoundOff(s, good));
    }
    if (!*good && !robust) s->falls++;
    if (!*good && (robust || s->size > 1)) PetscCall(KSPReset(ksp)); // MUMPS forgets a failed analysis only so
  }
  PetscCall(PetscTime(&t1));
  s->seconds_solve += t1 - t0;
  PetscFunctionReturn(0);
}

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
    if (s->block_node[b] >= 0) { // u, c; a slip's blocks follow
      PetscInt i = s->block_node[b], place = b - s->node_block[i];
      if (place < node_blocks(model_node(s->model, s->node[i])->kind))
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

PetscErrorCode SystemNewton(System *s, double scale, double tolerance, int limit, NewtonOutcome *out) {
  Measure m;
  PetscBool good;
  double first = 0, before = 0;
  PetscFunctionBegin;
  *out = (NewtonOutcome){.worst = -1};
  for (int i = 1; i <= limit; i++) {
    out->iterations = i;
    PetscCall(SystemEvaluate(s, PETSC_TRUE));
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
    bool small = m.energy <= tolerance * PetscMax(scale, first) && m.length <= 1e-7 * s->length && m.angle <= 1e-7;
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
  PC pc;
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
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCLU));
  PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  PetscCall(KSPSetErrorIfNotConverged(ksp, PETSC_FALSE));
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
