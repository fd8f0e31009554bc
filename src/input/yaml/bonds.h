// SPDX-License-Identifier: Apache-2.0
// Bonds of the part `ports`: the control block, input and output that they name.
#ifndef LIMBER_INPUT_YAML_BONDS_H
#define LIMBER_INPUT_YAML_BONDS_H

#include "input/yaml/part.h"

typedef struct BondText BondText;

Error CompletePort(Reader *r, const Kind *kind, const char *name, SourceLocation at, const Tree *fields, Form *form,
                   bool *good);
Error FinishPorts(Reader *r);

#endif
