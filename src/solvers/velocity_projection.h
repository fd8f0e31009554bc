// SPDX-License-Identifier: Apache-2.0
// The rows that velocities at the start must meet: velocity_projection.c, and elastic_start.c for what is elastic behind a drive.
// Equations: eq-start-projection (6.1).
#ifndef LIMBER_SOLVERS_VELOCITY_PROJECTION_H
#define LIMBER_SOLVERS_VELOCITY_PROJECTION_H

#include "solvers/solvers.h"

// A joint as its start sees it, a coordinate with a rate of its own prescribed for the moment: Ghat v = rate.
typedef struct {
  Joint joint;
  ProjectionRows projection_rows;
} StartRows;

void motion_rows_at_start(const Motion *motion, PetscInt joint, StartRows *out);

// Row i of that on the velocities of one of the joint's nodes.
static inline void start_row(const ProjectionRows *g, int end, int i, double out[6]) {
  vec3_to(g->v[end][i], out), vec3_to(g->w[end][i], out + 3);
}

// rate - Ghat v of row i as the velocities are, 0 where the row follows from others; `scale`: the sum of its parts' sizes.
double motion_start_defect(const Motion *motion, PetscInt joint, const StartRows *rows, int i, double *scale);

#endif
