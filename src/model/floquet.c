// SPDX-License-Identifier: Apache-2.0
#include "limber/floquet.h"

LimberFloquetOptions limber_floquet_options_default(void) {
  return (LimberFloquetOptions){.period = 0, .steps = 200, .after = 0, .tolerance = 1e-5};
}
