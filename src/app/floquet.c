// SPDX-License-Identifier: Apache-2.0
// Floquet multipliers: model file in, a table out.
#include "app/failure.h"
#include "app/make_results.h"
#include "app/start.h"
#include "console/library_commands.h"
#include "results/write/table.h"

#include <petscsys.h>
#include <stdlib.h>
#include <string.h>

static void print_multipliers(LimberFloquet f, int count) {
  int all = limber_floquet_count(f);
  count = count <= 0 || count > all ? all : count;
  printf("%4s  %12s  %12s  %12s  %12s  %12s  %s\n", "", "real", "imaginary", "magnitude", "growth 1/s", "frequency Hz",
         "moves most");
  for (int i = 0; i < count; i++) {
    LimberMultiplier m = limber_floquet_multiplier(f, i);
    printf("%4d  %12.8f  %12.8f  %12.8f  %12.6g  %12.6g  %s\n", i + 1, m.real, m.imag, m.magnitude, m.growth,
           m.frequency, m.largest);
  }
  if (count < all) printf("      and %d more, none larger\n", all - count);
}

// The multiplier that decides: the one that grows most for sure, or is nearest to it.
static LimberMultiplier decisive_multiplier(LimberFloquet f) {
  LimberMultiplier best = limber_floquet_multiplier(f, 0);
  LimberMotionVerdict verdict = limber_floquet_verdict(f);
  for (int i = 1; i < limber_floquet_count(f); i++) {
    LimberMultiplier m = limber_floquet_multiplier(f, i);
    double sign = verdict == LIMBER_MOTION_UNSTABLE ? -1 : 1;
    if (m.magnitude + sign * m.error > best.magnitude + sign * best.error) best = m;
  }
  return best;
}

static void describe_verdict(LimberFloquet f, const LimberFloquetOptions *o, char *text, size_t size) {
  LimberMultiplier m = decisive_multiplier(f);
  const char *how = m.imag != 0  ? "an oscillation"
                    : m.real < 0 ? "an oscillation of twice the period"
                                 : "without oscillation";
  switch (limber_floquet_verdict(f)) {
  case LIMBER_MOTION_STABLE:
    snprintf(text, size, "stable: no multiplier is larger than 1 by more than %.2g, errors included", o->tolerance);
    return;
  case LIMBER_MOTION_UNSTABLE:
    snprintf(text, size, "unstable: a disturbance grows by %.6g in each period, %s; %s moves most", m.magnitude, how,
             m.largest);
    return;
  case LIMBER_MOTION_UNDECIDED: break;
  }
  if (!limber_floquet_repeats(f))
    snprintf(text, size,
             "undecided: the motion does not repeat, it misses its start by %.2g of the size of the model. Correct the "
             "period, or let it settle (`after`)",
             limber_floquet_closure(f));
  else
    snprintf(
        text, size,
        "undecided: a multiplier has a magnitude of %.6g with an error of up to %.2g. Take more steps, or a larger "
        "`tolerance`",
        m.magnitude, m.error);
}

static void print_verdict(LimberFloquet f, const LimberFloquetOptions *o) {
  LimberMultiplier m = decisive_multiplier(f);
  char text[512];
  describe_verdict(f, o, text, sizeof text);
  printf("%s\n", text);
  if (limber_floquet_repeats(f))
    printf("the magnitude has an error of at most %.2g; the motion misses its start by %.2g of the size of the model\n",
           m.error, limber_floquet_closure(f));
}

static PetscErrorCode WriteMultipliers(const Input *in, LimberFloquet f, const char *path) {
  enum { REAL, IMAG, MAGNITUDE, GROWTH, FREQUENCY, ERROR, COLUMNS };
  static const char *const about[COLUMNS][3] = {
      {"real", "1", "real part of the multiplier"},
      {"imaginary", "1", "imaginary part of the multiplier"},
      {"magnitude", "1", "by which a disturbance grows in a period"},
      {"growth", "s-1", "rate of growth: ln(magnitude)/period"},
      {"frequency", "Hz", "of the disturbance, up to a multiple of 1/period"},
      {"error", "1", "bound on the error of the magnitude"},
  };
  char verdict[512];
  int n = limber_floquet_count(f);
  double *at, *value[COLUMNS];
  TableColumn column[COLUMNS];
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(n, &at));
  for (int c = 0; c < COLUMNS; c++) {
    PetscCall(PetscMalloc1(n, &value[c]));
    column[c] = (TableColumn){"multiplier", about[c][0], about[c][1], about[c][2], 1, NULL, value[c]};
  }
  for (int i = 0; i < n; i++) {
    LimberMultiplier m = limber_floquet_multiplier(f, i);
    const double row[COLUMNS] = {m.real, m.imag, m.magnitude, m.growth, m.frequency, m.error};
    for (int c = 0; c < COLUMNS; c++) value[c][i] = row[c];
    at[i] = i + 1;
  }
  describe_verdict(f, &in->floquet, verdict, sizeof verdict - 1);
  strcat(verdict, "\n");
  const ResultsTable table = {.analysis = "floquet",
                              .axis = "multiplier",
                              .units = "1",
                              .description = "number of the multiplier, the largest first",
                              .rows = n,
                              .at = at,
                              .columns = COLUMNS,
                              .column = column,
                              .remarks = verdict};
  PetscCall(TableWrite(path, in, PETSC_COMM_WORLD, &table));
  for (int c = 0; c < COLUMNS; c++) PetscCall(PetscFree(value[c]));
  PetscCall(PetscFree(at));
  PetscFunctionReturn(0);
}

static PetscErrorCode ComputeFile(const char *command, const Input *in, const char *path, int count, bool talks,
                                  ExitCode *code) {
  LimberFloquet f;
  PetscFunctionBegin;
  if (!in->has_floquet) {
    print_command_error(command, "'%s' has no part `floquet`: write floquet: {period: 1 s}", in->file);
    *code = EXIT_MISTAKE;
    PetscFunctionReturn(0);
  }
  talks = talks && is_printing_process();
  if (talks && *in->title) printf("%s\n", in->title);
  PetscCall(LimberFloquetCreate(in->model, &in->floquet, &f));
  if (!f) {
    explain_start(command, in, limber_model_diagnostics(in->model));
    *code = EXIT_FAILED;
    PetscFunctionReturn(0);
  }
  if (talks) {
    print_multipliers(f, count);
    print_verdict(f, &in->floquet);
  }
  PetscCall(WriteMultipliers(in, f, path));
  PetscCall(LimberFloquetDestroy(&f));
  PetscFunctionReturn(0);
}

static PetscErrorCode MakeResultsOf(const ResultsRequest *r, int count, ExitCode *code) {
  Input *in = NULL;
  PetscFunctionBegin;
  ResultsRequest steps = *r;
  steps.takes_steps = true;
  PetscCall(RequestLoad(&steps, &in, code));
  if (*code == EXIT_GOOD) PetscCall(ComputeFile(r->command, in, r->path, count, r->talk == TALK_ALL, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

PetscErrorCode MakeFloquetResults(const ResultsRequest *r, ExitCode *code) {
  PetscFunctionBegin;
  PetscCall(MakeResultsOf(r, 10, code));
  PetscFunctionReturn(0);
}

static PetscErrorCode FloquetFile(const Arguments *a, ExitCode *code) {
  const char *count = argument_value(a, "count");
  CommandRequest c;
  PetscFunctionBegin;
  command_request(a, "floquet", ".floquet.h5", &c);
  PetscCall(MakeResultsOf(&c.request, count ? atoi(count) : 10, code));
  PetscFunctionReturn(0);
}

int limber_command_floquet(const Arguments *a) { return CommandStart(a, FloquetFile); }
