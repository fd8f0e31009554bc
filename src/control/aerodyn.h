// SPDX-License-Identifier: Apache-2.0
// Loads of the air on blades by AeroDyn and InflowWind of OpenFAST 5, in a shared library with their C interface. After
// each step of AeroDyn the library gets the motion of the points and gives their loads, which are held over the next.
#ifndef LIMBER_CONTROL_AERODYN_H
#define LIMBER_CONTROL_AERODYN_H

#include "input/input.h"
#include "model/refusal.h"
#include "results/container/container.h"

#include <petscsys.h>

// Attaches the part `aerodynamics` of a model file to a created run, if there is one. `from`: a checkpoint, which is
// refused. `wrong`: unchanged, or why it cannot start. Collective.
PetscErrorCode AerodynAttach(const Input *in, LimberRun run, const CheckpointContainer *from, Refusal *wrong);

// ---- the library: aerodyn_library.c ----

enum { ADI_TEXT = 1025, ADI_MESSAGE = 8197, ADI_CHANNELS = 8000 };

typedef struct { // motion of places in the form of the interface: rows of axes, then velocity and angular velocity
  int count;
  float *position, *velocity, *acceleration;
  double *axes;
} AdiMotion;

typedef struct {
  AdiMotion hub, nacelle, roots, points;
} AdiRotor;

typedef struct AdiLibrary AdiLibrary;

// Loads the library and starts it with the reference positions of the rotor. `wrong`: "", or why it cannot. Only on the
// rank that calls it, like all functions here.
AdiLibrary *adi_open(const Aerodyn *a, const char *folder, double end, const AdiRotor *reference, Refusal *wrong);
void adi_close(AdiLibrary **library);
// Loads of the points at a time, for its motion: six numbers each. False: `wrong` says why.
bool adi_loads(AdiLibrary *l, const AdiRotor *rotor, double time, float *load, Refusal *wrong);
// Moves its states from one time to another, for the motion at the second.
bool adi_update(AdiLibrary *l, const AdiRotor *rotor, double from, double to, Refusal *wrong);

#endif
