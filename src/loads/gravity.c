// SPDX-License-Identifier: Apache-2.0
// An acceleration of all masses, or of those of some elements; where its amplitude is constant it has a potential, -sum g.(m r + s_j d_j).
#include "mechanics/load.h"

static Reason prepare(const void *params, Load *out) {
  const LimberGravity *p = params;
  out->acceleration = vec3_of(p->acceleration), out->amplitude = p->amplitude.index;
  out->components = p->elements, out->ncomponents = p->count;
  return no_reason();
}

static const Field fields[] = {
    {"acceleration", FIELD_REALS, 3, offsetof(LimberGravity, acceleration), "m s-2", true, 0, "in ground axes",
     &field_direction},
    {"elements", FIELD_ELEMENTS, 1, offsetof(LimberGravity, elements), "", false, 0,
     "elements on which it acts; default: all", NULL},
    {"amplitude", FIELD_FUNCTION, 1, offsetof(LimberGravity, amplitude), "", false, LIMBER_NONE,
     "function of time; default: 1", NULL},
};

static const LimberGravity example = {{0, 0, -9.81}, {LIMBER_NONE}, NULL, 0};

const LoadKind load_gravity = {
    .name = "gravity",
    .help = "Gravity: the same acceleration on every mass.",
    .fields = FIELDS(fields, LimberGravity),
    .target = LOAD_FIELD,
    .prepare = prepare,
    .example_nodes = "",
    .example = &example,
};
