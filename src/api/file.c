// SPDX-License-Identifier: Apache-2.0
// The public interface to model files, to what a run of one records, and to results.
#include "api/file.h"

#include "analyses/stepping/stepper.h"
#include "api/arguments.h"
#include "assembly/ranks.h"
#include "control/control.h"
#include "fmu/write.h"
#include "files/output_file.h"
#include "limber/mpi.h"
#include "model/refusal.h"

#include "results/shared_file.h"
#include "results/write/history.h"
#include "results/write/output.h"

#include <string.h>

struct LimberResultsData {
  Output *out;
};

// ---- model files ----

static PetscErrorCode CollectNotes(LimberFile f, const char *path, const SourceText *source) {
  size_t size;
  FILE *out = open_memstream(&f->diagnostics, &size);
  PetscFunctionBegin;
  PetscCheck(out, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for notes");
  if (f->in) PetscCall(DiagnosticsPrint(&f->in->diagnostics, out, NULL));
  else fprintf(out, "cannot read '%s': %s\n", path, source_error(source->error));
  PetscCheck(!fclose(out), PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for notes");
  PetscFunctionReturn(0);
}

static PetscErrorCode ReadFile(const char *path, const LimberReadOptions *given, LimberFile *file) {
  const LimberReadOptions o = given ? *given : limber_read_options_default();
  const InputOptions options = {.read = ReadOnAllRanks,
                                .change = o.change,
                                .changes = o.changes,
                                .allow_outside = o.allow_outside,
                                .allow_library = o.allow_library};
  SourceText source = {0};
  LimberFile f;
  PetscFunctionBegin;
  *file = NULL;
  PetscCall(PetscNew(&f));
  if (!o.text) PetscCall(ReadOnAllRanks(path, &source_rule_model, &source));
  const char *all = o.text ? o.text : source.text;
  if (all) PetscCall(InputRead(path, all, o.text ? strlen(o.text) : source.length, &options, &f->in));
  PetscCall(CollectNotes(f, path, &source));
  memory_free(&source.text);
  *file = f;
  PetscFunctionReturn(0);
}

static PetscErrorCode CheckRead(const char *path, const LimberReadOptions *options, LimberFile *file) {
  PetscFunctionBegin;
  CHECK_GIVEN(path);
  CHECK_GIVEN(file);
  CHECK_OPTIONS(options, limber_read_options_default);
  if (options) CHECK_CHANGES(options->changes, options->change);
  PetscFunctionReturn(0);
}

static PetscErrorCode ReadOnRanks(MPI_Comm comm, const char *path, const LimberReadOptions *options, LimberFile *file) {
  PetscFunctionBegin;
  PetscCall(CheckRead(path, options, file));
  shared_file_set_ranks(comm);
  PetscErrorCode error = ReadFile(path, options, file);
  shared_file_set_ranks(MPI_COMM_NULL);
  PetscCall(error);
  PetscFunctionReturn(0);
}

int LimberFileRead(const char *path, const LimberReadOptions *options, LimberFile *file) {
  CREATE_ON_ALL(model_communicator(NULL), ReadOnRanks(MPI_COMM_NULL, path, options, file), file);
}

// Ranks that were given texts of their own may have found different mistakes.
static PetscErrorCode ReadForRanks(MPI_Comm comm, const char *path, const LimberReadOptions *options,
                                   LimberFile *file) {
  PetscFunctionBegin;
  PetscCall(ReadOnRanks(comm, path, options, file));
  PetscCall(CheckOtherRanks(comm));
  int errors = limber_file_errors(*file) > 0, any = 0;
  PetscCallMPI(MPI_Allreduce(&errors, &any, 1, MPI_INT, MPI_MAX, comm));
  PetscCheck(errors == any, PETSC_COMM_SELF, PETSC_ERR_ARG_INCOMP, "another process reads a model with errors");
  if (!errors) PetscCall(ModelSetCommunicator((*file)->in->model, comm));
  PetscFunctionReturn(0);
}

int LimberFileReadOn(MPI_Comm comm, const char *path, const LimberReadOptions *options, LimberFile *file) {
  CREATE_ON_ALL(comm, ReadForRanks(comm, path, options, file), file);
}

int LimberFileDestroy(LimberFile *file) {
  PetscFunctionBegin;
  if (!file || !*file) PetscFunctionReturn(0);
  PetscCall(InputDestroy(&(*file)->in));
  memory_free(&(*file)->diagnostics);
  PetscCall(PetscFree(*file));
  PetscFunctionReturn(0);
}

int limber_file_errors(LimberFile f) { return f && f->in ? f->in->diagnostics.errors : 1; }
MPI_Comm file_communicator(LimberFile f) { return model_communicator(f && f->in ? f->in->model : NULL); }
const Input *file_input(LimberFile f) { return limber_file_errors(f) ? NULL : f->in; }
const char *limber_file_diagnostics(LimberFile f) { return f ? f->diagnostics : ""; }
LimberModel limber_file_model(LimberFile f) { return limber_file_errors(f) ? NULL : f->in->model; }
LimberOptions limber_file_options(LimberFile f) { return f && f->in ? f->in->options : limber_options_default(); }
double limber_file_end(LimberFile f) { return f && f->in ? f->in->end : 0; }
long long limber_file_steps(LimberFile f) { return f && f->in ? (long long)f->in->steps : 0; }

static PetscErrorCode StartFile(LimberFile f, LimberRun *run) {
  PetscFunctionBegin;
  CHECK_GIVEN(f);
  CHECK_GIVEN(run);
  PetscCheck(!limber_file_errors(f), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the model file has errors");
  Refusal wrong;
  const char *why = NULL;
  if (f->in->participants) why = "the file is a system of models, which limber couple runs";
  else if (f->in->first_step && !f->in->options.analysis)
    why = "the part `run` has no step, which only `limber run` chooses: add one, such as `run: {step: 1 ms, end: 1 s}`";
  if (why) {
    PetscCall(ModelReportError(f->in->model, NULL, "%s", why));
    *run = NULL;
    PetscFunctionReturn(0);
  }
  PetscCall(LimberRunCreate(f->in->model, &f->in->options, run));
  if (!*run || f->in->options.analysis) PetscFunctionReturn(0);
  PetscCall(ControlAttach(f->in, *run, NULL, &wrong));
  if (is_refused(&wrong)) {
    PetscCall(ModelReportError(f->in->model, NULL, "%s", wrong.text));
    PetscCall(LimberRunDestroy(run));
  }
  PetscFunctionReturn(0);
}

int LimberFileStart(LimberFile f, LimberRun *run) { CREATE_ON_ALL(file_communicator(f), StartFile(f, run), run); }

static PetscErrorCode StartStatic(LimberFile f, LimberRun *run) {
  PetscFunctionBegin;
  CHECK_GIVEN(f);
  CHECK_GIVEN(run);
  PetscCheck(!limber_file_errors(f), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the model file has errors");
  input_use_static(f->in, true);
  PetscCall(LimberFileStart(f, run));
  PetscFunctionReturn(0);
}

int LimberFileStartStatic(LimberFile f, LimberRun *run) {
  CREATE_ON_ALL(file_communicator(f), StartStatic(f, run), run);
}

static PetscErrorCode WriteFmu(LimberFile f, const char *path, int version, bool overwrite) {
  FmuSummary summary;
  Refusal wrong;
  PetscFunctionBegin;
  CHECK_GIVEN(f);
  CHECK_GIVEN(path);
  PetscCheck(!limber_file_errors(f), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the model file has errors");
  PetscCheck(version == 2 || version == 3, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "FMUs are written in version 2 or 3, not %d", version);
  bool before = output_allow_overwrite(overwrite);
  PetscErrorCode error = FmuWrite(file_communicator(f), f->in, path, version, &summary, &wrong);
  output_allow_overwrite(before);
  PetscCall(error);
  PetscCheck(!is_refused(&wrong), PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s", wrong.text);
  PetscFunctionReturn(0);
}

int LimberFileWriteFmu(LimberFile f, const char *path, int version, bool overwrite) {
  return COLLECTIVE(file_communicator(f), WriteFmu(f, path, version, overwrite));
}

// ---- records ----

static PetscErrorCode CreateRecord(LimberFile f, LimberRecord *record) {
  PetscFunctionBegin;
  CHECK_GIVEN(f);
  CHECK_GIVEN(record);
  PetscCheck(!limber_file_errors(f), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the model file has errors");
  PetscCall(PetscNew(record));
  PetscCall(HistoryCreate(f->in, NULL, &(*record)->history));
  PetscFunctionReturn(0);
}

int LimberRecordCreate(LimberFile f, LimberRecord *record) {
  CREATE_ON_ALL(file_communicator(f), CreateRecord(f, record), record);
}

int LimberRecordDestroy(LimberRecord *record) {
  PetscFunctionBegin;
  if (!record || !*record) PetscFunctionReturn(0);
  PetscCall(HistoryDestroy(&(*record)->history));
  PetscCall(PetscFree(*record));
  PetscFunctionReturn(0);
}

int limber_record_columns(LimberRecord r) { return r ? history_width(r->history) : 0; }

static bool has_column(LimberRecord r, int column) { return column >= 0 && column < limber_record_columns(r); }

const char *limber_record_name(LimberRecord r, int column) {
  if (!has_column(r, column)) return NULL;
  history_column(r->history, column, r->name, sizeof r->name);
  return r->name;
}

const char *limber_record_units(LimberRecord r, int column) {
  if (!has_column(r, column)) return NULL;
  history_units(r->history, column, r->units, sizeof r->units);
  return r->units;
}

static PetscErrorCode FillRow(LimberRecord r, LimberRun run, const LimberOutcome *step, double *row) {
  bool due;
  PetscFunctionBegin;
  CHECK_GIVEN(r);
  CHECK_GIVEN(run);
  CHECK_GIVEN(row);
  if (step) PetscCall(HistoryStep(r->history, run, step, &due));
  PetscCall(HistoryRow(r->history, run, row));
  PetscFunctionReturn(0);
}

int LimberRecordRow(LimberRecord r, LimberRun run, const LimberOutcome *step, double *row) {
  return COLLECTIVE(run_communicator(run), FillRow(r, run, step, row));
}

int LimberRecordSave(LimberRecord r, void **state, size_t *size) {
  PetscFunctionBegin;
  CHECK_GIVEN(r);
  CHECK_GIVEN(state);
  CHECK_GIVEN(size);
  CheckpointContainer all = {.data = *state, .room = *state ? *size : 0};
  PetscErrorCode error = HistorySave(r->history, &all);
  if (!error) error = ContainerEnd(&all);
  *state = all.data, *size = all.size;
  PetscCall(error);
  PetscFunctionReturn(0);
}

int LimberRecordRestore(LimberRecord r, const void *state, size_t size) {
  Refusal why;
  PetscFunctionBegin;
  CHECK_GIVEN(r);
  CHECK_GIVEN(state);
  const CheckpointContainer all = {.data = (unsigned char *)state, .size = size};
  PetscCheck(container_check(&all, &why) && history_restore(r->history, &all), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG,
             "the saved state is not that of this record");
  PetscFunctionReturn(0);
}

// ---- results ----

PetscErrorCode OutputCheck(MPI_Comm comm, const char *path, FileKind kind, const Input *in) {
  Refusal wrong;
  PetscFunctionBegin;
  PetscCall(FileObstacle(comm, path, kind, in, &wrong));
  refusal_cut(&wrong);
  PetscCheck(!is_refused(&wrong), PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s", wrong.text);
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateResults(LimberFile f, LimberRun run, const char *path, LimberResults *results) {
  PetscFunctionBegin;
  PetscCheck(!limber_file_errors(f), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the model file has errors");
  PetscCall(OutputCheck(run->stepper->s->motion.layout.comm, path, FILE_RESULTS, f->in));
  PetscCall(PetscNew(results));
  PetscCall(OutputCreate(path, f->in, run, &(*results)->out));
  PetscFunctionReturn(0);
}

static PetscErrorCode OpenResults(LimberFile f, LimberRun run, const char *path, bool overwrite,
                                  LimberResults *results) {
  PetscFunctionBegin;
  CHECK_GIVEN(results);
  CHECK_GIVEN(f);
  CHECK_GIVEN(run);
  CHECK_GIVEN(path);
  *results = NULL;
  bool before = output_allow_overwrite(overwrite);
  PetscErrorCode error = CreateResults(f, run, path, results);
  output_allow_overwrite(before);
  PetscFunctionReturn(error);
}

int LimberResultsCreate(LimberFile f, LimberRun run, const char *path, bool overwrite, LimberResults *results) {
  CREATE_ON_ALL(run_communicator(run), OpenResults(f, run, path, overwrite, results), results);
}

static PetscErrorCode WriteStep(LimberResults r, LimberRun run, const LimberOutcome *step) {
  PetscFunctionBegin;
  CHECK_GIVEN(r);
  CHECK_GIVEN(run);
  PetscCheck(step || run->stepper->count == 0, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE,
             "the run has taken steps: the last one must be given");
  if (step) PetscCall(OutputStep(r->out, run, step));
  else PetscCall(OutputRestart(r->out, run));
  PetscFunctionReturn(0);
}

int LimberResultsStep(LimberResults r, LimberRun run, const LimberOutcome *step) {
  return COLLECTIVE(run_communicator(run), WriteStep(r, run, step));
}

static PetscErrorCode CloseResults(LimberResults *results, LimberRun run, LimberRunEnd end) {
  int snapshots;
  PetscFunctionBegin;
  if (!results || !*results) PetscFunctionReturn(0);
  CHECK_GIVEN(run);
  PetscCall(OutputClose(&(*results)->out, run, end == LIMBER_COMPLETE ? RUN_FINISHED : RUN_INTERRUPTED, &snapshots));
  PetscCall(PetscFree(*results));
  PetscFunctionReturn(0);
}

int LimberResultsClose(LimberResults *results, LimberRun run, LimberRunEnd end) {
  return COLLECTIVE(run_communicator(run), CloseResults(results, run, end));
}
