// SPDX-License-Identifier: Apache-2.0
// The public interface to Floquet multipliers.
#include "analyses/floquet/floquet.h"

#include "api/arguments.h"
#include "api/file.h"
#include "assembly/ranks.h"
#include "model/refusal.h"

static PetscErrorCode CreateMultipliers(LimberModel model, const LimberFloquetOptions *options,
                                        LimberFloquet *floquet) {
  Refusal wrong;
  bool good;
  PetscFunctionBegin;
  CHECK_GIVEN(options);
  CHECK_OPTIONS(options, limber_floquet_options_default);
  PetscCall(CheckModel(model, &good));
  if (!good) PetscFunctionReturn(0);
  PetscCall(FloquetCompute(model, options, floquet, &wrong));
  if (is_refused(&wrong)) PetscCall(ModelReportError(model, NULL, "%s", wrong.text));
  PetscFunctionReturn(0);
}

int LimberFloquetCreate(LimberModel model, const LimberFloquetOptions *options, LimberFloquet *floquet) {
  PetscFunctionBegin;
  CHECK_GIVEN(floquet);
  *floquet = NULL;
  CREATE_OF_MODEL(model, CreateMultipliers(model, options, floquet), floquet);
}

LimberFloquetOptions limber_file_floquet_options(LimberFile f) {
  return f->in ? f->in->floquet : limber_floquet_options_default();
}

int LimberFloquetDestroy(LimberFloquet *floquet) {
  PetscFunctionBegin;
  PetscCall(FloquetDestroy(floquet));
  PetscFunctionReturn(0);
}

int limber_floquet_count(LimberFloquet f) { return f->count; }
LimberMultiplier limber_floquet_multiplier(LimberFloquet f, int i) { return f->multiplier[i]; }
double limber_floquet_closure(LimberFloquet f) { return f->closure; }
bool limber_floquet_repeats(LimberFloquet f) { return f->closure <= 1e-3; }

LimberMotionVerdict limber_floquet_verdict(LimberFloquet f) {
  const double limit = 1 + f->options.tolerance;
  bool stable = limber_floquet_repeats(f), unstable = false;
  for (int i = 0; i < f->count; i++) {
    const LimberMultiplier *m = &f->multiplier[i];
    stable = stable && m->magnitude + m->error <= limit;
    unstable = unstable || m->magnitude - m->error > limit;
  }
  if (stable) return LIMBER_MOTION_STABLE;
  return unstable && limber_floquet_repeats(f) ? LIMBER_MOTION_UNSTABLE : LIMBER_MOTION_UNDECIDED;
}
