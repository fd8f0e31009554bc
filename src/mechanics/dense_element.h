// SPDX-License-Identifier: Apache-2.0
// Elements whose points all have dense rows (dense_rows.h).
#ifndef LIMBER_MECHANICS_DENSE_ELEMENT_H
#define LIMBER_MECHANICS_DENSE_ELEMENT_H

#include "mechanics/element.h"

// Residual and tangent, as element_evaluate adds them. The nodes of the element are points, all points have the same y_i,
// and have neither drag nor flow.
void dense_evaluate(const ElementKind *kind, const void *data, const ElementStep *step, const LocalMotion *it,
                    Local *out);

#endif
