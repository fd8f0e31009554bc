// SPDX-License-Identifier: Apache-2.0
#include "mechanics/cross_section.h"

#include "base/limits.h"
#include "mechanics/plane_mesh.h"
#include "mechanics/section_matrix.h"

#include <math.h>
#include <string.h>

enum { FORCES = 6, FREE = 4 }; // of the strains psi, shear can be told as warping: four are left
static const int free_strain[FREE] = {0, 3, 4, 5};
enum { S11, S22, S33, S23, S13, S12 };

typedef struct {
  const PlaneMesh *m;
  Allocator memory;
  int n;             // unknowns of the warping
  int *place;        // of a node's first unknown
  int *first;        // column of the first entry of a row of the factor
  size_t *start;     // where a row begins in it, less `first`
  double *factor;    // lower triangle of E, then its Cholesky factor, by rows
  int pinned[4];     // unknowns that are 0: E has the rigid motions of the plane and along the beam as a null space
  double (*r)[FREE]; // R, then E^-1 R
  double (*load)[2]; // right-hand sides for V2 and V3
  double a[FREE][FREE], schur[FREE][FREE];
  double work, most_work; // multiplications of the factors
} Solver;

// ---- strains of a point ----

// Strain of psi alone.
static void strain_of_beam(const PlanePoint *p, const double psi[6], double e[6]) {
  e[S11] += psi[0] + p->z * psi[4] - p->y * psi[5];
  e[S12] += psi[1] - p->z * psi[3];
  e[S13] += psi[2] + p->y * psi[3];
}

// Strain of one component of the warping at one node.
static void strain_of_warping(const PlanePoint *p, int a, int component, double value, double e[6]) {
  double y = value * p->dy[a], z = value * p->dz[a];
  if (component == 0) e[S12] += y, e[S13] += z;
  else if (component == 1) e[S22] += y, e[S23] += z;
  else e[S33] += z, e[S23] += y;
}

// Strain of the change of warping along the beam.
static void strain_of_change(const PlanePoint *p, int a, int component, double value, double e[6]) {
  static const int entry[3] = {S11, S12, S13};
  e[entry[component]] += value * p->n[a];
}

static void multiply_vector(const double q[6][6], const double e[6], double out[6]) {
  for (int i = 0; i < 6; i++) {
    out[i] = 0;
    for (int j = 0; j < 6; j++) out[i] += q[i][j] * e[j];
  }
}

static double dot_strains(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < 6; i++) sum += a[i] * b[i];
  return sum;
}

// ---- order of the unknowns: Cuthill and McKee's, reversed ----

// Neighbours of all nodes in the mesh; list[start[i]] to list[start[i + 1]], without order, some twice.
static bool find_neighbours(Solver *s, int **start, int **list) {
  const PlaneMesh *m = s->m;
  size_t all = 0;
  for (int c = 0; c < m->cells; c++) all += (size_t)(m->cell[c].nodes * m->cell[c].nodes);
  int *at = s->memory.allocate(s->memory.self, (size_t)(m->nodes + 2) * sizeof *at);
  int *to = s->memory.allocate(s->memory.self, all * sizeof *to);
  if (!at || !to) return false;
  memset(at, 0, (size_t)(m->nodes + 2) * sizeof *at);
  for (int c = 0; c < m->cells; c++)
    for (int a = 0; a < m->cell[c].nodes; a++) at[m->cell[c].node[a] + 2] += m->cell[c].nodes;
  for (int i = 2; i <= m->nodes + 1; i++) at[i] += at[i - 1];
  for (int c = 0; c < m->cells; c++)
    for (int a = 0; a < m->cell[c].nodes; a++)
      for (int b = 0; b < m->cell[c].nodes; b++) to[at[m->cell[c].node[a] + 1]++] = m->cell[c].node[b];
  *start = at, *list = to;
  return true;
}

int graph_walk(const int *start, const int *list, int root, int nodes, int *order, int *seen) {
  int count = 1;
  for (int i = 0; i < nodes; i++) seen[i] = 0;
  order[0] = root, seen[root] = 1;
  for (int k = 0; k < count; k++) {
    int begin = count;
    for (int i = start[order[k]]; i < start[order[k] + 1]; i++)
      if (!seen[list[i]]) order[count++] = list[i], seen[list[i]] = 1;
    for (int i = begin + 1; i < count; i++) { // few neighbours first
      int node = order[i], degree = start[node + 1] - start[node], j = i;
      for (; j > begin && start[order[j - 1] + 1] - start[order[j - 1]] > degree; j--) order[j] = order[j - 1];
      order[j] = node;
    }
  }
  return count;
}

static const char *order_nodes(Solver *s) {
  const PlaneMesh *m = s->m;
  int *start, *list, nodes = m->nodes;
  int *order = s->memory.allocate(s->memory.self, (size_t)nodes * sizeof *order);
  int *seen = s->memory.allocate(s->memory.self, (size_t)nodes * sizeof *seen);
  s->place = s->memory.allocate(s->memory.self, (size_t)nodes * sizeof *s->place);
  if (!order || !seen || !s->place || !find_neighbours(s, &start, &list)) return "not enough memory for the section";
  int root = 0;
  for (int pass = 0; pass < 3; pass++) {
    if (graph_walk(start, list, root, nodes, order, seen) < nodes) return "the mesh of the section is not in one piece";
    root = order[nodes - 1];
  }
  for (int k = 0; k < nodes; k++) s->place[order[k]] = 3 * (nodes - 1 - k);
  return NULL;
}

// ---- the matrix ----

static const char too_fine[] =
    "the mesh of the section is too fine: its matrix takes more than 200 million entries, or its "
    "factors more than 3e11 multiplications: make it coarser";

static const char *make_profile(Solver *s) {
  const PlaneMesh *m = s->m;
  s->n = 3 * m->nodes;
  s->first = s->memory.allocate(s->memory.self, (size_t)s->n * sizeof *s->first);
  s->start = s->memory.allocate(s->memory.self, (size_t)s->n * sizeof *s->start);
  if (!s->first || !s->start) return "not enough memory for the section";
  for (int i = 0; i < s->n; i++) s->first[i] = i;
  for (int c = 0; c < m->cells; c++) {
    int least = s->n;
    for (int a = 0; a < m->cell[c].nodes; a++)
      if (s->place[m->cell[c].node[a]] < least) least = s->place[m->cell[c].node[a]];
    for (int a = 0; a < m->cell[c].nodes; a++)
      for (int k = 0; k < 3; k++) {
        int i = s->place[m->cell[c].node[a]] + k;
        if (least < s->first[i]) s->first[i] = least;
      }
  }
  size_t size = 0;
  for (int i = 0; i < s->n; i++) {
    double width = i - s->first[i] + 1;
    s->start[i] = size - (size_t)s->first[i], size += (size_t)width, s->work += 0.5 * width * width;
    if (size > LIMIT_SECTION_ENTRIES || s->work > s->most_work) return too_fine;
  }
  s->factor = s->memory.allocate(s->memory.self, size * sizeof *s->factor);
  s->r = s->memory.allocate(s->memory.self, (size_t)s->n * sizeof *s->r);
  s->load = s->memory.allocate(s->memory.self, (size_t)s->n * sizeof *s->load);
  if (!s->factor || !s->r || !s->load) return "not enough memory for the section";
  memset(s->factor, 0, size * sizeof *s->factor);
  memset(s->r, 0, (size_t)s->n * sizeof *s->r);
  memset(s->load, 0, (size_t)s->n * sizeof *s->load);
  return NULL;
}

static double *factor_entry(Solver *s, int i, int j) { return &s->factor[s->start[i] + (size_t)j]; } // j <= i

// Three unknowns of one node and one of another far away: what E does not resist.
static void choose_pins(Solver *s) {
  const PlaneMesh *m = s->m;
  int far = 0;
  double most = -1;
  for (int i = 0; i < m->nodes; i++) {
    double d = hypot(m->at[i][0] - m->at[0][0], m->at[i][1] - m->at[0][1]);
    if (d > most) most = d, far = i;
  }
  bool high = fabs(m->at[far][1] - m->at[0][1]) >= fabs(m->at[far][0] - m->at[0][0]);
  for (int k = 0; k < 3; k++) s->pinned[k] = s->place[0] + k;
  s->pinned[3] = s->place[far] + (high ? 1 : 2);
}

static bool is_pinned(const Solver *s, int i) {
  return i == s->pinned[0] || i == s->pinned[1] || i == s->pinned[2] || i == s->pinned[3];
}

// Adds one point to E, R and A.
static void add_point(Solver *s, const PlaneCell *cell, const double q[6][6], const PlanePoint *p) {
  double strain[3 * PLANE_MOST_NODES][6], stress[3 * PLANE_MOST_NODES][6], beam[FREE][6], held[FREE][6];
  int n = 3 * cell->nodes, unknown[3 * PLANE_MOST_NODES];
  for (int a = 0; a < n; a++) {
    memset(strain[a], 0, sizeof strain[a]);
    strain_of_warping(p, a / 3, a % 3, 1, strain[a]);
    multiply_vector(q, strain[a], stress[a]);
    unknown[a] = s->place[cell->node[a / 3]] + a % 3;
  }
  for (int k = 0; k < FREE; k++) {
    double psi[6] = {0};
    psi[free_strain[k]] = 1;
    memset(beam[k], 0, sizeof beam[k]);
    strain_of_beam(p, psi, beam[k]);
    multiply_vector(q, beam[k], held[k]);
  }
  for (int a = 0; a < n; a++) {
    for (int b = 0; b < n; b++)
      if (unknown[b] <= unknown[a])
        *factor_entry(s, unknown[a], unknown[b]) += p->weight * dot_strains(strain[a], stress[b]);
    for (int k = 0; k < FREE; k++) s->r[unknown[a]][k] += p->weight * dot_strains(strain[a], held[k]);
  }
  for (int k = 0; k < FREE; k++)
    for (int l = 0; l < FREE; l++) s->a[k][l] += p->weight * dot_strains(beam[k], held[l]);
}

static const char *assemble_matrix(Solver *s) {
  PlanePoint p;
  double q[6][6];
  for (int c = 0; c < s->m->cells; c++) {
    plane_stiffness(s->m, c, q);
    for (int g = 0; g < plane_points(s->m->cell[c].nodes); g++) {
      plane_point(s->m, c, g, &p);
      if (!(p.weight > 0)) return "a cell of the section's mesh has no area, or its nodes run clockwise";
      add_point(s, &s->m->cell[c], (const double(*)[6])q, &p);
    }
  }
  for (int i = 0; i < s->n; i++)
    for (int j = s->first[i]; j <= i; j++)
      if (is_pinned(s, i) || is_pinned(s, j)) *factor_entry(s, i, j) = i == j;
  for (int k = 0; k < 4; k++) memset(s->r[s->pinned[k]], 0, sizeof s->r[0]);
  return NULL;
}

// The rows of two nodes: 3 x 3 entries, less the products of what stands before them. All rows of a node begin alike.
static void reduce_block(Solver *s, int i, int j, double block[3][3]) {
  int from = s->first[i] > s->first[j] ? s->first[i] : s->first[j];
  const double *a[3], *b[3];
  for (int p = 0; p < 3; p++)
    a[p] = &s->factor[s->start[i + p] + (size_t)from], b[p] = &s->factor[s->start[j + p] + (size_t)from];
  double m[9];
  for (int p = 0; p < 9; p++) m[p] = j < i || p % 3 <= p / 3 ? a[p / 3][j - from + p % 3] : 0;
  for (int k = 0; k < j - from; k++) {
    double x = a[0][k], y = a[1][k], z = a[2][k], u = b[0][k], v = b[1][k], w = b[2][k];
    m[0] -= x * u, m[1] -= x * v, m[2] -= x * w;
    m[3] -= y * u, m[4] -= y * v, m[5] -= y * w;
    m[6] -= z * u, m[7] -= z * v, m[8] -= z * w;
  }
  memcpy(block, m, sizeof m);
}

static bool factorise_diagonal(Solver *s, int i) {
  double block[3][3], size[3];
  for (int p = 0; p < 3; p++) size[p] = *factor_entry(s, i + p, i + p);
  reduce_block(s, i, i, block);
  for (int p = 0; p < 3; p++)
    for (int q = 0; q <= p; q++) {
      double sum = block[p][q];
      for (int r = 0; r < q; r++) sum -= block[p][r] * block[q][r];
      if (p == q && !(sum > 1e-13 * size[p])) return false;
      *factor_entry(s, i + p, i + q) = block[p][q] = p == q ? sqrt(sum) : sum / block[q][q];
    }
  return true;
}

// Cholesky within the profile.
static bool factorise_matrix(Solver *s) {
  double block[3][3];
  for (int i = 0; i < s->n; i += 3) {
    for (int j = s->first[i]; j < i; j += 3) {
      reduce_block(s, i, j, block);
      for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) {
          for (int r = 0; r < q; r++) block[p][q] -= block[p][r] * *factor_entry(s, j + q, j + r);
          *factor_entry(s, i + p, j + q) = block[p][q] /= *factor_entry(s, j + q, j + q);
        }
    }
    if (!factorise_diagonal(s, i)) return false;
  }
  return true;
}

static void solve_factorised(Solver *s, double *x, int width) { // n rows of `width` right-hand sides, in place
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < width; k++) {
      double sum = x[i * width + k];
      for (int j = s->first[i]; j < i; j++) sum -= *factor_entry(s, i, j) * x[j * width + k];
      x[i * width + k] = sum / *factor_entry(s, i, i);
    }
  for (int i = s->n - 1; i >= 0; i--)
    for (int k = 0; k < width; k++) {
      double value = x[i * width + k] /= *factor_entry(s, i, i);
      for (int j = s->first[i]; j < i; j++) x[j * width + k] -= *factor_entry(s, i, j) * value;
    }
}

// Four equations with a symmetric positive definite matrix, by Gauss.
static void solve_small(const double matrix[FREE][FREE], double x[FREE]) {
  double a[FREE][FREE];
  memcpy(a, matrix, sizeof a);
  for (int k = 0; k < FREE; k++)
    for (int i = k + 1; i < FREE; i++) {
      double f = a[i][k] / a[k][k];
      for (int j = k; j < FREE; j++) a[i][j] -= f * a[k][j];
      x[i] -= f * x[k];
    }
  for (int k = FREE - 1; k >= 0; k--) {
    for (int j = k + 1; j < FREE; j++) x[k] -= a[k][j] * x[j];
    x[k] /= a[k][k];
  }
}

// ---- the solutions ----

// g' of unit shear forces: theta' has the moments M2' = V3, M3' = -V2.
static void solve_change(Solver *s, double psi[2][FREE], CrossSection *out) {
  for (int v = 0; v < 2; v++) {
    for (int k = 0; k < FREE; k++) psi[v][k] = 0;
    psi[v][v ? 2 : 3] = v ? 1 : -1;
    solve_small((const double(*)[FREE])s->schur, psi[v]);
    for (int i = 0; i < s->n; i++) {
      double sum = 0;
      for (int k = 0; k < FREE; k++) sum -= s->r[i][k] * psi[v][k];
      out->change[i][1 + v] = sum;
    }
  }
}

// Adds one point to the right-hand sides (C^T - C) g' + L psi' and L^T g' of one shear force.
static void add_load(Solver *s, const PlaneCell *e, const double q[6][6], const PlanePoint *p, int v,
                     const double psi[6], const CrossSection *c, double held[FREE]) {
  double change[6] = {0}, both[6] = {0}, stress[6], stress_both[6];
  strain_of_beam(p, psi, both);
  for (int a = 0; a < 3 * e->nodes; a++) {
    double value = c->change[s->place[e->node[a / 3]] + a % 3][1 + v];
    strain_of_change(p, a / 3, a % 3, value, change);
    strain_of_warping(p, a / 3, a % 3, value, both);
  }
  multiply_vector(q, change, stress);
  multiply_vector(q, both, stress_both);
  for (int a = 0; a < 3 * e->nodes; a++) {
    double one[6] = {0}, other[6] = {0};
    strain_of_warping(p, a / 3, a % 3, 1, one);
    strain_of_change(p, a / 3, a % 3, 1, other);
    s->load[s->place[e->node[a / 3]] + a % 3][v] +=
        p->weight * (dot_strains(other, stress_both) - dot_strains(one, stress));
  }
  for (int k = 0; k < FREE; k++) {
    double unit[6] = {0}, beam[6] = {0};
    unit[free_strain[k]] = 1;
    strain_of_beam(p, unit, beam);
    held[k] += p->weight * dot_strains(beam, stress);
  }
}

static void load_of_change(Solver *s, double psi[2][FREE], const CrossSection *c, double held[2][FREE]) {
  PlanePoint p;
  double q[6][6], all[2][6] = {{0}};
  memset(held, 0, 2 * sizeof held[0]);
  for (int k = 0; k < FREE; k++) all[0][free_strain[k]] = psi[0][k], all[1][free_strain[k]] = psi[1][k];
  for (int cell = 0; cell < s->m->cells; cell++) {
    plane_stiffness(s->m, cell, q);
    for (int g = 0; g < plane_points(s->m->cell[cell].nodes); g++) {
      plane_point(s->m, cell, g, &p);
      for (int v = 0; v < 2; v++) add_load(s, &s->m->cell[cell], (const double(*)[6])q, &p, v, all[v], c, held[v]);
    }
  }
  for (int k = 0; k < 4; k++) memset(s->load[s->pinned[k]], 0, sizeof s->load[0]);
}

static void solve_forces(Solver *s, double (*r0)[FREE], CrossSection *out) {
  double psi[2][FREE], held[2][FREE];
  solve_change(s, psi, out);
  load_of_change(s, psi, out, held);
  solve_factorised(s, &s->load[0][0], 2);
  for (int f = 0; f < FORCES; f++) {
    int v = f == 1 ? 0 : f == 2 ? 1 : -1;
    double x[FREE];
    for (int k = 0; k < FREE; k++) {
      x[k] = free_strain[k] == f;
      if (v < 0) continue;
      x[k] -= held[v][k];
      for (int i = 0; i < s->n; i++) x[k] -= r0[i][k] * s->load[i][v];
    }
    solve_small((const double(*)[FREE])s->schur, x);
    for (int k = 0; k < FREE; k++) out->strain[free_strain[k]][f] = x[k];
    for (int i = 0; i < s->n; i++) {
      double sum = v < 0 ? 0 : s->load[i][v];
      for (int k = 0; k < FREE; k++) sum -= s->r[i][k] * x[k];
      out->warping[i][f] = sum;
    }
  }
}

static void strain_of_force(const CrossSection *c, const PlaneCell *cell, const PlanePoint *p, int f, double e[6]) {
  double psi[6];
  for (int k = 0; k < 6; k++) psi[k] = c->strain[k][f];
  memset(e, 0, 6 * sizeof *e);
  strain_of_beam(p, psi, e);
  for (int a = 0; a < 3 * cell->nodes; a++) {
    int i = c->place[cell->node[a / 3]] + a % 3;
    strain_of_warping(p, a / 3, a % 3, c->warping[i][f], e);
    strain_of_change(p, a / 3, a % 3, c->change[i][f], e);
  }
}

// ---- the section ----

static void add_mass(double mass, double y, double z, LimberSection *s) {
  s->mass += mass;
  s->centre[0] += mass * y, s->centre[1] += mass * z;
  s->inertia[1][1] += mass * z * z, s->inertia[2][2] += mass * y * y, s->inertia[1][2] -= mass * y * z;
}

static void integrate_section(const PlaneMesh *m, CrossSection *c, LimberSection *s) {
  PlanePoint p;
  double q[6][6];
  for (int cell = 0; cell < m->cells; cell++) {
    plane_stiffness(m, cell, q);
    for (int g = 0; g < plane_points(m->cell[cell].nodes); g++) {
      double strain[FORCES][6], stress[6];
      plane_point(m, cell, g, &p);
      add_mass(p.weight * m->material[m->cell[cell].material].density, p.y, p.z, s);
      for (int f = 0; f < FORCES; f++) strain_of_force(c, &m->cell[cell], &p, f, strain[f]);
      for (int f = 0; f < FORCES; f++) {
        multiply_vector((const double(*)[6])q, strain[f], stress);
        for (int h = 0; h <= f; h++) c->compliance[f][h] += p.weight * dot_strains(strain[h], stress);
      }
    }
  }
  for (int f = 0; f < FORCES; f++)
    for (int h = 0; h < f; h++) c->compliance[h][f] = c->compliance[f][h];
  if (s->mass > 0) s->centre[0] /= s->mass, s->centre[1] /= s->mass;
  s->inertia[2][1] = s->inertia[1][2], s->inertia[0][0] = s->inertia[1][1] + s->inertia[2][2];
}

static const char *allocate_solutions(Solver *s, CrossSection *out) {
  size_t size = (size_t)s->n * sizeof *out->warping;
  out->warping = s->memory.allocate(s->memory.self, size);
  out->change = s->memory.allocate(s->memory.self, size);
  if (!out->warping || !out->change) return "not enough memory for the section";
  memset(out->change, 0, size);
  out->place = s->place;
  return NULL;
}

static const char *solve_section(Solver *s, CrossSection *out) {
  double(*r0)[FREE] = s->memory.allocate(s->memory.self, (size_t)s->n * sizeof *r0);
  if (!r0) return "not enough memory for the section";
  memcpy(r0, s->r, (size_t)s->n * sizeof *r0);
  if (!factorise_matrix(s)) return "the stiffness of the section's mesh is not positive definite: check its materials";
  solve_factorised(s, &s->r[0][0], FREE);
  for (int k = 0; k < FREE; k++)
    for (int l = 0; l < FREE; l++) {
      s->schur[k][l] = s->a[k][l];
      for (int i = 0; i < s->n; i++) s->schur[k][l] -= r0[i][k] * s->r[i][l];
    }
  solve_forces(s, r0, out);
  return NULL;
}

const char *cross_section_solve(const PlaneMesh *m, double work, Allocator memory, CrossSection *out,
                                LimberSection *section) {
  Solver s = {.m = m, .memory = memory, .most_work = work};
  const char *wrong;
  memset(out, 0, sizeof *out);
  memset(section, 0, sizeof *section);
  if (m->nodes > LIMIT_SECTION_ENTRIES / 30 || m->cells > LIMIT_SECTION_ENTRIES / 30) return too_fine;
  if (m->nodes < 3 || m->cells < 1) return "the mesh of the section has no cells";
  if ((wrong = order_nodes(&s)) || (wrong = make_profile(&s))) return wrong;
  out->work = s.work;
  choose_pins(&s);
  if ((wrong = assemble_matrix(&s)) || (wrong = allocate_solutions(&s, out)) || (wrong = solve_section(&s, out)))
    return wrong;
  integrate_section(m, out, section);
  return symmetric_inverse((const double(*)[6])out->compliance, section->stiffness)
             ? NULL
             : "the compliance of the section is not positive definite: check its materials";
}

// Strain in a cell at (a, b), as of plane_at(), under each of six unit forces.
static void cross_section_strain(const PlaneMesh *m, const CrossSection *c, int cell, double a, double b,
                                 double strain[6][6]) {
  PlanePoint p;
  plane_at(m, cell, a, b, &p);
  for (int f = 0; f < FORCES; f++) strain_of_force(c, &m->cell[cell], &p, f, strain[f]);
}

void plane_stiffness(const PlaneMesh *m, int cell, double out[6][6]) {
  double c = cos(m->cell[cell].plane), s = sin(m->cell[cell].plane);
  double axes[3][3] = {{1, 0, 0}, {0, c, s}, {0, -s, c}};
  stiffness_turn(m->material[m->cell[cell].material].stiffness, (const double(*)[3])axes, out);
}

static void *copy_bytes(Allocator memory, const void *from, size_t size) {
  void *to = memory.allocate(memory.self, size ? size : 1);
  if (to && size) memcpy(to, from, size);
  return to;
}

static void evaluate_stress(const PlaneMesh *m, const CrossSection *c, int cell, int node, StressPoint *out) {
  double q[6][6], strain[6][6], at[2];
  plane_node(m->cell[cell].nodes, node, at);
  plane_stiffness(m, cell, q);
  cross_section_strain(m, c, cell, at[0], at[1], strain);
  for (int f = 0; f < 6; f++)
    for (int k = 0; k < 6; k++) {
      out->unit[f][k] = 0;
      for (int l = 0; l < 6; l++) out->unit[f][k] += q[k][l] * strain[f][l];
    }
  out->y = m->at[m->cell[cell].node[node]][0], out->z = m->at[m->cell[cell].node[node]][1], out->cell = cell;
}

const char *section_solution(const PlaneMesh *m, const CrossSection *c, Allocator memory, SectionSolution *out) {
  int points = 0;
  for (int i = 0; i < m->cells; i++) points += m->cell[i].nodes;
  StressPoint *point = memory.allocate(memory.self, (size_t)points * sizeof *point);
  memset(out, 0, sizeof *out);
  out->mesh = *m, out->points = points, out->point = point;
  out->mesh.at = copy_bytes(memory, m->at, (size_t)m->nodes * sizeof *m->at);
  out->mesh.cell = copy_bytes(memory, m->cell, (size_t)m->cells * sizeof *m->cell);
  out->mesh.material = copy_bytes(memory, m->material, (size_t)m->materials * sizeof *m->material);
  if (!point || !out->mesh.at || !out->mesh.cell || !out->mesh.material)
    return "not enough memory for the stresses of the section";
  for (int i = 0; i < m->cells; i++)
    for (int a = 0; a < m->cell[i].nodes; a++) evaluate_stress(m, c, i, a, point++);
  return NULL;
}

void section_stress(const SectionSolution *s, int point, const double force[6], SectionStress *out) {
  const StressPoint *p = &s->point[point];
  const PlaneCell *cell = &s->mesh.cell[p->cell];
  const PlaneMaterial *m = &s->mesh.material[cell->material];
  double c = cos(cell->plane), d = sin(cell->plane), e = cos(m->fibre), f = sin(m->fibre);
  double axes[3][3] = {{e, f * c, f * d}, {-f, e * c, e * d}, {0, -d, c}};
  *out = (SectionStress){.y = p->y, .z = p->z, .cell = p->cell, .material = cell->material};
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < 6; i++) out->stress[k] += force[i] * p->unit[i][k];
  stress_turn(out->stress, (const double(*)[3])axes, out->ply);
  out->von_mises = von_mises(out->stress);
  bool known = strength_known(&m->strength);
  out->tsai_wu = known ? tsai_wu(&m->strength, out->ply) : NAN;
  out->reserve = known ? tsai_wu_reserve(&m->strength, out->ply) : NAN;
}
