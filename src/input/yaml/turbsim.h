// SPDX-License-Identifier: Apache-2.0
// Boxes of wind of model files.
#ifndef LIMBER_INPUT_YAML_TURBSIM_H
#define LIMBER_INPUT_YAML_TURBSIM_H

#include "input/yaml/form.h"

// Fills the structure of a wind_box from the file that the map names.
Error ReadWindFile(Reader *r, FieldValue *v);
// Refuses fields beside a file that has them.
Error CompleteWindBox(Reader *r, const Tree *fields, const Form *form, bool *good);
// Refuses runs that end after a box.
Error CheckWinds(Reader *r);

#endif
