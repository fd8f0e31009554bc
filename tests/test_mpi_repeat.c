// SPDX-License-Identifier: Apache-2.0
// Runs of one model file, one after the other with other values: each gives the bits of a run by itself, whatever came before.
#include "check_petsc.h"

#include "analyses/repeat/repeat.h"
#include "analyses/stepping/stepper.h"
#include "assembly/ranks.h"
#include "model/refusal.h"
#include "results/write/history.h"

#include <limber/limber.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { STEPS = 6, MOST_CHANGES = 4, TURNS = 3 };

typedef struct { // a model file of tests/ and lists of changes, separated by ';'; "" ends them
  const char *file;
  enum { IN_TIME, STATIC, NEVER_STARTS } kind; // of one that never starts what is told is compared
  const char *changes[12];
} Case;

// Each list has as many changes as the first.
static const Case cases[] = {
    {"models/repeat/pendulum.yaml",
     IN_TIME,
     {"let.l1=1.1 m;run.scheme=preserving", "let.l1=0.7 m;run.scheme=preserving", "let.l1=1.1 m;run.scheme=decaying",
      "let.l1=1.5*l2;run.scheme=decaying_a", "let.l1=abc;run.scheme=preserving",
      "let.l1=1.1 m;run.scheme=generalized_alpha", "let.l1=1.1 m;run.scheme={decaying}", "let.l1=0.9 m;run.scheme=none",
      "let.l1=1.1 m;run.order=4"}},
    {"models/repeat/pendulum.yaml",
     IN_TIME,
     {"run.step=1 ms", "run.step=5 ms", "run.step=-1", "run.step={accuracy: 1e-5}",
      "loads.gravity#1.acceleration=[0, 1, -9]",
      "joints.middle={spherical: {nodes: [A, B], at: [l1*sin(angle), 0, -l1*cos(angle)]}}"}},
    {"models/swing.yaml",
     IN_TIME,
     {"run.step=1 ms", "run.step=2 ms", "run.scheme=preserving", "run.scheme=decaying_c"}},
    {"models/four_bar.yaml",
     IN_TIME,
     {"elements.crank.elements=2;run.step=1 ms", "elements.crank.elements=3;run.step=1 ms",
      "elements.crank.elements=2;run.step=2 ms", "elements.crank.elements=2;nodes.c=[0.8, 0.51, 0]",
      "elements.crank.elements=2;run.scheme=preserving"}},
    {"../examples/slider_crank/slider_crank.yaml",
     IN_TIME,
     {"let.a=0.5 m;run.step=20 ms", "let.a=0.45 m;run.step=20 ms", "let.a=0.5 m;run.step=10 ms",
      "let.a=0.5 m;run.scheme=preserving"}},
    {"../examples/four_bar_misaligned/four_bar.yaml",
     IN_TIME,
     {"let.skew=5 deg;let.n=1", "let.skew=4 deg;let.n=1", "let.skew=5 deg;let.n=2", "let.skew=0 deg;let.n=1"}},
    {"models/contact.yaml", IN_TIME, {"run.step=1 ms", "run.step=4 ms", "elements.wagon.mass=3"}},
    {"models/bracket.yaml", IN_TIME, {"materials.rubber.E=2 MPa", "materials.rubber.E=3 MPa", "run.scheme=decaying"}},
    {"models/gust.yaml",
     IN_TIME,
     {"run.step=0.5 ms", "run.step=1 ms", "run.scheme=exponential", "elements.mast.elements=4"}},
    {"../examples/truss/free.yaml", IN_TIME, {"run.step=0.2 ms", "run.step=0.1 ms", "run.scheme=decaying"}},
    {"../examples/tolerances/four_bar.yaml",
     IN_TIME,
     {"let.crank=100 mm", "let.crank=101 mm", "let.crank=99.5 mm", "let.crank=0.7 m", "run.scheme=preserving"}},
    {"models/rotor.yaml", IN_TIME, {"let.length=2 m", "let.length=1.9 m", "let.length=0 m", "run.scheme=decaying"}},
    {"models/equilibrium/crane.yaml", IN_TIME, {"run.step=10 ms", "run.step=20 ms", "run.start=given"}},
    {"models/equilibrium/lever_on_a_stop.yaml", NEVER_STARTS, {"run.step=10 ms", "run.step=20 ms"}},
    {"models/failing/jump.yaml", IN_TIME, {"run.step=1 ms", "run.step=2 ms", "elements.1.mass=3"}},
    {"models/failing/lock.yaml", IN_TIME, {"run.step=1 ms", "nodes.rod=[9, 0, 0]", "run.step=100 ms"}},
    {"models/failing/inside.yaml", IN_TIME, {"run.step=5 ms", "run.step=1 ms", "materials.rubber.E=4 MPa"}},
    {"models/failing/float.yaml", NEVER_STARTS, {"run.step=5 ms", "joints.rail.axis=[0, 1, 0]"}},
    {"models/singular.yaml", NEVER_STARTS, {"run.step=1 ms", "elements.1.mass=2"}},
    {"../examples/composite_box/box.yaml",
     STATIC,
     {"let.flap=1", "let.flap=2", "sections.box.layup.cell=0.03 inch", "materials.carbon.density=1700",
      "sections.box.layup.cell=-1"}},
    {"../examples/static_toggle/toggle.yaml",
     STATIC,
     {"let.n=2;let.h=0.386", "let.n=3;let.h=0.386", "let.n=2;let.h=0.4"}},
};

// ---- one run as a number ----

static void add_bytes(uint64_t *hash, const void *data, size_t size) {
  for (size_t i = 0; i < size; i++) *hash = (*hash ^ ((const unsigned char *)data)[i]) * 1099511628211u;
}

// Steps, and everything that can be asked of the state and the history.
static PetscErrorCode HashRun(const Input *in, LimberRun run, uint64_t *hash) {
  History *history;
  LimberOutcome o;
  double *row;
  bool due;
  PetscFunctionBegin;
  PetscCall(HistoryCreate(in, NULL, &history));
  PetscCall(PetscCalloc1(history_width(history), &row));
  add_bytes(hash, limber_run_remarks(run), strlen(limber_run_remarks(run)));
  for (int i = 0; i <= STEPS; i++) {
    LimberLedger l;
    o = (LimberOutcome){.reason = LIMBER_CONVERGED};
    if (i) PetscCall(LimberRunStep(run, &o));
    add_bytes(hash, &o.reason, sizeof o.reason);
    add_bytes(hash, &o.iterations, sizeof o.iterations);
    add_bytes(hash, o.cause.name, strlen(o.cause.name));
    if (o.reason != LIMBER_CONVERGED) break;
    if (i) PetscCall(HistoryStep(history, run, &o, &due));
    PetscCall(HistoryRow(history, run, row));
    add_bytes(hash, row, (size_t)history_width(history) * sizeof *row);
    PetscCall(LimberRunGetLedger(run, &l));
    add_bytes(hash, &l.kinetic, sizeof l.kinetic);
    add_bytes(hash, &l.worst_residual, sizeof l.worst_residual);
    for (int n = 1; n < in->model->nodes.count; n++) {
      double x[18];
      PetscCall(LimberRunGetNode(run, (LimberNodeId){n}, x, x + 3, x + 12, x + 15));
      add_bytes(hash, x, sizeof x);
    }
  }
  PetscCall(PetscFree(row));
  PetscCall(HistoryDestroy(&history));
  PetscFunctionReturn(0);
}

static int split(const char *list, char *text, size_t size, const char **out) {
  int n = 0;
  snprintf(text, size, "%s", list);
  for (char *p = strtok(text, ";"); p && n < MOST_CHANGES; p = strtok(NULL, ";")) out[n++] = p;
  return n;
}

// By itself, as `limber run` does it.
static PetscErrorCode RunAlone(const char *path, const SourceText *text, const Case *c, const char *list,
                               uint64_t *hash) {
  const char *change[MOST_CHANGES] = {NULL};
  char copy[400];
  InputOptions options = {
      .read = SourceRead, .change = change, .changes = split(list, copy, sizeof copy, change), .allow_outside = true};
  Input *in;
  LimberRun run;
  PetscFunctionBegin;
  *hash = 14695981039346656037u;
  PetscCall(InputRead(path, text->text, text->length, &options, &in));
  PetscCall(ModelSetCommunicator(in->model, PETSC_COMM_WORLD));
  if (c->kind == STATIC) input_use_static(in, true);
  if (in->diagnostics.errors) {
    for (int i = 0; i < in->diagnostics.count; i++)
      if (in->diagnostics.diagnostic[i].level == DIAGNOSTIC_ERROR) {
        add_bytes(hash, in->diagnostics.diagnostic[i].text, strlen(in->diagnostics.diagnostic[i].text));
        break;
      }
  } else {
    PetscCall(LimberRunCreate(in->model, &in->options, &run));
    if (run) PetscCall(HashRun(in, run, hash));
    else add_bytes(hash, limber_model_diagnostics(in->model), strlen(limber_model_diagnostics(in->model)));
    PetscCall(LimberRunDestroy(&run));
  }
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

static PetscErrorCode RunAgain(Repeater *r, const char *list, uint64_t *hash, bool *started) {
  const char *change[MOST_CHANGES] = {NULL};
  char copy[400];
  Refusal wrong;
  const Input *in;
  LimberRun run;
  PetscFunctionBegin;
  *hash = 14695981039346656037u;
  split(list, copy, sizeof copy, change);
  PetscCall(RepeaterStart(r, change, &in, &run, &wrong));
  if (run) PetscCall(HashRun(in, run, hash));
  else add_bytes(hash, wrong.text, strlen(wrong.text));
  *started = run;
  PetscFunctionReturn(0);
}

static PetscErrorCode ReadCase(const Case *c, char *path, size_t size, SourceText *text) {
  PetscFunctionBegin;
  snprintf(path, size, "%.*s%s", (int)(strrchr(__FILE__, '/') + 1 - __FILE__), __FILE__, c->file);
  PetscCall(SourceRead(path, &source_rule_model, text));
  PetscCheck(text->text, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s", path);
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateRepeater(const Case *c, const char *path, const SourceText *text, Repeater **r) {
  const char *change[MOST_CHANGES] = {NULL};
  char copy[400];
  PetscFunctionBegin;
  int changes = split(c->changes[0], copy, sizeof copy, change);
  PetscCall(RepeaterCreate(PETSC_COMM_WORLD, path, text->text, text->length,
                           &(InputOptions){.read = SourceRead, .allow_outside = true}, changes, r));
  if (c->kind == STATIC) repeater_use_static(*r);
  PetscFunctionReturn(0);
}

// ---- propositions ----

static unsigned next_random(unsigned *state) { return *state = *state * 1664525u + 1013904223u, *state >> 16; }

TEST(a_run_has_the_bits_of_a_run_alone_whatever_runs_came_before) {
  unsigned random = 7;
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const Case *c = &cases[k];
    uint64_t alone[12], again;
    char path[1000];
    SourceText text;
    Repeater *r;
    int count = 0, wrong = 0, starts = 0;
    bool started;
    CHECK_OK(ReadCase(c, path, sizeof path, &text));
    for (; c->changes[count]; count++) CHECK_OK(RunAlone(path, &text, c, c->changes[count], &alone[count]));
    CHECK_OK(CreateRepeater(c, path, &text, &r));
    for (int i = 0; i < TURNS * count; i++) {
      int at = (int)(next_random(&random) % (unsigned)count);
      CHECK_OK(RunAgain(r, c->changes[at], &again, &started));
      if (again != alone[at]) wrong++, CHECK_NOTE("%s with %s", c->file, c->changes[at]);
      starts += started;
    }
    CHECK_NOTE("%s: %d of %d runs started", c->file, starts, TURNS * count);
    CHECK_LE(wrong, 0);
    CHECK(starts > 0 || c->kind == NEVER_STARTS);
    CHECK_OK(RepeaterDestroy(&r));
    memory_free(&text.text);
  }
}

TEST(programs_get_the_rows_of_a_run_and_why_one_cannot_start) {
  const char *good[] = {"let.l1=1.25 m", "run.every=5"}, *bad[] = {"let.l1=1 s"};
  char path[1000];
  LimberRepeater r;
  LimberOutcome o;
  LimberRun run;
  snprintf(path, sizeof path, "%.*s%s", (int)(strrchr(__FILE__, '/') + 1 - __FILE__), __FILE__, cases[0].file);
  LimberReadOptions read = limber_read_options_default();
  read.changes = 1, read.change = (const char *[]){"run.end=0.1 s"};
  CHECK_OK(LimberRepeaterCreate(path, &read, &r));
  CHECK(!limber_repeater_file(r) && !limber_repeater_record(r));
  double last = 0;
  for (int i = 0; i < 2; i++) {
    CHECK_OK(LimberRepeaterRun(r, 2, good, &o));
    CHECK_STR(limber_repeater_problem(r), "");
    CHECK_INT(limber_repeater_rows(r), 3); // 10 steps: at the start, after 5, after 10
    int columns = limber_record_columns(limber_repeater_record(r));
    const double *row = limber_repeater_history(r);
    CHECK_STR(limber_record_name(limber_repeater_record(r), 0), "time");
    CHECK_NEAR(row[0], 0, 0);
    CHECK_NEAR(row[2 * columns], 0.1, 1e-15);
    if (i) CHECK_NEAR(row[3 * columns - 1], last, 0);
    last = row[3 * columns - 1];
    CHECK_NEAR(limber_file_end(limber_repeater_file(r)), 0.1, 0);
    CHECK_OK(LimberRepeaterRun(r, 1, bad, &o));
    CHECK_INT(limber_repeater_rows(r), 0);
    CHECK_STR(limber_repeater_problem(r), "'l1*sin(angle)/2' has the dimension s, but 'at' is in m");
  }
  CHECK_OK(LimberRepeaterStart(r, 0, NULL, &run));
  CHECK(run && limber_run_time(run) == 0 && limber_repeater_rows(r) == 0);
  CHECK_OK(LimberRepeaterDestroy(&r));
  CHECK(!r);
}

TEST(memory_stays_the_same_over_thousands_of_starts) {
  const Case *c = &cases[0];
  enum { FIRST = 200, MORE = 2000 };
  char path[1000];
  SourceText text;
  Repeater *r;
  uint64_t hash;
  bool started;
  size_t before = 0;
  CHECK_OK(ReadCase(c, path, sizeof path, &text));
  CHECK_OK(CreateRepeater(c, path, &text, &r));
  for (int i = 0; i < FIRST + MORE; i++) {
    char list[100];
    if (i == FIRST) before = mallinfo2().uordblks;
    snprintf(list, sizeof list, "let.l1=%.17g;run.scheme=%s", 1 + 1e-6 * i,
             i % 50 == 7 ? "none"
             : i % 3     ? "preserving"
                         : "decaying");
    CHECK_OK(RunAgain(r, list, &hash, &started));
  }
  size_t after = mallinfo2().uordblks;
  CHECK_NOTE("%zu bytes after %d starts, %zu after %d more", before, FIRST, after, MORE);
  CHECK_LE((double)after - (double)before, 16000); // a leak of 8 bytes a start would show
  CHECK_OK(RepeaterDestroy(&r));
  memory_free(&text.text);
}

CHECK_MAIN_PETSC
