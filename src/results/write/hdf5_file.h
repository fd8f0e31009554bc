// SPDX-License-Identifier: Apache-2.0
// HDF5 files for results: groups, attributes, arrays, and tables that grow by rows. With several ranks, a file has two
// phases: first rank 0 alone writes everything that is written once (texts of variable length cannot be written in
// parallel), then all ranks write rows together.
#ifndef LIMBER_RESULTS_WRITE_HDF5_FILE_H
#define LIMBER_RESULTS_WRITE_HDF5_FILE_H

#include "results/container/container.h"

#include <hdf5.h>
#include <petscsys.h>

// A negative return value of HDF5 is a system or programming error. A full disk is PETSC_ERR_FILE_WRITE.
#define H5Call(call) PetscCheck((call) >= 0, PETSC_COMM_SELF, file_trouble(#call), "%s", file_trouble_text())
#define H5Make(id, call) \
  do { \
    (id) = (call); \
    PetscCheck((id) >= 0, PETSC_COMM_SELF, file_trouble(#call), "%s", file_trouble_text()); \
  } while (0)

// The error code of the last HDF5 call, and then its message.
PetscErrorCode file_trouble(const char *call);
const char *file_trouble_text(void);

enum { FILE_CHUNK = 256 }; // rows per chunk of a history

typedef struct {
  char *path;
  MPI_Comm comm;
  PetscMPIInt rank, size;
  hid_t id;       // open on rank 0, or on all ranks while shared
  hid_t transfer; // transfer properties for writing rows
  bool shared;
  bool exists; // groups and tables already exist
} File;

// These functions are collective; all others of the first phase are for rank 0.
PetscErrorCode FileCreate(MPI_Comm comm, const char *path, File *f);
PetscErrorCode FileReopen(MPI_Comm comm, const char *path, File *f); // a file left by a run
PetscErrorCode FileOpenOnAllRanks(File *f);                          // close all objects before
PetscErrorCode FileReturnToFirstRank(File *f);                       // only rank 0 has the file open afterwards
PetscErrorCode FileFlush(File *f);
PetscErrorCode FileClose(File *f);

PetscErrorCode FileGroup(hid_t file, const char *path, const char *description);
PetscErrorCode FileText(hid_t object, const char *name, const char *text);
PetscErrorCode FileTexts(hid_t object, const char *name, int count, const char *const *text);
PetscErrorCode FileWord(hid_t object, const char *name, const char *word); // ASCII of fixed length
PetscErrorCode FileReal(hid_t object, const char *name, double value);
PetscErrorCode FileReals(hid_t object, const char *name, int count, const double *value);
PetscErrorCode FileInts(hid_t object, const char *name, int count, const int *value); // 0: a scalar
// A text of any length as a dataset.
PetscErrorCode FileLongText(hid_t file, const char *path, const char *text, const char *description);
// Names of `length` bytes each, padded with zeros.
PetscErrorCode FileNames(hid_t file, const char *path, hsize_t count, size_t length, const char *names,
                         const char *description);
PetscErrorCode FileArray(hid_t file, const char *path, hsize_t count, hid_t type, hid_t memory, const void *values,
                         const char *description);

// A table without rows. It has two dimensions if its columns have names, otherwise one.
typedef struct {
  const char *path;
  int width;
  const char *const *columns;
  hid_t type;
  hsize_t chunk; // rows
  bool whole;    // chunks are always written whole
  const char *units, *description;
  const char *axis; // name of the row axis, "time"; NULL: none
} FileTable;
PetscErrorCode FileTableCreate(hid_t file, const FileTable *t);

// Writes rows. The table grows to `total` rows; this rank writes `count` of them, starting at row `at`. A row in memory
// has `stride` numbers; `width` of them are written, starting at `first`. Collective for shared files.
typedef struct {
  hsize_t total, at, count;
  hid_t type; // in memory
  const void *values;
  int stride, first, width;
} FileRows;
PetscErrorCode FileWrite(const File *f, hid_t table, const FileRows *r);

// The metadata of HDF5 in a results file, for a checkpoint (results/container/container.h).

// Where a file contains numbers; everything else is metadata. Grows from checkpoint to checkpoint.
typedef struct {
  FileBlock *block;
  int blocks, room;
  hsize_t *seen; // chunks of each dataset already listed, in visiting order
  int sets, sets_room;
} Blocks;

// Writes the file to disk and its metadata into the container, on rank 0. Collective; the file must be flushed before.
PetscErrorCode FileSaveMetadata(File *f, Blocks *b, CheckpointContainer *p);
PetscErrorCode BlocksDestroy(Blocks *b);

#endif
