// SPDX-License-Identifier: Apache-2.0
// What became of the runs of a study: read from its table, or from the blocks that are done.
#include "app/study.h"

#include "files/output_file.h"
#include "results/read/study_table.h"
#include "study/table.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLICE = 8192, MOST_STATUSES = 32 };
static const char name[] = "study";

// ---- rows of a table ----

typedef Error (*VisitRow)(void *self, StudyTable *t, long row, double status);

static Error VisitTable(const char *path, VisitRow visit, void *self) {
  StudyTable *t;
  char wrong[4400];
  double *status = NULL;
  bool good = true;
  ENSURE(study_table_open(path, &t, wrong, sizeof wrong), ERROR_LIBRARY, "%s", wrong);
  TRY(MemoryNew(SLICE * sizeof *status, &status));
  int column = study_table_find(t, "status");
  for (long from = 0, n; good && from < study_table_runs(t); from += n) {
    n = study_table_runs(t) - from < SLICE ? study_table_runs(t) - from : SLICE;
    good = column >= 0 && study_table_read(t, column, from, n, status);
    for (long i = 0; good && i < n; i++) TRY(visit(self, t, from + i, status[i]));
  }
  memory_free(&status);
  study_table_close(&t);
  ENSURE(good, ERROR_LIBRARY, "'%s' is damaged", path);
  return 0;
}

// ---- runs that failed ----

// In single quotes, as a shell takes it.
static void print_quoted(const char *text, FILE *out) {
  bool plain = *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=+-")];
  if (plain) {
    fputs(text, out);
    return;
  }
  fputc('\'', out);
  for (; *text; text++)
    if (*text == '\'') fputs("'\\''", out);
    else fputc(*text, out);
  fputc('\'', out);
}

void study_print_command(const StudyCommand *c, const double *value, FILE *out) {
  char text[400];
  fputs("limber run ", out);
  print_quoted(c->model_file, out);
  for (int i = 0; i < c->changes; i++) fputs(" --set ", out), print_quoted(c->change[i], out);
  for (int i = 0; i < c->plan->variables; i++) {
    plan_change(c->plan, i, value[i], text, sizeof text);
    fputs(" --set ", out), print_quoted(text, out);
  }
  fputc('\n', out);
}

void study_print_again(const StudyCommand *c, const char *option, FILE *out) {
  const char *output = argument_value(c->arguments, "output");
  fputs("limber study ", out);
  print_quoted(c->plan_file, out);
  if (output) fputs(" -o ", out), print_quoted(output, out);
  for (int i = 0; i < c->changes; i++) fputs(" --set ", out), print_quoted(c->change[i], out);
  fprintf(out, " %s\n", option);
}

typedef struct {
  StudyCommand *c;
  double *value;
  uint64_t runs, failed, counts[MOST_STATUSES];
  bool all; // every run, not only those that failed
} Show;

static Error ShowRow(void *self, StudyTable *t, long row, double status) {
  Show *s = self;
  double time, steps;
  char culprit[1][STUDY_CULPRIT_TEXT];
  int at[] = {study_table_find(t, "time"), study_table_find(t, "steps")};
  s->runs++;
  if (status != STUDY_FINISHED) s->failed++;
  if (status == STUDY_FINISHED && !s->all) return 0;
  ENSURE(at[0] >= 0 && at[1] >= 0 && study_table_read(t, at[0], row, 1, &time) &&
             study_table_read(t, at[1], row, 1, &steps) && study_table_culprits(t, row, 1, culprit),
         ERROR_LIBRARY, "the table of the study is damaged");
  long run = study_table_first(t) + row;
  printf("run %ld: %s at t = %.6g s after %.0f step%s%s", run, study_status_names[(int)status], time, steps,
         steps == 1 ? "" : "s", culprit[0][0] ? ": " : "");
  print_plain(stdout, culprit[0]);
  printf("\n  ");
  plan_values(s->c->plan, (uint64_t)run, s->value);
  study_print_command(s->c, s->value, stdout);
  return 0;
}

Error StudyCommandShow(StudyCommand *c, const char *what, ExitCode *code) {
  char wrong[4400], identity[80] = "", path[4200];
  StudyTable *t;
  Show s = {.c = c, .all = !strcmp(what, "all")};
  *code = EXIT_MISTAKE;
  if (!s.all && strcmp(what, "failed"))
    return print_command_error(name, "--show lists `failed` or `all` runs, not '%s'", what), 0;
  TRY(MemoryNew((size_t)(c->plan->variables + 1) * sizeof *s.value, &s.value));
  if (study_table_open(c->output, &t, wrong, sizeof wrong)) {
    study_table_text(t, "identity", identity, sizeof identity);
    study_table_close(&t);
  }
  *code = EXIT_GOOD;
  if (!strcmp(identity, c->study.identity)) TRY(VisitTable(c->output, ShowRow, &s));
  else if (*identity) {
    print_command_error(name, "'%s' is a study of another plan, of another model or of another version of Limber",
                        c->output);
    *code = EXIT_MISTAKE;
  } else
    for (uint64_t b = 0; b < study_blocks(&c->study); b++) {
      study_block_path(&c->study, b, "h5", path, sizeof path);
      if (!access(path, F_OK)) TRY(VisitTable(path, ShowRow, &s));
    }
  memory_free(&s.value);
  if (*code == EXIT_GOOD && !c->quiet)
    printf("%llu of %llu runs failed%s\n", (unsigned long long)s.failed, (unsigned long long)s.runs,
           s.runs < c->study.runs ? "; the study is not finished" : "");
  return 0;
}

// ---- runs that are kept ----

typedef struct {
  StudyCommand *c;
  double *extreme; // of each kept run
  int columns[2];  // max and min of the channel
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
static Error KeepFailed(void *self, StudyTable *t, long row, double status) {
  (void)t;
  if (status == STUDY_FINISHED || status == STUDY_CRASHED || status == STUDY_NOT_STARTED) return 0;
  return AddKept(self, (uint64_t)row);
}

// Keeps the list sorted, the largest first; of the same value the run that comes first.
static Error KeepWorst(void *self, StudyTable *t, long row, double status) {
  Kept *k = self;
  StudyCommand *c = k->c;
  uint64_t most = (uint64_t)c->plan->worst, at;
  double value[2];
  if (status == STUDY_CRASHED || status == STUDY_NOT_STARTED) return 0;
  for (int i = 0; i < 2; i++)
    ENSURE(study_table_read(t, k->columns[i], row, 1, &value[i]), ERROR_LIBRARY, "the table of the study is damaged");
  double largest = fmax(fabs(value[0]), fabs(value[1]));
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
  char column[400], wrong[4400];
  StudyTable *t;
  c->tasks = 0;
  memory_free(&c->task);
  if (c->plan->keep == KEEP_FAILED) return VisitTable(table, KeepFailed, &k);
  if (c->plan->keep != KEEP_WORST) return 0;
  ENSURE(study_table_open(table, &t, wrong, sizeof wrong), ERROR_LIBRARY, "%s", wrong);
  for (int i = 0; i < 2; i++) {
    snprintf(column, sizeof column, "%s %s", c->plan->channel[c->plan->worst_channel].column, i ? "min" : "max");
    k.columns[i] = study_table_find(t, column);
    ENSURE(k.columns[i] >= 0, ERROR_PROGRAM, "the table has no column '%s'", column);
  }
  study_table_close(&t);
  TRY(MemoryNew((size_t)c->plan->worst * sizeof *c->task, &c->task));
  TRY(MemoryNew((size_t)c->plan->worst * sizeof *k.extreme, &k.extreme));
  Error error = VisitTable(table, KeepWorst, &k);
  memory_free(&k.extreme);
  return error;
}

// ---- the end ----

static Error CountRow(void *self, StudyTable *t, long row, double status) {
  Show *s = self;
  (void)t, (void)row;
  s->runs++;
  if (status != STUDY_FINISHED) s->failed++;
  if (status >= 0 && status < MOST_STATUSES) s->counts[(int)status]++;
  return 0;
}

static void print_size(const StudyCommand *c) {
  struct stat file;
  if (stat(c->output, &file)) return;
  const char *beside = study_table_copies(&c->study) ? "" : ", which refers to the files of the folder ";
  printf("  table       %d columns, %.4g MB%s%s\n", c->study.layout.width + 6, 1e-6 * (double)file.st_size, beside,
         *beside ? c->folder : "");
  printf("  page        limber report ");
  print_quoted(c->output, stdout);
  putchar('\n');
}

Error StudyCommandSummary(StudyCommand *c, ExitCode *code) {
  Show s = {.c = c};
  double seconds = study_progress_seconds(&c->progress);
  *code = EXIT_GOOD;
  TRY(VisitTable(c->output, CountRow, &s));
  if (c->quiet) return 0;
  printf("%s: %llu run%s, %llu finished", c->output, (unsigned long long)s.runs, s.runs == 1 ? "" : "s",
         (unsigned long long)(s.runs - s.failed));
  if (c->progress.done)
    printf("; this command did %llu in %.3g s, %.4g runs/s", (unsigned long long)c->progress.done, seconds,
           (double)c->progress.done / seconds);
  printf("\n");
  if (s.failed) {
    printf("  failed      %llu:", (unsigned long long)s.failed);
    for (int i = 1, any = 0; i < STUDY_STATUSES; i++)
      if (s.counts[i]) printf("%s %llu %s", any++ ? "," : "", (unsigned long long)s.counts[i], study_status_names[i]);
    printf("; ");
    study_print_again(c, "--show failed", stdout);
  }
  print_size(c);
  if (c->plan->keep == KEEP_ALL) printf("  kept        the results of all runs, in %s\n", c->runs_folder);
  else if (c->tasks)
    printf("  kept        the results of %llu run%s, in %s\n", (unsigned long long)c->tasks, c->tasks == 1 ? "" : "s",
           c->runs_folder);
  return 0;
}
