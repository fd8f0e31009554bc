// SPDX-License-Identifier: Apache-2.0
// Stresses over the section where the largest along a beam was found, from the mesh of the section and the forces
// there.
#include "model/refusal.h"
#include "model/stress.h"
#include "post/page/page.h"
#include "post/plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1200, BESIDE = 170, BOTTOM = 85, TOP = 65, LEVELS = 32 };
enum { MAX, AT, Y, Z, CELL, FORCE, COLUMNS = FORCE + 6 }; // of a probe of stresses

typedef struct {
  char probe[300];
  StressMeasure measure;
  double row[COLUMNS], time;
  const SectionSolution *solution;
  double force[6];          // on the section that was solved, the nearest
  double *value;            // at all points of the solution
  double least, most, unit; // of the values [Pa]
} SectionPicture;

// ---- what is drawn ----

// The row in which the stress is largest.
static bool read_row(Plot *p, SectionPicture *s) {
  Results *r = p->run[0];
  const char *dot = strrchr(p->word[0], '.');
  char name[400];
  Refusal wrong;
  int first, top = 0;
  RowSelection rows;
  double *max, *other;
  s->measure = dot && !strcmp(dot, ".tsai_wu") ? STRESS_TSAI_WU : STRESS_VON_MISES;
  bool told = dot && (!strcmp(dot, ".tsai_wu") || !strcmp(dot, ".von_mises"));
  snprintf(s->probe, sizeof s->probe, "%.*s", told ? (int)(dot - p->word[0]) : 290, p->word[0]);
  snprintf(name, sizeof name, "%s.%s", s->probe, s->measure == STRESS_TSAI_WU ? "tsai_wu" : "von_mises");
  int count = results_find(r, name, &first, &wrong);
  if (!count) return print_command_error(plot_name, "%s", wrong.text), false;
  if (count != COLUMNS)
    return print_command_error(plot_name, "'%s' is not of a probe `stress` along a beam", p->word[0]), false;
  if (!select_rows(plot_name, r, &p->time_range, &rows) || !read_selected_values(plot_name, r, first, &rows, &max))
    return false;
  for (int i = 1; i < rows.count; i++)
    if (max[i] > max[top] || isnan(max[top])) top = i;
  free(max);
  RowSelection one = {rows.first + top * rows.every, 1, 1};
  s->time = results_time(r)[one.first];
  for (int k = 0; k < COLUMNS; k++) {
    if (!read_selected_values(plot_name, r, first + k, &one, &other)) return false;
    s->row[k] = other[0];
    free(other);
  }
  return true;
}

static void take_station(Model m, int component, SectionPicture *s) {
  StressStation station[2];
  int nearer = stress_stations(m, component, stress_along(m, component, s->row[AT]), station);
  s->solution = station[nearer].solution;
  stress_station_force(&station[nearer], s->row + FORCE, s->force);
}

static bool find_solution(const Plot *p, const Input *in, SectionPicture *s) {
  char text[400];
  for (int i = 0; i < in->probes; i++)
    if (!strcmp(in->probe[i].name, s->probe) && in->probe[i].kind == PROBE_STRESS &&
        !stress_lacks(in->model, in->probe[i].id, s->measure, text, sizeof text))
      take_station(in->model, in->probe[i].id, s);
  if (!s->solution) print_command_error(plot_name, "'%s' does not contain its model", results_path(p->run[0]));
  return s->solution;
}

static bool evaluate_points(SectionPicture *s) {
  s->value = malloc((size_t)s->solution->points * sizeof *s->value);
  s->least = s->measure == STRESS_VON_MISES ? 0 : INFINITY, s->most = -INFINITY;
  for (int i = 0; s->value && i < s->solution->points; i++) {
    SectionStress at;
    section_stress(s->solution, i, s->force, &at);
    s->value[i] = s->measure == STRESS_VON_MISES ? at.von_mises / s->unit : at.tsai_wu;
    if (isnan(s->value[i])) continue;
    s->least = fmin(s->least, s->value[i]), s->most = fmax(s->most, s->value[i]);
  }
  if (!(s->most > s->least)) s->most = s->least + 1;
  return s->value;
}

// The unit in which the largest stress has one to three digits before the point.
static const char *choose_unit(SectionPicture *s) {
  static const char *const name[] = {"Pa", "kPa", "MPa", "GPa"};
  int k = 0;
  for (s->unit = 1; k < 3 && s->row[MAX] >= 1000 * s->unit; k++) s->unit *= 1000;
  return name[k];
}

// ---- cells ----

static int level_of(const SectionPicture *s, double value) {
  return (int)fmin(LEVELS - 1, fmax(0, floor(LEVELS * (value - s->least) / (s->most - s->least))));
}

// A part of a cell, closed, in the list of its level; without strengths in the last one.
static void add_polygon(const SectionPicture *s, int count, double (*at)[2], const double *value, PointList *level) {
  double mean = 0;
  for (int i = 0; i < count; i++) mean += value[i] / count;
  PointList *l = &level[isnan(mean) ? LEVELS : level_of(s, mean)];
  for (int i = 0; i <= count; i++) points_add(l, at[i % count][0], at[i % count][1]);
  points_add(l, NAN, NAN);
}

// Corners, middles of edges and the centre divide a cell into parts.
static void add_cell(const SectionPicture *s, int cell, int first, PointList *level) {
  static const int triangles[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
  static const int quadrilaterals[4][4] = {{0, 4, 8, 7}, {4, 1, 5, 8}, {8, 5, 2, 6}, {7, 8, 6, 3}};
  int nodes = s->solution->mesh.cell[cell].nodes, corners = nodes == 3 || nodes == 6 ? 3 : 4;
  double at[9][2] = {{0}}, value[9] = {0}, part[4][2], values[4];
  for (int i = 0; i < nodes; i++) {
    const StressPoint *p = &s->solution->point[first + i];
    at[i][0] = p->y, at[i][1] = p->z, value[i] = s->value[first + i];
  }
  if (nodes == corners) {
    add_polygon(s, corners, at, value, level);
    return;
  }
  for (int i = 0; i < 4 && nodes == 8; i++) // the centre, from the middles of edges
    for (int d = 0; d < 3; d++) *(d < 2 ? &at[8][d] : &value[8]) += 0.25 * (d < 2 ? at[4 + i][d] : value[4 + i]);
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < corners; i++) {
      int n = corners == 3 ? triangles[k][i] : quadrilaterals[k][i];
      part[i][0] = at[n][0], part[i][1] = at[n][1], values[i] = value[n];
    }
    add_polygon(s, corners, part, values, level);
  }
}

// ---- the picture ----

static void fill_panel(Plot *p, const SectionPicture *s, const char *unit) {
  PointList level[LEVELS + 1] = {{0}};
  double range[2][2] = {{NAN, NAN}, {NAN, NAN}};
  Panel *q = diagram_panel(p->diagram, 0, 0, 0, 0);
  char at[120];
  for (int c = 0, first = 0; c < s->solution->mesh.cells; first += s->solution->mesh.cell[c++].nodes)
    add_cell(s, c, first, level);
  for (int i = 0; i < s->solution->points; i++)
    range_extend(range[0], s->solution->point[i].y), range_extend(range[1], s->solution->point[i].z);
  axis_set(&q->x, "y", "m", 0, 0), axis_set(&q->y, "z", "m", 0, 0);
  p->diagram->width = WIDTH;
  equal_panel(p, q, range, WIDTH - BESIDE, TOP, BOTTOM);
  for (int k = 0; k <= LEVELS; k++) {
    if (level[k].n || level[k].failed) {
      Curve *c = panel_points(p->diagram, q, CURVE_FILL, &level[k]);
      curve_name(c, "LEVEL", k);
      c->colour = k < LEVELS ? scale_colour((k + 0.5) / LEVELS) : 0xd8d8d8, c->width = 0.8;
      if (k < LEVELS) c->level = s->least + (k + 0.5) / LEVELS * (s->most - s->least);
    }
    free(level[k].at);
  }
  Curve *c = panel_curve(p->diagram, q, CURVE_DOTS, 1, &s->row[Y], &s->row[Z], NULL);
  curve_name(c, "LARGEST", 0);
  c->colour = 0xd55e00, c->width = 12;
  q->scale = true, q->scale_range[0] = s->least, q->scale_range[1] = s->most;
  bool index = s->measure == STRESS_TSAI_WU;
  snprintf(q->scale_name, sizeof q->scale_name, index ? "Tsai-Wu index" : "von Mises stress [%s]", unit);
  results_at(p->run[0], s->time, at, sizeof at);
  if (!argument_value(p->arguments, "title"))
    snprintf(p->diagram->title, sizeof p->diagram->title, "%.200s: %.4g %s at %.4g of the length, %s", s->probe,
             s->row[MAX] / (index ? 1 : s->unit), index ? "" : unit, s->row[AT], at);
}

ExitCode plot_stress(Plot *p) {
  SectionPicture s = {.value = NULL};
  Input *in = NULL;
  bool machine = false;
  ExitCode code = EXIT_MISTAKE;
  if (p->words != 1)
    return print_command_error(plot_name, "--stress shows one probe of stresses, or one of its quantities"), code;
  if (read_row(p, &s) && run_model(plot_name, p->run[0], &in, &machine) && find_solution(p, in, &s)) {
    const char *unit = choose_unit(&s);
    if (evaluate_points(&s)) fill_panel(p, &s, unit), code = EXIT_GOOD;
    else code = EXIT_MACHINE;
  }
  free(s.value);
  if (in) machine = InputDestroy(&in) != 0 || machine;
  return machine ? EXIT_MACHINE : code;
}
