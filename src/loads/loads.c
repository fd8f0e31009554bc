// SPDX-License-Identifier: Apache-2.0
#include "mechanics/load.h"

#define LOAD(name, Name) extern const LoadKind load_##name;
#include "loads/loads.def"
#undef LOAD

#define LOAD(name, Name) &load_##name,
const LoadKind *const load_kinds[] = {
#include "loads/loads.def"
    NULL};
#undef LOAD
