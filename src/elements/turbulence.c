// SPDX-License-Identifier: Apache-2.0
// Turbulent wind of IEC 61400-1, made at the start of a run: the mean grows with the height by a power law, and
// turbulence (mechanics/turbulence.h) is carried along by the speed at the height of the hub.
#include "mechanics/turbulence.h"
#include "base/limits.h"
#include "mechanics/element.h"
#include "mechanics/wind.h"

static const double reference[] = {0.18, 0.16, 0.14, 0.12}; // intensity at 15 m/s, by LimberTurbulenceCategory

static Reason error_of(const LimberTurbulence *p) {
  if (!(p->speed > 0)) return reason(REASON_VALUE, "speed", "the mean `speed` must be positive");
  if (!(p->height > 0)) return reason(REASON_VALUE, "height", "the `height` of the hub must be positive");
  if (p->shear < 0) return reason(REASON_VALUE, "shear", "the exponent `shear` must not be negative");
  if (p->intensity && !(p->intensity[0] >= 0))
    return reason(REASON_VALUE, "intensity", "the `intensity` of the turbulence must not be negative");
  if (!(p->average > 0)) return reason(REASON_VALUE, "average", "the `average` speed must be positive");
  if (!(p->width > 0) || p->width >= 2 * p->height)
    return reason(REASON_VALUE, "width",
                  "the `width` of the grid must be positive and less than twice the `height`, so that it does not "
                  "reach the ground");
  if (p->points < 2) return reason(REASON_VALUE, "points", "the grid needs 2 or more `points` on a side");
  if (!(p->duration > 0)) return reason(REASON_VALUE, "duration", "the `duration` must be positive");
  if (!(p->step > 0) || p->step > p->duration / 4)
    return reason(REASON_VALUE, "step", "the `step` must be positive and at most a quarter of the `duration`");
  return no_reason();
}

static double deviation_of(const LimberTurbulence *p) {
  double i = reference[p->category], c = 2;
  if (p->intensity) return p->intensity[0] * p->speed;
  if (p->model == LIMBER_TURBULENCE_NORMAL) return i * (0.75 * p->speed + 5.6);
  return c * i * (0.072 * (p->average / c + 3) * (p->speed / c - 4) + 10);
}

static Turbulence turbulence_of(const LimberTurbulence *p) {
  double scale = 0.7 * fmin(60, p->height), sigma = deviation_of(p), spacing = p->width / (p->points - 1);
  Turbulence t = {.speed = p->speed,
                  .period = p->duration,
                  .deviation = {sigma, 0.8 * sigma, 0.5 * sigma},
                  .length = {8.1 * scale, 2.7 * scale, 0.66 * scale},
                  .across = p->points,
                  .upwards = p->points,
                  .steps = 4,
                  .spacing = {spacing, spacing},
                  .seed = (uint64_t)p->seed};
  while (t.steps < LIMIT_WIND_POINTS && p->duration / t.steps > p->step * (1 + 1e-12)) t.steps *= 2;
  return t;
}

static Reason build(const void *params, ElementBuilder *b) {
  const LimberTurbulence *p = params;
  Reason error = error_of(p);
  if (error.text) return error;
  Turbulence t = turbulence_of(p);
  double all = (double)p->points * p->points * t.steps;
  if (all > LIMIT_WIND_POINTS || turbulence_work(&t) > LIMIT_WIND_WORK)
    return reason(REASON_LIMIT, t.steps > 100 * all / t.steps ? "duration" : "points",
                  b->say(b,
                         "its %d x %d points at %d times take %.1g multiplications; take fewer points, a shorter "
                         "duration or a longer step (%.0g are allowed)",
                         p->points, p->points, t.steps, turbulence_work(&t), LIMIT_WIND_WORK));
  WindBox *box = b->keep(b, sizeof *box);
  double *velocity = b->keep(b, (size_t)all * 3 * sizeof *velocity);
  double *scratch = b->keep(b, turbulence_scratch(&t) * sizeof *scratch);
  Wind *w = b->keep(b, sizeof *w);
  if (!box || !velocity || !scratch || !w) return no_reason();
  *box = (WindBox){.origin = vec3_of(p->at),
                   .bottom = p->height - 0.5 * p->width,
                   .spacing = {t.spacing[0], t.spacing[1]},
                   .count = {p->points, p->points},
                   .steps = t.steps,
                   .step = p->duration / t.steps,
                   .speed = p->speed,
                   .periodic = true,
                   .velocity = velocity};
  if (!wind_box_axes(box, vec3_of(p->direction), vec3_of(p->up)))
    return reason(REASON_GEOMETRY, "direction", "the `direction` of the wind must not be zero or upwards");
  turbulence_make(&t, scratch, velocity);
  *w = (Wind){.velocity = vec3_scale(p->speed, box->along),
              .up = box->up,
              .origin = vec3_dot(box->origin, box->up),
              .reference = p->height,
              .exponent = p->shear,
              .box = box};
  b->add_wind(b, w);
  return no_reason();
}

static const char *const category_words[] = {"A+", "A", "B", "C", NULL};
static const char *category_word(int i) { return category_words[i]; } // of LimberTurbulenceCategory
static const FieldMore category_more = {NULL, category_word};
static const char *const model_words[] = {"normal", "extreme", NULL};
static const char *model_word(int i) { return model_words[i]; } // of LimberTurbulenceModel
static const FieldMore model_more = {NULL, model_word};

static const Field fields[] = {
    {"speed", FIELD_REAL, 1, offsetof(LimberTurbulence, speed), "m s-1", true, 0, "mean speed at the height of the hub",
     NULL},
    {"height", FIELD_REAL, 1, offsetof(LimberTurbulence, height), "m", true, 0,
     "height of the hub above `at`, in the middle of the grid", NULL},
    {"direction", FIELD_REALS, 3, offsetof(LimberTurbulence, direction), "", true, 0,
     "direction of the mean wind, in ground axes; its part along `up` does not count", &field_direction},
    {"width", FIELD_REAL, 1, offsetof(LimberTurbulence, width), "m", true, 0, "width and height of the grid", NULL},
    {"points", FIELD_INT, 1, offsetof(LimberTurbulence, points), "", false, 9, "points of the grid on each side", NULL},
    {"category", FIELD_WORD, 1, offsetof(LimberTurbulence, category), "", false, LIMBER_TURBULENCE_B,
     "category of the turbulence: intensity of 18 % (A+), 16 % (A), 14 % (B) or 12 % (C) at 15 m/s", &category_more},
    {"model", FIELD_WORD, 1, offsetof(LimberTurbulence, model), "", false, 0,
     "how the deviation follows from category and speed: normal (NTM) or extreme turbulence (ETM)", &model_more},
    {"average", FIELD_REAL, 1, offsetof(LimberTurbulence, average), "m s-1", false, 10,
     "average speed of the year, for extreme turbulence: 10 m/s in class I, 8.5 in II, 7.5 in III", NULL},
    {"intensity", FIELD_OPTIONAL_REALS, 1, offsetof(LimberTurbulence, intensity), "", false, 0,
     "instead of `category`: deviation of the speed over the mean speed", NULL},
    {"shear", FIELD_REAL, 1, offsetof(LimberTurbulence, shear), "", false, 0.2,
     "exponent of the growth of the mean with height", NULL},
    {"seed", FIELD_INT, 1, offsetof(LimberTurbulence, seed), "", false, 0, "another number gives another record", NULL},
    {"duration", FIELD_REAL, 1, offsetof(LimberTurbulence, duration), "s", false, 600, "time after which it repeats",
     NULL},
    {"step", FIELD_REAL, 1, offsetof(LimberTurbulence, step), "s", false, 0.1,
     "longest time between two grids; the duration is divided by a power of two", NULL},
    {"up", FIELD_REALS, 3, offsetof(LimberTurbulence, up), "", false, 0,
     "direction upwards, in ground axes; 0: the z axis", &field_direction},
    {"at", FIELD_REALS, 3, offsetof(LimberTurbulence, at), "m", false, 0,
     "place on the ground below the middle of the grid; default: the origin", &field_position},
};

static const LimberTurbulence example = {.speed = 9,
                                         .height = 8,
                                         .direction = {1, 0.2, 0},
                                         .width = 6,
                                         .points = 2,
                                         .category = LIMBER_TURBULENCE_A,
                                         .average = 8,
                                         .shear = 0.1,
                                         .seed = 3,
                                         .duration = 16,
                                         .step = 2};

const ElementKind element_turbulence = {
    .name = "turbulence",
    .help = "Wind that several strips share: turbulence of IEC 61400-1, made at the start.",
    .fields = FIELDS(fields, LimberTurbulence),
    .build = build,
    .around = true,
    .points = element_no_points,
    .example = {.nodes = "", .item = &example},
};
