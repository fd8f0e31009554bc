// SPDX-License-Identifier: Apache-2.0
// The network of control blocks of a file.
#ifndef LIMBER_INPUT_YAML_CONTROL_H
#define LIMBER_INPUT_YAML_CONTROL_H

#include "input/yaml/tree.h"
#include "limber/limber.h"

typedef struct Reader Reader;

// The signal that a word names, its function; LIMBER_NONE: none.
int control_signal(const Reader *r, const char *word);
// Whether a word is a formula that names a column of a probe: tip.x
bool names_column(const char *text);
// A block without a name for such a formula in the place of a function.
Error AddAmplitudeFormula(Reader *r, const Tree *word, int *id);

#endif
