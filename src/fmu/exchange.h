// SPDX-License-Identifier: Apache-2.0
// Model exchange: an FMU gives the derivatives of its continuous states, and Limber integrates them, by the method of
// Dormand and Prince of order 5 with steps that its embedded method of order 4 chooses. Inputs of the type of real
// numbers go in a straight line over a step of the block, from the last values to the new ones; discrete ones jump at its
// end. Events are those of time, those where an event indicator changes between positive and not positive, and those that
// the FMU asks for after a step of the solver.
#ifndef LIMBER_FMU_EXCHANGE_H
#define LIMBER_FMU_EXCHANGE_H

#include "fmu/loaded.h"

typedef struct {            // beside the state of the FMU
  double time, step, event; // s: where it is; the next step of the solver; the next event of time, or infinity
} ExchangeClock;

struct FmuExchange {
  size_t states, indicators;
  double tolerance;
  ExchangeClock clock, marked;
  double *x, *x1, *stage, *nominal, *k[7]; // states: here, after the step, of a stage; derivatives at the stages
  double *z, *z1;                          // indicators: here, and elsewhere
  double *last, *goal, *marked_last;       // inputs at the start and the end of the step of the block
  double from, span;                       // s: of this step
  bool fresh;                              // k[0] is the derivative here
  long events, steps;                      // in this step
  char why[300];                           // a step of the solver was too long
};

// Once the FMU was instantiated and the numbers of its states are known; frees all but the structure.
Error ExchangeCreate(Fmu *f);
void exchange_destroy(Fmu *f);
// After the initialisation, with these inputs.
bool exchange_start(Fmu *f, const double *in);
// Inputs that jump, here.
bool exchange_jump(Fmu *f, const double *in);
bool exchange_step(Fmu *f, double from, double step, const double *in);
void exchange_mark(Fmu *f);
// After the FMU was set back to the mark, or to a record.
bool exchange_go_back(Fmu *f);
size_t exchange_record_size(const Fmu *f);
void exchange_save(const Fmu *f, void *record);
bool exchange_restore(Fmu *f, const void *record);

// ---- the solver (exchange_solver.c) ----

typedef enum { TRIAL_GOOD, TRIAL_TOO_LONG, TRIAL_FAILED } Trial;

// Sets the FMU to a time and states, with the inputs of that time.
Trial exchange_place(Fmu *f, double time, const double *x);
// What a call says: a FMU may discard a state that a shorter step would not reach.
Trial exchange_judge(Fmu *f, const char *function, int status);
Trial exchange_indicators(Fmu *f, double *z);
// One step, not beyond `limit`. `crossed`: up to just behind the first change of an indicator. The FMU is at its end.
bool exchange_advance(Fmu *f, double limit, bool *crossed);

#define TRIAL(f, version, function, ...) \
  (fmu_forget_log(f), (f)->version.function \
                          ? exchange_judge(f, #function, (int)(f)->version.function((f)->c, __VA_ARGS__)) \
                          : (fmu_is_missing(f, #function), TRIAL_FAILED))

#endif
