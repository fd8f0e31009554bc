// SPDX-License-Identifier: Apache-2.0
#include "input/yaml/expected.h"

#include "input/yaml/fields.h"
#include "input/yaml/scope.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"
#include "input/yaml/units.h"
#include "model/formula.h"

#include <math.h>
#include <string.h>

// ---- tables ----

typedef struct {
  const char *model, *command;
  const void *set;
} ExpectedRunText;

static const char *command_word(int i) {
  static const char *const words[] = {"run",
#define POINT_ANALYSIS(name, help) #name,
#include "input/analyses/point_analyses.def"
#undef POINT_ANALYSIS
                                      NULL};
  return words[i];
}
static const FieldMore commands = {NULL, command_word};

static const Field run_fields[] = {
    {"model", FIELD_TEXT, 1, offsetof(ExpectedRunText, model), "", true, 0, "model file, next to this file", NULL},
    {"set", FIELD_ANY, 1, offsetof(ExpectedRunText, set), "", false, 0,
     "changes of the model: a map of path to value, {run.scheme: preserving}", NULL},
    {"command", FIELD_TEXT, 1, offsetof(ExpectedRunText, command), "", false, 0, "analysis of the model; default: run",
     &commands},
};
static const FieldTable run_table = FIELDS(run_fields, ExpectedRunText);

static const char *peak_word(int i) {
  static const char *const words[] = {"largest", "smallest", "farthest", NULL};
  return words[i];
}
static const char *give_word(int i) {
  static const char *const words[] = {"height", "place", "order", "limit", NULL};
  return words[i];
}
static const char *norm_word(int i) {
  static const char *const words[] = {"largest", "root_mean_square", NULL};
  return words[i];
}
static const FieldMore peaks = {NULL, peak_word}, gives = {NULL, give_word}, norms = {NULL, norm_word};

typedef struct {
  int steps, periods;
  const double *step;
  const char *name, *run, *column, *unit, *peak, *against, *give, *norm, *over, *source;
  double at, since, spectrum[2], from, to, reference, relative, absolute;
} QuantityText;

static const Field quantity_fields[] = {
    {"name", FIELD_TEXT, 1, offsetof(QuantityText, name), "", true, 0, "description in a few words", NULL},
    {"run", FIELD_TEXT, 1, offsetof(QuantityText, run), "", false, 0, "of `runs`; default: the first", NULL},
    {"column", FIELD_TEXT, 1, offsetof(QuantityText, column), "", true, 0,
     "of the results, such as tip.x, or a formula of columns", NULL},
    {"unit", FIELD_TEXT, 1, offsetof(QuantityText, unit), "", false, 0, "of a formula, for the table", NULL},
    {"at", FIELD_REAL, 1, offsetof(QuantityText, at), "s", false, 0, "measures the value at this time", NULL},
    {"over", FIELD_TEXT, 1, offsetof(QuantityText, over), "", false, 0,
     "of `at` and `peak`: a column instead of the time, such as ledger.load_factor, whose values are at, from, to and "
     "the position of a peak, in SI units",
     NULL},
    {"since", FIELD_REAL, 1, offsetof(QuantityText, since), "s", false, 0,
     "of `at`: measures by how much the value has changed since this time", NULL},
    {"peak", FIELD_TEXT, 1, offsetof(QuantityText, peak), "", false, 0,
     "measures the largest or smallest value, or the farthest from zero", &peaks},
    {"spectrum", FIELD_REALS, 2, offsetof(QuantityText, spectrum), "Hz", false, 0,
     "measures the highest peak of the amplitude spectrum in this band", NULL},
    {"against", FIELD_TEXT, 1, offsetof(QuantityText, against), "", false, 0,
     "measures the difference to this run, at the times of both", NULL},
    {"steps", FIELD_LIST, 1, offsetof(QuantityText, step), "s", false, 0,
     "measures the order of convergence over these steps, three or more, each the same fraction of the one before",
     NULL},
    {"periods", FIELD_INT, 1, offsetof(QuantityText, periods), "", false, 0,
     "measures the period: the mean of this many periods, between upward crossings of zero", NULL},
    {"give", FIELD_TEXT, 1, offsetof(QuantityText, give), "", false, 0,
     "of a peak: its height (the default), or its position: time or frequency; of steps: their order (the default), or "
     "the limit of the values",
     &gives},
    {"norm", FIELD_TEXT, 1, offsetof(QuantityText, norm), "", false, 0,
     "of a difference: largest (the default) or root_mean_square", &norms},
    {"from", FIELD_REAL, 1, offsetof(QuantityText, from), "s", false, 0, "start of the measurement", NULL},
    {"to", FIELD_REAL, 1, offsetof(QuantityText, to), "s", false, 0,
     "end of the measurement; default: the end of the run", NULL},
    {"reference", FIELD_REAL, 1, offsetof(QuantityText, reference), "", true, 0, "expected value, in SI units", NULL},
    {"source", FIELD_TEXT, 1, offsetof(QuantityText, source), "", true, 0, "source of the reference", NULL},
    {"relative", FIELD_REAL, 1, offsetof(QuantityText, relative), "", false, 0,
     "tolerance as a fraction of the reference, such as 1e-3", NULL},
    {"absolute", FIELD_REAL, 1, offsetof(QuantityText, absolute), "", false, 0, "tolerance in SI units", NULL},
};
static const FieldTable quantity_table = FIELDS(quantity_fields, QuantityText);

typedef struct {
  int limber;
  const char *title;
  double seconds;
  const void *runs, *quantities;
} ExpectedText;

static const Field expected_fields[] = {
    {"limber", FIELD_INT, 1, offsetof(ExpectedText, limber), "", true, 0, "version of the format: 1", NULL},
    {"title", FIELD_TEXT, 1, offsetof(ExpectedText, title), "", false, 0, "what is verified", NULL},
    {"seconds", FIELD_REAL, 1, offsetof(ExpectedText, seconds), "s", true, 0,
     "time of all runs together, roughly: `limber verify` without names leaves out long ones", NULL},
    {"runs", FIELD_ANY, 1, offsetof(ExpectedText, runs), "", true, 0, "a map of name to run", NULL},
    {"quantities", FIELD_ANY, 1, offsetof(ExpectedText, quantities), "", true, 0, "a list", NULL},
};
static const FieldTable expected_table = FIELDS(expected_fields, ExpectedText);

// ---- reading ----

typedef struct {
  Reader reader;
  Expected *e;
  Names runs;
} ExpectedReader;

static int word_index(const char *text, const char *(*word)(int i)) {
  for (int i = 0; text && word(i); i++)
    if (!strcmp(word(i), text)) return i;
  return 0;
}

// "path=value", the value as it stands in the file.
static Error TextOf(ExpectedReader *x, const Tree *path, const Tree *value, const char **out) {
  const char *text = value->kind == TREE_WORD ? value->text : x->e->text + value->at.begin;
  int length = (int)(value->kind == TREE_WORD ? strlen(text) : value->at.end - value->at.begin);
  size_t size = strlen(path->text) + (size_t)length + 2;
  char *made = NULL;
  TRY(StoreAllocate(&x->e->store, size, &made));
  snprintf(made, size, "%s=%.*s", path->text, length, text);
  *out = made;
  return 0;
}

static Error ReadChanges(ExpectedReader *x, const Tree *set, ExpectedRun *run) {
  char name[200];
  if (set->kind != TREE_MAP) {
    TRY(ReportError(&x->reader, set->at,
                    "'set' must be a map of path to value, such as {run.scheme: preserving}, not %s",
                    tree_name(set, name, sizeof name)));
    return 0;
  }
  TRY(StoreAllocate(&x->e->store, (size_t)set->count * sizeof *run->change, &run->change));
  for (int i = 0; i < set->count; i++) TRY(TextOf(x, set->key[i], set->entry[i], &run->change[i]));
  run->changes = set->count;
  return 0;
}

static Error ReadRuns(ExpectedReader *x, const Tree *map) {
  char name[200];
  bool good;
  if (map->kind != TREE_MAP || !map->count) {
    TRY(ReportError(&x->reader, map->at, "'runs' must be a map of name to run, not %s",
                    tree_name(map, name, sizeof name)));
    return 0;
  }
  TRY(StoreAllocate(&x->e->store, (size_t)map->count * sizeof *x->e->run, &x->e->run));
  for (int i = 0; i < map->count; i++) {
    ExpectedRun *run = &x->e->run[x->e->runs];
    ExpectedRunText t;
    Form form = {&run_table, &t, 0, 0, 0};
    TRY(CheckName(&x->reader, "run", &x->runs, map->key[i]->text, map->key[i]->at, &good));
    if (good) TRY(NamesAdd(&x->runs, map->key[i]->text, x->e->runs, map->key[i]->at));
    TRY(FormsRead(&x->reader, "a run", map->key[i]->at, map->entry[i], 1, &form, &good));
    run->name = map->key[i]->text, run->model = t.model, run->command = word_index(t.command, command_word);
    if (t.set) TRY(ReadChanges(x, t.set, run));
    x->e->runs++;
  }
  return 0;
}

// The index of a run; -1 after a mistake.
static Error FindRun(ExpectedReader *x, const Tree *map, const char *field, int *out) {
  const Tree *word = tree_find(map, field);
  *out = 0;
  if (!word) return 0;
  int id;
  TRY(FindName(&x->reader, "run", &x->runs, word, &id));
  *out = id == BROKEN ? -1 : id;
  return 0;
}

// Exactly one of the fields that say what is measured.
static Error ReadMeasure(ExpectedReader *x, const Tree *map, const Form *form, Quantity *q) {
  static const struct {
    const char *field;
    MeasureKind measure;
  } measures[] = {{"at", MEASURE_AT},
                  {"peak", MEASURE_PEAK},
                  {"spectrum", MEASURE_SPECTRUM},
                  {"against", MEASURE_DIFFERENCE},
                  {"steps", MEASURE_ORDER},
                  {"periods", MEASURE_PERIOD}};
  int found = 0;
  bool order = form_given(form, "steps"); // may say at which time
  for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
    if (!form_given(form, measures[i].field) || (order && measures[i].measure == MEASURE_AT)) continue;
    q->measure = measures[i].measure;
    found++;
  }
  if (found != 1)
    TRY(ReportError(&x->reader, map->at, "a quantity has one of at, peak, spectrum, against, steps and periods%s",
                    found ? "; this has more" : ""));
  if (form_given(form, "since") && !form_given(form, "at"))
    TRY(ReportError(&x->reader, tree_find(map, "since")->at, "'since' needs 'at': from one time to the other"));
  if (form_given(form, "over") && q->measure != MEASURE_AT && q->measure != MEASURE_PEAK)
    TRY(ReportError(&x->reader, tree_find(map, "over")->at, "'over' needs 'at' or 'peak'"));
  if (form_good(form, "periods") && q->periods < 1)
    TRY(ReportError(&x->reader, tree_find(map, "periods")->at, "'periods' is how many, 1 or more"));
  if (form_good(form, "give") && q->give == GIVE_LIMIT && !(order && form_given(form, "at")))
    TRY(ReportError(&x->reader, tree_find(map, "give")->at,
                    "a limit is that of 'steps', and needs 'at': the time of the values"));
  return 0;
}

static Error CheckSteps(ExpectedReader *x, const Tree *map, const Quantity *q) {
  const Tree *steps = tree_find(map, "steps");
  bool falling = q->steps >= 3;
  for (int i = 2; i < q->steps; i++) {
    double ratio = q->step[0] / q->step[1];
    falling = falling && ratio > 1.01 && fabs(q->step[i - 1] / q->step[i] / ratio - 1) < 1e-6;
  }
  if (!falling)
    TRY(ReportError(&x->reader, steps->at,
                    "'steps' are three or more, each the same fraction of the one before, as 4 ms, 2 ms, 1 ms"));
  return 0;
}

static Give give_of(const char *text) {
  static const Give gives_of_words[] = {GIVE_ITSELF, GIVE_PLACE, GIVE_ITSELF, GIVE_LIMIT};
  return gives_of_words[word_index(text, give_word)];
}

static Error ReadQuantity(ExpectedReader *x, const Tree *map) {
  QuantityText t;
  bool good;
  Form form = {&quantity_table, &t, 0, 0, 0};
  Quantity *q = &x->e->quantity[x->e->quantities];
  TRY(FormsRead(&x->reader, "a quantity", map->at, map, 1, &form, &good));
  if (map->kind != TREE_MAP) return 0;
  *q = (Quantity){.name = t.name,
                  .column = t.column,
                  .unit = t.unit,
                  .source = t.source,
                  .over = t.over,
                  .peak = (Peak)word_index(t.peak, peak_word),
                  .norm = (Norm)word_index(t.norm, norm_word),
                  .give = give_of(t.give),
                  .at = form_given(&form, "at") ? t.at : -1,
                  .since = form_given(&form, "since") ? t.since : -1,
                  .periods = t.periods,
                  .from = form_given(&form, "from") || !t.over ? t.from : -INFINITY,
                  .to = form_given(&form, "to") ? t.to : INFINITY,
                  .band = {t.spectrum[0], t.spectrum[1]},
                  .step = t.step,
                  .steps = t.steps,
                  .reference = t.reference,
                  .relative = t.relative,
                  .absolute = t.absolute,
                  .where = map->at};
  TRY(FindRun(x, map, "run", &q->run));
  TRY(FindRun(x, map, "against", &q->other));
  if (good) TRY(ReadMeasure(x, map, &form, q));
  if (form_good(&form, "steps")) TRY(CheckSteps(x, map, q));
  if (good && form_given(&form, "relative") + form_given(&form, "absolute") != 1)
    TRY(ReportError(&x->reader, map->at, "a quantity has one tolerance, relative or absolute"));
  else if (good && !(t.relative > 0) && !(t.absolute > 0))
    TRY(ReportError(&x->reader, map->at, "a tolerance must be positive"));
  x->e->quantities++;
  return 0;
}

static Error ReadAll(ExpectedReader *x, const Tree *root) {
  ExpectedText t;
  bool good;
  char name[200];
  Form form = {&expected_table, &t, 0, 0, 0};
  TRY(FormsRead(&x->reader, "expected.yaml", (SourceLocation){0, 0, 0}, root, 1, &form, &good));
  if (root->kind != TREE_MAP) return 0;
  x->e->title = t.title ? t.title : "", x->e->seconds = t.seconds;
  if (t.runs) TRY(ReadRuns(x, t.runs));
  const Tree *list = t.quantities;
  if (!list) return 0;
  if (list->kind != TREE_LIST) {
    TRY(ReportError(&x->reader, list->at,
                    "'quantities' must be a list with one entry per line, each beginning with '-', not %s",
                    tree_name(list, name, sizeof name)));
    return 0;
  }
  TRY(StoreAllocate(&x->e->store, (size_t)list->count * sizeof *x->e->quantity, &x->e->quantity));
  for (int i = 0; i < list->count; i++) TRY(ReadQuantity(x, list->entry[i]));
  return 0;
}

Error ExpectedRead(const char *file, const char *text, size_t length, Expected **out) {
  Expected *e = NULL;
  Tree *root;
  const char *name;
  int file_index;
  TRY(MemoryNew(sizeof *e, &e));
  TRY(MemoryNew(length + 1, &e->text));
  if (length) memcpy(e->text, text, length);
  TRY(StoreText(&e->store, file, strlen(file), &name));
  TRY(DiagnosticsAddFile(&e->diagnostics, name, e->text, length, &file_index));
  ExpectedReader x = {.reader = {.diagnostics = &e->diagnostics, .field_reader = field_readers}, .e = e};
  TRY(TreeRead(&e->store, &e->diagnostics, (SourceLocation){0, length, 0}, &x.reader.count, &root));
  if (root) TRY(ReadAll(&x, root));
  else if (!e->diagnostics.errors) TRY(ReportError(&x.reader, (SourceLocation){0, 0, 0}, "the file is empty"));
  TRY(NamesDestroy(&x.runs));
  TRY(UnitsDestroy(&x.reader.units));
  e->keep = x.reader.store;
  *out = e;
  return 0;
}

Error ExpectedDestroy(Expected **e) {
  if (!*e) return 0;
  TRY(DiagnosticsDestroy(&(*e)->diagnostics));
  TRY(StoreDestroy(&(*e)->store));
  TRY(StoreDestroy(&(*e)->keep));
  memory_free(&(*e)->text);
  memory_free(e);
  return 0;
}
