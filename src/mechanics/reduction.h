// SPDX-License-Identifier: Apache-2.0
// A body of elements reduced to few points. Its places are x(X) = sum_a N_a(X) y_a with P functions N_a in space, which
// contain 1, X_1, X_2, X_3 and the components of modes and static deflections: any motion of them, in any axes
// (generalised component modes; Pechstein, Reischl & Gerstmayr 2013). The N_a are orthogonal in the masses and
// have the same mass m/P, so that the y_a are mass points:
//   kinetic energy = sum_a m/(2 P) |dy_a/dt|^2,   mass, centre and inertia are those of the body.
// The strain energy is that of generalised strains, the projections of Green's strain E on the stress of each elastic
// mode phi_A of the reduced body, of stiffness lambda_A:
//   sum_A lambda_A/2 e_A^2,   e_A = 1/lambda_A integral sigma_A : E = sum_ab S_A,ab (y_a - y_0) . (y_b - y_0) - ref,
// as many as there are elastic motions: rows of dot products, which a rigid motion does not change, with the full linear
// stiffness and the stiffness of stresses. Nodes of a rigid interface move with a frame, which carries their mass; an
// averaging one has a frame without mass, which has the mean displacement and rotation of the nodes, weighted by mass.
// Equations: eq-reduced-field (10.13), eq-reduced-rows (10.15), eq-reduced-average (10.17).
#ifndef LIMBER_MECHANICS_REDUCTION_H
#define LIMBER_MECHANICS_REDUCTION_H

#include "mechanics/carried_mesh.h"
#include "mechanics/cross_section.h"

enum { REDUCED_POINTS = INTERFACE_POINTS, REDUCED_INTERFACES = 8, REDUCED_MODES = 40, REDUCED_NODES = CARRIED_NODES };
enum { REDUCED_PAIRS = REDUCED_POINTS * (REDUCED_POINTS - 1) / 2 };

typedef CarriedCell ReductionElement;

typedef struct {
  int count;
  const int *node; // of the mesh
  Vec3 at;         // of the frame
  int frame;       // node of the model
  bool averages;   // the frame follows their mean motion; else they move rigidly with it
} ReductionInterface;

// Stiffness and mass of a body as another program has found them, of pairs of nodes i <= j: the pairs of i are
// start[i] to start[i + 1] - 1, of which the first is (i, i). Force on i by a displacement of j: `stiffness`, 3 x 3 row
// after row; mass: the same in all directions.
typedef struct {
  const int *start, *first, *other; // first: i of each pair
  const double *stiffness, *mass;
} ReductionMatrices;

// With matrices the elements only serve for stresses; there may be none.
typedef struct {
  int nodes, elements, interfaces, modes;
  const Vec3 *at;
  const ReductionElement *element;
  const ReductionInterface *interface;
  const ReductionMatrices *matrices; // NULL: those of the elements
} ReductionMesh;

// Of an interface: sum_a weight_a y_a = place r + sum_i along_i d_i, with the place r and the axes d_i of its frame,
// which are the ground's at the reference.
typedef struct {
  double weight[REDUCED_POINTS], place;
  Vec3 along;
} ReductionTie;

enum { REDUCED_TIES = 4 }; // the centre of an interface and its axes, two of a flat one
typedef struct {
  Inertia inertia; // of its nodes about the frame, in ground axes
  int ties;
  ReductionTie tie[REDUCED_TIES];
  double mean[3][REDUCED_POINTS]; // of a frame that averages: the moments G_i = sum_a mean_ia y_a (InterfaceTie)
} ReductionFrame;

struct Reduction {
  int points, rows;  // rows: 3 points - 6, in sixes
  double mass;       // of each point
  double whole_mass; // with the nodes of the interfaces
  Vec3 at[REDUCED_POINTS];
  const double *stiffness; // lambda_A, the square of the mode's angular frequency times the whole mass
  const double *form;      // S_A,ab of all pairs 1 <= a <= b, once for each: A after A
  ReductionFrame frame[REDUCED_INTERFACES];
  double work; // multiplications of the factor
  // N_a at the nodes of the mesh, nodes x points; phi_A, rows x 3 points
  const double *function, *mode;
  CarriedMesh mesh;
  ReductionMesh source;
};

static inline int reduction_pairs(int points) { return points * (points - 1) / 2; }

// NULL, or what is wrong. `memory` for the results; `scratch` may be given back after it.
const char *reduction_compute(const ReductionMesh *mesh, double most_work, Allocator memory, Allocator scratch,
                              Reduction *out);

// Modes of the mesh and of the reduced body, with the interfaces in `held` clamped: squares of angular frequencies,
// ascending, without rigid motions.
enum { REDUCED_COMPARED = 40 };
typedef struct {
  bool held[REDUCED_INTERFACES];
  int count; // of both; as many as asked for, or all of the reduced body
  double mesh[REDUCED_COMPARED], body[REDUCED_COMPARED];
} ReductionModes;

// NULL, or what is wrong.
const char *reduction_compare(const Reduction *r, int sets, ReductionModes *modes, double most_work, Allocator scratch);
// All mass of the mesh, about the ground's origin.
void reduction_inertia(const ReductionMesh *mesh, Inertia *out);

#endif
