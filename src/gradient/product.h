// SPDX-License-Identifier: Apache-2.0
// The product of a step's equations with multipliers. A step solves R(q; S) = 0 for its unknowns q and moves the state to
// F(S, q). With multipliers mu of R and lambda of F the product is
//   L = mu . R(q; S) + lambda . F(S, q),
// a sum over nodes, elements and joints, and its derivatives by S and q, R_S^T mu + F_S^T lambda and R_q^T mu + F_q^T
// lambda, follow item by item at the cost of a residual: rows are bilinear in the vectors of the start, the middle and the
// end of a step. This is for steps of one stage with forces at the middle and ambient velocities (`decaying` and
// `preserving`), on one rank.
// Equations: eq-gradient-product (27.10).
#ifndef LIMBER_GRADIENT_PRODUCT_H
#define LIMBER_GRADIENT_PRODUCT_H

#include "analyses/stepping/stepper.h"

// The arrays of a state that are differentiated, in a vector with all arrays of the state one after the other.
typedef struct {
  Vec3 *x, *v, *dv, *x_before; // dv: NULL where the scheme has none
  Coords *coord, *coord_before, *coord_next, *coord_last;
  double (*multiplier)[MAX_ROWS], *row_next, *row_last;
  LimberLedger *ledger;
} StateParts;

// The length of such a vector, in numbers, and the places of the arrays in one. state_vector.c
PetscErrorCode StateVectorSize(Stepper *p, size_t *size);
PetscErrorCode StateVectorFind(Stepper *p, double *vector, StateParts *out);
bool state_is_differentiated(const char *array);

enum { OF_NODES, OF_ELEMENTS, OF_JOINTS, ITEMS };

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
  double *value[ITEMS]; // of items; NULL: they are not kept
} StepProduct;

enum { PRODUCT_TERMS = 128 }; // of a joint, at most
PetscErrorCode ProductCreate(const Motion *motion, StepProduct *out);
PetscErrorCode ProductDestroy(StepProduct *p);
// Why a model has none; NULL: it has. `name`: of the item, or "".
const char *product_unsupported(const Motion *motion, char *name, size_t size);
// Moves the nodes by the unknowns.
void product_move(StepProduct *p);
// Takes the multipliers, clears sums over items.
void product_begin(StepProduct *p);
// Parts of the value, to whose derivatives items add.
double product_of_node(StepProduct *p, PetscInt node);
double product_of_element(StepProduct *p, PetscInt element); // product_rows.c
double product_of_joint(StepProduct *p, PetscInt joint);     // product_joints.c
double product_of_item(StepProduct *p, int kind, PetscInt i);
// The rest of the derivatives, once all items have added theirs.
void product_end(StepProduct *p);
// All of it; the value, and those of items.
double product_of_step(StepProduct *p);

// The turn of increments of points: found for the motion; back through that of a node, the multiplier of whose increment is
// given; what a joint counts in them; derivatives by the motion. product_points.c
void product_find_rotations(StepProduct *p);
Vec3 product_turn_back(StepProduct *p, PetscInt node, Vec3 increment, Vec3 multiplier);
double product_of_turns(const StepProduct *p, PetscInt joint);
void product_end_turns(StepProduct *p);

// ---- of tables of rows. product_rows.c ----

// Factors of the terms; NULL: 1.
// b_r = sum c f (a_i . b_j + a_j . b_i)
void rows_product(const Rows *p, const double *factor, const Vec3 *a, const Vec3 *b, double *out);
// Adds sum_r weight_r d e_r/d y at y, without roots.
void rows_add_slopes(const Rows *p, const double *factor, const double *weight, const Vec3 *y, Vec3 *out);
// Adds slopes by the y to those by the vectors.
void rows_add_to_vectors(const Rows *p, const Vec3 *on, Vec3 *vectors);

#endif
