// SPDX-License-Identifier: Apache-2.0
// How branches of modes are continued: the most alike first, each mode once.
#include "check.h"

#include "analyses/modes/modes.h"

TEST(the_most_alike_pair_is_made_first) {
  const double likeness[] = {0.9, 0.8, 0.95, 0.7};
  int pair[2];
  modes_pair(2, 2, 1, likeness, 0.3, 0, pair);
  CHECK_INT(pair[0], 1); // its first choice was taken
  CHECK_INT(pair[1], 0);
}

TEST(a_row_that_is_like_no_mode_has_none) {
  const double likeness[] = {0.2, 0.9, 0.1, 0.3};
  int pair[2];
  modes_pair(2, 2, 1, likeness, 0.3, 0, pair);
  CHECK_INT(pair[0], 1);
  CHECK_INT(pair[1], -1);
}

TEST(more_rows_than_modes_leave_the_least_alike_alone) {
  const double likeness[] = {0.5, 0.7, 0.6};
  int pair[3];
  modes_pair(3, 1, 1, likeness, 0, 0, pair);
  CHECK_INT(pair[0], -1);
  CHECK_INT(pair[1], 0);
  CHECK_INT(pair[2], -1);
}

// Columns: first mode, its conjugate, second mode, its conjugate.
TEST(a_mode_is_taken_once_in_whichever_way) {
  const double likeness[] = {0.1, 0.9, 0.5, 0.4, 0.8, 0.1, 0.2, 0.6};
  int pair[2];
  modes_pair(2, 2, 2, likeness, 0.3, 0, pair);
  CHECK_INT(pair[0], 1);
  CHECK_INT(pair[1], 3);
}

TEST(round_off_does_not_choose) {
  const double likeness[] = {0.7, 0.70001, 0.70002, 0.7};
  int pair[2];
  modes_pair(2, 2, 1, likeness, 0.3, 1e-4, pair);
  CHECK_INT(pair[0], 0);
  CHECK_INT(pair[1], 1);
  modes_pair(2, 2, 1, likeness, 0.3, 0, pair);
  CHECK_INT(pair[0], 1);
  CHECK_INT(pair[1], 0);
}

CHECK_MAIN
