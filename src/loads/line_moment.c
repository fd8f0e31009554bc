// SPDX-License-Identifier: Apache-2.0
// A moment per length along a beam or bar, at its integration points: on node a falls the integral of N_a q over the
// unloaded length, N_a the shape function of the node.
#include "mechanics/load.h"

static Reason prepare(const void *params, Load *out) {
  const LimberLineLoad *p = params;
  out->id = p->element.index, out->moment = vec3_of(p->direction), out->amplitude = p->amplitude.index;
  out->follower = p->axes == LIMBER_AXES_SECTION;
  return no_reason();
}

static const Field fields[] = {
    {"element", FIELD_ELEMENT, 1, offsetof(LimberLineLoad, element), "", true, LIMBER_NONE, "beam along which it acts",
     NULL},
    {"direction", FIELD_REALS, 3, offsetof(LimberLineLoad, direction), "N m/m", true, 0,
     "per unloaded length, times the amplitude", &field_load_direction},
    {"axes", FIELD_WORD, 1, offsetof(LimberLineLoad, axes), "", false, 0,
     "axes of the components: ground, or section, which turn with it", &load_axes},
    {"amplitude", FIELD_FUNCTION, 1, offsetof(LimberLineLoad, amplitude), "", false, LIMBER_NONE,
     "function of time; default: 1", NULL},
};

static const LimberLineLoad example = {{0}, {1, -2, 3}, LIMBER_AXES_SECTION, {LIMBER_NONE}};

const LoadKind load_line_moment = {
    .name = "line_moment",
    .help = "A moment per length along a beam.",
    .fields = FIELDS(fields, LimberLineLoad),
    .target = LOAD_ELEMENT,
    .prepare = prepare,
    .example_nodes = "",
    .example = &example,
};
