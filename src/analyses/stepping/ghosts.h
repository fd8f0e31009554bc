// SPDX-License-Identifier: Apache-2.0
// A check for development: what ranks know of nodes and joints of other ranks is what these have, bit for bit. It is
// never sent but computed from the same unknowns, so that a difference is a mistake in the program.
#ifndef LIMBER_ANALYSES_STEPPING_GHOSTS_H
#define LIMBER_ANALYSES_STEPPING_GHOSTS_H

#include "analyses/stepping/stepper.h"

// An error on all ranks if the state of a ghost differs from that of its owner. Collective.
PetscErrorCode GhostsCheck(Stepper *p);
// The same if the option -limber_check_ghosts is given.
PetscErrorCode GhostsCheckIfAsked(Stepper *p);

#endif
