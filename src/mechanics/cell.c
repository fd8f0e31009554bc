// SPDX-License-Identifier: Apache-2.0
#include "mechanics/cell.h"

#define S3  0.57735026918962576451 // 1/sqrt(3)
#define S35 0.77459666924148337704 // sqrt(3/5)
#define S5  0.44721359549995793928 // 1/sqrt(5)

const double gauss_point[MAX_ORDER + 1][MAX_ORDER] = {{0}, {0}, {-S3, S3}, {-S35, 0, S35}};
const double gauss_weight[MAX_ORDER + 1][MAX_ORDER] = {{0}, {2}, {1, 1}, {5.0 / 9, 8.0 / 9, 5.0 / 9}};
const double lobatto_node[MAX_ORDER + 1][MAX_ORDER + 1] = {{0}, {-1, 1}, {-1, 0, 1}, {-1, -S5, S5, 1}};
const double lobatto_weight[MAX_ORDER + 1][MAX_ORDER + 1] = {
    {0}, {1, 1}, {1.0 / 3, 4.0 / 3, 1.0 / 3}, {1.0 / 6, 5.0 / 6, 5.0 / 6, 1.0 / 6}};

void lobatto_shape(int p, double x, double *n, double *dn) {
  const double *node = lobatto_node[p];
  for (int i = 0; i <= p; i++) {
    n[i] = 1, dn[i] = 0;
    for (int j = 0; j <= p; j++) {
      if (j == i) continue;
      double d = 1 / (node[i] - node[j]);
      dn[i] = dn[i] * (x - node[j]) * d + n[i] * d;
      n[i] *= (x - node[j]) * d;
    }
  }
}

// Equations: eq-solid-strain (10.1).

static const struct {
  const char *name;
  int nodes, dimension, points;
} table[CELL_SHAPES] = {
    [LIMBER_TETRAHEDRON] = {"tetrahedron", 4, 3, 1},        [LIMBER_HEXAHEDRON] = {"hexahedron", 8, 3, 8},
    [LIMBER_TETRAHEDRON_10] = {"tetrahedron_10", 10, 3, 4}, [LIMBER_TRIANGLE] = {"triangle", 3, 2, 1},
    [LIMBER_QUADRILATERAL] = {"quadrilateral", 4, 2, 4},    [LIMBER_HEXAHEDRON_20] = {"hexahedron_20", 20, 3, 27},
};

const char *cell_name(CellShape s) { return table[s].name; }
int cell_nodes(CellShape s) { return table[s].nodes; }
int cell_dimension(CellShape s) { return table[s].dimension; }
int cell_points(CellShape s) { return table[s].points; }

// Corners of the square -1 .. 1, one after the other; of the cube, first below, then above.
static double corner_coordinate(int a, int k) {
  static const double xi[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  return k < 2 ? xi[a % 4][k] : a < 4 ? -1 : 1;
}

// Products of straight lines over the square or cube; returns the weight.
static double multilinear_shape(int nodes, int dim, int g, double *n, double dn[][3]) {
  const double gauss = 0.5773502691896258;
  for (int a = 0; a < nodes; a++) {
    double f[3] = {1, 1, 1}, d[3] = {0};
    for (int k = 0; k < dim; k++)
      f[k] = 0.5 * (1 + gauss * corner_coordinate(a, k) * corner_coordinate(g, k)),
      d[k] = 0.5 * corner_coordinate(a, k);
    n[a] = f[0] * f[1] * f[2];
    dn[a][0] = d[0] * f[1] * f[2], dn[a][1] = f[0] * d[1] * f[2], dn[a][2] = f[0] * f[1] * d[2];
  }
  return 1;
}

// Straight lines over the triangle or tetrahedron, at its centre.
static double linear_simplex_shape(int dim, double *n, double dn[][3]) {
  for (int a = 0; a <= dim; a++) {
    n[a] = 1.0 / (dim + 1);
    for (int k = 0; k < 3; k++) dn[a][k] = a == 0 ? -(k < dim) : a == k + 1;
  }
  return dim == 2 ? 0.5 : 1.0 / 6;
}

static const int edge[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}; // of a tetrahedron

// With the volume coordinates L: corners L (2 L - 1), edges 4 L L.
static double quadratic_tetrahedron_shape(int g, double *n, double dn[][3]) {
  double l[4];
  for (int i = 0; i < 4; i++) l[i] = i == g ? 0.5854101966249685 : 0.1381966011250105;
  for (int a = 0; a < 4; a++) {
    n[a] = l[a] * (2 * l[a] - 1);
    for (int k = 0; k < 3; k++) dn[a][k] = (4 * l[a] - 1) * (a == 0 ? -1 : a == k + 1);
  }
  for (int e = 0; e < 6; e++) {
    int i = edge[e][0], j = edge[e][1];
    n[4 + e] = 4 * l[i] * l[j];
    for (int k = 0; k < 3; k++)
      dn[4 + e][k] = 4 * ((i == 0 ? -1 : i == k + 1) * l[j] + (j == 0 ? -1 : j == k + 1) * l[i]);
  }
  return 1.0 / 24;
}

// Nodes of a hexahedron of 20: corners, edges below, above and between.
static double serendipity_coordinate(int a, int k) {
  static const int ends[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                  {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  if (a < 8) return corner_coordinate(a, k);
  return 0.5 * (corner_coordinate(ends[a - 8][0], k) + corner_coordinate(ends[a - 8][1], k));
}

// Corners (1 + x)(1 + y)(1 + z)(x + y + z - 2)/8 with x = xi_a xi, edges (1 - xi^2)(1 + y)(1 + z)/4.
static double serendipity_shape(int g, double *n, double dn[][3]) {
  const double *point = gauss_point[3], *weight = gauss_weight[3];
  int i[3] = {g % 3, g / 3 % 3, g / 9};
  for (int a = 0; a < 20; a++) {
    double f[3], d[3], sum = -2, slope[3]; // factors along each axis, and their derivatives
    for (int k = 0; k < 3; k++) {
      double xi = point[i[k]], s = serendipity_coordinate(a, k);
      f[k] = s == 0 ? 1 - xi * xi : 1 + s * xi, d[k] = s == 0 ? -2 * xi : s;
      sum += s * xi, slope[k] = s;
    }
    double all = f[0] * f[1] * f[2];
    n[a] = a < 8 ? all * sum / 8 : all / 4;
    for (int k = 0; k < 3; k++) {
      double rate = d[k] * f[(k + 1) % 3] * f[(k + 2) % 3];
      dn[a][k] = a < 8 ? (rate * sum + all * slope[k]) / 8 : rate / 4;
    }
  }
  return weight[i[0]] * weight[i[1]] * weight[i[2]];
}

static double unit_cell(CellShape s, int g, double *n, double dn[][3]) {
  switch (s) {
  case LIMBER_TETRAHEDRON: return linear_simplex_shape(3, n, dn);
  case LIMBER_HEXAHEDRON: return multilinear_shape(8, 3, g, n, dn);
  case LIMBER_TETRAHEDRON_10: return quadratic_tetrahedron_shape(g, n, dn);
  case LIMBER_TRIANGLE: return linear_simplex_shape(2, n, dn);
  case LIMBER_QUADRILATERAL: return multilinear_shape(4, 2, g, n, dn);
  case LIMBER_HEXAHEDRON_20: return serendipity_shape(g, n, dn);
  }
  return 0;
}

double cell_derive(CellShape s, const Vec3 *at, int g, double *n, Vec3 *dn, Vec3 *normal) {
  double unit[CELL_NODES][3] = {{0}}, weight = unit_cell(s, g, n, unit);
  Vec3 t[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, dual[3]; // g_k, g^k
  for (int a = 0; a < table[s].nodes; a++)
    for (int k = 0; k < 3; k++) t[k] = vec3_axpy(t[k], unit[a][k], at[a]);
  double jacobian;
  if (table[s].dimension == 2) {
    Vec3 area = vec3_cross(t[0], t[1]);
    jacobian = vec3_norm(area);
    t[2] = jacobian > 0 ? vec3_scale(1 / jacobian, area) : vec3_zero();
    *normal = t[2];
  } else jacobian = vec3_dot(t[0], vec3_cross(t[1], t[2]));
  for (int k = 0; k < 3; k++)
    dual[k] = vec3_scale(jacobian != 0 ? 1 / jacobian : 0, vec3_cross(t[(k + 1) % 3], t[(k + 2) % 3]));
  for (int a = 0; a < table[s].nodes; a++) {
    dn[a] = vec3_zero();
    for (int k = 0; k < table[s].dimension; k++) dn[a] = vec3_axpy(dn[a], unit[a][k], dual[k]);
  }
  return weight * jacobian;
}

int cell_mirrored(CellShape s, int a) {
  static const int tetrahedron[10] = {0, 1, 3, 2, 4, 8, 7, 6, 5, 9}; // corners 2 and 3 change places, and their edges
  switch (s) {
  case LIMBER_TETRAHEDRON:
  case LIMBER_TETRAHEDRON_10: return tetrahedron[a];
  case LIMBER_HEXAHEDRON: return (a + 4) % 8;
  case LIMBER_TRIANGLE: return a ? 3 - a : 0;
  case LIMBER_QUADRILATERAL: return (4 - a) % 4;
  case LIMBER_HEXAHEDRON_20: return a < 8 ? (a + 4) % 8 : a < 16 ? 8 + (a - 4) % 8 : a; // above and below change places
  }
  return a;
}

void cell_masses(CellShape s, const Vec3 *at, double *part) {
  double n[CELL_NODES], all = 0;
  Vec3 dn[CELL_NODES], normal;
  bool scaled = s == LIMBER_HEXAHEDRON_20;
  for (int a = 0; a < table[s].nodes; a++) part[a] = s == LIMBER_TETRAHEDRON_10 ? (a < 4 ? 1.0 / 36 : 4.0 / 27) : 0;
  if (s == LIMBER_TETRAHEDRON_10) return;
  for (int g = 0; g < table[s].points; g++) {
    double w = cell_derive(s, at, g, n, dn, &normal);
    all += w;
    for (int a = 0; a < table[s].nodes; a++) part[a] += w * n[a] * (scaled ? n[a] : 1);
  }
  if (scaled) all = 0;
  for (int a = 0; a < table[s].nodes && scaled; a++) all += part[a];
  for (int a = 0; a < table[s].nodes; a++) part[a] /= all;
}

// Equation: eq-contact-faces (22.15). Rules of triangles: of degree 1, 2 and 4 (Strang & Fix 1973).

static bool is_quadrilateral(int nnode) { return nnode == 4 || nnode == 8; }

int face_points(int nnode, int order) { return is_quadrilateral(nnode) ? order * order : order * (order + 1) / 2; }

// Area coordinates of a point of a triangle; returns its weight.
static double triangle_point(int order, int g, double *l) {
  static const double near[2] = {0.09157621350977074346, 0.44594849091596488632};
  static const double weight[2] = {0.5 * 0.10995174365532186764, 0.5 * 0.22338158967801146570};
  double other = order == 1 ? 1.0 / 3 : order == 2 ? 1.0 / 6 : near[g / 3];
  for (int i = 0; i < 3; i++) l[i] = i == g % 3 ? 1 - 2 * other : other;
  return order == 1 ? 0.5 : order == 2 ? 1.0 / 6 : weight[g / 3];
}

static double triangle_shape(int nnode, int order, int g, double *n, double dn[][2]) {
  static const double dl[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
  double l[3], weight = triangle_point(order, g, l);
  for (int a = 0; a < 3; a++) {
    int b = (a + 1) % 3;
    n[a] = nnode == 3 ? l[a] : l[a] * (2 * l[a] - 1);
    if (nnode == 6) n[3 + a] = 4 * l[a] * l[b];
    for (int k = 0; k < 2; k++) {
      dn[a][k] = (nnode == 3 ? 1 : 4 * l[a] - 1) * dl[a][k];
      if (nnode == 6) dn[3 + a][k] = 4 * (l[a] * dl[b][k] + l[b] * dl[a][k]);
    }
  }
  return weight;
}

// Corners (1 + x)(1 + y)/4, with nodes on the edges (1 + x)(1 + y)(x + y - 1)/4; edges (1 - x^2)(1 + y)/2.
static double square_shape(int nnode, int order, int g, double *n, double dn[][2]) {
  static const double at[8][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}};
  double xi[2] = {gauss_point[order][g % order], gauss_point[order][g / order]};
  for (int a = 0; a < nnode; a++) {
    double f[2], d[2];
    for (int k = 0; k < 2; k++)
      f[k] = at[a][k] == 0 ? 1 - xi[k] * xi[k] : 0.5 * (1 + at[a][k] * xi[k]),
      d[k] = at[a][k] == 0 ? -2 * xi[k] : 0.5 * at[a][k];
    double sum = nnode == 8 && a < 4 ? at[a][0] * xi[0] + at[a][1] * xi[1] - 1 : 1;
    n[a] = f[0] * f[1] * sum;
    for (int k = 0; k < 2; k++) dn[a][k] = d[k] * f[1 - k] * sum + (nnode == 8 && a < 4 ? f[0] * f[1] * at[a][k] : 0);
  }
  return gauss_weight[order][g % order] * gauss_weight[order][g / order];
}

double face_point(int nnode, int order, int g, const Vec3 *at, double *n) {
  double dn[FACE_NODES][2] = {{0}};
  double weight =
      is_quadrilateral(nnode) ? square_shape(nnode, order, g, n, dn) : triangle_shape(nnode, order, g, n, dn);
  Vec3 t[2] = {vec3_zero(), vec3_zero()};
  for (int a = 0; a < nnode; a++)
    for (int k = 0; k < 2; k++) t[k] = vec3_axpy(t[k], dn[a][k], at[a]);
  return weight * vec3_norm(vec3_cross(t[0], t[1]));
}

Vec3 face_normal(int nnode, const Vec3 *at) {
  if (is_quadrilateral(nnode)) return vec3_cross(vec3_sub(at[2], at[0]), vec3_sub(at[3], at[1]));
  return vec3_cross(vec3_sub(at[1], at[0]), vec3_sub(at[2], at[0]));
}
