// SPDX-License-Identifier: Apache-2.0
#include "study/plan/plan.h"

Error PlanCheckModel(Plan *p, const Input *in, Diagnostics *d) {
  (void)p, (void)in, (void)d;
  return 0;
}
