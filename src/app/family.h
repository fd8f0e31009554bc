// SPDX-License-Identifier: Apache-2.0
// Runs of one model with steps of h, h/2, h/4, ..., side by side, until the errors of its probes are within an accuracy
// (post/converge): what `limber converge` and a `limber run` that chooses its step share.
#ifndef LIMBER_APP_FAMILY_H
#define LIMBER_APP_FAMILY_H

#include "app/study.h"
#include "post/converge/converge.h"

typedef struct {
  const char *command; // in whose name errors are reported
  const Arguments *arguments;
  Convergence *c; // what is found; it has the name of the model and the accuracy
  Input *in;      // the model with the longest step
  InputOptions input;
  const char *change[MAX_GIVEN + 4]; // of `input`, with those of the family
  bool meshes;                       // finer meshes in place of shorter steps
  bool ranks;                        // of MPI do each run together; else each run is a process
  bool quiet;
  bool snapshots;    // of the model file are written
  const char *base;  // name of each results file, in a folder of its run
  int workers, most; // processes; runs
  int words;         // columns to compare; 0: those of all probes
  const char *const *word;
  // ---- while it works ----
  bool first;        // this process is the first
  ConvergeRun *run;  // in memory that all processes share
  char folder[1024]; // of the results
  int guard;
  int guardian; // the process that removes it
  char path[CONVERGE_MOST][4200];
  char end[60], length[60];
  Plan plan;           // one variable: the step
  PlanVariable varied; // the step, or `refine`
  StudyLayout layout;
  StudyWorker worker;
  StudyTasks tasks; // one for each run
  StudyPool *pool;
  bool terminal;
  double started, redraw;
} Family;

bool family_on_ranks(void); // several processes were started: they do each run together
int family_workers(void);   // the number of cores
// Makes the folder of the results; `in`, `input` and all else above are set. Collective, if the runs are, as all below.
Error FamilyBegin(Family *f, ExitCode *code);
// Does the runs and compares them. EXIT_FAILED: none is accurate enough, or a run failed, which has been reported; then
// nothing was compared and `f->c` has no rows.
Error FamilyRun(Family *f, ExitCode *code);
// Does runs with twice and four times the elements, all with the same step, and compares them.
Error FamilyRefine(Family *f, ExitCode *code);
// Compares again, with a table of histories. False after a message.
bool family_compare(Family *f, FILE *table);
// The value or code of the first rank on all.
Error FamilyShare(const Family *f, int *value);
Error FamilyShareCode(const Family *f, ExitCode *code);
// Removes all files, also if nothing was begun.
void family_end(Family *f);

#endif
