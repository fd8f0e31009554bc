// SPDX-License-Identifier: Apache-2.0
// The part `floquet`: the period of a motion whose stability is asked for.
#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/rules.h"

static const Field fields[] = {
    {"period", FIELD_REAL, 1, offsetof(LimberFloquetOptions, period), "s", true, 0,
     "time after which the motion repeats", NULL},
    {"steps", FIELD_INT, 1, offsetof(LimberFloquetOptions, steps), "", false, 200,
     "of the period; errors fall with their square or faster", NULL},
    {"after", FIELD_REAL, 1, offsetof(LimberFloquetOptions, after), "s", false, 0,
     "time at which the period begins, so that a motion with damping can settle", NULL},
    {"tolerance", FIELD_REAL, 1, offsetof(LimberFloquetOptions, tolerance), "", false, 1e-5,
     "a motion is unstable where a multiplier is larger than 1 by more than this and its error", NULL},
};
static const FieldTable table = FIELDS(fields, LimberFloquetOptions);
static const Kind kind_floquet = {"floquet", "Stability of a periodic motion by its Floquet multipliers.", &table};

static Error ReadFloquet(Reader *r, const Tree *map, SourceLocation at) {
  LimberFloquetOptions *o = &r->in->floquet;
  int cookie = o->cookie;
  Form form = {&table, o, 0, 0, 0};
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

const Part part_floquet = {
    .key = "floquet", .one = "floquet", .form = PART_ONE, .kind = floquet_kind_of, .read = ReadFloquet};
