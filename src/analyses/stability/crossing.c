// SPDX-License-Identifier: Apache-2.0
// Functions that pass zero where stability is lost:
//   divergence without dampers   omega^2 = -lambda^2 of the lowest mode,
//   divergence with dampers      -lambda of the real mode that is nearest to growing,
//   flutter with dampers         -re lambda of the mode that is nearest to growing,
//   frequencies that meet        ((s_1 - s_2)/2)^2 of the two s = lambda^2 that meet: negative once they are conjugate.
// The last is smooth where each of the two has a square root, so its zero is found to all digits. re is `found_re`: one
// that was set to zero within its error would move the crossing to where that error begins.
#include "analyses/stability/stability.h"

CrossingFunction crossing_function(const Sample *stable, const Sample *unstable) {
  const Mode *m = &unstable->modes->mode[unstable->unstable];
  CrossingFunction f = {.omega = m->im};
  if (m->is_real || m->im < 1e-6 * m->re) f.kind = LIMBER_DIVERGENCE;
  else f.kind = stable->conserves ? LIMBER_COALESCENCE : LIMBER_FLUTTER;
  return f;
}

// omega^2 of the mode nearest to zero.
static double lowest_square(const Sample *s) {
  const Modes *all = s->modes;
  double least = PETSC_INFINITY, out = 0;
  for (int i = 0; i < all->count; i++) {
    const Mode *m = &all->mode[i];
    double square = m->im * m->im - m->re * m->re;
    if (m->re <= 0 && m->is_real && m->re != 0) continue; // the decaying partner of a growing mode
    if (PetscAbsReal(square) < least) least = PetscAbsReal(square), out = square;
  }
  return out;
}

// -re of the mode that is nearest to growing; `is_real`: among those without oscillation.
static double largest_growth(const CrossingFunction *f, const Sample *s, bool is_real) {
  const Modes *all = s->modes;
  double most = -PETSC_INFINITY;
  for (int i = 0; i < all->count; i++) {
    const Mode *m = &all->mode[i];
    bool fits = is_real ? m->is_real : !m->is_real && m->im > 0.5 * f->omega && m->im < 2 * f->omega;
    if (fits) most = PetscMax(most, f->rounds ? m->re : m->found_re);
  }
  return -most;
}

// For the two squares that meet. Equal squares do not count: a model that is the same in two planes has each twice.
static double discriminant(const CrossingFunction *f, const Sample *s, double *mean) {
  const Modes *all = s->modes;
  double least = PETSC_INFINITY, out = PETSC_INFINITY;
  for (int i = 0; i < all->count; i++) {
    const Mode *a = &all->mode[i];
    if (a->is_real || a->im < 0.3 * f->omega || a->im > 3 * f->omega) continue;
    double re = a->found_re * a->found_re - a->im * a->im, im = 2 * a->found_re * a->im;
    if (PetscAbsReal(a->found_re) > 1e-9 * a->im && -im * im < PetscMin(out, 0)) out = -im * im, *mean = re, least = 0;
    for (int j = i + 1; j < all->count && least > 0; j++) {
      const Mode *b = &all->mode[j];
      double half = 0.5 * (re - (b->found_re * b->found_re - b->im * b->im)), distance = PetscAbsReal(half);
      if (b->is_real || distance < 1e-8 * PetscAbsReal(re) || distance >= least) continue;
      least = distance, out = half * half, *mean = re - half;
    }
  }
  return out;
}

double crossing_value(const CrossingFunction *f, const Sample *s) {
  double mean;
  switch (f->kind) {
  case LIMBER_DIVERGENCE: return s->conserves ? lowest_square(s) : largest_growth(f, s, true);
  case LIMBER_FLUTTER: return largest_growth(f, s, false);
  case LIMBER_COALESCENCE: return discriminant(f, s, &mean);
  case LIMBER_STABLE:
  case LIMBER_UNSTABLE: break;
  }
  return 0;
}

PetscErrorCode CrossingError(const CrossingFunction *f, const Sample *s, int mode, double *out) {
  PetscFunctionBegin;
  *out = 0;
  if (f->kind == LIMBER_DIVERGENCE && s->conserves)
    PetscCall(ModeRoundOff(&s->modes->pencil, &s->modes->mode[mode], out));
  else if (f->kind == LIMBER_DIVERGENCE || f->kind == LIMBER_FLUTTER) *out = s->modes->mode[mode].error[0];
  PetscFunctionReturn(0);
}

double crossing_frequency(const CrossingFunction *f, const Sample *s) {
  double mean = 0, most = -PETSC_INFINITY, omega = f->omega;
  if (f->kind == LIMBER_DIVERGENCE) return 0;
  if (f->kind == LIMBER_COALESCENCE && discriminant(f, s, &mean) < PETSC_INFINITY) return PetscSqrtReal(-mean);
  for (int i = 0; i < s->modes->count; i++) {
    const Mode *m = &s->modes->mode[i];
    if (m->is_real || m->im < 0.5 * f->omega || m->im > 2 * f->omega || m->found_re <= most) continue;
    most = m->found_re, omega = m->im;
  }
  return omega;
}
