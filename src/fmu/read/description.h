// SPDX-License-Identifier: Apache-2.0
// What an FMU says of itself: modelDescription.xml of versions 2.0 and 3.0, as far as a program that imports it needs it.
#ifndef LIMBER_FMU_READ_DESCRIPTION_H
#define LIMBER_FMU_READ_DESCRIPTION_H

#include "model/refusal.h"
#include "model/store.h"

#include <stdint.h>

enum { FMU_BASES = 8 }; // m kg s A K mol cd rad

typedef struct { // a value v in this unit is factor v + offset in SI units
  const char *name;
  double power[FMU_BASES], factor, offset;
  bool known; // it is given in SI units
} FmuUnit;

typedef enum { // all but the last four are numbers
  FMU_FLOAT64, // Real
  FMU_FLOAT32,
  FMU_INT8,
  FMU_UINT8,
  FMU_INT16,
  FMU_UINT16,
  FMU_INT32, // Integer, and Enumeration of version 2.0
  FMU_UINT32,
  FMU_INT64, // Enumeration of version 3.0
  FMU_UINT64,
  FMU_BOOLEAN,
  FMU_STRING,
  FMU_BINARY,
  FMU_CLOCK,
  FMU_NO_TYPE,
} FmuType;

typedef enum { FMU_LOCAL, FMU_INPUT, FMU_OUTPUT, FMU_PARAMETER, FMU_CALCULATED, FMU_INDEPENDENT } FmuCausality;

typedef struct {
  const char *name;
  uint32_t reference;
  FmuType type;
  FmuCausality causality;
  const char *declared, *unit_name; // as written, or NULL
  const FmuUnit *unit;              // or NULL
  double start;                     // NaN: none, or no number
  bool constant;                    // cannot be set
  bool exact;                       // its start value can be set
  bool array;
  bool direct;  // of an output: it may depend on inputs of the same instant
  bool sampled; // it changes at events alone
} FmuVariable;

typedef struct {
  const char *identifier; // NULL: the FMU is not made for it
  bool can_save, can_serialize, variable_step, needs_tool;
  bool announces_steps; // of model exchange: it wants to know of each step of the solver
} FmuInterface;

typedef struct {
  int version;       // 2 or 3
  const char *token; // guid, or instantiationToken
  const char *name;
  FmuInterface step, exchange;           // for co-simulation, for model exchange
  int states, indicators;                // of version 2.0: continuous states, event indicators
  double start, stop, tolerance, length; // of its default experiment: times, relative tolerance, step; NaN: not given
  FmuVariable *variable;
  int variables, room;
  FmuUnit *unit;
  int units, unit_room;
} FmuDescription;

// `wrong`: "", or why it cannot be used.
Error FmuDescriptionRead(Store *s, const char *text, size_t length, FmuDescription *out, Refusal *wrong);
// The same from the archive. `length`: bytes of its modelDescription.xml.
Error FmuDescriptionUnpack(Store *s, const void *bytes, size_t size, FmuDescription *out, size_t *length,
                           Refusal *wrong);
const FmuVariable *fmu_variable(const FmuDescription *d, const char *name); // or NULL
const char *fmu_type_name(FmuType t);

// The interface that a user asks for.
typedef enum { FMU_ANY_INTERFACE, FMU_CO_SIMULATION, FMU_MODEL_EXCHANGE } FmuInterfaceWord;

// What a model uses of an FMU.
typedef struct {
  const FmuVariable *variable;
  double factor, offset; // from the FMU's unit to SI units
  double value;          // of a parameter, in the FMU's unit
} FmuChannel;

typedef struct {
  const char *file; // as messages name it
  const void *bytes;
  size_t size;
  const FmuDescription *description;
  const FmuInterface *interface; // one of the description
  double tolerance;              // of model exchange; 0: that of the description, or 1e-6
  int inputs, outputs, parameters;
  FmuChannel *input, *output, *parameter;
} FmuUse;

#endif
