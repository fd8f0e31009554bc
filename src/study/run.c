// SPDX-License-Identifier: Apache-2.0
#include "study/run.h"

#include "analyses/repeat/repeat.h"
#include "control/control.h"
#include "model/refusal.h"
#include "quantities/ledger.h"
#include "results/write/output.h"
#include "results/write/probes.h"
#include "study/row.h"
#include "console/console.h"

#include <math.h>
#include <string.h>

enum { CHANGE = 400 }; // characters of a change

typedef struct {
  int column;   // in a row of the probes; -1: of the ledger
  bool of_step; // there is no value at the start
  Summary *summary;
  double *concurrent; // in the row, or NULL
} Channel;

struct StudyRunner {
  const StudyModel *m;
  MPI_Comm comm;
  PetscMPIInt size;
  Repeater *repeater;
  char (*text)[CHANGE];
  const char **change;
  Channel *channel;
  double *value; // of each channel at the present step
  double *sample;
  int sample_room;
};

// ---- columns ----

// The quantity that has a column of the probes. Returns which of its columns that is.
static int find_quantity(const Input *in, int column, ProbeColumns *c) {
  int at = 0;
  for (int k = 0; k < in->probes; k++)
    for (int i = 0; probe_columns(in->model, &in->probe[k], i, c); at += c->width, i++)
      if (column < at + c->width) return column - at;
  return -1;
}

static bool is_of_step(const Input *in, int column) {
  ProbeColumns c = {0};
  return find_quantity(in, column, &c) >= 0 && c.of_step;
}

const char *study_channel_unit(const Input *in, const char *column) {
  ProbeColumns c = {0};
  const LedgerColumn *of_ledger = ledger_find(column);
  int at = probes_find(in->model, in->probes, in->probe, column);
  if (at < 0) return of_ledger ? of_ledger->unit : NULL;
  at = find_quantity(in, at, &c);
  return c.units ? c.units[at] : c.unit;
}

void study_kept_path(const char *folder, uint64_t run, char *path, size_t size) {
  snprintf(path, size, "%s/%06llu.h5", folder, (unsigned long long)run);
}

// ---- creation ----

PetscErrorCode StudyRunnerCreate(MPI_Comm comm, const StudyModel *m, StudyRunner **out) {
  const Plan *p = m->plan;
  const char **path;
  StudyRunner *r;
  PetscFunctionBegin;
  PetscCall(PetscNew(&r));
  r->m = m, r->comm = comm;
  PetscCallMPI(MPI_Comm_size(comm, &r->size));
  PetscCall(PetscMalloc1(p->variables + 1, &r->text));
  PetscCall(PetscMalloc1(p->variables + 1, &r->change));
  PetscCall(PetscMalloc1(p->variables + 1, &path));
  PetscCall(PetscCalloc1(p->channels + 1, &r->channel));
  PetscCall(PetscCalloc1(p->channels + 1, &r->value));
  for (int i = 0; i < p->variables; i++) path[i] = p->variable[i].path, r->change[i] = r->text[i];
  for (int c = 0; c < p->channels; c++) PetscCall(SummaryCreate(&p->channel[c].summary, &r->channel[c].summary));
  PetscCall(RepeaterCreate(comm, m->model, m->text, m->length, &m->input, p->variables, path, &r->repeater));
  PetscCall(PetscFree(path));
  *out = r;
  PetscFunctionReturn(0);
}

PetscErrorCode StudyRunnerDestroy(StudyRunner **runner) {
  StudyRunner *r = *runner;
  PetscFunctionBegin;
  if (!r) PetscFunctionReturn(0);
  for (int c = 0; c < r->m->plan->channels; c++) PetscCall(SummaryDestroy(&r->channel[c].summary));
  PetscCall(RepeaterDestroy(&r->repeater));
  PetscCall(PetscFree(r->text));
  PetscCall(PetscFree(r->change));
  PetscCall(PetscFree(r->channel));
  PetscCall(PetscFree(r->value));
  PetscCall(PetscFree(r->sample));
  PetscCall(PetscFree(*runner));
  PetscFunctionReturn(0);
}

// ---- a run ----

static PetscErrorCode StartChannels(StudyRunner *r, const Input *in, Probes *probes, StudyRow *row) {
  const Plan *p = r->m->plan;
  PetscFunctionBegin;
  if (probes_width(probes) > r->sample_room) {
    r->sample_room = probes_width(probes);
    PetscCall(PetscRealloc((size_t)r->sample_room * sizeof *r->sample, &r->sample));
  }
  for (int c = 0; c < p->channels; c++) {
    Channel *k = &r->channel[c];
    int concurrent = study_concurrent(p, r->m->layout, c);
    k->column = probes_find(in->model, in->probes, in->probe, p->channel[c].column);
    k->of_step = k->column >= 0 && is_of_step(in, k->column);
    k->concurrent = concurrent < 0 ? NULL : row->value + concurrent;
    summary_start(k->summary);
  }
  PetscFunctionReturn(0);
}

// A column that this run does not have is NaN.
static double channel_value(const StudyRunner *r, int c, const LimberLedger *ledger) {
  if (r->channel[c].column >= 0) return r->sample[r->channel[c].column];
  const double *value = ledger_value(ledger, r->m->plan->channel[c].column);
  return value ? *value : NAN;
}

static PetscErrorCode SampleChannels(StudyRunner *r, Probes *probes, LimberRun run, const LimberLedger *ledger,
                                     bool start) {
  const Plan *p = r->m->plan;
  size_t all = (size_t)p->channels * sizeof *r->value;
  PetscFunctionBegin;
  PetscCall(ProbesSample(probes, run, r->sample));
  for (int c = 0; c < p->channels; c++) r->value[c] = channel_value(r, c, ledger);
  for (int c = 0; c < p->channels; c++) {
    Channel *k = &r->channel[c];
    if (start && k->of_step) continue;
    PetscCall(SummaryAdd(k->summary, limber_run_time(run), r->value[c]));
    if (k->concurrent && summary_is_new_max(k->summary)) memcpy(k->concurrent, r->value, all);
    if (k->concurrent && summary_is_new_min(k->summary)) memcpy(k->concurrent + p->channels, r->value, all);
  }
  PetscFunctionReturn(0);
}

static bool at_end(const Input *in, LimberRun run, int64_t steps) {
  return in->steps ? steps >= in->steps : limber_run_time(run) >= in->end;
}

// Whether the run has taken more than it may; all ranks must do the same.
static PetscErrorCode CheckLimits(const StudyRunner *r, int64_t steps, double began, StudyWatch *w, StudyRow *row,
                                  bool *late) {
  const Plan *p = r->m->plan;
  double spent = p->time_limit > 0 ? clock_seconds() - began : 0;
  char text[STUDY_CAUSE];
  PetscFunctionBegin;
  *late = false;
  if (p->time_limit > 0 && w->share) PetscCall(w->share(w, &spent));
  if (p->time_limit > 0 && spent > p->time_limit) {
    *late = true;
    snprintf(text, sizeof text, "time limit of %g s", p->time_limit);
  } else if (p->step_limit && steps >= p->step_limit) {
    *late = true;
    snprintf(text, sizeof text, "limit of %lld steps", (long long)p->step_limit);
  }
  if (*late) study_row_end(row, RUN_TIMEOUT, text);
  PetscFunctionReturn(0);
}

static PetscErrorCode TakeSteps(StudyRunner *r, const Input *in, LimberRun run, Probes *probes, Output *out,
                                StudyRow *row, StudyWatch *w, bool *stopped) {
  LimberOutcome o = {.reason = LIMBER_CONVERGED};
  LimberLedger ledger;
  bool late = false;
  double began = r->m->plan->time_limit > 0 ? clock_seconds() : 0;
  PetscFunctionBegin;
  PetscCall(LimberRunGetLedger(run, &ledger));
  PetscCall(SampleChannels(r, probes, run, &ledger, true));
  while (!at_end(in, run, row->steps) && !late) {
    PetscCall(LimberRunStep(run, &o));
    if (o.reason != LIMBER_CONVERGED) break;
    row->steps++;
    PetscCall(LimberRunGetLedger(run, &ledger));
    row->constraint = fmax(row->constraint, ledger.constraint);
    PetscCall(SampleChannels(r, probes, run, &ledger, false));
    if (out) PetscCall(OutputStep(out, run, &o));
    *stopped = w->stopped(w);
    if (*stopped) PetscFunctionReturn(0);
    if (!at_end(in, run, row->steps)) PetscCall(CheckLimits(r, row->steps, began, w, row, &late));
  }
  row->time = limber_run_time(run), row->balance = ledger.worst_residual;
  if (o.reason != LIMBER_CONVERGED) study_row_end(row, (RunStatus)o.reason, o.cause.name);
  PetscFunctionReturn(0);
}

static void fill_statistics(const StudyRunner *r, StudyRow *row) {
  const Plan *p = r->m->plan;
  double *at = row->value + r->m->layout->parameters;
  for (int c = 0; c < p->channels; c++) {
    summary_values(r->channel[c].summary, at);
    at += summary_width(&p->channel[c].summary);
  }
}

static PetscErrorCode DoRun(StudyRunner *r, const Input *in, LimberRun run, const char *results, StudyRow *row,
                            StudyWatch *w, bool *stopped) {
  Probes *probes;
  Output *out = NULL;
  int snapshots;
  PetscFunctionBegin;
  PetscCall(ProbesCreate(in, &probes));
  if (results) PetscCall(OutputCreate(results, in, run, &out));
  PetscCall(StartChannels(r, in, probes, row));
  PetscCall(TakeSteps(r, in, run, probes, out, row, w, stopped));
  if (!*stopped) fill_statistics(r, row);
  if (out) PetscCall(OutputClose(&out, run, *stopped ? RUN_INTERRUPTED : (RunStatus)row->status, &snapshots));
  PetscCall(ProbesDestroy(&probes));
  PetscFunctionReturn(0);
}

PetscErrorCode StudyRunnerRun(StudyRunner *r, StudyRow *row, const char *results, StudyWatch *w, bool *stopped) {
  const Plan *p = r->m->plan;
  const Input *in;
  LimberRun run;
  Refusal wrong = {.text = ""};
  char path[4200];
  PetscFunctionBegin;
  *stopped = false;
  for (int i = 0; i < p->variables; i++) plan_change(p, i, row->value[i], r->text[i], CHANGE);
  PetscCall(RepeaterStart(r->repeater, r->change, &in, &run, &wrong));
  if (run && in->end > 0) PetscCall(ControlAttach(in, run, NULL, &wrong));
  if (run && is_refused(&wrong)) run = NULL;
  if (!run || !(in->end > 0)) {
    study_row_end(row, RUN_NOT_STARTED, run ? "the model has no part `run`" : wrong.text);
    PetscFunctionReturn(0);
  }
  if (r->m->kept && !results) study_kept_path(r->m->kept, row->run, path, sizeof path), results = path;
  PetscCall(DoRun(r, in, run, results, row, w, stopped));
  PetscFunctionReturn(0);
}
