// SPDX-License-Identifier: Apache-2.0
// Derivatives of runs in time by the adjoint method. A step solves R(q; S, p) = 0 and moves the state to F(S, q, p).
// From the last step to the first, with the multipliers lambda of the next state,
//   R_q^T mu = -F_q^T lambda,   lambda <- R_S^T mu + F_S^T lambda + J_S,   dJ/dp = sum R_p . mu + F_p . lambda + J_p
// for a quantity J of the rows of the run. Products with transposed matrices follow item by item (product.h); R_q^T mu is
// solved with the factors of the transposed tangent, and what this omits is corrected by repetition. States of steps come
// from copies in memory between which the run is repeated, to the bit. A control network at the end of a step has
// multipliers of its own (adjoint_control.c); a step in which events happen is differentiated forward (adjoint_events.c).
//
// On several ranks each has the multipliers of its part of the state, and what the items give that it counts is added up
// step by step, so that all ranks have the same sums. Columns are sampled together, and judgements are those of all.
// Equations: eq-gradient-reverse (27.11), eq-gradient-reverse-sum (27.12).
#ifndef LIMBER_GRADIENT_ADJOINT_H
#define LIMBER_GRADIENT_ADJOINT_H

#include "gradient/gradient.h"
#include "gradient/product.h"

#include "analyses/stepping/between.h"
#include "analyses/stepping/saved_state.h"

#include <math.h>

typedef struct { // nodes, elements or joints on which a parameter acts
  bool *is;
  PetscInt *list, count, all;
} Touched;

typedef struct { // a number of the state at the start of shadows, less that of the run
  size_t place;  // in a vector of the state
  double differs[MOST_POINTS];
} StartDifference;

typedef struct { // sums over differences of +1 and -2 lengths: by how much they are not on a line, and they themselves
  double bend, size;
} Straightness;

typedef struct { // of the product of items on which a parameter acts: its value, and by how much shadows differ from it
  double base, differs[MOST_POINTS];
} StepDifference;

typedef struct {
  int parameter;
  double delta;
  Shadow shadow[MOST_POINTS];
  Motion view[MOST_POINTS]; // of shadows, at the state of the run
  bool linear;              // in it, as far as is known: shadows on one side serve
  double bend;              // by how much two of them disagree, over the difference
  Straightness in_steps;    // of items, in all steps that were looked at
  bool loads;               // it acts on functions of time
  Touched touched[ITEMS];
  StartDifference *start;
  size_t starts;
  bool in_columns; // columns depend on it other than through the state
  bool in_sensors; // the same of what the control network reads
  double *change;  // of each column: its largest difference in a row so far; the same of products of steps
} AdjointParameter;

typedef struct {
  int from;      // number of the array in the list of the state; -1: of the control network ...
  size_t number; // ... and of the number in it
  size_t place;  // in a vector of the state
  bool here;     // on this rank; else `number` is that in its row
} ColumnEntry;

typedef struct { // what a column depends on
  ColumnEntry *entry;
  int count, room;
} ColumnSupport;

typedef struct {          // the control network, whose numbers become others at the end of each step
  Between *network;       // NULL: there is none
  size_t count;           // its numbers
  size_t place;           // of the first in a vector of the state
  bool *smooth;           // of each: it is differentiated
  int *function;          // that it sets; -1: none
  double *now, *after;    // numbers at the start and at the end of a step
  double *reading, *read; // what it reads at the end of a step, and at other states
  bool reads;             // sensors are read again at each moved state
  double *moved, *slope;  // of all numbers: what it makes at a moved state, and slopes
  double *largest;        // of numbers in a vector of the state: of all states of the run
  double *before;         // of each quantity: multipliers of numbers at the start of a step
} AdjointControl;

typedef struct { // events (adjoint_events.c)
  bool any;
  size_t count;  // numbers that events switch, whose multipliers follow those of the state
  bool *thrown;  // of each step: some happened in it
  bool *counts;  // of each number of the state: on this rank
  double *apart; // of each quantity: disagreement of both lengths of differences in such steps, relative to multipliers
  size_t last_h, past_step, recalled_step; // places in a vector of the state
} AdjointEvents;

typedef struct {
  const GradientProblem *p;
  LimberRun run;
  Refusal *wrong;
  GradientColumns columns;
  ColumnSupport *support; // of each column, and then of what the control network reads
  bool energies;          // columns depend on those of the ledger
  bool kinked;            // forces of some items have kinks
  bool formulas;          // some are formulae, which may forget what they read
  size_t size;            // of a vector of the state
  double *start;          // the state at the start of the run
  double *value;          // columns of all rows, one row after the other
  double *weight;         // of each quantity's rows
  double *largest, *read; // magnitudes in the run of each column, and of each number that probes record
  HistoryValue *history;  // of each quantity
  StateCopy end;          // the state at the end of the run
  // An extreme in two rows, or a kink of a column at a state, has derivatives to choose from. Their difference, which a second way
  // back finds, is the error.
  bool undecided, second;
  // Of the slope of a force at a state, relative to all slopes there: the largest jump, and the largest error where it bends.
  double jump, bend;
  int count; // quantities
  double **lambda, **next;
  // Of quantities by parameters: the derivative, by fewer points, sums of the squares and of the sizes of its parts, and errors from
  // kinks and from tolerances at the start.
  double *sum, *rough, *square, *gross, *noise;
  AdjointParameter *parameter;
  StepDifference *step; // of each
  int parameters;
  AdjointControl control;
  AdjointEvents events;
  StepProduct product;
  StateParts next_parts, state_parts;
  double *unknown, *residual, *of_unknown; // own and ghosts
  StateCopy *copy;                         // states kept
  int copies;
} Adjoint;

PetscErrorCode RunAdjoint(const GradientProblem *p, Refusal *wrong); // adjoint.c

// An arbitrary number between 0 and 1 that belongs to a whole one.
static inline double adjoint_scatter(size_t i) {
  uint64_t mixed = ((uint64_t)i + 1) * 6364136223846793005u;
  mixed = (mixed ^ (mixed >> 29)) * 1442695040888963407u;
  return (double)(mixed >> 11) / 9007199254740992.0;
}

// adjoint_numbers.c
static const size_t adjoint_no_place = SIZE_MAX; // in a vector of the state
// The sizes by which the numbers of an owner are moved; `first`: place of the array in a vector of the state. Collective.
PetscErrorCode AdjointFindSizes(const Adjoint *w, const StateArray *a, size_t first, double **size);
// Rows of an owner in the order of the model, and where each begins on this rank, -1: it is not here. The run has one, on all
// ranks.
PetscErrorCode AdjointListRows(const Stepper *p, StateOwner owner, PetscInt *total, PetscInt *items, PetscInt **at);
// The increments of a node or a joint in the last step, on which forces of joints depend: from x_before to x. A number that
// is moved takes them along.
typedef struct {
  PetscInt at; // among own and ghost unknowns
  int count;
  double value[6];
} StepIncrements;
StepIncrements adjoint_increments(const Layout *layout, const StateArray *a, size_t owner);
void adjoint_move_increments(const StateArray *a, size_t number, double change, StepIncrements *out);
PetscErrorCode AdjointExchangeIncrements(Equations *equations, StepIncrements *i, bool put);
// Changes a number of the state; of a node's place also where the last step brought it.
void adjoint_set_number(Stepper *p, const StateArray *a, size_t number, double value);

// adjoint_support.c
PetscErrorCode AdjointFindSupport(Adjoint *w);
// Samples the columns of a row, whose state that of the run is. With another state a column may depend on other numbers: those of
// a cable that was slack, of a joint that was released, of the nearest surfaces. Then the supports are found again.
PetscErrorCode AdjointSampleRow(Adjoint *w, const double *weight, const double *recorded);
// The same of what the control network reads, into its `reading`.
PetscErrorCode AdjointCheckReadings(Adjoint *w);

// adjoint_columns.c
PetscErrorCode AdjointTakeProbes(Adjoint *w, double *out); // all numbers that probes record
// A sample at moved states has `count` numbers. `wanted` marks those that are needed; NULL: all of them.
typedef struct {
  PetscErrorCode (*take)(Adjoint *w, double *out);
  int count;
  const bool *wanted;
  double part;          // of the size of a number: the difference
  const double *middle; // the sample at the state that is not moved
  const double *scale;  // sizes in the run; NULL: they are not known
} AdjointSample;
// Its slopes by a number of the state. At a kink of the sample, such as that of |x| at 0, and where the sample is curved too much,
// they are the means of both sides, and in the second way back those of one side.
PetscErrorCode AdjointFindSlopes(Adjoint *w, const AdjointSample *s, const ColumnEntry *e, double *slope);
// Moves all numbers of a support away by about a part of their sizes, or back to what was kept.
PetscErrorCode AdjointMoveSupport(Adjoint *w, const ColumnSupport *s, bool away, double part, double *kept);
// Adds weight times the slopes of a column at the state of the run. Those of a formula follow from what it reads.
PetscErrorCode AdjointAddColumn(Adjoint *w, int column, double weight, double *lambda);
// Turns multipliers of the energies of the ledger to those of the state.
PetscErrorCode AdjointSpreadLedger(Adjoint *w, double *lambda);

// adjoint_control.c
PetscErrorCode AdjointControlCreate(Adjoint *w);
PetscErrorCode AdjointControlDestroy(AdjointControl *c);
// The size of a number of the network, which is the largest of the states that were measured.
double adjoint_control_size(const Adjoint *w, size_t number);
PetscErrorCode AdjointControlMeasure(Adjoint *w);
// From the multipliers at the end of a step, at whose end the run is, to those before the network took it; and what this gives
// to derivatives. The network is then at the start of the step, also those of shadows.
PetscErrorCode AdjointControlBack(Adjoint *w, const StateCopy *copy);
// Adds what the signals do in a step that has begun to multipliers of quantity k.
PetscErrorCode AdjointControlAddLoads(Adjoint *w, int k);
// Finds whether what sensors read depends on the parameter other than through the state.
PetscErrorCode AdjointFindInSensors(Adjoint *w, AdjointParameter *a);
// Puts the numbers of the run into the networks of the shadows.
PetscErrorCode AdjointControlShare(Adjoint *w);

// Whether a number of a column is this rank's.
bool adjoint_is_own(const Adjoint *w, const ColumnEntry *e);

// adjoint_events.c
PetscErrorCode AdjointEventsCreate(Adjoint *w);
PetscErrorCode AdjointEventsDestroy(AdjointEvents *e);
// Puts what events switched in the run into the shadows.
PetscErrorCode AdjointEventsShare(Adjoint *w);
// A number that events switched, in another run alike; false: the run does not depend on it smoothly.
bool adjoint_switched_number(const Adjoint *w, const Stepper *p, size_t i, double *out);
// Multipliers of what events switched, in a step without events that has begun.
PetscErrorCode AdjointEventsAddStep(Adjoint *w, int64_t step, int k);
// What a column of a row counts that ends a step with events.
PetscErrorCode AdjointEventsAddColumn(Adjoint *w, int64_t row, int column, double weight, double *lambda);
// Back over a step with events: from multipliers at its end to those at its start, where the run is then.
PetscErrorCode AdjointEventsBack(Adjoint *w, const StateCopy *copy);

// adjoint_parameters.c
PetscErrorCode AdjointParameterCreate(Adjoint *w, int parameter, AdjointParameter *out);
PetscErrorCode AdjointParameterDestroy(AdjointParameter *a);
// Finds on which items it acts at the state of the run and the step that has begun, of which the products of items are known.
PetscErrorCode AdjointTouch(Adjoint *w, AdjointParameter *a);
// Finds whether it acts linearly in all these steps.
PetscErrorCode AdjointJudge(Adjoint *w, AdjointParameter *a);
// Moves all numbers of the state of the run away, and back from those that were kept: at an arbitrary state no spring is at
// rest by chance.
PetscErrorCode AdjointDisturb(Adjoint *w, bool away, double *kept);
// Finds which parameters act on columns at a given state. The run is at its end.
PetscErrorCode AdjointFindInColumns(Adjoint *w);
// Puts a shadow at the state of the run.
PetscErrorCode AdjointPlaceShadow(Adjoint *w, AdjointParameter *a, int point);
// Whether the parameter acts linearly as far as these differences show; otherwise it gets shadows on both sides.
PetscErrorCode AdjointJudgeLine(Adjoint *w, AdjointParameter *a, Straightness s);
static inline void adjoint_add_pair(Straightness *s, double near, double far) {
  s->bend += fabs(near + 0.5 * far), s->size += fabs(near);
}
// How many shadows count; adds their differences from a value of the run.
int adjoint_points(const AdjointParameter *a);
void adjoint_add_values(Adjoint *w, const AdjointParameter *a, int k, double base, const double *value);
// The owners in an array that count on this rank. Of a fixed node each rank has a part of the multipliers (product.h).
PetscErrorCode AdjointMarkCounted(const Stepper *p, const StateArray *a, bool *counts);
// Finds what the items of this rank give in a step; those of all ranks are added up before adjoint_add_values takes them.
PetscErrorCode AdjointFindStep(const Adjoint *w, AdjointParameter *a, StepDifference *out);
// The same of the start of the run, and of the columns of a row, which have weights of the quantities.
PetscErrorCode AdjointAddStart(Adjoint *w, AdjointParameter *a, int k);
PetscErrorCode AdjointAddRow(Adjoint *w, AdjointParameter *a, const double *weight);

#endif
