// SPDX-License-Identifier: Apache-2.0
// The product of a step's equations with multipliers. A step solves R(q; S) = 0 for its unknowns q and moves the state to
// F(S, q). With multipliers mu of R and lambda of F the product is
//   L = mu . R(q; S) + lambda . F(S, q),
// a sum over nodes, elements and joints, and its derivatives by S and q, R_S^T mu + F_S^T lambda and R_q^T mu + F_q^T
// lambda, follow item by item at the cost of a residual: rows are bilinear in the vectors of the start, the middle and the
// end of a step. This is for steps of one stage with forces at the middle and ambient velocities (`decaying` and
// `preserving`).
//
// On several ranks the derivatives are complete of unknowns and states of own nodes and of all local joints and elements.
// Those of ghost nodes are not, and nothing needs them; of a fixed node each rank has the part of the items that it counts,
// which belongs to no unknown.
// Equations: eq-gradient-product (27.10).
#ifndef LIMBER_GRADIENT_PRODUCT_H
#define LIMBER_GRADIENT_PRODUCT_H

#include "analyses/stepping/saved_state.h"
#include "analyses/stepping/stepper.h"

// The arrays of a state that are differentiated, in a vector with all arrays of the state one after the other, and then the
// numbers of a control network.
typedef struct {
  Vec3 *x, *v, *dv, *x_before; // dv: NULL where the scheme has none
  Coords *coord, *coord_before, *coord_next, *coord_last;
  double (*multiplier)[MAX_ROWS], *row_next, *row_last;
  Bristles *bristles;
  LimberLedger *ledger;
  WheelState *wheel;
} StateParts;

// The length of such a vector, in numbers, and the places of the arrays in one. state_vector.c
PetscErrorCode StateVectorSize(Stepper *p, size_t *size);
PetscErrorCode StateVectorFind(Stepper *p, double *vector, StateParts *out);
bool state_is_differentiated(const char *array);
// Whether later steps depend on a number of such an array: not on the torque and the work of a wheel.
bool state_is_carried(const StateArray *a, size_t number);

enum { OF_NODES, OF_ELEMENTS, OF_JOINTS, ITEMS };

typedef struct {     // of slopes of forces by differences (product_slopes.c), times the length of the difference
  double jump, size; // the largest one of a kink at the state; of all
  double apart;      // by how much two lengths disagree at most, where a curvature jumps at the state
} Kinks;

typedef struct {
  const Motion *motion; // of which a step has begun
  const double *unknown;
  const double *residual; // mu
  const StateParts *next; // lambda
  // What derivatives are added to; NULL: only the value is wanted.
  StateParts *state;
  double *of_unknown;
  // Of all vectors of nodes: what a force on them counts; forces on them; derivatives by where the step brings them.
  Vec3 *weight, *force, *end;
  NodeMotion *moved;
  // Of points whose increments turn (product_points.c): rotations, their sums, multipliers of the equations for them. NULL:
  // no increments turn so.
  Vec3 *rotation, *kappa;
  RotationSums *sums;
  double *value[ITEMS];   // of items; NULL: they are not kept
  unsigned char *sliding; // of joints: bits of coordinates whose bristles slide at the start of the step of the run
  Kinks kinks;            // of forces in the step
  Vec ghosts;             // like the unknowns, for messages; NULL on one rank
  double *sent;           // own and ghost unknowns
  Local *scratch;         // of the equations
  double contacts;        // the value of contacts
} StepProduct;

enum { PRODUCT_TERMS = 128 }; // of a joint, at most
PetscErrorCode ProductCreate(const System *s, StepProduct *out);
PetscErrorCode ProductDestroy(StepProduct *p);
// Why a model has none; NULL: it has. `name`: of the item, or "".
const char *product_unsupported(const Motion *motion, char *name, size_t size);
// Ghosts of the array of unknowns as their owners have them. Collective, as are all functions that return an error code.
PetscErrorCode ProductSend(StepProduct *p, double *unknown);
// Moves the nodes by the unknowns.
PetscErrorCode ProductMove(StepProduct *p);
// Takes the multipliers, clears sums over items.
void product_begin(StepProduct *p);
// Parts of the value, to whose derivatives items add.
double product_of_node(StepProduct *p, PetscInt node);
double product_of_element(StepProduct *p, PetscInt element); // product_rows.c
double product_of_joint(StepProduct *p, PetscInt joint);     // product_joints.c
double product_of_item(StepProduct *p, int kind, PetscInt i);
// The k-th load that acts on an item, -1: it has fewer. Those on all masses are not counted, motors of wheels are.
PetscInt product_load(const Layout *layout, int kind, PetscInt i, PetscInt k);
// Whether this rank counts the item.
bool product_counts(const Layout *layout, int kind, PetscInt i);
// The rest of the derivatives, once all items have added theirs.
void product_end(StepProduct *p);
// All of it, and the values of the items that this rank counts.
PetscErrorCode ProductOfStep(StepProduct *p);

// The turn of increments of points: found for the motion; back through that of a node, the multiplier of whose increment is
// given; what a joint counts in them; derivatives of an item by the motion. Rotations are those of own points.
// product_points.c
void product_find_rotations(StepProduct *p);
Vec3 product_turn_back(StepProduct *p, PetscInt node, Vec3 increment, Vec3 multiplier);
double product_of_turns(const StepProduct *p, PetscInt joint);
void product_differentiate_turns(StepProduct *p, int kind, PetscInt i);

// Slopes of functions of one number by central differences of fourth order: over the length d; or over shorter ones while a
// kink is within them. `kinks`: the largest jump of a slope where the kink lies at the number itself, and the largest slope, times d. product_slopes.c
typedef double (*OneNumberFunction)(const void *self, double x);
double smooth_slope(OneNumberFunction f, const void *self, double x, double d);
double kinked_slope(OneNumberFunction f, const void *self, double x, double d, Kinks *kinks);
bool law_is_kinked(const Law *law);
// Whether a law of an item is, so that a parameter may act on it at some states only.
bool product_is_kinked(const Layout *layout, int kind, PetscInt i);

// ---- of points of elements. product_rows.c ----

typedef struct { // vectors of an element at the start and the end, their weights, and derivatives by them
  int nvec;
  Vec3 xn[MAX_LOCAL_VECTORS], xk[MAX_LOCAL_VECTORS], w[MAX_LOCAL_VECTORS];
  Vec3 of_xn[MAX_LOCAL_VECTORS], of_xk[MAX_LOCAL_VECTORS], of_w[MAX_LOCAL_VECTORS];
} ItemVectors;

// The stresses of a point, and what it remembers. `kinks`: NULL: no derivatives are wanted; they are added to the vectors' and to
// `of_past`.
double product_of_response(const ElementPoint *p, const ElementStep *step, const double *past, const double *next,
                           Kinks *kinks, ItemVectors *v, double *of_past);

// Beside that, product_forces.c: drag, what flows around it, what a law counts that the vectors at the start change (`begin`),
// loads along an element.
double product_of_drag(StepProduct *p, const ElementPoint *at, const ElementStep *step, ItemVectors *v);
double product_of_flow(const StepProduct *p, const ElementPoint *at, const ElementStep *step, ItemVectors *v);
void product_add_begun(StepProduct *p, const ElementPoint *at, const ElementStep *step, const double *past,
                       const double *next, ItemVectors *v);
double product_of_element_loads(StepProduct *p, PetscInt element, ItemVectors *v);

// Of all contacts that this rank counts; adds their derivatives. Adds slopes of their energy by places to `out`.
// product_contacts.c
double product_of_contacts(StepProduct *p);
void product_add_contact_energy(StepProduct *p, double weight, Vec3 *out);

// ---- of tables of rows. product_rows.c ----

// Factors of the terms; NULL: 1.
// b_r = sum c f (a_i . b_j + a_j . b_i)
void rows_product(const Rows *p, const double *factor, const Vec3 *a, const Vec3 *b, double *out);
// Adds sum_r weight_r d e_r/d y at y, without roots.
void rows_add_slopes(const Rows *p, const double *factor, const double *weight, const Vec3 *y, Vec3 *out);
// Adds slopes by the y to those by the vectors.
void rows_add_to_vectors(const Rows *p, const Vec3 *on, Vec3 *vectors);

#endif
