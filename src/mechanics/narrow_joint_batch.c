// SPDX-License-Identifier: Apache-2.0
// The code of joint_batch.c with vectors of half the width, for batches that are at most half full.
#define NARROW_BATCH
#include "mechanics/joint_batch.c"
