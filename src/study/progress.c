// SPDX-License-Identifier: Apache-2.0
#include "study/progress.h"

#include "console/console.h"
#include "study/journal.h"

#include <stdio.h>

void study_progress_start(StudyProgress *p, uint64_t runs, uint64_t before, bool quiet) {
  *p = (StudyProgress){.quiet = quiet || !is_printing_process(),
                       .terminal = on_terminal(),
                       .runs = runs,
                       .before = before,
                       .started = clock_seconds()};
  p->tenth = runs ? (int)(10 * before / runs) : 0;
}

double study_progress_seconds(const StudyProgress *p) { return clock_seconds() - p->started; }

void study_progress_tell(StudyProgress *p, uint64_t done, uint64_t failed) {
  char left[32];
  double spent = study_progress_seconds(p), rate = spent > 0 ? (double)done / spent : 0;
  uint64_t all = p->before + done;
  p->done = done, p->failed = failed;
  if (p->quiet || !done || !p->runs) return;
  int percent = (int)(100 * all / p->runs);
  if (p->terminal && clock_seconds() - p->redraw < 0.1) return;
  if (!p->terminal && percent / 10 <= p->tenth) return;
  format_duration((double)(p->runs - all) / rate, left, sizeof left);
  printf(p->terminal ? "\r  %3d %%  %llu of %llu runs, %llu failed, %.*f runs/s, %s left \033[K"
                     : "  %3d %%  %llu of %llu runs, %llu failed, %.*f runs/s, %s left\n",
         p->terminal ? percent : 10 * (percent / 10), (unsigned long long)all, (unsigned long long)p->runs,
         (unsigned long long)failed, rate < 10, rate, left);
  p->redraw = clock_seconds(), p->tenth = percent / 10;
  fflush(stdout);
}

void study_progress_clear(const StudyProgress *p) {
  if (p->terminal && !p->quiet) printf("\r\033[K"), fflush(stdout);
}
