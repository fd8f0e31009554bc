// SPDX-License-Identifier: Apache-2.0
// A time scheme as a tableau of s stages that all start at t_n; stage 0 is the step itself.
//   vhat_k = b_k v_n + sum_l a_kl (v_l - v_n)            kinematics of stage k
//   s_k    = C (b_k e_n + sum_l a_kl (e_l - e_n))        stress in the balance of stage k
// If weight_0 = 1, b = e_0 and W a + a^T W - e_0 e_0^T = diag(loss) with loss >= 0 (W = diag(weight)), then
//   E_1 - E_n = work - sum_k loss_k (|v_k - v_n|_M^2 + |e_k - e_n|_C^2)/2     for every model and every step.
// A scheme of one stage may remember the increments of the last step: Recall (below) is what that adds to both sides.
// Equations: eq-node-moment-work (1.5), eq-scheme-stage (3.1), eq-scheme-theorem (3.3), eq-scheme-proof (3.4).
#ifndef LIMBER_MECHANICS_TABLEAU_H
#define LIMBER_MECHANICS_TABLEAU_H

#include <stdbool.h>

enum { MAX_STAGES = 3 };

// Where a stage's forces act, and how a frame turns forces on its directors into a moment sum_j rho_j x f_j.
typedef enum {
  FORCE_CHORD, // rows at the middle; rho = tau d_half, conjugate to the conformal vector: material inertia
  FORCE_MEAN,  // rows at the middle; rho = (d_n + d_k)/2: ambient inertia
  FORCE_END,   // rows and rho = d_k at the end: generalized-alpha, statics
} ForceRule;

typedef struct {
  int s;
  ForceRule force_rule;
  double a[MAX_STAGES][MAX_STAGES], b[MAX_STAGES], weight[MAX_STAGES];
  double inverse[MAX_STAGES][MAX_STAGES]; // of a
  double loss[MAX_STAGES];
  double delta; // weight of the difference of this step's increments and the last one's; 0: none
} Tableau;

// Fills inverse and loss. Returns the largest entry by which the condition above fails (0 for a proved scheme,
// counting weight_0 - 1, b - e_0, the off-diagonal part and negative losses; infinite where a has no inverse).
double tableau_complete(Tableau *t);

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
