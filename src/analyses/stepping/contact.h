// SPDX-License-Identifier: Apache-2.0
// Detects contacts that last too few steps: stops, springs with play and one-sided springs of joints and elements.
//
// A mass m that hits a spring k leaves it after T = pi sqrt(m/k). With T/h steps during the contact, rebound and
// largest force have these errors (ball on a stop, all positions relative to the steps, the worst of the schemes
// preserving, decaying_c and generalized_alpha):
//   T/h       1       2       3       4       5       6       8       10
//   rebound   148 %   23 %    16 %    10 %    5.1 %   3.8 %   2.0 %   1.2 %
//   force     88 %    36 %    18 %    14 %    7.5 %   7.0 %   4.3 %   2.7 %
// so CONTACT_STEPS is 8. The mass follows from the motion: the impulse of the contact force from the middle of the last
// step before the contact to the middle of a later step is m times the change of rate between the two.
#ifndef LIMBER_ANALYSES_STEPPING_CONTACT_H
#define LIMBER_ANALYSES_STEPPING_CONTACT_H

#include "analyses/stepping/events.h"
#include "analyses/stepping/stepper.h"

enum { CONTACT_STEPS = 8 };

typedef struct {       // one contact at the end of the last step
  double steps;        // so far, including the start; from 2 on, z and rate are known
  double z, rate;      // at the end of the last step, and over it
  double open, judged; // 0 or 1: a contact is in progress; it was judged
  double before;       // rate before it began
  double since;        // s: end of the first step in it
  double impulse;      // of its force so far
  double stiffness;    // largest stiffness so far
  double count;        // number of contacts that were too short
  double shortest;     // s
  double first;        // when the first of them began
} ContactTrack;

typedef struct {
  PetscInt joint, element; // on this rank; -1: it is the other
  int coord;
  PetscInt all; // its index among all of the model
} Watched;

typedef struct Contacts {
  PetscInt count, all; // of this rank; of the model
  Watched *watched;
  ContactTrack *track;
  int *owner; // of each contact of the model: joint id, or -1 - item id
} Contacts;

// Sets p->contacts; NULL if the model has none.
PetscErrorCode ContactsCreate(Stepper *p);
PetscErrorCode ContactsDestroy(Stepper *p);

// Updates the contacts after the state has moved by a step of length h; 0: at the start.
void contacts_step(Stepper *p, double h);

// Lists contacts that were too short, one line per item, shortest first; "": none. Collective.
PetscErrorCode ContactsRemark(Stepper *p, char *text, size_t size);

// Steps that end where two surfaces begin to touch (`first_touch: ends_step` of a contact). The length is found as for
// an event; the rest of the step follows. A part is at least SHORTEST_PART of a step, so the number of parts is bounded
// however often bodies bounce. An earlier touch then happens within its part.

#define SHORTEST_PART 0.05

// Whether a contact of the model ends steps.
bool first_touch_ends_steps(const Stepper *p);
// Cuts a step of `length`, after the state has moved, where a pair that was apart begins to touch. `again` repeats the
// step with another length, as in EventsFind.
PetscErrorCode FirstTouchFind(Stepper *p, double *length, StepAgain again, void *context, bool *good);

#endif
