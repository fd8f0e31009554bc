// SPDX-License-Identifier: Apache-2.0
// Separates modes that pass zero from motions that are always free, such as the spin of a strut between ball joints:
// both have no stiffness but round-off. In the space of all of them, X^T M X = 1, the passing modes are the directions
// in which X^T M R R^T M X is smallest, with the free motions R of the reference; X^T K X in those gives omega^2.
#include "analyses/stability/stability.h"

#include <petscblaslapack.h>

// Rotates n vectors to the eigenvectors of the symmetric g, in the order of its eigenvalues.
static PetscErrorCode TurnToPrincipal(int n, Mode *mode, double *g, double *value) {
  PetscBLASInt size = n, work_size = 35 * n + 32, info;
  double *work;
  Vec *x;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(work_size, &work));
  PetscCall(VecDuplicateVecs(mode[0].right[0], n, &x));
  LAPACKsyev_("V", "U", &size, g, &size, value, work, &work_size, &info);
  PetscCheck(!info, PETSC_COMM_SELF, PETSC_ERR_LIB, "motions without stiffness: LAPACK says %d", (int)info);
  for (int i = 0; i < n; i++) {
    PetscCall(VecZeroEntries(x[i]));
    for (int j = 0; j < n; j++) PetscCall(VecAXPY(x[i], g[j + n * i], mode[j].right[0]));
  }
  for (int i = 0; i < n; i++) PetscCall(VecCopy(x[i], mode[i].right[0]));
  PetscCall(VecDestroyVecs(n, &x));
  PetscCall(PetscFree(work));
  PetscFunctionReturn(0);
}

// Puts the motions first that the reference does not have.
static PetscErrorCode PutNewFirst(const Modes *m, const Modes *reference) {
  int n = m->rigid, free = reference->rigid;
  double *g, *value, *shared;
  PetscFunctionBegin;
  PetscCall(PetscCalloc3(n * n, &g, n, &value, n * free, &shared));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < free; j++) {
      double product[2];
      PetscCall(ModesComplexProduct(m->pencil.m, m->rigid_mode[i].right, reference->rigid_mode[j].right, product));
      shared[i * free + j] = product[0];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < free; k++) g[i + n * j] += shared[i * free + k] * shared[j * free + k];
  PetscCall(TurnToPrincipal(n, m->rigid_mode, g, value));
  PetscCall(PetscFree3(g, value, shared));
  PetscFunctionReturn(0);
}

// omega^2 of the first `count` vectors, which have unit mass; the lowest first.
static PetscErrorCode FindSquares(const Modes *m, int count, double *square) {
  double *g;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(count * count, &g));
  for (int i = 0; i < count; i++)
    for (int j = 0; j <= i; j++) {
      double there[2], back[2];
      PetscCall(ModesComplexProduct(m->pencil.k, m->rigid_mode[i].right, m->rigid_mode[j].right, there));
      PetscCall(ModesComplexProduct(m->pencil.k, m->rigid_mode[j].right, m->rigid_mode[i].right, back));
      g[i + count * j] = g[j + count * i] = 0.5 * (there[0] + back[0]);
    }
  PetscCall(TurnToPrincipal(count, m->rigid_mode, g, square));
  PetscCall(PetscFree(g));
  PetscFunctionReturn(0);
}

static PetscErrorCode SetEigenvalue(const Modes *m, double square, Mode *mode) {
  double damper[2] = {0, 0}, round_off;
  PetscFunctionBegin;
  if (m->pencil.d && !m->pencil.gyroscopic)
    PetscCall(ModesComplexProduct(m->pencil.d, mode->right, mode->right, damper));
  mode->re = mode->im = 0, mode->is_real = true;
  if (damper[0] > 0) mode->re = -square / damper[0];
  else if (square < 0) mode->re = PetscSqrtReal(-square);
  else mode->im = PetscSqrtReal(square);
  PetscCall(ModeRoundOff(&m->pencil, mode, &round_off));
  mode->found_re = mode->re, mode->error[0] = damper[0] > 0 ? round_off / damper[0] : PetscSqrtReal(round_off);
  mode->frequency = mode->im / (2 * PETSC_PI);
  mode->damping = mode->re == 0 ? 0 : mode->re > 0 ? -1 : 1;
  PetscFunctionReturn(0);
}

PetscErrorCode SampleKeepPassing(Sample *s, const Sample *reference) {
  Modes *m = s->modes;
  int n = m->rigid - reference->modes->rigid;
  double *square;
  PetscFunctionBegin;
  if (n <= 0 || !samples_are_comparable(s, reference)) PetscFunctionReturn(0);
  PetscCall(PutNewFirst(m, reference->modes));
  PetscCall(PetscMalloc1(n, &square));
  PetscCall(FindSquares(m, n, square));
  PetscCall(PetscArraymove(m->mode + n, m->mode, m->count)); // the array has room for all that were found
  for (int i = 0; i < n; i++)                                // they differ by round-off
    PetscCall(SetEigenvalue(m, square[0], &m->rigid_mode[i]));
  PetscCall(ModesSeparate(&m->pencil, n, m->rigid_mode));
  for (int i = 0; i < n; i++) {
    PetscCall(ModeNormalise(&m->pencil, &m->rigid_mode[i]));
    m->mode[i] = m->rigid_mode[i];
  }
  PetscCall(PetscArraymove(m->rigid_mode, m->rigid_mode + n, m->rigid - n));
  m->rigid -= n, m->count += n, s->passing = n;
  PetscCall(PetscFree(square));
  PetscFunctionReturn(0);
}
