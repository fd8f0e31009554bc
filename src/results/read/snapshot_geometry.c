// SPDX-License-Identifier: Apache-2.0
// Snapshots as VTKHDF stores an unstructured grid in time: step s has NumberOfPoints[part] points from PointOffsets[s]
// on and cells from CellOffsets[s] on, with part = PartOffsets[s].
#include "results/read/results_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool rows_read(hid_t file, const char *path, hid_t type, long from, long count, int width, void *out) {
  hsize_t at[2] = {(hsize_t)from, 0}, size[2] = {(hsize_t)count, (hsize_t)width}, all = size[0] * size[1];
  hid_t set = H5Dopen2(file, path, H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set);
  hid_t memory = H5Screate_simple(1, &all, NULL);
  bool good = space >= 0 && memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, size, NULL) >= 0 &&
              H5Sselect_valid(space) > 0 && H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
  if (memory >= 0) H5Sclose(memory);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  return good;
}

static long read_one(hid_t file, const char *path, long row, bool *good) {
  long value = 0;
  *good = *good && rows_read(file, path, H5T_NATIVE_LONG, row, 1, 1, &value);
  return value;
}

static int length_of(hid_t file, const char *path) {
  hid_t set = H5Dopen2(file, path, H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set);
  hssize_t n = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  return n > 0 ? (int)n : 0;
}

int results_snapshots(Results *r, const double **times) {
  if (!r->snapshot_time) {
    H5E_BEGIN_TRY {
      int n = length_of(r->file, "/VTKHDF/Steps/Values");
      r->snapshot_time = malloc(((size_t)n + 1) * sizeof *r->snapshot_time);
      bool good = n && r->snapshot_time &&
                  rows_read(r->file, "/VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, 0, n, 1, r->snapshot_time);
      r->snapshots = good ? n : 0;
    }
    H5E_END_TRY;
  }
  *times = r->snapshot_time;
  return r->snapshots;
}

static bool cells_good(const SnapshotGeometry *s, int ids) {
  for (int c = 0; c < s->cells; c++)
    if (s->first[c] < 0 || s->first[c] > s->first[c + 1] || s->first[c + 1] > ids) return false;
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
  s->points = (int)read_one(f, "/VTKHDF/NumberOfPoints", part, &good);
  s->cells = (int)read_one(f, "/VTKHDF/NumberOfCells", part, &good);
  int ids = (int)read_one(f, "/VTKHDF/NumberOfConnectivityIds", part, &good);
  if (!good) return false;
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
  H5E_BEGIN_TRY { good = load_shape(r->file, snapshot, s); }
  H5E_END_TRY;
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
  H5E_BEGIN_TRY { good = rows_read(r->file, path, H5T_NATIVE_DOUBLE, (long)snapshot * count, count, width, out); }
  H5E_END_TRY;
  return good;
}
