// SPDX-License-Identifier: Apache-2.0
// Many runs of one model. They are cut into blocks of consecutive runs; a block is done by one worker and becomes one
// file in a folder beside the output. Which worker does it, when, and how often it was killed changes no byte of it. At
// the end the blocks become one table.
#ifndef LIMBER_STUDY_STUDY_H
#define LIMBER_STUDY_STUDY_H

#include "model/refusal.h"
#include "study/row.h"

// What ended the process of a run in an earlier attempt: it is not tried again.
typedef struct {
  uint64_t task, run;
  RunStatus status;
  char cause[STUDY_CAUSE];
} StudyFate;

// Who watches a worker: it reports when a run begins and ends, and whether to stop.
typedef struct StudyWatch StudyWatch;
struct StudyWatch {
  bool (*stopped)(
      StudyWatch *w); // give up the run under way: cheap, called after every step. Collective over its ranks.
  void (*begin)(StudyWatch *w, uint64_t run);
  void (*end)(StudyWatch *w, uint64_t rows, uint64_t failed);
  Error (*share)(StudyWatch *w, double *value); // from the first rank of a run to its others; NULL: there are none
  bool first;                                   // rank of the run: it writes
  bool alone;                                   // the process does nothing else, and a run that goes wrong may end it
  const StudyFate *fate;
  int fates;
};

// Does run `row->run` and fills the row, whose parameters are there already. Nothing was done if `w->stopped`: *stopped
// is true then.
typedef Error (*StudyRunFunction)(void *self, StudyRow *row, StudyWatch *w, bool *stopped);

typedef struct {
  uint64_t runs, block; // in all; in a block
  char identity[40];    // of plan, model and all that they are made of
  const char *output;   // study.h5
  const char *folder;   // study.blocks
  StudyLayout layout;
  void (*values)(const void *plan, uint64_t run, double *value); // of the parameters
  const void *plan;
  StudyRunFunction run;
  void *self;
  double time_limit; // s of a run, 0: none
  bool stop_at_failure;
  bool hdf5_blocks; // blocks that are done are files of HDF5, which others can read
  bool in_place;    // they stay, and the table refers to them
  // What the table says about itself.
  const Plan *facts; // NULL: nothing of the plan but its text
  const char *title, *plan_file, *plan_text, *model_file, *model_text;
  int changes;
  const char *const *change;
} Study;

// ---- blocks ----

uint64_t study_block_size(uint64_t runs);
uint64_t study_blocks(const Study *s);
void study_block_range(const Study *s, uint64_t block, uint64_t *first, uint64_t *rows);
// "study.blocks/000012.rows": a journal, complete; "part": one that is under way; "h5": rows that the table refers to
void study_block_path(const Study *s, uint64_t block, const char *ending, char *path, size_t size);
bool study_block_is_done(const Study *s, uint64_t block);
// Calls `visit` with the rows of a block that is done, some at a time. `damaged`: it was not whole, and is no longer
// done.
typedef Error (*StudyVisit)(void *self, uint64_t count, const void *rows);
Error StudyBlockVisit(const Study *s, uint64_t block, StudyVisit visit, void *self, bool *damaged);
// Does a block from where it is to its end. Where it was stopped, the rows are in its journal.
Error StudyDoBlock(const Study *s, uint64_t block, StudyWatch *w, bool *stopped);

// ---- the folder ----

// Whether nothing of this study is there yet.
bool study_folder_is_new(const Study *s);
// Makes the folder, or finds in it what an earlier command of the same study left. False: `wrong` says what is in the
// way.
bool study_folder_open(const Study *s, bool force, Refusal *wrong);
// No other study writes there from now on. `part` of `parts`, from 0; 0 of 0: all.
bool study_folder_claim(const Study *s, int part, int parts, Refusal *wrong);
void study_folder_release(void);
// Removes what a study writes there, and the folder where nothing else is in it.
void study_folder_remove(const Study *s);
// How many files of runs that were kept a folder has; they are removed if `remove`.
int study_kept_runs(const char *folder, bool remove);

#endif
