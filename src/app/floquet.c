// SPDX-License-Identifier: Apache-2.0
// Floquet multipliers: model file in, a table out.
#include "app/failure.h"
#include "app/start.h"
#include "console/library_commands.h"
#include "results/shared_file.h"

#include <petscsys.h>
#include <stdlib.h>

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

static void print_verdict(LimberFloquet f, const LimberFloquetOptions *o) {
  LimberMultiplier m = limber_floquet_multiplier(f, 0);
  double excess = m.magnitude - 1, error = limber_floquet_error(f), closure = limber_floquet_closure(f);
  const char *how = m.imag != 0  ? "an oscillation"
                    : m.real < 0 ? "an oscillation of twice the period"
                                 : "without oscillation";
  if (limber_floquet_unstable(f))
    printf("unstable: a disturbance grows by %.6g in each period, %s; %s moves most\n", m.magnitude, how, m.largest);
  else if (excess > o->tolerance)
    printf(
        "undecided: the largest multiplier is above 1 by %.2g, which may be the error of the steps. Take more steps\n",
        excess);
  else printf("stable: no multiplier is larger than 1 by more than %.2g\n", o->tolerance);
  printf("half the steps change the largest magnitude by %.2g\n", error);
  if (closure > 1e-3)
    printf("warning: the motion does not repeat: it misses its start by %.2g of the size of the model. Correct the "
           "period, or let it settle (`after`)\n",
           closure);
}

static PetscErrorCode FloquetFile(const Arguments *a, ExitCode *code) {
  Input *in;
  LimberFloquet f = NULL;
  const char *change[MAX_GIVEN], *count = argument_value(a, "count");
  const InputOptions o = {ReadOnAllRanks, change, arguments_of(a, "set", change)};
  PetscFunctionBegin;
  PetscCall(LoadModelFile("floquet", a->word[0], &o, &in, code));
  if (*code == EXIT_GOOD && !in->has_floquet) {
    print_command_error("floquet", "'%s' has no part `floquet`: write floquet: {period: 1 s}", a->word[0]);
    *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD) {
    PetscCall(LimberFloquetCreate(in->model, &in->floquet, &f));
    if (!f) {
      explain_start("floquet", in, limber_model_diagnostics(in->model));
      *code = EXIT_FAILED;
    }
  }
  if (f && is_printing_process() && !argument_value(a, "quiet")) {
    print_multipliers(f, count ? atoi(count) : 10);
    print_verdict(f, &in->floquet);
  }
  PetscCall(LimberFloquetDestroy(&f));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

int limber_command_floquet(const Arguments *a) { return CommandStart(a, FloquetFile); }
