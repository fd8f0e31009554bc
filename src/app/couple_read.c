// SPDX-License-Identifier: Apache-2.0
// What a coupled run is made of: the system, the models of its participants, and how they fit together.
#include "app/couple.h"
#include "app/couple_ssp.h"

#include "app/command.h"
#include "base/functions/function.h"
#include "input/yaml/names.h"
#include "quantities/ledger.h"
#include "results/write/output.h"

#include <string.h>

static const char name[] = "couple";

// ---- the models ----

static Error SideReport(Couple *c, SourceLocation at, const char *participant, const char *text) {
  return DiagnosticsAdd(&c->in->diagnostics, DIAGNOSTIC_ERROR, at, "participant '%s': %s", participant, text);
}

// The changes of --set that begin with the name of a participant are those of its model.
static const char *own_change(const char *change, const char *participant) {
  size_t n = strlen(participant);
  return !strncmp(change, participant, n) && change[n] == '.' ? change + n + 1 : NULL;
}

static Error ReadModel(Couple *c, int i) {
  const Participant *p = &c->in->participant[i];
  const InputSource *source = p->text ? NULL : &c->in->source[p->source];
  const char *text = source ? source->text : p->text;
  CoupledSide *s = &c->side[i];
  const char *given[MAX_GIVEN + 1], *change[MAX_GIVEN + 4];
  char step[60], end[60], every[60];
  int count = 0, n = arguments_of(c->arguments, "set", given);
  for (int k = 0; k < n; k++)
    if (own_change(given[k], p->name)) change[count++] = own_change(given[k], p->name);
  snprintf(step, sizeof step, "run.step=%.17g s", c->in->options.step);
  snprintf(end, sizeof end, "run.end=%.17g s", c->in->end);
  snprintf(every, sizeof every, "run.every=%d", c->in->every);
  change[count++] = step, change[count++] = end, change[count++] = every;
  TRY(InputRead(p->path, text, source ? source->length : strlen(text),
                &(InputOptions){c->read, change, count, argument_value(c->arguments, "allow-outside"),
                                c->options.allow_library, false},
                &s->in));
  TRY(DiagnosticsPrint(&s->in->diagnostics, stderr, style_diagnostic));
  if (s->in->diagnostics.errors) TRY(SideReport(c, p->at, p->name, "its model has errors, see above"));
  return 0;
}

static Error CheckModel(Couple *c, int i) {
  const Participant *p = &c->in->participant[i];
  CoupledSide *s = &c->side[i];
  if (s->in->diagnostics.errors) return 0;
  if (s->in->participants) TRY(SideReport(c, p->at, p->name, "it is a system itself, and not a model"));
  if (!s->in->steps) TRY(SideReport(c, p->at, p->name, "its run chooses its steps (`control`); all have the same"));
  s->waves = model_waves(s->in->model);
  return 0;
}

// ---- connections ----

static int find_port(const Model m, const char *port) {
  for (int i = 0; i < m->ports.count; i++)
    if (model_port(m, i)->name && !strcmp(model_port(m, i)->name, port)) return i;
  return LIMBER_NONE;
}

static void try_name(void *nearest, const char *text) { nearest_try(nearest, text); }

static Error ReportMissing(Couple *c, const Connection *q, int e) {
  const Input *in = c->side[q->end[e].participant].in;
  const Model m = in->model;
  const char *what = q->wave ? "port" : e ? "function of the kind `signal`" : "column of a probe and no signal";
  char text[900];
  Nearest n;
  nearest_begin(&n, q->end[e].name);
  for (int i = 0; q->wave && i < m->ports.count; i++) nearest_try(&n, model_port(m, i)->name);
  for (int i = 0; !q->wave && !e && i < in->probes; i++) probe_visit(m, &in->probe[i], try_name, &n);
  for (int i = 0; !q->wave && !e && i < in->network.signals; i++) nearest_try(&n, in->network.signal_name[i]);
  for (int i = 0; !q->wave && e && i < m->functions.count; i++)
    if (model_function(m, i)->kind == &function_signal && model_function(m, i)->name)
      nearest_try(&n, model_function(m, i)->name);
  snprintf(text, sizeof text, "it has no %s '%s'%s", what, q->end[e].name, *n.all ? nearest_hint(&n, "it has") : "");
  return SideReport(c, q->end[e].at, c->side[q->end[e].participant].name, text);
}

static Error CheckLine(Couple *c, const Connection *q) {
  LimberConnection *line = &c->line[c->lines];
  *line = (LimberConnection){.sign = q->opposite ? -1 : 1};
  bool good = true;
  for (int e = 0; e < 2; e++) {
    const CoupledSide *s = &c->side[q->end[e].participant];
    int port = find_port(s->in->model, q->end[e].name);
    if (port == LIMBER_NONE) TRY(ReportMissing(c, q, e));
    for (int k = 0; k < c->lines && port != LIMBER_NONE; k++)
      for (int f = 0; f < 2; f++)
        if (c->line[k].run[f] == q->end[e].participant && c->line[k].port[f].index == port) {
          TRY(SideReport(c, q->end[e].at, s->name, "this port has another connection"));
          good = false;
        }
    good = good && port != LIMBER_NONE;
    line->run[e] = q->end[e].participant, line->port[e] = LIMBER_ID(LimberPortId, port);
  }
  if (!good) return 0;
  const ModelPort *port[2];
  for (int e = 0; e < 2; e++) port[e] = model_port(c->side[line->run[e]].in->model, line->port[e].index);
  if (port[0]->count != port[1]->count)
    TRY(DiagnosticsAdd(&c->in->diagnostics, DIAGNOSTIC_ERROR, q->end[1].at,
                       "one port is at a coordinate, the other at a node"));
  else if (port[0]->mass != port[1]->mass || port[0]->impedance != port[1]->impedance)
    TRY(DiagnosticsAdd(&c->in->diagnostics, DIAGNOSTIC_ERROR, q->end[1].at,
                       "both ends of a line need the same `mass` or `impedance`; here they are %g and %g",
                       port[0]->mass > 0 ? port[0]->mass : port[0]->impedance,
                       port[1]->mass > 0 ? port[1]->mass : port[1]->impedance));
  c->lines++;
  return 0;
}

static bool has_output(const Input *in, const char *column) {
  return probes_find(in->model, in->probes, in->probe, column) >= 0 || model_signal_value(in->model, column) ||
         ledger_find(column);
}

static Error CheckSignal(Couple *c, const Connection *q) {
  CoupledSide *s = &c->side[q->end[1].participant], *from = &c->side[q->end[0].participant];
  if (!has_output(from->in, q->end[0].name)) TRY(ReportMissing(c, q, 0));
  c->signal[c->signals].from = &from->value[from->outputs];
  c->signal[c->signals++].to = &s->signal[s->inputs];
  from->output[from->outputs++] = q->end[0].name;
  int f = limber_model_find_function(s->in->model, q->end[1].name).index;
  if (f == LIMBER_NONE || model_function(s->in->model, f)->kind != &function_signal) return ReportMissing(c, q, 1);
  for (int k = 0; k < s->inputs; k++)
    if (s->function[k] == f) TRY(SideReport(c, q->end[1].at, s->name, "this signal has another connection"));
  s->function[s->inputs++] = f;
  return 0;
}

static Error CheckConnections(Couple *c) {
  for (int i = 0; i < c->sides; i++)
    if (c->side[i].in->diagnostics.errors) return 0;
  for (int k = 0; k < c->in->connections; k++) {
    const Connection *q = &c->in->connection[k];
    if (q->wave) TRY(CheckLine(c, q));
    else TRY(CheckSignal(c, q));
  }
  for (int i = 0; i < c->sides && !c->in->diagnostics.errors; i++)
    for (int k = 0; k < c->side[i].in->model->ports.count; k++) {
      bool used = false;
      char text[300];
      for (int l = 0; l < c->lines; l++)
        for (int e = 0; e < 2; e++) used = used || (c->line[l].run[e] == i && c->line[l].port[e].index == k);
      snprintf(text, sizeof text, "its port '%.200s' has no connection", model_port(c->side[i].in->model, k)->name);
      if (!used) TRY(SideReport(c, c->in->participant[i].at, c->side[i].name, text));
    }
  return 0;
}

// ---- reading ----

static Error MakeSides(Couple *c) {
  c->sides = c->in->participants;
  size_t n = (size_t)c->in->connections + 1;
  TRY(MemoryNew((size_t)c->sides * sizeof *c->side, &c->side));
  TRY(MemoryNew((size_t)c->sides * sizeof *c->ends, &c->ends));
  TRY(MemoryNew(n * sizeof *c->line, &c->line));
  TRY(MemoryNew(n * sizeof *c->signal, &c->signal));
  for (int i = 0; i < c->sides; i++) {
    CoupledSide *s = &c->side[i];
    char ending[300];
    *s = (CoupledSide){.name = c->in->participant[i].name, .socket = -1};
    TRY(MemoryNew(n * sizeof *s->output, &s->output));
    TRY(MemoryNew(n * sizeof *s->function, &s->function));
    TRY(MemoryNew(n * sizeof *s->value, &s->value));
    TRY(MemoryNew(n * sizeof *s->signal, &s->signal));
    TRY(ReadModel(c, i));
    TRY(CheckModel(c, i));
    size_t w = (size_t)s->waves + 1;
    double **array[] = {&s->in_wave, &s->out_wave, &s->velocity, &s->acceleration};
    for (size_t k = 0; k < sizeof array / sizeof array[0]; k++) TRY(MemoryNew(w * sizeof(double), array[k]));
    TRY(MemoryNew(w * w * sizeof(double), &s->compliance));
    snprintf(s->command, sizeof s->command, "couple: %s", s->name);
    snprintf(ending, sizeof ending, ".%s.h5", s->name);
    output_beside(c->path, ending, s->path, sizeof s->path);
  }
  return 0;
}

static uint64_t add_sources(uint64_t sum, const Input *in) {
  for (int i = 0; i < in->sources; i++) sum = container_checksum(sum, in->source[i].text, in->source[i].length);
  return sum;
}

// What a checkpoint must fit: all files of the system and of its participants, and all changes but that of the end.
static uint64_t find_identity(const Couple *c) {
  const char *given[MAX_GIVEN + 1];
  int n = arguments_of(c->arguments, "set", given);
  uint64_t sum = add_sources(1, c->in);
  for (int i = 0; i < c->sides; i++) sum = add_sources(sum, c->side[i].in);
  for (int i = 0; i < n; i++)
    if (strncmp(given[i], "run.end", 7)) sum = container_checksum(sum, given[i], strlen(given[i]));
  return sum;
}

static bool is_of_participant(const Couple *c, const char *change) {
  for (int i = 0; i < c->in->participants; i++)
    if (own_change(change, c->in->participant[i].name)) return true;
  return false;
}

static bool is_given(const Arguments *a, const char *field) {
  const char *given[MAX_GIVEN + 1];
  int n = arguments_of(a, "set", given);
  for (int i = 0; i < n; i++)
    if (!strncmp(given[i], field, strlen(field)) && strchr("= ", given[i][strlen(field)])) return true;
  return false;
}

// A system structure has no step, and its end may be missing.
static Error OpenArchive(Couple *c, const char *path, SspInfo *ssp, bool *good) {
  Refusal wrong;
  TRY(SspOpen(path, ssp, &wrong));
  if (!is_refused(&wrong) && !is_given(c->arguments, "run.step"))
    refuse(&wrong, "'%s' has no step, which system structures do not have: add --set run.step=1ms", path);
  if (!is_refused(&wrong) && !ssp->has_end && !is_given(c->arguments, "run.end"))
    refuse(&wrong, "'%s' has no stop time: add --set run.end=1s", path);
  *good = !is_refused(&wrong);
  if (!*good) print_command_error(name, "%s", wrong.text);
  else if (ssp->ignored)
    print_command_error(name, "warning: %d connection%s of the system itself %s left out", ssp->ignored,
                        ssp->ignored == 1 ? " to a connector" : "s to connectors", ssp->ignored == 1 ? "is" : "are");
  return 0;
}

static Error ReadSystem(Couple *c, ExitCode *code) {
  static const char *const parts[] = {"run", "let", "participants", "connections", "title"};
  const Arguments *a = c->arguments;
  const char *given[MAX_GIVEN + 1], *change[MAX_GIVEN + 1];
  int n = arguments_of(a, "set", given), changes = 0;
  for (int i = 0; i < n; i++)
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
      if (own_change(given[i], parts[k])) change[changes++] = given[i];
  const char *file = a->word[0];
  static SspInfo ssp; // the input keeps the name
  c->read = SourceRead;
  if (is_ssp(file)) {
    bool good;
    TRY(OpenArchive(c, file, &ssp, &good));
    if (!good) return 0;
    c->read = SspSource, file = ssp.system;
  }
  TRY(LoadModelFile(
      name, file,
      &(InputOptions){c->read, change, changes, argument_value(a, "allow-outside"), c->options.allow_library, false},
      &c->in, code));
  if (*code != EXIT_GOOD) return 0;
  *code = EXIT_MISTAKE;
  if (!c->in->participants)
    return print_command_error(name, "%s has no part `participants`: it is a model for limber run", a->word[0]), 0;
  if (!c->in->steps || c->in->first_step || c->in->accuracy > 0)
    return print_command_error(name,
                               "%s has no part `run` with equal steps: add one, such as `run: {step: 1 ms, end: 1 s}`",
                               a->word[0]),
           0;
  for (int i = 0; i < n; i++) {
    bool known = is_of_participant(c, given[i]);
    for (int k = 0; k < changes; k++) known = known || change[k] == given[i];
    if (!known)
      return print_command_error(name, "--set %s: it begins with the name of a participant, or with `run` or `let`",
                                 given[i]),
             0;
  }
  results_path_of(a->word[0], argument_value(a, "output"), ".h5", c->path, sizeof c->path);
  if (is_null_device(c->path))
    return print_command_error(name,
                               "results of participants are files beside those of the whole: give a name with -o"),
           0;
  TRY(MakeSides(c));
  TRY(CheckConnections(c));
  if (c->in->diagnostics.errors) { // warnings alone were printed when the system was read
    TRY(DiagnosticsPrint(&c->in->diagnostics, stderr, style_diagnostic));
    fprintf(stderr, "%s: %d error%s\n", a->word[0], c->in->diagnostics.errors,
            c->in->diagnostics.errors == 1 ? "" : "s");
  } else *code = EXIT_GOOD;
  c->options.identity = find_identity(c), c->options.end = c->in->end;
  return 0;
}

Error CoupleRead(Couple *c, ExitCode *code) {
  Error error = ReadSystem(c, code);
  TRY(SspClose());
  return error;
}
