// SPDX-License-Identifier: Apache-2.0
// Still water around lines. Per length of line, with the displaced area A, the diameter D and the velocity V of a node:
//   buoyancy    rho g A upwards where the node is under water; over a depth of D it grows from 0 at D/2 above the surface,
//   drag        rho/2 (C_n D |V_c| V_c + C_t pi D |V_t| V_t) against the velocity across and along the line,
//   added mass  C_a rho A, the same in all directions.
// Equations: eq-water-buoyancy (19.2), eq-water-drag (19.3), eq-water-mass (19.4).
#include "elements/around.h"

static const double pi = 3.141592653589793;

static Reason error_of(const LimberStillWater *p) {
  if (!(p->diameter > 0)) return reason(REASON_VALUE, "diameter", "`diameter` must be positive");
  if (p->area < 0) return reason(REASON_VALUE, "area", "`area` must not be negative");
  if (!(p->density > 0)) return reason(REASON_VALUE, "density", "the `density` of the water must be positive");
  if (p->gravity < 0)
    return reason(REASON_VALUE, "gravity", "`gravity` is the magnitude of the acceleration and must not be negative");
  if (p->drag[0] < 0 || p->drag[1] < 0) return reason(REASON_VALUE, "drag", "negative `drag` would create energy");
  if (p->added_mass < 0) return reason(REASON_VALUE, "added_mass", "`added_mass` must not be negative");
  return no_reason();
}

// The force over the depth: constant, or from 0 to its full size across the surface.
static Reason build(const void *params, ElementBuilder *b) {
  const LimberStillWater *p = params;
  Around q = {.level = p->level ? p->level[0] : 0};
  double d = p->diameter, area = p->area > 0 ? p->area : 0.25 * pi * d * d, full = p->density * p->gravity * area;
  const double surface[8] = {-d, 0, -0.5 * d, 0, 0.5 * d, full, d, full}, deep[4] = {0, full, 1, full};
  Reason error = error_of(p);
  if (!error.text) error = around_up(p->up, &q.up);
  if (error.text) return error;
  double *table = b->keep(b, sizeof surface);
  if (!table) return no_reason();
  for (int i = 0; i < (p->level ? 8 : 4); i++) table[i] = p->level ? surface[i] : deep[i];
  q.law = (Law){.table = table, .pairs = p->level ? 4 : 2};
  q.drag = (Drag){.across = 0.5 * p->density * p->drag[0] * d,
                  .along = 0.5 * p->density * p->drag[1] * pi * d,
                  .width = p->level ? d : 0};
  q.mass = p->added_mass * p->density * area;
  return around_build(b, p->lines, p->count, &q);
}

static const Field fields[] = {
    AROUND_LINES(LimberStillWater),
    {"diameter", FIELD_REAL, 1, offsetof(LimberStillWater, diameter), "m", true, 0,
     "diameter of the line, for the drag", NULL},
    {"area", FIELD_REAL, 1, offsetof(LimberStillWater, area), "m2", false, 0,
     "displaced volume per length; 0: that of a circle of the diameter", NULL},
    {"density", FIELD_REAL, 1, offsetof(LimberStillWater, density), "kg m-3", false, 1025, "density of the water",
     NULL},
    {"gravity", FIELD_REAL, 1, offsetof(LimberStillWater, gravity), "m s-2", false, 9.81,
     "gravitational acceleration that gives the water its weight; lines get theirs from a load", NULL},
    {"level", FIELD_OPTIONAL_REALS, 1, offsetof(LimberStillWater, level), "m", false, 0,
     "height of the surface above the origin, along `up`; default: everything is under water", NULL},
    AROUND_UP(LimberStillWater),
    {"drag", FIELD_REALS, 2, offsetof(LimberStillWater, drag), "", false, 0,
     "drag coefficients across the line (of its diameter) and along it (of its surface)", NULL},
    {"added_mass", FIELD_REAL, 1, offsetof(LimberStillWater, added_mass), "", false, 0,
     "added mass over the mass of the displaced water, the same in all directions", NULL},
};

static const char *const row_names[] = {"B"}, *const row_units[] = {"N m-1"}, *const strain_units[] = {"m"};
static const LimberElementId example_lines[] = {{0}};
static const double example_level[] = {0.1};
static const LimberStillWater example = {.lines = example_lines,
                                         .count = 1,
                                         .diameter = 0.4,
                                         .density = 30,
                                         .gravity = 9.81,
                                         .level = example_level,
                                         .up = {0.2, -0.3, 0.9},
                                         .drag = {1.2, 0.3},
                                         .added_mass = 0.8};

const ElementKind element_still_water = {
    .name = "still_water",
    .help = "Still water around lines: buoyancy, drag and added mass.",
    .fields = FIELDS(fields, LimberStillWater),
    .data_size = sizeof(AroundElement),
    .build = build,
    .around = true,
    .points = around_points,
    .point = around_point,
    .inertia = around_inertia,
    .drawing = {.visual = around_visual},
    .output = {.row_names = row_names, .row_units = row_units, .strain_units = strain_units},
    .example = {.nodes = "PF", .item = &example},
};
