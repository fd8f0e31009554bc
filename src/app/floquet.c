// SPDX-License-Identifier: Apache-2.0
// Floquet multipliers: model file in, a table out.
#include "analyses/floquet/floquet.h"
#include "app/point_command.h"
#include "app/failure.h"
#include "app/command.h"
#include "console/library_commands.h"
#include "model/refusal.h"
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
             "undecided: the motion is not periodic; after one period it differs from its start by %.2g of the model "
             "size. Correct the period, or let it settle (`after`)",
             limber_floquet_closure(f));
  else
    snprintf(text, size,
             "undecided: a multiplier has a magnitude of %.6g with an error of up to %.2g. Use more steps, or a larger "
             "`tolerance`",
             m.magnitude, m.error);
}

static void print_verdict(LimberFloquet f, const LimberFloquetOptions *o) {
  LimberMultiplier m = decisive_multiplier(f);
  char text[512];
  describe_verdict(f, o, text, sizeof text);
  printf("%s\n", text);
  if (limber_floquet_repeats(f))
    printf("the magnitude has an error of at most %.2g; after one period the motion differs from its start by %.2g of "
           "the model size\n",
           m.error, limber_floquet_closure(f));
}

static void print_floquet(const PointCall *c) {
  const char *count = c->arguments ? argument_value(c->arguments, "count") : NULL;
  print_multipliers(c->found, count ? atoi(count) : 10);
  print_verdict(c->found, &c->in->floquet);
}

static PetscErrorCode WriteMultipliers(const PointCall *c) {
  LimberFloquet f = c->found;
  char verdict[512];
  ResultsTable table = {.axis = "multiplier",
                        .units = "1",
                        .description = "number of the multiplier, the largest first",
                        .remarks = verdict};
  PetscFunctionBegin;
  PetscCall(TableCreate(&analysis_of_floquet, analysis_of_floquet.columns, NULL, f->count, &table));
  for (int i = 0; i < f->count; i++) {
    const LimberMultiplier *m = &f->multiplier[i];
    const double row[] = {m->real, m->imag, m->magnitude, m->growth, m->frequency, m->error};
    for (int k = 0; k < table.columns; k++) table.column[k].values[i] = row[k];
    table.at[i] = i + 1;
  }
  describe_verdict(f, &c->in->floquet, verdict, sizeof verdict - 1);
  strcat(verdict, "\n");
  PetscCall(TableWrite(c->request->path, c->in, PETSC_COMM_WORLD, &table));
  PetscCall(TableDestroy(&table));
  PetscFunctionReturn(0);
}

static PetscErrorCode FindMultipliers(PointCall *c, Refusal *wrong) {
  LimberFloquet f;
  PetscFunctionBegin;
  PetscCall(FloquetCompute(c->in->model, &c->in->floquet, &f, wrong));
  c->found = f;
  PetscFunctionReturn(0);
}

static PetscErrorCode DestroyMultipliers(void *found) { return LimberFloquetDestroy(&(LimberFloquet){found}); }

const PointCommand command_of_floquet = {FindMultipliers, print_floquet, WriteMultipliers, DestroyMultipliers};
