// SPDX-License-Identifier: Apache-2.0
// Critical points of a path: where a direction loses its stiffness. At a limit point the factor of the loads has an extreme, at a
// bifurcation it goes on and another path begins.
#include "analyses/statics/statics.h"

#include <limits.h>
#include <petscblaslapack.h>
#include <string.h>

// Rows of the tangent that stand for themselves: prescribed coordinates, and rows of joints that are left out.
static PetscErrorCode DecoupledRows(const System *s, PetscInt *count, PetscInt **rows) {
  PetscFunctionBegin;
  *count = 0;
  PetscCall(PetscMalloc1((MAX_ROWS + MAX_COORDS) * s->layout.njoint + 1, rows));
  for (PetscInt j = 0; j < s->layout.njoint; j++) {
    const Joint *m = system_model_joint(s, s->layout.joint[j]);
    if (s->layout.joint_block[j] < 0 || s->layout.joint_block[j] >= s->layout.nblock_own) continue;
    PetscInt first = 3 * s->layout.block_global[s->layout.joint_block[j]];
    for (int r = 0; r < m->rows.nrow; r++)
      if (s->redundancy.row_off[j][r]) (*rows)[(*count)++] = first + r;
    for (int c = 0; c < m->ncoord; c++)
      if (m->prescribed[c]) (*rows)[(*count)++] = first + m->rows.nrow + c;
  }
  PetscFunctionReturn(0);
}

// A multiplier of the constraints takes one negative pivot each.
static PetscErrorCode CountConstraints(const System *s, int *count) {
  int own = 0;
  PetscFunctionBegin;
  for (PetscInt j = 0; j < s->layout.njoint; j++) {
    const Joint *m = system_model_joint(s, s->layout.joint[j]);
    if (s->layout.joint_block[j] < 0 || s->layout.joint_block[j] >= s->layout.nblock_own) continue;
    for (int r = 0; r < m->rows.nrow; r++) own += !s->redundancy.row_off[j][r];
  }
  PetscCallMPI(MPI_Allreduce(&own, count, 1, MPI_INT, MPI_SUM, s->layout.comm));
  PetscFunctionReturn(0);
}

#ifdef PETSC_HAVE_MUMPS
// Factors without any message of PETSc where they do not exist.
static PetscErrorCode FactorByMUMPS(Mat k, PetscBool symmetric, Mat *out, bool *good) {
  MatFactorInfo info;
  MatFactorError error;
  PetscFunctionBegin;
  PetscCall(MatFactorInfoInitialize(&info));
  PetscCall(MatGetFactor(k, MATSOLVERMUMPS, symmetric ? MAT_FACTOR_CHOLESKY : MAT_FACTOR_LU, out));
  PetscCall(MatMumpsSetIcntl(*out, 13, 1)); // the root on one process, so that its pivots are counted
  if (!symmetric) PetscCall(MatMumpsSetIcntl(*out, 33, 1));
  if (symmetric) PetscCall(MatCholeskyFactorSymbolic(*out, k, NULL, &info));
  else PetscCall(MatLUFactorSymbolic(*out, k, NULL, NULL, &info));
  if (symmetric) PetscCall(MatCholeskyFactorNumeric(*out, k, &info));
  else PetscCall(MatLUFactorNumeric(*out, k, &info));
  PetscCall(MatFactorGetError(*out, &error));
  *good = error == MAT_FACTOR_NOERROR;
  PetscFunctionReturn(0);
}

static PetscErrorCode Factor(Mat k, Mat *out, bool *good) { return FactorByMUMPS(k, PETSC_FALSE, out, good); }

// Negative pivots; of a matrix that is not symmetric 0 or 1, the sign of its determinant.
static PetscErrorCode CountNegativePivots(Mat k, PetscBool symmetric, PetscInt *negative, bool *good) {
  Mat factor;
  PetscReal sign;
  PetscFunctionBegin;
  PetscCall(FactorByMUMPS(k, symmetric, &factor, good));
  if (*good && symmetric) PetscCall(MatGetInertia(factor, negative, NULL, NULL));
  else if (*good) {
    PetscCall(MatMumpsGetRinfog(factor, 12, &sign));
    *negative = sign < 0;
  }
  PetscCall(MatDestroy(&factor));
  PetscFunctionReturn(0);
}
#else
static PetscErrorCode Factor(Mat k, Mat *out, bool *good) { return FactorBySuperLU(k, out, good); }

// By dense factors, of LAPACK: those of SuperLU do not tell the signs.
static PetscErrorCode CountNegativePivots(Mat k, PetscBool symmetric, PetscInt *negative, bool *good) {
  Mat dense;
  double *a, *work;
  PetscInt size;
  PetscBLASInt n, *pivot, lwork, info;
  PetscFunctionBegin;
  *negative = 0;
  PetscCall(MatGetSize(k, &size, NULL));
  *good = size <= DENSE_MOST;
  if (!*good) PetscFunctionReturn(0);
  PetscCall(PetscBLASIntCast(size, &n));
  lwork = 64 * n;
  PetscCall(PetscMalloc2(n, &pivot, lwork, &work));
  PetscCall(MatConvert(k, MATSEQDENSE, MAT_INITIAL_MATRIX, &dense));
  PetscCall(MatDenseGetArray(dense, &a));
  if (symmetric) LAPACKsytrf_("L", &n, a, &n, pivot, work, &lwork, &info);
  else LAPACKgetrf_(&n, &n, a, &n, pivot, &info);
  *good = info == 0;
  for (PetscBLASInt i = 0; i < n; i++) {
    bool pair = symmetric && pivot[i] < 0; // a block of two rows has one of each sign
    *negative += pair || a[i + (size_t)n * (size_t)i] < 0;
    if (!symmetric) *negative += pivot[i] != i + 1;
    i += pair;
  }
  if (!symmetric) *negative %= 2;
  PetscCall(MatDenseRestoreArray(dense, &a));
  PetscCall(MatDestroy(&dense));
  PetscCall(PetscFree2(pivot, work));
  PetscFunctionReturn(0);
}
#endif

// Moments are conjugate to theta, of which the unknowns are c with d theta = T dc: T^T K is symmetric in equilibrium under forces that
// have a potential, and has the signs of K in terms of theta.
static PetscErrorCode CreateConjugate(const System *s, Mat *out) {
  PetscInt first, last;
  PetscFunctionBegin;
  PetscCall(MatCreateAIJ(s->layout.comm, 3 * s->layout.nblock_own, 3 * s->layout.nblock_own, PETSC_DETERMINE,
                         PETSC_DETERMINE, 3, NULL, 0, NULL, out));
  PetscCall(MatGetOwnershipRange(*out, &first, &last));
  for (PetscInt b = 0; b < s->layout.nblock_own; b++) {
    PetscInt node = s->layout.block_node[b];
    bool turns = node >= 0 && b != s->layout.node_block[node];
    Mat3 t = turns ? mat3_transpose(s->step.motion[node].spin) : mat3_identity();
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        PetscCall(MatSetValue(*out, first + 3 * b + i, first + 3 * b + j, t.m[i][j], INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(*out, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*out, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

// By entries in parts of the largest ones of their rows.
static PetscErrorCode IsSymmetric(Mat k, PetscBool *symmetric) {
  Vec scale;
  Mat d;
  double size;
  PetscFunctionBegin;
  PetscCall(MatCreateVecs(k, NULL, &scale));
  PetscCall(MatGetRowMaxAbs(k, scale, NULL));
  PetscCall(VecSqrtAbs(scale));
  PetscCall(VecReciprocal(scale));
  PetscCall(MatTranspose(k, MAT_INITIAL_MATRIX, &d));
  PetscCall(MatAXPY(d, -1, k, DIFFERENT_NONZERO_PATTERN));
  PetscCall(MatDiagonalScale(d, scale, scale));
  PetscCall(MatNorm(d, NORM_INFINITY, &size));
  *symmetric = size <= 1e-8;
  PetscCall(MatDestroy(&d));
  PetscCall(VecDestroy(&scale));
  PetscFunctionReturn(0);
}

PetscErrorCode StaticsCountNegative(System *s, int *count) {
  PetscInt n, *rows, negative = 0;
  PetscBool symmetric = PETSC_FALSE;
  bool good = false;
  Mat tangent, conjugate, k;
  PetscFunctionBegin;
  *count = NEGATIVE_UNKNOWN;
  PetscCall(MatConvert(s->matrix.tangent, MATAIJ, MAT_INITIAL_MATRIX, &tangent));
  PetscCall(CreateConjugate(s, &conjugate));
  PetscCall(MatMatMult(conjugate, tangent, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &k));
  PetscCall(MatDestroy(&tangent));
  PetscCall(MatDestroy(&conjugate));
  PetscCall(DecoupledRows(s, &n, &rows));
  PetscCall(MatZeroRowsColumns(k, n, rows, 1, NULL, NULL));
  PetscCall(PetscFree(rows));
  PetscCall(IsSymmetric(k, &symmetric));
  if (symmetric) PetscCall(MatSetOption(k, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(CountNegativePivots(k, symmetric, &negative, &good));
  if (good && symmetric) {
    int constraints;
    PetscCall(CountConstraints(s, &constraints));
    *count = (int)negative - constraints;
  } else if (good) *count = negative ? NEGATIVE_ODD : NEGATIVE_EVEN;
  PetscCall(MatDestroy(&k));
  PetscFunctionReturn(0);
}

// Inverse iteration from a push of all nodes alike: the direction without stiffness, or of the transpose.
static PetscErrorCode Iterate(const Statics *x, Mat factor, bool transpose, Vec out, bool *good) {
  Vec right;
  double size;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(out, &right));
  PetscCall(VecSet(right, 1));
  for (int i = 0; i < 3 && *good; i++) {
    PetscCall(VecPointwiseMult(right, right, x->weight)); // nothing pushes multipliers
    if (transpose) PetscCall(MatSolveTranspose(factor, right, out));
    else PetscCall(MatSolve(factor, right, out));
    PetscCall(VecNormalize(out, &size));
    PetscCall(VecCopy(out, right));
    *good = !PetscIsInfOrNanReal(size) && size > 0;
  }
  PetscCall(VecDestroy(&right));
  PetscFunctionReturn(0);
}

// At a limit point the loads work in the direction that has no stiffness, at a bifurcation they do not. The cosine of both, each row
// and column in parts of the square root of its largest entry.
static PetscErrorCode WorkOfLoads(Stepper *p, double factor, Mat k, Vec left, double *out) {
  const Statics *x = statics_of(p);
  Vec load, scale;
  double work, size[2];
  PetscFunctionBegin;
  PetscCall(VecDuplicate(left, &load));
  PetscCall(VecDuplicate(left, &scale));
  for (int i = 0; i < 2; i++) { // r(f + 1) - r(f)
    PetscCall(SystemSetFactor(p->s, &x->loads, factor + 1 - i));
    PetscCall(SystemEvaluate(p->s, PETSC_FALSE));
    if (i == 0) PetscCall(VecCopy(p->s->linear.residual, load));
    else PetscCall(VecAXPY(load, -1, p->s->linear.residual));
  }
  PetscCall(MatGetRowMaxAbs(k, scale, NULL));
  PetscCall(VecSqrtAbs(scale));
  PetscCall(VecDot(left, load, &work));
  PetscCall(VecPointwiseMult(left, left, scale));
  PetscCall(VecPointwiseDivide(load, load, scale));
  PetscCall(VecNorm(left, NORM_2, &size[0]));
  PetscCall(VecNorm(load, NORM_2, &size[1]));
  *out = size[0] * size[1] > 0 ? fabs(work) / (size[0] * size[1]) : 0;
  PetscCall(VecDestroy(&load));
  PetscCall(VecDestroy(&scale));
  PetscFunctionReturn(0);
}

// The direction without stiffness, and the cosine of the loads with it.
static PetscErrorCode FindDirection(Stepper *p, double factor, Vec out, double *cosine, bool *good) {
  const Statics *x = statics_of(p);
  Mat k, factored;
  Vec left;
  double size;
  PetscFunctionBegin;
  PetscCall(MatConvert(p->s->matrix.tangent, MATAIJ, MAT_INITIAL_MATRIX, &k));
  PetscCall(Factor(k, &factored, good));
  if (!*good) { // to the last bit without stiffness
    PetscCall(MatDestroy(&factored));
    PetscCall(MatNorm(k, NORM_INFINITY, &size));
    PetscCall(MatShift(k, 1e-15 * size));
    PetscCall(Factor(k, &factored, good));
  }
  PetscCall(VecDuplicate(out, &left));
  PetscCall(Iterate(x, factored, false, out, good));
  PetscCall(Iterate(x, factored, true, left, good));
  if (*good) PetscCall(WorkOfLoads(p, factor, k, left, cosine));
  PetscCall(VecDestroy(&left));
  PetscCall(MatDestroy(&factored));
  PetscCall(MatDestroy(&k));
  PetscFunctionReturn(0);
}

// Of the blocks of displacements, or of rotations, the largest in a vector, and its node of the model; of nodes that move alike, the first.
static PetscErrorCode LargestNode(const System *s, Vec direction, bool turns, double *largest, int *node, Vec3 *moves) {
  const double *d;
  double own = 0, found[3] = {0};
  int first = INT_MAX;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(direction, &d));
  for (int pass = 0; pass < 2; pass++) {
    for (PetscInt b = 0; b < s->layout.nblock_own; b++) {
      PetscInt local = s->layout.block_node[b];
      if (local < 0 || (b != s->layout.node_block[local]) != turns) continue;
      double size = vec3_norm(vec3_of(d + 3 * b));
      if (pass == 0) own = PetscMax(own, size);
      else if (size > 0 && size >= (1 - 1e-6) * *largest && s->layout.node[local] < first)
        first = (int)s->layout.node[local], vec3_to(vec3_of(d + 3 * b), found);
    }
    if (pass == 0) PetscCallMPI(MPI_Allreduce(&own, largest, 1, MPI_DOUBLE, MPI_MAX, s->layout.comm));
  }
  PetscCall(VecRestoreArrayRead(direction, &d));
  PetscCallMPI(MPI_Allreduce(&first, node, 1, MPI_INT, MPI_MIN, s->layout.comm));
  for (int i = 0; i < 3; i++) found[i] = first == *node && first < INT_MAX ? found[i] : 0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, found, 3, MPI_DOUBLE, MPI_SUM, s->layout.comm));
  *moves = vec3_of(found);
  PetscFunctionReturn(0);
}

static double rounded(double x) { return fabs(x) < 5e-4 ? 0 : x; }

// "node 'apex' moves most, along (0, 0, 1)", with its largest component positive.
static PetscErrorCode NameDirection(const System *s, Vec direction, char *text, size_t size) {
  double displaced, turned;
  int node[2];
  Vec3 moves[2];
  char name[200];
  PetscFunctionBegin;
  PetscCall(LargestNode(s, direction, false, &displaced, &node[0], &moves[0]));
  PetscCall(LargestNode(s, direction, true, &turned, &node[1], &moves[1]));
  int which = displaced > 1e-6 * s->layout.length * turned ? 0 : 1;
  if (node[which] == INT_MAX) PetscFunctionReturn(0);
  double v[3], most;
  vec3_to(vec3_scale(1 / vec3_norm(moves[which]), moves[which]), v);
  most = fabs(v[0]) > fabs(v[1]) - 1e-6 ? v[0] : v[1];
  most = fabs(most) > fabs(v[2]) - 1e-6 ? most : v[2];
  model_name_node(s->layout.model, node[which], name, sizeof name);
  snprintf(text, size, "%s %s most, %s (%.3g, %.3g, %.3g)", name, which ? "turns" : "moves", which ? "about" : "along",
           rounded(copysign(1, most) * v[0]), rounded(copysign(1, most) * v[1]), rounded(copysign(1, most) * v[2]));
  PetscFunctionReturn(0);
}

static const double works = 1e-6; // cosine above which the loads work in a direction

PetscErrorCode StaticsAddCritical(Stepper *p, double factor, int before, int after) {
  Statics *x = statics_of(p);
  Vec direction;
  double cosine = 0;
  bool good;
  PetscFunctionBegin;
  if (x->ncritical == x->room) {
    x->room = x->room ? 2 * x->room : 8;
    PetscCall(PetscRealloc((size_t)x->room * sizeof *x->critical, &x->critical));
  }
  Critical *c = &x->critical[x->ncritical++];
  *c = (Critical){.factor = factor, .negative = {before, after}};
  PetscCall(VecDuplicate(x->weight, &direction));
  PetscCall(FindDirection(p, factor, direction, &cosine, &good));
  c->kind = cosine > works ? CRITICAL_LIMIT : CRITICAL_BIFURCATION;
  if (good) PetscCall(NameDirection(p->s, direction, c->where, sizeof c->where));
  PetscCall(VecDestroy(&direction));
  PetscFunctionReturn(0);
}

PetscErrorCode StaticsRemark(Stepper *p, char *text, size_t size) {
  static const char *const words[] = {[CRITICAL_LIMIT] = "limit point", [CRITICAL_BIFURCATION] = "bifurcation"};
  const Statics *x = statics_of(p);
  size_t used = 0;
  PetscFunctionBegin;
  text[0] = 0;
  if (x->came_to_rest)
    used += (size_t)snprintf(text, size, "%s: it came to rest under all of them at once%s%s%s\n",
                             x->surrounded ? "water and bottom act on the model before its loads do"
                                           : "without loads nothing holds the model",
                             *x->free ? "; " : "", x->free, *x->free ? " still moves freely" : "");
#ifndef PETSC_HAVE_MUMPS
  PetscInt unknowns;
  PetscCall(MatGetSize(p->s->matrix.tangent, &unknowns, NULL));
  if (unknowns > DENSE_MOST && used + 1 < size)
    used += (size_t)snprintf(text + used, size - used,
                             "critical points were not looked for: the model has %d unknowns, and a Limber without "
                             "MUMPS counts negative stiffnesses of at most %d\n",
                             (int)unknowns, DENSE_MOST);
#endif
  for (int i = 0; i < x->ncritical && used + 1 < size; i++) {
    const Critical *c = &x->critical[i];
    used += (size_t)snprintf(text + used, size - used, "%s at load factor %.9g%s%s", words[c->kind], c->factor,
                             *c->where ? ": " : "", c->where);
    if (c->negative[1] >= 0 && used < size)
      used += (size_t)snprintf(text + used, size - used, "; %d direction%s of negative stiffness after it",
                               c->negative[1], c->negative[1] == 1 ? "" : "s");
    if (used < size) used += (size_t)snprintf(text + used, size - used, "\n");
  }
  PetscFunctionReturn(0);
}
