// SPDX-License-Identifier: Apache-2.0
// A model file (YAML, docs/model.md) read into a model, what to run and what to record. Every mistake of the file is
// noted at its place; a file with errors gives a model that is not to be run.
#ifndef LIMBER_INPUT_INPUT_H
#define LIMBER_INPUT_INPUT_H

#include "input/yaml/source.h"
#include "input/diagnostic.h"
#include "quantities/probe.h"
#include "model/model.h"
#include "model/network.h"

#include <stdint.h>

typedef struct Importer Importer;

typedef struct {
  const char *name; // relative to the folder of the model file
  char *text;
  size_t length;
  bool kept; // the text belongs to an InputFile
} InputSource;

typedef struct { // where things of the model are written, by id
  int id;
  SourceLocation at;
} InputLocation;
typedef struct {
  InputLocation *of;
  int count;
} InputLocations;

typedef struct {
  LimberModel model;
  const char *title; // "" if there is none
  LimberOptions options;
  LimberStatics statics;
  LimberModesOptions modes;
  LimberCampbellOptions campbell; // vary NULL: the file has none
  int mode_frames;                // snapshots of each
  double mode_amplitude;
  LimberLinearOptions linearize;
  LimberResponseOptions response;   // `points` 0: the file has none
  double end;                       // s; 0: the file has no `run`
  int every;                        // steps between two rows of the history
  double snapshots;                 // s between two snapshots; 0: none
  int64_t steps;                    // from 0 to end; 0: the run chooses them
  double rows;                      // s between two rows of the history, in place of `every`; 0: `every` counts
  LimberStabilityOptions stability; // if `has_stability`
  LimberFloquetOptions floquet;     // if `has_floquet`
  bool has_stability, has_floquet;
  Probe *probe;
  ProbeConstant *constant; // that formulae of probes name
  int probes, constants;
  Network network;    // of control blocks
  bool allow_library; // blocks may load shared libraries
  bool without_steps; // nobody takes the steps of `run`: no warnings about them
  Diagnostics diagnostics;
  InputLocations node_locations, component_locations, joint_locations, load_locations;
  SourceLocation run_location;
  const char *file;
  const char *text;    // of the model file
  InputSource *source; // the model file, then those that it includes
  int sources;
  const char **change; // of the command line, in order: "run.step=1 ms"
  int changes;
  bool allow_outside; // files may be outside of the folder of the model file
} Input;

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

// A model file that is read many times, each time with other changes: its files, tree, units and formulae are read once. The
// input is the same as that of InputRead, whatever was read before, but for warnings, which it has none of. It lives no longer
// than the InputFile. `options`:
// their changes come before those of each reading.
typedef struct InputFile InputFile;
Error InputFileCreate(const char *file, const char *text, size_t length, const InputOptions *options, InputFile **out);
Error InputFileRead(InputFile *f, int changes, const char *const *change, Input **out);
Error InputFileDestroy(InputFile **f);

// Makes its part `static` the analysis: every state is a row and, with frames, a snapshot.
void input_use_static(Input *in, bool frames);

const char *input_yaml_library(void); // version of libfyaml

#endif
