// SPDX-License-Identifier: Apache-2.0
// What is told of each run: the entries of `summary`, and which histories are kept.
#include "input/yaml/number.h"
#include "input/yaml/report.h"
#include "input/yaml/form.h"
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

Error ReadChannels(PlanReader *x) {
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
                        "'%s' stands here twice: one entry has all of its numbers", p->channel[k].column));
    p->channels++;
  }
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
    else TRY(ReportError(&x->reader, word->at, "'worst' is followed by how many, 1 to %d: worst 10", LIMIT_KEPT_RUNS));
    return 0;
  }
  TRY(ReportError(&x->reader, word->at, "there is no 'histories: %s'%s", text, nearest_hint(&n, "there are")));
  return 0;
}

Error ReadKeep(PlanReader *x) {
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
  p->worst_of = t->of, p->worst_at = tree_find(map, "of")->at;
  if (i == p->channels && p->channels)
    TRY(ReportError(&x->reader, p->worst_at, "'summary' has no channel '%s'%s", t->of, nearest_hint(&n, "it has")));
  return 0;
}
