// SPDX-License-Identifier: Apache-2.0
// Inside of the library a node, element, joint ... is an int, its index in the model; LIMBER_NONE: none. The public
// interface has a type for each (limber/ids.h). Public functions and the builders that kinds use take its index.
#ifndef LIMBER_BASE_ID_H
#define LIMBER_BASE_ID_H

#include "limber/ids.h"

// The node that never moves.
enum { GROUND = 0 };

#endif
