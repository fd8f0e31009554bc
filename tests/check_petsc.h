// SPDX-License-Identifier: Apache-2.0
// CHECK_MAIN_PETSC in place of CHECK_MAIN: the tests run between SlepcInitialize and SlepcFinalize, on all ranks.
// A test fails if it fails on any rank. CHECK_OK(call) checks that a function returns no PETSc error.
#ifndef LIMBER_TESTS_CHECK_PETSC_H
#define LIMBER_TESTS_CHECK_PETSC_H

#include "assembly/slepc.h"
#include "check.h"
#include "check_leaks.h"

static inline int check_ok(PetscErrorCode error, const char *file, int line, const char *what) {
  const char *text = NULL;
  if (error) (void)PetscErrorMessage(error, &text, NULL);
  return check_that(!error, file, line, what, ": error %d, %s", (int)error, text ? text : "unknown");
}
#define CHECK_OK(call) check_ok(call, __FILE__, __LINE__, #call)

static inline void check_sum_ranks(int n[2]) { MPI_Allreduce(MPI_IN_PLACE, n, 2, MPI_INT, MPI_SUM, PETSC_COMM_WORLD); }

static inline int check_main_petsc(int argc, char **argv) {
  __lsan_disable();
  if (SlepcInitialize(&argc, &argv, NULL, NULL)) return 1;
  __lsan_enable();
  MPI_Comm_rank(PETSC_COMM_WORLD, &check.rank);
  check.sum = check_sum_ranks;
  int failed = check_run_all(argc, argv);
  __lsan_do_leak_check();
  return SlepcFinalize() || failed;
}

#define CHECK_MAIN_PETSC \
  int main(int argc, char **argv) { return check_main_petsc(argc, argv); }

#endif
