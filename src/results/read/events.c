// SPDX-License-Identifier: Apache-2.0
#include "results/read/results_private.h"

#include <stdlib.h>

enum { MOST_EVENTS = 1 << 20 };

static bool read_numbers(Stored *s, const char *path, long count, double *out) {
  return stored_rows(s, path, -1, STORED_REAL, 0, count, 0, 1, out);
}

static bool read_events(Stored *s, ResultEvents *e) {
  StoredSize size;
  if (!stored_size(s, "/events/time", &size) || size.rank != 1 || size.rows < 1 || size.rows > MOST_EVENTS)
    return false;
  size_t count = (size_t)size.rows;
  e->name = calloc(count, sizeof *e->name);
  e->time = malloc(count * sizeof *e->time), e->loss = malloc(count * sizeof *e->loss);
  bool good = e->name && e->time && e->loss && read_numbers(s, "/events/time", size.rows, e->time) &&
              read_numbers(s, "/events/loss", size.rows, e->loss) &&
              stored_fixed_texts(s, "/events/name", 0, size.rows, sizeof *e->name, e->name[0]);
  e->count = good ? (int)count : 0;
  return good;
}

ResultEvents results_events(Results *r) {
  ResultEvents e = {0};
  if (!read_events(r->stored, &e)) result_events_free(&e);
  return e;
}

void result_events_free(ResultEvents *e) {
  free(e->name), free(e->time), free(e->loss);
  *e = (ResultEvents){0};
}
