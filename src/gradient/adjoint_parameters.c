// SPDX-License-Identifier: Apache-2.0
// What parameters count in the adjoint method: differences between shadows of the product of a step with its multipliers, at
// the state of the run. Only items on which a parameter acts are evaluated: those whose product differs between a shadow
// and the run, for arbitrary multipliers, at an arbitrary state and at states of the run. Most parameters act linearly at a
// fixed state, such as a modulus, a density, a load: shadows at two distances say so, and then one of them serves.
#include "gradient/adjoint.h"

#include "analyses/stepping/ledger.h"
#include "assembly/evaluate.h"

#include <math.h>
#include <string.h>

static const double part = 4e-5;      // of a parameter: the length of differences
static const double long_part = 1e-3; // the same of one that acts linearly
static const double straight = 1e-11; // of a difference: how far two of them may disagree there
static const Difference line = {2, {1, -2}, {1, 0}, {0, -0.5}};

static const Difference *stencil_of(const AdjointParameter *a) { return a->linear ? &line : &difference_of_four; }

// How many shadows count.
static int points_of(const AdjointParameter *a) { return a->linear ? 1 : difference_of_four.points; }

// ---- shadows ----

static PetscErrorCode CreateShadow(Adjoint *w, AdjointParameter *a, int k) {
  const char *path = w->p->g->parameter[a->parameter].path;
  const LimberOptions *o = &w->p->in->options;
  Shadow *s = &a->shadow[k];
  size_t size = 0;
  PetscFunctionBegin;
  PetscCall(ShadowCreate(w->p, IN_RUN, a->parameter, stencil_of(a)->at[k], a->delta, o,
                         &w->run->stepper->s->motion.layout, s, w->wrong));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  const LimberOptions *q = &s->in->options;
  PetscCall(StateVectorSize(s->run->stepper, &size));
  if (q->step != o->step || q->rho_inf != o->rho_inf || q->scheme != o->scheme)
    refuse(w->wrong, "the step and the scheme of the part `run` depend on %s: give them numbers", path);
  else if (size != w->size) refuse(w->wrong, "%s changes what the model contains", path);
  PetscFunctionReturn(0);
}

static void add_pair(Straightness *s, double near, double far) {
  s->bend += fabs(near + 0.5 * far), s->size += fabs(near);
}

// Functions of time of the loads in the two nearest shadows, at all times at which steps read them. A pulse may act between the
// states at which items are compared (AdjointTouch).
static void compare_loads(const Adjoint *w, AdjointParameter *a, Straightness *line_of) {
  Model m = w->p->in->model;
  double h = w->p->in->options.step;
  for (int l = 0; l < m->loads.count; l++) {
    int parts = model_load(m, l)->load.drive == DRIVE_RATE ? 2 : 1; // the middles of steps, too
    for (int64_t n = 0; n <= parts * w->p->in->steps; n++) {
      double value = model_amplitude(m, model_load(m, l)->load.amplitude, (double)n * h / parts), differs[2];
      for (int k = 0; k < 2; k++) {
        Model other = a->shadow[k].in->model;
        differs[k] = model_amplitude(other, model_load(other, l)->load.amplitude, (double)n * h / parts) - value;
      }
      if (differs[0] == 0 && differs[1] == 0) continue;
      a->loads = true;
      if (fabs(differs[0] + 0.5 * differs[1]) > 8 * PETSC_MACHINE_EPSILON * fabs(value))
        add_pair(line_of, differs[0], differs[1]);
    }
  }
}

// Joint forces at the start, which shadows do not have: a step finds its own, and no column contains them before the first.
static bool is_found_by_steps(const char *array) { return !strcmp(array, "multiplier"); }

// Numbers of the state in which the shadows start otherwise than the run.
static PetscErrorCode FindStart(const Adjoint *w, AdjointParameter *a, Straightness *line_of) {
  const int points = stencil_of(a)->points;
  StateArray list[MOST_POINTS + 1][MOST_STATE_ARRAYS];
  int count;
  size_t place = 0, room = 0;
  PetscFunctionBegin;
  for (int k = 0; k < points; k++) PetscCall(StateList(a->shadow[k].run->stepper, TRIED, list[k], &count));
  PetscCall(StateList(w->run->stepper, TRIED, list[MOST_POINTS], &count));
  a->starts = 0;
  PetscCall(PetscFree(a->start));
  for (int i = 0; i < count; i++) {
    const StateArray *own = &list[MOST_POINTS][i];
    size_t n = state_array_numbers(own);
    if (own->packing) continue;
    if (is_found_by_steps(own->name) || !state_is_differentiated(own->name)) {
      place += n;
      continue;
    }
    for (size_t j = 0; j < n; j++, place++) {
      StartDifference d = {.place = place};
      bool any = false;
      for (int k = 0; k < points; k++) {
        d.differs[k] = ((const double *)list[k][i].data)[j] - ((const double *)own->data)[j];
        any = any || d.differs[k] != 0;
      }
      if (!any) continue;
      add_pair(line_of, d.differs[0], d.differs[1]);
      if (a->starts == room) PetscCall(PetscRealloc((room = 2 * room + 16) * sizeof d, &a->start));
      a->start[a->starts++] = d;
    }
  }
  PetscFunctionReturn(0);
}

// Shadows on both sides of a parameter that does not act linearly.
static PetscErrorCode Bend(Adjoint *w, AdjointParameter *a) {
  Straightness unused = {0, 0};
  PetscFunctionBegin;
  for (int k = 0; k < line.points; k++) PetscCall(ShadowDestroy(&a->shadow[k]));
  a->linear = false, a->bend = 0;
  a->delta = parameter_delta(&w->p->g->parameter[a->parameter], part);
  for (int k = 0; k < difference_of_four.points && !is_refused(w->wrong); k++) PetscCall(CreateShadow(w, a, k));
  if (is_refused(w->wrong)) PetscFunctionReturn(0);
  compare_loads(w, a, &unused);
  PetscCall(FindStart(w, a, &unused));
  PetscFunctionReturn(0);
}

static PetscErrorCode Judge(Adjoint *w, AdjointParameter *a, Straightness s) {
  PetscFunctionBegin;
  if (!a->linear || !(s.size > 0)) PetscFunctionReturn(0);
  a->bend = fmax(a->bend, s.bend / s.size);
  if (a->bend > straight) PetscCall(Bend(w, a));
  PetscFunctionReturn(0);
}

// A parameter that cannot be moved so far, such as a number at the end of its range, says so when it is moved less.
static PetscErrorCode CreateLine(Adjoint *w, AdjointParameter *a) {
  Refusal refused = *w->wrong;
  Straightness s = {0, 0};
  PetscFunctionBegin;
  a->linear = true, a->delta = parameter_delta(&w->p->g->parameter[a->parameter], long_part);
  for (int k = 0; k < line.points && !is_refused(w->wrong); k++) PetscCall(CreateShadow(w, a, k));
  if (is_refused(w->wrong)) {
    *w->wrong = refused;
    PetscCall(Bend(w, a));
    PetscFunctionReturn(0);
  }
  compare_loads(w, a, &s);
  PetscCall(FindStart(w, a, &s));
  PetscCall(Judge(w, a, s));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointParameterCreate(Adjoint *w, int parameter, AdjointParameter *out) {
  const Layout *layout = &w->run->stepper->s->motion.layout;
  const PetscInt all[ITEMS] = {layout->nnode, layout->nelement, layout->njoint};
  PetscFunctionBegin;
  *out = (AdjointParameter){.parameter = parameter};
  for (int k = 0; k < ITEMS; k++) {
    out->touched[k].all = all[k];
    PetscCall(PetscCalloc2(all[k], &out->touched[k].is, all[k], &out->touched[k].list));
  }
  PetscCall(CreateLine(w, out));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointParameterDestroy(AdjointParameter *a) {
  PetscFunctionBegin;
  for (int k = 0; k < MOST_POINTS; k++) PetscCall(ShadowDestroy(&a->shadow[k]));
  for (int k = 0; k < ITEMS; k++) PetscCall(PetscFree2(a->touched[k].is, a->touched[k].list));
  PetscCall(PetscFree(a->start));
  PetscFunctionReturn(0);
}

// The shadow at the state and the step of the run.
static PetscErrorCode View(const Adjoint *w, AdjointParameter *a, int k) {
  const Motion *base = &w->run->stepper->s->motion;
  Motion *view = &a->view[k];
  PetscFunctionBegin;
  *view = a->shadow[k].run->stepper->s->motion;
  view->state = base->state, view->row_off = base->row_off;
  if (a->loads) {
    view->step.motion = base->step.motion;
    PetscCall(MotionBeginStep(view, base->step.h));
  } else view->step = base->step;
  PetscFunctionReturn(0);
}

// ---- items ----

static void touch(Touched *t, PetscInt i) {
  if (!t->is[i]) t->is[i] = true, t->list[t->count++] = i;
}

// Items that bear loads.
static bool has_loads(const Layout *layout, int kind, PetscInt i) {
  const PetscInt *start = kind == OF_NODES      ? layout->node_load_start
                          : kind == OF_ELEMENTS ? layout->element_load_start
                                                : layout->joint_load_start;
  return start[i] < start[i + 1] || (kind == OF_NODES && layout->nfield > 0);
}

PetscErrorCode AdjointTouch(Adjoint *w, AdjointParameter *a) {
  const Layout *layout = &w->run->stepper->s->motion.layout;
  StepProduct other[2] = {w->product, w->product};
  PetscFunctionBegin;
  for (int k = 0; k < 2; k++) {
    PetscCall(View(w, a, k));
    other[k].motion = &a->view[k];
  }
  for (int kind = 0; kind < ITEMS; kind++)
    for (PetscInt i = kind == OF_NODES; i < a->touched[kind].all; i++) {
      double value = w->product.value[kind][i], near = product_of_item(&other[0], kind, i) - value;
      if (near != 0 || (a->loads && has_loads(layout, kind, i))) touch(&a->touched[kind], i);
      if (near != 0) add_pair(&a->in_steps, near, product_of_item(&other[1], kind, i) - value);
    }
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointJudge(Adjoint *w, AdjointParameter *a) {
  PetscFunctionBegin;
  PetscCall(Judge(w, a, a->in_steps)); // where little moves, differences are round-off
  PetscFunctionReturn(0);
}

// ---- sums ----

// Adds a difference between a shadow and the run.
static void add(Adjoint *w, const AdjointParameter *a, int k, int point, double value) {
  size_t at = (size_t)k * (size_t)w->parameters + (size_t)(a - w->parameter);
  double weight = stencil_of(a)->weight[point] / a->delta;
  w->sum[at] += weight * value;
  w->rough[at] += a->linear ? weight * value : stencil_of(a)->rough[point] / a->delta * value;
}

// What four shadows show of kinks, and of tolerances with which starts are solved: of a smooth function only the fourth power of
// the length is left.
static double even_part(const double *value) { return fabs(value[2] + value[3] - 4 * (value[0] + value[1])); }

// The same with the third power, wherever the run is among its shadows.
static double odd_part(const double *value) { return fabs(value[2] - value[3] - 2 * (value[0] - value[1])); }

PetscErrorCode AdjointAddStep(Adjoint *w, AdjointParameter *a, int k) {
  size_t at = (size_t)k * (size_t)w->parameters + (size_t)(a - w->parameter);
  double base = 0;
  PetscFunctionBegin;
  if (!a->touched[0].count && !a->touched[1].count && !a->touched[2].count) PetscFunctionReturn(0);
  for (int kind = 0; kind < ITEMS; kind++)
    for (PetscInt i = 0; i < a->touched[kind].count; i++) base += w->product.value[kind][a->touched[kind].list[i]];
  w->square[at] += base / a->delta * (base / a->delta);
  double value[MOST_POINTS] = {0};
  for (int point = 0; point < points_of(a); point++) {
    PetscCall(View(w, a, point));
    StepProduct other = w->product;
    other.motion = &a->view[point], other.state = NULL;
    for (int kind = 0; kind < ITEMS; kind++)
      for (PetscInt i = 0; i < a->touched[kind].count; i++) {
        PetscInt item = a->touched[kind].list[i];
        value[point] += product_of_item(&other, kind, item) - w->product.value[kind][item];
      }
    add(w, a, k, point, value[point]);
  }
  double rough = even_part(value), size = fabs(base) + fabs(value[2]) + fabs(value[3]);
  if (!a->linear && rough > 64 * PETSC_MACHINE_EPSILON * size) w->noise[at] += rough / a->delta;
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointAddStart(Adjoint *w, AdjointParameter *a, int k) {
  size_t at = (size_t)k * (size_t)w->parameters + (size_t)(a - w->parameter);
  double value[MOST_POINTS] = {0};
  PetscFunctionBegin;
  for (int point = 0; point < points_of(a); point++) {
    for (size_t i = 0; i < a->starts; i++) {
      double each = w->lambda[k][a->start[i].place] * a->start[i].differs[point];
      value[point] += each;
      w->square[at] += each / a->delta * (each / a->delta);
    }
    add(w, a, k, point, value[point]);
  }
  if (!a->linear) w->noise[at] += fmin(odd_part(value), even_part(value)) / a->delta;
  PetscFunctionReturn(0);
}

// ---- columns ----

// Energies of the ledger, from the state alone.
static PetscErrorCode FindEnergies(LimberRun run) {
  LimberLedger *l = &run->stepper->ledger;
  PetscFunctionBegin;
  PetscCall(LedgerEnergies(&run->stepper->s->motion, NULL, &l->kinetic, &l->strain, &l->potential));
  PetscFunctionReturn(0);
}

// Puts a shadow at the state of the run and samples its columns, less those of the run.
static PetscErrorCode SampleShadow(Adjoint *w, AdjointParameter *a, int point, const double *row, double *out) {
  Shadow *s = &a->shadow[point];
  StateArray own[MOST_STATE_ARRAYS], other[MOST_STATE_ARRAYS];
  int count;
  PetscFunctionBegin;
  PetscCall(StateList(w->run->stepper, TRIED, own, &count));
  PetscCall(StateList(s->run->stepper, TRIED, other, &count));
  for (int i = 0; i < count; i++)
    if (!own[i].packing && state_array_bytes(&own[i])) memcpy(other[i].data, own[i].data, state_array_bytes(&own[i]));
  PetscCall(PetscArraycpy(s->run->stepper->s->motion.step.motion, w->run->stepper->s->motion.step.motion,
                          w->run->stepper->s->motion.layout.nnode));
  if (w->energies) PetscCall(FindEnergies(s->run));
  PetscCall(ColumnsSample(&s->columns, s->run, out));
  for (int c = 0; c < w->columns.count; c++) out[c] -= row[c];
  PetscFunctionReturn(0);
}

// Whether columns depend on the parameter other than through the state, and linearly.
static PetscErrorCode JudgeColumns(Adjoint *w, AdjointParameter *a, const double *row, double *out[2]) {
  Straightness s = {0, 0};
  PetscFunctionBegin;
  for (int k = 0; k < 2; k++) PetscCall(SampleShadow(w, a, k, row, out[k]));
  for (int c = 0; c < w->columns.count; c++) {
    a->in_columns = a->in_columns || out[0][c] != 0 || out[1][c] != 0;
    if (fabs(out[0][c] + 0.5 * out[1][c]) > 8 * PETSC_MACHINE_EPSILON * fabs(row[c]))
      add_pair(&s, out[0][c], out[1][c]);
  }
  PetscCall(Judge(w, a, s));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointDisturb(Adjoint *w, bool away, double *kept) {
  StateArray list[MOST_STATE_ARRAYS];
  int count;
  PetscFunctionBegin;
  PetscCall(StateList(w->run->stepper, TRIED, list, &count));
  for (int i = 0; i < count; i++) {
    double *data = list[i].data, largest = 0;
    size_t n = state_array_numbers(&list[i]);
    if (list[i].packing || !state_is_differentiated(list[i].name)) continue;
    for (size_t j = 0; j < n; j++) largest = fmax(largest, fabs(data[j]));
    for (size_t j = 0; j < n; j++)
      if (away) kept[j] = data[j], data[j] += 0.013 * (1 + 0.37 * (double)(j % 7)) * (largest > 0 ? largest : 1);
      else data[j] = kept[j];
    kept += n;
  }
  PetscFunctionReturn(0);
}

// At an arbitrary state: at those of the run a spring may be at rest in one row and not in another. Formulae are judged in each
// row.
PetscErrorCode AdjointFindInColumns(Adjoint *w) {
  int n = w->columns.count;
  double *row, *out[2], *kept;
  PetscFunctionBegin;
  PetscCall(PetscMalloc4(n, &row, n, &out[0], n, &out[1], w->size, &kept));
  PetscCall(AdjointDisturb(w, true, kept));
  if (w->energies) PetscCall(FindEnergies(w->run));
  PetscCall(ColumnsSample(&w->columns, w->run, row));
  for (int i = 0; i < w->parameters && !is_refused(w->wrong); i++)
    PetscCall(JudgeColumns(w, &w->parameter[i], row, out));
  PetscCall(AdjointDisturb(w, false, kept));
  PetscCall(PetscFree4(row, out[0], out[1], kept));
  PetscFunctionReturn(0);
}

PetscErrorCode AdjointAddRow(Adjoint *w, AdjointParameter *a, const double *weight) {
  int n = w->columns.count;
  double *row, *out[MOST_POINTS], *at;
  PetscFunctionBegin;
  if (!a->in_columns && !w->formulas) PetscFunctionReturn(0);
  PetscCall(PetscMalloc2(n, &row, n * MOST_POINTS, &at));
  for (int point = 0; point < MOST_POINTS; point++) out[point] = at + point * n;
  if (w->energies) PetscCall(FindEnergies(w->run));
  PetscCall(ColumnsSample(&w->columns, w->run, row));
  if (a->linear && w->formulas) PetscCall(JudgeColumns(w, a, row, out));
  for (int point = 0; point < points_of(a) && !is_refused(w->wrong); point++) {
    PetscCall(SampleShadow(w, a, point, row, out[point]));
    for (int c = 0; c < n; c++)
      if (weight[c] != 0) add(w, a, c, point, weight[c] * out[point][c]);
  }
  for (int c = 0; c < n && !a->linear && w->formulas && !is_refused(w->wrong); c++) {
    double value[] = {out[0][c], out[1][c], out[2][c], out[3][c]}, rough = even_part(value);
    size_t sum = (size_t)c * (size_t)w->parameters + (size_t)(a - w->parameter);
    if (rough > 64 * PETSC_MACHINE_EPSILON * fabs(row[c])) w->noise[sum] += fabs(weight[c]) * rough / a->delta;
  }
  PetscCall(PetscFree2(row, at));
  PetscFunctionReturn(0);
}
