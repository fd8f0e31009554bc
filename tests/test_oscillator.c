// SPDX-License-Identifier: Apache-2.0
// A linear oscillator through the real stepper: the amplification matrix of one step, its spectral radius, period error,
// damping and order, against Bauchau & Theron 1996 (beams), section 2, and Bottasso & Trainelli 2004, section 3.
#include "../examples/oscillator/oscillator.h"
#include "check_petsc.h"

static const double steps[] = {0.01, 0.02, 0.1, 0.3, 1, 10, 100}; // h/T
enum { STEPS = sizeof steps / sizeof steps[0] };

static Amplification amplify(OscillatorKind kind, const OscillatorScheme *q, double step, double amplitude) {
  Amplification m = {0};
  CHECK_OK(OscillatorAmplify(kind, q, step, amplitude, &m));
  return m;
}

// Between shear springs, with an amplitude of 1e-6 m, at steps[i]; taken once.
static const Amplification *shear(const OscillatorScheme *q, int i) {
  static Amplification known[OSCILLATOR_SCHEMES][STEPS];
  Amplification *m = &known[q - oscillator_schemes][i];
  if (m->n == 0) *m = amplify(OSCILLATOR_SHEAR, q, steps[i], 1e-6);
  return m;
}

static double difference(const Amplification *a, const Amplification *b) {
  double worst = 0;
  for (int i = 0; i < a->n; i++)
    for (int j = 0; j < a->n; j++) worst = fmax(worst, fabs(a->a[i][j] - b->a[i][j]));
  return worst;
}

TEST(the_model_is_linear) {
  double worst = 0;
  for (int q = 0; q < OSCILLATOR_SCHEMES; q++)
    for (int i = 0; i < STEPS; i += 3) {
      Amplification small = amplify(OSCILLATOR_SHEAR, &oscillator_schemes[q], steps[i], 1e-8);
      Amplification large = amplify(OSCILLATOR_SHEAR, &oscillator_schemes[q], steps[i], 1e-4);
      worst = fmax(worst, fmax(difference(shear(&oscillator_schemes[q], i), &small), difference(&small, &large)));
    }
  CHECK_NOTE("amplification matrices of amplitudes from 1e-8 to 1e-4 m differ by %.1e at most", worst);
  CHECK_LE(worst, 5e-11); // measured 5e-12: the axial force of 1e-4 m
}

TEST(a_step_amplifies_as_its_tableau_says) {
  double worst = 0, alpha = 0;
  for (int q = 0; q < OSCILLATOR_SCHEMES; q++)
    for (int i = 0; i < STEPS; i++) {
      const OscillatorScheme *s = &oscillator_schemes[q];
      const Amplification *m = shear(s, i);
      Amplification t = {.n = 3};
      if (m->n == 2) {
        double complex z = oscillator_theory(s, steps[i]);
        worst = fmax(worst, fmin(cabs(z - m->lambda[0]), cabs(z - m->lambda[1])));
      } else {
        generalized_alpha_theory(s->rho_inf, steps[i], t.a);
        alpha = fmax(alpha, difference(m, &t));
      }
    }
  CHECK_NOTE("eigenvalues off by %.1e; matrices of generalized-alpha off by %.1e", worst, alpha);
  CHECK_LE(worst, 1e-13); // measured 6e-15
  CHECK_LE(alpha, 1e-10); // measured 9e-12: accelerations from second differences
}

TEST(a_point_on_a_bar_amplifies_as_a_frame_between_shear_springs) {
  double worst = 0;
  for (int q = 0; q < OSCILLATOR_SCHEMES; q++)
    for (int i = 0; i < STEPS; i += 2) {
      Amplification b = amplify(OSCILLATOR_BAR, &oscillator_schemes[q], steps[i], 1e-5);
      worst = fmax(worst, difference(shear(&oscillator_schemes[q], i), &b));
    }
  CHECK_NOTE("matrices differ by %.1e at most, with amplitudes of 1e-5 of the bar", worst);
  CHECK_LE(worst, 1e-8); // measured 3e-10: the bar's strain is not linear, and rounded over 1e-5
}

TEST(scheme_a_has_the_printed_period_error_and_damping) {
  double h = steps[1], omega = oscillator_omega * h;
  const Amplification *m = shear(oscillator_find("a"), 1);
  double period = amplification_period(m, h) / (pow(omega, 4) / 270);
  double damping = amplification_damping(m) / (pow(omega, 3) / 72);
  CHECK_NOTE("h/T = %g: period error %.5f of (omega h)^4/270, damping %.5f of (omega h)^3/72", h, period, damping);
  CHECK_NEAR(period, 1, 0.01);
  CHECK_NEAR(damping, 1, 0.01);
}

TEST(scheme_c_leaves_rho_inf_of_the_fastest_waves) {
  static const char *const names[] = {"c_1", "c_2_3", "c_1_3", "c_0"};
  for (int i = 0; i < 4; i++) {
    const OscillatorScheme *q = oscillator_find(names[i]);
    double radius = shear(q, STEPS - 1)->radius;
    CHECK_NOTE("rho_inf = %.4f: radius %.6f at h/T = 100", q->limit, radius);
    CHECK_NEAR(radius, q->limit, 0.01 * fmax(q->limit, 0.5));
  }
}

TEST(scheme_b_annihilates_the_fastest_waves_for_every_beta) {
  static const char *const names[] = {"b_6", "b_36", "b_216"};
  for (int i = 0; i < 3; i++) {
    const OscillatorScheme *q = oscillator_find(names[i]);
    double far = 1e4, radius = amplify(OSCILLATOR_SHEAR, q, far, 1e-6).radius;
    CHECK_NOTE("beta = 1/%.0f: radius %.2e at h/T = 10000", 1 / q->beta, radius);
    CHECK_REL(radius, (0.5 - q->beta) / (q->beta * oscillator_omega * far), 0.01); // the leading term
    CHECK_LE(radius, 0.002);
  }
}

TEST(scheme_a_is_b_with_a_sixth_and_c_with_zero) {
  for (int i = 0; i < STEPS; i++) {
    CHECK_LE(difference(shear(oscillator_find("a"), i), shear(oscillator_find("b_6"), i)), 1e-15);
    CHECK_LE(difference(shear(oscillator_find("a"), i), shear(oscillator_find("c_0"), i)), 1e-15);
  }
}

TEST(preserving_schemes_have_radius_one) {
  double worst = 0;
  for (int i = 0; i < STEPS; i++) {
    double p = shear(oscillator_find("preserving"), i)->radius, c = shear(oscillator_find("c_1"), i)->radius;
    worst = fmax(worst, fmax(fabs(p - 1), fabs(c - 1)));
  }
  CHECK_NOTE("preserving and C(1): |radius - 1| = %.1e at most", worst);
  CHECK_LE(worst, 1e-14);
}

TEST(no_radius_exceeds_one) {
  double worst = 0;
  for (int q = 0; q < OSCILLATOR_SCHEMES; q++)
    for (int i = 0; i < STEPS; i++) worst = fmax(worst, shear(&oscillator_schemes[q], i)->radius);
  CHECK_NOTE("largest radius of all schemes and steps: 1 + %.1e", worst - 1);
  CHECK_LE(worst, 1 + 1e-14);
}

TEST(every_scheme_has_its_order) {
  for (int q = 0; q < OSCILLATOR_SCHEMES; q++) {
    const OscillatorScheme *s = &oscillator_schemes[q];
    double fine = amplification_error(shear(s, 0), steps[0]), coarse = amplification_error(shear(s, 1), steps[1]);
    CHECK_NOTE("%s: order %.3f", s->label, log2(coarse / fine));
    CHECK_NEAR(log2(coarse / fine), s->order, 0.05); // measured off by 0.028 at most
  }
}

// |(u, v/omega) - exact| after 1.2 periods, over the amplitude
static double run_error(const OscillatorScheme *q, int per_period) {
  LimberModel model;
  LimberRun run;
  LimberNodeId mass = LIMBER_NO_NODE;
  LimberOutcome outcome = {0};
  LimberOptions o = oscillator_options(q, 1.0 / per_period);
  double amplitude = 1e-6, x[3], v[3], t = 1.2 * oscillator_omega;
  CHECK_OK(OscillatorModel(OSCILLATOR_SHEAR, amplitude * oscillator_omega, &model, &mass));
  CHECK_OK(LimberRunCreate(model, &o, &run));
  for (int i = 0; i < per_period * 6 / 5; i++) CHECK_OK(LimberRunStep(run, &outcome));
  CHECK_OK(LimberRunGetNode(run, mass, x, NULL, v, NULL));
  CHECK_OK(LimberRunDestroy(&run));
  CHECK_OK(LimberModelDestroy(&model));
  return hypot(x[1] / amplitude - sin(t), v[1] / (amplitude * oscillator_omega) - cos(t));
}

TEST(a_run_converges_with_the_order_of_its_scheme) {
  for (int q = 0; q < OSCILLATOR_SCHEMES; q++) {
    const OscillatorScheme *s = &oscillator_schemes[q];
    double coarse = run_error(s, 40), fine = run_error(s, 80);
    CHECK_NOTE("%s: error %.2e with 80 steps a period, order %.3f", s->label, fine, log2(coarse / fine));
    CHECK_NEAR(log2(coarse / fine), s->order, 0.1); // measured off by 0.08, generalized-alpha(0)
  }
}

CHECK_MAIN_PETSC
