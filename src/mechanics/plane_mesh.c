// SPDX-License-Identifier: Apache-2.0
#include "mechanics/plane_mesh.h"

#include <math.h>
#include <string.h>

// ---- shape functions: values, derivatives by a and by b ----

typedef struct {
  double n[PLANE_MOST_NODES], a[PLANE_MOST_NODES], b[PLANE_MOST_NODES];
} Shapes;

static void triangle_shapes(double a, double b, bool quadratic, Shapes *s) {
  static const double da[3] = {-1, 1, 0}, db[3] = {-1, 0, 1};
  double l[3] = {1 - a - b, a, b};
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3;
    s->n[i] = quadratic ? l[i] * (2 * l[i] - 1) : l[i];
    s->a[i] = (quadratic ? 4 * l[i] - 1 : 1) * da[i], s->b[i] = (quadratic ? 4 * l[i] - 1 : 1) * db[i];
    if (!quadratic) continue;
    s->n[3 + i] = 4 * l[i] * l[j];
    s->a[3 + i] = 4 * (da[i] * l[j] + l[i] * da[j]), s->b[3 + i] = 4 * (db[i] * l[j] + l[i] * db[j]);
  }
}

static const double unit_corner[9][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}, {0, 0}};

static void bilinear_shapes(double a, double b, Shapes *s) {
  for (int i = 0; i < 4; i++) {
    double x = unit_corner[i][0], y = unit_corner[i][1];
    s->n[i] = 0.25 * (1 + x * a) * (1 + y * b);
    s->a[i] = 0.25 * x * (1 + y * b), s->b[i] = 0.25 * y * (1 + x * a);
  }
}

// Eight nodes on the edges.
static void serendipity_shapes(double a, double b, Shapes *s) {
  for (int i = 0; i < 8; i++) {
    double x = unit_corner[i][0], y = unit_corner[i][1], u = 1 + x * a, v = 1 + y * b;
    if (i < 4) {
      s->n[i] = 0.25 * u * v * (x * a + y * b - 1);
      s->a[i] = 0.25 * x * v * (2 * x * a + y * b), s->b[i] = 0.25 * y * u * (x * a + 2 * y * b);
    } else if (x == 0) s->n[i] = 0.5 * (1 - a * a) * v, s->a[i] = -a * v, s->b[i] = 0.5 * (1 - a * a) * y;
    else s->n[i] = 0.5 * (1 - b * b) * u, s->a[i] = 0.5 * (1 - b * b) * x, s->b[i] = -b * u;
  }
}

static double parabola_at(double at, double x, double *slope) { // 1 at the node `at`, 0 at the others of -1, 0, 1
  *slope = at == 0 ? -2 * x : x + 0.5 * at;
  return at == 0 ? 1 - x * x : 0.5 * x * (x + at);
}

static void biquadratic_shapes(double a, double b, Shapes *s) {
  for (int i = 0; i < 9; i++) {
    double da, db, u = parabola_at(unit_corner[i][0], a, &da), v = parabola_at(unit_corner[i][1], b, &db);
    s->n[i] = u * v, s->a[i] = da * v, s->b[i] = u * db;
  }
}

void plane_at(const PlaneMesh *m, int cell, double a, double b, PlanePoint *out) {
  const PlaneCell *c = &m->cell[cell];
  Shapes s;
  double j[2][2] = {{0, 0}, {0, 0}}; // by a, by b of y, z
  if (c->nodes == 3 || c->nodes == 6) triangle_shapes(a, b, c->nodes == 6, &s);
  else if (c->nodes == 4) bilinear_shapes(a, b, &s);
  else if (c->nodes == 8) serendipity_shapes(a, b, &s);
  else biquadratic_shapes(a, b, &s);
  out->y = out->z = 0;
  for (int i = 0; i < c->nodes; i++) {
    const double *x = m->at[c->node[i]];
    out->y += s.n[i] * x[0], out->z += s.n[i] * x[1];
    for (int k = 0; k < 2; k++) j[0][k] += s.a[i] * x[k], j[1][k] += s.b[i] * x[k];
  }
  double det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
  out->weight = det;
  for (int i = 0; i < c->nodes; i++) {
    out->n[i] = s.n[i];
    out->dy[i] = (j[1][1] * s.a[i] - j[0][1] * s.b[i]) / det;
    out->dz[i] = (-j[1][0] * s.a[i] + j[0][0] * s.b[i]) / det;
  }
}

void plane_node(int nodes, int node, double out[2]) {
  static const double triangle_node[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};
  const double *at = nodes == 3 || nodes == 6 ? triangle_node[node] : unit_corner[node];
  out[0] = at[0], out[1] = at[1];
}

// ---- quadrature: degree 2 of T3, 4 of T6 (Dunavant 1985), Gauss of quadrilaterals ----

int plane_points(int nodes) { return nodes == 3 ? 3 : nodes == 6 ? 6 : nodes == 4 ? 4 : 9; }

static void triangle_rule(int nodes, int g, double *a, double *b, double *weight) {
  static const double at[2] = {0.445948490915965, 0.091576213509771},
                      w[2] = {0.5 * 0.223381589678011, 0.5 * 0.109951743655322};
  double p = nodes == 3 ? 1. / 6 : at[g / 3], q = 1 - 2 * p;
  *weight = nodes == 3 ? 1. / 6 : w[g / 3];
  *a = g % 3 == 1 ? q : p, *b = g % 3 == 2 ? q : p;
}

void plane_point(const PlaneMesh *m, int cell, int point, PlanePoint *out) {
  double a, b, weight;
  int nodes = m->cell[cell].nodes;
  if (nodes == 3 || nodes == 6) triangle_rule(nodes, point, &a, &b, &weight);
  else if (nodes == 4) {
    a = (point % 2 ? 1 : -1) / sqrt(3), b = (point / 2 ? 1 : -1) / sqrt(3), weight = 1;
  } else {
    a = (point % 3 - 1) * sqrt(0.6), b = (point / 3 - 1) * sqrt(0.6);
    weight = (point % 3 == 1 ? 8. / 9 : 5. / 9) * (point / 3 == 1 ? 8. / 9 : 5. / 9);
  }
  plane_at(m, cell, a, b, out);
  out->weight *= weight;
}

bool plane_again(PlaneBuilder *b) {
  if (b->filled || b->failed) return false;
  b->at = b->memory.allocate(b->memory.self, (size_t)b->nodes * sizeof *b->at);
  b->cell = b->memory.allocate(b->memory.self, (size_t)b->cells * sizeof *b->cell);
  b->failed = !b->at || !b->cell;
  b->filled = true, b->nodes = b->cells = 0;
  return !b->failed;
}

// ---- patches ----

static bool plane_room(PlaneBuilder *b, double nodes) {
  if (b->nodes + nodes > PLANE_MOST) b->failed = b->too_fine = true;
  return !b->failed;
}

static void add_cell(PlaneBuilder *b, int nodes, const int *node, int material) { // turned by b->plane
  if (b->at) {
    PlaneCell *c = &b->cell[b->cells];
    memset(c, 0, sizeof *c);
    c->nodes = nodes, c->material = material, c->plane = b->plane;
    memcpy(c->node, node, (size_t)nodes * sizeof *node);
  }
  b->cells++;
}

void plane_add_patch(PlaneBuilder *b, int nu, int nv, int material, PlaneMap map, const void *self) {
  static const int place[9][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0}, {2, 1}, {1, 2}, {0, 1}, {1, 1}};
  int row = 2 * nu + 1, first = b->nodes;
  if (!plane_room(b, (double)row * (2 * nv + 1))) return;
  double c[4][2];
  for (int k = 0; k < 4; k++) map(self, 0.5 + 0.01 * (place[k][0] - 1), 0.5 + 0.01 * (place[k][1] - 1), c[k]);
  double area = (c[2][0] - c[0][0]) * (c[3][1] - c[1][1]) - (c[3][0] - c[1][0]) * (c[2][1] - c[0][1]);
  for (int j = 0; j <= 2 * nv; j++)
    for (int i = 0; i < row; i++, b->nodes++)
      if (b->at) map(self, (double)i / (2 * nu), (double)j / (2 * nv), b->at[b->nodes]);
  for (int j = 0; j < nv; j++)
    for (int i = 0; i < nu; i++) {
      int node[9];
      for (int k = 0; k < 9; k++) { // the other way round where the map turns over: u and v are exchanged in the list
        int du = place[k][area > 0 ? 0 : 1], dv = place[k][area > 0 ? 1 : 0];
        node[k] = first + (2 * j + dv) * row + 2 * i + du;
      }
      add_cell(b, 9, node, material);
    }
}

static void straight_patch(const void *self, double u, double v, double out[2]) {
  const double(*c)[2] = self;
  for (int k = 0; k < 2; k++)
    out[k] = (1 - v) * ((1 - u) * c[0][k] + u * c[1][k]) + v * ((1 - u) * c[3][k] + u * c[2][k]);
}

void plane_add_quadrilateral(PlaneBuilder *b, int nu, int nv, int material, const double corner[4][2]) {
  plane_add_patch(b, nu, nv, material, straight_patch, corner);
}

// Nodes stand at (i, j) of i + j <= 2 n, row by row.
static int triangle_node(int n, int i, int j) { return j * (2 * n + 1) - j * (j - 1) / 2 + i; }

void plane_add_triangle(PlaneBuilder *b, int n, int material, const double c[3][2]) {
  int first = b->nodes;
  if (!plane_room(b, (2. * n + 1) * (n + 1))) return;
  for (int j = 0; j <= 2 * n; j++)
    for (int i = 0; i <= 2 * n - j; i++, b->nodes++)
      for (int k = 0; k < 2 && b->at; k++)
        b->at[b->nodes][k] = c[0][k] + (c[1][k] - c[0][k]) * i / (2 * n) + (c[2][k] - c[0][k]) * j / (2 * n);
  for (int j = 0; j < 2 * n; j += 2)
    for (int i = 0; i < 2 * n - j; i += 2) {
      int up[6][2] = {{i, j}, {i + 2, j}, {i, j + 2}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}, node[6];
      for (int k = 0; k < 6; k++) node[k] = first + triangle_node(n, up[k][0], up[k][1]);
      add_cell(b, 6, node, material);
      if (i + j + 4 > 2 * n) continue;
      int down[6][2] = {{i + 2, j + 2}, {i, j + 2}, {i + 2, j}, {i + 1, j + 2}, {i + 1, j + 1}, {i + 2, j + 1}};
      for (int k = 0; k < 6; k++) node[k] = first + triangle_node(n, down[k][0], down[k][1]);
      add_cell(b, 6, node, material);
    }
}

// ---- ellipses ----

typedef struct {
  double a, b, inner;
  int quarter; // of a full one
} Ellipse;

static void ring_patch(const void *self, double u, double v, double out[2]) {
  const Ellipse *e = self;
  double angle = 2 * acos(-1) * u, r = e->inner + (1 - e->inner) * v;
  out[0] = e->a * r * cos(angle), out[1] = e->b * r * sin(angle);
}

enum { SQUARE = 50 }; // % of the radius: corners of the square in the middle of a full ellipse

static void middle_patch(const void *self, double u, double v, double out[2]) {
  const Ellipse *e = self;
  double half = SQUARE / 100. / sqrt(2);
  out[0] = e->a * half * (2 * u - 1), out[1] = e->b * half * (2 * v - 1);
}

// From a side of the square to the arc.
static void quarter_patch(const void *self, double u, double v, double out[2]) {
  const Ellipse *e = self;
  double turn = 0.5 * acos(-1) * e->quarter, angle = turn + 0.5 * acos(-1) * (u - 0.5);
  double half = SQUARE / 100. / sqrt(2), x = half, y = half * (2 * u - 1);
  double sx = x * cos(turn) - y * sin(turn), sy = x * sin(turn) + y * cos(turn);
  out[0] = e->a * ((1 - v) * sx + v * cos(angle)), out[1] = e->b * ((1 - v) * sy + v * sin(angle));
}

void plane_add_ellipse(PlaneBuilder *b, int n, int material, double along_y, double along_z, double inner) {
  Ellipse e = {along_y, along_z, inner, 0};
  if (inner > 0) {
    double around = acos(-1) * (1 + inner) / (1 - inner) * n / 4; // cells four times as long as the wall's are thick
    int cells = around > 400 ? 400 : around < 12 * n ? 12 * n : (int)ceil(around);
    plane_add_patch(b, cells, n, material, ring_patch, &e);
    return;
  }
  plane_add_patch(b, n, n, material, middle_patch, &e);
  for (e.quarter = 0; e.quarter < 4; e.quarter++) plane_add_patch(b, n, n, material, quarter_patch, &e);
}

// ---- rectangles ----

typedef struct {
  double at[2 * PLANE_MOST_RECTANGLES];
  int cells[2 * PLANE_MOST_RECTANGLES], count; // cells between neighbours
} Lines;

static void add_line(Lines *l, double at, double size) {
  int i = l->count;
  for (int k = 0; k < l->count; k++)
    if (fabs(l->at[k] - at) < 1e-9 * size) return;
  for (; i > 0 && l->at[i - 1] > at; i--) l->at[i] = l->at[i - 1];
  l->at[i] = at, l->count++;
}

static void cut_lines(Lines *l, int n, double thin) {
  for (int i = 0; i + 1 < l->count; i++) {
    double need = ceil((l->at[i + 1] - l->at[i]) / (4 * thin) * n - 1e-9);
    l->cells[i] = need < n ? n : need > 200 ? 200 : (int)need;
  }
}

void plane_add_rectangles(PlaneBuilder *b, int n, int count, const MeshRectangle *r) {
  Lines y = {.count = 0}, z = {.count = 0};
  double size = 0, thin = HUGE_VAL;
  for (int i = 0; i < count; i++) {
    size = fmax(size, fmax(fabs(r[i].y[1] - r[i].y[0]), fabs(r[i].z[1] - r[i].z[0])));
    thin = fmin(thin, fmin(fabs(r[i].y[1] - r[i].y[0]), fabs(r[i].z[1] - r[i].z[0])));
  }
  for (int i = 0; i < count && i < PLANE_MOST_RECTANGLES; i++)
    for (int k = 0; k < 2; k++) add_line(&y, r[i].y[k], size), add_line(&z, r[i].z[k], size);
  cut_lines(&y, n, thin);
  cut_lines(&z, n, thin);
  for (int i = 0; i + 1 < y.count; i++)
    for (int j = 0; j + 1 < z.count; j++)
      for (int k = 0; k < count; k++) {
        double my = 0.5 * (y.at[i] + y.at[i + 1]), mz = 0.5 * (z.at[j] + z.at[j + 1]);
        double c[4][2] = {
            {y.at[i], z.at[j]}, {y.at[i + 1], z.at[j]}, {y.at[i + 1], z.at[j + 1]}, {y.at[i], z.at[j + 1]}};
        if ((my - r[k].y[0]) * (my - r[k].y[1]) > 0 || (mz - r[k].z[0]) * (mz - r[k].z[1]) > 0) continue;
        plane_add_quadrilateral(b, y.cells[i], z.cells[j], r[k].material, (const double(*)[2])c);
        break;
      }
}

// ---- nodes that coincide ----

typedef struct {
  int *slot; // node + 1, by the place in the plane
  size_t slots;
  double step, low[2];
} Places;

static size_t slot_of(const Places *p, long i, long j) {
  unsigned long long h = (unsigned long long)i * 0x9E3779B97F4A7C15ull ^ (unsigned long long)j * 0xC2B2AE3D27D4EB4Full;
  return (size_t)((h ^ h >> 29) % p->slots);
}

// The first node at a position, among those that have been entered; enters `node` if there is none.
static int first_node(Places *p, double (*at)[2], int node) {
  long i = lround((at[node][0] - p->low[0]) / p->step), j = lround((at[node][1] - p->low[1]) / p->step);
  for (long di = -1; di <= 1; di++)
    for (long dj = -1; dj <= 1; dj++)
      for (size_t s = slot_of(p, i + di, j + dj); p->slot[s]; s = (s + 1) % p->slots) {
        int other = p->slot[s] - 1;
        if (fabs(at[other][0] - at[node][0]) < p->step && fabs(at[other][1] - at[node][1]) < p->step) return other;
      }
  size_t s = slot_of(p, i, j);
  while (p->slot[s]) s = (s + 1) % p->slots;
  p->slot[s] = node + 1;
  return node;
}

const char *plane_finish(PlaneBuilder *b, PlaneMesh *out) {
  double high[2];
  Places p = {.slots = 2 * (size_t)b->nodes + 1};
  if (b->too_fine) return "the mesh of the section is too fine: it has more than 4 million nodes";
  if (b->failed || b->nodes < 1) return "not enough memory for the mesh of the section";
  p.slot = b->memory.allocate(b->memory.self, p.slots * sizeof *p.slot);
  int *number = b->memory.allocate(b->memory.self, (size_t)b->nodes * sizeof *number), count = 0;
  if (!p.slot || !number) return "not enough memory for the mesh of the section";
  memset(p.slot, 0, p.slots * sizeof *p.slot);
  for (int k = 0; k < 2; k++) {
    p.low[k] = high[k] = b->at[0][k];
    for (int i = 1; i < b->nodes; i++) p.low[k] = fmin(p.low[k], b->at[i][k]), high[k] = fmax(high[k], b->at[i][k]);
  }
  p.step = 1e-8 * fmax(high[0] - p.low[0], high[1] - p.low[1]);
  for (int i = 0; i < b->nodes; i++) {
    int first = first_node(&p, b->at, i);
    number[i] = first == i ? count++ : number[first];
  }
  for (int i = 0, next = 0; i < b->nodes; i++)
    if (number[i] == next) memcpy(b->at[next++], b->at[i], sizeof b->at[0]);
  for (int c = 0; c < b->cells; c++)
    for (int a = 0; a < b->cell[c].nodes; a++) b->cell[c].node[a] = number[b->cell[c].node[a]];
  *out = (PlaneMesh){.nodes = count, .cells = b->cells, .at = (const double(*)[2])b->at, .cell = b->cell};
  return NULL;
}
