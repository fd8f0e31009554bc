// SPDX-License-Identifier: Apache-2.0
// What the table of a study says as a whole: numbers over all runs of each column, runs with extreme values, a sample
// of runs for pictures, failures by their cause. Columns are read in pieces, so that the memory does not grow with the
// rows but for one bit each.
#ifndef LIMBER_POST_STUDY_SURVEY_H
#define LIMBER_POST_STUDY_SURVEY_H

#include "post/selection.h"
#include "results/read/study_table.h"

enum {
  SURVEY_COLUMNS = 600, // parameters and statistics that are looked at
  SURVEY_QUANTILES = 5,
  SURVEY_WORST = 10,     // runs of a column
  SURVEY_SAMPLE = 20000, // runs that finished, for pictures and correlations
  SURVEY_FAILED = 500,   // runs that failed, for pictures
  SURVEY_GROUPS = 200,   // causes of failure
  SURVEY_FIRST = 3       // runs of a cause that are shown
};
extern const double survey_quantile[SURVEY_QUANTILES];

typedef struct {
  long row;
  double value;
} RunValue;

// Of the runs that finished.
typedef struct {
  int column; // of the table
  long count; // of values that are finite
  double low, high, mean, deviation, quantile[SURVEY_QUANTILES];
  long low_row, high_row;
  RunValue worst[SURVEY_WORST]; // largest |value| first
  int worsts;
  double lifetime;         // of a damage-equivalent load; else NAN
  double *finished, *lost; // values of the samples
  double *rank;            // of `finished`, once it was asked for
} ColumnSurvey;

// A channel: its columns among those of the survey, -1: none. Other statistics lie from `first` to `first + count - 1`.
typedef struct {
  char name[400];
  const char *units;
  int low, low_time, high, high_time, first, count;
  double factor; // partial safety factor
} ChannelSurvey;

typedef struct {
  int status;
  char cause[STUDY_CAUSE_TEXT], kind[STUDY_CAUSE_TEXT]; // of the first run; the same without numbers
  long count;
  long first[SURVEY_FIRST];
  int firsts;
} FailureGroup;

typedef struct {
  StudyTable *table;
  const char *command; // for messages
  long runs, finished;
  unsigned char *ended; // a bit for each run: it finished
  int columns, parameters, left_out;
  ColumnSurvey *column; // parameters first
  int channels;
  ChannelSurvey *channel;
  long *sample, *failed_sample; // rows
  int samples, failed_samples;
  int groups;
  FailureGroup *group;
  long other_failures; // whose causes are too many
} Survey;

// Of all parameters and statistics, or of `count` columns of the table. False after a message: the table is damaged, or
// there is no memory.
bool survey_make(const char *command, StudyTable *t, int count, const int *column, Survey *s);
void survey_free(Survey *s);

const StudyColumn *survey_column(const Survey *s, int column); // of the table
const char *survey_statistic(const Survey *s, int column);     // "max" of "tip.z max"; the name of a parameter
bool survey_value(Survey *s, int table_column, long row, double *value);
// Counts of the runs that finished in `bins` equal parts of the range of a column.
bool survey_histogram(Survey *s, int column, int bins, double *count);
// Which of n things, about evenly spread, to take m of: the i-th. The same at every call, without a period.
long survey_spread(long n, int m, int i);

// Ranks of the values of the sample, from 0 on; NULL: no memory.
const double *survey_ranks(Survey *s, int column);
// Of two columns over the sample: linear, and of ranks. NAN where one of them does not vary.
double survey_correlation(Survey *s, int a, int b, bool ranks);

bool survey_failures(Survey *s); // a part of survey_make

// ---- the table itself ----

// Columns by their names, "tip.z max" or "tip.z.max"; a channel or a group ("parameters", "statistics", "concurrent")
// stands for all of its columns. The columns are to be freed. False after a message.
bool study_columns(const char *command, const StudyTable *t, int words, const char *const *word, int **column,
                   int *count);
// False after a message if the file is not the table of a study.
bool open_study(const char *command, const char *path, StudyTable **t);

#endif
