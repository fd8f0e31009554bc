// SPDX-License-Identifier: Apache-2.0
// Results read back: prints the columns of a results file, or the least and the largest value of those that are named.
//   limber new pendulum && limber run pendulum.yaml
//   ./read_back pendulum.h5
//   ./read_back pendulum.h5 P.x ledger.kinetic
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

static int PrintExtremes(LimberHistory h, const char *name) {
  int column = limber_history_find(h, name), rows = limber_history_rows(h), low = 0, high = 0;
  if (column == LIMBER_NONE) return fprintf(stderr, "%s\n", limber_error()), 2;
  double *time = malloc(sizeof *time * (size_t)rows), *value = malloc(sizeof *value * (size_t)rows);
  int error = !time || !value || LimberHistoryRead(h, 0, 0, rows, time) || LimberHistoryRead(h, column, 0, rows, value);
  for (int i = 0; i < rows && !error; i++) {
    if (value[i] < value[low]) low = i;
    if (value[i] > value[high]) high = i;
  }
  if (!error && rows)
    printf("%s: %.6g %s at t = %.4g s .. %.6g %s at t = %.4g s\n", limber_history_name(h, column), value[low],
           limber_history_units(h, column), time[low], value[high], limber_history_units(h, column), time[high]);
  free(time), free(value);
  return error ? 3 : 0;
}

int main(int argc, char **argv) {
  LimberHistory h;
  int code = 0;
  if (argc < 2) return fputs("usage: read_back RESULTS.h5 [COLUMN ...]\n", stderr), 2;
  if (LimberHistoryOpen(argv[1], &h)) return 3; // no LimberInitialize: reading needs no engine
  for (int i = 0; i < limber_history_columns(h) && argc == 2; i++)
    printf("%s [%s]\n", limber_history_name(h, i), limber_history_units(h, i));
  for (int i = 2; i < argc && !code; i++) code = PrintExtremes(h, argv[i]);
  LimberHistoryClose(&h);
  return code;
}
