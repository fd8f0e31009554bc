// SPDX-License-Identifier: Apache-2.0
// Elements that are held: their strains e vanish at the end of every stage, by multipliers that are no unknowns of the
// step (augmented Lagrangian; R. L. Taylor 2000, eqs. 63 to 65 with the right side R + eta G r and the update lambda +=
// eta C). Over stage k the stress is
//   s_k = lambda_k + f C (b_k e_n + sum_l a_kl (e_l - e_n)),
// that of the element's own stiffness, f times, and multipliers that stay while Newton solves; then lambda_k <- s_k,
// and again, until no strain is left. The multipliers do the work lambda_k . (e_k - e_n), which goes to zero with it.
// Equations: eq-points-augmented (7.6).
#ifndef LIMBER_MECHANICS_AUGMENTED_H
#define LIMBER_MECHANICS_AUGMENTED_H

#include "mechanics/element.h"

typedef double AugmentedMultipliers[MAX_STAGES][MAX_ROWS]; // lambda_k: of all points the same

static inline bool element_is_augmented(const ElementKind *kind, const void *data) {
  return kind->augmented_tolerance && kind->augmented_tolerance(data) > 0;
}

// Takes f times the residual and tangent in `out`, and adds those of the multipliers over all stages.
void augmented_evaluate(const ElementKind *kind, const void *data, const LocalMotion *it, double f,
                        AugmentedMultipliers multipliers, Local *out);

// The largest strain at the end of a stage.
double augmented_strain(const ElementKind *kind, const void *data, const LocalMotion *it);
// lambda_k <- s_k
void augmented_update(const ElementKind *kind, const void *data, const Tableau *t, const LocalMotion *it, double f,
                      AugmentedMultipliers multipliers);

// sum_k w_k lambda_k . (e_k - e_n) over all points
double augmented_work(const ElementKind *kind, const void *data, const Tableau *t, const LocalMotion *it,
                      AugmentedMultipliers multipliers);

#endif
