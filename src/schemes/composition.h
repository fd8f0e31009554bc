// SPDX-License-Identifier: Apache-2.0
// Steps of order 4 and 6, composed of steps of a symmetric scheme of order 2, some of them backwards in time.
//
// A step Phi_h of the preserving scheme reflects what a velocity has across a joint: of two steps the second undoes
// that, and
//   Theta_h = Phi_{h/2} Phi_{h/2}
// is a symmetric map near the identity, as the theory of composition asks for. Of Phi itself the same lengths leave velocities across
// joints with an error of order 2, and order 6 becomes 4.
// Equations: eq-order-composed (3.5), eq-order-pair (3.6), eq-order-lengths (3.7).
#ifndef LIMBER_SCHEMES_COMPOSITION_H
#define LIMBER_SCHEMES_COMPOSITION_H

enum { MOST_PAIRS = 9 };

// A step of length h is `pairs` maps Theta of the lengths length[k] h, one after the other; the lengths read the same
// from both ends.
typedef struct {
  int order, pairs;
  double length[MOST_PAIRS];
} Composition;

// NULL: there is none of that order.
const Composition *composition_of_order(int order);

// Steps that are solved in a composed one, and their lengths as parts of it.
static inline int composition_count(const Composition *c) { return 2 * c->pairs; }
static inline double composition_length(const Composition *c, int k) { return 0.5 * c->length[k / 2]; }

#endif
