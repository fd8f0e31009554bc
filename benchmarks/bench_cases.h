// SPDX-License-Identifier: Apache-2.0
// What limber-bench measures.
#ifndef LIMBER_BENCH_CASES_H
#define LIMBER_BENCH_CASES_H

#include "input/input.h"

typedef struct BenchCase BenchCase;
struct BenchCase {
  const char *name, *help;
  int (*build)(const BenchCase *c, Input *in); // sets the model and the step at least
  const char *file;                            // of a model that is read
  int n;                                       // size of one that is made
  int warm, steps;                             // steps before, and those that are timed
  bool slow;
};

// Work and precision: a table of the problems of these names, of all without any (bench_precision.c).
int BenchPrecision(int count, char **wanted);

double bench_seconds(void); // of CPU time on one rank, of the clock on several (bench.c)

extern const BenchCase bench_cases[]; // ends with a name that is NULL

#endif
