// SPDX-License-Identifier: Apache-2.0
// HDF5 as the results need it: groups, attributes, arrays, tables that grow by rows. With more than one rank a file has
// two phases: rank 0 alone writes what stands once (texts of any length cannot be written by many), then all ranks
// share the file and write rows together.
#ifndef LIMBER_RESULTS_WRITE_HDF5_FILE_H
#define LIMBER_RESULTS_WRITE_HDF5_FILE_H

#include "results/container/container.h"

#include <hdf5.h>
#include <petscsys.h>

// A negative answer of HDF5 is an error of the machine or the program. A disk that is full is PETSC_ERR_FILE_WRITE.
#define H5Call(call) PetscCheck((call) >= 0, PETSC_COMM_SELF, file_trouble(#call), "%s", file_trouble_text())
#define H5Make(id, call) \
  do { \
    (id) = (call); \
    PetscCheck((id) >= 0, PETSC_COMM_SELF, file_trouble(#call), "%s", file_trouble_text()); \
  } while (0)

// What went wrong in the last call of HDF5: an error code, and then the text to it.
PetscErrorCode file_trouble(const char *call);
const char *file_trouble_text(void);

enum { FILE_CHUNK = 256 }; // rows of a history

typedef struct {
  char *path;
  MPI_Comm comm;
  PetscMPIInt rank, size;
  hid_t id;       // of the file; on rank 0, or on all ranks while it is shared
  hid_t transfer; // how rows are written
  bool shared;
  bool exists; // groups and tables are there already
} File;

// Collective, as are all that share; the rest of the first phase is for rank 0.
PetscErrorCode FileCreate(MPI_Comm comm, const char *path, File *f);
PetscErrorCode FileReopen(MPI_Comm comm, const char *path, File *f); // one that a run left
PetscErrorCode FileOpenOnAllRanks(File *f);                          // objects that are open must be closed
PetscErrorCode FileReturnToFirstRank(File *f);                       // back to rank 0, in any case
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

// A table without rows. With names of its columns it has two dimensions; without, one.
typedef struct {
  const char *path;
  int width;
  const char *const *columns;
  hid_t type;
  hsize_t chunk; // rows
  bool whole;    // chunks are always written whole
  const char *units, *description;
  const char *axis; // what its rows follow: "time"; NULL: nothing that has a name
} FileTable;
PetscErrorCode FileTableCreate(hid_t file, const FileTable *t);

// Writes rows: the table gets `total` of them, this rank gives `count` from row `at` on. They stand in rows of `stride`
// numbers, of which the table takes `width` from `first` on. Shared files: collective.
typedef struct {
  hsize_t total, at, count;
  hid_t type; // in memory
  const void *values;
  int stride, first, width;
} FileRows;
PetscErrorCode FileWrite(const File *f, hid_t table, const FileRows *r);

// What HDF5 keeps of its own in a results file, for a checkpoint (results/container/container.h).

// Where numbers stand in a file: all else is books. Grows from checkpoint to checkpoint.
typedef struct {
  FileBlock *block;
  int blocks, room;
  hsize_t *seen; // chunks of each dataset that are among them, in the order of a visit
  int sets, sets_room;
} Blocks;

// Brings the file to the disk and puts its books into the packet, on rank 0. Collective; the file was flushed.
PetscErrorCode FileSaveMetadata(File *f, Blocks *b, CheckpointContainer *p);
PetscErrorCode BlocksDestroy(Blocks *b);

#endif
