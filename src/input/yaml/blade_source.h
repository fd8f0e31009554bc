// SPDX-License-Identifier: Apache-2.0
// Blade files that a model names, with those that they name: sources of the model, held to its rules.
#ifndef LIMBER_INPUT_YAML_BLADE_SOURCE_H
#define LIMBER_INPUT_YAML_BLADE_SOURCE_H

#include "base/field.h"
#include "input/blades/open.h"

typedef struct Reader Reader;

// The part of `from_file` that says which file.
typedef struct {
#define BLADE_FORMAT(name, NAME, help) const char *name;
#include "input/blades/formats.def"
#undef BLADE_FORMAT
  const char *part, *sections, *gyration;
} BladeFile;

// Its fields, of which formats.def has those before: in a structure of that type; `file`: `member.`, or nothing.
extern const FieldMore blade_gyrations;
#define BLADE_FILE_FIELDS(type, file) \
  { \
      "part", \
      FIELD_TEXT, \
      1, \
      offsetof(type, file part), \
      "", \
      false, \
      0, \
      "of a file with several: a component of WindIO such as tower, a main body of HAWC2; default: blade, blade1", \
      NULL}, \
      {"sections", FIELD_TEXT, 1, offsetof(type, file sections), \
       "",         false,      0, "of HAWC2: a file of sections in place of the one that the .htc names", \
       NULL}, \
  { \
    "gyration", FIELD_TEXT, 1, offsetof(type, file gyration), "", false, 0, \
        "of HAWC2: what radii of gyration are about; default: elastic_centre", &blade_gyrations \
  }

// Reads the file of a map `from_file`. `word`: its name, where mistakes are told as "line 3 of 'file': ...".
Error ReadBladeFile(Reader *r, const Tree *map, const BladeFile *file, Blade *out, const Tree **word, bool *good);
// Reports a stiffness that is not positive definite.
Error CheckBladeSections(Reader *r, const Blade *b, const Tree *word, bool *good);
// Warns of what was not taken as the file has it.
Error WarnAboutBladeFile(Reader *r, const Blade *b, const Tree *word);

#endif
