// SPDX-License-Identifier: Apache-2.0
// Blade files that a model names, with those that they name: sources of the model, held to its rules.
#ifndef LIMBER_INPUT_YAML_BLADES_H
#define LIMBER_INPUT_YAML_BLADES_H

#include "base/field.h"
#include "input/blades/blade.h"
#include "input/yaml/form.h"

// The part of `from_file` that says which file.
typedef struct {
#define BLADE_FORMAT(name, NAME, help) const char *name;
#include "input/blades/formats.def"
#undef BLADE_FORMAT
  const char *part, *sections, *gyration;
  double torsion, stretch;
} BladeFile;

// Its fields, of which formats.def has those before: in a structure of that type; `file`: `member.`, or nothing.
extern const FieldMore blade_gyrations;
#define BLADE_FILE_FIELDS(type, file) \
  {"part", FIELD_TEXT, \
   1,      offsetof(type, file part), \
   "",     false, \
   0,      "part of a file with several: tower, another WindIO component, a HAWC2 main body; default: blade, blade1", \
   NULL}, \
      {"sections", FIELD_TEXT, 1, offsetof(type, file sections), \
       "",         false,      0, "HAWC2: section file instead of the one that the .htc names", \
       NULL}, \
      {"gyration", \
       FIELD_TEXT, \
       1, \
       offsetof(type, file gyration), \
       "", \
       false, \
       0, \
       "HAWC2: reference point of the radii of gyration; default: elastic_centre", \
       &blade_gyrations}, \
      {"torsion", FIELD_REAL, 1, offsetof(type, file torsion), \
       "N m2",    false,      0, "ElastoDyn: torsional stiffness, which its files do not have; 0: stiff", \
       NULL}, \
  { \
    "stretch", FIELD_REAL, 1, offsetof(type, file stretch), "N", false, 0, \
        "ElastoDyn: axial stiffness, which its files do not have; 0: stiff", NULL \
  }

// ---- sections ----

// A section that is in a file of another program.
//   blade: {from_file: {beamdyn: blade.dat}}
//   spar: [{at: 0, from_file: {vabs: root.K}}, {at: 1, from_file: {vabs: tip.K}}]
extern const FieldMore blade_section_fields; // of BladeFile

// Reads the file of the section `map`.
Error ReadBladeSection(Reader *r, const Tree *map, const BladeFile *file, Blade *out, bool *good);
// Gives the section of a model the outlines that the file has.
Error AddBladeOutlines(Reader *r, int section, const Blade *b);

// ---- beams ----

// A beam whose axis and sections are in a blade file of another program.
//   - beam: {name: blade, from: root, from_file: {beamdyn: blade.dat, axis: [0, 0, 1], up: [1, 0, 0]}}
// The fields of a beam, with `from_file`.
const FieldTable *blade_beam_fields(const FieldTable *beam);
// Fills stations, section and damping of a beam from its file. `form`: of these fields.
Error CompleteBladeBeam(Reader *r, const char *name, SourceLocation at, const Tree *fields, Form *form, bool *good);

#endif
