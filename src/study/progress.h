// SPDX-License-Identifier: Apache-2.0
// How far a study is, on a terminal one line that is drawn anew, elsewhere a line every tenth of the runs.
#ifndef LIMBER_STUDY_PROGRESS_H
#define LIMBER_STUDY_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  bool quiet, terminal;
  uint64_t runs;   // in all
  uint64_t before; // done when the command started
  double started, redraw;
  int tenth;
  uint64_t done, failed; // by this command
} StudyProgress;

void study_progress_start(StudyProgress *p, uint64_t runs, uint64_t before, bool quiet);
void study_progress_tell(StudyProgress *p, uint64_t done, uint64_t failed);
void study_progress_clear(const StudyProgress *p); // the line on a terminal
double study_progress_seconds(const StudyProgress *p);

#endif
