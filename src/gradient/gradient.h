// SPDX-License-Identifier: Apache-2.0
// Derivatives of results with respect to parameters of a model file. An analysis solves R(u; p) = 0 for its unknowns, and
// a quantity is Q(u; p). Then
//   dQ/dp = Q_p + Q_u du/dp,   R_u du/dp = -R_p            (forward)
//   dQ/dp = Q_p - R_p . mu,    R_u^T mu = Q_u              (adjoint)
// R_u is the exact tangent. R_p and Q_p are differences of the residual and of the quantity *at a given state* between
// models that were read with neighbouring values of p ("shadows"). Newton's method is not repeated, so they contain no
// error of its tolerance.
// Equations: eq-gradient-forward (27.2), eq-gradient-adjoint (27.3).
#ifndef LIMBER_GRADIENT_GRADIENT_H
#define LIMBER_GRADIENT_GRADIENT_H

#include "analyses/modes/modes.h"
#include "analyses/statics/operating_point.h"
#include "analyses/statics/statics.h"
#include "analyses/stepping/stepper.h"
#include "input/input.h"
#include "limber/gradient.h"
#include "model/refusal.h"
#include "results/write/probes.h"

// ---- what is asked for ----

typedef enum { // of what: words before a bracket or after @. request.c
  OF_END,
  OF_TIME,
  OF_MAX,
  OF_MIN,
  OF_MEAN,
  OF_RMS,
  OF_NORM,
  OF_STATIC,
  OF_FREQUENCY,
  OF_DAMPING,
  OF_MASS
} GradientOf;

typedef enum { IN_RUN, IN_EQUILIBRIUM, IN_MODES, IN_MODEL } GradientAnalysis; // IN_MODEL: without an analysis

typedef struct {
  char text[240], column[200], unit[24];
  GradientOf of;
  double number; // OF_TIME: s; OF_NORM: the exponent
  int mode;      // from 0; -1: that whose name begins with `column`
} GradientQuantity;

typedef struct {
  char path[200], unit[64];
  double value; // in the unit
  double size;  // differences are parts of the value, and of this where that is smaller
} GradientParameter;

struct LimberGradientData {
  int quantities, parameters;
  GradientQuantity *quantity;
  GradientParameter *parameter;
  double *value;       // of each quantity
  LimberDerivative *d; // quantities x parameters, by rows
  char remarks[1024];
};

// Whether to give up: asked between steps and between parameters, on all ranks at once.
typedef struct {
  bool (*stopped)(void *self);
  void *self;
} GradientWatch;

typedef struct {
  const Input *in; // with the values of all parameters
  SourceReader read;
  LimberGradientMethod method;
  int states;                 // of a run that the adjoint method keeps at once; 0: as memory allows
  InputFile *file;            // of `in`, while derivatives are found: neighbours are read from it
  const GradientWatch *watch; // NULL: nobody
  struct LimberGradientData *g;
} GradientProblem;

GradientAnalysis gradient_analysis(GradientOf of);
bool parse_quantity(const char *text, GradientQuantity *out, Refusal *wrong);
// A word is a parameter of `let`; with "=" any field of the file, whose value follows.
bool parse_parameter(const Input *in, const char *text, GradientParameter *out, Refusal *wrong);
// The change of the model file that gives the parameter a value.
void parameter_change(const GradientParameter *p, double value, char *out, size_t size);

// All of it. `watch`: who may stop it, or NULL. `wrong`: "", or why there is none; then *out is NULL. gradient.c
PetscErrorCode GradientFind(const Input *in, SourceReader read, const LimberGradientOptions *options,
                            const GradientWatch *watch, LimberGradient *out, Refusal *wrong);
PetscErrorCode GradientDestroy(LimberGradient *gradient);

// Its pieces, for callers that fill quantities and parameters themselves.
PetscErrorCode GradientDataCreate(int quantities, int parameters, struct LimberGradientData *g);
PetscErrorCode GradientDataDestroy(struct LimberGradientData *g);
// Finds values and derivatives of p->g at p->in, which has the values of the parameters; without parameters values alone.
PetscErrorCode GradientEvaluate(const GradientProblem *p, Refusal *wrong);
// Whether it ends here: there is a refusal, or whoever watches gives up, which becomes one. Collective.
bool gradient_ends(const GradientProblem *p, Refusal *wrong);
// Reads the model with the values of `count` parameters: `which`, or NULL: the first ones.
PetscErrorCode GradientRead(const GradientProblem *p, int count, const int *which, Input **out, Refusal *wrong);
// The values of all quantities, of any run: without derivatives. values.c
PetscErrorCode GradientValues(const GradientProblem *p, Refusal *wrong);

// ---- columns of probes and of the ledger ----

typedef struct {
  int count; // of the quantities of one analysis
  int *quantity;
  ProbeOutputs probes;
  int *probe;          // of each: its column among the outputs; -1: of the ledger
  const char **ledger; // its path
  bool *of_step;       // it has no value at the start
  double *row;         // of all outputs
} GradientColumns;

PetscErrorCode ColumnsCreate(struct LimberGradientData *g, GradientAnalysis analysis, const Input *in, LimberRun run,
                             GradientColumns *out, Refusal *wrong);
PetscErrorCode ColumnsDestroy(GradientColumns *c);
// The values of all columns at the state of the run, the same on every rank.
PetscErrorCode ColumnsSample(GradientColumns *c, LimberRun run, double *value);

// ---- shadows: the model with a neighbouring value of a parameter. shadow.c ----

typedef struct {
  Input *in;
  LimberRun run;
  GradientColumns columns;
} Shadow;

// `options` of its run. `steps`: how many steps of length `delta` (in the unit of the parameter) beyond its value; with
// 0 of no parameter the model as it is. It must have the same unknowns in the same order as `like` (NULL: any).
PetscErrorCode ShadowCreate(const GradientProblem *p, GradientAnalysis analysis, int parameter, double steps,
                            double delta, const LimberOptions *options, const Layout *like, Shadow *out,
                            Refusal *wrong);
PetscErrorCode ShadowDestroy(Shadow *s);
double parameter_delta(const GradientParameter *p, double part);

// Central differences at 1, 2, .. steps to both sides: of sixth order with 6 points, of fourth with 4. The last is `rough`:
// two orders lower, whose difference from the first shows the error.
enum { MOST_POINTS = 6 };
typedef struct {
  int points;
  double at[MOST_POINTS], weight[MOST_POINTS], rough[MOST_POINTS];
} Difference;
extern const Difference difference_of_six, difference_of_four, difference_of_two;

// ---- analyses ----

PetscErrorCode EquilibriumGradient(const GradientProblem *p, Refusal *wrong);
PetscErrorCode ModesGradient(const GradientProblem *p, Refusal *wrong);
// Equilibrium and modes share this. equilibrium.c
typedef struct Equilibrium Equilibrium;
// What is differentiated at a state: `count` numbers of the shadow there.
typedef struct {
  int count;
  PetscErrorCode (*sample)(void *self, Shadow *at, double *value);
  void *self;
} EquilibriumQuestion;
PetscErrorCode EquilibriumCreate(const GradientProblem *p, GradientAnalysis analysis, Stepper *found, double time,
                                 Equilibrium **out, Refusal *wrong);
PetscErrorCode EquilibriumDestroy(Equilibrium **e);
Shadow *equilibrium_shadow(Equilibrium *e); // the model as it is, at the equilibrium
bool equilibrium_is_free(const Equilibrium *e);
// The derivatives of the numbers with respect to a parameter, and their errors.
PetscErrorCode EquilibriumDifferentiate(Equilibrium *e, const EquilibriumQuestion *ask, int parameter, double *out,
                                        double *error, Refusal *wrong);

PetscErrorCode RunGradient(const GradientProblem *p, Refusal *wrong);  // run.c
PetscErrorCode MassGradient(const GradientProblem *p, Refusal *wrong); // mass.c
// A part of a step: the whole, or up to an event, or the rest after one.
typedef struct {
  double h, rest; // s; what remains of the step after it
  int event;      // in which it ends; -1: none
} StepPart;
// A whole step of a run. Of each of its parts: `before` it is solved; when it is `solved` but the state has not moved; when
// events at its end were `thrown`. And when the step has `ended`. NULL: nothing. run_step.c
typedef struct {
  PetscErrorCode (*before)(void *self), (*solved)(void *self), (*thrown)(void *self), (*ended)(void *self);
  void *self;
  StepPart *part; // the present one
} StepVisitor;
PetscErrorCode RunTakeStep(LimberRun run, const StepVisitor *visit, Refusal *wrong);
// Why the step of a run, or of a shadow, failed.
void refuse_failure(Refusal *wrong, const Stepper *p, const LimberOutcome *out);
// Why a run has no gradient with either method; NULL: it has.
const char *run_unsupported(const Input *in, const Stepper *p);
// Refuses control blocks that read what belongs to several states: shadows that begin in the middle of a run have one.
void check_readings(const Stepper *p, Refusal *wrong);
// Refuses a parameter on which the steps, the end or the scheme of the run depend, or the period of a control block.
void check_shadow(const GradientProblem *p, int parameter, const Input *shadow, Refusal *wrong);

// A quantity of a history, whose rows come one after the other. history.c
typedef struct {
  const GradientQuantity *q;
  int64_t rows;
  double time, value; // of the last row
  double sum, found;  // so far
  double scale;       // of a mean of powers: the largest size of a row so far, by which all rows are divided
  bool taken;
  double low, high;   // of all rows
  double first, also; // an extreme: time of its row, and of another row with the same value; NAN: there is none
} HistoryValue;
typedef struct { // the derivative of a row, or of a quantity
  double value;
  double apart; // by how much differences of two lengths disagree, with its sign
  double doubt; // what else may be wrong, at least 0
} HistoryRate;
typedef struct {
  HistoryRate last, sum, found;
  double most; // the largest disagreement of late
  double tie;  // by how much the derivatives of rows with the same extreme differ
} HistoryDerivative;
// Whether an extreme is that of two rows. If their derivatives differ, it has none: the note names both rows. run_columns.c
bool is_tie(const HistoryValue *v);
void note_tie(struct LimberGradientData *g, const HistoryValue *v);
void history_begin(const GradientQuantity *q, HistoryValue *v);
// Adds a row to the value, and then to the derivatives: the row's derivative and the value before and after it.
void history_add(HistoryValue *v, double time, double value, int count, const HistoryRate *rate, HistoryDerivative *d);
double history_value(const HistoryValue *v);
HistoryRate history_derivative(const HistoryValue *v, const HistoryDerivative *d);
// The derivatives of the finished quantity by the values of its rows, one after the other: `rows` times and values.
void history_slopes(const HistoryValue *v, int64_t rows, const double *time, const double *value, size_t stride,
                    double *out);

#endif
