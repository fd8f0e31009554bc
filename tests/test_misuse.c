// SPDX-License-Identifier: Apache-2.0
// The public interface given what is none: NULL, numbers that are no numbers, files that are no results. Each call that
// returns a code returns one that is not 0, with words; each that returns a value returns one.
#include "check_petsc.h"

#include "limber/limber.h"
#include "results/read/reader.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
  CHECK(told(LimberRunSave(NULL, NULL, NULL), "NULL for run"));
  CHECK(told(LimberRunRestore(NULL, x, sizeof x), "NULL for run"));
  CHECK(told(LimberRecordSave(NULL, NULL, NULL), "NULL for r"));
  limber_state_free(NULL);
  CHECK(told(LimberRunCreate(NULL, NULL, &run), "NULL for model"));
  CHECK(told(LimberRunGetLedger(NULL, &ledger), "NULL for run"));
  CHECK(told(LimberRunGetNode(NULL, (LimberNodeId){0}, x, x, x, x), "NULL for run"));
  CHECK(told(LimberRunGetMomentum(NULL, x, x), "NULL for run"));
  CHECK(told(LimberFileRead(NULL, NULL, &file), "NULL for path"));
  LimberReadOptions read = limber_read_options_default();
  read.changes = 3;
  CHECK(told(LimberFileRead("a", &read, &file), "3 changes are announced"));
  CHECK(told(LimberFileStart(NULL, &run), "NULL for f"));
  CHECK(told(LimberRecordCreate(NULL, &record), "NULL for f"));
  CHECK(told(LimberResultsCreate(NULL, NULL, NULL, false, &results), "NULL for f"));
  CHECK(told(LimberHistoryOpen(NULL, &history), "is given NULL"));
  CHECK(told(LimberModelSetSignal(NULL, (LimberFunctionId){0}, 1), "is given NULL"));
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
  LimberReadOptions read = limber_read_options_default();
  read.text = pendulum;
  CHECK_INT(LimberFileRead("pendulum", &read, &file), 0);
  LimberModel model = limber_file_model(file);
  CHECK_INT(LimberFileStart(file, &run), 0);
  CHECK(told(LimberModelSetSignal(model, (LimberFunctionId){0}, NAN), "the signal 'push' is set to nan"));
  CHECK(told(LimberModelSetSignal(model, (LimberFunctionId){7}, 1), "no function 7"));
  CHECK(told(LimberRunGetNode(run, (LimberNodeId){99}, x, NULL, NULL, NULL), "no node 99"));
  CHECK(told(LimberRunGetNode(run, LIMBER_NO_NODE, x, NULL, NULL, NULL), "no node -1"));
  CHECK(told(LimberRunGetStation(run, (LimberElementId){0}, NAN, x, NULL, NULL, NULL),
             "from 0 to 1 of its length, not nan"));
  CHECK(
      told(LimberRunGetStation(run, (LimberElementId){0}, 2, x, NULL, NULL, NULL), "from 0 to 1 of its length, not 2"));
  LimberOptions options;
  const double bad[] = {NAN, INFINITY, 0, -1};
  for (int i = 0; i < 4; i++) {
    LimberRun other = NULL;
    options = limber_options_default();
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
static bool start_says(bool allow_library, const char *words) {
  static const char text[] =
      "limber: 1\nnodes: {b: [0, 0, 0]}\nelements: [rigid_body: {node: b, mass: 1, inertia: [1, 1, 1]}]\n"
      "joints: [prismatic: {name: rail, nodes: [ground, b], axis: [1, 0, 0]}]\nprobes: [joint: rail]\n"
      "control: {motor: {library: {file: not_there.so, inputs: [rail.slide], input_records: [20], output_records: "
      "[47]}}}\n"
      "loads: [joint_force: {joint: rail, amplitude: motor}]\nrun: {step: 1 ms, end: 1}\n";
  LimberFile file = NULL;
  LimberRun run = NULL;
  LimberReadOptions read = limber_read_options_default();
  read.text = text, read.allow_library = allow_library;
  CHECK_INT(LimberFileRead("controlled", &read, &file), 0);
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
  CHECK(start_says(false, "needs the option --allow-library"));
  CHECK(start_says(true, "cannot load its library"));
  CHECK(start_says(false, "needs the option --allow-library"));
  end();
}

TEST(after_a_failure_calls_on_a_model_do_nothing_and_the_first_message_is_kept) {
  LimberModel m;
  LimberRun run = NULL;
  LimberElementId id = {7};
  LimberNodeId point = {7};
  begin();
  CHECK_INT(LimberModelCreate(&m), 0);
  CHECK_STR(limber_model_error(m), "");
  LimberBeam beam = limber_beam_default();
  CHECK_INT(LimberModelAddElementByKind(m, "beam", "strip", &beam, 3, &id), LIMBER_ERROR_ARGUMENT);
  CHECK(LIMBER_IS_NONE(id));
  CHECK_INT(LimberModelAddPoint(m, "p", (double[]){0, 0, 0}, &point), LIMBER_ERROR_ARGUMENT);
  CHECK(LIMBER_IS_NONE(point));
  CHECK_INT(limber_model_nodes(m), 1);
  LimberOptions options = limber_options_default();
  CHECK(LimberRunCreate(m, &options, &run) == LIMBER_ERROR_ARGUMENT && !run);
  CHECK(strstr(limber_model_error(m), "beam 'strip': a structure of 3 bytes is given"));
  CHECK_INT(LimberModelDestroy(&m), 0);
  end();
}

TEST(mistakes_of_a_model_are_its_error_where_no_call_failed) {
  LimberModel m;
  begin();
  CHECK_INT(LimberModelCreate(&m), 0);
  LimberMass mass = limber_mass_default();
  mass.node = (LimberNodeId){9};
  CHECK_INT(LimberModelAddMass(m, "bob", &mass, NULL), 0);
  CHECK(*limber_model_error(m) && !strcmp(limber_model_error(m), limber_model_diagnostics(m)));
  CHECK_INT(LimberModelDestroy(&m), 0);
  end();
}

TEST(options_that_no_default_made_are_an_error_that_says_so) {
  LimberModel m;
  LimberRun run = NULL;
  LimberModes modes = NULL;
  LimberFile file = NULL;
  begin();
  CHECK_INT(LimberModelCreate(&m), 0);
  CHECK(told(LimberRunCreate(m, &(LimberOptions){.step = 1e-3}, &run), "that limber_options_default did not create"));
  CHECK_INT(LimberModelDestroy(&m), 0);
  CHECK_INT(LimberModelCreate(&m), 0);
  CHECK(told(LimberModesCreate(m, &(LimberModesOptions){.count = 1}, &modes), "limber_modes_options_default did not"));
  CHECK_INT(LimberModelDestroy(&m), 0);
  CHECK(told(LimberFileRead("a", &(LimberReadOptions){.text = "limber: 1"}, &file), "limber_read_options_default did"));
  end();
}

TEST(an_enumerator_that_is_none_is_an_error) {
  LimberModel m;
  begin();
  CHECK_INT(LimberModelCreate(&m), 0);
  LimberBar bar = limber_bar_default();
  bar.measure = (LimberStrainMeasure)7;
  CHECK(told(LimberModelAddBar(m, "rod", &bar, NULL), "bar 'rod': `measure` is no enumerator of its type"));
  CHECK_INT(LimberModelDestroy(&m), 0);
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

// ---- the process that reads files of others ----

static void misbehave(void *self, Message *question, Message *answer) {
  volatile int *nowhere = NULL;
  char *text = message_take_text(question);
  (void)self;
  if (!strcmp(text, "fault")) *nowhere = 1;
  if (!strcmp(text, "abort")) abort();
  for (volatile double x = 0; !strcmp(text, "loop"); x++) continue;
  for (char *p; !strcmp(text, "memory") && (p = malloc(1 << 24)); memset(p, 1, 1 << 24)) continue;
  if (!strcmp(text, "memory")) abort(); // as libraries do
  message_put_text(answer, text);
  free(text);
}

static bool ask_reader(Reader *r, const char *text) {
  Message question = {0}, answer;
  message_put_text(&question, text);
  bool good = reader_ask(r, &question, &answer);
  char *again = good ? message_take_text(&answer) : NULL;
  good = again && !strcmp(again, text);
  free(again), message_free(&answer);
  return good;
}

TEST(a_file_that_its_reader_does_not_survive_is_damaged_and_nothing_else_happens) {
  static const char *const ways[] = {"fault", "abort", "loop", "memory"};
  begin();
  for (int i = 0; i < 4; i++) {
    Reader *r = reader_start("/dev/null", misbehave, NULL), *other = reader_start("/dev/null", misbehave, NULL);
    if (!CHECK(r && other)) break;
    CHECK(ask_reader(r, "good") && ask_reader(r, "again") && !reader_has_ended(r));
    CHECK(!ask_reader(r, ways[i]) && reader_has_ended(r) && !ask_reader(r, "good"));
    CHECK(ask_reader(other, "good"));
    reader_end(&r), reader_end(&other);
  }
  end();
}

TEST(a_forked_process_does_not_ask_the_reader_of_its_parent) {
  int status = 1;
  begin();
  Reader *r = reader_start("/dev/null", misbehave, NULL);
  CHECK(r);
  pid_t pid = fork();
  if (!pid) {
    bool good = ask_reader(r, "good");
    reader_end(&r);
    _exit(good);
  }
  CHECK(waitpid(pid, &status, 0) == pid && status == 0);
  CHECK(ask_reader(r, "good"));
  reader_end(&r);
  end();
}

TEST(messages_give_no_more_than_they_have) {
  Message m = {0};
  int count;
  message_put_count(&m, 1l << 40);
  CHECK(!message_take_text(&m) && m.bad);
  message_free(&m), message_put_count(&m, 1l << 40);
  CHECK(!message_take_texts(&m, &count) && !count && m.bad);
  message_free(&m), message_put_text(&m, "text");
  CHECK(!message_take_array(&m, 1l << 61, 8) && m.bad);
  message_free(&m);
  CHECK_INT(message_take_count(&m), 0);
  CHECK(m.bad);
}

CHECK_MAIN_PETSC
