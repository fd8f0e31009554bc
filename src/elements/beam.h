// SPDX-License-Identifier: Apache-2.0
// What is kept of an element of a beam.
#ifndef LIMBER_ELEMENTS_BEAM_H
#define LIMBER_ELEMENTS_BEAM_H

#include "mechanics/element.h"
#include "mechanics/batch.h"
#include "mechanics/cell.h"

typedef struct { // of the nodes at a Gauss point
  double n[MAX_ORDER + 1], dn[MAX_ORDER + 1];
} BeamShape;

typedef struct {
  int p;
  bool stretch;
  const BeamShape *shape; // for each Gauss point; all elements of a beam share it
  double damping;
  const double *damper; // NULL, or roots of the damping times of the strains
  const Mat3 *axes;     // NULL, or for each node the section axes as columns in the node's axes
  struct {
    double jacobian;
    const double *stiffness;
    double ref[6];
  } point[MAX_ORDER];
  const Inertia *line[MAX_ORDER + 1]; // inertia per length at the nodes, section axes
  double weight[MAX_ORDER + 1];
} Beam;

extern const ElementBatch beam_batch;

#endif
