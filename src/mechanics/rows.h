// SPDX-License-Identifier: Apache-2.0
// Tables of dot products. With y_i = sum_a N_ia x_a (N constant) a row is
//   e_r = sum c_rij f(z) y_i . y_j - e_r(reference),     f one of 1, z, z^2, sin z, cos z (z a coordinate of the item's own).
// Rows without coordinate are quadratic, so B(middle) (q1 - q0) = e(q1) - e(q0) for any q0, q1; rows with one keep the
// identity through mean factors and divided differences of f. The first `nroot` rows are lengths,
//   e_r = l - e_r(reference),  l = sqrt(2 sum c_rij y_i . y_j),
// and keep it through the mean length: l1 - l0 = (l1^2/2 - l0^2/2)/((l0 + l1)/2), so that B is that of l^2/2 over the
// mean.
// Equations: eq-rows-form (2.1), eq-rows-work (2.2), eq-rows-coordinate (2.3), eq-rows-length (2.8).
#ifndef LIMBER_MECHANICS_ROWS_H
#define LIMBER_MECHANICS_ROWS_H

#include "base/tape.h"
#include "mechanics/node.h"

enum { ROW_LANES = 8, MAX_ROWS = 6, MAX_Y = 98, MAX_ENTRIES = 298, MAX_COORDS = 4 };

typedef enum { FACTOR_ONE, FACTOR_SIN, FACTOR_COS, FACTOR_LINEAR, FACTOR_SQUARE, FACTOR_COUNT } RowFactor;

typedef struct {
  int row, i, j;
  double c;
  RowFactor factor;
  int coord; // of the factor; 0 if it has none
} RowTerm;

// Values of an item's coordinates: an angle, a slide.
typedef struct {
  double z[MAX_COORDS];
} Coords;

typedef struct {
  int ny, nrow, nroot;
  int start[MAX_Y + 1]; // y_i has the entries start[i] .. start[i+1]-1
  int vec[MAX_ENTRIES];
  double coef[MAX_ENTRIES];
  int nterm;
  const RowTerm *term;
  // Dense rows, without factors and lengths: in place of terms the coefficients of all pairs y_i . y_j, i <= j, of
  // ROW_LANES rows side by side; NULL: terms.
  const double *pair;
  const Tape *formula; // F(z_1, z_2, z_3), which row 0 has beside its terms; NULL: none (below)
  double ref[MAX_ROWS];
} Rows;

// One item's nodes over all stages of a step. `block` is a node's first unknown block in the item, -1 if fixed.
typedef struct {
  int s, nnode, nvec, nblock;
  ForceRule force_rule;
  NodeKind kind[MAX_LOCAL_NODES];
  int block[MAX_LOCAL_NODES], first[MAX_LOCAL_NODES];
  Vec3 xn[MAX_LOCAL_VECTORS], xk[MAX_STAGES][MAX_LOCAL_VECTORS];
  NodeMotion motion[MAX_STAGES][MAX_LOCAL_NODES];
} LocalMotion;

void local_motion_begin(LocalMotion *it, int s, ForceRule force_rule);
// u[k], c[k]: the node's displacement and conformal rotation over each stage
void local_motion_add_node(LocalMotion *it, NodeKind kind, const Vec3 *xn, const Vec3 *u, const Vec3 *c);
// The same, where the motions over the stages are known.
void local_motion_add_moved(LocalMotion *it, NodeKind kind, const Vec3 *xn, const NodeMotion *m);

// What the rows of one table are over a step: values, derivatives at the ends, and the rows that forces act along.
typedef struct {
  double en[MAX_ROWS], ek[MAX_STAGES][MAX_ROWS];
  double mean[MAX_STAGES][MAX_ROWS]; // of a root row: the mean length over the stage, at the end for FORCE_END
  double end[MAX_ROWS][MAX_LOCAL];   // d e_k / d unknown (each unknown has one stage)
  double along[MAX_STAGES][MAX_ROWS][3 * MAX_LOCAL_BLOCKS]; // on the unknowns of stage k
  Vec3 along_vec[MAX_STAGES][MAX_ROWS][MAX_LOCAL_VECTORS];  // the same on the vectors
  double end_z[MAX_STAGES][MAX_COORDS][MAX_ROWS], along_z[MAX_STAGES][MAX_COORDS][MAX_ROWS];
} RowsState;

// y_i of the vectors x
void rows_interpolate(const Rows *p, const Vec3 *x, Vec3 *y);
extern const Coords no_coords[MAX_STAGES]; // for items without

void rows_value(const Rows *p, const Vec3 *x, const Coords *z, double *e);
// d e_r / d x_a, of a table without roots
void rows_gradient(const Rows *p, const Vec3 *x, const Coords *z, Vec3 g[][MAX_LOCAL_VECTORS], int nvec);
// d e_r / d z of one coordinate
void rows_rate(const Rows *p, const Vec3 *x, const Coords *z, int coord, double *e);
// Rates of coordinates where the rows have the rates `moves` by the motion of their nodes, least squares of
// moves + sum_c gz[c] rate_c; gz[c] are the derivatives by coordinate c. A coupling has a row with several coordinates.
Coords rows_coord_rates(int nrow, int ncoord, double gz[][MAX_ROWS], const double *moves);
// Value of one row without root and derivative by its coordinate, which is z; whether that is an angle.
bool rows_single(const Rows *p, int row, const Vec3 *x, double z, double *value, double *rate);
// Without `tangent` neither `end` nor `along` is filled.
void rows_evaluate(const Rows *p, const LocalMotion *it, const Coords *zn, const Coords *zk, bool tangent,
                   RowsState *out);

// Adds sum_r stress_r d(along_r)/d x, a multiple of the identity for each pair of vectors, to kappa[nvec][nvec]; of a
// root row that is the part at constant mean length, for stress over that length.
void rows_add_geometric(const Rows *p, ForceRule force_rule, const double *stress, const Coords *zn, const Coords *zk,
                        double kappa[MAX_LOCAL_VECTORS][MAX_LOCAL_VECTORS]);

// Adds forces on the vectors of an item over stage k, and the tangent of multiples kappa of the identity between them.
void local_motion_add_forces(const LocalMotion *it, int k, const Vec3 *force,
                             double kappa[MAX_LOCAL_VECTORS][MAX_LOCAL_VECTORS], Local *out);
// The same of stresses on rows without roots: forces along them and what turns with these; stresses stay as they are.
void rows_add_stress(const Rows *p, const LocalMotion *it, int k, const Coords *zn, const Coords *zk,
                     const double *stress, const RowsState *q, Local *out);

// Forces on the vectors over stage k by stresses on rows without roots: sum_r stress_r along_r, the rows themselves are
// not formed.
void rows_force(const Rows *p, const LocalMotion *it, int k, const Coords *zn, const Coords *zk, const double *stress,
                Vec3 *force);

// What multipliers put on the coordinates over a stage from (xn, zn) to (xk, zk): sum lambda_r along_z_r.
void rows_on_coords(const Rows *p, ForceRule force_rule, const Vec3 *xn, const Vec3 *xk, const Coords *zn,
                    const Coords *zk, const double *lambda, Coords *out);

// The part of the tangent that a coordinate z brings: with multipliers lambda over stage k,
//   dforce[3 nblock] = d(sum lambda_r along_r)/dz,  dmoment[3 nblock] = d(sum lambda_r along_z_r)/d unknowns of k,
//   returns d(sum lambda_r along_z_r)/dz.
double rows_coord_tangent(const Rows *p, const LocalMotion *it, int k, int coord, const Coords *zn, const Coords *zk,
                          const double *lambda, double *dforce, double *dmoment);

// Builds a table: rows_begin empties it but for what every kind fills; rows_y begins the next vector, rows_y_add adds
// coef * x_vec to it.
void rows_begin(Rows *p);
static inline void rows_y(Rows *p) {
  p->ny++;
  p->start[p->ny] = p->start[p->ny - 1];
}
static inline void rows_y_add(Rows *p, int vec, double coef) {
  int e = p->start[p->ny]++;
  p->vec[e] = vec, p->coef[e] = coef;
}
// Adds sign times the point / direction (given in ground axes at the reference) that the node carries along.
void rows_y_add_point(Rows *p, double sign, int first, NodeKind kind, const Vec3 *x0, Vec3 point);
void rows_y_add_direction(Rows *p, double sign, int first, const Vec3 *x0, Vec3 direction);

// A formula F of the coordinates z_1, z_2, z_3 of a coupling. Over a stage the force of its multiplier acts along
// c with
//   c . (z_k - z_n) = F(z_k) - F(z_n)
// for any two positions: the mean of the gradient on the straight line between them, by Gauss's rule of four points,
// and what that rule leaves, which is of the order |z_k - z_n|^9, in proportion to the squares of the coordinates'
// parts in it, so that it does not depend on units (a discrete gradient: O. Gonzalez 1996; R. I. McLachlan, G. R. W.
// Quispel, N. Robidoux 1999).
// Equations: eq-coupling-formula (5.10).

typedef struct {
  double end[MAX_COORDS], along[MAX_COORDS]; // gradient at z_k; c, at the end for FORCE_END
  double tangent[MAX_COORDS][MAX_COORDS];    // d c_i / d z_k,j
} CoordSecant;

void coord_formula_secant(const Tape *f, ForceRule rule, const Coords *zn, const Coords *zk, CoordSecant *out);

#endif
