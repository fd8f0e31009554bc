// SPDX-License-Identifier: Apache-2.0
// The parts `stability`: what is varied, and in which range; and `floquet`: the period of a motion.
#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

typedef struct {
  const char *vary, *from, *to;
  double time;
  int points, digits, modes;
} StabilityText;

static const Field stability_fields[] = {
    {"vary", FIELD_TEXT, 1, offsetof(StabilityText, vary), "", true, 0,
     "what is varied, written as for --set: let.P, or loads.push.direction.1", NULL},
    {"from", FIELD_TEXT, 1, offsetof(StabilityText, from), "", false, 0,
     "first value, a number with its unit: 10 N; default: 0", NULL},
    {"to", FIELD_TEXT, 1, offsetof(StabilityText, to), "", true, 0, "last value, in the same unit", NULL},
    {"points", FIELD_INT, 1, offsetof(StabilityText, points), "", false, 31,
     "values of the range that are looked at first; a stretch of instability between two of them may be missed", NULL},
    {"digits", FIELD_INT, 1, offsetof(StabilityText, digits), "", false, 9, "to which the critical value is found",
     NULL},
    {"modes", FIELD_INT, 1, offsetof(StabilityText, modes), "", false, 10, "how many of the lowest are looked at",
     NULL},
    {"time", FIELD_REAL, 1, offsetof(StabilityText, time), "s", false, 0, "loads are those at this time", NULL},
};
static const FieldTable stability_table = FIELDS(stability_fields, StabilityText);
static const Kind kind_stability = {"stability", "The value of a parameter at which the equilibrium gets unstable.",
                                    &stability_table};

static Error ReadStability(Reader *r, const Tree *map, SourceLocation at) {
  LimberStabilityOptions *o = &r->in->stability;
  StabilityText t;
  Form form = {&stability_table, &t, 0, 0, 0};
  ParameterRange range;
  bool good, kept = true; // whether fields could be read; whether rules are kept
  TRY(FormsRead(r, "stability", at, map, 1, &form, &good));
  const Rule rules[] = {
      {t.points < 2, "points", "must be at least 2"},
      {t.digits < 1 || t.digits > 15, "digits", "must be from 1 to 15"},
      {t.modes < 1, "modes", "must be at least 1"},
      {t.points > LIMIT_POINTS, "points", LIMIT_POINTS_TEXT},
      {t.modes > LIMIT_POINTS, "modes", LIMIT_POINTS_TEXT},
  };
  TRY(APPLY(r, map, &form, rules, &kept));
  if (!good) return 0;
  TRY(ModelCopyString(r->model, t.vary, &o->vary));
  o->points = t.points, o->digits = t.digits, o->modes = t.modes, o->time = t.time;
  TRY(ReadParameterRange(r, map, t.from, t.to, "10 N", &range));
  o->from = range.from, o->to = range.to, o->unit = range.unit;
  r->in->has_stability = true;
  return 0;
}

ONE_KIND(stability_kind_of, kind_stability)

static void begin_stability(Reader *r) { r->in->stability = limber_stability_options_default(); }

const Part part_stability = {.key = "stability",
                             .one = "stability",
                             .form = PART_ONE,
                             .kind = stability_kind_of,
                             .begin = begin_stability,
                             .read = ReadStability};

// ---- periodic motions ----

static const Field floquet_fields[] = {
    {"period", FIELD_REAL, 1, offsetof(LimberFloquetOptions, period), "s", true, 0,
     "time after which the motion repeats", NULL},
    {"steps", FIELD_INT, 1, offsetof(LimberFloquetOptions, steps), "", false, 200,
     "of the period; errors fall with their square or faster", NULL},
    {"after", FIELD_REAL, 1, offsetof(LimberFloquetOptions, after), "s", false, 0,
     "time at which the period begins, so that a motion with damping can settle", NULL},
    {"tolerance", FIELD_REAL, 1, offsetof(LimberFloquetOptions, tolerance), "", false, 1e-5,
     "a motion is unstable where a multiplier is larger than 1 by more than this and its error", NULL},
};
static const FieldTable floquet_table = FIELDS(floquet_fields, LimberFloquetOptions);
static const Kind kind_floquet = {"floquet", "Stability of a periodic motion by its Floquet multipliers.",
                                  &floquet_table};

static Error ReadFloquet(Reader *r, const Tree *map, SourceLocation at) {
  LimberFloquetOptions *o = &r->in->floquet;
  int cookie = o->cookie;
  Form form = {&floquet_table, o, 0, 0, 0};
  bool good;
  TRY(FormsRead(r, "floquet", at, map, 1, &form, &good));
  o->cookie = cookie;
  const Rule rules[] = {
      {!(o->period > 0), "period", "must be positive"},
      {o->steps < 2, "steps", "must be at least 2"},
      {o->steps > LIMIT_POINTS, "steps", LIMIT_POINTS_TEXT},
      {!(o->after >= 0), "after", "must not be negative"},
      {!(o->tolerance >= 0), "tolerance", "must not be negative"},
  };
  TRY(APPLY(r, map, &form, rules, &good));
  r->in->has_floquet = true;
  return 0;
}

ONE_KIND(floquet_kind_of, kind_floquet)

static void begin_floquet(Reader *r) { r->in->floquet = limber_floquet_options_default(); }

const Part part_floquet = {.key = "floquet",
                           .one = "floquet",
                           .form = PART_ONE,
                           .kind = floquet_kind_of,
                           .begin = begin_floquet,
                           .read = ReadFloquet};
