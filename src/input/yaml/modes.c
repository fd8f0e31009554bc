// SPDX-License-Identifier: Apache-2.0
// The parts `modes`: which modes, and what they are called; and `campbell`: over what they are followed.
#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <string.h>

typedef struct {
  const char *along_y, *along_z;
  LimberDamped damped;
  double target, time, amplitude;
  int count, frames;
} ModesText;

static const char *const damped_words[] = {"auto", "no", NULL}; // in the order of LimberDamped
static const char *damped_word(int i) { return damped_words[i]; }
static const FieldMore damped_more = {NULL, damped_word};

static const Field modes_fields[] = {
    {"count", FIELD_INT, 1, offsetof(ModesText, count), "", false, 10, "how many, beside rigid motions", NULL},
    {"target", FIELD_REAL, 1, offsetof(ModesText, target), "Hz", false, 0, "modes nearest to it; 0: the lowest", NULL},
    {"damped", FIELD_WORD, 1, offsetof(ModesText, damped), "", false, 0,
     "`auto`: complex modes where there are dampers or the model rotates; `no`: without dampers and Coriolis forces; "
     "default: auto",
     &damped_more},
    {"time", FIELD_REAL, 1, offsetof(ModesText, time), "s", false, 0, "loads are those at this time", NULL},
    {"along_y", FIELD_TEXT, 1, offsetof(ModesText, along_y), "", false, 0,
     "what bending along the y axis of sections is called in names of modes, such as edge; default: bending y", NULL},
    {"along_z", FIELD_TEXT, 1, offsetof(ModesText, along_z), "", false, 0,
     "the same of z, such as flap; default: bending z", NULL},
    {"frames", FIELD_INT, 1, offsetof(ModesText, frames), "", false, 24,
     "snapshots of each mode over its period, for `limber view`; 0: none", NULL},
    {"amplitude", FIELD_REAL, 1, offsetof(ModesText, amplitude), "", false, 0.05,
     "largest displacement in a snapshot, as a share of the model's size", NULL},
};
static const FieldTable modes_table = FIELDS(modes_fields, ModesText);
static const Kind kind_modes = {"modes", "Modes of small motions about the equilibrium.", &modes_table};

static Error ReadModes(Reader *r, const Tree *map, SourceLocation at) {
  ModesText t;
  Form form = {&modes_table, &t, 0, 0, 0};
  bool good;
  LimberModesOptions *out = &r->in->modes;
  TRY(FormsRead(r, "modes", at, map, 1, &form, &good));
  if (!good) return 0;
  *out = limber_modes_options_default();
  out->count = t.count, out->target = t.target, out->damped = t.damped, out->time = t.time;
  TRY(ModelCopyString(r->model, t.along_y, &out->along_y));
  TRY(ModelCopyString(r->model, t.along_z, &out->along_z));
  r->in->mode_frames = t.frames, r->in->mode_amplitude = t.amplitude;
  const Rule rules[] = {{t.count < 1, "count", "must be at least 1"},
                        {t.target < 0, "target", "must not be negative"},
                        {t.frames < 0, "frames", "must not be negative"},
                        {t.count > LIMIT_POINTS, "count", LIMIT_POINTS_TEXT},
                        {t.frames > LIMIT_POINTS, "frames", LIMIT_POINTS_TEXT},
                        {!(t.amplitude > 0 && t.amplitude <= 1), "amplitude", "must be above 0 and at most 1"}};
  TRY(APPLY(r, map, &form, rules, &good));
  return 0;
}

ONE_KIND(modes_kind_of, kind_modes)

static void begin_modes(Reader *r) { r->in->mode_frames = 24, r->in->mode_amplitude = 0.05; }

const Part part_modes = {
    .key = "modes", .one = "modes", .form = PART_ONE, .kind = modes_kind_of, .begin = begin_modes, .read = ReadModes};

// ---- Campbell diagrams ----

typedef struct {
  int multiples; // before the list
  const char *vary, *from, *to;
  int steps, modes;
  const double *multiple;
} CampbellText;

static const Field campbell_fields[] = {
    {"vary", FIELD_TEXT, 1, offsetof(CampbellText, vary), "", true, 0,
     "what is varied: a parameter of `let`, or a path as for --set: let.speed", NULL},
    {"from", FIELD_TEXT, 1, offsetof(CampbellText, from), "", false, 0,
     "first value, a number with its unit: 0 rpm; default: 0", NULL},
    {"to", FIELD_TEXT, 1, offsetof(CampbellText, to), "", true, 0, "last value, in the same unit", NULL},
    {"steps", FIELD_INT, 1, offsetof(CampbellText, steps), "", false, 24,
     "from the first to the last; more are taken where modes change much", NULL},
    {"modes", FIELD_INT, 1, offsetof(CampbellText, modes), "", false, 8, "how many of the lowest are followed", NULL},
    {"multiples", FIELD_LIST, 1, offsetof(CampbellText, multiple), "", false, 0,
     "of the speed, whose crossings with frequencies are found; default: [1, 2, 3]", NULL},
};
static const FieldTable campbell_table = FIELDS(campbell_fields, CampbellText);
static const Kind kind_campbell = {"campbell", "Modes followed over a speed or another parameter.", &campbell_table};

static Error ReadCampbell(Reader *r, const Tree *map, SourceLocation at) {
  static const double usual[] = {1, 2, 3};
  LimberCampbellOptions *o = &r->in->campbell;
  CampbellText t;
  Form form = {&campbell_table, &t, 0, 0, 0};
  ParameterRange range;
  bool good;
  TRY(FormsRead(r, "campbell", at, map, 1, &form, &good));
  if (!good) return 0;
  const Rule rules[] = {{t.steps < 1, "steps", "must be at least 1"},
                        {t.modes < 1, "modes", "must be at least 1"},
                        {t.steps > LIMIT_POINTS, "steps", LIMIT_POINTS_TEXT},
                        {t.modes > LIMIT_POINTS, "modes", LIMIT_POINTS_TEXT}};
  TRY(APPLY(r, map, &form, rules, &good));
  *o = limber_campbell_options_default();
  o->steps = t.steps, o->modes = t.modes, o->multiples = 3, o->multiple = usual;
  TRY(ModelCopyString(r->model, t.vary, &o->vary));
  if (form_given(&form, "multiples")) {
    double *copy;
    TRY(ModelAllocate(r->model, (size_t)(t.multiples + 1) * sizeof *copy, &copy));
    if (t.multiples) memcpy(copy, t.multiple, (size_t)t.multiples * sizeof *copy);
    o->multiples = t.multiples, o->multiple = copy;
  }
  TRY(ReadParameterRange(r, map, t.from, t.to, "12 rpm", &range));
  o->from = range.from, o->to = range.to, o->unit = range.unit;
  return 0;
}

ONE_KIND(campbell_kind_of, kind_campbell)

const Part part_campbell = {
    .key = "campbell", .one = "campbell", .form = PART_ONE, .kind = campbell_kind_of, .read = ReadCampbell};
