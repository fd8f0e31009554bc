// SPDX-License-Identifier: Apache-2.0
// Modes are followed by their shapes: |x^H M y|^2 of two modes of unit mass is 1 for the same shape.
#include "analyses/stability/stability.h"

static PetscErrorCode AddRoom(LimberStability f) {
  PetscFunctionBegin;
  if (f->rows < f->room) PetscFunctionReturn(0);
  f->room = 2 * f->room + 32;
  PetscCall(PetscRealloc((size_t)f->room * sizeof *f->value, &f->value));
  PetscCall(PetscRealloc((size_t)(f->room * f->modes) * sizeof *f->lambda, &f->lambda));
  PetscFunctionReturn(0);
}

// How alike the shapes of two samples are, and how near their eigenvalues: of equal shapes the nearest continues.
static PetscErrorCode CompareShapes(const Sample *a, int i, const Sample *b, int j, double *out) {
  const Mode *p = &a->modes->mode[i], *q = &b->modes->mode[j];
  double product[2], size = hypot(p->re, p->im) + hypot(q->re, q->im);
  PetscFunctionBegin;
  PetscCall(ModesComplexProduct(b->modes->pencil.m, p->right, q->right, product));
  double away = size > 0 ? hypot(p->re - q->re, p->im - q->im) / size : 0;
  *out = product[0] * product[0] + product[1] * product[1] - 0.5 * away;
  PetscFunctionReturn(0);
}

static PetscErrorCode ContinueModes(const Sample *a, const Sample *b, int n, int *order) {
  int count = b->modes->count, *next;
  double *likeness;
  bool *taken;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(n * count, &likeness, n, &next));
  PetscCall(PetscCalloc1(count + 1, &taken));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < count; j++) {
      likeness[i * count + j] = -PETSC_INFINITY;
      if (order[i] >= 0) PetscCall(CompareShapes(a, order[i], b, j, &likeness[i * count + j]));
    }
  modes_pair(n, count, 1, likeness, -PETSC_INFINITY, 0, next);
  for (int i = 0; i < n; i++)
    if (next[i] >= 0) taken[next[i]] = true;
  for (int i = 0; i < n; i++) // what continues nothing takes a free place
    for (int j = 0; j < count && next[i] < 0; j++)
      if (!taken[j]) next[i] = j, taken[j] = true;
  for (int i = 0; i < n; i++) order[i] = next[i];
  PetscCall(PetscFree2(likeness, next));
  PetscCall(PetscFree(taken));
  PetscFunctionReturn(0);
}

PetscErrorCode StabilityAddRow(LimberStability f, const Sample *before, const Sample *s, int *order) {
  PetscFunctionBegin;
  PetscCall(AddRoom(f));
  if (before && samples_are_comparable(before, s)) PetscCall(ContinueModes(before, s, f->modes, order));
  else
    for (int i = 0; i < f->modes; i++) order[i] = i < s->modes->count ? i : -1;
  for (int i = 0; i < f->modes; i++) {
    const Mode *m = order[i] < 0 ? NULL : &s->modes->mode[order[i]];
    f->lambda[f->rows * f->modes + i][0] = m ? m->re : (double)NAN;
    f->lambda[f->rows * f->modes + i][1] = m ? m->im : (double)NAN;
  }
  f->value[f->rows++] = s->value;
  PetscFunctionReturn(0);
}
