// SPDX-License-Identifier: Apache-2.0
// The command `study`: what its files share, and what `converge` runs its models with.
#ifndef LIMBER_APP_STUDY_H
#define LIMBER_APP_STUDY_H

#include "console/console.h"
#include "study/run.h"
#include "study/schedule.h"

#include <stdbool.h>
#include <stdint.h>

// How far a study is, on a terminal one line that is drawn anew, elsewhere a line every tenth of the runs.

typedef struct {
  bool quiet, terminal;
  uint64_t runs;   // in all
  uint64_t before; // done when the command started
  double started, redraw;
  int tenth;
  uint64_t done, failed; // by this command
} StudyProgress;

double study_progress_seconds(const StudyProgress *p);

// What runs the model in a worker: a process of its own, in which MPI and PETSc start, or ranks of MPI.
typedef struct {
  StudyModel model;
  bool ranks;
  MPI_Comm comm; // of a run
  StudyRunner *runner;
} StudyWorker;

Error StudyWorkerStart(StudyWorker *w, const Arguments *a);
Error StudyWorkerEnd(StudyWorker *w);
// A run that goes wrong ends its process, if that is its own. Ranks of MPI cannot end: there it has crashed, and the
// next run begins anew. A file that cannot be written is no fault of the run.
Error StudyWorkerRun(StudyWorker *w, StudyRow *row, const char *results, StudyWatch *watch, bool *stopped);

typedef struct {
  const Arguments *arguments;
  Plan *plan;
  Diagnostics diagnostics; // of the plan
  SourceText plan_text, model_text;
  Input *in; // the model as it is written
  Store store;
  Study study;
  char plan_file[4096], model_file[4200], output[4096], folder[4200], runs_folder[4200], logs_folder[4200];
  const char *change[MAX_GIVEN]; // --set, for all runs
  int changes;
  bool force, quiet, allow_outside, allow_library, merge_only;
  int part, parts; // from 0; of 0: all
  int workers, ranks_per_run, jobs;
  bool first; // this process is the first
  StudyWorker worker;
  StudyProgress progress;
  uint64_t *task;
  uint64_t tasks;
} StudyCommand;

// Reads the plan and the model. Mistakes are reported, and `code` is EXIT_MISTAKE then. Neither MPI nor PETSc is needed
// if `read` needs none.
Error StudyCommandLoad(const Arguments *a, SourceReader read, StudyCommand *c, ExitCode *code);
Error StudyCommandDestroy(StudyCommand *c);

// The changes of the model file for a run: those of --set, then those of the plan.
typedef struct {
  char (*text)[400];
  const char **change;
  int count;
} StudyChanges;
Error StudyChangesCreate(const StudyCommand *c, uint64_t run, StudyChanges *out);
void study_changes_free(StudyChanges *s);

// Tells what the study would do. (StudyCommandLoad has found all mistakes.)
Error StudyCommandCheck(const StudyCommand *c);
// Lists the runs that failed.
Error StudyCommandShow(StudyCommand *c, const char *what, ExitCode *code);
// This command again, with another option.
void study_print_again(const StudyCommand *c, const char *option, FILE *out);
// A script that does the study on a cluster.
void study_print_script(const StudyCommand *c);
// Runs that keep their histories, from the table that is being made.
Error StudyCommandKept(StudyCommand *c, const char *table);
// What became of the runs, at the end.
Error StudyCommandSummary(StudyCommand *c, ExitCode *code);

#endif
