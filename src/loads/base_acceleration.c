// SPDX-License-Identifier: Apache-2.0
// The ground moves with the acceleration amplitude(t) times `acceleration`, and positions are those that an observer on the
// ground sees: every mass feels the opposite acceleration.
#include "mechanics/load.h"

static Reason prepare(const void *params, Load *out) {
  const LimberBaseAcceleration *p = params;
  out->acceleration = vec3_scale(-1, vec3_of(p->acceleration)), out->amplitude = p->amplitude.index;
  return no_reason();
}

static const Field fields[] = {
    {"acceleration", FIELD_REALS, 3, offsetof(LimberBaseAcceleration, acceleration), "m s-2", true, 0,
     "acceleration of the ground, times the amplitude", &field_direction},
    {"amplitude", FIELD_FUNCTION, 1, offsetof(LimberBaseAcceleration, amplitude), "", false, LIMBER_NONE,
     "function of time; default: 1", NULL},
};

static const LimberBaseAcceleration example = {{1, -2, 3}, {LIMBER_NONE}};

const LoadKind load_base_acceleration = {
    .name = "base_acceleration",
    .help = "Acceleration of the ground; positions are relative to the ground.",
    .fields = FIELDS(fields, LimberBaseAcceleration),
    .target = LOAD_FIELD,
    .prepare = prepare,
    .example_nodes = "",
    .example = &example,
};
