// SPDX-License-Identifier: Apache-2.0
// A fit: data, the minimum, the noise, errors.
#include "fit/fit.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 30 };                    // of noise that is estimated
static const double settled = 1e-3;      // relative change of the noise that ends them
static const double least_noise = 1e-13; // relative to the data: round-off
static const double least_share = 0.5;   // of the variance of a history that a fit should explain
static const double noise_alone = 1.5;   // residuals over a noise that is given: there is nothing to explain

void fit_remark(LimberFit f, const char *format, ...) {
  size_t used = strlen(f->remarks);
  va_list args;
  if (used + 2 > sizeof f->remarks) return;
  va_start(args, format);
  vsnprintf(f->remarks + used, sizeof f->remarks - used - 1, format, args);
  va_end(args);
  strcat(f->remarks, "\n");
}

// ---- the noise ----

// Entries with one number each share their relative noise.
static bool is_number(const FitEntry *e) { return !e->file; }

static double size_of_data(const struct LimberFitData *f, const FitEntry *e) {
  double mean = 0, sum = 0;
  for (int i = 0; i < e->count; i++) mean += f->measured[e->first + i] / e->count;
  for (int i = 0; i < e->count; i++) sum += pow(f->measured[e->first + i] - (is_number(e) ? 0 : mean), 2);
  double size = sqrt(sum / PetscMax(1, e->count));
  return size > 0 ? size : mean != 0 ? fabs(mean) : 1;
}

static void begin_noise(LimberFit f) {
  for (int i = 0; i < f->entries; i++)
    if (f->entry[i].estimated) f->entry[i].noise = 0.01 * size_of_data(f, &f->entry[i]);
}

static void find_rms(LimberFit f, const TunedModel *m) {
  for (int k = 0; k < f->entries; k++) {
    FitEntry *e = &f->entry[k];
    double sum = 0;
    for (int i = e->first; i < e->first + e->count; i++) sum += pow(m->g.value[i] - f->measured[i], 2);
    e->rms = sqrt(sum / e->count);
  }
}

// Noise of residuals; each entry has its share of the degrees of freedom. The largest relative change.
static double estimate_noise(LimberFit f) {
  double share = (double)(f->points - f->parameters) / f->points, numbers = 0, change = 0;
  int count = 0;
  if (!(share > 0)) return 0;
  for (int i = 0; i < f->entries; i++) {
    const FitEntry *e = &f->entry[i];
    if (e->estimated && is_number(e)) numbers += pow(e->rms / size_of_data(f, e), 2), count++;
  }
  for (int i = 0; i < f->entries; i++) {
    FitEntry *e = &f->entry[i];
    double size = size_of_data(f, e), last = e->noise;
    if (!e->estimated) continue;
    double square = is_number(e) ? numbers / count * size * size : e->rms * e->rms;
    e->noise = fmax(sqrt(square / share), least_noise * size);
    if (e->noise > least_noise * size) change = fmax(change, fabs(e->noise - last) / last);
  }
  return change;
}

// Weights matter where there are several entries.
static bool weights_matter(const struct LimberFitData *f) {
  bool given = false, numbers = false;
  int estimated = 0;
  for (int i = 0; i < f->entries; i++) {
    const FitEntry *e = &f->entry[i];
    given = given || !e->estimated;
    if (e->estimated && !(is_number(e) && numbers)) estimated++;
    numbers = numbers || (e->estimated && is_number(e));
  }
  return estimated + given > 1;
}

// A weight that follows from too few residuals has no meaning: it would grow until they vanish.
static void check_noise(const struct LimberFitData *f, Refusal *wrong) {
  int numbers = 0;
  if (!weights_matter(f)) return;
  for (int i = 0; i < f->entries; i++) numbers += f->entry[i].estimated && is_number(&f->entry[i]);
  for (int i = 0; i < f->entries; i++) {
    const FitEntry *e = &f->entry[i];
    int count = is_number(e) ? numbers : e->count;
    if (e->estimated && count <= f->parameters)
      refuse(wrong, "%s: the noise of %d number%s cannot be estimated together with %d parameters: give `noise`", e->of,
             count, count == 1 ? "" : "s", f->parameters);
  }
}

// ---- all ----

static bool has_history(const struct LimberFitData *f) {
  for (int i = 0; i < f->entries; i++)
    if (!is_number(&f->entry[i])) return true;
  return false;
}

// Says so where the step of the run changes estimates more than the noise does.
static PetscErrorCode CheckStep(LimberFit f, TunedModel *m, const double *x) {
  Refusal why = {.text = ""};
  double most = 0;
  int worst = 0;
  PetscFunctionBegin;
  for (int k = 0; k < f->parameters; k++) f->shift[k] = NAN;
  if (!has_history(f) || !m->in->steps) PetscFunctionReturn(0);
  PetscCall(TunedEvaluateHalved(m, x, &why));
  if (is_refused(&why)) {
    fit_remark(f, "the errors of the step are not known: with half of it %.*s", (int)strcspn(why.text, "\n"), why.text);
    PetscFunctionReturn(0);
  }
  PetscCall(FitFindShift(f, m, m->g.value));
  for (int k = 0; k < f->parameters; k++)
    if (fabs(f->shift[k]) > most * f->error[k]) most = fabs(f->shift[k]) / f->error[k], worst = k;
  if (most > 1)
    fit_remark(
        f,
        "the step of the run is too long for these data: with half of it %s would be %.6g, which is %.2g standard "
        "errors away; `limber converge` shows which step suffices",
        f->parameter[worst].path, f->parameter[worst].value + f->shift[worst], most);
  PetscFunctionReturn(0);
}

static PetscErrorCode Minimise(LimberFit f, TunedModel *m, Refusal *wrong) {
  double *x;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(f->parameters, &x));
  begin_noise(f);
  for (int round = 0; round < ROUNDS && !is_refused(wrong); round++) {
    PetscCall(FitSolve(f, m, x, wrong));
    if (!is_refused(wrong)) PetscCall(TunedEvaluate(m, x, true, wrong));
    if (is_refused(wrong)) break;
    find_rms(f, m);
    if (estimate_noise(f) <= settled || !weights_matter(f)) break;
  }
  PetscCall(PetscArraycpy(f->parameter, m->g.parameter, f->parameters));
  PetscCall(PetscArraycpy(f->fitted, m->g.value, f->points));
  if (!is_refused(wrong)) PetscCall(FitFindErrors(f, m));
  if (!is_refused(wrong)) PetscCall(CheckStep(f, m, x));
  f->runs = m->runs, f->gradients = m->gradients, f->differences = m->differences;
  PetscCall(PetscFree(x));
  PetscFunctionReturn(0);
}

// A model that misses most of a history has found nothing: a wrong unit or start leads there.
static void remark_on_shares(LimberFit f) {
  for (int i = 0; i < f->entries; i++) {
    const FitEntry *e = &f->entry[i];
    double mean = 0, size = 0;
    for (int k = e->first; k < e->first + e->count; k++) mean += f->measured[k] / e->count;
    for (int k = e->first; k < e->first + e->count; k++) size += pow(f->measured[k] - mean, 2) / e->count;
    double share = 1 - e->rms * e->rms / size;
    if (is_number(e) || !(size > 0) || share >= least_share || (!e->estimated && e->rms <= noise_alone * e->noise))
      continue;
    fit_remark(f,
               "%s: the model explains %.0f %% of the variance of the data: the estimates mean little; look at units, "
               "times and start values",
               e->of, 100 * fmax(0, share));
  }
}

static void remark_on_fit(LimberFit f, const Refusal *why) {
  bool given = true;
  for (int i = 0; i < f->entries; i++) given = given && !f->entry[i].estimated;
  if (f->differences)
    fit_remark(f, "derivatives are differences of whole analyses: %.*s", (int)strcspn(why->text, "\n"), why->text);
  for (int k = 0; k < f->parameters; k++)
    if (f->bound[k]) fit_remark(f, "%s is at a bound: errors are those of the other parameters", f->parameter[k].path);
  if (given && f->freedom > 0 && f->chi_square > f->freedom + 5 * sqrt(2.0 * f->freedom))
    fit_remark(f, "the residuals are larger than the noise: the model cannot explain the data");
  remark_on_shares(f);
}

static void check_size_and_start(const Input *in, const struct LimberFitData *f, Refusal *wrong) {
  if ((int64_t)f->points * f->parameters > LIMIT_POINTS)
    refuse(wrong, "measured numbers times parameters " LIMIT_POINTS_TEXT);
  if (!is_refused(wrong)) check_tuned_starts(f->parameters, in->fit.parameter, wrong);
}

static PetscErrorCode Fit(const Input *in, SourceReader read, LimberFit f, Refusal *wrong) {
  GradientQuantity *quantity = NULL;
  TunedModel m;
  Refusal why = {.text = ""};
  PetscFunctionBegin;
  PetscCall(FitReadData(in, read, f, &quantity, wrong));
  if (!is_refused(wrong)) check_size_and_start(in, f, wrong);
  if (!is_refused(wrong)) check_noise(f, wrong);
  if (!is_refused(wrong)) {
    PetscCall(PetscCalloc1(f->points, &f->fitted));
    PetscCall(TunedCreate(in, read, f->parameters, in->fit.parameter, f->points, quantity, &m));
    for (int i = 0; i < f->parameters; i++) f->start[i] = in->fit.parameter[i].start;
    PetscCall(TunedBegin(&m, &why, wrong));
    for (int i = 0; i < f->entries; i++)
      PetscCall(PetscArraycpy(f->entry[i].unit, m.g.quantity[f->entry[i].first].unit, sizeof f->entry[i].unit));
    if (!is_refused(wrong)) PetscCall(FitCheckUnits(in, f, wrong));
    if (!is_refused(wrong)) PetscCall(Minimise(f, &m, wrong));
    if (!is_refused(wrong)) remark_on_fit(f, &why);
    PetscCall(TunedDestroy(&m));
  }
  PetscCall(PetscFree(quantity));
  PetscFunctionReturn(0);
}

PetscErrorCode FitFind(const Input *in, SourceReader read, LimberFit *out, Refusal *wrong) {
  int p = in->fit.parameters;
  LimberFit f;
  PetscFunctionBegin;
  *out = NULL, wrong->text[0] = 0;
  if (!p) {
    refuse(wrong, "the file has no part `fit`, which names parameters and data");
    PetscFunctionReturn(0);
  }
  PetscCall(PetscNew(&f));
  f->parameters = p, f->entries = in->fit.measured;
  PetscCall(PetscCalloc6(p, &f->parameter, p, &f->start, p, &f->error, (size_t)p * p, &f->correlation, p, &f->bound, p,
                         &f->shift));
  PetscCall(PetscCalloc1(f->entries, &f->entry));
  PetscCall(Fit(in, read, f, wrong));
  if (is_refused(wrong)) PetscCall(FitDestroy(&f));
  *out = f;
  PetscFunctionReturn(0);
}

PetscErrorCode FitDestroy(LimberFit *fit) {
  LimberFit f = *fit;
  PetscFunctionBegin;
  if (!f) PetscFunctionReturn(0);
  PetscCall(PetscFree6(f->parameter, f->start, f->error, f->correlation, f->bound, f->shift));
  PetscCall(PetscFree(f->entry));
  PetscCall(PetscFree(f->direction));
  PetscCall(PetscFree(f->time));
  PetscCall(PetscFree(f->measured));
  PetscCall(PetscFree(f->fitted));
  PetscCall(PetscFree(*fit));
  PetscFunctionReturn(0);
}
