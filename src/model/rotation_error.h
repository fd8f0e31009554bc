// SPDX-License-Identifier: Apache-2.0
// What a rotation per step makes of results, in words.
#ifndef LIMBER_MODEL_ROTATION_ERROR_H
#define LIMBER_MODEL_ROTATION_ERROR_H

#include "schemes/scheme.h"

// With the step, of h now, whose error is 0.1 %; "": there is no error.
void say_rotation_error(const RotationError *e, double h, char *text, size_t size);

#endif
