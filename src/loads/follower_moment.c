// SPDX-License-Identifier: Apache-2.0
// A moment that turns with its node: amplitude(t) times direction, in the axes of the node.
#include "mechanics/load.h"

static Reason prepare(const void *params, Load *out) {
  const LimberFollower *p = params;
  out->id = p->node.index, out->moment = vec3_of(p->direction), out->amplitude = p->amplitude.index;
  out->follower = true;
  return no_reason();
}

static const Field fields[] = {
    {"node", FIELD_NODE, 1, offsetof(LimberFollower, node), "", true, LIMBER_NONE, "frame on which it acts", NULL},
    {"direction", FIELD_REALS, 3, offsetof(LimberFollower, direction), "N m", true, 0,
     "in the axes of the node, times the amplitude", NULL},
    {"amplitude", FIELD_FUNCTION, 1, offsetof(LimberFollower, amplitude), "", false, LIMBER_NONE,
     "function of time; default: 1", NULL},
};

static const LimberFollower example = {{1}, {1, -2, 3}, {LIMBER_NONE}};

const LoadKind load_follower_moment = {
    .name = "follower_moment",
    .help = "A moment that turns with its node.",
    .fields = FIELDS(fields, LimberFollower),
    .target = LOAD_NODE,
    .prepare = prepare,
    .example_nodes = "F",
    .example = &example,
};
