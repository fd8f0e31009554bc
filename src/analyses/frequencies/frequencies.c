// SPDX-License-Identifier: Apache-2.0
// Finds the lowest and highest frequencies. With masses m_r of the unknowns, no lambda^2 exceeds
// max_r sum_c |K_rc|/sqrt(m_r m_c) (Gershgorin) if the masses of a node do not couple and joints have no springs;
// joints and unknowns without mass only lower it.
#include "analyses/frequencies/frequencies.h"
#include "analyses/statics/operating_point.h"
#include "model/refusal.h"

static const double two_pi = 2 * PETSC_PI;

// ---- the highest ----

static PetscErrorCode FindBound(Motion *motion, Equations *equations, const Spin *spin, double *hz) {
  Mat k, m;
  Vec scale;
  double *d, square;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(CreateStiffness(motion, equations, spin, &k));
  PetscCall(CreateMass(&motion->layout, &motion->state, &m));
  PetscCall(MatCreateVecs(k, &scale, NULL));
  PetscCall(MatGetDiagonal(m, scale));
  PetscCall(VecGetLocalSize(scale, &n));
  PetscCall(VecGetArray(scale, &d));
  for (PetscInt i = 0; i < n; i++) d[i] = d[i] > 0 ? 1 / PetscSqrtReal(d[i]) : 0;
  PetscCall(VecRestoreArray(scale, &d));
  PetscCall(MatDiagonalScale(k, scale, scale));
  PetscCall(MatNorm(k, NORM_INFINITY, &square));
  *hz = PetscSqrtReal(square) / two_pi;
  PetscCall(VecDestroy(&scale));
  PetscCall(MatDestroy(&k));
  PetscCall(MatDestroy(&m));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindHighest(System *s, const Spin *spin, Frequencies *out) {
  bool found = false;
  PetscFunctionBegin;
  PetscCall(HighestFind(s, spin, &out->highest, &found));
  out->highest_is_bound = !found;
  if (!found) PetscCall(FindBound(&s->motion, &s->equations, spin, &out->highest));
  for (int i = 0; i < out->count; i++) out->highest = PetscMax(out->highest, out->hz[i]);
  PetscFunctionReturn(0);
}

// ---- the lowest ----

// Damping ratios of undamped modes, x^T C x/(2 omega) for x^T M x = 1: those of the damped modes if dampers hardly
// couple them.
static PetscErrorCode FindRatios(Motion *motion, Equations *equations, const Modes *modes, Frequencies *out) {
  Mat c;
  PetscFunctionBegin;
  PetscCall(CreateDamping(motion, equations, NULL, &c));
  for (int i = 0; i < modes->count; i++) {
    double power[2];
    PetscCall(ModesComplexProduct(c, modes->mode[i].right, modes->mode[i].right, power));
    out->ratio[i] = out->hz[i] > 0 ? 0.5 * power[0] / (two_pi * out->hz[i]) : 0;
  }
  PetscCall(MatDestroy(&c));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindLowest(System *s, const Spin *spin, int count, Frequencies *out, Refusal *wrong) {
  bool rotates = layout_has_gyroscopic(&s->motion.layout, spin);
  LimberModesOptions o = {.count = count, .damped = rotates ? LIMBER_DAMPED_AUTO : LIMBER_DAMPED_NO};
  Modes *modes;
  PetscFunctionBegin;
  PetscCall(ModesFind(s, spin, &o, &modes, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  out->count = modes->count, out->rigid = modes->rigid;
  PetscCall(PetscCalloc3(modes->count, &out->hz, modes->count, &out->ratio, modes->count, &out->grows));
  for (int i = 0; i < modes->count; i++) {
    const Mode *m = &modes->mode[i];
    out->hz[i] = m->frequency, out->ratio[i] = m->damping, out->grows[i] = m->re > 0;
  }
  if (!rotates) PetscCall(FindRatios(&s->motion, &s->equations, modes, out));
  for (int i = 0; i < modes->count; i++) out->damped = out->damped || fabs(out->ratio[i]) > 1e-9;
  PetscCall(ModesDestroy(&modes));
  PetscFunctionReturn(0);
}

PetscErrorCode FrequenciesFind(Model model, const LimberStatics *options, int iterations, int count, Frequencies *out,
                               Refusal *wrong) {
  OperatingPoint at;
  System *own = NULL;
  StepRule rule = {0};
  Spin still = {.rate = 0};
  PetscFunctionBegin;
  *out = (Frequencies){.at_rest = true};
  wrong->text[0] = 0;
  PetscCall(OperatingPointFindWithin(model, options, iterations, &at, &out->why));
  if (is_refused(&out->why)) {
    out->at_rest = false;
    scheme_without_inertia(&rule);
    PetscCall(SystemCreate(model, &rule, &own));
  }
  System *s = own ? own : at.s;
  const Spin *spin = own ? &still : &at.spin;
  out->rotates = spin->rate != 0;
  PetscCall(FindLowest(s, spin, count, out, wrong));
  if (!is_refused(wrong) && out->count > 0) PetscCall(FindHighest(s, spin, out));
  if (own) PetscCall(SystemDestroy(&own));
  else PetscCall(OperatingPointDestroy(&at));
  PetscFunctionReturn(0);
}

PetscErrorCode FrequenciesDestroy(Frequencies *f) {
  PetscFunctionBegin;
  PetscCall(PetscFree3(f->hz, f->ratio, f->grows));
  PetscFunctionReturn(0);
}
