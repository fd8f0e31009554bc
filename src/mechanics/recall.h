// SPDX-License-Identifier: Apache-2.0
// What a step remembers of the last one: the increments D' of rows, coordinates and velocities. With D the increment of
// this step a row of stiffness K has the stress
//   s = K delta (D - keep D')      beside that of the tableau,
// and by  2 D.(D - D') = |D|^2 - |D'|^2 + |D - D'|^2  it works
//   D.s = m_1 - keep^2 m_n + delta/2 |D - keep D'|_K^2,       m_1 = delta/2 |D|_K^2,   m_n = delta/2 |D'|_K^2,
// so that energy and memory together, E + m, lose delta/2 (|D - keep D'|_K^2 + (1 - keep^2) |D'|_K^2) >= 0 in the step,
// for every keep from 0 to 1. Where K changes from step to step D' is shortened so that its memory never grows by that.
//
// A damper beside a row acts at its rate: (rate D + before D')/h.
// Equations: eq-decaying-step (4.1), eq-decaying-memory (4.2), eq-decaying-theorem (4.3), eq-decaying-identity (4.4),
// eq-decaying-shorter (4.9).
#ifndef LIMBER_MECHANICS_RECALL_H
#define LIMBER_MECHANICS_RECALL_H

typedef struct {
  double delta; // 0: the stress remembers nothing
  double keep;  // 1, or less where this step is shorter than the last
  double rate, before;
} Recall;

static const Recall no_recall = {.rate = 1};

// delta/2 (|D - keep D'|^2 + (1 - keep^2) |D'|^2) of stiffness 1, from D and D' of one row
static inline double recall_loss(const Recall *m, double d, double past) {
  double change = d - m->keep * past;
  return 0.5 * m->delta * (change * change + (1 - m->keep * m->keep) * past * past);
}

#endif
