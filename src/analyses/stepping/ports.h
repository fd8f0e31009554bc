// SPDX-License-Identifier: Apache-2.0
// Wave ports of a run: what they can lend and how they answer at the start, and the waves of a step.
#ifndef LIMBER_ANALYSES_STEPPING_PORTS_H
#define LIMBER_ANALYSES_STEPPING_PORTS_H

#include "analyses/stepping/stepper.h"

// At the start, with the masses that remain and without forces at the ports. The acceleration of wave i under forces f
// is acceleration_i + sum_j compliance_ij f_j. An impedance at a coordinate has no point that moves with it: its rows
// of the compliance are zero.
struct Ports {
  int waves;
  bool started; // waves were set
  double *velocity, *acceleration;
  double *compliance; // waves x waves
  double *most;       // of each port: the largest mass that its line can have; 0: not known
};

PetscErrorCode PortsCreate(Stepper *p);
PetscErrorCode PortsDestroy(Stepper *p);
// Finds the data above. `wrong`: a port has a mass that the model cannot lend.
PetscErrorCode PortsStart(Stepper *p, Refusal *wrong);

// The displacements of all waves, then of all bonds, over stage 0 of a step with these unknowns.
static inline int port_displacements(Model m) { return model_waves(m) + (int)m->bonds.count; }
PetscErrorCode PortsFindDisplacements(const Motion *motion, const double *q, double *moved);
// Adds the displacements of a part of a step to waves and bonds, from its unknowns.
PetscErrorCode PortsMove(Motion *motion, const double *q);
// Before and after a whole step.
void ports_begin(Stepper *p);
void ports_end(Stepper *p);
// Energy of the waves that went out: this model's half of the lines.
double ports_energy(const Stepper *p);

#endif
