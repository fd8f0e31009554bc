// SPDX-License-Identifier: Apache-2.0
// Pictures of results. A kind of picture fills a diagram, which is then drawn (draw.c).
#ifndef LIMBER_POST_PLOT_PLOT_H
#define LIMBER_POST_PLOT_PLOT_H

#include "post/curves.h"
#include "post/plot/diagram.h"
#include "results/read/study_table.h"

enum { MAX_RUNS = 16 };

typedef struct {
  const Arguments *arguments;
  Results *run[MAX_RUNS];
  char label[MAX_RUNS][300]; // to tell the runs apart
  int runs;
  StudyTable *study; // in place of runs
  const char *study_path;
  const char *word[MAX_WORDS]; // columns
  int words;
  TimeRange time_range;
  double x[2], y[2]; // ranges that the user gave; NAN: none
  bool log_x, log_y;
  char title[400];
  char path[4096]; // of the picture
  Diagram *diagram;
} Plot;

// A curve.
typedef struct {
  double *x, *y;
  int n;
  int run, column;
  const char *label; // of the column
  char units[60];
  RoundOff round_off;
  double error; // half the height of a band about it; NAN: none
} PlotSeries;

extern const char *const plot_name; // of the command, for messages

// Each fills p->diagram, or says what is wrong.
ExitCode plot_history(Plot *p);
ExitCode plot_spectrum(Plot *p);
ExitCode plot_path(Plot *p);
ExitCode plot_shape(Plot *p);
ExitCode plot_ledger(Plot *p);
ExitCode plot_stress(Plot *p); // over a section
ExitCode plot_campbell(Plot *p);
ExitCode plot_bode(Plot *p); // of transfer functions; without columns all of them

ExitCode plot_study(Plot *p); // histograms of columns, or columns over another

extern const char *const plot_name; // of the command, for messages

// ---- series ----

// Reads the columns of all runs.
bool series_read(Plot *p, PlotSeries **out, int *count);
void print_damaged_history(const Plot *p); // a name stands for more columns than a result of that analysis has
void series_free(PlotSeries *s, int count);
// With --over, puts another column in place of the time, and its name and units into those of the axis.
bool series_over(Plot *p, PlotSeries *s, int count, const char **name, const char **units);
// Finds series that are constant within round-off, and makes them constant.
bool series_flatten(Plot *p, PlotSeries *s, int count);
void series_thin(PlotSeries *s, int pieces); // to what a picture can show, keeping all peaks
// The legend of a series: the run, the name of its column or both, whatever identifies it. Empty for a series alone.
void series_legend(const Plot *p, const PlotSeries *s, int columns, const char *name, char *text, size_t size);
// Sets the frame and the ranges of a panel with axes of equal scale, and the height of the picture.
void equal_panel(Plot *p, Panel *q, double range[2][2], double right, double top, double bottom);
void range_extend(double range[2], double value); // so that it holds the value
bool range_contains(const double range[2], double value);

// Cells with faces are drawn by their edges: pairs of points with a point between them, or -1, to be freed; returns how
// many.
bool plot_has_edges(int type); // a type of VTK
int plot_edges(const SnapshotGeometry *s, int (**edge)[3]);

#endif
