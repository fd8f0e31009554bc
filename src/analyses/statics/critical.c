// SPDX-License-Identifier: Apache-2.0
// Critical points of a path, where a direction loses its stiffness. At a limit point the load factor has an extremum;
// at a bifurcation the path continues and another one begins.
#include "analyses/statics/statics.h"
#include "assembly/evaluate.h"

#include "analyses/modes/modes.h"

#include <petscblaslapack.h>
#include <string.h>

// Rows of the tangent that are not coupled to others: prescribed coordinates, and redundant rows of joints.
static PetscErrorCode DecoupledRows(const Motion *motion, PetscInt *count, PetscInt **rows) {
  PetscFunctionBegin;
  *count = 0;
  PetscCall(PetscMalloc1((MAX_ROWS + MAX_COORDS) * motion->layout.njoint + 1, rows));
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    const Joint *m = switches_model_joint(&motion->layout, &motion->switches, motion->layout.joint[j]);
    if (motion->layout.joint_block[j] < 0 || motion->layout.joint_block[j] >= motion->layout.nblock_own) continue;
    PetscInt first = 3 * motion->layout.block_global[motion->layout.joint_block[j]];
    for (int r = 0; r < m->rows.nrow; r++)
      if (motion->row_off[j][r]) (*rows)[(*count)++] = first + r;
    for (int c = 0; c < m->ncoord; c++)
      if (m->prescribed[c]) (*rows)[(*count)++] = first + m->rows.nrow + c;
  }
  PetscFunctionReturn(0);
}

// Each multiplier of a constraint contributes one negative pivot.
static PetscErrorCode CountConstraints(const Motion *motion, int *count) {
  int own = 0;
  PetscFunctionBegin;
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    const Joint *m = switches_model_joint(&motion->layout, &motion->switches, motion->layout.joint[j]);
    if (motion->layout.joint_block[j] < 0 || motion->layout.joint_block[j] >= motion->layout.nblock_own) continue;
    for (int r = 0; r < m->rows.nrow; r++) own += !motion->row_off[j][r];
  }
  PetscCallMPI(MPI_Allreduce(&own, count, 1, MPI_INT, MPI_SUM, motion->layout.comm));
  PetscFunctionReturn(0);
}

#ifdef PETSC_HAVE_MUMPS
static PetscErrorCode Factor(Mat k, Mat *out, bool *good) { return FactorByMUMPS(k, false, out, good); }

// Number of negative pivots; for an unsymmetric matrix 0 or 1, from the sign of its determinant.
static PetscErrorCode CountNegativePivots(Mat k, bool symmetric, PetscInt *negative, bool *good) {
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

// Uses dense factors of LAPACK, because SuperLU does not give the signs.
static PetscErrorCode CountNegativePivots(Mat k, bool symmetric, PetscInt *negative, bool *good) {
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

// Moments do work on theta, but the unknowns are c, with d theta = T dc. In an equilibrium under forces with a
// potential, T^T K is symmetric and has as many negative eigenvalues as K in terms of theta.
static PetscErrorCode CreateConjugate(const Layout *layout, const StepContext *step, Mat *out) {
  PetscInt first, last;
  PetscFunctionBegin;
  PetscCall(MatCreateAIJ(layout->comm, 3 * layout->nblock_own, 3 * layout->nblock_own, PETSC_DETERMINE, PETSC_DETERMINE,
                         3, NULL, 0, NULL, out));
  PetscCall(MatGetOwnershipRange(*out, &first, &last));
  for (PetscInt b = 0; b < layout->nblock_own; b++) {
    PetscInt node = layout->block_node[b];
    bool turns = node >= 0 && b != layout->node_block[node];
    Mat3 t = turns ? mat3_transpose(step->motion[node].spin) : mat3_identity();
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        PetscCall(MatSetValue(*out, first + 3 * b + i, first + 3 * b + j, t.m[i][j], INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(*out, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*out, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

// Counts the free motions that now have a negative stiffness; none if the matrix cannot be factorised.
static PetscErrorCode CountNegativeFree(FreeMotions *f, Mat bordered, int *count) {
  Mat factor;
  bool good;
  PetscFunctionBegin;
  *count = 0;
  if (f->count == 0) PetscFunctionReturn(0);
  PetscCall(Factor(bordered, &factor, &good));
  if (good) PetscCall(FreeMotionsCountNegative(f, bordered, factor, count));
  PetscCall(MatDestroy(&factor));
  PetscFunctionReturn(0);
}

// By the factors with which the path is found: of a symmetric tangent of points without free motions.
static PetscErrorCode CountByPathFactors(Stepper *p, int *count) {
  PetscInt decoupled, *rows, negative;
  int constraints;
  bool good;
  PetscFunctionBegin;
  PetscCall(LinearHasSymmetricFactors(&p->s->linear, &good));
  if (!good || statics_of(p)->free_motions.count > 0) PetscFunctionReturn(0);
  PetscCall(DecoupledRows(&p->s->motion, &decoupled, &rows));
  PetscCall(PetscFree(rows));
  if (decoupled > 0) PetscFunctionReturn(0);
  PetscCall(SystemCountNegativePivots(p->s, &negative, &good));
  PetscCall(CountConstraints(&p->s->motion, &constraints));
  if (good) *count = (int)negative - constraints;
  PetscFunctionReturn(0);
}

PetscErrorCode StaticsCountNegative(Stepper *p, int *count) {
  System *s = p->s;
  FreeMotions *f = &statics_of(p)->free_motions;
  PetscInt n, *rows, negative = 0;
  bool symmetric = false, good = false;
  int constraints, along;
  Mat tangent, conjugate, k, bordered;
  PetscFunctionBegin;
  *count = NEGATIVE_UNKNOWN;
  PetscCall(CountByPathFactors(p, count));
  if (*count != NEGATIVE_UNKNOWN) PetscFunctionReturn(0);
  PetscCall(MatConvert(s->equations.matrix.tangent, MATAIJ, MAT_INITIAL_MATRIX, &tangent));
  PetscCall(CreateConjugate(&s->motion.layout, &s->motion.step, &conjugate));
  PetscCall(MatMatMult(conjugate, tangent, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &k));
  PetscCall(MatDestroy(&tangent));
  PetscCall(MatDestroy(&conjugate));
  PetscCall(DecoupledRows(&s->motion, &n, &rows));
  PetscCall(MatZeroRowsColumns(k, n, rows, 1, NULL, NULL));
  PetscCall(PetscFree(rows));
  PetscCall(IsSymmetricMatrix(k, DIFFERENT_NONZERO_PATTERN, &symmetric));
  PetscCall(FreeMotionsBorder(f, k, &bordered));
  PetscCall(MatDestroy(&k));
  if (symmetric) PetscCall(MatSetOption(bordered, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(CountNegativePivots(bordered, symmetric, &negative, &good));
  if (good) PetscCall(CountNegativeFree(f, bordered, &along));
  if (good && symmetric) {
    PetscCall(CountConstraints(&s->motion, &constraints));
    *count = (int)negative - constraints - f->count + along;
  } else if (good) *count = (negative + f->count) % 2 ? NEGATIVE_ODD : NEGATIVE_EVEN;
  PetscCall(MatDestroy(&bordered));
  PetscFunctionReturn(0);
}

// Inverse iteration from equal forces on all nodes: the direction without stiffness, or that of the transpose.
static PetscErrorCode Iterate(const Statics *x, Mat bordered, Mat factor, bool transpose, Vec out, bool *good) {
  Vec right;
  double size;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(out, &right));
  PetscCall(VecSet(right, 1));
  for (int i = 0; i < 3 && *good; i++) {
    PetscCall(VecPointwiseMult(right, right, x->weight)); // no force on multipliers
    PetscCall(FreeMotionsSolve(bordered, factor, transpose, right, out));
    PetscCall(VecNormalize(out, &size));
    PetscCall(VecCopy(out, right));
    *good = !PetscIsInfOrNanReal(size) && size > 0;
  }
  PetscCall(VecDestroy(&right));
  PetscFunctionReturn(0);
}

// At a limit point the loads do work in the direction without stiffness, at a bifurcation they do not. Returns the
// cosine between both, with rows and columns scaled by the square root of their largest entry.
static PetscErrorCode WorkOfLoads(Stepper *p, double factor, Mat k, Vec left, double *out) {
  const Statics *x = statics_of(p);
  Vec load, scale;
  double work, size[2];
  PetscFunctionBegin;
  PetscCall(VecDuplicate(left, &load));
  PetscCall(VecDuplicate(left, &scale));
  for (int i = 0; i < 2; i++) { // r(f + 1) - r(f)
    PetscCall(MotionSetFactor(&p->s->motion, &x->loads, factor + 1 - i));
    PetscCall(EquationsEvaluate(&p->s->motion, &p->s->equations, PETSC_FALSE));
    if (i == 0) PetscCall(VecCopy(p->s->equations.residual, load));
    else PetscCall(VecAXPY(load, -1, p->s->equations.residual));
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

// Finds the direction without stiffness, apart from free motions, and the cosine of the loads with it.
static PetscErrorCode FindDirection(Stepper *p, double factor, Vec out, double *cosine, bool *good) {
  const Statics *x = statics_of(p);
  Mat tangent, k, factored;
  Vec left;
  double size;
  PetscFunctionBegin;
  PetscCall(MatConvert(p->s->equations.matrix.tangent, MATAIJ, MAT_INITIAL_MATRIX, &tangent));
  PetscCall(FreeMotionsBorder(&x->free_motions, tangent, &k));
  PetscCall(Factor(k, &factored, good));
  if (!*good) { // exactly singular
    PetscCall(MatDestroy(&factored));
    PetscCall(MatNorm(k, NORM_INFINITY, &size));
    PetscCall(MatShift(k, 1e-15 * size));
    PetscCall(Factor(k, &factored, good));
  }
  PetscCall(VecDuplicate(out, &left));
  PetscCall(Iterate(x, k, factored, false, out, good));
  PetscCall(Iterate(x, k, factored, true, left, good));
  if (*good) PetscCall(WorkOfLoads(p, factor, tangent, left, cosine));
  PetscCall(VecDestroy(&left));
  PetscCall(MatDestroy(&factored));
  PetscCall(MatDestroy(&k));
  PetscCall(MatDestroy(&tangent));
  PetscFunctionReturn(0);
}

static const double works = 1e-6; // cosine above which the loads do work in a direction

PetscErrorCode StaticsAddCritical(Stepper *p, const Critical *found) {
  Statics *x = statics_of(p);
  double cosine = 0;
  bool good;
  PetscFunctionBegin;
  if (x->ncritical == x->room) {
    x->room = x->room ? 2 * x->room : 8;
    PetscCall(PetscRealloc((size_t)x->room * sizeof *x->critical, &x->critical));
  }
  Critical *c = &x->critical[x->ncritical++];
  *c = *found;
  if (!x->critical_direction) PetscCall(VecDuplicate(x->weight, &x->critical_direction));
  PetscCall(FindDirection(p, c->factor, x->critical_direction, &cosine, &good));
  if (!(cosine > works)) c->kind = CRITICAL_BIFURCATION;
  PetscCall(StaticsSayCoarse(&p->s->motion.layout, &p->s->motion.state, c->mesh, sizeof c->mesh));
  if (!good) PetscFunctionReturn(0);
  PetscCall(ModeNameMotion(p->s, x->critical_direction, c->mode, sizeof c->mode));
  PetscCall(ModeDescribeDirection(&p->s->motion.layout, x->critical_direction, c->where, sizeof c->where));
  PetscFunctionReturn(0);
}

PetscErrorCode StaticsBoundCritical(Stepper *p, double away) {
  Statics *x = statics_of(p);
  Critical *c = &x->critical[x->ncritical - 1];
  Pencil pencil = {.s = p->s};
  Mode mode = {.right = {x->critical_direction, NULL}};
  double k[2], w[2], round_off;
  PetscFunctionBegin;
  PetscCall(MatConvert(p->s->equations.matrix.tangent, MATAIJ, MAT_INITIAL_MATRIX, &pencil.k));
  PetscCall(StaticsWeights(p, &pencil.m));
  PetscCall(ModesComplexProduct(pencil.k, mode.right, mode.right, k));
  PetscCall(ModesComplexProduct(pencil.m, mode.right, mode.right, w));
  PetscCall(ModeRoundOff(&pencil, &mode, &round_off));
  if (k[0] != 0) c->width += fabs(round_off * w[0] / k[0] * away);
  PetscCall(MatDestroy(&pencil.k));
  PetscCall(MatDestroy(&pencil.m));
  PetscFunctionReturn(0);
}

// Growth that is smaller, divided by the magnitude of the eigenvalue, is round-off, as in `limber stability`.
static const double least_growth = 1e-10;

PetscErrorCode StaticsJudgeRest(Stepper *p) {
  Statics *x = statics_of(p);
  const Layout *layout = &p->s->motion.layout;
  LimberModesOptions options = limber_modes_options_default();
  Modes *modes;
  Refusal wrong = {0};
  double most = least_growth;
  PetscFunctionBegin;
  if (x->options.no_critical) PetscFunctionReturn(0);
  options.count += model_flow_states(layout->model);
  PetscCall(ModesFind(p->s, &p->s->motion.step.spin, &options, &modes, &wrong));
  if (is_refused(&wrong)) PetscFunctionReturn(0); // such as a model without mass
  for (int i = 0; i < modes->count; i++) {
    const Mode *m = &modes->mode[i];
    double part = m->re / hypot(m->re, m->im); // re within its error is 0
    if (!(part > most)) continue;
    most = part, x->growth.rate = m->re, x->growth.frequency = m->frequency;
    PetscCall(ModeDescribeDirection(layout, m->right[0], x->growth.where, sizeof x->growth.where));
  }
  PetscCall(ModesDestroy(&modes));
  PetscFunctionReturn(0);
}

PetscErrorCode StaticsRemark(Stepper *p, char *text, size_t size) {
  static const char *const words[] = {[CRITICAL_LIMIT] = "limit point", [CRITICAL_BIFURCATION] = "bifurcation"};
  const Statics *x = statics_of(p);
  size_t used = 0;
  PetscFunctionBegin;
  text[0] = 0;
  if (x->came_to_rest)
    used += (size_t)snprintf(text, size, "%s, so all loads were applied in one step%s%s%s\n",
                             x->surrounded ? "water, air or the seabed act on the unloaded model"
                                           : "the unloaded model is a mechanism",
                             *x->free ? "; " : "", x->free, *x->free ? " still moves freely" : "");
  if (x->growth.rate > 0 && used + 1 < size) {
    used += (size_t)snprintf(text + used, size - used, "the equilibrium is unstable: a motion grows by %.3g 1/s",
                             x->growth.rate);
    if (x->growth.frequency > 0 && used < size)
      used += (size_t)snprintf(text + used, size - used, " with %.4g Hz", x->growth.frequency);
    if (used < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s\n", *x->growth.where ? "; " : "", x->growth.where);
  }
#ifndef PETSC_HAVE_MUMPS
  PetscInt unknowns;
  PetscCall(MatGetSize(p->s->equations.matrix.tangent, &unknowns, NULL));
  if (unknowns > DENSE_MOST && used + 1 < size)
    used += (size_t)snprintf(text + used, size - used,
                             "critical points were not searched for: the model has %d unknowns, and without MUMPS "
                             "Limber counts negative stiffnesses of at most %d\n",
                             (int)unknowns, DENSE_MOST);
#endif
  if (x->uncounted && used + 1 < size)
    used += (size_t)snprintf(text + used, size - used,
                             "the stiffness of %d state%s could not be factored: critical points there may be missed\n",
                             x->uncounted, x->uncounted == 1 ? "" : "s");
  if (x->free_motions.count && used + 1 < size) {
    char most[256];
    PetscCall(ModeDescribeDirection(&p->s->motion.layout, x->free_motions.motion[0], most, sizeof most));
    used +=
        (size_t)snprintf(text + used, size - used, "%d motion%s without stiffness ignored%s%s\n", x->free_motions.count,
                         x->free_motions.count == 1 ? "" : "s", *most ? "; in the first " : "", most);
  }
  for (int i = 0; i < x->ncritical && used + 1 < size; i++) {
    const Critical *c = &x->critical[i];
    used += (size_t)snprintf(text + used, size - used, "%s at load factor %.9g", words[c->kind], c->factor);
    if (c->width > 5e-9 * fabs(c->factor) && used < size) // more digits are printed than are known
      used += (size_t)snprintf(text + used, size - used, " (within %.1g)", c->width);
    if (used < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", *c->where ? ": " : "", c->mode,
                               *c->mode && *c->where ? "; " : "", c->where);
    if (c->negative[1] >= 0 && used < size)
      used += (size_t)snprintf(text + used, size - used, "; %d direction%s of negative stiffness after it",
                               c->negative[1], c->negative[1] == 1 ? "" : "s");
    if (used < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s\n", *c->mesh ? ". It may be caused by the mesh. " : "",
                               c->mesh);
  }
  PetscFunctionReturn(0);
}
