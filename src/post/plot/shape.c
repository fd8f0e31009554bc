// SPDX-License-Identifier: Apache-2.0
// The system at several times: lines for what is long, points for what is not, edges of bodies of cells.
#include "mechanics/visual.h"
#include "post/plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Edges of bodies of cells: those of faces that belong to one cell only. Edges within a body are left out.

enum {
  TRIANGLE = 5,
  QUAD = 9,
  TETRA = 10,
  HEXAHEDRON = 12,
  QUADRATIC_TETRA = 24,
  QUADRATIC_HEXAHEDRON = 25
}; // cells, as VTK numbers them

static const struct {
  int type;
  CellShape shape;
} types[] = {{TRIANGLE, LIMBER_TRIANGLE},
             {QUAD, LIMBER_QUADRILATERAL},
             {TETRA, LIMBER_TETRAHEDRON},
             {HEXAHEDRON, LIMBER_HEXAHEDRON},
             {QUADRATIC_TETRA, LIMBER_TETRAHEDRON_10},
             {QUADRATIC_HEXAHEDRON, LIMBER_HEXAHEDRON_20}};
enum { TYPES = sizeof types / sizeof types[0] };

static int type_index(int type) {
  int i = 0;
  while (i < TYPES && types[i].type != type) i++;
  return i;
}

bool plot_has_edges(int type) { return type_index(type) < TYPES; }

typedef struct {
  int key[4];    // corners in order, for comparison
  int corner[4]; // around; the last is -1 of a triangle
  int middle[4]; // on the edge behind each corner; -1: none
  bool flat;     // a cell itself, which is always seen
} CellFace;

typedef struct {
  int end[2], middle;
} Edge;

static int faces_of(int type, const int *id, CellFace *out) {
  ElementVisual visual = {0};
  visual_cell(&visual, types[type_index(type)].shape);
  for (int f = 0; f < visual.faces; f++) {
    const VisualFace *q = &visual.face[f];
    out[f] = (CellFace){.flat = visual.faces == 1};
    for (int a = 0; a < 4; a++) {
      out[f].key[a] = out[f].corner[a] = q->corner[a] >= 0 ? id[q->corner[a]] : -1;
      out[f].middle[a] = a < VISUAL_EDGES && q->middle[a] >= 0 ? id[q->middle[a]] : -1;
    }
    for (int a = 1; a < 4; a++) // in order
      for (int b = a; b > 0 && out[f].key[b] < out[f].key[b - 1]; b--) {
        int swap = out[f].key[b];
        out[f].key[b] = out[f].key[b - 1], out[f].key[b - 1] = swap;
      }
  }
  return visual.faces;
}

static int by_key(const void *a, const void *b) {
  return memcmp(((const CellFace *)a)->key, ((const CellFace *)b)->key, sizeof(int[4]));
}
static int by_ends(const void *a, const void *b) { return memcmp(a, b, sizeof(int[2])); }

static int add_face_edges(const CellFace *f, Edge *out) {
  int n = f->corner[3] < 0 ? 3 : 4;
  for (int a = 0; a < n; a++) {
    int i = f->corner[a], j = f->corner[(a + 1) % n];
    out[a] = (Edge){{i < j ? i : j, i < j ? j : i}, f->middle[a]};
  }
  return n;
}

int plot_edges(const SnapshotGeometry *s, int (**out)[3]) {
  CellFace *face = malloc(((size_t)s->cells * VISUAL_FACES + 1) * sizeof *face);
  int faces = 0, edges = 0, count = 0;
  *out = NULL;
  for (int c = 0; face && c < s->cells; c++)
    if (plot_has_edges(s->type[c])) faces += faces_of(s->type[c], s->ids + s->first[c], face + faces);
  Edge *edge = malloc(((size_t)faces * 4 + 1) * sizeof *edge);
  *out = malloc(((size_t)faces * 4 + 1) * sizeof **out);
  if (face && edge && *out) {
    qsort(face, (size_t)faces, sizeof *face, by_key);
    for (int f = 0; f < faces; f++) {
      bool twice = (f > 0 && !by_key(&face[f], &face[f - 1])) || (f + 1 < faces && !by_key(&face[f], &face[f + 1]));
      if (!twice || face[f].flat) edges += add_face_edges(&face[f], edge + edges);
    }
    qsort(edge, (size_t)edges, sizeof *edge, by_ends);
    for (int e = 0; e < edges; e++)
      if (e == 0 || by_ends(&edge[e], &edge[e - 1]))
        (*out)[count][0] = edge[e].end[0], (*out)[count][1] = edge[e].middle, (*out)[count++][2] = edge[e].end[1];
  }
  free(face), free(edge);
  return count;
}

enum { WIDTH = 1200, BESIDE = 160, BOTTOM = 85, TOP = 65, MAX_SHAPES = 200, FINE = 12, KEY_MOST = 14 };
enum {
  VERTEX = 1,
  POLY_VERTEX = 2,
  LINE = 3,
  POLY_LINE = 4,
  LAGRANGE_CURVE = 68,
  MOST_CURVE = 40
}; // cells, as VTK numbers them

typedef struct {
  int snapshot[MAX_SHAPES];
  SnapshotGeometry shape[MAX_SHAPES];
  const double *time; // of all snapshots
  int count, axis[2]; // which coordinates are shown
} Shapes;

// ---- which times, which plane ----

static int nearest_snapshot(const double *times, int n, double t) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (fabs(times[i] - t) < fabs(times[best] - t)) best = i;
  return best;
}

static bool add_time(Shapes *f, int n, double t) {
  int k = nearest_snapshot(f->time, n, t);
  if (f->count == MAX_SHAPES) return print_command_error(plot_name, "more than %d shapes", MAX_SHAPES), false;
  if (!f->count || f->snapshot[f->count - 1] != k) f->snapshot[f->count++] = k;
  return true;
}

// --times: a whole number asks for so many, equally spaced; anything else is a list.
static bool read_times(const Plot *p, Shapes *f, int n) {
  const char *text = argument_value(p->arguments, "times");
  double from = fmax(p->time_range.from, f->time[0]), to = fmin(p->time_range.to, f->time[n - 1]);
  char *end;
  if (!text) text = n < 8 ? "1000" : "8";
  if (text[strspn(text, "0123456789")] == 0 && *text) {
    long count = strtol(text, NULL, 10);
    if (count < 1) return print_command_error(plot_name, "--times needs at least one shape"), false;
    if (count > n) count = n;
    for (long i = 0; i < count; i++)
      if (!add_time(f, n, count > 1 ? from + (to - from) * (double)i / (double)(count - 1) : to)) return false;
    return true;
  }
  for (const char *at = text;; at = end + 1) {
    double t = strtod(at, &end);
    if (end == at || (*end && *end != ','))
      return print_command_error(plot_name, "--times needs times such as 0,0.1,0.2 or a whole number, not '%s'", text),
             false;
    if (t < f->time[0] - 1e-9 || t > f->time[n - 1] * (1 + 1e-9) + 1e-9)
      return print_command_error(plot_name,
                                 strcmp(results_axis_units(p->run[0]), "s")
                                     ? "the snapshots reach from %g to %g, not to %g"
                                     : "the snapshots reach from %g to %g s, not to %g s",
                                 f->time[0], f->time[n - 1], t),
             false;
    if (!add_time(f, n, t)) return false;
    if (!*end) return true;
  }
}

// The plane that the user names, or the two axes along which the points spread most.
static bool read_plane(const Plot *p, Shapes *f) {
  const char *text = argument_value(p->arguments, "plane");
  double spread[3];
  if (text) {
    const char *x = strchr("xyz", text[0]), *y = text[0] ? strchr("xyz", text[1]) : NULL;
    if (x && y && *x && *y && x != y && !text[2])
      return f->axis[0] = (int)(strlen("xyz") - strlen(x)), f->axis[1] = (int)(strlen("xyz") - strlen(y)), true;
    return print_command_error(plot_name, "--plane is two of x, y and z, such as xz, not '%s'", text), false;
  }
  for (int d = 0; d < 3; d++) {
    double range[2] = {NAN, NAN};
    for (int k = 0; k < f->count; k++)
      for (int i = 0; i < f->shape[k].points; i++) range_extend(range, f->shape[k].at[i][d]);
    spread[d] = range[1] - range[0];
  }
  int least = 2; // of equals the later is left out, but y before z
  if (spread[1] <= spread[least]) least = 1;
  if (spread[0] < spread[least]) least = 0;
  f->axis[0] = least == 0 ? 1 : 0, f->axis[1] = least == 2 ? 1 : 2;
  return true;
}

// ---- data ----

static const char *const sorts[] = {"JOINTS", "EDGES", "LINES", "POINTS"};

// A polynomial through points at equal distances; VTK gives the two ends first.
static void add_curve(PointList *out, const Shapes *f, const SnapshotGeometry *s, const int *id, int n) {
  for (int j = 0; j <= FINE * (n - 1); j++) {
    double t = (double)j / FINE, at[2] = {0, 0};
    for (int a = 0; a < n; a++) {
      double abscissa = a == 0 ? 0 : a == 1 ? n - 1 : a - 1, weight = 1;
      for (int b = 0; b < n; b++) {
        double other = b == 0 ? 0 : b == 1 ? n - 1 : b - 1;
        if (b != a) weight *= (t - other) / (abscissa - other);
      }
      for (int d = 0; d < 2; d++) at[d] += weight * s->at[id[a]][f->axis[d]];
    }
    points_add(out, at[0], at[1]);
  }
}

static void add_point(PointList *out, const Shapes *f, const SnapshotGeometry *s, int id) {
  points_add(out, s->at[id][f->axis[0]], s->at[id][f->axis[1]]);
}

enum { JOINTS, EDGES, LINES, POINTS, SORTS }; // in the order in which they are drawn

static int sort_of(const SnapshotGeometry *s, int c) {
  if (plot_has_edges(s->type[c])) return SORTS;
  if (s->type[c] == VERTEX || s->type[c] == POLY_VERTEX) return POINTS;
  return s->point[c] < 0 ? JOINTS : LINES;
}

static void add_edges(PointList *out, const Shapes *f, const SnapshotGeometry *s) {
  int(*edge)[3], count = plot_edges(s, &edge);
  for (int e = 0; e < count; e++) {
    for (int i = 0; i < 3; i++)
      if (edge[e][i] >= 0) add_point(out, f, s, edge[e][i]);
    points_add(out, NAN, NAN);
  }
  free(edge);
}

// The cells of one sort, lines with gaps between them.
static void add_cells(PointList *out, const Shapes *f, int k, int sort) {
  const SnapshotGeometry *s = &f->shape[k];
  for (int c = 0; c < s->cells; c++) {
    const int *id = s->ids + s->first[c];
    int n = s->first[c + 1] - s->first[c];
    if (sort_of(s, c) != sort) continue;
    if (s->type[c] == LAGRANGE_CURVE && n > 2 && n <= MOST_CURVE) add_curve(out, f, s, id, n);
    else
      for (int i = 0; i < n; i++) add_point(out, f, s, id[i]);
    if (sort != POINTS) points_add(out, NAN, NAN);
  }
  if (sort == EDGES) add_edges(out, f, s);
}

// ---- the picture ----

static bool is_in_time(const Plot *p) { return !strcmp(results_axis_units(p->run[0]), "s"); }

// Joints behind all, thin and grey; the rest in the colour of its time, which the first of them names.
static void fill_cells(Plot *p, Panel *q, const Shapes *f) {
  static const double width[SORTS] = {1.2, 1, 2.5, 10};
  double first = f->time[f->snapshot[0]], last = f->time[f->snapshot[f->count - 1]];
  bool named[MAX_SHAPES] = {false};
  for (int sort = 0; sort < SORTS; sort++)
    for (int k = 0; k < f->count; k++) {
      double t = f->time[f->snapshot[k]];
      PointList l = {0};
      add_cells(&l, f, k, sort);
      if (l.n || l.failed) {
        Curve *c = panel_points(p->diagram, q, sort == POINTS ? CURVE_DOTS : CURVE_LINE, &l);
        curve_name(c, sorts[sort], k);
        c->width = width[sort], c->colour = 0xb0b0b0;
        if (sort != JOINTS) {
          c->colour = scale_colour(last > first ? (t - first) / (last - first) : 0), c->level = t;
          if (!named[k]) snprintf(c->legend, sizeof c->legend, is_in_time(p) ? "%.4g s" : "%.4g", t);
          named[k] = true;
        }
      }
      free(l.at);
    }
}

// Times by name, or by a scale where there are too many names for the height of the picture.
static void choose_legend(Plot *p, Panel *q, const Shapes *f) {
  double first = f->time[f->snapshot[0]], last = f->time[f->snapshot[f->count - 1]];
  q->scale_range[0] = first, q->scale_range[1] = last > first ? last : first + 1;
  snprintf(q->scale_name, sizeof q->scale_name, "%s%s", results_axis(p->run[0]), is_in_time(p) ? " [s]" : "");
  q->scale = f->count > KEY_MOST || f->count * LEGEND_ROW > q->bottom - q->top;
  q->legend = q->scale ? LEGEND_NONE : LEGEND_RIGHT;
  if (!q->scale && !is_in_time(p)) snprintf(q->legend_title, sizeof q->legend_title, "%s", results_axis(p->run[0]));
}

static void fill_shapes(Plot *p, const Shapes *f) {
  double range[2][2] = {{NAN, NAN}, {NAN, NAN}};
  Panel *q = diagram_panel(p->diagram, 0, 0, 0, 0);
  for (int k = 0; k < f->count; k++)
    for (int i = 0; i < f->shape[k].points; i++)
      for (int d = 0; d < 2; d++) range_extend(range[d], f->shape[k].at[i][f->axis[d]]);
  for (int d = 0; d < 2; d++) {
    if (isnan(range[d][0])) range[d][0] = range[d][1] = 0;
    axis_set(d ? &q->y : &q->x, (const char *[]){"x", "y", "z"}[f->axis[d]], "m", 0, 0);
  }
  p->diagram->width = WIDTH;
  equal_panel(p, q, range, WIDTH - BESIDE, TOP, BOTTOM);
  fill_cells(p, q, f);
  choose_legend(p, q, f);
}

ExitCode plot_shape(Plot *p) {
  Shapes *f = calloc(1, sizeof *f);
  Results *r = p->run[0];
  ExitCode code = EXIT_MISTAKE;
  if (!f) return print_command_error(plot_name, "not enough memory"), EXIT_MACHINE;
  int n = results_snapshots(r, &f->time);
  bool good = n > 0 && read_times(p, f, n);
  if (!n)
    print_command_error(
        plot_name,
        "%s contains no snapshots, from which shapes are drawn; set `snapshots` in the part `run` of the model",
        results_path(r));
  for (int k = 0; good && k < f->count; k++)
    if (!(good = results_snapshot_geometry(r, f->snapshot[k], &f->shape[k])))
      print_command_error(plot_name, "'%s' is damaged: its snapshots cannot be read", results_path(r));
  if (good && read_plane(p, f)) fill_shapes(p, f), code = EXIT_GOOD;
  for (int k = 0; k < f->count; k++) snapshot_geometry_free(&f->shape[k]);
  free(f);
  return code;
}
