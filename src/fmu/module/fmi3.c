// SPDX-License-Identifier: Apache-2.0
// Version 3.0 of the standard. What no file defines is refused (base.c).
#include "fmu/module/instance.h"

#include <stdio.h>

#define EXPORTED(result, name, arguments) __attribute__((visibility("default"))) FMI_PROTOTYPE(result, name, arguments)
FMI3_FUNCTIONS(EXPORTED)

static void tell(const void *of, Status status, const char *category, const char *message) {
  const Host *host = of;
  ((fmi3LogMessageCallback)(intptr_t)host->logger)(host->environment, (fmi3Status)status, category, message);
}

const char *fmi3GetVersion(void) { return "3.0"; }

static Host make_host(fmi3String name, bool log, fmi3InstanceEnvironment environment, fmi3LogMessageCallback message) {
  Host host = {
      .say = message ? tell : NULL, .environment = environment, .logger = (void *)(intptr_t)message, .log = log};
  snprintf(host.name, sizeof host.name, "%s", name ? name : "");
  return host;
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean log, fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference intermediate[], size_t intermediates,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback message,
                                         fmi3IntermediateUpdateCallback update) {
  if (event_mode || intermediates) {
    if (message)
      message(environment, fmi3Error, "logStatusError",
              "this FMU has no event mode, and none of its inputs can be set within a step");
    return NULL;
  }
  Host host = make_host(name, log, environment, message);
  host.update = update, host.early_return = early_return;
  return instance_create(&host, token, resources);
}

static fmi3Instance refuse_kind(fmi3InstanceEnvironment environment, fmi3LogMessageCallback message, const char *why) {
  if (message) message(environment, fmi3Error, "logStatusError", why);
  return NULL;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                          fmi3Boolean log, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback message) {
  if (*instance_no_exchange) return refuse_kind(environment, message, instance_no_exchange);
  Host host = make_host(name, log, environment, message);
  host.exchange = true;
  return instance_create(&host, token, resources);
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                               fmi3Boolean visible, fmi3Boolean log,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback message,
                                               fmi3ClockUpdateCallback clock, fmi3LockPreemptionCallback lock,
                                               fmi3UnlockPreemptionCallback unlock) {
  return refuse_kind(environment, message, "this FMU has no clocks");
}

void fmi3FreeInstance(fmi3Instance c) { instance_destroy(c); }

#define GIVEN(c) \
  if (!(c)) return fmi3Error

fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t count, const fmi3String category[]) {
  GIVEN(c);
  instance_host(c)->log = on;
  return fmi3OK;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop) {
  GIVEN(c);
  return (fmi3Status)instance_begin(c, start);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
  GIVEN(c);
  return (fmi3Status)instance_ready(c);
}

fmi3Status fmi3Terminate(fmi3Instance c) {
  GIVEN(c);
  return (fmi3Status)instance_end(c);
}

fmi3Status fmi3Reset(fmi3Instance c) {
  GIVEN(c);
  return (fmi3Status)instance_reset(c);
}

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 value[], size_t values) {
  GIVEN(c);
  if (values != n) return (fmi3Status)instance_refuse(c, "%zu variables have %zu values, not %zu", n, n, values);
  return (fmi3Status)instance_get(c, r, n, value);
}

fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Float64 value[],
                          size_t values) {
  GIVEN(c);
  if (values != n) return (fmi3Status)instance_refuse(c, "%zu variables have %zu values, not %zu", n, n, values);
  return (fmi3Status)instance_set(c, r, n, value);
}

fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state) {
  GIVEN(c);
  return (fmi3Status)instance_save(c, (SavedState **)state);
}

fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
  GIVEN(c);
  return state ? (fmi3Status)instance_restore(c, state) : (fmi3Status)instance_refuse(c, "there is no state");
}

fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state) {
  if (state) saved_free((SavedState **)state);
  return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t *size) {
  GIVEN(c);
  return (fmi3Status)saved_size(c, state, size);
}

fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  GIVEN(c);
  return (fmi3Status)saved_write(c, state, bytes, size);
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state) {
  GIVEN(c);
  return (fmi3Status)saved_read(c, bytes, size, (SavedState **)state);
}

// ---- steps ----

// Outputs can be read in the callback; the time that a host asks for is that of the step, or later.
static bool after_step(void *data, double time) {
  const Host *host = instance_host(data);
  fmi3Boolean early = false;
  fmi3Float64 at = time;
  host->update(host->environment, time, false, true, true, host->early_return, &early, &at);
  return early && host->early_return && at <= time;
}

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 time, fmi3Float64 step, fmi3Boolean no_set_state_before,
                      fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early_return,
                      fmi3Float64 *last_time) {
  Reached reached;
  GIVEN(c);
  const Host *host = instance_host(c);
  if (event_needed) *event_needed = false;
  if (terminate) *terminate = false;
  Status status = instance_step(c, time, step, host->early_return, host->update ? after_step : NULL, c, &reached);
  if (early_return) *early_return = reached.early;
  if (last_time) *last_time = reached.reached;
  return (fmi3Status)status;
}
