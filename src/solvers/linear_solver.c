// SPDX-License-Identifier: Apache-2.0
// Chooses the linear solvers, solves the linear systems of Newton and checks the solutions.
// Equations: eq-linear-correction (13.3), eq-linear-measure (13.4).
#include "assembly/log_events.h"
#include "solvers/solvers.h"

#include <limits.h>

// Sets an option of a solver unless the user has. PETSc warns at exit about options that nothing queried. A solver that
// is created late queries late, so an option set here is queried at once.
PetscErrorCode SolverPresetOption(const char *prefix, const char *option, const char *value) {
  char name[128];
  PetscBool given;
  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(name, sizeof name, "-%s%s", prefix ? prefix : "", option));
  PetscCall(PetscOptionsHasName(NULL, NULL, name, &given));
  if (!given) {
    PetscCall(PetscOptionsSetValue(NULL, name, value));
    PetscCall(PetscOptionsHasName(NULL, NULL, name, &given));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode PresetOption(KSP ksp, const char *option, const char *value) {
  const char *prefix;
  PetscFunctionBegin;
  PetscCall(KSPGetOptionsPrefix(ksp, &prefix));
  PetscCall(SolverPresetOption(prefix, option, value));
  PetscFunctionReturn(0);
}

PetscErrorCode SolverUseLU(KSP ksp) {
  PC pc;
  PetscFunctionBegin;
  PetscCall(KSPSetErrorIfNotConverged(ksp, PETSC_FALSE));
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(KSPGetPC(ksp, &pc));
#ifdef PETSC_HAVE_MUMPS
  PetscCall(PCSetType(pc, PCLU));
  PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  PetscCall(PresetOption(ksp, "mat_mumps_icntl_14", "200")); // room for pivots that are put off: multipliers have many
#else
  PetscCall(SolverUseSuperLU(pc));
#endif
  PetscFunctionReturn(0);
}

PetscErrorCode SolverUseSymmetric(KSP ksp) {
  PetscFunctionBegin;
  PetscCall(SolverUseLU(ksp));
#ifdef PETSC_HAVE_MUMPS
  PC pc;
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCCHOLESKY));
  PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
#endif
  PetscFunctionReturn(0);
}

enum { MOST_ITERATIONS = 250, RESTART = 150 }; // of GMRES; beyond these a factorisation is cheaper

// GMRES with incomplete block LU of what each rank owns and two layers around it, in the band order: where a wave
// crosses some cells in a step, it takes tens of iterations. Frames want more fill than points, and bodies that only
// touch want none.
static PetscErrorCode UseGMRES(const Layout *layout, KSP ksp, const char *fill) {
  PC pc;
  PetscFunctionBegin;
  PetscCall(KSPSetType(ksp, KSPGMRES));
  PetscCall(KSPGMRESSetRestart(ksp, RESTART));
  PetscCall(KSPSetTolerances(ksp, 1e-5, PETSC_DEFAULT, PETSC_DEFAULT, MOST_ITERATIONS));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, layout->size > 1 ? PCASM : PCILU));
  if (layout->size > 1) PetscCall(PCASMSetOverlap(pc, 2));
  PetscCall(PresetOption(ksp, layout->size > 1 ? "sub_pc_factor_levels" : "pc_factor_levels", fill));
  PetscFunctionReturn(0);
}

// Whether nothing but contact links two nodes.
static bool are_bodies_loose(const Model m) {
  bool loose = m->joints.count == 0;
  for (int e = 0; e < m->elements.count && loose; e++) loose = model_element(m, e)->nnode <= 1;
  return loose;
}

// Makes MUMPS choose its ordering from the pattern alone, so that a run continued from a checkpoint uses the same one.
// SuperLU always does.
static PetscErrorCode OrderByPattern(KSP ksp) {
#ifdef PETSC_HAVE_MUMPS
  PetscBool lu;
  MatSolverType type = NULL;
  Mat factor;
  PC pc;
  PetscFunctionBegin;
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCLU, &lu));
  if (lu) PetscCall(PCFactorGetMatSolverType(pc, &type));
  PetscCall(PetscStrcmp(type, MATSOLVERMUMPS, &lu));
  if (!lu) PetscFunctionReturn(0);
  PetscCall(PCFactorSetUpMatSolverType(pc));
  PetscCall(PCFactorGetMatrix(pc, &factor));
  PetscCall(MatMumpsSetIcntl(factor, 6, 0));
#else
  PetscFunctionBegin;
  (void)ksp;
#endif
  PetscFunctionReturn(0);
}

// Whether a wide model of frames is a three-dimensional lattice rather than a net. The bandwidth of a square net is the
// square root of its number of nodes, and MUMPS is as fast as GMRES up to sizes where both take seconds. On a block of
// 10^4 beams MUMPS takes three times as long.
static bool is_deep(const Layout *layout) {
  return layout->is_wide &&
         (layout->half_band > 1.5 * PetscSqrtReal((double)layout->model->nodes.count) || layout->half_band > 300);
}

PetscErrorCode SystemCreateSolver(const System *s, bool robust, KSP *ksp) {
  PetscFunctionBegin;
  PetscCall(KSPCreate(s->motion.layout.comm, ksp));
  PetscCall(KSPSetOperators(*ksp, s->equations.matrix.tangent, s->equations.matrix.tangent));
  PetscCall(KSPSetErrorIfNotConverged(*ksp, PETSC_FALSE));
  PetscCall(KSPSetOptionsPrefix(*ksp, robust ? "limber_robust_" : "limber_"));
  PetscFunctionReturn(0);
}

PetscErrorCode SystemCreateSolvers(System *s) {
  PC pc;
  PetscInt n;
  PetscBool direct;
  PetscFunctionBegin;
  PetscCall(MatGetSize(s->equations.matrix.tangent, &n, NULL));
  bool alone = s->motion.layout.size > 1 && n <= EACH_FOR_ITSELF, small = false, narrow = !s->motion.layout.is_wide,
       solid = s->motion.layout.is_wide && s->motion.layout.frames <= s->motion.layout.model->nodes.count / 20,
       iterates = solid || is_deep(&s->motion.layout),
       divided = s->motion.layout.size > 1 && !alone && (narrow || (net_elimination() && !iterates)) && !s->linear.ksp;
  const char *fill = are_bodies_loose(s->motion.layout.model) ? "0" : solid ? "1" : "2";
  if (!s->linear.robust) PetscCall(SolverSuitsBandLU(s->equations.matrix.tangent, &small));
  if (divided) PetscCall(SolverSuitsDividedLU(&s->motion.layout, s->equations.matrix.tangent, &divided));
  s->linear.factor_lasts = s->motion.layout.size > 1 && !alone && !divided;
  for (int robust = 0; robust < 2; robust++) {
    KSP *ksp = robust ? &s->linear.robust : &s->linear.ksp, own;
    if (*ksp) continue;
    PetscCall(SystemCreateSolver(s, robust, ksp));
    own = *ksp;
    if (!robust && iterates) PetscCall(UseGMRES(&s->motion.layout, own, fill));
    else {
      if (alone) {
        PetscCall(KSPSetType(*ksp, KSPPREONLY));
        PetscCall(KSPGetPC(*ksp, &pc));
        PetscCall(PCSetType(pc, PCREDUNDANT));
        PetscCall(PCRedundantGetKSP(pc, &own));
      }
      if (robust && small) PetscCall(SolverUseBandLU(own));
      else if (!robust && divided) PetscCall(SolverUseDividedLU(&s->motion.layout, own));
      else if (robust || !narrow || (s->motion.layout.size > 1 && !alone)) PetscCall(SolverUseLU(own));
      else PetscCall(SolverUseBlockLU(own));
    }
    PetscCall(KSPSetFromOptions(*ksp));
    if (!robust && s->motion.layout.size == 1 && s->motion.layout.is_wide) PetscCall(OrderByPattern(*ksp));
    PetscCall(PetscObjectTypeCompare((PetscObject)*ksp, KSPPREONLY, &direct));
    if (!direct) PetscCall(SolverWrap(*ksp));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SolverUseFunctions(KSP ksp, const char *name, void *data, PetscErrorCode (*set_up)(PC),
                                  PetscErrorCode (*apply)(PC, Vec, Vec), PetscErrorCode (*destroy)(PC)) {
  PC pc;
  PetscFunctionBegin;
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCSHELL));
  PetscCall(PCShellSetContext(pc, data));
  PetscCall(PCShellSetSetUp(pc, set_up));
  PetscCall(PCShellSetApply(pc, apply));
  PetscCall(PCShellSetDestroy(pc, destroy));
  PetscCall(PCShellSetName(pc, name));
  PetscFunctionReturn(0);
}

PetscErrorCode SolverUsesFunctions(KSP ksp, const char *name, bool *uses) {
  const char *own = NULL;
  PetscBool same;
  PC pc;
  PetscFunctionBegin;
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCSHELL, &same));
  if (same) PetscCall(PCShellGetName(pc, &own));
  PetscCall(PetscStrcmp(own, name, &same));
  *uses = same;
  PetscFunctionReturn(0);
}

// Whether what a solver keeps follows from the pattern: LU by blocks or in a band, alone or on every rank for itself,
// where it does not forget that it failed.
static PetscErrorCode IsPlainLU(KSP ksp, bool failed, bool *plain) {
  PC pc;
  PetscBool redundant, only, shell;
  PetscFunctionBegin;
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCREDUNDANT, &redundant));
  if (redundant) {
    PetscCall(PCRedundantGetKSP(pc, &ksp));
    PetscCall(KSPGetPC(ksp, &pc));
  }
  PetscCall(PetscObjectTypeCompare((PetscObject)ksp, KSPPREONLY, &only));
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCSHELL, &shell));
  *plain = only && shell && !(redundant && failed);
  PetscFunctionReturn(0);
}

PetscErrorCode LinearDestroyUsedSolvers(LinearSolver *linear) {
  PetscFunctionBegin;
  for (int robust = 0; robust < 2; robust++) {
    KSP *ksp = robust ? &linear->robust : &linear->ksp;
    bool plain = false, symmetric = false;
    if (!linear->used[robust]) continue;
    PetscCall(IsPlainLU(*ksp, linear->failed[robust], &plain));
    if (!robust) PetscCall(LinearHasSymmetricFactors(linear, &symmetric)); // which other analyses do not use
    if (!plain || symmetric) PetscCall(KSPDestroy(ksp));
  }
  PetscFunctionReturn(0);
}

// sum |a_i b_i|: for a residual and an increment this is an energy, whatever the units of the rows
static PetscErrorCode SumProducts(const Layout *layout, Vec a, Vec b, double *out) {
  const double *p, *q;
  PetscInt n;
  PetscFunctionBegin;
  *out = 0;
  PetscCall(VecGetLocalSize(a, &n));
  PetscCall(VecGetArrayRead(a, &p));
  PetscCall(VecGetArrayRead(b, &q));
  for (PetscInt i = 0; i < n; i++) *out += PetscAbsReal(p[i] * q[i]);
  PetscCall(VecRestoreArrayRead(a, &p));
  PetscCall(VecRestoreArrayRead(b, &q));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, out, 1, MPI_DOUBLE, MPI_SUM, layout->comm));
  PetscFunctionReturn(0);
}

// work = residual - tangent * increment. Returns the energy of the remaining error, estimated with the preconditioner.
static PetscErrorCode RemainingEnergy(System *s, PC pc, double *energy) {
  Mat tangent;
  PetscFunctionBegin;
  PetscCall(PCGetOperators(pc, &tangent, NULL));
  PetscCall(MatMult(tangent, s->linear.increment, s->equations.work));
  PetscCall(VecAYPX(s->equations.work, -1, s->equations.residual));
  PetscCall(PCApply(pc, s->equations.work, s->linear.correction));
  PetscCall(SumProducts(&s->motion.layout, s->equations.work, s->linear.correction, energy));
  PetscFunctionReturn(0);
}

// Tolerated relative energy of the error. With iterations: a smaller value would be wasted, because Newton's
// corrections leave about as much and are repeated anyway. With old factors: 1e-10 of the increment, which takes few
// corrections.
static const double left_by_iterations = 1e-9, left_by_factors = 1e-20;

// Solves with the factors of an earlier tangent and corrections, as long as each removes 90 % of the remaining energy.
static PetscErrorCode SolveByOldFactors(System *s, KSP ksp, PetscBool *good) {
  double all, left, before;
  PC pc;
  PetscFunctionBegin;
  *good = PETSC_FALSE;
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetReusePreconditioner(pc, PETSC_TRUE));
  PetscCall(PCApply(pc, s->equations.residual, s->linear.increment));
  PetscCall(SumProducts(&s->motion.layout, s->equations.residual, s->linear.increment, &all));
  for (before = all; !*good; before = left) {
    PetscCall(RemainingEnergy(s, pc, &left));
    if (!(left <= 0.1 * before)) break; // also for NaN
    PetscCall(VecAXPY(s->linear.increment, 1, s->linear.correction));
    *good = (PetscBool)(left <= left_by_factors * all);
  }
  PetscCall(PCSetReusePreconditioner(pc, PETSC_FALSE));
  PetscFunctionReturn(0);
}

bool factors_are_of_step(const Motion *motion, const FactorRecord *f) {
  return f->made && f->time == motion->state.time && f->h == motion->step.h && f->rule == motion->layout.rule;
}

// Factors of a wide system are kept over several steps if MUMPS divides the work between ranks: its results are not
// bit-for-bit reproducible anyway, because its messages arrive in any order.
static bool factors_serve(const Motion *motion, const LinearSolver *linear, const FactorRecord *f) {
  return factors_are_of_step(motion, f) || (f->made && linear->factor_lasts);
}

// GMRES in the scaled norm (scaling.c), repeated on the remaining residual until the energy of the error is small.
static PetscErrorCode SolveByGMRES(System *s, KSP ksp, PetscBool *good) {
  KSPConvergedReason reason;
  double all, left;
  PetscReal to, abs, far;
  PetscInt most;
  PC pc;
  PetscFunctionBegin;
  *good = PETSC_FALSE;
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(KSPGetTolerances(ksp, &to, &abs, &far, &most));
  PetscCall(SystemScale(s, ksp));
  for (int round = 0; round < 4; round++) {
    PetscCall(KSPSolve(ksp, round ? s->equations.work : s->equations.residual,
                       round ? s->linear.correction : s->linear.increment));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    if (reason < 0) break;
    if (round) PetscCall(VecAXPY(s->linear.increment, 1, s->linear.correction));
    PetscCall(SumProducts(&s->motion.layout, s->equations.residual, s->linear.increment, &all));
    PetscCall(RemainingEnergy(s, pc, &left));
    *good = (PetscBool)(left <= left_by_iterations * all);
    if (*good) break;
    double tolerance = 0.1 * PetscSqrtReal(left_by_iterations * all / left);
    PetscCall(KSPSetTolerances(ksp, PetscMax(to, tolerance), abs, far, most));
  }
  PetscCall(KSPSetTolerances(ksp, to, abs, far, most));
  PetscFunctionReturn(0);
}

// Solves with the incomplete factors of an earlier iteration of the step, or new ones. For a reduced tangent, new
// factors cost less than an iteration.
static PetscErrorCode SolveByIterations(System *s, KSP ksp, FactorRecord *f, PetscBool *good) {
  PC pc;
  PetscFunctionBegin;
  PetscCall(SolverInner(ksp, &pc));
  *good = PETSC_FALSE;
  bool serve =
      factors_are_of_step(&s->motion, f) && (!s->equations.matrix.reduced || f->tangent == s->equations.matrix.made);
  for (int fresh = !serve; fresh < 2 && !*good; fresh++) {
    PetscCall(PCSetReusePreconditioner(pc, (PetscBool)!fresh));
    if (fresh) s->linear.scale_tangent = 0; // so that the preconditioner is set up again
    PetscCall(SolveByGMRES(s, ksp, good));
  }
  PetscCall(PCSetReusePreconditioner(pc, PETSC_FALSE));
  *f = (FactorRecord){s->motion.state.time,     s->motion.step.h, s->motion.layout.rule,
                      s->equations.matrix.made, f->checked,       *good};
  PetscFunctionReturn(0);
}

// Solves with the factors of the tangent, which are computed if it is new. On one process this skips the overhead of
// KSPSolve, which takes as long as the solution of a small system.
static PetscErrorCode SolveByFactors(System *s, KSP ksp, PetscBool *good) {
  KSPConvergedReason reason;
  PCFailedReason failed;
  PC pc;
  PetscFunctionBegin;
  if (s->motion.layout.size > 1) {
    PetscCall(KSPSolve(ksp, s->equations.residual, s->linear.increment));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    *good = (PetscBool)(reason >= 0);
    PetscFunctionReturn(0);
  }
  PetscCall(KSPSetUp(ksp));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCGetFailedReason(pc, &failed));
  *good = (PetscBool)(failed == PC_NOERROR);
  if (*good) PetscCall(PCApply(pc, s->equations.residual, s->linear.increment));
  PetscFunctionReturn(0);
}

static PetscErrorCode SolveOnce(System *s, int robust, PetscBool *good) {
  KSP ksp = robust ? s->linear.robust : s->linear.ksp;
  FactorRecord *f = &s->linear.factors[robust];
  PetscBool direct;
  Mat tangent = s->equations.matrix.tangent;
  PetscFunctionBegin;
  *good = PETSC_FALSE;
  s->linear.used[robust] = true;
  PetscCall(PetscObjectTypeCompare((PetscObject)ksp, KSPPREONLY, &direct));
  if (!direct) PetscCall(MatrixReducedTangent(&s->motion, &s->equations.matrix, &tangent));
  if (!direct || f->tangent != s->equations.matrix.made) PetscCall(KSPSetOperators(ksp, tangent, tangent));
  s->linear.inexact = !direct;
  if (!direct) {
    PetscCall(SolveByIterations(s, ksp, f, good));
    PetscFunctionReturn(0);
  }
  if (factors_serve(&s->motion, &s->linear, f) && f->tangent != s->equations.matrix.made)
    PetscCall(SolveByOldFactors(s, ksp, good));
  if (*good) PetscFunctionReturn(0);
  PetscCall(SolveByFactors(s, ksp, good));
  *f = (FactorRecord){s->motion.state.time,     s->motion.step.h, s->motion.layout.rule,
                      s->equations.matrix.made, f->checked,       *good && s->motion.layout.is_wide};
  PetscFunctionReturn(0);
}

// Unknowns and their scales at the columns of a rank's rows: its own, and the ghosts, which a matrix on several ranks
// lists in order.
typedef struct {
  PetscInt bs, first, last, nghost; // own unknowns; ghost blocks
  const PetscInt *ghost;
  const double *x[2], *size[2]; // own and ghosts
  Vec other[2];
} ColumnValues;

static PetscErrorCode ColumnsOpen(const Layout *layout, MatrixSlots *matrix, Vec x, Vec sizes, ColumnValues *c) {
  Vec from[2] = {x, sizes};
  const double **to[2] = {c->x, c->size};
  VecScatter scatter;
  Mat part[2];
  IS ghosts;
  PetscFunctionBegin;
  *c = (ColumnValues){.bs = layout->bs};
  PetscCall(MatGetOwnershipRange(matrix->tangent, &c->first, &c->last));
  for (int i = 0; i < 2; i++) PetscCall(VecGetArrayRead(from[i], &to[i][0]));
  if (layout->size == 1) PetscFunctionReturn(0);
  PetscCall(MatMPIBAIJGetSeqBAIJ(matrix->tangent, &part[0], &part[1], &c->ghost));
  PetscCall(MatGetSize(part[1], NULL, &c->nghost));
  c->nghost /= c->bs;
  PetscCall(ISCreateBlock(PETSC_COMM_SELF, c->bs, c->nghost, c->ghost, PETSC_USE_POINTER, &ghosts));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, c->nghost * c->bs, &c->other[0]));
  PetscCall(VecDuplicate(c->other[0], &c->other[1]));
  PetscCall(VecScatterCreate(x, ghosts, c->other[0], NULL, &scatter));
  for (int i = 0; i < 2; i++) {
    PetscCall(VecScatterBegin(scatter, from[i], c->other[i], INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecScatterEnd(scatter, from[i], c->other[i], INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecGetArrayRead(c->other[i], &to[i][1]));
  }
  PetscCall(VecScatterDestroy(&scatter));
  PetscCall(ISDestroy(&ghosts));
  PetscFunctionReturn(0);
}

static PetscErrorCode ColumnsClose(Vec x, Vec sizes, ColumnValues *c) {
  PetscFunctionBegin;
  PetscCall(VecRestoreArrayRead(x, &c->x[0]));
  PetscCall(VecRestoreArrayRead(sizes, &c->size[0]));
  if (c->other[0]) PetscCall(VecRestoreArrayRead(c->other[0], &c->x[1]));
  if (c->other[1]) PetscCall(VecRestoreArrayRead(c->other[1], &c->size[1]));
  for (int i = 0; i < 2; i++) PetscCall(VecDestroy(&c->other[i]));
  PetscFunctionReturn(0);
}

// The index of a global column: returns 0 if it is among own unknowns, 1 if among ghosts.
static int find_column(const ColumnValues *c, PetscInt col, PetscInt *at) {
  PetscInt low = 0, high = c->nghost;
  *at = col - c->first;
  if (col >= c->first && col < c->last) return 0;
  while (high - low > 1) {
    PetscInt middle = low + (high - low) / 2;
    if (c->ghost[middle] <= col / c->bs) low = middle;
    else high = middle;
  }
  *at = low * c->bs + col % c->bs;
  return 1;
}

// Whether a solution is accurate to round-off, row by row,
//   |T x - b|_i <= 1e-11 (|T| |x| + |b|)_i + 1e-13 sum_j |T_ij|/d_j max_k |d_k x_k|      (d: the sizes of scaling.c),
// and of a physically possible size. The norm test that comes first fails if rows differ greatly in size and the
// residual lies in the small ones, as in short steps from rest. The last term is for unknowns that are zero: their
// computed values are round-off of the others, and nothing else appears in their rows.
static PetscErrorCode SolvedToRoundOff(System *s, PetscBool *good) {
  const double *b, *d;
  double most = 0;
  ColumnValues c;
  PetscInt ncol;
  const PetscInt *col;
  const PetscScalar *value;
  int bad = 0;
  PetscFunctionBegin;
  PetscCall(MatrixFindSizes(&s->motion.layout, &s->equations.matrix, s->linear.correction));
  PetscCall(ColumnsOpen(&s->motion.layout, &s->equations.matrix, s->linear.increment, s->linear.correction, &c));
  PetscCall(VecGetArrayRead(s->equations.residual, &b));
  PetscCall(VecGetArrayRead(s->equations.work, &d));
  for (PetscInt i = 0; i < c.last - c.first; i++) most = PetscMax(most, PetscAbsReal(c.x[0][i] * c.size[0][i]));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, s->motion.layout.comm));
  for (PetscInt i = 0; i < c.last - c.first; i++) {
    double scale = PetscAbsReal(b[i]), floor = 0;
    PetscCall(MatGetRow(s->equations.matrix.tangent, c.first + i, &ncol, &col, &value));
    for (PetscInt k = 0; k < ncol; k++) {
      PetscInt at;
      int ghost = find_column(&c, col[k], &at);
      scale += PetscAbsReal(value[k] * c.x[ghost][at]);
      floor += PetscAbsReal(value[k]) / c.size[ghost][at] * most;
    }
    PetscCall(MatRestoreRow(s->equations.matrix.tangent, c.first + i, &ncol, &col, &value));
    bad |= !(PetscAbsReal(d[i]) <= 1e-11 * scale + 1e-13 * floor); // also for NaN
    bad |= s->motion.layout.block_node[i / c.bs] >= 0 &&
           PetscAbsReal(c.x[0][i]) > 1e3 * PetscMax(1, s->motion.layout.length);
  }
  PetscCall(VecRestoreArrayRead(s->equations.work, &d));
  PetscCall(VecRestoreArrayRead(s->equations.residual, &b));
  PetscCall(ColumnsClose(s->linear.increment, s->linear.correction, &c));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_LOR, s->motion.layout.comm));
  *good = (PetscBool)!bad;
  PetscFunctionReturn(0);
}

// Puts a solver back to its state before it failed. MUMPS forgets a failed analysis only after a reset; a solver inside
// PCREDUNDANT keeps its failure flag, which is cleared here.
static PetscErrorCode ResetSolver(KSP ksp) {
  PC pc;
  PetscFunctionBegin;
  PetscCall(KSPReset(ksp));
  PetscCall(SolverInner(ksp, &pc));
  PetscCall(PCReset(pc));
  PetscCall(PCSetFailedReason(pc, PC_NOERROR));
  PetscFunctionReturn(0);
}

PetscErrorCode LinearReleaseFactors(LinearSolver *linear) {
  PetscFunctionBegin;
  for (int robust = 0; robust < 2; robust++) {
    PetscCall(ResetSolver(robust ? linear->robust : linear->ksp));
    linear->factors[robust] = (FactorRecord){0};
  }
  linear->scale_tangent = 0;
  PetscFunctionReturn(0);
}

// Whether to use the solver with pivoting at once. A fast solver that failed repeatedly is retried now and then: a
// pivot that vanishes in one pose, such as that of a thin rod, may not vanish in the next.
enum { MOST_FALLBACKS = 3, TRY_AGAIN = 32 }; // failures; tangents between two retries

static bool skips_fast_solver(System *s) {
  int *count = &s->linear.nfallback;
  if (s->linear.factors[1].checked == s->equations.matrix.made) return true;
  if (*count <= MOST_FALLBACKS) return false;
  if (s->motion.layout.is_wide || *count >= INT_MAX / 2) return true;
  return ++*count % TRY_AGAIN != 0;
}

// Solves the linear system with the fast solver. If it meets a zero pivot, does not converge or gives a poor solution,
// the solver with pivoting is used.
PetscErrorCode SystemSolve(System *s, PetscBool *good) {
  PetscReal error, norm;
  PetscBool solved;
  double t0, t1;
  PetscFunctionBegin;
  t0 = equations_clock(&s->equations);
  PetscCall(LogEventBegin(LOG_SOLVE));
  s->linear.solutions++;
  *good = PETSC_FALSE;
  for (int robust = skips_fast_solver(s); robust < 2 && !*good; robust++) {
    PetscCall(SolveOnce(s, robust, &solved));
    if (solved && (s->linear.inexact || s->linear.factors[robust].checked == s->equations.matrix.made))
      *good = PETSC_TRUE;
    else if (solved) {
      PetscCall(MatMult(s->equations.matrix.tangent, s->linear.increment, s->equations.work));
      PetscCall(VecAXPY(s->equations.work, -1, s->equations.residual));
      PetscCall(VecNorm(s->equations.work, NORM_2, &error));
      PetscCall(VecNorm(s->equations.residual, NORM_2, &norm));
      *good = (PetscBool)(error <= 1e-6 * norm); // false for NaN
      if (!*good && (robust || s->motion.layout.size > 1)) PetscCall(SolvedToRoundOff(s, good));
    }
    if (*good && !robust && s->linear.factors[0].checked != s->equations.matrix.made)
      s->linear.nfallback = PetscMax(0, PetscMin(MOST_FALLBACKS, s->linear.nfallback) - 1);
    s->linear.factors[robust].checked = *good ? s->equations.matrix.made : 0;
    if (!*good) s->linear.factors[robust].made = false, s->linear.failed[robust] = true;
    if (!*good && !robust) s->linear.nfallback++, s->linear.fallbacks++;
    if (!*good && (robust || s->motion.layout.size > 1 || s->motion.layout.is_wide)) {
      PetscCall(ResetSolver(robust ? s->linear.robust : s->linear.ksp));
      s->linear.scale_tangent = s->linear.factors[robust].tangent = 0;
    }
  }
  PetscCall(LogEventEnd(LOG_SOLVE));
  t1 = equations_clock(&s->equations);
  s->equations.watch.solve += t1 - t0;
  PetscFunctionReturn(0);
}
