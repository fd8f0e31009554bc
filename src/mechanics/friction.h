// SPDX-License-Identifier: Apache-2.0
// Dry friction along a coordinate z: an elastic bristle of stiffness K and deflection x that sticks up to the limit L and slides beyond it.
// Over a step of the way s = z_1 - z_n > 0 the force is the mean along the way of what bristle and damper c have there, at most L,
//   f = int_0^1 min(L, K (x + t s) + c s/h) dt,    x_1 = min(x + s, L/K),
// and the same with other signs for s < 0. f grows with s, and its work is
//   f s = K (x_1^2 - x^2)/2 + L (s - (x_1 - x)) + what the damper takes >= K (x_1^2 - x^2)/2,
// so that what the bristle stores is given back at most. A bristle beyond its limit, which has fallen, drops to it first.
// L is that of rest, `static`, after a step without slip, else that of motion, `kinetic`; both are a force, a coefficient times the reaction
// of the joint times an arm, or the sum.
// Equations: eq-law-bristle (9.9), eq-law-bristle-work (9.10).
#ifndef LIMBER_MECHANICS_FRICTION_H
#define LIMBER_MECHANICS_FRICTION_H

#include "base/reason.h"
#include "limber/catalogue.h"

#include <stdbool.h>

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

Reason friction_error(const Friction *f);
bool friction_acts(const Friction *f);
bool friction_bears(const Friction *f); // grows with the reaction

// Defaults become numbers. `deflection`: of the bristle where it begins to slide, if no stiffness is given.
void friction_complete(Friction *f, double deflection);

double friction_energy(const Friction *f, const Bristle *b);

// Over a step of length h. `at_end`: the force at its end, in place of the mean.
void friction_evaluate(const Friction *f, bool at_end, double h, double reaction, const Bristle *b, double s,
                       FrictionStep *out);

#endif
