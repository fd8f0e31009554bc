// SPDX-License-Identifier: Apache-2.0
#include "results/write/output.h"
#include "assembly/log_events.h"

#include "analyses/stepping/contact.h"
#include "analyses/stepping/fast_rotation.h"
#include "console/console.h"
#include "files/output_file.h"
#include "results/read/stored.h"
#include "results/write/event_table.h"
#include "results/write/file_metadata.h"
#include "results/write/history.h"
#include "results/write/snapshots.h"

#include <stdio.h>
#include <string.h>

struct Output {
  bool nothing; // the null device: nothing is kept
  const Input *in;
  File file;
  History *history;
  Snapshots *snapshots;
  EventTable *events;
  Blocks blocks;
  double seconds, flushed; // between flushes; when the last one was
};

const char *output_library(void) {
  static char text[40];
  unsigned major, minor, release;
  H5get_libversion(&major, &minor, &release);
  snprintf(text, sizeof text, "%u.%u.%u", major, minor, release);
  return text;
}

void output_sidecar(const char *path, char *out, size_t size) { snapshot_beside(path, ".xdmf", out, size); }
void output_beside(const char *path, const char *ending, char *out, size_t size) {
  snapshot_beside(path, ending, out, size);
}

// Bytes that are no text are stored as two digits each, behind a line that says so (input/yaml/looks.c reads them).
static PetscErrorCode WriteIncluded(hid_t file, const char *path, const InputSource *source) {
  static const char head[] = "limber: bytes\n", digit[] = "0123456789abcdef";
  static const char about[] = "a file that the model file includes, by its name";
  char *text;
  PetscFunctionBegin;
  if (!memchr(source->text, 0, source->length)) {
    PetscCall(FileLongText(file, path, source->text, about));
    PetscFunctionReturn(0);
  }
  PetscCall(PetscMalloc1(sizeof head + 2 * source->length, &text));
  memcpy(text, head, sizeof head);
  for (size_t i = 0; i < source->length; i++) {
    unsigned char byte = (unsigned char)source->text[i];
    text[sizeof head - 1 + 2 * i] = digit[byte >> 4], text[sizeof head + 2 * i] = digit[byte & 15];
  }
  text[sizeof head - 1 + 2 * source->length] = 0;
  PetscCall(FileLongText(file, path, text, about));
  PetscCall(PetscFree(text));
  PetscFunctionReturn(0);
}

// The model file, what it includes, and what the command line changed: all that the run was made of.
static PetscErrorCode WriteSources(hid_t file, const Input *in) {
  char path[40];
  hid_t set;
  PetscFunctionBegin;
  PetscCall(FileLongText(file, "/model", in->text, "the model file"));
  if (in->sources > 1) PetscCall(FileGroup(file, "/included", "files that the model file includes"));
  for (int i = 1; i < in->sources; i++) {
    PetscCall(PetscSNPrintf(path, sizeof path, "/included/%d", i));
    PetscCall(WriteIncluded(file, path, &in->source[i]));
    H5Make(set, H5Dopen2(file, path, H5P_DEFAULT));
    PetscCall(FileText(set, "name", in->source[i].name));
    H5Call(H5Dclose(set));
  }
  PetscFunctionReturn(0);
}

// NULL: a run in time.
static const char *analysis_name(const Input *in) {
  return in->options.analysis == LIMBER_ANALYSIS_STATIC ? "static" : NULL;
}

static PetscErrorCode WriteOptions(hid_t file, const Input *in, const char *analysis) {
  const LimberOptions *p = &in->options;
  PetscFunctionBegin;
  PetscCall(FileText(file, "limber", limber_version()));
  PetscCall(FileInts(file, "format", 0, &(int){1}));
  if (in->changes) PetscCall(FileTexts(file, "changes", in->changes, in->change));
  PetscCall(FileText(file, "title", in->title));
  if (analysis) PetscCall(FileText(file, "analysis", analysis));
  PetscCall(FileText(file, "scheme", limber_scheme_name(p->scheme)));
  if (p->order > 2) PetscCall(FileInts(file, "order", 0, &p->order));
  PetscCall(FileReal(file, "rho_inf", p->rho_inf));
  PetscCall(FileReal(file, "beta", p->beta));
  PetscCall(FileReal(file, "step", p->step));
  PetscCall(FileReal(file, "end", in->end));
  PetscCall(FileInts(file, "every", 0, &in->every));
  PetscCall(FileReal(file, "snapshots", in->snapshots));
  PetscCall(FileReal(file, "tolerance", p->tolerance));
  PetscCall(FileInts(file, "iterations", 0, &p->iterations));
  PetscCall(FileInts(file, "halvings", 0, &p->halvings));
  PetscCall(FileInts(file, "literal_jump", 0, &(int){p->literal_jump}));
  PetscCall(FileInts(file, "end_forces", 0, &(int){p->end_forces}));
  PetscCall(FileInts(file, "equilibrium", 0, &(int){p->equilibrium}));
  if (p->control.on) {
    PetscCall(FileReal(file, "loss", p->control.loss));
    PetscCall(FileReal(file, "smallest", p->control.smallest));
    PetscCall(FileReal(file, "largest", p->control.largest));
    PetscCall(FileReal(file, "rows", in->rows));
  }
  PetscCall(FileText(file, "ended", "running"));
  PetscFunctionReturn(0);
}

PetscErrorCode OutputWriteSources(long long file, const Input *in, const char *analysis) {
  PetscFunctionBegin;
  PetscCall(WriteOptions((hid_t)file, in, analysis));
  PetscCall(WriteSources((hid_t)file, in));
  PetscFunctionReturn(0);
}

static PetscErrorCode FlushOutput(Output *o, bool last) {
  PetscFunctionBegin;
  PetscCall(HistoryWrite(o->history));
  PetscCall(FileFlush(&o->file));
  PetscCall(SnapshotsWriteSidecar(o->snapshots, last));
  o->flushed = clock_seconds();
  PetscFunctionReturn(0);
}

// Brings the file up to date when it is time; rank 0 has the clock.
static PetscErrorCode FlushIfLate(Output *o) {
  int late = clock_seconds() - o->flushed >= o->seconds;
  PetscFunctionBegin;
  if (o->file.size > 1) PetscCallMPI(MPI_Bcast(&late, 1, MPI_INT, 0, o->file.comm));
  if (late) PetscCall(FlushOutput(o, false));
  PetscFunctionReturn(0);
}

static PetscErrorCode NewOutput(const Input *in, Output **out) {
  Output *o;
  PetscFunctionBegin;
  PetscCall(PetscNew(&o));
  o->in = in, o->seconds = 1;
  PetscCall(PetscOptionsGetReal(NULL, NULL, "-limber_flush", &o->seconds, NULL));
  *out = o;
  PetscFunctionReturn(0);
}

static PetscErrorCode OpenTables(Output *o, LimberRun run) {
  PetscFunctionBegin;
  PetscCall(HistoryCreate(o->in, &o->file, &o->history));
  PetscCall(SnapshotsCreate(o->in, &o->file, run, &o->snapshots));
  PetscCall(EventTableCreate(&o->file, run->stepper, &o->events));
  PetscCall(FileOpenOnAllRanks(&o->file));
  PetscCall(HistoryOpen(o->history));
  PetscCall(EventTableOpen(o->events));
  PetscCall(SnapshotsOpen(o->snapshots));
  PetscFunctionReturn(0);
}

PetscErrorCode OutputCreate(const char *path, const Input *in, LimberRun run, Output **out) {
  Output *o;
  char sidecar[4200];
  bool event;
  PetscFunctionBegin;
  PetscCall(LogEventBegin(LOG_OUTPUT));
  PetscCall(NewOutput(in, &o));
  o->nothing = is_null_device(path);
  if (o->nothing) {
    *out = o;
    PetscCall(LogEventEnd(LOG_OUTPUT));
    PetscFunctionReturn(0);
  }
  output_sidecar(path, sidecar, sizeof sidecar);
  PetscCall(FileCreate(run->stepper->s->motion.layout.comm, path, &o->file));
  if (o->file.rank == 0) remove(sidecar); // of an earlier run
  if (o->file.rank == 0) PetscCall(WriteOptions(o->file.id, in, analysis_name(in)));
  if (o->file.rank == 0) PetscCall(WriteSources(o->file.id, in));
  if (o->file.rank == 0) PetscCall(FileText(o->file.id, "remarks", limber_run_remarks(run)));
  PetscCall(OpenTables(o, run));
  PetscCall(HistoryRecord(o->history, run));
  PetscCall(SnapshotsTake(o->snapshots, run));
  PetscCall(EventTableWrite(o->events, &event));
  PetscCall(FlushOutput(o, true));
  PetscCall(LogEventEnd(LOG_OUTPUT));
  *out = o;
  PetscFunctionReturn(0);
}

// Those on a change of the model or on the steps, after those on the start. Rank 0.
static PetscErrorCode AddRemarks(hid_t file, const char *remarks) {
  char text[4096], **before;
  int count;
  PetscFunctionBegin;
  if (!*remarks) PetscFunctionReturn(0);
  before = attribute_texts(file, "remarks", &count);
  snprintf(text, sizeof text, "%s%s", count ? before[0] : "", remarks);
  texts_free(before, count);
  PetscCall(FileText(file, "remarks", text));
  PetscFunctionReturn(0);
}

PetscErrorCode OutputStep(Output *o, LimberRun run, const LimberOutcome *step) {
  bool row, event, snapshot = !o->nothing && snapshot_due(o->snapshots, limber_run_time(run));
  PetscFunctionBegin;
  if (o->nothing) PetscFunctionReturn(0);
  PetscCall(LogEventBegin(LOG_OUTPUT));
  PetscCall(HistoryStep(o->history, run, step, &row));
  if (row) PetscCall(HistoryRecord(o->history, run));
  if (snapshot) PetscCall(SnapshotsTake(o->snapshots, run));
  PetscCall(EventTableWrite(o->events, &event));
  if (row || snapshot || event) PetscCall(FlushIfLate(o));
  PetscCall(LogEventEnd(LOG_OUTPUT));
  PetscFunctionReturn(0);
}

static PetscErrorCode FreeOutput(Output **out) {
  Output *o = *out;
  PetscFunctionBegin;
  PetscCall(FileClose(&o->file));
  PetscCall(HistoryDestroy(&o->history));
  PetscCall(SnapshotsDestroy(&o->snapshots));
  PetscCall(EventTableDestroy(&o->events));
  PetscCall(BlocksDestroy(&o->blocks));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(0);
}

PetscErrorCode OutputResume(const char *path, const Input *in, LimberRun run, const CheckpointContainer *p,
                            bool changed, Output **out) {
  bool good = false;
  PetscFunctionBegin;
  PetscCall(NewOutput(in, out));
  Output *o = *out;
  PetscCall(FileReopen(run->stepper->s->motion.layout.comm, path, &o->file));
  if (changed && o->file.rank == 0) {
    PetscCall(WriteOptions(o->file.id, in, analysis_name(in)));
    PetscCall(FileReal(o->file.id, "changed_at", limber_run_time(run)));
    PetscCall(FileReal(o->file.id, "changed_work", run->stepper->branched));
    PetscCall(AddRemarks(o->file.id, limber_run_remarks(run)));
  }
  PetscCall(OpenTables(o, run));
  PetscCall(SnapshotsRestore(o->snapshots, p, &good));
  good = good && history_restore(o->history, p);
  if (good) PetscCall(SnapshotsWriteSidecar(o->snapshots, true));
  else PetscCall(FreeOutput(out));
  PetscFunctionReturn(0);
}

PetscErrorCode OutputSave(Output *o, CheckpointContainer *p) {
  PetscFunctionBegin;
  PetscCall(FlushOutput(o, false));
  PetscCall(FileSaveMetadata(&o->file, &o->blocks, p));
  if (o->file.rank) PetscFunctionReturn(0);
  PetscCall(HistorySave(o->history, p));
  PetscCall(SnapshotsSave(o->snapshots, p));
  PetscFunctionReturn(0);
}

void output_stresses(const Output *o, char *text, size_t size) {
  text[0] = 0;
  if (!o->nothing) history_stresses(o->history, text, size);
}

PetscErrorCode OutputClose(Output **out, LimberRun run, const char *ended, int *snapshots) {
  Output *o = *out;
  char remarks[2048], rotation[1024];
  bool event;
  PetscFunctionBegin;
  *snapshots = 0;
  if (o->nothing) {
    PetscCall(PetscFree(*out));
    PetscFunctionReturn(0);
  }
  PetscCall(LogEventBegin(LOG_OUTPUT));
  const AnalysisKind *kind = run->stepper->kind;
  PetscCall(kind->remark ? kind->remark(run->stepper, remarks, sizeof remarks)
                         : ContactsRemark(run->stepper, remarks, sizeof remarks));
  PetscCall(RotationRemark(run->stepper, rotation, sizeof rotation));
  PetscCall(EventTableWrite(o->events, &event));
  if (history_waits(o->history)) PetscCall(HistoryRecord(o->history, run));
  if (!snapshot_last(o->snapshots, limber_run_time(run))) PetscCall(SnapshotsTake(o->snapshots, run));
  PetscCall(FlushOutput(o, true));
  PetscCall(HistoryClose(o->history));
  PetscCall(SnapshotsClose(o->snapshots));
  PetscCall(EventTableClose(o->events));
  *snapshots = o->snapshots->count;
  PetscCall(FileReturnToFirstRank(&o->file));
  if (o->file.rank == 0) PetscCall(AddRemarks(o->file.id, remarks));
  if (o->file.rank == 0) PetscCall(AddRemarks(o->file.id, rotation));
  output_stresses(o, remarks, sizeof remarks);
  if (o->file.rank == 0) PetscCall(AddRemarks(o->file.id, remarks));
  if (o->file.rank == 0) PetscCall(FileText(o->file.id, "ended", ended));
  PetscCall(FreeOutput(out));
  PetscCall(LogEventEnd(LOG_OUTPUT));
  PetscFunctionReturn(0);
}
