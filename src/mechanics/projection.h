// SPDX-License-Identifier: Apache-2.0
// How a joint meets the jump of a decaying scheme without cost.
//
// A jump moves a node by N dq = h (a_20 dv_0 + ...), which to leading order is -h^2/6 times the rate of the velocity in
// the coordinates of the scheme. A joint g(q) = 0 allows only displacements along G. But G qdd = -Gdot qd: where the
// joint's rows change in those coordinates (a point on a link; two bodies that turn at different rates about a
// hinge that moves) the jump has a part of order h^2 across the joint, the multiplier answers with a velocity jump of
// order h, and that costs energy of order h a second and the scheme its second order.
//
// Remedy: let y = M^-1 Ghat^T mu be the part of the jump's displacement rate that lies across the joints,
//   N dq_k/h = sum_l a_kl dv_l - y^k,      Ghat (v_k - v_n) = 0,      g(q_k) = 0        (k > 0, the jumps),
// with Ghat the joint's rows at t_n on the velocities. The work of y over the jump is y . M (v_k - v_n) = mu . Ghat
// (v_k - v_n) = 0, so the energy theorem stands as it was. What the jump no longer damps, velocities across the joint,
// the projection at the start of the step does:
//   v_n <- v_n + y^0,   M y^0 = Ghat^T mu^0,   Ghat (v_n + y^0) = rho Ghat v_n,
// which for 0 <= rho <= 1 takes (1 - rho^2)/2 |Ghat v_n|^2 (in the metric (Ghat M^-1 Ghat^T)^-1) and never gives.
//
// Coordinates. A joint's rows read G v + sum_c Gz_c zdot_c = 0. Each free coordinate has one row that gives it its
// value (Joint.pivot); with that row the coordinate is eliminated from the others, which become Ghat. A prescribed
// coordinate stays, and its rate, known at t_n, is what the rows aim at: Ghat v = c with c = -sum_c Gz_c zdot_c. Then
// the projection reads Ghat (v_n + y^0) - c = rho (Ghat v_n - c), of which mu^0 . c is the work of the drive and the
// rest a loss as before; and the jump, in which the drive stands still, is as before.
// Equations: eq-joint-acceleration (5.1), eq-joint-projection (5.2), eq-joint-projection-work (5.3),
// eq-joint-projection-start (5.4), eq-joint-coordinates (5.6), eq-joint-drive-projection (5.7),
// eq-joint-drive-energy (5.8).
#ifndef LIMBER_MECHANICS_PROJECTION_H
#define LIMBER_MECHANICS_PROJECTION_H

#include "mechanics/joint.h"

// Ghat of a joint at t_n: row i acts on the velocities v, w of the nodes (a frame's in its own axes) and aims at
// rate[i]. It is the sum of part[i][r] times row r of the joint; of[i][c]: the part of rate[i] that coordinate c
// brings.
typedef struct {
  Vec3 v[MAX_LOCAL_NODES][MAX_ROWS], w[MAX_LOCAL_NODES][MAX_ROWS];
  double rate[MAX_ROWS], of[MAX_ROWS][MAX_COORDS], part[MAX_ROWS][MAX_ROWS];
} ProjectionRows;

// Gradients g of rows on the vectors x of a node (`first`: the place of its first among those of the item) as rows on
// its velocities: v, w in the axes of a frame, v of a point.
void rows_on_velocities(int nrow, Vec3 g[][MAX_LOCAL_VECTORS], NodeKind kind, int first, const Vec3 *x, Vec3 *v,
                        Vec3 *w);

// x: the vectors of all nodes; zdot: rates of the prescribed coordinates; turning: the angular velocities of the nodes,
// for a step of length h, NULL for velocities as such.
void projection_build_rows(const Joint *j, int nnode, const NodeKind *kind, const int *first, const Vec3 *x,
                           const Coords *z, const Coords *zdot, double h, const Vec3 *angular_velocity,
                           ProjectionRows *out);

// One node of a joint as the projection sees it. Blocks are those of the joint's item: `block` of u (c follows),
// `projection` of y.
typedef struct {
  NodeKind kind;
  int block, projection;
  Vec3 start[2]; // v_n before the projection
  ProjectionVelocity y;
  MaterialVelocity frame; // of a frame
  PointVelocity point;    // of a point
} ProjectionNode;

// Adds the rows and columns of mu (blocks from `block`, one for each row of Ghat) and the joint's part in the rows of
// y. mu[k][r]: multipliers; rho: what the projection leaves; off[r]: row r of the joint follows from others and stays
// without force.
void projection_evaluate(const Joint *j, const Tableau *t, double h, double rho, int nnode, const ProjectionNode *node,
                         const ProjectionRows *projection_rows, const bool *off, double mu[MAX_STAGES][MAX_ROWS],
                         int block, Local *out);

#endif
