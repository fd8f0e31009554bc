// SPDX-License-Identifier: Apache-2.0
// What an FMU has: the lines of resources/limber.txt.
#ifndef LIMBER_FMU_MODULE_CONTENTS_H
#define LIMBER_FMU_MODULE_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char *name, *unit;
  double start;
} Variable;

typedef struct {
  Variable *item;
  size_t count;
} Variables;

typedef struct {
  char *token, *model, *library; // model: from resources/; library: where that of Limber was
  char **change;
  int changes;
  Variables parameter, input;
  size_t outputs, states;
} Contents;

bool read_contents(const char *path, Contents *all);
void free_contents(Contents *all);

#endif
