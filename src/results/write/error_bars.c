// SPDX-License-Identifier: Apache-2.0
#include "results/write/error_bars.h"

#include "results/write/hdf5_file.h"

static PetscErrorCode WriteTable(hid_t file, const ErrorBars *t) {
  static const char *const names[ERROR_BARS] = {"error_end",  "error_min", "error_max",
                                                "error_mean", "error_rms", "error"};
  hid_t set;
  PetscFunctionBegin;
  H5Make(set, H5Dopen2(file, t->dataset, H5P_DEFAULT));
  for (int i = 0; i < ERROR_BARS; i++) PetscCall(FileReals(set, names[i], t->width, t->error[i]));
  PetscCall(FileReals(set, "order", t->width, t->order));
  PetscCall(FileTexts(set, "verdict", t->width, t->verdict));
  H5Call(H5Dclose(set));
  PetscFunctionReturn(0);
}

PetscErrorCode ErrorBarsWrite(const char *path, int tables, const ErrorBars *table, double accuracy, double horizon,
                              const char *horizon_column) {
  hid_t file;
  PetscFunctionBegin;
  H5Make(file, H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT));
  for (int i = 0; i < tables; i++) PetscCall(WriteTable(file, &table[i]));
  PetscCall(FileReal(file, "accuracy", accuracy));
  PetscCall(FileReal(file, "horizon", horizon));
  PetscCall(FileText(file, "horizon_column", horizon_column));
  H5Call(H5Fclose(file));
  PetscFunctionReturn(0);
}
