// SPDX-License-Identifier: Apache-2.0
// The library that an FMU contains. fmi2.c and fmi3.c have the functions of the two versions of the standard; they call
// the functions of an instance, which there are twice: an instance is a run of a model (run/) or a linear model
// (linear/). Each is a library of its own, with the files of this folder.
//
// Value references: 0 is the time, then come the parameters, the inputs, the outputs and, of a linear model, the states
// and their derivatives.
#ifndef LIMBER_FMU_MODULE_INSTANCE_H
#define LIMBER_FMU_MODULE_INSTANCE_H

#include "fmu/standard.h"

typedef struct Instance Instance;
typedef struct SavedState SavedState;

// What the versions share of their status codes.
typedef enum { STATUS_OK, STATUS_WARNING, STATUS_DISCARD, STATUS_ERROR, STATUS_FATAL } Status;

// The host's logger, and what else it asked for.
typedef struct {
  void (*say)(const void *host, Status status, const char *category, const char *message);
  char name[256]; // of the instance
  void *environment;
  void *logger;                          // a function of the host
  bool log;                              // warnings are logged, too
  bool exchange;                         // for model exchange; else for co-simulation
  fmi3IntermediateUpdateCallback update; // NULL: the host does not ask for it
  bool early_return;
  double start; // s; version 2
} Host;

// What a step came to.
typedef struct {
  double reached; // s
  bool early;     // before the end of the communication step
} Reached;

// Asked after each step of the run; true: the host wants the communication step to end here.
typedef bool (*AfterStep)(void *data, double time);

// "": instances can be made for model exchange; else why not.
extern const char instance_no_exchange[];

// NULL: it cannot be made, and the host has been told why. `resources` is a path or an address (file:).
Instance *instance_create(const Host *host, const char *token, const char *resources);
void instance_destroy(Instance *c);
Host *instance_host(Instance *c);
// Says what is wrong, and returns STATUS_ERROR.
Status instance_refuse(Instance *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

Status instance_check_start(Instance *c, double start); // whether it can start at that time
Status instance_begin(Instance *c, double start);       // enters the initialisation
Status instance_ready(Instance *c);                     // ends it: the run has started
Status instance_end(Instance *c);
Status instance_reset(Instance *c);

Status instance_get(Instance *c, const unsigned *reference, size_t count, double *value);
Status instance_set(Instance *c, const unsigned *reference, size_t count, const double *value);
// Slopes of inputs over the next communication step, which ends them.
Status instance_set_slope(Instance *c, const unsigned *reference, size_t count, const int *order, const double *value);

// Steps from `time`, where it is, over `step`. `events`: it may end after a step in which an event happened.
Status instance_step(Instance *c, double time, double step, bool events, AfterStep after, void *data, Reached *reached);
double instance_time(const Instance *c);
bool instance_failed(const Instance *c); // its last step

// The state: *state is NULL, or one from before, which is used again.
Status instance_save(Instance *c, SavedState **state);
Status instance_restore(Instance *c, const SavedState *state);
void saved_free(SavedState **state);
Status saved_size(Instance *c, const SavedState *state, size_t *size);
Status saved_write(Instance *c, const SavedState *state, void *bytes, size_t size);
Status saved_read(Instance *c, const void *bytes, size_t size, SavedState **state);

#endif
