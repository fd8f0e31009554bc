// SPDX-License-Identifier: Apache-2.0
// Nodes: the residual and tangent of items on them, their inertia, their motion over a stage, and damping of their
// masses against the ground.
#ifndef LIMBER_MECHANICS_NODE_H
#define LIMBER_MECHANICS_NODE_H

#include "base/vec3.h"
#include "mechanics/tableau.h"

// The residual and tangent of one item (an element, a joint, a node's inertia), on its own unknowns.
// Unknowns come in blocks of 3 for each stage: block i, stage k, component a stands at 3 s i + 3 k + a.

enum {
  MAX_LOCAL_NODES = 98,
  MAX_LOCAL_VECTORS = 104,
  MAX_LOCAL_BLOCKS = 202, // of a joint with velocity projection, two for each node
  MAX_LOCAL = 3 * MAX_STAGES * MAX_LOCAL_BLOCKS,
};

typedef struct {
  int s, n;     // stages, unknowns
  bool tangent; // it is wanted; k is not to be read otherwise
  double r[MAX_LOCAL];
  double k[MAX_LOCAL * MAX_LOCAL]; // row-major n x n
} Local;

static inline void local_begin(Local *l, int s, int nblock, bool tangent) {
  l->s = s, l->n = 3 * s * nblock, l->tangent = tangent;
  for (int i = 0; i < l->n; i++) l->r[i] = 0;
  for (int i = 0; i < l->n * l->n && tangent; i++) l->k[i] = 0;
}

static inline void local_clear(Local *l, int s, int nblock) { local_begin(l, s, nblock, true); }

static inline int local_at(const Local *l, int block, int stage) { return 3 * (l->s * block + stage); }

static inline void local_add_vec(Local *l, int row, Vec3 f) {
  l->r[row] += f.x, l->r[row + 1] += f.y, l->r[row + 2] += f.z;
}

static inline void local_add_mat(Local *l, int row, int col, double f, Mat3 m) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) l->k[(row + i) * l->n + col + j] += f * m.m[i][j];
}

static inline void local_add_diag(Local *l, int row, int col, double f) {
  for (int i = 0; i < 3; i++) l->k[(row + i) * l->n + col + i] += f;
}

// The inertia of a node, in its own axes: mass m, first moment s = m X_c, tensor J about the node.
//   material:  p = m v + w x s,  h = s x v + J w,  K = (v.p + w.h)/2
//   ambient:   K = 1/2 sum_ab M_ab xdot_a . xdot_b over (r, d1, d2, d3) with the constant 4 x 4 matrix
//              M = [m s^T; s E],  E = tr(J)/2 I - J  (the Euler tensor, E_ij = integral rho X_i X_j).
// Equations: eq-node-ambient (1.6), eq-node-material (1.7).

typedef struct {
  double m;
  Vec3 s;
  Mat3 j;
} Inertia;

static inline Vec3 inertia_momentum(const Inertia *q, Vec3 v, Vec3 w) {
  return vec3_add(vec3_scale(q->m, v), vec3_cross(w, q->s));
}

static inline Vec3 inertia_angular(const Inertia *q, Vec3 v, Vec3 w) {
  return vec3_add(vec3_cross(q->s, v), mat3_apply(q->j, w));
}

static inline double inertia_energy(const Inertia *q, Vec3 v, Vec3 w) {
  return 0.5 * (vec3_dot(v, inertia_momentum(q, v, w)) + vec3_dot(w, inertia_angular(q, v, w)));
}

void inertia_add(Inertia *q, const Inertia *p);

// The inertia of a body that a node carries rigidly, whose own axes are the columns of `axes` in the node's axes.
Inertia inertia_turned(const Inertia *q, Mat3 axes);

// A body with mass centre xc and tensor jc about it.
Inertia inertia_of_body(double m, Vec3 xc, Mat3 jc);

void inertia_ambient(const Inertia *q, double mass[4][4]);

// Nodes. A point is one vector r; a frame is four, r and three orthonormal directors. Over a stage
//   r_k = r_n + u,   d_k = R(c) d_n,
// and forces f_j on the directors make the moment m = sum_j rho_j x f_j with rho chosen by the scheme so that
// c . m (FORCE_CHORD) or p . m (FORCE_MEAN, p = 2 n tan(phi/2)) is the work sum_j f_j . (d_k - d_n).
// Equations: eq-node-motion (1.1), eq-node-moment-work (1.5).

typedef enum {
  NODE_FIXED, // a frame that does not move: the ground
  NODE_POINT,
  NODE_FRAME,
} NodeKind;

static inline int node_vectors(NodeKind k) { return k == NODE_POINT ? 1 : 4; }

static inline int node_blocks(NodeKind k) {
  switch (k) {
  case NODE_FIXED: return 0;
  case NODE_POINT: return 1;
  case NODE_FRAME: return 2;
  }
  return 0;
}

// What an item needs to know of one node over one stage. Index 0 of the arrays is r and has no rho.
typedef struct {
  Vec3 x[4];     // vectors at the end of the stage
  Vec3 rho[4];   // lever vectors
  Mat3 spin;     // d d_j = (spin dc) x d_j
  Vec3 c;        // the conformal rotation vector
  Vec3 chord[4]; // x - xn, without the cancellation
  double part;   // d rho_j = part d d_j; 0: that of spin d_n, a function of c
} NodeMotion;

// The axes of a frame, as the columns of a matrix, from its vectors.
static inline Mat3 node_axes(const Vec3 *x) { return mat3_columns(x[1], x[2], x[3]); }

// Only `x` and `chord` are filled when derivatives are not wanted.
void node_move(NodeKind kind, const Vec3 *xn, Vec3 u, Vec3 c, NodeMotion *m);
void node_motion(NodeKind kind, ForceRule force_rule, const Vec3 *xn, Vec3 u, Vec3 c, NodeMotion *m);

// Adds to an item's tangent, at the blocks of two nodes, the vector-space matrix kappa(i, j) I between vector i of
// node a and vector j of node b (row stride `stride`), at stages (k, l).
void node_add_scalar_tangent(Local *out, NodeKind ka, int block_a, const NodeMotion *ma, int k, NodeKind kb,
                             int block_b, const NodeMotion *mb, int l, const double *kappa, int stride);

// Adds to the residual the forces f on a node's vectors over stage k, and to the tangent the turning of its lever
// vectors.
void node_add_force(Local *out, NodeKind kind, int block, const NodeMotion *m, int k, const Vec3 *f);

// ---- inertia ----
// Ambient: the accelerations of the vectors are affine in the positions at the ends of the stages,
//   acc_k = acc0_k + sum_l rate_kl (x_l - x_n);   for a tableau  rate = a^-1/h^2,  acc0_k = -sum_l a^-1_kl b_l v_n/h.
typedef struct {
  double rate[MAX_STAGES][MAX_STAGES];
  Vec3 acc0[MAX_STAGES][4];
} AmbientRates;

void ambient_rates(const Tableau *t, double h, int nvec, const Vec3 *vn, AmbientRates *out);
void ambient_inertia(NodeKind kind, int s, const double mass[4][4], const AmbientRates *q, const NodeMotion *m,
                     Local *out);
// v_k of the stages from the converged positions
void ambient_velocity(const Tableau *t, double h, int nvec, const Vec3 *vn, const NodeMotion *m, Vec3 vk[][4]);
double ambient_energy(int nvec, const double mass[4][4], const Vec3 *v);

// The projection velocity of a node at a joint (projection.h): y^0 corrects the velocity at t_n, y^k is what the jump k
// leaves out of its displacement. v and w as in the velocity; NULL where a function takes it means none.
typedef struct {
  Vec3 v[MAX_STAGES], w[MAX_STAGES];
} ProjectionVelocity;

// v_k - v_n depends on v_n through -from_start[k], on y^l (l > 0) through a^-1_kl.
static inline double tableau_from_start(const Tableau *t, int k) {
  double f = 0;
  for (int l = 0; l < t->s; l++) f += t->inverse[k][l] * t->b[l];
  return f;
}

// Material: v = R^T (rdot - centre_velocity), w = R^T omega; `centre_velocity` is the velocity, constant over the step,
// of the mass centre of a component that is not tied to the ground. v[0] is the velocity, v[1] the angular velocity.
typedef struct {
  Vec3 vn[2];                                       // at t_n, with the projection
  Vec3 vk[MAX_STAGES][2];                           // at the ends of the stages
  Mat3 dv_du[MAX_STAGES], dv_dc[MAX_STAGES], dw_dc; // d vhat_l / d (u_l, c_l)
  Mat3 rk[MAX_STAGES], spin[MAX_STAGES];            // axes at the ends of the stages, tau G
} MaterialVelocity;

void material_velocity(const Tableau *t, double h, Vec3 centre_velocity, const Vec3 *xn, const Vec3 vn[2],
                       const ProjectionVelocity *projection, const Vec3 *u, const Vec3 *c, MaterialVelocity *out);
// Blocks of `out`: u, c, and with a projection its v and w.
void material_inertia(const Tableau *t, double h, const Inertia *q, Vec3 centre_velocity, const Vec3 *xn,
                      const Vec3 vn[2], const ProjectionVelocity *projection, const Vec3 *u, const Vec3 *c, Local *out);

// The same for a point with a projection; blocks: u, y.
typedef struct {
  Vec3 vn, vk[MAX_STAGES];
} PointVelocity;

void point_velocity(const Tableau *t, double h, Vec3 vn, const ProjectionVelocity *projection, const Vec3 *u,
                    PointVelocity *out);
void point_inertia(const Tableau *t, double h, double mass, Vec3 vn, const ProjectionVelocity *projection,
                   const Vec3 *u, Local *out);

// Damping of masses against the ground. The elements around a node give its vectors x_a = (r, d_1, d_2, d_3) the matrix
// D = sum alpha M, M the ambient mass of each, and in the balance of stage k forces
//   f_a = sum_b D_ab (x_b,k - x_b,n)/h,
// whose work on the way of the stage is sum_ab D_ab (x_a,k - x_a,n).(x_b,k - x_b,n)/h >= 0, as of any damper
// (element.h): D is symmetric and positive semidefinite. Balances at the end of a step have the velocities there in
// place of the chords.
// Equations: eq-law-mass-damper (9.3), eq-law-mass-damper-work (9.4).

typedef struct { // velocities of a node's vectors in the balance of a stage: start + slope (x_k - x_n)
  double slope;
  Vec3 start[4];
} VectorVelocity;

// Adds residual and tangent over all stages, at block 0.
void mass_damping_add(NodeKind kind, int stages, const double d[4][4], const VectorVelocity *v, const NodeMotion *m,
                      Local *out);

// What it takes in a step, from the motions over the stages.
double mass_damping_work(const Tableau *t, double h, int nvec, const double d[4][4], const NodeMotion *m);

// In a steady rotation of the whole by omega about `centre`: forces D_ab omega x (x_b - centre) and their tangent, of
// one stage.
void mass_damping_add_rotation(NodeKind kind, const double d[4][4], Vec3 omega, Vec3 centre, const NodeMotion *m,
                               Local *out);

#endif
