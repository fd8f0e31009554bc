// SPDX-License-Identifier: Apache-2.0
#include "results/write/response_file.h"

#include "results/write/table.h"

#include <math.h>
#include <string.h>

enum { PARTS = 4 };
static const char *const parts[PARTS] = {"amplitude", "phase", "real", "imaginary"};

typedef struct {
  char units[160], description[500];
} PairText;

// Of a number that is real but for round-off, 0 or -180: a lag.
static double phase_of(const double value[2]) {
  if (fabs(value[1]) <= 1e-9 * fabs(value[0])) return value[0] < 0 ? -180 : 0;
  return atan2(value[1], value[0]) * 180 / M_PI;
}

// "m" over "1" is m, over "rad s-1" m / (rad s-1)
static void unit_of_pair(const char *output, const char *input, char *text, size_t size) {
  if (!strcmp(input, "1")) snprintf(text, size, "%s", output);
  else snprintf(text, size, "%s (%s)-1", output, input);
}

static void fill_pair(const Response *r, int input, int output, double *values) {
  double turn = 0, last = 0;
  for (int f = 0; f < r->frequencies; f++) {
    const double *v = response_value(r, f, input, output);
    double phase = phase_of(v) + turn, *row = values + (size_t)f * PARTS;
    if (f > 0 && fabs(phase - last) > 180 + 1e-6) { // continued from frequency to frequency
      double whole = 360 * round((last - phase) / 360);
      turn += whole, phase += whole;
    }
    last = phase;
    row[0] = hypot(v[0], v[1]), row[1] = phase, row[2] = v[0], row[3] = v[1];
  }
}

PetscErrorCode ResponseFileWrite(const char *path, const Input *in, MPI_Comm comm, const Response *r,
                                 const char *remarks) {
  int pairs = r->inputs * r->outputs;
  double *values;
  TableColumn *column;
  PairText *text;
  char unit[80];
  PetscFunctionBegin;
  PetscCall(PetscMalloc3((PetscInt)pairs * r->frequencies * PARTS, &values, pairs, &column, pairs, &text));
  for (int i = 0; i < r->inputs; i++)
    for (int o = 0; o < r->outputs; o++) {
      int k = i * r->outputs + o;
      double *own = values + (size_t)k * (size_t)r->frequencies * PARTS;
      unit_of_pair(r->output[o].unit, r->input[i].unit, unit, sizeof unit);
      snprintf(text[k].units, sizeof text[k].units, "%.70s, degree, %.30s, %.30s", unit, unit, unit);
      snprintf(text[k].description, sizeof text[k].description, "%s over %s", r->output[o].name, r->input[i].name);
      fill_pair(r, i, o, own);
      // /history/time holds the frequencies
      column[k] = (TableColumn){.group = strcmp(r->input[i].name, "time") ? r->input[i].name : "time.input",
                                .name = r->output[o].name,
                                .units = text[k].units,
                                .description = text[k].description,
                                .width = PARTS,
                                .names = parts,
                                .values = own};
    }
  const ResultsTable table = {.analysis = "response",
                              .axis = "frequency",
                              .units = "Hz",
                              .description = "of the input",
                              .rows = r->frequencies,
                              .at = r->frequency,
                              .columns = pairs,
                              .column = column,
                              .remarks = remarks};
  PetscCall(TableWrite(path, in, comm, &table));
  PetscCall(PetscFree3(values, column, text));
  PetscFunctionReturn(0);
}
