// SPDX-License-Identifier: Apache-2.0
// Elements that are held: their strains e vanish at the end of every interval, by multipliers that are no unknowns of the
// step (augmented Lagrangian; R. L. Taylor 2000, eqs. 63 to 65 with the right side R + eta G r and the update lambda += eta C). Over
// interval k the stress is
//   s_k = lambda_k + f C (b_k e_n + sum_l a_kl (e_l - e_n)),
// that of the element's own stiffness, f times, and multipliers that stay while Newton solves; then lambda_k <- s_k, and again, until no
// strain is left. The multipliers do the work lambda_k . (e_k - e_n), which goes to zero with it.
#ifndef LIMBER_MECHANICS_HOLD_H
#define LIMBER_MECHANICS_HOLD_H

#include "mechanics/element.h"

typedef double Held[MAX_INTERVALS][MAX_ROWS]; // lambda_k: of all points the same

static inline bool element_is_held(const ElementKind *kind, const void *data) {
  return kind->hold && kind->hold(data) > 0;
}

// Takes f times the residual and tangent in `out`, and adds those of the multipliers over all intervals.
void hold_evaluate(const ElementKind *kind, const void *data, const Item *it, double f, Held held, Local *out);

// The largest strain at the end of an interval.
double hold_strain(const ElementKind *kind, const void *data, const Item *it);
// lambda_k <- s_k
void hold_update(const ElementKind *kind, const void *data, const Tableau *t, const Item *it, double f, Held held);

// sum_k w_k lambda_k . (e_k - e_n) over all points
double hold_work(const ElementKind *kind, const void *data, const Tableau *t, const Item *it, Held held);

#endif
