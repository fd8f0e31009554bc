// SPDX-License-Identifier: Apache-2.0
// A dead moment on a frame: amplitude(t) times direction, in ground axes.
#include "mechanics/load.h"

static Reason prepare(const void *params, Load *out) {
  const LimberMoment *p = params;
  out->id = p->node.index, out->moment = vec3_of(p->direction), out->amplitude = p->amplitude.index;
  return no_reason();
}

static const Field fields[] = {
    {"node", FIELD_NODE, 1, offsetof(LimberMoment, node), "", true, LIMBER_NONE, "frame on which it acts", NULL},
    {"direction", FIELD_REALS, 3, offsetof(LimberMoment, direction), "N m", true, 0,
     "in ground axes, times the amplitude", &field_direction},
    {"amplitude", FIELD_FUNCTION, 1, offsetof(LimberMoment, amplitude), "", false, LIMBER_NONE,
     "function of time; default: 1", NULL},
};

static const LimberMoment example = {{1}, {1, -2, 3}, {LIMBER_NONE}};

const LoadKind load_moment = {
    .name = "moment",
    .help = "A moment that keeps its direction.",
    .fields = FIELDS(fields, LimberMoment),
    .target = LOAD_NODE,
    .prepare = prepare,
    .example_nodes = "F",
    .example = &example,
};
