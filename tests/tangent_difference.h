// SPDX-License-Identifier: Apache-2.0
// The assembled tangent of a step that begins against central differences of the assembled residual.
#ifndef LIMBER_TESTS_TANGENT_DIFFERENCE_H
#define LIMBER_TESTS_TANGENT_DIFFERENCE_H

#include "assembly/evaluate.h"
#include "check_petsc.h"

#include "analyses/stepping/stepper.h"

static double noise(unsigned *seed) { // in -1 .. 1
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 23) - 1;
}

// Unknowns that only fill a joint's last block are zero at all times.
static void clear_padding(const Layout *layout, double *a) {
  for (PetscInt j = 0; j < layout->njoint; j++) {
    const Joint *q = &model_joint(layout->model, layout->joint[j])->joint;
    int own = 3 * joint_blocks(q), all = 3 * layout_joint_blocks(layout, layout->joint[j]);
    for (int i = 0; i < all && layout->joint_primary[j]; i++)
      for (int k = 0; k < layout->rule->tableau.s; k++)
        if (i < own ? i >= joint_unknowns(q) : i - own >= q->nprojection)
          a[(layout->joint_block[j] + i / 3) * layout->bs + 3 * k + i % 3] = 0;
  }
}

// The largest difference, of the derivative itself, along random directions at random unknowns of up to `size`.
static double tangent_difference(System *s, double size, double e) {
  Vec x, d, plus, minus;
  unsigned seed = 99;
  PetscReal error, norm, worst = 0;
  PetscInt n;
  double *a;
  CHECK_OK(VecDuplicate(s->equations.residual, &x));
  CHECK_OK(VecDuplicate(x, &d));
  CHECK_OK(VecDuplicate(x, &plus));
  CHECK_OK(VecDuplicate(x, &minus));
  CHECK_OK(VecGetLocalSize(x, &n));
  for (int trial = 0; trial < 3; trial++) {
    for (int which = 0; which < 2; which++) {
      CHECK_OK(VecGetArray(which ? d : x, &a));
      for (PetscInt i = 0; i < n; i++) a[i] = (which ? 1 : size) * noise(&seed);
      clear_padding(&s->motion.layout, a);
      CHECK_OK(VecRestoreArray(which ? d : x, &a));
    }
    CHECK_OK(VecCopy(x, s->equations.unknown));
    CHECK_OK(EquationsEvaluate(&s->motion, &s->equations, PETSC_TRUE));
    CHECK_OK(MatMult(s->equations.matrix.tangent, d, s->linear.increment));
    for (int sign = -1; sign < 2; sign += 2) {
      CHECK_OK(VecWAXPY(s->equations.unknown, sign * e, d, x));
      CHECK_OK(EquationsEvaluate(&s->motion, &s->equations, PETSC_FALSE));
      CHECK_OK(VecCopy(s->equations.residual, sign < 0 ? minus : plus));
    }
    CHECK_OK(VecAXPY(plus, -1, minus));
    CHECK_OK(VecAXPBY(plus, -1, 1 / (2 * e), s->linear.increment));
    CHECK_OK(VecNorm(plus, NORM_INFINITY, &error));
    CHECK_OK(VecNorm(s->linear.increment, NORM_INFINITY, &norm));
    worst = PetscMax(worst, error / norm);
  }
  CHECK_OK(VecDestroy(&x));
  CHECK_OK(VecDestroy(&d));
  CHECK_OK(VecDestroy(&plus));
  CHECK_OK(VecDestroy(&minus));
  return worst;
}

#endif
