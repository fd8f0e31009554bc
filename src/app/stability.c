// SPDX-License-Identifier: Apache-2.0
// The loss of stability over a parameter: model file in, a table out.
#include "analyses/stability/stability.h"

#include "analyses/modes/modes.h"
#include "app/point_command.h"
#include "app/failure.h"
#include "app/command.h"
#include "console/library_commands.h"
#include "model/refusal.h"
#include "results/shared_file.h"
#include "results/write/table.h"

#include <math.h>
#include <petscsys.h>
#include <string.h>

static void print_crossing(const PointCall *call) {
  const LimberStabilityOptions *o = &call->in->stability;
  LimberStability f = call->found;
  LimberCrossing c = limber_stability_crossing(f);
  const char *unit = o->unit ? o->unit : "", *space = o->unit ? " " : "";
  int digits = o->digits + 1;
  switch (c.kind) {
  case LIMBER_STABLE:
    printf("stable from %s = %g to %g%s%s: no eigenvalue gets a positive real part\n", o->vary, o->from, o->to, space,
           unit);
    break;
  case LIMBER_UNSTABLE:
    printf("unstable at %s = %g%s%s already, where the range begins; mode: %s\n", o->vary, o->from, space, unit,
           c.mode);
    break;
  case LIMBER_DIVERGENCE:
    printf("divergence (buckling) at %s = %.*g%s%s; mode: %s\n", o->vary, digits, c.value, space, unit, c.mode);
    break;
  case LIMBER_FLUTTER:
    printf("flutter at %s = %.*g%s%s with %.9g Hz (%.9g rad/s); mode: %s\n", o->vary, digits, c.value, space, unit,
           c.frequency, 2 * PETSC_PI * c.frequency, c.mode);
    break;
  case LIMBER_COALESCENCE:
    printf("flutter at %s = %.*g%s%s: two frequencies meet at %.9g Hz (%.9g rad/s); mode: %s\n", o->vary, digits,
           c.value, space, unit, c.frequency, 2 * PETSC_PI * c.frequency, c.mode);
    break;
  }
  if (c.kind == LIMBER_DIVERGENCE || c.kind == LIMBER_FLUTTER || c.kind == LIMBER_COALESCENCE)
    printf("  found within %.1g%s%s%s%s\n", c.width, space, unit, *c.direction ? "; " : "", c.direction);
  print_remarks(f->remarks);
}

// ---- results ----

// Frames of the critical mode, once through its period.
enum { FRAMES = 24 };
typedef struct {
  LimberStability f;
  RestState rest;
} CriticalFrames;

static PetscErrorCode PoseCritical(void *self, int frame, double *time) {
  const CriticalFrames *c = self;
  double phase = (double)frame / FRAMES;
  PetscFunctionBegin;
  *time = phase;
  PetscCall(ModePose(&c->rest, &c->f->critical.modes->mode[c->f->critical_mode], 0.1, 2 * PETSC_PI * phase));
  PetscFunctionReturn(0);
}

static const char *kind_word(LimberInstability kind) {
  switch (kind) {
  case LIMBER_STABLE: return "stable";
  case LIMBER_DIVERGENCE: return "divergence";
  case LIMBER_FLUTTER: return "flutter";
  case LIMBER_COALESCENCE: return "coalescence";
  case LIMBER_UNSTABLE: return "unstable";
  }
  return "";
}

static void fill_row(LimberStability f, int row, bool found, TableColumn *column) {
  enum { REAL, IMAGINARY, FREQUENCY, RATIO, CRITICAL_VALUE, CRITICAL_FREQUENCY }; // as the descriptor has them
  for (int i = row * f->modes; i < (row + 1) * f->modes; i++) {
    const double *lambda = f->lambda[i];
    double size = hypot(lambda[0], lambda[1]);
    column[REAL].values[i] = lambda[0], column[IMAGINARY].values[i] = lambda[1];
    column[FREQUENCY].values[i] = lambda[1] / (2 * PETSC_PI);
    column[RATIO].values[i] = size > 0 ? -lambda[0] / size : 0;
  }
  column[CRITICAL_VALUE].values[row] = found ? f->crossing.value : (double)NAN;
  column[CRITICAL_FREQUENCY].values[row] = found ? f->crossing.frequency : (double)NAN;
}

// Rows of the scan; the critical value is a column, so that quantities of expected.yaml and Python find it.
static PetscErrorCode WriteStability(const PointCall *call) {
  const LimberStabilityOptions *o = &call->in->stability;
  LimberStability f = call->found;
  LimberCrossing c = f->crossing;
  bool found = c.kind == LIMBER_DIVERGENCE || c.kind == LIMBER_FLUTTER || c.kind == LIMBER_COALESCENCE;
  bool frames = call->request->frames && f->critical.modes && f->critical_mode >= 0;
  int n = f->modes;
  const char **names;
  char(*name)[16], remarks[4096];
  ResultsTable table = {
      .axis = o->vary, .units = o->unit ? o->unit : "1", .description = "parameter that is varied", .remarks = remarks};
  CriticalFrames shown = {.f = f};
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(n, &names, n, &name));
  for (int i = 0; i < n; i++) snprintf(name[i], sizeof name[i], "mode%d", i + 1), names[i] = name[i];
  const TableShape shape[] = {{n, names}, {n, names}, {n, names}, {n, names}, {1, NULL}, {1, NULL}};
  PetscCall(TableCreate(&analysis_of_stability, analysis_of_stability.columns, shape, f->rows, &table));
  memcpy(table.at, f->value, (size_t)f->rows * sizeof *table.at);
  for (int i = 0; i < f->rows; i++) fill_row(f, i, found, table.column);
  snprintf(remarks, sizeof remarks, "%s: %.9g %s\n%s", kind_word(c.kind), c.value, c.mode, f->remarks);
  if (frames) {
    PetscCall(RestStateKeep(f->critical.point.s, &shown.rest));
    table.run = f->critical.point.run, table.frames = FRAMES, table.pose = PoseCritical, table.self = &shown;
  }
  PetscCall(TableWrite(call->request->path, frames ? f->critical.in : call->in, PETSC_COMM_WORLD, &table));
  if (frames) PetscCall(RestStateDestroy(&shown.rest));
  PetscCall(TableDestroy(&table));
  PetscCall(PetscFree2(names, name));
  PetscFunctionReturn(0);
}

// ---- the command ----

static PetscErrorCode SearchStability(PointCall *c, Refusal *wrong) {
  const StabilityProblem p = {c->in, ReadOnAllRanks, c->in->stability};
  LimberStability f;
  PetscFunctionBegin;
  PetscCall(StabilitySearch(&p, &f, wrong));
  c->found = f;
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroyStability(void *found) { return LimberStabilityDestroy(&(LimberStability){found}); }

const PointCommand command_of_stability = {SearchStability, print_crossing, WriteStability, DestroyStability};
