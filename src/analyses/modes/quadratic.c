// SPDX-License-Identifier: Apache-2.0
// Solves P(lambda) x = 0 with the Krylov-Schur method on z = (x, v), v = lambda x, for
//   S (x0, v0) = (x, shift x + x0),   P(shift) x = -(M v0 + (D + shift M) x0),
// whose eigenvalues are 1/(lambda - shift). All vectors satisfy the joints, so infinite eigenvalues do not contribute.
// Entries are weighted with the square roots of the masses, v with the lowest |lambda|: the norm is an energy.
// Multipliers have no weight; those of x follow from the rest. What was found is removed from the space and the search
// is repeated, as in symmetric.c; the eigenvectors are those of S on the whole space that was found.
#include "analyses/modes/modes.h"

#include "solvers/krylov.h"

#include <petscblaslapack.h>

typedef struct {
  Pencil *p;
  bool transpose;
  double scale; // of v
  Vec weight, halves[2], force, x, work;
  Vec both;   // a vector z
  PetscInt n; // own rows of x
} Operator;

// Gives a small weight to what has no mass but may have a damper: unknowns of nodes, and coordinates of joints.
static PetscErrorCode FillWeights(const Layout *layout, const Switches *switches, Vec weight) {
  double *w, slide = 1e-3 * PetscSqrtReal(PetscMax(layout->total_mass, 1e-30)), turn = slide * layout->length;
  PetscFunctionBegin;
  PetscCall(VecGetArray(weight, &w));
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    for (int k = 0; k < 3 * node_blocks(model_node(layout->model, layout->node[i])->kind); k++) {
      PetscInt at = 3 * layout->node_block[i] + k;
      if (layout->node_block[i] >= 0 && !(w[at] > 0)) w[at] = k < 3 ? slide : turn;
    }
  for (PetscInt j = 0; j < layout->njoint; j++) {
    const Joint *joint = switches_model_joint(layout, switches, layout->joint[j]);
    if (layout->joint_block[j] < 0 || layout->joint_block[j] >= layout->nblock_own) continue;
    for (int c = 0; c < joint->ncoord; c++)
      if (!joint->prescribed[c]) w[3 * layout->joint_block[j] + joint->rows.nrow + c] = slide;
  }
  PetscCall(VecRestoreArray(weight, &w));
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateOperator(Pencil *p, bool transpose, Operator *o) {
  PetscFunctionBegin;
  *o = (Operator){.p = p, .transpose = transpose, .scale = p->shift};
  PetscCall(MatCreateVecs(p->k, &o->x, &o->force));
  PetscCall(VecDuplicate(o->x, &o->weight));
  PetscCall(VecDuplicate(o->x, &o->work));
  for (int i = 0; i < 2; i++) PetscCall(VecDuplicate(o->x, &o->halves[i]));
  PetscCall(PencilWeights(p, o->weight));
  PetscCall(VecGetLocalSize(o->x, &o->n));
  PetscCall(VecCreateMPI(p->s->motion.layout.comm, 2 * o->n, PETSC_DETERMINE, &o->both));
  PetscCall(FillWeights(&p->s->motion.layout, &p->s->motion.switches, o->weight));
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroyOperator(Operator *o) {
  PetscFunctionBegin;
  PetscCall(VecDestroy(&o->weight));
  PetscCall(VecDestroy(&o->force));
  PetscCall(VecDestroy(&o->x));
  PetscCall(VecDestroy(&o->work));
  PetscCall(VecDestroy(&o->both));
  for (int i = 0; i < 2; i++) PetscCall(VecDestroy(&o->halves[i]));
  PetscFunctionReturn(0);
}

// Splits z into its halves, without weights.
static PetscErrorCode TakeApart(const Operator *o, Vec z) {
  const double *q, *w;
  double *h;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(z, &q));
  PetscCall(VecGetArrayRead(o->weight, &w));
  for (int half = 0; half < 2; half++) {
    PetscCall(VecGetArray(o->halves[half], &h));
    for (PetscInt i = 0; i < o->n; i++) h[i] = w[i] > 0 ? q[half * o->n + i] * (half ? o->scale : 1) / w[i] : 0;
    PetscCall(VecRestoreArray(o->halves[half], &h));
  }
  PetscCall(VecRestoreArrayRead(o->weight, &w));
  PetscCall(VecRestoreArrayRead(z, &q));
  PetscFunctionReturn(0);
}

static PetscErrorCode PutTogether(const Operator *o, Vec z) {
  const double *h, *w;
  double *q;
  PetscFunctionBegin;
  PetscCall(VecGetArray(z, &q));
  PetscCall(VecGetArrayRead(o->weight, &w));
  for (int half = 0; half < 2; half++) {
    PetscCall(VecGetArrayRead(o->halves[half], &h));
    for (PetscInt i = 0; i < o->n; i++) q[half * o->n + i] = h[i] * w[i] / (half ? o->scale : 1);
    PetscCall(VecRestoreArrayRead(o->halves[half], &h));
  }
  PetscCall(VecRestoreArrayRead(o->weight, &w));
  PetscCall(VecRestoreArray(z, &q));
  PetscFunctionReturn(0);
}

// (x, v) of the halves becomes S (x, v).
static PetscErrorCode Invert(const Operator *o) {
  const Pencil *p = o->p;
  Vec x0 = o->halves[0], v0 = o->halves[1];
  PetscFunctionBegin;
  PetscCall(VecCopy(v0, o->work));
  PetscCall(VecAXPY(o->work, p->shift, x0));
  PetscCall(MatMult(p->m, o->work, o->force));
  if (p->d) {
    if (o->transpose) PetscCall(MatMultTranspose(p->d, x0, o->work));
    else PetscCall(MatMult(p->d, x0, o->work));
    PetscCall(VecAXPY(o->force, 1, o->work));
  }
  PetscCall(PencilSolve(o->p, o->transpose, o->force, o->x));
  PetscCall(VecCopy(x0, v0));
  PetscCall(VecAXPY(v0, -p->shift, o->x)); // x is the negative of what was solved for
  PetscCall(VecCopy(o->x, x0));
  PetscCall(VecScale(x0, -1));
  PetscFunctionReturn(0);
}

// Estimates the lowest |lambda| from v = lambda x after a few steps of inverse iteration.
static PetscErrorCode FindScale(Operator *o) {
  PetscReal size[2];
  PetscFunctionBegin;
  for (int half = 0; half < 2; half++) PetscCall(PencilStart(o->p, 100 + half, o->halves[half]));
  PetscCall(VecScale(o->halves[1], o->p->shift));
  for (int i = 0; i < 4; i++) PetscCall(Invert(o));
  for (int half = 0; half < 2; half++) {
    PetscCall(VecPointwiseMult(o->work, o->weight, o->halves[half]));
    PetscCall(VecNorm(o->work, NORM_2, &size[half]));
  }
  o->scale = PetscMax(o->p->shift, size[0] > 0 ? size[1] / size[0] : 0);
  PetscFunctionReturn(0);
}

static PetscErrorCode ApplyOperator(void *self, Vec from, Vec to) {
  const Operator *o = self;
  PetscFunctionBegin;
  PetscCall(TakeApart(o, from));
  PetscCall(Invert(o));
  PetscCall(PutTogether(o, to));
  PetscFunctionReturn(0);
}

// ---- the space ----

typedef struct { // an invariant space, orthonormal
  int count;
  Vec *v;
  double *size; // |theta| found with each
  bool failed;  // a search broke down
  bool lost;    // a search from vectors that are there found none
} Space;

static PetscErrorCode DestroySpace(Space *q) {
  PetscFunctionBegin;
  for (int i = 0; i < q->count; i++) PetscCall(VecDestroy(&q->v[i]));
  PetscCall(PetscFree(q->v));
  PetscCall(PetscFree(q->size));
  PetscFunctionReturn(0);
}

// A start vector that satisfies the joints, in x and v, without what is known; `some`: false if
// only round-off is left, no more than `least`.
static PetscErrorCode StartVector(Operator *o, int round, const Space *q, Vec start, double least, bool *some) {
  Vec other;
  PetscReal norm;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(start, &other));
  for (int half = 0; half < 2; half++) PetscCall(PencilStart(o->p, 2 * round + half, o->halves[half]));
  PetscCall(VecScale(o->halves[1], o->scale));
  PetscCall(PutTogether(o, start));
  for (int i = 0; i < 2; i++) {
    PetscCall(ApplyOperator(o, start, other));
    PetscCall(VecNorm(other, NORM_2, &norm));
    PetscCall(VecScale(other, norm > 0 ? 1 / norm : 1));
    PetscCall(VecCopy(other, start));
  }
  for (int i = 0; i < 2 * q->count; i++) {
    PetscScalar part;
    PetscCall(VecDot(q->v[i % q->count], start, &part));
    PetscCall(VecAXPY(start, -part, q->v[i % q->count]));
  }
  PetscCall(VecNorm(start, NORM_2, &norm));
  *some = norm > least;
  PetscCall(VecDestroy(&other));
  PetscFunctionReturn(0);
}

// w becomes orthogonal to some vectors; its size before and after that.
static PetscErrorCode Orthogonalise(int count, Vec *v, Vec w, PetscReal size[2]) {
  PetscScalar part;
  PetscFunctionBegin;
  PetscCall(VecNorm(w, NORM_2, &size[0]));
  for (int i = 0; i < 2 * count; i++) {
    PetscCall(VecDot(v[i % count], w, &part));
    PetscCall(VecAXPY(w, -part, v[i % count]));
  }
  PetscCall(VecNorm(w, NORM_2, &size[1]));
  PetscFunctionReturn(0);
}

// The space that a start vector spans with its images, if it has fewer than `most` dimensions: it is added to `q`. A model
// with few masses has so few modes; beyond them Krylov-Schur would find round-off.
static PetscErrorCode ExhaustSpace(Operator *o, Vec start, int most, Space *q, bool *exhausted) {
  int first = q->count;
  PetscReal size[2];
  PetscFunctionBegin;
  *exhausted = false;
  PetscCall(PetscRealloc((size_t)(first + most + 1) * sizeof *q->v, &q->v));
  PetscCall(PetscRealloc((size_t)(first + most + 1) * sizeof *q->size, &q->size));
  PetscCall(VecDuplicate(start, &q->v[q->count]));
  PetscCall(VecCopy(start, q->v[q->count]));
  while (!*exhausted && q->count < first + most) {
    Vec next;
    PetscCall(VecNormalize(q->v[q->count], NULL));
    q->size[q->count++] = PETSC_INFINITY;
    PetscCall(VecDuplicate(start, &next));
    PetscCall(ApplyOperator(o, q->v[q->count - 1], next));
    PetscCall(Orthogonalise(q->count, q->v, next, size));
    *exhausted = !(size[1] > 1e-9 * size[0]);
    if (*exhausted) PetscCall(VecDestroy(&next));
    else q->v[q->count] = next;
  }
  for (int i = first; i <= q->count && !*exhausted; i++) PetscCall(VecDestroy(&q->v[i]));
  if (!*exhausted) q->count = first;
  PetscFunctionReturn(0);
}

static PetscErrorCode SearchSpace(Operator *o, int round, int count, Space *q, double *largest, bool *exhausted) {
  KrylovSearch search = {ApplyOperator, o, .count = count, .tolerance = 1e-12, .limit = 100};
  KrylovResult found = {0};
  bool some = false;
  PetscFunctionBegin;
  *largest = 0;
  PetscCall(VecDuplicate(o->both, &search.start));
  PetscCall(StartVector(o, round, q, search.start, *exhausted ? 1e-7 : 1e-10, &some));
  *exhausted = false;
  if (some) PetscCall(ExhaustSpace(o, search.start, count, q, exhausted));
  search.known = q->count, search.known_vector = q->v;
  if (some && !*exhausted) PetscCall(KrylovFind(&search, &found));
  q->failed = q->failed || found.failed, q->lost = some && !*exhausted && !found.count && !q->count;
  if (*exhausted) *largest = PETSC_INFINITY;
  PetscCall(PetscRealloc((size_t)(q->count + found.count + 1) * sizeof *q->v, &q->v));
  PetscCall(PetscRealloc((size_t)(q->count + found.count + 1) * sizeof *q->size, &q->size));
  for (int i = 0; i < found.count; i++) {
    PetscCall(VecDuplicate(search.start, &q->v[q->count]));
    PetscCall(VecCopy(found.vector[i], q->v[q->count]));
    q->size[q->count++] = hypot(found.re[i], found.im[i]);
    *largest = PetscMax(*largest, hypot(found.re[i], found.im[i]));
  }
  PetscCall(KrylovDestroy(&found));
  PetscCall(VecDestroy(&search.start));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindSpace(Operator *o, int count, Space *q) {
  double largest, *size, reach;
  bool exhausted = false, all;
  PetscFunctionBegin;
  PetscCall(SearchSpace(o, 0, count, q, &largest, &exhausted));
  for (int round = 1; round < 20 && largest > 0 && (exhausted || q->count >= count); round++) {
    PetscCall(PetscMalloc1(q->count, &size));
    PetscCall(PetscArraycpy(size, q->size, q->count));
    PetscCall(PetscSortReal(q->count, size));
    all = exhausted, reach = all ? 0 : size[q->count - count];
    PetscCall(PetscFree(size));
    PetscCall(SearchSpace(o, round, all ? count : PetscMin(count, 4), q, &largest, &exhausted));
    if (!all && largest < reach) break;
  }
  PetscFunctionReturn(0);
}

// ---- modes ----

// x of z = sum_i c_i v_i
static PetscErrorCode ExpandSpace(const Operator *o, const Space *q, const double *c, double sign, Vec z, Vec out) {
  PetscFunctionBegin;
  PetscCall(VecZeroEntries(z));
  for (int i = 0; i < q->count; i++) PetscCall(VecAXPY(z, sign * c[i], q->v[i]));
  PetscCall(TakeApart(o, z));
  PetscCall(VecCopy(o->halves[0], out));
  PetscFunctionReturn(0);
}

// Modes of S on the space, or their left vectors if the operator is transposed.
static PetscErrorCode SolveOnSpace(Operator *o, const Space *q, ModeList *out) {
  PetscBLASInt n = (PetscBLASInt)q->count, info, size = 8 * n + 64, one = 1;
  double *t, *re, *im, *right, *work, none, shift = o->p->shift;
  Vec z;
  PetscFunctionBegin;
  PetscCall(PetscMalloc5(n * n, &t, n, &re, n, &im, n * n, &right, size, &work));
  PetscCall(VecDuplicate(o->both, &z));
  for (PetscBLASInt i = 0; i < n; i++) {
    PetscCall(ApplyOperator(o, q->v[i], z));
    PetscCall(VecMDot(z, n, q->v, t + n * i));
  }
  LAPACKgeev_("N", "V", &n, t, &n, re, im, &none, &one, right, &n, work, &size, &info);
  for (PetscBLASInt i = 0; i < n && info == 0; i++) {
    double size2 = re[i] * re[i] + im[i] * im[i];
    Mode *mode;
    if (im[i] < 0 || !(size2 > 0)) continue;
    PetscCall(ModeListAdd(out, o->p, shift + re[i] / size2, im[i] / size2, &mode)); // the conjugate of shift + 1/theta
    mode->is_real = im[i] == 0;
    PetscCall(ExpandSpace(o, q, right + n * i, 1, z, mode->right[0]));
    if (mode->is_real) continue;
    PetscCall(VecDuplicate(mode->right[0], &mode->right[1]));
    PetscCall(ExpandSpace(o, q, right + n * (i + 1), -1, z, mode->right[1]));
  }
  PetscCall(VecDestroy(&z));
  PetscCall(PetscFree5(t, re, im, right, work));
  PetscFunctionReturn(0);
}

PetscErrorCode ModesQuadratic(Pencil *p, int count, bool transpose, ModeList *out) {
  Operator o;
  Space q = {0};
  PetscFunctionBegin;
  PetscCall(CreateOperator(p, transpose, &o));
  PetscCall(FindScale(&o));
  PetscCall(FindSpace(&o, 2 * count, &q));
  out->failed = q.failed, out->lost = q.lost;
  if (q.count && !q.failed) PetscCall(SolveOnSpace(&o, &q, out));
  PetscCall(DestroySpace(&q));
  PetscCall(DestroyOperator(&o));
  PetscFunctionReturn(0);
}
