// SPDX-License-Identifier: Apache-2.0
// Small diagrams for pages.
#ifndef LIMBER_POST_PLOT_CHART_H
#define LIMBER_POST_PLOT_CHART_H

#include <stdbool.h>
#include <stdio.h>

enum { CHART_LINES = 16 };

typedef struct {
  const char *name; // for the legend
  const double *x, *y;
  int count;
  bool dashed;
  unsigned colour; // of an area
} ChartLine;

typedef enum {
  CHART_PLAIN,
  CHART_STACKED, // each line bounds an area upon those before it; dashed lines stand alone
  CHART_LOG,     // |y| on a scale of powers of ten; zeros are left out
} ChartKind;

typedef struct {
  const char *name, *units;
} ChartAxis;

typedef struct {
  const char *title;
  ChartAxis x, y;
  const char *note; // written into the frame; NULL: none
  double scale;     // the axis reaches from -scale to scale at least; 0: just over the lines
  ChartKind kind;
  ChartLine line[CHART_LINES];
  int lines;
  const double *event; // x of vertical lines
  int events;
} Chart;

// The chart as an element of a page. Of a long line the least and the largest value of each piece are drawn.
void chart_write(const Chart *c, FILE *out);

// Bars of counts: `count[i]` times `first + i`.
void chart_bars(const char *title, const char *x, const char *y, int first, int bars, const double *count, FILE *out);

#endif
