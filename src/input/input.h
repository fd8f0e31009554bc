// SPDX-License-Identifier: Apache-2.0
// A model file (YAML, docs/model.md) read into a model, what to run and what to record. Every mistake of the file is
// noted at its place; a file with errors gives a model that is not to be run.
#ifndef LIMBER_INPUT_INPUT_H
#define LIMBER_INPUT_INPUT_H

#include "input/note.h"
#include "model/model.h"

#include <stdint.h>

typedef enum { PROBE_NODE, PROBE_ELEMENT, PROBE_JOINT } ProbeKind;

typedef struct {
  const char *name;
  ProbeKind kind;
  LimberId id;
  int point; // integration point along an element item
} Probe;

typedef struct {
  LimberModel model;
  const char *title; // "" if there is none
  LimberOptions options;
  double end;    // s
  int every;     // steps between two rows of the history
  int64_t steps; // from 0 to end
  Probe *probe;
  int probes;
  Notes notes;
  struct {
    const char *key;
    Place at;
  } run_key[16]; // what stood under `run`, for notes on the options
  int run_keys;
  Place run_at;
  const char *file;
  char *text;
} Input;

// `file` is the name that notes carry.
PetscErrorCode InputRead(const char *file, const char *text, size_t length, Input **out);
PetscErrorCode InputDestroy(Input **in);

// Notes a mistake in the options of a run: at the key of `run` that the message names, or at `run` itself.
PetscErrorCode InputNoteOptions(Input *in, const char *wrong);

const char *input_yaml_library(void); // version of libfyaml

#endif
