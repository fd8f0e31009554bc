// SPDX-License-Identifier: Apache-2.0
// What instances of both kinds have. It is the first member of struct Instance.
#ifndef LIMBER_FMU_MODULE_BASE_H
#define LIMBER_FMU_MODULE_BASE_H

#include "fmu/module/contents.h"
#include "fmu/module/instance.h"

#include <locale.h>
#include <stdint.h>

typedef enum { MADE, INITIALISING, STEPPING, ENDED } Phase;

typedef struct {
  Host host;
  char folder[4200]; // resources/
  Contents has;
  Phase phase;
  double time;           // s: the communication point
  bool failed;           // the last step
  double *input, *slope; // slope: over the next communication step
  size_t saved;          // how many numbers a saved state has
} Base;

// Numbers in texts have a point from here to the end, whatever the locale of the host.
locale_t plain_numbers_begin(void);
void plain_numbers_end(locale_t before);

// Finds the folder, reads what the FMU has, checks the token, and gives inputs their memory. False: the host has been
// told why.
bool base_open(Instance *c, const Host *host, const char *token, const char *resources);
void base_close(Base *b);
// Inputs and time as they are before the initialisation.
void base_start(Base *b);

struct SavedState {
  Phase phase;
  double time;
  bool failed, flag, has_run; // flag: of a run, that its row is stale; of a linear model, its mode
  double *value;              // as many as the instance says
  void *part[2];              // of malloc: the run and its record
  size_t part_size[2];
};

// *state is NULL, or one from before. NULL: no memory.
SavedState *saved_prepare(Instance *c, SavedState **state);
void copy_values(double **to, const double *from, size_t count);
void take_values(const double **from, double *to, size_t count);

#endif
