// SPDX-License-Identifier: Apache-2.0
// Snapshots as VTKHDF stores an unstructured grid in time: step s has NumberOfPoints[part] points from PointOffsets[s]
// on and cells from CellOffsets[s] on, with part = PartOffsets[s].
#include "results/read/results_private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool rows_read(hid_t file, const char *path, hid_t type, long from, long count, int width, void *out) {
  StoredNumbers s;
  bool good = numbers_open(file, path, &s) && s.width == width && numbers_read(&s, type, from, count, 0, width, out);
  numbers_close(&s);
  return good;
}

// A row of a dataset that counts or says where something begins.
static long read_one(hid_t file, const char *path, long row, bool *good) {
  long value = 0;
  *good = *good && rows_read(file, path, H5T_NATIVE_LONG, row, 1, 1, &value) && value >= 0;
  return value;
}

static long length_of(hid_t file, const char *path) {
  StoredNumbers s;
  long n = numbers_open(file, path, &s) ? s.rows : 0;
  numbers_close(&s);
  return n;
}

// The same of a dataset that must have rows `from` to `from + count - 1`, before there is room for them.
static bool has_rows(hid_t file, const char *path, long from, long count) {
  return count >= 0 && count < INT_MAX && from <= length_of(file, path) - count;
}

int results_snapshots(Results *r, const double **times) {
  if (!r->snapshot_time) {
    HDF5_BEGIN(r) {
      int n = (int)length_of(r->file, "/VTKHDF/Steps/Values"); // at most 2^30
      r->snapshot_time = malloc(((size_t)n + 1) * sizeof *r->snapshot_time);
      bool good = n && r->snapshot_time &&
                  rows_read(r->file, "/VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, 0, n, 1, r->snapshot_time);
      r->snapshots = good ? n : 0;
    }
    HDF5_END;
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

static bool load_shape(hid_t f, int k, SnapshotGeometry *s) {
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
  if (H5Lexists(f, "/VTKHDF/CellData", H5P_DEFAULT) > 0 && H5Lexists(f, "/VTKHDF/CellData/point", H5P_DEFAULT) > 0)
    good = rows_read(f, "/VTKHDF/CellData/point", H5T_NATIVE_INT, cell, s->cells, 1, s->point);
  // a part has one offset more than cells
  return good && rows_read(f, "/VTKHDF/Points", H5T_NATIVE_DOUBLE, point, s->points, 3, s->at) &&
         rows_read(f, "/VTKHDF/Types", H5T_NATIVE_INT, cell, s->cells, 1, s->type) &&
         rows_read(f, "/VTKHDF/Offsets", H5T_NATIVE_INT, cell + part, s->cells + 1, 1, s->first) &&
         rows_read(f, "/VTKHDF/Connectivity", H5T_NATIVE_INT, id, ids, 1, s->ids) && cells_good(s, ids);
}

bool results_snapshot_geometry(Results *r, int snapshot, SnapshotGeometry *s) {
  bool good;
  memset(s, 0, sizeof *s);
  HDF5_BEGIN(r) { good = load_shape(r->file, snapshot, s); }
  HDF5_END;
  if (!good) snapshot_geometry_free(s);
  return good;
}

void snapshot_geometry_free(SnapshotGeometry *s) {
  free(s->at), free(s->type), free(s->point), free(s->first), free(s->ids);
  memset(s, 0, sizeof *s);
}

bool results_block(Results *r, const char *array, int snapshot, int count, int width, double *out) {
  char path[128];
  bool good;
  snprintf(path, sizeof path, "/VTKHDF/%s", array);
  HDF5_BEGIN(r) { good = rows_read(r->file, path, H5T_NATIVE_DOUBLE, (long)snapshot * count, count, width, out); }
  HDF5_END;
  return good;
}
