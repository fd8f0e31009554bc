// SPDX-License-Identifier: Apache-2.0
// A functional mock-up unit (FMU). It is called with a record of numbers: the present time, that of the last call, the
// length of a step, the inputs, and the outputs. The record is the state; what the FMU remembers beside it is saved with
// its own functions.
#include "mechanics/block.h"

typedef struct {
  BlockCommon common;
  const char *file;
  const void *inputs, *outputs, *parameters;
  int interface;
  double tolerance;
} FmuBlock;

static const char *interface_word(int i) { // of FmuInterfaceWord
  static const char *const words[] = {"any", "co_simulation", "model_exchange", NULL};
  return words[i];
}
static const FieldMore interfaces = {NULL, interface_word};

enum { NOW, BEFORE, STEP, FIRST };

static int outputs(const BlockUse *b) { return b->unit ? b->unit->outputs : 1; }
static int states(const BlockUse *b) { return FIRST + b->inputs + outputs(b); }
static bool direct(const BlockUse *b) { return !b->unit || (b->unit->direct && !b->unit->bonded); }

static void step(const BlockUse *b, const BlockStep *s, double *state, double *out) {
  double *in = state + FIRST, *given = in + b->inputs;
  if (b->unit && b->unit->bonded && s->dt > 0) {
    for (int i = 0; i < outputs(b); i++) out[i] = given[i];
    return;
  }
  state[BEFORE] = state[NOW], state[NOW] = s->time;
  for (int i = 0; i < b->inputs; i++) in[i] = s->held ? s->last[i] : s->in[i];
  if (b->library) b->library->call(b->library, states(b), state);
  for (int i = 0; i < outputs(b); i++) out[i] = given[i];
}

static const Field fields[] = {
    {"file", FIELD_TEXT, 1, offsetof(FmuBlock, file), "", true, 0,
     "FMU of version 2.0 or 3.0, from the folder of the model; a run needs --allow-library", NULL},
    {"inputs", FIELD_ANY, 1, offsetof(FmuBlock, inputs), "", false, 0,
     "a map of its inputs to signals or formulae, in SI units", NULL},
    {"outputs", FIELD_ANY, 1, offsetof(FmuBlock, outputs), "", true, 0,
     "a list of its variables; several give NAME.1, NAME.2, ..., in SI units", NULL},
    {"parameters", FIELD_ANY, 1, offsetof(FmuBlock, parameters), "", false, 0,
     "a map of its parameters and start values to numbers, with units", NULL},
    {"interface", FIELD_WORD, 1, offsetof(FmuBlock, interface), "", false, 0,
     "co_simulation: the FMU takes its steps itself; model_exchange: Limber integrates its states; default: "
     "co_simulation if it is made for that",
     &interfaces},
    {"tolerance", FIELD_REAL, 1, offsetof(FmuBlock, tolerance), "", false, 0,
     "relative error of a step of the solver of model exchange; default: that of the FMU, or 1e-6", NULL},
    BLOCK_PERIOD(FmuBlock),
};

static const FmuBlock params = {{0}, "none.fmu", NULL, NULL, NULL, 0, 0};
static const BlockUse example = {.params = &params, .inputs = 2, .given = {2}};

const BlockKind block_fmu = {
    .name = "fmu",
    .help = "A functional mock-up unit (FMU): a controller or another model, for co-simulation or model exchange.",
    .fields = FIELDS(fields, FmuBlock),
    .outputs = outputs,
    .states = states,
    .direct = direct,
    .step = step,
    .loads = BLOCK_LOADS_UNIT,
    .example = &example,
};
