// SPDX-License-Identifier: Apache-2.0
// `limber campbell`: modes followed over a parameter, as a table and as results with a row a value.
#include "analyses/campbell/campbell.h"
#include "app/point_command.h"
#include "app/failure.h"
#include "app/command.h"
#include "console/library_commands.h"
#include "model/refusal.h"
#include "results/shared_file.h"
#include "results/write/table.h"

#include <math.h>
#include <string.h>

// ---- on the terminal ----

static void print_progress(double value, int points) {
  printf("\r  %d solutions, the last at %-12.6g \033[K", points, value);
  fflush(stdout);
}

static void print_branches(const LimberCampbellOptions *o, LimberCampbell f) {
  const char *unit = o->unit ? o->unit : "";
  char first[32], last[32];
  snprintf(first, sizeof first, "Hz at %.4g", f->value[0]);
  snprintf(last, sizeof last, "Hz at %.4g", f->value[f->rows - 1]);
  printf("%s from %g to %g %s, %d values\n", o->vary, o->from, o->to, unit, f->rows);
  printf("%5s %14s %14s %22s  %s%s\n", "mode", first, last, "smallest damping %",
         f->has_rotor ? "in rotor, last  " : "", "mode in the middle");
  for (int k = 0; k < f->branches; k++) {
    double least = INFINITY, at = NAN;
    char damping[40] = "-"; // there is none
    bool damped = false;
    for (int i = 0; i < f->rows; i++) {
      const double *l = f->lambda[i * f->branches + k];
      double ratio = -l[0] / hypot(l[0], l[1]);
      damped = damped || l[0] != 0;
      if (ratio < least) least = ratio, at = f->value[i];
    }
    if (damped) snprintf(damping, sizeof damping, "%11.4g at %-8.4g", 100 * least + 0.0, at); // no -0
    printf("%5d %14.6g %14.6g %22s  ", k + 1, fabs(f->lambda[k][1]) / (2 * PETSC_PI),
           fabs(f->lambda[(f->rows - 1) * f->branches + k][1]) / (2 * PETSC_PI), damping);
    if (f->has_rotor) printf("%14.6g  ", f->rotor[(f->rows - 1) * f->branches + k]);
    printf("%s\n", f->name[k]);
  }
}

static void print_crossings(const LimberCampbellOptions *o, LimberCampbell f) {
  const char *unit = o->unit ? o->unit : "";
  for (int i = 0; i < f->crossings; i++) {
    const LimberCampbellCrossing *c = &f->crossing[i];
    printf("  %s = %.8g %s (%.6g rpm): mode %d ", o->vary, c->value, unit, c->rate * 30 / PETSC_PI, c->branch + 1);
    if (c->multiple == 0) printf("has no frequency in the rotating frame: a critical speed of its whirl\n");
    else printf("crosses %g times the speed at %.6g Hz\n", c->multiple, c->frequency);
  }
}

static void print_campbell(const PointCall *c) {
  LimberCampbell f = c->found;
  print_branches(&c->in->campbell, f);
  print_crossings(&c->in->campbell, f);
  print_remarks(f->remarks);
}

// ---- results ----

enum { // columns, as the descriptor has them
  FREQUENCY,
  DAMPING,
  REAL,
  IMAGINARY,
  WHIRL,
  CORRELATION,
  ROTOR,
  RATE,
  MULTIPLE,
  CROSSING_VALUE,
  CROSSING_FREQUENCY,
};

static PetscErrorCode WriteTexts(void *self, hid_t file) {
  const PointCall *c = self;
  const LimberCampbellOptions *o = &c->in->campbell;
  LimberCampbell f = c->found;
  size_t size = (size_t)f->branches * 200 + 1;
  char *all;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(size, &all));
  for (int k = 0; k < f->branches; k++) {
    size_t at = strlen(all);
    snprintf(all + at, size - at, "%s\n", f->name[k]);
  }
  PetscCall(FileText(file, "mode_names", all));
  PetscCall(FileText(file, "axis", o->vary));
  PetscCall(FileText(file, "axis_units", o->unit ? o->unit : ""));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

// mode2_3x, and mode2_3x_2 where the same line is crossed again.
static void name_crossing(LimberCampbell f, int i, char *name, size_t size) {
  const LimberCampbellCrossing *c = &f->crossing[i];
  int before = 0;
  for (int k = 0; k < i; k++) before += f->crossing[k].branch == c->branch && f->crossing[k].multiple == c->multiple;
  snprintf(name, size, "mode%d_%gx", c->branch + 1, c->multiple);
  for (char *dot = name; (dot = strchr(dot, '.'));) *dot = '_';
  size_t at = strlen(name);
  if (before) snprintf(name + at, size - at, "_%d", before + 1);
}

typedef struct { // of the numbers in columns
  const char **branch, **multiple, **crossing;
  char (*text)[32];
} ColumnNames;

static PetscErrorCode CreateNames(const LimberCampbellOptions *o, LimberCampbell f, ColumnNames *q) {
  int b = f->branches, m = o->multiples, c = f->crossings;
  PetscFunctionBegin;
  PetscCall(PetscMalloc4(b, &q->branch, m, &q->multiple, c, &q->crossing, b + m + c, &q->text));
  for (int k = 0; k < b + m + c; k++) {
    char *text = q->text[k];
    size_t size = sizeof q->text[k];
    if (k < b) snprintf(text, size, "mode%d", k + 1), q->branch[k] = text;
    else if (k < b + m) snprintf(text, size, "%gx", o->multiple[k - b]), q->multiple[k - b] = text;
    else name_crossing(f, k - b - m, text, size), q->crossing[k - b - m] = text;
    for (char *dot = text; (dot = strchr(dot, '.'));) *dot = '_';
  }
  PetscFunctionReturn(0);
}

static void fill_columns(const LimberCampbellOptions *o, LimberCampbell f, TableColumn *column) {
  int n = f->rows, b = f->branches, m = o->multiples, c = f->crossings;
  for (int i = 0; i < n * b; i++) {
    double re = f->lambda[i][0], im = f->lambda[i][1];
    column[FREQUENCY].values[i] = fabs(im) / (2 * PETSC_PI), column[DAMPING].values[i] = -re / hypot(re, im);
    column[REAL].values[i] = re, column[IMAGINARY].values[i] = im;
    column[WHIRL].values[i] = f->whirl[i], column[CORRELATION].values[i] = f->correlation[i];
    column[ROTOR].values[i] = f->rotor[i];
  }
  for (int i = 0; i < n; i++) {
    double frequency = fabs(f->rate[i]) / (2 * PETSC_PI);
    column[RATE].values[i] = f->rate[i];
    for (int k = 0; k < m; k++) column[MULTIPLE].values[i * m + k] = o->multiple[k] * frequency;
    for (int k = 0; k < c; k++) {
      column[CROSSING_VALUE].values[i * c + k] = f->crossing[k].value;
      column[CROSSING_FREQUENCY].values[i * c + k] = f->crossing[k].frequency;
    }
  }
}

static PetscErrorCode WriteCampbell(const PointCall *call) {
  const LimberCampbellOptions *o = &call->in->campbell;
  LimberCampbell f = call->found;
  int b = f->branches, m = o->multiples, c = f->crossings;
  ResultsTable table = {.axis = o->vary,
                        .units = o->unit ? o->unit : "1",
                        .description = "what is varied",
                        .remarks = f->remarks,
                        .more = WriteTexts,
                        .self = (void *)(uintptr_t)call};
  ColumnNames q;
  PetscFunctionBegin;
  PetscCall(CreateNames(o, f, &q));
  const TableShape shape[] = {{b, q.branch},   {b, q.branch},   {b, q.branch},  {b, q.branch},
                              {b, q.branch},   {b, q.branch},   {b, q.branch},  {1, NULL},
                              {m, q.multiple}, {c, q.crossing}, {c, q.crossing}};
  PetscCall(TableCreate(&analysis_of_campbell, analysis_of_campbell.columns, shape, f->rows, &table));
  memcpy(table.at, f->value, (size_t)f->rows * sizeof *table.at);
  fill_columns(o, f, table.column);
  PetscCall(TableWrite(call->request->path, call->in, PETSC_COMM_WORLD, &table));
  PetscCall(TableDestroy(&table));
  PetscCall(PetscFree4(q.branch, q.multiple, q.crossing, q.text));
  PetscFunctionReturn(0);
}

// ---- the command ----

static PetscErrorCode FollowModes(PointCall *c, Refusal *wrong) {
  const CampbellProblem p = {c->in, ReadOnAllRanks, c->in->campbell, c->draws ? print_progress : NULL};
  LimberCampbell f;
  PetscFunctionBegin;
  PetscCall(CampbellFind(&p, &f, wrong));
  c->found = f;
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroyCampbell(void *found) { return LimberCampbellDestroy(&(LimberCampbell){found}); }

const PointCommand command_of_campbell = {FollowModes, print_campbell, WriteCampbell, DestroyCampbell};
