// SPDX-License-Identifier: Apache-2.0
// The state with which a run starts: redundant rows chosen, parts brought together, velocities that the joints allow,
// accelerations and multipliers at t = 0.
#ifndef LIMBER_ANALYSES_STEPPING_START_H
#define LIMBER_ANALYSES_STEPPING_START_H

#include "analyses/stepping/stepper.h"

// `wrong`: "" or why the run cannot start. What was changed stands in p->remarks.
PetscErrorCode StepperStart(Stepper *p, char *wrong, size_t size);

// Of its parts: a line of p->remarks; positions and coordinates of one system to another of the same model, with the node that
// is farthest from where the model has it.
void start_remark(Stepper *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
PetscErrorCode StartCopyPositions(const System *from, System *to, double *moved, PetscInt *where);

// A system stands still, after it was asked whether its rotation, if there is one, can be steady: `wrong` tells why not.
PetscErrorCode StartStanding(System *s, const Spin *spin, char *wrong, size_t size);
// Replaces the start by an equilibrium, or a rotating one by the scheme's own steady rotation. steady_rotation.c
PetscErrorCode StartEquilibrium(Stepper *p, char *wrong, size_t size);
// Whether that rotation, whose velocities the system has, can be steady: `wrong` is left alone, or why not. Whether a load does not
// change as seen from what turns. steady_rotation_check.c
PetscErrorCode SteadyCheck(System *s, const Spin *spin, char *wrong, size_t size);
bool steady_load_rotates(const Load *l, Vec3 axis);
PetscInt steady_load_pushes(const System *s); // a load that may change the speed of what turns freely, or -1

#endif
