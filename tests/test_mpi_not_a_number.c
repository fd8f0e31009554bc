// SPDX-License-Identifier: Apache-2.0
// A value that is no number on one rank: every rank, and any number of them, name the same joint or node.
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "base/cookie.h"
#include "check_petsc.h"
#include "model/refusal.h"
#include "rods.h"

#include "analyses/stepping/stepper.h"
#include "limber/limber.h"

#include <string.h>

enum { RODS = 12 };

static Stepper *stepper_of(LimberModel m) {
  Stepper *p;
  Refusal wrong;
  CHECK_OK(StepperCreate(
      m,
      &(LimberOptions){
          .cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_GENERALIZED_ALPHA, .rho_inf = 0.5, .step = 0.01},
      &p, &wrong));
  return p;
}

// Sets an entry of a vector of a model node wherever a rank has it.
static void put(const Layout *layout, Vec3 *of, LimberNodeId node, int i, double value) {
  PetscInt at = layout->local_node[node.index];
  if (at >= 0) of[4 * at + i].z = value;
}

TEST(the_largest_value_is_that_which_is_no_number_whatever_rank_has_it) {
  PetscMPIInt rank, size, found;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  for (int bad = 0; bad < size; bad++) {
    double value = rank == bad ? NAN : 1e300;
    PetscInt at = 10 * rank;
    CHECK_OK(ReduceLargest(PETSC_COMM_WORLD, &value, &at, &found));
    CHECK(isinf(value) && value > 0);
    CHECK_INT(at, 10 * bad);
    CHECK_INT(found, bad);
  }
  double same = 2; // all have it: the least, not the first rank's
  PetscInt at = 100 - rank;
  CHECK_OK(ReduceLargest(PETSC_COMM_WORLD, &same, &at, &found));
  CHECK_INT(at, 101 - size);
  CHECK_INT(found, 0);
}

TEST(an_array_is_summed_as_by_one_call) {
  double values[1000], expected[1000];
  PetscMPIInt rank;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  for (int i = 0; i < 1000; i++) values[i] = sin(i + rank);
  MPI_Allreduce(values, expected, 1000, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  CHECK_OK(ReduceArray(PETSC_COMM_WORLD, values, 1000, MPI_DOUBLE, MPI_SUM));
  CHECK_INT(memcmp(values, expected, sizeof values), 0);
}

TEST(a_gap_that_is_no_number_is_the_worst) {
  LimberModel m = chain_of_rods(RODS);
  for (int i = 1; i < RODS; i += 3) {
    Stepper *p = stepper_of(m);
    char expected[16];
    double gap;
    PetscInt joint;
    put(&p->s->motion.layout, p->s->motion.state.x, limber_model_find_node(m, "rod1"), 0, 1e6); // a large one elsewhere
    snprintf(expected, sizeof expected, "rod%d", i + 1);
    put(&p->s->motion.layout, p->s->motion.state.x, limber_model_find_node(m, expected), 0, NAN);
    CHECK_OK(MotionWorstGap(&p->s->motion, &gap, &joint));
    CHECK(isinf(gap));
    CHECK_INT(joint, limber_model_find_joint(m, expected).index); // its two joints are, and it is the first
    CHECK_OK(StepperDestroy(&p));
  }
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(a_residual_that_is_no_number_is_named_where_it_arises) {
  LimberModel m = chain_of_rods(RODS);
  for (int i = 1; i < RODS; i += 3) {
    Stepper *p = stepper_of(m);
    char rod[16], expected[64];
    LimberCause found = {0};
    PetscInt block;
    snprintf(rod, sizeof rod, "rod%d", i + 1);
    snprintf(expected, sizeof expected, "node '%s'", rod);
    CHECK_OK(MotionBeginStep(&p->s->motion, 0.01));
    put(&p->s->motion.layout, p->s->motion.state.v, limber_model_find_node(m, rod), 0, NAN);
    CHECK_OK(EquationsEvaluate(&p->s->motion, &p->s->equations, PETSC_TRUE));
    CHECK_OK(EquationsFindUnconstrained(&p->s->motion.layout, &p->s->equations, &block));
    if (CHECK(block >= 0)) CHECK_OK(LayoutNameBlock(&p->s->motion.layout, block, &found));
    CHECK_STR(found.name, expected);
    CHECK_INT(found.kind, LIMBER_CAUSE_NODE);
    CHECK_INT(found.index, limber_model_find_node(m, rod).index);
    CHECK_OK(StepperDestroy(&p));
  }
  CHECK_OK(LimberModelDestroy(&m));
}

CHECK_MAIN_PETSC
