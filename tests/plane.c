// SPDX-License-Identifier: Apache-2.0
#include "plane.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LINES = 400 };

typedef struct {
  int ny, nz; // grid lines
  double y[LINES], z[LINES];
  bool *cell; // [iz * (ny - 1) + iy]
  double *load, *r, *d, *q, *scale;
} Grid;

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Grid lines on all edges, and between two edges as many more as their distance asks for.
static int make_lines(int count, double *edge, double spacing, double *out) {
  int n = 0;
  qsort(edge, (size_t)count, sizeof *edge, compare);
  out[n++] = edge[0];
  for (int i = 1; i < count; i++) {
    double gap = edge[i] - edge[i - 1];
    if (gap <= 1e-12 * (edge[count - 1] - edge[0])) continue;
    int parts = (int)fmin(60, fmax(8, ceil(gap / spacing)));
    for (int k = 1; k <= parts; k++) out[n++] = edge[i - 1] + gap * k / parts;
  }
  return n;
}

static int node(const Grid *g, int iy, int iz, int corner) { return (iz + (corner >> 1)) * g->ny + iy + (corner & 1); }

// q = K x, the energy of gradients; bilinear on a cell of a x b.
static void apply(const Grid *g, const double *x, double *q) {
  for (int i = 0; i < g->ny * g->nz; i++) q[i] = 0;
  for (int iz = 0; iz + 1 < g->nz; iz++)
    for (int iy = 0; iy + 1 < g->ny; iy++) {
      if (!g->cell[iz * (g->ny - 1) + iy]) continue;
      double a = g->y[iy + 1] - g->y[iy], b = g->z[iz + 1] - g->z[iz], u[4];
      int at[4];
      for (int c = 0; c < 4; c++) at[c] = node(g, iy, iz, c), u[c] = x[at[c]];
      double s = b / (6 * a), t = a / (6 * b), dy0 = u[1] - u[0], dy1 = u[3] - u[2], dz0 = u[2] - u[0],
             dz1 = u[3] - u[1];
      double fy0 = s * (2 * dy0 + dy1), fy1 = s * (dy0 + 2 * dy1), fz0 = t * (2 * dz0 + dz1), fz1 = t * (dz0 + 2 * dz1);
      q[at[0]] += -fy0 - fz0, q[at[1]] += fy0 - fz1, q[at[2]] += -fy1 + fz0, q[at[3]] += fy1 + fz1;
    }
}

// Calls f at the Gauss points of all cells: place, weight, values and gradients of the four functions of the cell.
typedef void (*AtPoint)(void *self, const double x[2], double w, const int at[4], const double n[4],
                        const double dn[4][2]);
static void over_points(const Grid *g, AtPoint f, void *self) {
  const double p[3] = {-sqrt(0.6), 0, sqrt(0.6)}, w[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  for (int iz = 0; iz + 1 < g->nz; iz++)
    for (int iy = 0; iy + 1 < g->ny; iy++) {
      if (!g->cell[iz * (g->ny - 1) + iy]) continue;
      double a = g->y[iy + 1] - g->y[iy], b = g->z[iz + 1] - g->z[iz], n[4], dn[4][2];
      int at[4];
      for (int c = 0; c < 4; c++) at[c] = node(g, iy, iz, c);
      for (int k = 0; k < 9; k++) {
        double s = 0.5 * (1 + p[k % 3]), t = 0.5 * (1 + p[k / 3]), x[2] = {g->y[iy] + a * s, g->z[iz] + b * t};
        for (int c = 0; c < 4; c++) {
          double ns = c & 1 ? s : 1 - s, nt = c >> 1 ? t : 1 - t;
          n[c] = ns * nt, dn[c][0] = (c & 1 ? 1 : -1) / a * nt, dn[c][1] = (c >> 1 ? 1 : -1) / b * ns;
        }
        f(self, x, 0.25 * a * b * w[k % 3] * w[k / 3], at, n, dn);
      }
    }
}

// Conjugate gradients, scaled by the diagonal. The load has no resultant, so that the constant does not matter.
static void solve(Grid *g, double *x) {
  int n = g->ny * g->nz;
  double old = 0, first = 0;
  for (int i = 0; i < n; i++) x[i] = 0, g->r[i] = g->load[i];
  for (int iteration = 0; iteration < 20000; iteration++) {
    double now = 0, slope = 0;
    for (int i = 0; i < n; i++) now += g->r[i] * g->scale[i] * g->r[i];
    if (!iteration) first = now;
    if (now <= 1e-22 * first) return;
    for (int i = 0; i < n; i++) g->d[i] = g->scale[i] * g->r[i] + (iteration ? now / old * g->d[i] : 0);
    apply(g, g->d, g->q);
    for (int i = 0; i < n; i++) slope += g->d[i] * g->q[i];
    for (int i = 0; i < n; i++) x[i] += now / slope * g->d[i], g->r[i] -= now / slope * g->q[i];
    old = now;
  }
}

typedef struct {
  Grid *g;
  Plane *out;
  double c[2][2], nu, sum;
  double *x[2];
  int axis;
} Case;

static void diagonal(void *self, const double x[2], double w, const int at[4], const double n[4],
                     const double dn[4][2]) {
  Case *c = self;
  (void)x, (void)n;
  for (int i = 0; i < 4; i++) c->g->scale[at[i]] += w * (dn[i][0] * dn[i][0] + dn[i][1] * dn[i][1]);
}

// Torsion: warping w with integral grad w . grad v = integral z v_y - y v_z.
static void twist_load(void *self, const double x[2], double w, const int at[4], const double n[4],
                       const double dn[4][2]) {
  Case *c = self;
  (void)n;
  for (int i = 0; i < 4; i++) c->g->load[at[i]] += w * (x[1] * dn[i][0] - x[0] * dn[i][1]);
}

// Flexure at nu = 0: shear stress grad p with  lap p = -c.r,  for the unit force along an axis.
static void flexure_load(void *self, const double x[2], double w, const int at[4], const double n[4],
                         const double dn[4][2]) {
  Case *c = self;
  (void)dn;
  double f = c->c[c->axis][0] * x[0] + c->c[c->axis][1] * x[1];
  for (int i = 0; i < 4; i++) c->g->load[at[i]] += w * f * n[i];
}

static void flexure_results(void *self, const double x[2], double w, const int at[4], const double n[4],
                            const double dn[4][2]) {
  Case *c = self;
  double grad[2][2] = {{0}};
  (void)n;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 2; j++) grad[k][j] += dn[i][j] * c->x[k][at[i]];
  for (int k = 0; k < 2; k++)
    for (int l = 0; l < 2; l++) c->out->shear[k][l] += w * (grad[k][0] * grad[l][0] + grad[k][1] * grad[l][1]);
  c->out->centre[0] += w * (x[0] * grad[1][1] - x[1] * grad[1][0]);
  c->out->centre[1] -= w * (x[0] * grad[0][1] - x[1] * grad[0][0]);
}

// Cowper (1966): chi harmonic, d chi/dn = -n.g with g = (nu x^2/2 + (1 - nu/2) y^2, (2 + nu) x y), x along the force.
static void cowper_load(void *self, const double at_x[2], double w, const int at[4], const double n[4],
                        const double dn[4][2]) {
  Case *c = self;
  double x = at_x[c->axis], y = at_x[1 - c->axis], nu = c->nu;
  double g0 = nu / 2 * x * x + (1 - nu / 2) * y * y, g1 = (2 + nu) * x * y;
  for (int i = 0; i < 4; i++)
    c->g->load[at[i]] -= w * (g0 * dn[i][c->axis] + g1 * dn[i][1 - c->axis] + 2 * (1 + nu) * x * n[i]);
}

static void cowper_sum(void *self, const double at_x[2], double w, const int at[4], const double n[4],
                       const double dn[4][2]) {
  Case *c = self;
  double x = at_x[c->axis], y = at_x[1 - c->axis], chi = 0;
  (void)dn;
  for (int i = 0; i < 4; i++) chi += n[i] * c->x[0][at[i]];
  c->sum += w * x * (chi + x * y * y);
}

static void moments(int count, const PlanePart *part, Plane *out) {
  double yy = 0, yz = 0, zz = 0, first[2] = {0, 0};
  *out = (Plane){0};
  for (int i = 0; i < count; i++) { // Simpson's rule is exact
    const PlanePart *p = &part[i];
    double a = (p->y1 - p->y0) * (p->z1 - p->z0), y = 0.5 * (p->y0 + p->y1), z = 0.5 * (p->z0 + p->z1);
    out->area += a, first[0] += a * y, first[1] += a * z, yz += a * y * z;
    yy += a / 6 * (p->y0 * p->y0 + 4 * y * y + p->y1 * p->y1);
    zz += a / 6 * (p->z0 * p->z0 + 4 * z * z + p->z1 * p->z1);
  }
  double cy = first[0] / out->area, cz = first[1] / out->area;
  out->centroid[0] = cy, out->centroid[1] = cz;
  out->yy = yy - out->area * cy * cy, out->zz = zz - out->area * cz * cz, out->yz = yz - out->area * cy * cz;
}

static void make_grid(int count, const PlanePart *part, const Plane *p, Grid *g) {
  double edge[2][2 * 16], size = 0;
  for (int i = 0; i < count; i++) {
    edge[0][2 * i] = part[i].y0 - p->centroid[0], edge[0][2 * i + 1] = part[i].y1 - p->centroid[0];
    edge[1][2 * i] = part[i].z0 - p->centroid[1], edge[1][2 * i + 1] = part[i].z1 - p->centroid[1];
    for (int k = 0; k < 4; k++) size = fmax(size, fabs(edge[k / 2][2 * i + k % 2]));
  }
  g->ny = make_lines(2 * count, edge[0], size / 30, g->y), g->nz = make_lines(2 * count, edge[1], size / 30, g->z);
  g->cell = calloc((size_t)(g->ny * g->nz), sizeof *g->cell);
  for (int iz = 0; iz + 1 < g->nz; iz++)
    for (int iy = 0; iy + 1 < g->ny; iy++) {
      double y = 0.5 * (g->y[iy] + g->y[iy + 1]) + p->centroid[0], z = 0.5 * (g->z[iz] + g->z[iz + 1]) + p->centroid[1];
      for (int i = 0; i < count; i++)
        if (y > part[i].y0 && y < part[i].y1 && z > part[i].z0 && z < part[i].z1) g->cell[iz * (g->ny - 1) + iy] = true;
    }
  double **all[] = {&g->load, &g->r, &g->d, &g->q, &g->scale};
  for (int i = 0; i < 5; i++) *all[i] = calloc((size_t)(g->ny * g->nz), sizeof(double));
}

static void load_and_solve(Case *c, AtPoint load, double *x) {
  for (int i = 0; i < c->g->ny * c->g->nz; i++) c->g->load[i] = 0;
  over_points(c->g, load, c);
  solve(c->g, x);
}

void plane_solve(int count, const PlanePart *part, double nu, Plane *out) {
  Grid g;
  moments(count, part, out);
  make_grid(count, part, out, &g);
  double det = out->yy * out->zz - out->yz * out->yz;
  Case c = {&g, out, {{out->zz / det, -out->yz / det}, {-out->yz / det, out->yy / det}}, nu, 0, {NULL, NULL}, 0};
  size_t n = (size_t)(g.ny * g.nz);
  for (int k = 0; k < 2; k++) c.x[k] = calloc(n, sizeof(double));
  over_points(&g, diagonal, &c);
  for (size_t i = 0; i < n; i++) g.scale[i] = g.scale[i] > 0 ? 1 / g.scale[i] : 0;
  load_and_solve(&c, twist_load, c.x[0]);
  out->torsion = out->yy + out->zz;
  for (size_t i = 0; i < n; i++) out->torsion -= g.load[i] * c.x[0][i];
  for (c.axis = 0; c.axis < 2; c.axis++) load_and_solve(&c, flexure_load, c.x[c.axis]);
  out->centre[0] = out->centroid[0], out->centre[1] = out->centroid[1];
  over_points(&g, flexure_results, &c);
  for (c.axis = 0; c.axis < 2; c.axis++) {
    double along = c.axis ? out->zz : out->yy, other = c.axis ? out->yy : out->zz;
    load_and_solve(&c, cowper_load, c.x[0]);
    c.sum = 0;
    over_points(&g, cowper_sum, &c);
    out->cowper[c.axis] = 2 * (1 + nu) * along / (nu / 2 * (other - along) - out->area / along * c.sum);
  }
  double *all[] = {g.load, g.r, g.d, g.q, g.scale, c.x[0], c.x[1]};
  for (int i = 0; i < 7; i++) free(all[i]);
  free(g.cell);
}
