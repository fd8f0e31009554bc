// SPDX-License-Identifier: Apache-2.0
#include "analyses/linearize/minimal.h"

#include "analyses/linearize/dense.h"

#include <math.h>
#include <string.h>

// Coordinates of joints are scaled down by this against unknowns of nodes, so that they stay independent if possible.
static const double preference = 1e-3, rank_tolerance = 1e-11;

// ---- the equations ----

typedef struct {
  PetscInt nrow, ncolumn, np;
  PetscInt *row, *column, *driven; // unknowns
  PetscInt *place;                 // of each unknown: its column; -2 - i: the i-th prescribed one; -1: neither
  double *g, *gp;                  // nrow x ncolumn, nrow x np
} MinimalEquations;

static PetscErrorCode ListEquations(const Unknowns *u, MinimalEquations *e) {
  PetscFunctionBegin;
  *e = (MinimalEquations){0};
  PetscCall(PetscMalloc4(u->count, &e->row, u->count, &e->column, u->count, &e->driven, u->count, &e->place));
  for (PetscInt i = 0; i < u->count; i++) {
    e->place[i] = -1;
    switch (u->unknown[i].kind) {
    case UNKNOWN_ROW: e->row[e->nrow++] = i; break;
    case UNKNOWN_OFF: break;
    case UNKNOWN_NODE:
    case UNKNOWN_COORDINATE: e->place[i] = e->ncolumn, e->column[e->ncolumn++] = i; break;
    case UNKNOWN_PRESCRIBED: e->place[i] = -2 - e->np, e->driven[e->np++] = i; break;
    }
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode FillEquations(const Sparse *k, MinimalEquations *e) {
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(e->nrow * e->ncolumn, &e->g, e->nrow * e->np, &e->gp));
  for (PetscInt r = 0; r < e->nrow; r++)
    for (PetscInt i = k->start[e->row[r]]; i < k->start[e->row[r] + 1]; i++) {
      PetscInt c = e->place[k->column[i]];
      if (c >= 0) e->g[r + c * e->nrow] = k->value[i];
      if (c <= -2) e->gp[r + (-2 - c) * e->nrow] = -k->value[i];
    }
  PetscFunctionReturn(0);
}

static PetscErrorCode FreeEquations(MinimalEquations *e) {
  PetscFunctionBegin;
  PetscCall(PetscFree4(e->row, e->column, e->driven, e->place));
  PetscCall(PetscFree2(e->g, e->gp));
  PetscFunctionReturn(0);
}

// Scales rows and unknowns to unit size: g becomes S g W, gp becomes S gp.
static void scale_equations(const Unknowns *u, MinimalEquations *e, double *row_size, double *size) {
  for (PetscInt c = 0; c < e->ncolumn; c++) {
    size[c] = unknown_size(u, e->column[c]);
    const Unknown *q = &u->unknown[e->column[c]];
    if (q->kind == UNKNOWN_COORDINATE && !model_joint_is_abstract(model_joint(u->model, q->owner)))
      size[c] *= preference;
  }
  for (PetscInt r = 0; r < e->nrow; r++) {
    double largest = 0;
    for (PetscInt c = 0; c < e->ncolumn; c++) largest = fmax(largest, fabs(e->g[r + c * e->nrow] * size[c]));
    row_size[r] = largest > 0 ? 1 / largest : 1;
    for (PetscInt c = 0; c < e->ncolumn; c++) e->g[r + c * e->nrow] *= row_size[r] * size[c];
    for (PetscInt c = 0; c < e->np; c++) e->gp[r + c * e->nrow] *= row_size[r];
  }
}

// ---- from their factors to minimal coordinates ----

static int compare_indices(const void *a, const void *b) {
  PetscInt x = *(const PetscInt *)a, y = *(const PetscInt *)b;
  return x < y ? -1 : x > y;
}

static PetscErrorCode FillFreeMotions(const MinimalEquations *e, const PetscInt *pivot, const double *size,
                                      Minimal *m) {
  double *x;
  PetscInt *order; // column of R of each independent unknown
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(m->rank * m->n, &x, m->count, &order));
  for (PetscInt i = 0; i < m->n; i++) m->free[i] = e->column[pivot[m->rank + i]], order[m->free[i]] = m->rank + i;
  qsort(m->free, (size_t)m->n, sizeof *m->free, compare_indices);
  for (PetscInt j = 0; j < m->n; j++)
    PetscCall(PetscArraycpy(x + j * m->rank, e->g + order[m->free[j]] * e->nrow, m->rank));
  PetscCall(DenseTriangular(m->rank, m->n, e->g, e->nrow, false, x, m->rank));
  for (PetscInt j = 0; j < m->n; j++) {
    double own = size[pivot[order[m->free[j]]]];
    m->z[m->free[j] + j * m->count] = 1;
    for (PetscInt i = 0; i < m->rank; i++) m->z[m->bound[i] + j * m->count] = -m->size[i] * x[i + j * m->rank] / own;
  }
  PetscCall(PetscFree2(x, order));
  PetscFunctionReturn(0);
}

static PetscErrorCode FillDrivenMotions(const MinimalEquations *e, Minimal *m) {
  double *x;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(m->rank * m->np, &x));
  PetscCall(DenseMultiply(true, m->rank, m->np, m->nrow, 1, m->q, m->nrow, e->gp, m->nrow, 0, x, m->rank));
  PetscCall(DenseTriangular(m->rank, m->np, m->r, m->rank, false, x, m->rank));
  for (PetscInt j = 0; j < m->np; j++) {
    m->y[m->driven[j] + j * m->count] = 1;
    for (PetscInt i = 0; i < m->rank; i++) m->y[m->bound[i] + j * m->count] = m->size[i] * x[i + j * m->rank];
  }
  PetscCall(PetscFree(x));
  PetscFunctionReturn(0);
}

static PetscErrorCode FactorEquations(const Unknowns *u, MinimalEquations *e, Minimal *m) {
  PetscInt *pivot;
  double *tau, *size;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(e->ncolumn, &pivot, PetscMin(e->nrow, e->ncolumn) + 1, &tau, e->ncolumn, &size));
  PetscCall(PetscMalloc1(e->nrow, &m->row_size));
  scale_equations(u, e, m->row_size, size);
  PetscCall(DensePivotedQR(e->nrow, e->ncolumn, e->g, pivot, tau, rank_tolerance, &m->rank));
  m->n = e->ncolumn - m->rank;
  PetscCall(PetscMalloc5(m->n, &m->free, m->rank, &m->bound, m->nrow * m->rank, &m->q, m->rank * m->rank, &m->r,
                         m->rank, &m->size));
  PetscCall(PetscCalloc2(m->count * m->n, &m->z, m->count * m->np, &m->y));
  for (PetscInt i = 0; i < m->rank; i++) {
    m->bound[i] = e->column[pivot[i]], m->size[i] = size[pivot[i]];
    PetscCall(PetscArraycpy(m->r + i * m->rank, e->g + i * e->nrow, m->rank));
  }
  PetscCall(DenseFormQ(m->nrow, m->rank, e->g, tau, m->q));
  PetscCall(FillFreeMotions(e, pivot, size, m));
  PetscCall(FillDrivenMotions(e, m));
  PetscCall(PetscFree3(pivot, tau, size));
  PetscFunctionReturn(0);
}

PetscErrorCode MinimalCreate(const Unknowns *u, const Sparse *k, Minimal *m) {
  MinimalEquations e;
  PetscFunctionBegin;
  *m = (Minimal){.count = u->count};
  PetscCall(ListEquations(u, &e));
  PetscCall(FillEquations(k, &e));
  m->nrow = e.nrow, m->np = e.np;
  PetscCall(PetscMalloc2(e.nrow, &m->row, e.np, &m->driven));
  PetscCall(PetscArraycpy(m->row, e.row, e.nrow));
  PetscCall(PetscArraycpy(m->driven, e.driven, e.np));
  PetscCall(FactorEquations(u, &e, m));
  PetscCall(FreeEquations(&e));
  PetscFunctionReturn(0);
}

PetscErrorCode MinimalDestroy(Minimal *m) {
  PetscFunctionBegin;
  PetscCall(PetscFree2(m->row, m->driven));
  PetscCall(PetscFree(m->row_size));
  PetscCall(PetscFree5(m->free, m->bound, m->q, m->r, m->size));
  PetscCall(PetscFree2(m->z, m->y));
  PetscFunctionReturn(0);
}

// (Q R)^T S^-1 lambda = W f
PetscErrorCode MinimalMultipliers(const Minimal *m, const double *f, double *out) {
  double *x;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(m->rank, &x));
  for (PetscInt i = 0; i < m->rank; i++) x[i] = m->size[i] * f[m->bound[i]];
  PetscCall(DenseTriangular(m->rank, 1, m->r, m->rank, true, x, m->rank));
  for (PetscInt r = 0; r < m->nrow; r++) {
    out[m->row[r]] = 0;
    for (PetscInt i = 0; i < m->rank; i++) out[m->row[r]] += m->row_size[r] * m->q[r + i * m->nrow] * x[i];
  }
  PetscCall(PetscFree(x));
  PetscFunctionReturn(0);
}
