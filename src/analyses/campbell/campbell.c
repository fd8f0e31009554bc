// SPDX-License-Identifier: Apache-2.0
// Sweeps the parameter, follows the branches and finds their crossings.
#include "analyses/campbell/campbell.h"

#include "analyses/read_changed.h"
#include "model/refusal.h"

#include <stdarg.h>
#include <string.h>

// ---- a point: the model is read again with the parameter changed, as with --set ----

static PetscErrorCode ReadChanged(const CampbellProblem *p, double value, Input **out, Refusal *wrong) {
  const LimberCampbellOptions *o = &p->options;
  char change[512];
  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(change, sizeof change, "%s%s=%.17g%s%s", strchr(o->vary, '.') ? "" : "let.", o->vary, value,
                          o->unit ? " " : "", o->unit ? o->unit : ""));
  PetscCall(InputReadChanged(p->in, p->read, change, out, wrong));
  PetscFunctionReturn(0);
}

static PetscErrorCode CampbellPointDestroy(CampbellPoint *point) {
  PetscFunctionBegin;
  PetscCall(ModalAnalysisDestroy(&point->a));
  PetscCall(InputDestroy(&point->in));
  *point = (CampbellPoint){0};
  PetscFunctionReturn(0);
}

static PetscErrorCode CampbellPointSolve(const CampbellProblem *p, double value, CampbellPoint *out, Refusal *wrong) {
  LimberModesOptions o = p->in->modes.options;
  Refusal why = {.text = ""};
  PetscFunctionBegin;
  *out = (CampbellPoint){.value = value};
  wrong->text[0] = 0;
  PetscCall(ReadChanged(p, value, &out->in, wrong));
  // more than are followed, because some of those do not stay among the lowest
  o.count = p->options.modes + PetscMax(4, p->options.modes / 2), o.target = 0;
  if (!is_refused(wrong)) PetscCall(ModalAnalysis(out->in->model, &o, &out->a, &why));
  if (is_refused(&why))
    refuse(wrong, "at %s = %g%s%s: %s", p->options.vary, value, p->options.unit ? " " : "",
           p->options.unit ? p->options.unit : "", why.text);
  if (is_refused(wrong)) PetscCall(CampbellPointDestroy(out));
  PetscFunctionReturn(0);
}

// ---- the sweep ----

enum { DEEPEST = 6 }; // most halvings of a step

typedef struct {
  const CampbellProblem *p;
  struct LimberCampbellData *f;
  int room, crossing_room, solved;
  int (*veering)[2]; // of each branch: the one that it last mixed with, and the row
  Refusal *wrong;
} Sweep;

static PetscErrorCode Solve(Sweep *w, double value, CampbellPoint *out) {
  PetscFunctionBegin;
  PetscCall(CampbellPointSolve(w->p, value, out, w->wrong));
  w->solved++;
  if (w->p->progress && !is_refused(w->wrong)) w->p->progress(value, w->solved);
  PetscFunctionReturn(0);
}

// ---- rows ----

// Takes the name in the middle of the range: at its ends, shapes may be those of pairs.
static void name_branch(const Sweep *w, const CampbellPoint *point, const char *now, char *name, size_t size) {
  const LimberCampbellOptions *o = &w->p->options;
  if (w->f->rows == 0 || 2 * fabs(point->value - o->from) <= 1.0001 * fabs(o->to - o->from))
    snprintf(name, size, "%s", now);
}

static PetscErrorCode AddRow(Sweep *w, const CampbellPoint *point, const BranchPlace *at) {
  struct LimberCampbellData *f = w->f;
  size_t n = (size_t)f->branches;
  PetscFunctionBegin;
  if (f->rows == w->room) {
    w->room = 2 * w->room + 32;
    size_t rows = (size_t)w->room;
    PetscCall(PetscRealloc(rows * sizeof *f->value, &f->value));
    PetscCall(PetscRealloc(rows * sizeof *f->rate, &f->rate));
    PetscCall(PetscRealloc(rows * n * sizeof *f->lambda, &f->lambda));
    PetscCall(PetscRealloc(rows * n * sizeof *f->whirl, &f->whirl));
    PetscCall(PetscRealloc(rows * n * sizeof *f->correlation, &f->correlation));
    PetscCall(PetscRealloc(rows * n * sizeof *f->rotor, &f->rotor));
  }
  f->has_rotor = f->has_rotor || point->a.point.spin.rotor;
  f->value[f->rows] = point->value, f->rate[f->rows] = point->a.point.spin.rate;
  for (int k = 0; k < f->branches; k++) {
    int i = f->rows * f->branches + k;
    f->lambda[i][0] = f->lambda[i][1] = f->whirl[i] = f->rotor[i] = (double)NAN, f->correlation[i] = 0;
    if (at[k].mode < 0) continue;
    campbell_lambda(point, &at[k], f->lambda[i]);
    f->whirl[i] = (at[k].conjugate ? -1 : 1) * point->a.shapes.shape[at[k].mode].whirl;
    f->correlation[i] = at[k].correlation;
    f->rotor[i] = point->a.shapes.shape[at[k].mode].rotor_frequency;
    name_branch(w, point, point->a.shapes.shape[at[k].mode].name, f->name[k], sizeof f->name[k]);
  }
  f->rows++;
  PetscFunctionReturn(0);
}

static void remark(struct LimberCampbellData *f, const char *format, ...) PRINTF_LIKE(2, 3);
static void remark(struct LimberCampbellData *f, const char *format, ...) {
  size_t at = strlen(f->remarks);
  va_list list;
  va_start(list, format);
  vsnprintf(f->remarks + at, sizeof f->remarks - at, format, list);
  va_end(list);
}

static const char *unit_of(const Sweep *w) { return w->p->options.unit ? w->p->options.unit : ""; }

// ---- crossings ----

static PetscErrorCode AddCrossing(Sweep *w, LimberCampbellCrossing c) {
  struct LimberCampbellData *f = w->f;
  PetscFunctionBegin;
  if (f->crossings == w->crossing_room) {
    w->crossing_room = 2 * w->crossing_room + 16;
    PetscCall(PetscRealloc((size_t)w->crossing_room * sizeof *f->crossing, &f->crossing));
  }
  f->crossing[f->crossings++] = c;
  PetscFunctionReturn(0);
}

// The gap that is zero at a crossing, Hz. Multiple 0: the frequency itself, with the sign of the branch.
static double gap(double lambda, double rate, double multiple) {
  double frequency = lambda / (2 * PETSC_PI);
  return multiple == 0 ? frequency : fabs(frequency) - multiple * fabs(rate) / (2 * PETSC_PI);
}

// Finds the crossing between a and b, where the gap of a branch changes sign, with the Illinois method. The branch is
// followed from a.
static PetscErrorCode FindCrossing(Sweep *w, const CampbellPoint *a, const CampbellPoint *b, int branch,
                                   const BranchPlace *at_a, const BranchPlace *at_b, double multiple) {
  double x[2] = {a->value, b->value}, g[2], lambda[2], value = x[1], rate = 0, scale;
  int last = -1, *other;
  BranchPlace *to;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(w->f->branches, &to, w->f->branches, &other));
  campbell_lambda(a, &at_a[branch], lambda);
  g[0] = gap(lambda[1], a->a.point.spin.rate, multiple);
  scale = fabs(lambda[1]) / (2 * PETSC_PI);
  campbell_lambda(b, &at_b[branch], lambda);
  g[1] = gap(lambda[1], b->a.point.spin.rate, multiple), rate = b->a.point.spin.rate;
  scale = PetscMax(scale, fabs(lambda[1]) / (2 * PETSC_PI));
  for (int i = 0; i < 12; i++) {
    CampbellPoint c;
    value = x[0] + (x[1] - x[0]) * g[0] / (g[0] - g[1]);
    PetscCall(Solve(w, value, &c));
    if (is_refused(w->wrong)) break;
    PetscCall(CampbellFollow(a, &c, w->f->branches, at_a, to, other));
    double here = (double)NAN;
    if (to[branch].mode >= 0) {
      campbell_lambda(&c, &to[branch], lambda);
      rate = c.a.point.spin.rate;
      here = gap(lambda[1], rate, multiple);
    }
    PetscCall(CampbellPointDestroy(&c));
    if (isnan(here)) // too close to zero to be distinguished from a rigid motion
      rate = a->a.point.spin.rate +
             (b->a.point.spin.rate - a->a.point.spin.rate) * (value - a->value) / (b->value - a->value);
    if (isnan(here) || fabs(here) <= 1e-9 * scale) break;
    int side = (here > 0) == (g[0] > 0) ? 0 : 1;
    x[side] = value, g[side] = here;
    if (side == last) g[1 - side] *= 0.5;
    last = side;
    if (fabs(x[1] - x[0]) <= 1e-10 * fabs(w->p->options.to - w->p->options.from)) break;
  }
  if (!is_refused(w->wrong))
    PetscCall(AddCrossing(
        w, (LimberCampbellCrossing){branch, multiple, value, fabs(rate), fabs(lambda[1]) / (2 * PETSC_PI)}));
  PetscCall(PetscFree2(to, other));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindCrossings(Sweep *w, const CampbellPoint *a, const CampbellPoint *b, const BranchPlace *at_a,
                                    const BranchPlace *at_b) {
  const LimberCampbellOptions *o = &w->p->options;
  double rate[2] = {a->a.point.spin.rate, b->a.point.spin.rate};
  PetscFunctionBegin;
  if (rate[0] == 0 && rate[1] == 0) PetscFunctionReturn(0);
  for (int k = 0; k < w->f->branches && !is_refused(w->wrong); k++) {
    if (at_a[k].mode < 0 || at_b[k].mode < 0) continue;
    for (int m = -1; m < o->multiples && !is_refused(w->wrong); m++) {
      double multiple = m < 0 ? 0 : o->multiple[m], lambda[2][2], g[2];
      campbell_lambda(a, &at_a[k], lambda[0]);
      campbell_lambda(b, &at_b[k], lambda[1]);
      for (int i = 0; i < 2; i++) g[i] = gap(lambda[i][1], rate[i], multiple);
      if ((g[0] > 0) == (g[1] > 0) || (m >= 0 && multiple == 0)) continue;
      PetscCall(FindCrossing(w, a, b, k, at_a, at_b, multiple));
    }
  }
  PetscFunctionReturn(0);
}

// ---- following the branches ----

// Reports branches that mix, once for consecutive rows.
static void note_veering(Sweep *w, const BranchPlace *to, const int *other) {
  struct LimberCampbellData *f = w->f;
  for (int k = 0; k < f->branches; k++) {
    int l = other[k];
    if (l < 0 || l < k || to[k].mode < 0) continue;
    const double *a = f->lambda[(f->rows - 1) * f->branches + k], *b = f->lambda[(f->rows - 1) * f->branches + l];
    bool near = hypot(a[0] - b[0], a[1] - b[1]) < 0.2 * hypot(a[0], a[1]);
    bool again = w->veering[k][0] == l && w->veering[k][1] >= f->rows - 6;
    w->veering[k][0] = l, w->veering[k][1] = f->rows;
    if (near && !again)
      remark(f, "modes %d and %d veer at %s = %.4g%s%s: they exchange their shapes there\n", k + 1, l + 1,
             w->p->options.vary, f->value[f->rows - 1], *unit_of(w) ? " " : "", unit_of(w));
  }
}

// Orders branches that start from the same eigenvalue by frequency, where vectors do not decide.
static void order_equal(const Sweep *w, const CampbellPoint *a, const BranchPlace *at, const CampbellPoint *b,
                        BranchPlace *to) {
  const Mode *from = a->a.modes->mode, *mode = b->a.modes->mode;
  for (int k = 0; k < w->f->branches; k++)
    for (int l = k + 1; l < w->f->branches; l++) {
      const Mode *p = &from[at[k].mode], *q = &from[at[l].mode];
      if (!modes_are_equal(p, q)) continue;
      if (to[k].correlation >= 0.8 || to[l].correlation >= 0.8) continue;
      if (to[k].mode < 0 || to[l].mode < 0 || mode[to[k].mode].im <= mode[to[l].mode].im) continue;
      BranchPlace swap = to[k];
      to[k] = to[l], to[l] = swap;
    }
}

// Continues from a to b, whose modes are known, directly or through the point in the middle.
static PetscErrorCode Advance(Sweep *w, const CampbellPoint *a, BranchPlace *at, const CampbellPoint *b, int depth) {
  struct LimberCampbellData *f = w->f;
  BranchPlace *to;
  CampbellPoint middle;
  int *other, uncertain = -1;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(f->branches, &to, f->branches, &other));
  PetscCall(CampbellFollow(a, b, f->branches, at, to, other));
  for (int k = 0; k < f->branches; k++)
    if (at[k].mode >= 0 && !to[k].certain) uncertain = k;
  if (uncertain >= 0 && depth < DEEPEST) {
    PetscCall(Solve(w, 0.5 * (a->value + b->value), &middle));
    if (!is_refused(w->wrong)) {
      PetscCall(Advance(w, a, at, &middle, depth + 1));
      if (!is_refused(w->wrong)) PetscCall(Advance(w, &middle, at, b, depth + 1));
      PetscCall(CampbellPointDestroy(&middle));
    }
  } else {
    for (int k = 0; k < f->branches; k++) {
      if (at[k].mode < 0 || to[k].certain) continue;
      if (to[k].mode < 0)
        remark(f, "mode %d is lost at %s = %.4g: no mode there resembles it\n", k + 1, w->p->options.vary, b->value);
      else
        remark(f, "mode %d may have been mistaken for another at %s = %.4g: their correlation is %.2f\n", k + 1,
               w->p->options.vary, b->value, to[k].correlation);
    }
    if (f->rows == 1) order_equal(w, a, at, b, to);
    PetscCall(AddRow(w, b, to));
    note_veering(w, to, other);
    PetscCall(FindCrossings(w, a, b, at, to));
    PetscCall(PetscArraycpy(at, to, f->branches));
  }
  PetscCall(PetscFree2(to, other));
  PetscFunctionReturn(0);
}

static PetscErrorCode Walk(Sweep *w, CampbellPoint *first) {
  const LimberCampbellOptions *o = &w->p->options;
  struct LimberCampbellData *f = w->f;
  CampbellPoint a = *first, b;
  BranchPlace *at;
  PetscInt rows, now;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(f->branches, &at));
  for (int k = 0; k < f->branches; k++) at[k] = (BranchPlace){k, false, 1, true}, w->veering[k][0] = -1;
  PetscCall(AddRow(w, &a, at));
  PetscCall(MatGetSize(a.a.modes->pencil.k, &rows, NULL));
  for (int i = 1; i <= o->steps && !is_refused(w->wrong); i++) {
    PetscCall(Solve(w, o->from + (o->to - o->from) * i / o->steps, &b));
    if (is_refused(w->wrong)) break;
    PetscCall(MatGetSize(b.a.modes->pencil.k, &now, NULL));
    if (now != rows) refuse(w->wrong, "%s changes the number of unknowns: modes cannot be followed", o->vary);
    else PetscCall(Advance(w, &a, at, &b, 0));
    PetscCall(CampbellPointDestroy(&a));
    a = b;
  }
  PetscCall(CampbellPointDestroy(&a));
  PetscCall(PetscFree(at));
  PetscFunctionReturn(0);
}

// Reports ranges in which a branch grows. Real parts below the bound of their error are zero already.
static void note_growth(const Sweep *w) {
  struct LimberCampbellData *f = w->f;
  for (int k = 0; k < f->branches; k++)
    for (int i = 0, first = -1; i <= f->rows; i++) {
      const double *l = f->lambda[PetscMin(i, f->rows - 1) * f->branches + k];
      bool grows = i < f->rows && l[0] > 0;
      if (grows && first < 0) first = i;
      if (grows || first < 0) continue;
      remark(f, "mode %d grows from %s = %.4g to %.4g%s%s: the equilibrium is unstable there\n", k + 1,
             w->p->options.vary, f->value[first], f->value[i - 1], *unit_of(w) ? " " : "", unit_of(w));
      first = -1;
    }
}

PetscErrorCode CampbellFind(const CampbellProblem *problem, LimberCampbell *out, Refusal *wrong) {
  CampbellProblem p = *problem;
  Sweep w = {.p = &p, .wrong = wrong};
  CampbellPoint first;
  PetscFunctionBegin;
  *out = NULL, wrong->text[0] = 0;
  if (p.options.steps <= 0) p.options.steps = 24;
  if (p.options.modes <= 0) p.options.modes = 8;
  PetscCall(Solve(&w, p.options.from, &first));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  if (first.a.modes->count == 0) {
    refuse(wrong, "campbell: there are no modes to follow");
    PetscCall(CampbellPointDestroy(&first));
    PetscFunctionReturn(0);
  }
  PetscCall(PetscNew(&w.f));
  w.f->branches = PetscMin(p.options.modes, first.a.modes->count);
  PetscCall(PetscCalloc1(w.f->branches, &w.f->name));
  PetscCall(PetscCalloc1(w.f->branches, &w.veering));
  PetscCall(Walk(&w, &first));
  if (!is_refused(wrong)) note_growth(&w);
  PetscCall(PetscFree(w.veering));
  *out = w.f;
  if (is_refused(wrong)) PetscCall(CampbellDestroy(out));
  PetscFunctionReturn(0);
}

PetscErrorCode CampbellDestroy(LimberCampbell *f) {
  struct LimberCampbellData *a = *f;
  PetscFunctionBegin;
  if (!a) PetscFunctionReturn(0);
  PetscCall(PetscFree(a->value));
  PetscCall(PetscFree(a->rate));
  PetscCall(PetscFree(a->lambda));
  PetscCall(PetscFree(a->whirl));
  PetscCall(PetscFree(a->correlation));
  PetscCall(PetscFree(a->rotor));
  PetscCall(PetscFree(a->name));
  PetscCall(PetscFree(a->crossing));
  PetscCall(PetscFree(*f));
  PetscFunctionReturn(0);
}
