// SPDX-License-Identifier: Apache-2.0
// Writes the results of a run: checks the target, creates the file, and records steps, snapshots and events (output.h).
#include "results/write/output.h"
#include "assembly/ranks.h"
#include "assembly/log_events.h"

#include "analyses/stepping/contact.h"
#include "analyses/stepping/events.h"
#include "analyses/stepping/fast_rotation.h"
#include "analyses/stepping/stepper.h"
#include "console/console.h"
#include "files/folder.h"
#include "files/output_file.h"
#include "model/refusal.h"
#include "results/read/stored.h"
#include "results/write/hdf5_file.h"
#include "files/claim.h"
#include "results/write/history.h"
#include "results/write/snapshots.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Paths of the files that a model was read from, relative to the current folder.
typedef struct {
  char **name;
  int count;
} InputNames;

static Error InputNamesCreate(const Input *in, InputNames *out) {
  const char *slash = in ? strrchr(in->file, '/') : NULL;
  PetscFunctionBegin;
  *out = (InputNames){0};
  if (!in) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(in->sources + 1, &out->name));
  PetscCall(PetscStrallocpy(in->file, &out->name[out->count++]));
  for (int i = 1; i < in->sources; i++) {
    const char *name = in->source[i].name;
    int folder = slash && *name != '/' ? (int)(slash - in->file) + 1 : 0;
    size_t size = (size_t)folder + strlen(name) + 1;
    PetscCall(PetscMalloc1(size, &out->name[out->count]));
    snprintf(out->name[out->count++], size, "%.*s%s", folder, in->file, name);
  }
  PetscFunctionReturn(0);
}

static Error InputNamesDestroy(InputNames *names) {
  PetscFunctionBegin;
  for (int i = 0; i < names->count; i++) PetscCall(PetscFree(names->name[i]));
  PetscCall(PetscFree(names->name));
  PetscFunctionReturn(0);
}

// Refuses devices and pipes: HDF5 must be able to read the file back.
static bool is_no_file(const char *path, Refusal *wrong) {
  struct stat there;
  bool printed = is_standard_stream(path);
  if (!printed && (stat(path, &there) || S_ISDIR(there.st_mode) || S_ISREG(there.st_mode))) return false;
  refuse(wrong, "'%s' is %s: results need a file with a name; -o /dev/null discards them", path,
         printed ? "what this command prints to" : "a device or a pipe");
  return true;
}

// Files with other endings share the sidecar and the checkpoint: run.hdf5 and run.h5.
static bool neighbour_is_held(const char *path, Refusal *wrong) {
  static const char *const endings[] = {".h5", ".hdf5", ".hdf", ".vtkhdf", ""};
  char name[4200];
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    output_beside(path, endings[i], name, sizeof name);
    if (strcmp(name, path) && claim_is_held(name, wrong)) return true;
  }
  return false;
}

// Finds a reason not to write the results, on rank 0.
static void find_obstacle(const char *path, OutputRules *rules, Refusal *wrong) {
  static const struct {
    FileKind kind;
    const char *ending;
  } beside[] = {{FILE_XDMF, ".xdmf"}, {FILE_CHECKPOINT, ".checkpoint"}};
  char name[4200];
  rules->kind = FILE_RESULTS;
  if (is_null_device(path) || is_no_file(path, wrong)) return;
  if (!output_allowed(path, rules, wrong)) {
    claim_is_held(path, wrong); // a file that another run just started has no signature yet
    return;
  }
  for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
    rules->kind = beside[i].kind;
    output_beside(path, beside[i].ending, name, sizeof name);
    if (!output_allowed(name, rules, wrong)) return;
  }
  if (!neighbour_is_held(path, wrong)) claim_take(path, wrong);
}

Error FileObstacle(MPI_Comm comm, const char *path, FileKind kind, const Input *in, Refusal *wrong) {
  InputNames names;
  PetscMPIInt rank = 0;
  PetscFunctionBegin;
  wrong->text[0] = 0;
  if (comm != MPI_COMM_NULL) PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(InputNamesCreate(in, &names));
  OutputRules rules = {kind, output_force(), (const char *const *)names.name, names.count};
  if (rank == 0 && kind == FILE_RESULTS) find_obstacle(path, &rules, wrong);
  else if (rank == 0) output_allowed(path, &rules, wrong);
  PetscCall(InputNamesDestroy(&names));
  if (comm == MPI_COMM_NULL) PetscFunctionReturn(0);
  PetscCall(CheckOtherRanks(comm));
  PetscCallMPI(MPI_Bcast(wrong->text, REFUSAL_SIZE, MPI_CHAR, 0, comm));
  PetscFunctionReturn(0);
}

Error ResultsClaim(MPI_Comm comm, const char *path, Refusal *wrong) {
  PetscMPIInt rank;
  PetscFunctionBegin;
  wrong->text[0] = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0 && access(path, F_OK)) refuse(wrong, "cannot read '%s': %s", path, strerror(errno));
  else if (rank == 0 && !neighbour_is_held(path, wrong)) claim_take(path, wrong);
  PetscCallMPI(MPI_Bcast(wrong->text, REFUSAL_SIZE, MPI_CHAR, 0, comm));
  PetscFunctionReturn(0);
}

// The events of a run, one row each: /events/name, /events/time, /events/loss. Rows are written in the step of the
// event, so the file does not depend on when it is flushed.

typedef struct EventTable EventTable;

enum { NAME, TIME, LOSS, TABLES };
enum { CHUNK = 32 }; // rows

static const char *const paths[TABLES] = {"/events/name", "/events/time", "/events/loss"};
static const char *const units[TABLES] = {"1", "s", "J"};
static const char *const description[TABLES] = {"which event", "when it happened", "energy that it took"};

struct EventTable {
  File *file;
  const Stepper *p;
  size_t length; // of a name
  hid_t type;    // of a name
  hid_t table[TABLES];
  hsize_t written;
};

// Whether the file has growing tables. A file of an older version may have arrays.
static bool has_tables(hid_t file) {
  if (H5Lexists(file, "/events", H5P_DEFAULT) <= 0) return false;
  bool good = true;
  for (int i = 0; i < TABLES && good; i++) {
    hid_t set = H5Lexists(file, paths[i], H5P_DEFAULT) > 0 ? H5Dopen2(file, paths[i], H5P_DEFAULT) : -1;
    hid_t create = set >= 0 ? H5Dget_create_plist(set) : -1;
    good = create >= 0 && H5Pget_layout(create) == H5D_CHUNKED;
    if (create >= 0) H5Pclose(create);
    if (set >= 0) H5Dclose(set);
  }
  return good;
}

// `*out` is NULL if the model has no events. Collective, like all functions of the table.
static PetscErrorCode EventTableCreate(File *f, const Stepper *p, EventTable **out) {
  EventTable *t;
  PetscFunctionBegin;
  *out = NULL;
  if (!p->events) PetscFunctionReturn(0);
  PetscCall(PetscNew(&t));
  *out = t;
  t->file = f, t->p = p, t->length = 1;
  for (int i = 0; i < p->events->count; i++)
    t->length = PetscMax(t->length, strlen(model_event(p->s->motion.layout.model, i)->name));
  H5Make(t->type, H5Tcopy(H5T_C_S1));
  H5Call(H5Tset_size(t->type, t->length));
  H5Call(H5Tset_strpad(t->type, H5T_STR_NULLPAD));
  H5Call(H5Tset_cset(t->type, H5T_CSET_UTF8));
  if (f->rank || (f->exists && has_tables(f->id))) PetscFunctionReturn(0);
  if (f->exists && H5Lexists(f->id, "/events", H5P_DEFAULT) > 0) H5Call(H5Ldelete(f->id, "/events", H5P_DEFAULT));
  PetscCall(FileGroup(f->id, "/events", "events, one per row"));
  for (int i = 0; i < TABLES; i++)
    PetscCall(FileTableCreate(f->id, &(FileTable){.path = paths[i],
                                                  .width = 1,
                                                  .type = i == NAME ? t->type : H5T_IEEE_F64LE,
                                                  .chunk = CHUNK,
                                                  .units = units[i],
                                                  .description = description[i]}));
  PetscFunctionReturn(0);
}

static PetscErrorCode EventTableOpen(EventTable *t) {
  hid_t space;
  PetscFunctionBegin;
  if (!t) PetscFunctionReturn(0);
  for (int i = 0; i < TABLES; i++) H5Make(t->table[i], H5Dopen2(t->file->id, paths[i], H5P_DEFAULT));
  H5Make(space, H5Dget_space(t->table[TIME]));
  H5Call(H5Sget_simple_extent_dims(space, &t->written, NULL));
  H5Call(H5Sclose(space));
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteRows(EventTable *t, hsize_t total, const char *names, const double *numbers) {
  hsize_t count = total - t->written;
  PetscFunctionBegin;
  for (int i = 0; i < TABLES; i++) {
    FileRows rows = {.total = total,
                     .at = t->written,
                     .count = t->file->rank ? 0 : count,
                     .type = i == NAME ? t->type : H5T_NATIVE_DOUBLE,
                     .values = i == NAME ? (const void *)names : numbers,
                     .stride = i == NAME ? 1 : 2,
                     .first = i == LOSS,
                     .width = 1};
    PetscCall(FileWrite(t->file, t->table[i], &rows));
  }
  PetscFunctionReturn(0);
}

// Adds the events since the last call; `any`: there were some.
static PetscErrorCode EventTableWrite(EventTable *t, bool *any) {
  char *names;
  double *numbers; // time and loss of each
  PetscFunctionBegin;
  *any = t && (hsize_t)t->p->events->records > t->written;
  if (!*any) PetscFunctionReturn(0);
  hsize_t total = (hsize_t)t->p->events->records, count = total - t->written;
  PetscCall(PetscCalloc1((size_t)count * t->length + 1, &names));
  PetscCall(PetscMalloc1(2 * count, &numbers));
  for (hsize_t i = 0; i < count; i++) {
    const EventRecord *r = &t->p->events->record[t->written + i];
    const char *name = model_event(t->p->s->motion.layout.model, (int)r->event)->name;
    memcpy(names + i * t->length, name, strlen(name));
    numbers[2 * i] = r->time, numbers[2 * i + 1] = r->loss;
  }
  PetscCall(WriteRows(t, total, names, numbers));
  t->written = total;
  PetscCall(PetscFree(names));
  PetscCall(PetscFree(numbers));
  PetscFunctionReturn(0);
}

static PetscErrorCode EventTableClose(EventTable *t) {
  PetscFunctionBegin;
  if (!t) PetscFunctionReturn(0);
  for (int i = 0; i < TABLES; i++) H5Call(H5Dclose(t->table[i]));
  PetscFunctionReturn(0);
}

static PetscErrorCode EventTableDestroy(EventTable **table) {
  PetscFunctionBegin;
  if (!*table) PetscFunctionReturn(0);
  H5Call(H5Tclose((*table)->type));
  PetscCall(PetscFree(*table));
  PetscFunctionReturn(0);
}

struct Output {
  bool nothing; // the null device: nothing is written
  const Input *in;
  File file;
  History *history;
  Snapshots *snapshots;
  EventTable *events;
  Blocks blocks;
  double seconds, flushed; // interval between flushes; time of the last one
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

// Binary data is stored as two hexadecimal digits per byte, after a marker line (input/yaml/visuals.c reads it).
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

// Writes the model file and the files it includes.
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

// The name of the analysis; NULL: a time simulation.
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
  PetscCall(FileText(file, "status", run_status_words[RUN_RUNNING]));
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

// Flushes the file if the interval has passed on the clock of rank 0.
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
  if (o->file.rank == 0) remove(sidecar); // from an earlier run
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

// Appends remarks to those on the start, on rank 0.
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

PetscErrorCode OutputRestart(Output *o, LimberRun run) {
  PetscFunctionBegin;
  if (!o->nothing) PetscCall(HistoryRestart(o->history, run));
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

// HDF5 marks a file as open in its superblock and removes the mark as its very last write.
bool output_was_closed(const char *path) {
  unsigned char head[24] = {0};
  FILE *f = found_fopen(path);
  size_t got = f ? fread(head, 1, sizeof head, f) : 0;
  if (f) fclose(f);
  return got == sizeof head && !(head[head[8] < 2 ? 20 : 11] & 1); // byte 8 is the version of the superblock
}

PetscErrorCode OutputClose(Output **out, LimberRun run, RunStatus status, int *snapshots) {
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
  if (o->file.rank == 0) PetscCall(FileText(o->file.id, "status", run_status_words[status]));
  PetscCall(FreeOutput(out));
  PetscCall(LogEventEnd(LOG_OUTPUT));
  PetscFunctionReturn(0);
}
