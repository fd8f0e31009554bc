// SPDX-License-Identifier: Apache-2.0
#include "mechanics/sparse_cholesky.h"
#include "mechanics/batch.h"

#include <math.h>
#include <string.h>

enum { DEEP = 64, TALL_BLOCK = 240 }; // columns that are eliminated at a time, and rows that are updated by them

void *sparse_take(SparseFactor *f, size_t count, size_t size) {
  void *out = f->failed ? NULL : f->memory.allocate(f->memory.self, (count ? count : 1) * size);
  if (!out) f->failed = true;
  else memset(out, 0, (count ? count : 1) * size);
  return out;
}

// ---- sizes ----

static int width(const CliqueMatrix *m, int node) { return m->first[node + 1] - m->first[node]; }

// Each clique begins in the front of its node that is eliminated first.
static bool place_cliques(SparseFactor *f, const int *place) {
  const CliqueMatrix *m = f->m;
  int *front = sparse_take(f, (size_t)m->nodes, sizeof *front),
      *home = sparse_take(f, (size_t)m->cliques, sizeof *home);
  f->of_front = sparse_take(f, (size_t)m->cliques, sizeof *f->of_front);
  if (f->failed) return false;
  for (int k = 0; k < f->fronts; k++)
    for (int i = f->front[k].begin; i < f->front[k].end; i++) front[i] = k;
  for (int c = 0; c < m->cliques; c++) {
    int least = m->nodes;
    for (int k = m->start[c]; k < m->start[c + 1]; k++)
      if (place[m->node[k]] < least) least = place[m->node[k]];
    home[c] = least < m->nodes ? front[least] : 0, f->front[home[c]].last_clique++;
  }
  for (int k = 0, at = 0; k < f->fronts; k++) {
    f->front[k].clique = at, at += f->front[k].last_clique;
    f->front[k].last_clique = f->front[k].clique;
  }
  for (int c = 0; c < m->cliques; c++) f->of_front[f->front[home[c]].last_clique++] = c;
  return true;
}

// The nodes of its ancestors that a front is coupled to, in the order of elimination.
static void find_near(SparseFactor *f, int front, const int *place, int *mark, int *list) {
  const CliqueMatrix *m = f->m;
  Front *q = &f->front[front];
  int n = 0;
  for (int c = q->clique; c < q->last_clique; c++)
    for (int k = m->start[f->of_front[c]]; k < m->start[f->of_front[c] + 1]; k++)
      if (place[m->node[k]] >= q->end) mark[m->node[k]] = front + 1;
  for (int child = q->child; child >= 0; child = f->front[child].next)
    for (int k = 0; k < f->front[child].nears; k++)
      if (place[f->front[child].near[k]] >= q->end) mark[f->front[child].near[k]] = front + 1;
  for (int up = q->parent; up >= 0; up = f->front[up].parent)
    for (int i = f->front[up].begin; i < f->front[up].end; i++)
      if (mark[f->order[i]] == front + 1) list[n++] = f->order[i];
  int *near = sparse_take(f, (size_t)n, sizeof *near);
  if (!near) return;
  memcpy(near, list, (size_t)n * sizeof *near);
  q->near = near, q->nears = n;
}

static void list_rows(SparseFactor *f, Front *q) {
  const CliqueMatrix *m = f->m;
  int n = 0;
  for (int i = q->begin; i < q->end; i++) q->own += width(m, f->order[i]);
  q->rows = q->own;
  for (int i = 0; i < q->nears; i++) q->rows += width(m, q->near[i]);
  int *row = sparse_take(f, (size_t)q->rows, sizeof *row);
  if (!row) return;
  for (int i = q->begin; i < q->end; i++)
    for (int k = m->first[f->order[i]]; k < m->first[f->order[i] + 1]; k++) row[n++] = k;
  for (int i = 0; i < q->nears; i++)
    for (int k = m->first[q->near[i]]; k < m->first[q->near[i] + 1]; k++) row[n++] = k;
  q->row = row;
}

static size_t rest_of(const Front *q) { return (size_t)(q->rows - q->own) * (size_t)(q->rows - q->own); }

bool sparse_analyse(SparseFactor *f, const CliqueMatrix *m, Allocator memory) {
  *f = (SparseFactor){.memory = memory, .m = m};
  if (!sparse_order(f)) return false;
  int *place = sparse_take(f, (size_t)m->nodes, sizeof *place), *mark = sparse_take(f, (size_t)m->nodes, sizeof *mark);
  int *list = sparse_take(f, (size_t)m->nodes, sizeof *list);
  if (f->failed) return false;
  for (int i = 0; i < m->nodes; i++) place[i] = m->nodes; // nodes without unknowns come after all
  for (int i = 0; i < f->front[f->fronts - 1].end; i++) place[f->order[i]] = i;
  if (!place_cliques(f, place)) return false;
  double stack = 0;
  for (int k = 0; k < f->fronts && !f->failed; k++) {
    Front *q = &f->front[k];
    find_near(f, k, place, mark, list);
    list_rows(f, q);
    double own = q->own, rows = q->rows;
    if (q->rows > f->most_rows) f->most_rows = q->rows;
    f->entries += own * rows, f->work += own / 2 * (rows * (rows - own) + own * own / 3);
    stack += (double)rest_of(q), f->stack = fmax(f->stack, stack);
    for (int child = q->child; child >= 0; child = f->front[child].next) stack -= (double)rest_of(&f->front[child]);
  }
  return !f->failed;
}

// ---- factor ----

typedef struct {
  SparseFactor *f;
  double *stack, *panel, *strips, *clique; // panel: rows x DEEP; strips: the same by columns, eight rows side by side
  int *place;                              // of an unknown in the front
} Elimination;

static void add_child(const Elimination *e, const Front *q, const Front *child, const double *rest, double *own_rest) {
  int n = child->rows - child->own, over = q->rows - q->own;
  const int *row = child->row + child->own;
  for (int i = 0; i < n; i++) {
    int at = e->place[row[i]];
    for (int j = 0; j <= i; j++) {
      int column = e->place[row[j]];
      double *to = column < q->own ? &q->factor[(size_t)at * (size_t)q->own + (size_t)column]
                                   : &own_rest[(size_t)(at - q->own) * (size_t)over + (size_t)(column - q->own)];
      *to += rest[(size_t)i * (size_t)n + (size_t)j];
    }
  }
}

static void add_clique(const Elimination *e, const Front *q, int clique, double *rest) {
  const CliqueMatrix *m = e->f->m;
  int n = 0, over = q->rows - q->own, i = 0;
  for (int k = m->start[clique]; k < m->start[clique + 1]; k++) n += width(m, m->node[k]);
  memset(e->clique, 0, (size_t)n * (size_t)n * sizeof *e->clique);
  m->matrix(m->self, clique, e->clique);
  for (int k = m->start[clique]; k < m->start[clique + 1]; k++)
    for (int a = m->first[m->node[k]]; a < m->first[m->node[k] + 1]; a++, i++) {
      int at = e->place[a], j = 0;
      for (int l = m->start[clique]; l < m->start[clique + 1]; l++)
        for (int b = m->first[m->node[l]]; b < m->first[m->node[l] + 1]; b++, j++) {
          int column = e->place[b];
          if (column > at) continue;
          double *to = column < q->own ? &q->factor[(size_t)at * (size_t)q->own + (size_t)column]
                                       : &rest[(size_t)(at - q->own) * (size_t)over + (size_t)(column - q->own)];
          *to += e->clique[(size_t)i * (size_t)n + (size_t)j];
        }
    }
}

// Columns `from` to `to` of all rows below, which have no more from earlier columns; the panel has a copy of them.
TARGET_CLONES static bool eliminate(const Front *q, int from, int to, double *panel) {
  for (int i = from; i < q->rows; i++) {
    double *row = &q->factor[(size_t)i * (size_t)q->own + (size_t)from];
    for (int j = 0; j < to - from && from + j <= i; j++) {
      const double *other = &q->factor[(size_t)(from + j) * (size_t)q->own + (size_t)from];
      BatchReal sum = {0}, x, y;
      double s = row[j];
      int k = 0;
      for (; k + BATCH_WIDTH <= j; k += BATCH_WIDTH) {
        memcpy(&x, row + k, sizeof x), memcpy(&y, other + k, sizeof y);
        sum += x * y;
      }
      for (; k < j; k++) s -= row[k] * other[k];
      for (k = 0; k < BATCH_WIDTH; k++) s -= sum[k];
      if (from + j == i && !(s > 0)) return false;
      row[j] = from + j == i ? sqrt(s) : s / other[j];
    }
    memcpy(&panel[(size_t)i * DEEP], row, (size_t)(to - from) * sizeof *row);
  }
  return true;
}

// Subtracts products of the panel from columns `begin` to `end` of a matrix, whose first row and column are `origin` of the
// front, and from all rows below.
static void update(const Elimination *e, const Front *q, int depth, int begin, int end, int origin, double *to,
                   size_t to_row) {
  int strips = (end - begin + STRIP - 1) / STRIP;
  if (begin >= end) return;
  memset(e->strips, 0, (size_t)strips * DEEP * STRIP * sizeof *e->strips);
  for (int j = begin; j < end; j++)
    for (int k = 0; k < depth; k++)
      e->strips[((size_t)((j - begin) / STRIP) * DEEP + (size_t)k) * STRIP + (size_t)((j - begin) % STRIP)] =
          e->panel[(size_t)j * DEEP + (size_t)k];
  for (int tall = begin; tall < q->rows; tall += TALL_BLOCK)
    for (int s = 0; s < strips; s++) {
      int column = begin + STRIP * s, row = tall > column ? tall : column;
      int last = tall + TALL_BLOCK < q->rows ? tall + TALL_BLOCK : q->rows;
      if (row >= last) break;
      strip_product(&(StripProduct){.a = &e->panel[(size_t)row * DEEP],
                                    .a_row = DEEP,
                                    .a_deep = 1,
                                    .b = &e->strips[(size_t)s * DEEP * STRIP],
                                    .b_deep = STRIP,
                                    .rows = last - row,
                                    .columns = end - column < STRIP ? end - column : STRIP,
                                    .depth = depth,
                                    .sign = -1,
                                    .c = &to[(size_t)(row - origin) * to_row + (size_t)(column - origin)],
                                    .c_row = to_row});
    }
}

static bool factorise_front(const Elimination *e, Front *q, double *rest) {
  for (int from = 0; from < q->own; from += DEEP) {
    int to = from + DEEP < q->own ? from + DEEP : q->own, over = q->rows - q->own;
    if (!eliminate(q, from, to, e->panel)) return false;
    update(e, q, to - from, to, q->own, 0, q->factor, (size_t)q->own);
    if (over) update(e, q, to - from, q->own, q->rows, q->own, rest, (size_t)over);
  }
  return true;
}

bool sparse_factorise(SparseFactor *f) {
  const CliqueMatrix *m = f->m;
  size_t rows = (size_t)f->most_rows + STRIP, at = 0, largest = 0;
  for (int c = 0; c < m->cliques; c++) {
    size_t n = 0;
    for (int k = m->start[c]; k < m->start[c + 1]; k++) n += (size_t)width(m, m->node[k]);
    if (n > largest) largest = n;
  }
  f->strip = sparse_take(f, (size_t)m->first[m->nodes] * STRIP, sizeof *f->strip);
  f->column = sparse_take(f, rows * STRIP, sizeof *f->column);
  Elimination e = {f,
                   sparse_take(f, (size_t)f->stack, sizeof(double)),
                   sparse_take(f, rows * DEEP, sizeof(double)),
                   sparse_take(f, rows * DEEP, sizeof(double)),
                   sparse_take(f, largest * largest, sizeof(double)),
                   sparse_take(f, (size_t)m->first[m->nodes], sizeof(int))};
  for (int k = 0; k < f->fronts && !f->failed; k++) {
    Front *q = &f->front[k];
    size_t over = rest_of(q), children = 0;
    double *rest = e.stack + at;
    q->factor = sparse_take(f, (size_t)q->rows * (size_t)q->own, sizeof *q->factor);
    if (f->failed) return false;
    memset(rest, 0, over * sizeof *rest);
    for (int i = 0; i < q->rows; i++) e.place[q->row[i]] = i;
    for (int child = q->child; child >= 0; child = f->front[child].next) children += rest_of(&f->front[child]);
    at -= children;
    const double *of_child = e.stack + at;
    for (int child = q->child; child >= 0; child = f->front[child].next) {
      add_child(&e, q, &f->front[child], of_child, rest);
      of_child += rest_of(&f->front[child]);
    }
    for (int c = q->clique; c < q->last_clique; c++) add_clique(&e, q, f->of_front[c], rest);
    if (!factorise_front(&e, q, rest)) return false;
    memmove(e.stack + at, rest, over * sizeof *rest);
    at += over;
  }
  return !f->failed;
}

// ---- solution ----

// The triangle of a front, forward or transposed from its end, of t (own x STRIP).
static void solve_triangle(const Front *q, double *t, bool transposed) {
  size_t n = (size_t)q->own;
  int blocks = (q->own + DEEP - 1) / DEEP;
  for (int s = 0; s < blocks; s++) {
    int begin = DEEP * (transposed ? blocks - 1 - s : s), end = begin + DEEP < q->own ? begin + DEEP : q->own;
    StripProduct p = {.rows = end - begin,
                      .columns = STRIP,
                      .b_deep = STRIP,
                      .sign = -1,
                      .c = t + STRIP * (size_t)begin,
                      .c_row = STRIP};
    if (transposed)
      p.depth = q->own - end, p.a = q->factor + n * (size_t)end + begin, p.a_row = 1, p.a_deep = n,
      p.b = t + STRIP * (size_t)end;
    else p.depth = begin, p.a = q->factor + n * (size_t)begin, p.a_row = n, p.a_deep = 1, p.b = t;
    strip_product(&p);
    for (int step = 0; step < end - begin; step++) {
      int i = transposed ? end - 1 - step : begin + step;
      double *x = t + STRIP * (size_t)i;
      for (int c = 0; c < STRIP; c++) x[c] /= q->factor[n * (size_t)i + (size_t)i];
      for (int j = transposed ? begin : i + 1; j < (transposed ? i : end); j++) {
        double v = transposed ? q->factor[n * (size_t)i + (size_t)j] : q->factor[n * (size_t)j + (size_t)i];
        for (int c = 0; c < STRIP; c++) t[STRIP * (size_t)j + (size_t)c] -= v * x[c];
      }
    }
  }
}

static void gather(const int *row, int n, const double *x, double *t) {
  for (int i = 0; i < n; i++) memcpy(t + STRIP * (size_t)i, x + STRIP * (size_t)row[i], STRIP * sizeof *t);
}

static void scatter(const int *row, int n, const double *t, double *x) {
  for (int i = 0; i < n; i++) memcpy(x + STRIP * (size_t)row[i], t + STRIP * (size_t)i, STRIP * sizeof *t);
}

static void solve_strip(const SparseFactor *f, double *x, double *t) {
  for (int k = 0; k < 2 * f->fronts; k++) {
    bool back = k >= f->fronts;
    const Front *q = &f->front[back ? 2 * f->fronts - 1 - k : k];
    size_t n = (size_t)q->own;
    double *over = t + STRIP * n;
    StripProduct p = {.columns = STRIP, .a = q->factor + n * n, .b_deep = STRIP, .sign = -1, .c_row = STRIP};
    gather(q->row, q->rows, x, t);
    if (back) {
      p.rows = q->own, p.depth = q->rows - q->own, p.a_row = 1, p.a_deep = n, p.b = over, p.c = t;
      if (p.depth) strip_product(&p);
      solve_triangle(q, t, true);
      scatter(q->row, q->own, t, x);
    } else {
      p.rows = q->rows - q->own, p.depth = q->own, p.a_row = n, p.a_deep = 1, p.b = t, p.c = over;
      solve_triangle(q, t, false);
      if (p.rows) strip_product(&p);
      scatter(q->row, q->rows, t, x);
    }
  }
}

void sparse_solve(const SparseFactor *f, double *x, int columns) {
  size_t n = (size_t)f->m->first[f->m->nodes], all = (size_t)columns;
  for (size_t c = 0; c < all; c += STRIP) {
    size_t some = all - c < STRIP ? all - c : STRIP;
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < STRIP; k++) f->strip[i * STRIP + k] = k < some ? x[i * all + c + k] : 0;
    solve_strip(f, f->strip, f->column);
    for (size_t i = 0; i < n; i++) memcpy(&x[i * all + c], &f->strip[i * STRIP], some * sizeof *x);
  }
}
