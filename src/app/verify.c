// SPDX-License-Identifier: Apache-2.0
// `limber verify`: runs examples and compares what they give with what is expected of them (expected.yaml).
#include "app/command.h"
#include "console/library_commands.h"
#include "files/folder.h"
#include "input/yaml/expected.h"
#include "input/yaml/names.h"
#include "model/refusal.h"
#include "post/verify/measure.h"
#include "results/shared_file.h"
#include "app/point_command.h"

#include <dirent.h>
#include <math.h>
#include <petscsys.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_EXAMPLES = 500 };

typedef struct {
  char folder[1024];
  const char *name; // the folder's last word
  Expected *expected;
} Example;

static bool is_file(const char *path) {
  struct stat s;
  return !stat(path, &s) && S_ISREG(s.st_mode);
}

static bool has_expected(const char *folder) {
  char path[1100];
  snprintf(path, sizeof path, "%s/expected.yaml", folder);
  return is_file(path);
}

// Where examples stand: in the present folder, or as installed with the program. NULL past the last.
static const char *examples_root(int i) {
  static char installed[1000];
  static const char *const here[] = {"examples", "."};
  if (i < 2) return here[i];
  ssize_t length = i == 2 ? readlink("/proc/self/exe", installed, sizeof installed - 200) : -1;
  if (length < 0) return NULL;
  installed[length] = 0;
  char *end = strrchr(installed, '/') + 1;
  snprintf(end, sizeof installed - (size_t)(end - installed), LIMBER_EXAMPLES);
  return installed;
}

static bool find_folder(const char *name, char *folder, size_t size) {
  snprintf(folder, size, "%s", name);
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/') folder[--length] = 0;
  if (has_expected(folder)) return true;
  for (int i = 0; examples_root(i); i++) {
    snprintf(folder, size, "%s/%s", examples_root(i), name);
    if (has_expected(folder)) return true;
  }
  return false;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const Example *)a)->folder, ((const Example *)b)->folder);
}

// All examples of the first root that has any.
static int find_all(Example *e) {
  int count = 0;
  for (int i = 0; examples_root(i) && !count; i++) {
    const char *folder = examples_root(i);
    DIR *d = opendir(folder);
    for (struct dirent *entry; d && (entry = readdir(d));) {
      snprintf(e[count].folder, sizeof e[count].folder, "%.500s/%.255s", folder, entry->d_name);
      if (entry->d_name[0] != '.' && has_expected(e[count].folder) && count < MOST_EXAMPLES - 1) count++;
    }
    if (d) closedir(d);
  }
  qsort(e, (size_t)count, sizeof *e, by_name);
  return count;
}

static void unknown_example(const char *name) {
  Example *e = calloc(MOST_EXAMPLES, sizeof *e);
  int count = e ? find_all(e) : 0;
  Nearest n;
  nearest_begin(&n, name);
  for (int i = 0; i < count; i++) nearest_try(&n, strrchr(e[i].folder, '/') + 1);
  print_command_error("verify", "there is no example '%s' with an expected.yaml%s", name,
                      count ? nearest_hint(&n, "there are") : ", here or in examples/");
  free(e);
}

// Those that the command line names, or all; `code` reports names without a folder.
static PetscErrorCode FindExamples(const Arguments *a, Example *e, int *count, ExitCode *code) {
  PetscMPIInt rank;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  *count = 0;
  if (!rank && !a->words) *count = find_all(e);
  for (int i = 0; !rank && i < a->words; i++) {
    if (find_folder(a->word[i], e[*count].folder, sizeof e[*count].folder)) ++*count;
    else {
      *code = EXIT_MISTAKE;
      unknown_example(a->word[i]);
    }
  }
  if (!rank && !*count && *code == EXIT_GOOD) {
    *code = EXIT_MISTAKE;
    print_command_error("verify", "there is no example here: run the command where the folder examples/ is, or name a "
                                  "folder with an expected.yaml");
  }
  int both[2] = {*count, *code};
  PetscCallMPI(MPI_Bcast(both, 2, MPI_INT, 0, PETSC_COMM_WORLD));
  *count = both[0], *code = (ExitCode)both[1];
  PetscCallMPI(MPI_Bcast(e, *count * (int)sizeof *e, MPI_CHAR, 0, PETSC_COMM_WORLD));
  for (int i = 0; i < *count; i++) {
    const char *slash = strrchr(e[i].folder, '/');
    e[i].name = slash ? slash + 1 : e[i].folder, e[i].expected = NULL;
  }
  PetscFunctionReturn(0);
}

enum { SHORT = 300 }; // seconds that `verify` without names may take together

typedef struct {
  const char *work; // folder of the results
  bool json, keep;  // keep: the results stay
  bool outside;     // models may be anywhere
  int good, short_of, rows;
} Verify;

static PetscErrorCode ReadExpected(Example *e, ExitCode *code) {
  char path[1100];
  SourceText file;
  PetscFunctionBegin;
  snprintf(path, sizeof path, "%s/expected.yaml", e->folder);
  PetscCall(ReadOnAllRanks(path, &source_rule_model, &file));
  if (!file.text) {
    print_command_error("verify", "cannot read '%s': %s", path, source_error(file.error));
    *code = EXIT_MISTAKE;
    PetscFunctionReturn(0);
  }
  PetscCall(ExpectedRead(path, file.text, file.length, &e->expected));
  memory_free(&file.text);
  const Diagnostics *n = &e->expected->diagnostics;
  if (is_printing_process()) PetscCall(DiagnosticsPrint(n, stderr, style_diagnostic));
  if (n->errors) *code = EXIT_MISTAKE;
  PetscFunctionReturn(0);
}

// ---- runs ----

// Whether a model is in the folder of its example, or in one beside it: `../swing/swing.yaml`.
static bool is_near(const char *model) {
  const char *rest = strncmp(model, "../", 3) ? model : model + 3;
  return *model != '/' && strncmp(rest, "../", 3) && !strstr(rest, "/../");
}

// Results of a run of an example, with its changes and perhaps another step; NULL if it did not come to its end.
static PetscErrorCode MakeRun(const Verify *v, const Example *e, int which, double step, Results **out,
                              Refusal *wrong) {
  const ExpectedRun *run = &e->expected->run[which];
  const char *change[66];
  int changes = 0;
  char model[1400], path[1400], text[40];
  ExitCode code;
  PetscFunctionBegin;
  *out = NULL, wrong->text[0] = 0;
  for (; changes < run->changes && changes < 64; changes++) change[changes] = run->change[changes];
  snprintf(text, sizeof text, "run.step=%.17g", step);
  if (step > 0) change[changes++] = text;
  snprintf(model, sizeof model, "%s/%s", e->folder, run->model);
  if (step > 0) snprintf(path, sizeof path, "%s/%s.%s.%.6g.h5", v->work, e->name, run->name, step);
  else snprintf(path, sizeof path, "%s/%s.%s.h5", v->work, e->name, run->name);
  if (strchr(run->name, '/')) refuse(wrong, "the name of a run must not contain '/'"); // results stay in their folder
  else if (!v->outside && !is_near(run->model))
    refuse(wrong, "the model of a run must be in the example's folder or one next to it; the option --allow-outside "
                  "permits others");
  if (is_refused(wrong)) PetscFunctionReturn(0);
  const ResultsRequest request = {
      .command = "verify",
      .model = model,
      .input = {.read = ReadOnAllRanks, .change = change, .changes = changes, .allow_outside = v->outside},
      .path = path,
      .talk = TALK_PROGRESS,
      .frames = v->keep};
  if (!run->command) PetscCall(MakeRunResults(&request, &code));
  else PetscCall(MakePointResults(point_analyses[run->command - 1], &request, NULL, &code));
  if (code != EXIT_GOOD) refuse(wrong, "run '%s' did not reach its end", run->name);
  else if (is_printing_process()) results_open(path, out, wrong);
  PetscFunctionReturn(0);
}

enum { MOST_STEPPED = 64 };

typedef struct { // results that quantities share
  Results **of;  // each run
  Refusal *wrong;
  struct { // runs with another step
    int run;
    double step;
    Results *results;
  } stepped[MOST_STEPPED];
  int steps;
} Made;

static PetscErrorCode MakeNeededRun(const Verify *v, const Example *e, Made *m, int which) {
  PetscFunctionBegin;
  if (which < 0 || m->of[which] || is_refused(&m->wrong[which])) PetscFunctionReturn(0);
  PetscCall(MakeRun(v, e, which, 0, &m->of[which], &m->wrong[which]));
  if (!is_printing_process()) refuse(&m->wrong[which], "made"); // other ranks have no results: the mark that it was run
  PetscFunctionReturn(0);
}

// The results of a run with another step: those that another quantity asked for, or new ones.
static PetscErrorCode NeededStep(const Verify *v, const Example *e, Made *m, int run, double step, Results **out,
                                 Refusal *wrong) {
  PetscFunctionBegin;
  wrong->text[0] = 0;
  for (int i = 0; i < m->steps; i++)
    if (m->stepped[i].run == run && m->stepped[i].step == step) {
      *out = m->stepped[i].results;
      PetscFunctionReturn(0);
    }
  if (m->steps == MOST_STEPPED) {
    refuse(wrong, "an example has at most %d runs", MOST_STEPPED);
    PetscFunctionReturn(0);
  }
  PetscCall(MakeRun(v, e, run, step, out, wrong));
  m->stepped[m->steps].run = run, m->stepped[m->steps].step = step, m->stepped[m->steps++].results = *out;
  PetscFunctionReturn(0);
}

static PetscErrorCode MeasureOrder(const Verify *v, const Example *e, const Quantity *q, Made *m, Measured *found) {
  Results *results[MOST_STEPPED] = {NULL};
  int count = PetscMin(q->steps, MOST_STEPPED);
  Refusal wrong = {.text = ""};
  PetscFunctionBegin;
  *found = (Measured){.units = ""};
  for (int i = 0; i < count; i++) {
    PetscCall(NeededStep(v, e, m, q->run, q->step[i], &results[i], &wrong));
    if (is_refused(&wrong) || (is_printing_process() && !results[i]))
      refuse(&found->wrong, "%s with a step of %g s", is_refused(&wrong) ? wrong.text : "no run", q->step[i]);
  }
  if (is_printing_process() && !is_refused(&found->wrong)) measure_quantity(q, count, results, found);
  PetscFunctionReturn(0);
}

static PetscErrorCode MeasureQuantity(const Verify *v, const Example *e, const Quantity *q, Made *m, Measured *found) {
  int other = q->measure == MEASURE_DIFFERENCE ? q->other : -1;
  PetscFunctionBegin;
  *found = (Measured){.units = ""};
  if (q->measure == MEASURE_ORDER) {
    PetscCall(MeasureOrder(v, e, q, m, found));
    PetscFunctionReturn(0);
  }
  PetscCall(MakeNeededRun(v, e, m, q->run));
  PetscCall(MakeNeededRun(v, e, m, other));
  if (!is_printing_process()) PetscFunctionReturn(0);
  Results *results[2] = {m->of[q->run], other < 0 ? NULL : m->of[other]};
  if (!results[0]) refuse(&found->wrong, "%s", m->wrong[q->run].text);
  else if (other >= 0 && !results[1]) refuse(&found->wrong, "%s", m->wrong[other].text);
  else measure_quantity(q, other < 0 ? 1 : 2, results, found);
  PetscFunctionReturn(0);
}

// ---- the table ----

static bool is_good(const Quantity *q, const Measured *found) {
  double off = fabs(found->value - q->reference);
  return !is_refused(&found->wrong) && off <= (q->relative > 0 ? q->relative * fabs(q->reference) : q->absolute);
}

static void print_json_text(const char *s) {
  putchar('"');
  for (; *s; s++) {
    if (*s == '"' || *s == '\\') printf("\\%c", *s);
    else if ((unsigned char)*s < 0x20) printf("\\u%04x", (unsigned)*s);
    else putchar(*s);
  }
  putchar('"');
}

static void print_json(const Verify *v, const Example *e, const Quantity *q, const Measured *found) {
  const struct {
    const char *key, *text;
  } texts[] = {{"example", e->name},        {"quantity", q->name},   {"run", e->expected->run[q->run].name},
               {"column", q->column},       {"units", found->units}, {"source", q->source},
               {"wrong", found->wrong.text}};
  printf("%s\n  {", v->rows ? "," : "");
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    if (!*texts[i].text) continue;
    printf("\"%s\": ", texts[i].key);
    print_json_text(texts[i].text);
    printf(", ");
  }
  printf("\"reference\": %.17g, ", q->reference);
  if (!is_refused(&found->wrong) && isfinite(found->value)) printf("\"found\": %.17g, ", found->value);
  printf("\"%s\": %.17g, \"good\": %s}", q->relative > 0 ? "relative" : "absolute",
         q->relative > 0 ? q->relative : q->absolute, is_good(q, found) ? "true" : "false");
}

enum { WIDEST_NAME = 60 };

// Room for the names of an example's quantities.
static int name_width(const Expected *x) {
  int width = 20;
  for (int i = 0; i < x->quantities; i++) width = PetscMax(width, (int)strlen(x->quantity[i].name));
  return PetscMin(width, WIDEST_NAME);
}

static void print_row(const Quantity *q, const Measured *found, int width) {
  char reference[72], value[40], off[40], allowed[24];
  bool relative = q->relative > 0;
  const char *units = strcmp(found->units, "1") ? found->units : "";
  double difference = found->value - q->reference;
  snprintf(reference, sizeof reference, "%.8g %s", q->reference, units);
  snprintf(value, sizeof value, "%.8g", found->value);
  if (relative) {
    snprintf(off, sizeof off, "%+.2g %%", 100 * difference / fabs(q->reference));
    snprintf(allowed, sizeof allowed, "%.2g %%", 100 * q->relative);
  } else {
    snprintf(off, sizeof off, "%+.2g", difference);
    snprintf(allowed, sizeof allowed, "%.2g", q->absolute);
  }
  if (is_refused(&found->wrong)) {
    printf("  %-*.*s %-20s %s\n", width, width, q->name, reference, found->wrong.text);
    return;
  }
  bool good = is_good(q, found);
  printf("  %-*.*s %-20s %-14s %-11s %-9s ", width, width, q->name, reference, value, off, allowed);
  set_style(stdout, good ? STYLE_GOOD : STYLE_ERROR);
  printf("%-6s", good ? "pass" : "FAIL");
  set_style(stdout, STYLE_PLAIN);
  printf(" %s\n", q->source);
}

static PetscErrorCode VerifyExample(Verify *v, const Example *e) {
  const Expected *x = e->expected;
  int width = name_width(x);
  Made m = {0};
  Measured found;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(x->runs, &m.of));
  PetscCall(PetscCalloc1(x->runs, &m.wrong));
  if (is_printing_process() && !v->json) {
    printf("%s%s%s\n", e->name, *x->title ? ": " : "", x->title);
    printf("  %-*s %-20s %-14s %-11s %-9s %-6s %s\n", width, "quantity", "reference", "found", "difference", "allowed",
           "", "source");
    fflush(stdout);
  }
  for (int i = 0; i < x->quantities; i++) {
    const Quantity *q = &x->quantity[i];
    PetscCall(MeasureQuantity(v, e, q, &m, &found));
    if (!is_printing_process()) continue;
    if (v->json) print_json(v, e, q, &found);
    else print_row(q, &found, width);
    fflush(stdout);
    if (is_good(q, &found)) v->good++;
    else v->short_of++;
    v->rows++;
  }
  for (int i = 0; i < x->runs; i++) results_close(&m.of[i]);
  for (int i = 0; i < m.steps; i++) results_close(&m.stepped[i].results);
  PetscCall(PetscFree(m.of));
  PetscCall(PetscFree(m.wrong));
  PetscFunctionReturn(0);
}

// ---- the command ----

// Without names, the short ones: those that together stay below a minute, the shortest first.
static void select_examples(const Arguments *a, int count, Example *e, bool *chosen) {
  double total = 0;
  for (int i = 0; i < count; i++) chosen[i] = a->words || argument_value(a, "all");
  if (a->words || argument_value(a, "all")) return;
  for (int best = 0; best >= 0;) {
    best = -1;
    for (int i = 0; i < count; i++)
      if (!chosen[i] && (best < 0 || e[i].expected->seconds < e[best].expected->seconds)) best = i;
    if (best < 0 || (total += e[best].expected->seconds) > SHORT) break;
    chosen[best] = true;
  }
  for (int i = 0; i < count; i++)
    if (!chosen[i] && is_printing_process() && !argument_value(a, "json"))
      printf("%s takes about %.0f s and was left out; name it, or give --all\n", e[i].name, e[i].expected->seconds);
}

// A folder for the results that goes away afterwards, unless the user named one.
static PetscErrorCode WorkFolder(const Arguments *a, char *path, size_t size, ExitCode *code) {
  const char *keep = argument_value(a, "keep");
  PetscFunctionBegin;
  if (keep) snprintf(path, size, "%s", keep);
  if (is_printing_process() &&
      (keep ? mkdir(keep, 0777) && !opendir(keep) : !private_folder_make("verify", path, size))) {
    print_command_error("verify", "cannot create the folder '%s' for the results", path);
    *code = EXIT_MISTAKE;
  }
  int bad = *code;
  PetscCallMPI(MPI_Bcast(&bad, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  PetscCallMPI(MPI_Bcast(path, (int)size, MPI_CHAR, 0, PETSC_COMM_WORLD));
  *code = (ExitCode)bad;
  PetscFunctionReturn(0);
}

static PetscErrorCode VerifyAll(const Arguments *a, int count, Example *e, ExitCode *code) {
  bool chosen[MOST_EXAMPLES];
  char work[1024];
  Verify v = {.json = argument_value(a, "json") != NULL,
              .keep = argument_value(a, "keep") != NULL,
              .outside = argument_value(a, "allow-outside") != NULL,
              .work = work};
  PetscFunctionBegin;
  PetscCall(WorkFolder(a, work, sizeof work, code));
  if (*code != EXIT_GOOD) PetscFunctionReturn(0);
  select_examples(a, count, e, chosen);
  if (v.json && is_printing_process()) printf("[");
  for (int i = 0; i < count; i++)
    if (chosen[i]) PetscCall(VerifyExample(&v, &e[i]));
  if (v.json && is_printing_process()) printf("\n]\n");
  else if (is_printing_process()) printf("%d passed, %d failed\n", v.good, v.short_of);
  if (is_printing_process() && !v.keep) private_folder_remove(work);
  PetscCallMPI(MPI_Bcast(&v.short_of, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  if (v.short_of) *code = EXIT_FAILED;
  PetscFunctionReturn(0);
}

static PetscErrorCode VerifyRun(const Arguments *a, ExitCode *code) {
  Example *e;
  int count;
  PetscFunctionBegin;
  *code = EXIT_GOOD;
  PetscCall(PetscCalloc1(MOST_EXAMPLES, &e));
  PetscCall(FindExamples(a, e, &count, code));
  for (int i = 0; i < count; i++) PetscCall(ReadExpected(&e[i], code));
  if (*code == EXIT_GOOD) PetscCall(VerifyAll(a, count, e, code));
  for (int i = 0; i < count; i++) PetscCall(ExpectedDestroy(&e[i].expected));
  PetscCall(PetscFree(e));
  PetscFunctionReturn(0);
}

int limber_command_verify(const Arguments *a) { return CommandStart(a, VerifyRun); }
