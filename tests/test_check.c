// SPDX-License-Identifier: Apache-2.0
// The checks themselves: each is shown to pass, to fail and to say why. What must fail runs in a state of its own.
#include "check.h"

static struct check_state outer;
static char text[4096];

static void begin_inner(void) {
  outer = check;
  check = (struct check_state){.out = tmpfile()};
}

// Back to the outer state; leaves what was printed in `text` and returns the number of failures.
static int end_inner(void) {
  struct check_state inner = check;
  rewind(inner.out);
  text[fread(text, 1, sizeof text - 1, inner.out)] = 0;
  fclose(inner.out);
  check = outer;
  return inner.failures;
}

#define FAILS(expression) \
  do { \
    begin_inner(); \
    int result = expression; \
    CHECK_INT(end_inner(), 1); \
    CHECK_INT(result, 0); \
    CHECK(strstr(text, "test_check.c:")); \
  } while (0)

TEST(what_holds_passes) {
  CHECK(1);
  CHECK_NEAR(1.0, 1.1, 0.2);
  CHECK_REL(100.0, 101.0, 0.02);
  CHECK_LE(1, 1);
  CHECK_LT(1, 2);
  CHECK_INT(3, 3);
  CHECK_STR("a", "a");
  CHECK_STR(NULL, NULL);
}

TEST(what_does_not_hold_fails) {
  FAILS(CHECK(0));
  FAILS(CHECK_NEAR(1.0, 1.3, 0.2));
  FAILS(CHECK_REL(100.0, 103.0, 0.02));
  FAILS(CHECK_LE(2, 1));
  FAILS(CHECK_LT(1, 1));
  FAILS(CHECK_INT(3, 4));
  FAILS(CHECK_STR("a", "b"));
  FAILS(CHECK_STR("a", NULL));
}

TEST(not_a_number_is_never_right) {
  FAILS(CHECK_NEAR(NAN, 1, 1e9));
  FAILS(CHECK_NEAR(1, NAN, 1e9));
  FAILS(CHECK_REL(NAN, 1, 1e9));
  FAILS(CHECK_LE(NAN, 1));
  FAILS(CHECK_LT(1, NAN));
}

TEST(failure_shows_expression_and_values) {
  double x = 0.5;
  FAILS(CHECK_NEAR(x, 0.25, 0.125));
  CHECK(strstr(text, "x near 0.25: found 0.5, expected 0.25, off by 0.25 > 0.125"));
}

TEST(arguments_are_evaluated_once) {
  int n = 0;
  CHECK_INT(++n, 1);
  CHECK_NEAR(++n, 2, 0);
  CHECK(++n == 3);
  CHECK_INT(n, 3);
}

TEST(note_prints_what_was_measured) {
  begin_inner();
  CHECK_NOTE("order %.2f", 1.996);
  CHECK_INT(end_inner(), 0);
  CHECK_STR(text, "     measured: order 2.00\n");
}

static void holds(void) { CHECK(1); }
static void does_not_hold(void) { CHECK(2 < 1), CHECK(1), CHECK(3 < 1); }
static void says_nothing(void) {}

// Runs three tests of the inner state with an optional filter; returns the exit code.
static int run_inner(const char *filter) {
  struct check_test a = {"first", holds, NULL}, b = {"second", does_not_hold, NULL}, c = {"third", says_nothing, NULL};
  char program[] = "program", argument[32];
  snprintf(argument, sizeof argument, "%s", filter ? filter : "");
  char *argv[] = {program, argument, NULL};
  begin_inner();
  check_register(&a), check_register(&b), check_register(&c);
  int code = check_run_all(filter ? 2 : 1, argv);
  end_inner();
  return code;
}

TEST(report_lists_tests_in_order_and_counts_them) {
  CHECK_INT(run_inner(NULL), 1);
  const char *ok = strstr(text, "ok   first\n"), *fail = strstr(text, "FAIL second\n");
  CHECK(ok && fail && ok < fail);
  CHECK(strstr(text, "FAIL third (nothing was checked)\n"));
  CHECK(strstr(text, "\n1 passed, 2 failed\n"));
}

TEST(filter_picks_tests_by_part_of_the_name) {
  CHECK_INT(run_inner("irs"), 0);
  CHECK_STR(text, "ok   first\n1 passed, 0 failed\n");
  CHECK_INT(run_inner("no such test"), 1);
}

CHECK_MAIN
