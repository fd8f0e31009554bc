// SPDX-License-Identifier: Apache-2.0
// The public interface to many runs of one model file.
#include "analyses/repeat/repeat.h"

#include "control/control.h"

#include "analyses/stepping/stepper.h"
#include "api/arguments.h"
#include "api/file.h"
#include "assembly/ranks.h"
#include "results/shared_file.h"

#include <string.h>

struct LimberRepeaterData {
  Repeater *repeater;
  struct LimberFileData file; // of the run
  Refusal problem;
  struct LimberRecordData record;
  double *row; // all rows
  size_t rows, room;
};

static PetscErrorCode CreateRepeater(const char *path, const LimberReadOptions *given, LimberRepeater *repeater) {
  SourceText source = {0};
  PetscFunctionBegin;
  CHECK_GIVEN(path);
  CHECK_GIVEN(repeater);
  CHECK_OPTIONS(given, limber_read_options_default);
  const LimberReadOptions o = given ? *given : limber_read_options_default();
  CHECK_CHANGES(o.changes, o.change);
  *repeater = NULL;
  if (!o.text) PetscCall(ReadOnAllRanks(path, &source_rule_model, &source));
  PetscCheck(o.text || source.text, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "cannot read '%s': %s", path,
             source_error(source.error));
  const InputOptions options = {.read = ReadOnAllRanks,
                                .change = o.change,
                                .changes = o.changes > 0 ? o.changes : 0,
                                .allow_outside = o.allow_outside,
                                .allow_library = o.allow_library};
  PetscCall(PetscNew(repeater));
  PetscCall(RepeaterCreate(model_communicator(NULL), path, o.text ? o.text : source.text,
                           o.text ? strlen(o.text) : source.length, &options, 0, &(*repeater)->repeater));
  memory_free(&source.text);
  PetscFunctionReturn(0);
}

int LimberRepeaterCreate(const char *path, const LimberReadOptions *given, LimberRepeater *repeater) {
  CREATE_ON_ALL(model_communicator(NULL), CreateRepeater(path, given, repeater), repeater);
}

// Forgets the run before.
static PetscErrorCode DropRecord(LimberRepeater r) {
  PetscFunctionBegin;
  if (r->record.history) PetscCall(HistoryDestroy(&r->record.history));
  r->file = (struct LimberFileData){0};
  r->rows = 0, r->problem.text[0] = 0;
  PetscFunctionReturn(0);
}

int LimberRepeaterDestroy(LimberRepeater *repeater) {
  PetscFunctionBegin;
  if (!repeater || !*repeater) PetscFunctionReturn(0);
  PetscCall(DropRecord(*repeater));
  PetscCall(RepeaterDestroy(&(*repeater)->repeater));
  memory_free(&(*repeater)->row);
  PetscCall(PetscFree(*repeater));
  PetscFunctionReturn(0);
}

static PetscErrorCode StartRepeater(LimberRepeater r, int changes, const char *const *change, LimberRun *run) {
  const Input *in;
  PetscFunctionBegin;
  CHECK_GIVEN(r);
  CHECK_GIVEN(run);
  CHECK_CHANGES(changes, change);
  PetscCall(DropRecord(r));
  PetscCall(RepeaterStartWith(r->repeater, changes > 0 ? changes : 0, change, &in, run, &r->problem));
  if (*run) r->problem.text[0] = 0;
  if (*run && in->end > 0) PetscCall(ControlAttach(in, *run, NULL, &r->problem));
  if (*run && is_refused(&r->problem)) *run = NULL;
  r->file = (struct LimberFileData){(Input *)in, (char *)""};
  PetscFunctionReturn(0);
}

int LimberRepeaterStart(LimberRepeater r, int changes, const char *const *change, LimberRun *run) {
  CREATE_ON_ALL(model_communicator(NULL), StartRepeater(r, changes, change, run), run);
}

const char *limber_repeater_problem(LimberRepeater r) { return r ? r->problem.text : ""; }
LimberFile limber_repeater_file(LimberRepeater r) { return r && r->file.in ? &r->file : NULL; }

// ---- whole runs ----

static PetscErrorCode AddRow(LimberRepeater r, LimberRun run) {
  size_t width = (size_t)history_width(r->record.history);
  PetscFunctionBegin;
  if ((r->rows + 1) * width > r->room) {
    r->room = 2 * (r->rows + 1) * width + 1000;
    PetscCall(MemoryResize(r->room * sizeof *r->row, &r->row));
  }
  PetscCall(HistoryRow(r->record.history, run, r->row + r->rows * width));
  r->rows++;
  PetscFunctionReturn(0);
}

static PetscErrorCode TakeSteps(LimberRepeater r, LimberRun run, LimberOutcome *o) {
  const Input *in = r->file.in;
  int64_t steps = 0;
  bool due;
  PetscFunctionBegin;
  PetscCall(HistoryCreate(in, NULL, &r->record.history));
  PetscCall(AddRow(r, run));
  while (in->steps ? steps < in->steps : limber_run_time(run) < in->end) {
    PetscCall(LimberRunStep(run, o));
    if (o->reason != LIMBER_CONVERGED) break;
    steps++;
    PetscCall(HistoryStep(r->record.history, run, o, &due));
    if (due) PetscCall(AddRow(r, run));
  }
  if (history_waits(r->record.history)) PetscCall(AddRow(r, run));
  PetscFunctionReturn(0);
}

static PetscErrorCode RunRepeater(LimberRepeater r, int changes, const char *const *change, LimberOutcome *outcome) {
  LimberRun run;
  PetscFunctionBegin;
  CHECK_GIVEN(r);
  CHECK_GIVEN(outcome);
  *outcome = (LimberOutcome){.reason = LIMBER_CONVERGED};
  PetscCall(LimberRepeaterStart(r, changes, change, &run));
  if (run) PetscCall(TakeSteps(r, run, outcome));
  PetscFunctionReturn(0);
}

int LimberRepeaterRun(LimberRepeater r, int changes, const char *const *change, LimberOutcome *outcome) {
  return COLLECTIVE(model_communicator(NULL), RunRepeater(r, changes, change, outcome));
}

LimberRecord limber_repeater_record(LimberRepeater r) { return r && r->record.history ? &r->record : NULL; }
int limber_repeater_rows(LimberRepeater r) { return r ? (int)r->rows : 0; }
const double *limber_repeater_history(LimberRepeater r) { return r ? r->row : NULL; }
