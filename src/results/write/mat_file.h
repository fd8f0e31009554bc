// SPDX-License-Identifier: Apache-2.0
// MAT-files of level 5, without compression: real matrices and lists of texts, as MATLAB, Octave and scipy.io.loadmat read
// them. The format: "MAT-File Format", The MathWorks, level 5. A library for it (libmatio) would bring a second HDF5 into
// the process.
#ifndef LIMBER_RESULTS_WRITE_MAT_FILE_H
#define LIMBER_RESULTS_WRITE_MAT_FILE_H

#include "files/output_file.h"

#include <petscsys.h>

typedef struct {
  OutputFile file;
} MatFile;

PetscErrorCode MatFileCreate(const char *path, const char *description, MatFile *m);
// A matrix that is given by rows.
PetscErrorCode MatFileMatrix(MatFile *m, const char *name, int rows, int columns, const double *by_rows);
// A column of texts; the i-th stands at first + i stride.
PetscErrorCode MatFileTexts(MatFile *m, const char *name, int count, const char *first, size_t stride);
// Puts the file in its place; what could not be written is an error here. One that fails before is discarded: output_discard.
PetscErrorCode MatFileClose(MatFile *m);

#endif
