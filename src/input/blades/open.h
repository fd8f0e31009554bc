// SPDX-License-Identifier: Apache-2.0
// Opens blade files, with those that they name: from the disk, or as files of a model.
#ifndef LIMBER_INPUT_BLADES_OPEN_H
#define LIMBER_INPUT_BLADES_OPEN_H

#include "input/blades/blade.h"

typedef struct {
  const char *format;     // the name of one of `blade_formats`; NULL: the one that recognises the file
  const char *part;       // of a file with several: "tower"; NULL: the blade
  const char *data;       // of HAWC2: a file of sections in place of the one that the .htc names; or NULL
  bool about_mass_centre; // of HAWC2: radii of gyration, in place of the elastic centre
} BladeChoices;

typedef struct { // a file that was opened; text NULL: it cannot be read, and `path` says which
  const char *path, *text;
  size_t length;
  int file;        // of the diagnostics
  const char *why; // it cannot be read: the message
} BladeSource;

typedef struct BladeOpener BladeOpener;
struct BladeOpener {
  // `by`: path of the file that names it, NULL: the first file
  Error (*open)(BladeOpener *o, const char *by, const char *name, BladeSource *out);
  Store *store; // of the blade
  Diagnostics *diagnostics;
  TreeCount *count; // of texts in YAML
};

// Reads a blade through an opener. What is wrong is in `mistake`, or among the diagnostics where a file is no YAML; not `good`
// then.
Error BladeRead(BladeOpener *o, const char *name, const BladeChoices *choices, Blade *out, ImportMistake *mistake,
                bool *good);
// Reads a blade from the disk. What is wrong is added to the diagnostics, with file and line; not `good` then. Blade, texts of
// files and their names are in the store, which must live as long as the diagnostics.
Error BladeOpen(const char *path, const BladeChoices *choices, Store *store, Diagnostics *n, Blade *out, bool *good);

// "beamdyn, windio, hawc2": for messages
const char *blade_formats_text(char *text, size_t size);

#endif
