// SPDX-License-Identifier: Apache-2.0
// Batches of joints of which at most half is filled.
#define NARROW_BATCH
#include "mechanics/joint_batch.c"
