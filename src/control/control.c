// SPDX-License-Identifier: Apache-2.0
// Runs the control network of a model file: reads sensors, evaluates blocks and sets signals (control.h).
#include "control/control.h"

#include "analyses/stepping/between.h"
#include "control/aerodyn.h"
#include "control/bonds.h"
#include "control/library.h"
#include "control/sensors.h"
#include "model/formula.h"
#include "model/refusal.h"

#include <math.h>
#include <string.h>

typedef struct {   // of a block
  int64_t samples; // taken so far, if it has a period
  double since;    // s: time of the last evaluation
} Clock;

typedef struct {
  Between between; // comes first
  const Input *in;
  const Network *n;
  LimberRun run;
  const char *file; // the model file: library paths are relative to its folder
  Sensors *sensors;
  int inputs, states, works;
  Formula **formula; // one per input, block by block
  double *input, *last, *state, *work, *value;
  int *first_input, *first_state;
  BlockUse *use;
  Clock *clock;
  bool *due;
  ControlLibrary **library; // one per block, or NULL
  ControlBonds *bonds;      // or NULL
  bool started, attached;
  Refusal why; // its state cannot be restored
} ControlNetwork;

// ---- names in formulae ----

static const double *find_value(void *owner, const char *name) {
  ControlNetwork *c = owner;
  bool is_time = !strcmp(name, "t") || !strcmp(name, "time");
  for (int s = 0; s < c->n->signals && !is_time; s++)
    if (!strcmp(c->n->signal_name[s], name)) return &c->value[s];
  return sensors_find(c->sensors, name, NULL);
}

// ---- one evaluation ----

// Whether a block is due at the end of this step. Returns the time since its last evaluation.
static double find_due(const NetworkBlock *b, Clock *clock, double time, bool started, bool *due) {
  if (!(b->period > 0)) {
    double dt = started ? time - clock->since : 0;
    *due = true, clock->since = time;
    return dt;
  }
  int64_t count = (int64_t)floor(time / b->period + 1e-9) + 1, before = clock->samples;
  *due = count > before;
  if (!*due) return 0;
  clock->samples = count, clock->since = time;
  return before ? (double)(count - before) * b->period : 0;
}

static void read_inputs(ControlNetwork *c, int b) {
  for (int i = c->first_input[b]; i < c->first_input[b] + c->use[b].inputs; i++)
    c->input[i] = formula_value(c->formula[i]);
}

// An FMU that took its step with the model: only its outputs are read here.
static bool is_bonded(const NetworkBlock *b) { return b->use.unit && b->use.unit->bonded; }

// Evaluates all blocks that are due. Returns the first block that fails or whose output is not finite, or -1.
static int evaluate_blocks(ControlNetwork *c) {
  int bad = -1;
  for (int k = 0; k < c->n->blocks; k++) {
    int b = c->n->order[k];
    const NetworkBlock *block = &c->n->block[b];
    double dt = find_due(block, &c->clock[b], c->sensors->time, c->started, &c->due[b]), *out = c->value + block->first;
    if (!c->due[b]) continue;
    bool first = !c->started && is_bonded(block), held = block->held && !first;
    if (!held) read_inputs(c, b);
    BlockStep step = {c->sensors->time, dt, c->input + c->first_input[b], c->last + c->first_input[b], held};
    block->kind->step(&c->use[b], &step, c->state + c->first_state[b], out);
    for (int i = 0; i < block->outputs && bad < 0; i++)
      if (!isfinite(out[i])) bad = b;
    if (c->library[b] && c->library[b]->fail < 0) bad = b;
  }
  for (int b = 0; b < c->n->blocks; b++) {
    if (!c->due[b]) continue;
    if (c->n->block[b].held || is_bonded(&c->n->block[b])) read_inputs(c, b);
    memcpy(c->last + c->first_input[b], c->input + c->first_input[b], (size_t)c->use[b].inputs * sizeof *c->last);
  }
  return bad;
}

static PetscErrorCode SetSignals(ControlNetwork *c) {
  PetscFunctionBegin;
  for (int s = 0; s < c->n->signals; s++)
    PetscCall(LimberModelSetSignal(c->in->model, (LimberFunctionId){c->n->signal[s]}, c->value[s]));
  PetscFunctionReturn(0);
}

// Evaluates the blocks and sets the signals. Fails if an output is not finite or a library failed.
static PetscErrorCode React(ControlNetwork *c, LimberOutcome *out) {
  LimberCause *cause = &out->cause;
  PetscFunctionBegin;
  int bad = evaluate_blocks(c);
  c->started = true;
  if (bad >= 0) {
    const ControlLibrary *l = c->library[bad];
    const char *name = c->n->block[bad].name;
    bool library = l && l->fail < 0;
    out->reason = library ? LIMBER_LIBRARY_FAILURE : LIMBER_CONTROL_FAILURE;
    cause->kind = LIMBER_CAUSE_BLOCK, cause->index = bad;
    if (library)
      snprintf(cause->name, sizeof cause->name, "control block '%s', whose %s failed: %.200s", name, l->what,
               l->message);
    else snprintf(cause->name, sizeof cause->name, "control block '%s', which gives no finite number", name);
    PetscFunctionReturn(0);
  }
  PetscCall(SetSignals(c));
  PetscFunctionReturn(0);
}

static PetscErrorCode EvaluateNetwork(ControlNetwork *c, LimberOutcome *out) {
  PetscFunctionBegin;
  PetscCall(SensorsRead(c->sensors, true));
  PetscCall(React(c, out));
  PetscFunctionReturn(0);
}

static PetscErrorCode StepNetwork(Between *b, Stepper *p, LimberOutcome *out) {
  PetscFunctionBegin;
  (void)p;
  PetscCall(EvaluateNetwork((ControlNetwork *)b, out));
  PetscFunctionReturn(0);
}

// ---- checkpoints ----

// What libraries remember; in its place, why they cannot tell it.
static PetscErrorCode SaveLibraries(const ControlNetwork *c, CheckpointContainer *container) {
  unsigned char *bytes;
  size_t size;
  Refusal why;
  PetscFunctionBegin;
  for (int b = 0; b < c->n->blocks; b++) {
    ControlLibrary *l = c->library[b];
    if (!l || !l->save) continue;
    PetscCall(l->save(l, &bytes, &size, &why));
    if (is_refused(&why)) PetscCall(ContainerPut(container, "unsaved", b, why.text, strlen(why.text) + 1));
    else if (bytes) PetscCall(ContainerPut(container, "library", b, bytes, size));
    memory_free(&bytes);
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode RestoreLibraries(ControlNetwork *c, const CheckpointContainer *from, bool *good) {
  Refusal why;
  PetscFunctionBegin;
  for (int b = 0; b < c->n->blocks && *good; b++) {
    ControlLibrary *l = c->library[b];
    size_t size;
    if (!l || !l->restore) continue;
    const char *unsaved = container_text(from, "unsaved", b, &size);
    const void *bytes = unsaved ? NULL : container_find(from, "library", b, &size);
    refuse(&why, "%s", unsaved ? unsaved : bytes ? "" : "its state was not saved");
    PetscCall(l->restore(l, c->state + c->first_state[b], bytes, size, &why));
    *good = !is_refused(&why);
    if (!*good)
      refuse(&c->why, "the state of the %s of control block '%s' cannot be restored: %s", l->what, c->n->block[b].name,
             why.text);
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode SaveNetwork(const Between *b, CheckpointContainer *container) {
  const ControlNetwork *c = (const ControlNetwork *)b;
  PetscFunctionBegin;
  PetscCall(ContainerPut(container, "control", 0, c->state, (size_t)c->states * sizeof *c->state));
  PetscCall(ContainerPut(container, "control", 1, c->last, (size_t)c->inputs * sizeof *c->last));
  PetscCall(ContainerPut(container, "control", 2, c->value, (size_t)c->n->signals * sizeof *c->value));
  PetscCall(ContainerPut(container, "control", 3, c->clock, (size_t)c->n->blocks * sizeof *c->clock));
  PetscCall(SensorsSave(c->sensors, "sensors", container));
  PetscCall(SaveLibraries(c, container));
  PetscFunctionReturn(0);
}

static bool take_network(ControlNetwork *c, const CheckpointContainer *from) {
  Refusal why;
  return container_check(from, &why) &&
         container_take(from, "control", 0, c->state, (size_t)c->states * sizeof *c->state) &&
         container_take(from, "control", 1, c->last, (size_t)c->inputs * sizeof *c->last) &&
         container_take(from, "control", 2, c->value, (size_t)c->n->signals * sizeof *c->value) &&
         container_take(from, "control", 3, c->clock, (size_t)c->n->blocks * sizeof *c->clock) &&
         sensors_restore(c->sensors, "sensors", from);
}

static PetscErrorCode RestoreNetwork(Between *b, const void *bytes, size_t size, bool *good) {
  ControlNetwork *c = (ControlNetwork *)b;
  PetscFunctionBegin;
  const CheckpointContainer from = {.data = (unsigned char *)bytes, .size = size};
  c->why.text[0] = 0;
  *good = bytes && take_network(c, &from);
  if (*good) PetscCall(RestoreLibraries(c, &from, good));
  PetscCheck(!c->attached || !is_refused(&c->why), c->run->stepper->s->motion.layout.comm, PETSC_ERR_SUP, "%s",
             c->why.text);
  c->started = *good;
  if (*good) PetscCall(SetSignals(c));
  PetscFunctionReturn(0);
}

// ---- numbers ----

enum { CLOCK_NUMBERS = 2 };

// States of blocks, last inputs, signals, clocks.
static size_t count_numbers(const Between *b) {
  const ControlNetwork *c = (const ControlNetwork *)b;
  return (size_t)(c->states + c->inputs + c->n->signals + CLOCK_NUMBERS * c->n->blocks);
}

static double *copy_numbers(double *to, const double *from, int count) {
  if (count) memcpy(to, from, (size_t)count * sizeof *to);
  return to + count;
}

static void get_numbers(const Between *b, double *out) {
  const ControlNetwork *c = (const ControlNetwork *)b;
  out = copy_numbers(out, c->state, c->states);
  out = copy_numbers(out, c->last, c->inputs);
  out = copy_numbers(out, c->value, c->n->signals);
  for (int k = 0; k < c->n->blocks; k++) *out++ = (double)c->clock[k].samples, *out++ = c->clock[k].since;
}

static PetscErrorCode PutNumbers(Between *b, const double *in) {
  ControlNetwork *c = (ControlNetwork *)b;
  PetscFunctionBegin;
  copy_numbers(c->state, in, c->states), in += c->states;
  copy_numbers(c->last, in, c->inputs), in += c->inputs;
  copy_numbers(c->value, in, c->n->signals), in += c->n->signals;
  for (int k = 0; k < c->n->blocks; k++, in += CLOCK_NUMBERS) c->clock[k] = (Clock){llround(in[0]), in[1]};
  PetscCall(SetSignals(c));
  PetscFunctionReturn(0);
}

static bool is_smooth(const Between *b, size_t number) {
  const ControlNetwork *c = (const ControlNetwork *)b;
  for (int k = 0; k < c->n->blocks; k++) {
    int last = c->first_state[k] + block_states(c->n->block[k].kind, &c->use[k]) - 1;
    if (c->n->block[k].kind->counts && number == (size_t)last) return false;
  }
  return number < count_numbers(b) - (size_t)(CLOCK_NUMBERS * c->n->blocks);
}

static int function_of_number(const Between *b, size_t number) {
  const ControlNetwork *c = (const ControlNetwork *)b;
  size_t first = (size_t)(c->states + c->inputs);
  return number >= first && number < first + (size_t)c->n->signals ? c->n->signal[number - first] : -1;
}

// ---- readings ----

static size_t count_readings(const Between *b) { return sensors_readings(((const ControlNetwork *)b)->sensors); }

static PetscErrorCode ReadSensors(Between *b, double *out) {
  PetscFunctionBegin;
  PetscCall(SensorsPeek(((ControlNetwork *)b)->sensors, out));
  PetscFunctionReturn(0);
}

static PetscErrorCode ReactToReadings(Between *b, const double *readings, LimberOutcome *out) {
  ControlNetwork *c = (ControlNetwork *)b;
  PetscFunctionBegin;
  sensors_take(c->sensors, readings);
  PetscCall(React(c, out));
  PetscFunctionReturn(0);
}

static const char *name_reading(Between *b, size_t reading, bool *of_several) {
  return sensors_name(((ControlNetwork *)b)->sensors, reading, of_several);
}

static void follow_sensors(Between *b, const Between *like) {
  probes_follow(((ControlNetwork *)b)->sensors->probes, ((const ControlNetwork *)like)->sensors->probes);
}

static bool reads_formulas(const Between *b) { return ((const ControlNetwork *)b)->sensors->formulas; }
static bool reads_signals(const Between *b) { return ((const ControlNetwork *)b)->sensors->signals; }

static bool is_of_several(const Between *b, size_t reading) {
  return sensors_of_several(((const ControlNetwork *)b)->sensors, reading);
}

static const BetweenBack back = {.count = count_readings,
                                 .read = ReadSensors,
                                 .react = ReactToReadings,
                                 .name = name_reading,
                                 .follow = follow_sensors,
                                 .is_smooth = is_smooth,
                                 .function = function_of_number,
                                 .reads_formulas = reads_formulas,
                                 .reads_itself = reads_signals,
                                 .of_several = is_of_several};

// Whether blocks are functions of numbers alone.
static bool has_numbers(const Network *n) {
  bool all = true;
  for (int b = 0; b < n->blocks; b++) all = all && n->block[b].kind->loads == BLOCK_LOADS_NOTHING;
  return all;
}

// ---- creating ----

static PetscErrorCode DestroyNetwork(Between **between) {
  ControlNetwork *c = (ControlNetwork *)*between;
  PetscFunctionBegin;
  for (int i = 0; i < c->inputs && c->formula; i++) formula_destroy(&c->formula[i]);
  for (int b = 0; b < c->n->blocks && c->library; b++) PetscCall(ControlLibraryClose(&c->library[b]));
  PetscCall(ControlBondsDestroy(&c->bonds));
  PetscCall(SensorsDestroy(&c->sensors));
  PetscCall(PetscFree(c->formula));
  PetscCall(PetscFree5(c->input, c->last, c->state, c->work, c->value));
  PetscCall(PetscFree6(c->first_input, c->first_state, c->use, c->clock, c->due, c->library));
  PetscCall(PetscFree(c));
  *between = NULL;
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateSensors(ControlNetwork *c) {
  const char **formula;
  int count = 0;
  PetscFunctionBegin;
  for (int b = 0; b < c->n->blocks; b++) count += c->n->block[b].use.inputs;
  PetscCall(PetscMalloc1(count, &formula));
  count = 0;
  for (int b = 0; b < c->n->blocks; b++)
    for (int i = 0; i < c->n->block[b].use.inputs; i++) formula[count++] = c->n->block[b].formula[i];
  PetscCall(SensorsCreate(c->in, c->run, count, formula, &c->sensors));
  PetscCall(PetscFree(formula));
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateFormulae(ControlNetwork *c) {
  FormulaMistake mistake;
  PetscFunctionBegin;
  for (int b = 0; b < c->n->blocks; b++)
    for (int i = 0; i < c->use[b].inputs; i++) {
      const char *text = c->n->block[b].formula[i];
      Formula **f = &c->formula[c->first_input[b] + i];
      PetscCall(FormulaCreate(text, find_value, c, f, &mistake));
      PetscCheck(*f, PETSC_COMM_SELF, PETSC_ERR_PLIB, "formula '%s': %s", text, mistake.text);
    }
  PetscFunctionReturn(0);
}

static PetscErrorCode OpenLibrary(ControlNetwork *c, int b, Refusal *wrong) {
  const NetworkBlock *block = &c->n->block[b];
  const FieldTable *t = &block->kind->fields;
  const Field *file = field_find(t, "file");
  MPI_Comm comm = c->run->stepper->s->motion.layout.comm;
  char path[4400];
  Refusal why;
  PetscFunctionBegin;
  if (block->kind->loads == BLOCK_LOADS_NOTHING || is_refused(wrong)) PetscFunctionReturn(0);
  const char *params = block->use.params, *name = *(const char *const *)(params + file->offset);
  if (!c->in->allow_library) {
    refuse(wrong,
           "control block '%s' needs the option --allow-library, in Python allow_library=True: it loads '%s', which "
           "runs with your permissions",
           block->name, name);
    PetscFunctionReturn(0);
  }
  if (block->kind->loads == BLOCK_LOADS_UNIT) {
    PetscCall(ControlFmuOpen(comm, block->name, &block->use, &c->library[b], &why));
    if (is_refused(&why)) refuse(wrong, "control block '%s': its FMU '%s': %s", block->name, name, why.text);
    c->use[b].library = &c->library[b]->library;
    PetscFunctionReturn(0);
  }
  const char *infile = *(const char *const *)(params + field_find(t, "input_file")->offset);
  const char *slash = strrchr(c->file, '/');
  snprintf(path, sizeof path, "%.*s%s", name[0] == '/' || !slash ? 0 : (int)(slash - c->file) + 1, c->file, name);
  if (!strchr(path, '/')) snprintf(path, sizeof path, "./%s", name); // not from the system's library path
  PetscCall(ControlLibraryOpen(comm, path, infile, block_states(block->kind, &block->use), &c->library[b], &why));
  if (is_refused(&why)) refuse(wrong, "control block '%s': %s", block->name, why.text);
  c->use[b].library = &c->library[b]->library;
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateBlocks(ControlNetwork *c, Refusal *wrong) {
  const Network *n = c->n;
  PetscFunctionBegin;
  PetscCall(PetscCalloc6(n->blocks, &c->first_input, n->blocks, &c->first_state, n->blocks, &c->use, n->blocks,
                         &c->clock, n->blocks, &c->due, n->blocks, &c->library));
  for (int b = 0; b < n->blocks; b++) {
    const NetworkBlock *block = &n->block[b];
    c->first_input[b] = c->inputs, c->first_state[b] = c->states, c->use[b] = block->use;
    c->inputs += block->use.inputs, c->states += block_states(block->kind, &block->use);
    c->works += block_work(block->kind, &block->use);
  }
  PetscCall(PetscCalloc5(c->inputs + 1, &c->input, c->inputs + 1, &c->last, c->states, &c->state, c->works, &c->work,
                         n->signals, &c->value));
  int work = 0;
  for (int b = 0; b < n->blocks; b++) {
    const NetworkBlock *block = &n->block[b];
    c->use[b].work = c->work + work, work += block_work(block->kind, &block->use);
    if (block->kind->start) block->kind->start(&c->use[b], c->state + c->first_state[b]);
    PetscCall(OpenLibrary(c, b, wrong));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode AttachNetwork(const Input *in, LimberRun run, const CheckpointContainer *from, Refusal *wrong) {
  ControlNetwork *c;
  size_t length;
  bool good;
  PetscFunctionBegin;
  if (!in->network.blocks) PetscFunctionReturn(0);
  PetscCall(PetscNew(&c));
  c->between =
      (Between){.step = StepNetwork, .save = SaveNetwork, .restore = RestoreNetwork, .destroy = DestroyNetwork};
  if (has_numbers(&in->network))
    c->between.count = count_numbers, c->between.get = get_numbers, c->between.put = PutNumbers,
    c->between.back = &back;
  c->in = in, c->n = &in->network, c->run = run;
  between_add(run->stepper, &c->between);
  c->file = from ? container_text(from, "path", 0, &length) : NULL; // path of the model file when the run started
  if (!c->file) c->file = in->file;
  PetscCall(CreateSensors(c));
  PetscCall(CreateBlocks(c, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(c->inputs, &c->formula));
  PetscCall(CreateFormulae(c));
  const BondedBlocks bonded = {c->n, c->library, c->state, c->last, c->first_state, c->first_input};
  PetscCall(ControlBondsAttach(run, &bonded, &c->bonds));
  if (!from) {
    LimberOutcome out = {.reason = LIMBER_CONVERGED};
    PetscCall(EvaluateNetwork(c, &out));
    if (out.reason != LIMBER_CONVERGED) refuse(wrong, "%s", out.cause.name);
    control_bonds_start(c->bonds);
    c->attached = true;
    PetscFunctionReturn(0);
  }
  const void *bytes = container_find(from, "network", 0, &length);
  PetscCall(RestoreNetwork(&c->between, bytes, length, &good));
  c->attached = true;
  if (!good) refuse(wrong, "%s", is_refused(&c->why) ? c->why.text : "the state of its control does not fit the model");
  PetscFunctionReturn(0);
}

PetscErrorCode ControlReset(const Input *in) {
  PetscFunctionBegin;
  for (int s = 0; s < in->network.signals; s++)
    PetscCall(LimberModelSetSignal(in->model, (LimberFunctionId){in->network.signal[s]}, 0));
  PetscFunctionReturn(0);
}

PetscErrorCode ControlAttach(const Input *in, LimberRun run, const CheckpointContainer *from, Refusal *wrong) {
  PetscFunctionBegin;
  wrong->text[0] = 0;
  PetscCall(AerodynAttach(in, run, from, wrong));
  if (!is_refused(wrong)) PetscCall(AttachNetwork(in, run, from, wrong));
  if (!is_refused(wrong)) PetscCall(EventProbesAttach(in, run, from, wrong));
  PetscFunctionReturn(0);
}
