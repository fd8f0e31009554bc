// SPDX-License-Identifier: Apache-2.0
// A controller in a shared library with the interface of DISCON: it is called with a record of numbers (avrSWAP), into
// which the inputs are put and from which the outputs are taken. Record 1 is the status (0: first call, 1: later ones),
// 2 the time, 3 the time between calls. The record is the state; what the library remembers beside it is its own.
#include "mechanics/block.h"

typedef struct {
  BlockCommon common;
  const char *file, *input_file;
  const void *inputs;
  const BlockMatrix *input_records, *output_records;
  int records;
} Library;

static bool are_records(const Library *p, const BlockMatrix *m) {
  bool good = m->rows == 1;
  for (int i = 0; good && i < m->columns; i++)
    good = m->value[i] >= 1 && m->value[i] <= p->records && m->value[i] == (int)m->value[i];
  return good;
}

static Reason check(const BlockUse *b) {
  const Library *p = b->params;
  if (p->records < 100 || p->records > BLOCK_RECORDS)
    return reason(REASON_VALUE, "records", "`records` must be from 100 to 100000");
  if (!are_records(p, p->input_records))
    return reason(REASON_VALUE, "input_records", "`input_records` must be a list of record numbers, from 1");
  if (!are_records(p, p->output_records))
    return reason(REASON_VALUE, "output_records", "`output_records` must be a list of record numbers, from 1");
  if (p->input_records->columns != b->inputs)
    return reason(REASON_VALUE, "input_records", "`input_records` needs one number for each of the `inputs`");
  return p->output_records->columns > BLOCK_OUTPUTS
             ? reason(REASON_LIMIT, "output_records", "`output_records` may have at most 20 numbers")
             : no_reason();
}

static int states(const BlockUse *b) { return ((const Library *)b->params)->records; }
static int outputs(const BlockUse *b) { return ((const Library *)b->params)->output_records->columns; }

static void step(const BlockUse *b, const BlockStep *s, double *state, double *out) {
  const Library *p = b->params;
  state[0] = s->dt > 0, state[1] = s->time, state[2] = s->dt > 0 ? s->dt : p->common.period;
  for (int i = 0; i < b->inputs; i++) state[(int)p->input_records->value[i] - 1] = s->in[i];
  if (b->library) b->library->call(b->library, p->records, state);
  for (int i = 0; i < outputs(b); i++) out[i] = state[(int)p->output_records->value[i] - 1];
}

static const Field fields[] = {
    {"file", FIELD_TEXT, 1, offsetof(Library, file), "", true, 0,
     "shared library with a function DISCON, from the folder of the model; needs --allow-library", NULL},
    {"inputs", FIELD_ANY, 1, offsetof(Library, inputs), "", true, 0, "a list of signals or formulae", NULL},
    {"input_records", FIELD_ANY, 1, offsetof(Library, input_records), "", true, 0,
     "numbers of the records that receive the inputs, from 1", NULL},
    {"output_records", FIELD_ANY, 1, offsetof(Library, output_records), "", true, 0,
     "numbers of the records that are outputs; several give NAME.1, NAME.2, ...", NULL},
    {"input_file", FIELD_TEXT, 1, offsetof(Library, input_file), "", false, 0,
     "file name passed to the library: accINFILE", NULL},
    {"records", FIELD_INT, 1, offsetof(Library, records), "", false, 200, "length of the record avrSWAP", NULL},
    BLOCK_PERIOD(Library),
};

static const double in_records[] = {20, 21}, out_records[] = {47};
static const BlockMatrix in_matrix = {1, 2, in_records}, out_matrix = {1, 1, out_records};
static const Library params = {{0}, "none.so", NULL, NULL, &in_matrix, &out_matrix, 200};
static const BlockUse example = {.params = &params, .inputs = 2, .given = {2}};

const BlockKind block_library = {
    .name = "library",
    .help = "A controller in a shared library with the DISCON interface.",
    .fields = FIELDS(fields, Library),
    .input = {"inputs"},
    .matrix = {"input_records", "output_records"},
    .check = check,
    .outputs = outputs,
    .states = states,
    .step = step,
    .loads = BLOCK_LOADS_LIBRARY,
    .example = &example,
};
