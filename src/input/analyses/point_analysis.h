// SPDX-License-Identifier: Apache-2.0
// The contract of an analysis about an operating point: modes, transfer functions and others that start from an equilibrium
// or a periodic motion of a model file. Each is one descriptor and one line of point_analyses.def. The command with its
// help, the part of the model file, the reference page and the columns of the results file follow from it.
// app/point_command.h has the functions that do the work.
#ifndef LIMBER_INPUT_ANALYSES_POINT_ANALYSIS_H
#define LIMBER_INPUT_ANALYSES_POINT_ANALYSIS_H

#include "base/command.h"
#include "input/data.h"
#include "input/yaml/form.h"
#include "input/yaml/part.h"

// A column of the results, /history/GROUP/NAME.
typedef struct {
  const char *group, *name;
  const char *units; // NULL: those of the parameter that is varied
  const char *help;
} PointColumn;

typedef struct {
  Command command;            // its name is that of the part and of the results, too
  const char *ending;         // of the results file
  const char *needed;         // the part as it could be written, where the analysis needs it; NULL: it does not
  const char *picture;        // option of `limber plot` that draws the results; NULL: there is none
  bool takes_steps;           // those of the part `run`
  const PointColumn *columns; // ends with a NULL name; NULL: as the model has inputs, outputs and probes
  // The part of the model file: its fields fill a structure, in which the options are. Options start with their cookie.
  FieldTable fields;
  size_t offset, size; // of the options in that structure; size 0: `complete` keeps them itself
  size_t place, given; // in Input: of the options, and of whether the file has the part
  // Checks what was read and completes the options. `good`: all fields could be read. NULL: nothing to do.
  Error (*complete)(Reader *r, const Tree *map, const Form *form, bool good);
} PointAnalysis;

#define POINT_ANALYSIS(name, help) extern const PointAnalysis analysis_of_##name;
#include "input/analyses/point_analyses.def"
#undef POINT_ANALYSIS
extern const PointAnalysis *const point_analyses[]; // ends with NULL
int point_analysis_find(const char *name);          // -1: there is none of that name

// ---- for descriptors ----

// The command, whose `help`, `example` and `options` are defined before. `own`: options that others do not have, in its
// usage; `set`: a field of the part, as an example.
#define POINT_COMMAND(title, own, results, set) \
  .name = title, .usage = title " model.yaml " own "[-o " results "] [-q] [--set " set " ...] [-- PETSc options]", \
  .help = help, .example = example, .options = options, .least = 1, .most = 1, .word = "model file", .petsc = true, \
  .engine = "limber_command_point_analysis"
// Options that all have, after those of its own. An option with the name of a field of the part sets that field.
#define POINT_OPTIONS(results, ending) \
  {"output", "o", results, "results file; default: the model's name with " ending ", in this folder", OPTION_ONCE}, \
      {"quiet", "q", NULL, "prints errors only", OPTION_ONCE}, OPTION_SET, OPTION_FORCE, OPTION_OUTSIDE, { \
    0 \
  }
// Options of the type `type` in the member `member` of Input.
#define POINT_PLACE(name, type, member) \
  .size = sizeof(type), .place = offsetof(Input, member), .given = offsetof(Input, has.part_##name)
// Defines the public function that gives default options.
#define POINT_DEFAULTS(type, function, name) \
  type function(void) { \
    type o; \
    point_analysis_defaults(&analysis_of_##name, &o, sizeof o); \
    return o; \
  }

// The options as they are where a file has no such part.
void point_analysis_defaults(const PointAnalysis *a, void *options, size_t size);
bool input_has_part(const Input *in, const PointAnalysis *a);

// ---- what parts share ----

// A name or a list of names, of loads and signals, or of probes; `tree` NULL: none. What they do not name is reported.
Error ReadInputNames(Reader *r, const Tree *tree, int *count, const char *const **names);
Error ReadOutputNames(Reader *r, const Tree *tree, int *count, const char *const **names);

#endif
