// SPDX-License-Identifier: Apache-2.0
// Which examples `limber verify` is asked for: folders with an expected.yaml.
#ifndef LIMBER_APP_EXAMPLES_H
#define LIMBER_APP_EXAMPLES_H

#include "console/library_commands.h"
#include "input/yaml/expected.h"

#include <petscsys.h>

enum { MOST_EXAMPLES = 500 };

typedef struct {
  char folder[1024];
  const char *name; // the folder's last word
  Expected *expected;
} Example;

// Those that the command line names, or all; `code` tells of names without a folder.
PetscErrorCode FindExamples(const Arguments *a, Example *e, int *count, ExitCode *code);

#endif
