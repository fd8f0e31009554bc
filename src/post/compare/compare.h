// SPDX-License-Identifier: Apache-2.0
// `limber compare`: by what two runs differ.
#ifndef LIMBER_POST_COMPARE_COMPARE_H
#define LIMBER_POST_COMPARE_COMPARE_H

#include "post/page/page.h"

extern const char *const compare_name;

typedef struct {
  int column[2];            // in each run
  const ResultColumn *name; // of the first
  double most, at;          // largest |difference|, and when
  double rms, relative;     // root mean square of the difference; its norm over that of the first
  double scale;             // largest |value| of the quantity in both runs, of energies the energy exchanged
  bool same;                // to the bit
  bool judged;              // counts for the verdict
  double *time, *value[2];  // rows compared
} Difference;

typedef struct {
  Results *run[2];
  double *time; // at which runs are compared
  int rows, first[2];
  bool resampled; // the second run, to the times of the first
  Difference *column;
  int columns;
  int *alone[2], alones[2]; // columns that the other run has not
  double tolerance;
  int beyond; // differences that are larger
} Comparison;

// Reads and compares all columns that both have, or those that are named; false after a message.
bool compare_columns(Comparison *c, const TimeRange *time_range, int words, const char *const *word);
void comparison_free(Comparison *c);
double beyond_scale(const Difference *d); // largest difference over the scale

// Prints lines that only one of the texts of the models has; how many. `page`: as HTML.
int compare_models(Comparison *c, FILE *out, bool page);

bool compare_page(Comparison *c, const Arguments *a, const char *path);

#endif
