// SPDX-License-Identifier: Apache-2.0
// Histories as charts with their extremes; the model as it stands, and its shape at the start and at the end.
#include "post/page/page.h"
#include "post/plot/plot.h"
#include "post/report/report.h"
#include "post/picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- probes ----

// The values of a column; those of a curve that is round-off are constant.
static double *flat_values(Report *r, int column, RoundOff *o) {
  double *x = column_values(r->run, results_column(r->run, column)->name);
  *o = (RoundOff){0};
  if (x) *o = curve_round_off(&r->scales, column, r->rows, x), curve_flatten(o, r->rows, x);
  return x;
}

static void label_of(const Report *r, int column, const RoundOff *o, char *text, size_t size) {
  const ResultColumn *c = results_column(r->run, column);
  const char *still = round_off_text(o);
  snprintf(text, size, "%s%s%s", *c->component ? c->component : c->quantity, *still ? ": " : "", still);
}

// The components of a quantity; each word of its name stands there once, with its unit.
static void chart_quantity(Report *r, int first, int count) {
  double *x[CHART_LINES];
  const ResultColumn *c = results_column(r->run, first);
  char title[400], pretty[150], label[CHART_LINES][120], note[200];
  Chart chart = {.title = title, .x = report_axis(r), .y = {"", c->units}, .kind = CHART_PLAIN};
  double most = 0, scale = 0;
  bool still = true;
  for (int i = 0; i < count && chart.lines < CHART_LINES; i++) {
    RoundOff o;
    int k = chart.lines;
    if (!(x[k] = flat_values(r, first + i, &o))) continue;
    label_of(r, first + i, &o, label[k], sizeof label[k]);
    chart.line[chart.lines++] = (ChartLine){.name = label[k], .x = r->t, .y = x[k], .count = r->rows};
    still = still && *round_off_text(&o), most = fmax(most, o.most), scale = fmax(scale, o.scale);
  }
  quantity_title(c, title, sizeof title);
  pretty_units(c->units, pretty, sizeof pretty);
  if (still && chart.lines) {
    snprintf(note, sizeof note, most > 0 ? "0 within round-off: at most %.1e %s" : "0", most, pretty);
    chart.note = note, chart.scale = scale;
  }
  if (chart.lines) chart_write(&chart, r->out);
  for (int i = 0; i < chart.lines; i++) free(x[i]);
}

static bool has_errors(const Report *r) { return results_real(r->run, "accuracy", 0) > 0; }

// The error bar of a value, in a run that has some.
static void error_of(Report *r, int column, const char *of) {
  double error = has_errors(r) ? results_error(r->run, column, of) : NAN;
  if (isfinite(error)) page_text(r->out, "td", "", "± %.2g", error);
  else if (has_errors(r)) page_text(r->out, "td", "", "none");
}

static void row_of(Report *r, int column) {
  const ResultColumn *c = results_column(r->run, column);
  char units[150];
  RoundOff o;
  double *x = flat_values(r, column, &o);
  int low = 0, high = 0;
  if (!x) return;
  for (int i = 0; i < r->rows; i++) {
    if (x[i] < x[low] || isnan(x[low])) low = i;
    if (x[i] > x[high] || isnan(x[high])) high = i;
  }
  fputs("<tr>", r->out);
  page_text(r->out, "td", "", "%s", c->name);
  page_text(r->out, "td", "", "%s", pretty_units(c->units, units, sizeof units));
  page_number(r->out, x[0]), page_number(r->out, x[r->rows - 1]), error_of(r, column, "end");
  page_number(r->out, x[low]), error_of(r, column, "min"), page_number(r->out, r->t[low]);
  page_number(r->out, x[high]), error_of(r, column, "max"), page_number(r->out, r->t[high]);
  fputs("</tr>\n", r->out);
  free(x);
}

void report_probes(Report *r) {
  char at[220];
  const char *const head[] = {"column", "unit", "start", "end", "least", at, "largest", at};
  const char *const head_errors[] = {"column", "unit", "start",   "end",   "error", "least",
                                     "error",  at,     "largest", "error", at};
  int columns = results_columns(r->run), probes = 0;
  for (int i = 0; i < columns; i++) probes += column_is_probe(results_column(r->run, i));
  if (!probes) return;
  snprintf(at, sizeof at, "at %s", r->axis);
  page_section(r->out, "Probes");
  fputs("<div class=\"charts\">\n", r->out);
  for (int i = 0, n; i < columns; i += n) {
    const ResultColumn *c = results_column(r->run, i);
    for (n = 1; i + n < columns; n++) {
      const ResultColumn *next = results_column(r->run, i + n);
      if (strcmp(next->group, c->group) || strcmp(next->quantity, c->quantity) || strcmp(next->units, c->units)) break;
    }
    if (column_is_probe(c)) chart_quantity(r, i, n);
  }
  fputs("</div>\n", r->out);
  page_text(r->out, "h3", "", "Values in the rows of the history");
  if (has_errors(r)) page_head(r->out, 11, head_errors);
  else page_head(r->out, 8, head);
  for (int i = 0; i < columns; i++)
    if (column_is_probe(results_column(r->run, i))) row_of(r, i);
  fputs("</tbody></table>\n", r->out);
}

// ---- pictures ----

// As a picture of its own, so that its style stays there.
static void write_picture(Report *r) {
  char *svg = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&svg, &size);
  if (!f) return;
  Error error = PictureWrite(r->in->model, "", NULL, &canvas_svg, f);
  if (!fclose(f) && !error && svg) {
    fputs("<img class=\"model\" alt=\"the model as it is written\" src=\"data:image/svg+xml;base64,", r->out);
    base64_write(r->out, (const unsigned char *)svg, size);
    fputs("\">\n", r->out);
  }
  free(svg);
}

typedef struct {
  int axis[2];
  double low[2], high[2], scale;
} Plane;

enum { WIDE = 640, HIGH = 420, MARGIN = 16 };

// The two axes along which the shapes are widest, upright the later one.
static Plane plane_of(const SnapshotGeometry *s, int shapes) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int k = 0; k < shapes; k++)
    for (int i = 0; i < s[k].points; i++)
      for (int d = 0; d < 3; d++) low[d] = fmin(low[d], s[k].at[i][d]), high[d] = fmax(high[d], s[k].at[i][d]);
  int thin = 2;
  for (int d = 1; d >= 0; d--)
    if (high[d] - low[d] < high[thin] - low[thin]) thin = d;
  if (high[1] - low[1] <= high[thin] - low[thin]) thin = 1; // of equals y
  Plane p = {.axis = {thin == 0 ? 1 : 0, thin == 2 ? 1 : 2}};
  for (int k = 0; k < 2; k++) p.low[k] = low[p.axis[k]], p.high[k] = high[p.axis[k]];
  double wide = p.high[0] - p.low[0], tall = p.high[1] - p.low[1];
  p.scale = fmin((WIDE - 2 * MARGIN) / fmax(wide, 1e-9), (HIGH - 2 * MARGIN) / fmax(tall, 1e-9));
  return p;
}

static void draw_point(const Plane *p, const double *x, char command, FILE *out) {
  fprintf(out, "%c%.1f %.1f", command, MARGIN + p->scale * (x[p->axis[0]] - p->low[0]),
          MARGIN + p->scale * (p->high[1] - x[p->axis[1]]));
}

static void draw_shape(const SnapshotGeometry *s, const Plane *p, const char *colour, FILE *out) {
  int(*edge)[3] = NULL, edges = plot_edges(s, &edge);
  fprintf(out, "<path class=\"l\" stroke=\"%s\" d=\"", colour);
  for (int i = 0; i < edges; i++)
    for (int k = 0; k < 3; k++) // the one between may be missing
      if (edge[i][k] >= 0) draw_point(p, s->at[edge[i][k]], k ? 'L' : 'M', out);
  for (int c = 0; c < s->cells; c++)
    for (int k = s->first[c]; k < s->first[c + 1] && !plot_has_edges(s->type[c]); k++)
      draw_point(p, s->at[s->ids[k]], k == s->first[c] ? 'M' : 'L', out);
  fputs("\"/>\n", out);
  for (int i = 0; i < s->points && s->points <= 300 && !edges; i++) {
    const double *x = s->at[i];
    fprintf(out, "<circle r=\"2\" fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\"/>", colour,
            MARGIN + p->scale * (x[p->axis[0]] - p->low[0]), MARGIN + p->scale * (p->high[1] - x[p->axis[1]]));
  }
  free(edge);
}

static void write_shapes(Report *r) {
  const double *time;
  int n = results_snapshots(r->run, &time);
  SnapshotGeometry s[2] = {{0}, {0}};
  char at[2][120];
  if (n < 2 || !results_snapshot_geometry(r->run, 0, &s[0])) return;
  if (results_snapshot_geometry(r->run, n - 1, &s[1])) {
    Plane p = plane_of(s, 2);
    double tall = fmax(p.scale * (p.high[1] - p.low[1]), 20) + 2 * MARGIN;
    fprintf(r->out, "<svg class=\"chart shape\" viewBox=\"0 0 %d %.0f\" role=\"img\"><title>shape</title>\n", WIDE,
            tall);
    draw_shape(&s[0], &p, "#9aa7b4", r->out);
    draw_shape(&s[1], &p, "#1f5fa8", r->out);
    fputs("</svg>\n", r->out);
    page_text(r->out, "p", "sub", "Its shape at %s (grey) and at %s (blue): %c to the right, %c upwards, %.4g m wide.",
              results_at(r->run, time[0], at[0], sizeof at[0]), results_at(r->run, time[n - 1], at[1], sizeof at[1]),
              'x' + p.axis[0], 'x' + p.axis[1], p.high[0] - p.low[0]);
    snapshot_geometry_free(&s[1]);
  }
  snapshot_geometry_free(&s[0]);
}

void report_pictures(Report *r) {
  page_section(r->out, "The model");
  write_picture(r);
  if (report_in_time(r) || report_is_static(r)) write_shapes(r);
}
