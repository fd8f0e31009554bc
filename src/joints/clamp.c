// SPDX-License-Identifier: Apache-2.0
// A frame stays where it is: a weld to the ground.
#include "joints/pair.h"

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  (void)params;
  if (n->kind[0] == NODE_POINT) return reason(REASON_VALUE, "node", weld_needs_frames);
  return weld_prepare(n, n->nnode - 1, 0, out);
}

static const Field fields[] = {
    {"node", FIELD_NODE, 1, offsetof(LimberClamp, node), "", true, LIMBER_NONE, "frame to fix", NULL},
};

static const LimberClamp example = {{1}};

const JointKind joint_clamp = {
    .name = "clamp",
    .help = "Fixes a frame to the ground.",
    .fields = FIELDS(fields, LimberClamp),
    .prepare = prepare,
    .row_names = weld_row_names,
    .row_units = weld_row_units,
    .mark = MARK_CLAMP,
    .example_nodes = "F",
    .example = &example,
};
