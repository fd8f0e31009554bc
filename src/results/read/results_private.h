// SPDX-License-Identifier: Apache-2.0
// Reads the contents of HDF5 files from others through a child process (reader.h); private to this folder. None of
// these functions calls HDF5 or prints. They return false, NULL or 0 if the file lacks what it should have or the child
// has ended.
#ifndef LIMBER_RESULTS_READ_RESULTS_PRIVATE_H
#define LIMBER_RESULTS_READ_RESULTS_PRIVATE_H

#include "results/read/reader.h"
#include "results/read/results.h"

#include <sys/stat.h>

typedef struct Stored Stored;
typedef enum { STORED_REAL, STORED_LONG, STORED_INT } StoredType; // double, long, int

typedef struct { // a dataset of numbers
  int rank, width;
  long rows; // declared in the file, limited to what the file can contain
} StoredSize;

typedef enum { STORED_OPEN, STORED_NO_HDF5, STORED_DAMAGED } StoredState;

// Starts the child. NULL: failed, reason in errno.
Stored *stored_start(const char *path);
StoredState stored_open(Stored *s);   // opens the file, or opens it again
bool stored_is_lost(const Stored *s); // the child has ended: the file is damaged
void stored_end(Stored **s);
// Opens another file, to which the following questions refer; NULL: back to the first one.
bool stored_use(Stored *s, const char *path);

bool stored_exists(Stored *s, const char *path); // a group or dataset, along hard links only
bool stored_size(Stored *s, const char *path, StoredSize *out);
// Reads columns `first` to `first + width - 1` of rows `from` to `from + count - 1`. `slot`: a number from 0 under
// which the dataset stays open; -1: none.
bool stored_rows(Stored *s, const char *path, int slot, StoredType type, long from, long count, int first, int width,
                 void *out);
// Reads texts of fixed length, each into `size` bytes including a zero.
bool stored_fixed_texts(Stored *s, const char *path, long from, long count, size_t size, char *out);
char **stored_texts(Stored *s, const char *path, int *count); // of a dataset
char **stored_attribute_texts(Stored *s, const char *path, const char *name, int *count);
bool stored_attribute_text(Stored *s, const char *path, const char *name, char *text, size_t size); // the first one
double *stored_attribute_reals(Stored *s, const char *path, const char *name, int *count);
double stored_attribute_real(Stored *s, const char *path, const char *name, double otherwise); // if it is one number

typedef struct {
  char *path, *name, *group, *subject, *units, *description; // group of the dataset; subject: description of the group
  char **columns;
  int names; // of columns
  StoredSize size;
} StoredTable;

// All datasets below a group, sorted by name; false: one is not a table of numbers, or there are too many.
bool stored_tables(Stored *s, const char *path, StoredTable **out, int *count);
void stored_tables_free(StoredTable *table, int count);

typedef struct {
  char *path;
  long rows;
} ResultTable;

struct Results {
  char *path;
  Stored *stored;
  bool running;     // a run is still writing it, or was killed
  struct stat seen; // file status when it was read
  ResultTable *table;
  ResultColumn *column;
  double *time, *snapshot_time;
  char axis[60]; // name of the column `time`
  int tables, columns, rows, snapshots;
};

#endif
