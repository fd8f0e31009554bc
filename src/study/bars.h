// SPDX-License-Identifier: Apache-2.0
// Error bars of the numbers of a run in a study: three runs, each with half the step of the one before, are compared by
// the rules of `limber converge`. Histories are compared at some times only, so that memory is bounded.
#ifndef LIMBER_STUDY_BARS_H
#define LIMBER_STUDY_BARS_H

#include "input/data.h"
#include "study/row.h"

enum { BAR_RUNS = 3 };
typedef struct StudyBars StudyBars;

Error StudyBarsCreate(const Plan *p, const StudyLayout *l, StudyBars **b);
Error StudyBarsDestroy(StudyBars **b);
// s: the longest step of three runs, of which the last has this step: four times as long, or slightly more if the number
// of its steps is no multiple of four. 0: the run is too short for error bars.
double study_bars_longest(double step, double end);
// Begins with runs of one model, of which the longest step is given; 0: there are no error bars.
Error StudyBarsBegin(StudyBars *b, const Input *in, double longest);
// The samples that follow are those of a run with this step, which is kept in place 0, 1 or 2.
void study_bars_start(StudyBars *b, int place, double step);
void study_bars_add(StudyBars *b, int channel, double time, double value);
// Compares the runs in three places, that with the shortest step first; `q`: the statistics of all channels in these.
// NaN: no error bar. Returns the largest relative error of lengths and angles, or of all channels if there are none;
// INFINITY: one of them has no error bar.
double study_bars_find(const StudyBars *b, const int place[BAR_RUNS], const double *const q[BAR_RUNS], double *error);

#endif
