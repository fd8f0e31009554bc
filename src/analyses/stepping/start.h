// SPDX-License-Identifier: Apache-2.0
// The state with which a run starts: redundant rows chosen, parts brought together, velocities that the joints allow,
// accelerations and multipliers at t = 0.
#ifndef LIMBER_ANALYSES_STEPPING_START_H
#define LIMBER_ANALYSES_STEPPING_START_H

#include "analyses/stepping/stepper.h"
#include "model/refusal.h"
#include "solvers/static_newton.h"

// `wrong`: "" or why the run cannot start. What was changed stands in p->remarks.
PetscErrorCode StepperStart(Stepper *p, Refusal *wrong);

// Of its parts: a line of p->remarks; positions and coordinates of one system to another of the same model, with the
// node that is farthest from where the model has it.
void start_remark(Stepper *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
PetscErrorCode StartFollowDrives(Stepper *p, ProjectedStart *out);
PetscErrorCode StartCopyPositions(const System *from, System *to, double *moved, PetscInt *where);
// Another system of the same model, with another rule, in the same place.
PetscErrorCode StartCreateBeside(const System *s, const StepRule *rule, System **out);
PetscErrorCode StartCopyVelocities(const System *from, System *to);
PetscErrorCode StartCopyMultipliers(const System *from, System *to);
// The multipliers that balance the accelerations at t = 0, whatever the scheme. Not where nothing solves for them.
// consistent_forces.c
PetscErrorCode StartConsistentMultipliers(Stepper *p, Refusal *wrong);

// A node that turns at `omega`: the part of its velocity that turns with it, what it is displaced beside the rotation
// by steps from its velocity and from the opposite one, and what its velocity and angular velocity change by. Sets its
// velocities, and the memory of a scheme that has one. start_rotation.c
typedef struct {
  Vec3 omega, turning, rest, change[2];
} NodeRotation;
double start_tangent_factor(double h, Vec3 omega); // f = tan(phi/2)/(phi/2)
void start_set_rotation(Motion *motion, double h, PetscInt node, const NodeRotation *r, bool remember);
// Velocities of the motion become those of the scheme, with the memory of their rotation.
PetscErrorCode StartRotation(Stepper *p);

// A system stands still, after it was asked whether its rotation, if there is one, can be steady: `wrong` tells why
// not.
PetscErrorCode StartStanding(Motion *motion, const Spin *spin, Refusal *wrong);
// Replaces the start by an equilibrium, or a rotating one by the scheme's own steady rotation. steady_rotation.c
PetscErrorCode StartEquilibrium(Stepper *p, Refusal *wrong);
// Whether that rotation, whose velocities the system has, can be steady: `wrong` is left alone, or why not, with what a
// `run` may do without it. Whether a load does not change as seen from what turns. steady_rotation_check.c
PetscErrorCode SteadyCheck(const Motion *motion, const Spin *spin, bool run, Refusal *wrong);
bool steady_load_rotates(const Load *l, Vec3 axis);
PetscInt steady_load_pushes(const Layout *layout,
                            const State *state); // a load that may change the speed of what turns freely, or -1

// Brings a system without inertia to an equilibrium under its loads.

typedef struct {
  bool found;
  bool settled;         // loads could not be put on step by step: the model came to rest from where it stood
  LimberCause free;     // what moves without resistance, and was held where it came to rest
  LimberCause cause;    // not found: what carries the residual
  int iterations, most; // of Newton: taken, and after which the search ends
} Settled;

// From the state, which moves. A factor of 1 in steps; where Newton finds none of them, by steps of pure descent: each
// is the minimum of the potential and of hold/2 |q|^2 in the metric of the masses, with a hold that gets weaker.
PetscErrorCode SystemSettle(System *s, const StaticLoads *loads, Settled *out);
// The same, until `most` iterations of Newton were taken.
PetscErrorCode SystemSettleWithin(System *s, const StaticLoads *loads, int most, Settled *out);

#endif
