// SPDX-License-Identifier: Apache-2.0
// `limber campbell`: modes followed over a parameter, as a table and as results with a row a value.
#include "analyses/campbell/campbell.h"
#include "app/failure.h"
#include "app/make_results.h"
#include "app/start.h"
#include "console/library_commands.h"
#include "results/shared_file.h"
#include "results/write/table.h"

#include <math.h>
#include <string.h>

// ---- on the terminal ----

static bool draws_progress;

static void print_progress(double value, int points) {
  if (!draws_progress) return;
  printf("\r  %d solutions, the last at %-12.6g \033[K", points, value);
  fflush(stdout);
}

static void print_branches(const Input *in, LimberCampbell f) {
  const LimberCampbellOptions *o = &in->campbell;
  const char *unit = o->unit ? o->unit : "";
  char first[32], last[32];
  snprintf(first, sizeof first, "Hz at %.4g", f->value[0]);
  snprintf(last, sizeof last, "Hz at %.4g", f->value[f->rows - 1]);
  printf("%s from %g to %g %s, %d values\n", o->vary, o->from, o->to, unit, f->rows);
  printf("%5s %14s %14s %22s  %s\n", "mode", first, last, "smallest damping %", "name in the middle");
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
    printf("%5d %14.6g %14.6g %22s  %s\n", k + 1, fabs(f->lambda[k][1]) / (2 * PETSC_PI),
           fabs(f->lambda[(f->rows - 1) * f->branches + k][1]) / (2 * PETSC_PI), damping, f->name[k]);
  }
}

static void print_crossings(const Input *in, LimberCampbell f) {
  const char *unit = in->campbell.unit ? in->campbell.unit : "";
  for (int i = 0; i < f->crossings; i++) {
    const LimberCampbellCrossing *c = &f->crossing[i];
    printf("  %s = %.8g %s (%.6g rpm): mode %d ", in->campbell.vary, c->value, unit, c->rate * 30 / PETSC_PI,
           c->branch + 1);
    if (c->multiple == 0) printf("has no frequency in the rotating frame: a critical speed of its whirl\n");
    else printf("crosses %g times the speed at %.6g Hz\n", c->multiple, c->frequency);
  }
}

// ---- results ----

enum { FREQUENCY, DAMPING, REAL, IMAGINARY, WHIRL, CORRELATION, OF_BRANCHES };

static PetscErrorCode WriteTexts(void *self, hid_t file) {
  const CampbellProblem *p = ((void **)self)[0];
  LimberCampbell f = ((void **)self)[1];
  size_t size = (size_t)f->branches * 200 + 1;
  char *all;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(size, &all));
  for (int k = 0; k < f->branches; k++) {
    size_t at = strlen(all);
    snprintf(all + at, size - at, "%s\n", f->name[k]);
  }
  PetscCall(FileText(file, "mode_names", all));
  PetscCall(FileText(file, "axis", p->options.vary));
  PetscCall(FileText(file, "axis_units", p->options.unit ? p->options.unit : ""));
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

typedef struct { // what columns point at
  double *value[OF_BRANCHES], *multiple, *crossing[2];
  const char **branch_name, **multiple_name, **crossing_name;
  char (*text)[32];
} Columns;

static PetscErrorCode CreateColumns(const CampbellProblem *p, LimberCampbell f, Columns *q) {
  int n = f->rows, b = f->branches, m = p->options.multiples, c = f->crossings;
  PetscFunctionBegin;
  PetscCall(PetscMalloc4(b, &q->branch_name, m, &q->multiple_name, c, &q->crossing_name, b + m + c, &q->text));
  PetscCall(PetscMalloc3(n * m, &q->multiple, n * c, &q->crossing[0], n * c, &q->crossing[1]));
  for (int i = 0; i < OF_BRANCHES; i++) PetscCall(PetscMalloc1(n * b, &q->value[i]));
  for (int k = 0; k < b + m + c; k++) {
    char *text = q->text[k];
    size_t size = sizeof q->text[k];
    if (k < b) snprintf(text, size, "mode%d", k + 1), q->branch_name[k] = text;
    else if (k < b + m) snprintf(text, size, "%gx", p->options.multiple[k - b]), q->multiple_name[k - b] = text;
    else name_crossing(f, k - b - m, text, size), q->crossing_name[k - b - m] = text;
    for (char *dot = text; (dot = strchr(dot, '.'));) *dot = '_';
  }
  for (int i = 0; i < n * b; i++) {
    double re = f->lambda[i][0], im = f->lambda[i][1];
    q->value[FREQUENCY][i] = fabs(im) / (2 * PETSC_PI), q->value[DAMPING][i] = -re / hypot(re, im);
    q->value[REAL][i] = re, q->value[IMAGINARY][i] = im;
    q->value[WHIRL][i] = f->whirl[i], q->value[CORRELATION][i] = f->correlation[i];
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < m; k++) q->multiple[i * m + k] = p->options.multiple[k] * fabs(f->rate[i]) / (2 * PETSC_PI);
    for (int k = 0; k < c; k++)
      q->crossing[0][i * c + k] = f->crossing[k].value, q->crossing[1][i * c + k] = f->crossing[k].frequency;
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroyColumns(Columns *q) {
  PetscFunctionBegin;
  for (int i = 0; i < OF_BRANCHES; i++) PetscCall(PetscFree(q->value[i]));
  PetscCall(PetscFree3(q->multiple, q->crossing[0], q->crossing[1]));
  PetscCall(PetscFree4(q->branch_name, q->multiple_name, q->crossing_name, q->text));
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteResults(const char *path, const CampbellProblem *p, LimberCampbell f) {
  static const char *const about[OF_BRANCHES][3] = {
      {"frequency", "Hz", "of each mode that is followed, in the rotating frame"},
      {"damping", "1", "damping ratio"},
      {"real", "s-1", "real part of the eigenvalue"},
      {"imaginary", "s-1", "imaginary part; its sign changes where a whirl passes through zero"},
      {"whirl", "1", "1: circles with the rotation, -1: against it, in the rotating frame"},
      {"correlation", "1", "with the row before"}};
  static const char crossed[] = "where a mode crosses a multiple of the speed; 0x: no frequency in the rotating frame";
  int b = f->branches, m = p->options.multiples, c = f->crossings, columns = 0;
  const char *unit = p->options.unit ? p->options.unit : "1";
  TableColumn column[OF_BRANCHES + 4];
  void *self[2] = {(void *)(uintptr_t)p, f};
  Columns q;
  PetscFunctionBegin;
  PetscCall(CreateColumns(p, f, &q));
  for (int i = 0; i < OF_BRANCHES; i++)
    column[columns++] = (TableColumn){"campbell", about[i][0], about[i][1], about[i][2], b, q.branch_name, q.value[i]};
  column[columns++] = (TableColumn){"speed", "rate", "rad s-1", "of the rotation", 1, NULL, f->rate};
  if (m)
    column[columns++] =
        (TableColumn){"multiple", "frequency", "Hz", "multiples of the speed", m, q.multiple_name, q.multiple};
  if (c) {
    column[columns++] = (TableColumn){"crossing", "value", unit, crossed, c, q.crossing_name, q.crossing[0]};
    column[columns++] =
        (TableColumn){"crossing", "frequency", "Hz", "of the mode there", c, q.crossing_name, q.crossing[1]};
  }
  PetscCall(TableWrite(path, p->in, PETSC_COMM_WORLD,
                       &(ResultsTable){.analysis = "campbell",
                                       .axis = p->options.vary,
                                       .units = unit,
                                       .description = "what is varied",
                                       .rows = f->rows,
                                       .at = f->value,
                                       .columns = columns,
                                       .column = column,
                                       .remarks = f->remarks,
                                       .more = WriteTexts,
                                       .self = self}));
  PetscCall(DestroyColumns(&q));
  PetscFunctionReturn(0);
}

// ---- the command ----

static PetscErrorCode FollowModes(const char *command, const Input *in, const char *path, Talk talk, ExitCode *code) {
  const CampbellProblem p = {in, ReadOnAllRanks, in->campbell, print_progress};
  bool talks = is_printing_process() && talk == TALK_ALL;
  char wrong[1024];
  LimberCampbell f;
  PetscFunctionBegin;
  if (!in->campbell.vary) {
    print_command_error(command, "the model has no part `campbell`, which says what is varied; for example\n"
                                 "  campbell: {vary: speed, from: 0 rpm, to: 20 rpm}");
    *code = EXIT_MISTAKE;
    PetscFunctionReturn(0);
  }
  draws_progress = is_printing_process() && talk != TALK_NONE && on_terminal();
  if (talks && *in->title) printf("%s\n", in->title);
  PetscCall(CampbellFind(&p, &f, wrong, sizeof wrong));
  if (draws_progress) printf("\r\033[K"), fflush(stdout);
  if (wrong[0]) {
    explain_start(command, in, wrong);
    *code = EXIT_FAILED;
    PetscFunctionReturn(0);
  }
  if (talks) {
    print_branches(in, f);
    print_crossings(in, f);
    print_remarks(f->remarks);
  }
  PetscCall(WriteResults(path, &p, f));
  if (talks) printf("%s: limber plot %s --campbell draws it\n", path, path);
  PetscCall(CampbellDestroy(&f));
  PetscFunctionReturn(0);
}

PetscErrorCode MakeCampbellResults(const ResultsRequest *r, ExitCode *code) {
  Input *in;
  PetscFunctionBegin;
  PetscCall(RequestLoad(r, &in, code));
  if (*code == EXIT_GOOD) PetscCall(FollowModes(r->command, in, r->path, r->talk, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

static PetscErrorCode CampbellFile(const Arguments *a, ExitCode *code) {
  CommandRequest c;
  PetscFunctionBegin;
  command_request(a, "campbell", ".campbell.h5", &c);
  PetscCall(MakeCampbellResults(&c.request, code));
  PetscFunctionReturn(0);
}

int limber_command_campbell(const Arguments *a) { return CommandStart(a, CampbellFile); }
