// SPDX-License-Identifier: Apache-2.0
#include "limber/stability.h"

LimberStabilityOptions limber_stability_options_default(void) {
  return (LimberStabilityOptions){.points = 31, .digits = 9, .modes = 10};
}
