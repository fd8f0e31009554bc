// SPDX-License-Identifier: Apache-2.0
// The neo-Hookean potential: the formula, its gradient, the discrete gradient however near or far its ends are, and the
// tableaux.
#include "check.h"

#include "contract.h"
#include "mechanics/hyper.h"

static const double lambda = 40, mu = 27;
enum { SOLID, PLANE_STRAIN, PLANE_STRESS, LAWS };

static Hyper law(int which) { return hyper_solid(which == SOLID ? 6 : 3, lambda, mu, which == PLANE_STRESS); }

// Green's strains of F = 1 + `size` times something.
static void random_strain(int rows, double size, double *e) {
  int n = rows == 6 ? 3 : 2;
  double f[3][3];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) f[i][j] = (i == j) + random_in(-size, size);
  for (int r = 0; r < rows; r++) {
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}},
                     flat[3][2] = {{0, 0}, {1, 1}, {0, 1}};
    const int *ij = rows == 6 ? pair[r] : flat[r];
    double dot = 0;
    for (int k = 0; k < n; k++) dot += f[k][ij[0]] * f[k][ij[1]];
    e[r] = ij[0] == ij[1] ? 0.5 * (dot - 1) : dot;
  }
}

// W as it is written in books, of E as a solid has it.
static double by_the_book(const double e[6]) {
  double c[6];
  for (int i = 0; i < 6; i++) c[i] = i < 3 ? 1 + 2 * e[i] : e[i];
  double d =
      c[0] * (c[1] * c[2] - c[3] * c[3]) - c[5] * (c[5] * c[2] - c[3] * c[4]) + c[4] * (c[5] * c[3] - c[1] * c[4]);
  return mu / 2 * (c[0] + c[1] + c[2] - 3 - log(d)) + lambda / 4 * (d - 1 - log(d));
}

TEST(the_energy_is_that_of_the_formula) {
  random_restart(1);
  for (int trial = 0; trial < 100; trial++) {
    double e[6], flat[3];
    Hyper solid = law(SOLID), slice = law(PLANE_STRAIN), sheet = law(PLANE_STRESS);
    random_strain(6, 0.3, e);
    CHECK_NEAR(hyper_energy(&solid, e), by_the_book(e), 1e-13 * mu);
    random_strain(3, 0.3, flat);
    double in_plane[6] = {flat[0], flat[1], 0, 0, 0, flat[2]};
    CHECK_NEAR(hyper_energy(&slice, flat), by_the_book(in_plane), 1e-13 * mu);
    // a sheet is a solid whose thickness leaves no stress across it: the least energy
    double d = (1 + 2 * flat[0]) * (1 + 2 * flat[1]) - flat[2] * flat[2], stress[6];
    in_plane[2] = 0.5 * ((mu + lambda / 2) / (mu + lambda * d / 2) - 1);
    CHECK_NEAR(hyper_energy(&sheet, flat), by_the_book(in_plane), 1e-13 * mu);
    hyper_stress(&solid, in_plane, stress, NULL);
    CHECK_NEAR(stress[2], 0, 1e-13 * mu);
    double other[3];
    hyper_stress(&sheet, flat, other, NULL);
    for (int r = 0; r < 3; r++) CHECK_NEAR(other[r], stress[r < 2 ? r : 5], 1e-13 * mu);
  }
}

TEST(at_small_strain_it_is_linear_elastic) {
  for (int which = 0; which < LAWS; which++) {
    Hyper p = law(which);
    int n = p.rows;
    double l = which == PLANE_STRESS ? 2 * lambda * mu / (lambda + 2 * mu) : lambda, e[6], s[6], rate[36];
    for (int r = 0; r < n; r++) e[r] = 0;
    hyper_stress(&p, e, s, rate);
    CHECK_NEAR(hyper_energy(&p, e), 0, 0);
    for (int r = 0; r < n; r++)
      for (int q = 0; q < n; q++) {
        bool normal = r < n / 2 + (n == 3) && q < n / 2 + (n == 3);
        double exact = normal ? l + (r == q) * 2 * mu : (r == q) * mu;
        CHECK_NEAR(rate[r * n + q], exact, 4 * EPS * mu);
        CHECK_NEAR(s[r], 0, 0);
      }
    random_restart(2);
    random_strain(n, 1e-6, e);
    hyper_stress(&p, e, s, NULL);
    double energy = 0, largest = 0;
    for (int r = 0; r < n; r++) {
      double linear = 0;
      for (int q = 0; q < n; q++) linear += rate[r * n + q] * e[q];
      energy += 0.5 * linear * e[r], largest = fmax(largest, fabs(linear));
      CHECK_LE(fabs(s[r] - linear), 1e-5 * largest);
    }
    CHECK_REL(hyper_energy(&p, e), energy, 1e-5);
  }
}

// However near the ends of a stage are, and however far: 1e-14 to 0.4 of the length.
TEST(the_discrete_gradient_works_the_change_of_energy) {
  double worst = 0, rough = 0;
  Tableau t = tableau_sample(0, FORCE_MEAN);
  random_restart(3);
  for (int which = 0; which < LAWS; which++)
    for (int trial = 0; trial < 600; trial++) {
      Hyper p = law(which);
      double en[6], ek[1][HYPER_ROWS], way[6], none[36] = {0}, size = pow(10, -14 + trial % 15), s[6];
      HyperState q;
      random_strain(p.rows, 0.4, en);
      random_strain(p.rows, 0.4, ek[0]);
      for (int r = 0; r < p.rows; r++) way[r] = ek[0][r] - en[r], ek[0][r] = en[r] + size * way[r];
      hyper_evaluate(&p, none, 0, &t, 1, &no_recall, NULL, en, ek, &q);
      double work = 0, scale = hyper_energy(&p, en) + hyper_energy(&p, ek[0]);
      for (int r = 0; r < p.rows; r++) {
        double w = q.stress[0][r] * (ek[0][r] - en[r]);
        work += w, scale += fabs(w);
      }
      worst = worse(worst, fabs(work - hyper_energy(&p, ek[0]) + hyper_energy(&p, en)) / scale);
      if (size > 1e-9) continue; // where the ends all but meet it is the stress half way, without noise
      double rate[36], largest = mu;
      hyper_stress(&p, en, s, rate);
      for (int r = 0; r < p.rows; r++) largest = fmax(largest, fabs(s[r]));
      for (int r = 0; r < p.rows; r++) {
        for (int c = 0; c < p.rows; c++) s[r] += 0.5 * rate[r * p.rows + c] * (ek[0][c] - en[c]);
        rough = worse(rough, fabs(q.stress[0][r] - s[r]) / largest);
      }
    }
  CHECK_NOTE("work %.1e, stress where ends meet %.1e", worst, rough);
  CHECK_LE(worst, 50 * EPS);
  CHECK_LE(rough, 200 * EPS);
}

TEST(a_potential_obeys_the_energy_theorem_in_every_tableau) {
  double worst = 0;
  random_restart(4);
  for (int i = 0; i < TABLEAUX; i++)
    for (int trial = 0; trial < 300; trial++) {
      Tableau t = tableau_sample(i, FORCE_CHORD);
      Hyper p = law(trial % LAWS);
      double en[6], ek[MAX_STAGES][HYPER_ROWS], zero[6] = {0}, unused[6], stiffness[36];
      Recall recall = recall_sample(&t);
      double from[6], past[6], next[6], less = 0;
      HyperState q;
      hyper_stress(&p, zero, unused, stiffness);
      random_strain(p.rows, 0.4, from);
      random_strain(p.rows, 0.4, en);
      for (int k = 0; k < t.s; k++) random_strain(p.rows, 0.4, ek[k]);
      double memory = -hyper_remember(&p, &recall, from, en, past, &less);
      hyper_evaluate(&p, stiffness, 0.02, &t, 0.05, &recall, past, en, ek, &q);
      memory += hyper_remember(&p, &recall, en, ek[0], next, &q.lost);
      double change = hyper_energy(&p, ek[0]) - hyper_energy(&p, en) + memory, work = 0, scale = fabs(change);
      CHECK(less >= 0);
      for (int k = 0; k < t.s; k++)
        for (int r = 0; r < p.rows; r++) {
          double w = t.weight[k] * q.stress[k][r] * (ek[k][r] - en[r]);
          work += w, scale += fabs(w);
        }
      CHECK(q.damped >= 0 && q.lost >= 0);
      worst = worse(worst, fabs(work - change - q.damped - q.lost) / scale);
    }
  CHECK_NOTE("%.1e", worst);
  CHECK_LE(worst, 50 * EPS);
}

// Blown up far beyond the volume at which d2W/dE2 is no longer positive: d > 1 + 2 mu/lambda.
TEST(what_a_jump_is_measured_by_is_never_negative) {
  double least = INFINITY, indefinite = INFINITY;
  Tableau t = tableau_sample(0, FORCE_MEAN);
  random_restart(5);
  for (int trial = 0; trial < 3000; trial++) {
    Hyper p = law(trial % LAWS);
    double e[1][HYPER_ROWS], none[36] = {0}, v[6], form[2] = {0, 0}, size = 0, s[6], rate[36], largest = 0;
    HyperState q;
    random_strain(p.rows, 0.3, e[0]);
    if (trial % 2)
      for (int r = 0; r < p.rows; r++) e[0][r] = 5 * e[0][r] + (r < (p.rows == 6 ? 3 : 2)) * 2.0; // stretches of 2
    hyper_evaluate(&p, none, 0, &t, 1, &no_recall, NULL, e[0], e, &q);
    hyper_stress(&p, e[0], s, rate);
    for (int r = 0; r < p.rows; r++) v[r] = random_in(-1, 1), size += v[r] * v[r];
    for (int r = 0; r < p.rows; r++)
      for (int c = 0; c < p.rows; c++) {
        form[0] += v[r] * q.k[r * p.rows + c] * v[c], form[1] += v[r] * rate[r * p.rows + c] * v[c];
        largest = fmax(largest, fabs(q.k[r * p.rows + c]));
      }
    least = fmin(least, form[0] / (largest * size)), indefinite = fmin(indefinite, form[1] / (mu * size));
  }
  CHECK_NOTE("least %.1e; of the second derivative itself %.1e", least, indefinite);
  CHECK_LE(-100 * EPS, least);
  CHECK_LT(indefinite, 0);
}

CHECK_MAIN
