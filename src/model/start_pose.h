// SPDX-License-Identifier: Apache-2.0
// Where a model begins if coordinates of joints have a `start`. Positions of the file are those at which all
// coordinates are zero; bodies are moved from there, rigidly: nodes that elements with mass connect move as one.
//
// A joint in no loop moves what is behind it, seen from the ground. The joints of a loop are closed by Newton's method
// along a path from zero to the start, by the least motion of the bodies: so it ends in the assembly mode that is
// drawn.
#ifndef LIMBER_MODEL_START_POSE_H
#define LIMBER_MODEL_START_POSE_H

#include "model/model.h"
#include "model/refusal.h"

typedef struct {
  Vec3 (*x)[4];  // of each node; NULL: all as they are drawn
  Coords *coord; // of each joint
  int joint;     // that cannot begin there
  Refusal wrong; // why; empty: it can
} StartPose;

// The caller's store keeps the arrays.
Error ModelStartPose(Model m, Store *store, StartPose *out);
// The model with its nodes and the places of its joints there, for pictures.
Error ModelAtStart(Model m, Store *store, struct LimberModelData *out);

#endif
