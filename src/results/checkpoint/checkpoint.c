// SPDX-License-Identifier: Apache-2.0
// Writes and reads checkpoint files (checkpoint.h).
#include "results/checkpoint/checkpoint.h"

#include "assembly/ranks.h"
#include "assembly/log_events.h"
#include "files/folder.h"
#include "files/output_file.h"
#include "model/refusal.h"
#include "results/checkpoint/run_state.h"
#include "results/container/container.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const checkpoint_parts[PARTS] = {"nodes", "elements", "joints", "loads", "probes"};

void checkpoint_path(const char *results, char *out, size_t size) { output_beside(results, ".checkpoint", out, size); }

bool checkpoint_interval(const char *text, double *out) {
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"", 1}, {"s", 1}, {"min", 60}, {"h", 3600}};
  char *end;
  double value = strtod(text, &end);
  if (end == text || !isfinite(value) || value < 0) return false;
  end += strspn(end, " ");
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (!strcmp(end, units[i].name)) return *out = value * units[i].seconds, true;
  return false;
}

// ---- fingerprint of the model ----

static uint64_t add_text(uint64_t sum, const char *text) {
  return text ? container_checksum(sum + 1, text, strlen(text)) : sum;
}

static uint64_t add_number(uint64_t sum, int64_t n) { return container_checksum(sum, &n, sizeof n); }

void checkpoint_head(const Input *in, int ranks, double time, CheckpointHead *h) {
  Model m = in->model;
  memset(h, 0, sizeof *h);
  snprintf(h->limber, sizeof h->limber, "%s", limber_version());
  const char *scheme = limber_scheme_name(in->options.scheme);
  if (in->options.order > 2) snprintf(h->scheme, sizeof h->scheme, "%s of order %d", scheme, in->options.order);
  else snprintf(h->scheme, sizeof h->scheme, "%s", scheme);
  h->time = time, h->step = in->options.step, h->end = in->end, h->snapshots = in->snapshots;
  h->ranks = ranks, h->controlled = in->options.control.on;
  for (int i = 0; i < m->nodes.count; i++)
    h->part[PART_NODES] = add_number(h->part[PART_NODES], model_node(m, i)->kind + 1);
  for (int i = 0; i < m->elements.count; i++) {
    const ModelElement *e = model_element(m, i);
    uint64_t sum = add_text(h->part[PART_ELEMENTS], e->kind->name);
    for (int k = 0; k < e->nnode; k++) sum = add_number(sum, model_element_nodes(m, e)[k] + 1);
    h->part[PART_ELEMENTS] = sum;
  }
  for (int i = 0; i < m->joints.count; i++) {
    const ModelJoint *j = model_joint(m, i);
    uint64_t sum = add_text(h->part[PART_JOINTS], j->kind->name);
    for (int k = 0; k < j->nnode; k++) sum = add_number(sum, j->node[k] + 1);
    for (int c = 0; c < j->joint.ncoord; c++) sum = add_number(sum, j->joint.prescribed[c] + 1);
    h->part[PART_JOINTS] = sum;
  }
  for (int i = 0; i < m->loads.count; i++) {
    const ModelLoad *l = model_load(m, i);
    h->part[PART_LOADS] = add_text(add_text(h->part[PART_LOADS] + 1, l->kind->name), l->name);
  }
  for (int i = 0; i < in->probes; i++) {
    uint64_t sum = add_number(add_text(h->part[PART_PROBES], in->probe[i].name), in->probe[i].kind);
    h->part[PART_PROBES] = add_number(add_number(sum, in->probe[i].record), probe_width(m, &in->probe[i]));
  }
}

// ---- writing ----

static PetscErrorCode PutSources(const Input *in, CheckpointContainer *p) {
  char *path = strcmp(in->file, "-") ? realpath(in->file, NULL) : NULL;
  PetscFunctionBegin;
  if (path) PetscCall(ContainerPut(p, "path", 0, path, strlen(path) + 1));
  free(path);
  for (int i = 0; i < in->sources; i++) {
    PetscCall(ContainerPut(p, "name", i, in->source[i].name, strlen(in->source[i].name) + 1));
    PetscCall(ContainerPut(p, "text", i, in->source[i].text, in->source[i].length + 1));
  }
  for (int i = 0; i < in->changes; i++)
    PetscCall(ContainerPut(p, "change", i, in->change[i], strlen(in->change[i]) + 1));
  PetscFunctionReturn(0);
}

// Opens a new file, which replaces the old one once it is complete and on disk.
static bool open_file(const char *path, OutputFile *f, Refusal *wrong) {
  bool good = output_open(path, &(OutputRules){.kind = FILE_CHECKPOINT, .force = output_force()}, f, wrong);
  if (good) checkpoint_file_begin(f->out); // errors are reported at the end
  else refusal_cut(wrong);
  return good;
}

PetscErrorCode CheckpointWrite(const char *results, const Input *in, LimberRun run, Output *o, const void *more,
                               size_t more_size, bool *good, Refusal *wrong) {
  CheckpointContainer p = {0};
  CheckpointHead head;
  MPI_Comm comm = run->stepper->s->motion.layout.comm;
  PetscMPIInt rank, ranks;
  OutputFile f = {.out = NULL};
  char path[4200]; // messages use it until the file is finished
  int opened = 1;
  PetscFunctionBegin;
  PetscCall(LogEventBegin(LOG_OUTPUT));
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &ranks));
  checkpoint_path(results, path, sizeof path);
  checkpoint_head(in, ranks, limber_run_time(run), &head);
  if (rank == 0) {
    PetscCall(ContainerPut(&p, "head", 0, &head, sizeof head));
    PetscCall(PutSources(in, &p));
    PetscCall(ContainerPut(&p, "account", 0, more, more_size));
  }
  PetscCall(OutputSave(o, &p)); // before the file is opened, because this fails if the disk is full
  if (rank == 0) opened = open_file(path, &f, wrong);
  PetscCallMPI(MPI_Bcast(&opened, 1, MPI_INT, 0, comm));
  *good = opened;
  if (opened) PetscCall(RunWrite(run, f.out, &p));
  if (opened && rank == 0) {
    PetscCall(CheckpointFileEnd(f.out, &p));
    *good = output_finish(&f, wrong);
  }
  memory_free(&p.data);
  PetscCall(LogEventEnd(LOG_OUTPUT));
  PetscFunctionReturn(0);
}

// ---- reading ----

// Explains why there is no checkpoint.
static void explain_missing(const char *results, const char *path, Refusal *wrong) {
  char head[4] = "";
  FILE *f = found_fopen(results);
  if (!f) {
    refuse(wrong, "cannot read '%s': %s", results, found_error(errno));
    return;
  }
  size_t got = fread(head, 1, sizeof head, f);
  fclose(f);
  if (got == sizeof head && memcmp(head, "\x89HDF", sizeof head))
    refuse(wrong, "'%s' is not a results file; limber resume takes those of a run, such as run.h5", results);
  else
    refuse(wrong,
           "there is no checkpoint '%s' next to '%s': the run wrote none (--checkpoint 0, or a run that chose its "
           "step), it was killed before the first, or the two were separated. Start it again with limber run",
           path, results);
}

// Opens and checks the file, on rank 0.
static PetscErrorCode OpenCheckpoint(const char *results, CheckpointContainer *p, Refusal *wrong) {
  char path[4200];
  Refusal why;
  size_t length;
  PetscFunctionBegin;
  checkpoint_path(results, path, sizeof path);
  p->file = found_fopen(path);
  if (!p->file && errno == ENOENT) explain_missing(results, path, wrong);
  else if (!p->file) refuse(wrong, "cannot read '%s': %s", path, found_error(errno));
  if (!p->file) PetscFunctionReturn(0);
  PetscCall(CheckpointFileRead(p->file, p, &why));
  if (is_refused(&why))
    refuse(wrong, "'%s' %s. Without a good one the run must be started again: limber run", path, why.text);
  else if (!container_find(p, "head", 0, &length) || length != sizeof(CheckpointHead))
    refuse(wrong, "'%s' has no head: another version of Limber wrote it. Resume with that one", path);
  PetscFunctionReturn(0);
}

static PetscErrorCode BroadcastContainer(MPI_Comm comm, CheckpointContainer *p) {
  const size_t piece = (size_t)1 << 30;
  unsigned long long all = p->size;
  PetscMPIInt rank;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Bcast(&all, 1, MPI_UNSIGNED_LONG_LONG, 0, comm));
  p->size = (size_t)all;
  if (rank) PetscCall(MemoryResize(p->size + 1, &p->data));
  for (size_t at = 0; at < p->size; at += piece)
    PetscCallMPI(MPI_Bcast(p->data + at, (int)PetscMin(piece, p->size - at), MPI_BYTE, 0, comm));
  PetscFunctionReturn(0);
}

PetscErrorCode CheckpointRead(const char *results, CheckpointContainer *p, CheckpointHead *head, Refusal *wrong) {
  MPI_Comm comm = model_communicator(NULL);
  PetscMPIInt rank;
  PetscFunctionBegin;
  wrong->text[0] = 0, *p = (CheckpointContainer){0};
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (!rank) PetscCall(OpenCheckpoint(results, p, wrong));
  PetscCallMPI(MPI_Bcast(wrong->text, REFUSAL_SIZE, MPI_CHAR, 0, comm));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(BroadcastContainer(comm, p));
  container_take(p, "head", 0, head, sizeof *head);
  head->limber[sizeof head->limber - 1] = head->scheme[sizeof head->scheme - 1] = 0;
  PetscFunctionReturn(0);
}

void checkpoint_close(CheckpointContainer *p) {
  if (p->file) fclose(p->file);
  p->file = NULL;
  memory_free(&p->data);
}

static const CheckpointContainer *serving; // the container from which files are served

// Serves files of the model from the container instead of the disk.
static Error ServeFile(const char *path, const SourceRule *rule, SourceText *out) {
  (void)rule; // applies only to files on disk
  *out = (SourceText){.error = ENOENT};
  for (int i = 0;; i++) {
    size_t length;
    const char *name = container_text(serving, "name", i, &length), *text = container_text(serving, "text", i, &length);
    if (!name || !text) return 0;
    if (strcmp(name, path)) continue;
    out->error = 0, out->length = length;
    TRY(MemoryNew(length + 1, &out->text));
    memcpy(out->text, text, length);
    return 0;
  }
}

// Compares the fields of two changes: "run.end" of "run.end=3 s".
static bool same_field(const char *a, const char *b) {
  size_t n = strcspn(a, "=");
  return n == strcspn(b, "=") && !strncmp(a, b, n);
}

PetscErrorCode CheckpointInput(const CheckpointContainer *p, int changes, const char *const *change, Input **in) {
  const char **all, *old;
  int count = 0, given = 0;
  size_t length;
  PetscFunctionBegin;
  *in = NULL;
  while (container_text(p, "change", given, &length)) given++;
  PetscCall(PetscMalloc1(given + changes, &all));
  for (int i = 0; i < given; i++) {
    bool replaced = false;
    old = container_text(p, "change", i, &length);
    for (int k = 0; k < changes; k++) replaced = replaced || same_field(old, change[k]);
    if (!replaced) all[count++] = old;
  }
  for (int k = 0; k < changes; k++) all[count++] = change[k];
  const char *name = container_text(p, "name", 0, &length), *text = container_text(p, "text", 0, &length);
  serving = p;
  if (name && text)
    PetscCall(InputRead(name, text, length, &(InputOptions){.read = ServeFile, .change = all, .changes = count}, in));
  serving = NULL;
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

bool checkpoint_model_changed(const CheckpointContainer *p, char *name, size_t size) {
  size_t length;
  const char *path = container_text(p, "path", 0, &length), *slash = path ? strrchr(path, '/') : NULL, *file, *text;
  for (int i = 0;
       slash && (file = container_text(p, "name", i, &length)) && (text = container_text(p, "text", i, &length)); i++) {
    SourceText now;
    snprintf(name, size, "%.*s%s", i && *file == '/' ? 0 : (int)(slash - path) + 1, path, i ? file : slash + 1);
    if (SourceRead(name, &source_rule_model, &now)) return false;
    bool other = now.text && (now.length != length || memcmp(now.text, text, length));
    memory_free(&now.text);
    if (other) return true;
  }
  return false;
}
