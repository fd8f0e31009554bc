// SPDX-License-Identifier: Apache-2.0
// The public interface to results that are read back.
#include "limber/limber.h"
#include "model/error.h"
#include "model/refusal.h"
#include "results/read/results.h"

#include <math.h>
#include <string.h>

struct LimberHistoryData {
  Results *results;
};

int LimberHistoryOpen(const char *path, LimberHistory *history) {
  Refusal wrong;
  Results *r;
  ENSURE(path && history, LIMBER_ERROR_ARGUMENT, "LimberHistoryOpen is given NULL");
  *history = NULL;
  ENSURE(results_open(path, &r, &wrong), LIMBER_ERROR_FILE_OPEN, "%s", wrong.text);
  TRY(MemoryNew(sizeof **history, history));
  (*history)->results = r;
  return 0;
}

int LimberHistoryClose(LimberHistory *history) {
  if (!history || !*history) return 0;
  results_close(&(*history)->results);
  memory_free(history);
  return 0;
}

int limber_history_rows(LimberHistory h) { return h ? results_rows(h->results) : 0; }
int limber_history_columns(LimberHistory h) { return h ? results_columns(h->results) : 0; }

static bool has_column(LimberHistory h, int column) { return h && column >= 0 && column < results_columns(h->results); }

const char *limber_history_name(LimberHistory h, int column) {
  return has_column(h, column) ? results_column(h->results, column)->name : NULL;
}

const char *limber_history_units(LimberHistory h, int column) {
  return has_column(h, column) ? results_column(h->results, column)->units : NULL;
}

int limber_history_find(LimberHistory h, const char *name) {
  Refusal wrong;
  int first;
  if (!h || !name) return error_store("limber_history_find is given NULL"), LIMBER_NONE;
  if (results_find(h->results, name, &first, &wrong)) return first;
  error_store(wrong.text);
  return LIMBER_NONE;
}

double limber_history_error(LimberHistory h, int column, const char *of) {
  if (!has_column(h, column) || !of) return NAN;
  return results_error(h->results, column, strcmp(of, "history") ? of : NULL);
}

int LimberHistoryRead(LimberHistory h, int column, int first, int count, double *values) {
  ENSURE(has_column(h, column), LIMBER_ERROR_ARGUMENT, "there is no column %d", column);
  ENSURE(values || !count, LIMBER_ERROR_ARGUMENT, "LimberHistoryRead is given NULL for values");
  ENSURE(first >= 0 && count >= 0 && count <= results_rows(h->results) - first, LIMBER_ERROR_ARGUMENT,
         "rows %d to %d are asked for, and there are %d", first, first + count - 1, results_rows(h->results));
  ENSURE(results_read(h->results, column, first, count, values), LIMBER_ERROR_FILE_READ, "'%s' is damaged",
         results_path(h->results));
  return 0;
}
