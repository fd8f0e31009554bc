// SPDX-License-Identifier: Apache-2.0
#ifndef LIMBER_JOINTS_WELD_H
#define LIMBER_JOINTS_WELD_H

#include "mechanics/joint.h"

// Welds node b of the list to node a; also serves the clamp, which is a weld to the ground.
extern const char weld_needs_frames[];
Reason weld_prepare(const JointNodes *n, int a, int b, Joint *out);
extern const char *const weld_row_names[], *const weld_row_units[];

#endif
