// SPDX-License-Identifier: Apache-2.0
// A dead force on a node: amplitude(t) times direction, in ground axes.
#include "mechanics/load.h"

static Reason prepare(const void *params, Load *out) {
  const LimberForce *p = params;
  out->id = p->node.index, out->force = vec3_of(p->direction), out->amplitude = p->amplitude.index;
  return no_reason();
}

static const Field fields[] = {
    {"node", FIELD_NODE, 1, offsetof(LimberForce, node), "", true, LIMBER_NONE, "node on which it acts", NULL},
    {"direction", FIELD_REALS, 3, offsetof(LimberForce, direction), "N", true, 0, "in ground axes, times the amplitude",
     &field_direction},
    {"amplitude", FIELD_FUNCTION, 1, offsetof(LimberForce, amplitude), "", false, LIMBER_NONE,
     "function of time; default: 1", NULL},
};

static const LimberForce example = {{1}, {1, -2, 3}, {LIMBER_NONE}};

const LoadKind load_force = {
    .name = "force",
    .help = "A force that keeps its direction.",
    .fields = FIELDS(fields, LimberForce),
    .target = LOAD_NODE,
    .prepare = prepare,
    .example_nodes = "F",
    .example = &example,
};
