// SPDX-License-Identifier: Apache-2.0
// `limber converge`: runs a model with steps of h, h/2, h/4, ..., side by side, until the errors of all quantities are
// within an accuracy, and compares the runs (post/converge).
#include "app/family.h"

#include "app/command.h"
#include "base/limits.h"
#include "console/library_commands.h"
#include "console/output.h"
#include "input/yaml/names.h"
#include "quantities/ledger.h"
#include "results/shared_file.h"

#include <stdlib.h>
#include <string.h>

static const char name[] = "converge";

// ---- the command line and the model ----

static bool parse_options(Family *f) {
  const Arguments *a = f->arguments;
  const char *accuracy = argument_value(a, "accuracy"), *runs = argument_value(a, "runs"),
             *workers = argument_value(a, "workers");
  f->workers = family_workers(), f->most = CONVERGE_USUAL;
  f->quiet = argument_value(a, "quiet") || argument_value(a, "json");
  if (accuracy && !converge_accuracy(accuracy, &f->c->accuracy))
    return print_command_error(name,
                               "--accuracy needs a part of the range between 0 and 1, such as '1 %%' or 0.01, not '%s'",
                               accuracy),
           false;
  if (runs && !parse_count(name, "runs", runs, CONVERGE_MOST, &f->most)) return false;
  if (f->most < CONVERGE_LEAST)
    return print_command_error(name, "--runs needs at least %d: an order is seen in three runs", CONVERGE_LEAST), false;
  return !workers || parse_count(name, "workers", workers, 65536, &f->workers);
}

// A column that the runs will have, a part of its name up to a dot, or none.
typedef struct {
  const char *word;
  bool known;
  Nearest nearest;
  char best[CONVERGE_NAME];
} Wanted;

static void try_name(void *self, const char *column) {
  Wanted *w = self;
  size_t n = strlen(w->word);
  w->known = w->known || (!strncmp(column, w->word, n) && (!column[n] || column[n] == '.'));
  if (!strncmp(column, "ledger.", 7) && strncmp(w->word, "ledger", 6)) return;
  nearest_try(&w->nearest, column);
  if (w->nearest.best != column) return;
  snprintf(w->best, sizeof w->best, "%s", column);
  w->nearest.best = w->best;
}

static bool check_columns(const Family *f) {
  const Input *in = f->in;
  for (int i = 0; i < f->words; i++) {
    Wanted w = {.word = f->word[i], .known = ledger_has_group(f->word[i])};
    nearest_begin(&w.nearest, w.word);
    for (int k = 0; k < in->probes; k++) probe_visit(in->model, &in->probe[k], try_name, &w);
    for (int k = 0; k < LEDGER_COLUMNS; k++) {
      const char *path = ledger_columns[k].path;
      size_t n = strlen(path);
      try_name(&w, path);
      w.known = w.known || (!strncmp(path, w.word, n) && w.word[n] == '.'); // a component
    }
    if (w.known) continue;
    print_command_error(name, "%s has no column '%s'%s", f->c->model, w.word,
                        nearest_hint(&w.nearest, "its columns are"));
    return false;
  }
  return true;
}

static Error LoadModel(Family *f, SourceReader read, ExitCode *code) {
  static const double usual_accuracy = 0.01;
  const Arguments *a = f->arguments;
  f->input = (InputOptions){.read = read,
                            .change = f->change,
                            .changes = arguments_of(a, "set", f->change),
                            .allow_outside = argument_value(a, "allow-outside"),
                            .allow_library = argument_value(a, "allow-library")};
  *code = EXIT_MISTAKE;
  if (!parse_options(f)) return 0;
  snprintf(f->c->model, sizeof f->c->model, "%s", a->word[0]);
  TRY(LoadModelFile(name, a->word[0], &f->input, &f->in, code));
  if (*code != EXIT_GOOD) return 0;
  if (!(f->c->accuracy > 0)) f->c->accuracy = f->in->accuracy > 0 ? f->in->accuracy : usual_accuracy;
  bool refines = argument_value(a, "mesh") && f->in->end > 0;
  if (refines && (!f->in->refinable || f->in->refine > LIMIT_REFINE / 4)) {
    print_command_error(name,
                        f->in->refinable
                            ? "%s has `refine: %d`, and four times as many is more than %d: make it smaller"
                            : "%s has no beam or cable, and nothing else can be refined: a mesh from a "
                              "file needs a finer file",
                        a->word[0], f->in->refine, LIMIT_REFINE);
    return *code = EXIT_MISTAKE, 0;
  }
  if (f->in->end > 0 && !f->in->options.control.on) return *code = check_columns(f) ? EXIT_GOOD : EXIT_MISTAKE, 0;
  print_command_error(name,
                      f->in->end > 0 ? "%s has `run: {control: ...}`, which chooses its steps: leave out `control`, "
                                       "so that steps can be halved"
                                     : "%s has no part `run`: add one, such as `run: {step: 1 ms, end: 1 s}`",
                      a->word[0]);
  *code = EXIT_MISTAKE;
  return 0;
}

// The table of histories, when all runs are there.
static bool write_histories(Family *f) {
  const char *path = argument_value(f->arguments, "output");
  OutputFile out;
  if (!path) return true;
  if (!begin_output(name, f->arguments, path, FILE_CSV, &out)) return false;
  if (family_compare(f, out.out)) return end_output(name, &out);
  return output_discard(&out), false;
}

// Runs with finer meshes, in a family of their own: their step is the one that was chosen, or else the shortest.
static Error RefineWith(Family *m, const Family *f, ExitCode *code) {
  Convergence *c = f->c;
  *m = (Family){.command = name, .arguments = f->arguments, .c = m->c, .in = f->in, .ranks = f->ranks, .guard = -1};
  m->base = f->base, m->words = f->words, m->word = f->word, m->workers = f->workers, m->quiet = f->quiet;
  m->meshes = true, m->input = f->input, m->input.change = m->change;
  m->input.changes = arguments_of(f->arguments, "set", m->change);
  snprintf(m->c->model, sizeof m->c->model, "%s", c->model);
  m->c->accuracy = c->accuracy, m->in->options.step = c->run[c->chosen >= 0 ? c->chosen : c->runs - 1].step;
  TRY(FamilyBegin(m, code));
  if (*code == EXIT_GOOD) TRY(FamilyRefine(m, code));
  if (*code != EXIT_GOOD || !f->first) return 0;
  converge_add_mesh(m->c, c);
  if (c->mesh_error > c->accuracy) *code = EXIT_FAILED;
  return 0;
}

static Error Refine(const Family *f, ExitCode *code) {
  Family *m = NULL;
  Convergence *c = NULL;
  ExitCode own = EXIT_GOOD;
  TRY(MemoryNew(sizeof *m, &m));
  TRY(MemoryNew(sizeof *c, &c));
  m->c = c;
  Error error = RefineWith(m, f, &own);
  family_end(m);
  converge_free(c);
  memory_free(&c), memory_free(&m);
  if (own != EXIT_GOOD) *code = own;
  return error;
}

static Error Work(Family *f, ExitCode *code) {
  const char *output = argument_value(f->arguments, "output");
  int can = !is_printing_process() || !output || check_output(name, f->arguments, output, FILE_CSV);
  TRY(FamilyShare(f, &can));
  if (!can) return *code = EXIT_MISTAKE, 0;
  TRY(FamilyBegin(f, code));
  if (*code != EXIT_GOOD) return 0;
  TRY(FamilyRun(f, code));
  int compared = f->c->rows > 0;
  TRY(FamilyShare(f, &compared));
  if (argument_value(f->arguments, "mesh") && compared) TRY(Refine(f, code));
  if (f->first && (f->c->rows || f->c->stills) && !write_histories(f)) *code = EXIT_MISTAKE;
  return FamilyShareCode(f, code);
}

static Error DoConverge(const Arguments *a, bool ranks, Convergence *c, ExitCode *code) {
  Family *f = NULL;
  TRY(MemoryNew(sizeof *f, &f));
  *f = (Family){.command = name, .arguments = a, .c = c, .ranks = ranks, .base = "run.h5", .guard = -1};
  f->words = a->words - 1, f->word = a->word + 1;
  Error error = LoadModel(f, ranks ? ReadOnAllRanks : SourceRead, code);
  if (!error && *code == EXIT_GOOD) error = Work(f, code);
  family_end(f);
  if (f->in && InputDestroy(&f->in) && !error) error = PETSC_ERR_LIB;
  memory_free(&f);
  return error;
}

Error converge_model(const Arguments *a, Convergence *c, int *code) {
  ExitCode exit = EXIT_MACHINE;
  Error error = DoConverge(a, false, c, &exit);
  *code = (int)exit;
  return error;
}

// ---- the command ----

static void print_convergence(const Arguments *a, const Convergence *c) {
  if (!c->rows && !c->stills) return;
  if (argument_value(a, "json")) converge_print_json(c);
  else converge_print(c);
}

static PetscErrorCode WorkOnRanks(const Arguments *a, ExitCode *code) {
  Convergence *c = NULL;
  PetscFunctionBegin;
  PetscCall(MemoryNew(sizeof *c, &c));
  PetscCall(DoConverge(a, true, c, code));
  if (is_printing_process()) print_convergence(a, c);
  converge_free(c);
  memory_free(&c);
  PetscFunctionReturn(0);
}

int limber_command_converge(const Arguments *a) {
  Convergence *c = NULL;
  int code = EXIT_MACHINE;
  if (family_on_ranks()) return CommandStart(a, WorkOnRanks);
  if (MemoryNew(sizeof *c, &c) || converge_model(a, c, &code)) return EXIT_MACHINE;
  print_convergence(a, c);
  converge_free(c);
  memory_free(&c);
  return end_stdout(name, argument_value(a, "output") != NULL, (ExitCode)code);
}
