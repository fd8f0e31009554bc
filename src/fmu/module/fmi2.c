// SPDX-License-Identifier: Apache-2.0
// Version 2.0 of the standard. What no file defines is refused (base.c).
#include "fmu/module/instance.h"

#include <math.h>
#include <stdio.h>

#define EXPORTED(result, name, arguments) __attribute__((visibility("default"))) FMI_PROTOTYPE(result, name, arguments)
FMI2_FUNCTIONS(EXPORTED)

static void tell(const void *of, Status status, const char *category, const char *message) {
  const Host *host = of;
  ((fmi2CallbackLogger)(intptr_t)host->logger)(host->environment, host->name, (fmi2Status)status, category, "%s",
                                               message);
}

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean log) {
  bool has_logger = callbacks && callbacks->logger;
  Host host = {.say = has_logger ? tell : NULL,
               .environment = callbacks ? callbacks->componentEnvironment : NULL,
               .logger = has_logger ? (void *)(intptr_t)callbacks->logger : NULL,
               .log = log,
               .exchange = type == fmi2ModelExchange};
  snprintf(host.name, sizeof host.name, "%s", name ? name : "");
  if (!host.exchange || !*instance_no_exchange) return instance_create(&host, guid, resources);
  if (host.say) tell(&host, STATUS_ERROR, "logStatusError", instance_no_exchange);
  return NULL;
}

void fmi2FreeInstance(fmi2Component c) { instance_destroy(c); }

#define GIVEN(c) \
  if (!(c)) return fmi2Error

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String category[]) {
  GIVEN(c);
  instance_host(c)->log = on;
  return fmi2OK;
}

// Tolerance and end are the model's own.
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean has_stop, fmi2Real stop) {
  GIVEN(c);
  if (!isfinite(start)) return (fmi2Status)instance_refuse(c, "the start at %g s is no time", start);
  Status status = instance_check_start(c, start);
  if (!status) instance_host(c)->start = start;
  return (fmi2Status)status;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  GIVEN(c);
  return (fmi2Status)instance_begin(c, instance_host(c)->start);
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  GIVEN(c);
  return (fmi2Status)instance_ready(c);
}

fmi2Status fmi2Terminate(fmi2Component c) {
  GIVEN(c);
  return (fmi2Status)instance_end(c);
}

fmi2Status fmi2Reset(fmi2Component c) {
  GIVEN(c);
  return (fmi2Status)instance_reset(c);
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real value[]) {
  GIVEN(c);
  return (fmi2Status)instance_get(c, r, n, value);
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real value[]) {
  GIVEN(c);
  return (fmi2Status)instance_set(c, r, n, value);
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
  GIVEN(c);
  return (fmi2Status)instance_save(c, (SavedState **)state);
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  GIVEN(c);
  return state ? (fmi2Status)instance_restore(c, state) : (fmi2Status)instance_refuse(c, "there is no state");
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
  if (state) saved_free((SavedState **)state);
  return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
  GIVEN(c);
  return (fmi2Status)saved_size(c, state, size);
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  GIVEN(c);
  return (fmi2Status)saved_write(c, state, bytes, size);
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state) {
  GIVEN(c);
  return (fmi2Status)saved_read(c, bytes, size, (SavedState **)state);
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                       const fmi2Integer order[], const fmi2Real value[]) {
  GIVEN(c);
  return (fmi2Status)instance_set_slope(c, r, n, order, value);
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean no_set_state_before) {
  Reached reached;
  GIVEN(c);
  return (fmi2Status)instance_step(c, time, step, false, NULL, NULL, &reached);
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value) {
  GIVEN(c);
  if (kind != fmi2DoStepStatus) return fmi2Discard;
  *value = instance_failed(c) ? fmi2Error : fmi2OK;
  return fmi2OK;
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value) {
  GIVEN(c);
  if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
  *value = instance_time(c);
  return fmi2OK;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value) {
  GIVEN(c);
  if (kind != fmi2Terminated) return fmi2Discard;
  *value = 0;
  return fmi2OK;
}
