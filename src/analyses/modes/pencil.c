// SPDX-License-Identifier: Apache-2.0
// The matrices of the eigenvalue problem, solutions with P(shift), and start vectors.
#include "analyses/modes/modes.h"

// ---- matrices ----

// Rows of own joints that contain only the unknown itself: prescribed, redundant, or padding of a block.
static PetscErrorCode FindIdleRows(const Motion *motion, PetscInt *count, PetscInt **row) {
  PetscInt n = 0;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(motion->layout.nblock_own * 3, row));
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    const Joint *joint = switches_model_joint(&motion->layout, &motion->switches, motion->layout.joint[j]);
    PetscInt block = motion->layout.joint_block[j];
    if (block < 0 || block >= motion->layout.nblock_own) continue;
    for (int r = 0; r < 3 * joint_blocks(joint); r++) {
      bool idle = r < joint->rows.nrow                   ? motion->row_off[j][r]
                  : r < joint->rows.nrow + joint->ncoord ? joint->prescribed[r - joint->rows.nrow]
                                                         : true;
      if (idle) (*row)[n++] = 3 * (motion->layout.first_block + block) + r;
    }
  }
  *count = n;
  PetscFunctionReturn(0);
}

// A copy as AIJ, without the columns of idle unknowns.
static PetscErrorCode Prepare(Mat from, PetscInt count, const PetscInt *row, double diagonal, Mat *out) {
  PetscFunctionBegin;
  PetscCall(MatConvert(from, MATAIJ, MAT_INITIAL_MATRIX, out));
  PetscCall(MatSetOption(*out, MAT_KEEP_NONZERO_PATTERN, PETSC_TRUE));
  PetscCall(MatSetOption(*out, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_FALSE));
  PetscCall(MatZeroRowsColumns(*out, count, row, diagonal, NULL, NULL));
  PetscFunctionReturn(0);
}

// The largest entry of each own row.
static PetscErrorCode LargestOfRows(Mat a, double *out) {
  PetscInt first, last, n;
  const PetscScalar *value;
  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(a, &first, &last));
  for (PetscInt i = first; i < last; i++) {
    out[i - first] = 0;
    PetscCall(MatGetRow(a, i, &n, NULL, &value));
    for (PetscInt k = 0; k < n; k++) out[i - first] = PetscMax(out[i - first], PetscAbsReal(value[k]));
    PetscCall(MatRestoreRow(a, i, &n, NULL, &value));
  }
  PetscFunctionReturn(0);
}

// Whether no entry of `a` is larger than `part` of the largest of its row in K.
static PetscErrorCode IsSmall(Mat a, Mat k, double part, bool *small) {
  PetscInt first, last;
  double *of_a, *of_k;
  int large = 0;
  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(a, &first, &last));
  PetscCall(PetscMalloc2(last - first, &of_a, last - first, &of_k));
  PetscCall(LargestOfRows(a, of_a));
  PetscCall(LargestOfRows(k, of_k));
  for (PetscInt i = 0; i < last - first; i++) large |= of_a[i] > part * of_k[i];
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &large, 1, MPI_INT, MPI_LOR, PetscObjectComm((PetscObject)a)));
  PetscCall(PetscFree2(of_a, of_k));
  *small = !large;
  PetscFunctionReturn(0);
}

static PetscErrorCode IsSymmetric(Mat a, bool *symmetric, Mat *skew) {
  PetscFunctionBegin;
  PetscCall(MatTranspose(a, MAT_INITIAL_MATRIX, skew));
  PetscCall(MatAYPX(*skew, -1, a, UNKNOWN_NONZERO_PATTERN));
  PetscCall(IsSmall(*skew, a, 1e-10, symmetric));
  PetscFunctionReturn(0);
}

// Without follower loads, K of an equilibrium is symmetric up to round-off and Newton's residual: makes it exactly so.
static PetscErrorCode Symmetrise(Pencil *p) {
  Mat skew;
  PetscFunctionBegin;
  PetscCall(IsSymmetric(p->k, &p->symmetric, &skew));
  if (p->symmetric) PetscCall(MatAXPY(p->k, -0.5, skew, UNKNOWN_NONZERO_PATTERN));
  PetscCall(MatDestroy(&skew));
  PetscFunctionReturn(0);
}

// The inverse mass of a coordinate that a row of K defines as c z + sum b_i u_i = 0: sum (b_i/c)^2/m_i.
static PetscErrorCode InverseMass(Mat k, PetscInt row, PetscInt coordinate, const double *mass, double *out) {
  PetscInt n;
  const PetscInt *col;
  const PetscScalar *value;
  double c = 0;
  PetscFunctionBegin;
  *out = 0;
  PetscCall(MatGetRow(k, row, &n, &col, &value));
  for (PetscInt i = 0; i < n; i++)
    if (col[i] == coordinate) c = value[i];
  for (PetscInt i = 0; i < n && c != 0; i++)
    if (mass[col[i]] > 0) *out += value[i] * value[i] / (c * c * mass[col[i]]);
  PetscCall(MatRestoreRow(k, row, &n, &col, &value));
  PetscFunctionReturn(0);
}

// Includes springs along the coordinates of joints in `stiffest`.
static PetscErrorCode FindStiffestJoint(Pencil *p, Vec mass) {
  const Motion *motion = &p->s->motion;
  VecScatter scatter;
  const double *m;
  Vec all;
  int springs = 0;
  PetscFunctionBegin;
  for (PetscInt j = 0; j < motion->layout.njoint; j++)
    for (int c = 0; c < MAX_COORDS; c++)
      springs |= law_acts(&switches_model_joint(&motion->layout, &motion->switches, motion->layout.joint[j])->law[c]);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &springs, 1, MPI_INT, MPI_LOR, motion->layout.comm));
  if (!springs) PetscFunctionReturn(0);
  PetscCall(VecScatterCreateToAll(mass, &scatter, &all));
  PetscCall(VecScatterBegin(scatter, mass, all, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(scatter, mass, all, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGetArrayRead(all, &m));
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    const Joint *joint = switches_model_joint(&motion->layout, &motion->switches, motion->layout.joint[j]);
    PetscInt first = 3 * (motion->layout.first_block + motion->layout.joint_block[j]);
    if (motion->layout.joint_block[j] < 0 || motion->layout.joint_block[j] >= motion->layout.nblock_own) continue;
    for (int c = 0; c < joint->ncoord; c++) {
      PetscInt z = first + joint->rows.nrow + c;
      PetscScalar stiffness;
      if (!law_acts(&joint->law[c]) || joint->prescribed[c]) continue;
      PetscCall(MatGetValues(p->k, 1, &z, 1, &z, &stiffness));
      for (int r = 0; r < joint->rows.nrow; r++) {
        double inverse;
        PetscCall(InverseMass(p->k, first + r, z, m, &inverse));
        p->stiffest = PetscMax(p->stiffest, PetscAbsReal(stiffness) * inverse);
      }
    }
  }
  PetscCall(VecRestoreArrayRead(all, &m));
  PetscCall(VecScatterDestroy(&scatter));
  PetscCall(VecDestroy(&all));
  PetscFunctionReturn(0);
}

// Includes the square of the fastest nutation in `stiffest`: the spin of wheels holds bodies without stiffness, too.
static PetscErrorCode FindFastestWheel(Pencil *p, PetscInt n, const double *m) {
  double *d;
  PetscFunctionBegin;
  if (!p->d || !p->s->motion.layout.model->wheels.count) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(n, &d));
  PetscCall(LargestOfRows(p->d, d));
  for (PetscInt i = 0; i < n; i++)
    if (m[i] > 0) p->stiffest = PetscMax(p->stiffest, PetscSqr(d[i] / m[i]));
  PetscCall(PetscFree(d));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindStiffest(Pencil *p) {
  const double *k, *m;
  PetscInt n;
  Vec a, b;
  PetscFunctionBegin;
  PetscCall(MatCreateVecs(p->k, &a, &b));
  PetscCall(MatGetDiagonal(p->k, a));
  PetscCall(MatGetDiagonal(p->m, b));
  PetscCall(VecGetLocalSize(a, &n));
  PetscCall(VecGetArrayRead(a, &k));
  PetscCall(VecGetArrayRead(b, &m));
  p->stiffest = 0;
  for (PetscInt i = 0; i < n; i++)
    if (m[i] > 0) p->stiffest = PetscMax(p->stiffest, PetscAbsReal(k[i]) / m[i]);
  PetscCall(FindFastestWheel(p, n, m));
  PetscCall(VecRestoreArrayRead(a, &k));
  PetscCall(VecRestoreArrayRead(b, &m));
  PetscCall(FindStiffestJoint(p, b));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &p->stiffest, 1, MPI_DOUBLE, MPI_MAX, PetscObjectComm((PetscObject)p->k)));
  if (!(p->stiffest > 0)) p->stiffest = 1;
  PetscCall(VecDestroy(&a));
  PetscCall(VecDestroy(&b));
  PetscFunctionReturn(0);
}

// `dampers` false: of Coriolis forces alone.
static PetscErrorCode CreateD(Pencil *p, PetscInt count, const PetscInt *row, bool dampers) {
  Mat c, g, skew;
  bool undamped;
  PetscFunctionBegin;
  PetscCall(CreateDamping(&p->s->motion, &p->s->equations, &p->spin, &c));
  PetscCall(Prepare(c, count, row, 0, &p->d));
  PetscCall(MatDestroy(&c));
  PetscCall(IsSmall(p->d, p->k, 1e-14, &undamped)); // it is a difference of two tangents
  undamped = !dampers || (undamped && !p->s->motion.layout.damped_mass);
  p->gyroscopic = undamped;
  if (undamped) PetscCall(MatZeroEntries(p->d));
  bool turns = layout_has_gyroscopic(&p->s->motion.layout, &p->spin);
  if (turns) {
    PetscCall(CreateGyroscopic(&p->s->motion, &p->spin, &c));
    PetscCall(MatConvert(c, MATAIJ, MAT_INITIAL_MATRIX, &g));
    PetscCall(MatAXPY(p->d, 1, g, UNKNOWN_NONZERO_PATTERN));
    PetscCall(MatDestroy(&c));
    PetscCall(MatDestroy(&g));
  }
  if (undamped && !turns) PetscCall(MatDestroy(&p->d));
  if (p->d) PetscCall(IsSymmetric(p->d, &p->even, &skew));
  if (p->d) PetscCall(MatDestroy(&skew));
  PetscFunctionReturn(0);
}

PetscErrorCode PencilCreateUndamped(System *s, const Spin *spin, Mat stiffness, Mat mass, Pencil *p) {
  PetscInt count = 0, *row = NULL;
  PetscFunctionBegin;
  *p = (Pencil){.s = s, .spin = spin ? *spin : (Spin){.rate = 0}, .even = true};
  PetscCall(FindIdleRows(&s->motion, &count, &row));
  PetscCall(Prepare(stiffness, count, row, 1, &p->k));
  PetscCall(Symmetrise(p));
  PetscCall(MatConvert(mass, MATAIJ, MAT_INITIAL_MATRIX, &p->m));
  PetscCall(FindStiffest(p));
  PetscCall(PetscFree(row));
  PetscFunctionReturn(0);
}

// Multi-blade coordinates change whether matrices are symmetric.
static PetscErrorCode TurnBlades(Pencil *p) {
  Mat skew;
  PetscFunctionBegin;
  PetscCall(PencilMakeMultiblade(p));
  PetscCall(Symmetrise(p));
  PetscCall(IsSymmetric(p->d, &p->even, &skew));
  PetscCall(MatDestroy(&skew));
  PetscFunctionReturn(0);
}

PetscErrorCode PencilCreate(System *s, const Spin *spin, LimberDamped damped, Pencil *p) {
  PetscInt count = 0, *row = NULL;
  Mat k, m;
  PetscFunctionBegin;
  PetscCall(CreateStiffness(&s->motion, &s->equations, spin, &k));
  PetscCall(CreateMass(&s->motion.layout, &s->motion.state, &m));
  PetscCall(PencilCreateUndamped(s, spin, k, m, p));
  PetscCall(MatDestroy(&k));
  PetscCall(MatDestroy(&m));
  PetscCall(FindIdleRows(&s->motion, &count, &row));
  bool dampers = damped != LIMBER_DAMPED_NO;
  if (dampers || p->spin.rotor) PetscCall(CreateD(p, count, row, dampers));
  if (p->spin.rotor) PetscCall(TurnBlades(p));
  PetscCall(PetscFree(row));
  PetscFunctionReturn(0);
}

PetscErrorCode PencilDestroy(Pencil *p) {
  PetscFunctionBegin;
  PetscCall(MatDestroy(&p->k));
  PetscCall(MatDestroy(&p->d));
  PetscCall(MatDestroy(&p->m));
  PetscCall(MatDestroy(&p->shifted));
  PetscCall(KSPDestroy(&p->ksp));
  PetscFunctionReturn(0);
}

// ---- solutions ----

static PetscErrorCode CreateSolver(Pencil *p) {
  PetscInt n;
  KSP own;
  PC pc;
  PetscFunctionBegin;
  PetscCall(MatGetSize(p->k, &n, NULL));
  PetscCall(KSPCreate(p->s->motion.layout.comm, &p->ksp));
  PetscCall(KSPSetOptionsPrefix(p->ksp, "limber_modes_"));
  PetscCall(KSPSetErrorIfNotConverged(p->ksp, PETSC_FALSE));
  own = p->ksp;
  if (p->s->motion.layout.size > 1 && n <= EACH_FOR_ITSELF) {
    PetscCall(KSPSetOperators(p->ksp, p->shifted, p->shifted));
    PetscCall(KSPSetType(p->ksp, KSPPREONLY));
    PetscCall(KSPGetPC(p->ksp, &pc));
    PetscCall(PCSetType(pc, PCREDUNDANT));
    PetscCall(PCRedundantGetKSP(pc, &own));
  }
  if (p->symmetric && p->square && p->s->motion.layout.is_wide) PetscCall(SolverUseSymmetric(own));
  else PetscCall(SolverUseLU(own));
  PetscCall(KSPSetFromOptions(p->ksp));
  PetscFunctionReturn(0);
}

PetscErrorCode PencilFactor(Pencil *p, double shift, bool square, bool *good) {
  KSPConvergedReason reason;
  Vec b, x;
  PetscReal norm;
  PetscFunctionBegin;
  PetscCall(KSPDestroy(&p->ksp));
  PetscCall(MatDestroy(&p->shifted));
  p->shift = shift, p->square = square;
  PetscCall(MatDuplicate(p->k, MAT_COPY_VALUES, &p->shifted));
  if (!square && p->d) PetscCall(MatAXPY(p->shifted, shift, p->d, UNKNOWN_NONZERO_PATTERN));
  PetscCall(MatAXPY(p->shifted, square ? -shift : shift * shift, p->m, UNKNOWN_NONZERO_PATTERN));
  PetscCall(CreateSolver(p));
  PetscCall(KSPSetOperators(p->ksp, p->shifted, p->shifted));
  PetscCall(MatCreateVecs(p->k, &b, &x));
  PetscCall(PencilStart(p, 0, x));
  PetscCall(MatMult(p->m, x, b));
  PetscCall(KSPSolve(p->ksp, b, x));
  PetscCall(KSPGetConvergedReason(p->ksp, &reason));
  PetscCall(VecNorm(x, NORM_2, &norm));
  *good = reason >= 0 && !PetscIsInfOrNanReal(norm);
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscFunctionReturn(0);
}

PetscErrorCode PencilSolve(Pencil *p, bool transpose, Vec b, Vec x) {
  PetscFunctionBegin;
  if (transpose) PetscCall(KSPSolveTranspose(p->ksp, b, x));
  else PetscCall(KSPSolve(p->ksp, b, x));
  PetscFunctionReturn(0);
}

PetscErrorCode PencilSolveAll(Pencil *p, int count, const Vec *x) {
  PetscInt own;
  Mat b, solution;
  Vec column;
  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(p->k, &own, NULL));
  PetscCall(MatCreateDense(p->s->motion.layout.comm, own, PETSC_DECIDE, PETSC_DETERMINE, count, NULL, &b));
  for (int i = 0; i < count; i++) {
    PetscCall(MatDenseGetColumnVecWrite(b, i, &column));
    PetscCall(VecCopy(x[i], column));
    PetscCall(MatDenseRestoreColumnVecWrite(b, i, &column));
  }
  PetscCall(MatDuplicate(b, MAT_DO_NOT_COPY_VALUES, &solution));
  PetscCall(KSPMatSolve(p->ksp, b, solution));
  for (int i = 0; i < count; i++) {
    PetscCall(MatDenseGetColumnVecRead(solution, i, &column));
    PetscCall(VecCopy(column, x[i]));
    PetscCall(MatDenseRestoreColumnVecRead(solution, i, &column));
  }
  PetscCall(MatDestroy(&b));
  PetscCall(MatDestroy(&solution));
  PetscFunctionReturn(0);
}

// out += f A x
static PetscErrorCode AddProduct(Mat a, bool transpose, double f, Vec x, Vec work, Vec out) {
  PetscFunctionBegin;
  if (!a || !x || f == 0) PetscFunctionReturn(0);
  if (transpose) PetscCall(MatMultTranspose(a, x, work));
  else PetscCall(MatMult(a, x, work));
  PetscCall(VecAXPY(out, f, work));
  PetscFunctionReturn(0);
}

PetscErrorCode PencilApply(const Pencil *p, bool transpose, double re, double im, const Vec x[2], const Vec out[2]) {
  const double square[2] = {re * re - im * im, 2 * re * im}, lambda[2] = {re, im}, one[2] = {1, 0};
  const double *factor[3] = {one, lambda, square};
  Mat a[3] = {p->k, p->d, p->m};
  Vec work;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(x[0], &work));
  for (int i = 0; i < 2; i++) {
    if (!out[i]) continue;
    PetscCall(VecZeroEntries(out[i]));
    for (int k = 0; k < 3; k++) { // (f + i g)(x + i y) = f x - g y + i (g x + f y)
      PetscCall(AddProduct(a[k], transpose, factor[k][i], x[0], work, out[i]));
      PetscCall(AddProduct(a[k], transpose, i == 0 ? -factor[k][1] : factor[k][0], x[1], work, out[i]));
    }
  }
  PetscCall(VecDestroy(&work));
  PetscFunctionReturn(0);
}

// ---- vectors ----

PetscErrorCode PencilWeights(const Pencil *p, Vec out) {
  double *w;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(MatGetDiagonal(p->m, out));
  PetscCall(VecGetLocalSize(out, &n));
  PetscCall(VecGetArray(out, &w));
  for (PetscInt i = 0; i < n; i++) w[i] = PetscSqrtReal(PetscMax(0, w[i]));
  PetscCall(VecRestoreArray(out, &w));
  PetscFunctionReturn(0);
}

PetscErrorCode PencilMassive(const Pencil *p, PetscInt *count) {
  const double *w;
  PetscInt n;
  PetscInt64 sum = 0;
  Vec weight;
  PetscFunctionBegin;
  PetscCall(MatCreateVecs(p->m, &weight, NULL));
  PetscCall(PencilWeights(p, weight));
  PetscCall(VecGetLocalSize(weight, &n));
  PetscCall(VecGetArrayRead(weight, &w));
  for (PetscInt i = 0; i < n; i++) sum += w[i] > 0;
  PetscCall(VecRestoreArrayRead(weight, &w));
  PetscCall(VecDestroy(&weight));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPIU_INT64, MPI_SUM, p->s->motion.layout.comm));
  *count = (PetscInt)sum;
  PetscFunctionReturn(0);
}

// The largest entry of each own row of D, or, in `out`, the larger one.
static PetscErrorCode RaiseToRows(Mat d, double *out) {
  double *row;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(d, &n, NULL));
  PetscCall(PetscMalloc1(n, &row));
  PetscCall(LargestOfRows(d, row));
  for (PetscInt i = 0; i < n; i++) out[i] = PetscMax(out[i], row[i]);
  PetscCall(PetscFree(row));
  PetscFunctionReturn(0);
}

PetscErrorCode PencilDampedMassless(const Pencil *p, Vec *damper, PetscInt *count) {
  const Layout *layout = &p->s->motion.layout;
  const double *w;
  PetscInt64 sum = 0;
  double *d, size;
  Mat transposed;
  Vec weight, out;
  PetscFunctionBegin;
  PetscCall(MatCreateVecs(p->m, &weight, &out));
  PetscCall(VecZeroEntries(out));
  if (p->d) {
    PetscCall(MatNorm(p->d, NORM_INFINITY, &size));
    PetscCall(MatTranspose(p->d, MAT_INITIAL_MATRIX, &transposed));
    PetscCall(PencilWeights(p, weight));
    PetscCall(VecGetArrayRead(weight, &w));
    PetscCall(VecGetArray(out, &d));
    PetscCall(RaiseToRows(p->d, d));
    PetscCall(RaiseToRows(transposed, d));
    for (PetscInt i = 0; i < 3 * layout->nblock_own; i++) {
      if (layout->block_node[i / 3] < 0 || w[i] > 0 || !(d[i] > 1e-12 * size)) d[i] = 0;
      sum += d[i] > 0;
    }
    PetscCall(VecRestoreArray(out, &d));
    PetscCall(VecRestoreArrayRead(weight, &w));
    PetscCall(MatDestroy(&transposed));
  }
  PetscCall(VecDestroy(&weight));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPIU_INT64, MPI_SUM, layout->comm));
  if (count) *count = (PetscInt)sum;
  if (damper) *damper = out;
  else PetscCall(VecDestroy(&out));
  PetscFunctionReturn(0);
}

// A pseudo-random number in -1 .. 1 from a counter (splitmix64).
static double scatter(uint64_t i) {
  i += 0x9e3779b97f4a7c15u;
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
  i ^= i >> 31;
  return (double)(i >> 11) / 4503599627370496.0 - 1;
}

PetscErrorCode PencilStart(const Pencil *p, int seed, Vec out) {
  const Layout *layout = &p->s->motion.layout;
  double *x;
  Vec weight;
  const double *w;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(out, &weight));
  PetscCall(PencilWeights(p, weight));
  PetscCall(VecZeroEntries(out));
  PetscCall(VecGetArrayRead(weight, &w));
  PetscCall(VecGetArray(out, &x));
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    for (int k = 0, size = 3 * node_blocks(model_node(layout->model, layout->node[i])->kind);
         k < size && layout->node_block[i] >= 0; k++) {
      PetscInt at = 3 * layout->node_block[i] + k;
      if (w[at] > 0) x[at] = scatter(6 * (uint64_t)layout->node[i] + (uint64_t)k + ((uint64_t)seed << 40)) / w[at];
    }
  PetscCall(VecRestoreArray(out, &x));
  PetscCall(VecRestoreArrayRead(weight, &w));
  PetscCall(VecDestroy(&weight));
  PetscFunctionReturn(0);
}
