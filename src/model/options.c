// SPDX-License-Identifier: Apache-2.0
// Defaults of analyses about an operating point and of reading.
#include "base/cookie.h"
#include "limber/limber.h"

LimberModesOptions limber_modes_options_default(void) {
  return (LimberModesOptions){.cookie = OPTIONS_COOKIE, .count = 10};
}

LimberCampbellOptions limber_campbell_options_default(void) {
  return (LimberCampbellOptions){.cookie = OPTIONS_COOKIE, .steps = 24, .modes = 8};
}

LimberStabilityOptions limber_stability_options_default(void) {
  return (LimberStabilityOptions){.cookie = OPTIONS_COOKIE, .points = 31, .digits = 9, .modes = 10};
}

LimberFloquetOptions limber_floquet_options_default(void) {
  return (LimberFloquetOptions){.cookie = OPTIONS_COOKIE, .steps = 200, .tolerance = 1e-5};
}

LimberLinearOptions limber_linear_options_default(void) { return (LimberLinearOptions){.cookie = OPTIONS_COOKIE}; }

LimberResponseOptions limber_response_options_default(void) {
  return (LimberResponseOptions){.cookie = OPTIONS_COOKIE, .from = 0.1, .to = 10, .points = 200};
}

LimberBladeOptions limber_blade_options_default(void) { return (LimberBladeOptions){.cookie = OPTIONS_COOKIE}; }

LimberReadOptions limber_read_options_default(void) { return (LimberReadOptions){.cookie = OPTIONS_COOKIE}; }
