// SPDX-License-Identifier: Apache-2.0
// Pictures of results, drawn by gnuplot. A kind of picture writes a script, its data within, in the look of script.c.
#ifndef LIMBER_POST_PLOT_PLOT_H
#define LIMBER_POST_PLOT_PLOT_H

#include "post/selection.h"

#include <stdio.h>

enum { MAX_RUNS = 16 };

typedef struct {
  const Arguments *arguments;
  Results *run[MAX_RUNS];
  char label[MAX_RUNS][300]; // to tell the runs apart
  int runs;
  const char *word[MAX_WORDS]; // columns
  int words;
  TimeRange time_range;
  double x[2], y[2]; // ranges that the user gave; NAN: none
  bool log_x, log_y;
  char title[400];
  char path[4096];    // of the picture
  const char *target; // where it is drawn
  FILE *out;          // the script
  int width, height;
} Plot;

// A curve.
typedef struct {
  double *x, *y;
  int n;
  int run, column;
  const char *label; // of the column
  char units[60];
} PlotSeries;

// Each writes its script to p->out, or says what is wrong.
ExitCode plot_history(Plot *p);
ExitCode plot_spectrum(Plot *p);
ExitCode plot_path(Plot *p);
ExitCode plot_shape(Plot *p);
ExitCode plot_ledger(Plot *p);
ExitCode plot_campbell(Plot *p);
ExitCode plot_bode(Plot *p); // of transfer functions; without columns all of them

extern const char *const plot_name; // of the command, for messages

// ---- the look ----

void script_begin(Plot *p, int width, int height); // in pixels of a PNG
void script_text(const Plot *p, const char *text); // quoted, nothing in it has a meaning of its own
// The frame of the next plot, in pixels from the left and the bottom.
void script_frame(const Plot *p, double left, double right, double bottom, double top);
void script_title(const Plot *p, double left, double right); // label 99, above a frame
void script_range(const Plot *p, char axis, double low, double high);
// The label of an axis: a name and units, either of which may be empty.
void script_axis(const Plot *p, char axis, const char *name, const char *units);
void script_line(const Plot *p, int colour, double width); // "lc rgb ... dt ... lw ..."
void script_dots(const Plot *p, double size);              // "points ..."
// A block of data $NAMEk.
void script_data(const Plot *p, const char *name, int k, int n, const double *x, const double *y);
const char *script_units(const char *units, char *text, size_t size); // "m s-1" reads m/s

// Runs gnuplot on a script.
ExitCode script_draw(const Plot *p, const char *script);

// ---- series ----

// Reads the columns of all runs.
bool series_read(Plot *p, PlotSeries **out, int *count);
void print_damaged_history(const Plot *p); // a name stands for more columns than a result of that analysis has
void series_free(PlotSeries *s, int count);
// With --over, puts another column in place of the time, and its name and units into those of the axis.
bool series_over(Plot *p, PlotSeries *s, int count, const char **name, const char **units);
void series_thin(PlotSeries *s); // to what a picture can show, keeping all peaks
// The legend of series i: the run, the column or both, whatever tells it apart. Empty for a series alone.
void series_legend(const Plot *p, const PlotSeries *s, int columns, char *text, size_t size);
// Widens ranges until they fill a frame `wide` pixels wide with equal scales; returns the height of the frame.
double equal_scales(const Plot *p, double x[2], double y[2], double wide);
void range_extend(double range[2], double value); // so that it holds the value
bool range_contains(const double range[2], double value);

// Cells with faces are drawn by their edges: pairs of points with a point between them, or -1, to be freed; returns how many.
bool plot_has_edges(int type); // a type of VTK
int plot_edges(const SnapshotGeometry *s, int (**edge)[3]);

#endif
