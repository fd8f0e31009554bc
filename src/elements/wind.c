// SPDX-License-Identifier: Apache-2.0
// Wind that several strips share: uniform, or growing with the height, times a function of time. It acts on nothing by
// itself.
#include "mechanics/element.h"
#include "mechanics/wind.h"

static Reason build(const void *params, ElementBuilder *b) {
  const LimberWind *p = params;
  Vec3 up = vec3_of(p->up);
  if (!(p->height > 0)) return reason(REASON_VALUE, "height", "the `height` of the given wind must be positive");
  if (p->shear < 0) return reason(REASON_VALUE, "shear", "the exponent `shear` must not be negative");
  Wind *w = b->keep(b, sizeof *w);
  if (!w) return no_reason();
  *w = (Wind){.velocity = vec3_of(p->velocity),
              .up = vec3_norm(up) > 0 ? vec3_unit(up) : vec3(0, 0, 1),
              .reference = p->height,
              .exponent = p->shear};
  b->add_wind(b, w);
  return no_reason();
}

static const Field fields[] = {
    {"velocity", FIELD_REALS, 3, offsetof(LimberWind, velocity), "m s-1", true, 0,
     "velocity of the air, in ground axes", &field_direction},
    {"amplitude", FIELD_FUNCTION, 1, offsetof(LimberWind, amplitude), "", false, LIMBER_NONE,
     "factor of the wind, a function of time such as a gust; default: 1", NULL},
    {"shear", FIELD_REAL, 1, offsetof(LimberWind, shear), "", false, 0,
     "exponent of the growth of the wind with height; 0: uniform", NULL},
    {"height", FIELD_REAL, 1, offsetof(LimberWind, height), "m", false, 1,
     "height above the origin, along `up`, at which the wind is `velocity`", NULL},
    {"up", FIELD_REALS, 3, offsetof(LimberWind, up), "", false, 0, "direction upwards, in ground axes; 0: the z axis",
     &field_direction},
};

static const LimberWind example = {.velocity = {8, 1, 0}, .amplitude = {LIMBER_NONE}, .shear = 0.2, .height = 90};

const ElementKind element_wind = {
    .name = "wind",
    .help = "Wind that several strips share: uniform, growing with height, times a function of time.",
    .fields = FIELDS(fields, LimberWind),
    .build = build,
    .around = true,
    .points = element_no_points,
    .example = {.nodes = "", .item = &example},
};
