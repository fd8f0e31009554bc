// SPDX-License-Identifier: Apache-2.0
// `limber optimize`: the best values of numbers of a model file, as a table.
#include "fit/optimize.h"

#include "app/command.h"
#include "app/failure.h"
#include "app/tuned.h"
#include "console/library_commands.h"
#include "console/output.h"
#include "post/picture/scene.h"
#include "results/shared_file.h"

#include <math.h>
#include <string.h>

static const char name[] = "optimize";

static void print_progress(int step, double objective, double violation) {
  if (!is_printing_process()) return;
  printf("\r  step %d: %.6g", step, objective);
  if (violation > 1e-6) printf(", a limit is exceeded by %.3g %%", 100 * violation);
  printf(" \033[K");
  fflush(stdout);
}

// ---- the table ----

static void print_limit(double limit, double factor) {
  if (isfinite(limit)) printf("  %14.8g", limit / factor);
  else printf("  %14s", "-");
}

static void print_constraints(LimberOptimum o) {
  int width = 10;
  for (int i = 0; i < o->constraints; i++) width = PetscMax(width, (int)strlen(o->constraint[i].of));
  if (o->constraints)
    printf("\n%-*s  %14s  %14s  %14s  %14s  %s\n", width, "constraint", "start", "optimum", "from", "to", "unit");
  for (int i = 0; i < o->constraints; i++) {
    const OptimumConstraint *k = &o->constraint[i];
    printf("%-*s  %14.8g  %14.8g", width, k->of, k->start / k->factor, k->value / k->factor);
    print_limit(k->from, k->factor), print_limit(k->to, k->factor);
    printf("  %s\n", limit_unit(k));
  }
}

static void print_holding(LimberOptimum o, const char *what, int held, double multiplier, const char *unit) {
  const char *own = limit_unit(&o->objective);
  printf("  `%s` of %s: %.6g%s%s per %s more\n", held < 0 ? "from" : "to", what, multiplier, *own ? " " : "", own,
         *unit ? unit : "1");
}

// By how much the objective changes with each limit.
static void print_multipliers(LimberOptimum o) {
  bool any = false;
  for (int i = 0; i < o->constraints; i++) any = any || o->constraint[i].held;
  for (int j = 0; j < o->parameters; j++) any = any || o->held[j];
  printf(any ? "\n%s changes with the limits that it meets:\n" : "\n%s meets no limit\n", o->objective.of);
  for (int i = 0; i < o->constraints; i++) {
    const OptimumConstraint *k = &o->constraint[i];
    if (k->held) print_holding(o, k->of, k->held, k->multiplier * k->factor, limit_unit(k));
  }
  for (int j = 0; j < o->parameters; j++)
    if (o->held[j]) print_holding(o, o->parameter[j].path, o->held[j], o->multiplier[j], o->parameter[j].unit);
}

static void print_table(LimberOptimum o) {
  int width = 9;
  for (int k = 0; k < o->parameters; k++) width = PetscMax(width, (int)strlen(o->parameter[k].path));
  print_remarks(o->remarks);
  const char *unit = limit_unit(&o->objective), *space = *unit ? " " : "";
  printf("%s %s = %.8g%s%s, at the start %.8g%s%s\n", o->maximize ? "largest" : "smallest", o->objective.of,
         o->objective.value, space, unit, o->objective.start, space, unit);
  printf("\n%-*s  %14s  %14s  %9s  %s\n", width, "parameter", "start", "optimum", "next step", "unit");
  for (int k = 0; k < o->parameters; k++) {
    printf("%-*s  %14.8g  %14.8g  ", width, o->parameter[k].path, o->start[k], o->parameter[k].value);
    print_estimate(9, o->next[k]), printf("  %s\n", o->parameter[k].unit);
  }
  print_constraints(o);
  print_multipliers(o);
  printf("\n%d steps: %d analyses and %d with derivatives\n", o->steps, o->runs, o->gradients);
  if (!isfinite(o->next_objective)) return;
  printf("one more step would change %s by less than ", o->objective.of), print_estimate(0, o->next_objective);
  printf("%s%s\n", space, unit);
}

// ---- JSON ----

static void print_quantity(const OptimumConstraint *k) {
  printf("{\"of\": "), json_text(stdout, k->of);
  printf(", \"units\": "), json_text(stdout, k->unit);
  printf(", \"start\": "), print_json_number(k->start);
  printf(", \"value\": "), print_json_number(k->value);
}

static void print_held(int held, double multiplier) {
  static const char *const side[] = {"\"from\"", "null", "\"to\""};
  printf(", \"held\": %s, \"multiplier\": ", side[held + 1]), print_json_number(multiplier);
  printf("}");
}

static void print_json(const Arguments *a, LimberOptimum o) {
  printf("{\"model\": "), json_text(stdout, a->word[0]);
  printf(", \"remarks\": "), json_text(stdout, o->remarks);
  printf(", \"maximize\": %s, \"objective\": ", o->maximize ? "true" : "false"), print_quantity(&o->objective);
  printf(", \"next_step\": "), print_json_number(o->next_objective);
  printf("},\n \"differences\": %s, \"steps\": %d, \"runs\": %d, \"gradients\": %d,\n \"parameters\": [",
         o->differences ? "true" : "false", o->steps, o->runs, o->gradients);
  for (int j = 0; j < o->parameters; j++) {
    printf("%s\n  {\"name\": ", j ? "," : ""), json_text(stdout, o->parameter[j].path);
    printf(", \"units\": "), json_text(stdout, o->parameter[j].unit);
    printf(", \"start\": "), print_json_number(o->start[j]);
    printf(", \"value\": "), print_json_number(o->parameter[j].value);
    printf(", \"next_step\": "), print_json_number(o->next[j]);
    print_held(o->held[j], o->multiplier[j]);
  }
  printf("],\n \"constraints\": [");
  for (int i = 0; i < o->constraints; i++) {
    const OptimumConstraint *k = &o->constraint[i];
    printf("%s\n  ", i ? "," : ""), print_quantity(k);
    printf(", \"from\": "), print_json_number(k->from);
    printf(", \"to\": "), print_json_number(k->to);
    print_held(k->held, k->multiplier);
  }
  printf("]}\n");
}

// ---- the command ----

static PetscErrorCode Work(const Arguments *a, const InputOptions *o, Input *in, ExitCode *code) {
  bool json = argument_value(a, "json") != NULL, draws = !json && on_terminal();
  LimberOptimum optimum;
  Refusal wrong;
  PetscFunctionBegin;
  end_at_signal(name);
  PetscCall(OptimumFind(in, o->read, draws ? print_progress : NULL, &optimum, &wrong));
  set_last_words(NULL);
  if (draws && is_printing_process()) printf("\r\033[K"), fflush(stdout);
  if (!optimum) {
    print_command_error(name, "%s", wrong.text);
    *code = in->optimize.parameters ? EXIT_FAILED : EXIT_MISTAKE;
    PetscFunctionReturn(0);
  }
  if (is_printing_process() && json) print_json(a, optimum);
  else if (is_printing_process())
    print_table(optimum), print_run_with(a->word[0], optimum->parameters, optimum->parameter);
  PetscCall(OptimumDestroy(&optimum));
  PetscFunctionReturn(0);
}

static PetscErrorCode Optimize(const Arguments *a, ExitCode *code) {
  const char *change[MAX_GIVEN];
  InputOptions o = {.read = ReadOnAllRanks, .change = change, .changes = arguments_of(a, "set", change)};
  Input *in = NULL;
  PetscFunctionBegin;
  o.allow_outside = argument_value(a, "allow-outside") != NULL;
  *code = EXIT_MISTAKE;
  PetscCall(LoadModelFile(name, a->word[0], &o, &in, code));
  if (*code == EXIT_GOOD) PetscCall(Work(a, &o, in, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

int limber_command_optimize(const Arguments *a) { return CommandStart(a, Optimize); }
