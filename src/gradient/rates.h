// SPDX-License-Identifier: Apache-2.0
// The state of a run as one vector of numbers, and its derivatives, "rates": arrays of the state (state.def), then what
// is between steps (between.h).
#ifndef LIMBER_GRADIENT_RATES_H
#define LIMBER_GRADIENT_RATES_H

#include "analyses/stepping/saved_state.h"

// Whether a number of an array of the state is differentiated.
bool rates_is_smooth(const StateArray *a, size_t number);
PetscErrorCode RatesTakeState(Stepper *p, double *out);
// Sets the state to at + e rate. Numbers without derivative, such as counts, become those of `at`.
PetscErrorCode RatesPutState(Stepper *p, const double *at, double e, const double *rate);
// Adds weight times the state to the rates of what is differentiated.
PetscErrorCode RatesAddState(Stepper *p, double weight, double *rate);
// The largest rate of positions and, in a step, of velocities, relative to the size of the model. Collective.
PetscErrorCode RatesMeasure(Stepper *p, const double *rate, double *out);
// The rate of the time.
PetscErrorCode RatesFindTime(Stepper *p, const double *rate, double *out);

// What events switch, of a model that has events: joints and loads, and times of events. It changes in events only.
size_t switches_size(const Stepper *p);
// Adds weight times these numbers to their rates.
void switches_add(const Stepper *p, double weight, double *rate);
// Sets them to those of another run + e rate.
PetscErrorCode SwitchesPut(Stepper *p, const Stepper *at, double e, const double *rate);
// Triggers the events of another run of the model from its record `first` on. Nodes forget the last step where they do there.
PetscErrorCode ThrowAlike(Stepper *p, const Stepper *other, int first, LimberCause *conflict);

#endif
