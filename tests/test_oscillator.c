// SPDX-License-Identifier: Apache-2.0
// A linear oscillator through the real stepper: the amplification matrix of one step, its spectral radius, period error,
// damping and order, against Bauchau & Theron 1996 (beams), section 2, and Bottasso & Trainelli 2004, section 3.
#include "../examples/oscillator/oscillator.h"
#include "check_petsc.h"

static const double steps[] = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100};
enum { STEPS = sizeof steps / sizeof steps[0] };

static Amplification amplify(OscillatorKind kind, const char *name, double step, double amplitude) {
  Amplification m = {0};
  CHECK_OK(OscillatorAmplify(kind, oscillator_find(name), step, amplitude, &m));
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
    for (int i = 0; i < STEPS; i += 2) {
      Amplification m = amplify(OSCILLATOR_SHEAR, oscillator_schemes[q].name, steps[i], 1e-6);
      for (double amplitude = 1e-8; amplitude < 1e-4; amplitude *= 100) {
        Amplification other = amplify(OSCILLATOR_SHEAR, oscillator_schemes[q].name, steps[i], amplitude);
        worst = fmax(worst, difference(&m, &other));
      }
    }
  CHECK_NOTE("amplification matrices of amplitudes 1e-8 and 1e-6 m differ by %.1e at most", worst);
  CHECK_LE(worst, 5e-11); // measured 5e-12, in generalized-alpha at h/T = 100
}

TEST(a_step_amplifies_as_its_tableau_says) {
  double worst = 0, alpha = 0;
  for (int q = 0; q < OSCILLATOR_SCHEMES; q++)
    for (int i = 0; i < STEPS; i++) {
      const OscillatorScheme *s = &oscillator_schemes[q];
      Amplification m = amplify(OSCILLATOR_SHEAR, s->name, steps[i], 1e-6), t = {.n = 3};
      if (m.n == 2) {
        double complex z = oscillator_theory(s, steps[i]);
        worst = fmax(worst, fmin(cabs(z - m.lambda[0]), cabs(z - m.lambda[1])));
      } else {
        generalized_alpha_theory(s->rho_inf, steps[i], t.a);
        alpha = fmax(alpha, difference(&m, &t));
      }
    }
  CHECK_NOTE("eigenvalues off by %.1e; matrices of generalized-alpha off by %.1e", worst, alpha);
  CHECK_LE(worst, 1e-13); // measured 6e-15
  CHECK_LE(alpha, 1e-10); // measured 9e-12: accelerations from second differences
}

TEST(a_point_on_a_bar_amplifies_as_a_frame_between_shear_springs) {
  double worst = 0;
  for (int q = 0; q < OSCILLATOR_SCHEMES; q++)
    for (int i = 0; i < STEPS; i++) {
      Amplification m = amplify(OSCILLATOR_SHEAR, oscillator_schemes[q].name, steps[i], 1e-6);
      Amplification b = amplify(OSCILLATOR_BAR, oscillator_schemes[q].name, steps[i], 1e-5);
      worst = fmax(worst, difference(&m, &b));
    }
  CHECK_NOTE("matrices differ by %.1e at most, with amplitudes of 1e-5 of the bar", worst);
  CHECK_LE(worst, 1e-7); // measured 1.3e-8: round-off of the bar's strain over the amplitude, grown by 1/beta in B
}

TEST(scheme_a_has_the_printed_period_error_and_damping) {
  double h = 0.02, omega = oscillator_omega * h;
  Amplification m = amplify(OSCILLATOR_SHEAR, "a", h, 1e-6);
  double period = amplification_period(&m, h) / (pow(omega, 4) / 270),
         damping = amplification_damping(&m) / (pow(omega, 3) / 72);
  CHECK_NOTE("h/T = 0.02: period error %.5f of (omega h)^4/270, damping %.5f of (omega h)^3/72", period, damping);
  CHECK_NEAR(period, 1, 0.01);
  CHECK_NEAR(damping, 1, 0.01);
}

TEST(scheme_c_leaves_rho_inf_of_the_fastest_waves) {
  static const char *const names[] = {"c_1", "c_2_3", "c_1_3", "c_0"};
  for (int i = 0; i < 4; i++) {
    Amplification m = amplify(OSCILLATOR_SHEAR, names[i], 100, 1e-6);
    double limit = oscillator_find(names[i])->limit;
    CHECK_NOTE("rho_inf = %.4f: radius %.6f at h/T = 100", limit, m.radius);
    CHECK_NEAR(m.radius, limit, 0.01 * fmax(limit, 0.5));
  }
}

TEST(scheme_b_annihilates_the_fastest_waves_for_every_beta) {
  static const char *const names[] = {"b_6", "b_36", "b_216"};
  for (int i = 0; i < 3; i++) {
    // (1/2 - beta)/(beta omega h) is the leading term
    double beta = oscillator_find(names[i])->beta, far = 1e4;
    Amplification m = amplify(OSCILLATOR_SHEAR, names[i], far, 1e-6);
    CHECK_NOTE("beta = 1/%.0f: radius %.2e at h/T = 10000", 1 / beta, m.radius);
    CHECK_REL(m.radius, (0.5 - beta) / (beta * oscillator_omega * far), 0.01);
    CHECK_LE(m.radius, 0.002);
  }
}

TEST(scheme_a_is_b_with_a_sixth_and_c_with_zero) {
  for (int i = 0; i < STEPS; i++) {
    Amplification a = amplify(OSCILLATOR_SHEAR, "a", steps[i], 1e-6),
                  b = amplify(OSCILLATOR_SHEAR, "b_6", steps[i], 1e-6);
    Amplification c = amplify(OSCILLATOR_SHEAR, "c_0", steps[i], 1e-6);
    CHECK_LE(difference(&a, &b), 1e-15);
    CHECK_LE(difference(&a, &c), 1e-15);
  }
}

TEST(preserving_schemes_have_radius_one) {
  double worst = 0;
  for (int i = 0; i < STEPS; i++) {
    Amplification p = amplify(OSCILLATOR_SHEAR, "preserving", steps[i], 1e-6),
                  c = amplify(OSCILLATOR_SHEAR, "c_1", steps[i], 1e-6);
    worst = fmax(worst, fmax(fabs(p.radius - 1), fabs(c.radius - 1)));
  }
  CHECK_NOTE("preserving and C(1): |radius - 1| = %.1e at most", worst);
  CHECK_LE(worst, 1e-14);
}

TEST(no_radius_exceeds_one) {
  double worst = 0;
  for (int q = 0; q < OSCILLATOR_SCHEMES; q++)
    for (int i = 0; i < STEPS; i++)
      worst = fmax(worst, amplify(OSCILLATOR_SHEAR, oscillator_schemes[q].name, steps[i], 1e-6).radius);
  CHECK_NOTE("largest radius of all schemes and steps: 1 + %.1e", worst - 1);
  CHECK_LE(worst, 1 + 1e-14);
}

TEST(every_scheme_has_its_order) {
  for (int q = 0; q < OSCILLATOR_SCHEMES; q++) {
    const OscillatorScheme *s = &oscillator_schemes[q];
    Amplification coarse = amplify(OSCILLATOR_SHEAR, s->name, 0.02, 1e-6),
                  fine = amplify(OSCILLATOR_SHEAR, s->name, 0.01, 1e-6);
    double order = log2(amplification_error(&coarse, 0.02) / amplification_error(&fine, 0.01));
    CHECK_NOTE("%s: order %.3f", s->label, order);
    CHECK_NEAR(order, s->order, 0.05); // measured off by 0.028 at most
  }
}

// |(u, v/omega) - exact| after 1.2 periods, over the amplitude
static double run_error(const OscillatorScheme *q, int per_period) {
  LimberModel model;
  LimberRun run;
  LimberId mass = LIMBER_NONE;
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
    double coarse = run_error(s, 80), fine = run_error(s, 160);
    CHECK_NOTE("%s: error %.2e with 160 steps a period, order %.3f", s->label, fine, log2(coarse / fine));
    CHECK_NEAR(log2(coarse / fine), s->order, 0.05);
  }
}

CHECK_MAIN_PETSC
