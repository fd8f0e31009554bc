// SPDX-License-Identifier: Apache-2.0
#include "base/functions/function.h"

#define FUNCTION(name, Name) &function_##name,
const FunctionKind *const function_kinds[] = {
#include "base/functions/functions.def"
    NULL};
#undef FUNCTION
