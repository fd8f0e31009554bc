// SPDX-License-Identifier: Apache-2.0
// `limber gradient`: derivatives of quantities of a model file with respect to its numbers, as a table.
#include "gradient/gradient.h"

#include "app/command.h"
#include "app/failure.h"
#include "app/tuned.h"
#include "console/library_commands.h"
#include "console/output.h"
#include "post/picture/scene.h"
#include "results/shared_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char name[] = "gradient";

// ---- the command line ----

typedef struct {
  LimberGradientOptions options;
  const char *quantity[MAX_GIVEN], *parameter[MAX_GIVEN], *change[MAX_GIVEN];
  InputOptions input;
} Request;

static bool parse_states(const char *text, int *out) {
  char *end;
  long n = strtol(text, &end, 10);
  *out = n > 1 && n <= 1000000 ? (int)n : 0;
  return *out && !*end;
}

static bool parse_request(const Arguments *a, Request *r) {
  const char *method = argument_value(a, "method");
  r->options = limber_gradient_options_default();
  r->options.quantities = arguments_of(a, "of", r->quantity), r->options.quantity = r->quantity;
  r->options.parameters = arguments_of(a, "wrt", r->parameter), r->options.parameter = r->parameter;
  r->options.check = argument_value(a, "check") != NULL;
  if (method && !strcmp(method, "adjoint")) r->options.method = LIMBER_GRADIENT_ADJOINT;
  else if (method && strcmp(method, "forward"))
    return print_command_error(name, "--method is forward or adjoint, not '%s'", method), false;
  if (argument_value(a, "states") && !parse_states(argument_value(a, "states"), &r->options.states))
    return print_command_error(name, "--states is a whole number from 2 on, not '%s'", argument_value(a, "states")),
           false;
  r->input = (InputOptions){.read = ReadOnAllRanks,
                            .change = r->change,
                            .changes = arguments_of(a, "set", r->change),
                            .allow_outside = argument_value(a, "allow-outside") != NULL};
  if (r->options.quantities && r->options.parameters) return true;
  print_command_error(name, r->options.quantities
                                ? "name a parameter with --wrt, such as --wrt let.length"
                                : "name a quantity with --of, such as --of tip.z@end or --of \"frequency(1)\"");
  return false;
}

// ---- the table ----

static void print_number(FILE *out, double value) {
  if (isfinite(value)) fprintf(out, "%.17g", value);
  else fprintf(out, "null");
}

static void print_json(const Arguments *a, const Request *r, LimberGradient g) {
  printf("{\"model\": ");
  json_text(stdout, a->word[0]);
  printf(", \"method\": \"%s\", \"remarks\": ", r->options.method == LIMBER_GRADIENT_ADJOINT ? "adjoint" : "forward");
  json_text(stdout, g->remarks);
  printf(", \"parameters\": [");
  for (int k = 0; k < g->parameters; k++) {
    printf("%s\n {\"name\": ", k ? "," : "");
    json_text(stdout, g->parameter[k].path);
    printf(", \"value\": "), print_number(stdout, g->parameter[k].value), printf(", \"units\": ");
    json_text(stdout, g->parameter[k].unit), printf("}");
  }
  printf("],\n \"quantities\": [");
  for (int i = 0; i < g->quantities; i++) {
    printf("%s\n {\"name\": ", i ? "," : "");
    json_text(stdout, g->quantity[i].text);
    printf(", \"value\": "), print_number(stdout, g->value[i]), printf(", \"units\": ");
    json_text(stdout, g->quantity[i].unit), printf("}");
  }
  printf("],\n \"derivatives\": [");
  for (int i = 0; i < g->quantities * g->parameters; i++) {
    const LimberDerivative *d = &g->d[i];
    const double value[] = {d->value, d->error, d->elasticity, d->check, d->check_error};
    static const char *const key[] = {"value", "error", "elasticity", "check", "check_error"};
    printf("%s\n {\"quantity\": ", i ? "," : "");
    json_text(stdout, g->quantity[i / g->parameters].text), printf(", \"parameter\": ");
    json_text(stdout, g->parameter[i % g->parameters].path);
    for (int k = 0; k < 5; k++) printf(", \"%s\": ", key[k]), print_number(stdout, value[k]);
    printf("}");
  }
  printf("]}\n");
}

static void print_table(const Request *r, LimberGradient g) {
  int width = 9;
  for (int k = 0; k < g->parameters; k++) width = PetscMax(width, (int)strlen(g->parameter[k].path));
  print_remarks(g->remarks);
  for (int i = 0; i < g->quantities; i++) {
    printf("%s%s = %.8g %s\n", i ? "\n" : "", g->quantity[i].text, g->value[i], g->quantity[i].unit);
    printf("  %-*s  %16s  %9s  %10s%s\n", width, "parameter", "derivative", "error", "% per %",
           r->options.check ? "   by differences      error" : "");
    for (int k = 0; k < g->parameters; k++) {
      const LimberDerivative *d = &g->d[i * g->parameters + k];
      printf("  %-*s  %16.9g  ", width, g->parameter[k].path, d->value + 0.0);
      print_estimate(9, d->error), printf("  ");
      if (isfinite(d->elasticity)) printf("%10.5f", fabs(d->elasticity) < 5e-6 ? 0 : d->elasticity);
      else printf("%10s", "-");
      if (r->options.check) printf("  %16.9g  ", d->check + 0.0), print_estimate(9, d->check_error);
      printf("\n");
    }
  }
  for (int k = 0; k < g->parameters; k++)
    printf("%s%s = %.8g %s\n", k ? "" : "\n", g->parameter[k].path, g->parameter[k].value, g->parameter[k].unit);
}

static bool write_csv(const Arguments *a, LimberGradient g) {
  const char *path = argument_value(a, "output");
  OutputFile out;
  if (!path) return true;
  if (!begin_output(name, a, path, FILE_CSV, &out)) return false;
  fprintf(out.out, "quantity,units,value,parameter,parameter_units,parameter_value,derivative,error,elasticity,check,"
                   "check_error\n");
  for (int i = 0; i < g->quantities * g->parameters; i++) {
    const GradientQuantity *q = &g->quantity[i / g->parameters];
    const GradientParameter *p = &g->parameter[i % g->parameters];
    const LimberDerivative *d = &g->d[i];
    const double value[] = {d->value, d->error, d->elasticity, d->check, d->check_error};
    fprintf(out.out, "\"%s\",%s,%.17g,%s,%s,%.17g", q->text, q->unit, g->value[i / g->parameters], p->path, p->unit,
            p->value);
    for (int k = 0; k < 5; k++) {
      fputc(',', out.out);
      if (isfinite(value[k])) fprintf(out.out, "%.17g", value[k]);
    }
    fputc('\n', out.out);
  }
  return end_output(name, &out);
}

// ---- the command ----

static PetscErrorCode Work(const Arguments *a, const Request *r, Input *in, ExitCode *code) {
  LimberGradient g;
  Refusal wrong;
  int good = 1;
  PetscFunctionBegin;
  PetscCall(GradientFind(in, r->input.read, &r->options, NULL, &g, &wrong));
  set_last_words(NULL);
  if (!g) {
    print_command_error(name, "%s", wrong.text);
    *code = EXIT_FAILED;
    PetscFunctionReturn(0);
  }
  if (is_printing_process()) {
    if (argument_value(a, "json")) print_json(a, r, g);
    else print_table(r, g);
    good = write_csv(a, g);
  }
  PetscCallMPI(MPI_Bcast(&good, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  if (!good) *code = EXIT_MISTAKE;
  PetscCall(GradientDestroy(&g));
  PetscFunctionReturn(0);
}

static PetscErrorCode Gradient(const Arguments *a, ExitCode *code) {
  const char *path = argument_value(a, "output");
  Request r;
  Input *in = NULL;
  bool can = true;
  PetscFunctionBegin;
  *code = EXIT_MISTAKE;
  if (!parse_request(a, &r)) PetscFunctionReturn(0);
  end_at_signal(name);
  PetscCall(LoadModelFile(name, a->word[0], &r.input, &in, code));
  if (*code == EXIT_GOOD && path) PetscCall(CanWriteFile(name, path, FILE_CSV, in, &can));
  if (!can) *code = EXIT_MISTAKE;
  if (*code == EXIT_GOOD) PetscCall(Work(a, &r, in, code));
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

int limber_command_gradient(const Arguments *a) { return CommandStart(a, Gradient); }
