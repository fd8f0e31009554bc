// SPDX-License-Identifier: Apache-2.0
// The largest stresses of beams that probes ask for: over a section, or along a beam at the ends and the integration
// points of all its elements.
#ifndef LIMBER_RESULTS_WRITE_PROBE_STRESS_H
#define LIMBER_RESULTS_WRITE_PROBE_STRESS_H

#include "analyses/stepping/observable.h"
#include "quantities/probe.h"
#include "model/stress.h"

typedef struct {
  double value; // Pa, or an index
  double at;    // 0 .. 1 of the length of the beam
  double y, z;  // m, in the section
  double cell;  // of its mesh
  double force[6];
} StressPeak;

typedef struct StressSearch StressSearch;

PetscErrorCode StressSearchCreate(Model m, StressSearch **out);
PetscErrorCode StressSearchDestroy(StressSearch **s);

int stress_positions(Model m, const Probe *p); // how many observables a probe adds
// Adds what a probe asks for: `add` takes each observable and returns its number. Returns the number of its first peak;
// peaks of the measures follow each other.
typedef int (*AddObservable)(void *self, Observable q);
PetscErrorCode StressSearchAdd(StressSearch *s, const Probe *p, const bool measure[STRESS_MEASURES], AddObservable add,
                               void *self, int *first);

// Finds all peaks in samples of the observables. Collective; every rank looks at a part of the positions.
PetscErrorCode StressSearchFind(StressSearch *s, MPI_Comm comm, const StateSample *sample);
const StressPeak *stress_peak(const StressSearch *s, int peak);

#endif
