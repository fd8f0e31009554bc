// SPDX-License-Identifier: Apache-2.0
// Values without derivatives. Runs are ordinary ones, with events, contact, control blocks and adaptive steps.
#include "gradient/gradient.h"

#include "analyses/read_changed.h"
#include "control/control.h"

#include <math.h>

typedef struct {
  LimberRun run;
  GradientColumns columns;
  HistoryValue *history;
  double *value;
} ValueRun;

static PetscErrorCode AddRow(ValueRun *w, bool start) {
  PetscFunctionBegin;
  PetscCall(ColumnsSample(&w->columns, w->run, w->value));
  for (int i = 0; i < w->columns.count; i++)
    if (!start || !w->columns.of_step[i])
      history_add(&w->history[i], limber_run_time(w->run), w->value[i], 0, NULL, NULL);
  PetscFunctionReturn(0);
}

static PetscErrorCode TakeSteps(const Input *in, ValueRun *w, Refusal *wrong) {
  LimberOutcome o = {.reason = LIMBER_CONVERGED};
  PetscFunctionBegin;
  PetscCall(AddRow(w, true));
  for (int64_t n = 0; in->steps ? n < in->steps : limber_run_time(w->run) < in->end; n++) {
    PetscCall(LimberRunStep(w->run, &o));
    if (o.reason != LIMBER_CONVERGED) {
      refuse(wrong, "the run fails after t = %.4g s (%s)", limber_run_time(w->run),
             o.cause.name[0] ? o.cause.name : "cause not located");
      PetscFunctionReturn(0);
    }
    PetscCall(AddRow(w, false));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode Simulate(const GradientProblem *p, ValueRun *w, Refusal *wrong) {
  struct LimberGradientData *g = p->g;
  PetscFunctionBegin;
  PetscCall(ControlAttach(p->in, w->run, NULL, wrong));
  if (!is_refused(wrong)) PetscCall(ColumnsCreate(g, IN_RUN, p->in, w->run, &w->columns, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(PetscCalloc2(w->columns.count, &w->history, w->columns.count, &w->value));
  for (int i = 0; i < w->columns.count; i++) history_begin(&g->quantity[w->columns.quantity[i]], &w->history[i]);
  PetscCall(TakeSteps(p->in, w, wrong));
  for (int i = 0; i < w->columns.count && !is_refused(wrong); i++) {
    int q = w->columns.quantity[i];
    g->value[q] = history_value(&w->history[i]);
    if (isnan(g->value[q])) refuse(wrong, "%s: the run ends before", g->quantity[q].text);
  }
  PetscCall(PetscFree2(w->history, w->value));
  PetscFunctionReturn(0);
}

static PetscErrorCode RunValues(const GradientProblem *p, Refusal *wrong) {
  ValueRun w = {.run = NULL};
  PetscFunctionBegin;
  if (!(p->in->end > 0)) refuse(wrong, "the file has no part `run`: add one, such as `run: {step: 1 ms, end: 1 s}`");
  else if (p->in->first_step) refuse(wrong, "the file has no step: add `step` to the part `run`");
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(PetscNew(&w.run));
  PetscCall(ControlReset(p->in));
  PetscCall(StepperCreate(p->in->model, &p->in->options, &w.run->stepper, wrong));
  if (is_refused(wrong)) {
    PetscCall(PetscFree(w.run));
    PetscFunctionReturn(0);
  }
  PetscCall(Simulate(p, &w, wrong));
  if (w.columns.quantity) PetscCall(ColumnsDestroy(&w.columns));
  PetscCall(LimberRunDestroy(&w.run));
  PetscFunctionReturn(0);
}

PetscErrorCode GradientValues(const GradientProblem *problem, Refusal *wrong) {
  GradientProblem own = *problem;
  const GradientProblem *p = &own;
  bool any[4] = {false};
  PetscFunctionBegin;
  PetscCall(InputFileOf(p->in, p->read, &own.file));
  for (int i = 0; i < p->g->quantities; i++) any[gradient_analysis(p->g->quantity[i].of)] = true;
  if (any[IN_MODEL]) PetscCall(MassGradient(p, wrong));
  if (!is_refused(wrong) && any[IN_EQUILIBRIUM]) PetscCall(EquilibriumGradient(p, wrong));
  if (!is_refused(wrong) && any[IN_MODES]) PetscCall(ModesGradient(p, wrong));
  if (!is_refused(wrong) && any[IN_RUN]) PetscCall(RunValues(p, wrong));
  PetscCall(InputFileDestroy(&own.file));
  PetscFunctionReturn(0);
}
