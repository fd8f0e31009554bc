// SPDX-License-Identifier: Apache-2.0
// Models with neighbouring values of a parameter, and the columns that are sampled in them.
#include "gradient/gradient.h"

#include "analyses/read_changed.h"
#include "control/control.h"
#include "quantities/ledger.h"

#include <math.h>
#include <string.h>

const Difference difference_of_six = {6,
                                      {1, -1, 2, -2, 3, -3},
                                      {45.0 / 60, -45.0 / 60, -9.0 / 60, 9.0 / 60, 1.0 / 60, -1.0 / 60},
                                      {8.0 / 12, -8.0 / 12, -1.0 / 12, 1.0 / 12}};
const Difference difference_of_four = {4, {1, -1, 2, -2}, {8.0 / 12, -8.0 / 12, -1.0 / 12, 1.0 / 12}, {0.5, -0.5}};
const Difference difference_of_two = {2, {1, -1}, {0.5, -0.5}, {0}};

double parameter_delta(const GradientParameter *p, double part) {
  return part * (p->value != 0 ? fmax(fabs(p->value), p->size) : 1);
}

// ---- columns ----

// Many values of one history follow each other: their column is looked up once.
static bool repeats_column(const struct LimberGradientData *g, const GradientColumns *c, int i) {
  return i > 0 && !strcmp(g->quantity[c->quantity[i]].column, g->quantity[c->quantity[i - 1]].column);
}

// A column of the ledger or of the solver's steps that formulas cannot use.
static bool is_without_formulas(const char *column) {
  for (int i = 0; i < LEDGER_COLUMNS; i++) {
    size_t n = strlen(ledger_columns[i].path);
    if (!ledger_columns[i].in_formulas && !strncmp(ledger_columns[i].path, column, n) &&
        (!column[n] || column[n] == '.'))
      return true;
  }
  return false;
}

PetscErrorCode ColumnsCreate(struct LimberGradientData *g, GradientAnalysis analysis, const Input *in, LimberRun run,
                             GradientColumns *c, Refusal *wrong) {
  const char **name;
  int names = 0;
  PetscFunctionBegin;
  *c = (GradientColumns){.count = 0};
  PetscCall(PetscCalloc4(g->quantities, &c->quantity, g->quantities, &c->probe, g->quantities, &c->ledger,
                         g->quantities, &c->of_step));
  PetscCall(PetscCalloc1(g->quantities, &name));
  for (int i = 0; i < g->quantities && !is_refused(wrong); i++) {
    GradientQuantity *q = &g->quantity[i];
    if (gradient_analysis(q->of) != analysis || analysis == IN_MODES) continue;
    c->quantity[c->count++] = i;
    if (repeats_column(g, c, c->count - 1)) {
      c->ledger[c->count - 1] = c->ledger[c->count - 2];
      memcpy(q->unit, g->quantity[c->quantity[c->count - 2]].unit, sizeof q->unit);
      continue;
    }
    const LedgerColumn *ledger = ledger_find(q->column);
    int column = probes_find(in->model, in->probes, in->probe, q->column);
    if (column < 0 && is_without_formulas(q->column))
      refuse(wrong, "'%s' has no gradient: of the ledger, only columns that formulas may use have one", q->column);
    else if (column < 0 && !ledger)
      refuse(wrong, "no probe records '%s', and the ledger has no such column: %s", q->column, q->text);
    if (column >= 0) name[names++] = q->column;
    else if (ledger) c->ledger[c->count - 1] = ledger->path, snprintf(q->unit, sizeof q->unit, "%s", ledger->unit);
  }
  if (names && !is_refused(wrong)) PetscCall(ProbeOutputsCreate(in, run, names, name, &c->probes, wrong));
  if (!is_refused(wrong)) PetscCall(PetscCalloc1(c->probes.count + 1, &c->row));
  for (int i = 0; i < c->count && !is_refused(wrong); i++) {
    GradientQuantity *q = &g->quantity[c->quantity[i]];
    c->probe[i] = -1;
    if (c->ledger[i]) continue;
    if (repeats_column(g, c, i)) {
      c->probe[i] = c->probe[i - 1], c->of_step[i] = c->of_step[i - 1];
      memcpy(q->unit, g->quantity[c->quantity[i - 1]].unit, sizeof q->unit);
      continue;
    }
    int column = probes_find(in->model, in->probes, in->probe, q->column);
    for (int k = 0; k < c->probes.count; k++)
      if (c->probes.column[k] == column) c->probe[i] = k;
    if (c->probe[i] < 0) refuse(wrong, "'%s' has no gradient", q->column);
    else snprintf(q->unit, sizeof q->unit, "%s", c->probes.name[c->probe[i]].unit);
    c->of_step[i] = probes_of_step(c->probes.probes, column);
  }
  PetscCall(PetscFree(name));
  PetscFunctionReturn(0);
}

PetscErrorCode ColumnsDestroy(GradientColumns *c) {
  PetscFunctionBegin;
  PetscCall(ProbeOutputsDestroy(&c->probes));
  PetscCall(PetscFree(c->row));
  PetscCall(PetscFree4(c->quantity, c->probe, c->ledger, c->of_step));
  *c = (GradientColumns){.count = 0};
  PetscFunctionReturn(0);
}

PetscErrorCode ColumnsSample(GradientColumns *c, LimberRun run, double *value) {
  LimberLedger ledger;
  PetscFunctionBegin;
  if (c->probes.count) PetscCall(ProbeOutputsSample(&c->probes, c->row));
  PetscCall(LimberRunGetLedger(run, &ledger));
  for (int i = 0; i < c->count; i++)
    value[i] = c->ledger[i] ? *ledger_value(&ledger, c->ledger[i]) : c->row[c->probe[i]];
  PetscFunctionReturn(0);
}

// ---- shadows ----

// Whether two models have the same unknowns in the same order.
static bool is_alike(const Layout *a, const Layout *b) {
  bool same = a->nnode == b->nnode && a->njoint == b->njoint && a->nelement == b->nelement &&
              a->nblock_own == b->nblock_own && a->bs == b->bs && a->model->loads.count == b->model->loads.count;
  for (PetscInt i = 0; same && i < a->nnode; i++)
    same = a->node[i] == b->node[i] && a->node_block[i] == b->node_block[i];
  for (PetscInt i = 0; same && i < a->njoint; i++)
    same = a->joint[i] == b->joint[i] && a->joint_block[i] == b->joint_block[i];
  for (PetscInt i = 0; same && i < a->nelement; i++) same = a->element[i] == b->element[i];
  return same;
}

static PetscErrorCode Start(const GradientProblem *p, GradientAnalysis analysis, const LimberOptions *options,
                            const Layout *like, Shadow *s, Refusal *wrong) {
  double *first;
  PetscFunctionBegin;
  PetscCall(PetscNew(&s->run));
  PetscCall(StepperPrepare(s->in->model, options, &s->run->stepper, wrong));
  if (!is_refused(wrong)) {
    s->run->stepper->without_start_forces = // which sensors may read
        p->method == LIMBER_GRADIENT_ADJOINT && !s->in->network.blocks;
    PetscCall(StepperBegin(&s->run->stepper, wrong));
  }
  if (is_refused(wrong)) {
    PetscCall(PetscFree(s->run));
    PetscFunctionReturn(0);
  }
  int differs = like && !is_alike(like, &s->run->stepper->s->motion.layout);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &differs, 1, MPI_INT, MPI_LOR, s->run->stepper->s->motion.layout.comm));
  if (differs) {
    refuse(wrong, "the model gets other unknowns");
    PetscFunctionReturn(0);
  }
  if (analysis == IN_RUN) PetscCall(ControlAttach(s->in, s->run, NULL, wrong));
  if (!is_refused(wrong)) PetscCall(ColumnsCreate(p->g, analysis, s->in, s->run, &s->columns, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(s->columns.count + 1, &first));
  PetscCall(ColumnsSample(&s->columns, s->run, first)); // displacements are relative to this state
  PetscCall(PetscFree(first));
  PetscFunctionReturn(0);
}

PetscErrorCode ShadowCreate(const GradientProblem *p, GradientAnalysis analysis, int parameter, double steps,
                            double delta, const LimberOptions *options, const Layout *like, Shadow *out,
                            Refusal *wrong) {
  const GradientParameter *q = parameter >= 0 ? &p->g->parameter[parameter] : NULL;
  char change[512] = "";
  Refusal why = {.text = ""};
  PetscFunctionBegin;
  *out = (Shadow){.in = NULL};
  if (q) parameter_change(q, q->value + steps * delta, change, sizeof change);
  PetscCall(InputFileReadChanged(p->file, p->in, q ? change : NULL, &out->in, &why));
  if (is_refused(&why)) *wrong = why; // it names the change
  else PetscCall(Start(p, analysis, options, like, out, &why));
  if (is_refused(&why) && !is_refused(wrong)) refuse(wrong, "%s%s%.8000s", q ? change : "", q ? ": " : "", why.text);
  if (is_refused(wrong)) PetscCall(ShadowDestroy(out));
  PetscFunctionReturn(0);
}

PetscErrorCode ShadowDestroy(Shadow *s) {
  PetscFunctionBegin;
  if (s->columns.quantity) PetscCall(ColumnsDestroy(&s->columns));
  if (s->run) PetscCall(LimberRunDestroy(&s->run));
  if (s->in) PetscCall(InputDestroy(&s->in));
  *s = (Shadow){.in = NULL};
  PetscFunctionReturn(0);
}
