// SPDX-License-Identifier: Apache-2.0
// Order 4: M. Suzuki, Phys. Lett. A 146 (1990) 319: p p 1-4p p p, p = 1/(4 - 4^(1/3)).
// Order 6: W. Kahan & R.-C. Li, Math. Comp. 66 (1997) 1089, s9odr6a.
// All times inside lie between the start and the end of the step.
#include "schemes/composition.h"

#include <stddef.h>

#define P 0.41449077179437573714
#define A 0.39216144400731413928
#define B 0.33259913678935943860
#define C (-0.70624617255763935981)
#define D 0.082213596293550800230

static const Composition compositions[] = {
    {4, 5, {P, P, 1 - 4 * P, P, P}},
    {6, 9, {A, B, C, D, 1 - 2 * (A + B + C + D), D, C, B, A}},
};

const Composition *composition_of_order(int order) {
  for (size_t i = 0; i < sizeof compositions / sizeof compositions[0]; i++)
    if (compositions[i].order == order) return &compositions[i];
  return NULL;
}
