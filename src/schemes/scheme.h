// SPDX-License-Identifier: Apache-2.0
// Time schemes. A kind turns the user's options into the rule of a step: a tableau, and what nodes carry along.
#ifndef LIMBER_SCHEMES_SCHEME_H
#define LIMBER_SCHEMES_SCHEME_H

#include "system/system.h"

typedef struct {
  const char *name, *help;
  const char *(*make)(const LimberOptions *o, StepRule *out); // NULL, or what is wrong
} SchemeKind;

#define SCHEME(name) extern const SchemeKind scheme_##name;
#include "schemes/schemes.def"
#undef SCHEME
extern const SchemeKind *const scheme_kinds[]; // ends with NULL

const SchemeKind *scheme_find(const char *name);

// Of a tableau's scheme: fills the rule's functions for ambient nodes and completes the tableau.
void scheme_of_tableau(StepRule *rule);

#endif
