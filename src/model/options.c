// SPDX-License-Identifier: Apache-2.0
// Default options for reading files.
#include "base/cookie.h"
#include "limber/limber.h"

LimberBladeOptions limber_blade_options_default(void) { return (LimberBladeOptions){.cookie = OPTIONS_COOKIE}; }

LimberReadOptions limber_read_options_default(void) { return (LimberReadOptions){.cookie = OPTIONS_COOKIE}; }
