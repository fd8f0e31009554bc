// SPDX-License-Identifier: Apache-2.0
#include "results/read/results_private.h"

#include <stdlib.h>

enum { MOST_EVENTS = 1 << 20 };

static bool read_numbers(hid_t file, const char *path, long count, double *out) {
  StoredNumbers s;
  if (!numbers_open(file, path, &s)) return false;
  bool good = s.rank == 1 && s.rows >= count && numbers_read(&s, H5T_NATIVE_DOUBLE, 0, count, 0, 1, out);
  numbers_close(&s);
  return good;
}

static bool read_events(hid_t file, ResultEvents *e) {
  StoredNumbers s;
  if (!numbers_open(file, "/events/time", &s)) return false;
  long count = s.rank == 1 && s.rows > 0 && s.rows <= MOST_EVENTS ? s.rows : 0;
  numbers_close(&s);
  if (!count) return false;
  e->name = calloc((size_t)count, sizeof *e->name);
  e->time = malloc((size_t)count * sizeof *e->time), e->loss = malloc((size_t)count * sizeof *e->loss);
  bool good = e->name && e->time && e->loss && read_numbers(file, "/events/time", count, e->time) &&
              read_numbers(file, "/events/loss", count, e->loss) &&
              fixed_texts_read(file, "/events/name", 0, count, sizeof *e->name, e->name[0]);
  for (long i = 0; i < count && good; i++) text_clean(e->name[i], false);
  e->count = good ? (int)count : 0;
  return good;
}

ResultEvents results_events(Results *r) {
  ResultEvents e = {0};
  bool good;
  HDF5_BEGIN(r) { good = read_events(r->file, &e); }
  HDF5_END;
  if (!good) result_events_free(&e);
  return e;
}

void result_events_free(ResultEvents *e) {
  free(e->name), free(e->time), free(e->loss);
  *e = (ResultEvents){0};
}
