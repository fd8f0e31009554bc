// SPDX-License-Identifier: Apache-2.0
// By Krylov & Schur with (K + s M)^-1 M, of SLEPc; without it by LAPACK.
#include "analyses/exponential/lowest_modes.h"

#ifndef LIMBER_WITHOUT_SLEPC
#include <slepceps.h>

PetscErrorCode LowestModesFind(const Structure *t, PetscInt modes, double shift, LowestModes *out, char *wrong,
                               size_t size) {
  EPS eps;
  ST st;
  PetscFunctionBegin;
  (void)size;
  wrong[0] = 0;
  PetscCall(EPSCreate(t->comm, &eps));
  PetscCall(EPSSetOptionsPrefix(eps, "limber_modes_"));
  PetscCall(EPSSetOperators(eps, t->k, t->m));
  PetscCall(EPSSetProblemType(eps, EPS_GHEP));
  PetscCall(EPSSetType(eps, EPSKRYLOVSCHUR));
  PetscCall(EPSSetDimensions(eps, modes, PETSC_DEFAULT, PETSC_DEFAULT));
  PetscCall(EPSSetTolerances(eps, 1e-12, 500));
  PetscCall(EPSSetTarget(eps, -shift));
  PetscCall(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
  PetscCall(EPSGetST(eps, &st));
  PetscCall(STSetType(st, STSINVERT));
  PetscCall(STGetKSP(st, &out->ksp));
  PetscCall(SolverUseLU(out->ksp, true));
  PetscCall(EPSSetFromOptions(eps));
  PetscCall(EPSSolve(eps));
  PetscCall(EPSGetConverged(eps, &out->found));
  out->found = PetscMin(out->found, modes);
  out->search = eps;
  PetscFunctionReturn(0);
}

PetscErrorCode LowestModesGet(const LowestModes *m, PetscInt i, double *square, Vec shape) {
  PetscScalar value;
  PetscFunctionBegin;
  PetscCall(EPSGetEigenpair(m->search, i, &value, NULL, shape, NULL));
  *square = value;
  PetscFunctionReturn(0);
}

PetscErrorCode LowestModesDestroy(LowestModes *m) {
  EPS eps = m->search;
  PetscFunctionBegin;
  PetscCall(EPSDestroy(&eps));
  PetscFunctionReturn(0);
}

#else
#include <petscblaslapack.h>

typedef struct {
  PetscBLASInt n;
  double *square;
  Mat shape; // a column each
} DenseModes;

static PetscErrorCode SolveDense(const Structure *t, DenseModes *d) {
  PetscBLASInt type = 1, info, size;
  double *k, *m, *work;
  Mat mass;
  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(t->rows, &d->n));
  size = 35 * d->n + 32;
  PetscCall(PetscMalloc1(d->n, &d->square));
  PetscCall(PetscMalloc1(size, &work));
  PetscCall(MatConvert(t->k, MATSEQDENSE, MAT_INITIAL_MATRIX, &d->shape));
  PetscCall(MatConvert(t->m, MATSEQDENSE, MAT_INITIAL_MATRIX, &mass));
  PetscCall(MatDenseGetArray(d->shape, &k));
  PetscCall(MatDenseGetArray(mass, &m));
  LAPACKsygv_(&type, "V", "U", &d->n, k, &d->n, m, &d->n, d->square, work, &size, &info);
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dsygv gives %d", (int)info);
  PetscCall(MatDenseRestoreArray(d->shape, &k));
  PetscCall(MatDenseRestoreArray(mass, &m));
  PetscCall(MatDestroy(&mass));
  PetscCall(PetscFree(work));
  PetscFunctionReturn(0);
}

PetscErrorCode LowestModesFind(const Structure *t, PetscInt modes, double shift, LowestModes *out, char *wrong,
                               size_t size) {
  DenseModes *d;
  Mat shifted;
  PetscFunctionBegin;
  wrong[0] = 0;
  if (t->rows > DENSE_MOST) {
    PetscCall(PetscSNPrintf(wrong, size,
                            "run: the nodes have %d unknowns, and this Limber was built without SLEPc: it finds the "
                            "`modes` of at most %d. Choose another scheme",
                            (int)t->rows, DENSE_MOST));
    PetscFunctionReturn(0);
  }
  PetscCall(PetscNew(&d));
  PetscCall(SolveDense(t, d));
  PetscCall(MatDuplicate(t->k, MAT_COPY_VALUES, &shifted));
  PetscCall(MatAXPY(shifted, shift, t->m, DIFFERENT_NONZERO_PATTERN));
  PetscCall(KSPCreate(t->comm, &out->ksp));
  PetscCall(KSPSetOperators(out->ksp, shifted, shifted));
  PetscCall(MatDestroy(&shifted));
  PetscCall(SolverUseLU(out->ksp, true));
  out->found = PetscMin((PetscInt)d->n, modes);
  out->search = d;
  PetscFunctionReturn(0);
}

PetscErrorCode LowestModesGet(const LowestModes *m, PetscInt i, double *square, Vec shape) {
  const DenseModes *d = m->search;
  PetscFunctionBegin;
  *square = d->square[i];
  PetscCall(MatGetColumnVector(d->shape, shape, i));
  PetscFunctionReturn(0);
}

PetscErrorCode LowestModesDestroy(LowestModes *m) {
  DenseModes *d = m->search;
  PetscFunctionBegin;
  PetscCall(KSPDestroy(&m->ksp));
  PetscCall(MatDestroy(&d->shape));
  PetscCall(PetscFree(d->square));
  PetscCall(PetscFree(d));
  PetscFunctionReturn(0);
}
#endif
