// SPDX-License-Identifier: Apache-2.0
// Formulae with derivatives (base/tape.h) from their text.
#ifndef LIMBER_MODEL_TAPE_READ_H
#define LIMBER_MODEL_TAPE_READ_H

#include "base/tape.h"
#include "limber/catalogue.h"

#include <stddef.h>

// Reads a formula of the names; its parameters are constants. False: `error` says what is wrong.
bool tape_read(const LimberFormula *f, int names, const char *const *name, Tape *out, char *error, size_t size);

#endif
