// SPDX-License-Identifier: Apache-2.0
// The FMU of a control block: what its file says of it, and the variables that the model uses.
#ifndef LIMBER_INPUT_YAML_FMU_H
#define LIMBER_INPUT_YAML_FMU_H

#include "fmu/read/description.h"
#include "input/yaml/tree.h"
#include "model/network.h"

typedef struct Reader Reader;

// Reads `inputs`, `outputs` and `parameters` of the block `map`, whose structure is `params`; gives `use` its inputs
// and the FMU, and `formula` what its inputs are. Its library is not loaded.
Error ReadFmu(Reader *r, const BlockKind *kind, const Tree *map, const void *params, BlockUse *use,
              const Tree **formula, bool *good);
// Compares the units of its variables with those of columns and probes that are one of them, where both are known.
Error CheckFmuUnits(Reader *r, const NetworkBlock *b, const Tree *const *formula);

// Of an FMU that is a participant of a system: its file; a variable by its name; a map of variables to numbers.
Error ReadFmuFile(Reader *r, const Tree *file, FmuUse **out, bool *good);
Error FindFmuVariable(Reader *r, const FmuUse *u, const Tree *word, bool input, const FmuVariable **out, bool *good);
Error ReadFmuNumbers(Reader *r, const Tree *map, bool inputs, FmuUse *u, FmuChannel **out, int *count, bool *good);

#endif
