// SPDX-License-Identifier: Apache-2.0
// A beam whose axis and sections are in a blade file of another program.
//   - beam: {name: blade, from: root, from_file: {beamdyn: blade.dat, axis: [0, 0, 1], up: [1, 0, 0]}}
#ifndef LIMBER_INPUT_YAML_BLADE_BEAM_H
#define LIMBER_INPUT_YAML_BLADE_BEAM_H

#include "input/yaml/form.h"

// The fields of a beam, with `from_file`.
const FieldTable *blade_beam_fields(const FieldTable *beam);
// Fills stations, section and damping of a beam from its file. `form`: of these fields.
Error CompleteBladeBeam(Reader *r, const char *name, SourceLocation at, const Tree *fields, Form *form, bool *good);

#endif
