// SPDX-License-Identifier: Apache-2.0
#ifndef LIMBER_TESTS_RODS_H
#define LIMBER_TESTS_RODS_H

#include "check_petsc.h"

#include <limber/limber.h>
#include <stdio.h>

// A chain of n rigid rods of 1 m along x from the origin, revolutes about y, gravity along -z.
static inline LimberModel chain_of_rods(int n) {
  LimberModel m;
  LimberNodeId last = LIMBER_GROUND;
  CHECK_OK(LimberModelCreate(&m));
  for (int i = 0; i < n; i++) {
    char name[16];
    LimberNodeId id;
    snprintf(name, sizeof name, "rod%d", i + 1);
    CHECK_OK(LimberModelAddFrame(m, name, (double[]){i, 0, 0}, NULL, &id));
    CHECK_OK(LimberModelAddRigidBody(
        m, name,
        &(LimberRigidBody){.node = id, .mass = 1, .centre = {0.5, 0, 0}, .inertia = {1e-3, 1.0 / 12, 1.0 / 12}}, NULL));
    CHECK_OK(LimberModelAddRevolute(m, name, &(LimberRevolute){.nodes = {last, id}, .axis = {0, 1, 0}}, NULL));
    last = id;
  }
  CHECK_OK(LimberModelAddGravity(
      m, "g", &(LimberGravity){.acceleration = {0, 0, -9.81}, .amplitude = LIMBER_NO_FUNCTION}, NULL));
  CHECK_STR(limber_model_diagnostics(m), "");
  return m;
}

#endif
