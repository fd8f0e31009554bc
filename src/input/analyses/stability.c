// SPDX-License-Identifier: Apache-2.0
#include "input/analyses/point_analysis.h"
#include "input/yaml/reader.h"

typedef struct {
  const char *from, *to;
  LimberStabilityOptions options;
} StabilityText;

static const Field fields[] = {
    {"vary", FIELD_TEXT, 1, offsetof(StabilityText, options.vary), "", true, 0,
     "parameter to vary, written as for --set: let.P, or loads.push.direction.1", NULL},
    {"from", FIELD_TEXT, 1, offsetof(StabilityText, from), "", false, 0,
     "first value, a number with its unit: 10 N; default: 0", NULL},
    {"to", FIELD_TEXT, 1, offsetof(StabilityText, to), "", true, 0, "last value, in the same unit", NULL},
    {"points", FIELD_INT, 1, offsetof(StabilityText, options.points), "", false, 31,
     "number of values to examine first; instability that occurs only between two of them may be missed", NULL},
    {"digits", FIELD_INT, 1, offsetof(StabilityText, options.digits), "", false, 9, "digits of the critical value",
     NULL},
    {"modes", FIELD_INT, 1, offsetof(StabilityText, options.modes), "", false, 10,
     "number of the lowest modes to examine", NULL},
    {"time", FIELD_REAL, 1, offsetof(StabilityText, options.time), "s", false, 0, "time at which loads are evaluated",
     NULL},
};

static Error CompleteStability(Reader *r, const Tree *map, const Form *form, bool good) {
  StabilityText *t = form->out;
  LimberStabilityOptions *o = &t->options;
  bool kept = true;
  const Rule rules[] = {
      {o->points < 2, "points", "must be at least 2"},
      {o->digits < 1 || o->digits > 15, "digits", "must be from 1 to 15"},
      {o->modes < 1, "modes", "must be at least 1"},
      {o->points > LIMIT_POINTS, "points", LIMIT_POINTS_TEXT},
      {o->modes > LIMIT_POINTS, "modes", LIMIT_POINTS_TEXT},
  };
  TRY(APPLY(r, map, form, rules, &kept));
  return good ? ReadParameterRange(r, map, t->from, t->to, "10 N", &o->from, &o->to, &o->unit) : 0;
}

static const PointColumn columns[] = {
    {"eigenvalue", "real", "s-1", "real part of each eigenvalue; if it is positive, the mode grows"},
    {"eigenvalue", "imaginary", "s-1", "imaginary part of each eigenvalue"},
    {"eigenvalue", "frequency", "Hz", "frequency of each mode"},
    {"eigenvalue", "damping", "1", "damping ratio of each mode; if it is negative, the mode grows"},
    {"critical", "value", NULL, "value of the parameter where stability is first lost"},
    {"critical", "frequency", "Hz", "frequency of the mode that becomes unstable there"},
    {0},
};

static const char help[] =
    "At each value of a range the command finds the equilibrium, at rest or rotating, and the eigenvalues of\n"
    "small motions about it. Between the last stable and the first unstable value it finds the crossing to the\n"
    "digits of the part `stability`: divergence (buckling), flutter, or two frequencies that meet. The results\n"
    "file contains the eigenvalues over the parameter (docs/stability.md).";
static const char example[] = "  limber stability column.yaml\n"
                              "  limber stability rotor.yaml --vary let.speed --from '10 rpm' --to '900 rpm'\n"
                              "  limber plot column.stability.h5 eigenvalue.frequency";

static const Option options[] = {
    {"vary", NULL, "let.P", "parameter to vary; default: that of the part `stability`", OPTION_ONCE},
    {"from", NULL, "0", "first value of the range", OPTION_ONCE},
    {"to", NULL, "30", "last value of the range", OPTION_ONCE},
    POINT_OPTIONS("stability.h5", ".stability.h5")};

const PointAnalysis analysis_of_stability = {
    .command = {.summary = "Finds the value of a parameter at which the equilibrium becomes unstable.",
                POINT_COMMAND("stability", "[--vary let.P] [--from 0] [--to 30] ", "stability.h5",
                              "stability.points=61")},
    .ending = ".stability.h5",
    .needed = "stability: {vary: let.P, from: 0, to: 30}",
    .columns = columns,
    .fields = FIELDS(fields, StabilityText),
    .offset = offsetof(StabilityText, options),
    POINT_PLACE(stability, LimberStabilityOptions, stability),
    .complete = CompleteStability,
};

POINT_DEFAULTS(LimberStabilityOptions, limber_stability_options_default, stability)
