// SPDX-License-Identifier: Apache-2.0
// Reads a plan: what is reported for each run (the entries of `summary`), which histories are kept, and the part
// `study`.
#include "input/yaml/fields.h"
#include "input/yaml/files.h"
#include "input/yaml/form.h"
#include "input/yaml/number.h"
#include "input/yaml/parts.h"
#include "input/yaml/report.h"
#include "input/yaml/units.h"
#include "model/formula.h"
#include "study/plan/reader.h"

#include <stdlib.h>
#include <string.h>

static Error CheckList(PlanReader *x, const char *field, const Tree *list, bool *good) {
  char name[200];
  *good = list->kind == TREE_LIST && list->count >= 1 && list->count <= SUMMARY_LIST;
  if (!*good && !list->broken)
    TRY(ReportError(&x->reader, list->at, "'%s' must be a list of 1 to %d, not %s", field, SUMMARY_LIST,
                    tree_name(list, name, sizeof name)));
  return 0;
}

static Error ReadStatistics(PlanReader *x, const Tree *list, SummaryOptions *o) {
  bool good, *const flag[] = {&o->extremes, &o->mean, &o->deviation};
  if (!list) {
    o->extremes = o->mean = o->deviation = true;
    return 0;
  }
  Tree *ones[] = {(Tree *)list};
  const Tree one = {.kind = TREE_LIST, .at = list->at, .text = "", .count = 1, .entry = ones};
  if (list->kind == TREE_WORD) list = &one;
  TRY(CheckList(x, "statistics", list, &good));
  for (int k = 0; good && k < list->count; k++) {
    const Tree *word = list->entry[k];
    Nearest n;
    int i = 0;
    nearest_begin(&n, word->text);
    for (; study_statistic(i) && strcmp(study_statistic(i), word->text); i++) nearest_try(&n, study_statistic(i));
    if (study_statistic(i)) *flag[i] = true;
    else
      TRY(ReportError(&x->reader, word->at, "there is no statistic '%s'%s", word->text, nearest_hint(&n, "there are")));
  }
  return 0;
}

// Pure numbers between two others, without these.
static Error ReadList(PlanReader *x, const char *field, const Tree *list, double above, double below, double *out,
                      int *count) {
  bool good;
  if (!list) return 0;
  TRY(CheckList(x, field, list, &good));
  for (int i = 0; good && i < list->count; i++) {
    bool right;
    TRY(ReadNumber(&x->reader, field, list->entry[i], "", &out[i], &right));
    if (right && !(out[i] > above && out[i] < below))
      TRY(ReportError(&x->reader, list->entry[i]->at, "'%s' must be above %g and below %g", field, above, below));
  }
  if (good) *count = list->count;
  return 0;
}

static Error ReadLevels(PlanReader *x, const SummaryText *t, PlanChannel *c) {
  bool good;
  if (!t->up_crossings) return 0;
  TRY(CheckList(x, "up_crossings", t->up_crossings, &good));
  for (int i = 0; good && i < t->up_crossings->count; i++) {
    bool right;
    TRY(ReadInSi(x, "up_crossings", t->up_crossings->entry[i], &c->summary.level[i], &c->level_unit[i], &right));
  }
  if (good) c->summary.levels = t->up_crossings->count;
  return 0;
}

static Error ReadChannel(PlanReader *x, const SummaryText *t, const Tree *map, PlanChannel *c) {
  const Tree *name = tree_find(map, "channel");
  SummaryOptions *o = &c->summary;
  bool good = true;
  *c = (PlanChannel){.column = t->channel ? t->channel : "", .factor = t->factor, .ultimate_unit = ""};
  c->at = name ? name->at : map->at;
  for (int i = 0; i < SUMMARY_LIST; i++) c->level_unit[i] = "";
  o->frequency = t->frequency, o->from = t->from, o->repeats = t->residue && !strcmp(t->residue, "repeat");
  TRY(ReadStatistics(x, t->statistics, o));
  TRY(ReadList(x, "quantiles", t->quantiles, 0, 1, o->quantile, &o->quantiles));
  TRY(ReadList(x, "exponents", t->exponents, 0, 100, o->exponent, &o->exponents));
  TRY(ReadLevels(x, t, c));
  if (t->ultimate) TRY(ReadInSi(x, "ultimate", t->ultimate, &o->ultimate, &c->ultimate_unit, &good));
  const Rule rules[] = {{!(t->frequency > 0), "frequency", "must be positive"},
                        {!(t->factor > 0), "factor", "must be positive"},
                        {good && !(o->ultimate > 0), "ultimate", "must be positive"},
                        {!o->exponents, "ultimate", "needs 'exponents': it corrects damage-equivalent loads"},
                        {!o->exponents, "frequency", "needs 'exponents': it is that of damage-equivalent loads"},
                        {!o->exponents, "residue", "needs 'exponents': it is that of damage-equivalent loads"}};
  TRY(APPLY(&x->reader, map, NULL, rules, &good));
  return 0;
}

static Error ReadChannels(PlanReader *x) {
  Plan *p = x->plan;
  const Tree *list = tree_find(x->map, "summary");
  if (!list || !form_good(&x->form, "summary")) return 0;
  if (x->text.summaries > LIMIT_CHANNELS) {
    TRY(ReportError(&x->reader, list->at, "'summary' has more than %d channels", LIMIT_CHANNELS));
    return 0;
  }
  TRY(StoreAllocate(&p->store, (size_t)x->text.summaries * sizeof *p->channel, &p->channel));
  for (int i = 0; i < x->text.summaries; i++) {
    const Tree *map = list->kind == TREE_MAP ? list : list->entry[i];
    TRY(ReadChannel(x, &x->text.summary[i], map, &p->channel[p->channels]));
    for (int k = 0; k < p->channels; k++)
      if (!strcmp(p->channel[k].column, p->channel[p->channels].column))
        TRY(ReportError(&x->reader, p->channel[p->channels].at,
                        "'%s' is listed twice: one entry contains all of its statistics", p->channel[k].column));
    p->channels++;
  }
  return 0;
}

// ---- gradients ----

enum { MOST_DERIVATIVES = 10000 }; // of a run

// A word, or a list of words.
static Error ReadNames(PlanReader *x, const char *field, const Tree *list, const PlanName **out, int *count) {
  Tree *ones[] = {(Tree *)list};
  const Tree one = {.kind = TREE_LIST, .at = list->at, .text = "", .count = 1, .entry = ones};
  char text[200];
  PlanName *name;
  if (list->kind == TREE_WORD) list = &one;
  if (list->kind != TREE_LIST || !list->count || list->count > MOST_DERIVATIVES) {
    if (!list->broken)
      TRY(ReportError(&x->reader, list->at, "'%s' must be a list of 1 to %d words, not %s", field, MOST_DERIVATIVES,
                      tree_name(list, text, sizeof text)));
    return 0;
  }
  TRY(StoreAllocate(&x->plan->store, (size_t)list->count * sizeof *name, &name));
  for (int i = 0; i < list->count; i++) {
    const Tree *word = list->entry[i];
    if (word->kind == TREE_WORD) name[(*count)++] = (PlanName){.text = word->text, .at = word->at};
    else if (!word->broken)
      TRY(ReportError(&x->reader, word->at, "'%s' must be a list of words, and this is %s", field,
                      tree_name(word, text, sizeof text)));
  }
  *out = name;
  return 0;
}

static Error ReadGradients(PlanReader *x) {
  PlanGradients *g = &x->plan->gradients;
  const GradientsText *t = &x->text.gradients;
  const Tree *map = tree_find(x->map, "gradients");
  if (!map || !form_good(&x->form, "gradients")) return 0;
  TRY(ReadNames(x, "of", t->of, &g->quantity, &g->quantities));
  TRY(ReadNames(x, "wrt", t->wrt, &g->parameter, &g->parameters));
  g->adjoint = t->method && !strcmp(t->method, "adjoint");
  if ((int64_t)g->quantities * g->parameters > MOST_DERIVATIVES)
    TRY(ReportError(&x->reader, map->at, "'gradients' has %d quantities and %d parameters, more than %d derivatives",
                    g->quantities, g->parameters, MOST_DERIVATIVES));
  return 0;
}

// ---- histories ----

static Error ReadHistories(PlanReader *x, const Tree *word) {
  static const char *const words[] = {"none", "failed", "worst", "all"}; // in the order of PlanKeep
  Plan *p = x->plan;
  const char *text = word->text;
  size_t length = strcspn(text, " ");
  Nearest n;
  char first[20], *end;
  snprintf(first, sizeof first, "%.*s", (int)(length < 19 ? length : 19), text);
  nearest_begin(&n, first);
  for (int i = 0; i < 4; i++) {
    nearest_try(&n, words[i]);
    if (strcmp(first, words[i]) || (text[length] && i != KEEP_WORST)) continue;
    p->keep = (PlanKeep)i, p->worst = 10;
    if (!text[length]) return 0;
    long count = strtol(text + length, &end, 10);
    if (!*end && count >= 1 && count <= LIMIT_KEPT_RUNS) p->worst = (int)count;
    else TRY(ReportError(&x->reader, word->at, "'worst' needs a number, 1 to %d: worst 10", LIMIT_KEPT_RUNS));
    return 0;
  }
  TRY(ReportError(&x->reader, word->at, "there is no 'histories: %s'%s", text, nearest_hint(&n, "there are")));
  return 0;
}

static Error ReadKeep(PlanReader *x) {
  Plan *p = x->plan;
  const Tree *map = tree_find(x->map, "keep"), *histories = map ? tree_find(map, "histories") : NULL;
  const KeepText *t = &x->text.keep;
  if (!map || !form_good(&x->form, "keep")) return 0;
  if (histories) TRY(ReadHistories(x, histories));
  if (!t->of) return 0;
  Nearest n;
  nearest_begin(&n, t->of);
  int i = 0;
  for (; i < p->channels && strcmp(p->channel[i].column, t->of); i++) nearest_try(&n, p->channel[i].column);
  p->worst_channel = i < p->channels ? i : 0;
  p->worst_of = t->of, p->worst_at = tree_find(map, "channel")->at;
  if (i == p->channels && p->channels)
    TRY(ReportError(&x->reader, p->worst_at, "'summary' has no channel '%s'%s", t->of, nearest_hint(&n, "it has")));
  return 0;
}

static int word_index(const char *text, const char *(*word)(int i)) {
  for (int i = 0; text && word(i); i++)
    if (!strcmp(word(i), text)) return i;
  return 0;
}

// ---- the part `study` ----

static Error ReadLimits(PlanReader *x) {
  const Tree *map = tree_find(x->map, "limits");
  const LimitsText *t = &x->text.limits;
  if (!map || !form_good(&x->form, "limits")) return 0;
  const Tree *time = tree_find(map, "time"), *steps = tree_find(map, "steps");
  if (time && !(t->time > 0)) TRY(ReportError(&x->reader, time->at, "'time' must be positive"));
  if (steps && !(t->steps >= 1 && t->steps < 1e15))
    TRY(ReportError(&x->reader, steps->at, "'steps' must be at least 1 and below 1e15"));
  else x->plan->step_limit = (int64_t)t->steps;
  x->plan->time_limit = t->time;
  return 0;
}

static Error ReadStudy(PlanReader *x, SourceLocation at) {
  Plan *p = x->plan;
  bool good;
  x->form = (Form){&study_table, &x->text, 0, 0, 0};
  TRY(FormsRead(&x->reader, "study", at, x->map, 1, &x->form, &good));
  if (x->map->kind != TREE_MAP) return 0;
  p->design = (PlanDesign)word_index(x->text.design, study_design);
  p->stop_at_failure = x->text.on_failure && !strcmp(x->text.on_failure, "stop");
  p->error_bars = x->text.error_bars;
  TRY(ReadWhole(x, "seed", x->text.seed, 0, 0x1p53, &p->seed));
  TRY(StoreAllocate(&p->store, LIMIT_VARIABLES * sizeof *p->variable, &p->variable));
  TRY(StoreAllocate(&p->store, (LIMIT_VARIABLES + 1) * sizeof *p->axis, &p->axis));
  if (form_good(&x->form, "table")) TRY(ReadTable(x));
  TRY(ReadVariables(x));
  TRY(CountRuns(x));
  TRY(ReadChannels(x));
  TRY(ReadGradients(x));
  TRY(ReadKeep(x));
  TRY(ReadLimits(x));
  TRY(ReadWeights(x));
  return 0;
}

// ---- the file ----

// A file with `of` is a plan alone; else it is the model, too.
static Error FindModel(PlanReader *x, const Tree *root) {
  Plan *p = x->plan;
  const char *slash = strrchr(p->file, '/');
  if (!x->text.of) {
    p->model = slash ? slash + 1 : p->file;
    return 0;
  }
  p->model = x->text.of;
  for (int i = 0; i < root->count; i++) {
    const char *key = root->key[i]->text;
    if (strcmp(key, "limber") && strcmp(key, "title") && strcmp(key, "study"))
      TRY(ReportError(&x->reader, root->key[i]->at, "'%s' belongs to the model file '%s', which 'model' names", key,
                      x->text.of));
  }
  return 0;
}

static Error ReadFile(PlanReader *x, const Tree *root) {
  FileText text;
  Form form = {kind_file.fields, &text, 0, 0, 0};
  bool good;
  TRY(FormsRead(&x->reader, "a plan", (SourceLocation){0, 0, 0}, root, 1, &form, &good));
  if (root->kind != TREE_MAP) return 0;
  if (text.limber) TRY(CheckVersion(&x->reader, tree_find(root, "limber"), text.limber));
  x->plan->title = text.title ? text.title : "";
  x->map = text.part_study;
  if (!x->map) {
    TRY(ReportError(&x->reader, (SourceLocation){0, 0, 0}, "this file has no part 'study' with the fields that vary"));
    return 0;
  }
  TRY(ReadStudy(x, x->map->at));
  TRY(FindModel(x, root));
  return 0;
}

Error PlanRead(const char *file, const char *text, size_t length, SourceReader read, Diagnostics *d, Plan **out) {
  Plan *p = NULL;
  Tree *root;
  char *copy, *name;
  int index;
  ENSURE(!d->files, ERROR_PROGRAM, "the diagnostics of a plan begin with it");
  TRY(MemoryNew(sizeof *p, &p));
  p->weight_variable = -1, p->repeat = 1;
  TRY(StoreAllocate(&p->store, length + 1, &copy));
  if (length) memcpy(copy, text, length);
  TRY(StoreAllocate(&p->store, strlen(file) + 1, &name));
  p->file = strcpy(name, file), p->text = copy, p->model = p->title = "";
  TRY(DiagnosticsAddFile(d, p->file, p->text, length, &index));
  TRY(MemoryNew(sizeof *p->in, &p->in)); // the sources of the plan: itself and its tables
  TRY(LimberModelCreate(&p->in->model));
  TRY(MemoryNew(sizeof *p->in->source, &p->in->source));
  const char *base = strrchr(p->file, '/');
  char *own = NULL;
  TRY(MemoryNew(1, &own)); // the text itself is the plan's
  p->in->file = p->file,
  p->in->source[p->in->sources++] = (InputSource){.name = base ? base + 1 : p->file, .text = own};
  PlanReader x = {
      .reader = {.in = p->in, .model = p->in->model, .read = read, .field_reader = field_readers, .diagnostics = d},
      .plan = p};
  count_bytes(&x.reader, length);
  TRY(TreeRead(&p->store, d, (SourceLocation){0, length, 0}, &x.reader.count, &root));
  if (root) TRY(ReadFile(&x, root));
  else if (!d->errors) TRY(ReportError(&x.reader, (SourceLocation){0, 0, 0}, "the file is empty"));
  TRY(UnitsDestroy(&x.reader.units));
  p->values = x.reader.store;
  *out = p;
  return 0;
}

Error PlanDestroy(Plan **p) {
  if (!*p) return 0;
  TRY(InputDestroy(&(*p)->in));
  TRY(StoreDestroy(&(*p)->store));
  TRY(StoreDestroy(&(*p)->values));
  memory_free(p);
  return 0;
}
