// SPDX-License-Identifier: Apache-2.0
#include "post/picture/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEFT = 90, TOP = 60, LEGEND = 22, MOST_HIGH = 620, MOST_LINED = 40000, COLUMNS = 4 };
static const double degrees = 57.29577951308232;
static const unsigned colours[] = {0x8fb8de, 0xf2b880, 0x9fd3a8, 0xe39b9b, 0xc3aee0, 0xe8dd8a,
                                   0x8fd0cf, 0xd6a98c, 0xb9c98a, 0xe5b0d3, 0xb8b8b8, 0xa4c8ff};

typedef struct {
  const PlaneMesh *m;
  double low[2], high[2], scale, top;
  Canvas *canvas;
  double enlarge;
} MeshSheet;

bool has_section_mesh(const ModelSection *s, int station) { return s->solution && s->solution[station]; }

static MeshSheet fit_section(const ModelSection *s, int station, double top) {
  MeshSheet f = {.m = &s->solution[station]->mesh, .top = top};
  for (int k = 0; k < 2; k++) {
    f.low[k] = HUGE_VAL, f.high[k] = -HUGE_VAL;
    for (int i = 0; i < f.m->nodes; i++)
      f.low[k] = fmin(f.low[k], f.m->at[i][k]), f.high[k] = fmax(f.high[k], f.m->at[i][k]);
  }
  f.scale = fmin((SECTION_MESH_WIDTH - 2 * LEFT) / (f.high[0] - f.low[0]), MOST_HIGH / (f.high[1] - f.low[1]));
  return f;
}

static void place_on_sheet(const MeshSheet *f, const double at[2], double out[2]) {
  out[0] = LEFT + (at[0] - f->low[0]) * f->scale, out[1] = f->top + TOP + (f->high[1] - at[1]) * f->scale;
}

enum { MOST_CORNERS = 8 };

static void enlarge_points(const MeshSheet *f, int n, const double (*p)[2], CanvasPoint *out) {
  for (int i = 0; i < n; i++) out[i] = (CanvasPoint){f->enlarge * p[i][0], f->enlarge * p[i][1]};
}

static void fill_area(const MeshSheet *f, int n, const double (*p)[2], unsigned colour) {
  CanvasPoint at[MOST_CORNERS];
  enlarge_points(f, n, p, at);
  f->canvas->kind->fill(f->canvas, n, at, colour);
}

static void stroke_line(const MeshSheet *f, int n, const double (*p)[2], unsigned colour, double width) {
  CanvasPoint at[MOST_CORNERS];
  enlarge_points(f, n, p, at);
  f->canvas->kind->stroke(f->canvas, n, at, &(Pen){colour, f->enlarge * width, 0});
}

static void write_words(const MeshSheet *f, double x, double y, double size, const char *text) {
  const TextStyle style = {.x = f->enlarge * x, .y = f->enlarge * y, .size = f->enlarge * size, .colour = 0x222222};
  f->canvas->kind->text(f->canvas, &style, text);
}

static int legend_lines(const PlaneMesh *m) { return (m->materials + COLUMNS - 1) / COLUMNS; }

double section_mesh_height(const ModelSection *s, int station) {
  MeshSheet f = fit_section(s, station, 0);
  return TOP + (f.high[1] - f.low[1]) * f.scale + 70 + LEGEND * legend_lines(f.m);
}

static unsigned material_colour(int material) {
  return colours[(size_t)material % (sizeof colours / sizeof colours[0])];
}

static void draw_cells(const MeshSheet *f) {
  for (int c = 0; c < f->m->cells; c++) {
    const PlaneCell *cell = &f->m->cell[c];
    int corners = cell->nodes == 3 || cell->nodes == 6 ? 3 : 4;
    double p[5][2];
    for (int i = 0; i <= corners; i++) place_on_sheet(f, f->m->at[cell->node[i % corners]], p[i]);
    fill_area(f, corners, (const double(*)[2])p, material_colour(cell->material));
    if (f->m->cells <= MOST_LINED) stroke_line(f, corners + 1, (const double(*)[2])p, 0x555555, 0.25);
  }
}

// A tick outwards where a region ends, a name with a line to the middle of a region or web.
static void draw_marks(const MeshSheet *f, const OutlineMarks *marks) {
  for (int i = 0; i < marks->count; i++) {
    const OutlineMark *k = &marks->mark[i];
    double p[2][2], length = k->text ? 22 : 12;
    place_on_sheet(f, k->at, p[0]);
    p[1][0] = p[0][0] + length * k->out[0], p[1][1] = p[0][1] - length * k->out[1];
    f->canvas->class = k->text ? "region" : "region-end";
    stroke_line(f, 2, (const double(*)[2])p, k->text ? 0x7a4a00 : 0xd3322a, k->text ? 0.8 : 1.8);
    f->canvas->class = NULL;
    if (!k->text) continue;
    double wide = 7.0 * (double)strlen(k->text);
    write_words(f,
                p[1][0] + (k->out[0] < -0.5  ? -wide - 3
                           : k->out[0] > 0.5 ? 3
                                             : -0.5 * wide),
                p[1][1] + (k->out[1] < -0.5  ? 13
                           : k->out[1] > 0.5 ? -4
                                             : 4),
                12, k->text);
  }
}

static void draw_axes(const MeshSheet *f) {
  static const double line[2] = {0, 0};
  double o[2];
  place_on_sheet(f, line, o);
  for (int k = 0; k < 2; k++) {
    double tip[2] = {o[0] + (k ? 0 : 46), o[1] - (k ? 46 : 0)}, shaft[2][2] = {{o[0], o[1]}, {tip[0], tip[1]}};
    double head[3][2] = {{tip[0] + (k ? 0 : 8), tip[1] - (k ? 8 : 0)},
                         {tip[0] + (k ? 4 : 0), tip[1] + (k ? 0 : 4)},
                         {tip[0] - (k ? 4 : 0), tip[1] - (k ? 0 : 4)}};
    stroke_line(f, 2, (const double(*)[2])shaft, k ? 0x2b5fd9 : 0x1f8a3a, 1.6);
    fill_area(f, 3, (const double(*)[2])head, k ? 0x2b5fd9 : 0x1f8a3a);
    write_words(f, tip[0] + (k ? 6 : 10), tip[1] + (k ? -4 : 14), 12, k ? "e3" : "e2");
  }
}

static void draw_legend(const MeshSheet *f, const SectionSolution *s, double y) {
  char text[120];
  for (int i = 0; i < f->m->materials; i++) {
    double x = LEFT + 250.0 * (i % COLUMNS), at = y + LEGEND * (i / COLUMNS);
    double box[4][2] = {{x, at - 11}, {x + 18, at - 11}, {x + 18, at + 2}, {x, at + 2}};
    double fibre = f->m->material[i].fibre * degrees;
    fill_area(f, 4, (const double(*)[2])box, material_colour(i));
    if (fabs(fibre) > 1e-9) snprintf(text, sizeof text, "%s, %.4g deg", s->name[i], fibre);
    else snprintf(text, sizeof text, "%s", s->name[i]);
    write_words(f, x + 25, at, 12, text);
  }
}

static void draw_length(const MeshSheet *f, double y) {
  double most = 160 / f->scale, power = pow(10, floor(log10(most)));
  double length = power * (5 * power <= most ? 5 : 2 * power <= most ? 2 : 1), end = SECTION_MESH_WIDTH - LEFT;
  double line[2][2] = {{end - length * f->scale, y}, {end, y}};
  char text[40];
  stroke_line(f, 2, (const double(*)[2])line, 0x222222, 2);
  snprintf(text, sizeof text, "%g %s", length >= 1 ? length : 1000 * length, length >= 1 ? "m" : "mm");
  write_words(f, line[0][0], y - 6, 12, text);
}

void draw_section_mesh(const ModelSection *s, int station, double top, Canvas *canvas, double enlarge) {
  MeshSheet f = fit_section(s, station, top);
  f.canvas = canvas, f.enlarge = enlarge;
  char text[300];
  int used = snprintf(text, sizeof text, "section '%s'", s->name);
  if (s->count > 1)
    used += snprintf(text + used, sizeof text - (size_t)used, ", station at %g", s->station[station].at);
  snprintf(text + used, sizeof text - (size_t)used, ": %d cells", f.m->cells);
  write_words(&f, 16, top + 24, 15, text);
  draw_cells(&f);
  if (s->marks && s->marks[station]) draw_marks(&f, s->marks[station]);
  draw_axes(&f);
  double bottom = top + TOP + (f.high[1] - f.low[1]) * f.scale;
  draw_length(&f, bottom + 46);
  draw_legend(&f, s->solution[station], bottom + 62);
}
