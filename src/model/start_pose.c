// SPDX-License-Identifier: Apache-2.0
#include "model/start_pose.h"

#include "base/rotation.h"
#include "model/refusal.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BODIES = 100, MOST_ITERATIONS = 60, MOST_HALVINGS = 10 };
static const double most_turn = 0.1, most_slide = 0.05; // of an increment: rad; fraction of the model's size

typedef struct { // x = turn X + at
  Mat3 turn;
  Vec3 at;
} Pose;

typedef struct {
  Model m;
  Store *store;
  StartPose *out;
  int *body;    // of each node; the ground is 0
  Pose *pose;   // of each body
  Vec3 *centre; // mean of its nodes as drawn
  int bodies;
  double length;
  char *bridge; // of each joint: it is in no loop
  // of a loop: unknowns and equations
  int *unknown;                     // first of each body, -1: it stays
  int *joint, joints;               // joints whose equations are solved
  int *coord_unknown;               // of each joint: first of its free coordinates, -1: none
  int columns, coord_columns, rows; // columns of coordinates begin at coord_columns
} Start;

// ---- bodies ----

static int find_root(int *parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static void unite_bodies(int *parent, int a, int b) {
  a = find_root(parent, a), b = find_root(parent, b);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}

static bool has_mass(const ModelElement *e) {
  double sum = 0;
  for (int k = 0; k < e->nnode; k++) {
    Inertia q;
    e->kind->inertia(e->data, k, &q);
    sum += q.m;
  }
  return sum > 0;
}

static Error FindBodies(Start *s) {
  Model m = s->m;
  int *parent;
  TRY(StoreAllocate(s->store, (size_t)m->nodes.count * sizeof *parent, &parent));
  TRY(StoreAllocate(s->store, (size_t)m->nodes.count * sizeof *s->body, &s->body));
  for (int i = 0; i < m->nodes.count; i++) parent[i] = i;
  for (int i = 0; i < m->nodes.count; i++)
    if (model_node(m, i)->kind == NODE_FIXED) unite_bodies(parent, 0, i);
  for (int e = 0; e < m->elements.count; e++) {
    const ModelElement *el = model_element(m, e);
    const int *node = model_element_nodes(m, el);
    if (el->kind->around) continue; // air or water connects nothing
    for (int k = 1; k < el->nnode && (el->nnode > 2 || has_mass(el)); k++) unite_bodies(parent, node[0], node[k]);
  }
  for (int i = 0; i < m->nodes.count; i++) s->body[i] = parent[i] == i ? s->bodies++ : 0;
  for (int i = 0; i < m->nodes.count; i++) s->body[i] = s->body[find_root(parent, i)];
  TRY(StoreAllocate(s->store, (size_t)s->bodies * sizeof *s->pose, &s->pose));
  TRY(StoreAllocate(s->store, (size_t)s->bodies * sizeof *s->centre, &s->centre));
  TRY(StoreAllocate(s->store, (size_t)m->joints.count + 1, &s->bridge));
  TRY(StoreAllocate(s->store, (size_t)s->bodies * sizeof *s->unknown, &s->unknown));
  TRY(StoreAllocate(s->store, ((size_t)m->joints.count + 1) * sizeof *s->joint, &s->joint));
  TRY(StoreAllocate(s->store, ((size_t)m->joints.count + 1) * sizeof *s->coord_unknown, &s->coord_unknown));
  for (int b = 0; b < s->bodies; b++) s->pose[b].turn = mat3_identity();
  double low[3] = {0}, high[3] = {0};
  for (int i = 0; i < m->nodes.count; i++) {
    double at[3];
    vec3_to(model_node(m, i)->x[0], at);
    for (int k = 0; k < 3; k++) low[k] = fmin(low[k], at[k]), high[k] = fmax(high[k], at[k]);
  }
  s->length = vec3_norm(vec3_sub(vec3_of(high), vec3_of(low)));
  if (!(s->length > 0)) s->length = 1;
  return 0;
}

// The point of a coordinate's inertia stands for no place.
static bool connects(const ModelJoint *q) { return q->kind != &joint_coordinate_inertia; }

static bool begins_elsewhere(const Joint *q) {
  bool any = false;
  for (int c = 0; c < q->ncoord; c++) any = any || q->law[c].start;
  return any;
}

// ---- loops ----

// A graph whose vertices are bodies and joints, with an edge from each joint to each of its bodies. The edges of vertex
// v begin at edge[first[v]].
typedef struct {
  int *first, *edge, *order, *low, *next, *from;
} Graph;

static Error MakeGraph(Start *s, Graph *g) {
  Model m = s->m;
  int vertices = s->bodies + m->joints.count, edges = 0;
  for (int j = 0; j < m->joints.count; j++) edges += 2 * model_joint(m, j)->nnode;
  size_t size = ((size_t)vertices + 2) * sizeof(int);
  TRY(StoreAllocate(s->store, size, &g->first));
  TRY(StoreAllocate(s->store, size, &g->order));
  TRY(StoreAllocate(s->store, size, &g->low));
  TRY(StoreAllocate(s->store, size, &g->next));
  TRY(StoreAllocate(s->store, size, &g->from));
  TRY(StoreAllocate(s->store, ((size_t)edges + 1) * sizeof(int), &g->edge));
  for (int fill = 0; fill < 2; fill++) {
    for (int j = 0; j < m->joints.count; j++) {
      const ModelJoint *q = model_joint(m, j);
      for (int a = 0; a + 1 < q->nnode && connects(q); a++) {
        int b = s->body[q->node[a]], v = s->bodies + j;
        bool again = false;
        for (int k = 0; k < a; k++) again = again || s->body[q->node[k]] == b;
        if (again) continue;
        if (!fill) g->first[b + 1]++, g->first[v + 1]++;
        else g->edge[g->first[b] + g->next[b]++] = v, g->edge[g->first[v] + g->next[v]++] = b;
      }
    }
    for (int v = 0; v < vertices && !fill; v++) g->first[v + 1] += g->first[v];
  }
  return 0;
}

// Finds the joints that are in no loop, with Tarjan's depth-first search.
static Error FindBridges(Start *s) {
  Graph g;
  int vertices = s->bodies + s->m->joints.count, count = 0;
  TRY(MakeGraph(s, &g));
  memset(g.next, 0, (size_t)vertices * sizeof(int));
  for (int j = 0; j < s->m->joints.count; j++) s->bridge[j] = 1;
  for (int root = 0; root < vertices; root++) {
    if (g.order[root]) continue;
    int v = root;
    g.from[v] = -1, g.order[v] = g.low[v] = ++count;
    while (v >= 0) {
      if (g.next[v] < g.first[v + 1] - g.first[v]) {
        int w = g.edge[g.first[v] + g.next[v]++];
        if (!g.order[w]) g.from[w] = v, g.order[w] = g.low[w] = ++count, v = w;
        else if (w != g.from[v] && g.order[w] < g.low[v]) g.low[v] = g.order[w];
        continue;
      }
      int up = g.from[v];
      if (up >= 0) {
        if (g.low[v] < g.low[up]) g.low[up] = g.low[v];
        if (g.low[v] <= g.order[up]) s->bridge[(up < s->bodies ? v : up) - s->bodies] = 0; // the edge is in a loop
      }
      v = up;
    }
  }
  return 0;
}

// Unites bodies that are connected by joints outside of loops and without a start: they move as one.
static Error JoinBodies(Start *s) {
  int *parent, *number, count = 0;
  TRY(StoreAllocate(s->store, (size_t)s->bodies * sizeof *parent, &parent));
  TRY(StoreAllocate(s->store, (size_t)s->bodies * sizeof *number, &number));
  for (int b = 0; b < s->bodies; b++) parent[b] = b;
  for (int j = 0; j < s->m->joints.count; j++) {
    const ModelJoint *q = model_joint(s->m, j);
    for (int a = 1; a + 1 < q->nnode && s->bridge[j] && connects(q) && !begins_elsewhere(&q->joint); a++)
      unite_bodies(parent, s->body[q->node[0]], s->body[q->node[a]]);
  }
  for (int b = 0; b < s->bodies; b++)
    if (parent[b] == b) number[b] = count++;
  for (int i = 0; i < s->m->nodes.count; i++) s->body[i] = number[find_root(parent, s->body[i])];
  s->bodies = count;
  return 0;
}

// ---- rows ----

static Vec3 moved_point(const Pose *p, Vec3 x) { return vec3_add(mat3_apply(p->turn, x), p->at); }

static void joint_rows(const Start *s, int j, const Coords *z, double *g) {
  const ModelJoint *q = model_joint(s->m, j);
  Vec3 x[MAX_LOCAL_VECTORS];
  int n = 0;
  for (int a = 0; a < q->nnode; a++) {
    const ModelNode *node = model_node(s->m, q->node[a]);
    const Pose *p = &s->pose[s->body[q->node[a]]];
    for (int v = 0; v < node_vectors(node->kind); v++)
      x[n++] = v ? mat3_apply(p->turn, node->x[v]) : moved_point(p, node->x[0]);
  }
  rows_value(&q->joint.rows, x, q->joint.ncoord ? z : no_coords, g);
}

static void turn_body(Start *s, int b, const double *d) {
  Pose *p = &s->pose[b];
  Mat3 turn = rotation_exponential(vec3_scale(1 / s->length, vec3_of(d + 3)));
  Vec3 centre = moved_point(p, s->centre[b]);
  p->turn = rotation_orthonormalised(mat3_mul(turn, p->turn));
  p->at = vec3_sub(vec3_add(centre, vec3_of(d)), mat3_apply(p->turn, s->centre[b]));
}

// ---- Newton's method with least motion ----

typedef struct {
  double *a, *r, *b, *x; // rows x columns; residual; A A^T; solution
} Dense;

// (A A^T + small) y = -r by Cholesky, x = A^T y.
static bool solve_least(int rows, int columns, Dense *d) {
  double trace = 0;
  for (int i = 0; i < rows; i++)
    for (int k = 0; k <= i; k++) {
      double sum = 0;
      for (int c = 0; c < columns; c++) sum += d->a[i * columns + c] * d->a[k * columns + c];
      d->b[i * rows + k] = sum;
      if (i == k) trace = fmax(trace, sum);
    }
  for (int i = 0; i < rows; i++) d->b[i * rows + i] += 1e-11 * trace;
  for (int i = 0; i < rows; i++)
    for (int k = 0; k <= i; k++) {
      double sum = d->b[i * rows + k];
      for (int c = 0; c < k; c++) sum -= d->b[i * rows + c] * d->b[k * rows + c];
      if (i == k && !(sum > 0)) return false;
      d->b[i * rows + k] = i == k ? sqrt(sum) : sum / d->b[k * rows + k];
    }
  double *y = d->r;
  for (int i = 0; i < rows; i++) {
    for (int c = 0; c < i; c++) y[i] -= d->b[i * rows + c] * y[c];
    y[i] /= d->b[i * rows + i];
  }
  for (int i = rows - 1; i >= 0; i--) {
    for (int c = i + 1; c < rows; c++) y[i] -= d->b[c * rows + i] * y[c];
    y[i] /= d->b[i * rows + i];
  }
  for (int c = 0; c < columns; c++) {
    d->x[c] = 0;
    for (int i = 0; i < rows; i++) d->x[c] -= d->a[i * columns + c] * y[i];
  }
  return true;
}

// Small, so that a free coordinate changes only if moving the bodies alone is not enough.
static const double weight_of_coord = 1e-2;

static bool is_free(const Joint *q, int c) { return !q->law[c].start && !q->prescribed[c]; }

// Residual, and derivatives by central differences; returns the largest residual over the model's size.
static double evaluate_loop(Start *s, const Coords *z, Dense *d, bool derivatives) {
  const double e = 1e-6;
  double worst = 0, up[MAX_ROWS], down[MAX_ROWS], g[MAX_ROWS];
  int row = 0;
  memset(d->a, 0, (size_t)s->rows * (size_t)s->columns * sizeof *d->a);
  for (int i = 0; i < s->joints; i++) {
    int j = s->joint[i];
    const ModelJoint *q = model_joint(s->m, j);
    int n = q->joint.rows.nrow, seen[MAX_LOCAL_NODES], bodies = 0;
    joint_rows(s, j, &z[j], g);
    for (int r = 0; r < n; r++) d->r[row + r] = g[r], worst = fmax(worst, fabs(g[r]) / s->length);
    for (int a = 0; a + 1 < q->nnode && derivatives; a++) {
      int b = s->body[q->node[a]];
      bool again = s->unknown[b] < 0;
      for (int k = 0; k < bodies; k++) again = again || seen[k] == b;
      if (again) continue;
      seen[bodies++] = b;
      for (int k = 0; k < 6; k++) {
        double step[6] = {0};
        Pose before = s->pose[b];
        step[k] = e * s->length;
        turn_body(s, b, step), joint_rows(s, j, &z[j], up), s->pose[b] = before;
        step[k] = -e * s->length;
        turn_body(s, b, step), joint_rows(s, j, &z[j], down), s->pose[b] = before;
        for (int r = 0; r < n; r++)
          d->a[(row + r) * s->columns + s->unknown[b] + k] = (up[r] - down[r]) / (2 * e * s->length);
      }
    }
    for (int c = 0, k = 0; c < q->joint.ncoord && derivatives && s->coord_unknown[j] >= 0; c++) {
      if (!is_free(&q->joint, c)) continue;
      Coords w = z[j];
      w.z[c] += e, joint_rows(s, j, &w, up), w.z[c] -= 2 * e, joint_rows(s, j, &w, down);
      for (int r = 0; r < n; r++)
        d->a[(row + r) * s->columns + s->coord_unknown[j] + k] =
            weight_of_coord * s->length * (up[r] - down[r]) / (2 * e);
      k++;
    }
    row += n;
  }
  return worst;
}

static bool close_loop(Start *s, Coords *z, Dense *d) {
  double last = INFINITY;
  for (int n = 0; n < MOST_ITERATIONS; n++) {
    double worst = evaluate_loop(s, z, d, true);
    if (worst < 1e-15 || (worst < 1e-12 && worst > 0.5 * last)) return true;
    if (!(worst < 1e3) || !solve_least(s->rows, s->columns, d)) return false;
    double most = 0;
    for (int c = 0; c < s->columns; c++)
      most = fmax(most, fabs(d->x[c]) * (c < s->coord_columns ? 1 / s->length : weight_of_coord * s->length));
    double part = most > 0.3 ? 0.3 / most : 1;
    for (int b = 0; b < s->bodies; b++)
      if (s->unknown[b] >= 0) {
        double step[6];
        for (int k = 0; k < 6; k++) step[k] = part * d->x[s->unknown[b] + k];
        turn_body(s, b, step);
      }
    for (int i = 0; i < s->joints; i++) {
      int j = s->joint[i], k = 0;
      const Joint *q = &model_joint(s->m, j)->joint;
      for (int c = 0; c < q->ncoord && s->coord_unknown[j] >= 0; c++)
        if (is_free(q, c)) z[j].z[c] += part * weight_of_coord * s->length * d->x[s->coord_unknown[j] + k++];
    }
    last = worst;
  }
  return evaluate_loop(s, z, d, false) < 1e-11;
}

// ---- what moves ----

enum { NOT_TAKEN = -2, STAYS = -1, MOVES = 0 }; // of bodies and joints, before unknowns are numbered

// Takes the bodies and joints that a joint reaches other than through the ground; true: it reaches the ground.
static bool take_reached(Start *s, int from) {
  bool more = true, held = false;
  s->coord_unknown[from] = STAYS;
  while (more) {
    more = false;
    for (int j = 0; j < s->m->joints.count; j++) {
      const ModelJoint *q = model_joint(s->m, j);
      bool taken = s->coord_unknown[j] == STAYS, news = false;
      if (!connects(q) || (s->bridge[j] && !begins_elsewhere(&q->joint))) continue;
      for (int a = 0; a + 1 < q->nnode; a++) taken = taken || s->unknown[s->body[q->node[a]]] == MOVES;
      if (!taken) continue;
      for (int a = 0; a + 1 < q->nnode; a++) {
        int b = s->body[q->node[a]];
        held = held || b == 0;
        if (b > 0 && s->unknown[b] == NOT_TAKEN) s->unknown[b] = MOVES, news = true;
      }
      if (s->coord_unknown[j] != STAYS) s->coord_unknown[j] = STAYS, news = true;
      more = more || news;
    }
  }
  return held;
}

// In a group that is not connected to the ground, the first body of the joint stays.
static void number_unknowns(Start *s) {
  s->joints = s->columns = s->rows = 0;
  for (int b = 0; b < s->bodies; b++) s->unknown[b] = NOT_TAKEN;
  for (int j = 0; j < s->m->joints.count; j++) s->coord_unknown[j] = NOT_TAKEN;
  for (int j = 0; j < s->m->joints.count; j++) {
    const ModelJoint *q = model_joint(s->m, j);
    if (s->coord_unknown[j] == NOT_TAKEN && begins_elsewhere(&q->joint) && !take_reached(s, j))
      s->unknown[s->body[q->node[0]]] = STAYS;
  }
  for (int b = 0; b < s->bodies; b++)
    if (s->unknown[b] == MOVES) s->unknown[b] = s->columns, s->columns += 6;
  s->coord_columns = s->columns;
  for (int j = 0; j < s->m->joints.count; j++) {
    const ModelJoint *q = model_joint(s->m, j);
    if (s->coord_unknown[j] != STAYS) continue;
    s->joint[s->joints++] = j, s->rows += q->joint.rows.nrow;
    int free = 0;
    for (int c = 0; c < q->joint.ncoord && !s->bridge[j]; c++) free += is_free(&q->joint, c);
    if (free) s->coord_unknown[j] = s->columns, s->columns += free;
  }
}

static void find_centres(Start *s) {
  int *count = s->unknown; // borrowed: the unknowns are not numbered yet
  memset(count, 0, (size_t)s->bodies * sizeof *count);
  for (int i = 0; i < s->m->nodes.count; i++) {
    Vec3 *c = &s->centre[s->body[i]];
    *c = vec3_axpy(*c, 1.0 / ++count[s->body[i]], vec3_sub(model_node(s->m, i)->x[0], *c));
  }
}

static void set_starts(const Start *s, double part, Coords *z) {
  for (int i = 0; i < s->joints; i++) {
    const Joint *q = &model_joint(s->m, s->joint[i])->joint;
    for (int c = 0; c < q->ncoord; c++)
      if (q->law[c].start) z[s->joint[i]].z[c] = part * *q->law[c].start;
  }
}

// The largest fraction of the path that one increment may cover.
static double largest_part(const Start *s) {
  double part = 1;
  for (int i = 0; i < s->joints; i++) {
    const ModelJoint *q = model_joint(s->m, s->joint[i]);
    for (int c = 0; c < q->joint.ncoord; c++)
      if (q->joint.law[c].start) {
        bool angle = !strcmp(q->kind->coord_units[c], "rad");
        double way = fabs(*q->joint.law[c].start), most = angle ? most_turn : most_slide * s->length;
        if (way > most) part = fmin(part, most / way);
      }
  }
  return part;
}

static void tell_failure(Start *s, double part, bool two) {
  for (int i = 0; i < s->joints; i++) {
    const ModelJoint *q = model_joint(s->m, s->joint[i]);
    for (int c = 0; c < q->joint.ncoord; c++) {
      if (!q->joint.law[c].start || is_refused(&s->out->wrong)) continue;
      bool angle = !strcmp(q->kind->coord_units[c], "rad");
      double start = *q->joint.law[c].start, scale = angle ? 180 / acos(-1.0) : 1;
      s->out->joint = s->joint[i];
      if (two)
        refuse(&s->out->wrong,
               "its loop can be assembled at %s = %.6g %s in two ways: place it a little towards the one that you "
               "mean, or give the start of another joint",
               q->kind->coord_names[c], scale * start, angle ? "deg" : "m");
      else
        refuse(&s->out->wrong,
               "its loop cannot be assembled at %s = %.6g %s: from its given position it gets as far as %.6g %s",
               q->kind->coord_names[c], scale * start, angle ? "deg" : "m", part > 0 ? scale * part * start : 0,
               angle ? "deg" : "m");
    }
  }
}

// Whether a loop can leave a dead point in more than one way: tried from poses nearby.
static bool has_two_ways(Start *s, double part, Coords *z, const Pose *pose, const Coords *coord, Pose *found,
                         Dense *d) {
  size_t bodies = (size_t)s->bodies * sizeof *pose, joints = (size_t)s->m->joints.count * sizeof *z;
  bool any = false, two = false;
  for (int trial = 0; trial < 8 && !two; trial++) {
    double far = 0;
    memcpy(s->pose, pose, bodies), memcpy(z, coord, joints);
    for (int b = 0; b < s->bodies; b++) {
      double step[6];
      for (int k = 0; k < 6; k++)
        step[k] =
            (trial % 2 ? 0.1 : -0.1) * s->length * sin(1 + 7.0 * b + 3.0 * k + 11.0 * (trial / 2.0 - trial % 2 / 2.0));
      if (s->unknown[b] >= 0) turn_body(s, b, step);
    }
    set_starts(s, part, z);
    if (!close_loop(s, z, d)) continue;
    for (int b = 0; b < s->bodies && any; b++)
      far =
          fmax(far, vec3_norm(vec3_sub(moved_point(&s->pose[b], s->centre[b]), moved_point(&found[b], s->centre[b]))));
    two = any && far > 1e-3 * s->length;
    if (!any) memcpy(found, s->pose, bodies);
    any = true;
  }
  memcpy(s->pose, pose, bodies), memcpy(z, coord, joints);
  return two;
}

static const double least_part = 1e-5; // fraction of the path, however long it is

static Error FollowPath(Start *s, Coords *z) {
  Dense d;
  Pose *pose, *found;
  Coords *coord;
  size_t rows = (size_t)s->rows, columns = (size_t)s->columns, joints = (size_t)s->m->joints.count;
  TRY(StoreAllocate(s->store, rows * columns * sizeof(double), &d.a));
  TRY(StoreAllocate(s->store, rows * sizeof(double), &d.r));
  TRY(StoreAllocate(s->store, rows * rows * sizeof(double), &d.b));
  TRY(StoreAllocate(s->store, columns * sizeof(double), &d.x));
  TRY(StoreAllocate(s->store, (size_t)s->bodies * sizeof *pose, &pose));
  TRY(StoreAllocate(s->store, (size_t)s->bodies * sizeof *found, &found));
  TRY(StoreAllocate(s->store, joints * sizeof *coord, &coord));
  double part = 0, most = fmax(least_part, largest_part(s)), step = most;
  for (int halvings = 0; part < 1;) {
    double to = fmin(1, part + step);
    memcpy(pose, s->pose, (size_t)s->bodies * sizeof *pose), memcpy(coord, z, joints * sizeof *coord);
    set_starts(s, to, z);
    if (close_loop(s, z, &d)) {
      part = to, step = fmin(most, 2 * step), halvings = 0;
      continue;
    }
    memcpy(s->pose, pose, (size_t)s->bodies * sizeof *pose), memcpy(z, coord, joints * sizeof *coord);
    step *= 0.5;
    if (++halvings <= MOST_HALVINGS) continue;
    tell_failure(s, part, part == 0 && has_two_ways(s, most, z, pose, coord, found, &d));
    break;
  }
  return 0;
}

Error ModelStartPose(Model m, Store *store, StartPose *out) {
  Start s = {.m = m, .store = store, .out = out};
  bool any = false;
  *out = (StartPose){.joint = LIMBER_NONE};
  for (int j = 0; j < m->joints.count; j++) any = any || begins_elsewhere(&model_joint(m, j)->joint);
  if (!any) return 0;
  TRY(FindBodies(&s));
  TRY(FindBridges(&s));
  TRY(JoinBodies(&s));
  find_centres(&s);
  number_unknowns(&s);
  TRY(StoreAllocate(store, (size_t)m->joints.count * sizeof *out->coord, &out->coord));
  if (s.columns > 6 * MOST_BODIES) {
    out->joint = s.joint[0];
    refuse(&out->wrong, "a `start` moves more than %d bodies whose joints are in loops", MOST_BODIES);
    return 0;
  }
  TRY(FollowPath(&s, out->coord));
  TRY(StoreAllocate(store, (size_t)m->nodes.count * sizeof *out->x, &out->x));
  for (int i = 0; i < m->nodes.count; i++)
    for (int k = 0; k < 4; k++) {
      const ModelNode *n = model_node(m, i);
      const Pose *p = &s.pose[s.body[i]];
      out->x[i][k] = k ? mat3_apply(p->turn, n->x[k]) : moved_point(p, n->x[0]);
    }
  return 0;
}

// How a node moved: x = turn X + at.
static Pose node_pose(const StartPose *s, Model m, int i) {
  const ModelNode *n = model_node(m, i);
  Pose p = {mat3_identity(), vec3_sub(s->x[i][0], n->x[0])};
  if (n->kind == NODE_POINT) return p;
  p.turn = mat3_mul(mat3_columns(s->x[i][1], s->x[i][2], s->x[i][3]),
                    mat3_transpose(mat3_columns(n->x[1], n->x[2], n->x[3])));
  p.at = vec3_sub(s->x[i][0], mat3_apply(p.turn, n->x[0]));
  return p;
}

Error ModelAtStart(Model m, Store *store, struct LimberModelData *out) {
  StartPose pose;
  ModelNode *node;
  ModelJoint *joint;
  *out = *m;
  TRY(ModelStartPose(m, store, &pose));
  if (!pose.x) return 0;
  TRY(StoreAllocate(store, (size_t)m->nodes.count * sizeof *node, &node));
  TRY(StoreAllocate(store, ((size_t)m->joints.count + 1) * sizeof *joint, &joint));
  for (int i = 0; i < m->nodes.count; i++) {
    node[i] = *model_node(m, i);
    for (int k = 0; k < node_vectors(node[i].kind); k++) node[i].x[k] = pose.x[i][k];
  }
  for (int j = 0; j < m->joints.count; j++) {
    joint[j] = *model_joint(m, j);
    JointGeometry *g = &joint[j].joint.geometry;
    Pose first = node_pose(&pose, m, joint[j].node[0]), second = node_pose(&pose, m, joint[j].node[joint[j].last]);
    g->at[0] = moved_point(&first, g->at[0]), g->at[1] = moved_point(&second, g->at[1]);
    g->axis = mat3_apply(first.turn, g->axis), g->second = mat3_apply(first.turn, g->second);
  }
  out->nodes.data = node, out->joints.data = joint;
  return 0;
}
