// SPDX-License-Identifier: Apache-2.0
// Compositions of symmetric steps: the conditions of their orders (Hairer, Lubich & Wanner 2006, V.3), and what they make of an
// oscillation.
#include "check.h"
#include "schemes/scheme.h"

#include <math.h>

static double power_sum(const Composition *c, int power) {
  double sum = 0;
  for (int k = 0; k < c->pairs; k++) sum += pow(c->length[k], power);
  return sum;
}

// sum_m gamma_m^3 (sum'_{l <= m} gamma_l)^2, the last term of the inner sum halved.
static double nested_sum(const Composition *c) {
  double sum = 0, before = 0;
  for (int k = 0; k < c->pairs; k++) {
    sum += pow(c->length[k], 3) * pow(before + 0.5 * c->length[k], 2);
    before += c->length[k];
  }
  return sum;
}

TEST(lengths_satisfy_the_conditions_of_their_order) {
  for (int order = 4; order <= 6; order += 2) {
    const Composition *c = composition_of_order(order);
    CHECK(c && c->order == order);
    CHECK_LE(fabs(power_sum(c, 1) - 1), 1e-15);
    CHECK_LE(fabs(power_sum(c, 3)), 2e-15);
    if (order < 6) CHECK(fabs(power_sum(c, 5)) > 0.01); // no more than order 4
    else CHECK_LE(fabs(power_sum(c, 5)) + fabs(nested_sum(c)), 2e-15);
  }
  CHECK(!composition_of_order(2) && !composition_of_order(8));
}

TEST(lengths_read_the_same_from_both_ends_and_stay_inside_the_step) {
  for (int order = 4; order <= 6; order += 2) {
    const Composition *c = composition_of_order(order);
    double at = 0;
    for (int k = 0; k < composition_count(c); k++) {
      CHECK(composition_length(c, k) == composition_length(c, composition_count(c) - 1 - k));
      at += composition_length(c, k);
      CHECK(at > 0 && at < 1 + 1e-15);
    }
    CHECK_LE(fabs(at - 1), 1e-15);
  }
}

// Measured: 1.99, 3.99, 6.01.
TEST(errors_of_a_period_fall_with_the_order) {
  for (int order = 2; order <= 6; order += 2) {
    LimberOptions o;
    StepRule rule = {0};
    SchemeAccuracy coarse, fine;
    o = limber_options_default();
    o.scheme = LIMBER_SCHEME_PRESERVING, o.order = order;
    CHECK(!scheme_make(scheme_kind(o.scheme), &o, &rule).text);
    CHECK(scheme_accuracy(&rule, 10, &coarse) && scheme_accuracy(&rule, 20, &fine));
    double observed = log2(fabs(coarse.period / fine.period));
    CHECK_NOTE("order %d: observed %.2f", order, observed);
    CHECK_LE(fabs(observed - order), 0.3);
    CHECK_LE(fabs(fine.loss), 1e-13);
  }
}

TEST(only_the_preserving_scheme_is_composed) {
  LimberOptions o;
  StepRule rule = {0};
  o = limber_options_default();
  CHECK(o.order == 2);
  o.order = 4;
  CHECK(scheme_make(scheme_kind(limber_scheme_find("decaying")), &o, &rule).text != NULL);
  o.order = 5;
  CHECK(scheme_make(scheme_kind(limber_scheme_find("preserving")), &o, &rule).text != NULL);
}

CHECK_MAIN
