// SPDX-License-Identifier: Apache-2.0
// Takes samples: reads the model again with the parameter changed, as with --set, and finds its modes.
#include "analyses/read_changed.h"
#include "analyses/stability/stability.h"
#include "model/refusal.h"

#include <string.h>

// Growth that is smaller, divided by the frequency of the mode, is round-off. The second value is for two modes whose
// frequencies nearly coincide: there the error is the square root of round-off.
static const double growth_of_one = 1e-10, growth_of_two = 1e-5;

static PetscErrorCode ReadChanged(const StabilityProblem *p, double value, Input **out, Refusal *wrong) {
  const LimberStabilityOptions *o = &p->options;
  char change[512];
  PetscFunctionBegin;
  PetscCall(
      PetscSNPrintf(change, sizeof change, "%s=%.17g%s%s", o->vary, value, o->unit ? " " : "", o->unit ? o->unit : ""));
  PetscCall(InputReadChanged(p->in, p->read, change, out, wrong));
  PetscFunctionReturn(0);
}

// The mode with the largest growth relative to its frequency; -1: none certainly grows.
static int most_unstable(const Sample *s) {
  double most = 0;
  int at = -1;
  for (int i = s->passing; i < s->modes->count; i++) {
    const Mode *mode = &s->modes->mode[i];
    double size = hypot(mode->re, mode->im), limit = s->conserves && !mode->is_real ? growth_of_two : growth_of_one;
    if (mode->re > limit * size && mode->re / size > most) most = mode->re / size, at = i;
  }
  return at;
}

// An error of the growth rate, divided by the frequency, above which it is worth a remark that it hides growth.
static const double large_error = 1e-6;

// The mode with the largest error that may hide growth; -1: none. Without dampers no mode decays, and each has an error.
static int most_doubtful(const Sample *s) {
  double most = large_error;
  int at = -1;
  for (int i = s->passing; i < s->modes->count && !s->conserves; i++) {
    const Mode *mode = &s->modes->mode[i];
    double size = hypot(mode->re, mode->im);
    bool hidden = PetscAbsReal(mode->found_re) <= mode->error[0] && !mode->is_real;
    if (hidden && mode->error[0] > most * size) most = mode->error[0] / size, at = i;
  }
  return at;
}

PetscErrorCode SampleDestroy(Sample *s) {
  PetscFunctionBegin;
  PetscCall(ModesDestroy(&s->modes));
  PetscCall(OperatingPointDestroy(&s->point));
  PetscCall(InputDestroy(&s->in));
  *s = (Sample){0};
  PetscFunctionReturn(0);
}

bool samples_are_comparable(const Sample *a, const Sample *b) {
  const Model p = a->in->model, q = b->in->model;
  return p->nodes.count == q->nodes.count && p->joints.count == q->joints.count &&
         p->elements.count == q->elements.count;
}

PetscErrorCode SampleTake(const StabilityProblem *p, double value, const Sample *reference, Sample *out,
                          Refusal *wrong) {
  const LimberStatics statics = {.time = p->options.time};
  LimberModesOptions options;
  PetscFunctionBegin;
  *out = (Sample){.value = value, .unstable = -1, .doubtful = -1};
  wrong->text[0] = 0;
  PetscCall(ReadChanged(p, value, &out->in, wrong));
  bool read = !is_refused(wrong);
  if (read) PetscCall(OperatingPointFindRotor(out->in->model, &statics, &out->point, wrong));
  options = limber_modes_options_default();
  options.count = p->options.modes + model_flow_states(out->in->model); // these decay slowly and are among the lowest
  if (!is_refused(wrong)) PetscCall(ModesFind(out->point.s, &out->point.spin, &options, &out->modes, wrong));
  if (is_refused(wrong)) {
    Refusal why = *wrong;
    if (read) refuse(wrong, "%s = %g: %s", p->options.vary, value, why.text);
    PetscCall(SampleDestroy(out));
    PetscFunctionReturn(0);
  }
  const Pencil *pencil = &out->modes->pencil;
  out->conserves = !pencil->d || pencil->gyroscopic;
  if (reference) PetscCall(SampleKeepPassing(out, reference));
  out->unstable = most_unstable(out);
  out->doubtful = most_doubtful(out);
  PetscFunctionReturn(0);
}

// Modes are followed by their shapes: |x^H M y|^2 of two modes of unit mass is 1 for the same shape.

static PetscErrorCode AddRoom(LimberStability f) {
  PetscFunctionBegin;
  if (f->rows < f->room) PetscFunctionReturn(0);
  f->room = 2 * f->room + 32;
  PetscCall(PetscRealloc((size_t)f->room * sizeof *f->value, &f->value));
  PetscCall(PetscRealloc((size_t)(f->room * f->modes) * sizeof *f->lambda, &f->lambda));
  PetscFunctionReturn(0);
}

// Similarity of two modes: of their shapes and, to decide between equal shapes, of their eigenvalues.
static PetscErrorCode CompareShapes(const Sample *a, int i, const Sample *b, int j, double *out) {
  const Mode *p = &a->modes->mode[i], *q = &b->modes->mode[j];
  double product[2], size = hypot(p->re, p->im) + hypot(q->re, q->im);
  PetscFunctionBegin;
  PetscCall(ModesComplexProduct(b->modes->pencil.m, p->right, q->right, product));
  double away = size > 0 ? hypot(p->re - q->re, p->im - q->im) / size : 0;
  *out = product[0] * product[0] + product[1] * product[1] - 0.5 * away;
  PetscFunctionReturn(0);
}

static PetscErrorCode ContinueModes(const Sample *a, const Sample *b, int n, int *order) {
  int count = b->modes->count, *next;
  double *likeness;
  bool *taken;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(n * count, &likeness, n, &next));
  PetscCall(PetscCalloc1(count + 1, &taken));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < count; j++) {
      likeness[i * count + j] = -PETSC_INFINITY;
      if (order[i] >= 0) PetscCall(CompareShapes(a, order[i], b, j, &likeness[i * count + j]));
    }
  modes_pair(n, count, 1, likeness, -PETSC_INFINITY, 0, next);
  for (int i = 0; i < n; i++)
    if (next[i] >= 0) taken[next[i]] = true;
  for (int i = 0; i < n; i++) // branches without a match take a free mode
    for (int j = 0; j < count && next[i] < 0; j++)
      if (!taken[j]) next[i] = j, taken[j] = true;
  for (int i = 0; i < n; i++) order[i] = next[i];
  PetscCall(PetscFree2(likeness, next));
  PetscCall(PetscFree(taken));
  PetscFunctionReturn(0);
}

PetscErrorCode StabilityAddRow(LimberStability f, const Sample *before, const Sample *s, int *order) {
  PetscFunctionBegin;
  PetscCall(AddRoom(f));
  if (before && samples_are_comparable(before, s)) PetscCall(ContinueModes(before, s, f->modes, order));
  else
    for (int i = 0; i < f->modes; i++) order[i] = i < s->modes->count ? i : -1;
  for (int i = 0; i < f->modes; i++) {
    const Mode *m = order[i] < 0 ? NULL : &s->modes->mode[order[i]];
    f->lambda[f->rows * f->modes + i][0] = m ? m->re : (double)NAN;
    f->lambda[f->rows * f->modes + i][1] = m ? m->im : (double)NAN;
  }
  f->value[f->rows++] = s->value;
  PetscFunctionReturn(0);
}
