// SPDX-License-Identifier: Apache-2.0
// A model file (YAML, docs/model.md) read into a model, what to run and what to record. Every mistake of the file is
// noted at its place; a file with errors gives a model that is not to be run.
#ifndef LIMBER_INPUT_INPUT_H
#define LIMBER_INPUT_INPUT_H

#include "input/data.h"
#include "input/yaml/names.h"
#include "input/yaml/source.h"
#include "model/model.h"

typedef struct Importer Importer;

typedef struct {
  SourceReader read; // of included files; NULL: there can be none
  // Changes to the file before it is read: "run.step=1 ms" gives the field `step` of `run` another value.
  const char *const *change;
  int changes;
  bool allow_outside; // the files that it names may be outside of its folder
  bool allow_library; // its control blocks may load shared libraries
  bool without_steps; // as of Input
} InputOptions;

// `file` is the name that diagnostics carry, and included files are found from its folder. `options` may be NULL.
Error InputRead(const char *file, const char *text, size_t length, const InputOptions *options, Input **out);
// The same with a list of formats of meshes, which ends with NULL, in the place of Limber's own.
Error InputReadWith(const char *file, const char *text, size_t length, const InputOptions *options,
                    const Importer *const *formats, Input **out);
Error InputDestroy(Input **in);

// A model file that is read many times, each time with other changes: its files, tree, units and formulae are read
// once. The input is the same as that of InputRead, whatever was read before, but for warnings, which it has none of.
// It lives no longer than the InputFile. `options`: their changes come before those of each reading.
typedef struct InputFile InputFile;
Error InputFileCreate(const char *file, const char *text, size_t length, const InputOptions *options, InputFile **out);
Error InputFileRead(InputFile *f, int changes, const char *const *change, Input **out);
Error InputFileDestroy(InputFile **f);

// Makes its part `static` the analysis: every state is a row and, with frames, a snapshot.
void input_use_static(Input *in, bool frames);

const char *input_yaml_library(void); // version of libfyaml

// Surfaces that may touch look like what they are, unless their node has a visual: the list of visuals gets spheres, rods,
// boxes and square pieces of planes of the size of the model, in muted colours.
Error AddSurfaceVisuals(LimberModel m, int most_visuals, int most_triangles);

// Where the things of a model are written, for messages of a run that was read from a file.

// Keeps the places of names, by id.
Error StoreLocations(const Names *names, InputLocations *out);

// Prints the line of the model file of each thing that a text names as "node 'tip'" or "revolute 'hinge'".
void input_point_at(const Input *in, const char *text, FILE *out);
// Prints the line of the cause of a failure; of a cause that is no single thing, those of all that its name contains.
void input_point_at_cause(const Input *in, const LimberCause *cause, FILE *out);
// Prints the line of the part `run`, where step and scheme are.
void input_point_at_run(const Input *in, const char *text, FILE *out);

#endif
