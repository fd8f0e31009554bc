// SPDX-License-Identifier: Apache-2.0
// Models on parts of the ranks, in a program that starts MPI itself.
#include "check.h"
#include "check_leaks.h"

#include <limber/mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 50, VALUES = 8 };

// A chain of `links` rigid bodies on hinges that falls from the horizontal, on the ranks of a communicator: positions of
// the last link and energies.
static void run_chain(MPI_Comm comm, int links, double out[VALUES]) {
  LimberModel m;
  LimberRun run;
  LimberOutcome o = {0};
  LimberOptions options;
  LimberLedger l;
  LimberNodeId node = LIMBER_GROUND;
  CHECK(!LimberModelCreateOn(comm, &m));
  for (int i = 0; i < links; i++) {
    char name[20];
    double at[3] = {0.5 * (i + 1), 0, 0}, hinge_at[3] = {0.5 * i, 0, 0};
    LimberRigidBody body = limber_rigid_body_default();
    LimberRevolute hinge = limber_revolute_default();
    snprintf(name, sizeof name, "link%d", i);
    hinge.nodes[0] = node, hinge.axis[1] = 1, hinge.at = hinge_at;
    CHECK(!LimberModelAddFrame(m, name, at, NULL, &node));
    hinge.nodes[1] = body.node = node, body.mass = 1 + 0.1 * links;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.01;
    CHECK(!LimberModelAddRigidBody(m, name, &body, NULL));
    CHECK(!LimberModelAddRevolute(m, name, &hinge, NULL));
  }
  LimberGravity g = limber_gravity_default();
  g.acceleration[2] = -9.81;
  CHECK(!LimberModelAddGravity(m, "g", &g, NULL));
  options = limber_options_default();
  options.step = 2e-3;
  CHECK(!LimberRunCreate(m, &options, &run));
  CHECK_STR(limber_model_diagnostics(m), "");
  for (int i = 0; i < STEPS; i++) CHECK(!LimberRunStep(run, &o) && o.reason == LIMBER_CONVERGED);
  CHECK(!LimberRunGetNode(run, node, out, NULL, out + 3, NULL));
  CHECK(!LimberRunGetLedger(run, &l));
  out[6] = l.kinetic, out[7] = l.potential;
  CHECK(!LimberRunDestroy(&run));
  CHECK(!LimberModelDestroy(&m));
}

TEST(two_halves_run_two_models_at_the_same_time_with_the_bits_of_a_run_alone) {
  MPI_Comm half;
  int rank, size;
  double together[VALUES], alone[VALUES];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int second = 2 * rank >= size && size > 1, links = second ? 7 : 12;
  MPI_Comm_split(MPI_COMM_WORLD, second, rank, &half);
  run_chain(half, links, together); // no rank of the other half takes part
  for (int turn = 0; turn < 2; turn++) {
    if (turn == second) run_chain(half, links, alone);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  CHECK(!memcmp(together, alone, sizeof alone));
  CHECK_LT(together[2], -0.02);
  CHECK_NOTE("%d links fall by %.17g m", links, -together[2]);
  double other = together[2];
  MPI_Bcast(&other, 1, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  CHECK(size == 1 || second || other != together[2]); // the models are different
  MPI_Comm_free(&half);
}

static const char text[] = "limber: 1\n"
                           "nodes: {bob: [1, 0, 0]}\n"
                           "elements: [{rigid_body: {node: bob, mass: 1}}]\n"
                           "joints: [{revolute: {name: hinge, nodes: [ground, bob], axis: [0, 1, 0], at: [0, 0, 0]}}]\n"
                           "loads: [{gravity: {acceleration: [0, 0, -9.81]}}]\n"
                           "probes: [{name: bob, node: bob}]\n"
                           "run: {scheme: preserving, step: 1 ms, end: 20 ms}\n";

// One rank after the other reads a file and writes results with no help of the others.
TEST(a_rank_reads_a_model_and_writes_results_for_itself) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int turn = 0; turn < size; turn++) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (turn != rank) continue;
    char path[] = "/tmp/limber_comm_XXXXXX", results[64];
    LimberFile file;
    LimberRun run;
    LimberResults out;
    LimberHistory history, none;
    LimberOutcome o;
    double time[21], x[21];
    FILE *f = fdopen(mkstemp(path), "w");
    CHECK(f && fputs(text, f) >= 0 && !fclose(f));
    snprintf(results, sizeof results, "%s.h5", path);
    CHECK(!LimberFileReadOn(MPI_COMM_SELF, path, NULL, &file));
    CHECK_STR(limber_file_diagnostics(file), "");
    CHECK(!LimberFileStart(file, &run) && run);
    CHECK(!LimberResultsCreate(file, run, results, false, &out));
    for (int i = 0; i < 20; i++) {
      CHECK(!LimberRunStep(run, &o) && o.reason == LIMBER_CONVERGED);
      CHECK(!LimberResultsStep(out, run, &o));
    }
    CHECK(!LimberResultsClose(&out, run, LIMBER_COMPLETE));
    CHECK(!LimberRunDestroy(&run));
    CHECK(!LimberFileDestroy(&file));
    CHECK(!LimberHistoryOpen(results, &history));
    CHECK_INT(limber_history_rows(history), 21);
    CHECK_STR(limber_history_name(history, 0), "time");
    CHECK_STR(limber_history_units(history, limber_history_find(history, "bob.z")), "m");
    CHECK_INT(limber_history_find(history, "bob.w"), LIMBER_NONE);
    CHECK(!LimberHistoryRead(history, 0, 0, 21, time));
    CHECK(!LimberHistoryRead(history, limber_history_find(history, "bob.x"), 0, 21, x));
    CHECK_NEAR(time[20], 0.02, 1e-15);
    CHECK(x[0] == 1 && x[20] < 1 && x[20] > 0.999);
    limber_error_print(0);
    CHECK_INT(LimberHistoryRead(history, 0, 1, 21, time), LIMBER_ERROR_ARGUMENT);
    CHECK_INT(LimberHistoryOpen(path, &none), LIMBER_ERROR_FILE_OPEN);
    limber_error_print(1);
    CHECK(!LimberHistoryClose(&history));
    remove(path), remove(results);
  }
}

static void sum_ranks(int n[2]) { MPI_Allreduce(MPI_IN_PLACE, n, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD); }

// What the program started is there when Limber ends.
int main(int argc, char **argv) {
  int ended = 1;
  __lsan_disable(); // as check_petsc.h has it
  MPI_Init(&argc, &argv);
  int wrong = LimberInitialize(&argc, &argv);
  __lsan_enable();
  if (wrong) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &check.rank);
  check.sum = sum_ranks;
  int failed = check_run_all(argc, argv);
  if (LimberFinalize()) return 1;
  MPI_Finalized(&ended);
  if (ended) return fputs("FAIL MPI was ended\n", stderr), 1;
  __lsan_do_leak_check();
  MPI_Finalize();
  return failed;
}
