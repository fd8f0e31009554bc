// SPDX-License-Identifier: Apache-2.0
// Couplings: a sum of coordinates z_i of other joints, or a formula of them, is one more coordinate d,
//   g_0 = sum_i f_i z_i - d  or  F(z_1, ..) - d,    g_i = the row that gives z_i its value,
// which is held at zero, or a law acts along it. The multiplier of g_0 does no work: g_0 is linear in the coordinates, or its force acts
// along a secant of F (mechanics/rows.h). The multipliers of the g_i take it to the bodies, whatever carries them.
// Equations: eq-coupling-rows (5.9).
#ifndef LIMBER_JOINTS_TIE_H
#define LIMBER_JOINTS_TIE_H

#include "mechanics/joint.h"

// Repeats the row that gives a tied coordinate its value as `row` of the coupling, for its coordinate `coord`; `term`:
// room for its terms. NULL, or what is wrong.
Reason tie_copy_row(const JointTie *tie, int row, int coord, RowTerm *term, Joint *out);
Reason tie_prepare(const JointNodes *n, const Law *law, Joint *out);

#define TIE_LAW "instead of a rigid coupling: spring, clearance, damper, friction and limits along "

#endif
