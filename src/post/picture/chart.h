// SPDX-License-Identifier: Apache-2.0
// Line charts as SVG for pages, drawn without any other program.
#ifndef LIMBER_POST_PICTURE_CHART_H
#define LIMBER_POST_PICTURE_CHART_H

#include <stdbool.h>
#include <stdio.h>

enum { CHART_LINES = 16 };

typedef struct {
  const char *name; // for the legend
  const double *x, *y;
  int count;
  bool dashed;
} ChartLine;

typedef enum {
  CHART_PLAIN,
  CHART_STACKED, // each line bounds an area upon those before it; dashed lines stand alone
  CHART_LOG,     // |y| on a scale of powers of ten; zeros are left out
} ChartKind;

typedef struct {
  const char *title, *unit_x, *unit_y; // "t [s]", "position [m]"
  const char *note;                    // written into the frame; NULL: none
  double scale;                        // the axis reaches from -scale to scale at least; 0: just over the lines
  ChartKind kind;
  ChartLine line[CHART_LINES];
  int lines;
  const double *event; // x of vertical lines
  int events;
} Chart;

// The chart as an element of a page. A line with more points than the chart has pixels is drawn by the least and the
// largest value of each column of pixels.
void chart_write(const Chart *c, FILE *out);

// Bars of counts: `count[i]` times `first + i`.
void chart_bars(const char *title, const char *unit_x, const char *unit_y, int first, int bars, const double *count,
                FILE *out);

// Text with the characters that have a meaning in HTML written out.
void html_text(FILE *out, const char *text);

#endif
