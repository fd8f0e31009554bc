// SPDX-License-Identifier: Apache-2.0
// Small results of each analysis, written by HDF5 with changes that a text of bytes asks for.
#ifndef LIMBER_TESTS_FUZZ_MADE_RESULTS_H
#define LIMBER_TESTS_FUZZ_MADE_RESULTS_H

#include <stddef.h>

typedef struct {
  const unsigned char *data;
  size_t size;
} Changes;

int made_number(Changes *c);                             // the next byte, 0 where there is none
int made_kind(Changes *c);                               // of an analysis
void made_write(const char *path, int kind, Changes *c); // c: NULL, results as they should be

#endif
