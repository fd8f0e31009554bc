// SPDX-License-Identifier: Apache-2.0
// One rank fails, and all get an error: from the same call, with the message of the rank that failed. Afterwards all of
// them can go on with another model.
#include "check_petsc.h"

#include "limber/limber.h"

#include <string.h>

static int last(void) {
  int size;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  return size - 1;
}

static bool fails_here(void) { return check.rank == last(); }

// ---- allocations of PETSc that fail ----

static int fails_at; // 1: the next one; 0: none
static PetscErrorCode (*usual_malloc)(size_t, PetscBool, int, const char *, const char *, void **);

static PetscErrorCode FailingMalloc(size_t size, PetscBool clear, int line, const char *function, const char *file,
                                    void **out) {
  *out = NULL;
  if (fails_at > 0 && --fails_at == 0)
    return PetscError(PETSC_COMM_SELF, line, function, "src/sys/memory/mal.c", line, PETSC_ERROR_INITIAL, NULL);
  return usual_malloc(size, clear, line, function, file, out);
}

static void fail_allocation(int n) {
  fails_at = fails_here() ? n : 0;
  usual_malloc = PetscTrMalloc, PetscTrMalloc = FailingMalloc;
}

static void allocate_again(void) { PetscTrMalloc = usual_malloc, fails_at = 0; }

// ---- a pendulum ----

static LimberModel pendulum(LimberNodeId *bob) {
  LimberModel m;
  LimberRigidBody body = limber_rigid_body_default();
  LimberRevolute hinge = limber_revolute_default();
  LimberGravity g = limber_gravity_default();
  CHECK_OK(LimberModelCreate(&m));
  LimberModelAddFrame(m, "bob", (double[]){1, 0, 0}, NULL, bob);
  body.node = *bob, body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
  LimberModelAddRigidBody(m, "bob", &body, NULL);
  hinge.nodes[0] = LIMBER_GROUND, hinge.nodes[1] = *bob, hinge.axis[1] = 1, hinge.at = (double[]){0, 0, 0};
  LimberModelAddRevolute(m, "hinge", &hinge, NULL);
  g.acceleration[2] = -9.81;
  LimberModelAddGravity(m, "g", &g, NULL);
  return m;
}

static void start(LimberModel m, LimberRun *run) {
  LimberOptions options = limber_options_default();
  options.step = 1e-3;
  CHECK_OK(LimberRunCreate(m, &options, run));
  CHECK_STR(limber_model_error(m), "");
}

static void fall(void) {
  LimberNodeId bob;
  LimberRun run;
  LimberOutcome o;
  double x[3];
  LimberModel m = pendulum(&bob);
  start(m, &run);
  for (int i = 0; i < 20; i++) CHECK_OK(LimberRunStep(run, &o));
  CHECK_OK(LimberRunGetNode(run, bob, x, NULL, NULL, NULL));
  CHECK(x[2] < -1e-3 && x[2] > -2e-3); // g t^2 / 2 / 1.1
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

// PETSc registers its types when it first needs them, and cannot do so again where memory is short then.
TEST(a_run_reaches_its_end) { fall(); }

// All ranks have this error, those that did not fail with the message of the one that did.
static void check_error(int error, int expected, const char *text) {
  char told[200];
  snprintf(told, sizeof told, fails_here() ? "%.0d%s" : "process %d failed: %s", fails_here() ? 0 : last(), text);
  CHECK_INT(error, expected);
  CHECK(strstr(limber_error(), text));
  if (!fails_here()) CHECK(!strncmp(limber_error(), told, strlen(told)));
}

TEST(a_model_that_one_rank_cannot_build_starts_on_none) {
  LimberNodeId bob;
  LimberRun run;
  LimberModel m = pendulum(&bob);
  LimberOptions options = limber_options_default();
  if (fails_here()) CHECK_INT(LimberModelAddSectionMesh(m, "mesh", NULL, NULL), LIMBER_ERROR_ARGUMENT);
  check_error(LimberRunCreate(m, &options, &run), LIMBER_ERROR_ARGUMENT, "a model, a name and a mesh are needed");
  CHECK(!run && *limber_model_error(m));
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(a_run_that_one_rank_has_no_memory_for_starts_on_none) {
  for (int n = 1; n <= 30; n++) { // up to the first matrix
    LimberNodeId bob;
    LimberRun run;
    LimberModel m = pendulum(&bob);
    LimberOptions options = limber_options_default();
    options.step = 1e-3;
    fail_allocation(n);
    int error = LimberRunCreate(m, &options, &run);
    allocate_again();
    check_error(error, LIMBER_ERROR_MEMORY, "out of memory: the process has");
    CHECK(!run);
    CHECK_OK(LimberModelDestroy(&m));
  }
}

TEST(a_wrong_argument_on_one_rank_is_an_error_on_all_and_the_run_goes_on) {
  LimberNodeId bob;
  LimberRun run;
  LimberSectionForces forces;
  double x[3];
  LimberModel m = pendulum(&bob);
  start(m, &run);
  check_error(LimberRunGetNode(run, fails_here() ? (LimberNodeId){7} : bob, x, NULL, NULL, NULL),
              PETSC_ERR_ARG_OUTOFRANGE, "no node 7");
  CHECK_INT(LimberRunGetForces(run, (LimberElementId){0}, 0, &forces), PETSC_ERR_ARG_OUTOFRANGE); // on all
  CHECK(!strncmp(limber_error(), "no such element", 15));
  CHECK_OK(LimberRunGetNode(run, bob, x, NULL, NULL, NULL));
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&m));
}

TEST(mistakes_of_one_rank_are_mistakes_of_all) {
  LimberNodeId bob;
  LimberRun run;
  LimberModel m = pendulum(&bob);
  LimberOptions options = limber_options_default();
  LimberRigidBody body = limber_rigid_body_default();
  body.node = bob, body.mass = fails_here() ? -1 : 1;
  CHECK_OK(LimberModelAddRigidBody(m, "second", &body, NULL));
  CHECK_OK(LimberRunCreate(m, &options, &run));
  CHECK(!run);
  CHECK(strstr(limber_model_error(m), fails_here() ? "mass" : "another process has mistakes in its model"));
  CHECK_OK(LimberModelDestroy(&m));
}

static const char good[] = "limber: 1\nnodes: {bob: [1, 0, 0]}\nelements: [{rigid_body: {node: bob, mass: 1}}]\n"
                           "run: {step: 1 ms, end: 20 ms}\n";

TEST(a_file_that_one_rank_cannot_use_is_an_error_on_all) {
  LimberFile file;
  LimberRun run;
  LimberReadOptions options = limber_read_options_default();
  options.text = fails_here() ? "limber: 1\nnode: {}\n" : good;
  CHECK_OK(LimberFileRead("model.yaml", &options, &file));
  CHECK_INT(limber_file_errors(file) > 0, fails_here());
  check_error(LimberFileStart(file, &run), PETSC_ERR_ARG_WRONGSTATE, "the model file has errors");
  CHECK_OK(LimberFileDestroy(&file));
  options.text = good;
  fail_allocation(1);
  int error = LimberFileRead("model.yaml", &options, &file);
  allocate_again();
  check_error(error, LIMBER_ERROR_MEMORY, "out of memory: the process has");
  CHECK(!file);
}

TEST(after_failures_a_run_reaches_its_end) { fall(); }

// Errors are expected here, and not printed.
int main(int argc, char **argv) {
  __lsan_disable();
  if (LimberInitialize(&argc, &argv)) return 1;
  limber_error_print(0);
  MPI_Comm_rank(PETSC_COMM_WORLD, &check.rank);
  check.sum = check_sum_ranks;
  int failed = check_run_all(argc, argv);
  return LimberFinalize() || failed;
}
