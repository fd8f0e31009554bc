// SPDX-License-Identifier: Apache-2.0
// Bond ports of a run: the exchange of velocities and forces with FMUs in each part of a step.
#ifndef LIMBER_ANALYSES_STEPPING_BONDS_H
#define LIMBER_ANALYSES_STEPPING_BONDS_H

#include "analyses/stepping/stepper.h"

// Whoever runs the FMUs (control/bonds.c).
typedef struct BondPartner BondPartner;
struct BondPartner {
  bool follows; // they can be set back, and take steps of any length
  // They go from the time `from` by h, with these velocities, and give their mean forces. If the last call began at the
  // same time, they are set back first. `wrong`: "", or why one of them failed; `cause`: its block. Collective.
  PetscErrorCode (*go)(BondPartner *b, double from, double h, const double *flow, double *effort, Refusal *wrong,
                       int *cause);
};

struct Bonds {
  BondPartner *partner; // belongs to the control network; NULL: none yet
  int count, repeats;   // of steps, at most
  double tolerance;     // J: of all bonds together
  bool asked;           // FMUs that cannot be set back have gone to the end of the step
  double *flow, *effort, *moved;
  double *error, *last_error, *last_flow, *inverse; // of the search for the velocities
  Refusal wrong;                                    // why the last attempt failed; "": it did not
  int cause;                                        // the control block that is to blame
};

PetscErrorCode BondsCreate(Stepper *p);
PetscErrorCode BondsDestroy(Stepper *p);
// Before a whole step.
PetscErrorCode BondsBegin(Stepper *p);
// Finds the unknowns of a part of a step, as AnalysisKind.advance, with the forces of the FMUs.
PetscErrorCode BondsAdvance(Stepper *p, double h, int *iterations, NewtonOutcome *o);
// Energy that the exchange has created.
double bonds_exchange(const Stepper *p);

#endif
