// SPDX-License-Identifier: Apache-2.0
// Correlations of two columns over the sample of a survey: Pearson's of the values, Spearman's of their ranks.
#include "post/study/survey.h"

#include <math.h>
#include <stdlib.h>

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
static double correlate(int n, const double *x, const double *y) {
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
  if (!ranks) return correlate(s->samples, x->finished, y->finished);
  const double *left = survey_ranks(s, a), *right = survey_ranks(s, b);
  return left && right ? correlate(s->samples, left, right) : NAN;
}
