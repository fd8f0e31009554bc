// SPDX-License-Identifier: Apache-2.0
// The public interface to results that are read back.
#include "limber/limber.h"
#include "model/error.h"
#include "results/read/results.h"

struct LimberHistoryData {
  Results *results;
};

int LimberHistoryOpen(const char *path, LimberHistory *history) {
  char wrong[1000];
  Results *r;
  *history = NULL;
  ENSURE(results_open(path, &r, wrong, sizeof wrong), LIMBER_ERROR_FILE_OPEN, "%s", wrong);
  TRY(MemoryNew(sizeof **history, history));
  (*history)->results = r;
  return 0;
}

int LimberHistoryClose(LimberHistory *history) {
  if (!*history) return 0;
  results_close(&(*history)->results);
  memory_free(history);
  return 0;
}

int limber_history_rows(LimberHistory h) { return results_rows(h->results); }
int limber_history_columns(LimberHistory h) { return results_columns(h->results); }

static bool has_column(LimberHistory h, int column) { return column >= 0 && column < results_columns(h->results); }

const char *limber_history_name(LimberHistory h, int column) {
  return has_column(h, column) ? results_column(h->results, column)->name : NULL;
}

const char *limber_history_units(LimberHistory h, int column) {
  return has_column(h, column) ? results_column(h->results, column)->units : NULL;
}

int limber_history_find(LimberHistory h, const char *name) {
  char wrong[1000];
  int first;
  if (results_find(h->results, name, &first, wrong, sizeof wrong)) return first;
  error_store(wrong);
  return LIMBER_NONE;
}

int LimberHistoryRead(LimberHistory h, int column, int first, int count, double *values) {
  ENSURE(has_column(h, column), LIMBER_ERROR_ARGUMENT, "there is no column %d", column);
  ENSURE(first >= 0 && count >= 0 && count <= results_rows(h->results) - first, LIMBER_ERROR_ARGUMENT,
         "rows %d to %d are asked for, and there are %d", first, first + count - 1, results_rows(h->results));
  ENSURE(results_read(h->results, column, first, count, values), LIMBER_ERROR_FILE_READ, "'%s' is damaged",
         results_path(h->results));
  return 0;
}
