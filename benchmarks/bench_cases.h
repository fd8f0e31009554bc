// SPDX-License-Identifier: Apache-2.0
// What limber-bench measures.
#ifndef LIMBER_BENCH_CASES_H
#define LIMBER_BENCH_CASES_H

#include "limber/limber.h"

#include <stdbool.h>

typedef struct BenchCase BenchCase;
struct BenchCase {
  const char *name, *help;
  int (*build)(const BenchCase *c, LimberModel *model, LimberOptions *options); // sets the step at least
  const char *file;                                                             // of a model that is read
  int n;                                                                        // size of one that is made
  int warm, steps, parts; // steps before, and in each part that is timed
  bool slow;
};

// Work and precision: a table of the problems of these names, of all without any (bench_precision.c).
int BenchPrecision(int count, char **wanted);

extern const BenchCase bench_cases[]; // ends with a name that is NULL

#endif
