// SPDX-License-Identifier: Apache-2.0
// What the contract tests share: numbers that look random and are the same in every run, tableaux, a small model
// that builds one item of the catalogue without a solver, and the contracts as measured errors. An error is
// relative to the sum of the magnitudes of what was added up, unless its comment says otherwise.
#ifndef LIMBER_TESTS_CONTRACT_H
#define LIMBER_TESTS_CONTRACT_H

#include "base/rotation.h"
#include "mechanics/element.h"
#include "mechanics/joint.h"
#include "mechanics/load.h"

#define EPS 2.220446049250313e-16

// The larger of two errors; not a number is the largest.
static inline double worse(double a, double b) { return a >= b || isnan(a) ? a : b; }

// ---- numbers ----
void random_restart(unsigned long long seed);
double random_in(double low, double high);
Vec3 random_vector(double size); // components in -size .. size
Vec3 random_turn(double most);   // the conformal vector of a turn of at most `most` rad about some axis
Mat3 random_rotation(void);      // any turn at all
void random_frame(Vec3 x[4]);    // somewhere, turned anyhow
Inertia random_inertia(void);    // of a handful of particles, mass centre off the node

double mat3_distance(Mat3 a, Mat3 b); // largest difference of entries

// p = 2 n tan(phi/2), to which moments are conjugate where forces act at the mean directors
Vec3 tangent_vector(Vec3 c);
// To what a frame's moment is conjugate over a stage; the rotation vector stands in at the end.
Vec3 conjugate_turn(ForceRule force_rule, Vec3 c);

// (f(x + H) - f(x - H))/2H and the same at H/2, extrapolated: the error is H^4/480 f'''''. H is as large as polynomials
// like it; what has roots wants a tenth.
extern double difference_size;
static inline double difference_step(int i) { return (i % 2 ? -1 : 1) * (i < 2 ? 1 : 0.5) * difference_size; }
static inline double extrapolated(const double f[4]) { // f at x + H, x - H, x + H/2, x - H/2
  return (8 * (f[2] - f[3]) - (f[0] - f[1])) / (6 * difference_size);
}

// ---- tableaux that satisfy the theorem ----
enum { TABLEAUX = 8 };
Tableau tableau_preserving(void);
Tableau tableau_b(double beta);
Tableau tableau_c(double rho);
Tableau tableau_three(void);                         // three stages, some loss in each
Tableau tableau_two_step(double delta);              // one stage that recalls the last step
Tableau tableau_sample(int i, ForceRule force_rule); // i < TABLEAUX: all of the above, completed
Recall recall_sample(const Tableau *t);              // of a step that is shorter than the last, by chance
Tableau tableau_any(int s, ForceRule force_rule);    // proved with s stages
Tableau tableau_end(void);                           // the forces at the end of one stage

// ---- a model of one item ----
enum { MOCK_NODES = 64, MOCK_ELEMENTS = 20, MOCK_KEPT = 200, MOCK_PARAMS = 4096 };

#define MOCK_LINE 0.6 // length of the line that an item around lines meets

typedef struct {
  int nnode;
  int node[MAX_LOCAL_NODES];
  void *data;
} MockItem;

typedef struct {
  ElementBuilder builder;
  const ElementKind *kind;
  const Wheel *wheel; // that the item is; NULL: none
  char name[160];
  int nnode, ncomponents, nkept; // node 0 is the ground
  NodeKind node[MOCK_NODES];
  Vec3 x[MOCK_NODES][4]; // as built
  MockItem item[MOCK_ELEMENTS];
  void *kept[MOCK_KEPT];
  Joint joint; // of mock_joint; its nodes, the ground last, are item[0]
} Mock;

enum { SECTION_TAPERED, SECTION_UNIFORM, SECTION_THREE, SECTIONS };
const LimberSection *mock_section(int id, int *stations);

void mock_begin(Mock *m, const char *name,
                const char *nodes); // 'F', 'P' for the ids 1, 2, ..., at random; 'C': corners
void mock_end(Mock *m);
// Sets the model up for variant i of an example: first the example itself, then nodes that coincide, nodes of the other
// kind, the ground in the place of a node. Moves i past repetitions; false when there are no more. `params` has
// MOCK_PARAMS bytes.
bool mock_variant(Mock *m, int *i, const char *name, const FieldTable *t, const char *nodes, const void *example,
                  void *params);
const char *mock_build(Mock *m, const ElementKind *kind, const void *params); // NULL or refused
const char *mock_joint(Mock *m, const JointKind *kind, const void *params);   // NULL or refused
bool mock_moves(const Mock *m);                                               // has a node with unknowns
bool mock_grounded(const Mock *m);                                            // an item has the ground among its nodes
void mock_vectors(const Mock *m, const MockItem *e, Vec3 (*x)[4], Vec3 *out);

// A step of all nodes: vectors at t_n, increments of each stage, and a joint's coordinates and multipliers.
typedef struct {
  int s;
  Vec3 xn[MOCK_NODES][4], u[MOCK_NODES][MAX_STAGES], c[MOCK_NODES][MAX_STAGES];
  Coords zn, zk[MAX_STAGES], torque[MAX_STAGES];
  double lambda[MAX_STAGES][MAX_ROWS];
} MockMotion;

void motion_random(const Mock *m, int s, MockMotion *q); // far from the reference, turns up to 2.5 rad
extern double motion_off; // > 0: a body of points as a whole, its points that far off: what may not be crushed
void motion_rest(const Mock *m, int s, MockMotion *q); // at the reference
void motion_ends(const Mock *m, const MockMotion *q, int k, Vec3 (*x)[4]);
void motion_item(const Mock *m, const MockMotion *q, const MockItem *e, ForceRule force_rule, LocalMotion *it);
// Of stage k, on the item's blocks: the increments to which its residual is conjugate.
void motion_increments(const LocalMotion *it, const MockItem *e, const MockMotion *q, int k, double *out);

// Where the unknowns of the nodes' blocks lie in the motion.
void motion_unknowns(const LocalMotion *it, const MockItem *e, MockMotion *q, double **unknown);

// One item of a model in motion, for the functions that evaluate it.
typedef struct {
  const Mock *m;
  const MockItem *e;
  const Tableau *t;
  MockMotion *q;
  const Recall *recall; // NULL: nothing is recalled
  const double *past;   // increments that are remembered, of rows ...
  const Coords *coords; // ... and of a joint's coordinates
} Case;

// Largest difference between the tangent of `evaluate` times some unit directions and the differences of its residual
// along them, over the largest entry of the tangent. unknown[j] is where the j-th unknown lies; NULL leaves it out.
double tangent_error(int n, double *const *unknown, void (*evaluate)(void *self, Local *out), void *self);

// ---- tables ----
bool rows_in_bounds(const Rows *p, int nvec);
// along . (q_k - q_n) + along_z (z_k - z_n) = e_k - e_n, on the vectors and on the unknowns
double rows_identity_error(const Rows *p, const LocalMotion *it, const MockItem *e, const MockMotion *q);

// ---- contracts of elements, over all elements that an item built ----
double element_table_error(const Mock *m); // 1 if a table leaves its bounds or stiffness is not symmetric
// places of a mesh that the element carries under a uniform strain and a turn, and the stress there over the exact one
double element_mesh_error(const Mock *m);
double element_station_error(
    const Mock *m); // places 0 and 1 are the ends; axes are unit vectors there; places move along
// 1 if there is no look or it names what the element has not; else how far ends lie from the nodes
double element_visual_error(const Mock *m);
double element_identity_error(const Mock *m); // along . (q_k - q_n) = e_k - e_n, on vectors and on unknowns
double element_theorem_error(const Mock *m);  // sum_k w_k residual_k . increment_k = change of energy + losses
double element_gradient_error(const Mock *m); // residual at the end = derivative of the energy, over the largest
double element_tangent_error(const Mock *m);
double element_reference_error(const Mock *m); // energy and force at the reference, over those of a random place
double element_rigid_error(const Mock *m);     // energy of a place moved as a whole, over the largest
// The force through a section is what its rows work on where r' changes, and turns with the element, as the moment does.
double element_resultant_error(const Mock *m);
double element_momentum_error(const Mock *m); // sum of forces and of moments
double element_inertia_error(const Mock *m);  // most negative eigenvalue of an ambient mass matrix over the largest

// ---- contracts of joints ----
double joint_table_error(const Mock *m);
double joint_reference_error(const Mock *m); // g at the reference (absolute)
double joint_identity_error(const Mock *m);  // along . (q_k - q_n) + along_z (z_k - z_n) = g_k - g_n
double joint_work_error(const Mock *m);      // residual . increments = lambda . (g_k - g_n)
double joint_tangent_error(const Mock *m);
double joint_momentum_error(
    const Mock *m); // sum of forces and of moments on its nodes, unless it holds them at the ground
// Motions that the joint takes away at the reference; -1 if its rows are dependent.
int joint_rank(const Mock *m);

#endif
