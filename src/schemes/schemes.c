// SPDX-License-Identifier: Apache-2.0
#include "schemes/scheme.h"

#include "base/cookie.h"

#include <string.h>

#define SCHEME(name, NAME) [LIMBER_SCHEME_##NAME] = &scheme_##name,
const SchemeKind *const scheme_kinds[] = {
#include "schemes/schemes.def"
    NULL};
#undef SCHEME

LimberOptions limber_options_default(void) {
  return (LimberOptions){.cookie = OPTIONS_COOKIE,
                         .scheme = LIMBER_SCHEME_DECAYING,
                         .rho_inf = 0.5,
                         .order = 2,
                         .beta = 1.0 / 6,
                         .step = 1e-3};
}

const SchemeKind *scheme_kind(LimberScheme scheme) {
  int count = sizeof scheme_kinds / sizeof scheme_kinds[0] - 1;
  return (int)scheme >= 0 && (int)scheme < count ? scheme_kinds[scheme] : NULL;
}

const char *limber_scheme_name(LimberScheme scheme) {
  const SchemeKind *kind = scheme_kind(scheme);
  return kind ? kind->name : NULL;
}

int limber_scheme_find(const char *name) {
  for (int i = 0; scheme_kinds[i]; i++)
    if (!strcmp(scheme_kinds[i]->name, name)) return i;
  return LIMBER_NONE;
}

const char *scheme_name(int i) { return scheme_kinds[i] ? scheme_kinds[i]->name : NULL; }
