// SPDX-License-Identifier: Apache-2.0
#include "input/analyses/point_analysis.h"
#include "input/yaml/reader.h"

static const Field fields[] = {
    {"period", FIELD_REAL, 1, offsetof(LimberFloquetOptions, period), "s", true, 0,
     "time after which the motion repeats", NULL},
    {"steps", FIELD_INT, 1, offsetof(LimberFloquetOptions, steps), "", false, 200,
     "steps per period; errors decrease with their square or faster", NULL},
    {"after", FIELD_REAL, 1, offsetof(LimberFloquetOptions, after), "s", false, 0,
     "time at which the period begins, so that a motion with damping can settle", NULL},
    {"tolerance", FIELD_REAL, 1, offsetof(LimberFloquetOptions, tolerance), "", false, 1e-5,
     "the motion is unstable if a multiplier exceeds 1 by more than this plus its error", NULL},
    {"count", FIELD_INT, 1, offsetof(LimberFloquetOptions, count), "", false, 0,
     "number of multipliers to find, the largest; 0: all. Few are much faster for a large model with damping", NULL},
};

static Error CheckFloquet(Reader *r, const Tree *map, const Form *form, bool good) {
  const LimberFloquetOptions *o = form->out;
  const Rule rules[] = {
      {!(o->period > 0), "period", "must be positive"},
      {o->steps < 2, "steps", "must be at least 2"},
      {o->steps > LIMIT_POINTS, "steps", LIMIT_POINTS_TEXT},
      {!(o->after >= 0), "after", "must not be negative"},
      {!(o->tolerance >= 0), "tolerance", "must not be negative"},
      {o->count < 0, "count", "must not be negative"},
  };
  return APPLY(r, map, form, rules, &good);
}

static const PointColumn columns[] = {
    {"multiplier", "real", "1", "real part of the multiplier"},
    {"multiplier", "imaginary", "1", "imaginary part of the multiplier"},
    {"multiplier", "magnitude", "1", "growth of a disturbance per period"},
    {"multiplier", "growth", "s-1", "rate of growth: ln(magnitude)/period"},
    {"multiplier", "frequency", "Hz", "frequency of the disturbance, up to a multiple of 1/period"},
    {"multiplier", "error", "1", "bound on the error of the magnitude"},
    {0},
};

static const char help[] =
    "The part `floquet` of the model gives the period of the motion with which the model starts. After one\n"
    "period a small disturbance is multiplied by a matrix, whose eigenvalues are the multipliers. The\n"
    "motion is unstable if one of them is larger than 1. The exit code is 0 in either case. The results file\n"
    "contains all multipliers that were found (docs/stability.md).";
static const char example[] = "  limber floquet shaken.yaml\n"
                              "  limber floquet shaft.yaml --set let.speed=300rpm --set floquet.steps=400";

static const Option options[] = {
    {"count", "n", "10", "number of multipliers to print; default: 10; 0: all", OPTION_ONCE},
    POINT_OPTIONS("floquet.h5", ".floquet.h5")};

const PointAnalysis analysis_of_floquet = {
    .command = {.summary = "Checks whether a periodic motion is stable, by its Floquet multipliers.",
                POINT_COMMAND("floquet", "[-n 10] ", "floquet.h5", "floquet.steps=400")},
    .ending = ".floquet.h5",
    .needed = "floquet: {period: 1 s}",
    .takes_steps = true,
    .columns = columns,
    .fields = FIELDS(fields, LimberFloquetOptions),
    POINT_PLACE(floquet, LimberFloquetOptions, floquet),
    .complete = CheckFloquet,
};

POINT_DEFAULTS(LimberFloquetOptions, limber_floquet_options_default, floquet)
