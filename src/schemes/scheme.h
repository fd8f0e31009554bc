// SPDX-License-Identifier: Apache-2.0
// Time schemes. A kind turns the user's options into the rule of a step: a tableau, and what nodes carry along.
// Equations: eq-steps-loss (14.3).
#ifndef LIMBER_SCHEMES_SCHEME_H
#define LIMBER_SCHEMES_SCHEME_H

#include "base/reason.h"
#include "limber/limber.h"
#include "mechanics/node.h"
#include "schemes/composition.h"

#include <stddef.h>

typedef struct { // of one node: vectors, their velocities (material: v[0], v[1]), what else a scheme carries along
  Vec3 *x, *v, *a, *w;
  Vec3 *dv;    // changes of the velocities over the last step, turned along ...
  double keep; // ... and how much of them counts in this one (mechanics/tableau.h)
  // With exact momentum (assembly/exact_momentum.c): what the changes of the velocities are beyond the usual, times
  // 1/2 + delta, and which of them the next step recalls; NULL: none, and all
  const Vec3 *beyond, *kept;
} NodeState;

// How a scheme moves from t_n to t_n + h.
typedef struct StepRule StepRule;
struct StepRule {
  Tableau tableau;
  bool proved;              // the energy theorem covers it
  bool material;            // frames carry material velocities
  bool projects_velocities; // joints project velocities in the jump (mechanics/projection.h)
  double rho;               // what the projection leaves of velocities across joints
  bool accelerations;       // nodes carry accelerations a, w
  bool without_inertia;     // forces at the end of a step, for statics and matrices (assembly/matrices.h)
  bool remembers;           // the last step counts in this one (mechanics/tableau.h)
  bool exact_momentum;  // of each connected component: what `remembers` may not change it (assembly/exact_momentum.c)
  bool balances_forces; // momentum: exact; Newton's method ends only when the forces left have no resultant
  bool tangent_rates;   // what turns by phi in a step has the rate 2 tan(phi/2)/h (eq-start-tangent)
  const char *analysis; // whose steps it makes (analyses/analyses.def), whose tableau serves forces only; NULL: dynamic
  int variant;          // of that analysis: which of its schemes
  bool drifts;          // joints drift, and steps must be equal
  double order;         // a step loses energy as h^order, on the whole; 0: none (docs/theory)
  bool symmetric;       // a step back undoes a step, so that steps can be composed to higher order
  const Composition *composition; // a step is composed of several of these; NULL: it is one
  double alpha_m, alpha_f, beta, gamma;
  // Ambient nodes: accelerations in the balance, and the state at the end from the vectors xk of the stages.
  void (*rates)(const StepRule *r, double h, int nvec, NodeState n, AmbientRates *out);
  void (*advance)(const StepRule *r, double h, int nvec, const NodeMotion *m, NodeState n);
  // Velocities at the end of the step, for dampers of masses; NULL: the chords over h.
  void (*end_velocity)(const StepRule *r, double h, int nvec, NodeState n, VectorVelocity *out);
};

// Variants of the analysis `exponential`: forces of joints solved for; expanded at the start of a step as the paper has
// it; the method that the paper compares with.
enum { EXPONENTIAL_SOLVED, EXPONENTIAL_PAPER, EXPONENTIAL_NEWMARK };

typedef struct {
  const char *name, *help;
  Reason (*make)(const LimberOptions *o, StepRule *out);
} SchemeKind;

#define SCHEME(name, NAME) extern const SchemeKind scheme_##name;
#include "schemes/schemes.def"
#undef SCHEME
extern const SchemeKind *const scheme_kinds[]; // ends with NULL

const SchemeKind *scheme_kind(LimberScheme scheme); // NULL: there is none
const char *scheme_name(int i);                     // of the i-th; NULL after the last

// The rule of a kind and of the order that is asked for. NULL, or what is wrong.
Reason scheme_make(const SchemeKind *kind, const LimberOptions *o, StepRule *out);

// Steps without inertia, of forces at their end alone: what statics and matrices of a state are evaluated with.
void scheme_without_inertia(StepRule *rule);
// Of a tableau's scheme: fills the rule's functions for ambient nodes and completes the tableau.
void scheme_of_tableau(StepRule *rule);

// What a rotation by phi per step makes of the speeds and of the kinetic energy that are reported: relative errors; 0:
// none to speak of. A step in which a body turns farther than this is worth a word.
#define MOST_ROTATION 0.1 // rad
typedef struct {
  double speed, energy;
} RotationError;
void scheme_rotation_error(const StepRule *rule, double phi, RotationError *out);

// What a scheme makes of an oscillation that has a given number of steps a period, found by taking such steps.
// accuracy.c
typedef struct {
  double period; // relative error of the period, positive: too long
  double loss;   // part of the amplitude that the scheme takes in a period
} SchemeAccuracy;
// false: the rule takes no such steps, because its analysis solves linear motions by itself.
bool scheme_accuracy(const StepRule *rule, double steps_a_period, SchemeAccuracy *out);
double scheme_order(const LimberOptions *o); // that of the error after many periods of an oscillator; 2 if not known

#endif
