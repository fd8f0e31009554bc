// SPDX-License-Identifier: Apache-2.0
// The equilibrium about which small motions are considered: at rest, or in steady rotation if `motion` or drives rotate
// all nodes, or a rotor.
#ifndef LIMBER_ANALYSES_STATICS_OPERATING_POINT_H
#define LIMBER_ANALYSES_STATICS_OPERATING_POINT_H

#include "analyses/stepping/start.h"
#include "model/refusal.h"

typedef struct {
  LimberRun run; // of the analysis static, at the equilibrium
  System *s;     // of that run: without inertia, as assembly/matrices.h needs it
  Spin spin;     // rate 0: at rest
} OperatingPoint;

// Finds the equilibrium under all loads at options->time. `wrong`: "", or why there is none; then *out is empty. The
// remarks of `run` name what moves freely.
PetscErrorCode OperatingPointFind(Model model, const LimberStatics *options, OperatingPoint *out, Refusal *wrong);
// The same with at most `most` Newton iterations.
PetscErrorCode OperatingPointFindWithin(Model model, const LimberStatics *options, int most, OperatingPoint *out,
                                        Refusal *wrong);
// The same, but a rotor of three or more equal blades may rotate while the rest stands.
PetscErrorCode OperatingPointFindRotor(Model model, const LimberStatics *options, OperatingPoint *out, Refusal *wrong);
PetscErrorCode OperatingPointDestroy(OperatingPoint *p);
// Appends remarks about an equilibrium, except that there is no load: small motions need none.
void operating_point_remarks(const OperatingPoint *p, char *out, size_t size);

// The rotation of the whole model due to drives, or with `parts` of its rotor; `out` is unchanged if none moves. `wrong`:
// "", or which drive allows no steady state.
PetscErrorCode DrivenRotation(Stepper *p, double time, bool parts, Spin *out, Refusal *wrong);

#endif
