// SPDX-License-Identifier: Apache-2.0
// The code of frame_batch.c with vectors of half the width, for batches that are at most half full.
#define NARROW_BATCH
#include "mechanics/frame_batch.c"
