// SPDX-License-Identifier: Apache-2.0
// The control blocks of a model file as plain data, and the order in which they are evaluated. Their outputs are
// signals of the model (base/functions/signal.c), so loads can use them as amplitudes.
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
  bool held;            // uses inputs of the previous step, to break a loop
} NetworkBlock;

typedef struct {
  NetworkBlock *block;
  int blocks, room;
  int *signal; // the function of each output
  const char **signal_name;
  int *signal_block;
  int signals, signal_room;
  int *order;       // of evaluation
  long long states; // numbers that all blocks store
} Network;

// Adds a block with copies of its parameters and formulae; its signals are called NAME, or NAME.1, NAME.2, ... `use`
// has its inputs.
Error NetworkAdd(LimberModel m, Network *n, const BlockKind *kind, const char *name, const BlockUse *use,
                 const char *const *formula, int *index);

// Orders the blocks so that each comes after those whose outputs it needs at the same instant. `needs[i]`: the number
// of blocks that block i names, then these blocks. In each loop a block without direct feed-through is held. `loop`:
// NULL, or the blocks of a loop without such a block, ended by -1.
Error NetworkOrder(LimberModel m, Network *n, const int *const *needs, const int **loop);

// Address of the present value of the signal of that name, or NULL.
const double *model_signal_value(Model m, const char *name);

#endif
