// SPDX-License-Identifier: Apache-2.0
// Chooses the vectors of equal eigenvalues. Any combination of them is a vector, too, so round-off would decide. A
// unique basis of their space is X c with
//   (X^H W X) c = mu (X^H M X) c,
// where W gives the squares of displacements, with different weights for all axes and parts. This yields vectors of one
// axis and one part if the space has such, orthogonal with respect to M, in the order of mu.
// Equation: eq-static-equal (16.8).
#include "analyses/modes/modes.h"
#include "analyses/sort_levels.h"

#include <petscblaslapack.h>
#include <stdlib.h>

// Differences relative to |lambda|: below the first, eigenvalues are equal; above the second, they are not; in between,
// they are equal if the difference is within the errors.
static const double surely_equal = 1e-8, surely_other = 1e-6;

bool modes_are_equal(const Mode *a, const Mode *b) {
  double error = fmax(fmax(a->error[0], a->error[1]), fmax(b->error[0], b->error[1]));
  double size = hypot(a->re, a->im), limit = fmax(surely_equal * size, fmin(surely_other * size, error));
  return a->is_real == b->is_real && hypot(a->re - b->re, a->im - b->im) <= limit;
}

int modes_multiplicity(int count, const Mode *mode) {
  int n = 1;
  while (n < count && modes_are_equal(&mode[n - 1], &mode[n])) n++;
  return n;
}

// ---- order ----

static int by_im(const void *a, const void *b) {
  double p = ((const Mode *)a)->im, q = ((const Mode *)b)->im;
  return (p > q) - (p < q);
}

static int by_re(const void *a, const void *b) {
  double p = ((const Mode *)a)->re, q = ((const Mode *)b)->re;
  return (p < q) - (p > q);
}

static bool same_im(const void *a, const void *b) {
  const Mode *p = a, *q = b;
  return q->im - p->im <= surely_other * hypot(q->re, q->im);
}

void modes_order(int count, Mode *mode) {
  static const SortLevel level[] = {{by_im, same_im}, {by_re, NULL}};
  sort_by_levels(mode, (size_t)count, sizeof *mode, 2, level);
}

// ---- the space of an eigenvalue ----

// Weights of displacements that are different for each axis, part and node of the model.
static PetscErrorCode PartWeights(const Pencil *p, Vec out) {
  static const double axis[3] = {1, 0.7, 0.45}, golden = 0.6180339887498949;
  const Layout *layout = &p->s->motion.layout;
  double *w;
  PetscFunctionBegin;
  PetscCall(PencilWeights(p, out));
  PetscCall(VecGetArray(out, &w));
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    int component = model_node(layout->model, layout->node[i])->component;
    double part = 1 + 0.02 / (2 + (double)PetscMax(0, component)); // earlier parts weigh more, but less than axes
    double node = 1 + 1e-4 * fmod(golden * (double)layout->node[i], 1);
    for (int k = 0; k < 3 * node_blocks(model_node(layout->model, layout->node[i])->kind); k++) {
      PetscInt at = 3 * layout->node_block[i] + k;
      if (layout->node_block[i] >= 0) w[at] = k < 3 ? w[at] * w[at] * axis[k] * part * node : 0;
    }
  }
  PetscCall(VecRestoreArray(out, &w));
  PetscFunctionReturn(0);
}

// X^H A X of the modes, with a matrix A or, if it is NULL, weights; a real symmetric matrix of (re, im) for complex
// modes.
static PetscErrorCode CreateGram(Mat a, Vec w, int n, const Mode *mode, double *g) {
  int parts = mode[0].is_real ? 1 : 2, size = n * parts;
  Vec ax;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(mode[0].right[0], &ax));
  PetscCall(PetscArrayzero(g, size * size));
  for (int j = 0; j < n; j++)
    for (int q = 0; q < parts; q++) {
      if (a) PetscCall(MatMult(a, mode[j].right[q], ax));
      else PetscCall(VecPointwiseMult(ax, w, mode[j].right[q]));
      for (int i = 0; i < n; i++)
        for (int r = 0; r < parts; r++) {
          PetscScalar part;
          PetscCall(VecDot(mode[i].right[r], ax, &part));
          if (r == q) { // the real part of x_i^H A x_j
            g[i + size * j] += part;
            if (parts == 2) g[n + i + size * (n + j)] += part;
          } else { // the imaginary one: re_i A im_j - im_i A re_j
            g[n + i + size * j] += r == 0 ? part : -part;
            g[i + size * (n + j)] -= r == 0 ? part : -part;
          }
        }
    }
  for (int j = 0; j < size; j++)
    for (int i = 0; i < j; i++) g[i + size * j] = g[j + size * i] = 0.5 * (g[i + size * j] + g[j + size * i]);
  PetscCall(VecDestroy(&ax));
  PetscFunctionReturn(0);
}

// c^H N d of coefficients (re, im)
static void product(int n, int parts, const double *gram, const double *c, const double *d, double out[2]) {
  int size = n * parts;
  out[0] = out[1] = 0;
  for (int i = 0; i < size; i++) {
    double sum = 0;
    for (int j = 0; j < size; j++) sum += gram[i + size * j] * d[j];
    out[0] += c[i] * sum;
    if (parts == 2) out[1] += i < n ? -c[n + i] * sum : c[i - n] * sum;
  }
}

// Keeps all eigenvectors if they are real; complex ones come together with i times themselves, which is dropped.
static int choose(int n, int parts, const double *gram, double *c) {
  int size = n * parts, kept = 0;
  for (int k = size - 1; k >= 0 && kept < n; k--) { // the largest first
    double *v = c + size * k, part[2], norm[2];
    for (int i = 0; i < kept; i++) {
      const double *u = c + size * (size - 1 - i);
      product(n, parts, gram, u, v, part);
      for (int j = 0; j < n; j++) {
        double re = u[j], im = parts == 2 ? u[n + j] : 0;
        v[j] -= part[0] * re - part[1] * im;
        if (parts == 2) v[n + j] -= part[0] * im + part[1] * re;
      }
    }
    product(n, parts, gram, v, v, norm);
    if (!(norm[0] > 0.5)) continue;
    double *to = c + size * (size - 1 - kept++), scale = 1 / PetscSqrtReal(norm[0]);
    for (int j = 0; j < size; j++) to[j] = scale * v[j];
  }
  return kept;
}

// Replaces the modes by X c, and their eigenvalues by the corresponding means.
static PetscErrorCode Combine(int n, Mode *mode, const double *c) {
  int parts = mode[0].is_real ? 1 : 2, size = n * parts;
  Vec(*x)[2];
  double(*lambda)[2];
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(n, &x, n, &lambda));
  for (int i = 0; i < n; i++) {
    const double *v = c + size * (size - 1 - i);
    double sum = 0;
    for (int r = 0; r < parts; r++) {
      PetscCall(VecDuplicate(mode[0].right[0], &x[i][r]));
      PetscCall(VecZeroEntries(x[i][r]));
    }
    for (int j = 0; j < n; j++) {
      double re = v[j], im = parts == 2 ? v[n + j] : 0, share = re * re + im * im;
      sum += share, lambda[i][0] += share * mode[j].re, lambda[i][1] += share * mode[j].im;
      PetscCall(VecAXPY(x[i][0], re, mode[j].right[0]));
      if (parts == 1) continue;
      PetscCall(VecAXPY(x[i][0], -im, mode[j].right[1]));
      PetscCall(VecAXPY(x[i][1], im, mode[j].right[0]));
      PetscCall(VecAXPY(x[i][1], re, mode[j].right[1]));
    }
    for (int k = 0; k < 2; k++) lambda[i][k] /= sum;
  }
  for (int i = 0; i < n; i++) {
    mode[i].re = lambda[i][0], mode[i].im = lambda[i][1];
    for (int r = 0; r < parts; r++) {
      PetscCall(VecDestroy(&mode[i].right[r]));
      mode[i].right[r] = x[i][r];
    }
  }
  PetscCall(PetscFree2(x, lambda));
  PetscFunctionReturn(0);
}

static PetscErrorCode Separate(const Pencil *p, int n, Mode *mode) {
  int parts = mode[0].is_real ? 1 : 2;
  PetscBLASInt size = n * parts, work_size = 35 * size + 32, info, kind = 1;
  double *g, *gram, *factor, *value, *work;
  Vec w;
  PetscFunctionBegin;
  PetscCall(PetscMalloc5(size * size, &g, size * size, &gram, size * size, &factor, size, &value, work_size, &work));
  PetscCall(VecDuplicate(mode[0].right[0], &w));
  PetscCall(PartWeights(p, w));
  PetscCall(CreateGram(NULL, w, n, mode, g));
  PetscCall(CreateGram(p->m, NULL, n, mode, gram));
  PetscCall(PetscArraycpy(factor, gram, size * size));
  LAPACKsygv_(&kind, "V", "U", &size, g, &size, factor, &size, value, work, &work_size, &info);
  if (info == 0 && choose(n, parts, gram, g) == n) PetscCall(Combine(n, mode, g));
  PetscCall(VecDestroy(&w));
  PetscCall(PetscFree5(g, gram, factor, value, work));
  PetscFunctionReturn(0);
}

PetscErrorCode ModesSeparate(const Pencil *p, int count, Mode *mode) {
  PetscFunctionBegin;
  for (int i = 0, n; i < count; i += n) {
    n = modes_multiplicity(count - i, mode + i);
    if (n > 1) PetscCall(Separate(p, n, mode + i));
  }
  PetscFunctionReturn(0);
}
