// SPDX-License-Identifier: Apache-2.0
#include "study/file.h"

#include "files/folder.h"
#include "input/yaml/study.h"
#include "results/write/hdf5_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NAMES_IN_HEADER = 3000 }; // of 16 bytes each

typedef enum { PART_NUMBERS, PART_REAL, PART_COUNT, PART_STATUS, PART_TEXT } PartKind;

// One dataset: where its bytes stand in a row.
typedef struct {
  const char *name, *units, *description;
  PartKind kind;
  size_t offset;
  int first, width; // PART_NUMBERS: columns of the layout
} RowPart;

static int parts_of(const StudyLayout *l, RowPart *part) {
  const RowPart all[STUDY_PARTS] = {
      {"/parameters", "", "values of the varied fields, in the units of each column", PART_NUMBERS, 0, 0,
       l->parameters},
      {"/status", "", "status of the run, as an index into the attribute `names`", PART_STATUS,
       offsetof(StudyRow, status), 0, 1},
      {"/steps", "1", "number of steps", PART_COUNT, offsetof(StudyRow, steps), 0, 1},
      {"/time", "s", "time reached", PART_REAL, offsetof(StudyRow, time), 0, 1},
      {"/balance_error", "J", "worst energy balance error of a step", PART_REAL, offsetof(StudyRow, balance), 0, 1},
      {"/constraint", "1", "largest violation of a joint's equations", PART_REAL, offsetof(StudyRow, constraint), 0, 1},
      {"/cause", "", "cause of a failure: the joint or element, or the message", PART_TEXT, offsetof(StudyRow, cause),
       0, 1},
      {"/statistics", "", "of each channel, in the units of each column", PART_NUMBERS, 0, l->parameters,
       l->statistics},
      {"/concurrent", "", "concurrent values: all channels at the time of an extreme of one", PART_NUMBERS, 0,
       l->parameters + l->statistics, l->concurrent},
      {"/errors", "", "error bars of the statistics; NaN: none", PART_NUMBERS, 0, study_errors_at(l), l->errors},
      {"/gradients", "", "values of quantities and their derivatives; NaN: none", PART_NUMBERS, 0,
       study_gradients_at(l), l->gradients},
      {"/gradient_errors", "", "errors of the derivatives; NaN: none", PART_NUMBERS, 0,
       study_gradients_at(l) + l->gradients, l->gradient_errors},
      {"/chosen", "", "step that the run chose, largest relative error of lengths and angles", PART_NUMBERS, 0,
       study_chosen_at(l), l->chosen},
  };
  int count = 0;
  for (int i = 0; i < STUDY_PARTS; i++) {
    if (!all[i].width) continue;
    part[count] = all[i];
    if (all[i].kind == PART_NUMBERS)
      part[count].offset = offsetof(StudyRow, value) + (size_t)all[i].first * sizeof(double);
    count++;
  }
  return count;
}

static size_t bytes_of(const RowPart *p) {
  return p->kind == PART_STATUS ? 1 : p->kind == PART_TEXT ? STUDY_CAUSE : 8 * (size_t)p->width;
}

static PetscErrorCode TypeOf(const RowPart *p, bool memory, hid_t *type) {
  PetscFunctionBegin;
  switch (p->kind) {
  case PART_NUMBERS:
  case PART_REAL: H5Make(*type, H5Tcopy(memory ? H5T_NATIVE_DOUBLE : H5T_IEEE_F64LE)); break;
  case PART_COUNT: H5Make(*type, H5Tcopy(memory ? H5T_NATIVE_INT64 : H5T_STD_I64LE)); break;
  case PART_STATUS: H5Make(*type, H5Tcopy(H5T_STD_U8LE)); break;
  case PART_TEXT:
    H5Make(*type, H5Tcopy(H5T_C_S1));
    H5Call(H5Tset_size(*type, STUDY_CAUSE));
    H5Call(H5Tset_strpad(*type, H5T_STR_NULLPAD));
    H5Call(H5Tset_cset(*type, H5T_CSET_UTF8));
    break;
  }
  PetscFunctionReturn(0);
}

// ---- facts of the study ----

static PetscErrorCode WriteChannels(hid_t file, const Plan *p, Store *store) {
  const char **name;
  double *factor;
  PetscFunctionBegin;
  if (!p->channels) PetscFunctionReturn(0);
  PetscCall(StoreAllocate(store, (size_t)p->channels * sizeof *name, &name));
  PetscCall(StoreAllocate(store, (size_t)p->channels * sizeof *factor, &factor));
  for (int i = 0; i < p->channels; i++) name[i] = p->channel[i].column, factor[i] = p->channel[i].factor;
  PetscCall(FileTexts(file, "channels", p->channels, name));
  PetscCall(FileReals(file, "factors", p->channels, factor));
  PetscFunctionReturn(0);
}

// The words of each parameter, a line each; "" where it has numbers.
static PetscErrorCode WriteWords(hid_t file, const Plan *p, Store *store) {
  const char **words;
  bool any = false;
  PetscFunctionBegin;
  PetscCall(StoreAllocate(store, (size_t)(p->variables + 1) * sizeof *words, &words));
  for (int i = 0; i < p->variables; i++) {
    const PlanVariable *v = &p->variable[i];
    size_t size = 1, used = 0;
    char *text;
    words[i] = "";
    if (!v->word) continue;
    any = true;
    for (int k = 0; k < v->count; k++) size += strlen(v->word[k]) + 1;
    PetscCall(StoreAllocate(store, size, &text));
    for (int k = 0; k < v->count; k++)
      used += (size_t)snprintf(text + used, size - used, "%s%s", k ? "\n" : "", v->word[k]);
    words[i] = text;
  }
  if (any) PetscCall(FileTexts(file, "words", p->variables, words));
  PetscFunctionReturn(0);
}

// The part of the lifetime that one run stands for, by the value of one parameter.
static PetscErrorCode WriteWeights(hid_t file, const Plan *p, Store *store) {
  const PlanVariable *v = &p->variable[p->weight_variable];
  double *weight;
  PetscFunctionBegin;
  PetscCall(StoreAllocate(store, (size_t)v->count * sizeof *weight, &weight));
  for (int i = 0; i < v->count; i++) weight[i] = p->runs_of[i] ? p->weight_of[i] / (double)p->runs_of[i] : 0;
  PetscCall(FileText(file, "weights_of", v->path));
  PetscCall(FileReals(file, "weight_values", v->count, v->value));
  PetscCall(FileReals(file, "weights", v->count, weight));
  PetscFunctionReturn(0);
}

// What the table records about its plan, as attributes: the design, partial safety factors of channels, words that
// stand for numbers, weights of runs over the lifetime.
static Error StudyFactsWrite(hid_t file, const Plan *p) {
  Store store = {0};
  char design[100];
  PetscFunctionBegin;
  snprintf(design, sizeof design, p->design == PLAN_PRODUCT || p->design == PLAN_ZIP ? "%s" : "%s, seed %llu",
           study_design((int)p->design), (unsigned long long)p->seed);
  PetscCall(FileText(file, "design", design));
  PetscCall(WriteChannels(file, p, &store));
  PetscCall(WriteWords(file, p, &store));
  if (p->weight_variable >= 0) PetscCall(WriteWeights(file, p, &store));
  PetscCall(StoreDestroy(&store));
  PetscFunctionReturn(0);
}

// ---- creation ----

static PetscErrorCode SetChunks(hid_t create, const RowPart *p, StudyFileForm form, uint64_t rows) {
  hsize_t chunk[2] = {rows < STUDY_CHUNK ? (hsize_t)rows : STUDY_CHUNK, 1};
  bool packed = p->kind == PART_TEXT || p->kind == PART_STATUS || p->kind == PART_COUNT; // mostly the same
  PetscFunctionBegin;
  if (form == STUDY_FILE_BLOCK && (p->kind != PART_TEXT || rows < 64)) PetscFunctionReturn(0);
  H5Call(H5Pset_chunk(create, p->kind == PART_NUMBERS ? 2 : 1, chunk));
  H5Call(H5Pset_fill_time(create, H5D_FILL_TIME_NEVER));
  if (packed) H5Call(H5Pset_shuffle(create));
  if (packed) H5Call(H5Pset_deflate(create, 4));
  PetscFunctionReturn(0);
}

// The name of the folder alone: files that stand beside each other may be moved together.
static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static PetscErrorCode MapBlocks(const Study *s, const RowPart *p, hid_t create, hid_t space, int rank) {
  char path[4200], file[4400];
  uint64_t first, rows;
  PetscFunctionBegin;
  for (uint64_t b = 0; b < study_blocks(s); b++) {
    hid_t source;
    study_block_range(s, b, &first, &rows);
    study_block_path(s, b, "h5", path, sizeof path);
    PetscCall(PetscSNPrintf(file, sizeof file, "%s/%s", base_of(s->folder), base_of(path)));
    hsize_t at[2] = {(hsize_t)first, 0}, size[2] = {(hsize_t)rows, (hsize_t)p->width};
    H5Make(source, H5Screate_simple(rank, size, NULL));
    H5Call(H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, size, NULL));
    H5Call(H5Pset_virtual(create, space, file, p->name, source));
    H5Call(H5Sclose(source));
  }
  H5Call(H5Sselect_all(space));
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateSet(StudyFile *f, const RowPart *p, StudyFileForm form, uint64_t rows, hid_t *set) {
  int rank = p->kind == PART_NUMBERS ? 2 : 1;
  hsize_t size[2] = {(hsize_t)rows, (hsize_t)p->width};
  const StudyLayout *l = &f->study->layout;
  hid_t space, type, create;
  PetscFunctionBegin;
  PetscCall(TypeOf(p, false, &type));
  H5Make(space, H5Screate_simple(rank, size, NULL));
  H5Make(create, H5Pcreate(H5P_DATASET_CREATE));
  H5Call(H5Pset_obj_track_times(create, 0));
  if (form == STUDY_FILE_VIRTUAL) PetscCall(MapBlocks(f->study, p, create, space, rank));
  else PetscCall(SetChunks(create, p, form, rows));
  if (p->width > MOST_NAMES_IN_HEADER) { // an attribute in the header of an object has at most 64 kB
    H5Call(H5Pset_attr_creation_order(create, H5P_CRT_ORDER_TRACKED));
    H5Call(H5Pset_attr_phase_change(create, 0, 0));
  }
  H5Make(*set, H5Dcreate2(f->id, p->name, type, space, H5P_DEFAULT, create, H5P_DEFAULT));
  if (p->kind == PART_NUMBERS) PetscCall(FileTexts(*set, "columns", p->width, l->name + p->first));
  if (form != STUDY_FILE_BLOCK) {
    PetscCall(FileText(*set, "description", p->description));
    if (p->kind == PART_NUMBERS) PetscCall(FileTexts(*set, "units", p->width, l->unit + p->first));
    else PetscCall(FileText(*set, "units", p->units));
  }
  if (p->kind == PART_STATUS) PetscCall(FileTexts(*set, "names", RUN_STATUSES, run_status_words));
  H5Call(H5Pclose(create));
  H5Call(H5Sclose(space));
  H5Call(H5Tclose(type));
  PetscFunctionReturn(0);
}

// The first attribute says who wrote the file (files/output_file.h).
static PetscErrorCode WriteHead(StudyFile *f, StudyFileForm form, uint64_t first, uint64_t rows) {
  const Study *s = f->study;
  PetscFunctionBegin;
  PetscCall(FileText(f->id, "limber", LIMBER_VERSION));
  PetscCall(FileText(f->id, "analysis", "study"));
  PetscCall(FileText(f->id, "identity", s->identity));
  PetscCall(FileReal(f->id, "first", (double)first));
  PetscCall(FileReal(f->id, "runs", (double)rows));
  if (form == STUDY_FILE_BLOCK) PetscFunctionReturn(0);
  PetscCall(FileInts(f->id, "format", 0, &(int){1}));
  PetscCall(FileText(f->id, "title", s->title));
  PetscCall(FileText(f->id, "plan", base_of(s->plan_file)));
  PetscCall(FileText(f->id, "model", s->model_file));
  if (form == STUDY_FILE_VIRTUAL) PetscCall(FileText(f->id, "blocks", base_of(s->folder)));
  PetscCall(FileReal(f->id, "block", (double)s->block));
  if (s->changes) PetscCall(FileTexts(f->id, "changes", s->changes, s->change));
  if (s->facts) PetscCall(StudyFactsWrite(f->id, s->facts));
  PetscCall(FileLongText(f->id, "/plan", s->plan_text, "the study file"));
  PetscCall(FileLongText(f->id, "/model", s->model_text, "the model file"));
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateFile(const char *path, StudyFileForm form, hid_t *id) {
  hid_t access, create;
  PetscFunctionBegin;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5Make(access, H5Pcreate(H5P_FILE_ACCESS));
  H5Call(
      H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, form == STUDY_FILE_VIRTUAL ? H5F_LIBVER_V110 : H5F_LIBVER_V18));
  H5Call(H5Pset_file_locking(access, 0, 1));
  H5Make(create, H5Pcreate(H5P_FILE_CREATE));
  H5Call(H5Pset_obj_track_times(create, 0));
  PetscCheck(own_create(path), PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "cannot write '%s': %s", path,
             found_error(errno));
  H5Make(*id, H5Fcreate(path, H5F_ACC_TRUNC, create, access));
  H5Call(H5Pclose(create));
  H5Call(H5Pclose(access));
  PetscFunctionReturn(0);
}

static Error NewBuffer(StudyFile *f, uint64_t rows) {
  RowPart part[STUDY_PARTS];
  size_t most = 0;
  f->room = rows < STUDY_CHUNK ? rows : STUDY_CHUNK;
  for (int i = parts_of(&f->study->layout, part) - 1; i >= 0; i--)
    if (bytes_of(&part[i]) > most) most = bytes_of(&part[i]);
  return MemoryNew((size_t)f->room * most, &f->buffer);
}

Error StudyFileCreate(const char *path, const Study *s, StudyFileForm form, uint64_t first, uint64_t rows,
                      StudyFile *f) {
  RowPart part[STUDY_PARTS];
  PetscFunctionBegin;
  *f = (StudyFile){.study = s, .id = -1};
  PetscCall(CreateFile(path, form, &f->id));
  PetscCall(WriteHead(f, form, first, rows));
  for (int i = 0, count = parts_of(&s->layout, part); i < count; i++)
    PetscCall(CreateSet(f, &part[i], form, rows, &f->set[i]));
  PetscCall(NewBuffer(f, rows));
  PetscFunctionReturn(0);
}

// ---- rows ----

static void gather_part(const RowPart *p, const StudyLayout *l, uint64_t count, const char *rows, char *out) {
  size_t size = study_row_size(l), bytes = bytes_of(p);
  for (uint64_t i = 0; i < count; i++) {
    const char *at = rows + i * size + p->offset;
    if (p->kind == PART_STATUS) out[i] = (char)((const StudyRow *)(rows + i * size))->status;
    else memcpy(out + i * bytes, at, bytes);
  }
}

static PetscErrorCode WritePart(const RowPart *p, hid_t set, uint64_t from, uint64_t count, const void *buffer) {
  hsize_t at[2] = {(hsize_t)from, 0}, size[2] = {(hsize_t)count, (hsize_t)p->width};
  hid_t space, memory, type;
  PetscFunctionBegin;
  PetscCall(TypeOf(p, true, &type));
  H5Make(space, H5Dget_space(set));
  H5Call(H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, size, NULL));
  H5Make(memory, H5Screate_simple(p->kind == PART_NUMBERS ? 2 : 1, size, NULL));
  H5Call(H5Dwrite(set, type, memory, space, H5P_DEFAULT, buffer));
  H5Call(H5Sclose(memory));
  H5Call(H5Sclose(space));
  H5Call(H5Tclose(type));
  PetscFunctionReturn(0);
}

Error StudyFileWrite(StudyFile *f, uint64_t from, uint64_t count, const void *rows) {
  RowPart part[STUDY_PARTS];
  const StudyLayout *l = &f->study->layout;
  PetscFunctionBegin;
  for (int i = 0, parts = parts_of(l, part); i < parts; i++)
    for (uint64_t done = 0, n; done < count; done += n) {
      n = count - done < f->room ? count - done : f->room;
      gather_part(&part[i], l, n, (const char *)rows + done * study_row_size(l), f->buffer);
      PetscCall(WritePart(&part[i], f->set[i], from + done, n, f->buffer));
    }
  PetscFunctionReturn(0);
}

// ---- closing ----

Error StudyFileClose(StudyFile *f) {
  RowPart part[STUDY_PARTS];
  PetscFunctionBegin;
  for (int i = 0, count = parts_of(&f->study->layout, part); i < count; i++) H5Call(H5Dclose(f->set[i]));
  H5Call(H5Fclose(f->id));
  memory_free(&f->buffer);
  PetscFunctionReturn(0);
}

static int sync_path(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC), bad = fd < 0 || fsync(fd);
  if (fd >= 0) close(fd);
  return bad;
}

Error StudyFileRename(const char *from, const char *to) {
  char folder[4200];
  ENSURE(!sync_path(from) && !rename(from, to), ERROR_LIBRARY, "cannot write '%s': %s", to, strerror(errno));
  snprintf(folder, sizeof folder, "%s", to);
  char *slash = strrchr(folder, '/');
  if (slash) *slash = 0;
  sync_path(slash ? folder : "."); // some file systems cannot
  return 0;
}

// ---- the table of all runs ----

const double study_most_copied = 1e9;

void study_table_draft(const Study *s, char *path, size_t size) { snprintf(path, size, "%s.draft", s->output); }

// Rows on their way to the table, which is written by whole chunks.
typedef struct {
  StudyFile file;
  char *rows;
  size_t size;
  uint64_t used, written;
} Writer;

static Error WriteChunk(Writer *w) {
  if (w->used) TRY(StudyFileWrite(&w->file, w->written, w->used, w->rows));
  w->written += w->used, w->used = 0;
  return 0;
}

static Error AddRows(void *self, uint64_t count, const void *rows) {
  Writer *w = self;
  for (uint64_t done = 0, n; done < count; done += n) {
    n = count - done < STUDY_CHUNK - w->used ? count - done : STUDY_CHUNK - w->used;
    memcpy(w->rows + w->used * w->size, (const char *)rows + done * w->size, (size_t)n * w->size);
    w->used += n;
    if (w->used == STUDY_CHUNK) TRY(WriteChunk(w));
  }
  return 0;
}

static Error CopyBlocks(const Study *s, Writer *w, bool *damaged) {
  bool bad;
  TRY(MemoryNew(STUDY_CHUNK * w->size, &w->rows));
  for (uint64_t b = 0; b < study_blocks(s); b++) {
    TRY(StudyBlockVisit(s, b, AddRows, w, &bad));
    *damaged = *damaged || bad;
  }
  if (!*damaged) TRY(WriteChunk(w));
  memory_free(&w->rows);
  return 0;
}

Error StudyTableMake(const Study *s) {
  char path[4300];
  Writer w = {.size = study_row_size(&s->layout)};
  bool damaged = false;
  study_table_draft(s, path, sizeof path);
  TRY(StudyFileCreate(path, s, s->in_place ? STUDY_FILE_VIRTUAL : STUDY_FILE_TABLE, 0, s->runs, &w.file));
  if (!s->in_place) TRY(CopyBlocks(s, &w, &damaged));
  TRY(StudyFileClose(&w.file));
  if (damaged) unlink(path);
  return 0;
}

Error StudyTableFinish(const Study *s) {
  char path[4300];
  study_table_draft(s, path, sizeof path);
  TRY(StudyFileRename(path, s->output));
  if (!s->in_place) study_folder_remove(s);
  return 0;
}
