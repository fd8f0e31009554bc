// SPDX-License-Identifier: Apache-2.0
// Ranks know the same of a node or joint that several of them have, and the check of that finds a difference.
#include "check_petsc.h"

#include "analyses/stepping/saved_state.h"
#include "limber/limber.h"

static const char text[] = "limber: 1\n"
                           "nodes: {a: [0, 0, 0], b: [1, 0, 0], b2: [1, 0, 0], c: [2, 0, 0]}\n"
                           "sections: {strip: {E: 70 GPa, nu: 0.3, density: 2700, rectangle: [4 mm, 12 mm]}}\n"
                           "elements:\n"
                           "  - beam: {name: first, from: a, to: b, section: strip, up: [0, 1, 0], elements: 4}\n"
                           "  - beam: {name: second, from: b2, to: c, section: strip, up: [0, 1, 0], elements: 4}\n"
                           "joints:\n"
                           "  - clamp: {node: a}\n"
                           "  - revolute: {name: hinge, nodes: [b, b2], axis: [0, 1, 0], angle: {damping: 0.01}}\n"
                           "loads: [{gravity: {acceleration: [0, 0, -9.81]}}]\n"
                           "run: {step: 1 ms, end: 1 s}\n";

static void check_scheme(const char *scheme) {
  LimberFile file;
  LimberRun run;
  LimberOutcome o;
  LimberReadOptions read = limber_read_options_default();
  read.text = text, read.changes = 1, read.change = &scheme;
  CHECK_OK(LimberFileRead("chain", &read, &file));
  CHECK_STR(limber_file_diagnostics(file), "");
  CHECK_OK(LimberFileStart(file, &run));
  const Layout *l = &run->stepper->s->motion.layout;
  int ghosts = l->nnode > l->nnode_own ? check.rank : -1, last; // the last rank that has some
  MPI_Allreduce(&ghosts, &last, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  CHECK(last >= 0 || l->size == 1);
  for (int i = 0; i < 10; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    CHECK_OK(GhostsCheck(run->stepper));
  }
  if (last == check.rank) run->stepper->s->motion.state.v[4 * (l->nnode - 1)].x += 1e-15;
  CHECK_OK(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  CHECK_INT(GhostsCheck(run->stepper), l->size > 1 ? PETSC_ERR_PLIB : 0);
  CHECK_OK(PetscPopErrorHandler());
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberFileDestroy(&file));
}

TEST(ghosts_are_their_owners_and_a_difference_of_round_off_is_found) {
  check_scheme("run.scheme=preserving");
  check_scheme("run.scheme=decaying");
}

CHECK_MAIN_PETSC
