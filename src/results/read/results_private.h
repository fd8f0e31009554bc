// SPDX-License-Identifier: Apache-2.0
// Asking for what is in an HDF5 file of others; private to this folder. A child process reads it (reader.h): none of
// these functions calls HDF5, and all are quiet, and false, NULL or 0 where the file does not have what it should, or
// where the child has ended.
#ifndef LIMBER_RESULTS_READ_RESULTS_PRIVATE_H
#define LIMBER_RESULTS_READ_RESULTS_PRIVATE_H

#include "results/read/reader.h"
#include "results/read/results.h"

#include <sys/stat.h>

typedef struct Stored Stored;
typedef enum { STORED_REAL, STORED_LONG, STORED_INT } StoredType; // double, long, int

typedef struct { // a dataset of numbers
  int rank, width;
  long rows; // that it says it has and that the file can hold
} StoredSize;

typedef enum { STORED_OPEN, STORED_NO_HDF5, STORED_DAMAGED } StoredState;

// Starts the child. NULL: there is none, errno has the reason.
Stored *stored_start(const char *path);
StoredState stored_open(Stored *s);   // opens the file, or opens it again
bool stored_is_lost(const Stored *s); // the child has ended: the file is damaged
void stored_end(Stored **s);
// From here on another file is asked, which is opened; NULL: the first one again.
bool stored_use(Stored *s, const char *path);

bool stored_exists(Stored *s, const char *path); // a group or dataset, along hard links only
bool stored_size(Stored *s, const char *path, StoredSize *out);
// Columns `first` to `first + width - 1` of rows `from` to `from + count - 1`. `slot`: a number under which the dataset
// stays open, from 0; -1: none.
bool stored_rows(Stored *s, const char *path, int slot, StoredType type, long from, long count, int first, int width,
                 void *out);
// Texts of fixed length, each in `size` bytes with a zero.
bool stored_fixed_texts(Stored *s, const char *path, long from, long count, size_t size, char *out);
char **stored_texts(Stored *s, const char *path, int *count); // of a dataset
char **stored_attribute_texts(Stored *s, const char *path, const char *name, int *count);
bool stored_attribute_text(Stored *s, const char *path, const char *name, char *text, size_t size); // the first one
double *stored_attribute_reals(Stored *s, const char *path, const char *name, int *count);
double stored_attribute_real(Stored *s, const char *path, const char *name, double otherwise); // if it is one number

typedef struct {
  char *path, *name, *group, *subject, *units, *description; // group: of the dataset, subject: its description
  char **columns;
  int names; // of columns
  StoredSize size;
} StoredTable;

// All datasets below a group, in the order of their names; false: one is no table of numbers, or they are too many.
bool stored_tables(Stored *s, const char *path, StoredTable **out, int *count);
void stored_tables_free(StoredTable *table, int count);

typedef struct {
  char *path;
  long rows;
} ResultTable;

struct Results {
  char *path;
  Stored *stored;
  bool running;     // a run writes it still, or was killed
  struct stat seen; // the file as it was when it was read
  ResultTable *table;
  ResultColumn *column;
  double *time, *snapshot_time;
  char axis[60]; // what `time` is
  int tables, columns, rows, snapshots;
};

#endif
