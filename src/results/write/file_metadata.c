// SPDX-License-Identifier: Apache-2.0
#include "results/write/file_metadata.h"

#include "results/container/rollback.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- where numbers stand ----

static PetscErrorCode AddBlock(Blocks *b, haddr_t at, hsize_t size) {
  PetscFunctionBegin;
  if (b->blocks == b->room) {
    b->room = b->room ? 2 * b->room : 256;
    PetscCall(PetscRealloc((size_t)b->room * sizeof *b->block, &b->block));
  }
  b->block[b->blocks++] = (FileBlock){at, size};
  PetscFunctionReturn(0);
}

// The blocks of a dataset from the `seen`-th on.
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

// ---- keeping ----

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

// The gaps between the blocks, which are sorted, up to the end of the file.
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

// The first time that is recorded and those of the last rows stand where they stood: no other file has them there.
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
  if (f->size > 1) PetscCallMPI(MPI_Barrier(f->comm)); // all have written
  if (f->rank) PetscFunctionReturn(0);
  PetscCall(FileCheckIntact(f));
  H5Call(VISIT(f->id, H5_INDEX_NAME, H5_ITER_INC, visit_dataset, &v, H5O_INFO_BASIC));
  qsort(b->block, (size_t)b->blocks, sizeof *b->block, compare_blocks);
  int fd = open(f->path, O_RDONLY);
  PetscCheck(fd >= 0 && !fsync(fd) && !fstat(fd, &info), PETSC_COMM_SELF, PETSC_ERR_FILE_READ,
             "cannot bring '%s' to the disk: %s", f->path, strerror(errno));
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
