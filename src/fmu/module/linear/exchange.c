// SPDX-License-Identifier: Apache-2.0
// Functions of both versions for model exchange, and derivatives, which are the entries of A, B, C and D.
#include "fmu/module/linear/linear.h"

#include <math.h>
#include <string.h>

#define EXPORTED(result, name, arguments) __attribute__((visibility("default"))) FMI_PROTOTYPE(result, name, arguments)
FMI2_FUNCTIONS(EXPORTED)
FMI3_FUNCTIONS(EXPORTED)

// ---- modes ----

static Status check_exchange(Instance *c, bool continuous) {
  if (!c) return STATUS_ERROR;
  if (!c->base.host.exchange) return instance_refuse(c, "this instance is for co-simulation");
  if (c->base.phase != STEPPING) return instance_refuse(c, "this comes after the initialisation");
  if (c->continuous != continuous)
    return instance_refuse(c, continuous ? "this needs the continuous-time mode" : "this needs the event mode");
  return STATUS_OK;
}

static Status change_mode(Instance *c, bool continuous) {
  Status status = check_exchange(c, !continuous);
  if (!status) c->continuous = continuous;
  return status;
}

static Status set_time(Instance *c, double time) {
  Status status = check_exchange(c, true);
  if (!status && !isfinite(time)) status = instance_refuse(c, "%g s is no time", time);
  if (!status) c->base.time = time;
  return status;
}

// ---- states ----

static Status check_count(Instance *c, size_t given, size_t count) {
  if (!c) return STATUS_ERROR;
  if (!c->base.host.exchange) return instance_refuse(c, "this instance is for co-simulation");
  if (c->base.phase == MADE) return instance_refuse(c, "states have values from the initialisation on");
  return given == count ? STATUS_OK : instance_refuse(c, "there are %zu of these, not %zu", count, given);
}

static Status get_states(Instance *c, double *x, size_t count) {
  Status status = check_count(c, count, c ? c->n : 0);
  if (!status && count) memcpy(x, c->x, count * sizeof *x);
  return status;
}

static Status set_states(Instance *c, const double *x, size_t count) {
  Status status = check_exchange(c, true);
  if (!status) status = check_count(c, count, c->n);
  for (size_t i = 0; !status && i < count; i++)
    if (!isfinite(x[i])) status = instance_refuse(c, "state %zu is set to %g, which is no number", i, x[i]);
  if (!status && count) memcpy(c->x, x, count * sizeof *x);
  return status;
}

static Status get_rates(Instance *c, double *rate, size_t count) {
  Status status = check_count(c, count, c ? c->n : 0);
  if (!status) linear_rates(c, rate);
  return status;
}

static Status get_nominals(Instance *c, double *nominal, size_t count) {
  Status status = check_count(c, count, c ? c->n : 0);
  for (size_t i = 0; !status && i < count; i++) nominal[i] = 1;
  return status;
}

// ---- derivatives ----

// The derivative of an output or a rate by a state or an input.
static Status find_derivative(Instance *c, unsigned of, unsigned by, double *value) {
  size_t outputs = first_output(c), states = first_state(c), rates = first_rate(c);
  bool output = of >= outputs && of < states, rate = of >= rates && of < rates + c->n;
  bool input = by >= first_input(c) && by < outputs, state = by >= states && by < rates;
  if (!output && !rate) return instance_refuse(c, "the variable %u is no output and no derivative", of);
  if (!input && !state) return instance_refuse(c, "the variable %u is no input and no state", by);
  size_t row = output ? of - outputs : of - rates, column = input ? by - 1 : by - states;
  const double *matrix = output ? (input ? c->d : c->c) : (input ? c->b : c->a);
  *value = matrix[row * (input ? c->m : c->n) + column];
  return STATUS_OK;
}

// forward: to[unknown] = J seed; else to[known] = J^T seed.
static Status multiply(Instance *c, const unsigned *unknown, size_t unknowns, const unsigned *known, size_t knowns,
                       const double *seed, double *to, bool forward) {
  double value = 0;
  if (!c) return STATUS_ERROR;
  if (c->base.phase == MADE) return instance_refuse(c, "derivatives have values from the initialisation on");
  for (size_t i = 0; i < (forward ? unknowns : knowns); i++) to[i] = 0;
  for (size_t i = 0; i < unknowns; i++)
    for (size_t j = 0; j < knowns; j++) {
      Status status = find_derivative(c, unknown[i], known[j], &value);
      if (status) return status;
      to[forward ? i : j] += value * seed[forward ? j : i];
    }
  return STATUS_OK;
}

// ---- version 2.0 ----

fmi2Status fmi2EnterEventMode(fmi2Component c) { return (fmi2Status)change_mode(c, false); }
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) { return (fmi2Status)change_mode(c, true); }
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) { return (fmi2Status)set_time(c, time); }

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info) {
  Status status = check_exchange(c, false);
  *info = (fmi2EventInfo){0};
  return (fmi2Status)status;
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_set_state_before, fmi2Boolean *enter_event_mode,
                                       fmi2Boolean *terminate) {
  *enter_event_mode = *terminate = 0;
  return (fmi2Status)check_exchange(c, true);
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) {
  return (fmi2Status)set_states(c, x, n);
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) { return (fmi2Status)get_states(c, x, n); }

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivative[], size_t n) {
  return (fmi2Status)get_rates(c, derivative, n);
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominal[], size_t n) {
  return (fmi2Status)get_nominals(c, nominal, n);
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real indicator[], size_t n) {
  return (fmi2Status)check_count(c, n, 0);
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns,
                                        const fmi2ValueReference known[], size_t knowns, const fmi2Real seed[],
                                        fmi2Real sensitivity[]) {
  return (fmi2Status)multiply(c, unknown, unknowns, known, knowns, seed, sensitivity, true);
}

// ---- version 3.0 ----

fmi3Status fmi3EnterEventMode(fmi3Instance c) { return (fmi3Status)change_mode(c, false); }
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) { return (fmi3Status)change_mode(c, true); }
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 time) { return (fmi3Status)set_time(c, time); }

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *needed, fmi3Boolean *terminate,
                                    fmi3Boolean *nominals_changed, fmi3Boolean *values_changed,
                                    fmi3Boolean *next_event_defined, fmi3Float64 *next_event) {
  *needed = *terminate = *nominals_changed = *values_changed = *next_event_defined = false;
  *next_event = 0;
  return (fmi3Status)check_exchange(c, false);
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean no_set_state_before, fmi3Boolean *enter_event_mode,
                                       fmi3Boolean *terminate) {
  *enter_event_mode = *terminate = false;
  return (fmi3Status)check_exchange(c, true);
}

fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 x[], size_t n) {
  return (fmi3Status)set_states(c, x, n);
}

fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 x[], size_t n) {
  return (fmi3Status)get_states(c, x, n);
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 derivative[], size_t n) {
  return (fmi3Status)get_rates(c, derivative, n);
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 nominal[], size_t n) {
  return (fmi3Status)get_nominals(c, nominal, n);
}

fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 indicator[], size_t n) {
  return (fmi3Status)check_count(c, n, 0);
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *count) {
  if (!c) return fmi3Error;
  *count = 0;
  return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *count) {
  if (!c) return fmi3Error;
  *count = ((Instance *)c)->n;
  return fmi3OK;
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns,
                                        const fmi3ValueReference known[], size_t knowns, const fmi3Float64 seed[],
                                        size_t seeds, fmi3Float64 sensitivity[], size_t sensitivities) {
  if (seeds != knowns || sensitivities != unknowns)
    return (fmi3Status)instance_refuse(c, "seeds are as many as knowns, sensitivities as many as unknowns");
  return (fmi3Status)multiply(c, unknown, unknowns, known, knowns, seed, sensitivity, true);
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns,
                                    const fmi3ValueReference known[], size_t knowns, const fmi3Float64 seed[],
                                    size_t seeds, fmi3Float64 sensitivity[], size_t sensitivities) {
  if (seeds != unknowns || sensitivities != knowns)
    return (fmi3Status)instance_refuse(c, "seeds are as many as unknowns, sensitivities as many as knowns");
  return (fmi3Status)multiply(c, unknown, unknowns, known, knowns, seed, sensitivity, false);
}
