// SPDX-License-Identifier: Apache-2.0
#include "schemes/scheme.h"

#include <string.h>

#define SCHEME(name) &scheme_##name,
const SchemeKind *const scheme_kinds[] = {
#include "schemes/schemes.def"
    NULL};
#undef SCHEME

void limber_options_default(LimberOptions *o) {
  *o = (LimberOptions){.scheme = "decaying", .rho_inf = 0.5, .order = 2, .beta = 1.0 / 6, .step = 1e-3};
}

const SchemeKind *scheme_find(const char *name) {
  for (int i = 0; scheme_kinds[i]; i++)
    if (!strcmp(scheme_kinds[i]->name, name)) return scheme_kinds[i];
  return NULL;
}

const char *scheme_name(int i) { return scheme_kinds[i] ? scheme_kinds[i]->name : NULL; }
