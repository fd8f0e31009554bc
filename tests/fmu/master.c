// SPDX-License-Identifier: Apache-2.0
// A host of FMUs for tests: it loads the library of an FMU that was unpacked, looks for every function of the standard,
// and takes steps. It prints a row of hexadecimal numbers for each communication point, so that bits can be compared.
//
//   master VERSION LIBRARY RESOURCES TOKEN COMMAND ...
//
//   set REFERENCE VALUE     before the initialisation: a parameter or input; after it: an input
//   slope REFERENCE VALUE   version 2: the derivative of an input over the next step
//   start                   the initialisation, and a row
//   step LENGTH COUNT       steps, a row after each
//   exchange                from the next instance on: model exchange; steps are those of the classical Runge-Kutta method
//   locale NAME             from now on, also for the numbers of these words
//   early                   from the next instance on: early return is allowed, and the host asks for it never
//   save, restore           the state in memory
//   write FILE, read FILE   the state as bytes; reading restores it
//   reset, end, again       again: another instance in the same process; the one before is freed
//   outputs FIRST COUNT     value references of a row; comes first
//   wrong                   calls that must be refused, each with a message
//   wrong_linear            the same of a linear model
//   derivatives UNKNOWN COUNT KNOWN COUNT   a row for each unknown: its derivatives by all knowns, as directional and as
//                           adjoint derivatives
#include "fmu/standard.h"

#include <locale.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER(result, name, arguments) result(*name) arguments;
static struct {
  FMI2_FUNCTIONS(MEMBER)
  FMI3_FUNCTIONS(MEMBER)
} fmi;

static int version, messages, updates;
static bool early, quiet, exchange;
static const char *resources, *token;
static void *instance;
static double now;
static unsigned first;
static size_t count;

static void fail(const char *what) {
  fprintf(stderr, "master: %s\n", what);
  exit(1);
}

#define CHECK(call) \
  do { \
    if ((call) != 0) fail(#call); \
  } while (0)

static void tell3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message) {
  messages++;
  if (!quiet) fprintf(stderr, "%s %s %d %s\n", (const char *)environment, category, (int)status, message);
}

static void tell2(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category,
                  fmi2String message, ...) {
  char text[6000];
  va_list list;
  va_start(list, message);
  vsnprintf(text, sizeof text, message, list);
  va_end(list);
  messages++;
  if (!quiet) fprintf(stderr, "%s %s %s %d %s\n", (const char *)environment, name, category, (int)status, text);
}

static void update(fmi3InstanceEnvironment environment, fmi3Float64 time, fmi3Boolean set, fmi3Boolean get,
                   fmi3Boolean finished, fmi3Boolean can, fmi3Boolean *ask, fmi3Float64 *at) {
  (void)environment, (void)can;
  double value;
  unsigned r = first;
  if (set || !get || !finished || !(time > 0)) fail("intermediate update");
  CHECK(fmi.fmi3GetFloat64(instance, &r, 1, &value, 1));
  updates++, *ask = false, *at = time;
}

static void load(const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) fail(dlerror());
#define FIND(result, name, arguments) \
  if (!(fmi.name = (result(*) arguments)(intptr_t)dlsym(handle, #name))) fail("there is no " #name);
  FMI2_FUNCTIONS(FIND)
  FMI3_FUNCTIONS(FIND)
  if (strcmp(fmi.fmi2GetVersion(), "2.0") || strcmp(fmi.fmi3GetVersion(), "3.0")) fail("version");
  if (strcmp(fmi.fmi2GetTypesPlatform(), "default")) fail("platform");
}

static void *create(const char *with) {
  static char environment[] = "host";
  static fmi2CallbackFunctions callbacks = {tell2, calloc, free, NULL, environment};
  if (exchange && version == 3)
    return fmi.fmi3InstantiateModelExchange("one", with, resources, false, true, environment, tell3);
  if (version == 2)
    return fmi.fmi2Instantiate("one", exchange ? fmi2ModelExchange : fmi2CoSimulation, with, resources, &callbacks, 0,
                               1);
  return fmi.fmi3InstantiateCoSimulation("one", with, resources, false, true, false, early, NULL, 0, environment, tell3,
                                         update);
}

static void row(void) {
  double value[2000];
  unsigned reference[2000];
  for (size_t i = 0; i < count; i++) reference[i] = first + (unsigned)i;
  if (version == 2) CHECK(fmi.fmi2GetReal(instance, reference, count, value));
  else CHECK(fmi.fmi3GetFloat64(instance, reference, count, value, count));
  printf("%a", now);
  for (size_t i = 0; i < count; i++) printf(" %a", value[i]);
  putchar('\n');
}

static void start(void) {
  if (version == 2) {
    CHECK(fmi.fmi2SetupExperiment(instance, 0, 0, 0, 0, 0));
    CHECK(fmi.fmi2EnterInitializationMode(instance));
    CHECK(fmi.fmi2ExitInitializationMode(instance));
  } else {
    CHECK(fmi.fmi3EnterInitializationMode(instance, false, 0, 0, false, 0));
    CHECK(fmi.fmi3ExitInitializationMode(instance));
  }
  if (exchange && version == 2) {
    fmi2EventInfo info;
    CHECK(fmi.fmi2NewDiscreteStates(instance, &info));
    if (info.newDiscreteStatesNeeded || info.terminateSimulation || info.nextEventTimeDefined) fail("event");
    CHECK(fmi.fmi2EnterContinuousTimeMode(instance));
  } else if (exchange) {
    bool flag[5];
    double next;
    CHECK(fmi.fmi3UpdateDiscreteStates(instance, &flag[0], &flag[1], &flag[2], &flag[3], &flag[4], &next));
    for (int i = 0; i < 5; i++)
      if (flag[i]) fail("event");
    CHECK(fmi.fmi3EnterContinuousTimeMode(instance));
  }
  row();
}

// ---- model exchange ----

enum { MOST_STATES = 1000 };

static size_t states(void) {
  size_t n = 0;
  while (version == 2 && n < MOST_STATES) { // the description has the number; here it is tried
    double x[MOST_STATES];
    quiet = true;
    int status = (int)fmi.fmi2GetContinuousStates(instance, x, n);
    quiet = false;
    if (!status) return n;
    n++;
  }
  CHECK(fmi.fmi3GetNumberOfContinuousStates(instance, &n));
  return n;
}

static void set_states(double time, const double *x, size_t n) {
  CHECK(version == 2 ? (int)fmi.fmi2SetTime(instance, time) : (int)fmi.fmi3SetTime(instance, time));
  CHECK(version == 2 ? (int)fmi.fmi2SetContinuousStates(instance, x, n)
                     : (int)fmi.fmi3SetContinuousStates(instance, x, n));
}

static void integrate(double length) {
  static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  static double x[MOST_STATES], y[MOST_STATES], rate[MOST_STATES], sum[MOST_STATES];
  size_t n = states();
  CHECK(version == 2 ? (int)fmi.fmi2GetContinuousStates(instance, x, n)
                     : (int)fmi.fmi3GetContinuousStates(instance, x, n));
  for (size_t i = 0; i < n; i++) sum[i] = rate[i] = 0;
  for (int k = 0; k < 4; k++) {
    for (size_t i = 0; i < n; i++) y[i] = x[i] + length * at[k] * rate[i];
    set_states(now + at[k] * length, y, n);
    CHECK(version == 2 ? (int)fmi.fmi2GetDerivatives(instance, rate, n)
                       : (int)fmi.fmi3GetContinuousStateDerivatives(instance, rate, n));
    for (size_t i = 0; i < n; i++) sum[i] += weight[k] * rate[i];
  }
  for (size_t i = 0; i < n; i++) x[i] += length * sum[i];
  now += length;
  set_states(now, x, n);
  int enter = 0, end = 0;
  bool enters, ends;
  if (version == 2) CHECK(fmi.fmi2CompletedIntegratorStep(instance, 1, &enter, &end));
  else CHECK(fmi.fmi3CompletedIntegratorStep(instance, true, &enters, &ends));
  if (version == 2 ? enter || end : enters || ends) fail("an integrator step ends in an event");
}

// Rows of the matrix of derivatives, by one seed at a time, and by adjoint derivatives.
static void derivatives(unsigned unknown, size_t unknowns, unsigned known, size_t knowns) {
  static double forward[MOST_STATES], back[MOST_STATES];
  for (size_t i = 0; i < unknowns; i++) {
    double one = 1, v;
    unsigned u = unknown + (unsigned)i, all[MOST_STATES];
    for (size_t j = 0; j < knowns; j++) {
      unsigned k = all[j] = known + (unsigned)j;
      if (version == 2) CHECK(fmi.fmi2GetDirectionalDerivative(instance, &u, 1, &k, 1, &one, &v));
      else CHECK(fmi.fmi3GetDirectionalDerivative(instance, &u, 1, &k, 1, &one, 1, &v, 1));
      forward[j] = v;
    }
    if (version == 3) CHECK(fmi.fmi3GetAdjointDerivative(instance, &u, 1, all, knowns, &one, 1, back, knowns));
    for (size_t j = 0; j < knowns; j++) {
      if (version == 3 && back[j] != forward[j]) fail("an adjoint derivative");
      printf("%a%c", forward[j], j + 1 < knowns ? ' ' : '\n');
    }
  }
}

static void step(double length) {
  if (exchange) {
    integrate(length);
    return;
  }
  if (version == 2) {
    fmi2Status status;
    fmi2Boolean terminated;
    double reached;
    CHECK(fmi.fmi2DoStep(instance, now, length, 1));
    CHECK(fmi.fmi2GetStatus(instance, fmi2DoStepStatus, &status));
    CHECK(fmi.fmi2GetRealStatus(instance, fmi2LastSuccessfulTime, &reached));
    CHECK(fmi.fmi2GetBooleanStatus(instance, fmi2Terminated, &terminated));
    if (status || terminated || reached != now + length) fail("status of a step");
    now += length;
    return;
  }
  bool event, terminate, stopped;
  double reached;
  CHECK(fmi.fmi3DoStep(instance, now, length, true, &event, &terminate, &stopped, &reached));
  if (event || terminate || (stopped && !early)) fail("a step ends in an event");
  if (stopped ? !(reached > now && reached < now + length) : reached != now + length) fail("the time of a step");
  if (stopped) printf("early\n");
  now = reached;
}

static void steps(double length, long number) {
  for (long i = 0; i < number; i++) step(length), row();
}

static void write_state(const char *path) {
  void *state = NULL;
  size_t size;
  double time = now;
  FILE *f = fopen(path, "wb");
  if (!f) fail("cannot write");
  CHECK(version == 2 ? (int)fmi.fmi2GetFMUstate(instance, &state) : (int)fmi.fmi3GetFMUState(instance, &state));
  CHECK(version == 2 ? (int)fmi.fmi2SerializedFMUstateSize(instance, state, &size)
                     : (int)fmi.fmi3SerializedFMUStateSize(instance, state, &size));
  void *bytes = malloc(size);
  CHECK(version == 2 ? (int)fmi.fmi2SerializeFMUstate(instance, state, bytes, size)
                     : (int)fmi.fmi3SerializeFMUState(instance, state, bytes, size));
  if (fwrite(&time, 1, sizeof time, f) != sizeof time || fwrite(bytes, 1, size, f) != size || fclose(f)) fail("write");
  free(bytes);
  CHECK(version == 2 ? (int)fmi.fmi2FreeFMUstate(instance, &state) : (int)fmi.fmi3FreeFMUState(instance, &state));
  if (state) fail("a state that was freed");
}

// Also with bytes that are damaged, which must be refused.
static void read_state(const char *path) {
  static char bytes[1 << 24];
  void *state = NULL;
  FILE *f = fopen(path, "rb");
  if (!f || fread(&now, 1, sizeof now, f) != sizeof now) fail("cannot read");
  size_t size = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  quiet = true;
  for (size_t cut = 0; cut < size; cut += 1 + size / 50) {
    int status = version == 2 ? (int)fmi.fmi2DeSerializeFMUstate(instance, bytes, cut, &state)
                              : (int)fmi.fmi3DeserializeFMUState(instance, (fmi3Byte *)bytes, cut, &state);
    if (!status || state) fail("a state that is cut");
  }
  for (size_t at = 0; at < size; at += at < 128 ? 1 : 1 + size / 50) {
    bytes[at] ^= 0x55;
    int status = version == 2 ? (int)fmi.fmi2DeSerializeFMUstate(instance, bytes, size, &state)
                              : (int)fmi.fmi3DeserializeFMUState(instance, (fmi3Byte *)bytes, size, &state);
    if (!status || state) fail("a state with a wrong byte");
    bytes[at] ^= 0x55;
  }
  quiet = false;
  CHECK(version == 2 ? (int)fmi.fmi2DeSerializeFMUstate(instance, bytes, size, &state)
                     : (int)fmi.fmi3DeserializeFMUState(instance, (fmi3Byte *)bytes, size, &state));
  CHECK(version == 2 ? (int)fmi.fmi2SetFMUstate(instance, state) : (int)fmi.fmi3SetFMUState(instance, state));
  CHECK(version == 2 ? (int)fmi.fmi2FreeFMUstate(instance, &state) : (int)fmi.fmi3FreeFMUState(instance, &state));
  row();
}

#define REFUSES(call) \
  do { \
    int before = messages; \
    if ((call) == 0) fail("accepted: " #call); \
    if (messages == before) fail("no message: " #call); \
  } while (0)
#define NOT_OFFERED(call) \
  do { \
    if ((call) != 3) fail("offered: " #call); \
  } while (0)

// After the initialisation.
static void wrong(void) {
  unsigned none = 1000000, time = 0;
  double value = 1, more[2];
  bool b;
  double t;
  quiet = true;
  if (create("another token")) fail("a wrong token");
  if (version == 2) {
    fmi2Integer order = 2, i;
    REFUSES(fmi.fmi2DoStep(instance, now + 1, 1, 1));
    REFUSES(fmi.fmi2DoStep(instance, now, -1, 1));
    REFUSES(fmi.fmi2EnterInitializationMode(instance));
    REFUSES(fmi.fmi2SetupExperiment(instance, 0, 0, 1, 0, 0));
    REFUSES(fmi.fmi2GetReal(instance, &none, 1, &value));
    REFUSES(fmi.fmi2SetReal(instance, &time, 1, &value));
    REFUSES(fmi.fmi2SetRealInputDerivatives(instance, &none, 1, &order, &value));
    NOT_OFFERED((int)fmi.fmi2GetInteger(instance, &time, 1, &i));
    NOT_OFFERED((int)fmi.fmi2CancelStep(instance));
    NOT_OFFERED((int)fmi.fmi2EnterEventMode(instance));
    NOT_OFFERED((int)fmi.fmi2GetDerivatives(instance, more, 0));
  } else {
    value = 0.0 / 0.0;
    REFUSES(fmi.fmi3DoStep(instance, now + 1, 1, true, &b, &b, &b, &t));
    REFUSES(fmi.fmi3DoStep(instance, now, -1, true, &b, &b, &b, &t));
    REFUSES(fmi.fmi3DoStep(instance, now, value, true, &b, &b, &b, &t));
    REFUSES(fmi.fmi3EnterInitializationMode(instance, false, 0, 0, false, 0));
    REFUSES(fmi.fmi3GetFloat64(instance, &none, 1, &value, 1));
    REFUSES(fmi.fmi3GetFloat64(instance, &time, 1, more, 2));
    REFUSES(fmi.fmi3SetFloat64(instance, &time, 1, more, 1));
    REFUSES(fmi.fmi3SetFMUState(instance, NULL));
    REFUSES(fmi.fmi3InstantiateModelExchange("a", token, resources, false, true, NULL, tell3) == NULL);
    REFUSES(fmi.fmi3InstantiateScheduledExecution("a", token, resources, false, true, NULL, tell3, NULL, NULL, NULL) ==
            NULL);
    NOT_OFFERED((int)fmi.fmi3EnterEventMode(instance));
    NOT_OFFERED((int)fmi.fmi3GetDirectionalDerivative(instance, NULL, 0, NULL, 0, NULL, 0, NULL, 0));
    NOT_OFFERED((int)fmi.fmi3ActivateModelPartition(instance, 0, 0));
    NOT_OFFERED((int)fmi.fmi3DoStep(NULL, 0, 1, true, &b, &b, &b, &t));
  }
  quiet = false;
}

// Of a linear model, after the initialisation.
static void wrong_linear(void) {
  unsigned none = 1000000, time = 0, input = 1;
  double value = 1, more[2] = {0, 0};
  fmi2EventInfo info;
  bool b;
  double t;
  quiet = true;
  if (create("another token")) fail("a wrong token");
  if (version == 2) {
    int enter, end;
    REFUSES(fmi.fmi2GetReal(instance, &none, 1, &value));
    REFUSES(fmi.fmi2SetReal(instance, &time, 1, &value));
    REFUSES(fmi.fmi2GetDirectionalDerivative(instance, &input, 1, &input, 1, &value, more));
    REFUSES(fmi.fmi2EnterInitializationMode(instance));
    if (exchange) {
      REFUSES(fmi.fmi2DoStep(instance, now, 1, 1));
      REFUSES(fmi.fmi2NewDiscreteStates(instance, &info));
      REFUSES(fmi.fmi2EnterContinuousTimeMode(instance));
      REFUSES(fmi.fmi2SetContinuousStates(instance, more, 1000));
    } else {
      REFUSES(fmi.fmi2DoStep(instance, now + 1, 1, 1));
      REFUSES(fmi.fmi2DoStep(instance, now, -1, 1));
      REFUSES(fmi.fmi2DoStep(instance, now, 1e30, 1));
      REFUSES(fmi.fmi2CompletedIntegratorStep(instance, 1, &enter, &end));
      REFUSES(fmi.fmi2SetTime(instance, 1));
    }
    NOT_OFFERED((int)fmi.fmi2CancelStep(instance));
  } else {
    REFUSES(fmi.fmi3GetFloat64(instance, &none, 1, &value, 1));
    REFUSES(fmi.fmi3SetFloat64(instance, &time, 1, &value, 1));
    REFUSES(fmi.fmi3GetDirectionalDerivative(instance, &input, 1, &input, 1, &value, 1, more, 1));
    REFUSES(fmi.fmi3GetAdjointDerivative(instance, &input, 1, &input, 1, &value, 2, more, 1));
    REFUSES(fmi.fmi3EnterInitializationMode(instance, false, 0, 0, false, 0));
    value = 0.0 / 0.0;
    REFUSES(fmi.fmi3SetFloat64(instance, &input, 1, &value, 1));
    if (exchange) {
      REFUSES(fmi.fmi3DoStep(instance, now, 1, true, &b, &b, &b, &t));
      REFUSES(fmi.fmi3UpdateDiscreteStates(instance, &b, &b, &b, &b, &b, &t));
      REFUSES(fmi.fmi3EnterContinuousTimeMode(instance));
      REFUSES(fmi.fmi3SetContinuousStates(instance, more, 1000));
      REFUSES(fmi.fmi3SetTime(instance, value));
    } else {
      REFUSES(fmi.fmi3DoStep(instance, now + 1, 1, true, &b, &b, &b, &t));
      REFUSES(fmi.fmi3DoStep(instance, now, -1, true, &b, &b, &b, &t));
      REFUSES(fmi.fmi3DoStep(instance, now, 1e30, true, &b, &b, &b, &t));
      REFUSES(fmi.fmi3GetContinuousStates(instance, more, 2));
      REFUSES(fmi.fmi3EnterEventMode(instance));
    }
    NOT_OFFERED((int)fmi.fmi3ActivateModelPartition(instance, 0, 0));
    NOT_OFFERED((int)fmi.fmi3SetTime(NULL, 0));
  }
  quiet = false;
}

int main(int argc, char **argv) {
  void *state = NULL;
  double saved = 0;
  if (argc < 5) fail("usage");
  version = atoi(argv[1]), resources = argv[3], token = argv[4];
  load(argv[2]);
  for (int i = 5; i < argc; i++) {
    const char *word = argv[i];
    if (!strcmp(word, "locale")) {
      if (!setlocale(LC_ALL, argv[++i])) fail("no such locale");
      continue;
    }
    if (!instance && strcmp(word, "outputs") && strcmp(word, "early") && strcmp(word, "exchange")) {
      instance = create(token), now = 0;
      if (!instance) fail("no instance");
    }
    if (!strcmp(word, "outputs")) first = (unsigned)atoi(argv[i + 1]), count = (size_t)atoi(argv[i + 2]), i += 2;
    else if (!strcmp(word, "early")) early = true;
    else if (!strcmp(word, "exchange")) exchange = true;
    else if (!strcmp(word, "wrong_linear")) wrong_linear();
    else if (!strcmp(word, "derivatives")) {
      derivatives((unsigned)atoi(argv[i + 1]), (size_t)atoi(argv[i + 2]), (unsigned)atoi(argv[i + 3]),
                  (size_t)atoi(argv[i + 4]));
      i += 4;
    } else if (!strcmp(word, "set") || !strcmp(word, "slope")) {
      unsigned r = (unsigned)atoi(argv[i + 1]);
      double value = strtod(argv[i + 2], NULL);
      int one = 1;
      if (!strcmp(word, "slope")) CHECK(fmi.fmi2SetRealInputDerivatives(instance, &r, 1, &one, &value));
      else if (version == 2) CHECK(fmi.fmi2SetReal(instance, &r, 1, &value));
      else CHECK(fmi.fmi3SetFloat64(instance, &r, 1, &value, 1));
      i += 2;
    } else if (!strcmp(word, "start")) start();
    else if (!strcmp(word, "step")) steps(strtod(argv[i + 1], NULL), atol(argv[i + 2])), i += 2;
    else if (!strcmp(word, "save")) {
      CHECK(version == 2 ? (int)fmi.fmi2GetFMUstate(instance, &state) : (int)fmi.fmi3GetFMUState(instance, &state));
      saved = now;
    } else if (!strcmp(word, "restore")) {
      CHECK(version == 2 ? (int)fmi.fmi2SetFMUstate(instance, state) : (int)fmi.fmi3SetFMUState(instance, state));
      now = saved;
    } else if (!strcmp(word, "write")) write_state(argv[++i]);
    else if (!strcmp(word, "read")) read_state(argv[++i]);
    else if (!strcmp(word, "wrong")) wrong();
    else if (!strcmp(word, "reset")) {
      CHECK(version == 2 ? (int)fmi.fmi2Reset(instance) : (int)fmi.fmi3Reset(instance));
      now = 0;
    } else if (!strcmp(word, "end"))
      CHECK(version == 2 ? (int)fmi.fmi2Terminate(instance) : (int)fmi.fmi3Terminate(instance));
    else if (!strcmp(word, "again")) {
      if (version == 2) fmi.fmi2FreeInstance(instance);
      else fmi.fmi3FreeInstance(instance);
      instance = NULL;
    } else fail(word);
  }
  if (state)
    CHECK(version == 2 ? (int)fmi.fmi2FreeFMUstate(instance, &state) : (int)fmi.fmi3FreeFMUState(instance, &state));
  if (instance && version == 2) fmi.fmi2FreeInstance(instance);
  else if (instance) fmi.fmi3FreeInstance(instance);
  fprintf(stderr, "%d updates\n", updates);
  return 0;
}
