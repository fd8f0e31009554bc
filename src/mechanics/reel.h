// SPDX-License-Identifier: Apache-2.0
// A cable whose natural length changes as it is reeled in or runs on. Its rows are scaled by the natural length A at the start: lengths of
// spans, and last what was reeled in, u. With the natural length A c, c = 1 - u, and the strain z = sum of all rows,
//   V = A W(z)/c,     W the energy of its law.
// Over a step V(1) - V(n) = A (mean(1/c) (W_1 - W_n) + mean(W) (1/c_1 - 1/c_n)): the forces
//   A mean(1/c) (W_1 - W_n)/(z_1 - z_n) on all rows,   A mean(W)/(c_n c_1) beside it on the last
// work this change exactly. The law over c_n passes through the tableau (law.h); the rest acts over the step itself.
// Equations: eq-reeled-energy (23.3), eq-reeled-force (23.4).
#ifndef LIMBER_MECHANICS_REEL_H
#define LIMBER_MECHANICS_REEL_H

#include "mechanics/law.h"
#include "mechanics/rows.h"

typedef struct {
  LawState law;          // of all rows
  double more[MAX_ROWS]; // beside it over stage 0, and its derivative by the rows at its end
  double tangent[MAX_ROWS][MAX_ROWS];
} ReelState;

// c: natural length over that at the start
static inline double reel_left(int n, const double *e) { return 1 - e[n - 1]; }

double reel_energy(const Law *l, int n, const double *e);
void reel_force(const Law *l, int n, const double *e, double *force);
void reel_evaluate(const Law *l, const Tableau *t, double h, const Recall *m, double past, int n, const double *en,
                   double ek[][MAX_ROWS], ReelState *out);

#endif
