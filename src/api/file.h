// SPDX-License-Identifier: Apache-2.0
#ifndef LIMBER_API_FILE_H
#define LIMBER_API_FILE_H

#include "input/input.h"

const Input *file_input(LimberFile f); // NULL: the file has errors

#endif
