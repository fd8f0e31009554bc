// SPDX-License-Identifier: Apache-2.0
// What a study is made of: the command line, the plan, the model, and their identity.
#include "app/study.h"

#include "app/command.h"
#include "study/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- identity ----

// A sum of all texts that are read, in their order (FNV-1a, twice with different starts).
static struct {
  uint64_t sum[2];
  SourceReader read;
} seen;

static void add_bytes(const void *data, size_t size) {
  const unsigned char *byte = data;
  for (size_t i = 0; i < size; i++)
    for (int k = 0; k < 2; k++) seen.sum[k] = (seen.sum[k] ^ byte[i]) * 1099511628211u;
  uint64_t length = size;
  for (int k = 0; k < 2; k++) seen.sum[k] = (seen.sum[k] ^ length) * 1099511628211u;
}

static Error ReadAndSum(const char *path, const SourceRule *rule, SourceText *out) {
  TRY(seen.read(path, rule, out));
  if (out->text) add_bytes(out->text, out->length);
  return 0;
}

static void begin_identity(SourceReader read) {
  seen.sum[0] = 14695981039346656037u, seen.sum[1] = 0x9e3779b97f4a7c15u, seen.read = read;
  add_bytes(LIMBER_VERSION, strlen(LIMBER_VERSION));
}

// ---- command line ----

static bool parse_part(const char *text, StudyCommand *c) {
  char after;
  if (sscanf(text, "%d/%d%c", &c->part, &c->parts, &after) == 2 && c->part >= 1 && c->parts >= c->part)
    return c->part--, true;
  return print_command_error("study", "--part needs two numbers, such as 3/100, not '%s'", text), false;
}

static bool parse_options(StudyCommand *c) {
  const Arguments *a = c->arguments;
  const char *workers = argument_value(a, "workers"), *ranks = argument_value(a, "ranks-per-run"),
             *part = argument_value(a, "part"), *jobs = argument_value(a, "jobs");
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  c->workers = cores > 0 ? (int)cores : 1, c->ranks_per_run = 1, c->jobs = 100;
  c->changes = arguments_of(a, "set", c->change);
  c->force = argument_value(a, "force"), c->quiet = argument_value(a, "quiet");
  c->allow_library = argument_value(a, "allow-library");
  c->allow_outside = argument_value(a, "allow-outside"), c->merge_only = argument_value(a, "merge");
  c->study.in_place = argument_value(a, "in-place"), c->study.hdf5_blocks = argument_value(a, "readable-blocks");
  if (workers && !parse_count("study", "workers", workers, 65536, &c->workers)) return false;
  if (ranks && !parse_count("study", "ranks-per-run", ranks, 1 << 20, &c->ranks_per_run)) return false;
  if (jobs && !parse_count("study", "jobs", jobs, 1000000, &c->jobs)) return false;
  if (part && !parse_part(part, c)) return false;
  for (int i = 0; i < c->changes; i++)
    if (!strncmp(c->change[i], "study", 5) && strchr(".=", c->change[i][5]))
      return print_command_error("study", "--set changes the model, not the study: change '%.*s' in the study file",
                                 (int)strcspn(c->change[i], "="), c->change[i]),
             false;
  if (part && c->merge_only)
    return print_command_error("study",
                               "--part and --merge exclude each other: --merge is given when all parts are done"),
           false;
  if (part && c->force)
    return print_command_error("study", "--force would remove what other parts have done: remove the folder of the "
                                        "blocks before the parts start"),
           false;
  return true;
}

// ---- files ----

// "a/study" of a/study.h5, with an ending.
static void beside_output(const StudyCommand *c, const char *ending, char *path, size_t size) {
  const char *base = strrchr(c->output, '/'), *dot;
  base = base ? base + 1 : c->output;
  dot = strrchr(base, '.');
  int length = dot && dot > base ? (int)(dot - c->output) : (int)strlen(c->output);
  snprintf(path, size, "%.*s%s", length, c->output, ending);
}

// A plan that is part of the model file leaves the name of that for the results of limber run.
static void name_files(StudyCommand *c) {
  const char *slash = strrchr(c->plan_file, '/');
  bool apart = strcmp(slash ? slash + 1 : c->plan_file, c->plan->model);
  results_path_of(c->plan_file, argument_value(c->arguments, "run") ? NULL : argument_value(c->arguments, "output"),
                  apart ? ".h5" : ".study.h5", c->output, sizeof c->output);
  beside_output(c, ".blocks", c->folder, sizeof c->folder);
  beside_output(c, ".runs", c->runs_folder, sizeof c->runs_folder);
  beside_output(c, ".logs", c->logs_folder, sizeof c->logs_folder);
}

// Prints what is wrong with the plan, all of it.
static Error TellPlan(StudyCommand *c, ExitCode *code) {
  const Diagnostics *d = &c->diagnostics;
  if (is_printing_process()) {
    TRY(DiagnosticsPrint(d, stderr, style_diagnostic));
    if (d->errors) fprintf(stderr, "%s: %d error%s\n", c->plan_file, d->errors, d->errors == 1 ? "" : "s");
  }
  *code = d->errors ? EXIT_MISTAKE : EXIT_GOOD;
  return 0;
}

static Error LoadPlan(StudyCommand *c, ExitCode *code) {
  TRY(ReadAndSum(c->plan_file, &source_rule_model, &c->plan_text));
  if (!c->plan_text.text) {
    print_command_error("study", "cannot read '%s': %s", c->plan_file, source_error(c->plan_text.error));
    return 0;
  }
  TRY(PlanRead(c->plan_file, c->plan_text.text, c->plan_text.length, ReadAndSum, &c->diagnostics, &c->plan));
  if (c->diagnostics.errors) return TellPlan(c, code);
  *code = EXIT_GOOD;
  return 0;
}

// ---- the model ----

static void name_model(StudyCommand *c) {
  const char *slash = strrchr(c->plan_file, '/');
  int folder = *c->plan->model == '/' || !slash ? 0 : (int)(slash + 1 - c->plan_file);
  snprintf(c->model_file, sizeof c->model_file, "%.*s%s", folder, c->plan_file, c->plan->model);
}

Error StudyChangesCreate(const StudyCommand *c, uint64_t run, StudyChanges *out) {
  const Plan *p = c->plan;
  double *value = NULL;
  *out = (StudyChanges){0};
  TRY(MemoryNew((size_t)(p->variables + 1) * sizeof *out->text, &out->text));
  TRY(MemoryNew((size_t)(c->changes + p->variables + 1) * sizeof *out->change, &out->change));
  TRY(MemoryNew((size_t)(p->variables + 1) * sizeof *value, &value));
  plan_values(p, run, value);
  for (int i = 0; i < c->changes; i++) out->change[out->count++] = c->change[i];
  for (int i = 0; i < p->variables; i++) {
    plan_change(p, i, value[i], out->text[i], sizeof out->text[i]);
    out->change[out->count++] = out->text[i];
  }
  memory_free(&value);
  return 0;
}

void study_changes_free(StudyChanges *s) { memory_free(&s->text), memory_free(&s->change); }

static Error ReadRun(StudyCommand *c, SourceReader read, uint64_t run, Input **in) {
  StudyChanges s;
  TRY(StudyChangesCreate(c, run, &s));
  TRY(InputRead(c->model_file, c->model_text.text, c->model_text.length,
                &(InputOptions){.read = read,
                                .change = s.change,
                                .changes = s.count,
                                .allow_outside = c->allow_outside,
                                .allow_library = c->allow_library},
                in));
  study_changes_free(&s);
  return 0;
}

// A model that no run can start is a mistake of the plan, not of the runs.
static Error CheckFirstRuns(StudyCommand *c, SourceReader read, ExitCode *code) {
  enum { TRIES = 20 };
  uint64_t tries = c->plan->runs < TRIES ? c->plan->runs : TRIES;
  Input *first = NULL, *in = NULL;
  bool good = false;
  for (uint64_t i = 0; i < tries && !good; i++) {
    if (i == 1) first = in, in = NULL;
    else if (in) TRY(InputDestroy(&in));
    TRY(ReadRun(c, read, i, &in));
    good = !in->diagnostics.errors;
  }
  char wrong[600];
  TRY(PlanCheckModel(c->plan, good || !first ? in : first, &c->diagnostics));
  TRY(StudyGradientsCheck(c->plan, good || !first ? in : first, &c->diagnostics));
  TRY(TellPlan(c, code));
  TRY(PlanCheckChanges(c->plan, good || !first ? in : first, wrong, sizeof wrong));
  if (*wrong && *code == EXIT_GOOD) print_command_error("study", "%s", wrong), *code = EXIT_MISTAKE;
  if (!good && *code == EXIT_GOOD) {
    if (is_printing_process())
      TRY(DiagnosticsPrint(first ? &first->diagnostics : &in->diagnostics, stderr, style_diagnostic));
    print_command_error("study", "%s cannot be read with the values of run 0%s", c->model_file,
                        tries > 1 ? ", nor with those of the next runs" : "");
    *code = EXIT_MISTAKE;
  }
  if (first) TRY(InputDestroy(&first));
  return InputDestroy(&in);
}

static Error FindChannels(StudyCommand *c, ExitCode *code) {
  const char **unit = NULL;
  TRY(MemoryNew((size_t)(c->plan->channels + 1) * sizeof *unit, &unit));
  for (int i = 0; i < c->plan->channels; i++) {
    const char *column = c->plan->channel[i].column;
    const char *own = study_channel_unit(c->in, column);
    if (!own) {
      print_command_error("study", "%s: the model has no column '%s'; limber check %s lists its probes", c->plan_file,
                          column, c->model_file);
      *code = EXIT_MISTAKE;
    } else TRY(StoreText(&c->store, own, strlen(own), &unit[i]));
  }
  StudyGradients gradients;
  if (*code == EXIT_GOOD) TRY(StudyGradientsName(c->plan, c->in, &c->store, &gradients));
  if (*code == EXIT_GOOD) TRY(StudyLayoutCreate(c->plan, unit, &gradients, &c->store, &c->study.layout));
  memory_free(&unit);
  return 0;
}

// A plan names its model as a model names its files: below its folder.
static Error CheckPlace(const StudyCommand *c, SourceReader read, bool *good) {
  const char *slash = strrchr(c->plan_file, '/');
  char folder[sizeof c->model_file];
  SourceText text;
  *good = true;
  if (c->allow_outside) return 0;
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - c->plan_file) + 1 : 1, slash ? c->plan_file : ".");
  TRY(read(c->model_file, &(SourceRule){folder, LIMIT_FILE_BYTES}, &text));
  memory_free(&text.text);
  *good = text.error != SOURCE_OUTSIDE;
  if (!*good) print_command_error("study", "cannot read '%s': %s", c->model_file, source_error(text.error));
  return 0;
}

static Error LoadModel(StudyCommand *c, SourceReader read, ExitCode *code) {
  InputOptions o = {.read = ReadAndSum,
                    .change = c->change,
                    .changes = c->changes,
                    .allow_outside = c->allow_outside,
                    .allow_library = c->allow_library};
  bool good;
  name_model(c);
  TRY(CheckPlace(c, read, &good));
  *code = EXIT_MISTAKE;
  if (!good) return 0;
  TRY(LoadModelFile("study", c->model_file, &o, &c->in, code));
  if (*code == EXIT_GOOD && !(c->in->end > 0)) {
    print_command_error("study", "%s has no part `run`: add one, such as `run: {step: 1 ms, end: 1 s}`", c->model_file);
    *code = EXIT_MISTAKE;
  }
  if (*code != EXIT_GOOD) return 0;
  c->model_text = (SourceText){.text = (char *)c->in->text, .length = strlen(c->in->text)};
  TRY(CheckFirstRuns(c, read, code));
  if (*code == EXIT_GOOD) TRY(FindChannels(c, code));
  return 0;
}

// ---- all ----

static void plan_values_of(const void *plan, uint64_t run, double *value) { plan_values(plan, run, value); }

static void fill_study(StudyCommand *c, SourceReader read) {
  Study *s = &c->study;
  for (int i = 0; i < c->changes; i++) add_bytes(c->change[i], strlen(c->change[i]));
  snprintf(s->identity, sizeof s->identity, "%016llx%016llx", (unsigned long long)seen.sum[0],
           (unsigned long long)seen.sum[1]);
  s->runs = c->plan->runs, s->block = study_block_size(s->runs), s->output = c->output, s->folder = c->folder;
  if ((uint64_t)c->jobs > study_blocks(s)) c->jobs = (int)study_blocks(s);
  s->in_place = s->in_place || (double)s->runs * (double)study_row_size(&s->layout) >= study_most_copied;
  s->hdf5_blocks = s->hdf5_blocks || s->in_place;
  s->values = plan_values_of, s->plan = c->plan;
  s->time_limit = c->plan->time_limit, s->stop_at_failure = c->plan->stop_at_failure;
  s->facts = c->plan;
  s->title = c->plan->title ? c->plan->title : "", s->plan_file = c->plan_file, s->plan_text = c->plan_text.text;
  s->model_file = c->plan->model, s->model_text = c->model_text.text;
  s->changes = c->changes, s->change = c->change;
  c->worker.model = (StudyModel){.plan = c->plan,
                                 .layout = &s->layout,
                                 .model = c->model_file,
                                 .text = c->model_text.text,
                                 .length = c->model_text.length,
                                 .input = {read, c->change, c->changes, c->allow_outside, c->allow_library},
                                 .kept = c->plan->keep == KEEP_ALL ? c->runs_folder : NULL};
}

Error StudyCommandLoad(const Arguments *a, SourceReader read, StudyCommand *c, ExitCode *code) {
  *c = (StudyCommand){.arguments = a, .first = true};
  *code = EXIT_MISTAKE;
  if (!parse_options(c)) return 0;
  snprintf(c->plan_file, sizeof c->plan_file, "%s", a->word[0]);
  begin_identity(read);
  TRY(LoadPlan(c, code));
  if (*code == EXIT_GOOD) name_files(c);
  if (*code == EXIT_GOOD) TRY(LoadModel(c, read, code));
  if (*code == EXIT_GOOD) fill_study(c, read);
  return 0;
}

Error StudyCommandDestroy(StudyCommand *c) {
  TRY(DiagnosticsDestroy(&c->diagnostics));
  if (c->plan) TRY(PlanDestroy(&c->plan));
  if (c->in) TRY(InputDestroy(&c->in));
  memory_free(&c->plan_text.text), memory_free(&c->task);
  return StoreDestroy(&c->store);
}
