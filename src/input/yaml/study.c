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
     "a list of numbers with units or of words, or the column of a file: {file: a.csv, column: E, unit: GPa}; you can "
     "write the list instead of the map",
     NULL},
    {"from", FIELD_ANY, 1, offsetof(VariableText, from), "", false, 0, "first of equally spaced values", NULL},
    {"to", FIELD_ANY, 1, offsetof(VariableText, to), "", false, 0, "last of equally spaced values", NULL},
    {"step", FIELD_ANY, 1, offsetof(VariableText, step), "", false, 0, "increment between two values; or `count`",
     NULL},
    {"count", FIELD_INT, 1, offsetof(VariableText, count), "", false, 0,
     "number of values; without `from` and `to`: the numbers 0, 1, ..., count - 1, such as seeds", NULL},
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
     "probe selects all of its columns",
     NULL},
    {"statistics", FIELD_ANY, 1, offsetof(SummaryText, statistics), "", false, 0,
     "a list of `extremes` (with their times), `mean` and `deviation` (over time); default: all three",
     &statistics_more},
    {"quantiles", FIELD_ANY, 1, offsetof(SummaryText, quantiles), "", false, 0,
     "a list of fractions of the time, such as [0.01, 0.99]: the channel is below the reported value for this fraction",
     NULL},
    {"up_crossings", FIELD_ANY, 1, offsetof(SummaryText, up_crossings), "", false, 0,
     "a list of levels: how often the channel rises through each", NULL},
    {"exponents", FIELD_ANY, 1, offsetof(SummaryText, exponents), "", false, 0,
     "a list of Wöhler exponents, such as [4, 10]: damage-equivalent loads by rainflow counting", NULL},
    {"frequency", FIELD_REAL, 1, offsetof(SummaryText, frequency), "Hz", false, 1,
     "frequency of the cycles of a damage-equivalent load", NULL},
    {"ultimate", FIELD_ANY, 1, offsetof(SummaryText, ultimate), "", false, 0,
     "ultimate load of Goodman's correction of the mean of cycles; default: no correction", NULL},
    {"residue", FIELD_TEXT, 1, offsetof(SummaryText, residue), "", false, 0,
     "residue of rainflow counting: counted as half cycles, or closed by repeating the run; default: half",
     &residue_more},
    {"from", FIELD_REAL, 1, offsetof(SummaryText, from), "s", false, 0, "time before which data are left out", NULL},
    {"factor", FIELD_REAL, 1, offsetof(SummaryText, factor), "", false, 1,
     "partial safety factor of tables of extremes", NULL},
};
const FieldTable summary_table = FIELDS(summary_fields, SummaryText);
static const FieldMore summary_more = {&summary_table, NULL};

// ---- the rest ----

static const Field weights_fields[] = {
    {"field", FIELD_TEXT, 1, offsetof(WeightsText, of), "", false, 0,
     "the field under `vary` whose probability weights a run; its values must be listed", NULL},
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
     "runs whose histories are kept: `none`, `failed`, `worst 10` (any number) or `all`; default: none", NULL},
    {"channel", FIELD_TEXT, 1, offsetof(KeepText, of), "", false, 0,
     "channel whose largest absolute value ranks the runs for `worst`; default: the first of `summary`", NULL},
};
static const FieldTable keep_table = FIELDS(keep_fields, KeepText);
static const FieldMore keep_more = {&keep_table, NULL};

static const Field limits_fields[] = {
    {"time", FIELD_REAL, 1, offsetof(LimitsText, time), "s", false, 0, "wall time limit of a run; default: none", NULL},
    {"steps", FIELD_REAL, 1, offsetof(LimitsText, steps), "", false, 0, "step limit of a run; default: none", NULL},
};
static const FieldTable limits_table = FIELDS(limits_fields, LimitsText);
static const FieldMore limits_more = {&limits_table, NULL};

static const char *method_word(int i) {
  static const char *const words[] = {"forward", "adjoint", NULL};
  return words[i];
}
static const FieldMore method_more = {NULL, method_word};

static const Field gradients_fields[] = {
    {"of", FIELD_ANY, 1, offsetof(GradientsText, of), "", true, 0,
     "a list of quantities, as for `limber gradient --of`: max(tip.z), tip.z@end, static(tip.z), frequency(1), ...",
     NULL},
    {"wrt", FIELD_ANY, 1, offsetof(GradientsText, wrt), "", true, 0,
     "a list of parameters: numbers of `let`, other fields under `vary`, or PATH=VALUE of any other field", NULL},
    {"method", FIELD_TEXT, 1, offsetof(GradientsText, method), "", false, 0,
     "adjoint: for many parameters; default: forward", &method_more},
};
static const FieldTable gradients_table = FIELDS(gradients_fields, GradientsText);
static const FieldMore gradients_more = {&gradients_table, NULL};

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
    {"model", FIELD_TEXT, 1, offsetof(StudyText, of), "", false, 0,
     "model file, from the folder of this file; default: this file is the model", NULL},
    {"vary", FIELD_ANY, 1, offsetof(StudyText, vary), "", false, 0,
     "fields of the model that vary: a map of path, as for --set, to a list of values or a map", &variable_more},
    {"table", FIELD_TEXT, 1, offsetof(StudyText, table), "", false, 0,
     "file with values that vary together, one run per line; its first line has the paths, with units in brackets: "
     "let.wind [m/s]",
     NULL},
    {"design", FIELD_TEXT, 1, offsetof(StudyText, design), "", false, 0,
     "product: every value with every other; zip: the first of each, the second of each, ...; random; latin: Latin "
     "hypercube; sobol: scrambled Sobol' points; default: product",
     &design_more},
    {"runs", FIELD_REAL, 1, offsetof(StudyText, runs), "", false, 0, "number of runs, for random, latin and sobol",
     NULL},
    {"repeat", FIELD_INT, 1, offsetof(StudyText, repeat), "", false, 1,
     "for product and zip: runs of each combination, each with new random values", NULL},
    {"seed", FIELD_REAL, 1, offsetof(StudyText, seed), "", false, 0, "seed of all random numbers, a whole number",
     NULL},
    {"summary", FIELD_MAPS, 1, offsetof(StudyText, summary), "", false, 0,
     "what the table reports for each run; default: extremes, mean and deviation of all columns of all probes",
     &summary_more},
    {"keep", FIELD_MAP, 1, offsetof(StudyText, keep), "", false, 0, "runs whose full results are kept", &keep_more},
    {"error_bars", FIELD_FLAG, 1, offsetof(StudyText, error_bars), "", false, 0,
     "each run is repeated with twice and four times its step, and its numbers get error bars; default: false", NULL},
    {"gradients", FIELD_MAP, 1, offsetof(StudyText, gradients), "", false, 0,
     "derivatives that are found in each run; default: none", &gradients_more},
    {"weights", FIELD_MAP, 1, offsetof(StudyText, weights), "", false, 0,
     "fractions of a lifetime that the runs represent; default: equal", &weights_more},
    {"limits", FIELD_MAP, 1, offsetof(StudyText, limits), "", false, 0,
     "limits of a run; beyond them it counts as failed", &limits_more},
    {"on_failure", FIELD_TEXT, 1, offsetof(StudyText, on_failure), "", false, 0,
     "if a run fails, the study continues or stops; default: continue", &failure_more},
};
const FieldTable study_table = FIELDS(study_fields, StudyText);
static const Kind kind_study = {"study", "Many runs of a model, for `limber study`.", &study_table};

// A run of the model alone does not need it; its fields are checked all the same.
static Error ReadStudy(Reader *r, const Tree *map, SourceLocation at) {
  StudyText t;
  Form form = {&study_table, &t, 0, 0, 0};
  bool good;
  TRY(FormsRead(r, "study", at, map, 1, &form, &good));
  if (form_good(&form, "model"))
    TRY(ReportError(r, tree_find(map, "model")->at,
                    "this is a study file for '%s': check it with `limber study --check`", t.of));
  return 0;
}

ONE_KIND(study_kind_of, kind_study)

const Part part_study = {.key = "study", .one = "study", .form = PART_ONE, .kind = study_kind_of, .read = ReadStudy};
