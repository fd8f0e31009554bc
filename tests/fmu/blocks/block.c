/* SPDX-License-Identifier: Apache-2.0 */
/* A small FMU for co-simulation, of version FMI (2 or 3). It is a gain, y = k u, and an oscillator x'' = u - k x, whose
 * motion is exact for an input that is held over the step. A spring c ties the oscillator to a point that moves with the
 * velocity `flow`, on which it has the force `effort`; `given` is the work of that force by the trapezoid. `fault` is
 * what it does wrong from t = 0.1 s on, `cheat` how it misleads who is bonded to it. */
#include "fmu/standard.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIME, U, Y, X, V, K, FAULT, FLOW, EFFORT, GIVEN, C, CHEAT, S, NUMBERS }; /* value references */
enum { HONEST, SHAKES, FORGETS };
enum { NONE, NOT_FINITE, WARNING, DISCARD, ERROR, FATAL, ENDS };

typedef struct {
  double number[NUMBERS]; /* the state */
  void *environment, *logger;
} Block;

static double effort(const double *n) {
  return n[C] * (n[X] - n[S]) + ((int)n[CHEAT] == SHAKES ? 40 * sin(7e4 * n[TIME]) : 0);
}

static void go_on(Block *b, double step) {
  double *n = b->number, k = n[K] + n[C], w = sqrt(k), rest = (n[U] + n[C] * n[S]) / k, drift = n[C] * n[FLOW] / k,
         x = n[X] - rest, v = n[V] - drift, before = effort(n);
  n[X] = rest + drift * step + x * cos(w * step) + v / w * sin(w * step);
  n[V] = drift + v * cos(w * step) - x * w * sin(w * step);
  n[TIME] += step, n[S] += n[FLOW] * step;
  n[GIVEN] += step * n[FLOW] * (before + effort(n)) / 2;
}

static void set_back(Block *b, const void *state) {
  if ((int)b->number[CHEAT] != FORGETS) memcpy(b, state, sizeof b->number);
}

static int fault_of(const Block *b) { return b->number[TIME] > 0.0999 ? (int)b->number[FAULT] : NONE; }

static double read(const Block *b, unsigned reference) {
  if (reference == Y) return fault_of(b) == NOT_FINITE ? NAN : b->number[K] * b->number[U];
  if (reference == EFFORT) return effort(b->number);
  return reference < NUMBERS ? b->number[reference] : NAN;
}

static int say(Block *b, int status, const char *text);

static int step(Block *b, double size, bool *ends) {
  go_on(b, size);
  *ends = fault_of(b) == ENDS;
  switch (fault_of(b)) {
  case WARNING: return say(b, 1, "the oil is warm");
  case DISCARD: return say(b, 2, "the step is too long");
  case ERROR: return say(b, 3, "the valve is stuck");
  case FATAL: return say(b, 4, "the pump has burst");
  default: return 0;
  }
}

static Block *create(void *environment, void *logger) {
  Block *b = calloc(1, sizeof *b);
  b->environment = environment, b->logger = logger;
  b->number[K] = 4, b->number[X] = 1;
  return b;
}

#if FMI == 2
static int say(Block *b, int status, const char *text) {
  fmi2CallbackLogger log;
  memcpy(&log, &b->logger, sizeof log);
  log(b->environment, "block", (fmi2Status)status, "logStatusError", "%s at %g s", text, b->number[TIME]);
  return status;
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean log) {
  void *logger;
  memcpy(&logger, &callbacks->logger, sizeof logger);
  if (strcmp(guid, "{block}") || strncmp(resources, "file:///", 8) || type != fmi2CoSimulation) return NULL;
  return (void)name, (void)visible, (void)log, create(callbacks->componentEnvironment, logger);
}
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean has_stop, fmi2Real stop) {
  ((Block *)c)->number[TIME] = start;
  return (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop, fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return (void)c, fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return (void)c, fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { return (void)c, fmi2OK; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real value[]) {
  for (size_t i = 0; i < n; i++) value[i] = read(c, r[i]);
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real value[]) {
  for (size_t i = 0; i < n; i++) ((Block *)c)->number[r[i]] = value[i];
  return fmi2OK;
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer value[]) {
  for (size_t i = 0; i < n; i++) ((Block *)c)->number[r[i]] = value[i];
  return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real size, fmi2Boolean no_set_state_before) {
  bool ends;
  int status = step(c, size, &ends);
  return (void)time, (void)no_set_state_before, ends ? fmi2Discard : (fmi2Status)status;
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value) {
  *value = kind == fmi2Terminated && fault_of(c) == ENDS;
  return fmi2OK;
}
fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
  if (!*state) *state = malloc(sizeof(Block)); // otherwise one that it gave before, to be used again
  return memcpy(*state, c, sizeof(Block)), fmi2OK;
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) { return set_back(c, state), fmi2OK; }
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) { return (void)c, free(*state), fmi2OK; }
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
  return (void)c, (void)state, *size = NUMBERS * sizeof(double), fmi2OK;
}
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  return (void)c, memcpy(bytes, state, size), fmi2OK;
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state) {
  if (size != NUMBERS * sizeof(double)) return fmi2Error;
  return (void)c, *state = calloc(1, sizeof(Block)), memcpy(*state, bytes, size), fmi2OK;
}
#else
static int say(Block *b, int status, const char *text) {
  fmi3LogMessageCallback log;
  char all[200];
  memcpy(&log, &b->logger, sizeof log);
  snprintf(all, sizeof all, "%s at %g s", text, b->number[TIME]);
  log(b->environment, (fmi3Status)status, "logStatusError", all);
  return status;
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean log, fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference intermediate[], size_t intermediates,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback message,
                                         fmi3IntermediateUpdateCallback update) {
  void *logger;
  memcpy(&logger, &message, sizeof logger);
  if (strcmp(token, "{block}") || resources[0] != '/' || event_mode || early_return) return NULL;
  return (void)name, (void)visible, (void)log, (void)intermediate, (void)intermediates, (void)update,
         create(environment, logger);
}
void fmi3FreeInstance(fmi3Instance c) { free(c); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop) {
  ((Block *)c)->number[TIME] = start;
  return (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop, fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { return (void)c, fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance c) { return (void)c, fmi3OK; }
fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 value[], size_t values) {
  for (size_t i = 0; i < n && i < values; i++) value[i] = read(c, r[i]);
  return fmi3OK;
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Float64 value[],
                          size_t values) {
  for (size_t i = 0; i < n && i < values; i++) ((Block *)c)->number[r[i]] = value[i];
  return fmi3OK;
}
fmi3Status fmi3SetInt32(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Int32 value[],
                        size_t values) {
  for (size_t i = 0; i < n && i < values; i++) ((Block *)c)->number[r[i]] = value[i];
  return fmi3OK;
}
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 time, fmi3Float64 size, fmi3Boolean no_set_state_before,
                      fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early_return,
                      fmi3Float64 *last_time) {
  (void)no_set_state_before, *event_needed = *early_return = false, *last_time = time + size;
  return (fmi3Status)step(c, size, terminate);
}
fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state) {
  if (!*state) *state = malloc(sizeof(Block)); // otherwise one that it gave before, to be used again
  return memcpy(*state, c, sizeof(Block)), fmi3OK;
}
fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) { return set_back(c, state), fmi3OK; }
fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state) { return (void)c, free(*state), fmi3OK; }
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t *size) {
  return (void)c, (void)state, *size = NUMBERS * sizeof(double), fmi3OK;
}
fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  return (void)c, memcpy(bytes, state, size), fmi3OK;
}
fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state) {
  if (size != NUMBERS * sizeof(double)) return fmi3Error;
  return (void)c, *state = calloc(1, sizeof(Block)), memcpy(*state, bytes, size), fmi3OK;
}
#endif
