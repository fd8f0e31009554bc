// SPDX-License-Identifier: Apache-2.0
#include "base/tape.h"
#include "base/limits.h"
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

static double sign_of(double x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }
static double round_half_up(double x) { return floor(x + 0.5); }

static const struct {
  const char *name;
  double (*value)(double x);
  Slopes (*slopes)(double x); // NULL: not smooth
} function[] = {{"sin", sin, f_sin},       {"cos", cos, f_cos},           {"tan", tan, f_tan},
                {"asin", asin, f_asin},    {"acos", acos, f_acos},        {"atan", atan, f_atan},
                {"sinh", sinh, f_sinh},    {"cosh", cosh, f_cosh},        {"tanh", tanh, f_tanh},
                {"asinh", asinh, f_asinh}, {"acosh", acosh, f_acosh},     {"atanh", atanh, f_atanh},
                {"log2", log2, f_log2},    {"log10", log10, f_log10},     {"log", log, f_ln},
                {"ln", log, f_ln},         {"exp", exp, f_exp},           {"sqrt", sqrt, f_sqrt},
                {"sign", sign_of, NULL},   {"rint", round_half_up, NULL}, {"abs", fabs, NULL}};
_Static_assert(sizeof function / sizeof function[0] == TAPE_FUNCTIONS, "the number of functions");

const char *tape_function(int i) { return function[i].name; }
bool tape_function_is_smooth(int i) { return function[i].slopes; }

// ---- values ----

static double combine_values(int operation, double x, double y) {
  switch (operation) {
  case ADD: return x + y;
  case SUBTRACT: return x - y;
  case MULTIPLY: return x * y;
  case DIVIDE: return x / y;
  case POWER: return pow(x, y);
  case ATAN2: return atan2(x, y);
  case MINIMUM: return y < x ? y : x;
  case MAXIMUM: return x < y ? y : x;
  case LESS: return x < y;
  case GREATER: return x > y;
  case LESS_OR_EQUAL: return x <= y;
  case GREATER_OR_EQUAL: return x >= y;
  case EQUAL: return x == y;
  case UNEQUAL: return x != y;
  case AND: return x != 0 && y != 0;
  case OR: return x != 0 || y != 0;
  default: return NAN;
  }
}

double tape_value(const Tape *t) {
  double stack[LIMIT_FORMULA_DEPTH + 1];
  int n = 0;
  for (int i = 0; i < t->count; i++) {
    const TapeStep *s = &t->step[i];
    switch (s->operation) {
    case NUMBER: stack[n++] = s->number; break;
    case SOURCE: stack[n++] = *s->source; break;
    case SKIP: i += s->which; break;
    case SKIP_IF_ZERO: i += stack[--n] == 0 ? s->which : 0; break;
    case NEGATE: stack[n - 1] = -stack[n - 1]; break;
    default:
      if (s->operation >= FUNCTIONS) stack[n - 1] = function[s->operation - FUNCTIONS].value(stack[n - 1]);
      else n--, stack[n - 1] = combine_values(s->operation, stack[n - 1], stack[n]);
    }
  }
  return stack[0];
}

bool tape_uses(const Tape *t, int name) {
  for (int i = 0; i < t->count; i++)
    if (t->step[i].operation == NAME && t->step[i].which == name) return true;
  return false;
}

// ---- derivatives ----

// f(a, b) of its slopes by a and b
static void chain_derivatives(const Jet *a, const Jet *b, double value, const double by[2], const double second[3],
                              Jet *out) {
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

static void raise_to_power(const Jet *a, const Jet *b, Jet *out) {
  double x = a->value, p = b->value, value = pow(x, p);
  double by[2] = {power_term(p, x, p - 1), 0}, second[3] = {power_term(p * (p - 1), x, p - 2), 0, 0};
  if (!is_constant(b)) {
    double l = log(x);
    by[1] = value * l, second[1] = pow(x, p - 1) * (1 + p * l), second[2] = value * l * l;
  }
  chain_derivatives(a, b, value, by, second, out);
}

static void angle_of(const Jet *y, const Jet *x, Jet *out) {
  double s = y->value, c = x->value, r = s * s + c * c, rr = r * r;
  chain_derivatives(y, x, atan2(s, c), (double[]){c / r, -s / r},
                    (double[]){-2 * s * c / rr, (s * s - c * c) / rr, 2 * s * c / rr}, out);
}

static void combine_jets(int operation, Jet *a, const Jet *b) {
  static const double none[3];
  double x = a->value, y = b->value;
  switch (operation) {
  case ADD: chain_derivatives(a, b, x + y, (double[]){1, 1}, none, a); break;
  case SUBTRACT: chain_derivatives(a, b, x - y, (double[]){1, -1}, none, a); break;
  case MULTIPLY: chain_derivatives(a, b, x * y, (double[]){y, x}, (double[]){0, 1, 0}, a); break;
  case DIVIDE:
    chain_derivatives(a, b, x / y, (double[]){1 / y, -x / (y * y)}, (double[]){0, -1 / (y * y), 2 * x / (y * y * y)},
                      a);
    break;
  case POWER: raise_to_power(a, b, a); break;
  case ATAN2: angle_of(a, b, a); break;
  }
}

void tape_evaluate(const Tape *t, const double *x, Jet *out) {
  Jet stack[LIMIT_FORMULA_DEPTH + 1];
  int n = 0;
  for (int i = 0; i < t->count; i++) {
    const TapeStep *s = &t->step[i];
    if (s->operation <= NAME) {
      stack[n] = (Jet){.value = s->operation == NAME ? x[s->which] : s->number};
      if (s->operation == NAME) stack[n].d[s->which] = 1;
      n++;
    } else if (s->operation < NEGATE) {
      combine_jets(s->operation, &stack[n - 2], &stack[n - 1]);
      n--;
    } else {
      Jet *a = &stack[n - 1];
      Slopes f = {-a->value, -1, 0};
      if (s->operation >= FUNCTIONS) f = function[s->operation - FUNCTIONS].slopes(a->value);
      chain_derivatives(a, a, f.value, (double[]){f.first, 0}, (double[]){f.second, 0, 0}, a);
    }
  }
  *out = stack[0];
}
