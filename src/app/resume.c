// SPDX-License-Identifier: Apache-2.0
// Continues a run from its checkpoint.
#include "model/refusal.h"
#include "results/checkpoint/checkpoint.h"
#include "console/library_commands.h"
#include "app/command.h"
#include "app/simulate.h"
#include "files/output_file.h"
#include "results/container/container.h"
#include "results/read/results.h"
#include "results/write/output.h"

#include <string.h>

static const char *name = "resume"; // in which errors are reported

typedef struct {
  const char *results, *output; // NULL: in place
  const char *change[MAX_GIVEN + 1];
  int changes;
  CheckpointContainer container;
  CheckpointHead head;
  SimulateOptions simulate;
} Resume;

static bool is_field(const char *change, const char *field) {
  size_t n = strlen(field);
  return !strncmp(change, field, n) && strspn(change + n, " ") == strcspn(change + n, "=");
}

static bool changes_field(const Resume *r, const char *field) {
  for (int i = 0; i < r->changes; i++)
    if (is_field(r->change[i], field)) return true;
  return false;
}

static bool read_arguments(const Arguments *a, Resume *r, char *end, size_t size) {
  const char *interval = argument_value(a, "checkpoint"), *to = argument_value(a, "end");
  r->results = a->word[0], r->output = argument_value(a, "output");
  r->changes = arguments_of(a, "set", r->change);
  r->simulate = (SimulateOptions){.talk = argument_value(a, "quiet") ? TALK_NONE : TALK_ALL,
                                  .checkpoint = CHECKPOINT_SECONDS,
                                  .monitor = argument_value(a, "monitor") != NULL,
                                  .from = &r->container};
  if (to && changes_field(r, "run.end"))
    return print_command_error(name, "--end and --set run.end are the same: give one of them"), false;
  snprintf(end, size, "run.end=%s", to ? to : "");
  if (to) r->change[r->changes++] = end;
  if (interval && !checkpoint_interval(interval, &r->simulate.checkpoint)) {
    print_command_error(name, "--checkpoint needs a time, such as 60s, 5min or 0 for none, not '%s'", interval);
    return false;
  }
  for (int i = 0; i < r->changes && !r->output; i++) {
    if (is_field(r->change[i], "run.end")) continue;
    print_command_error(name, "'%s' changes the model: give the branch a file of its own with -o, such as -o branch.h5",
                        r->change[i]);
    return false;
  }
  if (r->output && same_file(r->results, r->output))
    return print_command_error(name, "-o is '%s' itself; leave out -o to continue the run in that file", r->results),
           false;
  r->simulate.changed = r->changes > 0;
  for (int i = 0; i < r->changes; i++)
    if (strncmp(r->change[i], "run.", 4)) r->simulate.model = true;
  return true;
}

// Whether the results were closed at the end of the run. A run that was killed there, past its last checkpoint, has no
// more steps to take, but its file is still to be closed.
static PetscErrorCode CheckResultsClosed(const Resume *r, bool *closed) {
  Results *results = NULL;
  Refusal wrong;
  char text[40];
  int is = 0;
  PetscFunctionBegin;
  if (is_printing_process() && results_open(r->results, &results, &wrong))
    is = results_text(results, "status", text, sizeof text) && !strcmp(text, run_status_words[RUN_FINISHED]) &&
         output_was_closed(r->results);
  results_close(&results);
  PetscCallMPI(MPI_Bcast(&is, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  *closed = is || r->changes || r->output;
  PetscFunctionReturn(0);
}

// What a state has no use for: another scheme, another step, other parts, an end that was reached.
static bool checkpoint_fits(const Resume *r, const Input *in, bool closed) {
  const CheckpointHead *h = &r->head;
  CheckpointHead now;
  bool good = true;
  checkpoint_head(in, h->ranks, h->time, &now);
  for (int i = 0; i < PARTS; i++) {
    if (now.part[i] == h->part[i]) continue;
    print_command_error(
        name, "the %s differ from those of the run: a branch may change numbers, but not add or remove components",
        checkpoint_parts[i]);
    good = false;
  }
  if (strcmp(now.scheme, h->scheme))
    print_command_error(name, "the run has scheme %s; a run cannot continue with scheme %s", h->scheme, now.scheme),
        good = false;
  if (now.step != h->step)
    print_command_error(name, "the run has steps of %g s; they cannot change to %g s in a run that continues", h->step,
                        now.step),
        good = false;
  if (now.controlled != h->controlled)
    print_command_error(name, "the run %s its steps; that cannot change in a run that continues",
                        h->controlled ? "chooses" : "does not choose"),
        good = false;
  if ((now.snapshots > 0) != (h->snapshots > 0))
    print_command_error(name, "the results have %s snapshots; that cannot change in a run that continues",
                        h->snapshots > 0 ? "" : "no"),
        good = false;
  if (good && closed && in->end <= h->time * (1 + 1e-12)) {
    print_command_error(name, "%s is at t = %.8g s, and its end is %.8g s; give a later end with %s", r->results,
                        h->time, in->end, r->simulate.exchange ? "--set run.end" : "--end");
    good = false;
  }
  return good;
}

static void print_notes(const Resume *r, int ranks) {
  char file[4200];
  if (!is_printing_process() || r->simulate.talk == TALK_NONE) return;
  printf("%s continues from t = %.8g s%s%s\n", r->results, r->head.time, r->output ? ", as " : "",
         r->output ? r->output : "");
  if (checkpoint_model_changed(&r->container, file, sizeof file))
    printf("  note: %s has changed since the start of the run; the run continues with the old model\n", file);
  if (r->head.ranks != ranks)
    printf("  note: the number of processes was %d and is now %d: results agree to round-off and are not bit-for-bit "
           "identical\n",
           (int)r->head.ranks, ranks);
  if (strcmp(r->head.limber, limber_version()))
    printf("  note: limber %s started the run, and this is %s: numbers may differ\n", r->head.limber, limber_version());
}

// The first rank looks at the results file and takes it back; all learn whether that went well.
static PetscErrorCode TakeBack(const Resume *r, bool *good) {
  Refusal wrong;
  int fine = 1;
  PetscFunctionBegin;
  if (is_printing_process()) {
    fine = rollback_fits(r->results, &r->container, &wrong) &&
           rollback_results(r->results, r->output, &r->container, &wrong);
    if (!fine) print_command_error(name, "%s", wrong.text);
  }
  PetscCallMPI(MPI_Bcast(&fine, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  *good = fine;
  PetscFunctionReturn(0);
}

static PetscErrorCode GoOn(Resume *r, Input *in, ExitCode *code) {
  const char *path = r->output ? r->output : r->results;
  PetscMPIInt ranks;
  bool good = true, closed = false;
  PetscFunctionBegin;
  PetscCall(CheckResultsClosed(r, &closed));
  if (!checkpoint_fits(r, in, closed)) PetscFunctionReturn(0);
  if (!changes_field(r, "run.snapshots")) in->snapshots = r->head.snapshots; // a hundredth of the run as it was
  if (r->output) PetscCall(CanWriteResults(name, r->output, in, &good));
  if (good) PetscCall(TakeBack(r, &good));
  if (!good) PetscFunctionReturn(0);
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
  print_notes(r, ranks);
  PetscCall(RunSimulation(name, in, path, &r->simulate, code));
  PetscFunctionReturn(0);
}

static PetscErrorCode ReadAndGoOn(Resume *r, bool quiet, bool allow_library, ExitCode *code) {
  Input *in = NULL;
  Refusal wrong;
  PetscFunctionBegin;
  wrong.text[0] = 0;
  if (!r->output) PetscCall(ResultsClaim(PETSC_COMM_WORLD, r->results, &wrong)); // no other run continues it
  if (!is_refused(&wrong)) PetscCall(CheckpointRead(r->results, &r->container, &r->head, &wrong));
  if (is_refused(&wrong)) print_command_error(name, "%s", wrong.text);
  else PetscCall(CheckpointInput(&r->container, r->changes, r->change, &in));
  if (!is_refused(&wrong) && !in)
    print_command_error(name, "the checkpoint of '%s' contains no model: start the run again", r->results);
  if (in && is_printing_process() && (in->diagnostics.errors || !quiet))
    PetscCall(DiagnosticsPrint(&in->diagnostics, stderr, style_diagnostic));
  if (in) in->allow_library = allow_library;
  if (in && !in->diagnostics.errors) PetscCall(GoOn(r, in, code));
  PetscCall(InputDestroy(&in));
  checkpoint_close(&r->container);
  PetscFunctionReturn(0);
}

static PetscErrorCode ResumeRun(const Arguments *a, ExitCode *code) {
  Resume r = {0};
  char end[200];
  PetscFunctionBegin;
  *code = EXIT_MISTAKE;
  if (read_arguments(a, &r, end, sizeof end))
    PetscCall(ReadAndGoOn(&r, argument_value(a, "quiet"), argument_value(a, "allow-library"), code));
  PetscFunctionReturn(0);
}

PetscErrorCode ResumeResults(const char *command, const char *results, double end, bool allow_library,
                             const SimulateOptions *options, ExitCode *code) {
  Resume r = {.results = results, .simulate = *options};
  char change[60];
  PetscFunctionBegin;
  name = command, *code = EXIT_MISTAKE;
  snprintf(change, sizeof change, "run.end=%.17g s", end);
  r.simulate.from = &r.container;
  if (end > 0) r.change[r.changes++] = change, r.simulate.changed = true;
  PetscCall(ReadAndGoOn(&r, true, allow_library, code));
  PetscFunctionReturn(0);
}

int limber_command_resume(const Arguments *a) { return CommandStart(a, ResumeRun); }
