// SPDX-License-Identifier: Apache-2.0
// A section that is in a file of another program.
//   blade: {from_file: {beamdyn: blade.dat}}
//   spar: [{at: 0, from_file: {vabs: root.K}}, {at: 1, from_file: {vabs: tip.K}}]
#ifndef LIMBER_INPUT_YAML_BLADE_SECTION_H
#define LIMBER_INPUT_YAML_BLADE_SECTION_H

#include "input/yaml/blade_source.h"

extern const FieldMore blade_section_fields; // of BladeFile

// The stations that the file of the section `map` has.
Error ReadBladeSection(Reader *r, const Tree *map, const BladeFile *file, int *count, const LimberSection **out,
                       bool *good);

#endif
