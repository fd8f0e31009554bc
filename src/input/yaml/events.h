// SPDX-License-Identifier: Apache-2.0
// Events of a file that watch probes.
#ifndef LIMBER_INPUT_YAML_EVENTS_H
#define LIMBER_INPUT_YAML_EVENTS_H

#include "model/error.h"

typedef struct Reader Reader;

// Checks their formulae, once probes are read, and gives their values the units of columns.
Error CheckEvents(Reader *r);

#endif
