// SPDX-License-Identifier: Apache-2.0
// Uses modes of the undamped model as coordinates: q = sum of modes + Y d. Their vectors include the multipliers, as
// does Y, the static solution K (Y, lambda) = 1 in the row of a prescribed coordinate.
#include "analyses/linearize/matrices.h"
#include "analyses/modes/modes.h"
#include "analyses/response/frequency_solver.h"
#include "model/refusal.h"

// ---- prescribed coordinates ----

static PetscErrorCode SolveDriven(LinearMatrices *p, Refusal *wrong) {
  Minimal *m = &p->minimal;
  FrequencySolver solver;
  double *right[2], *out[2];
  bool good;
  PetscInt n = p->u.count;
  PetscFunctionBegin;
  *m = (Minimal){.count = n};
  for (PetscInt i = 0; i < n; i++) m->np += p->u.unknown[i].kind == UNKNOWN_PRESCRIBED;
  PetscCall(PetscMalloc2(0, &m->row, m->np, &m->driven));
  PetscCall(PetscMalloc5(0, &m->free, 0, &m->bound, 0, &m->q, 0, &m->r, 0, &m->size));
  PetscCall(PetscCalloc2(0, &m->z, n * m->np, &m->y));
  m->np = 0;
  for (PetscInt i = 0; i < n; i++)
    if (p->u.unknown[i].kind == UNKNOWN_PRESCRIBED) m->driven[m->np++] = i;
  if (m->np == 0) PetscFunctionReturn(0);
  PetscCall(PetscCalloc4(n, &right[0], n, &right[1], n, &out[0], n, &out[1]));
  PetscCall(FrequencySolverCreate(&p->s->motion, &p->s->equations, &p->spin, &p->u, &solver));
  PetscCall(FrequencySolverSet(&solver, 0));
  for (PetscInt j = 0; j < m->np && !is_refused(wrong); j++) {
    right[0][m->driven[j]] = 1;
    PetscCall(FrequencySolverSolve(&solver, (const double *const *)right, out, &good));
    right[0][m->driven[j]] = 0;
    PetscCall(PetscArraycpy(m->y + j * n, out[0], n));
    if (!good)
      refuse(wrong,
             "a drive acts on a model that can also move freely: leave out `modes`, or constrain the free motion");
  }
  PetscCall(FrequencySolverDestroy(&solver));
  PetscCall(PetscFree4(right[0], right[1], out[0], out[1]));
  PetscFunctionReturn(0);
}

// ---- modes ----

// Takes the vectors of a mode, two if it is complex, as columns of t. If t is NULL, counts them.
static PetscErrorCode TakeVectors(LinearMatrices *p, const Mode *mode) {
  Groups *g = &p->groups;
  PetscFunctionBegin;
  for (int k = 0; k < 2; k++) {
    if (!mode->right[k]) continue;
    if (g->t) PetscCall(UnknownsGather(&p->u, mode->right[k], g->t + g->n * p->u.count));
    if (g->t) g->name[g->n] = -1 - g->n;
    g->n++;
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode TakeAll(LinearMatrices *p, const Modes *modes) {
  PetscFunctionBegin;
  p->groups.n = 0;
  for (int i = 0; i < modes->rigid; i++) PetscCall(TakeVectors(p, &modes->rigid_mode[i]));
  for (int i = 0; i < modes->count; i++) PetscCall(TakeVectors(p, &modes->mode[i]));
  PetscFunctionReturn(0);
}

static double product(const LinearMatrices *p, const double *x, const double *y, double *work) {
  double sum = 0;
  for (PetscInt i = 0; i < p->u.count; i++) work[i] = 0;
  sparse_multiply(&p->m, 1, y, work);
  for (PetscInt i = 0; i < p->u.count; i++) sum += x[i] * work[i];
  return sum;
}

// Makes the vectors orthogonal and of unit modal mass, and drops those that depend on others: an imaginary part may be
// only round-off.
static PetscErrorCode Orthonormalise(LinearMatrices *p) {
  Groups *g = &p->groups;
  PetscInt n = p->u.count, kept = 0;
  double *work;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(n, &work));
  for (PetscInt j = 0; j < g->n; j++) {
    double *v = g->t + kept * n, before, after;
    if (kept < j) PetscCall(PetscArraycpy(v, g->t + j * n, n));
    before = product(p, v, v, work);
    for (PetscInt i = 0; i < 2 * kept; i++) { // twice is enough
      const double *other = g->t + (i % kept) * n;
      double part = product(p, other, v, work);
      for (PetscInt k = 0; k < n; k++) v[k] -= part * other[k];
    }
    after = product(p, v, v, work);
    if (!(after > 1e-10 * PetscMax(before, 1e-4))) continue; // vectors come with x^H M x = 1
    for (PetscInt k = 0; k < n; k++) v[k] /= PetscSqrtReal(after);
    g->name[kept] = -1 - kept, kept++;
  }
  g->n = kept;
  PetscCall(PetscFree(work));
  PetscFunctionReturn(0);
}

PetscErrorCode LinearMatricesUseModes(LinearMatrices *p, int modes, Refusal *wrong) {
  Groups *g = &p->groups;
  LimberModesOptions options;
  Modes *found;
  PetscFunctionBegin;
  options = limber_modes_options_default();
  options.count = modes, options.damped = LIMBER_DAMPED_NO;
  PetscCall(ModesFind(p->s, &p->spin, &options, &found, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(TakeAll(p, found));
  PetscInt n = g->n;
  PetscCall(PetscMalloc5(p->u.count * n, &g->t, n * n, &g->k, n * n, &g->c, n * n, &g->m, n, &g->name));
  PetscCall(TakeAll(p, found));
  PetscCall(Orthonormalise(p));
  g->na = g->n;
  PetscCall(ModesDestroy(&found));
  PetscCall(LinearMatricesProject(p));
  PetscCall(SolveDriven(p, wrong));
  PetscFunctionReturn(0);
}
