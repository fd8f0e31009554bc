// SPDX-License-Identifier: Apache-2.0
// The theorem's condition on a tableau: weight_0 = 1, b = e_0, W a + a^T W - e_0 e_0^T diagonal and not negative.
#include "check.h"
#include "contract.h"

TEST(preserving_tableau_is_proved_without_loss) {
  Tableau t = tableau_preserving();
  CHECK_LE(tableau_complete(&t), 0);
  CHECK_NEAR(t.loss[0], 0, 0);
  CHECK_NEAR(t.inverse[0][0], 2, 0);
}

TEST(decaying_b_is_proved_for_every_beta) {
  const double beta[] = {0.01, 1.0 / 6, 0.25, 1.0 / 3, 0.5, 1, 10};
  for (int i = 0; i < 7; i++) {
    Tableau t = tableau_b(beta[i]);
    CHECK_LE(tableau_complete(&t), 2 * EPS);
    CHECK_NEAR(t.loss[0], 0, 0);
    CHECK_NEAR(t.loss[1], 1, 2 * EPS); // one jump energy J each step, whatever beta
  }
}

TEST(decaying_c_is_proved_for_every_rho_and_loses_alpha) {
  for (int i = 0; i <= 10; i++) {
    double rho = i / 10.0;
    Tableau t = tableau_c(rho);
    CHECK_LE(tableau_complete(&t), 2 * EPS);
    CHECK_NEAR(t.loss[0], 0, 0);
    CHECK_NEAR(t.loss[1], (1 - rho) / (1 + rho), 4 * EPS);
  }
}

TEST(a_is_both_b_at_one_sixth_and_c_at_rho_zero) {
  Tableau b = tableau_b(1.0 / 6), c = tableau_c(0);
  tableau_complete(&b), tableau_complete(&c);
  for (int k = 0; k < 2; k++) {
    CHECK_NEAR(b.weight[k], c.weight[k], 4 * EPS);
    CHECK_NEAR(b.loss[k], c.loss[k], 4 * EPS);
    for (int l = 0; l < 2; l++) CHECK_NEAR(b.a[k][l], c.a[k][l], EPS);
  }
}

TEST(tableau_of_three_intervals_can_be_proved) {
  Tableau t = tableau_three();
  CHECK_LE(tableau_complete(&t), 4 * EPS);
  const double loss[3] = {0.25, 0.5, 2};
  for (int k = 0; k < 3; k++) CHECK_NEAR(t.loss[k], loss[k], 4 * EPS);
}

TEST(inverse_is_the_inverse) {
  for (int i = 0; i < TABLEAUX; i++) {
    Tableau t = tableau_sample(i, FORCE_CHORD);
    for (int k = 0; k < t.s; k++)
      for (int l = 0; l < t.s; l++) {
        double sum = 0;
        for (int j = 0; j < t.s; j++) sum += t.a[k][j] * t.inverse[j][l];
        CHECK_NEAR(sum, k == l, 16 * EPS);
      }
  }
}

TEST(inverse_exchanges_rows_where_the_first_pivot_is_zero) {
  Tableau t = {.s = 3, .a = {{0, 0, 2}, {4, 0, 0}, {0, 5, 0}}};
  tableau_complete(&t);
  CHECK_NEAR(t.inverse[0][1], 0.25, EPS);
  CHECK_NEAR(t.inverse[1][2], 0.2, EPS);
  CHECK_NEAR(t.inverse[2][0], 0.5, EPS);
}

// The identity behind the theorem, on numbers: sum_k w_k d_k (b_k x + sum_l a_kl d_l) = ((x + d_0)^2 - x^2)/2 + losses.
static double theorem_error(const Tableau *t) {
  double x = random_in(-1, 1), d[MAX_STAGES], sum = 0;
  for (int k = 0; k < t->s; k++) d[k] = random_in(-1, 1);
  for (int k = 0; k < t->s; k++) {
    double hat = t->b[k] * x;
    for (int l = 0; l < t->s; l++) hat += t->a[k][l] * d[l];
    sum += t->weight[k] * d[k] * hat - 0.5 * t->loss[k] * d[k] * d[k];
  }
  return fabs(sum - 0.5 * ((x + d[0]) * (x + d[0]) - x * x));
}

TEST(proved_tableaux_close_the_account_of_any_jumps) {
  random_restart(1);
  double worst = 0;
  for (int i = 0; i < TABLEAUX; i++)
    for (int trial = 0; trial < 20; trial++) {
      Tableau t = tableau_sample(i, FORCE_CHORD);
      worst = worse(worst, theorem_error(&t));
    }
  CHECK_LE(worst, 10 * EPS);
  CHECK_NOTE("%.1e", worst);
}

// A tableau that does not close the account, or has no velocities, must not be called proved.
static void check_refused(Tableau t, double by) {
  double found = tableau_complete(&t);
  CHECK_LE(by, found);
}

TEST(what_the_theorem_does_not_prove_is_refused) {
  Tableau t = tableau_preserving();
  t.a[0][0] = 1; // backward Euler loses in the step itself, and that is proved ...
  CHECK_LE(tableau_complete(&t), 0);
  CHECK_NEAR(t.loss[0], 1, 0);
  t.a[0][0] = 0.4; // ... forward of the middle gains
  check_refused(t, 0.2 - EPS);
  t = tableau_preserving(), t.b[0] = 0.9;
  check_refused(t, 0.1 - EPS);
  t = tableau_c(0.5), t.b[1] = 0.1;
  check_refused(t, 0.1);
  t = tableau_c(0.5), t.weight[1] = 2; // not conjugate
  check_refused(t, 0.1);
  t = tableau_c(0.5), t.a[1][1] = -t.a[1][1]; // creates energy
  check_refused(t, 0.3);
  t = tableau_c(0.5), t.a[0][1] = 0.4;
  check_refused(t, 0.1 - EPS);
  t = tableau_three(), t.a[2][1] += 0.01; // seen below the diagonal and above
  check_refused(t, 0.004);
  t = tableau_three(), t.a[1][2] += 0.01;
  check_refused(t, 0.02);
}

TEST(weight_of_the_step_must_be_one) {
  Tableau t = {.s = 1, .a = {{0.25}}, .b = {1}, .weight = {2}}; // W a + a^T W - 1 = 0 and yet the account is open
  double found = tableau_complete(&t);
  random_restart(2);
  CHECK_LE(1e-3, theorem_error(&t));
  CHECK_LE(1, found);
}

TEST(tableau_without_an_inverse_is_refused) {
  Tableau t = {.s = 2, .a = {{0.5, 0}, {0, 0}}, .b = {1, 0}, .weight = {1, 1}}; // the jump has no velocity
  CHECK_LE(1, tableau_complete(&t));
  Tableau n = tableau_preserving();
  n.a[0][0] = NAN;
  CHECK_LE(1, tableau_complete(&n));
}

CHECK_MAIN
