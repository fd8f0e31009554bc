// SPDX-License-Identifier: Apache-2.0
// `limber linearize`: the linear model of a model file.
#include "api/analyses.h"
#include "app/point_command.h"
#include "app/command.h"
#include "app/failure.h"
#include "console/library_commands.h"
#include "console/output.h"
#include "files/output_file.h"
#include "fmu/write.h"
#include "model/refusal.h"

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

static const char *mat_file(const PointCall *c) { return c->arguments ? argument_value(c->arguments, "mat") : NULL; }

static const char *fmu_file(const PointCall *c) { return c->arguments ? argument_value(c->arguments, "fmu") : NULL; }

// 0: another word is given.
static int fmu_version(const PointCall *c) {
  const char *given = c->arguments ? argument_value(c->arguments, "fmi") : NULL;
  if (!given) return 3;
  return strcmp(given, "2") && strcmp(given, "3") ? 0 : *given - '0';
}

static void print_summary(const PointCall *c) {
  LimberLinearModel l = c->found;
  const LinearModel *m = l->model;
  printf("%s: x' = A x + B u, y = C x + D u with %d state%s, %d input%s, %d output%s\n", c->request->path, m->states,
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
  if (mat_file(c)) printf("  matlab      %s\n", mat_file(c));
  if (fmu_file(c))
    printf("  fmu         %s, version %d.0, for model exchange and co-simulation\n", fmu_file(c), fmu_version(c));
}

static PetscErrorCode Linearize(PointCall *c, Refusal *wrong) {
  LimberLinearModel l;
  bool can = true;
  PetscFunctionBegin;
  if (c->arguments && argument_value(c->arguments, "fmi") && !fmu_file(c)) {
    if (c->talks) print_command_error(c->request->command, "--fmi needs --fmu, the name of a file");
    can = false;
  } else if (!fmu_version(c)) {
    if (c->talks)
      print_command_error(c->request->command, "--fmi is 2 or 3, not '%s'", argument_value(c->arguments, "fmi"));
    can = false;
  }
  if (can && mat_file(c)) PetscCall(CanWriteFile(c->request->command, mat_file(c), FILE_MAT, c->in, &can));
  if (can && fmu_file(c)) PetscCall(CanWriteFile(c->request->command, fmu_file(c), FILE_FMU, c->in, &can));
  if (!can) {
    c->code = EXIT_MISTAKE;
    PetscFunctionReturn(0);
  }
  PetscCall(LinearizeInput(c->in, NULL, &l));
  if (!l->model) refuse(wrong, "%s", l->wrong.text);
  else if (fmu_file(c))
    PetscCall(FmuWriteLinear(PETSC_COMM_WORLD, c->in, l->model, fmu_file(c), fmu_version(c), wrong));
  if (is_refused(wrong)) PetscCall(LimberLinearDestroy(&l));
  else c->found = l;
  PetscFunctionReturn(0);
}

static PetscErrorCode WriteLinear(const PointCall *c) {
  const char *mat = mat_file(c);
  PetscFunctionBegin;
  PetscCall(LimberLinearWrite(c->found, c->request->path, LIMBER_LINEAR_HDF5, output_force()));
  if (mat) PetscCall(LimberLinearWrite(c->found, mat, LIMBER_LINEAR_MATLAB, output_force()));
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroyLinear(void *found) { return LimberLinearDestroy(&(LimberLinearModel){found}); }

const PointCommand command_of_linearize = {Linearize, print_summary, WriteLinear, DestroyLinear};
