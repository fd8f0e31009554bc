// SPDX-License-Identifier: Apache-2.0
// What became of the runs of a study: read from its table, or from the blocks that are done.
#include "app/study.h"

#include "app/command.h"
#include "files/output_file.h"
#include "input/yaml/study.h"
#include "model/refusal.h"
#include "results/read/study_table.h"
#include "study/file.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLICE = 8192, MOST_STATUSES = 32, MOST_COLUMNS = 3 };
static const char name[] = "study";

// ---- a plan ----

// "let.crank=100.03 mm, 99.71 mm, 100.2 mm, ...": the values of the first runs.
static Error PrintValues(const StudyCommand *c) {
  enum { RUNS = 3 };
  const Plan *p = c->plan;
  double *value = NULL;
  char text[400];
  TRY(MemoryNew((size_t)(RUNS * p->variables + 1) * sizeof *value, &value));
  for (uint64_t i = 0; i < RUNS && i < p->runs; i++) plan_values(p, i, value + i * (uint64_t)p->variables);
  for (int v = 0; v < p->variables; v++) {
    printf("  %-11s ", v ? "" : "vary");
    for (uint64_t i = 0; i < RUNS && i < p->runs; i++) {
      plan_change(p, v, value[i * (uint64_t)p->variables + (uint64_t)v], text, sizeof text);
      printf("%s%s", i ? ", " : "", i ? strchr(text, '=') + 1 : text);
    }
    puts(p->runs > RUNS ? ", ..." : "");
  }
  memory_free(&value);
  return 0;
}

Error StudyCommandCheck(const StudyCommand *c) {
  const Plan *p = c->plan;
  const char *title = c->study.title;
  double size = (double)p->runs * (double)study_row_size(&c->study.layout);
  printf("%s: no errors%s%s%s\n", c->plan_file, *title ? " in '" : "", title, *title ? "'" : "");
  if (p->accuracy)
    printf("  model       %s, each run chooses its step for an accuracy of %g %%\n", c->model_file,
           100 * c->in->accuracy);
  else printf("  model       %s, %lld steps per run\n", c->model_file, (long long)c->in->steps);
  printf("  runs        %llu, design %s, seed %llu\n", (unsigned long long)p->runs, study_design((int)p->design),
         (unsigned long long)p->seed);
  TRY(PrintValues(c));
  printf("  channels    %d\n  table       %d columns, at most %.3g MB\n", p->channels, c->study.layout.width,
         size / 1e6);
  return 0;
}

// ---- rows of a table ----

// `value`: of the columns that were asked for; the first is the status.
typedef Error (*VisitRow)(void *self, StudyTable *t, long row, const double *value);

static bool read_slice(StudyTable *t, int columns, const char *const *column, long from, long count, double *values) {
  for (int i = 0; i < columns; i++) {
    int at = study_table_find(t, column[i]);
    if (at < 0 || !study_table_read(t, at, from, count, values + i * SLICE)) return false;
  }
  return true;
}

// False: the table is damaged.
static Error VisitTable(const char *path, int columns, const char *const *column, VisitRow visit, void *self,
                        bool *good) {
  StudyTable *t;
  Refusal wrong;
  double *values = NULL, value[MOST_COLUMNS];
  *good = study_table_open(path, &t, &wrong);
  if (!*good) return 0;
  TRY(MemoryNew(SLICE * (size_t)columns * sizeof *values, &values));
  for (long from = 0, n; *good && from < study_table_runs(t); from += n) {
    n = study_table_runs(t) - from < SLICE ? study_table_runs(t) - from : SLICE;
    *good = read_slice(t, columns, column, from, n, values);
    for (long i = 0; *good && i < n; i++) {
      for (int k = 0; k < columns; k++) value[k] = values[k * SLICE + i];
      TRY(visit(self, t, from + i, value));
    }
  }
  memory_free(&values);
  study_table_close(&t);
  return 0;
}

// The same of a table that this command has just made.
static Error VisitOwnTable(const char *path, int columns, const char *const *column, VisitRow visit, void *self) {
  bool good;
  TRY(VisitTable(path, columns, column, visit, self, &good));
  ENSURE(good, ERROR_LIBRARY, "cannot read '%s', which was just written: it has changed since, or memory is short",
         path);
  return 0;
}

// ---- runs that failed ----

// What limber run is given for a run, each change in quotes.
static void study_print_command(const StudyCommand *c, const double *value, FILE *out) {
  char text[400];
  fputs("limber run ", out);
  print_shell_word(out, c->model_file);
  for (int i = 0; i < c->changes; i++) fputs(" --set ", out), print_shell_word(out, c->change[i]);
  for (int i = 0; i < c->plan->variables; i++) {
    plan_change(c->plan, i, value[i], text, sizeof text);
    fputs(" --set ", out), print_shell_word(out, text);
  }
  fputc('\n', out);
}

void study_print_again(const StudyCommand *c, const char *option, FILE *out) {
  static const char *const without[] = {"workers", "ranks-per-run", "part", "merge", "force", "script", "jobs", NULL};
  print_command_line(out, c->arguments, without, option);
}

// ---- jobs ----

void study_print_script(const StudyCommand *c) {
  char option[100];
  const char *given = argument_value(c->arguments, "workers");
  int workers = given ? c->workers : 1;
  snprintf(option, sizeof option, "--cpus-per-task=%d", workers);
  print_script_head(c->plan_file, option);
  printf("# %llu runs in %d jobs, then a job that writes the table. Save this text in a file, add #SBATCH lines\n"
         "# that your cluster needs, and submit all jobs with\n"
         "#   bash FILE [options of sbatch, such as --time=1:00:00]\n"
         "# Jobs that stop early continue when they are requeued, or when you submit the file again. Nothing is\n"
         "# overwritten.\n",
         (unsigned long long)c->study.runs, c->jobs);
  puts("set -eu\nself=$(realpath -- \"$0\")");
  print_script_work();
  printf("case ${1-} in\npart) work ");
  snprintf(option, sizeof option, "--workers %d --part \"$SLURM_ARRAY_TASK_ID/%d\"", workers, c->jobs);
  study_print_again(c, option, stdout);
  printf("  ;;\nmerge) work ");
  snprintf(option, sizeof option, "--workers %d --merge", workers);
  study_print_again(c, option, stdout);
  printf("  ;;\nesac\nlogs=");
  print_shell_word(stdout, c->logs_folder);
  printf("\nmkdir -p -- \"$logs\"\n"
         "parts=$(sbatch --parsable --chdir=\"$logs\" --array=1-%d \"$@\" \"$self\" part)\n"
         "merge=$(sbatch --parsable --chdir=\"$logs\" --dependency=\"afterok:${parts%%%%;*}\" "
         "--kill-on-invalid-dep=yes \"$@\" \"$self\" merge)\n"
         "echo \"job ${parts%%%%;*} does the runs, job ${merge%%%%;*} then writes the table\"\n",
         c->jobs);
}

typedef struct {
  StudyCommand *c;
  double *value;
  uint64_t runs, failed, counts[MOST_STATUSES];
  bool all; // every run, not only those that failed
  bool damaged;
} Show;

static void show_row(Show *s, const StudyRow *row, const char *cause) {
  s->runs++;
  if (row->status != RUN_FINISHED) s->failed++;
  if (row->status == RUN_FINISHED && !s->all) return;
  const char *between = !*cause ? "" : row->status == RUN_FINISHED ? "; no gradients: " : ": ";
  printf("run %llu: %s at t = %.6g s after %lld step%s%s", (unsigned long long)row->run, run_status_words[row->status],
         row->time, (long long)row->steps, row->steps == 1 ? "" : "s", between);
  print_plain(stdout, cause);
  printf("\n  ");
  plan_values(s->c->plan, row->run, s->value);
  study_print_command(s->c, s->value, stdout);
}

// A row of the table ...
static Error ShowRow(void *self, StudyTable *t, long number, const double *value) {
  Show *s = self;
  char cause[1][STUDY_CAUSE_TEXT] = {""};
  s->damaged = s->damaged || (uint64_t)number >= s->c->study.runs || !(value[0] >= 0 && value[0] < RUN_STATUSES) ||
               !(value[2] >= 0 && value[2] < 1e18);
  if (s->damaged) return 0;
  StudyRow row = {.run = (uint64_t)number, .status = (int64_t)value[0], .time = value[1], .steps = (int64_t)value[2]};
  s->damaged = !study_table_causes(t, number, 1, cause);
  show_row(s, &row, cause[0]);
  return 0;
}

// ... and those of a block.
static Error ShowRows(void *self, uint64_t count, const void *rows) {
  Show *s = self;
  char cause[STUDY_CAUSE + 1];
  for (uint64_t i = 0; i < count; i++) {
    const StudyRow *row = (const StudyRow *)((const char *)rows + i * study_row_size(&s->c->study.layout));
    snprintf(cause, sizeof cause, "%.*s", STUDY_CAUSE, row->cause);
    show_row(s, row, cause);
  }
  return 0;
}

Error StudyCommandShow(StudyCommand *c, const char *what, ExitCode *code) {
  char identity[80];
  bool damaged, good = true;
  Show s = {.c = c, .all = !strcmp(what, "all")};
  *code = EXIT_MISTAKE;
  if (!s.all && strcmp(what, "failed"))
    return print_command_error(name, "--show lists `failed` or `all` runs, not '%s'", what), 0;
  TRY(MemoryNew((size_t)(c->plan->variables + 1) * sizeof *s.value, &s.value));
  study_table_identity(c->output, identity, sizeof identity);
  *code = EXIT_GOOD;
  if (!strcmp(identity, c->study.identity))
    TRY(VisitTable(c->output, 3, (const char *[]){"status", "time", "steps"}, ShowRow, &s, &good));
  else if (*identity) {
    print_command_error(name, "'%s' is a study with another study file, model or version of Limber", c->output);
    *code = EXIT_MISTAKE;
  } else if (!access(c->output, F_OK)) good = false;
  else
    for (uint64_t b = 0; b < study_blocks(&c->study); b++)
      if (study_block_is_done(&c->study, b)) TRY(StudyBlockVisit(&c->study, b, ShowRows, &s, &damaged));
  memory_free(&s.value);
  if (!good || s.damaged) {
    print_command_error(name, "'%s' is damaged: replace it with a copy, or repeat the study with --force", c->output);
    *code = EXIT_MISTAKE;
  }
  if (*code == EXIT_GOOD && !c->quiet)
    printf("%llu of %llu runs failed%s\n", (unsigned long long)s.failed, (unsigned long long)s.runs,
           s.runs < c->study.runs ? "; the study is not finished" : "");
  return 0;
}

// ---- runs that are kept ----

typedef struct {
  StudyCommand *c;
  double *extreme; // of each kept run
  uint64_t room;
} Kept;

static Error AddKept(Kept *k, uint64_t run) {
  StudyCommand *c = k->c;
  if (c->tasks == k->room) {
    k->room = k->room ? 2 * k->room : 64;
    TRY(MemoryResize((size_t)k->room * sizeof *c->task, &c->task));
  }
  c->task[c->tasks++] = run;
  return 0;
}

// Runs that crashed or could not start have nothing that could be kept.
static Error KeepFailed(void *self, StudyTable *t, long row, const double *value) {
  (void)t;
  if (*value == RUN_FINISHED || *value == RUN_CRASHED || *value == RUN_NOT_STARTED) return 0;
  return AddKept(self, (uint64_t)row);
}

// Keeps the list sorted, the largest first; of the same value the run that comes first.
static Error KeepWorst(void *self, StudyTable *t, long row, const double *value) {
  Kept *k = self;
  StudyCommand *c = k->c;
  uint64_t most = (uint64_t)c->plan->worst, at;
  double largest = fmax(fabs(value[1]), fabs(value[2]));
  (void)t;
  if (*value == RUN_CRASHED || *value == RUN_NOT_STARTED) return 0;
  if (isnan(largest)) return 0;
  for (at = c->tasks; at > 0 && k->extreme[at - 1] < largest;) at--;
  if (at >= most) return 0;
  if (c->tasks < most) c->tasks++;
  for (uint64_t i = c->tasks - 1; i > at; i--) c->task[i] = c->task[i - 1], k->extreme[i] = k->extreme[i - 1];
  c->task[at] = (uint64_t)row, k->extreme[at] = largest;
  return 0;
}

Error StudyCommandKept(StudyCommand *c, const char *table) {
  Kept k = {.c = c};
  char max[400], min[400];
  const char *columns[] = {"status", max, min};
  c->tasks = 0;
  memory_free(&c->task);
  if (c->plan->keep == KEEP_FAILED) return VisitOwnTable(table, 1, columns, KeepFailed, &k);
  if (c->plan->keep != KEEP_WORST) return 0;
  snprintf(max, sizeof max, "%s max", c->plan->channel[c->plan->worst_channel].column);
  snprintf(min, sizeof min, "%s min", c->plan->channel[c->plan->worst_channel].column);
  TRY(MemoryNew((size_t)c->plan->worst * sizeof *c->task, &c->task));
  TRY(MemoryNew((size_t)c->plan->worst * sizeof *k.extreme, &k.extreme));
  Error error = VisitOwnTable(table, 3, columns, KeepWorst, &k);
  memory_free(&k.extreme);
  return error;
}

// ---- the end ----

static Error CountRow(void *self, StudyTable *t, long row, const double *status) {
  Show *s = self;
  (void)t, (void)row;
  s->runs++;
  if (*status != RUN_FINISHED) s->failed++;
  if (*status >= 0 && *status < MOST_STATUSES) s->counts[(int)*status]++;
  return 0;
}

static Error CountError(void *self, StudyTable *t, long row, const double *value) {
  Show *s = self;
  (void)t, (void)row;
  if (value[0] == RUN_FINISHED) s->runs++, s->failed += isnan(value[1]);
  return 0;
}

// How many numbers of the table have no error bar.
static Error PrintErrorBars(const StudyCommand *c) {
  const StudyLayout *l = &c->study.layout;
  Show s = {.runs = 0};
  for (int i = study_errors_at(l); i < study_errors_at(l) + l->errors; i++)
    TRY(VisitOwnTable(c->output, 2, (const char *[]){"status", l->name[i]}, CountError, &s));
  if (l->errors)
    printf("  error bars  %llu of %llu numbers have one\n", (unsigned long long)(s.runs - s.failed),
           (unsigned long long)s.runs);
  return 0;
}

typedef struct {
  double least, most, error;
  uint64_t runs, without;
} Chosen;

static Error AddChosen(void *self, StudyTable *t, long row, const double *value) {
  Chosen *s = self;
  (void)t, (void)row;
  if (value[0] != RUN_FINISHED) return 0;
  s->least = s->runs ? fmin(s->least, value[1]) : value[1], s->most = fmax(s->most, value[1]);
  s->error = fmax(s->error, value[2]); // fmax ignores NaN
  s->runs++, s->without += isnan(value[2]);
  return 0;
}

// The steps that the runs chose.
static Error PrintSteps(const StudyCommand *c) {
  Chosen s = {.runs = 0};
  if (!c->study.layout.chosen) return 0;
  TRY(VisitOwnTable(c->output, 3, (const char *[]){"status", "step", "relative error"}, AddChosen, &s));
  if (!s.runs) return 0;
  printf("  steps       %.4g to %.4g s, chosen; relative errors of at most %.2g %%", s.least, s.most, 100 * s.error);
  if (s.without)
    printf("; %llu of %llu runs have no error bar", (unsigned long long)s.without, (unsigned long long)s.runs);
  printf("\n");
  return 0;
}

// The first run that has ended without gradients.
typedef struct {
  long row;
  uint64_t runs, without;
  char cause[1][STUDY_CAUSE_TEXT];
} Gradients;

static Error CountGradients(void *self, StudyTable *t, long row, const double *value) {
  Gradients *g = self;
  if (value[0] != RUN_FINISHED) return 0;
  g->runs++;
  if (!isnan(value[1])) return 0;
  if (!g->without++ && !study_table_causes(t, row, 1, g->cause)) g->cause[0][0] = 0;
  if (g->without == 1) g->row = row;
  return 0;
}

static Error PrintGradients(const StudyCommand *c) {
  const StudyLayout *l = &c->study.layout;
  Gradients g = {.runs = 0};
  if (!l->gradients) return 0;
  TRY(VisitOwnTable(c->output, 2, (const char *[]){"status", l->name[study_gradients_at(l)]}, CountGradients, &g));
  printf("  gradients   of %llu of %llu runs", (unsigned long long)(g.runs - g.without), (unsigned long long)g.runs);
  if (g.without) printf("; run %ld: ", g.row), print_plain(stdout, g.cause[0]);
  printf("\n");
  return 0;
}

static void print_size(const StudyCommand *c) {
  struct stat file;
  if (stat(c->output, &file)) return;
  const char *beside = !c->study.in_place ? "" : ", which refers to the files in the folder ";
  printf("  table       %d columns, %.4g MB%s%s\n", c->study.layout.width + 6, 1e-6 * (double)file.st_size, beside,
         *beside ? c->folder : "");
  printf("  page        limber report ");
  print_shell_word(stdout, c->output);
  putchar('\n');
}

Error StudyCommandSummary(StudyCommand *c, ExitCode *code) {
  Show s = {.c = c};
  double seconds = study_progress_seconds(&c->progress);
  *code = EXIT_GOOD;
  TRY(VisitOwnTable(c->output, 1, (const char *[]){"status"}, CountRow, &s));
  if (c->quiet) return 0;
  printf("%s: %llu run%s, %llu finished", c->output, (unsigned long long)s.runs, s.runs == 1 ? "" : "s",
         (unsigned long long)(s.runs - s.failed));
  if (c->progress.done)
    printf("; this command did %llu in %.3g s, %.4g runs/s", (unsigned long long)c->progress.done, seconds,
           (double)c->progress.done / seconds);
  printf("\n");
  if (s.failed) {
    printf("  failed      %llu:", (unsigned long long)s.failed);
    for (int i = 1, any = 0; i < RUN_STATUSES; i++)
      if (s.counts[i]) printf("%s %llu %s", any++ ? "," : "", (unsigned long long)s.counts[i], run_status_words[i]);
    printf("; ");
    study_print_again(c, "--show failed", stdout);
  }
  TRY(PrintSteps(c));
  TRY(PrintErrorBars(c));
  TRY(PrintGradients(c));
  print_size(c);
  if (c->plan->keep == KEEP_ALL) printf("  kept        the results of all runs, in %s\n", c->runs_folder);
  else if (c->tasks)
    printf("  kept        the results of %llu run%s, in %s\n", (unsigned long long)c->tasks, c->tasks == 1 ? "" : "s",
           c->runs_folder);
  return 0;
}
