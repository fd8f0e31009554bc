// SPDX-License-Identifier: Apache-2.0
// The reading side of results as HDF5 shows it; private to this folder.
#ifndef LIMBER_RESULTS_READ_RESULTS_PRIVATE_H
#define LIMBER_RESULTS_READ_RESULTS_PRIVATE_H

#include "results/read/results.h"

#include <hdf5.h>
#include <sys/stat.h>

// A dataset of numbers, of one or two dimensions.
typedef struct {
  hid_t set; // -1: none
  int rank, width;
  long rows; // that it says it has and that the file can hold
} StoredNumbers;

typedef struct {
  char *path;
  StoredNumbers numbers;
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

// What calls HDF5 stands between these two. Its own messages are not printed; in a command it has limits (guard.c).
void guard_enter(const Results *r);
void guard_leave(void);
#define HDF5_BEGIN(r) \
  guard_enter(r); \
  H5E_BEGIN_TRY
#define HDF5_END \
  H5E_END_TRY; \
  guard_leave()

// All of these are quiet, and false, NULL or -1 where the file does not hold what it should.
hid_t file_open(const char *path);
hid_t object_open(hid_t at, const char *path); // a group or dataset; along hard links only
bool numbers_open(hid_t file, const char *path, StoredNumbers *s);
void numbers_close(StoredNumbers *s);
// Columns `first` to `first + width - 1` of rows `from` to `from + count - 1`.
bool numbers_read(const StoredNumbers *s, hid_t type, long from, long count, int first, int width, void *out);
char **attribute_texts(hid_t object, const char *name, int *count); // all texts of an attribute; NULL: there are none
char **dataset_texts(hid_t file, const char *path, int *count);
// Texts of fixed length, rows `from` to `from + count - 1`, each in `size` bytes with a zero.
bool fixed_texts_read(hid_t file, const char *path, long from, long count, size_t size, char *out);
void texts_free(char **text, int count);
bool attribute_text(hid_t object, const char *name, char *text, size_t size);
// All numbers of an attribute, to be freed; NULL: there are none.
double *attribute_reals(hid_t object, const char *name, int *count);
double attribute_real(hid_t object, const char *name, double otherwise);
void text_clean(char *text, bool lines);

bool load_tables(Results *r); // all datasets under /history, with their columns; names and order are the caller's
bool tables_reopen(Results *r);
bool table_read(const ResultTable *t, int index, int from, int count, double *values); // one column

#endif
