// SPDX-License-Identifier: Apache-2.0
// The velocity that a rotor induces at a section: it takes from the air the momentum that the section gets, and its
// derivatives are those of differences, over random sections, winds and rates of rotors that turn either way.
#include "check.h"
#include "mechanics/airfoil.h"
#include "mechanics/induction.h"

static const double pi = 3.141592653589793;

static void thin(const void *of, double angle, double value[2], double slope[2]) {
  (void)of;
  value[0] = 5 * sin(angle), slope[0] = 5 * cos(angle);
  value[1] = 0.02 + 0.9 * sin(angle) * sin(angle), slope[1] = 0.9 * sin(2 * angle);
}

static unsigned long long state = 7;
static double random_in(double low, double high) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

// Radius, axis and velocity, each a number with a derivative of its own.
enum { NUMBERS = 5 };
static InductionCase case_of(const RotorStation *r, const double *p) {
  Dual d[NUMBERS];
  for (int i = 0; i < NUMBERS; i++) d[i] = dual(p[i]), d[i].d[i] = 1;
  return (InductionCase){
      .station = r, .width = 0.4, .radius = d[0], .axis = {d[1], d[2]}, .air = {d[3], d[4]}, .force = thin};
}

// A section at an angle to the plane of rotation, in wind from either side.
static void choose(RotorStation *r, double *p, double slowest, double fastest) {
  double turn = random_in(-0.5, 0.3), wind = random_in(3, 12), rate = wind * random_in(slowest, fastest);
  double size = random_in(0.4, 1.5), side = random_in(0, 1) < 0.5 ? -1 : 1;
  *r = (RotorStation){1 + (int)random_in(0, 4), random_in(0.05, 10),
                      random_in(0, 1) < 0.3 ? HUGE_VAL : random_in(0.1, 9)};
  double m[2] = {sin(turn), cos(turn)}, t[2] = {-m[1], m[0]};
  p[0] = random_in(1, 5);
  for (int i = 0; i < 2; i++) p[1 + i] = side * size * m[i], p[3 + i] = wind * m[i] + rate * t[i];
}

static double loss(double x) { return 2 / pi * acos(exp(-x)); }

// Force of the blades on the air per length and density, along the axis and around it, less the momentum that the annulus
// takes: by momentum theory, or by Buhl's relation of thrust.
static double momentum_error(const RotorStation *r, const double *p, const Induction *i, int *heavy) {
  double size = hypot(p[1], p[2]), m[2] = {p[1] / size, p[2] / size}, value[2], slope[2];
  double flow[2] = {p[3] + i->velocity.chord.v, p[4] + i->velocity.across.v};
  double through = p[3] * m[0] + p[4] * m[1], side = through < 0 ? -1 : 1;
  m[0] *= side, m[1] *= side, through *= side;
  double t[2] = {-m[1], m[0]}, in = flow[0] * m[0] + flow[1] * m[1], along = flow[0] * t[0] + flow[1] * t[1];
  double w = hypot(in, along), s = in / w, c = along / w, theta = atan2(-m[0], m[1]);
  thin(NULL, atan2(s, c) - theta, value, slope);
  double half = 0.5 * r->blades * 0.4 * w * w, thrust = half * (value[0] * c + value[1] * s),
         turning = half * (value[0] * s - value[1] * c),
         f = loss(r->tip / s) * (r->hub < HUGE_VAL ? loss(r->hub / s) : 1);
  double ring = 2 * pi * p[0], before = p[3] * t[0] + p[4] * t[1], a = i->axial;
  double taken = thrust > 2. / 3 * 4 * f * 0.5 * ring * in * in
                     ? 0.5 * ring * through * through * (8. / 9 + (4 * f - 40. / 9) * a + (50. / 9 - 4 * f) * a * a)
                     : ring * f * in * 2 * (through - in);
  *heavy += thrust > 2. / 3 * 4 * f * 0.5 * ring * in * in;
  double swirl = ring * f * in * 2 * (along - before), scale = half + fabs(taken) + ring * f * in * w;
  return fmax(fabs(thrust - taken), fabs(turning - swirl)) / scale;
}

TEST(the_air_loses_the_momentum_that_the_section_gets) {
  double worst = 0;
  int solved = 0, heavy = 0;
  for (int n = 0; n < 20000; n++) {
    RotorStation r;
    double p[NUMBERS];
    choose(&r, p, n % 2 ? -9 : 0, 9);
    InductionCase q = case_of(&r, p);
    Induction i = induction_solve(&q);
    if (i.axial == 0) continue;
    double e = momentum_error(&r, p, &i, &heavy);
    worst = e > worst ? e : worst, solved++;
  }
  CHECK_LE(worst, 1e-12);
  CHECK_LE(19000, solved);
  CHECK_LE(1000, heavy);
  CHECK_NOTE("%.1e, %d solved, %d of heavy loading", worst, solved, heavy);
}

TEST(its_derivatives_are_those_of_differences) {
  double worst = 0;
  for (int n = 0; n < 2000; n++) {
    RotorStation r;
    double p[NUMBERS], h = 1e-5;
    choose(&r, p, 0.5, 9);
    InductionCase q = case_of(&r, p);
    Induction i = induction_solve(&q);
    if (i.axial > 0.9) continue; // of nearly no flow, where differences have the round-off of a small angle
    for (int k = 0; k < NUMBERS; k++) {
      double v[2][4], own = p[k];
      for (int e = 0; e < 4; e++) { // fourth order
        const double at[4] = {-2, -1, 1, 2};
        p[k] = own + at[e] * h;
        InductionCase moved = case_of(&r, p);
        Induction j = induction_solve(&moved);
        v[0][e] = j.velocity.chord.v, v[1][e] = j.velocity.across.v;
      }
      p[k] = own;
      double d[2] = {i.velocity.chord.d[k], i.velocity.across.d[k]};
      for (int l = 0; l < 2; l++) {
        double found = (v[l][0] - 8 * v[l][1] + 8 * v[l][2] - v[l][3]) / (12 * h),
               e = fabs(found - d[l]) / (1 + fabs(d[l]));
        worst = e > worst ? e : worst;
      }
    }
  }
  CHECK_LE(worst, 1e-7);
  CHECK_NOTE("%.1e", worst);
}

TEST(nothing_is_induced_without_flow_through_the_rotor) {
  RotorStation r = {3, 2, HUGE_VAL};
  const double still[NUMBERS] = {3, 0, 1, 0, 0}, turning[NUMBERS] = {3, 0, 1, -8, 0},
               along_blade[NUMBERS] = {3, 0, 0, -8, 1};
  const double *p[] = {still, turning, along_blade};
  for (int i = 0; i < 3; i++) {
    InductionCase q = case_of(&r, p[i]);
    Induction out = induction_solve(&q);
    CHECK_NEAR(out.axial, 0, 0);
    CHECK_NEAR(out.velocity.across.v, 0, 0);
    for (int k = 0; k < NUMBERS; k++) CHECK_NEAR(out.velocity.across.d[k], 0, 0);
  }
}

TEST(induction_fades_where_the_flow_reverses) {
  RotorStation r = {3, 2, HUGE_VAL};
  double before = 0;
  for (int side = -1; side <= 1; side += 2)
    for (double v = 1e-9; v < 0.2; v *= 1.2) {
      const double p[NUMBERS] = {3, sin(0.1), cos(0.1), -8, side * v};
      InductionCase q = case_of(&r, p);
      Induction out = induction_solve(&q);
      if (v < 1e-8) CHECK_LE(fabs(out.velocity.across.v), 1e-6);
      if (v > 1e-9) CHECK_LE(fabs(out.velocity.across.v - before), 0.25);
      before = out.velocity.across.v;
    }
}

// A polar with few rows: the slopes of parabolas would make its drag -0.0028 between them.
TEST(drag_between_rows_is_not_negative_and_smooth) {
  static const double row[] = {-0.35, -0.9, 0.2, 0, -0.14, -0.8, 0.012, 0,   0,   0.3,
                               0.004, 0,    0.1, 1, 0.004, 0,    0.5,   1.1, 0.9, 0};
  const Polar p = {row, 5};
  PolarValue before, at, behind;
  double least = 1, worst = 0;
  for (double x = -0.34; x < 0.49; x += 0.0037) {
    polar_at(&p, x - 1e-5, &before), polar_at(&p, x, &at), polar_at(&p, x + 1e-5, &behind);
    least = fmin(least, at.drag);
    worst = fmax(worst, fabs((behind.drag - before.drag) / 2e-5 - at.by_angle[1]));
  }
  CHECK_LE(0, least);
  CHECK_LE(worst, 1e-7); // measured 1.4e-9
  CHECK_NOTE("least drag %.1e, slope to %.1e", least, worst);
}

CHECK_MAIN
