// SPDX-License-Identifier: Apache-2.0
// What a model file contains, once it is read: a model, what to run and what to record, and where each thing is
// written.
#ifndef LIMBER_INPUT_DATA_H
#define LIMBER_INPUT_DATA_H

#include "input/diagnostic.h"
#include "quantities/probe.h"
#include "model/model.h"
#include "model/network.h"

#include <stdint.h>

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
  LimberModesOptions options;
  int frames;       // snapshots of each mode
  double amplitude; // of them
} ModesPart;

typedef struct {
  LimberModel model;
  const char *title; // "" if there is none
  LimberOptions options;
  LimberStatics statics;
  ModesPart modes;
  LimberCampbellOptions campbell;
  LimberLinearOptions linearize;
  LimberResponseOptions response;
  LimberStabilityOptions stability;
  LimberFloquetOptions floquet;
  struct { // which parts of analyses about an operating point the file has; without one, options are defaults
#define POINT_ANALYSIS(name, help) bool part_##name;
#include "input/analyses/point_analyses.def"
#undef POINT_ANALYSIS
  } has;
  double end;       // s; 0: the file has no `run`
  int every;        // steps between two rows of the history
  double snapshots; // s between two snapshots; 0: none
  int64_t steps;    // from 0 to end; 0: the run chooses them
  double rows;      // s between two rows of the history, in place of `every`; 0: `every` counts
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

#endif
