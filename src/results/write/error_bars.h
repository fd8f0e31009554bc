// SPDX-License-Identifier: Apache-2.0
// Error bars in a results file: attributes of its datasets (docs/error_bars.md).
#ifndef LIMBER_RESULTS_WRITE_ERROR_BARS_H
#define LIMBER_RESULTS_WRITE_ERROR_BARS_H

#include <petscsys.h>

enum { ERROR_BARS = 6 }; // of end, min, max, mean, rms and history

typedef struct {
  const char *dataset; // /history/probes/tip/position
  int width;           // columns; of each:
  double *error[ERROR_BARS], *order;
  const char **verdict;
} ErrorBars;

// Adds them to the file of a run that has ended, which no other process has open. Not collective.
PetscErrorCode ErrorBarsWrite(const char *path, int tables, const ErrorBars *table, double accuracy, double horizon,
                              const char *horizon_column);

#endif
