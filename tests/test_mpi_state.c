// SPDX-License-Identifier: Apache-2.0
// Saved states (analyses/stepping/state.def): a run that goes back takes the same steps again, bit for bit, and a state that does not fit
// is refused.
#include "check_petsc.h"

#include "analyses/stepping/saved_state.h"
#include "limber/limber.h"

#include <math.h>
#include <string.h>

// A motor with speed control drives a rack, which lets go at a height; the stamp falls on a ball that slides on a rough floor. A beam
// with a damper and a stop swings beside them.
static const char text[] =
    "limber: 1\n"
    "nodes:\n"
    "  stamp: [0, 0, 0.1]\n"
    "  wheel: [0.2, 0, 0.6]\n"
    "  ball: {at: [1, 0, 0.0501], kind: point, velocity: [1, 0, -0.1]}\n"
    "  root: [3, 0, 0]\n"
    "  tip: [3.5, 0, 0]\n"
    "elements:\n"
    "  - rigid_body: {name: stamp, node: stamp, mass: 20, inertia: [0.2, 0.2, 0.2]}\n"
    "  - rigid_body: {name: wheel, node: wheel, mass: 10, inertia: [0.1, 0.2, 0.1]}\n"
    "  - mass: {name: ball, node: ball, mass: 1}\n"
    "  - beam: {name: arm, from: root, to: tip, section: bar, elements: 3}\n"
    "sections:\n"
    "  bar: {circle: {diameter: 10 mm}, material: nylon}\n"
    "materials:\n"
    "  nylon: {E: 2e9, nu: 0.3, density: 2000}\n"
    "joints:\n"
    "  - prismatic: {name: guide, nodes: [ground, stamp], axis: [0, 0, 1]}\n"
    "  - revolute: {name: shaft, nodes: [ground, wheel], axis: [0, 1, 0]}\n"
    "  - rack_and_pinion: {name: rack, pinion: shaft, rack: guide, radius: 0.1}\n"
    "  - revolute: {name: hinge, nodes: [ground, root], axis: [0, 1, 0], angle: {damping: 0.01, friction: {kinetic: "
    "0.02, stiffness: 100}}}\n"
    "surfaces:\n"
    "  - sphere: {name: shoe, node: stamp, radius: 0.099}\n"
    "  - sphere: {name: ball, node: ball, radius: 0.05}\n"
    "  - plane: {name: floor, normal: [0, 0, 1]}\n"
    "contacts:\n"
    "  - contact: {name: blow, surfaces: [shoe, ball], with: floor, stiffness: 2e5, friction: 0.3, stick_stiffness: "
    "1e4}\n"
    "functions:\n"
    "  push: {signal: {value: 1}}\n"
    "control:\n"
    "  torque: {pid: {input: 3 - shaft.rate, kp: 200, ki: 20}}\n"
    "loads:\n"
    "  - gravity: {acceleration: [0, 0, -9.81]}\n"
    "  - joint_force: {name: motor, joint: shaft, amplitude: torque}\n"
    "  - force: {name: push, node: tip, direction: [0, 0, 1], amplitude: push}\n"
    "events:\n"
    "  - coordinate: {name: drop, joint: guide, slide: 7 mm, direction: rising, do: {release: rack}}\n"
    "probes:\n"
    "  - {name: shaft, joint: shaft, record: [angle, rate]}\n"
    "run: {step: 1 ms, end: 1}\n";

typedef struct {
  LimberFile file;
  LimberRun run;
} Mill;

static Mill mill_of(const char *scheme, const char *control) {
  const char *change[] = {scheme, control};
  Mill m = {0};
  LimberReadOptions read = limber_read_options_default();
  read.text = text, read.changes = control ? 2 : 1, read.change = change;
  CHECK_OK(LimberFileRead("mill", &read, &m.file));
  CHECK_STR(limber_file_diagnostics(m.file), "");
  if (limber_file_errors(m.file)) return m;
  CHECK_OK(LimberFileStart(m.file, &m.run));
  CHECK_STR(limber_model_diagnostics(limber_file_model(m.file)), "");
  return m;
}

static void mill_end(Mill *m) {
  CHECK_OK(LimberRunDestroy(&m->run));
  CHECK_OK(LimberFileDestroy(&m->file));
}

static void take_steps(LimberRun run, int count) {
  LimberOutcome o;
  for (int i = 0; i < count; i++) {
    CHECK_OK(LimberRunStep(run, &o));
    if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) return;
  }
}

static void save_state(LimberRun run, StateCopy *c) {
  void *data = c->data;
  CHECK_OK(LimberRunSave(run, &data, &c->size));
  c->data = data;
}

static void free_state(StateCopy *c) {
  void *data = c->data;
  limber_state_free(&data);
  c->data = data;
  CHECK(!data);
}

// On all ranks.
static bool are_same(LimberRun run, const StateCopy *a, const StateCopy *b) {
  const char *array = state_copies_differ(run->stepper, a, b);
  int other = array != NULL;
  if (array) CHECK_NOTE("the states differ in '%s'", array);
  MPI_Allreduce(MPI_IN_PLACE, &other, 1, MPI_INT, MPI_LOR, PETSC_COMM_WORLD);
  return !other;
}

static const char *const schemes[] = {"run.scheme=decaying", "run.scheme=preserving"}; // that have contacts and events
enum { SCHEMES = sizeof schemes / sizeof *schemes };

TEST(a_run_that_goes_back_takes_the_same_steps_to_the_bit) {
  for (int k = 0; k < 2 * SCHEMES; k++) {
    bool chooses = k >= SCHEMES;
    Mill m = mill_of(schemes[k % SCHEMES], chooses ? "run.control={loss: 1 kW}" : NULL);
    StateCopy start = {0}, end = {0}, again = {0};
    int happened = 0;
    if (!m.run) return;
    for (int from = 0; from < 60; from += 20) {
      if (from) take_steps(m.run, 10);
      save_state(m.run, &start);
      int before = limber_run_events(m.run);
      take_steps(m.run, 10);
      save_state(m.run, &end);
      happened += limber_run_events(m.run) - before;
      CHECK_OK(LimberRunRestore(m.run, start.data, start.size));
      CHECK_INT(limber_run_events(m.run), before);
      save_state(m.run, &again);
      CHECK(are_same(m.run, &start, &again));
      take_steps(m.run, 10);
      save_state(m.run, &again);
      CHECK(are_same(m.run, &end, &again));
    }
    CHECK(happened == 1 || chooses);
    CHECK_NOTE("%s: %zu bytes, %d events in steps that were repeated", schemes[k % SCHEMES], start.size, happened);
    free_state(&start), free_state(&end), free_state(&again);
    mill_end(&m);
  }
}

TEST(another_run_of_the_model_goes_on_from_a_state) {
  Mill a = mill_of(schemes[0], NULL), b = mill_of(schemes[0], NULL);
  StateCopy state = {0}, other = {0};
  if (!a.run || !b.run) return;
  LimberModel model = limber_file_model(a.file), second = limber_file_model(b.file);
  CHECK_OK(LimberModelSetSignal(model, limber_model_find_function(model, "push"), 3));
  take_steps(a.run, 25);
  take_steps(b.run, 3);
  save_state(a.run, &state);
  CHECK_OK(LimberRunRestore(b.run, state.data, state.size));
  CHECK_NEAR(model_amplitude(second, limber_model_find_function(second, "push").index, 0), 3, 0);
  take_steps(a.run, 10), take_steps(b.run, 10);
  save_state(a.run, &state), save_state(b.run, &other);
  CHECK(are_same(a.run, &state, &other));
  free_state(&state), free_state(&other);
  mill_end(&a), mill_end(&b);
}

TEST(a_state_that_does_not_fit_is_refused_and_changes_nothing) {
  Mill a = mill_of(schemes[0], NULL), b = mill_of(schemes[1], NULL);
  StateCopy state = {0}, before = {0}, after = {0};
  if (!a.run || !b.run) return;
  take_steps(a.run, 2), take_steps(b.run, 3);
  save_state(a.run, &state), save_state(b.run, &before);
  CHECK_OK(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  CHECK(LimberRunRestore(b.run, state.data, state.size));       // of another scheme
  CHECK(LimberRunRestore(b.run, before.data, before.size - 8)); // not all of it
  CHECK(LimberRunRestore(b.run, "nonsense", 8));
  CHECK_OK(PetscPopErrorHandler());
  save_state(b.run, &after);
  CHECK(are_same(b.run, &before, &after));
  free_state(&state), free_state(&before), free_state(&after);
  mill_end(&a), mill_end(&b);
}

// Steps to a time: how many it takes.
static int steps_to(LimberRun run, double time) {
  LimberOutcome o = {0};
  int count = 0;
  while (limber_run_time(run) < time && count < 100) {
    CHECK_OK(LimberRunStepTo(run, time, &o));
    if (!CHECK_INT(o.reason, LIMBER_CONVERGED)) break;
    CHECK_NEAR(o.time, limber_run_time(run), 0);
    count++;
  }
  return count;
}

TEST(a_step_ends_at_a_time_at_the_latest) {
  for (int k = 0; k < SCHEMES; k++) {
    Mill a = mill_of(schemes[k], NULL), b = mill_of(schemes[k], NULL);
    StateCopy state = {0}, other = {0};
    LimberLedger ledger;
    LimberOutcome o;
    if (!a.run || !b.run) return;
    take_steps(a.run, 7);
    CHECK_INT(steps_to(b.run, 0.0069999999), 7); // the end of a step, up to round-off
    save_state(a.run, &state), save_state(b.run, &other);
    CHECK(are_same(a.run, &state, &other));
    CHECK_INT(steps_to(a.run, 0.0093), 3); // 1, 1 and 0.3 ms
    CHECK_NEAR(limber_run_time(a.run), 0.0093, 0);
    CHECK_INT(steps_to(a.run, 0.0113), 2); // counted from there
    CHECK_NEAR(limber_run_time(a.run), 0.0113, 1e-17);
    save_state(a.run, &state);
    steps_to(a.run, 0.0235);
    save_state(a.run, &other);
    CHECK_OK(LimberRunGetLedger(a.run, &ledger));
    CHECK_NEAR(ledger.worst_residual / ledger.exchanged, 0, 1e-9);
    CHECK_OK(LimberRunRestore(a.run, state.data, state.size));
    steps_to(a.run, 0.0235);
    save_state(a.run, &state);
    CHECK(are_same(a.run, &state, &other));
    CHECK_OK(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    CHECK(LimberRunStepTo(a.run, 0.0235, &o)); // it is there already
    CHECK(LimberRunStepTo(a.run, NAN, &o));
    CHECK_OK(PetscPopErrorHandler());
    free_state(&state), free_state(&other);
    mill_end(&a), mill_end(&b);
  }
}

CHECK_MAIN_PETSC
