// SPDX-License-Identifier: Apache-2.0
// Contacts that last too few steps: stops, springs with play and springs of one side, of joints and of elements.
//
// A mass m that meets a spring k leaves it after T = pi sqrt(m/k). With T/h steps in it the rebound and the largest
// force are off by (a ball on a stop, at all places of the steps; the worst of the schemes preserving, decaying_c and
// generalized_alpha)
//   T/h       1       2       3       4       5       6       8       10
//   rebound   148 %   23 %    16 %    10 %    5.1 %   3.8 %   2.0 %   1.2 %
//   force     88 %    36 %    18 %    14 %    7.5 %   7.0 %   4.3 %   2.7 %
// so CONTACT_STEPS is 8. What mass acts along the contact follows from the motion: the impulse of the contact's force
// from the middle of the last step before it to the middle of a later one is m times the change of rate between the
// two.
#ifndef LIMBER_ANALYSES_STEPPING_CONTACT_H
#define LIMBER_ANALYSES_STEPPING_CONTACT_H

#include "analyses/stepping/events.h"
#include "analyses/stepping/stepper.h"

enum { CONTACT_STEPS = 8 };

typedef struct {       // of one of them, at the end of the last step
  double steps;        // seen so far, the start among them; 2 and more: z and rate are known
  double z, rate;      // at the end of the last step, and over it
  double open, judged; // 0 or 1: a contact is under way; it was judged
  double before;       // rate before it began
  double since;        // the first step in it ends
  double impulse;      // of its force so far
  double stiffness;    // of what is met, the largest
  double count;        // of contacts that were too short
  double shortest;     // s
  double first;        // when the first of them began
} ContactTrack;

typedef struct {
  PetscInt joint, element; // of the rank; -1: not that
  int coord;
  PetscInt all; // its place among those of the model
} Watched;

typedef struct Contacts {
  PetscInt count, all; // of this rank; of the model
  Watched *watched;
  ContactTrack *track;
  int *owner; // of each of the model: the joint's id, or -1 - the item's
} Contacts;

// p->contacts: NULL where the model has none.
PetscErrorCode ContactsCreate(Stepper *p);
PetscErrorCode ContactsDestroy(Stepper *p);

// After a step of length h, which the state has taken; 0: at the start.
void contacts_step(Stepper *p, double h);

// What was too short, one line an item, the shortest first; "": nothing. Collective.
PetscErrorCode ContactsRemark(Stepper *p, char *text, size_t size);

// Steps that end where two surfaces begin to touch (`first_touch: ends_step` of a contact). The length of the step is
// found by the same rule as that of an event; the rest of the step follows. A part is at least SHORTEST_PART of a step,
// so that a step has a bounded number of parts however often bodies bounce in it; what touches earlier does so within
// its part.

#define SHORTEST_PART 0.05

// Whether a contact of the model ends steps.
bool first_touch_ends_steps(const Stepper *p);
// Cuts a step of `length`, which the state has taken, where a pair that was apart begins to touch. `again` takes a step
// of another length in its place, as in EventsFind.
PetscErrorCode FirstTouchFind(Stepper *p, double *length, StepAgain again, void *context, bool *good);

#endif
