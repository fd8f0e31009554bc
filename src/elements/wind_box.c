// SPDX-License-Identifier: Apache-2.0
// Wind with turbulence that was measured or made elsewhere: velocities on a grid across the wind over time, from a file
// of TurbSim or from numbers, carried along at the mean speed.
#include "mechanics/element.h"
#include "mechanics/wind.h"
#include "mechanics/wind_file.h"

static const Field file_fields[] = {
    {"turbsim", FIELD_TEXT, 1, offsetof(WindFile, turbsim), "", true, 0, "binary full-field file of TurbSim, .bts",
     NULL},
};
static const FieldTable file_table = FIELDS(file_fields, WindFile);
const FieldMore wind_file = {&file_table, NULL};

static Reason error_of(const LimberWindBox *p) {
  if (!p->rows) return reason(REASON_VALUE, "velocity", "its `velocity` has no rows");
  if (p->across < 1)
    return reason(REASON_VALUE, "across", "`across`, the number of points across the wind, must be 1 or more");
  if (p->upwards < 1)
    return reason(REASON_VALUE, "upwards", "`upwards`, the number of points upwards, must be 1 or more");
  if (p->across > p->rows || p->upwards > p->rows / p->across || p->rows % (p->across * p->upwards))
    return reason(REASON_VALUE, p->across > 1 ? "across" : "upwards",
                  "its `velocity` has not the same number of points, `across` times `upwards`, at every time");
  if (!(p->spacing[0] > 0) || !(p->spacing[1] > 0))
    return reason(REASON_VALUE, "spacing", "the `spacing` of the points must be positive");
  if (!(p->step > 0)) return reason(REASON_VALUE, "step", "the `step` of the box must be positive");
  if (!(p->speed > 0))
    return reason(REASON_VALUE, "speed", "the mean `speed`, with which the box moves, must be positive");
  return no_reason();
}

static Reason build(const void *params, ElementBuilder *b) {
  const LimberWindBox *p = params;
  Reason error = error_of(p);
  if (error.text) return error;
  WindBox *box = b->keep(b, sizeof *box);
  double *velocity = b->keep(b, (size_t)p->rows * 3 * sizeof *velocity);
  Wind *w = b->keep(b, sizeof *w);
  if (!box || !velocity || !w) return no_reason();
  for (size_t i = 0; i < (size_t)p->rows * 3; i++) velocity[i] = p->velocity[i];
  *box = (WindBox){.origin = vec3_of(p->at),
                   .bottom = p->bottom,
                   .spacing = {p->spacing[0], p->spacing[1]},
                   .count = {p->across, p->upwards},
                   .steps = p->rows / (p->across * p->upwards),
                   .step = p->step,
                   .speed = p->speed,
                   .lead = p->lead ? p->lead[0] : 0.5 * (p->across - 1) * p->spacing[0] / p->speed,
                   .periodic = p->periodic,
                   .velocity = velocity};
  if (!wind_box_axes(box, vec3_of(p->direction), vec3_of(p->up)))
    return reason(REASON_GEOMETRY, "direction", "the `direction` of the wind must not be zero or upwards");
  *w = (Wind){.up = box->up, .box = box};
  b->add_wind(b, w);
  return no_reason();
}

static const Field fields[] = {
    {"velocity", FIELD_ROWS, 3, offsetof(LimberWindBox, velocity), "m s-1", true, 0,
     "velocities along, across and up, row by row: points across, then upwards, then in time; or a file with them, "
     "which gives all fields down to `periodic`",
     &wind_file},
    {"across", FIELD_INT, 1, offsetof(LimberWindBox, across), "", false, 1,
     "number of points across the wind; across is to the left of who looks along the wind", NULL},
    {"upwards", FIELD_INT, 1, offsetof(LimberWindBox, upwards), "", false, 1, "number of points upwards", NULL},
    {"spacing", FIELD_REALS, 2, offsetof(LimberWindBox, spacing), "m", false, 0,
     "distances of the points across and upwards", NULL},
    {"bottom", FIELD_REAL, 1, offsetof(LimberWindBox, bottom), "m", false, 0, "height of the lowest points above `at`",
     NULL},
    {"step", FIELD_REAL, 1, offsetof(LimberWindBox, step), "s", false, 0, "time between two rows of all points", NULL},
    {"speed", FIELD_REAL, 1, offsetof(LimberWindBox, speed), "m s-1", false, 0,
     "mean speed, with which the box moves along the wind", NULL},
    {"periodic", FIELD_FLAG, 1, offsetof(LimberWindBox, periodic), "", false, 0,
     "whether the box repeats; else a run must end before it", NULL},
    {"direction", FIELD_REALS, 3, offsetof(LimberWindBox, direction), "", true, 0,
     "direction of the mean wind, in ground axes; its part along `up` does not count", &field_direction},
    {"up", FIELD_REALS, 3, offsetof(LimberWindBox, up), "", false, 0,
     "direction upwards, in ground axes; 0: the z axis", &field_direction},
    {"at", FIELD_REALS, 3, offsetof(LimberWindBox, at), "m", false, 0,
     "place on the ground below the middle of the grid; default: the origin", &field_position},
    {"lead", FIELD_OPTIONAL_REALS, 1, offsetof(LimberWindBox, lead), "s", false, 0,
     "time of the box that has passed `at` when the run starts; default: half of the width over the speed", NULL},
};

static const double example_velocity[] = {8, 1, 0, 9, 0, 0.5, 8.5, 0.2, 0.1, 7, -1, 0,
                                          8, 2, 0, 9, 1, 0.5, 8.5, 0.4, 0.1, 7, -2, 0};
static const LimberWindBox example = {.velocity = example_velocity,
                                      .rows = 8,
                                      .across = 2,
                                      .upwards = 2,
                                      .spacing = {3, 2},
                                      .bottom = 1,
                                      .step = 0.5,
                                      .speed = 8,
                                      .periodic = true,
                                      .direction = {1, 0.2, 0}};

const ElementKind element_wind_box = {
    .name = "wind_box",
    .help = "Wind that several strips share: turbulence on a grid, from a file of TurbSim or from numbers.",
    .fields = FIELDS(fields, LimberWindBox),
    .build = build,
    .around = true,
    .points = element_no_points,
    .example = {.nodes = "", .item = &example},
};
