// SPDX-License-Identifier: Apache-2.0
// HDF5 as the results need it: groups, attributes, tables that grow by rows.
#ifndef LIMBER_OUTPUT_FILE_H
#define LIMBER_OUTPUT_FILE_H

#include <hdf5.h>
#include <petscsys.h>

// A negative answer of HDF5 is an error of the machine or the program.
#define H5Call(call) PetscCheck((call) >= 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "HDF5 failed: %s", #call)
#define H5Make(id, call) \
  do { \
    (id) = (call); \
    PetscCheck((id) >= 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "HDF5 failed: %s", #call); \
  } while (0)

enum { FILE_CHUNK = 256 }; // rows

PetscErrorCode FileCreate(const char *path, hid_t *file);
PetscErrorCode FileGroup(hid_t file, const char *path, const char *description);
PetscErrorCode FileText(hid_t object, const char *name, const char *text);
PetscErrorCode FileTexts(hid_t object, const char *name, int count, const char *const *text);
PetscErrorCode FileReal(hid_t object, const char *name, double value);
PetscErrorCode FileInt(hid_t object, const char *name, int value);
// A text of any length as a dataset.
PetscErrorCode FileLongText(hid_t file, const char *path, const char *text, const char *description);
// A table without rows. With names of its columns it has two dimensions; without, one.
PetscErrorCode FileTable(hid_t file, const char *path, int width, const char *const *columns, hid_t type,
                         const char *units, const char *description, hid_t *table);
// Adds rows: `count` rows of `stride` numbers, of which the table takes `width` from `first` on.
PetscErrorCode FileRows(hid_t table, hsize_t before, int count, const double *rows, int stride, int first, int width);

#endif
