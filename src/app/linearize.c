// SPDX-License-Identifier: Apache-2.0
// `limber linearize`: the linear model of a model file.
#include "api/linearize.h"
#include "app/failure.h"
#include "app/make_results.h"
#include "app/start.h"
#include "console/library_commands.h"
#include "files/output_file.h"

#include <math.h>
#include <petscsys.h>
#include <string.h>

static void print_names(const char *head, int count, const LinearName *list) {
  printf("  %-11s %d%s", head, count, count ? ": " : "");
  for (int i = 0; i < count && i < 6; i++) printf("%s%s", i ? ", " : "", list[i].name);
  printf("%s\n", count > 6 ? ", ..." : "");
}

// The lowest eigenvalues, and whether one grows.
static void print_eigenvalues(const LinearModel *m) {
  int shown = 0, unstable = 0;
  if (!m->has_eigenvalues) {
    printf("  eigenvalues not found: there are more than %d states\n", LINEAR_MOST_EIGENVALUES);
    return;
  }
  for (int i = 0; i < m->states; i++) unstable += m->eigen[0][i] > m->eigen[2][i];
  printf("  eigenvalues");
  for (int i = 0; i < m->states && shown < 4; i++) {
    if (m->eigen[1][i] < 0) continue;
    double re = fabs(m->eigen[0][i]) > m->eigen[2][i] ? m->eigen[0][i] : 0;
    printf("%s %.6g%+.6gi", shown++ ? "," : "", re, m->eigen[1][i]);
  }
  printf("%s 1/s\n", m->states > 2 * shown ? ", ..." : "");
  if (unstable)
    printf("  unstable    %d eigenvalue%s a positive real part\n", unstable, unstable == 1 ? " has" : "s have");
}

static void print_summary(const char *path, const char *mat, LimberLinearModel l) {
  const LinearModel *m = l->model;
  printf("%s: x' = A x + B u, y = C x + D u with %d state%s, %d input%s, %d output%s\n", path, m->states,
         m->states == 1 ? "" : "s", m->inputs, m->inputs == 1 ? "" : "s", m->outputs, m->outputs == 1 ? "" : "s");
  if (l->at.spin.rate != 0) printf("  about       a steady rotation of %.9g rad/s\n", l->at.spin.rate);
  print_names("states", m->states, m->state);
  print_names("inputs", m->inputs, m->input);
  print_names("outputs", m->outputs, m->output);
  print_eigenvalues(m);
  printf("  check       stiffness differs from differences of forces by %.1e", m->difference);
  if (m->outputs) printf(", outputs of two differences by %.1e", m->output_error);
  if (m->compared)
    printf("\n              eigenvalues of A differ from %d of the lowest modes by %.1e", m->compared,
           m->mode_difference);
  printf("\n");
  print_lines("note", l->remarks);
  if (mat) printf("  matlab      %s\n", mat);
}

static PetscErrorCode Linearize(const char *command, const Input *in, const char *path, const char *mat, bool quiet,
                                ExitCode *code) {
  LimberLinearModel l;
  PetscFunctionBegin;
  PetscCall(LinearizeInput(in, NULL, &l));
  if (!l->model) {
    explain_start(command, in, l->wrong);
    *code = EXIT_FAILED;
  } else {
    PetscCall(LimberLinearWrite(l, path, LIMBER_LINEAR_HDF5, output_force()));
    if (mat) PetscCall(LimberLinearWrite(l, mat, LIMBER_LINEAR_MATLAB, output_force()));
    if (is_printing_process() && !quiet) print_summary(path, mat, l);
  }
  PetscCall(LimberLinearDestroy(&l));
  PetscFunctionReturn(0);
}

PetscErrorCode MakeLinearizeResults(const ResultsRequest *r, ExitCode *code) {
  Input *in = NULL;
  PetscFunctionBegin;
  PetscCall(RequestLoad(r, &in, code));
  if (*code == EXIT_GOOD) PetscCall(Linearize(r->command, in, r->path, NULL, r->talk != TALK_ALL, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

static PetscErrorCode LinearizeFile(const Arguments *a, ExitCode *code) {
  Input *in = NULL;
  CommandRequest c;
  const char *mat = argument_value(a, "mat");
  bool can = true;
  PetscFunctionBegin;
  command_request(a, "linearize", ".linear.h5", &c);
  PetscCall(RequestLoad(&c.request, &in, code));
  if (*code == EXIT_GOOD && mat) PetscCall(CanWriteFile("linearize", mat, FILE_MAT, in, &can));
  if (!can) *code = EXIT_MISTAKE;
  if (*code == EXIT_GOOD) PetscCall(Linearize("linearize", in, c.path, mat, c.request.talk != TALK_ALL, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

int limber_command_linearize(const Arguments *a) { return CommandStart(a, LinearizeFile); }
