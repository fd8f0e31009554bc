// SPDX-License-Identifier: Apache-2.0
// Random numbers by counter, distributions, Latin hypercubes and Sobol' points.
#include "check.h"
#include "statistics/distribution.h"
#include "statistics/random.h"

#include <math.h>
#include <string.h>

// ---- random numbers ----

// The vectors of Random123, file kat_vectors: counter, key, result.
TEST(philox_gives_the_known_answers) {
  static const uint32_t known[3][10] = {{0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
                                         0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0,
                                         0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
  for (int i = 0; i < 3; i++) {
    uint32_t out[4];
    philox4x32(known[i], known[i] + 4, out);
    CHECK(!memcmp(out, known[i] + 6, sizeof out));
  }
}

static double draw(uint64_t seed, uint64_t run, const char *name) {
  return random_unit(random_bits(seed, run, random_hash(name)));
}

// Chi-square of 100 bins has 99 degrees of freedom: mean 99, deviation 14.1.
TEST(numbers_are_spread_evenly) {
  enum { BINS = 100, COUNT = 100000 };
  for (int seed = 0; seed < 5; seed++) {
    int bin[BINS] = {0};
    double chi = 0;
    for (int i = 0; i < COUNT; i++) bin[(int)(BINS * draw((uint64_t)seed, (uint64_t)i, "let.E"))]++;
    for (int k = 0; k < BINS; k++) chi += pow(bin[k] - COUNT / BINS, 2) / (COUNT / BINS);
    CHECK_NOTE("seed %d: chi-square %.1f", seed, chi);
    CHECK_LT(chi, 99 + 4 * 14.1);
    CHECK_LT(99 - 4 * 14.1, chi);
  }
}

// The correlation of n independent pairs has the deviation 1/sqrt(n).
TEST(numbers_of_other_runs_names_and_seeds_are_independent) {
  enum { COUNT = 100000 };
  double sum[3] = {0};
  for (uint64_t i = 0; i < COUNT; i++) {
    double u = draw(1, i, "let.E") - 0.5;
    sum[0] += u * (draw(1, i + 1, "let.E") - 0.5), sum[1] += u * (draw(1, i, "let.F") - 0.5);
    sum[2] += u * (draw(2, i, "let.E") - 0.5);
  }
  for (int k = 0; k < 3; k++) CHECK_LT(fabs(12 * sum[k] / COUNT), 4 / sqrt(COUNT));
}

TEST(a_number_is_never_0_or_1) {
  CHECK_LT(0, random_unit(0));
  CHECK_LT(random_unit(UINT64_MAX), 1);
}

// ---- permutations ----

TEST(a_permutation_has_every_number_once) {
  static const int counts[] = {1, 2, 3, 5, 64, 100, 1000, 65537};
  static unsigned char seen[65537];
  static Permutation p;
  for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
    int n = counts[k], wrong = 0;
    permutation_make((uint64_t)n, 7, 11, &p);
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < n; i++) {
      uint64_t at = permutation_entry(&p, (uint64_t)i);
      wrong += at >= (uint64_t)n || seen[at]++;
    }
    CHECK_INT(wrong, 0);
  }
}

// Chi-square with 23 degrees of freedom: mean 23, deviation 6.8.
TEST(all_orders_of_four_are_equally_likely) {
  enum { COUNT = 24000 };
  static Permutation p;
  int seen[256] = {0};
  double chi = 0;
  for (uint64_t seed = 0; seed < COUNT; seed++) {
    int code = 0;
    permutation_make(4, seed, 3, &p);
    for (uint64_t i = 0; i < 4; i++) code = 4 * code + (int)permutation_entry(&p, i);
    seen[code]++;
  }
  for (int i = 0; i < 256; i++)
    if (seen[i]) chi += pow(seen[i] - COUNT / 24, 2) / (COUNT / 24);
  CHECK_NOTE("chi-square %.1f", chi);
  CHECK_LT(chi, 23 + 4 * 6.8);
}

TEST(neighbours_of_a_large_permutation_are_independent) {
  enum { COUNT = 100000 };
  static Permutation p;
  double sum = 0;
  permutation_make((uint64_t)1000000000000, 5, 6, &p);
  for (uint64_t i = 0; i < COUNT; i++)
    sum += ((double)permutation_entry(&p, i) / 1e12 - 0.5) * ((double)permutation_entry(&p, i + 1) / 1e12 - 0.5);
  CHECK_LT(fabs(12 * sum / COUNT), 4 / sqrt(COUNT));
}

// ---- Sobol' points ----

// The points that the program of Joe and Kuo prints, in the order of Gray's code, which is that of n ^ n/2.
TEST(sobol_points_are_those_of_joe_and_kuo) {
  static const double known[8][8] = {
      {0},
      {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
      {0.75, 0.25, 0.25, 0.25, 0.75, 0.75, 0.25, 0.75},
      {0.25, 0.75, 0.75, 0.75, 0.25, 0.25, 0.75, 0.25},
      {0.375, 0.375, 0.625, 0.875, 0.375, 0.125, 0.375, 0.875},
      {0.875, 0.875, 0.125, 0.375, 0.875, 0.625, 0.875, 0.375},
      {0.625, 0.125, 0.875, 0.625, 0.625, 0.875, 0.125, 0.125},
      {0.125, 0.625, 0.375, 0.125, 0.125, 0.375, 0.625, 0.625},
  };
  for (int k = 0; k < 8; k++) {
    SobolDirections d;
    sobol_directions(k, &d);
    for (uint64_t n = 0; n < 8; n++) CHECK_NEAR((double)sobol_bits(&d, n ^ n >> 1) * 0x1p-64, known[n][k], 0);
  }
}

// One number for all: the sum of the first 256 points of all dimensions as fractions of 2^32, which agree with those of scipy
// 1.10, scipy.stats.qmc.Sobol(128, scramble=False).
TEST(sobol_points_of_all_dimensions_have_the_known_sum) {
  uint64_t sum = 0;
  for (int k = 0; k < SOBOL_DIMENSIONS; k++) {
    SobolDirections d;
    sobol_directions(k, &d);
    for (uint64_t n = 0; n < 256; n++) sum += (uint64_t)(k + 1) * (n + 1) * (sobol_bits(&d, n ^ n >> 1) >> 32);
  }
  CHECK(sum == 583326446504640512u);
}

TEST(scrambled_points_have_one_in_every_interval) {
  enum { COUNT = 1024 };
  for (int k = 0; k < SOBOL_DIMENSIONS; k++) {
    SobolDirections d;
    unsigned char seen[COUNT] = {0};
    int wrong = 0;
    sobol_directions(k, &d);
    for (uint64_t n = 0; n < COUNT; n++) wrong += seen[sobol_scramble(sobol_bits(&d, n), 99) >> 54]++;
    CHECK_INT(wrong, 0);
  }
}

// The mean of a product of five factors with mean 1: random points err by 0.64/sqrt(n) or so.
static double product_error(bool sobol, uint64_t count, uint64_t seed) {
  double sum = 0;
  SobolDirections d[5];
  for (int k = 0; k < 5; k++) sobol_directions(k, &d[k]);
  for (uint64_t n = 0; n < count; n++) {
    double f = 1;
    for (int k = 0; k < 5; k++) {
      uint64_t bits = sobol ? sobol_scramble(sobol_bits(&d[k], n), random_mix(seed + 100 * (uint64_t)k))
                            : random_bits(seed, n, (uint64_t)k);
      f *= 1 + 0.5 * (2 * random_unit(bits) - 1);
    }
    sum += f;
  }
  return sum / (double)count - 1;
}

TEST(scrambled_points_are_unbiased_and_err_far_less_than_random_ones) {
  enum { SEEDS = 20 };
  double square[2] = {0}, mean = 0;
  for (uint64_t s = 1; s <= SEEDS; s++)
    for (int k = 0; k < 2; k++) {
      double e = product_error(k, 4096, s);
      square[k] += e * e / SEEDS;
      if (k) mean += e / SEEDS;
    }
  CHECK_NOTE("error of 4096 points: random %.1e, Sobol' %.1e", sqrt(square[0]), sqrt(square[1]));
  CHECK_LT(sqrt(square[1]), 0.02 * sqrt(square[0])); // measured: 0.006
  CHECK_LT(fabs(mean), 4 * sqrt(square[1] / SEEDS));
}

// ---- distributions ----

// In extended precision: how far x is from the number below which lies p, over x.
static double error_of_normal(double p, long double above, double x) {
  long double density = expl(-0.5L * x * x) / sqrtl(2 * acosl(-1));
  long double off = x < 0 ? 0.5L * erfcl(-x / sqrtl(2)) - p : above - 0.5L * erfcl(x / sqrtl(2));
  return (double)fabsl(off / density / x);
}

TEST(the_inverse_of_the_normal_distribution_is_exact_to_round_off) {
  double worst = 0;
  for (int i = 0; i < 3000; i++) {
    double p = pow(10, -0.1 * i - 0.31); // down to 5e-301
    worst = fmax(worst, error_of_normal(p, 1 - p, normal_value(p)));
  }
  for (int i = 1; i < 1000; i++) {
    double p = i / 1000.;
    if (i != 500) worst = fmax(worst, error_of_normal(p, 1 - (long double)p, normal_value(p)));
  }
  for (int i = 1; i < 50; i++) { // 1 - 2^-i
    double p = 1 - ldexp(1, -i - 1);
    worst = fmax(worst, error_of_normal(p, ldexpl(1, -i - 1), normal_value(p)));
  }
  CHECK_NOTE("largest relative error %.1e", worst);
  CHECK_LT(worst, 8 * 0x1p-53);
  CHECK_NEAR(normal_value(0.5), 0, 0);
}

static const double table_x[] = {1, 2, 4, 5}, table_p[] = {0, 0.25, 0.25, 1};
static const Distribution all[] = {
    {.kind = DISTRIBUTION_UNIFORM, .a = -1, .b = 3},
    {.kind = DISTRIBUTION_NORMAL, .a = 70, .b = 2},
    {.kind = DISTRIBUTION_LOGNORMAL, .a = 5, .b = 2},
    {.kind = DISTRIBUTION_WEIBULL, .a = 10, .b = 2},
    {.kind = DISTRIBUTION_GUMBEL, .a = 3, .b = 0.5},
    {.kind = DISTRIBUTION_EXPONENTIAL, .a = 4},
    {.kind = DISTRIBUTION_TRIANGULAR, .a = 1, .b = 2, .c = 6},
    {.kind = DISTRIBUTION_TABLE, .points = 4, .x = table_x, .probability = table_p},
    {.kind = DISTRIBUTION_NORMAL, .a = 0, .b = 1, .within = true, .low = -1, .high = 2},
    {.kind = DISTRIBUTION_WEIBULL, .a = 10, .b = 2, .within = true, .low = 4, .high = 25},
};
enum { ALL = sizeof all / sizeof all[0] };

TEST(probability_is_the_inverse_of_value) {
  for (int k = 0; k < ALL; k++) {
    double worst = 0, before = -INFINITY;
    int falls = 0;
    CHECK(!distribution_error(&all[k]));
    for (int i = 1; i < 1000; i++) {
      double x = distribution_value(&all[k], i / 1000.);
      falls += x < before, before = x;
      worst = fmax(worst, fabs(distribution_probability(&all[k], x) - i / 1000.));
    }
    CHECK_INT(falls, 0);
    CHECK_LT(worst, 1e-14);
  }
}

// Mean and deviation by the middles of 2^20 equal parts of the probability, beside their formulae.
TEST(distributions_have_their_moments) {
  double gamma = 0.57721566490153286, pi = acos(-1), g1 = tgamma(1.5), g2 = tgamma(2);
  // of the normal one within -1 .. 2: Z = P(2) - P(-1), mean (f(-1) - f(2))/Z
  double f1 = exp(-0.5) / sqrt(2 * pi), f2 = exp(-2) / sqrt(2 * pi);
  double z = normal_probability(2) - normal_probability(-1), m = (f1 - f2) / z;
  const double known[ALL][2] = {
      {1, 4 / sqrt(12)},
      {70, 2},
      {5, 2},
      {10 * g1, 10 * sqrt(g2 - g1 * g1)},
      {3 + gamma * 0.5, 0.5 * pi / sqrt(6)},
      {4, 4},
      {3, sqrt((1 + 4 + 36 - 2 - 6 - 12) / 18.)},
      {0.25 * 1.5 + 0.75 * 4.5, sqrt(0.25 * 1.5 * 1.5 + 0.75 * 4.5 * 4.5 + 1. / 12 - 3.75 * 3.75)},
      {m, sqrt(1 + (-f1 - 2 * f2) / z - m * m)}};
  for (int k = 0; k < ALL - 1; k++) {
    enum { COUNT = 1 << 20 };
    double mean = 0, square = 0;
    for (int i = 0; i < COUNT; i++) {
      double x = distribution_value(&all[k], (i + 0.5) / COUNT);
      mean += x / COUNT, square += x * x / COUNT;
    }
    CHECK_NEAR(mean, known[k][0], 2e-5 * known[k][1]);
    CHECK_NEAR(sqrt(square - mean * mean), known[k][1], 2e-4 * known[k][1]);
  }
}

TEST(parameters_that_make_no_distribution_are_told) {
  static const double fall[] = {1, 0}, late[] = {0.1, 1};
  const Distribution wrong[] = {
      {.kind = DISTRIBUTION_UNIFORM, .a = 3, .b = 3},
      {.kind = DISTRIBUTION_NORMAL, .a = 0, .b = -1},
      {.kind = DISTRIBUTION_NORMAL, .a = 0, .b = NAN},
      {.kind = DISTRIBUTION_LOGNORMAL, .a = -1, .b = 1},
      {.kind = DISTRIBUTION_WEIBULL, .a = 1, .b = 0},
      {.kind = DISTRIBUTION_GUMBEL, .a = 1, .b = 0},
      {.kind = DISTRIBUTION_EXPONENTIAL, .a = 0},
      {.kind = DISTRIBUTION_TRIANGULAR, .a = 1, .b = 5, .c = 4},
      {.kind = DISTRIBUTION_TABLE, .points = 2, .x = fall, .probability = fall},
      {.kind = DISTRIBUTION_TABLE, .points = 2, .x = late, .probability = late},
      {.kind = DISTRIBUTION_NORMAL, .a = 0, .b = 1, .within = true, .low = 50, .high = 60},
      {.kind = DISTRIBUTION_NORMAL, .a = 0, .b = 1, .within = true, .low = 1, .high = 0},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) CHECK(distribution_error(&wrong[i]));
}

CHECK_MAIN
