// SPDX-License-Identifier: Apache-2.0
// The reading side of results as HDF5 shows it; private to results.c, tables.c, snapshot_geometry.c and sources.c.
#ifndef LIMBER_RESULTS_READ_RESULTS_PRIVATE_H
#define LIMBER_RESULTS_READ_RESULTS_PRIVATE_H

#include "results/read/results.h"

#include <hdf5.h>
#include <sys/stat.h>

typedef struct {
  char *path;
  hid_t set;
  int rows, width;
} ResultTable;

struct Results {
  char *path;
  hid_t file;
  bool running;     // a run writes it still, or was killed
  struct stat seen; // the file as it was when it was read
  ResultTable *table;
  ResultColumn *column;
  double *time, *snapshot_time;
  char axis[60]; // what `time` is
  int tables, columns, rows, snapshots;
};

// Reads rows `from` to `from + count - 1` of a dataset, each `width` numbers.
bool rows_read(hid_t file, const char *path, hid_t type, long from, long count, int width, void *out);

// All of these are quiet, and false or -1 where the file does not hold what it should.
hid_t file_open(const char *path);
char **texts_read(hid_t object, const char *name, int *count); // all texts of an attribute; NULL: there are none
void texts_free(char **text, int count);
bool attribute_text(hid_t object, const char *name, char *text, size_t size);
double attribute_real(hid_t object, const char *name, double otherwise);
bool load_tables(Results *r); // all datasets under /history, with their columns; names and order are the caller's
bool tables_reopen(Results *r);
bool table_read(const ResultTable *t, int index, int from, int count, double *values); // one column

#endif
