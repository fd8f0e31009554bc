// SPDX-License-Identifier: Apache-2.0
// Writes HDF5 files: groups, attributes, arrays and growing tables (hdf5_file.h).
#include "results/write/hdf5_file.h"

#include "assembly/ranks.h"
#include "files/claim.h"
#include "model/refusal.h"
#include "results/container/container.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// ---- errors ----

static char trouble[1000];

// Copies the quoted text after a word: a file name, or the system's message.
static bool take_quoted(const char *text, const char *word, char *out, size_t size) {
  const char *at = strstr(text, word), *end = at ? strchr(at + strlen(word), '\'') : NULL;
  if (end) snprintf(out, size, "%.*s", (int)(end - at - (long)strlen(word)), at + strlen(word));
  return end;
}

typedef struct {
  char path[400], why[200], last[400];
} Trouble;

static herr_t record_error(unsigned n, const H5E_error2_t *e, void *context) {
  Trouble *t = context;
  const char *text = e->desc ? e->desc : "";
  (void)n;
  snprintf(t->last, sizeof t->last, "%s", text);
  if (!t->why[0] && take_quoted(text, "error message = '", t->why, sizeof t->why))
    take_quoted(text, "filename = '", t->path, sizeof t->path);
  if (!t->why[0] && strstr(text, "MPI_ERR_NO_SPACE")) snprintf(t->why, sizeof t->why, "no space left on device");
  return 0;
}

PetscErrorCode file_trouble(const char *call) {
  Trouble t = {"", "", ""};
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, record_error, &t);
  if (t.why[0]) snprintf(trouble, sizeof trouble, "cannot write '%s': %s", t.path[0] ? t.path : "the results", t.why);
  else snprintf(trouble, sizeof trouble, "HDF5 failed: %s: %s", call, t.last);
  return t.why[0] ? PETSC_ERR_FILE_WRITE : PETSC_ERR_LIB;
}

const char *file_trouble_text(void) { return trouble; }

// ---- files ----

// Old formats do not mark a file as open, so it can be read while it is written and after a crash; locking would forbid
// the former. Without aggregation of small blocks, positions in the file depend only on the order in which tables grow,
// not on when the file was flushed.
static PetscErrorCode CreateAccessList(MPI_Comm comm, bool shared, hid_t *access) {
  PetscFunctionBegin;
  H5Make(*access, H5Pcreate(H5P_FILE_ACCESS));
  H5Call(H5Pset_libver_bounds(*access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18));
  H5Call(H5Pset_file_locking(*access, 0, 1));
  H5Call(H5Pset_meta_block_size(*access, 0));
  H5Call(H5Pset_small_data_block_size(*access, 0));
#ifdef H5_HAVE_PARALLEL
  if (shared) H5Call(H5Pset_fapl_mpio(*access, comm, MPI_INFO_NULL));
#else
  (void)comm;
  PetscCheck(!shared, PETSC_COMM_SELF, PETSC_ERR_SUP, "this HDF5 cannot be written by more than one process");
#endif
  PetscFunctionReturn(0);
}

static PetscErrorCode OpenFile(File *f, bool shared) {
  hid_t access;
  PetscFunctionBegin;
  PetscCall(CreateAccessList(f->comm, shared, &access));
  H5Make(f->id, H5Fopen(f->path, H5F_ACC_RDWR, access));
  H5Call(H5Pclose(access));
  PetscFunctionReturn(0);
}

// Claims the file: from now on only rank 0 of this run may write it.
static PetscErrorCode ClaimFile(const File *f) {
  Refusal wrong;
  PetscFunctionBegin;
  if (f->rank == 0) PetscCheck(claim_begin(f->path, &wrong), PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s", wrong.text);
  PetscFunctionReturn(0);
}

// Checks on rank 0 that the path still refers to the same file.
static PetscErrorCode FileCheckIntact(const File *f) {
  PetscFunctionBegin;
  PetscCheck(f->rank || claim_is_intact(f->path), PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE,
             "cannot write '%s': somebody moved, removed or replaced it during the run", f->path);
  PetscFunctionReturn(0);
}

static PetscErrorCode InitializeFile(MPI_Comm comm, const char *path, File *f) {
  PetscFunctionBegin;
  *f = (File){.comm = comm, .id = -1, .transfer = H5P_DEFAULT};
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // its output is part of our message
  PetscCallMPI(MPI_Comm_rank(comm, &f->rank));
  PetscCallMPI(MPI_Comm_size(comm, &f->size));
  PetscCall(PetscStrallocpy(path, &f->path));
  PetscCall(ClaimFile(f));
  PetscFunctionReturn(0);
}

PetscErrorCode FileReopen(MPI_Comm comm, const char *path, File *f) {
  PetscFunctionBegin;
  PetscCall(InitializeFile(comm, path, f));
  f->exists = true;
  if (f->rank == 0) PetscCall(OpenFile(f, false));
  PetscFunctionReturn(0);
}

PetscErrorCode FileCreate(MPI_Comm comm, const char *path, File *f) {
  hid_t access, create;
  PetscFunctionBegin;
  PetscCall(InitializeFile(comm, path, f));
  if (f->rank) PetscFunctionReturn(0);
  PetscCall(CreateAccessList(comm, false, &access));
  H5Make(create, H5Pcreate(H5P_FILE_CREATE));
  H5Call(H5Pset_obj_track_times(create, 0));
  H5Make(f->id, H5Fcreate(path, H5F_ACC_TRUNC, create, access));
  H5Call(H5Pclose(access));
  H5Call(H5Pclose(create));
  PetscFunctionReturn(0);
}

PetscErrorCode FileOpenOnAllRanks(File *f) {
  PetscFunctionBegin;
  if (f->size == 1) PetscFunctionReturn(0);
  if (f->rank == 0) H5Call(H5Fclose(f->id));
  PetscCall(CheckOtherRanks(f->comm));
  PetscCallMPI(MPI_Barrier(f->comm));
  PetscCall(OpenFile(f, true));
#ifdef H5_HAVE_PARALLEL
  H5Make(f->transfer, H5Pcreate(H5P_DATASET_XFER));
  H5Call(H5Pset_dxpl_mpio(f->transfer, H5FD_MPIO_COLLECTIVE));
#endif
  f->shared = true;
  PetscFunctionReturn(0);
}

// Closes and reopens the file even if it is not shared: HDF5 puts texts into free space that it remembers from its own
// writes, so a resumed run would place them differently.
PetscErrorCode FileReturnToFirstRank(File *f) {
  PetscFunctionBegin;
  if (f->shared) H5Call(H5Pclose(f->transfer));
  H5Call(H5Fclose(f->id));
  PetscCallMPI(MPI_Barrier(f->comm));
  f->shared = false, f->transfer = H5P_DEFAULT, f->id = -1;
  PetscCall(FileCheckIntact(f));
  if (f->rank == 0) PetscCall(OpenFile(f, false));
  PetscFunctionReturn(0);
}

PetscErrorCode FileFlush(File *f) {
  PetscFunctionBegin;
  if (f->id >= 0) H5Call(H5Fflush(f->id, H5F_SCOPE_GLOBAL));
  PetscFunctionReturn(0);
}

PetscErrorCode FileClose(File *f) {
  PetscFunctionBegin;
  if (f->id >= 0) H5Call(H5Fclose(f->id));
  f->id = -1;
  if (f->rank == 0 && f->path) claim_release(f->path);
  PetscCall(PetscFree(f->path));
  PetscFunctionReturn(0);
}

PetscErrorCode FileGroup(hid_t file, const char *path, const char *description) {
  hid_t create, group;
  PetscFunctionBegin;
  H5Make(create, H5Pcreate(H5P_GROUP_CREATE));
  H5Call(H5Pset_obj_track_times(create, 0));
  H5Make(group, H5Gcreate2(file, path, H5P_DEFAULT, create, H5P_DEFAULT));
  PetscCall(FileText(group, "description", description));
  H5Call(H5Gclose(group));
  H5Call(H5Pclose(create));
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteAttribute(hid_t object, const char *name, hid_t type, hid_t space, hid_t memory,
                                     const void *value) {
  hid_t attribute;
  PetscFunctionBegin;
  if (H5Aexists(object, name) > 0) H5Call(H5Adelete(object, name));
  H5Make(attribute, H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  H5Call(H5Awrite(attribute, memory, value));
  H5Call(H5Aclose(attribute));
  PetscFunctionReturn(0);
}

static PetscErrorCode TextType(hid_t *type) {
  PetscFunctionBegin;
  H5Make(*type, H5Tcopy(H5T_C_S1));
  H5Call(H5Tset_size(*type, H5T_VARIABLE));
  H5Call(H5Tset_cset(*type, H5T_CSET_UTF8));
  PetscFunctionReturn(0);
}

PetscErrorCode FileText(hid_t object, const char *name, const char *text) {
  hid_t type, space;
  PetscFunctionBegin;
  PetscCall(TextType(&type));
  H5Make(space, H5Screate(H5S_SCALAR));
  PetscCall(WriteAttribute(object, name, type, space, type, &text));
  H5Call(H5Sclose(space));
  H5Call(H5Tclose(type));
  PetscFunctionReturn(0);
}

PetscErrorCode FileTexts(hid_t object, const char *name, int count, const char *const *text) {
  hid_t type, space;
  hsize_t n = (hsize_t)count;
  PetscFunctionBegin;
  PetscCall(TextType(&type));
  H5Make(space, H5Screate_simple(1, &n, NULL));
  PetscCall(WriteAttribute(object, name, type, space, type, text));
  H5Call(H5Sclose(space));
  H5Call(H5Tclose(type));
  PetscFunctionReturn(0);
}

PetscErrorCode FileReal(hid_t object, const char *name, double value) {
  hid_t space;
  PetscFunctionBegin;
  H5Make(space, H5Screate(H5S_SCALAR));
  PetscCall(WriteAttribute(object, name, H5T_IEEE_F64LE, space, H5T_NATIVE_DOUBLE, &value));
  H5Call(H5Sclose(space));
  PetscFunctionReturn(0);
}

PetscErrorCode FileInts(hid_t object, const char *name, int count, const int *value) {
  hid_t space;
  hsize_t n = (hsize_t)count;
  PetscFunctionBegin;
  H5Make(space, count ? H5Screate_simple(1, &n, NULL) : H5Screate(H5S_SCALAR));
  PetscCall(WriteAttribute(object, name, H5T_STD_I32LE, space, H5T_NATIVE_INT, value));
  H5Call(H5Sclose(space));
  PetscFunctionReturn(0);
}

PetscErrorCode FileReals(hid_t object, const char *name, int count, const double *value) {
  hid_t space;
  hsize_t n = (hsize_t)count;
  PetscFunctionBegin;
  H5Make(space, H5Screate_simple(1, &n, NULL));
  PetscCall(WriteAttribute(object, name, H5T_IEEE_F64LE, space, H5T_NATIVE_DOUBLE, value));
  H5Call(H5Sclose(space));
  PetscFunctionReturn(0);
}

PetscErrorCode FileWord(hid_t object, const char *name, const char *word) {
  hid_t type, space;
  PetscFunctionBegin;
  H5Make(type, H5Tcopy(H5T_C_S1));
  H5Call(H5Tset_size(type, strlen(word)));
  H5Call(H5Tset_strpad(type, H5T_STR_NULLPAD));
  H5Make(space, H5Screate(H5S_SCALAR));
  PetscCall(WriteAttribute(object, name, type, space, type, word));
  H5Call(H5Sclose(space));
  H5Call(H5Tclose(type));
  PetscFunctionReturn(0);
}

// Writes a dataset of fixed size, and closes the space.
static PetscErrorCode WriteFixedDataset(hid_t file, const char *path, hid_t space, hid_t type, hid_t memory,
                                        const void *values, const char *description) {
  hid_t create, set;
  PetscFunctionBegin;
  H5Make(create, H5Pcreate(H5P_DATASET_CREATE));
  H5Call(H5Pset_obj_track_times(create, 0));
  H5Make(set, H5Dcreate2(file, path, type, space, H5P_DEFAULT, create, H5P_DEFAULT));
  H5Call(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  PetscCall(FileText(set, "units", ""));
  PetscCall(FileText(set, "description", description));
  H5Call(H5Dclose(set));
  H5Call(H5Pclose(create));
  H5Call(H5Sclose(space));
  PetscFunctionReturn(0);
}

PetscErrorCode FileLongText(hid_t file, const char *path, const char *text, const char *description) {
  hid_t type, space;
  PetscFunctionBegin;
  PetscCall(TextType(&type));
  H5Make(space, H5Screate(H5S_SCALAR));
  PetscCall(WriteFixedDataset(file, path, space, type, type, &text, description));
  H5Call(H5Tclose(type));
  PetscFunctionReturn(0);
}

PetscErrorCode FileNames(hid_t file, const char *path, hsize_t count, size_t length, const char *names,
                         const char *description) {
  hid_t type, space;
  PetscFunctionBegin;
  H5Make(type, H5Tcopy(H5T_C_S1));
  H5Call(H5Tset_size(type, length));
  H5Call(H5Tset_strpad(type, H5T_STR_NULLPAD));
  H5Call(H5Tset_cset(type, H5T_CSET_UTF8));
  H5Make(space, H5Screate_simple(1, &count, NULL));
  PetscCall(WriteFixedDataset(file, path, space, type, type, names, description));
  H5Call(H5Tclose(type));
  PetscFunctionReturn(0);
}

PetscErrorCode FileArray(hid_t file, const char *path, hsize_t count, hid_t type, hid_t memory, const void *values,
                         const char *description) {
  hid_t space;
  PetscFunctionBegin;
  H5Make(space, H5Screate_simple(1, &count, NULL));
  PetscCall(WriteFixedDataset(file, path, space, type, memory, values, description));
  PetscFunctionReturn(0);
}

enum { MOST_NAMES_IN_HEADER = 3000 }; // 16 bytes per name

// Chunks are allocated in the file when the table grows into them.
PetscErrorCode FileTableCreate(hid_t file, const FileTable *t) {
  hsize_t width = (hsize_t)t->width, now[2] = {0, width}, most[2] = {H5S_UNLIMITED, width},
          chunk[2] = {t->chunk ? t->chunk : 1, width};
  int rank = t->columns ? 2 : 1;
  hid_t space, create, table;
  PetscFunctionBegin;
  H5Make(space, H5Screate_simple(rank, now, most));
  H5Make(create, H5Pcreate(H5P_DATASET_CREATE));
  H5Call(H5Pset_obj_track_times(create, 0));
  H5Call(H5Pset_chunk(create, rank, chunk));
  H5Call(H5Pset_alloc_time(create, H5D_ALLOC_TIME_EARLY));
  H5Call(H5Pset_fill_time(create, t->whole ? H5D_FILL_TIME_NEVER : H5D_FILL_TIME_ALLOC));
  if (t->columns && t->width > MOST_NAMES_IN_HEADER) { // attributes in an object header are limited to 64 kB
    H5Call(H5Pset_attr_creation_order(create, H5P_CRT_ORDER_TRACKED)); // allows storage outside the header
    H5Call(H5Pset_attr_phase_change(create, 0, 0));
  }
  H5Make(table, H5Dcreate2(file, t->path, t->type, space, H5P_DEFAULT, create, H5P_DEFAULT));
  PetscCall(FileText(table, "units", t->units));
  if (t->columns) PetscCall(FileTexts(table, "columns", t->width, t->columns));
  PetscCall(FileText(table, "description", t->description));
  if (t->axis) // as for HDF5's dimension scales
    PetscCall(FileTexts(table, "DIMENSION_LABELS", rank, (const char *const[]){t->axis, "column"}));
  H5Call(H5Dclose(table));
  H5Call(H5Pclose(create));
  H5Call(H5Sclose(space));
  PetscFunctionReturn(0);
}

// The values of the rows one behind the other. HDF5 writes a chunk that is larger than its cache in as many pieces as it
// finds in memory: each row of a table that is wider there would be one.
static PetscErrorCode PackRows(const FileRows *r, char **out) {
  size_t item = H5Tget_size(r->type), row = item * (size_t)r->width;
  const char *from = (const char *)r->values + item * (size_t)r->first;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(row * r->count, out));
  for (size_t i = 0; i < r->count; i++)
    PetscCall(PetscMemcpy(*out + i * row, from + i * item * (size_t)r->stride, row));
  PetscFunctionReturn(0);
}

PetscErrorCode FileWrite(const File *f, hid_t table, const FileRows *r) {
  hsize_t n = r->count ? r->count : 1, width = (hsize_t)r->width;
  hsize_t now[2] = {r->total, width}, at[2] = {r->at, 0}, size[2] = {n, width};
  char *packed = NULL;
  hid_t space, memory;
  PetscFunctionBegin;
  if (r->stride != r->width) PetscCall(PackRows(r, &packed));
  H5Call(H5Dset_extent(table, now));
  H5Make(space, H5Dget_space(table));
  H5Make(memory, H5Screate_simple(2, size, NULL));
  if (r->count) H5Call(H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, size, NULL));
  if (!r->count) H5Call(H5Sselect_none(space));
  if (!r->count) H5Call(H5Sselect_none(memory));
  H5Call(H5Dwrite(table, r->type, memory, space, f->transfer, packed ? packed : r->values));
  H5Call(H5Sclose(memory));
  H5Call(H5Sclose(space));
  PetscCall(PetscFree(packed));
  PetscFunctionReturn(0);
}

// ---- positions of numbers ----

static PetscErrorCode AddBlock(Blocks *b, haddr_t at, hsize_t size) {
  PetscFunctionBegin;
  if (b->blocks == b->room) {
    b->room = b->room ? 2 * b->room : 256;
    PetscCall(PetscRealloc((size_t)b->room * sizeof *b->block, &b->block));
  }
  b->block[b->blocks++] = (FileBlock){at, size};
  PetscFunctionReturn(0);
}

// Adds the blocks of a dataset from the `seen`-th on.
static PetscErrorCode AddDataset(Blocks *b, hid_t set, hsize_t *seen) {
  hid_t create;
  PetscFunctionBegin;
  H5Make(create, H5Dget_create_plist(set));
  if (H5Pget_layout(create) == H5D_CHUNKED) {
    hsize_t chunks, offset[H5S_MAX_RANK], size;
    hid_t space;
    unsigned filter;
    haddr_t at;
    H5Make(space, H5Dget_space(set));
    H5Call(H5Dget_num_chunks(set, space, &chunks));
    for (; *seen < chunks; (*seen)++) {
      H5Call(H5Dget_chunk_info(set, space, *seen, offset, &filter, &at, &size));
      PetscCall(AddBlock(b, at, size));
    }
    H5Call(H5Sclose(space));
  } else if (!*seen && H5Dget_storage_size(set) && H5Dget_offset(set) != HADDR_UNDEF) {
    PetscCall(AddBlock(b, H5Dget_offset(set), H5Dget_storage_size(set)));
    *seen = 1;
  }
  H5Call(H5Pclose(create));
  PetscFunctionReturn(0);
}

typedef struct {
  Blocks *b;
  int set;
} DatasetVisit;

#if H5_VERSION_GE(1, 12, 0)
#define VISIT H5Ovisit3
#else
#define VISIT H5Ovisit2
#endif

static herr_t visit_dataset(hid_t file, const char *name, const H5O_info_t *info, void *owner) {
  DatasetVisit *v = owner;
  if (info->type != H5O_TYPE_DATASET) return 0;
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  if (set < 0) return -1;
  if (v->set == v->b->sets_room) {
    v->b->sets_room = v->set ? 2 * v->set : 64;
    if (PetscRealloc((size_t)v->b->sets_room * sizeof *v->b->seen, &v->b->seen)) return -1;
  }
  if (v->set == v->b->sets) v->b->seen[v->b->sets++] = 0;
  int failed = AddDataset(v->b, set, &v->b->seen[v->set++]) != 0;
  return H5Dclose(set) < 0 || failed ? -1 : 0;
}

static int compare_blocks(const void *a, const void *b) {
  const FileBlock *x = a, *y = b;
  return (x->at > y->at) - (x->at < y->at);
}

// ---- saving metadata ----

static PetscErrorCode ReadAt(int fd, void *out, uint64_t size, uint64_t at) {
  PetscFunctionBegin;
  for (uint64_t done = 0; done < size;) {
    ssize_t n = pread(fd, (char *)out + done, size - done, (off_t)(at + done));
    PetscCheck(n > 0, PETSC_COMM_SELF, PETSC_ERR_FILE_READ, "cannot read the results file back: %s",
               n ? strerror(errno) : "it is too short");
    done += (uint64_t)n;
  }
  PetscFunctionReturn(0);
}

// Saves the gaps between the blocks, which are sorted, up to the end of the file.
static PetscErrorCode SaveMetadata(int fd, const Blocks *b, uint64_t end, CheckpointContainer *p) {
  uint64_t at = 0, total = 0, done = 0;
  FileBlock *gap;
  int gaps = 0;
  char *bytes;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(b->blocks + 1, &gap));
  for (int i = 0; i <= b->blocks; i++) {
    uint64_t next = i < b->blocks ? b->block[i].at : end;
    if (next > at) gap[gaps++] = (FileBlock){at, next - at}, total += next - at;
    if (i < b->blocks) at = PetscMax(at, b->block[i].at + b->block[i].size);
  }
  PetscCall(PetscMalloc1(total, &bytes));
  for (int i = 0; i < gaps; done += gap[i++].size) PetscCall(ReadAt(fd, bytes + done, gap[i].size, gap[i].at));
  RollbackHead head = {end, b->blocks ? b->block[b->blocks - 1].at + b->block[b->blocks - 1].size : 0};
  PetscCall(ContainerPut(p, "books", 0, &head, sizeof head));
  PetscCall(ContainerPut(p, "book places", 0, gap, (size_t)gaps * sizeof *gap));
  PetscCall(ContainerPut(p, "book bytes", 0, bytes, total));
  PetscCall(PetscFree(bytes));
  PetscCall(PetscFree(gap));
  PetscFunctionReturn(0);
}

// Saves the last rows of some tables and their positions: no other file has them there.
static PetscErrorCode SaveFingerprint(int fd, hid_t file, CheckpointContainer *p) {
  hsize_t chunks, offset[H5S_MAX_RANK], size, rows;
  char bytes[ROLLBACK_FINGERPRINT];
  FileBlock at;
  hid_t set, space;
  haddr_t address;
  unsigned filter;
  int n = 0;
  static const char *const paths[] = {"/history/time", "/history/ledger/kinetic", "/history/ledger/strain",
                                      "/history/ledger/potential"};
  PetscFunctionBegin;
  for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++) {
    H5Make(set, H5Dopen2(file, paths[k], H5P_DEFAULT));
    H5Make(space, H5Dget_space(set));
    H5Call(H5Sget_simple_extent_dims(space, &rows, NULL));
    H5Call(H5Dget_num_chunks(set, space, &chunks));
    if (chunks && rows) {
      H5Call(H5Dget_chunk_info(set, space, chunks - 1, offset, &filter, &address, &size));
      at = (FileBlock){address, PetscMin((uint64_t)(rows - offset[0]) * sizeof(double), ROLLBACK_FINGERPRINT)};
      PetscCall(ReadAt(fd, bytes, at.size, at.at));
      PetscCall(ContainerPut(p, "witness at", n, &at, sizeof at));
      PetscCall(ContainerPut(p, "witness", n++, bytes, at.size));
    }
    H5Call(H5Sclose(space));
    H5Call(H5Dclose(set));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode FileSaveMetadata(File *f, Blocks *b, CheckpointContainer *p) {
  DatasetVisit v = {b, 0};
  struct stat info;
  PetscFunctionBegin;
  if (f->size > 1) PetscCallMPI(MPI_Barrier(f->comm)); // all ranks have written
  if (f->rank) PetscFunctionReturn(0);
  PetscCall(FileCheckIntact(f));
  H5Call(VISIT(f->id, H5_INDEX_NAME, H5_ITER_INC, visit_dataset, &v, H5O_INFO_BASIC));
  qsort(b->block, (size_t)b->blocks, sizeof *b->block, compare_blocks);
  int fd = open(f->path, O_RDONLY);
  PetscCheck(fd >= 0 && !fsync(fd) && !fstat(fd, &info), PETSC_COMM_SELF, PETSC_ERR_FILE_READ,
             "cannot flush '%s' to the disk: %s", f->path, strerror(errno));
  PetscCall(SaveMetadata(fd, b, (uint64_t)info.st_size, p));
  PetscCall(SaveFingerprint(fd, f->id, p));
  close(fd);
  PetscFunctionReturn(0);
}

PetscErrorCode BlocksDestroy(Blocks *b) {
  PetscFunctionBegin;
  PetscCall(PetscFree(b->block));
  PetscCall(PetscFree(b->seen));
  PetscFunctionReturn(0);
}
