// SPDX-License-Identifier: Apache-2.0
// Refines the vectors of modes: multipliers, residual, norm and phase.
#include "analyses/modes/modes.h"

// ---- complex vectors as pairs ----

// x := (a + i b) x
static PetscErrorCode Multiply(double a, double b, Vec x[2]) {
  Vec re;
  PetscFunctionBegin;
  if (!x[1]) {
    PetscCall(VecScale(x[0], a));
    PetscFunctionReturn(0);
  }
  PetscCall(VecDuplicate(x[0], &re));
  PetscCall(VecCopy(x[0], re));
  PetscCall(VecAXPBY(x[0], -b, a, x[1]));
  PetscCall(VecAXPBY(x[1], b, a, re));
  PetscCall(VecDestroy(&re));
  PetscFunctionReturn(0);
}

PetscErrorCode ModesComplexProduct(Mat a, const Vec x[2], const Vec y[2], double out[2]) {
  Vec ay;
  PetscScalar part;
  PetscFunctionBegin;
  out[0] = out[1] = 0;
  PetscCall(VecDuplicate(y[0], &ay));
  for (int j = 0; j < 2; j++) {
    if (!y[j]) continue;
    PetscCall(MatMult(a, y[j], ay));
    PetscCall(VecDot(x[0], ay, &part));
    out[j] += part;
    if (!x[1]) continue;
    PetscCall(VecDot(x[1], ay, &part));
    out[1 - j] += j == 0 ? -part : part;
  }
  PetscCall(VecDestroy(&ay));
  PetscFunctionReturn(0);
}

// ---- inverse iteration ----

// Copies the multipliers of joints from one vector to another.
static PetscErrorCode CopyMultipliers(const Layout *layout, const Switches *switches, Vec from, Vec to) {
  const double *p;
  double *q;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(from, &p));
  PetscCall(VecGetArray(to, &q));
  for (PetscInt j = 0; j < layout->njoint; j++) {
    const Joint *joint = switches_model_joint(layout, switches, layout->joint[j]);
    PetscInt first = 3 * layout->joint_block[j];
    if (layout->joint_block[j] < 0 || layout->joint_block[j] >= layout->nblock_own) continue;
    for (int r = 0; r < joint->rows.nrow; r++) q[first + r] = p[first + r];
    for (int c = 0; c < joint->ncoord; c++) // a basis may lack them
      if (q[first + joint->rows.nrow + c] == 0) q[first + joint->rows.nrow + c] = p[first + joint->rows.nrow + c];
  }
  PetscCall(VecRestoreArrayRead(from, &p));
  PetscCall(VecRestoreArray(to, &q));
  PetscFunctionReturn(0);
}

// x = -(lambda - shift) P(shift)^-1 ((lambda + shift) M + D) x gives the multipliers of x. The rest of x is kept: if
// the shift is far from lambda, such a step amplifies errors along modes nearer to the shift.
static PetscErrorCode FindMultipliers(Pencil *p, bool transpose, double re, double im, Vec x[2]) {
  Vec f[2] = {NULL, NULL}, work;
  double sum[2] = {re + p->shift, im};
  PetscFunctionBegin;
  PetscCall(VecDuplicate(x[0], &work));
  for (int i = 0; i < 2; i++) {
    if (!x[i]) continue;
    PetscCall(VecDuplicate(x[0], &f[i]));
    PetscCall(VecCopy(x[i], work));
    PetscCall(VecScale(work, sum[0]));
    if (x[1 - i]) PetscCall(VecAXPY(work, i == 0 ? -sum[1] : sum[1], x[1 - i]));
    PetscCall(MatMult(p->m, work, f[i]));
    if (!p->d) continue;
    if (transpose) PetscCall(MatMultTranspose(p->d, x[i], work));
    else PetscCall(MatMult(p->d, x[i], work));
    PetscCall(VecAXPY(f[i], 1, work));
  }
  for (int i = 0; i < 2; i++) {
    if (!x[i]) continue;
    PetscCall(VecCopy(f[i], work));
    PetscCall(PencilSolve(p, transpose, work, f[i]));
  }
  PetscCall(Multiply(-(re - p->shift), -im, f));
  for (int i = 0; i < 2; i++) {
    if (x[i]) PetscCall(CopyMultipliers(&p->s->motion.layout, &p->s->motion.switches, f[i], x[i]));
    PetscCall(VecDestroy(&f[i]));
  }
  PetscCall(VecDestroy(&work));
  PetscFunctionReturn(0);
}

// |x^H r| over the energies of x, with the residual r = P(lambda) x.
static PetscErrorCode FindEnergyResidual(const Pencil *p, const Mode *mode, const Vec r[2], double *out) {
  double square = mode->re * mode->re + mode->im * mode->im, own[2] = {0, 0}, k[2], m[2];
  PetscReal part;
  PetscFunctionBegin;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      if (!r[i] || !mode->right[j]) continue;
      PetscCall(VecDot(mode->right[j], r[i], &part));
      own[i == j ? 0 : 1] += i == j ? part : i == 1 ? part : -part;
    }
  PetscCall(ModesComplexProduct(p->k, mode->right, mode->right, k));
  PetscCall(ModesComplexProduct(p->m, mode->right, mode->right, m));
  *out = hypot(own[0], own[1]) / (hypot(k[0], k[1]) + square * m[0]);
  PetscFunctionReturn(0);
}

// |e| over |x| in the mass norm, e = P(shift)^-1 P(lambda) x, without the factor by which it amplifies modes near the
// shift. `weight`: square roots of masses.
static PetscErrorCode FindVectorResidual(const Pencil *p, const Mode *mode, Vec weight, const Vec e[2], double *out) {
  double square = mode->re * mode->re + mode->im * mode->im, shift = p->square ? p->shift : p->shift * p->shift;
  PetscReal part, above = 0, below = 0;
  Vec weighted;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(weight, &weighted));
  for (int i = 0; i < 2 && e[i]; i++) {
    PetscCall(VecPointwiseMult(weighted, weight, e[i]));
    PetscCall(VecNorm(weighted, NORM_2, &part));
    above += part * part;
    PetscCall(VecPointwiseMult(weighted, weight, mode->right[i]));
    PetscCall(VecNorm(weighted, NORM_2, &part));
    below += part * part;
  }
  *out = PetscSqrtReal(above / PetscMax(below, 1e-300)) * PetscMin(1, PetscAbsReal(shift) / square);
  PetscCall(VecDestroy(&weighted));
  PetscFunctionReturn(0);
}

enum { SIDE_BY_SIDE = 8 }; // modes whose residuals are found together

// The larger of both residuals of each mode.
static PetscErrorCode FindResiduals(Pencil *p, int count, Mode *mode) {
  Vec r[SIDE_BY_SIDE][2] = {{NULL}}, all[2 * SIDE_BY_SIDE], weight;
  double part = 0;
  int n = 0;
  PetscFunctionBegin;
  PetscCall(MatCreateVecs(p->m, &weight, NULL));
  PetscCall(PencilWeights(p, weight));
  for (int k = 0; k < count; k++) {
    for (int i = 0; i < 2 && mode[k].right[i]; i++) {
      PetscCall(VecDuplicate(weight, &r[k][i]));
      all[n++] = r[k][i];
    }
    PetscCall(PencilApply(p, false, mode[k].re, mode[k].im, mode[k].right, r[k]));
    PetscCall(FindEnergyResidual(p, &mode[k], r[k], &mode[k].residual));
  }
  PetscCall(PencilSolveAll(p, n, all));
  for (int k = 0; k < count; k++) {
    PetscCall(FindVectorResidual(p, &mode[k], weight, r[k], &part));
    mode[k].residual = PetscMax(mode[k].residual, part);
    for (int i = 0; i < 2; i++) PetscCall(VecDestroy(&r[k][i]));
  }
  PetscCall(VecDestroy(&weight));
  PetscFunctionReturn(0);
}

// Without dampers, -omega^2 x^H M x + omega x^H (iD) x + x^H K x = 0 gives the eigenvalue to twice the digits of the
// vector.
static PetscErrorCode QuotientOfGyroscopic(const Pencil *p, Mode *mode) {
  double m[2], d[2], k[2], root, omega;
  PetscFunctionBegin;
  if (!p->symmetric || !p->gyroscopic || mode->is_real || PetscAbsReal(mode->re) > 1e-5 * mode->im)
    PetscFunctionReturn(0);
  PetscCall(ModesComplexProduct(p->m, mode->right, mode->right, m));
  PetscCall(ModesComplexProduct(p->d, mode->right, mode->right, d));
  PetscCall(ModesComplexProduct(p->k, mode->right, mode->right, k));
  root = d[1] * d[1] + 4 * m[0] * k[0];
  if (!(root >= 0) || !(m[0] > 0)) PetscFunctionReturn(0);
  root = PetscSqrtReal(root);
  omega = (-d[1] + root) / (2 * m[0]); // lambda = i omega, x^H D x = i d
  if (PetscAbsReal(omega - mode->im) > PetscAbsReal((-d[1] - root) / (2 * m[0]) - mode->im))
    omega = (-d[1] - root) / (2 * m[0]);
  if (PetscAbsReal(omega - mode->im) < 1e-5 * mode->im) mode->im = omega, mode->re = 0;
  PetscFunctionReturn(0);
}

PetscErrorCode ModesPolish(Pencil *p, bool quadratic, int count, Mode *mode) {
  PetscFunctionBegin;
  for (int i = 0; i < count && quadratic; i++) {
    Mode *m = &mode[i];
    PetscCall(FindMultipliers(p, false, m->re, m->im, m->right));
    if (p->d) PetscCall(QuotientOfGyroscopic(p, m));
    if (m->left[0]) PetscCall(FindMultipliers(p, true, m->re, -m->im, m->left));
  }
  for (int i = 0; i < count; i += SIDE_BY_SIDE)
    PetscCall(FindResiduals(p, PetscMin(SIDE_BY_SIDE, count - i), mode + i));
  PetscFunctionReturn(0);
}

// ---- norm and phase ----

// The largest displacement as a complex number, the first in the model among those within 1e-6 of it; the largest
// rotation if nothing is displaced.
static PetscErrorCode LargestComponent(const Layout *layout, const Mode *mode, double out[2]) {
  const double *q[2] = {NULL, NULL};
  double most[2] = {0, 0};
  PetscInt64 least = PETSC_MAX_INT;
  PetscFunctionBegin;
  for (int i = 0; i < 2; i++)
    if (mode->right[i]) PetscCall(VecGetArrayRead(mode->right[i], &q[i]));
  for (int pass = 0; pass < 2; pass++) { // the size, then which
    int turns = most[0] > 1e-9 * layout->length * most[1] ? 0 : 1;
    for (PetscInt i = 1; i < layout->nnode_own; i++)
      for (int k = 0; k < 3 * node_blocks(model_node(layout->model, layout->node[i])->kind); k++) {
        PetscInt at = 3 * layout->node_block[i] + k;
        if (layout->node_block[i] < 0 || layout_is_abstract(layout, i)) continue;
        double size = q[1] ? hypot(q[0][at], q[1][at]) : PetscAbsReal(q[0][at]);
        if (pass == 0) most[k / 3] = PetscMax(most[k / 3], size);
        else if (k / 3 == turns && size > (1 - 1e-6) * most[turns])
          least = PetscMin(least, 6 * (PetscInt64)layout->node[i] + k);
      }
    if (pass == 0) PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, layout->comm));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPIU_INT64, MPI_MIN, layout->comm));
  out[0] = out[1] = 0;
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    if ((PetscInt64)layout->node[i] == least / 6 && layout->node_block[i] >= 0)
      for (int j = 0; j < 2 && q[j]; j++) out[j] = q[j][3 * layout->node_block[i] + least % 6];
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, out, 2, MPI_DOUBLE, MPI_SUM, layout->comm));
  for (int i = 0; i < 2; i++)
    if (mode->right[i]) PetscCall(VecRestoreArrayRead(mode->right[i], &q[i]));
  PetscFunctionReturn(0);
}

PetscErrorCode ModeNormalise(const Pencil *p, Mode *mode) {
  double m[2], at[2], size;
  PetscFunctionBegin;
  PetscCall(LargestComponent(&p->s->motion.layout, mode, at));
  PetscCall(ModesComplexProduct(p->m, mode->right, mode->right, m));
  size = hypot(at[0], at[1]) * PetscSqrtReal(m[0]);
  if (size > 0) PetscCall(Multiply(at[0] / size, -at[1] / size, mode->right));
  PetscFunctionReturn(0);
}
