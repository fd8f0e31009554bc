// SPDX-License-Identifier: Apache-2.0
// The equilibrium about which small motions are taken: standing, or rotating steadily where `motion` or drives set all nodes in rotation.
#ifndef LIMBER_ANALYSES_STATICS_OPERATING_POINT_H
#define LIMBER_ANALYSES_STATICS_OPERATING_POINT_H

#include "analyses/stepping/start.h"
#include "model/refusal.h"

typedef struct {
  LimberRun run; // of the analysis static, at the equilibrium
  System *s;     // of that run: without inertia, so that assembly/matrices.h can be asked
  Spin spin;     // rate 0: standing
} OperatingPoint;

// Under all loads in full, at options->time. `wrong`: "" or why there is none; then *out holds nothing. run's remarks
// tell what is free.
PetscErrorCode OperatingPointFind(Model model, const LimberStatics *options, OperatingPoint *out, Refusal *wrong);
// The same, until `most` iterations of Newton were taken.
PetscErrorCode OperatingPointFindWithin(Model model, const LimberStatics *options, int most, OperatingPoint *out,
                                        Refusal *wrong);
PetscErrorCode OperatingPointDestroy(OperatingPoint *p);
// Adds remarks about an equilibrium, but not that nothing loads it: small motions need no load.
void operating_point_remarks(const OperatingPoint *p, char *out, size_t size);

// The rotation of the whole that drives ask for; `out` is left alone where none moves. `wrong`: "" or which has no
// steady state.
PetscErrorCode DrivenRotation(Stepper *p, double time, Spin *out, Refusal *wrong);

#endif
