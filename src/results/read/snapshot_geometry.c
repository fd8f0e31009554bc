// SPDX-License-Identifier: Apache-2.0
// Snapshots as VTKHDF stores an unstructured grid in time: step s has NumberOfPoints[part] points from PointOffsets[s]
// on and cells from CellOffsets[s] on, with part = PartOffsets[s].
#include "results/read/results_private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool rows_read(Stored *f, const char *path, StoredType type, long from, long count, int width, void *out) {
  StoredSize s;
  return stored_size(f, path, &s) && s.width == width && stored_rows(f, path, -1, type, from, count, 0, width, out);
}

// A row of a dataset that counts or says where something begins.
static long read_one(Stored *f, const char *path, long row, bool *good) {
  long value = 0;
  *good = *good && rows_read(f, path, STORED_LONG, row, 1, 1, &value) && value >= 0;
  return value;
}

// Whether a dataset has rows `from` to `from + count - 1`, before there is room for them.
static bool has_rows(Stored *f, const char *path, long from, long count) {
  StoredSize s;
  return count >= 0 && count < INT_MAX && stored_size(f, path, &s) && from <= s.rows - count;
}

int results_snapshots(Results *r, const double **times) {
  static const char path[] = "/VTKHDF/Steps/Values";
  if (!r->snapshot_time) {
    StoredSize s;
    int n = stored_size(r->stored, path, &s) && s.rows > 0 && s.rows < INT_MAX ? (int)s.rows : 0;
    r->snapshot_time = malloc(((size_t)n + 1) * sizeof *r->snapshot_time);
    bool good = n && r->snapshot_time && rows_read(r->stored, path, STORED_REAL, 0, n, 1, r->snapshot_time);
    r->snapshots = good ? n : 0;
  }
  *times = r->snapshot_time;
  return r->snapshots;
}

// The points of a cell with faces, by its type as VTK numbers them; 0 of all others.
static int points_of(int type) {
  static const int count[][2] = {{5, 3}, {9, 4}, {10, 4}, {12, 8}, {24, 10}};
  for (size_t i = 0; i < sizeof count / sizeof count[0]; i++)
    if (count[i][0] == type) return count[i][1];
  return 0;
}

static bool cells_good(const SnapshotGeometry *s, int ids) {
  if (s->first[0] < 0) return false;
  for (int c = 0; c < s->cells; c++)
    if (s->first[c] > s->first[c + 1] || s->first[c + 1] > ids || s->first[c + 1] - s->first[c] < points_of(s->type[c]))
      return false;
  for (int i = 0; i < ids; i++)
    if (s->ids[i] < 0 || s->ids[i] >= s->points) return false;
  return true;
}

static bool load_shape(Stored *f, int k, SnapshotGeometry *s) {
  bool good = true;
  long part = read_one(f, "/VTKHDF/Steps/PartOffsets", k, &good);
  long point = read_one(f, "/VTKHDF/Steps/PointOffsets", k, &good);
  long cell = read_one(f, "/VTKHDF/Steps/CellOffsets", k, &good);
  long id = read_one(f, "/VTKHDF/Steps/ConnectivityIdOffsets", k, &good);
  long points = read_one(f, "/VTKHDF/NumberOfPoints", part, &good);
  long cells = read_one(f, "/VTKHDF/NumberOfCells", part, &good);
  long count = read_one(f, "/VTKHDF/NumberOfConnectivityIds", part, &good);
  if (!good || !has_rows(f, "/VTKHDF/Points", point, points) || !has_rows(f, "/VTKHDF/Types", cell, cells) ||
      !has_rows(f, "/VTKHDF/Connectivity", id, count))
    return false;
  int ids = (int)count;
  s->points = (int)points, s->cells = (int)cells;
  s->at = malloc(((size_t)s->points + 1) * sizeof *s->at);
  s->type = malloc(((size_t)s->cells + 1) * sizeof *s->type);
  s->point = calloc((size_t)s->cells + 1, sizeof *s->point);
  s->first = malloc(((size_t)s->cells + 1) * sizeof *s->first);
  s->ids = malloc(((size_t)ids + 1) * sizeof *s->ids);
  if (!s->at || !s->type || !s->point || !s->first || !s->ids) return false;
  if (stored_exists(f, "/VTKHDF/CellData/point"))
    good = rows_read(f, "/VTKHDF/CellData/point", STORED_INT, cell, s->cells, 1, s->point);
  // a part has one offset more than cells
  return good && rows_read(f, "/VTKHDF/Points", STORED_REAL, point, s->points, 3, s->at) &&
         rows_read(f, "/VTKHDF/Types", STORED_INT, cell, s->cells, 1, s->type) &&
         rows_read(f, "/VTKHDF/Offsets", STORED_INT, cell + part, s->cells + 1, 1, s->first) &&
         rows_read(f, "/VTKHDF/Connectivity", STORED_INT, id, ids, 1, s->ids) && cells_good(s, ids);
}

bool results_snapshot_geometry(Results *r, int snapshot, SnapshotGeometry *s) {
  memset(s, 0, sizeof *s);
  bool good = load_shape(r->stored, snapshot, s);
  if (!good) snapshot_geometry_free(s);
  return good;
}

void snapshot_geometry_free(SnapshotGeometry *s) {
  free(s->at), free(s->type), free(s->point), free(s->first), free(s->ids);
  memset(s, 0, sizeof *s);
}

bool results_block(Results *r, const char *array, int snapshot, int count, int width, double *out) {
  char path[128];
  snprintf(path, sizeof path, "/VTKHDF/%s", array);
  return rows_read(r->stored, path, STORED_REAL, (long)snapshot * count, count, width, out);
}
