// SPDX-License-Identifier: Apache-2.0
// Initial positions of a model whose joint coordinates have a `start`. Positions in the model file are those at which
// all coordinates are zero; bodies are moved rigidly from there. Nodes that elements with mass connect move as one
// body.
//
// A joint outside of loops moves everything behind it, seen from the ground. A loop is closed with Newton's method and
// the least motion of its bodies along a path from zero to the start, so it stays in the assembly mode that is drawn.
#ifndef LIMBER_MODEL_START_POSE_H
#define LIMBER_MODEL_START_POSE_H

#include "model/model.h"
#include "model/refusal.h"

typedef struct {
  Vec3 (*x)[4];  // of each node; NULL: all as drawn
  Coords *coord; // of each joint
  int joint;     // a joint that cannot start there
  Refusal wrong; // why; empty: it can
} StartPose;

// The arrays live in the caller's store.
Error ModelStartPose(Model m, Store *store, StartPose *out);
// A copy of the model with its nodes and joints at the start pose, for pictures.
Error ModelAtStart(Model m, Store *store, struct LimberModelData *out);

#endif
