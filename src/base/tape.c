// SPDX-License-Identifier: Apache-2.0
#include "base/tape.h"
#include "base/tape_operations.h"

#include <math.h>
#include <stddef.h>

// ---- functions of one value ----

typedef struct {
  double value, first, second;
} Slopes;

static Slopes f_sin(double x) { return (Slopes){sin(x), cos(x), -sin(x)}; }
static Slopes f_cos(double x) { return (Slopes){cos(x), -sin(x), -cos(x)}; }
static Slopes f_tan(double x) {
  double y = tan(x), s = 1 + y * y;
  return (Slopes){y, s, 2 * y * s};
}
static Slopes f_asin(double x) {
  double s = 1 / sqrt(1 - x * x);
  return (Slopes){asin(x), s, x * s * s * s};
}
static Slopes f_acos(double x) {
  double s = 1 / sqrt(1 - x * x);
  return (Slopes){acos(x), -s, -x * s * s * s};
}
static Slopes f_atan(double x) {
  double s = 1 / (1 + x * x);
  return (Slopes){atan(x), s, -2 * x * s * s};
}
static Slopes f_sinh(double x) { return (Slopes){sinh(x), cosh(x), sinh(x)}; }
static Slopes f_cosh(double x) { return (Slopes){cosh(x), sinh(x), cosh(x)}; }
static Slopes f_tanh(double x) {
  double y = tanh(x), s = 1 - y * y;
  return (Slopes){y, s, -2 * y * s};
}
static Slopes f_asinh(double x) {
  double s = 1 / sqrt(x * x + 1);
  return (Slopes){asinh(x), s, -x * s * s * s};
}
static Slopes f_acosh(double x) {
  double s = 1 / sqrt(x * x - 1);
  return (Slopes){acosh(x), s, -x * s * s * s};
}
static Slopes f_atanh(double x) {
  double s = 1 / (1 - x * x);
  return (Slopes){atanh(x), s, 2 * x * s * s};
}
static Slopes f_ln(double x) { return (Slopes){log(x), 1 / x, -1 / (x * x)}; }
static Slopes f_log2(double x) {
  double s = 1 / log(2.0);
  return (Slopes){log2(x), s / x, -s / (x * x)};
}
static Slopes f_log10(double x) {
  double s = 1 / log(10.0);
  return (Slopes){log10(x), s / x, -s / (x * x)};
}
static Slopes f_exp(double x) { return (Slopes){exp(x), exp(x), exp(x)}; }
static Slopes f_sqrt(double x) {
  double y = sqrt(x);
  return (Slopes){y, 0.5 / y, -0.25 / (x * y)};
}

static const struct {
  const char *name;
  Slopes (*slopes)(double x);
} function[] = {{"sin", f_sin},     {"cos", f_cos},     {"tan", f_tan},   {"asin", f_asin},   {"acos", f_acos},
                {"atan", f_atan},   {"sinh", f_sinh},   {"cosh", f_cosh}, {"tanh", f_tanh},   {"asinh", f_asinh},
                {"acosh", f_acosh}, {"atanh", f_atanh}, {"log2", f_log2}, {"log10", f_log10}, {"log", f_ln},
                {"ln", f_ln},       {"exp", f_exp},     {"sqrt", f_sqrt}};
enum { FUNCTION_COUNT = sizeof function / sizeof function[0] };

const char *tape_function(int i) { return i < FUNCTION_COUNT ? function[i].name : NULL; }

// ---- evaluating ----

// f(a, b) of its slopes by a and b
static void chain(const Jet *a, const Jet *b, double value, const double by[2], const double second[3], Jet *out) {
  Jet y = {.value = value};
  for (int i = 0; i < TAPE_NAMES; i++) {
    y.d[i] = by[0] * a->d[i] + by[1] * b->d[i];
    for (int j = 0; j < TAPE_NAMES; j++)
      y.dd[i][j] = by[0] * a->dd[i][j] + by[1] * b->dd[i][j] + second[0] * a->d[i] * a->d[j] +
                   second[1] * (a->d[i] * b->d[j] + a->d[j] * b->d[i]) + second[2] * b->d[i] * b->d[j];
  }
  *out = y;
}

// Whether it has no derivatives at all: where only the first are zero, as of x^2 at 0, the second count.
static bool is_constant(const Jet *a) {
  bool constant = true;
  for (int i = 0; i < TAPE_NAMES; i++) {
    constant = constant && a->d[i] == 0;
    for (int j = 0; j < TAPE_NAMES; j++) constant = constant && a->dd[i][j] == 0;
  }
  return constant;
}

// c x^p, zero where c is, whatever x^p may be
static double power_term(double c, double x, double p) { return c == 0 ? 0 : c * pow(x, p); }

static void raise(const Jet *a, const Jet *b, Jet *out) {
  double x = a->value, p = b->value, value = pow(x, p);
  double by[2] = {power_term(p, x, p - 1), 0}, second[3] = {power_term(p * (p - 1), x, p - 2), 0, 0};
  if (!is_constant(b)) {
    double l = log(x);
    by[1] = value * l, second[1] = pow(x, p - 1) * (1 + p * l), second[2] = value * l * l;
  }
  chain(a, b, value, by, second, out);
}

static void angle_of(const Jet *y, const Jet *x, Jet *out) {
  double s = y->value, c = x->value, r = s * s + c * c, rr = r * r;
  chain(y, x, atan2(s, c), (double[]){c / r, -s / r}, (double[]){-2 * s * c / rr, (s * s - c * c) / rr, 2 * s * c / rr},
        out);
}

static void combine(int operation, Jet *a, const Jet *b) {
  static const double none[3];
  double x = a->value, y = b->value;
  switch (operation) {
  case ADD: chain(a, b, x + y, (double[]){1, 1}, none, a); break;
  case SUBTRACT: chain(a, b, x - y, (double[]){1, -1}, none, a); break;
  case MULTIPLY: chain(a, b, x * y, (double[]){y, x}, (double[]){0, 1, 0}, a); break;
  case DIVIDE:
    chain(a, b, x / y, (double[]){1 / y, -x / (y * y)}, (double[]){0, -1 / (y * y), 2 * x / (y * y * y)}, a);
    break;
  case POWER: raise(a, b, a); break;
  case ATAN2: angle_of(a, b, a); break;
  }
}

void tape_evaluate(const Tape *t, const double *x, Jet *out) {
  Jet stack[TAPE_DEPTH + 1];
  int n = 0;
  for (int i = 0; i < t->count; i++) {
    const TapeStep *s = &t->step[i];
    if (s->operation <= NAME) {
      stack[n] = (Jet){.value = s->operation == NAME ? x[(int)s->number] : s->number};
      if (s->operation == NAME) stack[n].d[(int)s->number] = 1;
      n++;
    } else if (s->operation < NEGATE) {
      combine(s->operation, &stack[n - 2], &stack[n - 1]);
      n--;
    } else {
      Jet *a = &stack[n - 1];
      Slopes f = {-a->value, -1, 0};
      if (s->operation >= FUNCTIONS) f = function[s->operation - FUNCTIONS].slopes(a->value);
      chain(a, a, f.value, (double[]){f.first, 0}, (double[]){f.second, 0, 0}, a);
    }
  }
  *out = stack[0];
}
