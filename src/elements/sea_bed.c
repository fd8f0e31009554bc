// SPDX-License-Identifier: Apache-2.0
// A flat bottom on which lines lie. Per length of line, at the depth d of a node below the bottom:
//   potential   k d^2/2 where d > 0, its force over a step by the divided difference,
//   damper      c over the part of a step in which d > 0,
//   friction    mu k d against the velocity along the bottom, viscous below a rate.
// Equations: eq-water-bottom (19.5), eq-water-friction (19.6).
#include "elements/around.h"

static Reason build(const void *params, ElementBuilder *b) {
  const LimberSeaBed *p = params;
  Around q = {.level = p->level,
              .law = {.stiffness = p->stiffness, .damping = p->damping, .side = 1},
              .drag = {.friction = p->friction, .friction_rate = p->friction_rate}};
  if (!(p->stiffness > 0)) return reason(REASON_VALUE, "stiffness", "the `stiffness` of the bottom must be positive");
  if (p->damping < 0 || p->friction < 0)
    return reason(REASON_VALUE, p->damping < 0 ? "damping" : "friction",
                  "negative `damping` or `friction` would create energy");
  if (p->friction > 0 && !(p->friction_rate > 0))
    return reason(REASON_VALUE, "friction_rate", "`friction_rate` must be positive");
  Reason error = around_up(p->up, &q.up);
  return error.text ? error : around_build(b, p->lines, p->count, &q);
}

static const Field fields[] = {
    AROUND_LINES(LimberSeaBed),
    {"level", FIELD_REAL, 1, offsetof(LimberSeaBed, level), "m", true, 0,
     "height of the bottom above the origin, along `up`: negative below it", NULL},
    AROUND_UP(LimberSeaBed),
    {"stiffness", FIELD_REAL, 1, offsetof(LimberSeaBed, stiffness), "N m-2", true, 0,
     "force per length of line per depth of penetration", NULL},
    {"damping", FIELD_REAL, 1, offsetof(LimberSeaBed, damping), "N s m-2", false, 0,
     "force per length of line per rate of penetration, while it touches the bottom", NULL},
    {"friction", FIELD_REAL, 1, offsetof(LimberSeaBed, friction), "", false, 0,
     "coefficient of friction along the bottom", NULL},
    {"friction_rate", FIELD_REAL, 1, offsetof(LimberSeaBed, friction_rate), "m s-1", false, 0.01,
     "rate below which friction is viscous (sticking)", NULL},
};

static const char *const row_names[] = {"N"}, *const row_units[] = {"N m-1"}, *const strain_units[] = {"m"};
static const LimberElementId example_lines[] = {{0}};
static const LimberSeaBed example = {.lines = example_lines,
                                     .count = 1,
                                     .level = 0.15,
                                     .up = {0.1, 0.3, 0.9},
                                     .stiffness = 40,
                                     .damping = 0.7,
                                     .friction = 0.6,
                                     .friction_rate = 0.3};

const ElementKind element_sea_bed = {
    .name = "sea_bed",
    .help = "A flat bottom on which lines lie: a one-sided spring and damper, and friction.",
    .fields = FIELDS(fields, LimberSeaBed),
    .data_size = sizeof(AroundElement),
    .build = build,
    .around = true,
    .points = around_points,
    .point = around_point,
    .inertia = around_inertia,
    .drawing = {.visual = around_visual},
    .output = {.row_names = row_names, .row_units = row_units, .strain_units = strain_units},
    .example = {.nodes = "FP", .item = &example},
};
