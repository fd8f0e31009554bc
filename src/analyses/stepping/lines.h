// SPDX-License-Identifier: Apache-2.0
// Lines between wave ports of several runs: their waves at the start, and the exchange after each step. A side contains
// the ports of a run as plain numbers, so that the run may be in another process.
// Equations: eq-port-start (24.7).
#ifndef LIMBER_ANALYSES_STEPPING_LINES_H
#define LIMBER_ANALYSES_STEPPING_LINES_H

#include "analyses/stepping/stepper.h"

#include <limber/ports.h>
#include <petscsys.h>

typedef struct {
  const char *name;
  int count, wave; // waves, and the first of them among those of the run
  bool answers;    // it has a point whose answer to forces is known
  double mass, impedance;
} LinePort;

typedef struct {
  int ports, waves;
  const LinePort *port;
  double step;
  const double *velocity, *acceleration, *compliance; // as of struct Ports
  double *in, *out;                                   // of all waves
} LineSide;

// The side of a run with copies of its waves, and of one without ports an empty one.
PetscErrorCode LineSideCreate(const Stepper *p, LineSide *side);
PetscErrorCode LineSideDestroy(LineSide *side);
// Gives waves to a run; `out` only at the start, else NULL.
void line_take_waves(Stepper *p, const double *in, const double *out);

// Checks the connections, and sets the waves of all sides.
PetscErrorCode LinesStart(int sides, const LineSide *side, int connections, const LimberConnection *connection);
// What went out of one end comes in at the other.
void lines_exchange(const LineSide *side, int connections, const LimberConnection *connection);
// Checks that a connection has ends.
PetscErrorCode LineCheck(int sides, const LineSide *side, const LimberConnection *c);

#endif
