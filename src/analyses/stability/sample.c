// SPDX-License-Identifier: Apache-2.0
// The model is read again with the parameter changed, as by --set.
#include "analyses/stability/stability.h"

#include "analyses/read_changed.h"

#include <string.h>

// Growth below these parts of a mode's frequency is round-off: of a mode by itself, and of two whose frequencies are about to
// meet, where round-off counts by its root.
static const double growth_of_one = 1e-10, growth_of_two = 1e-5;

static PetscErrorCode ReadChanged(const StabilityProblem *p, double value, Input **out, char *wrong, size_t size) {
  const LimberStabilityOptions *o = &p->options;
  char change[512];
  PetscFunctionBegin;
  PetscCall(
      PetscSNPrintf(change, sizeof change, "%s=%.17g%s%s", o->vary, value, o->unit ? " " : "", o->unit ? o->unit : ""));
  PetscCall(InputReadChanged(p->in, p->read, change, out, wrong, size));
  PetscFunctionReturn(0);
}

// The mode that grows most, measured by its frequency; -1: none grows for sure.
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

PetscErrorCode SampleTake(const StabilityProblem *p, double value, const Sample *reference, Sample *out, char *wrong,
                          size_t size) {
  const LimberStatics statics = {.time = p->options.time};
  LimberModesOptions options;
  PetscFunctionBegin;
  *out = (Sample){.value = value, .unstable = -1};
  wrong[0] = 0;
  PetscCall(ReadChanged(p, value, &out->in, wrong, size));
  bool read = !wrong[0];
  if (read) PetscCall(OperatingPointFind(out->in->model, &statics, &out->point, wrong, size));
  options = limber_modes_options_default();
  options.count = p->options.modes;
  if (!wrong[0]) PetscCall(ModesFind(out->point.s, &out->point.spin, &options, &out->modes, wrong, size));
  if (wrong[0]) {
    char why[1024];
    PetscCall(PetscStrncpy(why, wrong, sizeof why));
    if (read) snprintf(wrong, size, "%s = %g: %s", p->options.vary, value, why);
    PetscCall(SampleDestroy(out));
    PetscFunctionReturn(0);
  }
  const Pencil *pencil = &out->modes->pencil;
  out->conserves = !pencil->d || pencil->gyroscopic;
  if (reference) PetscCall(SampleKeepPassing(out, reference));
  out->unstable = most_unstable(out);
  PetscFunctionReturn(0);
}
