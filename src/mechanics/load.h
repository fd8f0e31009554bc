// SPDX-License-Identifier: Apache-2.0
// The contract of a load: an amplitude of time times a constant pattern of dead forces on a node's vectors, a dead
// moment on a frame, an acceleration of all masses; or what drives a coordinate of a joint: a force, a controller,
// or a motion that is prescribed.
#ifndef LIMBER_MECHANICS_LOAD_H
#define LIMBER_MECHANICS_LOAD_H

#include "base/field.h"
#include "limber/catalogue.h"
#include "mechanics/node.h"

typedef enum { LOAD_NODE, LOAD_JOINT, LOAD_FIELD } LoadTarget;

typedef enum {
  DRIVE_FORCE,   // torque times amplitude
  DRIVE_CONTROL, // gain (amplitude - z) + rate_gain (rate of the amplitude - rate of z)
  DRIVE_MOTION,  // z is the amplitude, less what that is at the start
  DRIVE_RATE,    // the rate of z is the amplitude
} CoordDrive;

typedef struct {
  LoadTarget target;
  LimberId id;            // of the node or joint
  Vec3 force, moment;     // on the node
  CoordDrive drive;       // of a coordinate of the joint ...
  const char *coordinate; // ... by name
  int coord;
  double torque;          // a force: times the amplitude
  double gain, rate_gain; // a controller towards the amplitude and its rate
  Vec3 acceleration;      // of the field
  LimberId amplitude;
} Load;

typedef struct {
  const char *name, *help;
  FieldTable fields;
  LoadTarget target;
  const char *(*prepare)(const void *params, Load *out); // NULL, or what is wrong
  const char *example_nodes;
  const void *example;
} LoadKind;

extern const LoadKind *const load_kinds[]; // ends with NULL

// Subtracts a node's load over interval k from the residual (a moment's tangent is zero, a force's too). The item has
// the node alone; `place` as in the scheme.
void load_on_node(const Load *l, double amplitude, NodeKind kind, int k, Local *out);

// The force that a field puts on the vectors of a node with that ambient mass matrix.
void load_on_mass(Vec3 acceleration, int nvec, const double mass[4][4], Vec3 *f);

static inline bool load_prescribes(const Load *l) {
  return l->target == LOAD_JOINT && (l->drive == DRIVE_MOTION || l->drive == DRIVE_RATE);
}

// What a load that prescribes nothing puts on its coordinate over a step of length h, in which the amplitude goes from
// `now` to `next` and z from zn to zk. It passes through the tableau as a stress does.
typedef struct {
  double force[MAX_INTERVALS], tangent[MAX_INTERVALS][MAX_INTERVALS]; // d force_k / d z_l
} CoordLoad;
void load_on_coord(const Load *l, const Tableau *t, double h, double now, double next, double zn, const double *zk,
                   CoordLoad *out);

// Work over an interval of increments u, c (p for FORCE_MEAN) of a node.
double load_work(const Load *l, double amplitude, NodeKind kind, ForcePlace place, Vec3 u, Vec3 c);

#endif
