// SPDX-License-Identifier: Apache-2.0
// The part `fit`: which numbers of the model are found, and from which measured data (docs/fit.md).
#include "input/yaml/tuned.h"

#include "input/yaml/form.h"
#include "input/yaml/number.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *of, *file, *column, *time, *unit, *time_unit;
  const Tree *value, *noise;
  double from, to;
} DataText;

static const Field data_fields[] = {
    {"of", FIELD_TEXT, 1, offsetof(DataText, of), "", true, 0,
     "what was measured: of a history a column of a probe, such as tip.z; else a quantity as for `limber gradient`, "
     "such as frequency(1) or frequency(blade bending z 1)",
     NULL},
    {"file", FIELD_TEXT, 1, offsetof(DataText, file), "", false, 0,
     "table with a measured history, from the folder of the model file; its first line names the columns; empty cells "
     "are gaps",
     NULL},
    {"column", FIELD_TEXT, 1, offsetof(DataText, column), "", false, 0,
     "column of the file with the values; default: the text of `of`", NULL},
    {"time", FIELD_TEXT, 1, offsetof(DataText, time), "", false, 0,
     "column of the file with the times; default: its first column", NULL},
    {"unit", FIELD_TEXT, 1, offsetof(DataText, unit), "", false, 0, "unit of the values of the file; default: SI",
     NULL},
    {"time_unit", FIELD_TEXT, 1, offsetof(DataText, time_unit), "", false, 0, "unit of its times; default: s", NULL},
    {"value", FIELD_ANY, 1, offsetof(DataText, value), "", false, 0, "the measured number, in place of a file", NULL},
    {"noise", FIELD_ANY, 1, offsetof(DataText, noise), "", false, 0,
     "standard deviation of the measurement; default: estimated from the residuals", NULL},
    {"from", FIELD_REAL, 1, offsetof(DataText, from), "s", false, 0, "time before which rows of the file are left out",
     NULL},
    {"to", FIELD_REAL, 1, offsetof(DataText, to), "s", false, 0,
     "time after which rows are left out; default: the end of the run", NULL},
};
static const FieldTable data_table = FIELDS(data_fields, DataText);
static const FieldMore data_more = {&data_table, NULL};

typedef struct {
  const TunedText *parameter;
  int parameters;
  const DataText *data;
  int measured;
} FitText;

static const Field fit_fields[] = {
    {"parameters", FIELD_MAPS, 1, offsetof(FitText, parameter), "", true, 0,
     "numbers of the model to find, with bounds: a list of maps", &tuned_more},
    {"data", FIELD_MAPS, 1, offsetof(FitText, data), "", true, 0, "what was measured: a list of maps", &data_more},
};
static const FieldTable fit_table = FIELDS(fit_fields, FitText);
static const Kind kind_fit = {"fit", "Numbers of the model from measured data, for `limber fit`.", &fit_table};

// ---- an entry of `data` ----

static Error Keep(Reader *r, const char *text, const char **out) {
  *out = NULL;
  return text ? ModelCopyString(r->model, text, out) : 0;
}

// What 1 of a unit is in SI.
static Error ReadFactor(Reader *r, const Tree *word, double *factor, bool *good) {
  bool own = false;
  *factor = 1;
  if (!word) return 0;
  if (*word->text) TRY(ReadUnitFactor(r, word->text, factor, &own));
  if (own) return 0;
  *good = false;
  return ReportError(r, word->at, "'%s' is not a unit", word->text);
}

static Error ReadData(Reader *r, const Tree *map, const DataText *t, FitData *out, bool *good) {
  static const char *const of_file[] = {"column", "time", "unit", "time_unit", "from", "to"};
  double to = tree_find(map, "to") ? t->to : INFINITY;
  *out = (FitData){.value = NAN, .noise = NAN, .unit = "", .from = t->from, .to = to};
  TRY(Keep(r, t->of, &out->of));
  TRY(Keep(r, t->file, &out->file));
  TRY(Keep(r, t->column ? t->column : t->of, &out->column));
  TRY(Keep(r, t->time, &out->time));
  if (t->unit) TRY(Keep(r, t->unit, &out->unit));
  TRY(ReadFactor(r, tree_find(map, "unit"), &out->factor, good));
  TRY(ReadFactor(r, tree_find(map, "time_unit"), &out->time_factor, good));
  TRY(ReadWithUnit(r, "value", t->value, &out->value, &out->unit, good));
  TRY(ReadWithUnit(r, "noise", t->noise, &out->noise, NULL, good));
  if (!t->file == !t->value) {
    *good = false;
    TRY(ReportError(r, map->at, "an entry of 'data' needs either 'file', with a history, or 'value'"));
  }
  for (size_t i = 0; i < sizeof of_file / sizeof of_file[0] && !t->file; i++)
    if (tree_find(map, of_file[i])) {
      *good = false;
      TRY(ReportError(r, tree_find(map, of_file[i])->at, "'%s' needs a 'file'", of_file[i]));
    }
  const Rule rules[] = {{t->noise && !(out->noise > 0) && !isnan(out->noise), "noise", "must be positive"},
                        {!(to > t->from), "to", "must be after 'from'"}};
  return APPLY(r, map, NULL, rules, good);
}

static Error ReadFit(Reader *r, const Tree *map, SourceLocation at) {
  FitPart *f = &r->in->fit;
  FitText t;
  Form form = {&fit_table, &t, 0, 0, 0};
  bool good;
  TRY(FormsRead(r, "fit", at, map, 1, &form, &good));
  if (!good) return 0;
  const Tree *list = tree_find(map, "data");
  TRY(ReadTuned(r, tree_find(map, "parameters"), t.parameters, t.parameter, &f->parameter, &good));
  if (t.measured > LIMIT_MEASURED) return ReportError(r, list->at, "'data' has more than %d entries", LIMIT_MEASURED);
  TRY(ModelAllocate(r->model, (size_t)t.measured * sizeof *f->data, &f->data));
  for (int i = 0; i < t.measured; i++)
    TRY(ReadData(r, list->kind == TREE_MAP ? list : list->entry[i], &t.data[i], &f->data[i], &good));
  if (good) f->parameters = t.parameters, f->measured = t.measured;
  return 0;
}

ONE_KIND(fit_kind_of, kind_fit)

const Part part_fit = {.key = "fit", .one = "fit", .form = PART_ONE, .kind = fit_kind_of, .read = ReadFit};
