// SPDX-License-Identifier: Apache-2.0
// A model file (YAML, docs/model.md) read into a model, what to run and what to record. Every mistake of the file is
// noted at its place; a file with errors gives a model that is not to be run.
#ifndef LIMBER_INPUT_INPUT_H
#define LIMBER_INPUT_INPUT_H

#include "input/source.h"
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
  const char *file;
  char *text;
} Input;

// `file` is the name that notes carry.
Error InputRead(const char *file, const char *text, size_t length, Input **out);
Error InputDestroy(Input **in);

const char *input_yaml_library(void); // version of libfyaml

#endif
