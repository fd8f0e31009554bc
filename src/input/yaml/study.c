// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/study.h"

#include "input/yaml/form.h"
#include "input/yaml/parts.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

// ---- distributions ----

#define DISTRIBUTION_FIELDS(type) \
  {"cumulative", \
   FIELD_ANY, \
   1, \
   offsetof(type, distribution.cumulative), \
   "", \
   false, \
   0, \
   "distribution by points [value, probability at or below it], from probability 0 to 1, with straight lines between", \
   NULL}, \
  { \
    "within", FIELD_ANY, 1, offsetof(type, distribution.within), "", false, 0, \
        "bounds of a distribution: [low, high]; default: none", NULL \
  }

// ---- an entry of `vary` ----

static const Field variable_fields[] = {
    {"values", FIELD_ANY, 1, offsetof(VariableText, values), "", false, 0,
     "a list of numbers with units or of words, or the column of a file: {file: a.csv, column: E, unit: GPa}; "
     "the list alone may stand for the map",
     NULL},
    {"from", FIELD_ANY, 1, offsetof(VariableText, from), "", false, 0, "first of equally spaced values", NULL},
    {"to", FIELD_ANY, 1, offsetof(VariableText, to), "", false, 0, "last of them", NULL},
    {"step", FIELD_ANY, 1, offsetof(VariableText, step), "", false, 0, "between two of them; or `count`", NULL},
    {"count", FIELD_INT, 1, offsetof(VariableText, count), "", false, 0,
     "how many; without `from` and `to`: the numbers 0, 1, ..., count - 1, such as seeds", NULL},
#define DISTRIBUTION(constant, name, parameters, units, help) \
  {#name, FIELD_ANY, 1, offsetof(VariableText, distribution.name), "", false, 0, "distribution: " help, NULL},
#include "statistics/distribution.def"
#undef DISTRIBUTION
    DISTRIBUTION_FIELDS(VariableText),
};
const FieldTable variable_table = FIELDS(variable_fields, VariableText);
static const FieldMore variable_more = {&variable_table, NULL};

// ---- an entry of `summary` ----

const char *study_statistic(int i) {
  static const char *const words[] = {"extremes", "mean", "deviation", NULL};
  return words[i];
}
static const FieldMore statistics_more = {NULL, study_statistic};

static const char *residue_word(int i) {
  static const char *const words[] = {"half", "repeat", NULL};
  return words[i];
}
static const FieldMore residue_more = {NULL, residue_word};

static const Field summary_fields[] = {
    {"channel", FIELD_TEXT, 1, offsetof(SummaryText, channel), "", true, 0,
     "a column of a probe of the model, such as tip.z, or of the energy ledger, such as ledger.kinetic; the name of a "
     "probe "
     "stands for all of its columns",
     NULL},
    {"statistics", FIELD_ANY, 1, offsetof(SummaryText, statistics), "", false, 0,
     "a list of `extremes` (with their times), `mean` and `deviation` (over time); default: all three",
     &statistics_more},
    {"quantiles", FIELD_ANY, 1, offsetof(SummaryText, quantiles), "", false, 0,
     "a list of shares of the time, such as [0.01, 0.99]: the values that the channel is below for so long", NULL},
    {"up_crossings", FIELD_ANY, 1, offsetof(SummaryText, up_crossings), "", false, 0,
     "a list of levels: how often the channel rises through each", NULL},
    {"exponents", FIELD_ANY, 1, offsetof(SummaryText, exponents), "", false, 0,
     "a list of Wöhler exponents, such as [4, 10]: damage-equivalent loads by rainflow counting", NULL},
    {"frequency", FIELD_REAL, 1, offsetof(SummaryText, frequency), "Hz", false, 1,
     "of the cycles of a damage-equivalent load", NULL},
    {"ultimate", FIELD_ANY, 1, offsetof(SummaryText, ultimate), "", false, 0,
     "ultimate load of Goodman's correction of the mean of cycles; default: no correction", NULL},
    {"residue", FIELD_TEXT, 1, offsetof(SummaryText, residue), "", false, 0,
     "what rainflow counting leaves open counts as half cycles, or is closed by repeating the run; default: half",
     &residue_more},
    {"from", FIELD_REAL, 1, offsetof(SummaryText, from), "s", false, 0, "what comes before is left out", NULL},
    {"factor", FIELD_REAL, 1, offsetof(SummaryText, factor), "", false, 1,
     "partial safety factor of tables of extremes", NULL},
};
const FieldTable summary_table = FIELDS(summary_fields, SummaryText);
static const FieldMore summary_more = {&summary_table, NULL};

// ---- the rest ----

static const Field weights_fields[] = {
    {"of", FIELD_TEXT, 1, offsetof(WeightsText, of), "", false, 0,
     "the field under `vary` whose probability weighs a run; its values are listed", NULL},
#define DISTRIBUTION(constant, name, parameters, units, help) \
  {#name, FIELD_ANY, 1, offsetof(WeightsText, distribution.name), "", false, 0, "distribution: " help, NULL},
#include "statistics/distribution.def"
#undef DISTRIBUTION
    DISTRIBUTION_FIELDS(WeightsText),
};
const FieldTable weights_table = FIELDS(weights_fields, WeightsText);
static const FieldMore weights_more = {&weights_table, NULL};

static const Field keep_fields[] = {
    {"histories", FIELD_TEXT, 1, offsetof(KeepText, histories), "", false, 0,
     "of which runs: `none`, `failed`, `worst 10` (any number) or `all`; default: none", NULL},
    {"of", FIELD_TEXT, 1, offsetof(KeepText, of), "", false, 0,
     "the channel whose largest absolute value says which runs are worst; default: the first of `summary`", NULL},
};
static const FieldTable keep_table = FIELDS(keep_fields, KeepText);
static const FieldMore keep_more = {&keep_table, NULL};

static const Field limits_fields[] = {
    {"time", FIELD_REAL, 1, offsetof(LimitsText, time), "s", false, 0,
     "on the clock, that a run may take; default: any", NULL},
    {"steps", FIELD_REAL, 1, offsetof(LimitsText, steps), "", false, 0, "that a run may take; default: any", NULL},
};
static const FieldTable limits_table = FIELDS(limits_fields, LimitsText);
static const FieldMore limits_more = {&limits_table, NULL};

const char *study_design(int i) {
  static const char *const words[] = {"product", "zip", "random", "latin", "sobol", NULL};
  return words[i];
}
static const FieldMore design_more = {NULL, study_design};

static const char *failure_word(int i) {
  static const char *const words[] = {"continue", "stop", NULL};
  return words[i];
}
static const FieldMore failure_more = {NULL, failure_word};

static const Field study_fields[] = {
    {"of", FIELD_TEXT, 1, offsetof(StudyText, of), "", false, 0,
     "model file, from the folder of this file; default: this file is the model", NULL},
    {"vary", FIELD_ANY, 1, offsetof(StudyText, vary), "", false, 0,
     "fields of the model that vary: a map of path, as for --set, to a list of values or a map", &variable_more},
    {"table", FIELD_TEXT, 1, offsetof(StudyText, table), "", false, 0,
     "file of lines of values that go together; its first line has the paths, with units in brackets: let.wind [m/s]",
     NULL},
    {"design", FIELD_TEXT, 1, offsetof(StudyText, design), "", false, 0,
     "product: every value with every other; zip: the first of each, the second of each, ...; random; latin: Latin "
     "hypercube; sobol: scrambled Sobol' points; default: product",
     &design_more},
    {"runs", FIELD_REAL, 1, offsetof(StudyText, runs), "", false, 0, "how many; of random, latin and sobol", NULL},
    {"repeat", FIELD_INT, 1, offsetof(StudyText, repeat), "", false, 1,
     "of product and zip: runs of each combination, each with new values of distributions", NULL},
    {"seed", FIELD_REAL, 1, offsetof(StudyText, seed), "", false, 0, "of all random numbers, a whole number", NULL},
    {"summary", FIELD_MAPS, 1, offsetof(StudyText, summary), "", false, 0,
     "what the table tells of each run; default: extremes, mean and deviation of all columns of all probes",
     &summary_more},
    {"keep", FIELD_MAP, 1, offsetof(StudyText, keep), "", false, 0, "results of single runs that are written",
     &keep_more},
    {"weights", FIELD_MAP, 1, offsetof(StudyText, weights), "", false, 0,
     "parts of a lifetime that the runs stand for; default: all the same", &weights_more},
    {"limits", FIELD_MAP, 1, offsetof(StudyText, limits), "", false, 0, "of a run, which then counts as failed",
     &limits_more},
    {"on_failure", FIELD_TEXT, 1, offsetof(StudyText, on_failure), "", false, 0,
     "of a run: the study goes on, or stops; default: continue", &failure_more},
};
const FieldTable study_table = FIELDS(study_fields, StudyText);
static const Kind kind_study = {"study", "Many runs of a model, for `limber study`.", &study_table};

// A run of the model alone does not need it; its fields are checked all the same.
static Error ReadStudy(Reader *r, const Tree *map, SourceLocation at) {
  StudyText t;
  Form form = {&study_table, &t, 0, 0, 0};
  bool good;
  TRY(FormsRead(r, "study", at, map, 1, &form, &good));
  if (form_good(&form, "of"))
    TRY(ReportError(r, tree_find(map, "of")->at,
                    "this file is the plan of a study of '%s': `limber study --check` reads it", t.of));
  return 0;
}

ONE_KIND(study_kind_of, kind_study)

const Part part_study = {.key = "study", .one = "study", .form = PART_ONE, .kind = study_kind_of, .read = ReadStudy};
