// SPDX-License-Identifier: Apache-2.0
#include "post/study/survey.h"

#include "statistics/fatigue.h"
#include "statistics/quantile.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16 }; // rows that are read at once

const double survey_quantile[SURVEY_QUANTILES] = {0.01, 0.05, 0.5, 0.95, 0.99};

static bool no_memory(const Survey *s) { return print_command_error(s->command, "there is not enough memory"), false; }

static bool is_damaged(const Survey *s, const char *column) {
  return print_command_error(s->command, "the table is damaged: column '%s' cannot be read", column), false;
}

bool open_study(const char *command, const char *path, StudyTable **t) {
  char wrong[5000];
  if (study_table_open(path, t, wrong, sizeof wrong)) return true;
  return print_command_error(command, "%s", wrong), false;
}

const StudyColumn *survey_column(const Survey *s, int column) {
  return study_table_column(s->table, s->column[column].column);
}

const char *survey_statistic(const Survey *s, int column) {
  const StudyColumn *c = survey_column(s, column);
  const char *space = c->kind == STUDY_STATISTIC ? strchr(c->name, ' ') : NULL;
  return space ? space + 1 : c->name;
}

bool survey_value(Survey *s, int table_column, long row, double *value) {
  if (study_table_read(s->table, table_column, row, 1, value)) return true;
  return is_damaged(s, study_table_column(s->table, table_column)->name);
}

bool survey_ended(const Survey *s, long row) { return s->ended[row / 8] >> (row % 8) & 1; }

// ---- samples ----

// A place in each of m equal parts, by a hash of its number (splitmix64): a design with a period is not met by another period.
long survey_spread(long n, int m, int i) {
  if (n <= m) return i;
  uint64_t x = (uint64_t)i * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u, x = (x ^ x >> 27) * 0x94d049bb133111ebu, x ^= x >> 31;
  double part = (double)n / m, at = ((double)i + (double)(x >> 11) * 0x1p-53) * part;
  long k = (long)at;
  return k < n ? k : n - 1;
}

// The rows of the samples, by their numbers among the runs that finished and among those that failed.
static bool choose_samples(Survey *s) {
  long failed = s->runs - s->finished, seen[2] = {0, 0};
  s->samples = (int)(s->finished < SURVEY_SAMPLE ? s->finished : SURVEY_SAMPLE);
  s->failed_samples = (int)(failed < SURVEY_FAILED ? failed : SURVEY_FAILED);
  s->sample = calloc((size_t)s->samples + 1, sizeof *s->sample);
  s->failed_sample = calloc((size_t)s->failed_samples + 1, sizeof *s->failed_sample);
  if (!s->sample || !s->failed_sample) return no_memory(s);
  int next[2] = {0, 0};
  for (long row = 0; row < s->runs; row++) {
    if (survey_ended(s, row)) {
      while (next[0] < s->samples && survey_spread(s->finished, s->samples, next[0]) == seen[0])
        s->sample[next[0]++] = row;
      seen[0]++;
    } else {
      while (next[1] < s->failed_samples && survey_spread(failed, s->failed_samples, next[1]) == seen[1])
        s->failed_sample[next[1]++] = row;
      seen[1]++;
    }
  }
  return true;
}

// ---- numbers of a column ----

typedef struct {
  ColumnSurvey *c;
  Quantiles *quantiles;
  LifetimeLoad lifetime;
  double squares; // of deviations from the mean
  int next[2];    // of the samples
} Gathering;

static void note_worst(ColumnSurvey *c, long row, double value) {
  int at = c->worsts;
  if (at == SURVEY_WORST && !(fabs(value) > fabs(c->worst[at - 1].value))) return;
  if (at == SURVEY_WORST) at--;
  else c->worsts++;
  for (; at > 0 && fabs(value) > fabs(c->worst[at - 1].value); at--) c->worst[at] = c->worst[at - 1];
  c->worst[at] = (RunValue){row, value};
}

static Error AddValue(Gathering *g, long row, double value, double weight) {
  ColumnSurvey *c = g->c;
  if (!isfinite(value)) return 0;
  c->count++;
  double away = value - c->mean;
  c->mean += away / (double)c->count; // Welford
  g->squares += away * (value - c->mean);
  if (c->count == 1 || value < c->low) c->low = value, c->low_row = row;
  if (c->count == 1 || value > c->high) c->high = value, c->high_row = row;
  note_worst(c, row, value);
  if (g->lifetime.damage.exponent > 0) lifetime_add(&g->lifetime, value, weight);
  return QuantilesAdd(g->quantiles, value, 1);
}

static Error AddPiece(Survey *s, Gathering *g, long from, long count, const double *value, const double *weight) {
  ColumnSurvey *c = g->c;
  for (long i = 0; i < count; i++) {
    long row = from + i;
    while (g->next[0] < s->samples && s->sample[g->next[0]] == row) c->finished[g->next[0]++] = value[i];
    while (g->next[1] < s->failed_samples && s->failed_sample[g->next[1]] == row) c->lost[g->next[1]++] = value[i];
    if (survey_ended(s, row)) TRY(AddValue(g, row, value[i], weight[i]));
  }
  return 0;
}

static void end_gathering(Gathering *g) {
  ColumnSurvey *c = g->c;
  c->deviation = c->count ? sqrt(fmax(g->squares / (double)c->count, 0)) : NAN;
  if (c->low == c->high) c->deviation = 0, c->mean = c->low; // without round-off
  for (int q = 0; q < SURVEY_QUANTILES; q++)
    c->quantile[q] = c->count ? quantiles_value(g->quantiles, survey_quantile[q]) : NAN;
  c->lifetime = g->lifetime.damage.exponent > 0 ? lifetime_equivalent(&g->lifetime) : NAN;
  if (!c->count) c->mean = c->low = c->high = NAN;
}

static bool survey_one(Survey *s, int column, Quantiles *quantiles, double *value, double *weight) {
  ColumnSurvey *c = &s->column[column];
  const char *name = survey_column(s, column)->name, *statistic = survey_statistic(s, column);
  Gathering g = {.c = c, .quantiles = quantiles};
  c->finished = calloc((size_t)s->samples + 1, sizeof *c->finished);
  c->lost = calloc((size_t)s->failed_samples + 1, sizeof *c->lost);
  if (!c->finished || !c->lost) return no_memory(s);
  if (survey_column(s, column)->kind == STUDY_STATISTIC && !strncmp(statistic, "del ", 4))
    g.lifetime.damage.exponent = strtod(statistic + 4, NULL);
  quantiles_start(quantiles);
  for (long from = 0; from < s->runs; from += PIECE) {
    long count = s->runs - from < PIECE ? s->runs - from : PIECE;
    if (!study_table_read(s->table, c->column, from, count, value)) return is_damaged(s, name);
    if (g.lifetime.damage.exponent > 0 && !study_table_weights(s->table, from, count, weight))
      return is_damaged(s, "weight");
    if (AddPiece(s, &g, from, count, value, weight)) return no_memory(s);
  }
  end_gathering(&g);
  return true;
}

static bool survey_columns(Survey *s) {
  Quantiles *quantiles = NULL;
  double *value = malloc(2 * PIECE * sizeof *value);
  bool good = value && !QuantilesCreate(&quantiles);
  if (!good) no_memory(s);
  for (int i = 0; good && i < s->columns; i++) good = survey_one(s, i, quantiles, value, value + PIECE);
  if (quantiles) (void)QuantilesDestroy(&quantiles);
  free(value);
  return good;
}

bool survey_histogram(Survey *s, int column, int bins, double *count) {
  const ColumnSurvey *c = &s->column[column];
  double *value = malloc(PIECE * sizeof *value), size = (c->high - c->low) / bins;
  bool good = value || no_memory(s);
  memset(count, 0, (size_t)bins * sizeof *count);
  for (long from = 0; good && from < s->runs; from += PIECE) {
    long n = s->runs - from < PIECE ? s->runs - from : PIECE;
    good = study_table_read(s->table, c->column, from, n, value) || is_damaged(s, survey_column(s, column)->name);
    for (long i = 0; good && i < n; i++) {
      if (!survey_ended(s, from + i) || !isfinite(value[i])) continue;
      int bin = size > 0 ? (int)((value[i] - c->low) / size) : 0;
      count[bin < 0 ? 0 : bin < bins ? bin : bins - 1]++;
    }
  }
  free(value);
  return good;
}

// ---- what there is ----

static bool list_columns(Survey *s) {
  int all = study_table_columns(s->table);
  s->column = calloc((size_t)all + 1, sizeof *s->column);
  if (!s->column) return no_memory(s);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < all; i++) {
      StudyColumnKind kind = study_table_column(s->table, i)->kind;
      if (kind != (pass ? STUDY_STATISTIC : STUDY_PARAMETER)) continue;
      if (s->columns == SURVEY_COLUMNS) s->left_out++;
      else s->column[s->columns++].column = i, s->parameters += !pass;
    }
  return true;
}

static ChannelSurvey *channel_of(Survey *s, int column) {
  const StudyColumn *c = survey_column(s, column);
  size_t n = strcspn(c->name, " ");
  ChannelSurvey *last = s->channels ? &s->channel[s->channels - 1] : NULL;
  if (last && strlen(last->name) == n && !strncmp(last->name, c->name, n)) return last;
  last = &s->channel[s->channels++];
  *last = (ChannelSurvey){.units = "", .low = -1, .low_time = -1, .high = -1, .high_time = -1, .first = column};
  snprintf(last->name, sizeof last->name, "%.*s", (int)n, c->name);
  last->factor = study_table_factor(s->table, last->name);
  return last;
}

static bool list_channels(Survey *s) {
  s->channel = calloc((size_t)s->columns + 1, sizeof *s->channel);
  if (!s->channel) return no_memory(s);
  for (int i = s->parameters; i < s->columns; i++) {
    ChannelSurvey *c = channel_of(s, i);
    const char *statistic = survey_statistic(s, i);
    c->count++;
    if (!strcmp(statistic, "min")) c->low = i;
    else if (!strcmp(statistic, "max")) c->high = i;
    else if (!strcmp(statistic, "min time")) c->low_time = i;
    else if (!strcmp(statistic, "max time")) c->high_time = i;
    if (!strstr(statistic, "time") && strncmp(statistic, "up ", 3) && !*c->units) c->units = survey_column(s, i)->units;
  }
  return true;
}

static bool take_columns(Survey *s, int count, const int *column) {
  s->column = calloc((size_t)count + 1, sizeof *s->column);
  if (!s->column) return no_memory(s);
  for (int i = 0; i < count; i++) s->column[s->columns++].column = column[i];
  return true;
}

bool survey_make(const char *command, StudyTable *t, int count, const int *column, Survey *s) {
  double last;
  *s = (Survey){.table = t, .command = command, .runs = study_table_runs(t)};
  int status = study_table_find(t, "status");
  if (status < 0 || !study_table_read(t, status, s->runs - 1, 1, &last)) return is_damaged(s, "status");
  s->ended = calloc((size_t)(s->runs / 8 + 1), 1);
  if (!s->ended) return no_memory(s);
  bool good = column ? take_columns(s, count, column) : list_columns(s) && list_channels(s);
  return good && survey_failures(s) && choose_samples(s) && survey_columns(s);
}

void survey_free(Survey *s) {
  for (int i = 0; s->column && i < s->columns; i++)
    free(s->column[i].finished), free(s->column[i].lost), free(s->column[i].rank);
  free(s->column), free(s->channel), free(s->sample), free(s->failed_sample), free(s->ended), free(s->group);
  *s = (Survey){0};
}
