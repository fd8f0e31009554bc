// SPDX-License-Identifier: Apache-2.0
// Batches of frames of which at most half is filled.
#define NARROW_BATCH
#include "mechanics/frame_batch.c"
