// SPDX-License-Identifier: Apache-2.0
// The system at several times: lines for what is long, points for what is not.
#include "post/plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1200, LEFT = 130, RIGHT = 190, BOTTOM = 85, TOP = 65, MAX_SHAPES = 200, FINE = 12 };
enum { KEY_ROW = 29, KEY_MOST = 14 }; // height of a name in the legend, and how many it holds
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
static void print_curve(const Plot *p, const Shapes *f, const SnapshotGeometry *s, const int *id, int n) {
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
    fprintf(p->out, "%.8g %.8g\n", at[0], at[1]);
  }
}

enum { JOINTS, EDGES, LINES, POINTS, SORTS }; // in the order in which they are drawn

static int sort_of(const SnapshotGeometry *s, int c) {
  if (plot_has_edges(s->type[c])) return SORTS;
  if (s->type[c] == VERTEX || s->type[c] == POLY_VERTEX) return POINTS;
  return s->point[c] < 0 ? JOINTS : LINES;
}

static int print_edges(const Plot *p, const Shapes *f, const SnapshotGeometry *s) {
  int(*edge)[3], count = plot_edges(s, &edge);
  for (int e = 0; e < count; e++) {
    for (int i = 0; i < 3; i++)
      if (edge[e][i] >= 0) fprintf(p->out, "%.8g %.8g\n", s->at[edge[e][i]][f->axis[0]], s->at[edge[e][i]][f->axis[1]]);
    fputs("\n", p->out);
  }
  free(edge);
  return count;
}

// The cells of one sort as $JOINTSk, $EDGESk, $LINESk or $POINTSk; false if there are none.
static bool print_cells(const Plot *p, const Shapes *f, int k, int sort) {
  const SnapshotGeometry *s = &f->shape[k];
  int cells = 0;
  fprintf(p->out, "$%s%d << EOD\n", sorts[sort], k);
  for (int c = 0; c < s->cells; c++) {
    const int *id = s->ids + s->first[c];
    int n = s->first[c + 1] - s->first[c];
    if (sort_of(s, c) != sort) continue;
    cells++;
    if (s->type[c] == LAGRANGE_CURVE && n > 2 && n <= MOST_CURVE) print_curve(p, f, s, id, n);
    else
      for (int i = 0; i < n; i++) fprintf(p->out, "%.8g %.8g\n", s->at[id[i]][f->axis[0]], s->at[id[i]][f->axis[1]]);
    if (sort != POINTS) fputs("\n", p->out);
  }
  if (sort == EDGES) cells = print_edges(p, f, s);
  fputs("EOD\n", p->out);
  return cells > 0;
}

// ---- the picture ----

static bool is_in_time(const Plot *p) { return !strcmp(results_axis_units(p->run[0]), "s"); }

// Times by name, or by a scale where there are too many names for the height of the picture.
static void draw_legend(const Plot *p, const Shapes *f, double high) {
  double first = f->time[f->snapshot[0]], last = f->time[f->snapshot[f->count - 1]];
  char axis[100];
  // dark to light, and not so light that it is lost on white
  fputs("set palette defined (0 '#440154', 0.2 '#414487', 0.4 '#2a788e', 0.6 '#22a884', 0.8 '#7ad151', 1 '#d2ce1b')\n",
        p->out);
  fprintf(p->out, "set cbrange [%.8g:%.8g]\n", first, last > first ? last : first + 1);
  if (f->count <= KEY_MOST && f->count * KEY_ROW <= high)
    fprintf(p->out, "unset colorbox\nset key at screen %.4f, graph 1 left top\n", 1 - (RIGHT - 20.0) / WIDTH);
  else {
    fprintf(p->out,
            "unset key\nset colorbox user origin screen %.4f, graph 0.1 size screen 0.018, graph 0.8\nset cblabel ",
            1 - (RIGHT - 40.0) / WIDTH);
    snprintf(axis, sizeof axis, "%s%s", results_axis(p->run[0]), is_in_time(p) ? " [s]" : "");
    script_text(p, axis);
    fputc('\n', p->out);
  }
  if (is_in_time(p)) return;
  fputs("set key title ", p->out);
  script_text(p, results_axis(p->run[0]));
  fputs(" left\n", p->out);
}

// Joints behind all, thin and grey; the rest in the colour of its time.
static void draw_cells(const Plot *p, const Shapes *f, bool (*has)[SORTS]) {
  static const char *const style[SORTS] = {"lines lc rgb '#b0b0b0' lw 1.2", "lines lw 1", "lines lw 2.5", ""};
  int n = 0;
  fputs("plot ", p->out);
  for (int sort = 0; sort < SORTS; sort++)
    for (int k = 0; k < f->count; k++) {
      double t = f->time[f->snapshot[k]];
      if (!has[k][sort]) continue;
      fprintf(p->out, "%s$%s%d with %s", n++ ? ", \\\n     " : "", sorts[sort], k, style[sort]);
      if (sort == POINTS) script_dots(p, 1.2);
      if (sort != JOINTS) fprintf(p->out, " lc palette cb %.8g", t);
      bool first = sort == EDGES || (sort == LINES && !has[k][EDGES]);
      if (first || (sort == POINTS && !has[k][LINES] && !has[k][EDGES]))
        fprintf(p->out, is_in_time(p) ? " title '%.4g s'" : " title '%.4g'", t);
      else fputs(" notitle", p->out);
    }
  fputc('\n', p->out);
}

static void draw_shapes(Plot *p, const Shapes *f) {
  double range[2][2] = {{NAN, NAN}, {NAN, NAN}};
  bool has[MAX_SHAPES][SORTS];
  for (int k = 0; k < f->count; k++)
    for (int i = 0; i < f->shape[k].points; i++)
      for (int d = 0; d < 2; d++) range_extend(range[d], f->shape[k].at[i][f->axis[d]]);
  double high = equal_scales(p, range[0], range[1], WIDTH - LEFT - RIGHT);
  script_begin(p, WIDTH, (int)(high + 0.5) + TOP + BOTTOM);
  for (int k = 0; k < f->count; k++)
    for (int sort = 0; sort < SORTS; sort++) has[k][sort] = print_cells(p, f, k, sort);
  script_frame(p, LEFT, WIDTH - RIGHT, BOTTOM, BOTTOM + high);
  fputs("set size ratio -1\n", p->out);
  script_title(p, LEFT, WIDTH - RIGHT);
  for (int d = 0; d < 2; d++) {
    script_axis(p, d ? 'y' : 'x', (const char *[]){"x", "y", "z"}[f->axis[d]], "m");
    script_range(p, d ? 'y' : 'x', range[d][0], range[d][1]);
  }
  draw_legend(p, f, high);
  draw_cells(p, f, has);
}

ExitCode plot_shape(Plot *p) {
  Shapes *f = calloc(1, sizeof *f);
  Results *r = p->run[0];
  ExitCode code = EXIT_MISTAKE;
  if (!f) return print_command_error(plot_name, "there is not enough memory"), EXIT_MACHINE;
  int n = results_snapshots(r, &f->time);
  bool good = n > 0 && read_times(p, f, n);
  if (!n)
    print_command_error(
        plot_name,
        "%s holds no snapshots, from which shapes are drawn; `snapshots` in the model's part `run` asks for them",
        results_path(r));
  for (int k = 0; good && k < f->count; k++)
    if (!(good = results_snapshot_geometry(r, f->snapshot[k], &f->shape[k])))
      print_command_error(plot_name, "'%s' is damaged: its snapshots cannot be read", results_path(r));
  if (good && read_plane(p, f)) draw_shapes(p, f), code = EXIT_GOOD;
  for (int k = 0; k < f->count; k++) snapshot_geometry_free(&f->shape[k]);
  free(f);
  return code;
}
