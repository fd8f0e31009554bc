// SPDX-License-Identifier: Apache-2.0
// System Structure and Parameterization (SSP) 1.0: SystemStructure.ssd of an archive, and parameter sets (.ssv) that it
// names, as far as `limber couple` can run them: components that are FMUs, connections between them, and parameters.
#ifndef LIMBER_FMU_READ_SSP_H
#define LIMBER_FMU_READ_SSP_H

#include "fmu/read/description.h"
#include "fmu/read/unzip.h"

typedef struct {
  const char *name, *source; // source: of its FMU in the archive
  const char **output;       // connectors that are outputs
  int outputs, output_room;
} SspComponent;

typedef struct { // from an output to an input
  int from, to;  // components
  const char *output, *input;
} SspConnection;

typedef struct {
  int component;
  bool of_system;          // from a binding of the system, which comes before that of the component
  const char *name, *unit; // unit: as written, or NULL
  double value;
} SspParameter;

typedef struct {
  const char *name; // of the system, or ""
  SspComponent *component;
  SspConnection *connection;
  SspParameter *parameter;
  FmuUnit *unit;
  int components, connections, parameters, units;
  double end;  // s; 0: none is given
  int ignored; // connections to connectors of the system itself
} SspSystem;

// `wrong`: "", or why it cannot be used. Memory belongs to the store.
Error SspRead(Store *s, const Zip *z, SspSystem *out, Refusal *wrong);
// The last one that is defined in SI units, or NULL.
const FmuUnit *ssp_unit(const SspSystem *s, const char *name);

#endif
