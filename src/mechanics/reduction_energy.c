// SPDX-License-Identifier: Apache-2.0
// Matrices of the elements between the functions of a reduced body: sum over elements and their nodes i, j of
//   f_ia k_ij f_jb,
// for its stiffness and for the forms of its strains. Elements that are neighbours are summed at their nodes first, so
// that the work grows with the nodes and not with the integration points.
#include "mechanics/reduction_work.h"

#include <string.h>

enum { PATCH_NODES = 480, PATCH_ELEMENTS = 120, AT_ONCE = 8 }; // integration points at once

// Elements that are neighbours.
typedef struct {
  ReductionWork *w;
  const double *q;        // functions at the nodes of the mesh
  int points, components; // functions; components of k
  bool symmetric;         // k_ij = k_ji
  int elements, nodes, largest;
  const ReductionElement *element[PATCH_ELEMENTS];
  int node[PATCH_NODES], *local; // of the mesh; the place in `node` of those
  double *f, *y;                 // functions at these nodes; sums of k f
  double *k, *out;               // of each element and component nnode x nnode; of each component points x points
} Patch;

static size_t k_size(const Patch *p) { return (size_t)(p->largest * p->largest); }

static double *k_of(const Patch *p, int element, int component) {
  return p->k + ((size_t)element * (size_t)p->components + (size_t)component) * k_size(p);
}

static bool begin(Patch *p) {
  ReductionWork *w = p->w;
  size_t elements;
  for (int i = 0; i < w->m->elements; i++)
    if (w->m->element[i].nnode > p->largest) p->largest = w->m->element[i].nnode;
  elements = (size_t)(PATCH_NODES / p->largest);
  p->local = reduction_take(w, (size_t)w->m->nodes, sizeof *p->local);
  p->f = reduction_numbers(w, PATCH_NODES, REDUCED_POINTS), p->y = reduction_numbers(w, PATCH_NODES, REDUCED_POINTS);
  p->k = reduction_numbers(w, elements * (size_t)p->components, (int)k_size(p));
  p->out = reduction_numbers(w, (size_t)p->components, p->points * p->points);
  for (int i = 0; !w->failed && i < w->m->nodes; i++) p->local[i] = -1;
  return !w->failed;
}

// The next elements, from `from` in the order of the factor; the first that is not among them.
static int take_elements(Patch *p, int from) {
  const ReductionMesh *m = p->w->m;
  for (int i = 0; i < p->nodes; i++) p->local[p->node[i]] = -1;
  p->elements = p->nodes = 0;
  for (; from < m->elements && (p->elements + 1) * p->largest <= PATCH_NODES && p->elements < PATCH_ELEMENTS; from++) {
    const ReductionElement *e = p->element[p->elements++] = &m->element[p->w->factor.of_front[from]];
    for (int a = 0; a < e->nnode; a++)
      if (p->local[e->node[a]] < 0) p->local[e->node[a]] = p->nodes, p->node[p->nodes++] = e->node[a];
  }
  for (int i = 0; i < p->nodes; i++)
    memcpy(&p->f[(size_t)i * REDUCED_POINTS], &p->q[(size_t)p->node[i] * REDUCED_POINTS],
           REDUCED_POINTS * sizeof *p->f);
  return from;
}

static void add_element(const Patch *p, int element, int component) {
  const ReductionElement *e = p->element[element];
  double f[REDUCED_NODES][STRIP], y[REDUCED_NODES][STRIP];
  for (int s = 0; s < p->points; s += STRIP) {
    for (int a = 0; a < e->nnode; a++)
      memcpy(f[a], &p->f[(size_t)p->local[e->node[a]] * REDUCED_POINTS + (size_t)s], sizeof *f);
    memset(y, 0, sizeof y);
    strip_product(&(StripProduct){.a = k_of(p, element, component),
                                  .a_row = (size_t)e->nnode,
                                  .a_deep = 1,
                                  .b = f[0],
                                  .b_deep = STRIP,
                                  .rows = e->nnode,
                                  .columns = STRIP,
                                  .depth = e->nnode,
                                  .sign = 1,
                                  .c = y[0],
                                  .c_row = STRIP});
    for (int a = 0; a < e->nnode; a++)
      for (int c = 0; c < STRIP; c++) p->y[(size_t)p->local[e->node[a]] * REDUCED_POINTS + (size_t)(s + c)] += y[a][c];
  }
}

// Adds f^T k f of the elements to `out`; of symmetric ones for a <= b alone.
static void contract(const Patch *p) {
  int n = p->points;
  for (int c = 0; c < p->components; c++) {
    memset(p->y, 0, (size_t)p->nodes * REDUCED_POINTS * sizeof *p->y);
    for (int i = 0; i < p->elements; i++) add_element(p, i, c);
    for (int s = 0; s < n; s += STRIP) {
      int some = n - s < STRIP ? n - s : STRIP;
      strip_product(&(StripProduct){.a = p->f,
                                    .a_row = 1,
                                    .a_deep = REDUCED_POINTS,
                                    .b = p->y + s,
                                    .b_deep = REDUCED_POINTS,
                                    .rows = p->symmetric ? s + some : n,
                                    .columns = some,
                                    .depth = p->nodes,
                                    .sign = 1,
                                    .c = p->out + (size_t)c * (size_t)(n * n) + (size_t)s,
                                    .c_row = (size_t)n});
    }
  }
}

bool reduction_stiffness(ReductionWork *w, const double *q, int points, double *k) {
  Patch p = {.w = w, .q = q, .points = points, .components = 9};
  double of[3 * REDUCED_NODES][REDUCED_MATRIX];
  int n = 3 * points;
  if (!begin(&p)) return false;
  for (int from = 0; from < w->m->elements;) {
    from = take_elements(&p, from);
    for (int i = 0; i < p.elements; i++) {
      int nnode = p.element[i]->nnode;
      reduction_matrix(w, p.element[i], of);
      for (int r = 0; r < 3 * nnode; r++)
        for (int s = 0; s < 3 * nnode; s++) k_of(&p, i, r % 3 * 3 + s % 3)[r / 3 * nnode + s / 3] = of[r][s];
    }
    contract(&p);
  }
  for (int r = 0; r < n; r++)
    for (int s = 0; s < n; s++)
      k[r * n + s] = p.out[(size_t)(r % 3 * 3 + s % 3) * (size_t)(points * points) + (size_t)(r / 3 * points + s / 3)];
  return true;
}

// ---- forms ----

typedef struct {
  int rows, padded; // modes, and as many as strips have
  double *mode, *u; // points x 3 padded, over the stiffness of each; the same at the nodes of the patch
  // Of the integration points of an element: stress by displacements of its nodes, and its rows as forms of the places of
  // pairs of nodes. Then of the element: the products of both; k of all modes; and u of its nodes.
  double (*stress)[REDUCED_MATRIX], *form, *product, *k, *of_element;
} Forms;

static int node_pair(int i, int j) { return i < j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j; }

// The rows of a point as forms of the places of the nodes, for each pair of nodes once.
static void point_forms(const ElementPoint *p, double *form, int pairs) {
  for (int t = 0; t < p->rows.nterm; t++) {
    const RowTerm *x = &p->rows.term[t];
    double *to = form + (size_t)x->row * (size_t)pairs;
    for (int k = p->rows.start[x->i]; k < p->rows.start[x->i + 1]; k++)
      for (int l = p->rows.start[x->j]; l < p->rows.start[x->j + 1]; l++) {
        int a = p->rows.vec[k], b = p->rows.vec[l];
        to[node_pair(a, b)] += (a == b ? 1 : 0.5) * x->c * p->rows.coef[k] * p->rows.coef[l];
      }
  }
}

static void point_stress(const ReductionElement *e, const ReductionRows *at, double stress[][REDUCED_MATRIX]) {
  int nrow = at->p.rows.nrow;
  for (int r = 0; r < nrow; r++) {
    Vec3 sum[REDUCED_NODES] = {{0}};
    for (int t = 0; t < nrow; t++) {
      double c = at->p.weight * at->p.stiffness[r * nrow + t];
      for (int a = 0; c != 0 && a < e->nnode; a++) sum[a] = vec3_axpy(sum[a], c, at->grad[t][a]);
    }
    for (int a = 0; a < e->nnode; a++) vec3_to(sum[a], &stress[r][3 * a]);
  }
}

// k of all modes of an element: the stresses of its points times their forms.
static void element_forms(const Patch *p, const Forms *f, int element) {
  const ReductionElement *e = p->element[element];
  int n = e->nnode, pairs = (n * (n + 1) / 2 + STRIP - 1) / STRIP * STRIP, points = e->kind->points(e->data), depth = 0;
  size_t row = (size_t)pairs, padded = (size_t)f->padded;
  ReductionRows at;
  memset(f->k, 0, padded * row * sizeof *f->k), memset(f->product, 0, 3 * (size_t)n * row * sizeof *f->product);
  for (int g = 0; g < points; g++) {
    if (!depth) memset(f->form, 0, AT_ONCE * MAX_ROWS * row * sizeof *f->form);
    reduction_rows(p->w, e, g, &at);
    point_stress(e, &at, f->stress + depth);
    point_forms(&at.p, f->form + (size_t)depth * row, pairs);
    depth += at.p.rows.nrow;
    if (depth + MAX_ROWS <= AT_ONCE * MAX_ROWS && g + 1 < points) continue;
    for (int s = 0; s < pairs; s += STRIP)
      strip_product(&(StripProduct){.a = f->stress[0],
                                    .a_row = 1,
                                    .a_deep = REDUCED_MATRIX,
                                    .b = f->form + s,
                                    .b_deep = row,
                                    .rows = 3 * n,
                                    .columns = STRIP,
                                    .depth = depth,
                                    .sign = 1,
                                    .c = f->product + s,
                                    .c_row = row});
    depth = 0;
  }
  for (int i = 0; i < 3 * n; i++)
    memcpy(f->of_element + (size_t)i * padded, f->u + (size_t)(3 * p->local[e->node[i / 3]] + i % 3) * padded,
           padded * sizeof *f->u);
  for (int s = 0; s < pairs; s += STRIP)
    strip_product(&(StripProduct){.a = f->of_element,
                                  .a_row = 1,
                                  .a_deep = padded,
                                  .b = f->product + s,
                                  .b_deep = row,
                                  .rows = f->rows,
                                  .columns = STRIP,
                                  .depth = 3 * n,
                                  .sign = 1,
                                  .c = f->k + s,
                                  .c_row = row});
  for (int c = 0; c < f->rows; c++) {
    double *to = k_of(p, element, c);
    const double *of = f->k + (size_t)c * row;
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) to[i * n + j] = to[j * n + i] = *of++;
  }
}

bool reduction_forms(ReductionWork *w, const double *q, int points, const double *mode, const double *stiffness,
                     const double *field, double *form) {
  int rows = 3 * points - 6, padded = (rows + STRIP - 1) / STRIP * STRIP;
  Patch p = {.w = w, .q = q, .points = points, .components = rows, .symmetric = true};
  Forms f = {.rows = rows, .padded = padded};
  if (!begin(&p)) return false;
  size_t pairs = k_size(&p) + STRIP;
  f.mode = reduction_numbers(w, (size_t)points, 3 * padded), f.u = reduction_numbers(w, PATCH_NODES, 3 * padded);
  f.stress = reduction_take(w, AT_ONCE * MAX_ROWS, sizeof *f.stress);
  f.form = reduction_numbers(w, AT_ONCE * MAX_ROWS, (int)pairs), f.k = reduction_numbers(w, (size_t)padded, (int)pairs);
  f.product = reduction_numbers(w, 3 * REDUCED_NODES, (int)pairs);
  f.of_element = reduction_numbers(w, 3 * REDUCED_NODES, padded);
  if (w->failed) return false;
  for (int a = 0; a < 3 * points; a++)
    for (int c = 0; c < rows; c++)
      f.mode[(size_t)a * (size_t)padded + (size_t)c] =
          mode[(size_t)c * (size_t)(3 * points) + (size_t)a] / stiffness[c];
  for (int from = 0; from < w->m->elements;) {
    from = take_elements(&p, from);
    memset(f.u, 0, (size_t)p.nodes * (size_t)(3 * padded) * sizeof *f.u);
    for (int i = 0; field && i < 3 * p.nodes; i++)
      memcpy(f.u + (size_t)i * (size_t)padded, field + ((size_t)(3 * p.node[i / 3]) + (size_t)(i % 3)) * (size_t)rows,
             (size_t)rows * sizeof *f.u);
    for (int s = 0; !field && s < 3 * padded; s += STRIP)
      strip_product(&(StripProduct){.a = p.f,
                                    .a_row = REDUCED_POINTS,
                                    .a_deep = 1,
                                    .b = f.mode + s,
                                    .b_deep = (size_t)(3 * padded),
                                    .rows = p.nodes,
                                    .columns = STRIP,
                                    .depth = points,
                                    .sign = 1,
                                    .c = f.u + s,
                                    .c_row = (size_t)(3 * padded)});
    for (int i = 0; i < p.elements; i++) element_forms(&p, &f, i);
    contract(&p);
  }
  for (int c = 0; c < rows; c++)
    for (int a = 1; a < points; a++)
      for (int b = a; b < points; b++)
        *form++ = (a == b ? 1 : 2) * p.out[((size_t)c * (size_t)points + (size_t)a) * (size_t)points + (size_t)b];
  return true;
}
