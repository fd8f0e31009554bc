// SPDX-License-Identifier: Apache-2.0
// What precision costs: problems stepped with every scheme and ever shorter steps, the CPU time of the steps and the greatest error
// of a place of the beam, over its length, at the times that all steps share.
#include "bench_cases.h"

#include "limber/limber.h"

#include <math.h>
#include <petscsys.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name, *file, *place; // place: a column of the history, and the two after it
  const char *end;                 // of the run, s
  double length;                   // m, of the beam
  double shared;                   // s between two times that all steps share: the longest step
  int halvings, finest;            // of it, at most, and for the reference
} Problem;

static const Problem problems[] = {
    {"hinged_beam", "examples/hinged_beam/hinged_beam.yaml", "tip.position.x", "0.25", 2.4, 0.005, 8, 10},
    {"swing", "examples/swing/swing.yaml", "B.position.x", "1", 0.72, 0.004, 8, 9},
    {"swing_before", "examples/swing/swing.yaml", "B.position.x", "0.608", 0.72, 0.032, 7, 9},
    {"flying_beam", "examples/flying_beam_3d/flying_beam_3d.yaml", "A.position.x", "15", 10, 0.1, 8, 8},
};
enum { PROBLEMS = sizeof problems / sizeof *problems, SCHEMES = 6, MOST = 1000, REPEATS = 5 };
static const double ENOUGH = 5e-6; // steps are not halved any more below this error, or 1.5 times that of the reference
static const char *const schemes[SCHEMES] = {"generalized_alpha", "decaying",   "preserving",
                                             "decaying_a",        "decaying_b", "decaying_c"};

typedef struct {
  double at[MOST][3];   // the place at the shared times
  double seconds[MOST]; // from one to the next
  int times, steps;
  double iterations; // a step
  bool good;
} Run;

static int column_of(LimberRecord r, const char *name) {
  for (int i = 0; i < limber_record_columns(r); i++)
    if (!strcmp(limber_record_name(r, i), name)) return i;
  return -1;
}

// All steps once. The place is looked at where the times are shared, outside of the clock; of the seconds up to there the best
// of all repeats stays, since the machine may have other work.
static PetscErrorCode StepThrough(LimberFile file, LimberRecord record, int column, int stride, Run *out) {
  LimberRun run;
  LimberOutcome o;
  double *row, spent = 0;
  long long steps = limber_file_steps(file), iterations = 0;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(limber_record_columns(record), &row));
  PetscCall(LimberFileStart(file, &run));
  PetscCheck(run, PETSC_COMM_SELF, PETSC_ERR_USER, "%s", limber_model_diagnostics(limber_file_model(file)));
  out->times = 0, out->good = true;
  for (long long i = 1; i <= steps && out->good; i++) {
    double t0 = bench_seconds();
    PetscCall(LimberRunStep(run, &o));
    spent += bench_seconds() - t0;
    iterations += o.iterations;
    out->good = o.reason == LIMBER_CONVERGED;
    if (i % stride || out->times == MOST) continue;
    PetscCall(LimberRecordRow(record, run, &o, row));
    memcpy(out->at[out->times], row + column, sizeof out->at[0]);
    out->seconds[out->times] = fmin(out->seconds[out->times], spent);
    out->times++, spent = 0;
  }
  out->steps = (int)steps, out->iterations = (double)iterations / (double)steps;
  PetscCall(LimberRunDestroy(&run));
  PetscCall(PetscFree(row));
  PetscFunctionReturn(0);
}

static PetscErrorCode Go(const Problem *p, const char *scheme, int level, int repeats, Run *out) {
  LimberFile file;
  LimberRecord record;
  char path[4096], text[4][64];
  PetscFunctionBegin;
  snprintf(path, sizeof path, "%s/%s", LIMBER_SOURCE, p->file);
  snprintf(text[0], sizeof text[0], "run.scheme=%s", scheme);
  snprintf(text[1], sizeof text[1], "run.step=%.17g", ldexp(p->shared, -level));
  snprintf(text[2], sizeof text[2], "run.end=%s", p->end);
  snprintf(text[3], sizeof text[3], "run.beta=1/12"); // of decaying_b, which is decaying_a without
  LimberReadOptions read = limber_read_options_default();
  read.changes = 4, read.change = (const char *const[]){text[0], text[1], text[2], text[3]};
  PetscCall(LimberFileRead(path, &read, &file));
  PetscCheck(!limber_file_errors(file), PETSC_COMM_SELF, PETSC_ERR_USER, "%s", limber_file_diagnostics(file));
  PetscCall(LimberRecordCreate(file, &record));
  int column = column_of(record, p->place);
  PetscCheck(column >= 0, PETSC_COMM_SELF, PETSC_ERR_USER, "%s has no column %s", path, p->place);
  for (int i = 0; i < MOST; i++) out->seconds[i] = INFINITY;
  double begun = bench_seconds();
  for (int i = 0; i < repeats && (i == 0 || bench_seconds() - begun < 4); i++)
    PetscCall(StepThrough(file, record, column, 1 << level, out));
  PetscCall(LimberRecordDestroy(&record));
  PetscCall(LimberFileDestroy(&file));
  PetscFunctionReturn(0);
}

static double seconds_of(const Run *r) {
  double sum = 0;
  for (int i = 0; i < r->times; i++) sum += r->seconds[i];
  return sum;
}

static double farthest(const Run *a, const Run *b) {
  double worst = 0;
  for (int i = 0; i < a->times; i++)
    worst = fmax(worst, hypot(hypot(a->at[i][0] - b->at[i][0], a->at[i][1] - b->at[i][1]), a->at[i][2] - b->at[i][2]));
  return worst;
}

// What two runs say of the limit, by the order 2 that all schemes have.
static PetscErrorCode Limit(const Problem *p, const char *scheme, Run *coarse, Run *out) {
  PetscFunctionBegin;
  PetscCall(Go(p, scheme, p->finest - 1, 1, coarse));
  PetscCall(Go(p, scheme, p->finest, 1, out));
  for (int i = 0; i < out->times; i++)
    for (int j = 0; j < 3; j++) out->at[i][j] += (out->at[i][j] - coarse->at[i][j]) / 3;
  PetscFunctionReturn(0);
}

int BenchPrecision(int count, char **wanted) {
  Run *reference, *other, *run;
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(1, &reference, 1, &other, 1, &run));
  puts("problem,scheme,steps,step_s,cpu_s,iterations,error,reference_error");
  for (const Problem *p = problems; p < problems + PROBLEMS; p++) {
    bool chosen = count == 0;
    for (int i = 0; i < count; i++) chosen = chosen || !strcmp(wanted[i], p->name);
    if (!chosen) continue;
    PetscCall(Limit(p, "decaying_c", run, reference));
    PetscCall(Limit(p, "preserving", run, other));
    double own = farthest(reference, other) / p->length, enough = fmax(ENOUGH, 1.5 * own), error = 1;
    for (int k = 0; k < SCHEMES; k++, error = 1)
      for (int level = 0; level <= p->halvings && error > enough; level++) {
        PetscCall(Go(p, schemes[k], level, REPEATS, run));
        if (!run->good) continue; // such a step cannot be made
        error = farthest(run, reference) / p->length;
        printf("%s,%s,%d,%.6g,%.5g,%.2f,%.4e,%.1e\n", p->name, schemes[k], run->steps, ldexp(p->shared, -level),
               seconds_of(run), run->iterations, error, own);
        fflush(stdout);
      }
  }
  PetscCall(PetscFree3(reference, other, run));
  PetscFunctionReturn(0);
}
