// SPDX-License-Identifier: Apache-2.0
// Searches for the modes of a model, sorts them and separates rigid motions.
#include "analyses/modes/modes.h"
#include "model/refusal.h"

#include <stdlib.h>
#include <string.h>

// ---- search ----

// Whether a mode is a motion without stiffness: in x^H P(lambda) x = 0 both lambda^2 x^H M x and lambda x^H D x are
// round-off of K. A mode of a damper, such as that of the air's wake, may be slow and yet be no rigid motion.
static PetscErrorCode IsRigid(const Pencil *p, const Mode *mode, bool *rigid, double *limit) {
  double size = mode->re * mode->re + mode->im * mode->im, m[2], d[2];
  PetscFunctionBegin;
  *rigid = false, *limit = 0;
  if (size > PENCIL_RIGID * p->stiffest) PetscFunctionReturn(0);
  PetscCall(ModeRoundOff(p, mode, limit));
  *rigid = size <= *limit;
  if (!*rigid || !p->d) PetscFunctionReturn(0);
  PetscCall(ModesComplexProduct(p->m, mode->right, mode->right, m));
  PetscCall(ModesComplexProduct(p->d, mode->right, mode->right, d));
  *rigid = PetscSqrtReal(size) * hypot(d[0], d[1]) <= *limit * m[0];
  PetscFunctionReturn(0);
}

// The lowest |lambda|^2 other than of rigid motions, and the number of these.
static PetscErrorCode LowestElastic(const Pencil *p, const ModeList *list, double *lowest, int *rigid) {
  PetscFunctionBegin;
  *lowest = PETSC_INFINITY, *rigid = 0;
  for (int i = 0; i < list->count; i++) {
    const Mode *m = &list->mode[i];
    bool is_rigid;
    double limit;
    PetscCall(IsRigid(p, m, &is_rigid, &limit));
    if (is_rigid) (*rigid)++;
    else *lowest = PetscMin(*lowest, m->re * m->re + m->im * m->im);
  }
  if (!(*lowest < PETSC_INFINITY)) *lowest = 1e-6 * p->stiffest; // there is none
  PetscFunctionReturn(0);
}

// At first the shift is far below the stiffest. If that is still so far above the modes that none is found, it becomes
// smaller. It finds only rigid motions if there are any; then the next shift is near the lowest other mode.
static PetscErrorCode SearchSparse(Pencil *p, bool quadratic, const LimberModesOptions *o, ModeList *out, bool *good) {
  double shift = quadratic ? 1e-6 * PetscSqrtReal(p->stiffest) : -1e-12 * p->stiffest, lowest = p->stiffest;
  bool aimed = o->target > 0 && !quadratic;
  int rigid = 0, count = o->count;
  PetscFunctionBegin;
  if (aimed) shift = PetscSqr(2 * PETSC_PI * o->target);
  for (int pass = 0; pass < 5; pass++) {
    PetscCall(PencilFactor(p, shift, !quadratic, good));
    if (!*good) PetscFunctionReturn(0);
    if (quadratic) PetscCall(ModesQuadratic(p, count, false, out));
    else PetscCall(ModesSymmetric(p, count, false, out));
    if (out->lost && !aimed && pass < 3) {
      shift *= 1e-3, out->lost = false;
      continue;
    }
    if (!aimed) PetscCall(LowestElastic(p, out, &lowest, &rigid));
    double square = quadratic ? shift * shift : -shift;
    bool near = square < 100 * lowest && square > 1e-4 * lowest && out->count >= o->count + rigid;
    if (aimed || (rigid == 0 && pass == 0) || near || pass == 4) break;
    shift = PENCIL_BESIDE * (quadratic ? PetscSqrtReal(lowest) : -lowest), count = o->count + rigid;
    PetscCall(ModeListDestroy(out));
  }
  if (!quadratic) PetscCall(ModesSymmetric(p, count, true, out));
  if (quadratic && !pencil_mirrors(p)) {
    ModeList left = {0};
    PetscCall(ModesQuadratic(p, count, true, &left));
    PetscCall(ModesTakeLeft(out->count, out->mode, &left));
    PetscCall(ModeListDestroy(&left));
  }
  PetscFunctionReturn(0);
}

static bool is_dense(PetscInt massive, bool quadratic, const LimberModesOptions *o) {
  return massive <= (quadratic ? MOST_DENSE_QUADRATIC : MOST_DENSE) ||
         (3 * o->count > massive && massive <= 3 * MOST_DENSE);
}

static PetscErrorCode SearchBeyondDense(Modes *modes, const LimberModesOptions *o, ModeList *out, bool *good) {
  PetscFunctionBegin;
  PetscCall(SearchSparse(&modes->pencil, modes->quadratic, o, out, good));
  if (modes->quadratic && o->target > 0)
    PetscCall(PetscSNPrintf(modes->remarks, sizeof modes->remarks,
                            "the lowest modes were computed, not those around %g Hz: for a damped or rotating model of "
                            "this size, ask for more modes or for undamped ones (`damped: no`)\n",
                            o->target));
  PetscFunctionReturn(0);
}

static PetscErrorCode Search(Modes *modes, const LimberModesOptions *o, ModeList *out, bool *good) {
  Pencil *p = &modes->pencil;
  PetscInt massive, damped = 0;
  PetscFunctionBegin;
  PetscCall(PencilMassive(p, &massive));
  if (modes->quadratic) PetscCall(PencilDampedMassless(p, NULL, &damped));
  if (is_dense(massive + damped, modes->quadratic, o)) PetscCall(ModesDense(p, modes->quadratic, out, good));
  else PetscCall(SearchBeyondDense(modes, o, out, good));
  PetscFunctionReturn(0);
}

// ---- order ----

static int by_distance(const void *a, const void *b) {
  double p = ((const Mode *)a)->away, q = ((const Mode *)b)->away;
  return (p > q) - (p < q);
}

static void describe(Mode *m) {
  double size = hypot(m->re, m->im);
  m->frequency = m->im / (2 * PETSC_PI);
  m->damping = m->re != 0 ? -m->re / size : 0;
}

// ---- rigid motions ----

// Keeps a rigid motion if it is independent of those already kept.
static PetscErrorCode KeepRigid(const Pencil *p, Modes *out, Mode *mode, bool *kept) {
  double before[2], after[2];
  PetscFunctionBegin;
  *kept = false;
  PetscCall(VecDestroy(&mode->right[1]));
  mode->is_real = true;
  PetscCall(ModesComplexProduct(p->m, mode->right, mode->right, before));
  for (int i = 0; i < out->rigid; i++) {
    double part[2];
    PetscCall(ModesComplexProduct(p->m, out->rigid_mode[i].right, mode->right, part));
    PetscCall(VecAXPY(mode->right[0], -part[0], out->rigid_mode[i].right[0]));
  }
  PetscCall(ModesComplexProduct(p->m, mode->right, mode->right, after));
  if (!(after[0] > 1e-6 * before[0])) PetscFunctionReturn(0);
  PetscCall(ModeNormalise(p, mode));
  out->rigid_mode[out->rigid++] = *mode;
  *kept = true;
  PetscFunctionReturn(0);
}

// Distances to the target that differ by less count as equal.
static const double same_distance = 1e-6;

static PetscErrorCode ModeDestroy(Mode *mode) {
  PetscFunctionBegin;
  for (int i = 0; i < 2; i++) {
    PetscCall(VecDestroy(&mode->right[i]));
    PetscCall(VecDestroy(&mode->left[i]));
  }
  PetscFunctionReturn(0);
}

// Divides what was found into rigid motions and modes. Keeps the modes nearest to the target, and all that are as near
// as the last of them, at *reach.
static PetscErrorCode Divide(Modes *out, ModeList *list, const LimberModesOptions *o, double *reach) {
  Pencil *p = &out->pencil;
  PetscFunctionBegin;
  *reach = PETSC_INFINITY;
  PetscCall(PetscCalloc2(list->count, &out->mode, list->count, &out->rigid_mode));
  for (int i = 0; i < list->count; i++)
    list->mode[i].away = hypot(list->mode[i].re, list->mode[i].im - 2 * PETSC_PI * o->target);
  if (list->count) qsort(list->mode, (size_t)list->count, sizeof *list->mode, by_distance);
  for (int i = 0; i < list->count; i++) {
    Mode *m = &list->mode[i];
    bool rigid, kept = false;
    double limit;
    PetscCall(IsRigid(p, m, &rigid, &limit));
    if (rigid) out->rigid_limit = PetscMax(out->rigid_limit, PetscSqrtReal(limit) / (2 * PETSC_PI));
    if (rigid) PetscCall(KeepRigid(p, out, m, &kept));
    if (!rigid && m->away <= (1 + same_distance) * *reach) out->mode[out->count++] = *m, kept = true;
    if (out->count == o->count) *reach = PetscMin(*reach, m->away);
    if (!kept) PetscCall(ModeDestroy(m));
  }
  PetscCall(PetscFree(list->mode));
  *list = (ModeList){0};
  PetscFunctionReturn(0);
}

// ---- all together ----

// Drops the last of the modes at `reach` from the target until there are as many as requested.
static PetscErrorCode CutToCount(Modes *out, int count, double reach) {
  PetscFunctionBegin;
  for (int i = out->count - 1; i >= 0 && out->count > count; i--) {
    if (out->mode[i].away < (1 - same_distance) * reach) continue;
    PetscCall(ModeDestroy(&out->mode[i]));
    for (int j = i; j + 1 < out->count; j++) out->mode[j] = out->mode[j + 1];
    out->count--;
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode Complete(Modes *out, const LimberModesOptions *o, double reach) {
  Pencil *p = &out->pencil;
  double worst = 0, square;
  int good = 0;
  PetscFunctionBegin;
  PetscCall(ModesPolish(p, out->quadratic, out->count, out->mode));
  for (int i = 0; i < out->count; i++) {
    if (out->mode[i].residual <= 0.01) out->mode[good++] = out->mode[i];
    else PetscCall(ModeDestroy(&out->mode[i])); // the space contained no further mode
  }
  out->count = good;
  for (int i = 0; i < out->count; i++) { // to decide which eigenvalues are equal; the final bounds follow below
    PetscCall(ModeRoundOff(p, &out->mode[i], &square));
    out->mode[i].error[1] = square / (2 * hypot(out->mode[i].re, out->mode[i].im));
  }
  modes_order(out->count, out->mode);
  PetscCall(ModesSeparate(p, out->count, out->mode));
  for (int i = 0, n; i < out->count; i += n) { // residuals of what was separated
    n = modes_multiplicity(out->count - i, out->mode + i);
    if (n > 1) PetscCall(ModesPolish(p, out->quadratic, n, out->mode + i));
  }
  for (int i = 0; i < out->count; i++) PetscCall(ModeNormalise(p, &out->mode[i]));
  if (out->quadratic) PetscCall(ModesPair(p, out->count, out->mode));
  PetscCall(CutToCount(out, o->count, reach));
  for (int i = 0; i < out->count; i++) {
    PetscCall(ModeError(p, out->quadratic, &out->mode[i]));
    describe(&out->mode[i]);
    worst = PetscMax(worst, out->mode[i].residual);
  }
  for (int i = 0; i < out->rigid; i++) out->rigid_mode[i].re = out->rigid_mode[i].im = 0;
  if (worst > 1e-4) {
    size_t at = strlen(out->remarks);
    PetscCall(PetscSNPrintf(
        out->remarks + at, sizeof out->remarks - at,
        "the worst mode has a relative residual of %.1e: only the digits above that are significant\n", worst));
  }
  PetscFunctionReturn(0);
}

// Names what moves without mass or stiffness.
static PetscErrorCode SaySingular(const Layout *layout, Equations *equations, Refusal *wrong) {
  LimberCause cause;
  PetscFunctionBegin;
  PetscCall(EquationsNameUnconstrained(layout, equations, &cause));
  refuse(wrong, "no modes: %s moves with neither mass nor stiffness; give it one of them",
         cause.name[0] ? cause.name : "a part of the model");
  PetscFunctionReturn(0);
}

PetscErrorCode ModesFind(System *s, const Spin *spin, const LimberModesOptions *o, Modes **modes, Refusal *wrong) {
  Pencil p;
  PetscFunctionBegin;
  PetscCall(PencilCreate(s, spin, o->damped, &p));
  PetscCall(ModesFindOf(&p, o, modes, wrong));
  PetscFunctionReturn(0);
}

PetscErrorCode ModesFindOf(const Pencil *pencil, const LimberModesOptions *o, Modes **modes, Refusal *wrong) {
  Modes *out;
  ModeList list = {0};
  PetscInt massive;
  double reach;
  bool good = true;
  PetscFunctionBegin;
  LimberModesOptions options = *o; // zeros mean defaults
  if (options.count <= 0) options.count = 10;
  o = &options;
  wrong->text[0] = 0;
  PetscCall(PetscNew(&out));
  out->pencil = *pencil;
  Pencil *p = &out->pencil;
  PetscCall(PencilMassive(p, &massive));
  out->quadratic = p->d || !p->symmetric;
  if (!massive) refuse(wrong, "no modes: nothing that moves has a mass");
  else PetscCall(Search(out, o, &list, &good));
  if (!good) PetscCall(SaySingular(&p->s->motion.layout, &p->s->equations, wrong));
  bool lost = good && list.lost;
  if (good && list.failed)
    refuse(wrong, "no modes: too many eigenvalues are nearly equal, as those of air along many elements; use fewer "
                  "elements there, or ask for fewer modes");
  if (!is_refused(wrong)) {
    PetscCall(Divide(out, &list, o, &reach));
    bool some = out->count > 0;
    PetscCall(Complete(out, o, reach));
    lost = lost || (some && !out->count && !out->rigid);
  }
  if (lost)
    refuse(wrong, "no modes: the stiffest parts are so stiff that all else is lost in round-off; give them a lower "
                  "stiffness, or make them rigid");
  PetscCall(ModeListDestroy(&list));
  if (is_refused(wrong)) PetscCall(ModesDestroy(&out));
  *modes = out;
  PetscFunctionReturn(0);
}

PetscErrorCode ModesDestroy(Modes **modes) {
  Modes *m = *modes;
  PetscFunctionBegin;
  if (!m) PetscFunctionReturn(0);
  for (int i = 0; i < m->count; i++) PetscCall(ModeDestroy(&m->mode[i]));
  for (int i = 0; i < m->rigid; i++) PetscCall(ModeDestroy(&m->rigid_mode[i]));
  PetscCall(PetscFree2(m->mode, m->rigid_mode));
  PetscCall(PencilDestroy(&m->pencil));
  PetscCall(PetscFree(m));
  *modes = NULL;
  PetscFunctionReturn(0);
}

static bool is_taken(int rows, int ways, const int *pair, int mode) {
  for (int k = 0; k < rows; k++)
    if (pair[k] >= 0 && pair[k] / ways == mode) return true;
  return false;
}

void modes_pair(int rows, int modes, int ways, const double *likeness, double least, double same, int *pair) {
  int columns = modes * ways;
  for (int k = 0; k < rows; k++) pair[k] = -1;
  for (int round = 0; round < rows; round++) {
    double best = least;
    int row = -1, column = -1;
    for (int k = 0; k < rows; k++)
      for (int j = 0; j < columns && pair[k] < 0; j++) {
        double s = likeness[k * columns + j];
        if (s > best * (1 + (row < 0 ? 0 : same)) && !is_taken(rows, ways, pair, j / ways))
          best = s, row = k, column = j;
      }
    if (row < 0) return;
    pair[row] = column;
  }
}

PetscErrorCode ModeListAdd(ModeList *list, const Pencil *p, double re, double im, Mode **out) {
  PetscFunctionBegin;
  if (list->count == list->room) {
    list->room = 2 * list->room + 16;
    PetscCall(PetscRealloc((size_t)list->room * sizeof *list->mode, &list->mode));
  }
  *out = &list->mode[list->count++];
  **out = (Mode){.re = re, .im = im, .is_real = true};
  PetscCall(MatCreateVecs(p->k, &(*out)->right[0], NULL));
  PetscFunctionReturn(0);
}

PetscErrorCode ModeListDestroy(ModeList *list) {
  PetscFunctionBegin;
  for (int i = 0; i < list->count; i++) PetscCall(ModeDestroy(&list->mode[i]));
  PetscCall(PetscFree(list->mode));
  *list = (ModeList){0};
  PetscFunctionReturn(0);
}

PetscErrorCode ModalAnalysis(Model model, const LimberModesOptions *o, struct LimberModesData *out, Refusal *wrong) {
  const char *const words[2] = {o->bending_y, o->bending_z};
  PetscFunctionBegin;
  *out = (struct LimberModesData){0};
  wrong->text[0] = 0;
  PetscCall(OperatingPointFindRotor(model, &(LimberStatics){.time = o->time}, &out->point, wrong));
  if (is_refused(wrong)) PetscFunctionReturn(0);
  PetscCall(LinearReleaseFactors(&out->point.s->linear));
  PetscCall(ModesFind(out->point.s, &out->point.spin, o, &out->modes, wrong));
  if (is_refused(wrong)) {
    PetscCall(OperatingPointDestroy(&out->point));
    PetscFunctionReturn(0);
  }
  PetscCall(ModeShapesFind(out->modes, words, &out->shapes));
  operating_point_remarks(&out->point, out->remarks, sizeof out->remarks);
  size_t at = strlen(out->remarks);
  snprintf(out->remarks + at, sizeof out->remarks - at, "%s", out->modes->remarks);
  PetscFunctionReturn(0);
}

PetscErrorCode ModalAnalysisDestroy(struct LimberModesData *a) {
  PetscFunctionBegin;
  PetscCall(ModeShapesDestroy(&a->shapes));
  PetscCall(ModesDestroy(&a->modes));
  PetscCall(OperatingPointDestroy(&a->point));
  PetscFunctionReturn(0);
}
