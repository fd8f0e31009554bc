// SPDX-License-Identifier: Apache-2.0
// Blades, towers and shafts of WindIO: a wind turbine as YAML, `components.blade` or another part.
//   version 2: reference_axis, outer_shape.twist (degrees), structure.elastic_properties with one list for each entry of
//              the matrices, K11 to K66, mass, cm_x, cm_y, i_edge, i_flap, i_plr, i_cp; missing ones are 0
//   version 1: elastic_properties_mb.six_x_six with reference_axis, twist (radians), stiff_matrix and inertia_matrix, 21
//              numbers a station, row by row of the upper triangle
//   both:      what a part lacks of stiffness and inertia is that of a tube, if it has an outer diameter and walls of
//              isotropic materials: outer_shape.outer_diameter, structure.layers with material and thickness, materials;
//              in version 1 outer_shape_bem and internal_structure_2d_fem
//   polars:    airfoils.polars, the first configuration: c_l, c_d, c_m over radians (version 1), re_sets with cl, cd, cm
//              over degrees (version 2); each on a grid of its own
//   pictures:  chord, airfoils along the span (version 1: airfoil_position) with coordinates or relative_thickness,
//              rthick without airfoils, section_offset_y and _x (version 1: pitch_axis, a part of the chord)
// Axes and orders are those of BeamDyn, also where the description of version 2 says otherwise. Grids are parts of the
// arc length of the axis; between their points values are straight.
#include "input/blades/polar.h"
#include "input/yaml/tree.h"
#include "mechanics/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WALLS = 8, ENTRIES = 21 };

typedef struct {
  Blade *b;
  const Tree *file;
  const char *text;
  ImportMistake *mistake;
  bool good;
} WindIO;

typedef struct { // of values along the axis
  int count;
  const double *grid, *value; // `width` values a point
  int width;
} Along;

typedef struct { // walls inwards from an outer diameter
  int walls;     // 0: there are none
  const Tree *at;
  Along diameter, wall[MOST_WALLS];
  LimberMaterial material[MOST_WALLS];
  double outfitting; // by which the mass is larger than that of the walls
} Pipe;

static int line_of(const WindIO *w, const Tree *at) {
  int line = 1;
  for (size_t i = 0; i < at->at.begin; i++) line += w->text[i] == '\n';
  return line;
}

static void report_first_mistake(WindIO *w, const Tree *at, const char *what, const char *name) {
  if (!w->good) return;
  w->good = false, w->mistake->line = line_of(w, at);
  snprintf(w->mistake->text, sizeof w->mistake->text, "'%s' %s", name, what);
}

static const Tree *find_entry(const Tree *t, const char *key) {
  return t && t->kind == TREE_MAP ? tree_find(t, key) : NULL;
}

// The entry at a path such as "structure.elastic_properties"; NULL: there is none.
static const Tree *find_path(const Tree *t, const char *path) {
  char key[64];
  while (t && *path) {
    size_t n = strcspn(path, ".");
    snprintf(key, sizeof key, "%.*s", (int)n, path);
    t = find_entry(t, key);
    path += n + (path[n] == '.');
  }
  return t;
}

static Error ReadNumbers(WindIO *w, const Tree *list, const char *name, double *out) {
  for (int i = 0; i < list->count && w->good; i++) {
    const Tree *word = list->entry[i];
    char *end = NULL;
    out[i] = word->kind == TREE_WORD ? strtod(word->text, &end) : NAN;
    if (!end || end == word->text || *end || !isfinite(out[i]))
      report_first_mistake(w, word, "contains an entry that is not a number", name);
  }
  return 0;
}

// {grid: [...], NAME: [...]}; a list of lists has `width` numbers in each.
static Error ReadAlong(WindIO *w, const Tree *map, const char *name, int width, Along *out) {
  const Tree *grid = find_entry(map, "grid"), *value = find_entry(map, name);
  double *x, *y;
  *out = (Along){0};
  if (!w->good || !value) return 0;
  if (!grid || grid->kind != TREE_LIST || value->kind != TREE_LIST || grid->count != value->count || grid->count < 2) {
    report_first_mistake(w, value, "and 'grid' must be lists of the same length", name);
    return 0;
  }
  int n = grid->count;
  TRY(StoreAllocate(w->b->store, (size_t)n * sizeof *x, &x));
  TRY(StoreAllocate(w->b->store, (size_t)n * (size_t)width * sizeof *y, &y));
  TRY(ReadNumbers(w, grid, "grid", x));
  if (width == 1) TRY(ReadNumbers(w, value, name, y));
  for (int i = 0; width > 1 && i < n && w->good; i++) {
    if (value->entry[i]->kind != TREE_LIST || value->entry[i]->count != width)
      report_first_mistake(w, value->entry[i], "needs 21 numbers at each station", name);
    else TRY(ReadNumbers(w, value->entry[i], name, y + i * width));
  }
  for (int i = 1; i < n && w->good; i++)
    if (!(x[i - 1] < x[i])) report_first_mistake(w, grid->entry[i], "must increase", "grid");
  *out = (Along){n, x, y, width};
  return 0;
}

static double along_at(const Along *a, double x, int k) {
  int i = 0;
  if (a->count == 0) return 0;
  while (i + 2 < a->count && a->grid[i + 1] < x) i++;
  double t = (x - a->grid[i]) / (a->grid[i + 1] - a->grid[i]);
  t = fmin(1, fmax(0, t));
  if (t == 0) return a->value[i * a->width + k];
  return t == 1 ? a->value[(i + 1) * a->width + k]
                : (1 - t) * a->value[i * a->width + k] + t * a->value[(i + 1) * a->width + k];
}

// ---- the axis ----

static Error ReadAxis(WindIO *w, const Tree *axis, const Tree *twist, double unit) {
  static const char *const names[] = {"x", "y", "z"};
  Along x[3], angle;
  for (int k = 0; k < 3; k++) TRY(ReadAlong(w, find_entry(axis, names[k]), "values", 1, &x[k]));
  TRY(ReadAlong(w, twist, "values", 1, &angle));
  if (w->good && !x[2].count) report_first_mistake(w, axis, "has no z", "reference_axis");
  TRY(BladeAllocatePoints(w->b, w->good ? x[2].count : 0));
  int line = line_of(w, axis);
  for (int i = 0; i < w->b->points; i++) {
    BladePoint *p = &w->b->point[i];
    for (int k = 0; k < 3; k++) p->at[k] = along_at(&x[k], x[2].grid[i], 0);
    p->line = line;
    p->twist = unit * along_at(&angle, x[2].grid[i], 0);
  }
  return 0;
}

// ---- the sections ----

// Both grids in one; `out` has room for both.
static int unite_grids(const Along *a, const Along *b, double *out) {
  int n = 0, i = 0, j = 0;
  while (i < a->count || j < b->count) {
    double x = j >= b->count || (i < a->count && a->grid[i] <= b->grid[j]) ? a->grid[i] : b->grid[j];
    while (i < a->count && a->grid[i] <= x) i++;
    while (j < b->count && b->grid[j] <= x) j++;
    out[n++] = x;
  }
  return n;
}

static void fill_symmetric(double m[6][6], int i, int j, double value) { m[i][j] = m[j][i] = value; }

static Error AddSections(WindIO *w, const Tree *at, const Along *stiffness, const Along *inertia, const Along *chord) {
  double *grid;
  int line = line_of(w, at);
  TRY(StoreAllocate(w->b->store, (size_t)(stiffness->count + inertia->count) * sizeof *grid, &grid));
  TRY(BladeAllocateSections(w->b, unite_grids(stiffness, inertia, grid)));
  if (chord->count) TRY(StoreAllocate(w->b->store, (size_t)w->b->sections * sizeof *w->b->chord, &w->b->chord));
  for (int s = 0; s < w->b->sections; s++) {
    double k[6][6], m[6][6];
    for (int i = 0, n = 0; i < 6; i++)
      for (int j = i; j < 6; j++, n++) {
        fill_symmetric(k, i, j, along_at(stiffness, grid[s], n));
        fill_symmetric(m, i, j, along_at(inertia, grid[s], n));
      }
    blade_section(w->b, s, grid[s], k, m);
    w->b->line[s] = line;
    if (chord->count) w->b->chord[s] = along_at(chord, grid[s], 0);
  }
  return 0;
}

// ---- walls ----

static bool read_constant(const Tree *map, const char *name, double *out) {
  const Tree *word = find_entry(map, name);
  char *end = NULL;
  if (word && word->kind == TREE_WORD) *out = strtod(word->text, &end);
  return end && end != word->text && !*end && isfinite(*out);
}

static void read_material(WindIO *w, const Tree *name, LimberMaterial *out) {
  const Tree *list = find_entry(w->file, "materials"), *found = NULL;
  *out = (LimberMaterial){0};
  for (int i = 0; list && list->kind == TREE_LIST && name->kind == TREE_WORD && i < list->count && !found; i++) {
    const Tree *word = find_entry(list->entry[i], "name");
    if (word && word->kind == TREE_WORD && !strcmp(word->text, name->text)) found = list->entry[i];
  }
  if (!found)
    report_first_mistake(w, name, "is not among the file's materials",
                         name->kind == TREE_WORD ? name->text : "material");
  else if (!read_constant(found, "E", &out->E) || !read_constant(found, "rho", &out->density) ||
           !(read_constant(found, "G", &out->G) || read_constant(found, "nu", &out->nu)))
    report_first_mistake(
        w, found, "has no constants E, G or nu, and rho of an isotropic material, which its wall needs", name->text);
}

static Error ReadPipe(WindIO *w, const Tree *part, Pipe *out) {
  const Tree *diameter = find_path(part, "outer_shape.outer_diameter"), *structure = find_entry(part, "structure");
  *out = (Pipe){.outfitting = 1};
  if (!diameter) diameter = find_path(part, "outer_shape_bem.outer_diameter");
  if (!structure) structure = find_entry(part, "internal_structure_2d_fem");
  const Tree *layers = find_entry(structure, "layers");
  if (!diameter || !layers || layers->kind != TREE_LIST) return 0;
  if (layers->count > MOST_WALLS) report_first_mistake(w, layers, "are more than 8", "layers");
  out->at = layers;
  TRY(ReadAlong(w, diameter, "values", 1, &out->diameter));
  for (int i = 0; i < layers->count && w->good; i++) {
    const Tree *material = find_entry(layers->entry[i], "material");
    TRY(ReadAlong(w, find_entry(layers->entry[i], "thickness"), "values", 1, &out->wall[i]));
    if (!material) report_first_mistake(w, layers->entry[i], "is missing", "material");
    else read_material(w, material, &out->material[i]);
    if (w->good && !out->wall[i].count) report_first_mistake(w, layers->entry[i], "is missing", "thickness");
  }
  read_constant(structure, "outfitting_factor", &out->outfitting);
  out->walls = w->good && out->diameter.count ? layers->count : 0;
  return 0;
}

// Entries of stiffness and inertia in the order of the file.
static void pipe_at(WindIO *w, const Pipe *pipe, double x, double k[ENTRIES], double m[ENTRIES]) {
  static const int row[6] = {1, 2, 0, 4, 5, 3};
  double diameter = along_at(&pipe->diameter, x, 0), mass = 0;
  LimberSection sum = {0}, one = {0};
  char what[200];
  const ShapeKind *const *kind = shape_kinds;
  while (strcmp((*kind)->name, "tube") != 0) kind++;
  for (int i = 0; i < pipe->walls && w->good; i++) {
    const LimberTube tube = {diameter, along_at(&pipe->wall[i], x, 0)};
    const char *wrong = section_of_shape(*kind, &tube, &pipe->material[i], NULL, NULL, &one).text;
    if (wrong)
      snprintf(what, sizeof what, "have no tube: %s", wrong), report_first_mistake(w, pipe->at, what, "layers");
    for (int a = 0; a < 6; a++) sum.stiffness[a][a] += one.stiffness[a][a];
    for (int a = 0; a < 3; a++) sum.inertia[a][a] += one.inertia[a][a];
    mass += one.mass, diameter -= 2 * tube.thickness;
  }
  for (int i = 0, n = 0; i < 6; i++)
    for (int j = i; j < 6; j++, n++) {
      k[n] = i == j ? sum.stiffness[row[i]][row[i]] : 0;
      m[n] = pipe->outfitting * (i != j ? 0 : i < 3 ? mass : sum.inertia[row[i] - 3][row[i] - 3]);
    }
}

static bool is_missing(const Along *a, int n) {
  for (int s = 0; s < a->count; s++)
    if (a->value[s * a->width + n] != 0) return false;
  return true;
}

// Fills entries of the diagonals that are nowhere in the file; inertia goes with the mass that the file has.
static Error FillFromPipe(WindIO *w, const Pipe *pipe, Along *stiffness, Along *inertia) {
  static const int diagonal[6] = {0, 6, 11, 15, 18, 20};
  Along *both[2] = {stiffness, inertia};
  char filled[2][60] = {"", ""};
  if (!pipe->walls) return 0;
  for (int which = 0; which < 2; which++) {
    Along *a = both[which], whole = a->count ? *a : (Along){pipe->diameter.count, pipe->diameter.grid, NULL, ENTRIES};
    double *value, entry[2][ENTRIES];
    bool missing[6];
    TRY(StoreAllocate(w->b->store, (size_t)whole.count * ENTRIES * sizeof *value, &value));
    if (a->count) memcpy(value, a->value, (size_t)whole.count * ENTRIES * sizeof *value);
    for (int i = 0; i < 6; i++) {
      size_t used = strlen(filled[which]);
      if ((missing[i] = is_missing(a, diagonal[i])))
        snprintf(filled[which] + used, sizeof filled[which] - used, "%s%c%d%d", used ? ", " : "", which ? 'M' : 'K',
                 i + 1, i + 1);
    }
    for (int s = 0; s < whole.count; s++) {
      pipe_at(w, pipe, whole.grid[s], entry[0], entry[1]);
      double *v = value + s * ENTRIES, scale = which && !missing[0] && entry[1][0] > 0 ? v[0] / entry[1][0] : 1;
      for (int i = 0; i < 6; i++)
        if (missing[i]) v[diagonal[i]] = scale * entry[which][diagonal[i]];
    }
    whole.value = value, *a = whole;
  }
  if (*filled[0] || *filled[1])
    snprintf(w->b->remark, sizeof w->b->remark,
             "%s%s%s of the matrices are not in the file: they are those of a tube with its outer diameter, walls and "
             "materials.",
             filled[0], *filled[0] && *filled[1] ? ", " : "", filled[1]);
  return 0;
}

// ---- shapes for pictures; an airfoil that cannot be read is no mistake ----

enum { MOST_AIRFOILS = 100, MOST_COORDINATES = 2000 };

typedef struct {
  int count;
  double at[MOST_AIRFOILS]; // along the span
  Airfoil airfoil[MOST_AIRFOILS];
} Airfoils;

static bool read_coordinates(const Tree *list, double *out) {
  if (!list || list->kind != TREE_LIST || list->count > MOST_COORDINATES) return false;
  for (int i = 0; i < list->count; i++) {
    const Tree *word = list->entry[i];
    char *end = NULL;
    out[i] = word->kind == TREE_WORD ? strtod(word->text, &end) : NAN;
    if (!end || *end || !isfinite(out[i])) return false;
  }
  return true;
}

static const Tree *find_airfoil(const WindIO *w, const char *name) {
  const Tree *list = find_entry(w->file, "airfoils");
  for (int i = 0; list && list->kind == TREE_LIST && i < list->count; i++) {
    const Tree *word = find_entry(list->entry[i], "name");
    if (word && word->kind == TREE_WORD && !strcmp(word->text, name)) return list->entry[i];
  }
  return NULL;
}

static bool read_airfoil(const WindIO *w, const Tree *name, Airfoil *out) {
  const Tree *list = find_entry(w->file, "airfoils");
  double x[MOST_COORDINATES], y[MOST_COORDINATES], thickness;
  if (!name || name->kind != TREE_WORD || !list || list->kind != TREE_LIST || list->count > MOST_AIRFOILS) return false;
  const Tree *found = find_airfoil(w, name->text);
  const Tree *xs = find_path(found, "coordinates.x"), *ys = find_path(found, "coordinates.y");
  if (read_coordinates(xs, x) && read_coordinates(ys, y) && xs->count == ys->count)
    return airfoil_of_points(xs->count, x, y, out);
  if (!read_constant(found, "relative_thickness", &thickness)) return false;
  airfoil_of_thickness(thickness, out);
  return true;
}

static bool add_airfoil(const WindIO *w, const Tree *name, double at, Airfoils *out) {
  if (out->count == MOST_AIRFOILS || (out->count && !(out->at[out->count - 1] < at))) return false;
  out->at[out->count] = at;
  return read_airfoil(w, name, &out->airfoil[out->count++]);
}

// Those of either version, or of relative thicknesses; false: the outline is not known everywhere.
static bool read_airfoils(const WindIO *w, const Tree *shape, const Along *thickness, Airfoils *out) {
  const Tree *list = find_entry(shape, "airfoils"), *grid = find_path(shape, "airfoil_position.grid"),
             *labels = find_path(shape, "airfoil_position.labels");
  double at[MOST_COORDINATES];
  bool good = true;
  out->count = 0;
  if (labels && labels->kind == TREE_LIST && read_coordinates(grid, at) && grid->count == labels->count)
    for (int i = 0; i < labels->count && good; i++) good = add_airfoil(w, labels->entry[i], at[i], out);
  for (int i = 0; list && list->kind == TREE_LIST && i < list->count && good; i++)
    good = read_constant(list->entry[i], "spanwise_position", at) &&
           add_airfoil(w, find_entry(list->entry[i], "name"), at[0], out);
  if (good && out->count) return true;
  for (out->count = 0; out->count < thickness->count && out->count < MOST_AIRFOILS; out->count++) {
    out->at[out->count] = thickness->grid[out->count];
    airfoil_of_thickness(thickness->value[out->count], &out->airfoil[out->count]);
  }
  return thickness->count > 0;
}

static void airfoil_at(const Airfoils *a, double at, Airfoil *out) {
  int i = 0;
  while (i + 2 < a->count && a->at[i + 1] < at) i++;
  const Airfoil *p = &a->airfoil[i], *q = &a->airfoil[i + 1 < a->count ? i + 1 : i];
  double t = a->count > 1 ? fmin(1, fmax(0, (at - a->at[i]) / (a->at[i + 1] - a->at[i]))) : 0;
  for (int k = 0; k < AIRFOIL_CORNERS; k++) out->height[k] = (1 - t) * p->height[k] + t * q->height[k];
}

static Error AddShapes(WindIO *w, const Tree *shape, const Along *chord, const Pipe *pipe) {
  Along pitch, offset[2], thickness;
  Airfoils *airfoils;
  TRY(ReadAlong(w, find_entry(shape, "pitch_axis"), "values", 1, &pitch));
  TRY(ReadAlong(w, find_entry(shape, "section_offset_y"), "values", 1, &offset[0]));
  TRY(ReadAlong(w, find_entry(shape, "section_offset_x"), "values", 1, &offset[1]));
  TRY(ReadAlong(w, find_entry(shape, "rthick"), "values", 1, &thickness));
  TRY(StoreAllocate(w->b->store, sizeof *airfoils, &airfoils));
  bool known = w->good && chord->count && read_airfoils(w, shape, &thickness, airfoils), tube = pipe && pipe->walls;
  if (!known && !tube) return 0;
  TRY(StoreAllocate(w->b->store, (size_t)w->b->sections * sizeof *w->b->shape, &w->b->shape));
  for (int s = 0; s < w->b->sections; s++) {
    BladeShape *q = &w->b->shape[s];
    double at = w->b->section[s].at;
    for (int i = 0; tube && i < pipe->walls; i++) q->wall += along_at(&pipe->wall[i], at, 0);
    if (tube) q->diameter = along_at(&pipe->diameter, at, 0);
    if (!known) continue;
    q->chord = along_at(chord, at, 0), q->above = along_at(&offset[1], at, 0);
    q->axis = offset[0].count ? along_at(&offset[0], at, 0) : q->chord * along_at(&pitch, at, 0);
    airfoil_at(airfoils, at, &q->airfoil);
  }
  return 0;
}

// ---- the matrices of version 2 ----

// A list for each entry: gathers them as rows of 21.
static Error GatherStiffness(WindIO *w, const Tree *map, Along *out) {
  Along entry;
  double *all = NULL;
  *out = (Along){0};
  for (int i = 0, n = 0; i < 6 && w->good; i++)
    for (int j = i; j < 6 && w->good; j++, n++) {
      char name[4] = {'K', (char)('1' + i), (char)('1' + j), 0};
      TRY(ReadAlong(w, map, name, 1, &entry));
      if (!entry.count) continue;
      if (!all) TRY(StoreAllocate(w->b->store, (size_t)entry.count * 21 * sizeof *all, &all));
      *out = (Along){entry.count, entry.grid, all, 21};
      for (int s = 0; s < entry.count; s++) all[21 * s + n] = entry.value[s];
    }
  return 0;
}

static Error GatherInertia(WindIO *w, const Tree *map, Along *out) {
  enum { MASS, X, Y, EDGE, FLAP, POLAR, PRODUCT, LISTS };
  static const char *const names[] = {"mass", "cm_x", "cm_y", "i_edge", "i_flap", "i_plr", "i_cp"};
  Along entry[LISTS];
  double *all;
  *out = (Along){0};
  for (int i = 0; i < LISTS; i++) TRY(ReadAlong(w, map, names[i], 1, &entry[i]));
  if (!w->good || !entry[MASS].count) return 0;
  TRY(StoreAllocate(w->b->store, (size_t)entry[MASS].count * 21 * sizeof *all, &all));
  *out = (Along){entry[MASS].count, entry[MASS].grid, all, 21};
  for (int s = 0; s < out->count; s++) {
    double v[LISTS], m[6][6] = {{0}}, mass = entry[MASS].value[s];
    for (int i = 0; i < LISTS; i++) v[i] = entry[i].count ? entry[i].value[s] : 0;
    for (int i = 0; i < 3; i++) m[i][i] = mass;
    m[0][5] = -mass * v[Y], m[1][5] = mass * v[X], m[2][3] = mass * v[Y], m[2][4] = -mass * v[X];
    m[3][3] = v[EDGE], m[3][4] = -v[PRODUCT], m[4][4] = v[FLAP], m[5][5] = v[POLAR];
    for (int i = 0, n = 0; i < 6; i++)
      for (int j = i; j < 6; j++, n++) all[21 * s + n] = m[i][j];
  }
  return 0;
}

// ---- the two versions ----

static Error ReadVersion2(WindIO *w, const Tree *part, const Tree *elastic) {
  static const int order[6] = {2, 0, 1, 5, 3, 4};
  Along stiffness, inertia, chord;
  Pipe pipe;
  double mu[6] = {0};
  const Tree *damping = find_path(elastic, "structural_damping.mu"), *axis = find_entry(part, "reference_axis");
  if (!axis) report_first_mistake(w, part, "is missing", "reference_axis");
  if (!w->good) return 0;
  TRY(ReadAxis(w, axis, find_path(part, "outer_shape.twist"), acos(-1) / 180));
  TRY(GatherStiffness(w, find_entry(elastic, "stiffness_matrix"), &stiffness));
  TRY(GatherInertia(w, find_entry(elastic, "inertia_matrix"), &inertia));
  TRY(ReadAlong(w, find_path(part, "outer_shape.chord"), "values", 1, &chord));
  TRY(ReadPipe(w, part, &pipe));
  if (w->good) TRY(FillFromPipe(w, &pipe, &stiffness, &inertia));
  if (w->good && !stiffness.count) report_first_mistake(w, elastic, "is missing", "stiffness_matrix");
  if (w->good && !inertia.count) report_first_mistake(w, elastic, "is missing", "inertia_matrix");
  if (damping && damping->kind == TREE_LIST && damping->count == 6) TRY(ReadNumbers(w, damping, "mu", mu));
  for (int i = 0; i < 6; i++) w->b->damping[i] = mu[order[i]];
  if (w->good) TRY(AddSections(w, elastic, &stiffness, &inertia, &chord));
  if (w->good) TRY(AddShapes(w, find_entry(part, "outer_shape"), &chord, &pipe));
  return 0;
}

static Error ReadVersion1(WindIO *w, const Tree *part, const Tree *elastic) {
  Along stiffness, inertia, chord;
  const Tree *axis = find_entry(elastic, "reference_axis");
  if (!axis) report_first_mistake(w, elastic, "is missing", "reference_axis");
  if (!w->good) return 0;
  TRY(ReadAxis(w, axis, find_entry(elastic, "twist"), 1));
  TRY(ReadAlong(w, find_entry(elastic, "stiff_matrix"), "values", 21, &stiffness));
  TRY(ReadAlong(w, find_entry(elastic, "inertia_matrix"), "values", 21, &inertia));
  TRY(ReadAlong(w, find_path(part, "outer_shape_bem.chord"), "values", 1, &chord));
  if (w->good && !stiffness.count) report_first_mistake(w, elastic, "is missing", "stiff_matrix");
  if (w->good && !inertia.count) report_first_mistake(w, elastic, "is missing", "inertia_matrix");
  if (w->good) TRY(AddSections(w, elastic, &stiffness, &inertia, &chord));
  if (w->good) TRY(AddShapes(w, find_entry(part, "outer_shape_bem"), &chord, NULL));
  return 0;
}

// A part with walls and without matrices.
static Error ReadWalls(WindIO *w, const Tree *part, const char *name) {
  const Tree *axis = find_entry(part, "reference_axis");
  Along stiffness = {0}, inertia = {0}, chord = {0};
  Pipe pipe;
  if (!axis) axis = find_path(part, "outer_shape_bem.reference_axis");
  TRY(ReadPipe(w, part, &pipe));
  if (!w->good) return 0;
  if (!pipe.walls || !axis) {
    report_first_mistake(
        w, part,
        "has no 6x6 matrices: neither structure.elastic_properties nor elastic_properties_mb.six_x_six, nor an outer "
        "diameter with layers",
        name);
    return 0;
  }
  TRY(ReadAxis(w, axis, NULL, 1));
  TRY(FillFromPipe(w, &pipe, &stiffness, &inertia));
  if (w->good) TRY(AddSections(w, part, &stiffness, &inertia, &chord));
  if (w->good) TRY(AddShapes(w, NULL, &chord, &pipe));
  return 0;
}

// ---- polars ----

// The three coefficients on one grid. Angles that are equal but for round-off are one.
static Error UnitePolar(WindIO *w, const Along c[3], double unit, PolarRows *out) {
  double *some, *all, *row;
  size_t most = (size_t)c[0].count + (size_t)c[1].count + (size_t)c[2].count;
  TRY(StoreAllocate(w->b->store, most * sizeof *some, &some));
  TRY(StoreAllocate(w->b->store, most * sizeof *all, &all));
  TRY(StoreAllocate(w->b->store, 4 * most * sizeof *row, &row));
  const Along two = {unite_grids(&c[0], &c[1], some), some, NULL, 1};
  int n = unite_grids(&two, &c[2], all);
  *out = (PolarRows){row, 0};
  for (int i = 0; i < n; i++) {
    double *to = row + 4 * out->rows;
    to[0] = unit * all[i];
    for (int k = 0; k < 3; k++) to[1 + k] = along_at(&c[k], all[i], 0);
    if (!out->rows || to[0] > to[-4] + 1e-12) out->rows++;
  }
  return 0;
}

Error PolarReadWindio(const BladeText *text, Store *store, const char *airfoil, int number, PolarRows *out) {
  static const char *const names[2][3] = {{"c_l", "c_d", "c_m"}, {"cl", "cd", "cm"}};
  Blade b = {.store = store};
  WindIO w = {&b, NULL, text->text, text->mistake, true};
  Along c[3];
  Tree *file;
  *out = (PolarRows){NULL, 0};
  text->mistake->file = text->path, text->mistake->line = 1;
  int errors = text->diagnostics->errors;
  TRY(TreeRead(store, text->diagnostics, text->all, text->count, &file));
  if (!file && text->diagnostics->errors == errors)
    snprintf(text->mistake->text, sizeof text->mistake->text, "the file is empty");
  if (!file) return 0; // which has been noted
  w.file = file;
  const Tree *found = find_airfoil(&w, airfoil), *list = find_entry(found, "polars");
  if (!found) {
    snprintf(text->mistake->text, sizeof text->mistake->text, "there is no airfoil '%.100s'", airfoil);
    return 0;
  }
  text->mistake->line = line_of(&w, found);
  const Tree *first = list && list->kind == TREE_LIST && list->count ? list->entry[0] : NULL;
  const Tree *sets = find_entry(first, "re_sets");
  bool second = sets && sets->kind == TREE_LIST;
  polar_choose(text->mistake, second ? sets->count : list && list->kind == TREE_LIST ? list->count : 0, &number);
  if (!number) return 0;
  const Tree *set = second ? sets->entry[number - 1] : list->entry[number - 1];
  for (int k = 0; k < 3; k++) {
    const Tree *map = find_entry(set, names[second][k]);
    TRY(ReadAlong(&w, map, "values", 1, &c[k]));
    if (w.good && !c[k].count) report_first_mistake(&w, set, "is missing", names[second][k]);
  }
  double unit = second ? acos(-1) / 180 : 1;
  for (int k = 0; k < 3 && w.good; k++)
    if (!(unit * fmax(fabs(c[k].grid[0]), fabs(c[k].grid[c[k].count - 1])) < 6.2833))
      report_first_mistake(&w, set, "has angles beyond 360 degrees", names[second][k]);
  if (w.good) TRY(UnitePolar(&w, c, unit, out));
  return 0;
}

// ---- the file ----

static Error ReadFile(const BladeText *text, Blade *b) {
  WindIO w = {b, NULL, text->text, text->mistake, true};
  const char *name = text->part ? text->part : "blade";
  char path[200];
  Tree *file;
  TRY(TreeRead(b->store, text->diagnostics, text->all, text->count, &file));
  if (!file) return 0; // which has been noted
  w.file = file;
  snprintf(path, sizeof path, "components.%s", name);
  const Tree *part = find_path(file, path);
  if (!part) {
    w.mistake->line = 1;
    snprintf(w.mistake->text, sizeof w.mistake->text, "there is no component '%s'", name);
    return 0;
  }
  const Tree *second = find_path(part, "structure.elastic_properties"), *own = find_entry(part, "elastic_properties");
  const Tree *first = find_path(part, "elastic_properties_mb.six_x_six");
  if (second || own) TRY(ReadVersion2(&w, part, second ? second : own));
  else if (first) TRY(ReadVersion1(&w, part, first));
  else TRY(ReadWalls(&w, part, name));
  return 0;
}

static bool recognises(const char *first, size_t length) {
  static const char *const keys[] = {"windIO_version", "components"}; // at the start of a line
  for (size_t i = 0; i < length; i++)
    for (int k = 0; k < 2 && (i == 0 || first[i - 1] == '\n'); k++) {
      size_t n = strlen(keys[k]), at = i + n;
      if (at >= length || memcmp(first + i, keys[k], n) != 0) continue;
      while (at + 1 < length && first[at] == ' ') at++;
      if (first[at] == ':') return true;
    }
  return false;
}

const BladeFormat blade_windio = {.name = "windio", .program = "WindIO", .recognises = recognises, .read = ReadFile};
