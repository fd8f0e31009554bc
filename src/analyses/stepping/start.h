// SPDX-License-Identifier: Apache-2.0
// Finds the initial state of a run: redundant rows, closed joints, velocities that joints allow, accelerations and
// multipliers at t = 0.
#ifndef LIMBER_ANALYSES_STEPPING_START_H
#define LIMBER_ANALYSES_STEPPING_START_H

#include "analyses/stepping/stepper.h"
#include "model/refusal.h"
#include "solvers/static_newton.h"

// `wrong`: "", or why the run cannot start. Changes are listed in p->remarks.
PetscErrorCode StepperStart(Stepper *p, Refusal *wrong);

// Parts of the start. start_remark adds a line to p->remarks. StartCopyPositions copies positions and coordinates to
// another system of the same model and finds the node that is farthest from its position in the model.
void start_remark(Stepper *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
PetscErrorCode StartFollowDrives(Stepper *p, ProjectedStart *out);
PetscErrorCode StartCopyPositions(const System *from, System *to, double *moved, PetscInt *where);
// Creates another system of the same model in the same position, with another scheme.
PetscErrorCode StartCreateBeside(const System *s, const StepRule *rule, System **out);
PetscErrorCode StartCopyVelocities(const System *from, System *to);
PetscErrorCode StartCopyMultipliers(const System *from, System *to);
// Solves a short step from the start; the state does not move. consistent_forces.c
PetscErrorCode StartShortStep(System *s, double h, int limit, NewtonOutcome *o);
// Finds the multipliers that balance the accelerations at t = 0, for any scheme, if they can be found.
// consistent_forces.c
PetscErrorCode StartConsistentMultipliers(Stepper *p, Refusal *wrong);

// A node that turns at `omega`: the part of its velocity that turns with it, its displacement beside the rotation in
// steps from its velocity and from the opposite one, and the changes of its velocity and angular velocity.
// start_set_rotation sets its velocities and the stored increments of the scheme. start_rotation.c
typedef struct {
  Vec3 omega, turning, rest, change[2];
} NodeRotation;
double start_tangent_factor(double h, Vec3 omega); // f = tan(phi/2)/(phi/2)
void start_set_rotation(Motion *motion, double h, PetscInt node, const NodeRotation *r, bool remember);
// Converts the velocities of the motion to those of the scheme, and sets its stored increments.
PetscErrorCode StartRotation(Stepper *p);

// Sets all velocities to zero. If there is a rotation, first checks that it can be steady; `wrong`: why not.
PetscErrorCode StartStanding(Motion *motion, const Spin *spin, Refusal *wrong);
// Replaces the initial state by an equilibrium, or a rotating one by the scheme's own steady rotation.
// steady_rotation.c
PetscErrorCode StartEquilibrium(Stepper *p, Refusal *wrong);
// Checks that a rotation, whose velocities the system has, can be steady; otherwise `wrong` says why, and for a `run`
// what to do without it. steady_load_rotates: whether a load is constant as seen from the rotating parts.
// steady_rotation_check.c
PetscErrorCode SteadyCheck(const Motion *motion, const Spin *spin, bool run, Refusal *wrong);
bool steady_load_rotates(const Load *l, Vec3 axis);
bool steady_wind_rotates(Model m, int element, double time, Vec3 axis); // the same of what flows around an element
PetscInt steady_load_pushes(const Layout *layout,
                            const State *state); // a load that may change the speed of a free rotation; -1: none

// Brings a system without inertia to an equilibrium under its loads.

typedef struct {
  bool found;
  bool settled;         // load steps failed: the equilibrium was found by descent
  LimberCause free;     // part that moves freely and was held where it came to rest
  LimberCause cause;    // if not found: what leaves the residual
  int iterations, most; // of Newton: taken; limit of the search
} Settled;

// Starts from the state, and moves it. Raises the load factor to 1 in steps. If Newton fails, descends: each step
// minimises the potential plus hold/2 |q|^2 in the mass metric, with a decreasing hold.
PetscErrorCode SystemSettle(System *s, const StaticLoads *loads, Settled *out);
// The same with at most `most` iterations of Newton.
PetscErrorCode SystemSettleWithin(System *s, const StaticLoads *loads, int most, Settled *out);

// Gives the states of flows around elements the values that they have in steady motion at the velocities of the state.
void motion_settle_flow(Motion *motion);

#endif
