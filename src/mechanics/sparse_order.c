// SPDX-License-Identifier: Apache-2.0
// Nested dissection: a plane divides the nodes; those of one side that have neighbours on the other come last.
#include "mechanics/dense.h"
#include "mechanics/sparse_cholesky.h"

#include <math.h>
#include <string.h>

enum {
  NOT_REACHED = -2,
  LEAF = 40,
  AXES = 6,
  DISTANCE = AXES
}; // what a plane is across: an axis, or the distance from a node

typedef struct {
  SparseFactor *f;
  const CliqueMatrix *m;
  int *start, *clique; // of each node
  int *below, *above;  // of each clique: the last plane with a node of it on this side
  int *side, *spare;   // of each node; room
  int *level;          // of each node: the cells between it and another of its set; -1: not yet
  Vec3 axis[AXES];
  double *value, *copy; // of each node along an axis; room
  int planes;
} Dissection;

typedef struct {
  int across;
  double at, score;
  bool with_equal, separator_above; // nodes at the plane are below it; the separator is on this side
} Plane;

static bool list_cliques(Dissection *d) {
  const CliqueMatrix *m = d->m;
  d->start = sparse_take(d->f, (size_t)m->nodes + 2, sizeof *d->start);
  d->clique = sparse_take(d->f, (size_t)m->start[m->cliques], sizeof *d->clique);
  if (d->f->failed) return false;
  for (int k = 0; k < m->start[m->cliques]; k++) d->start[m->node[k] + 2]++;
  for (int i = 2; i <= m->nodes + 1; i++) d->start[i] += d->start[i - 1];
  for (int c = 0; c < m->cliques; c++)
    for (int k = m->start[c]; k < m->start[c + 1]; k++) d->clique[d->start[m->node[k] + 1]++] = c;
  return true;
}

// The k-th smallest of n numbers, which are put into another order.
static double select_number(double *x, int n, int k) {
  unsigned long long seed = 1;
  int low = 0, high = n - 1;
  while (low < high) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    double pivot = x[low + (int)((seed >> 33) % (unsigned long long)(high - low + 1))];
    int i = low, j = high;
    while (i <= j) {
      while (x[i] < pivot) i++;
      while (x[j] > pivot) j--;
      if (i > j) break;
      double swap = x[i];
      x[i++] = x[j], x[j--] = swap;
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else break;
  }
  return x[k];
}

// Distances from a node in cells; the last one that is reached. Nodes that cannot be reached are as far.
static int walk(Dissection *d, const int *node, int n, int root) {
  int known = 0, done = 0;
  for (int i = 0; i < n; i++) d->level[node[i]] = -1;
  d->planes++;
  d->level[root] = 0, d->spare[known++] = root;
  for (; done < known; done++) {
    int at = d->spare[done];
    for (int k = d->start[at]; k < d->start[at + 1]; k++) {
      int c = d->clique[k];
      if (d->below[c] == d->planes) continue;
      d->below[c] = d->planes;
      for (int l = d->m->start[c]; l < d->m->start[c + 1]; l++) {
        int to = d->m->node[l];
        if (d->level[to] == -1) d->level[to] = d->level[at] + 1, d->spare[known++] = to;
      }
    }
  }
  for (int i = 0; i < n; i++)
    if (d->level[node[i]] < 0) d->level[node[i]] = NOT_REACHED;
  return d->spare[known - 1];
}

static void project(Dissection *d, const int *node, int n, int across) {
  for (int i = 0; i < n; i++) {
    d->value[i] = across == DISTANCE ? d->level[node[i]]
                                     : vec3_dot(d->axis[across], vec3_sub(d->m->at[node[i]], d->m->at[node[0]]));
    if (across == DISTANCE && d->value[i] < 0) d->value[i] = n;
  }
}

static void walk_from_end(Dissection *d, const int *node, int n) {
  int root = node[0];
  for (int pass = 0; pass < 2; pass++) root = walk(d, node, n, root);
  walk(d, node, n, root);
}

// Marks cliques by the sides of their nodes; the number of nodes below.
static int mark_sides(Dissection *d, const int *node, int n, const Plane *p) {
  int below = 0;
  d->planes++;
  for (int i = 0; i < n; i++) {
    bool is_below = d->value[i] < p->at || (p->with_equal && d->value[i] <= p->at);
    int *mark = is_below ? d->below : d->above;
    for (int k = d->start[node[i]]; k < d->start[node[i] + 1]; k++) mark[d->clique[k]] = d->planes;
    d->side[node[i]] = is_below ? -1 : 1, below += is_below;
  }
  return below;
}

static bool is_cut(const Dissection *d, int node) {
  for (int k = d->start[node]; k < d->start[node + 1]; k++)
    if (d->below[d->clique[k]] == d->planes && d->above[d->clique[k]] == d->planes) return true;
  return false;
}

// A plane through the median, and which side the separator is on: the best of all.
static void try_plane(Dissection *d, const int *node, int n, int across, Plane *best) {
  project(d, node, n, across);
  memcpy(d->copy, d->value, (size_t)n * sizeof *d->copy);
  Plane p = {.across = across, .at = select_number(d->copy, n, n / 2)};
  int less = 0, equal = 0;
  for (int i = 0; i < n; i++) less += d->value[i] < p.at, equal += d->value[i] == p.at;
  p.with_equal = 2 * less + equal < n;
  int below = mark_sides(d, node, n, &p), cut[2] = {0};
  if (8 * below < n || 8 * (n - below) < n) return;
  for (int i = 0; i < n; i++)
    if (is_cut(d, node[i])) cut[d->side[node[i]] > 0]++;
  p.separator_above = cut[1] < cut[0];
  double larger = below > n - below ? below : n - below;
  p.score = cut[p.separator_above] * (larger / n);
  if (best->score < 0 || p.score < best->score) *best = p;
}

static void choose_plane(Dissection *d, const int *node, int n, Plane *best) {
  double second[9] = {0}, axes[9], value[3], extent[AXES], most = 0;
  Vec3 centre = vec3_zero();
  for (int i = 0; i < n; i++) centre = vec3_axpy(centre, 1.0 / n, vec3_sub(d->m->at[node[i]], d->m->at[node[0]]));
  for (int i = 0; i < n; i++) {
    double x[3];
    vec3_to(vec3_sub(vec3_sub(d->m->at[node[i]], d->m->at[node[0]]), centre), x);
    for (int r = 0; r < 9; r++) second[r] += x[r / 3] * x[r % 3] / n;
  }
  dense_eigen(3, second, value, axes);
  for (int k = 0; k < 3; k++)
    d->axis[k] = vec3(k == 0, k == 1, k == 2), d->axis[3 + k] = vec3(axes[k], axes[3 + k], axes[6 + k]);
  for (int k = 0; k < AXES; k++) {
    double least = 0, greatest = 0;
    project(d, node, n, k);
    for (int i = 0; i < n; i++) least = fmin(least, d->value[i]), greatest = fmax(greatest, d->value[i]);
    extent[k] = greatest - least, most = fmax(most, extent[k]);
  }
  best->score = -1;
  for (int k = 0; k < AXES; k++)
    if (extent[k] > 0.6 * most) try_plane(d, node, n, k, best);
  walk_from_end(d, node, n);
  try_plane(d, node, n, DISTANCE, best);
}

// Nodes below, above and in the separator, one after the other.
static void divide(Dissection *d, int *node, int n, const Plane *p, int count[2]) {
  int at = 0;
  project(d, node, n, p->across);
  mark_sides(d, node, n, p);
  for (int i = 0; i < n; i++)
    if ((d->side[node[i]] > 0) == p->separator_above && is_cut(d, node[i])) d->side[node[i]] = 2;
  memcpy(d->spare, node, (size_t)n * sizeof *node);
  for (int side = 0; side < 3; side++) {
    static const int sides[] = {-1, 1, 2};
    int before = at;
    for (int i = 0; i < n; i++)
      if (d->side[d->spare[i]] == sides[side]) node[at++] = d->spare[i];
    if (side < 2) count[side] = at - before;
  }
}

// The front of order[begin] to order[end - 1] and its children; `more` nodes behind them belong to it.
static int dissect(Dissection *d, int begin, int end, int more) { // NOLINT(misc-no-recursion): at most 120 deep
  int child[2] = {-1, -1}, count[2] = {0, 0};
  Plane p = {.score = -1};
  if (end - begin > LEAF) choose_plane(d, d->f->order + begin, end - begin, &p);
  if (p.score >= 0) {
    divide(d, d->f->order + begin, end - begin, &p, count);
    for (int k = 0; k < 2; k++) {
      if (count[k]) child[k] = dissect(d, begin, begin + count[k], 0);
      begin += count[k];
    }
  }
  int front = d->f->fronts++;
  Front *out = &d->f->front[front];
  *out = (Front){.begin = begin, .end = end + more, .parent = -1, .child = -1, .next = -1};
  for (int k = 1; k >= 0; k--)
    if (child[k] >= 0) {
      d->f->front[child[k]].parent = front, d->f->front[child[k]].next = out->child;
      out->child = child[k];
    }
  return front;
}

bool sparse_order(SparseFactor *f) {
  const CliqueMatrix *m = f->m;
  size_t nodes = (size_t)m->nodes, cliques = (size_t)m->cliques;
  Dissection d = {.f = f, .m = m};
  int n = 0, all = 0;
  f->order = sparse_take(f, nodes, sizeof *f->order);
  f->front = sparse_take(f, 2 * nodes + 1, sizeof *f->front);
  d.side = sparse_take(f, nodes, sizeof *d.side), d.spare = sparse_take(f, nodes, sizeof *d.spare);
  d.below = sparse_take(f, cliques, sizeof *d.below), d.above = sparse_take(f, cliques, sizeof *d.above);
  d.level = sparse_take(f, nodes, sizeof *d.level);
  d.value = sparse_take(f, nodes, sizeof *d.value), d.copy = sparse_take(f, nodes, sizeof *d.copy);
  if (f->failed || !list_cliques(&d)) return false;
  for (int i = 0; i < m->nodes; i++) {
    d.level[i] = NOT_REACHED;
    if (i == m->nodes - m->wide) n = all;
    if (m->first[i + 1] > m->first[i]) f->order[all++] = i;
  }
  dissect(&d, 0, m->wide ? n : all, m->wide ? all - n : 0);
  return true;
}
