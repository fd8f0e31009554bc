// SPDX-License-Identifier: Apache-2.0
// The contract of a load: an amplitude of time times a constant pattern of dead forces on a node's vectors, a dead
// moment on a frame, a torque on a joint's angle, or an acceleration of all masses.
#ifndef LIMBER_MECHANICS_LOAD_H
#define LIMBER_MECHANICS_LOAD_H

#include "base/field.h"
#include "limber/catalogue.h"
#include "mechanics/node.h"

typedef enum { LOAD_NODE, LOAD_JOINT, LOAD_FIELD } LoadTarget;

typedef struct {
  LoadTarget target;
  LimberId id;        // of the node or joint
  Vec3 force, moment; // on the node
  double torque;      // on a coordinate of the joint
  int coord;
  Vec3 acceleration; // of the field
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

// Work over an interval of increments u, c (p for FORCE_MEAN) of a node.
double load_work(const Load *l, double amplitude, NodeKind kind, ForcePlace place, Vec3 u, Vec3 c);

#endif
