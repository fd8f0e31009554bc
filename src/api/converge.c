// SPDX-License-Identifier: Apache-2.0
// The public interface to error bars.
#include "limber/limber.h"

#include "console/library_commands.h"
#include "model/error.h"
#include "post/converge/converge.h"

#include <math.h>
#include <petscsys.h>
#include <signal.h>
#include <stdio.h>

struct LimberConvergenceData {
  Convergence c;
};

static void give(Arguments *a, const Option *option, const char *value) {
  a->given[a->givens].option = option;
  a->given[a->givens++].value = value;
}

static Error Converge(const char *model, double accuracy, int runs, bool mesh, int changes, const char *const *change,
                      Convergence *c, int *code) {
  static const Option accuracy_option = {.name = "accuracy"}, runs_option = {.name = "runs"},
                      mesh_option = {.name = "mesh"}, set_option = {.name = "set"}, quiet_option = {.name = "quiet"};
  Arguments *a = NULL;
  char part[40], count[20], *argv[] = {(char[]){"converge"}, NULL};
  struct sigaction before[2];
  TRY(MemoryNew(sizeof *a, &a));
  *a = (Arguments){.command = "converge", .words = 1, .word = {model}, .petsc_argc = 1, .petsc_argv = argv};
  snprintf(part, sizeof part, "%.17g", accuracy), snprintf(count, sizeof count, "%d", runs);
  give(a, &accuracy_option, part);
  if (runs) give(a, &runs_option, count);
  if (mesh) give(a, &mesh_option, "");
  for (int i = 0; i < changes; i++) give(a, &set_option, change[i]);
  give(a, &quiet_option, "");
  sigaction(SIGINT, NULL, &before[0]), sigaction(SIGTERM, NULL, &before[1]);
  Error error = converge_model(a, c, code);
  sigaction(SIGINT, &before[0], NULL), sigaction(SIGTERM, &before[1], NULL);
  memory_free(&a);
  return error;
}

int LimberConverge(const char *model, double accuracy, int runs, bool mesh, int changes, const char *const *change,
                   LimberConvergence *out) {
  PetscBool started = PETSC_FALSE;
  int code = EXIT_MACHINE;
  ENSURE(model && out, LIMBER_ERROR_ARGUMENT, "LimberConverge is given NULL");
  *out = NULL;
  ENSURE(accuracy > 0 && accuracy < 1, LIMBER_ERROR_ARGUMENT, "the accuracy is a part of a range, 0 to 1, not %g",
         accuracy);
  ENSURE(!runs || (runs >= CONVERGE_LEAST && runs <= CONVERGE_MOST), LIMBER_ERROR_ARGUMENT,
         "error bars need %d to %d runs, not %d", CONVERGE_LEAST, CONVERGE_MOST, runs);
  ENSURE(changes >= 0 && changes < MAX_GIVEN - 5 && (change || !changes), LIMBER_ERROR_ARGUMENT,
         "LimberConverge is given %d changes", changes);
  PetscInitialized(&started);
  ENSURE(!started, LIMBER_ERROR_WRONG_STATE,
         "LimberConverge makes processes, and must be called before LimberInitialize");
  TRY(MemoryNew(sizeof **out, out));
  Error error = Converge(model, accuracy, runs, mesh, changes, change, &(*out)->c, &code);
  if (error || (!(*out)->c.rows && !(*out)->c.stills)) TRY(LimberConvergenceDestroy(out));
  TRY(error);
  ENSURE(*out, LIMBER_ERROR_ARGUMENT, "'%s' gives no error bars: stderr says why", model);
  return 0;
}

int LimberConvergenceDestroy(LimberConvergence *c) {
  if (!c || !*c) return 0;
  converge_free(&(*c)->c);
  memory_free(c);
  return 0;
}

int limber_convergence_rows(LimberConvergence c) { return c ? c->c.rows : 0; }

int LimberConvergenceGetRow(LimberConvergence c, int row, LimberErrorBar *out) {
  ENSURE(c && out && row >= 0 && row < c->c.rows, LIMBER_ERROR_ARGUMENT, "there is no row %d", row);
  const ConvergeRow *r = &c->c.row[row];
  *out = (LimberErrorBar){.column = r->column,
                          .units = r->units,
                          .measure = (int)r->measure,
                          .verdict = (int)r->verdict,
                          .value = r->value,
                          .error = r->error,
                          .relative = r->scale > 0 ? r->error / r->scale : NAN,
                          .spread = r->spread,
                          .order = r->order,
                          .mesh = r->mesh};
  return 0;
}

double limber_convergence_step(LimberConvergence c) { return c && c->c.chosen >= 0 ? c->c.run[c->c.chosen].step : 0; }
double limber_convergence_horizon(LimberConvergence c) { return c ? c->c.horizon : 0; }
