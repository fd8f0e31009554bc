// SPDX-License-Identifier: Apache-2.0
#include "post/study/survey.h"

#include "input/yaml/names.h"
#include "model/refusal.h"
#include "statistics/fatigue.h"
#include "statistics/summary.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16 }; // rows that are read at once

const double survey_quantile[SURVEY_QUANTILES] = {0.01, 0.05, 0.5, 0.95, 0.99};

static bool no_memory(const Survey *s) { return print_command_error(s->command, "not enough memory"), false; }

static bool is_damaged(const Survey *s, const char *column) {
  return print_command_error(s->command, "the table is damaged: column '%s' cannot be read", column), false;
}

bool open_study(const char *command, const char *path, StudyTable **t) {
  Refusal wrong;
  if (study_table_open(path, t, &wrong)) return true;
  return print_command_error(command, "%s", wrong.text), false;
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

static bool survey_ended(const Survey *s, long row) { return s->ended[row / 8] >> (row % 8) & 1; }

// ---- samples ----

// A place in each of m equal parts, by a hash of its number (splitmix64): a design with a period is not met by another
// period.
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

// Columns of the table of a study by the names that a user writes.

static bool same_but_blanks(const char *a, const char *b) {
  for (; *a && *b; a++, b++)
    if (*a != *b && !((*a == ' ' || *a == '.') && (*b == ' ' || *b == '.'))) return false;
  return *a == *b;
}

static const char *group_of(const StudyColumn *c) {
  switch (c->kind) {
  case STUDY_PARAMETER: return "parameters";
  case STUDY_OUTCOME: return "outcome";
  case STUDY_STATISTIC: return "statistics";
  case STUDY_CONCURRENT: return "concurrent";
  case STUDY_ERROR: return "errors";
  case STUDY_GRADIENT: return "gradients";
  }
  return "";
}

static bool is_of_channel(const StudyColumn *c, const char *word) {
  size_t n = strlen(word);
  return c->kind == STUDY_STATISTIC && !strncmp(c->name, word, n) && c->name[n] == ' ';
}

static bool column_matches(const StudyColumn *c, const char *word, int way) {
  switch (way) {
  case 0: return !strcmp(c->name, word);
  case 1: return same_but_blanks(c->name, word);
  case 2: return is_of_channel(c, word);
  default: return !strcmp(group_of(c), word);
  }
}

// Adds what a word means, in the first way in which it means something; how many.
static int add_columns(const StudyTable *t, const char *word, int *column) {
  int count = 0;
  for (int way = 0; way < 4 && !count; way++)
    for (int i = 0; i < study_table_columns(t); i++)
      if (column_matches(study_table_column(t, i), word, way)) column[count++] = i;
  return count;
}

static void explain_unknown_column(const char *command, const StudyTable *t, const char *word) {
  Nearest n;
  nearest_begin(&n, word);
  for (int i = 0; i < study_table_columns(t); i++)
    if (study_table_column(t, i)->kind < STUDY_CONCURRENT || study_table_column(t, i)->kind == STUDY_GRADIENT)
      nearest_try(&n, study_table_column(t, i)->name);
  print_command_error(command, "the study has no column '%s'%s", word, nearest_hint(&n, "there are"));
}

bool study_columns(const char *command, const StudyTable *t, int words, const char *const *word, int **column,
                   int *count) {
  size_t all = (size_t)study_table_columns(t);
  *column = calloc(all * (size_t)words + 1, sizeof **column), *count = 0;
  if (!*column) return print_command_error(command, "not enough memory"), false;
  for (int i = 0; i < words; i++) {
    int n = add_columns(t, word[i], *column + *count);
    if (!n) return explain_unknown_column(command, t, word[i]), free(*column), *column = NULL, false;
    *count += n;
  }
  return true;
}

// Correlations of two columns over the sample of a survey: Pearson's of the values, Spearman's of their ranks.

typedef struct {
  double value;
  int at;
} Ranked;

static int by_value(const void *left, const void *right) {
  const Ranked *a = left, *b = right;
  if (a->value != b->value) return a->value < b->value ? -1 : 1;
  return a->at - b->at;
}

// Ranks among the finite values, equal ones with the mean of their ranks.
static bool find_ranks(int n, const double *value, double *rank) {
  Ranked *r = malloc(((size_t)n + 1) * sizeof *r);
  int count = 0;
  if (!r) return false;
  for (int i = 0; i < n; i++) {
    rank[i] = NAN;
    if (isfinite(value[i])) r[count++] = (Ranked){value[i], i};
  }
  qsort(r, (size_t)count, sizeof *r, by_value);
  for (int i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && r[end].value == r[i].value; end++) {}
    for (int k = i; k < end; k++) rank[r[k].at] = 0.5 * (i + end - 1);
  }
  free(r);
  return true;
}

// About the means, so that no digits are lost.
static double correlate_values(int n, const double *x, const double *y) {
  double mean[2] = {0, 0}, xx = 0, yy = 0, xy = 0;
  int count = 0;
  for (int i = 0; i < n; i++)
    if (isfinite(x[i]) && isfinite(y[i])) mean[0] += x[i], mean[1] += y[i], count++;
  if (count < 3) return NAN;
  mean[0] /= count, mean[1] /= count;
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i]) || !isfinite(y[i])) continue;
    double dx = x[i] - mean[0], dy = y[i] - mean[1];
    xx += dx * dx, yy += dy * dy, xy += dx * dy;
  }
  double scale = sqrt(xx) * sqrt(yy), noise = 1e-13 * count; // of values that differ by round-off alone
  if (!(sqrt(xx) > noise * fabs(mean[0])) || !(sqrt(yy) > noise * fabs(mean[1])) || !(scale > 0)) return NAN;
  return fmax(-1, fmin(1, xy / scale));
}

const double *survey_ranks(Survey *s, int column) {
  ColumnSurvey *c = &s->column[column];
  if (c->rank) return c->rank;
  c->rank = malloc(((size_t)s->samples + 1) * sizeof *c->rank);
  if (c->rank && !find_ranks(s->samples, c->finished, c->rank)) free(c->rank), c->rank = NULL;
  return c->rank;
}

double survey_correlation(Survey *s, int a, int b, bool ranks) {
  ColumnSurvey *x = &s->column[a], *y = &s->column[b];
  if (!(x->high > x->low) || !(y->high > y->low)) return NAN;
  if (!ranks) return correlate_values(s->samples, x->finished, y->finished);
  const double *left = survey_ranks(s, a), *right = survey_ranks(s, b);
  return left && right ? correlate_values(s->samples, left, right) : NAN;
}

// Which runs ended well, and the others by status and cause.

enum { FAILURES_AT_ONCE = 1 << 14 };

// A message without its numbers, which differ from run to run: "step 0.013" and "step 0.02" are one cause. Digits of
// names stay.
static void mask_numbers(const char *text, char *out, size_t size) {
  size_t n = 0;
  char before = ' ';
  while (*text && n + 1 < size) {
    bool begins = !isalnum((unsigned char)before) && before != '_' && before != '.' && before != '[';
    size_t length = begins ? strspn(text, "+-.0123456789eE") : 0;
    if (length && strcspn(text, "0123456789") < length && !isalpha((unsigned char)text[length]) &&
        text[length] != '_') {
      out[n++] = '#', text += length, before = '#';
      continue;
    }
    before = out[n++] = *text++;
  }
  out[n] = 0;
}

static FailureGroup *find_group(Survey *s, int status, const char *cause) {
  char kind[STUDY_CAUSE_TEXT];
  mask_numbers(cause, kind, sizeof kind);
  for (int i = 0; i < s->groups; i++)
    if (s->group[i].status == status && !strcmp(s->group[i].kind, kind)) return &s->group[i];
  if (s->groups == SURVEY_GROUPS) return NULL;
  FailureGroup *g = &s->group[s->groups++];
  g->status = status;
  snprintf(g->cause, sizeof g->cause, "%s", cause);
  snprintf(g->kind, sizeof g->kind, "%s", kind);
  return g;
}

static void note_failure(Survey *s, long row, int status, const char *cause) {
  FailureGroup *g = find_group(s, status, cause);
  if (!g) {
    s->other_failures++;
    return;
  }
  g->count++;
  if (g->firsts < SURVEY_FIRST) g->first[g->firsts++] = row;
}

static int by_count(const void *left, const void *right) {
  const FailureGroup *a = left, *b = right;
  if (a->count != b->count) return a->count > b->count ? -1 : 1;
  return (a->first[0] > b->first[0]) - (a->first[0] < b->first[0]);
}

bool survey_failures(Survey *s) {
  double *status = malloc(FAILURES_AT_ONCE * sizeof *status);
  char(*cause)[STUDY_CAUSE_TEXT] = malloc(FAILURES_AT_ONCE * sizeof *cause);
  int column = study_table_find(s->table, "status");
  s->group = calloc(SURVEY_GROUPS, sizeof *s->group);
  bool good = status && cause && s->group;
  if (!good) print_command_error(s->command, "not enough memory");
  for (long from = 0; good && from < s->runs; from += FAILURES_AT_ONCE) {
    long count = s->runs - from < FAILURES_AT_ONCE ? s->runs - from : FAILURES_AT_ONCE, failed = 0;
    good = study_table_read(s->table, column, from, count, status);
    for (long i = 0; good && i < count; i++)
      if (status[i] == 0) s->ended[(from + i) / 8] |= (unsigned char)(1 << (from + i) % 8), s->finished++;
      else failed++;
    if (failed && good) good = study_table_causes(s->table, from, count, cause);
    for (long i = 0; failed && good && i < count; i++)
      if (status[i] != 0) note_failure(s, from + i, (int)status[i], cause[i]);
    if (!good) print_command_error(s->command, "the table is damaged: the status of its runs cannot be read");
  }
  if (good) qsort(s->group, (size_t)s->groups, sizeof *s->group, by_count);
  free(status), free(cause);
  return good;
}
