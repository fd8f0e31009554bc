// SPDX-License-Identifier: Apache-2.0
// A study as one page, and as tables of text.
#ifndef LIMBER_POST_STUDY_STUDY_H
#define LIMBER_POST_STUDY_STUDY_H

#include "post/page/page.h"
#include "post/study/survey.h"

enum { STUDY_DRAWN = 6, STUDY_EMPHASISED = 30, STUDY_CHANNELS = 60 }; // columns of a picture; runs; rows of tables

typedef struct {
  Survey survey;
  const Arguments *arguments;
  const char *path; // of the table
  FILE *out;
  char page[4200];
  char beside[8400];                               // from the page to the folder of the table: "", "../runs/"
  int parameter[STUDY_DRAWN], result[STUDY_DRAWN]; // columns of the survey that pictures show
  int parameters, results;
  long worst[STUDY_EMPHASISED]; // runs that tables name and pictures emphasise
  int worsts;
  bool errors; // the study has error bars
  bool failed; // a message was printed
} StudyPage;

// ---- parts of the page ----

void study_failures(StudyPage *p);
void study_extremes(StudyPage *p);
void study_fatigue(StudyPage *p);
void study_worst_runs(StudyPage *p);
void study_gradients(StudyPage *p);
void study_statistics(StudyPage *p);
void study_correlations(StudyPage *p);
void study_histograms(StudyPage *p);
void study_parallel(StudyPage *p); // parallel coordinates
void study_scatter(StudyPage *p);  // scatter matrix

void study_find_worst(StudyPage *p);
void study_choose(StudyPage *p); // the columns of the pictures, and the worst runs
extern const char study_style[], study_script[];

// ---- cells ----

void study_number(FILE *out, double x);                                      // a cell; NaN is a dash
void study_error(StudyPage *p, const ChannelSurvey *c, bool high, long row); // a cell: error bar of an extreme
void study_parameter(const StudyPage *p, int column, double x);  // a cell, with the word that the number stands for
void study_run_cell(FILE *out, long run);                        // its number, which pictures answer to
void study_head(FILE *out, const char *name, const char *units); // of a column of numbers
void study_command(const StudyPage *p, long row, FILE *out);     // `limber run ...` that does a run again
// The results of a run that was kept: its path, and from the page; false: it was not kept.
bool study_kept(const StudyPage *p, long row, const char *ending, char *path, size_t size, char *link,
                size_t link_size);

// ---- extremes ----

typedef struct {
  int channel; // of the survey
  bool high;
  long row;
  double value, time;
  double *at, *parameter; // of all channels at that time, and of the run
} ExtremeRow;

// Rows of the table of extremes, to be freed; false after a message.
bool extremes_find(Survey *s, ExtremeRow **out, int *count);
void extremes_free(ExtremeRow *rows, int count);
void extremes_csv(const Survey *s, const ExtremeRow *rows, int count, FILE *out);

// ---- commands ----

ExitCode study_report(const Arguments *a); // what report does with the table of a study

#endif
