// SPDX-License-Identifier: Apache-2.0
// A format of mesh files. A new one is one file, which ends in its descriptor, and one line in importers.def.
#ifndef LIMBER_INPUT_IMPORTERS_IMPORTER_H
#define LIMBER_INPUT_IMPORTERS_IMPORTER_H

#include "input/importers/mesh.h"
#include "input/importers/words.h"

struct Importer {
  const char *name, *help;
  const char *program;                                  // whose format it is, and ...
  const char *group;                                    // ... what that calls a group: for messages
  const char *const *extensions;                        // of its files, with the dot; ends with NULL
  bool (*recognises)(const char *first, size_t length); // by the first bytes of a file
  // Fills an empty mesh from the text of a file, which ends with a zero, by the functions of mesh.h: nodes, then cells in
  // Limber's shapes and orders of nodes, and groups. The first mistake ends the reading.
  Error (*read)(const char *text, size_t length, Mesh *out, ImportMistake *mistake);
};

#define IMPORTER(name) extern const Importer importer_##name;
#include "input/importers/importers.def"
#undef IMPORTER
extern const Importer *const importers[]; // ends with NULL

// The one of a list that recognises a file by its first bytes, else by its name, or NULL.
const Importer *importer_find(const Importer *const *list, const char *path, const char *text, size_t length);
// "gmsh (.msh)": all of a list, for messages
const char *importers_text(const Importer *const *list, char *text, size_t size);

#endif
