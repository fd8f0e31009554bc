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

// The mode that grows most, measured by its frequency; -1: none grows.
static int most_unstable(const Modes *m, bool conserves) {
  double most = 0;
  int at = -1;
  for (int i = 0; i < m->count; i++) {
    const Mode *mode = &m->mode[i];
    double size = hypot(mode->re, mode->im), limit = conserves && !mode->is_real ? growth_of_two : growth_of_one;
    if (mode->re > limit * size && mode->re / size > most) most = mode->re / size, at = i;
  }
  return at;
}

PetscErrorCode SampleDestroy(Sample *s) {
  PetscFunctionBegin;
  PetscCall(ModesDestroy(&s->modes));
  PetscCall(PetscFree(s->rigid));
  PetscCall(OperatingPointDestroy(&s->point));
  PetscCall(InputDestroy(&s->in));
  *s = (Sample){0};
  PetscFunctionReturn(0);
}

// Of modes of unit mass.
static PetscErrorCode TakeRigid(Sample *s) {
  const Modes *m = s->modes;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(m->rigid, &s->rigid));
  for (int i = 0; i < m->rigid; i++) {
    double product[2];
    PetscCall(ModesComplexProduct(m->pencil.k, m->rigid_mode[i].right, m->rigid_mode[i].right, product));
    s->rigid[i][0] = product[0];
    if (!m->pencil.d) continue;
    PetscCall(ModesComplexProduct(m->pencil.d, m->rigid_mode[i].right, m->rigid_mode[i].right, product));
    s->rigid[i][1] = product[0];
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SampleTake(const StabilityProblem *p, double value, Sample *out, char *wrong, size_t size) {
  const LimberStatics statics = {.time = p->options.time};
  LimberModesOptions options;
  PetscFunctionBegin;
  *out = (Sample){.value = value, .unstable = -1};
  wrong[0] = 0;
  PetscCall(ReadChanged(p, value, &out->in, wrong, size));
  bool read = !wrong[0];
  if (read) PetscCall(OperatingPointFind(out->in->model, &statics, &out->point, wrong, size));
  limber_modes_default(&options);
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
  PetscCall(TakeRigid(out));
  out->unstable = most_unstable(out->modes, out->conserves);
  PetscFunctionReturn(0);
}
