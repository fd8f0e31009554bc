// SPDX-License-Identifier: Apache-2.0
// Mechanisms in gravity with one driven coordinate, for every joint and each of its coordinates: as models, and as functions
// that Lagrange's equations take (lagrange.h). Unless it says otherwise, a frame swings about y, a second body hangs on it by the joint.
#ifndef LIMBER_TESTS_DRIVEN_H
#define LIMBER_TESTS_DRIVEN_H

#include "lagrange.h"
#include "limber/limber.h"

#include <stdbool.h>

enum { FIRST, SECOND }; // bodies

typedef struct DrivenCase {
  const char *joint, *coordinate;
  const char *moves;  // what the coordinates of the joint do, see move()
  int driven, ncoord; // of the mechanism
  bool points;        // what the joint ties to the first body is a point; of a guide and of struts both are

  void (*places)(const Mechanism *m, const double *q, Pose *pose);
  void (*build)(const struct DrivenCase *c, LimberModel m, LimberNodeId *node, LimberJointId *joint);
  void (*reaction)(const struct DrivenCase *c, const LagrangeSample *s, Vec3 *force, Vec3 *moment);
} DrivenCase;

extern const DrivenCase driven_cases[];
extern const int driven_case_count;

typedef struct {
  LimberModel model;
  LimberJointId joint;
  LimberLoadId drive;
  LimberNodeId node; // the second body
  int coordinate;    // of the joint
} DrivenModel;

// at_speed: z sets off at its largest rate, not from rest.
Mechanism driven_mechanism(const DrivenCase *c, bool at_speed);
// by_rate: the drive is given the rate of z.
void driven_model(const DrivenCase *c, bool at_speed, bool by_rate, DrivenModel *out);

#endif
