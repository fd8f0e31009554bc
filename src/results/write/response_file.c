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
  ResultsTable table = {.axis = "frequency", .units = "Hz", .description = "of the input", .remarks = remarks};
  int pairs = r->inputs * r->outputs;
  PointColumn *about;
  TableShape *shape;
  PairText *text;
  char unit[80];
  PetscFunctionBegin;
  PetscCall(PetscCalloc3(pairs + 1, &about, pairs, &shape, pairs, &text));
  for (int k = 0; k < pairs; k++) {
    const LinearName *input = &r->input[k / r->outputs], *output = &r->output[k % r->outputs];
    unit_of_pair(output->unit, input->unit, unit, sizeof unit);
    snprintf(text[k].units, sizeof text[k].units, "%.70s, degree, %.30s, %.30s", unit, unit, unit);
    snprintf(text[k].description, sizeof text[k].description, "%s over %s", output->name, input->name);
    // /history/time holds the frequencies
    about[k] = (PointColumn){strcmp(input->name, "time") ? input->name : "time.input", output->name, text[k].units,
                             text[k].description};
    shape[k] = (TableShape){PARTS, parts};
  }
  PetscCall(TableCreate(&analysis_of_response, about, shape, r->frequencies, &table));
  memcpy(table.at, r->frequency, (size_t)r->frequencies * sizeof *table.at);
  for (int k = 0; k < pairs; k++) fill_pair(r, k / r->outputs, k % r->outputs, table.column[k].values);
  PetscCall(TableWrite(path, in, comm, &table));
  PetscCall(TableDestroy(&table));
  PetscCall(PetscFree3(about, shape, text));
  PetscFunctionReturn(0);
}
