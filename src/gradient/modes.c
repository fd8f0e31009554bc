// SPDX-License-Identifier: Apache-2.0
// Derivatives of eigenvalues. With left vectors y of y^H P'(lambda) x = 1,
//   d lambda/dp = -y^H (dP(lambda)/dp) x,
// where dP is that of the matrices about the equilibrium as it moves with p. Of an eigenvalue with several vectors the
// matrix -Y^H dP X has the derivatives of its branches as eigenvalues.
// Equation: eq-gradient-modes (27.4).
#include "gradient/gradient.h"

#include <math.h>
#include <petscblaslapack.h>

enum { MOST_MULTIPLE = 12 };

typedef struct { // modes of one eigenvalue
  int first, count;
} ModeGroup;

typedef struct {
  const GradientProblem *p;
  struct LimberModesData *a;
  LimberModesOptions options;
  int *group_of; // of each quantity; -1: it is no mode
  ModeGroup *group;
  int groups;
} ModeWork;

// ---- y^H P x ----

// The left vector; of K x = omega^2 M x it is x/(2 i omega), whose factor `Rates` puts in.
static const Vec *left_of(const Mode *m) { return m->left[0] ? m->left : m->right; }

static PetscErrorCode Product(const Vec y[2], const Vec r[2], double out[2]) {
  PetscScalar part;
  PetscFunctionBegin;
  out[0] = out[1] = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2 && y[i]; j++) { // conj(y) r
      PetscCall(VecDot(y[i], r[j], &part));
      out[i == j ? 0 : 1] += i == 1 && j == 0 ? -part : part;
    }
  PetscFunctionReturn(0);
}

static PetscErrorCode SampleGroup(const ModeWork *w, const Pencil *pencil, const ModeGroup *group, double **out) {
  const Mode *mode = w->a->modes->mode + group->first;
  Vec r[2];
  PetscFunctionBegin;
  for (int i = 0; i < 2; i++) PetscCall(VecDuplicate(mode->right[0], &r[i]));
  for (int j = 0; j < group->count; j++) {
    for (int i = 0; i < 2; i++) PetscCall(VecZeroEntries(r[i]));
    PetscCall(PencilApply(pencil, false, mode->re, mode->im, mode[j].right, r));
    for (int i = 0; i < group->count; i++, *out += 2) PetscCall(Product(left_of(&mode[i]), r, *out));
  }
  for (int i = 0; i < 2; i++) PetscCall(VecDestroy(&r[i]));
  PetscFunctionReturn(0);
}

static PetscErrorCode SampleMatrices(void *self, Shadow *at, double *value) {
  const ModeWork *w = self;
  System *s = at->run->stepper->s;
  const Spin spin = statics_of(at->run->stepper)->loads.spin;
  Pencil pencil;
  PetscFunctionBegin;
  PetscCall(PencilCreate(s, &spin, w->options.damped, &pencil));
  for (int i = 0; i < w->groups; i++) PetscCall(SampleGroup(w, &pencil, &w->group[i], &value));
  PetscCall(PencilDestroy(&pencil));
  PetscFunctionReturn(0);
}

// ---- derivatives of eigenvalues ----

// The eigenvalues of a real symmetric matrix, the smallest first.
static bool symmetric_eigenvalues(int n, double *a, double *value) {
  PetscBLASInt size = n, room = 40 * n + 40, info = 0;
  double work[40 * MOST_MULTIPLE + 40];
  LAPACKsyev_("N", "U", &size, a, &size, value, work, &room, &info);
  return info == 0;
}

// Of a complex matrix of two rows, that with the smaller imaginary part first.
static void pair_eigenvalues(const double (*a)[2], double value[2][2]) {
  double half[2], mean[2], square[2], root[2];
  for (int i = 0; i < 2; i++) half[i] = 0.5 * (a[0][i] - a[3][i]), mean[i] = 0.5 * (a[0][i] + a[3][i]);
  square[0] = half[0] * half[0] - half[1] * half[1] + a[1][0] * a[2][0] - a[1][1] * a[2][1];
  square[1] = 2 * half[0] * half[1] + a[1][0] * a[2][1] + a[1][1] * a[2][0];
  double size = sqrt(hypot(square[0], square[1])), angle = 0.5 * atan2(square[1], square[0]);
  root[0] = size * cos(angle), root[1] = size * sin(angle);
  double sign = root[1] < 0 ? -1 : 1;
  for (int i = 0; i < 2; i++) value[0][i] = mean[i] - sign * root[i], value[1][i] = mean[i] + sign * root[i];
}

// d lambda of mode `at` of a group. `y`: derivatives of Y^H P X by columns. False: there are too many modes.
static bool eigenvalue_rate(const Mode *mode, int count, int at, const double (*y)[2], double out[2]) {
  if (!mode->left[0]) { // real vectors of a symmetric problem: d omega = x . dP x/(2 omega)
    double a[MOST_MULTIPLE * MOST_MULTIPLE], value[MOST_MULTIPLE], omega = mode->re != 0 ? mode->re : mode->im;
    if (count > MOST_MULTIPLE) return false;
    for (int i = 0; i < count; i++)
      for (int j = 0; j < count; j++)
        a[i + count * j] = 0.5 * (y[i + count * j][0] + y[j + count * i][0]) / (2 * omega) * (mode->re != 0 ? -1 : 1);
    if (!symmetric_eigenvalues(count, a, value)) return false;
    out[0] = mode->re != 0 ? value[at] : 0, out[1] = mode->re != 0 ? 0 : value[at];
    return true;
  }
  if (count > 2) return false;
  double negative[4][2], value[2][2];
  for (int i = 0; i < count * count; i++)
    for (int k = 0; k < 2; k++) negative[i][k] = -y[i][k];
  if (count == 1) out[0] = negative[0][0], out[1] = negative[0][1];
  else {
    pair_eigenvalues((const double(*)[2])negative, value);
    out[0] = value[at][0], out[1] = value[at][1];
  }
  return true;
}

static double rate_of(const GradientQuantity *q, const Mode *mode, const double rate[2]) {
  double size = hypot(mode->re, mode->im);
  if (q->of == OF_FREQUENCY) return rate[1] / (2 * PETSC_PI);
  return -rate[0] / size + mode->re * (mode->re * rate[0] + mode->im * rate[1]) / (size * size * size);
}

// ---- all parameters ----

static const double *numbers_of(const ModeWork *w, const double *all, int group) {
  for (int i = 0; i < group; i++) all += 2 * w->group[i].count * w->group[i].count;
  return all;
}

static void put_rates(const ModeWork *w, int parameter, const double *out, const double *error, Refusal *wrong) {
  struct LimberGradientData *g = w->p->g;
  for (int i = 0; i < g->quantities; i++) {
    const GradientQuantity *q = &g->quantity[i];
    double rate[2], size = 0;
    if (w->group_of[i] < 0) continue;
    const ModeGroup *group = &w->group[w->group_of[i]];
    const Mode *mode = w->a->modes->mode + group->first;
    if (!eigenvalue_rate(mode, group->count, q->mode - group->first,
                         (const double(*)[2])numbers_of(w, out, w->group_of[i]), rate)) {
      refuse(wrong, "mode %d has the eigenvalue of %d modes: its derivative is not found", q->mode + 1, group->count);
      return;
    }
    const double *e = numbers_of(w, error, w->group_of[i]);
    for (int k = 0; k < 2 * group->count * group->count; k++) size += e[k];
    double lambda = hypot(mode->re, mode->im);
    if (!mode->left[0]) size /= 2 * lambda;
    LimberDerivative *d = &g->d[i * g->parameters + parameter];
    d->value = rate_of(q, mode, rate);
    d->error = q->of == OF_FREQUENCY ? size / (2 * PETSC_PI) : 2 * size / lambda;
  }
}

// The mode of that name, as `limber modes` prints it, at least its beginning.
static int find_mode(const ModeWork *w, const char *name) {
  for (int i = 0; i < w->a->shapes.count; i++)
    if (!strncmp(w->a->shapes.shape[i].name, name, strlen(name))) return i;
  return -1;
}

static bool choose_mode(const ModeWork *w, GradientQuantity *q, Refusal *wrong) {
  int found = q->column[0] ? find_mode(w, q->column) : q->mode;
  if (found >= 0 && found < w->a->modes->count) return q->mode = found, true;
  if (found >= 0) refuse(wrong, "there is no mode %d: the model has %d", found + 1, w->a->modes->count);
  else refuse(wrong, "none of the first %d modes has the name '%s'; there are:", w->a->modes->count, q->column);
  for (int i = 0; i < PetscMin(w->a->shapes.count, 12) && found < 0; i++)
    refuse_also(wrong, "%s %.*s", i ? ";" : "", (int)strcspn(w->a->shapes.shape[i].name, ","),
                w->a->shapes.shape[i].name);
  return false;
}

// Finds the eigenvalues that the quantities need.
static PetscErrorCode FindGroups(ModeWork *w, Refusal *wrong) {
  struct LimberGradientData *g = w->p->g;
  const Modes *modes = w->a->modes;
  PetscFunctionBegin;
  for (int i = 0; i < g->quantities; i++) {
    GradientQuantity *q = &g->quantity[i];
    int first = 0, count = 0;
    w->group_of[i] = -1;
    if (gradient_analysis(q->of) != IN_MODES) continue;
    if (!choose_mode(w, q, wrong)) PetscFunctionReturn(0);
    while (first + (count = modes_multiplicity(modes->count - first, modes->mode + first)) <= q->mode) first += count;
    const Mode *m = modes->mode + q->mode;
    g->value[i] = q->of == OF_FREQUENCY ? m->frequency : m->damping;
    snprintf(q->unit, sizeof q->unit, "%s", q->of == OF_FREQUENCY ? "Hz" : "1");
    if (m->left[0] == NULL && modes->quadratic) {
      refuse(wrong, "mode %d has no left vector, so that its derivative is not known", q->mode + 1);
      PetscFunctionReturn(0);
    }
    int k = 0;
    while (k < w->groups && w->group[k].first != first) k++;
    if (k == w->groups) w->group[w->groups++] = (ModeGroup){first, count};
    w->group_of[i] = k;
    if (count > 1 && !strstr(g->remarks, "have the same frequency"))
      snprintf(g->remarks + strlen(g->remarks), sizeof g->remarks - strlen(g->remarks),
               "modes %d to %d have the same frequency: their derivatives are those of the branches into which a "
               "larger value of the parameter splits it\n",
               first + 1, first + count);
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode DifferentiateModes(ModeWork *w, Refusal *wrong) {
  struct LimberGradientData *g = w->p->g;
  EquilibriumQuestion ask = {.sample = SampleMatrices, .self = w};
  Equilibrium *e = NULL;
  double *out, *error;
  PetscFunctionBegin;
  PetscCall(FindGroups(w, wrong));
  if (is_refused(wrong) || !g->parameters) PetscFunctionReturn(0);
  if (w->a->point.spin.rotor) refuse(wrong, "modes of a rotor on a support that stands have no gradient yet");
  if (!is_refused(wrong))
    PetscCall(EquilibriumCreate(w->p, IN_MODES, w->a->point.run->stepper, w->options.time, &e, wrong));
  for (int i = 0; i < w->groups; i++) ask.count += 2 * w->group[i].count * w->group[i].count;
  PetscCall(PetscMalloc2(ask.count, &out, ask.count, &error));
  for (int i = 0; i < g->parameters && !gradient_ends(w->p, wrong); i++) {
    PetscCall(EquilibriumDifferentiate(e, &ask, i, out, error, wrong));
    if (!is_refused(wrong)) put_rates(w, i, out, error, wrong);
  }
  PetscCall(PetscFree2(out, error));
  PetscCall(EquilibriumDestroy(&e));
  PetscFunctionReturn(0);
}

PetscErrorCode ModesGradient(const GradientProblem *p, Refusal *wrong) {
  struct LimberModesData a;
  ModeWork w = {.p = p, .a = &a, .options = p->in->modes.options};
  int most = 0;
  PetscFunctionBegin;
  for (int i = 0; i < p->g->quantities; i++) most = PetscMax(most, p->g->quantity[i].mode + 1);
  w.options.count = PetscMax(w.options.count, most + 4); // all modes of its eigenvalue
  PetscCall(ModalAnalysis(p->in->model, &w.options, &a, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(PetscCalloc2(p->g->quantities, &w.group_of, p->g->quantities, &w.group));
  PetscCall(DifferentiateModes(&w, wrong));
  PetscCall(PetscFree2(w.group_of, w.group));
  PetscCall(ModalAnalysisDestroy(&a));
  PetscFunctionReturn(0);
}
