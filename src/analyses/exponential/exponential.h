// SPDX-License-Identifier: Apache-2.0
// The exponential scheme. The structure is linear about its reference, M D'' + C D' + K D, all its modes are propagated
// in closed form (mechanics/response.h), and the rest is on the right-hand side:
//   M D'' + C D' + K D = P(t) + Q(D) - E^T lambda,   E = dg/dD,
// with loads P, the remainder Q of the elastic forces, and forces of the joints. P is a polynomial of degree 6 through
// the Gauss points of the step; Q - E^T lambda is quadratic through its start, middle and end. At the start lambda
// follows from the accelerations; at the middle and the end it is chosen so that g = 0 and g' = 0 at the end. (After
// Liu, Begg, Devane & Zhong, who expand lambda at the start: docs/theory.)
//
// All data are small and dense: every rank has the whole and does the same, so results do not depend on the number of
// ranks. A large model uses some of its lowest modes and the static shapes due to its loads and joints (basis.c); then
// "modes" are those of the structure restricted to these shapes.
// Equations: eq-exponential-motion (15.1).
#ifndef LIMBER_ANALYSES_EXPONENTIAL_EXPONENTIAL_H
#define LIMBER_ANALYSES_EXPONENTIAL_EXPONENTIAL_H

#include "analyses/stepping/ledger.h"
#include "mechanics/response.h"
#include "model/refusal.h"
#include "solvers/krylov.h"

enum { EXPONENTIAL_MOST = 1500 };     // most unknowns of nodes for which all modes are found
enum { EXPONENTIAL_ATTACHED = 1000 }; // most shapes of loads and joints, besides the modes

enum { START, MIDDLE, END }; // of a step

typedef struct { // an active row of a joint
  PetscInt joint;
  int row;
} ConstraintRow;

typedef struct { // a load that prescribes a coordinate
  PetscInt load, joint;
  int coord;
} PrescribedCoord;

typedef struct { // coordinates of all joints, and their rates
  Coords *z, *rate;
} Prescribed;

typedef struct Exponential Exponential;
struct Exponential {
  bool linear;                           // without the remainder of the elastic forces
  PetscInt n, m;                         // unknowns of nodes; modes
  PetscInt *offset;                      // of each model node: its first unknown, -1: fixed
  Vec3 *reference;                       // 4 of each model node
  PetscInt *block;                       // of each global block of the system: its first unknown, -1: of a joint
  double *rest, rest_energy, *rest_mode; // the force and energy at the reference; the force on the modes
  double *mode, *heavy;                  // modes X (columns) of unit mass, and M X
  double *square, *decay, *coupling;     // omega^2, modal damping, and its coupling between modes or NULL
  double *push, *pattern;                // force of each load for an amplitude of 1: on the nodes, on the modes
  double inverse[STEP_POINTS][STEP_POINTS];
  PetscInt near, *touched; // unknowns of the nodes of joints: rows are zero elsewhere
  PetscInt nconstraint, max_constraint;
  ConstraintRow *row;
  PetscInt drives;
  PrescribedCoord *drive;

  double h;       // step size of the following
  double *psi;    // of each mode at the end of the step ...
  double *inside; // ... and at its Gauss points

  // the present step: unknowns and rates at its start, middle, end; forces Q - E^T lambda there, on the modes; loads
  double *d[3], *v[3], *force[3], *lambda[3], *load;
  double *x0, *v0; // on the modes
  double *slope;   // stored by the published schemes: rate of the forces at the start; accelerations at the end
  Prescribed at[3];
  double *e[3], *g, *rate, *work, *solve;
  PetscBLASInt *pivot;
};

static inline Exponential *exponential_of(const Stepper *p) { return p->data; }

// Functions of the analysis (analyses/analysis.h). step.c
PetscErrorCode ExponentialStart(Stepper *p, Refusal *wrong);
PetscErrorCode ExponentialAdvance(Stepper *p, double h, int *iterations, NewtonOutcome *o);
PetscErrorCode ExponentialAccept(Stepper *p, double *work, StepBalance *a);

// ---- parts ----
// Refuses what the scheme does not support. restrictions.c
PetscErrorCode ExponentialFits(Stepper *p, Refusal *wrong);
// Finds the active rows at the state; prescribed coordinates at a time. constraints.c
PetscErrorCode ExponentialFindConstraints(Stepper *p);
void exponential_prescribe(const Stepper *p, double t, double h, const Coords *from, Prescribed *out);
// g, its rate and E (active rows x n, row by row) at unknowns d with rates v; `rate` may be NULL.
void exponential_rows(const Exponential *x, Model m, const double *d, const double *v, const Prescribed *at, double *g,
                      double *rate, double *e);
// The free coordinates at d.
void exponential_follow(const Exponential *x, Model m, const double *d, Coords *z);
// dg/dz_c of the rows of a joint at d.
void exponential_on_coord(const Exponential *x, Model m, PetscInt joint, const double *d, const Coords *z, int c,
                          double *out);
// The vectors of a node at d, and their derivatives.
void exponential_node(const Exponential *x, Model m, PetscInt node, const double *d, NodeMotion *out);
// Sums over ranks of numbers that one rank has: bit-for-bit identical on all of them.
PetscErrorCode ExponentialGather(const Layout *layout, double *values, PetscInt count);
// Modes and damping: modes.c. The lowest modes and shapes of loads and joints instead of all modes: basis.c
PetscErrorCode ExponentialModes(Stepper *p, Refusal *wrong);
typedef struct { // stiffness and mass at the reference, in rows of nodes as the ranks own them; all[row]: the unknown
  MPI_Comm comm;
  PetscInt first, own, rows, *all;
  Mat k, m;
} Structure;
PetscErrorCode StructureSet(const Structure *t, const double *from, Vec to);
PetscErrorCode StructureGet(const Structure *t, Vec from, double *to);
PetscErrorCode ExponentialBasis(Stepper *p, const Structure *t, Refusal *wrong);
// Forces of loads for an amplitude of 1: on unknowns and, once the modes are known, on these. forces.c
PetscErrorCode ExponentialFindLoads(Stepper *p);
PetscErrorCode ExponentialProjectForces(Stepper *p);
// Elastic forces of the linear structure at d minus those of the elements, on the modes.
PetscErrorCode ExponentialRemainder(Stepper *p, const double *d, double *out);
// Elastic forces or, with `tangent`, also the tangent of the system, at unknowns d; no loads, and no dampers if h is
// infinite.
PetscErrorCode ExponentialForces(Stepper *p, const double *d, double h, PetscBool tangent, double *out);

// Displacement and velocity of mode i at the fraction `part` of the step, where its response is psi.
void exponential_mode(const Exponential *x, PetscInt i, double part, const double *psi, double *out, double *rate);
// Work of each load (added to load_work) and the energy balance of the step. balance.c
PetscErrorCode ExponentialBalance(Stepper *p, double *work, StepBalance *a);

// The state as unknowns and rates. propagation.c
PetscErrorCode ExponentialGatherState(Stepper *p);
// Rows of E on the modes; and the forces Q - E^T lambda at the start, middle or end of the step.
void exponential_rows_on_modes(const Exponential *x, const double *e, double *out);
PetscErrorCode ExponentialForceAt(Stepper *p, int k);
// The state, loads, multipliers and forces at the start of a step; only the last two, for the unknowns at the start;
// the end of the step from its forces, for all unknowns or only those of joints, with the largest change returned.
PetscErrorCode ExponentialBegin(Stepper *p, double h, bool *good);
PetscErrorCode ExponentialStartForces(Stepper *p, double h, bool *good);
double exponential_propagate(Exponential *x, double length, bool whole);
// ... from displacements a and velocities b of the modes there; the middle is interpolated from both ends (Hermite).
double exponential_arrive(Exponential *x, double length, const double *a, const double *b, bool whole);
// A step with forces as in the paper, a step of the method that it compares with, and what they store for the next one.
// published_schemes.c
PetscErrorCode PaperAttempt(Stepper *p, double h, int *iterations, NewtonOutcome *o);
PetscErrorCode NewmarkAttempt(Stepper *p, double h, int *iterations, NewtonOutcome *o);
void paper_store_slope(Stepper *p);

// y = A x or A^T x, A n x m by columns
void exponential_times(PetscInt n, PetscInt m, const double *a, bool transposed, const double *x, double *y);

// The lowest modes of a structure, and factors of K + s M.

typedef struct {
  PetscInt found;
  double shift;        // s
  KSP ksp;             // solves with K + s M
  KrylovResult result; // of (K + s M)^-1 M
} LowestModes;

PetscErrorCode LowestModesFind(const Structure *t, PetscInt modes, double shift, LowestModes *out);
double lowest_mode_square(const LowestModes *m, PetscInt i); // omega^2
PetscErrorCode LowestModesDestroy(LowestModes *m);

#endif
