// SPDX-License-Identifier: Apache-2.0
// The loss of stability over a parameter: model file in, a table out.
#include "analyses/stability/stability.h"

#include "analyses/modes/shapes.h"
#include "app/failure.h"
#include "app/make_results.h"
#include "app/start.h"
#include "console/library_commands.h"
#include "results/shared_file.h"
#include "results/write/table.h"

#include <math.h>
#include <petscsys.h>
#include <string.h>

static void print_crossing(const Input *in, LimberStability f) {
  const LimberStabilityOptions *o = &in->stability;
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
  const char *line = limber_stability_remarks(f);
  for (const char *end; (end = strchr(line, '\n')); line = end + 1) printf("  note: %.*s\n", (int)(end - line), line);
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

enum { REAL, IMAGINARY, FREQUENCY, RATIO, COLUMNS };
static const char *const about[COLUMNS][3] = {
    {"real", "s-1", "real part of each eigenvalue: positive, its mode grows"},
    {"imaginary", "s-1", "imaginary part of each eigenvalue"},
    {"frequency", "Hz", "of each mode"},
    {"damping", "1", "damping ratio of each mode: negative, it grows"},
};

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

static void fill_row(LimberStability f, int row, double *const value[COLUMNS]) {
  int n = limber_stability_modes(f);
  for (int i = 0; i < n; i++) {
    double lambda[2];
    limber_stability_eigenvalue(f, row, i, lambda);
    double size = hypot(lambda[0], lambda[1]);
    value[REAL][row * n + i] = lambda[0], value[IMAGINARY][row * n + i] = lambda[1];
    value[FREQUENCY][row * n + i] = lambda[1] / (2 * PETSC_PI);
    value[RATIO][row * n + i] = size > 0 ? -lambda[0] / size : 0;
  }
}

// Rows of the scan; the critical value is a column, so that quantities of expected.yaml and Python find it.
static PetscErrorCode WriteTable(const Input *in, LimberStability f, bool frames, const char *path) {
  const LimberStabilityOptions *o = &in->stability;
  int n = limber_stability_modes(f), rows = limber_stability_rows(f);
  double *at, *value[COLUMNS], *critical[2];
  const char **names;
  char(*name)[16], remarks[4096];
  LimberCrossing c = limber_stability_crossing(f);
  TableColumn column[COLUMNS + 2];
  PetscFunctionBegin;
  PetscCall(PetscMalloc5(rows, &at, n, &names, n, &name, rows, &critical[0], rows, &critical[1]));
  for (int i = 0; i < n; i++) snprintf(name[i], sizeof name[i], "mode%d", i + 1), names[i] = name[i];
  for (int k = 0; k < COLUMNS; k++) {
    PetscCall(PetscMalloc1(rows * n, &value[k]));
    column[k] = (TableColumn){"eigenvalue", about[k][0], about[k][1], about[k][2], n, names, value[k]};
  }
  bool found = c.kind == LIMBER_DIVERGENCE || c.kind == LIMBER_FLUTTER || c.kind == LIMBER_COALESCENCE;
  for (int i = 0; i < rows; i++) {
    at[i] = limber_stability_value(f, i);
    fill_row(f, i, value);
    critical[0][i] = found ? c.value : (double)NAN, critical[1][i] = found ? c.frequency : (double)NAN;
  }
  column[COLUMNS] = (TableColumn){
      "critical", "value",    o->unit ? o->unit : "1", "of the parameter where stability is lost first", 1,
      NULL,       critical[0]};
  column[COLUMNS + 1] =
      (TableColumn){"critical", "frequency", "Hz", "of the mode that gets unstable there", 1, NULL, critical[1]};
  snprintf(remarks, sizeof remarks, "%s: %.9g %s\n%s", kind_word(c.kind), c.value, c.mode, limber_stability_remarks(f));
  ResultsTable table = {.analysis = "stability",
                        .axis = o->vary,
                        .units = o->unit ? o->unit : "1",
                        .description = "parameter that is varied",
                        .rows = rows,
                        .at = at,
                        .columns = COLUMNS + 2,
                        .column = column,
                        .remarks = remarks};
  CriticalFrames shown = {.f = f};
  frames = frames && f->critical.modes && f->critical_mode >= 0;
  if (frames) {
    PetscCall(RestStateKeep(f->critical.point.s, &shown.rest));
    table.run = f->critical.point.run, table.frames = FRAMES, table.pose = PoseCritical, table.self = &shown;
  }
  PetscCall(TableWrite(path, frames ? f->critical.in : in, PETSC_COMM_WORLD, &table));
  if (frames) PetscCall(RestStateDestroy(&shown.rest));
  for (int k = 0; k < COLUMNS; k++) PetscCall(PetscFree(value[k]));
  PetscCall(PetscFree5(at, names, name, critical[0], critical[1]));
  PetscFunctionReturn(0);
}

// ---- the command ----

static PetscErrorCode SearchFile(const char *command, const Input *in, const char *path, bool talks, bool frames,
                                 ExitCode *code) {
  const StabilityProblem p = {in, ReadOnAllRanks, in->stability};
  char wrong[1024];
  LimberStability f;
  PetscFunctionBegin;
  if (!in->has_stability) {
    print_command_error(
        command,
        "'%s' has no part `stability`: write stability: {vary: let.P, from: 0, to: 30}, or give --vary, "
        "--from and --to",
        in->file);
    *code = EXIT_MISTAKE;
    PetscFunctionReturn(0);
  }
  if (talks && is_printing_process() && *in->title) printf("%s\n", in->title);
  PetscCall(StabilitySearch(&p, &f, wrong, sizeof wrong));
  if (wrong[0]) {
    explain_start(command, in, wrong);
    *code = EXIT_FAILED;
    PetscFunctionReturn(0);
  }
  if (talks && is_printing_process()) print_crossing(in, f);
  PetscCall(WriteTable(in, f, frames, path));
  PetscCall(StabilityDestroy(&f));
  PetscFunctionReturn(0);
}

PetscErrorCode MakeStabilityResults(const ResultsRequest *r, ExitCode *code) {
  Input *in = NULL;
  PetscFunctionBegin;
  PetscCall(RequestLoad(r, &in, code));
  if (*code == EXIT_GOOD) PetscCall(SearchFile(r->command, in, r->path, r->talk == TALK_ALL, r->frames, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

static PetscErrorCode StabilityFile(const Arguments *a, ExitCode *code) {
  static const char *const range[] = {"vary", "from", "to"};
  char text[3][512];
  CommandRequest c;
  PetscFunctionBegin;
  command_request(a, "stability", ".stability.h5", &c);
  for (int i = 0; i < 3; i++) {
    if (!argument_value(a, range[i])) continue;
    snprintf(text[i], sizeof text[i], "stability.%s=%s", range[i], argument_value(a, range[i]));
    c.change[c.request.input.changes++] = text[i];
  }
  PetscCall(MakeStabilityResults(&c.request, code));
  PetscFunctionReturn(0);
}

int limber_command_stability(const Arguments *a) { return CommandStart(a, StabilityFile); }
