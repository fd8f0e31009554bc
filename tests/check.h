// SPDX-License-Identifier: Apache-2.0
// Tests are propositions: TEST(energy_never_grows) { CHECK_LE(e1, e0); } and CHECK_MAIN once at the file's end.
// A check that fails is printed and counted, and the test goes on; each check is also an expression, 1 or 0. A
// test that checks nothing fails. An argument of the program picks the tests whose names contain it.
#ifndef LIMBER_TESTS_CHECK_H
#define LIMBER_TESTS_CHECK_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct check_test {
  const char *name;
  void (*run)(void);
  struct check_test *next;
};

// Weak, so that all files of one program share it.
struct check_state {
  struct check_test *first, *last;
  int checks, failures;  // of the running test, on this rank
  int rank;              // only rank 0 reports
  void (*sum)(int n[2]); // over the ranks, or NULL
  FILE *out;             // NULL: stdout
};
__attribute__((weak)) struct check_state check;

static inline FILE *check_out(void) { return check.out ? check.out : stdout; }

static inline void check_register(struct check_test *t) {
  if (check.last) check.last->next = t;
  else check.first = t;
  check.last = t;
}

// Counts one check; if it fails, prints where, what was asked and the values found.
__attribute__((format(printf, 5, 6))) static inline int check_that(int ok, const char *file, int line, const char *what,
                                                                   const char *values, ...) {
  check.checks++;
  if (ok) return 1;
  check.failures++;
  va_list args;
  va_start(args, values);
  fprintf(check_out(), "     %s:%d: ", file, line);
  if (check.rank) fprintf(check_out(), "(rank %d) ", check.rank);
  fprintf(check_out(), "%s", what);
  vfprintf(check_out(), values, args);
  fputc('\n', check_out());
  fflush(check_out());
  va_end(args);
  return 0;
}

// NaN is never near, less or equal.
static inline int check_near(double a, double b, double tol, const char *file, int line, const char *what) {
  return check_that(fabs(a - b) <= tol || a == b, file, line, what, ": found %.17g, expected %.17g, off by %.3g > %.3g",
                    a, b, fabs(a - b), tol);
}
static inline int check_rel(double a, double b, double tol, const char *file, int line, const char *what) {
  return check_that(fabs(a - b) <= tol * fabs(b), file, line, what,
                    ": found %.17g, expected %.17g, relative error %.3g > %.3g", a, b, fabs(a - b) / fabs(b), tol);
}
static inline int check_le(double a, double b, const char *file, int line, const char *what) {
  return check_that(a <= b, file, line, what, ": %.17g > %.17g", a, b);
}
static inline int check_lt(double a, double b, const char *file, int line, const char *what) {
  return check_that(a < b, file, line, what, ": %.17g >= %.17g", a, b);
}
static inline int check_int(long long a, long long b, const char *file, int line, const char *what) {
  return check_that(a == b, file, line, what, ": found %lld, expected %lld", a, b);
}
static inline int check_str(const char *a, const char *b, const char *file, int line, const char *what) {
  return check_that(a && b ? !strcmp(a, b) : a == b, file, line, what, ": found \"%s\", expected \"%s\"",
                    a ? a : "(null)", b ? b : "(null)");
}

__attribute__((format(printf, 1, 2))) static inline void check_note(const char *format, ...) {
  va_list args;
  if (check.rank) return;
  va_start(args, format);
  fprintf(check_out(), "     measured: ");
  vfprintf(check_out(), format, args);
  fputc('\n', check_out());
  va_end(args);
}

#define CHECK(cond)                      check_that(!!(cond), __FILE__, __LINE__, #cond, "%s", "")
#define CHECK_NEAR(found, expected, tol) check_near(found, expected, tol, __FILE__, __LINE__, #found " near " #expected)
#define CHECK_REL(found, expected, reltol) \
  check_rel(found, expected, reltol, __FILE__, __LINE__, #found " near " #expected)
#define CHECK_LE(a, b)             check_le(a, b, __FILE__, __LINE__, #a " <= " #b)
#define CHECK_LT(a, b)             check_lt(a, b, __FILE__, __LINE__, #a " < " #b)
#define CHECK_INT(found, expected) check_int(found, expected, __FILE__, __LINE__, #found " == " #expected)
#define CHECK_STR(found, expected) check_str(found, expected, __FILE__, __LINE__, #found " == " #expected)
#define CHECK_NOTE(...)            check_note(__VA_ARGS__)

// The stride of a loop over schemes or models that all go through the same code. Sanitizers look at code, not at
// numbers: with them the loop takes every n-th.
#ifdef __SANITIZE_ADDRESS__
#define CHECK_EVERY(n) (n)
#else
#define CHECK_EVERY(n) 1
#endif

#define TEST(name) \
  static void test_##name(void); \
  __attribute__((constructor)) static void register_##name(void) { \
    static struct check_test test = {#name, test_##name, NULL}; \
    check_register(&test); \
  } \
  static void test_##name(void)

static inline int check_run_all(int argc, char **argv) {
  const char *filter = argc > 1 && argv[1][0] != '-' ? argv[1] : "";
  int passed = 0, failed = 0;
  for (struct check_test *t = check.first; t; t = t->next) {
    if (!strstr(t->name, filter)) continue;
    check.checks = check.failures = 0;
    t->run();
    int n[2] = {check.checks, check.failures};
    if (check.sum) check.sum(n);
    int ok = n[0] > 0 && n[1] == 0;
    ok ? passed++ : failed++;
    if (check.rank) continue;
    fprintf(check_out(), "%s %s%s\n", ok ? "ok  " : "FAIL", t->name, n[0] ? "" : " (nothing was checked)");
    fflush(check_out());
  }
  if (!check.rank) fprintf(check_out(), "%d passed, %d failed\n", passed, failed);
  fflush(check_out());
  return failed > 0 || passed == 0;
}

#define CHECK_MAIN \
  int main(int argc, char **argv) { return check_run_all(argc, argv); }

#endif
