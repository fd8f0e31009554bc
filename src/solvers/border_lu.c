// SPDX-License-Identifier: Apache-2.0
// LU by MUMPS of the inner blocks of a matrix on one process, with what it leaves of a border: MUMPS calls this a Schur
// complement. MUMPS is called directly, because PETSc cannot stop between the two halves of a solution.
#include "solvers/solvers.h"

#if defined(PETSC_HAVE_MUMPS) && !defined(PETSC_USE_64BIT_INDICES)
#include <dmumps_c.h>

typedef struct {
  DMUMPS_STRUC_C id;
  bool begun;
  PetscInt n, inner; // unknowns; those before the border
} BorderLU;

// Numbers that the manual of MUMPS counts from 1: ICNTL, INFOG.
enum { BEGIN = -1, END = -2, ANALYSE = 1, FACTOR = 2, SOLVE = 3 };
enum { ERRORS = 1, MESSAGES = 2, STATISTICS = 3, LEVEL = 4, PERMUTES = 6, ROOM = 14, BORDER = 19, HALF = 26 };
enum { REDUCE = 1, SUBSTITUTE = 2 };       // values of HALF
enum { NEEDS_ROOM = -9, NEEDS_MORE = -8 }; // values of INFOG(1)
enum { MOST_ROOM = 1000 };                 // percent of the estimate

static void call(BorderLU *f, int job) {
  f->id.job = job;
  dmumps_c(&f->id);
}

static PetscErrorCode Clear(BorderLU *f) {
  PetscFunctionBegin;
  if (f->begun) call(f, END);
  PetscCall(PetscFree3(f->id.irn, f->id.jcn, f->id.a));
  PetscCall(PetscFree3(f->id.listvar_schur, f->id.redrhs, f->id.rhs));
  *f = (BorderLU){0};
  PetscFunctionReturn(0);
}

static PetscErrorCode Begin(BorderLU *f, const MatrixBlocks *a) {
  PetscInt bs = a->bs, entries = a->start[a->n] * bs * bs, border = (a->n - a->inner) * bs;
  PetscFunctionBegin;
  f->n = a->n * bs, f->inner = a->inner * bs;
  f->id.comm_fortran = (MUMPS_INT)MPI_Comm_c2f(PETSC_COMM_SELF), f->id.par = 1;
  call(f, BEGIN);
  f->begun = true;
  f->id.icntl[ERRORS - 1] = f->id.icntl[MESSAGES - 1] = f->id.icntl[STATISTICS - 1] = -1, f->id.icntl[LEVEL - 1] = 0;
  f->id.icntl[PERMUTES - 1] = 0; // so that the order follows from the pattern
  f->id.icntl[BORDER - 1] = border > 0;
  f->id.n = f->n, f->id.nnz = entries, f->id.size_schur = border, f->id.nrhs = 1;
  f->id.lrhs = f->n, f->id.lredrhs = border;
  PetscCall(PetscMalloc3(entries, &f->id.irn, entries, &f->id.jcn, entries, &f->id.a));
  PetscCall(PetscMalloc3(border, &f->id.listvar_schur, border, &f->id.redrhs, f->n, &f->id.rhs));
  for (PetscInt k = 0; k < border; k++) f->id.listvar_schur[k] = f->inner + k + 1;
  PetscFunctionReturn(0);
}

static PetscErrorCode TakePattern(BorderLU *f, const MatrixBlocks *a, bool *good) {
  PetscInt bs = a->bs, at = 0;
  PetscFunctionBegin;
  PetscCall(Begin(f, a));
  for (PetscInt i = 0; i < a->n; i++)
    for (PetscInt e = a->start[i]; e < a->start[i + 1]; e++)
      for (PetscInt k = 0; k < bs * bs; k++, at++)
        f->id.irn[at] = i * bs + k % bs + 1, f->id.jcn[at] = a->column[e] * bs + k / bs + 1;
  call(f, ANALYSE);
  *good = f->id.infog[0] >= 0;
  PetscFunctionReturn(0);
}

static PetscErrorCode Factor(void *data, const MatrixBlocks *a, double *border, bool *good) {
  BorderLU *f = data;
  PetscInt size = a->bs * a->bs;
  PetscFunctionBegin;
  *good = true;
  if (!f->begun) PetscCall(TakePattern(f, a, good));
  for (PetscInt e = 0; e < a->start[a->n]; e++) PetscCall(PetscArraycpy(f->id.a + e * size, a->block[e], size));
  f->id.schur = border;
  while (*good) {
    call(f, FACTOR);
    *good = f->id.infog[0] >= 0;
    if (*good || f->id.icntl[ROOM - 1] > MOST_ROOM || (f->id.infog[0] != NEEDS_ROOM && f->id.infog[0] != NEEDS_MORE))
      break;
    f->id.icntl[ROOM - 1] *= 2, *good = true;
  }
  if (!*good) PetscCall(Clear(f));
  PetscFunctionReturn(0);
}

static void reduce(void *data, double *x) {
  BorderLU *f = data;
  memcpy(f->id.rhs, x, sizeof *x * (size_t)f->n);
  if (!f->id.size_schur) return;
  f->id.icntl[HALF - 1] = REDUCE;
  call(f, SOLVE);
  memcpy(x + f->inner, f->id.redrhs, sizeof *x * (size_t)f->id.size_schur);
}

static void substitute(void *data, double *x) {
  BorderLU *f = data;
  memcpy(f->id.redrhs, x + f->inner, sizeof *x * (size_t)f->id.size_schur);
  if (f->id.size_schur) f->id.icntl[HALF - 1] = SUBSTITUTE;
  call(f, SOLVE);
  memcpy(x, f->id.rhs, sizeof *x * (size_t)f->n);
}

static PetscErrorCode Create(void **f) {
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(sizeof(BorderLU), f));
  PetscFunctionReturn(0);
}

static PetscErrorCode Destroy(void **f) {
  PetscFunctionBegin;
  PetscCall(Clear(*f));
  PetscCall(PetscFree(*f));
  PetscFunctionReturn(0);
}

const Elimination *net_elimination(void) {
  static const Elimination way = {Create, Destroy, Factor, reduce, substitute};
  return &way;
}
#else
const Elimination *net_elimination(void) { return NULL; }
#endif
