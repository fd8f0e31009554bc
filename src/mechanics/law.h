// SPDX-License-Identifier: Apache-2.0
// What acts along a scalar, the coordinate of a joint or a length: springs, limits, dampers and dry friction.
#ifndef LIMBER_MECHANICS_LAW_H
#define LIMBER_MECHANICS_LAW_H

#include "base/reason.h"
#include "limber/catalogue.h"
#include "mechanics/tableau.h"

#include <stdbool.h>

// Dry friction along a coordinate z: an elastic bristle of stiffness K and deflection x that sticks up to the limit L
// and slides beyond it. Over a step of the way s = z_1 - z_n > 0 the force is the mean along the way of what bristle
// and damper c have there, at most L,
//   f = int_0^1 min(L, K (x + t s) + c s/h) dt,    x_1 = min(x + s, L/K),
// and the same with other signs for s < 0. f grows with s, and its work is
//   f s = K (x_1^2 - x^2)/2 + L (s - (x_1 - x)) + what the damper takes >= K (x_1^2 - x^2)/2,
// so that what the bristle stores is given back at most. A bristle beyond its limit, which has fallen, drops to it
// first. L is that of rest, `static`, after a step without slip, else that of motion, `kinetic`; both are a force, a
// coefficient times the reaction of the joint times an arm, or the sum.
// Equations: eq-law-bristle (9.9), eq-law-bristle-work (9.10).

typedef LimberFriction Friction;

// What friction remembers from step to step.
typedef struct {
  double deflection; // of the bristle
  double slips;      // in the last step: one of the numbers below
} Bristle;
#define BRISTLE_STICKS 0.0
#define BRISTLE_AT_LIMIT \
  0.5 // the damper held what the bristle did not yet: it slides if it is so in the next step, too
#define BRISTLE_SLIDES 1.0

typedef struct {
  double force;       // that resists: added to the balance of z
  double by_way;      // its derivatives by the end of the way
  double by_reaction; // and by the reaction
  double taken;       // energy
  Bristle next;
} FrictionStep;

bool friction_acts(const Friction *f);
bool friction_bears(const Friction *f); // grows with the reaction

// Defaults become numbers. `deflection`: of the bristle where it begins to slide, if no stiffness is given.
void friction_complete(Friction *f, double deflection);

double friction_energy(const Friction *f, const Bristle *b);

// Over a step of length h. `at_end`: the force at its end, in place of the mean.
void friction_evaluate(const Friction *f, bool at_end, double h, double reaction, const Bristle *b, double s,
                       FrictionStep *out);

// What acts along a scalar z, the coordinate of a joint or a length: a spring with clearance or by a table, limits, a
// damper.
//
// A potential V(z) passes through a tableau without breaking the energy theorem. With D_k = z_k - z_n the forces
//   s_k = [k = 0] (V(z_0) - V(z_n))/D_0 + K (sum_l a_kl D_l - [k = 0] D_0/2)
// do the work  sum_k w_k s_k D_k = V(z_0) - V(z_n) + K sum_k loss_k D_k^2/2  for every tableau of tableau.h and any K
// >= 0: the divided difference gives the change of V, and the rest is what a linear spring K has beside it. For a
// linear spring of stiffness K this is the usual C (b_k e_n + sum_l a_kl D_l). K is V'' at t_n, or 0 where that is
// negative. What the law remembers of the last step (tableau.h) acts through the same K.
// A damper's force c D_k/h (that of a one-sided spring: c over the part of D_k in which the spring acts) and friction
// of a slipping cable F(D_0/h) with F odd and growing take energy by their form.
// Equations: eq-law-force (9.1), eq-law-work (9.2).

typedef LimberLaw Law;

#define LAW_TABLE \
  "instead of a stiffness: rows of deflection and force, interpolated linearly and extrapolated beyond the ends"

Reason law_error(const Law *l);
int law_side(const Law *l);        // 1: the spring acts above its rest only, -1: below it, 0: on both sides
bool law_acts(const Law *l);       // has any force at all
unsigned law_losses(const Law *l); // LOSS_DAMPER, LOSS_FRICTION
double law_energy(const Law *l, double z);
double law_force(const Law *l, double z); // of the potential, V'

// (V(z1) - V(z0))/(z1 - z0) and its derivative by z1
double law_secant(const Law *l, double z0, double z1, double *rate);
double law_stiffness(const Law *l, double z); // V''

// What is met at z of limits, of a spring with clearance or of one side; zero where nothing is.
typedef struct {
  double force, energy, stiffness;
} LawContact;
bool law_meets(const Law *l); // has any of them
LawContact law_contact(const Law *l, double z);

// Over a step of length h from zn to zk of each stage, at the end of the step for FORCE_END; `past` is what is
// remembered of the last one.
typedef struct {
  double force[MAX_STAGES];               // that resists: added to the balance of z
  double damper, friction;                // of that of the whole step; the rest is the spring's and the limits'
  double tangent[MAX_STAGES][MAX_STAGES]; // d force_k / d z_l
  double damped;                          // energy that damper and slip take, sum_k w_k force_k D_k
  double lost;                            // K sum_k loss_k D_k^2/2, and what the memory loses
  double next, memory;                    // what is to be remembered, and its energy
} LawState;

void law_evaluate(const Law *l, const Tableau *t, double h, const Recall *m, double past, double zn, const double *zk,
                  LawState *out);

enum { LOSS_DAMPER = 1, LOSS_FRICTION = 2 };

// A law as functions of what it is made of, `of`: its potential V(z), and what takes energy beside it. A Law is one
// of them, law_table; an element may bring its own.
typedef struct {
  double (*energy)(const void *of, double z);
  double (*force)(const void *of, double z);                            // V'
  double (*stiffness)(const void *of, double z);                        // V''
  double (*secant)(const void *of, double z0, double z1, double *rate); // as law_secant
  // Those below may be NULL. Force of a damper over a step of length h from zn to z and its derivative by z; of
  // friction over the increment d and its derivative by d. Both have the sign of the increment.
  double (*damper)(const void *of, double h, double zn, double z, double *rate);
  double (*friction)(const void *of, double h, double d, double *rate);
  bool (*one_sided)(const void *of);     // the damper has a kink where the spring ends
  unsigned (*losses)(const void *of);    // LOSS_DAMPER, LOSS_FRICTION
  const Law *(*contact)(const void *of); // with limits, clearance or one side, which are followed as contacts
} LawTable;
extern const LawTable law_table;

// law_evaluate for any of them.
void law_table_evaluate(const LawTable *l, const void *of, const Tableau *t, double h, const Recall *m, double past,
                        double zn, const double *zk, LawState *out);

#endif
