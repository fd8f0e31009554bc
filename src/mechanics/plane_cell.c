// SPDX-License-Identifier: Apache-2.0
#include "mechanics/plane_cell.h"

#include <math.h>

// ---- shape functions: values, derivatives by a and by b ----

typedef struct {
  double n[PLANE_MOST_NODES], a[PLANE_MOST_NODES], b[PLANE_MOST_NODES];
} Shapes;

static void triangle(double a, double b, bool quadratic, Shapes *s) {
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

static const double corner[9][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}, {0, 0}};

static void bilinear(double a, double b, Shapes *s) {
  for (int i = 0; i < 4; i++) {
    double x = corner[i][0], y = corner[i][1];
    s->n[i] = 0.25 * (1 + x * a) * (1 + y * b);
    s->a[i] = 0.25 * x * (1 + y * b), s->b[i] = 0.25 * y * (1 + x * a);
  }
}

// Eight nodes on the edges.
static void serendipity(double a, double b, Shapes *s) {
  for (int i = 0; i < 8; i++) {
    double x = corner[i][0], y = corner[i][1], u = 1 + x * a, v = 1 + y * b;
    if (i < 4) {
      s->n[i] = 0.25 * u * v * (x * a + y * b - 1);
      s->a[i] = 0.25 * x * v * (2 * x * a + y * b), s->b[i] = 0.25 * y * u * (x * a + 2 * y * b);
    } else if (x == 0) s->n[i] = 0.5 * (1 - a * a) * v, s->a[i] = -a * v, s->b[i] = 0.5 * (1 - a * a) * y;
    else s->n[i] = 0.5 * (1 - b * b) * u, s->a[i] = 0.5 * (1 - b * b) * x, s->b[i] = -b * u;
  }
}

static double parabola(double at, double x, double *slope) { // 1 at the node `at`, 0 at the others of -1, 0, 1
  *slope = at == 0 ? -2 * x : x + 0.5 * at;
  return at == 0 ? 1 - x * x : 0.5 * x * (x + at);
}

static void biquadratic(double a, double b, Shapes *s) {
  for (int i = 0; i < 9; i++) {
    double da, db, u = parabola(corner[i][0], a, &da), v = parabola(corner[i][1], b, &db);
    s->n[i] = u * v, s->a[i] = da * v, s->b[i] = u * db;
  }
}

void plane_at(const PlaneMesh *m, int cell, double a, double b, PlanePoint *out) {
  const PlaneCell *c = &m->cell[cell];
  Shapes s;
  double j[2][2] = {{0, 0}, {0, 0}}; // by a, by b of y, z
  if (c->nodes == 3 || c->nodes == 6) triangle(a, b, c->nodes == 6, &s);
  else if (c->nodes == 4) bilinear(a, b, &s);
  else if (c->nodes == 8) serendipity(a, b, &s);
  else biquadratic(a, b, &s);
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
  const double *at = nodes == 3 || nodes == 6 ? triangle_node[node] : corner[node];
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
