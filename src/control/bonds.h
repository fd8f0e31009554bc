// SPDX-License-Identifier: Apache-2.0
// The bonds of a run: control blocks that are FMUs and take their steps within those of the model.
#ifndef LIMBER_CONTROL_BONDS_H
#define LIMBER_CONTROL_BONDS_H

#include "control/library.h"
#include "model/network.h"

typedef struct ControlBonds ControlBonds;

typedef struct { // of the control network, by blocks
  const Network *network;
  ControlLibrary **library;
  double *state, *last; // of all blocks: their states, and inputs at the last end of a step
  const int *first_state, *first_input;
} BondedBlocks;

// Connects the bonds of the model; NULL where there are none.
PetscErrorCode ControlBondsAttach(LimberRun run, const BondedBlocks *blocks, ControlBonds **out);
// Once the network has started: velocities before the first step are those that the FMUs got.
void control_bonds_start(ControlBonds *b);
PetscErrorCode ControlBondsDestroy(ControlBonds **bonds);

#endif
