// SPDX-License-Identifier: Apache-2.0
#include "study/run.h"

#include "analyses/repeat/repeat.h"
#include "control/control.h"
#include "model/refusal.h"
#include "quantities/ledger.h"
#include "results/write/output.h"
#include "results/write/probes.h"
#include "study/bars.h"
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
  const Input *in; // of the run that was started last
  char (*text)[CHANGE];
  const char **change;
  Channel *channel;
  double *value; // of each channel at the present step
  double *sample;
  int sample_room;
  StudyBars *bars;            // NULL: the study has none
  StudyRow *family[BAR_RUNS]; // runs with other steps
  double began;               // s
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
  StudyRunner *r;
  PetscFunctionBegin;
  PetscCall(PetscNew(&r));
  r->m = m, r->comm = comm;
  PetscCallMPI(MPI_Comm_size(comm, &r->size));
  PetscCall(PetscMalloc1(p->variables + 2, &r->text));
  PetscCall(PetscMalloc1(p->variables + 2, &r->change));
  PetscCall(PetscCalloc1(p->channels + 1, &r->channel));
  PetscCall(PetscCalloc1(p->channels + 1, &r->value));
  for (int i = 0; i < p->variables + 2; i++) r->change[i] = r->text[i];
  if (m->layout->errors) PetscCall(StudyBarsCreate(p, m->layout, &r->bars));
  for (int i = 0; r->bars && i < BAR_RUNS; i++) PetscCall(MemoryNew(study_row_size(m->layout), &r->family[i]));
  for (int c = 0; c < p->channels; c++) PetscCall(SummaryCreate(&p->channel[c].summary, &r->channel[c].summary));
  PetscCall(RepeaterCreate(comm, m->model, m->text, m->length, &m->input, p->variables, &r->repeater));
  if (p->accuracy) repeater_use_first_step(r->repeater);
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
  for (int i = 0; i < BAR_RUNS; i++) memory_free(&r->family[i]);
  PetscCall(StudyBarsDestroy(&r->bars));
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
  if (!p->channels) PetscFunctionReturn(0);
  PetscCall(ProbesSample(probes, run, r->sample));
  for (int c = 0; c < p->channels; c++) r->value[c] = channel_value(r, c, ledger);
  for (int c = 0; c < p->channels; c++) {
    Channel *k = &r->channel[c];
    if (start && k->of_step) continue;
    PetscCall(SummaryAdd(k->summary, limber_run_time(run), r->value[c]));
    if (r->bars && limber_run_time(run) >= p->channel[c].summary.from)
      study_bars_add(r->bars, c, limber_run_time(run), r->value[c]);
    if (k->concurrent && summary_is_new_max(k->summary)) memcpy(k->concurrent, r->value, all);
    if (k->concurrent && summary_is_new_min(k->summary)) memcpy(k->concurrent + p->channels, r->value, all);
  }
  PetscFunctionReturn(0);
}

static bool at_end(const Input *in, LimberRun run, int64_t steps) {
  return in->steps ? steps >= in->steps : limber_run_time(run) >= in->end;
}

// Whether the run has taken more than it may; all ranks must do the same.
static PetscErrorCode CheckLimits(const StudyRunner *r, int64_t steps, StudyWatch *w, StudyRow *row, bool *late) {
  const Plan *p = r->m->plan;
  double spent = p->time_limit > 0 ? clock_seconds() - r->began : 0;
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
    if (!at_end(in, run, row->steps)) PetscCall(CheckLimits(r, row->steps, w, row, &late));
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

// The run that the changes make, from its start to its end. Error bars keep it in a place; in the first they begin anew.
static PetscErrorCode StartAndDo(StudyRunner *r, int changes, int place, bool first, const char *results, StudyRow *row,
                                 StudyWatch *w, bool *stopped) {
  const Input *in;
  LimberRun run;
  Refusal wrong = {.text = ""};
  PetscFunctionBegin;
  PetscCall(RepeaterStartWith(r->repeater, changes, r->change, &in, &run, &wrong));
  r->in = in;
  if (run && in->end > 0) PetscCall(ControlAttach(in, run, NULL, &wrong));
  if (run && is_refused(&wrong)) run = NULL;
  if (run && in->end > 0) {
    double step = in->options.step;
    if (r->bars && first)
      PetscCall(StudyBarsBegin(r->bars, in, r->m->plan->accuracy ? step : study_bars_longest(step, in->end)));
    if (r->bars) study_bars_start(r->bars, place, step);
    PetscCall(DoRun(r, in, run, results, row, w, stopped));
  } else study_row_end(row, RUN_NOT_STARTED, run ? "the model has no part `run`" : wrong.text);
  PetscFunctionReturn(0);
}

// Repeats a run that has come to its end with longer steps. If one of them fails, there are no error bars.
static PetscErrorCode FindErrors(StudyRunner *r, double step, double end, StudyRow *row, StudyWatch *w, bool *stopped) {
  const Plan *p = r->m->plan;
  const StudyLayout *l = r->m->layout;
  const double *q[BAR_RUNS] = {row->value + l->parameters};
  double longest = study_bars_longest(step, end);
  PetscFunctionBegin;
  if (!(longest > 0)) PetscFunctionReturn(0);
  for (int i = 1; i < BAR_RUNS; i++) {
    StudyRow *longer = r->family[i];
    study_row_clear(l, row->run, longer);
    snprintf(r->text[p->variables], CHANGE, "run.step=%.17g s", i == 2 ? longest : longest / 2);
    PetscCall(StartAndDo(r, p->variables + 1, i, false, NULL, longer, w, stopped));
    if (*stopped || longer->status != RUN_FINISHED) PetscFunctionReturn(0);
    q[i] = longer->value + l->parameters;
  }
  study_bars_find(r->bars, (int[]){0, 1, 2}, q, row->value + study_errors_at(l));
  PetscFunctionReturn(0);
}

// Compares the last three runs, of which the k-th is the latest. Returns the largest relative error.
static double compare_last(StudyRunner *r, int k) {
  const StudyLayout *l = r->m->layout;
  const double *q[BAR_RUNS];
  int place[BAR_RUNS];
  for (int i = 0; i < BAR_RUNS; i++) place[i] = (k - i) % BAR_RUNS, q[i] = r->family[place[i]]->value + l->parameters;
  return study_bars_find(r->bars, place, q, r->family[place[0]]->value + study_errors_at(l));
}

// Halves the step until the errors are small enough. Steps that are too long may fail; the row is that of the last run.
static PetscErrorCode RunToAccuracy(StudyRunner *r, StudyRow *row, const char *results, StudyWatch *w, bool *stopped) {
  enum { MOST_RUNS = 9 }; // as for `limber run`
  const Plan *p = r->m->plan;
  const StudyLayout *l = r->m->layout;
  double first = 0, accuracy = 0, error = INFINITY;
  StudyRow *own = row;
  PetscFunctionBegin;
  for (int k = 0, good = 0; k < MOST_RUNS && !(error <= accuracy); k++) {
    own = r->family[k % BAR_RUNS];
    study_row_clear(l, row->run, own);
    PetscCall(PetscArraycpy(own->value, row->value, l->parameters));
    if (k) snprintf(r->text[p->variables], CHANGE, "run.step=%.17g s", ldexp(first, -k));
    PetscCall(StartAndDo(r, p->variables + (k ? 2 : 0), k % BAR_RUNS, !k, results, own, w, stopped));
    if (*stopped) PetscFunctionReturn(0);
    if (own->status == RUN_NOT_STARTED || own->status == RUN_TIMEOUT) break;
    if (!k) {
      first = r->in->options.step, accuracy = r->in->accuracy;
      snprintf(r->text[p->variables + 1], CHANGE, "run.end=%.17g s", r->in->end);
    }
    own->value[study_chosen_at(l)] = r->in->options.step;
    good += own->status == RUN_FINISHED;
    if (good && own->status != RUN_FINISHED) break;
    if (good < BAR_RUNS) continue;
    error = compare_last(r, k);
    own->value[study_chosen_at(l) + 1] = isfinite(error) ? error : NAN;
  }
  memcpy(row, own, study_row_size(l));
  PetscFunctionReturn(0);
}

typedef struct {
  StudyWatch *watch;
  bool stopped;
} WatchOfGradients;

static bool gradients_stopped(void *self) {
  WatchOfGradients *w = self;
  w->stopped = w->stopped || w->watch->stopped(w->watch);
  return w->stopped;
}

// A run without gradients has the reason as its cause.
static PetscErrorCode FindGradients(StudyRunner *r, StudyRow *row, StudyWatch *w, bool *stopped) {
  const StudyLayout *l = r->m->layout;
  double *value = row->value + study_gradients_at(l);
  WatchOfGradients of = {.watch = w};
  const GradientWatch watch = {gradients_stopped, &of};
  Refusal wrong = {.text = ""};
  PetscFunctionBegin;
  PetscCall(
      StudyGradientsFind(r->m->plan, r->in, r->m->input.read, r->change, &watch, value, value + l->gradients, &wrong));
  *stopped = of.stopped;
  if (is_refused(&wrong) && !*stopped) study_row_end(row, RUN_FINISHED, wrong.text);
  PetscFunctionReturn(0);
}

PetscErrorCode StudyRunnerRun(StudyRunner *r, StudyRow *row, const char *results, StudyWatch *w, bool *stopped) {
  const Plan *p = r->m->plan;
  char path[4200];
  bool repeated = results != NULL; // its numbers are in the table
  PetscFunctionBegin;
  *stopped = false;
  r->began = p->time_limit > 0 ? clock_seconds() : 0;
  for (int i = 0; i < p->variables; i++) plan_change(p, i, row->value[i], r->text[i], CHANGE);
  if (r->m->kept && !results) study_kept_path(r->m->kept, row->run, path, sizeof path), results = path;
  if (p->accuracy) PetscCall(RunToAccuracy(r, row, results, w, stopped));
  else PetscCall(StartAndDo(r, p->variables, 0, true, results, row, w, stopped));
  if (repeated || *stopped || row->status != RUN_FINISHED) PetscFunctionReturn(0);
  double step = r->in->options.step, end = r->in->end;
  if (p->gradients.quantities) PetscCall(FindGradients(r, row, w, stopped));
  if (p->error_bars && !p->accuracy && !*stopped) PetscCall(FindErrors(r, step, end, row, w, stopped));
  PetscFunctionReturn(0);
}
