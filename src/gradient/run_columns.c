// SPDX-License-Identifier: Apache-2.0
// Derivatives of the columns of a run that is differentiated forward, from the columns of its shadows, and their errors.
// A row has five values f(-2), f(-1), f(0), f(1), f(2): those of the shadows, at multiples of delta, and of the run itself.
// Smooth columns have central differences of both lengths, extrapolated. Third differences
//   f(2) - 3 f(1) + 3 f(0) - f(-1)   and   f(1) - 3 f(0) + 3 f(-1) - f(-2)
// show a kink wherever it lies between the shadows, and round-off. A kink on one side leaves the other one smooth, from
// which the derivative is then taken: it is that of the row as it is. Otherwise twice the larger third difference over delta
// is the error: a jump of the value in the middle makes the derivative wrong by 1.2 times it, one of the slope by half of it.
#include "gradient/run.h"

#include <math.h>
#include <string.h>

static const double odd = 1e-6;    // of the largest change of a column: beyond it a third difference is no smooth one
static const double kinked = 1e-3; // the same: beyond it there is a kink
static const double smooth_side = 0.05; // second difference of a smooth side relative to that with a kink
static const double noise = 64 * PETSC_MACHINE_EPSILON; // of the values of a row

PetscErrorCode RunSampleShadows(Direction *d) {
  PetscFunctionBegin;
  for (int k = 0; k < POINTS; k++) PetscCall(ColumnsSample(&d->shadow[k].columns, d->shadow[k].run, d->row[k]));
  PetscFunctionReturn(0);
}

HistoryRate rate_of_row(const double f[5], double delta, double *change) {
  double fine = (f[3] - f[1]) / (2 * delta), coarse = (f[4] - f[0]) / (4 * delta), round = 0;
  double right = f[2] - 2 * f[3] + f[4], left = f[2] - 2 * f[1] + f[0];
  double third = fmax(fabs(f[4] - 3 * f[3] + 3 * f[2] - f[1]), fabs(f[3] - 3 * f[2] + 3 * f[1] - f[0]));
  for (int k = 0; k < 5; k++) round = fmax(round, noise * fabs(f[k]));
  *change = fmax(*change, fabs(f[3] - f[1]));
  HistoryRate smooth = {.value = (4 * fine - coarse) / 3, .apart = fine - coarse};
  if (third <= odd * *change + round) return smooth;
  double near = fmin(fabs(left), fabs(right)), far = fmax(fabs(left), fabs(right));
  if (far <= smooth_side * third)
    return (HistoryRate){.value = smooth.value, .doubt = third / delta}; // at the row itself
  if (third <= kinked * *change + round || near > smooth_side * far)
    return (HistoryRate){.value = smooth.value, .doubt = 2 * third / delta};
  int side = fabs(left) < fabs(right) ? -1 : 1;
  return (HistoryRate){.value = side * (4 * f[2 + side] - 3 * f[2] - f[2 + 2 * side]) / (2 * delta),
                       .doubt = (near + round) / delta};
}

// ---- histories ----

PetscErrorCode RunAddRow(RunWork *w, bool start) {
  HistoryRate rate[AT_ONCE];
  HistoryDerivative d[AT_ONCE];
  int count = w->count / LENGTHS;
  PetscFunctionBegin;
  PetscCall(ColumnsSample(&w->columns, w->run, w->value));
  for (int i = 0; i < w->columns.count; i++) {
    if (start && w->columns.of_step[i]) continue;
    for (int k = 0; k < count; k++) {
      const Direction *fine = &w->direction[LENGTHS * k], *coarse = fine + 1;
      double f[5] = {coarse->row[1][i], fine->row[1][i], w->value[i], fine->row[0][i], coarse->row[0][i]};
      rate[k] = rate_of_row(f, fine->delta, &fine->change[i]), d[k] = fine->history[i];
    }
    history_add(&w->history[i], limber_run_time(w->run), w->value[i], count, rate, d);
    for (int k = 0; k < count; k++) w->direction[LENGTHS * k].history[i] = d[k];
  }
  PetscFunctionReturn(0);
}

bool is_tie(const HistoryValue *v) { return (v->q->of == OF_MAX || v->q->of == OF_MIN) && v->taken && !isnan(v->also); }

void note_tie(struct LimberGradientData *g, const HistoryValue *v) {
  size_t used = strlen(g->remarks);
  char remark[400];
  snprintf(
      remark, sizeof remark,
      "%s has the same value at %g s and at %g s: it is not differentiable, and the derivatives are those at %g s\n",
      v->q->text, fmin(v->first, v->also), fmax(v->first, v->also), v->first);
  if (!strstr(g->remarks, remark)) snprintf(g->remarks + used, sizeof g->remarks - used, "%s", remark);
}

// An extreme in two rows with different derivatives has none: its error is what they differ by.
static void check_extreme(const RunWork *w, int i, const Direction *d, LimberDerivative *out) {
  const HistoryValue *v = &w->history[i];
  double tie = d->history[i].tie;
  if (!is_tie(v) || tie <= 1e-3 * fabs(out->value) || tie <= out->error) return;
  out->error = tie;
  note_tie(w->p->g, v);
}

void run_put_derivatives(RunWork *w) {
  struct LimberGradientData *g = w->p->g;
  for (int i = 0; i < w->columns.count; i++) {
    int q = w->columns.quantity[i];
    g->value[q] = history_value(&w->history[i]);
    if (isnan(g->value[q])) refuse(w->wrong, "%s: the run ends before", g->quantity[q].text);
    for (int k = 0; k < w->count; k += LENGTHS) {
      const Direction *d = &w->direction[k];
      LimberDerivative *out = &g->d[q * g->parameters + d->parameter];
      HistoryRate rate = history_derivative(&w->history[i], &d->history[i]);
      out->value = rate.value;
      out->error = 2 * rate.apart + rate.doubt + 4 * PETSC_MACHINE_EPSILON * fabs(g->value[q]) / d->delta;
      check_extreme(w, i, d, out);
    }
  }
}
