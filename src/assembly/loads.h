// SPDX-License-Identifier: Apache-2.0
// Loads on each local node, element and joint, and fields.
#ifndef LIMBER_ASSEMBLY_LOADS_H
#define LIMBER_ASSEMBLY_LOADS_H

#include "assembly/motion.h"

// Loads on each local node, element and joint, and fields
PetscErrorCode LayoutCreateLoads(Layout *layout);
PetscErrorCode LayoutDestroyLoads(Layout *layout);

#endif
