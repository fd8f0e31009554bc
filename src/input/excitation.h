// SPDX-License-Identifier: Apache-2.0
// How fast a model is excited by functions of the time alone: amplitudes of loads and drives, and formulae of control
// blocks that contain the time.
#ifndef LIMBER_INPUT_EXCITATION_H
#define LIMBER_INPUT_EXCITATION_H

#include "input/data.h"

typedef struct {
  double period;    // s: the shortest of all, as excitation_period says; INFINITY: nothing changes
  const char *name; // of the load or block that has it
  int load;         // which load; -1: a block
  bool jumps;       // one of them jumps
  double hold;      // s: the shortest time between two jumps that go up and down; INFINITY: there are none
} Excitation;

// The shortest period of functions that go up and down by more than 5 % of their range. Of one that changes in less than
// a tenth of the run, such as a blow, it is ten times the shortest way from one extreme to the next.
//
// Functions are sampled at 32768 times of the run, fewer where there are many; in shorter parts of it, which show what is
// faster; and around each time that they name: entries of a table, start and end of a pulse, numbers of a formula, their
// sums and differences. A change is missed if it is shorter than a sample and at no such time.
Error FindExcitation(const Input *in, Excitation *out);

// A step that is longer misses a part of what excites the model; of runs with shorter and shorter steps the last must
// not be longer than half of it.
static inline double excitation_longest_step(const Excitation *e) { return e->period / 4; }

bool input_motion_impacts(const Input *in); // there is hard contact
// Whether motions may have jumps, by loads, events or hard contact.
bool input_motion_jumps(const Input *in, const Excitation *e);

#endif
