// SPDX-License-Identifier: Apache-2.0
#include "analyses/response/frequency_solver.h"

#include "solvers/solvers.h"

#include <math.h>

// ---- matrices ----

static PetscErrorCode ToAij(Mat *a) {
  Mat out;
  PetscFunctionBegin;
  PetscCall(MatConvert(*a, MATAIJ, MAT_INITIAL_MATRIX, &out));
  PetscCall(MatDestroy(a));
  *a = out;
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateMatrices(Motion *motion, Equations *equations, const Spin *spin, FrequencySolver *f) {
  Mat g;
  double norm;
  PetscFunctionBegin;
  PetscCall(CreateStiffness(motion, equations, spin, &f->k));
  PetscCall(CreateDamping(motion, equations, spin, &f->d));
  PetscCall(CreateMass(&motion->layout, &motion->state, &f->m));
  PetscCall(ToAij(&f->k));
  PetscCall(ToAij(&f->d));
  PetscCall(ToAij(&f->m));
  if (layout_has_gyroscopic(&motion->layout, spin)) {
    PetscCall(CreateGyroscopic(motion, spin, &g));
    PetscCall(ToAij(&g));
    PetscCall(MatAXPY(f->d, 1, g, DIFFERENT_NONZERO_PATTERN));
    PetscCall(MatDestroy(&g));
  }
  // K gets the pattern of the sum
  PetscCall(MatAXPY(f->k, 0, f->m, DIFFERENT_NONZERO_PATTERN));
  PetscCall(MatAXPY(f->k, 0, f->d, DIFFERENT_NONZERO_PATTERN));
  PetscCall(MatNorm(f->d, NORM_INFINITY, &norm));
  f->parts = norm > 0 ? 2 : 1;
  if (norm == 0) PetscCall(MatDestroy(&f->d));
  PetscFunctionReturn(0);
}

// Values of a row of K, M and D at the columns of K's pattern, which includes the others'.
typedef struct {
  PetscInt count, *column;
  double *k, *m, *d;
} RowValues;

static PetscErrorCode TakeRow(Mat a, PetscInt row, PetscInt count, const PetscInt *column, double *out) {
  PetscInt n, at = 0;
  const PetscInt *own;
  const double *value;
  PetscFunctionBegin;
  PetscCall(MatGetRow(a, row, &n, &own, &value));
  for (PetscInt i = 0; i < count; i++) {
    while (at < n && own[at] < column[i]) at++;
    out[i] = at < n && own[at] == column[i] ? value[at] : 0;
  }
  PetscCall(MatRestoreRow(a, row, &n, &own, &value));
  PetscFunctionReturn(0);
}

static PetscErrorCode ReadRow(const FrequencySolver *f, PetscInt row, RowValues *v) {
  const PetscInt *column;
  const double *value;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(MatGetRow(f->k, row, &n, &column, &value));
  v->count = n;
  PetscCall(PetscArraycpy(v->column, column, n));
  PetscCall(PetscArraycpy(v->k, value, n));
  PetscCall(MatRestoreRow(f->k, row, &n, &column, &value));
  PetscCall(TakeRow(f->m, row, v->count, v->column, v->m));
  PetscCall(PetscArrayzero(v->d, v->count));
  if (f->d) PetscCall(TakeRow(f->d, row, v->count, v->column, v->d));
  PetscFunctionReturn(0);
}

static PetscErrorCode LongestRow(const FrequencySolver *f, PetscInt *most) {
  PetscFunctionBegin;
  *most = 1;
  for (PetscInt r = f->first; r < f->end; r++) {
    PetscInt n;
    PetscCall(MatGetRow(f->k, r, &n, NULL, NULL));
    *most = PetscMax(*most, n);
    PetscCall(MatRestoreRow(f->k, r, &n, NULL, NULL));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode FillMatrix(FrequencySolver *f, double w) {
  PetscInt most, p = f->parts;
  RowValues v;
  PetscInt *wide;
  double *part;
  PetscFunctionBegin;
  PetscCall(LongestRow(f, &most));
  PetscCall(PetscMalloc6(most, &v.column, most, &v.k, most, &v.m, most, &v.d, 2 * most, &wide, 2 * most, &part));
  for (PetscInt r = f->first; r < f->end; r++) {
    PetscCall(ReadRow(f, r, &v));
    for (PetscInt i = 0; i < p; i++) {
      PetscInt row = p * r + i;
      for (PetscInt c = 0; c < v.count; c++)
        for (PetscInt j = 0; j < p; j++) {
          double b = w * v.d[c];
          wide[p * c + j] = p * v.column[c] + j;
          part[p * c + j] = i == j ? v.k[c] - w * w * v.m[c] : i < j ? -b : b;
        }
      PetscCall(MatSetValues(f->matrix, 1, &row, p * v.count, wide, part, INSERT_VALUES));
    }
  }
  PetscCall(MatAssemblyBegin(f->matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(f->matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(PetscFree6(v.column, v.k, v.m, v.d, wide, part));
  PetscFunctionReturn(0);
}

// Allocates the matrix: the pattern of K, in blocks.
static PetscErrorCode CreatePattern(FrequencySolver *f) {
  PetscInt n = (f->end - f->first) * f->parts, *diagonal, *beside;
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(n, &diagonal, n, &beside));
  for (PetscInt r = f->first; r < f->end; r++) {
    PetscInt count;
    const PetscInt *column;
    PetscCall(MatGetRow(f->k, r, &count, &column, NULL));
    for (PetscInt c = 0; c < count; c++)
      for (PetscInt i = 0; i < f->parts; i++) {
        bool own = column[c] >= f->first && column[c] < f->end;
        *((own ? diagonal : beside) + f->parts * (r - f->first) + i) += f->parts;
      }
    PetscCall(MatRestoreRow(f->k, r, &count, &column, NULL));
  }
  PetscCall(MatCreateAIJ(f->comm, n, n, PETSC_DETERMINE, PETSC_DETERMINE, 0, diagonal, 0, beside, &f->matrix));
  PetscCall(PetscFree2(diagonal, beside));
  PetscFunctionReturn(0);
}

// ---- solutions ----

PetscErrorCode FrequencySolverCreate(Motion *motion, Equations *equations, const Spin *spin, const Unknowns *u,
                                     FrequencySolver *f) {
  PetscFunctionBegin;
  *f = (FrequencySolver){.u = u, .comm = motion->layout.comm};
  PetscCall(CreateMatrices(motion, equations, spin, f));
  PetscCall(MatGetOwnershipRange(f->k, &f->first, &f->end));
  PetscCall(CreatePattern(f));
  PetscCall(MatCreateVecs(f->matrix, &f->solution, &f->right));
  PetscCall(VecScatterCreateToAll(f->solution, &f->all, &f->everywhere));
  PetscCall(KSPCreate(f->comm, &f->ksp));
  PetscCall(KSPSetOptionsPrefix(f->ksp, "limber_response_"));
  PetscCall(SolverUseLU(f->ksp));
  // iterative refinement with the same factors, down to round-off
  PetscCall(KSPSetType(f->ksp, KSPGMRES));
  PetscCall(KSPSetTolerances(f->ksp, 1e-14, 1e-300, 1e10, 3));
  PetscCall(KSPSetFromOptions(f->ksp));
  PetscFunctionReturn(0);
}

PetscErrorCode FrequencySolverDestroy(FrequencySolver *f) {
  PetscFunctionBegin;
  PetscCall(MatDestroy(&f->k));
  PetscCall(MatDestroy(&f->m));
  PetscCall(MatDestroy(&f->d));
  PetscCall(MatDestroy(&f->matrix));
  PetscCall(VecDestroy(&f->right));
  PetscCall(VecDestroy(&f->solution));
  PetscCall(VecDestroy(&f->everywhere));
  PetscCall(VecScatterDestroy(&f->all));
  PetscCall(KSPDestroy(&f->ksp));
  PetscFunctionReturn(0);
}

PetscErrorCode FrequencySolverSet(FrequencySolver *f, double w) {
  PetscFunctionBegin;
  PetscCall(FillMatrix(f, w));
  PetscCall(KSPSetOperators(f->ksp, f->matrix, f->matrix));
  PetscFunctionReturn(0);
}

// Solves once, for all parts of each unknown.
static PetscErrorCode SolveOnce(FrequencySolver *f, const double *const *right, double *const *out, bool *good) {
  double *r, norm[2];
  const double *x;
  KSPConvergedReason reason;
  PC pc;
  PCFailedReason failed;
  PetscFunctionBegin;
  PetscCall(VecGetArray(f->right, &r));
  for (PetscInt i = f->first; i < f->end; i++)
    for (int j = 0; j < f->parts; j++) r[f->parts * (i - f->first) + j] = f->u->at[i] < 0 ? 0 : right[j][f->u->at[i]];
  PetscCall(VecRestoreArray(f->right, &r));
  PetscCall(KSPSolve(f->ksp, f->right, f->solution));
  PetscCall(KSPGetConvergedReason(f->ksp, &reason));
  PetscCall(KSPGetPC(f->ksp, &pc));
  PetscCall(PCGetFailedReason(pc, &failed));
  PetscCall(VecNorm(f->solution, NORM_INFINITY, &norm[0]));
  *good = failed == PC_NOERROR && isfinite(norm[0]) && (reason > 0 || reason == KSP_DIVERGED_ITS);
  PetscCall(VecScatterBegin(f->all, f->solution, f->everywhere, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(f->all, f->solution, f->everywhere, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGetArrayRead(f->everywhere, &x));
  for (PetscInt i = 0; i < f->u->count; i++)
    for (int j = 0; j < f->parts; j++) out[j][i] = x[f->parts * f->u->row[i] + j];
  PetscCall(VecRestoreArrayRead(f->everywhere, &x));
  PetscFunctionReturn(0);
}

static bool is_zero(const double *x, PetscInt n) {
  for (PetscInt i = 0; i < n; i++)
    if (x[i] != 0) return false;
  return true;
}

PetscErrorCode FrequencySolverSolve(FrequencySolver *f, const double *const right[2], double *const out[2],
                                    bool *good) {
  PetscFunctionBegin;
  *good = true;
  if (f->parts == 2) PetscCall(SolveOnce(f, right, out, good));
  else
    for (int i = 0; i < 2 && *good; i++) {
      if (is_zero(right[i], f->u->count)) PetscCall(PetscArrayzero(out[i], f->u->count));
      else PetscCall(SolveOnce(f, right + i, out + i, good));
    }
  PetscFunctionReturn(0);
}
