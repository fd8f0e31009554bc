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

typedef enum { HOLD_EXTRAPOLATED, HOLD_CONSTANT } HoldRule; // words of the field `hold`

// The part `aerodynamics`: AeroDyn and InflowWind in a shared library. Points of the air are nodes of the blades.
typedef struct {
  const char *library, *aerodyn, *inflow, *output;
  LimberNodeId hub, nacelle;
  const LimberElementId *blades;
  int nblades;
  double axis[3], origin[3], pitch, step, density, viscosity, sound_speed;
  int iterations;
  HoldRule hold;
} AerodynText;

typedef struct {
  AerodynText text;
  const char *name;
  SourceLocation at; // in the model file
  int points;
  int *node, *blade; // of each point: its node, its blade from 0 ...
  double **held;     // ... and its load, in ground axes
  int *root;         // of each blade: its first node
} Aerodyn;

typedef struct { // a name of `let` that is a number, not a formula
  const char *name;
  double value;     // SI
  const char *unit; // in SI base units; "": a pure number
} InputParameter;

typedef struct {          // a number of the model file that a fit or an optimisation changes
  const char *path;       // as for --set: "let.k"
  const char *unit;       // in SI base units; "": a pure number
  double start, from, to; // SI; without bounds -INFINITY and INFINITY
} TunedParameter;

typedef struct {                    // what was measured: a history in a file, or one number
  const char *of;                   // a column of a probe or of the ledger; a quantity as for `limber gradient`
  const char *file, *column, *time; // file: NULL: one number. time: NULL: the first column
  const char *unit;                 // of the number, or of those of the file, as written; "": SI
  double factor, time_factor;       // to SI
  double value;                     // SI
  double noise;                     // SI: standard deviation; NAN: estimated
  double from, to;                  // s: rows that count
} FitData;

typedef struct { // the part `fit`
  TunedParameter *parameter;
  FitData *data;
  int parameters, measured;
} FitPart;

typedef struct {                   // what an optimum must keep
  const char *of;                  // a quantity as for `limber gradient`
  double from, to;                 // SI; without limits -INFINITY and INFINITY
  const char *from_unit, *to_unit; // as written; "": SI
  double from_factor, to_factor;   // of these units to SI
} OptimizeConstraint;

typedef struct { // the part `optimize`
  TunedParameter *parameter;
  OptimizeConstraint *constraint;
  int parameters, constraints;
  const char *objective; // a quantity
  bool maximize;
} OptimizePart;

typedef struct {           // a model that runs together with others
  const char *name, *path; // path: of its file, from the present folder
  int source;              // its text, among those of the system
  const char *text;        // of an FMU: the model that it is alone; NULL: a model file
  struct FmuParticipant *fmu;
  SourceLocation at;
} Participant;

typedef struct { // of two participants
  bool wave;     // a line between two ports; else a signal from the first to the second
  bool opposite; // of a line: its ends move in opposite directions
  struct {
    int participant;
    const char *name; // of a port; of a signal a column or signal, and a function of the kind `signal`
    SourceLocation at;
  } end[2];
} Connection;

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
  double given_end; // s: as the file has it; `end` is that of a whole step
  int every;        // steps between two rows of the history
  double snapshots; // s between two snapshots; 0: none
  int64_t steps;    // from 0 to end; 0: the run chooses them
  double accuracy;  // relative error of probes up to which `limber run` halves the step; 0: it takes the step as it is
  bool first_step;  // the file gives no step: it is the first that is tried
  double wanted_step; // s: the first step that was wanted, but would take too many steps; 0: it is used
  double rows;        // s between two rows of the history, in place of `every`; 0: `every` counts
  Probe *probe;
  ProbeConstant *constant; // that formulae of probes name
  int probes, constants;
  InputParameter *parameter;
  int parameters;
  FitPart fit;
  OptimizePart optimize;
  Network network;          // of control blocks
  Participant *participant; // of a system that `limber couple` runs, in place of a model
  Connection *connection;
  int participants, connections;
  Aerodyn *aerodyn;      // NULL: none
  bool allow_library;    // blocks may load shared libraries
  bool without_steps;    // nobody takes the steps of `run`: no warnings about them
  int refine, refinable; // how many times its elements each beam and cable has; number of these
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
