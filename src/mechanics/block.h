// SPDX-License-Identifier: Apache-2.0
// The contract of a block of a control network: numbers in, numbers out, and a state that it carries from one
// evaluation to the next. A block is evaluated at the end of steps, or at samples of its own period; its output is held
// until the next.
//
// Over the time dt since the last evaluation the input goes in a straight line from `last` to `in` (first-order hold).
// A block that is `held` does not know `in`: its input stays at `last` (zero-order hold), which only blocks without
// direct feed-through can bear, for their output must not need the input of the same instant. So loops of blocks are
// closed. With dt = 0, the first evaluation, no state moves.
#ifndef LIMBER_MECHANICS_BLOCK_H
#define LIMBER_MECHANICS_BLOCK_H

#include "base/field.h"

enum {
  BLOCK_INPUT_FIELDS = 3, // of a kind at most
  BLOCK_MATRIX_FIELDS = 5,
  BLOCK_INPUTS = 20, // of a block at most
  BLOCK_OUTPUTS = 20,
  BLOCK_ORDER = 20,       // of a linear system
  BLOCK_DELAY = 100000,   // samples
  BLOCK_RECORDS = 100000, // of a library
};

typedef struct { // numbers of the user: a number, a list (one row), or rows
  int rows, columns;
  const double *value; // row by row
} BlockMatrix;

static inline double block_matrix(const BlockMatrix *m, int i, int j) { return m->value[i * m->columns + j]; }

typedef struct { // what every block has: the first member of its structure
  double period; // s between two samples; 0: it is evaluated at each end of a step
} BlockCommon;

// A number that need not be given.
static inline double block_number(const double *given, double otherwise) { return given ? *given : otherwise; }

#define BLOCK_PERIOD(type) \
  { \
    "period", FIELD_REAL, 1, offsetof(type, common.period), "s", false, 0, \
        "sampling period; the output is held between samples; default: every step", NULL \
  }

// A library that is loaded: calls it with its record of numbers. False: it cannot be called.
typedef struct BlockLibrary BlockLibrary;
struct BlockLibrary {
  bool (*call)(BlockLibrary *l, int records, double *record);
};

// What a block knows of the functional mock-up unit (FMU) that it is.
typedef struct {
  int outputs;
  bool direct;     // they may depend on inputs of the same instant
  bool bonded;     // it takes its steps within those of the model, whose bonds are ports (control/bonds.h)
  const void *use; // what the model uses of it (fmu/read/description.h)
} BlockUnit;

typedef struct { // a block as it stands in a network
  const void *params;
  int inputs, given[BLOCK_INPUT_FIELDS]; // formulae that each of its fields has, in this order
  double *work;                          // `work` numbers of its own, which follow from its parameters and dt
  BlockLibrary *library;                 // or NULL
  const BlockUnit *unit;                 // or NULL
} BlockUse;

typedef struct {
  double time, dt;
  const double *in, *last;
  bool held; // `in` is not known
} BlockStep;

typedef enum {
  BLOCK_LOADS_NOTHING,
  BLOCK_LOADS_LIBRARY, // by its fields `file` and `input_file`
  BLOCK_LOADS_UNIT,    // by its field `file`; `inputs`, `outputs` and `parameters` name variables of the unit
} BlockLoads;

typedef struct {
  const char *name, *help;
  FieldTable fields;
  const char *input[BLOCK_INPUT_FIELDS + 1];   // fields that are formulae of signals, or lists of such
  const char *matrix[BLOCK_MATRIX_FIELDS + 1]; // fields that are a BlockMatrix
  Reason (*check)(const BlockUse *b);
  int (*outputs)(const BlockUse *b); // NULL: 1
  int (*states)(const BlockUse *b);  // NULL: 0
  int (*work)(const BlockUse *b);    // NULL: 0
  bool (*direct)(const BlockUse *b); // whether the output needs the input of the same instant; NULL: it does
  bool counts;                       // its last state is a whole number, which has no derivative
  void (*start)(const BlockUse *b, double *state); // NULL: zeros
  void (*step)(const BlockUse *b, const BlockStep *s, double *state, double *out);
  BlockLoads loads;
  const BlockUse *example; // for the tests
} BlockKind;

extern const BlockKind *const block_kinds[]; // ends with NULL

static inline int block_outputs(const BlockKind *k, const BlockUse *b) { return k->outputs ? k->outputs(b) : 1; }
static inline int block_states(const BlockKind *k, const BlockUse *b) { return k->states ? k->states(b) : 0; }
static inline int block_work(const BlockKind *k, const BlockUse *b) { return k->work ? k->work(b) : 0; }
static inline bool block_direct(const BlockKind *k, const BlockUse *b) { return !k->direct || k->direct(b); }

// Linear systems x' = A x + B u, y = C x + D u of control blocks, whose states are exact for inputs in straight lines.

typedef struct {
  int n, m, p; // states, inputs, outputs
  double a[BLOCK_ORDER * BLOCK_ORDER], b[BLOCK_ORDER * BLOCK_INPUTS], c[BLOCK_OUTPUTS * BLOCK_ORDER],
      d[BLOCK_OUTPUTS * BLOCK_INPUTS];
} LinearSystem;

int linear_work(int n, int m); // numbers that linear_step remembers for a dt
void linear_step(const LinearSystem *s, const BlockStep *t, double *work, double *state, double *out);

// The companion form of a transfer function, coefficients of falling powers; the first of the denominator is not 0.
void linear_transfer_function(int numerator, const double *num, int denominator, const double *den, LinearSystem *out);

#endif
