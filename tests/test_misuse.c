// SPDX-License-Identifier: Apache-2.0
// The public interface given what is none: NULL, numbers that are no numbers, files that are no results. Each call that
// returns a code returns one that is not 0, with words; each that returns a value returns one.
#include "check_petsc.h"

#include "limber/limber.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const char pendulum[] =
    "limber: 1\nnodes: {p: {at: [-1, 0, 0], kind: point}}\nelements: [mass: {node: p, mass: 1}]\n"
    "functions: {push: {signal: {}}}\njoints: [distance: {nodes: [ground, p]}]\n"
    "loads: [gravity: {acceleration: [0, 0, -9.81]}]\nrun: {scheme: decaying, step: 1 ms, end: 1}\n";

static bool told(int code, const char *words) {
  if (!code || !strstr(limber_error(), words)) CHECK_NOTE("code %d: '%s'", code, limber_error());
  return code && strstr(limber_error(), words);
}

// Words of errors are kept, not printed.
static void begin(void) {
  CHECK_INT(LimberInitialize(NULL, NULL), 0);
  limber_error_print(0);
}

static void end(void) {
  limber_error_print(1);
  CHECK_INT(LimberFinalize(), 0);
}

TEST(null_is_an_error_with_words) {
  LimberOutcome o;
  LimberLedger ledger;
  LimberRun run = NULL;
  LimberFile file = NULL;
  LimberRecord record = NULL;
  LimberResults results = NULL;
  LimberHistory history = NULL;
  double x[9];
  begin();
  CHECK(told(LimberRunStep(NULL, &o), "LimberRunStep is given NULL for run"));
  CHECK(told(LimberRunCreate(NULL, NULL, &run), "NULL for model"));
  CHECK(told(LimberRunGetLedger(NULL, &ledger), "NULL for run"));
  CHECK(told(LimberRunGetNode(NULL, 0, x, x, x, x), "NULL for run"));
  CHECK(told(LimberRunGetMomentum(NULL, x, x), "NULL for run"));
  CHECK(told(LimberFileRead(NULL, NULL, 0, NULL, &file), "NULL for path"));
  CHECK(told(LimberFileRead("a", "limber: 1", 3, NULL, &file), "3 changes are announced"));
  CHECK(told(LimberFileStart(NULL, &run), "NULL for f"));
  CHECK(told(LimberRecordCreate(NULL, &record), "NULL for f"));
  CHECK(told(LimberResultsCreate(NULL, NULL, NULL, &results), "NULL for f"));
  CHECK(told(LimberHistoryOpen(NULL, &history), "is given NULL"));
  CHECK(told(LimberModelSetSignal(NULL, 0, 1), "is given NULL"));
  CHECK(told(LimberAgree(NULL, 0), "needs a text"));
  CHECK_INT(LimberRunDestroy(&run) + LimberFileDestroy(&file) + LimberHistoryClose(&history), 0);
  CHECK_INT(LimberRunDestroy(NULL) + LimberFileDestroy(NULL) + LimberHistoryClose(NULL), 0);
  CHECK(isnan(limber_run_time(NULL)) && limber_file_errors(NULL) == 1 && !limber_file_model(NULL));
  CHECK(limber_history_rows(NULL) == 0 && !limber_history_name(NULL, 0) && limber_record_columns(NULL) == 0);
  end();
}

TEST(numbers_that_are_none_are_errors_with_words) {
  LimberFile file = NULL;
  LimberRun run = NULL;
  double x[9];
  begin();
  CHECK_INT(LimberFileRead("pendulum", pendulum, 0, NULL, &file), 0);
  LimberModel model = limber_file_model(file);
  CHECK_INT(LimberFileStart(file, &run), 0);
  CHECK(told(LimberModelSetSignal(model, 0, NAN), "the signal 'push' is set to nan"));
  CHECK(told(LimberModelSetSignal(model, 7, 1), "no function 7"));
  CHECK(told(LimberRunGetNode(run, 99, x, NULL, NULL, NULL), "no node 99"));
  CHECK(told(LimberRunGetNode(run, -1, x, NULL, NULL, NULL), "no node -1"));
  CHECK(told(LimberRunGetStation(run, 0, NAN, x, NULL, NULL, NULL), "from 0 to 1 of its length, not nan"));
  CHECK(told(LimberRunGetStation(run, 0, 2, x, NULL, NULL, NULL), "from 0 to 1 of its length, not 2"));
  LimberOptions options;
  const double bad[] = {NAN, INFINITY, 0, -1};
  for (int i = 0; i < 4; i++) {
    LimberRun other = NULL;
    limber_options_default(&options);
    options.step = bad[i];
    int code = LimberRunCreate(model, &options, &other);
    CHECK(!other && (code || strlen(limber_model_diagnostics(model)) > 0));
    LimberRunDestroy(&other);
  }
  CHECK_INT(LimberRunDestroy(&run), 0);
  CHECK_INT(LimberFileDestroy(&file), 0);
  end();
}

// What keeps the run of a controller in a library that is not there from its start.
static bool start_says(const char *words) {
  static const char text[] =
      "limber: 1\nnodes: {b: [0, 0, 0]}\nelements: [rigid_body: {node: b, mass: 1, inertia: [1, 1, 1]}]\n"
      "joints: [prismatic: {name: rail, nodes: [ground, b], axis: [1, 0, 0]}]\nprobes: [joint: rail]\n"
      "control: {motor: {library: {file: not_there.so, inputs: [rail.slide], input_records: [20], output_records: "
      "[47]}}}\n"
      "loads: [joint_force: {joint: rail, amplitude: motor}]\nrun: {step: 1 ms, end: 1}\n";
  LimberFile file = NULL;
  LimberRun run = NULL;
  CHECK_INT(LimberFileRead("controlled", text, 0, NULL, &file), 0);
  CHECK_INT(limber_file_errors(file), 0);
  CHECK_INT(LimberFileStart(file, &run), 0);
  const char *said = limber_model_diagnostics(limber_file_model(file));
  bool good = !run && strstr(said, words);
  if (!good) CHECK_NOTE("'%s'", said);
  CHECK_INT(LimberFileDestroy(&file), 0);
  return good;
}

TEST(a_library_is_loaded_only_where_the_program_allows_it) {
  begin();
  CHECK(start_says("needs the option --allow-library"));
  CHECK_INT(limber_files_allow_library(1), 0);
  CHECK(start_says("cannot load its library"));
  CHECK_INT(limber_files_allow_library(0), 1);
  CHECK(start_says("needs the option --allow-library"));
  end();
}

TEST(a_file_that_is_no_result_is_an_error_with_words) {
  LimberHistory history = NULL;
  begin();
  CHECK(told(LimberHistoryOpen("/dev/zero", &history), "is a device or a pipe"));
  CHECK(told(LimberHistoryOpen("/", &history), "is a folder"));
  CHECK(!history);
  end();
}

CHECK_MAIN_PETSC
