/* SPDX-License-Identifier: Apache-2.0 */
/* A small FMU for model exchange, of version FMI (2 or 3), with systems that are side by side: a first-order lag of the
 * input u, T l' = u - l; an oscillator x'' = -k x, which a spring c ties to a point that moves with the velocity `flow`,
 * on which it has the force `effort`; a ball that falls with 9.81 m/s2 and bounces with the factor 0.8 (state event); a
 * relay of l that is on above 0.6 and off below 0.4 (state event); a counter of tenths of a second (time event); and the
 * number n, an input that changes at events alone, with its square. `fault` is what it does wrong from t = 0.1 s on. */
#include "fmu/standard.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Value references. */
enum { TIME, U, L, X, V, H, W, RELAY, COUNT, T, K, FAULT, N, SQUARE, SLIDE, FLOW, EFFORT, C, S, NUMBERS };
enum { STATES = 7, INDICATORS = 3 };
enum { NONE, NOT_FINITE, WARNING, DISCARD, ERROR, FATAL, ENDS, SLIDES, UNSETTLED, SHORT, BAD_OUTPUT };
static const int states[STATES] = {L, X, V, H, W, SLIDE, S};

typedef struct {
  double number[NUMBERS], next, completed; /* the state; the next event of time; the last step of the solver */
  int up, direction, mode;                 /* the relay; the sliding motion; in event mode */
  void *environment, *logger;
} Model;
#define STATE_SIZE offsetof(Model, environment)

static int fault_of(const Model *m) { return m->number[TIME] > 0.0999 ? (int)m->number[FAULT] : NONE; }
static int say(Model *m, int status, const char *text);

static int derivatives(Model *m, double *d) {
  const double *n = m->number;
  d[0] = (n[U] - n[L]) / n[T];
  d[1] = n[V], d[2] = -n[K] * n[X] - n[C] * (n[X] - n[S]);
  d[3] = n[W], d[4] = -9.81;
  d[5] = fault_of(m) == SLIDES ? m->direction : 0;
  d[6] = n[FLOW];
  switch (fault_of(m)) {
  case NOT_FINITE: d[2] = NAN; return 0;
  case WARNING: return say(m, 1, "the oil is warm");
  case DISCARD: return say(m, 2, "there is no solution");
  case ERROR: return say(m, 3, "the valve is stuck");
  case FATAL: return say(m, 4, "the pump has burst");
  case SHORT: return n[TIME] > m->completed + 1.0001e-3 ? say(m, 2, "too far") : 0;
  default: return 0;
  }
}

static void indicators(const Model *m, double *z) {
  const double *n = m->number;
  z[0] = n[H], z[1] = m->up ? n[L] - 0.4 : n[L] - 0.6, z[2] = n[SLIDE];
}

/* True: once more. */
static bool update(Model *m, bool *ends) {
  double *n = m->number;
  if (n[H] <= 0 && n[W] < 0) n[H] = 0, n[W] *= -0.8;
  if (m->up ? n[L] <= 0.4 : n[L] > 0.6) m->up = !m->up;
  m->direction = n[SLIDE] > 0 ? -1 : 1;
  n[RELAY] = m->up;
  if (n[TIME] >= m->next) n[COUNT]++, m->next = 0.1 * (n[COUNT] + 1);
  n[SQUARE] = n[N] * n[N];
  *ends = fault_of(m) == ENDS;
  return fault_of(m) == UNSETTLED;
}

static double read(const Model *m, unsigned r) {
  if (r == EFFORT) return m->number[C] * (m->number[X] - m->number[S]);
  return r == X && fault_of(m) == BAD_OUTPUT ? NAN : r < NUMBERS ? m->number[r] : NAN;
}

static Model *create(void *environment, void *logger) {
  Model *m = calloc(1, sizeof *m);
  m->environment = environment, m->logger = logger, m->mode = 1;
  m->number[T] = 0.1, m->number[K] = 900, m->number[X] = 1, m->number[H] = 1, m->next = 0.1, m->direction = 1;
  return m;
}

/* Discrete numbers may be set at events alone. */
static int set(Model *m, unsigned r, double value) {
  if (r == N && !m->mode) return say(m, 3, "n is set outside of an event");
  return m->number[r] = value, 0;
}

#if FMI == 2
typedef fmi2Component Instance;
typedef fmi2Boolean Flag;
static int say(Model *m, int status, const char *text) {
  fmi2CallbackLogger log;
  memcpy(&log, &m->logger, sizeof log);
  log(m->environment, "model", (fmi2Status)status, "logStatusError", "%s at %g s", text, m->number[TIME]);
  return status;
}
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean log) {
  void *logger;
  memcpy(&logger, &callbacks->logger, sizeof logger);
  if (strcmp(guid, "{model}") || type != fmi2ModelExchange) return NULL;
  return (void)name, (void)visible, (void)log, (void)resources, create(callbacks->componentEnvironment, logger);
}
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean has_stop, fmi2Real stop) {
  ((Model *)c)->number[TIME] = start;
  return (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop, fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return (void)c, fmi2OK; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real value[]) {
  for (size_t i = 0; i < n; i++) value[i] = read(c, r[i]);
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real value[]) {
  int status = 0;
  for (size_t i = 0; i < n && !status; i++) status = set(c, r[i], value[i]);
  return (fmi2Status)status;
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Integer value[]) {
  for (size_t i = 0; i < n; i++) value[i] = (int)read(c, r[i]);
  return fmi2OK;
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer value[]) {
  int status = 0;
  for (size_t i = 0; i < n && !status; i++) status = set(c, r[i], value[i]);
  return (fmi2Status)status;
}
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *e) {
  bool ends;
  *e = (fmi2EventInfo){.valuesOfContinuousStatesChanged = 1, .nextEventTimeDefined = 1};
  e->newDiscreteStatesNeeded = update(c, &ends), e->terminateSimulation = ends;
  e->nextEventTime = ((Model *)c)->next;
  return fmi2OK;
}
#define GET_STATES  fmi2GetContinuousStates
#define DERIVATIVES fmi2GetDerivatives
#define STATUS      fmi2Status
#define NAME(x)     fmi2##x
#define GET_STATE   fmi2GetFMUstate
#define SET_STATE   fmi2SetFMUstate
#define FREE_STATE  fmi2FreeFMUstate
#define SIZE_STATE  fmi2SerializedFMUstateSize
#define WRITE_STATE fmi2SerializeFMUstate
#define READ_STATE  fmi2DeSerializeFMUstate
typedef fmi2Byte Byte;
#else
typedef fmi3Instance Instance;
typedef bool Flag;
static int say(Model *m, int status, const char *text) {
  fmi3LogMessageCallback log;
  char all[200];
  memcpy(&log, &m->logger, sizeof log);
  snprintf(all, sizeof all, "%s at %g s", text, m->number[TIME]);
  log(m->environment, (fmi3Status)status, "logStatusError", all);
  return status;
}
fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                          fmi3Boolean log, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback message) {
  void *logger;
  memcpy(&logger, &message, sizeof logger);
  if (strcmp(token, "{model}")) return NULL;
  return (void)name, (void)visible, (void)log, (void)resources, create(environment, logger);
}
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop) {
  ((Model *)c)->number[TIME] = start;
  return (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop, fmi3OK;
}
fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 value[], size_t values) {
  for (size_t i = 0; i < n && i < values; i++) value[i] = read(c, r[i]);
  return fmi3OK;
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Float64 value[],
                          size_t values) {
  int status = 0;
  for (size_t i = 0; i < n && i < values && !status; i++) status = set(c, r[i], value[i]);
  return (fmi3Status)status;
}
fmi3Status fmi3GetInt32(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Int32 value[], size_t values) {
  for (size_t i = 0; i < n && i < values; i++) value[i] = (int)read(c, r[i]);
  return fmi3OK;
}
fmi3Status fmi3SetInt32(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Int32 value[],
                        size_t values) {
  int status = 0;
  for (size_t i = 0; i < n && i < values && !status; i++) status = set(c, r[i], value[i]);
  return (fmi3Status)status;
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *n) { return (void)c, *n = STATES, fmi3OK; }
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *n) { return (void)c, *n = INDICATORS, fmi3OK; }
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *again, fmi3Boolean *ends, fmi3Boolean *nominals,
                                    fmi3Boolean *values, fmi3Boolean *timed, fmi3Float64 *next) {
  *nominals = false, *values = *timed = true;
  *again = update(c, ends), *next = ((Model *)c)->next;
  return fmi3OK;
}
#define GET_STATES  fmi3GetContinuousStates
#define DERIVATIVES fmi3GetContinuousStateDerivatives
#define STATUS      fmi3Status
#define NAME(x)     fmi3##x
#define GET_STATE   fmi3GetFMUState
#define SET_STATE   fmi3SetFMUState
#define FREE_STATE  fmi3FreeFMUState
#define SIZE_STATE  fmi3SerializedFMUStateSize
#define WRITE_STATE fmi3SerializeFMUState
#define READ_STATE  fmi3DeserializeFMUState
typedef fmi3Byte Byte;
#endif

/* What both versions share. */
void NAME(FreeInstance)(Instance c) { free(c); }
STATUS NAME(ExitInitializationMode)(Instance c) { return (void)c, (STATUS)0; }
STATUS NAME(Terminate)(Instance c) { return (void)c, (STATUS)0; }
STATUS NAME(EnterEventMode)(Instance c) { return ((Model *)c)->mode = 1, (STATUS)0; }
STATUS NAME(EnterContinuousTimeMode)(Instance c) {
  return ((Model *)c)->mode = 0, ((Model *)c)->completed = ((Model *)c)->number[TIME], (STATUS)0;
}
STATUS NAME(CompletedIntegratorStep)(Instance c, Flag no_set, Flag *enter, Flag *ends) {
  ((Model *)c)->completed = ((Model *)c)->number[TIME];
  return (void)no_set, *enter = *ends = 0, (STATUS)0;
}
STATUS NAME(SetTime)(Instance c, double time) { return ((Model *)c)->number[TIME] = time, (STATUS)0; }
STATUS NAME(SetContinuousStates)(Instance c, const double x[], size_t n) {
  for (size_t i = 0; i < n; i++) ((Model *)c)->number[states[i]] = x[i];
  return (STATUS)0;
}
STATUS GET_STATES(Instance c, double x[], size_t n) {
  for (size_t i = 0; i < n; i++) x[i] = ((Model *)c)->number[states[i]];
  return (STATUS)0;
}
STATUS NAME(GetNominalsOfContinuousStates)(Instance c, double x[], size_t n) {
  for (size_t i = 0; i < n; i++) x[i] = 1;
  return (void)c, (STATUS)0;
}
STATUS DERIVATIVES(Instance c, double d[], size_t n) { return (void)n, (STATUS)derivatives(c, d); }
STATUS NAME(GetEventIndicators)(Instance c, double z[], size_t n) { return (void)n, indicators(c, z), (STATUS)0; }
STATUS GET_STATE(Instance c, void **state) {
  if (!*state) *state = malloc(sizeof(Model));
  return memcpy(*state, c, sizeof(Model)), (STATUS)0;
}
STATUS SET_STATE(Instance c, void *state) { return memcpy(c, state, STATE_SIZE), (STATUS)0; }
STATUS FREE_STATE(Instance c, void **state) { return (void)c, free(*state), (STATUS)0; }
STATUS SIZE_STATE(Instance c, void *state, size_t *size) { return (void)c, (void)state, *size = STATE_SIZE, (STATUS)0; }
STATUS WRITE_STATE(Instance c, void *state, Byte bytes[], size_t size) {
  return (void)c, memcpy(bytes, state, size), (STATUS)0;
}
STATUS READ_STATE(Instance c, const Byte bytes[], size_t size, void **state) {
  if (size != STATE_SIZE) return (STATUS)3;
  return (void)c, *state = calloc(1, sizeof(Model)), memcpy(*state, bytes, size), (STATUS)0;
}
