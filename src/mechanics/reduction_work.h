// SPDX-License-Identifier: Apache-2.0
// What a reduction works with: the mesh as a linear problem, K u + M a = f.
#ifndef LIMBER_MECHANICS_REDUCTION_WORK_H
#define LIMBER_MECHANICS_REDUCTION_WORK_H

#include "mechanics/reduction.h"
#include "mechanics/sparse_cholesky.h"

// Unknowns: the displacement of each node, and of each interface the displacement and rotation of its frame.
typedef struct {
  const ReductionMesh *m;
  Allocator memory;
  int *interface;       // rigid, of a node; -1: none
  int *place;           // first unknown of a node, or of nodes + rigid interface, whose nodes have none of their own
  double *mass;         // of each node; of matrices their diagonal, scaled to the whole mass
  int n;                // unknowns
  CliqueMatrix matrix;  // A = K + shift M, of the elements
  SparseFactor factor;  // of A
  double shift, *rigid; // rigid: n x 6, orthonormal in the masses
  double *of_element;   // room for one element's matrix
  double *column;       // and for a number of each node
  bool failed;          // no memory
} ReductionWork;

// Room, zeroed; NULL once there is none. Numbers have some room behind them, which a strip reads.
void *reduction_take(ReductionWork *w, size_t count, size_t size);
double *reduction_numbers(ReductionWork *w, size_t rows, int columns);
extern const char reduction_no_memory[];

// A point of an element: its rows, and their derivatives by the places of the nodes.
typedef struct {
  ElementPoint p;
  Vec3 grad[MAX_ROWS][MAX_LOCAL_VECTORS];
} ReductionRows;

void reduction_rows(const ReductionWork *w, const ReductionElement *e, int g, ReductionRows *out);
// Stiffness of an element: k[row][column] of the displacements of its nodes, one after the other.
enum { REDUCED_MATRIX = 96 };
void reduction_matrix(const ReductionWork *w, const ReductionElement *e, double k[][REDUCED_MATRIX]);

// Displacement of a node in column c of x, n x columns.
Vec3 reduction_value(const ReductionWork *w, const double *x, int columns, int c, int node);

void reduction_mass_times(const ReductionWork *w, const double *x, int columns, double *y);
void reduction_stiffness_times(const ReductionWork *w, const double *x, int columns, double *y);

// out = a^T b of n x ka and n x kb, and out += sign x c of n x from and from x to.
void reduction_products(int n, const double *a, int ka, const double *b, int kb, double *out);
void reduction_combine(int n, const double *x, int from, const double *c, int to, double sign, double *out);

double reduction_dot(const double *a, const double *b, int n);
void reduction_subtract(double *restrict x, const double *restrict y, double f, int n); // x -= f y

// Weights of the nodes of an interface that averages, by mass, with the sum 1; its centre; and the tensor of their second
// moments J about it, sum weight (x.x 1 - x x). NULL: no memory.
double *reduction_weights(ReductionWork *w, const ReductionInterface *f, Vec3 *centre, Mat3 *moments);
// The force on each node of such an interface by a force and a moment at its frame. The other way round, with the force
// or moment 1 along an axis, it gives the mean displacement and rotation of the frame: they do the same work.
typedef struct {
  const double *weight;
  Vec3 centre, force, spin; // spin: J^-1 moment about the centre
} SpreadLoad;
const char *reduction_spread(ReductionWork *w, int interface, int axis, SpreadLoad *out);
Vec3 reduction_spread_force(const ReductionWork *w, const SpreadLoad *s, int interface, int i); // on its i-th node

// NULL, or what is wrong: masses and the factor; `work`: its multiplications.
const char *reduction_prepare(ReductionWork *w, double most_work, double *work);
// Deflections under forces and moments at each interface and modes, in the measure of their importance; `*count` of them
// in v, n x count.
const char *reduction_vectors(ReductionWork *w, double **v, int *count);

// The `count` lowest modes with the interfaces in `held` clamped: squares of angular frequencies, ascending; a free body
// without rigid motions.
const char *reduction_held_modes(ReductionWork *w, const bool *held, int count, double *value);

// Stiffness between the points of the body (3 points square), of the functions q; and the forms of its strains, by modes
// (each a row) and their stiffness. False: no memory.
bool reduction_stiffness(ReductionWork *w, const double *q, int points, double *k);
bool reduction_forms(ReductionWork *w, const double *q, int points, const double *mode, const double *stiffness,
                     const double *field, double *form);

// The same of matrices (reduction_matrices.c). Their forms are those of the stresses that carry the loads of each mode:
// in the elements, if there are such, else in bars between the nodes that the stiffness couples. `field` in the function
// above: displacements of the elements with these stresses, nodes x 3 x rows; NULL: the modes themselves.
double matrices_masses(const ReductionMesh *m, double *mass); // of each node; returns all
void matrices_mass_times(const ReductionMesh *m, const double *f, int columns, int c, double *out); // of a function
void matrices_energies(const ReductionMesh *m, const double *f, int columns, double *h); // sum f_a tr(K_ab) f_b
bool matrices_stiffness(ReductionWork *w, const double *q, int points, double *k);
const char *matrices_forms(ReductionWork *w, const double *q, int points, const double *mode, const double *stiffness,
                           double *work, double *form);

#endif
