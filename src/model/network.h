// SPDX-License-Identifier: Apache-2.0
// The network of control blocks of a model file as plain data: what each block is made of, and the order in which they
// are evaluated. Its outputs are signals of the model (base/functions/signal.c), so that loads can have them as
// amplitudes.
#ifndef LIMBER_MODEL_NETWORK_H
#define LIMBER_MODEL_NETWORK_H

#include "mechanics/block.h"
#include "model/model.h"

typedef struct {
  const BlockKind *kind;
  const char *name;
  BlockUse use;
  const char **formula; // of each input
  double period;        // s; 0: every step
  int first, outputs;   // among the signals
  bool held;            // its inputs are those of the step before: a loop goes through it
} NetworkBlock;

typedef struct {
  NetworkBlock *block;
  int blocks, room;
  int *signal; // the function of each output
  const char **signal_name;
  int *signal_block;
  int signals, signal_room;
  int *order;       // of evaluation
  long long states; // numbers that all blocks remember
} Network;

// Adds a block with copies of its parameters and formulae; NAME, or NAME.1, NAME.2, ... are its signals. `use` has its
// inputs.
Error NetworkAdd(LimberModel m, Network *n, const BlockKind *kind, const char *name, const BlockUse *use,
                 const char *const *formula, int *index);

// Orders the blocks: whose output needs its input of the same instant comes after those that give it. `needs[i]` lists
// the blocks that block i names, with their number before it. Where a loop closes, a block without direct feed-through
// is held. `loop`: NULL, or the blocks of a loop that has none, which ends with -1.
Error NetworkOrder(LimberModel m, Network *n, const int *const *needs, const int **loop);

// Where the present value of a signal of that name stands, or NULL.
const double *model_signal_value(Model m, const char *name);

#endif
