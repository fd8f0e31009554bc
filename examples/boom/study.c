// SPDX-License-Identifier: Apache-2.0
// Two ways to propagate a structure too large for all its modes: the lowest modes with the shapes of its loads (`modes` of the scheme
// `exponential`), and Krylov's approximation of exp(H tau) v (SLEPc's MFN), which needs no modes. The boom of make.sh without its slot, a load of 20 kN
// that stays from t = 0 at its corner, 50 steps of 2 ms. Errors of all places over the largest displacement, against Krylov's at 1e-13;
// CPU seconds.
// usage: study_boom DIRECTORY [short]    (which receives krylov.csv; short: the small boom alone)
#include "base/cookie.h"
#include "analyses/stepping/stepper.h"

#include <slepcmfn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { STEPS = 50 };
static const double tau = 2e-3, stiffness = 84e6, per_length = 3.12, push = 2e4;

typedef struct {
  int cells, bays;
  PetscInt n;
} Boom;

typedef void BarVisit(void *self, const int *a, const int *b);

static int node_of(const Boom *q, const int *at) {
  return ((at[0] - 1) * (q->cells + 1) + at[1]) * (q->cells + 1) + at[2];
}

// Every bar, from where to where in numbers of frame, column and row.
static void visit_bars(const Boom *q, BarVisit *visit, void *self) {
  for (int i = 1; i <= q->bays; i++)
    for (int j = 0; j <= q->cells; j++)
      for (int k = 0; k <= q->cells; k++) {
        const int here[3] = {i, j, k}, before[3] = {i - 1, j, k}, right[3] = {i, j + 1, k}, up[3] = {i, j, k + 1},
                  across[3] = {i, j + 1, k + 1}, below[3] = {i - 1, j, k + 1};
        visit(self, before, here);
        if (j < q->cells) visit(self, here, right), visit(self, before, right);
        if (k < q->cells) visit(self, here, up), visit(self, below, here);
        if (j < q->cells && k < q->cells) visit(self, here, across);
      }
}

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- with Limber ----

typedef struct {
  const Boom *q;
  LimberModel model;
  LimberNodeId *node; // all, with the fixed ones first
} Building;

static void add_bar(void *self, const int *a, const int *b) {
  const Building *w = self;
  int first = (w->q->cells + 1) * (w->q->cells + 1);
  LimberBar bar = {.nodes = {w->node[first + node_of(w->q, a)], w->node[first + node_of(w->q, b)]},
                   .stiffness = stiffness,
                   .mass = per_length};
  PetscCallAbort(PETSC_COMM_SELF, LimberModelAddBar(w->model, NULL, &bar, NULL));
}

static PetscErrorCode WithModes(const Boom *q, int modes, double *places, double *start, double *steps) {
  Building w = {.q = q};
  LimberRun run;
  LimberOutcome out;
  LimberOptions o = {
      .cookie = OPTIONS_COOKIE, .scheme = LIMBER_SCHEME_EXPONENTIAL, .linear = 1, .modes = modes, .step = tau};
  int count = 0, first = (q->cells + 1) * (q->cells + 1);
  PetscFunctionBegin;
  PetscCall(LimberModelCreate(&w.model));
  PetscCall(PetscMalloc1(q->n / 3 + first, &w.node));
  for (int i = 0; i <= q->bays; i++)
    for (int j = 0; j <= q->cells; j++)
      for (int k = 0; k <= q->cells; k++, count++) {
        double at[3] = {0.5 * i, 0.5 * j, 0.5 * k};
        if (i == 0) PetscCall(LimberModelAddFixed(w.model, NULL, at, NULL, &w.node[count]));
        else PetscCall(LimberModelAddPoint(w.model, NULL, at, &w.node[count]));
      }
  visit_bars(q, add_bar, &w);
  LimberForce p = {.node = w.node[count - 1], .direction = {0, 0, push}, .amplitude = LIMBER_NO_FUNCTION};
  PetscCall(LimberModelAddForce(w.model, "p", &p, NULL));
  double t0 = cpu_seconds();
  PetscCall(LimberRunCreate(w.model, &o, &run));
  PetscCheck(run, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "%s", limber_model_diagnostics(w.model));
  double t1 = cpu_seconds();
  for (int i = 0; i < STEPS; i++) PetscCall(LimberRunStep(run, &out));
  *start = t1 - t0, *steps = cpu_seconds() - t1;
  for (int i = first; i < count; i++) {
    double at[3] = {0.5 * (i / first), 0.5 * (i % first / (q->cells + 1)), 0.5 * (i % (q->cells + 1))}, x[3];
    PetscCall(LimberRunGetNode(run, w.node[i], x, NULL, NULL, NULL));
    for (int c = 0; c < 3; c++) places[3 * (i - first) + c] = x[c] - at[c];
  }
  PetscCall(LimberRunDestroy(&run));
  PetscCall(LimberModelDestroy(&w.model));
  PetscCall(PetscFree(w.node));
  PetscFunctionReturn(0);
}

// ---- with Krylov ----

typedef struct {
  const Boom *q;
  Mat h;
  double *mass, omega;
  bool weigh; // masses first, then stiffness
} Assembly;

// y = M^(1/2) D, z = M^(1/2) V/omega, and 1: y' = omega z, z' = -M^(-1/2) K M^(-1/2)/omega y + M^(-1/2) P/omega.
static void add_to(void *self, const int *a, const int *b) {
  const Assembly *w = self;
  double e[3], length = 0;
  const int *end[2] = {a, b};
  for (int c = 0; c < 3; c++) e[c] = 0.5 * (b[c] - a[c]), length += e[c] * e[c];
  length = sqrt(length);
  for (int i = 0; i < 2; i++) {
    int row = node_of(w->q, end[i]);
    if (end[i][0] == 0) continue;
    if (w->weigh) w->mass[row] += 0.5 * per_length * length;
    for (int j = 0; j < 2 && !w->weigh; j++) {
      int col = node_of(w->q, end[j]);
      double f = (i == j ? -1 : 1) * stiffness / (length * length * length) / w->omega;
      if (end[j][0] == 0) continue;
      f /= sqrt(w->mass[row] * w->mass[col]);
      for (int c = 0; c < 9; c++)
        PetscCallAbort(PETSC_COMM_SELF, MatSetValue(w->h, (PetscInt)w->q->n + 3 * row + c / 3, 3 * col + c % 3,
                                                    f * e[c / 3] * e[c % 3], ADD_VALUES));
    }
  }
}

static PetscErrorCode Assemble(Assembly *w) {
  PetscInt n = w->q->n;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(n / 3, &w->mass));
  w->weigh = true, w->omega = 1e4;
  visit_bars(w->q, add_to, w);
  w->weigh = false;
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, 2 * n + 1, 2 * n + 1, 80, NULL, &w->h));
  visit_bars(w->q, add_to, w);
  for (PetscInt i = 0; i < n; i++) PetscCall(MatSetValue(w->h, i, n + i, w->omega, ADD_VALUES));
  PetscCall(MatSetValue(w->h, 2 * n - 1, 2 * n, push / sqrt(w->mass[n / 3 - 1]) / w->omega, ADD_VALUES));
  PetscCall(MatAssemblyBegin(w->h, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(w->h, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

static PetscErrorCode WithKrylov(const Assembly *w, double tolerance, double *places, double *steps) {
  PetscInt n = w->q->n;
  MFN mfn;
  FN f;
  Vec v, next;
  const double *y;
  PetscFunctionBegin;
  PetscCall(MatCreateVecs(w->h, &v, &next));
  PetscCall(VecSetValue(v, 2 * n, 1, INSERT_VALUES));
  PetscCall(VecAssemblyBegin(v));
  PetscCall(VecAssemblyEnd(v));
  PetscCall(MFNCreate(PETSC_COMM_SELF, &mfn));
  PetscCall(MFNSetOperator(mfn, w->h));
  PetscCall(MFNGetFN(mfn, &f));
  PetscCall(FNSetType(f, FNEXP));
  PetscCall(FNSetScale(f, tau, 1));
  PetscCall(MFNSetType(mfn, MFNEXPOKIT));
  PetscCall(MFNSetDimensions(mfn, 60));
  PetscCall(MFNSetTolerances(mfn, tolerance, 1000));
  PetscCall(MFNSetErrorIfNotConverged(mfn, PETSC_TRUE));
  double t0 = cpu_seconds();
  for (int i = 0; i < STEPS; i++) {
    PetscCall(MFNSolve(mfn, v, next));
    PetscCall(VecCopy(next, v));
  }
  *steps = cpu_seconds() - t0;
  PetscCall(VecGetArrayRead(v, &y));
  for (PetscInt i = 0; i < n; i++) places[i] = y[i] / sqrt(w->mass[i / 3]);
  PetscCall(VecRestoreArrayRead(v, &y));
  PetscCall(MFNDestroy(&mfn));
  PetscCall(VecDestroy(&v));
  PetscCall(VecDestroy(&next));
  PetscFunctionReturn(0);
}

static double apart(PetscInt n, const double *a, const double *b) {
  double most = 0, size = 0;
  for (PetscInt i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i])), size = fmax(size, fabs(b[i]));
  return most / size;
}

static PetscErrorCode Compare(FILE *f, int cells, int bays) {
  static const int modes[] = {5, 20, 50, 100, 200};
  static const double tolerance[] = {1e-4, 1e-7, 1e-10};
  Boom q = {cells, bays, 3 * bays * (cells + 1) * (cells + 1)};
  Assembly w = {.q = &q};
  double *exact, *places, start, steps;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(q.n, &exact, q.n, &places));
  PetscCall(Assemble(&w));
  PetscCall(WithKrylov(&w, 1e-13, exact, &steps));
  for (int i = 0; i < 5; i++) {
    PetscCall(WithModes(&q, modes[i], places, &start, &steps));
    fprintf(f, "%d,modes,%d,%.3f,%.3f,%.2e\n", (int)q.n, modes[i], start, steps, apart(q.n, places, exact));
    fflush(f);
  }
  if (q.n < 1500) {
    PetscCall(WithModes(&q, 0, places, &start, &steps));
    fprintf(f, "%d,all modes,%d,%.3f,%.3f,%.2e\n", (int)q.n, (int)q.n, start, steps, apart(q.n, places, exact));
  }
  for (int i = 0; i < 3; i++) {
    PetscCall(WithKrylov(&w, tolerance[i], places, &steps));
    fprintf(f, "%d,Krylov,%g,0,%.3f,%.2e\n", (int)q.n, tolerance[i], steps, apart(q.n, places, exact));
    fflush(f);
  }
  PetscCall(MatDestroy(&w.h));
  PetscCall(PetscFree(w.mass));
  PetscCall(PetscFree2(exact, places));
  PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
  char path[PETSC_MAX_PATH_LEN];
  PetscCall(SlepcInitialize(&argc, &argv, NULL, NULL));
  bool quick = argc == 3 && !strcmp(argv[2], "short");
  if (argc != 2 && !quick) {
    fprintf(stderr, "usage: study_boom DIRECTORY [short]\n");
    return 2;
  }
  snprintf(path, sizeof path, "%s/krylov.csv", argv[1]);
  FILE *f = fopen(path, "w");
  PetscCheck(f, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "cannot write in %s", argv[1]);
  fprintf(f, "unknowns,way,modes or tolerance,start [CPU s],%d steps [CPU s],error\n", STEPS);
  PetscCall(Compare(f, 2, 27));
  if (!quick) PetscCall(Compare(f, 4, 83));
  fclose(f);
  PetscCall(SlepcFinalize());
  return 0;
}
