// SPDX-License-Identifier: Apache-2.0
#include "app/accuracy.h"

#include "files/claim.h"
#include "files/folder.h"
#include "model/refusal.h"
#include "post/selection.h"
#include "results/read/results.h"
#include "results/write/error_bars.h"
#include "results/write/output.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RUNS = 9 }; // 256 times as many steps as the first

// ---- error bars in the results ----

static Error CreateTable(const char *dataset, int width, Store *store, ErrorBars *t) {
  *t = (ErrorBars){.dataset = dataset, .width = width};
  for (int m = 0; m < CONVERGE_MEASURES; m++)
    TRY(StoreAllocate(store, (size_t)width * sizeof **t->error, &t->error[m]));
  TRY(StoreAllocate(store, (size_t)width * sizeof *t->order, &t->order));
  TRY(StoreAllocate(store, (size_t)width * sizeof *t->verdict, &t->verdict));
  for (int i = 0; i < width; i++) {
    for (int m = 0; m < CONVERGE_MEASURES; m++) t->error[m][i] = NAN;
    t->order[i] = NAN, t->verdict[i] = "";
  }
  return 0;
}

// False: there is no error bar in this table.
static bool fill_table(const Convergence *c, Results *r, int first, ErrorBars *t) {
  bool any = false;
  for (int i = 0; i < t->width; i++) {
    const ResultColumn *column = results_column(r, first + i);
    for (int k = 0; k < c->rows; k++) {
      const ConvergeRow *row = &c->row[k];
      if (strcmp(row->column, column->name)) continue;
      t->error[row->measure][column->index] = row->error, any = true;
      if (row->measure != CONVERGE_HISTORY) continue;
      t->order[column->index] = row->order, t->verdict[column->index] = converge_verdicts[row->verdict];
    }
    for (int k = 0; k < c->stills; k++) {
      if (strcmp(c->still[k], column->brief)) continue;
      for (int m = 0; m < CONVERGE_MEASURES; m++) t->error[m][column->index] = 0;
      t->verdict[column->index] = "constant", any = true;
    }
  }
  return any;
}

// Columns of a dataset follow each other.
static Error WriteTables(const char *path, const Convergence *c, Results *r, Store *store) {
  ErrorBars *table;
  int tables = 0;
  TRY(StoreAllocate(store, (size_t)results_columns(r) * sizeof *table, &table));
  for (int i = 0, end; i < results_columns(r); i = end) {
    for (end = i + 1; end < results_columns(r) && !strcmp(results_table(r, end), results_table(r, i));) end++;
    TRY(CreateTable(results_table(r, i), end - i, store, &table[tables]));
    tables += fill_table(c, r, i, &table[tables]);
  }
  return ErrorBarsWrite(path, tables, table, c->accuracy, c->horizon, c->horizon_column);
}

static Error WriteBars(const char *path, const Convergence *c) {
  Store store = {0};
  Error error = WriteTables(path, c, c->result[c->runs - 1], &store);
  TRY(StoreDestroy(&store));
  return error;
}

// ---- putting the results in their place ----

static bool copy_bytes(FILE *from, FILE *to) {
  static char bytes[1 << 16];
  size_t count;
  while ((count = fread(bytes, 1, sizeof bytes, from)) > 0)
    if (fwrite(bytes, 1, count, to) != count) return false;
  return !ferror(from);
}

// The temporary folder may be on another disk, so that a file cannot be renamed.
static bool put_file(const char *command, const char *from, const char *to, FileKind kind) {
  Refusal wrong;
  OutputFile out;
  FILE *in = found_fopen(from);
  if (!in) return true; // there are no snapshots
  bool good = output_open(to, &(OutputRules){.kind = kind, .force = true}, &out, &wrong);
  if (good && !copy_bytes(in, out.out)) {
    explain_unwritable(to, errno, &wrong);
    output_discard(&out);
    good = false;
  } else if (good) good = output_finish(&out, &wrong);
  fclose(in);
  if (!good) print_command_error(command, "%s", wrong.text);
  return good;
}

// From now on nobody else writes there: the claim on the old file ends with it.
static bool put_results(const char *command, const char *from, const char *to) {
  char sidecar_from[4200], sidecar_to[4200], checkpoint[4200];
  if (is_null_device(to)) return true;
  output_sidecar(from, sidecar_from, sizeof sidecar_from), output_sidecar(to, sidecar_to, sizeof sidecar_to);
  output_beside(to, ".checkpoint", checkpoint, sizeof checkpoint);
  unlink(checkpoint), unlink(sidecar_to); // of an earlier run
  bool good = put_file(command, from, to, FILE_RESULTS) && put_file(command, sidecar_from, sidecar_to, FILE_XDMF);
  claim_release(to);
  return good;
}

// ---- the summary ----

static const ConvergeRow *worst_row(const Convergence *c, bool counts) {
  const ConvergeRow *worst = NULL;
  double most = -1;
  for (int i = 0; i < c->rows; i++) {
    const ConvergeRow *r = &c->row[i];
    double error = r->error == 0 ? 0 : isfinite(r->error) && r->scale > 0 ? r->error / r->scale : INFINITY;
    if (r->counts == counts && error > most) worst = r, most = error;
  }
  return worst;
}

static void print_worst(const char *head, const char *what, const ConvergeRow *r) {
  if (!r) return;
  printf("  %-11s %s: ", head, what);
  if (r->error == 0) printf("no errors");
  else if (isfinite(r->error)) printf("errors of at most %.2g %% of the range", 100 * r->error / r->scale);
  else printf("no error bar");
  printf("; %s, %s\n", r->label, converge_measures[r->measure]);
}

static void print_summary(const Convergence *c, const char *path, int snapshots) {
  const ConvergeRun *last = &c->run[c->runs - 1];
  char spent[32], sidecar[4200];
  double others = 0;
  const ConvergeRow *counting = worst_row(c, true);
  for (int k = 0; k < c->runs - 1; k++) others += c->run[k].seconds;
  printf("%s: %lld steps of %.4g s to t = %.6g s, in %s\n", path, (long long)last->steps, last->step, last->time,
         format_duration(c->seconds, spent, sizeof spent));
  printf("  step        the shortest of %d runs, the first with steps of %.4g s; this run took %s", c->runs,
         c->run[0].step, format_duration(last->seconds, spent, sizeof spent));
  printf(", the others %s\n", format_duration(others, spent, sizeof spent));
  print_worst("accuracy", c->motion && worst_row(c, false) ? "lengths and angles" : "all probes", counting);
  print_worst("", "all other probes", worst_row(c, false));
  if (!c->rows) printf("  accuracy    all probes are constant within round-off\n");
  if (!*c->horizon_column && c->parted)
    printf("  horizon     histories are within %g %% up to the end\n", 100 * c->accuracy);
  else if (!*c->horizon_column)
    printf("  horizon     the last two runs agree within %g %% up to the end\n", 100 * c->accuracy);
  else
    printf("  horizon     t = %.6g s: then the last two runs differ by more than %g %%, first in %s\n", c->horizon,
           100 * c->accuracy, c->horizon_column);
  printf("  balance     energy balance error of %.2g J in the worst step\n", last->balance);
  printf("  constraints violation of at most %.2g\n", last->constraint);
  output_sidecar(path, sidecar, sizeof sidecar);
  if (snapshots) printf("  snapshots   limber view %s shows them, %s opens them in ParaView\n", path, sidecar);
}

// Which values are to be trusted where the accuracy was not reached.
static void tell_missed(const Convergence *c) {
  const ConvergeRow *r = worst_row(c, true);
  char trust[200] = "";
  if (converge_misses_load(c)) {
    print_command_error(
        "run",
        "warning: steps of %.4g s are too long for '%s', which needs %.2g s: errors may be larger than their bars",
        c->run[c->runs - 1].step, c->shortest_load, c->longest);
    return;
  }
  if (*c->horizon_column && c->horizon < 0.5 * c->end)
    snprintf(trust, sizeof trust,
             "; trust histories until t = %.4g s, and after that only means and extremes that have an error bar",
             c->horizon);
  print_command_error("run", "warning: an accuracy of %g %% was not reached with steps of %.4g s: %s, %s%s%s",
                      100 * c->accuracy, c->run[c->runs - 1].step, r->label, converge_measures[r->measure],
                      isfinite(r->error) ? "" : " has no error bar", trust);
}

// ---- all ----

static Error Finish(Family *f, const char *path, ExitCode *code) {
  const Convergence *c = f->c;
  const char *last = f->path[c->runs - 1];
  if (!c->rows && !c->stills) return 0;
  TRY(WriteBars(last, c));
  if (!put_results(f->command, last, path)) return *code = EXIT_MISTAKE, 0;
  if (!f->quiet) print_summary(c, path, f->in->snapshots > 0 && !is_null_device(path));
  fflush(stdout);
  if (*code != EXIT_GOOD) tell_missed(c);
  return 0;
}

static Error Work(Family *f, const char *path, ExitCode *code) {
  TRY(FamilyBegin(f, code));
  if (*code != EXIT_GOOD) return 0;
  TRY(FamilyRun(f, code));
  if (f->first) TRY(Finish(f, path, code));
  return FamilyShareCode(f, code);
}

static bool check_options(const Arguments *a) {
  static const char *const others[] = {"monitor", "checkpoint"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (argument_value(a, others[i])) {
      print_command_error("run",
                          "--%s is for one run, and %s asks for several, until the accuracy is reached: add "
                          "--set run.step=... without `accuracy`",
                          others[i], a->word[0]);
      return false;
    }
  return true;
}

Error RunToAccuracy(const Arguments *a, const CommandRequest *request, Input *in, ExitCode *code) {
  static const char *const energies[] = {"ledger.kinetic", "ledger.strain", "ledger.potential"};
  const char *slash = strrchr(request->path, '/');
  Family *f = NULL;
  Convergence *c = NULL;
  if (!check_options(a)) return *code = EXIT_MISTAKE, 0;
  TRY(MemoryNew(sizeof *f, &f));
  TRY(MemoryNew(sizeof *c, &c));
  *c = (Convergence){.accuracy = in->accuracy, .motion = true};
  snprintf(c->model, sizeof c->model, "%s", a->word[0]);
  *f = (Family){.command = "run",
                .arguments = a,
                .c = c,
                .in = in,
                .input = request->request.input,
                .ranks = family_on_ranks(),
                .quiet = request->request.talk != TALK_ALL,
                .snapshots = true,
                .base = is_null_device(request->path) ? "run.h5"
                        : slash                       ? slash + 1
                                                      : request->path,
                .workers = family_workers(),
                .most = MOST_RUNS,
                .guard = -1};
  if (!in->probes) f->words = sizeof energies / sizeof energies[0], f->word = energies;
  for (int i = 0; i < f->input.changes; i++) f->change[i] = f->input.change[i];
  Error error = Work(f, request->path, code);
  family_end(f);
  converge_free(c);
  memory_free(&c), memory_free(&f);
  return error;
}
