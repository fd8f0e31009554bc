/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The Functional Mock-up Interface, versions 2.0 and 3.0: types and functions with the names that the standard gives
 * them. Each version is a list of its functions. An FMU declares them (FMI_PROTOTYPE), and a program that loads one
 * makes a structure of pointers and the names to look for from the same list:
 *
 *     #define MEMBER(result, name, arguments) result (*name) arguments;
 *     struct functions { FMI3_FUNCTIONS(MEMBER) };
 *     #define NAME(result, name, arguments) #name,
 *     static const char *const names[] = {FMI3_FUNCTIONS(NAME)}; */
#ifndef FMU_STANDARD_H
#define FMU_STANDARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What both versions share. ----------------------------------------------------------------------------------------*/

/** A declaration of a function in a list. */
#define FMI_PROTOTYPE(result, name, arguments) result name arguments;

/* Version 2.0. -----------------------------------------------------------------------------------------------------*/

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef const char *fmi2String;
typedef char fmi2Byte;

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment, fmi2String instance, fmi2Status, fmi2String category,
                                   fmi2String message, ...);
typedef void *(*fmi2CallbackAllocateMemory)(size_t count, size_t size);
typedef void (*fmi2CallbackFreeMemory)(void *);
typedef void (*fmi2StepFinished)(fmi2ComponentEnvironment, fmi2Status);

/** What an importer offers to an FMU. */
typedef struct {
  fmi2CallbackLogger logger;
  fmi2CallbackAllocateMemory allocateMemory;
  fmi2CallbackFreeMemory freeMemory;
  fmi2StepFinished stepFinished;
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

/** What fmi2NewDiscreteStates answers. */
typedef struct {
  fmi2Boolean newDiscreteStatesNeeded;
  fmi2Boolean terminateSimulation;
  fmi2Boolean nominalsOfContinuousStatesChanged;
  fmi2Boolean valuesOfContinuousStatesChanged;
  fmi2Boolean nextEventTimeDefined;
  fmi2Real nextEventTime;
} fmi2EventInfo;

/* clang-format off */
/** The 44 functions of version 2.0. X(result, name, (arguments)). */
#define FMI2_FUNCTIONS(X)                                                                                              \
  X(const char *, fmi2GetTypesPlatform, (void))                                                                        \
  X(const char *, fmi2GetVersion, (void))                                                                              \
  X(fmi2Status, fmi2SetDebugLogging, (fmi2Component c, fmi2Boolean on, size_t count, const fmi2String category[]))     \
  X(fmi2Component, fmi2Instantiate,                                                                                    \
    (fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources, const fmi2CallbackFunctions *callbacks,    \
     fmi2Boolean visible, fmi2Boolean log))                                                                            \
  X(void, fmi2FreeInstance, (fmi2Component c))                                                                         \
  X(fmi2Status, fmi2SetupExperiment,                                                                                   \
    (fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop,             \
     fmi2Real stop))                                                                                                   \
  X(fmi2Status, fmi2EnterInitializationMode, (fmi2Component c))                                                        \
  X(fmi2Status, fmi2ExitInitializationMode, (fmi2Component c))                                                         \
  X(fmi2Status, fmi2Terminate, (fmi2Component c))                                                                      \
  X(fmi2Status, fmi2Reset, (fmi2Component c))                                                                          \
  X(fmi2Status, fmi2GetReal, (fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real value[]))              \
  X(fmi2Status, fmi2GetInteger, (fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Integer value[]))        \
  X(fmi2Status, fmi2GetBoolean, (fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Boolean value[]))        \
  X(fmi2Status, fmi2GetString, (fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2String value[]))          \
  X(fmi2Status, fmi2SetReal, (fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real value[]))        \
  X(fmi2Status, fmi2SetInteger, (fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer value[]))  \
  X(fmi2Status, fmi2SetBoolean, (fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Boolean value[]))  \
  X(fmi2Status, fmi2SetString, (fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2String value[]))    \
  X(fmi2Status, fmi2GetFMUstate, (fmi2Component c, fmi2FMUstate *state))                                               \
  X(fmi2Status, fmi2SetFMUstate, (fmi2Component c, fmi2FMUstate state))                                                \
  X(fmi2Status, fmi2FreeFMUstate, (fmi2Component c, fmi2FMUstate *state))                                              \
  X(fmi2Status, fmi2SerializedFMUstateSize, (fmi2Component c, fmi2FMUstate state, size_t *size))                       \
  X(fmi2Status, fmi2SerializeFMUstate, (fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size))           \
  X(fmi2Status, fmi2DeSerializeFMUstate, (fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state))  \
  X(fmi2Status, fmi2GetDirectionalDerivative,                                                                          \
    (fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns, const fmi2ValueReference known[],           \
     size_t knowns, const fmi2Real seed[], fmi2Real sensitivity[]))                                                    \
  X(fmi2Status, fmi2EnterEventMode, (fmi2Component c))                                                                 \
  X(fmi2Status, fmi2NewDiscreteStates, (fmi2Component c, fmi2EventInfo *info))                                         \
  X(fmi2Status, fmi2EnterContinuousTimeMode, (fmi2Component c))                                                        \
  X(fmi2Status, fmi2CompletedIntegratorStep,                                                                           \
    (fmi2Component c, fmi2Boolean no_set_state_before, fmi2Boolean *enter_event_mode, fmi2Boolean *terminate))         \
  X(fmi2Status, fmi2SetTime, (fmi2Component c, fmi2Real time))                                                         \
  X(fmi2Status, fmi2SetContinuousStates, (fmi2Component c, const fmi2Real x[], size_t n))                              \
  X(fmi2Status, fmi2GetDerivatives, (fmi2Component c, fmi2Real derivative[], size_t n))                                \
  X(fmi2Status, fmi2GetEventIndicators, (fmi2Component c, fmi2Real indicator[], size_t n))                             \
  X(fmi2Status, fmi2GetContinuousStates, (fmi2Component c, fmi2Real x[], size_t n))                                    \
  X(fmi2Status, fmi2GetNominalsOfContinuousStates, (fmi2Component c, fmi2Real nominal[], size_t n))                    \
  X(fmi2Status, fmi2SetRealInputDerivatives,                                                                           \
    (fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer order[], const fmi2Real value[]))      \
  X(fmi2Status, fmi2GetRealOutputDerivatives,                                                                          \
    (fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer order[], fmi2Real value[]))            \
  X(fmi2Status, fmi2DoStep, (fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean no_set_state_before))          \
  X(fmi2Status, fmi2CancelStep, (fmi2Component c))                                                                     \
  X(fmi2Status, fmi2GetStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Status *value))                        \
  X(fmi2Status, fmi2GetRealStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Real *value))                      \
  X(fmi2Status, fmi2GetIntegerStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value))                \
  X(fmi2Status, fmi2GetBooleanStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value))                \
  X(fmi2Status, fmi2GetStringStatus, (fmi2Component c, const fmi2StatusKind kind, fmi2String *value))
/* clang-format on */

/* Version 3.0. -----------------------------------------------------------------------------------------------------*/

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef const char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent } fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64 time, fmi3Boolean set_requested,
                                               fmi3Boolean get_allowed, fmi3Boolean step_finished,
                                               fmi3Boolean can_return_early, fmi3Boolean *return_early,
                                               fmi3Float64 *return_time);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

/* clang-format off */
/** Reading and setting of the numbers of one type. */
#define FMI3_VALUES(X, type)                                                                                           \
  X(fmi3Status, fmi3Get##type,                                                                                         \
    (fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3##type value[], size_t values))                       \
  X(fmi3Status, fmi3Set##type,                                                                                         \
    (fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3##type value[], size_t values))

/** The 75 functions of version 3.0. X(result, name, (arguments)). */
#define FMI3_FUNCTIONS(X)                                                                                              \
  X(const char *, fmi3GetVersion, (void))                                                                              \
  X(fmi3Status, fmi3SetDebugLogging, (fmi3Instance c, fmi3Boolean on, size_t count, const fmi3String category[]))      \
  X(fmi3Instance, fmi3InstantiateModelExchange,                                                                        \
    (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean log,                    \
     fmi3InstanceEnvironment environment, fmi3LogMessageCallback message))                                             \
  X(fmi3Instance, fmi3InstantiateCoSimulation,                                                                         \
    (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean log,                    \
     fmi3Boolean event_mode, fmi3Boolean early_return, const fmi3ValueReference intermediate[],                        \
     size_t intermediates, fmi3InstanceEnvironment environment, fmi3LogMessageCallback message,                        \
     fmi3IntermediateUpdateCallback update))                                                                           \
  X(fmi3Instance, fmi3InstantiateScheduledExecution,                                                                   \
    (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean log,                    \
     fmi3InstanceEnvironment environment, fmi3LogMessageCallback message, fmi3ClockUpdateCallback clock,               \
     fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock))                                            \
  X(void, fmi3FreeInstance, (fmi3Instance c))                                                                          \
  X(fmi3Status, fmi3EnterInitializationMode,                                                                           \
    (fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean has_stop,        \
     fmi3Float64 stop))                                                                                                \
  X(fmi3Status, fmi3ExitInitializationMode, (fmi3Instance c))                                                          \
  X(fmi3Status, fmi3EnterEventMode, (fmi3Instance c))                                                                  \
  X(fmi3Status, fmi3Terminate, (fmi3Instance c))                                                                       \
  X(fmi3Status, fmi3Reset, (fmi3Instance c))                                                                           \
  FMI3_VALUES(X, Float32)                                                                                              \
  FMI3_VALUES(X, Float64)                                                                                              \
  FMI3_VALUES(X, Int8)                                                                                                 \
  FMI3_VALUES(X, UInt8)                                                                                                \
  FMI3_VALUES(X, Int16)                                                                                                \
  FMI3_VALUES(X, UInt16)                                                                                               \
  FMI3_VALUES(X, Int32)                                                                                                \
  FMI3_VALUES(X, UInt32)                                                                                               \
  FMI3_VALUES(X, Int64)                                                                                                \
  FMI3_VALUES(X, UInt64)                                                                                               \
  FMI3_VALUES(X, Boolean)                                                                                              \
  FMI3_VALUES(X, String)                                                                                               \
  X(fmi3Status, fmi3GetBinary,                                                                                         \
    (fmi3Instance c, const fmi3ValueReference r[], size_t n, size_t size[], fmi3Binary value[], size_t values))        \
  X(fmi3Status, fmi3SetBinary,                                                                                         \
    (fmi3Instance c, const fmi3ValueReference r[], size_t n, const size_t size[], const fmi3Binary value[],            \
     size_t values))                                                                                                   \
  X(fmi3Status, fmi3GetClock, (fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Clock value[]))             \
  X(fmi3Status, fmi3SetClock, (fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Clock value[]))       \
  X(fmi3Status, fmi3GetNumberOfVariableDependencies, (fmi3Instance c, fmi3ValueReference r, size_t *count))            \
  X(fmi3Status, fmi3GetVariableDependencies,                                                                           \
    (fmi3Instance c, fmi3ValueReference dependent, size_t element_of_dependent[], fmi3ValueReference independent[],    \
     size_t element_of_independent[], fmi3DependencyKind kind[], size_t count))                                        \
  X(fmi3Status, fmi3GetFMUState, (fmi3Instance c, fmi3FMUState *state))                                                \
  X(fmi3Status, fmi3SetFMUState, (fmi3Instance c, fmi3FMUState state))                                                 \
  X(fmi3Status, fmi3FreeFMUState, (fmi3Instance c, fmi3FMUState *state))                                               \
  X(fmi3Status, fmi3SerializedFMUStateSize, (fmi3Instance c, fmi3FMUState state, size_t *size))                        \
  X(fmi3Status, fmi3SerializeFMUState, (fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size))            \
  X(fmi3Status, fmi3DeserializeFMUState, (fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state))   \
  X(fmi3Status, fmi3GetDirectionalDerivative,                                                                          \
    (fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns, const fmi3ValueReference known[],            \
     size_t knowns, const fmi3Float64 seed[], size_t seeds, fmi3Float64 sensitivity[], size_t sensitivities))          \
  X(fmi3Status, fmi3GetAdjointDerivative,                                                                              \
    (fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns, const fmi3ValueReference known[],            \
     size_t knowns, const fmi3Float64 seed[], size_t seeds, fmi3Float64 sensitivity[], size_t sensitivities))          \
  X(fmi3Status, fmi3EnterConfigurationMode, (fmi3Instance c))                                                          \
  X(fmi3Status, fmi3ExitConfigurationMode, (fmi3Instance c))                                                           \
  X(fmi3Status, fmi3GetIntervalDecimal,                                                                                \
    (fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 interval[],                                   \
     fmi3IntervalQualifier qualifier[]))                                                                               \
  X(fmi3Status, fmi3GetIntervalFraction,                                                                               \
    (fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3UInt64 counter[], fmi3UInt64 resolution[],            \
     fmi3IntervalQualifier qualifier[]))                                                                               \
  X(fmi3Status, fmi3GetShiftDecimal, (fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 shift[]))    \
  X(fmi3Status, fmi3GetShiftFraction,                                                                                  \
    (fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3UInt64 counter[], fmi3UInt64 resolution[]))           \
  X(fmi3Status, fmi3SetIntervalDecimal,                                                                                \
    (fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Float64 interval[]))                            \
  X(fmi3Status, fmi3SetIntervalFraction,                                                                               \
    (fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3UInt64 counter[],                               \
     const fmi3UInt64 resolution[]))                                                                                   \
  X(fmi3Status, fmi3SetShiftDecimal,                                                                                   \
    (fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Float64 shift[]))                               \
  X(fmi3Status, fmi3SetShiftFraction,                                                                                  \
    (fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3UInt64 counter[],                               \
     const fmi3UInt64 resolution[]))                                                                                   \
  X(fmi3Status, fmi3EvaluateDiscreteStates, (fmi3Instance c))                                                          \
  X(fmi3Status, fmi3UpdateDiscreteStates,                                                                              \
    (fmi3Instance c, fmi3Boolean *need_update, fmi3Boolean *terminate, fmi3Boolean *nominals_changed,                  \
     fmi3Boolean *values_changed, fmi3Boolean *has_next_event, fmi3Float64 *next_event))                               \
  X(fmi3Status, fmi3EnterContinuousTimeMode, (fmi3Instance c))                                                         \
  X(fmi3Status, fmi3CompletedIntegratorStep,                                                                           \
    (fmi3Instance c, fmi3Boolean no_set_state_before, fmi3Boolean *enter_event_mode, fmi3Boolean *terminate))          \
  X(fmi3Status, fmi3SetTime, (fmi3Instance c, fmi3Float64 time))                                                       \
  X(fmi3Status, fmi3SetContinuousStates, (fmi3Instance c, const fmi3Float64 x[], size_t n))                            \
  X(fmi3Status, fmi3GetContinuousStateDerivatives, (fmi3Instance c, fmi3Float64 derivative[], size_t n))               \
  X(fmi3Status, fmi3GetEventIndicators, (fmi3Instance c, fmi3Float64 indicator[], size_t n))                           \
  X(fmi3Status, fmi3GetContinuousStates, (fmi3Instance c, fmi3Float64 x[], size_t n))                                  \
  X(fmi3Status, fmi3GetNominalsOfContinuousStates, (fmi3Instance c, fmi3Float64 nominal[], size_t n))                  \
  X(fmi3Status, fmi3GetNumberOfEventIndicators, (fmi3Instance c, size_t *count))                                       \
  X(fmi3Status, fmi3GetNumberOfContinuousStates, (fmi3Instance c, size_t *count))                                      \
  X(fmi3Status, fmi3EnterStepMode, (fmi3Instance c))                                                                   \
  X(fmi3Status, fmi3GetOutputDerivatives,                                                                              \
    (fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Int32 order[], fmi3Float64 value[],             \
     size_t values))                                                                                                   \
  X(fmi3Status, fmi3DoStep,                                                                                            \
    (fmi3Instance c, fmi3Float64 time, fmi3Float64 step, fmi3Boolean no_set_state_before, fmi3Boolean *event_needed,   \
     fmi3Boolean *terminate, fmi3Boolean *early_return, fmi3Float64 *last_time))                                       \
  X(fmi3Status, fmi3ActivateModelPartition, (fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time))
/* clang-format on */

#endif
