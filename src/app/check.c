// SPDX-License-Identifier: Apache-2.0
// What `limber check --frequencies` and `--resolve` add to the summary of a model: the range of its frequencies, and
// steps that resolve them.
#include "analyses/frequencies/frequencies.h"
#include "app/command.h"
#include "console/library_commands.h"
#include "input/yaml/units.h"
#include "model/refusal.h"
#include "results/shared_file.h"
#include "schemes/scheme.h"

#include <petscsys.h>
#include <string.h>

enum { LOWEST = 5, STEPS_A_PERIOD = 20 };

typedef struct {
  int mode;  // counted from 1; 0: none
  double hz; // in place of a mode
} Resolve;

// "5", a mode, or "20Hz", a frequency.
static Error ReadResolve(const char *text, Resolve *out, bool *good) {
  Units *units = NULL;
  UnitsResult result;
  const char *unit;
  double value;
  *good = true;
  if (!text) return 0;
  TRY(UnitsRead(&units, text, "Hz", &value, &unit, &result));
  *good = result == UNITS_GOOD && value > 0;
  if (*good && *unit) out->hz = value;
  else if (*good) out->mode = (int)value, *good = value == out->mode && value <= 1000;
  TRY(UnitsDestroy(&units));
  if (!*good)
    print_command_error(
        "check", "--resolve needs the number of a mode, such as 5, or a frequency, such as 20Hz, not '%s'", text);
  return 0;
}

static void print_hz(double hz) {
  if (hz >= 1e6) printf("%.4g MHz", 1e-6 * hz);
  else if (hz >= 1e4) printf("%.4g kHz", 1e-3 * hz);
  else printf("%.4g Hz", hz);
}

static void print_frequencies(const Frequencies *f) {
  int lowest = PetscMin(f->count, LOWEST);
  int unstable = 0;
  if (!f->at_rest) printf("  equilibrium none: %s; the following is for the model as written\n", f->why.text);
  if (f->rigid)
    printf("  rigid       %d motion%s without stiffness, besides the following\n", f->rigid, f->rigid == 1 ? "" : "s");
  printf("  frequencies ");
  for (int i = 0; i < lowest; i++) printf("%s%.4g", i ? ", " : "", f->hz[i]);
  if (f->count > 1) printf(" Hz are the lowest");
  else printf(f->count ? " Hz" : "none above zero");
  if (f->rotates) printf(", seen from the rotating frame");
  if (f->count) {
    printf("; the highest is %s", f->highest_is_bound ? "below " : "");
    print_hz(f->highest);
  }
  puts("");
  for (int i = 0; i < lowest; i++) unstable += f->grows[i];
  if (unstable)
    printf("  unstable    %d of these motions %s away from the equilibrium\n", unstable,
           unstable == 1 ? "moves" : "move");
  if (!f->damped) return;
  printf("  damping     ");
  for (int i = 0; i < lowest; i++) printf("%s%.3g", i ? ", " : "", fabs(f->ratio[i]) > 1e-9 ? 100 * f->ratio[i] : 0);
  puts(" % of critical, from dampers of the model");
}

// A number of steps a period, in words of what the scheme makes of such a mode.
static void print_accuracy(const LimberOptions *o, double steps) {
  const SchemeKind *kind = scheme_kind(o->scheme);
  StepRule rule = {0};
  SchemeAccuracy e;
  if (!kind || scheme_make(kind, o, &rule).text) return;
  if (!scheme_accuracy(&rule, steps, &e)) {
    if (rule.analysis) printf("; `%s` integrates linear modes exactly", kind->name);
    return;
  }
  printf("; in `%s` its periods are then %.2g %% too %s", kind->name, 100 * fabs(e.period),
         e.period < 0 ? "short" : "long");
  if (e.loss > 5e-7) printf(", and it loses %.2g %% of its amplitude in each", 100 * e.loss);
}

static void print_resolved(const LimberOptions *o, const Frequencies *f, const Resolve *r) {
  double hz = r->hz;
  if (r->mode > f->count) {
    printf("  resolve     there is no mode %d among the %d that were found\n", r->mode, f->count);
    return;
  }
  if (r->mode) hz = f->hz[r->mode - 1];
  printf("  resolve     ");
  if (r->mode) printf("mode %d, ", r->mode);
  print_hz(hz);
  if (!(hz > 0)) {
    puts(": it does not oscillate");
    return;
  }
  printf(": %d steps per period are steps of %.3g s", STEPS_A_PERIOD, 1 / (STEPS_A_PERIOD * hz));
  print_accuracy(o, STEPS_A_PERIOD);
  puts("");
}

// What the steps of the model's own run resolve.
static void print_steps(const Input *in, const Frequencies *f) {
  const LimberControl *c = &in->options.control;
  double step = c->on ? c->largest : in->options.step;
  if (!(in->end > 0) || !(step > 0)) return;
  printf("  steps       of %s%g s resolve, with %d or more per period, up to ", c->on ? "at most " : "", step,
         STEPS_A_PERIOD);
  print_hz(1 / (STEPS_A_PERIOD * step));
  if (f->count && f->hz[0] > 0) printf("; the lowest mode has %.3g", 1 / (f->hz[0] * step));
  puts("");
}

static Error ReadQuietly(const Arguments *a, Input **in) {
  const char *change[MAX_GIVEN];
  const InputOptions o = {.read = ReadOnAllRanks,
                          .change = change,
                          .changes = arguments_of(a, "set", change),
                          .allow_outside = argument_value(a, "allow-outside") != NULL};
  SourceText file;
  *in = NULL;
  TRY(o.read(a->word[0], &source_rule_model, &file));
  if (file.text) TRY(InputRead(a->word[0], file.text, file.length, &o, in));
  memory_free(&file.text);
  return 0;
}

// Such as take a fraction of a second; a longer search is for `limber static`.
static int equilibrium_iterations(const Input *in) {
  double unknowns = 1;
  for (int i = 1; i < in->model->nodes.count; i++) unknowns += 3 * node_blocks(model_node(in->model, i)->kind);
  return (int)PetscMax(20, PetscMin(200, 1e5 / unknowns));
}

static PetscErrorCode CheckFrequencies(const Arguments *a, ExitCode *code) {
  Resolve resolve = {0};
  Frequencies f;
  Input *in;
  Refusal wrong;
  bool good;
  PetscFunctionBegin;
  *code = EXIT_MISTAKE;
  PetscCall(ReadResolve(argument_value(a, "resolve"), &resolve, &good));
  if (!good) PetscFunctionReturn(0);
  PetscCall(ReadQuietly(a, &in));
  if (in && !in->diagnostics.errors) {
    *code = EXIT_GOOD;
    PetscCall(FrequenciesFind(in->model, &in->statics, equilibrium_iterations(in), PetscMax(LOWEST, resolve.mode), &f,
                              &wrong));
    if (is_refused(&wrong) && is_printing_process()) printf("  frequencies %s\n", wrong.text);
    if (!is_refused(&wrong) && is_printing_process()) {
      print_frequencies(&f);
      print_steps(in, &f);
      if (resolve.mode || resolve.hz > 0) print_resolved(&in->options, &f, &resolve);
    }
    if (!is_refused(&wrong)) PetscCall(FrequenciesDestroy(&f));
  }
  PetscCall(InputDestroy(&in));
  PetscFunctionReturn(0);
}

int limber_command_check(const Arguments *a) { return CommandStart(a, CheckFrequencies); }
