// SPDX-License-Identifier: Apache-2.0
// Pictures of the page: histograms, parallel coordinates, a matrix of scattered points. Each is SVG; what stands for
// one run carries its number, so that the page can emphasise it.
#include "post/plot/diagram.h"
#include "post/study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INK = 0x1c2733, PALE = 0xe3e8ee, AXIS = 0x8fa0b2, GOOD = 0x1f5fa8, LOST = 0xd55e00 };
static const double small_text = 11;

typedef struct {
  Canvas canvas;
  StudyPage *page;
} Picture;

static void draw_line(Canvas *c, double x0, double y0, double x1, double y1, unsigned colour, double width) {
  CanvasPoint p[2] = {{x0, y0}, {x1, y1}};
  c->kind->stroke(c, 2, p, &(Pen){colour, width, 0});
}

static void draw_text(Canvas *c, double x, double y, TextAnchor anchor, double width, const char *text) {
  char copy[900];
  TextStyle s = {x, y, small_text, anchor, false, INK, 0};
  snprintf(copy, sizeof copy, "%s", text);
  text_shorten(copy, small_text, width);
  if (*copy) c->kind->text(c, &s, copy);
}

static bool begin_picture(StudyPage *p, Picture *q, int width, int height, const char *title) {
  *q = (Picture){.canvas = {.kind = &canvas_svg, .out = p->out, .width = width, .height = height}, .page = p};
  if (canvas_svg.begin(&q->canvas, title)) return true;
  return p->failed = true, print_command_error("report", "not enough memory"), false;
}

static void end_picture(Picture *q) { (void)q->canvas.kind->finish(&q->canvas); }

// A number on an axis, short.
static void print_short(double x, char *text, size_t size) {
  const char *minus = x < 0 ? "−" : ""; // as wide as a plus
  snprintf(text, size, "%s%.4g", minus, fabs(x));
}

// Two lines: the channel or parameter, then statistic and units.
static void column_title(const Survey *s, int column, char *name, size_t size, char *rest, size_t rest_size) {
  const StudyColumn *c = survey_column(s, column);
  char units[100];
  bool statistic = c->kind == STUDY_STATISTIC;
  pretty_units(c->units, units, sizeof units);
  snprintf(name, size, "%.*s", statistic ? (int)strcspn(c->name, " ") : 400, c->name);
  snprintf(rest, rest_size, "%s%s%s%s%s", statistic ? survey_statistic(s, column) : "", statistic && *units ? " " : "",
           *units ? "[" : "", units, *units ? "]" : "");
}

// The range of a column over the runs that pictures show, also those that failed.
static void column_range(const Survey *s, int column, double range[2]) {
  const ColumnSurvey *c = &s->column[column];
  range[0] = c->low, range[1] = c->high;
  for (int i = 0; column < s->parameters && i < s->failed_samples; i++) {
    if (!isfinite(c->lost[i])) continue;
    range[0] = isfinite(range[0]) ? fmin(range[0], c->lost[i]) : c->lost[i];
    range[1] = isfinite(range[1]) ? fmax(range[1], c->lost[i]) : c->lost[i];
  }
  if (!isfinite(range[0])) range[0] = 0, range[1] = 1;
  if (range[1] > range[0]) return;
  double air = range[0] != 0 ? 0.5 * fabs(range[0]) : 1;
  range[0] -= air, range[1] += air;
}

// ---- histograms ----

static void draw_bars(Canvas *c, const double box[4], int bins, const double *count) {
  PointList l = {0};
  double most = 0, wide = (box[2] - box[0]) / bins;
  for (int i = 0; i < bins; i++) most = fmax(most, count[i]);
  for (int i = 0; i < bins && most > 0; i++) {
    double left = box[0] + i * wide, top = box[3] - count[i] / most * (box[3] - box[1]);
    if (!(count[i] > 0)) continue;
    top = fmin(top, box[3] - 1); // a single run is seen, too
    points_add(&l, left + 0.5, box[3]), points_add(&l, left + 0.5, top), points_add(&l, left + wide - 0.5, top);
    points_add(&l, left + wide - 0.5, box[3]), points_add(&l, NAN, NAN);
  }
  if (!l.failed && l.n) c->kind->fill(c, l.n, l.at, GOOD);
  free(l.at);
}

static void draw_histogram(StudyPage *p, int column) {
  enum { WIDTH = 320, HEIGHT = 170, BINS = 40 };
  static const double box[4] = {12, 36, WIDTH - 12, HEIGHT - 22};
  const ColumnSurvey *s = &p->survey.column[column];
  double count[BINS], most = 0;
  char name[500], rest[300], text[900];
  Picture q;
  int bins = s->high > s->low ? (s->count < 100 ? 15 : BINS) : 1;
  if (!survey_histogram(&p->survey, column, bins, count)) {
    p->failed = true;
    return;
  }
  column_title(&p->survey, column, name, sizeof name, rest, sizeof rest);
  snprintf(text, sizeof text, "%s %s", name, rest);
  if (!begin_picture(p, &q, WIDTH, HEIGHT, text)) return;
  for (int i = 0; i < bins; i++) most = fmax(most, count[i]);
  draw_text(&q.canvas, box[0], 14, TEXT_START, box[2] - box[0], text);
  snprintf(text, sizeof text, "up to %.0f runs per bar", most);
  draw_text(&q.canvas, box[0], 29, TEXT_START, box[2] - box[0], text);
  draw_bars(&q.canvas, box, bins, count);
  draw_line(&q.canvas, box[0], box[3], box[2], box[3], AXIS, 1);
  for (int k = 0; k < (bins > 1 ? 3 : 1); k++) {
    double at = bins > 1 ? 0.5 * k : 0.5, x = box[0] + at * (box[2] - box[0]);
    print_short(s->low + at * (s->high - s->low), text, sizeof text);
    draw_line(&q.canvas, x, box[3], x, box[3] + 4, AXIS, 1);
    draw_text(&q.canvas, x, box[3] + 16, bins == 1 || k == 1 ? TEXT_MIDDLE : k ? TEXT_END : TEXT_START, 100, text);
  }
  end_picture(&q);
}

void study_histograms(StudyPage *p) {
  if (!p->survey.finished) return;
  page_section(p->out, "Histograms");
  fputs("<div class=\"three\">\n", p->out);
  for (int k = 0; k < p->parameters && !p->failed; k++) draw_histogram(p, p->parameter[k]);
  for (int k = 0; k < p->results && !p->failed; k++) draw_histogram(p, p->result[k]);
  fputs("</div>\n", p->out);
}

// ---- parallel coordinates ----

enum { PARALLEL_WIDTH = 980, PARALLEL_TOP = 52, PARALLEL_HEIGHT = 380, PARALLEL_LINES = 500 };

typedef struct {
  int column[2 * STUDY_DRAWN], count;
  double x[2 * STUDY_DRAWN], range[2 * STUDY_DRAWN][2];
} Axes;

static double height_of(const Axes *a, int k, double value) {
  double at = (value - a->range[k][0]) / (a->range[k][1] - a->range[k][0]);
  return PARALLEL_TOP + (1 - fmin(fmax(at, -0.05), 1.05)) * (PARALLEL_HEIGHT - PARALLEL_TOP - 24);
}

static void draw_axes(Picture *q, const Axes *a) {
  char name[500], rest[300];
  Canvas *c = &q->canvas;
  double room = a->count > 1 ? a->x[1] - a->x[0] - 6 : PARALLEL_WIDTH, bottom = PARALLEL_HEIGHT - 24;
  for (int k = 0; k < a->count; k++) {
    TextAnchor anchor = k == 0 ? TEXT_START : k + 1 == a->count ? TEXT_END : TEXT_MIDDLE;
    double x = anchor == TEXT_START ? a->x[k] - 24 : anchor == TEXT_END ? a->x[k] + 24 : a->x[k];
    column_title(&q->page->survey, a->column[k], name, sizeof name, rest, sizeof rest);
    draw_line(c, a->x[k], PARALLEL_TOP, a->x[k], bottom, AXIS, 1.2);
    draw_text(c, x, 12, anchor, room, name), draw_text(c, x, 26, anchor, room, rest);
    print_short(a->range[k][1], name, sizeof name);
    draw_text(c, x, PARALLEL_TOP - 8, anchor, room, name);
    print_short(a->range[k][0], name, sizeof name);
    draw_text(c, x, bottom + 15, anchor, room, name);
  }
}

// One run; what it has no number for is left out.
static void draw_run(Picture *q, const Axes *a, long row, const double *value, unsigned colour, double width) {
  CanvasPoint p[2 * STUDY_DRAWN];
  for (int k = 0; k < a->count; k++)
    p[k] = isfinite(value[k]) ? (CanvasPoint){a->x[k], height_of(a, k, value[k])} : (CanvasPoint){NAN, NAN};
  fprintf(q->canvas.out, "<g data-run=\"%ld\">", row + study_table_first(q->page->survey.table));
  q->canvas.kind->stroke(&q->canvas, a->count, p, &(Pen){colour, width, 0});
  fputs("</g>\n", q->canvas.out);
}

static void make_axes(StudyPage *p, Axes *a) {
  *a = (Axes){0};
  for (int k = 0; k < p->parameters; k++) a->column[a->count++] = p->parameter[k];
  for (int k = 0; k < p->results; k++) a->column[a->count++] = p->result[k];
  for (int k = 0; k < a->count; k++) {
    column_range(&p->survey, a->column[k], a->range[k]);
    a->x[k] = 36 + (PARALLEL_WIDTH - 72) * (a->count > 1 ? (double)k / (a->count - 1) : 0.5);
  }
}

static void draw_sampled(Picture *q, const Axes *a, bool failed) {
  Survey *s = &q->page->survey;
  int all = failed ? s->failed_samples : s->samples, shown = all < PARALLEL_LINES ? all : PARALLEL_LINES;
  const double *rank = q->page->results ? survey_ranks(s, q->page->result[0]) : NULL; // it gives the colour
  double value[2 * STUDY_DRAWN];
  fprintf(q->canvas.out, "<g opacity=\"%s\">\n", failed ? "0.8" : shown > 100 ? "0.45" : "0.7");
  for (int i = 0; i < shown; i++) {
    long at = survey_spread(all, shown, i);
    for (int k = 0; k < a->count; k++) {
      const ColumnSurvey *c = &s->column[a->column[k]];
      value[k] = failed ? (a->column[k] < s->parameters ? c->lost[at] : NAN) : c->finished[at];
    }
    double part = !failed && rank ? rank[at] / fmax(s->samples - 1, 1) : NAN;
    unsigned colour = failed ? LOST : isfinite(part) ? scale_colour(part) : AXIS;
    draw_run(q, a, failed ? s->failed_sample[at] : s->sample[at], value, colour, failed ? 1.2 : 1);
  }
  fputs("</g>\n", q->canvas.out);
}

void study_parallel(StudyPage *p) {
  enum { EMPHASISED = 10 };
  Survey *s = &p->survey;
  Axes a;
  Picture q;
  char name[500];
  double value[2 * STUDY_DRAWN];
  make_axes(p, &a);
  if (a.count < 2) return;
  page_section(p->out, "Parallel coordinates");
  if (p->results) snprintf(name, sizeof name, ", coloured by the rank of %s", survey_column(s, p->result[0])->name);
  else *name = 0;
  page_text(p->out, "p", "sub", "One line per run, %d of %ld that finished%s.%s Black: the worst runs.",
            s->samples < PARALLEL_LINES ? s->samples : PARALLEL_LINES, s->finished, name,
            s->failed_samples ? " Orange: runs that failed, by their parameters only." : "");
  if (!begin_picture(p, &q, PARALLEL_WIDTH, PARALLEL_HEIGHT, "Parallel coordinates")) return;
  draw_sampled(&q, &a, false);
  draw_sampled(&q, &a, true);
  for (int i = 0; i < p->worsts && i < EMPHASISED; i++) {
    for (int k = 0; k < a.count; k++)
      if (!survey_value(s, s->column[a.column[k]].column, p->worst[i], &value[k])) p->failed = true;
    if (!p->failed) draw_run(&q, &a, p->worst[i], value, 0x000000, 1.6);
  }
  draw_axes(&q, &a);
  end_picture(&q);
}

// ---- scatter matrix ----

enum { MATRIX_LEFT = 92, MATRIX_BOTTOM = 44, MATRIX_POINTS = 2000 };

typedef struct {
  double left, top, wide, high, x[2], y[2];
} Cell;

static CanvasPoint in_cell(const Cell *c, double x, double y) {
  if (!isfinite(x) || !isfinite(y)) return (CanvasPoint){NAN, NAN};
  double u = c->left + 5 + (x - c->x[0]) / (c->x[1] - c->x[0]) * (c->wide - 10);
  double v = c->top + 5 + (c->y[1] - y) / (c->y[1] - c->y[0]) * (c->high - 10);
  return (CanvasPoint){floor(2 * u + 0.5) / 2, floor(2 * v + 0.5) / 2}; // to half a pixel: fewer digits
}

static void draw_cell(Picture *q, const Cell *c, int x, int y) {
  StudyPage *p = q->page;
  Survey *s = &p->survey;
  PointList l = {0};
  int shown = s->samples < MATRIX_POINTS ? s->samples : MATRIX_POINTS;
  CanvasPoint frame[5] = {{c->left, c->top},
                          {c->left + c->wide, c->top},
                          {c->left + c->wide, c->top + c->high},
                          {c->left, c->top + c->high},
                          {c->left, c->top}};
  q->canvas.kind->stroke(&q->canvas, 5, frame, &(Pen){PALE, 1, 0});
  for (int i = 0; i < shown; i++) {
    long at = survey_spread(s->samples, shown, i);
    CanvasPoint d = in_cell(c, s->column[x].finished[at], s->column[y].finished[at]);
    if (!isnan(d.x)) points_add(&l, d.x, d.y), points_add(&l, NAN, NAN);
  }
  fprintf(q->canvas.out, "<g opacity=\"%s\">", shown > 300 ? "0.5" : "0.8");
  if (!l.failed && l.n) q->canvas.kind->stroke(&q->canvas, l.n, l.at, &(Pen){GOOD, shown > 300 ? 2 : 3, 0});
  fputs("</g>\n", q->canvas.out);
  free(l.at);
  for (int i = 0; i < p->worsts && !p->failed; i++) {
    double vx, vy;
    if (!survey_value(s, s->column[x].column, p->worst[i], &vx) ||
        !survey_value(s, s->column[y].column, p->worst[i], &vy))
      p->failed = true;
    else {
      CanvasPoint d = in_cell(c, vx, vy);
      fprintf(q->canvas.out, "<g data-run=\"%ld\">", p->worst[i] + study_table_first(s->table));
      if (!isnan(d.x)) q->canvas.kind->stroke(&q->canvas, 1, &d, &(Pen){0x000000, 3.5, 0});
      fputs("</g>\n", q->canvas.out);
    }
  }
}

// Marks on the edge below a column, or left of a row: where the runs that failed lie.
static void draw_lost(Picture *q, const Cell *c, int column) {
  const Survey *s = &q->page->survey;
  PointList l = {0};
  int shown = s->failed_samples < 300 ? s->failed_samples : 300;
  for (int i = 0; i < shown; i++) {
    double value = s->column[column].lost[survey_spread(s->failed_samples, shown, i)];
    if (!isfinite(value)) continue;
    double x = c->left + 5 + (value - c->x[0]) / (c->x[1] - c->x[0]) * (c->wide - 10);
    points_add(&l, floor(2 * x + 0.5) / 2, c->top + c->high - 1);
    points_add(&l, floor(2 * x + 0.5) / 2, c->top + c->high - 8);
    points_add(&l, NAN, NAN);
  }
  if (!l.failed && l.n) q->canvas.kind->stroke(&q->canvas, l.n, l.at, &(Pen){LOST, 1, 0});
  free(l.at);
}

static void write_ends(Picture *q, const Cell *c, int column, bool below) {
  char name[500], rest[300];
  const double *range = below ? c->x : c->y;
  column_title(&q->page->survey, column, name, sizeof name, rest, sizeof rest);
  for (int k = 0; k < 2; k++) {
    char number[40];
    print_short(range[k], number, sizeof number);
    if (below)
      draw_text(&q->canvas, c->left + (k ? c->wide - 2 : 2), c->top + c->high + 13, k ? TEXT_END : TEXT_START,
                0.5 * c->wide - 4, number);
    else draw_text(&q->canvas, MATRIX_LEFT - 6, c->top + (k ? 11 : c->high - 3), TEXT_END, MATRIX_LEFT - 10, number);
  }
  if (below) {
    draw_text(&q->canvas, c->left + 0.5 * c->wide, c->top + c->high + 27, TEXT_MIDDLE, c->wide, name);
    draw_text(&q->canvas, c->left + 0.5 * c->wide, c->top + c->high + 40, TEXT_MIDDLE, c->wide, rest);
  } else {
    draw_text(&q->canvas, MATRIX_LEFT - 6, c->top + 0.5 * c->high - 2, TEXT_END, MATRIX_LEFT - 10, name);
    draw_text(&q->canvas, MATRIX_LEFT - 6, c->top + 0.5 * c->high + 12, TEXT_END, MATRIX_LEFT - 10, rest);
  }
}

void study_scatter(StudyPage *p) {
  Survey *s = &p->survey;
  Picture q;
  if (!p->parameters || !p->results || !s->samples) return;
  page_section(p->out, "Results over parameters");
  page_text(p->out, "p", "sub", "One point per run, %s%d runs that finished. Black: the worst runs.%s",
            s->samples > MATRIX_POINTS ? "a sample of " : "", s->samples < MATRIX_POINTS ? s->samples : MATRIX_POINTS,
            s->failed_samples ? " Orange marks: parameters of runs that failed." : "");
  double wide = fmin((PARALLEL_WIDTH - MATRIX_LEFT - 6.0) / p->parameters, 300), high = p->results > 3 ? 110 : 150;
  if (!begin_picture(p, &q, (int)(MATRIX_LEFT + wide * p->parameters + 6), (int)(p->results * high + MATRIX_BOTTOM + 4),
                     "Results over parameters"))
    return;
  for (int i = 0; i < p->results && !p->failed; i++)
    for (int k = 0; k < p->parameters && !p->failed; k++) {
      Cell c = {.left = MATRIX_LEFT + k * wide, .top = 2 + i * high, .wide = wide - 6, .high = high - 6};
      column_range(s, p->parameter[k], c.x), column_range(s, p->result[i], c.y);
      draw_cell(&q, &c, p->parameter[k], p->result[i]);
      if (i + 1 == p->results) draw_lost(&q, &c, p->parameter[k]), write_ends(&q, &c, p->parameter[k], true);
      if (k == 0) write_ends(&q, &c, p->result[i], false);
    }
  end_picture(&q);
}
