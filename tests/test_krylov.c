// SPDX-License-Identifier: Apache-2.0
// The search for the largest eigenvalues, by SLEPc or without it, on matrices whose eigenvalues are known.
#include "check_petsc.h"
#include "solvers/krylov.h"

enum { N = 400 };

static PetscErrorCode Multiply(void *a, Vec from, Vec to) { return MatMult(a, from, to); }

static PetscErrorCode Invert(void *a, Vec from, Vec to) { // 1 / (stiffness of a diagonal)
  const double *k, *b;
  double *x;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(a, &k));
  PetscCall(VecGetArrayRead(from, &b));
  PetscCall(VecGetArray(to, &x));
  for (int i = 0; i < N; i++) x[i] = b[i] / k[i];
  PetscCall(VecRestoreArray(to, &x));
  PetscCall(VecRestoreArrayRead(from, &b));
  PetscCall(VecRestoreArrayRead(a, &k));
  PetscFunctionReturn(0);
}

static Mat matrix(void) {
  Mat a;
  CHECK_OK(MatCreateSeqAIJ(PETSC_COMM_SELF, N, N, 3, NULL, &a));
  return a;
}

static void set(Mat a, int i, int j, double value) { CHECK_OK(MatSetValue(a, i, j, value, INSERT_VALUES)); }

static void finish(Mat a) {
  CHECK_OK(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
  CHECK_OK(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
}

static Vec start_vector(void) {
  Vec v;
  CHECK_OK(VecCreateSeq(PETSC_COMM_SELF, N, &v));
  for (int i = 0; i < N; i++) CHECK_OK(VecSetValue(v, i, sin(1 + i * i), INSERT_VALUES));
  CHECK_OK(VecAssemblyBegin(v));
  CHECK_OK(VecAssemblyEnd(v));
  return v;
}

static double residual(const KrylovSearch *k, Mat times, Vec v, double value) {
  Vec b, x;
  double norm;
  CHECK_OK(VecDuplicate(v, &b));
  CHECK_OK(VecDuplicate(v, &x));
  CHECK_OK(MatMult(times, v, b));
  CHECK_OK(k->apply(k->self, b, x));
  CHECK_OK(VecAXPY(x, -value, v));
  CHECK_OK(VecNorm(x, NORM_2, &norm));
  CHECK_OK(VecDestroy(&b));
  CHECK_OK(VecDestroy(&x));
  return norm / fabs(value);
}

// k_i = i + 1, m_i = 1 or, in every second row, 0: omega^2 = 1, 3, 5, ...
TEST(rows_without_mass_have_no_part_in_symmetric_eigenvalues) {
  Vec k;
  Mat m = matrix();
  KrylovResult found;
  CHECK_OK(VecCreateSeq(PETSC_COMM_SELF, N, &k));
  for (int i = 0; i < N; i++) CHECK_OK(VecSetValue(k, i, i + 1, INSERT_VALUES)), set(m, i, i, i % 2 ? 0 : 1);
  CHECK_OK(VecAssemblyBegin(k));
  CHECK_OK(VecAssemblyEnd(k));
  finish(m);
  KrylovSearch s = {Invert, k, m, m, .count = 8, .tolerance = 1e-12, .limit = 100, .start = start_vector()};
  CHECK_OK(KrylovFind(&s, &found));
  CHECK(found.count >= 8);
  for (int i = 0; i < found.count && i < 8; i++) {
    double wanted = 1.0 / (2 * i + 1);
    CHECK_NEAR(found.re[i], wanted, 1e-12);
    CHECK_LE(residual(&s, m, found.vector[i], wanted), 1e-10);
  }
  CHECK_OK(KrylovDestroy(&found));
  CHECK_OK(VecDestroy(&s.start));
  CHECK_OK(VecDestroy(&k));
  CHECK_OK(MatDestroy(&m));
}

// omega^2 = 1, 1, 1, 2, 2, 2, ...: one search finds one of each, others what is left when those are known.
TEST(multiple_eigenvalues_come_when_the_known_ones_are_taken_out) {
  Vec k, known[3];
  Mat m = matrix();
  KrylovResult found;
  CHECK_OK(VecCreateSeq(PETSC_COMM_SELF, N, &k));
  for (int i = 0; i < N; i++) CHECK_OK(VecSetValue(k, i, 1 + i / 3, INSERT_VALUES)), set(m, i, i, 1);
  CHECK_OK(VecAssemblyBegin(k));
  CHECK_OK(VecAssemblyEnd(k));
  finish(m);
  for (int round = 0; round < 4; round++) {
    KrylovSearch s = {Invert, k, m, m, .count = 1, .tolerance = 1e-11, .limit = 100, .start = start_vector()};
    for (int i = 0; i < N && round; i++) CHECK_OK(VecSetValue(s.start, i, cos(round + i * i), INSERT_VALUES));
    CHECK_OK(VecAssemblyBegin(s.start));
    CHECK_OK(VecAssemblyEnd(s.start));
    s.known = round, s.known_vector = known;
    CHECK_OK(KrylovFind(&s, &found));
    CHECK(found.count >= 1);
    CHECK_NEAR(found.re[0], round < 3 ? 1 : 0.5, 1e-10);
    if (round < 3) CHECK_OK(VecDuplicate(found.vector[0], &known[round]));
    if (round < 3) CHECK_OK(VecCopy(found.vector[0], known[round]));
    CHECK_OK(KrylovDestroy(&found));
    CHECK_OK(VecDestroy(&s.start));
  }
  for (int i = 0; i < 3; i++) CHECK_OK(VecDestroy(&known[i]));
  CHECK_OK(VecDestroy(&k));
  CHECK_OK(MatDestroy(&m));
}

// Blocks (a b; -b a) with eigenvalues a +- i b, joined by entries above them, which change no eigenvalue.
TEST(pairs_of_a_matrix_that_is_not_symmetric_are_found_with_their_space) {
  Mat a = matrix();
  KrylovResult found;
  Vec image;
  double worst = 0;
  for (int i = 0; i < N; i += 2) {
    double re = 1.0 / (1 + i), im = 2.0 / (1 + i);
    set(a, i, i, re), set(a, i + 1, i + 1, re), set(a, i, i + 1, im), set(a, i + 1, i, -im);
    if (i + 2 < N) set(a, i, i + 2, 0.3 / (1 + i));
  }
  finish(a);
  KrylovSearch s = {Multiply, a, .count = 8, .tolerance = 1e-12, .limit = 100, .start = start_vector()};
  CHECK_OK(KrylovFind(&s, &found));
  CHECK(found.count >= 8);
  for (int i = 0; i < found.count && i < 8; i++) {
    CHECK_NEAR(found.re[i], 1.0 / (1 + i / 2 * 2), 1e-9);
    CHECK_NEAR(fabs(found.im[i]), 2.0 / (1 + i / 2 * 2), 1e-9);
  }
  CHECK_OK(VecDuplicate(s.start, &image));
  for (int i = 0; i < found.count; i++) { // the image of each lies in the space
    PetscReal norm;
    CHECK_OK(MatMult(a, found.vector[i], image));
    for (int j = 0; j < found.count; j++) {
      PetscScalar part;
      CHECK_OK(VecDot(found.vector[j], image, &part));
      CHECK_OK(VecAXPY(image, -part, found.vector[j]));
    }
    CHECK_OK(VecNorm(image, NORM_2, &norm));
    worst = PetscMax(worst, norm);
  }
  CHECK_NOTE("the space is left by %.1e", worst);
  CHECK_LE(worst, 1e-11);
  CHECK_OK(VecDestroy(&image));
  CHECK_OK(KrylovDestroy(&found));
  CHECK_OK(VecDestroy(&s.start));
  CHECK_OK(MatDestroy(&a));
}

CHECK_MAIN_PETSC
