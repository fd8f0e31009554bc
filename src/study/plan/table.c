// SPDX-License-Identifier: Apache-2.0
#include "study/plan/reader.h"

Error ReadTable(PlanReader *x) {
  (void)x;
  return 0;
}
