// SPDX-License-Identifier: Apache-2.0
// Errors of eigenvalues. With y^H P'(lambda) x = 1, an error dP of the matrices and a residual r = P(lambda) x change
// lambda by
//   d lambda = -y^H (dP x + r)
// to first order: the size of y is the condition of lambda. The entries of K, D and M are known to some units of
// round-off. Those of K are real, so they affect re and im separately: for an undamped mode only im.
// Equation: eq-static-error (16.7).
#include "analyses/modes/modes.h"

// Relative error of matrix entries, which are sums over elements.
static const double matrix_round_off = 100 * PETSC_MACHINE_EPSILON;

// sum |y_i| |a_ij| |x_j|: of real parts with real and imaginary with imaginary, then of real with imaginary.
static PetscErrorCode SizeProducts(Mat a, const Vec y[2], const Vec x[2], double out[2]) {
  PetscInt first, last, n;
  const PetscInt *col;
  const PetscScalar *value;
  const double *here[2] = {NULL, NULL}, *all[2] = {NULL, NULL};
  Vec every[2] = {NULL, NULL};
  VecScatter scatter;
  PetscFunctionBegin;
  PetscCall(VecScatterCreateToAll(x[0], &scatter, &every[0]));
  for (int i = 0; i < 2; i++) {
    if (y[i]) PetscCall(VecGetArrayRead(y[i], &here[i]));
    if (!x[i]) continue;
    if (i == 1) PetscCall(VecDuplicate(every[0], &every[1]));
    PetscCall(VecScatterBegin(scatter, x[i], every[i], INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecScatterEnd(scatter, x[i], every[i], INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecGetArrayRead(every[i], &all[i]));
  }
  out[0] = out[1] = 0;
  PetscCall(MatGetOwnershipRange(a, &first, &last));
  for (PetscInt i = first; i < last; i++) {
    double size[2] = {0, 0};
    PetscCall(MatGetRow(a, i, &n, &col, &value));
    for (PetscInt k = 0; k < n; k++)
      for (int part = 0; part < 2 && all[part]; part++)
        size[part] += PetscAbsReal(value[k]) * PetscAbsReal(all[part][col[k]]);
    PetscCall(MatRestoreRow(a, i, &n, &col, &value));
    for (int j = 0; j < 2; j++)
      for (int part = 0; part < 2 && here[j]; part++)
        out[j == part ? 0 : 1] += PetscAbsReal(here[j][i - first]) * size[part];
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, out, 2, MPI_DOUBLE, MPI_SUM, PetscObjectComm((PetscObject)a)));
  for (int i = 0; i < 2; i++) {
    if (y[i]) PetscCall(VecRestoreArrayRead(y[i], &here[i]));
    if (x[i]) PetscCall(VecRestoreArrayRead(every[i], &all[i]));
    PetscCall(VecDestroy(&every[i]));
  }
  PetscCall(VecScatterDestroy(&scatter));
  PetscFunctionReturn(0);
}

PetscErrorCode ModeRoundOff(const Pencil *p, const Mode *mode, double *square) {
  double sum[2], m[2];
  PetscFunctionBegin;
  PetscCall(SizeProducts(p->k, mode->right, mode->right, sum));
  PetscCall(ModesComplexProduct(p->m, mode->right, mode->right, m));
  *square = matrix_round_off * (sum[0] + sum[1]) / PetscMax(m[0], 1e-300);
  PetscFunctionReturn(0);
}

// re -= Re y^H P(lambda) x: its error is of second order in those of the vectors. The same correction of im, or of
// lambda of a real mode, would add the whole round-off of K, which values from the shifted inverse of K do not have.
// `correction`: its size. One that is too large to be of first order is not made.
static PetscErrorCode CorrectRealPart(const Pencil *p, Mode *mode, double *correction) {
  Vec r[2] = {NULL, NULL};
  double sum = 0;
  PetscScalar part;
  PetscFunctionBegin;
  *correction = 0;
  if (mode->is_real) PetscFunctionReturn(0);
  for (int i = 0; i < 2; i++) PetscCall(VecDuplicate(mode->right[0], &r[i]));
  PetscCall(PencilApply(p, false, mode->re, mode->im, mode->right, r));
  for (int i = 0; i < 2; i++) {
    PetscCall(VecDot(mode->left[i], r[i], &part));
    sum += part;
    PetscCall(VecDestroy(&r[i]));
  }
  if (PetscAbsReal(sum) <= 1e-6 * hypot(mode->re, mode->im)) mode->re -= sum;
  *correction = PetscAbsReal(sum);
  PetscFunctionReturn(0);
}

// K x = omega^2 M x: y = x/(2 conj lambda), and the error of omega^2 is real.
static PetscErrorCode ErrorOfSymmetric(const Pencil *p, Mode *mode) {
  double square = mode->re * mode->re + mode->im * mode->im, round_off;
  PetscFunctionBegin;
  PetscCall(ModeRoundOff(p, mode, &round_off));
  round_off = (round_off + (mode->residual + matrix_round_off) * square) / (2 * PetscSqrtReal(square));
  mode->error[0] = mode->re != 0 ? round_off : 0;
  mode->error[1] = mode->re != 0 ? 0 : round_off;
  PetscFunctionReturn(0);
}

PetscErrorCode ModeError(const Pencil *p, bool quadratic, Mode *mode) {
  double k[2], d[2] = {0, 0}, m[2], size = hypot(mode->re, mode->im), y[2], rest, correction = 0;
  PetscFunctionBegin;
  mode->found_re = mode->re;
  if (!quadratic) {
    PetscCall(ErrorOfSymmetric(p, mode));
    PetscFunctionReturn(0);
  }
  mode->error[0] = mode->error[1] = PetscMax(mode->residual, 1e-6) * size; // if the left vector was not found
  if (!mode->left[0]) PetscFunctionReturn(0);
  if (!(p->symmetric && p->gyroscopic && mode->re == 0)) PetscCall(CorrectRealPart(p, mode, &correction));
  if (!p->gyroscopic) mode->found_re = mode->re;
  PetscCall(SizeProducts(p->k, mode->left, mode->right, k));
  PetscCall(SizeProducts(p->m, mode->left, mode->right, m));
  if (p->d) PetscCall(SizeProducts(p->d, mode->left, mode->right, d));
  PetscCall(ModesComplexProduct(p->m, mode->left, mode->left, y));
  rest = matrix_round_off * (size * (d[0] + d[1]) + size * size * (m[0] + m[1])) +
         mode->residual * size * size * PetscSqrtReal(PetscMax(0, y[0]));
  for (int i = 0; i < 2; i++) mode->error[i] = matrix_round_off * k[i] + rest;
  if (correction > mode->error[0]) mode->error[0] += 2 * correction; // the bound of the residual is none
  if (mode->is_real) mode->error[1] = 0;
  else if (PetscAbsReal(mode->re) <= mode->error[0]) mode->re = 0;
  PetscFunctionReturn(0);
}
