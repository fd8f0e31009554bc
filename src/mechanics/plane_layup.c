// SPDX-License-Identifier: Apache-2.0
#include "mechanics/plane_layup.h"

#include <math.h>
#include <string.h>

enum { MOST_LEVELS = 200 };
static const char bad_web[] = "a web of the section does not meet the walls twice, or is where their stack "
                              "changes: move it, or the end of the region";
static const char no_memory[] = "not enough memory for the mesh of the section";

static const char bad_region[] =
    "a region of the layup ends too close to a corner of the outer line, such as a trailing "
    "edge: its plies are thicker than the room there";

typedef struct {
  double along;           // arc length of the whole line
  double at[2], inner[2]; // outer position; where it moves with unit depth
  bool foot;              // of a web: no point of the line lies between two feet that follow each other
} Vertex;

typedef struct {
  const PlaneLayup *l;
  double length; // of the whole line
  double *along; // arc lengths of the points that are left, growing from the first to less than a length beyond it
  double level[MOST_LEVELS]; // depths at which a ply ends
  int levels;
  Vertex *vertex;
  int vertices;
  double (*foot)[2][2]; // of the webs' lines between plies, at both ends: outer positions, one line after another
} Layup;

static double stack_depth(const PlaneStack *s) {
  double sum = 0;
  for (int i = 0; i < s->plies; i++) sum += s->ply[i].thickness;
  return sum;
}

static const PlaneStack *stack_at(const Layup *u, double along) {
  const PlaneLayup *l = u->l;
  int i = 0;
  along -= u->length * floor(along / u->length);
  while (i + 1 < l->regions && along > l->region[i].until * u->length) i++;
  return &l->stack[l->region[i].stack];
}

static int material_at(const PlaneStack *s, double depth) {
  double sum = 0;
  for (int i = 0; i < s->plies; i++)
    if (depth < (sum += s->ply[i].thickness)) return s->ply[i].material;
  return s->ply[s->plies - 1].material;
}

// ---- depths ----

static const char *add_levels(Layup *u) {
  double most = 0;
  for (int r = 0; r < u->l->regions; r++) most = fmax(most, stack_depth(&u->l->stack[u->l->region[r].stack]));
  u->level[0] = 0, u->levels = 1;
  for (int r = 0; r < u->l->regions; r++) {
    const PlaneStack *s = &u->l->stack[u->l->region[r].stack];
    double sum = 0;
    for (int i = 0; i < s->plies; i++) {
      bool known = false;
      sum += s->ply[i].thickness;
      for (int k = 0; k < u->levels; k++) known = known || fabs(u->level[k] - sum) < 1e-9 * most;
      if (known) continue;
      if (u->levels == MOST_LEVELS) return "the stacks of the section have too many plies";
      int k = u->levels++;
      for (; u->level[k - 1] > sum; k--) u->level[k] = u->level[k - 1];
      u->level[k] = sum;
    }
  }
  return NULL;
}

// ---- the line ----

static void segment_normal(const double a[2], const double b[2], double out[2]) { // to the left
  double y = b[0] - a[0], z = b[1] - a[1], length = hypot(y, z);
  out[0] = -z / length, out[1] = y / length;
}

// Where a point of the line moves with unit depth: along the bisector, so that faces stay parallel to the line. Returns
// how sharp the corner is, 0 .. 2.
static double find_bisector(const double before[2], const double at[2], const double after[2], double out[2]) {
  double m[2], n[2];
  segment_normal(before, at, m);
  segment_normal(at, after, n);
  double cosine = m[0] * n[0] + m[1] * n[1];
  for (int k = 0; k < 2; k++) out[k] = (m[k] + n[k]) / (1 + cosine);
  return 1 - cosine;
}

// The arc length at which the piece behind point i ends.
static double piece_end(const Layup *u, int i) {
  return i + 1 < u->l->points ? u->along[i + 1] : u->along[0] + u->length;
}

// The first piece of the line whose inner face would turn back, between corners or close to one, where it is shorter
// than the plies are thick; -1: none. `sharp`: the corners at its ends.
static int find_short_piece(const Layup *u, double sharp[2]) {
  const PlaneLayup *l = u->l;
  for (int i = 0; i < l->points; i++) {
    int n = l->points, j = (i + 1) % n;
    const double *a = l->point[i], *b = l->point[j];
    double inner[2][2], e[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(e[0], e[1]), face = 0;
    sharp[0] = find_bisector(l->point[(i + n - 1) % n], a, b, inner[0]);
    sharp[1] = find_bisector(a, b, l->point[(j + 1) % n], inner[1]);
    double depth = stack_depth(stack_at(u, 0.5 * (u->along[i] + piece_end(u, i))));
    for (int k = 0; k < 2; k++) face += e[k] * (e[k] + depth * (inner[1][k] - inner[0][k]));
    if (face < 0.1 * length * length) return i;
  }
  return -1;
}

// A piece between two sharp corners, such as a blunt trailing edge, becomes the point in its middle, at its first end.
static void join_ends(Layup *u, double (*point)[2], int i, int j) {
  double end = piece_end(u, i);
  for (int k = 0; k < 2; k++) point[i][k] = 0.5 * (point[i][k] + point[j][k]);
  u->along[i] = 0.5 * (u->along[i] + end);
}

static double distance_from_piece(const double p[2], const double a[2], const double b[2]) {
  double e[2] = {b[0] - a[0], b[1] - a[1]}, d[2] = {p[0] - a[0], p[1] - a[1]};
  double t = fmax(0, fmin(1, (d[0] * e[0] + d[1] * e[1]) / (e[0] * e[0] + e[1] * e[1])));
  return hypot(d[0] - t * e[0], d[1] - t * e[1]);
}

static void note_changes(const PlaneLayup *whole, const PlaneLayup *left) {
  PlaneLayupNotes *notes = whole->notes;
  if (!notes) return;
  notes->dropped = whole->points - left->points;
  for (int i = 0; i < whole->points && notes->dropped; i++) {
    double least = HUGE_VAL;
    for (int k = 0; k < left->points; k++)
      least = fmin(least, distance_from_piece(whole->point[i], left->point[k], left->point[(k + 1) % left->points]));
    if (least > notes->moved) notes->moved = least, memcpy(notes->where, whole->point[i], sizeof notes->where);
  }
}

// Points that stand closer to a corner than the plies are thick are left out; of the ends of a piece, the one that is
// less of a corner.
static const char *drop_short_pieces(PlaneBuilder *b, Layup *u, PlaneLayup *l) {
  const PlaneLayup whole = *l;
  double(*point)[2] = b->memory.allocate(b->memory.self, (size_t)l->points * sizeof *point), sharp[2];
  u->along = b->memory.allocate(b->memory.self, (size_t)l->points * sizeof *u->along);
  if (!point || !u->along) return no_memory;
  memcpy(point, l->point, (size_t)l->points * sizeof *point);
  l->point = (const double(*)[2])point;
  for (int i = 0; i < l->points; i++) {
    const double *p = point[i], *q = point[(i + 1) % l->points];
    u->along[i] = u->length, u->length += hypot(q[0] - p[0], q[1] - p[1]);
  }
  for (int i; l->points > 3 && (i = find_short_piece(u, sharp)) >= 0;) {
    int j = (i + 1) % l->points, drop = sharp[0] < sharp[1] ? i : j;
    if (sharp[0] > 0.5 && sharp[1] > 0.5) join_ends(u, point, i, drop = j);
    memmove(point[drop], point[drop + 1], (size_t)(l->points - drop - 1) * sizeof *point);
    memmove(&u->along[drop], &u->along[drop + 1], (size_t)(l->points - drop - 1) * sizeof *u->along);
    l->points--;
  }
  note_changes(&whole, l);
  return NULL;
}

static void insert_vertex(Layup *u, Vertex v) {
  int i = u->vertices++;
  for (; i > 0 && u->vertex[i - 1].along > v.along; i--) u->vertex[i] = u->vertex[i - 1];
  u->vertex[i] = v;
}

static void add_points(Layup *u) {
  const PlaneLayup *l = u->l;
  for (int i = 0; i < l->points; i++) {
    const double *before = l->point[(i + l->points - 1) % l->points], *at = l->point[i],
                 *after = l->point[(i + 1) % l->points];
    Vertex v = {.along = u->along[i], .at = {at[0], at[1]}};
    find_bisector(before, at, after, v.inner);
    insert_vertex(u, v);
  }
}

// Whether a stack changes at a part t of the piece from one point to the next, both with room for the plies: not closer
// to a corner than its inner faces reach. `corner`: the end that is too close, `room`: the part where it would not be.
static bool has_room(const Layup *u, int i, double t, int *corner, double *room) {
  const PlaneLayup *l = u->l;
  int n = l->points;
  const double *a = l->point[i], *b = l->point[(i + 1) % n];
  double e[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(e[0], e[1]), start = u->along[i], end = piece_end(u, i);
  for (*corner = 0; *corner < 2; ++*corner) {
    double inner[2], along = start + t * (end - start), step = 1e-6 * u->length;
    double depth = stack_depth(stack_at(u, along + (*corner ? step : -step)));
    if (*corner) find_bisector(a, b, l->point[(i + 2) % n], inner);
    else find_bisector(l->point[(i + n - 1) % n], a, b, inner);
    double reach = depth * (inner[0] * e[0] + inner[1] * e[1]) / length * (*corner ? -1 : 1) / (0.9 * length);
    *room = *corner ? 1 - reach : reach;
    if (*corner ? t > *room : t < *room) return false;
  }
  return true;
}

// A stack ends at a given arc length. Points that were left out may have stood there: what is close to a corner that is
// left ends at the corner. The end of the whole line, which nobody wrote, may be farther from it.
static const char *cut_at(Layup *u, int region, double along) {
  const PlaneLayup *l = u->l;
  if (along < u->along[0]) along += u->length;
  if (along >= u->along[0] + u->length) along -= u->length;
  for (int i = 0; i < l->points; i++) {
    const double *a = l->point[i], *b = l->point[(i + 1) % l->points];
    double start = u->along[i], end = piece_end(u, i), t = (along - start) / (end - start), room;
    int corner;
    if (t < 0 || t > 1) continue;
    if (t <= 1e-9 || t >= 1 - 1e-9) return NULL; // at a point
    if (has_room(u, i, t, &corner, &room)) {
      Vertex v = {.along = along, .at = {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])}};
      segment_normal(a, b, v.inner);
      insert_vertex(u, v);
      return NULL;
    }
    int point = corner ? (i + 1) % l->points : i;
    double edge = corner ? end : start;
    double close = (region + 1 < l->regions ? 0.25 : 1) * stack_depth(stack_at(u, along));
    if (fabs(along - edge) < close) {
      for (int k = 0; k < u->vertices; k++) // its pieces begin and end where the stack does
        if (u->vertex[k].at[0] == l->point[point][0] && u->vertex[k].at[1] == l->point[point][1])
          u->vertex[k].along += along - edge;
      return NULL;
    }
    if (l->notes) {
      double until = (start + room * (end - start)) / u->length;
      l->notes->region = region, l->notes->until = until - floor(until);
    }
    return bad_region;
  }
  return NULL;
}

// ---- webs ----

// Where the line through p along d meets the inner face first (t least) and last: feet on the outer line.
static bool find_feet(Layup *u, const double p[2], const double d[2], Vertex foot[2]) {
  const PlaneLayup *l = u->l;
  double best[2] = {HUGE_VAL, -HUGE_VAL};
  for (int i = 0; i < l->points; i++) {
    const double *a = l->point[i], *b = l->point[(i + 1) % l->points];
    double n[2], e[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(e[0], e[1]);
    segment_normal(a, b, n);
    double det = d[0] * e[1] - d[1] * e[0];
    for (int r = 0; r < l->regions && fabs(det) > 1e-12 * length; r++) {
      double depth = stack_depth(&l->stack[l->region[r].stack]);
      double y = a[0] + depth * n[0] - p[0], z = a[1] + depth * n[1] - p[1];
      double t = (y * e[1] - z * e[0]) / det, s = (y * d[1] - z * d[0]) / det;
      double along = u->along[i] + s * (piece_end(u, i) - u->along[i]);
      if (s < 0 || s > 1 || stack_at(u, along) != &l->stack[l->region[r].stack]) continue;
      Vertex v = {.along = along, .at = {a[0] + s * e[0], a[1] + s * e[1]}, .inner = {n[0], n[1]}, .foot = true};
      if (t < best[0]) best[0] = t, foot[0] = v;
      if (t > best[1]) best[1] = t, foot[1] = v;
      break;
    }
  }
  return best[0] < best[1];
}

static const char *add_feet(Layup *u) {
  int line = 0;
  for (int w = 0; w < u->l->webs; w++) {
    const PlaneWeb *web = &u->l->web[w];
    const PlaneStack *s = &u->l->stack[web->stack];
    double n[2], d[2] = {web->to[0] - web->from[0], web->to[1] - web->from[1]}, depth = -0.5 * stack_depth(s);
    const PlaneStack *wall[2] = {NULL, NULL}; // under its feet
    segment_normal(web->from, web->to, n);
    if (u->l->notes) u->l->notes->web = w;
    for (int k = 0; k <= s->plies; k++, line++) {
      double p[2] = {web->from[0] + depth * n[0], web->from[1] + depth * n[1]};
      Vertex foot[2];
      if (!find_feet(u, p, d, foot)) return bad_web;
      for (int e = 0; e < 2; e++) {
        const PlaneStack *under = stack_at(u, foot[e].along);
        if (k > 0 && under != wall[e]) return bad_web;
        wall[e] = under;
      }
      for (int e = 0; e < 2; e++) {
        double inner = stack_depth(stack_at(u, foot[e].along));
        for (int c = 0; c < 2; c++) u->foot[line][e][c] = foot[e].at[c] + inner * foot[e].inner[c];
        insert_vertex(u, foot[e]);
      }
      if (k < s->plies) depth += s->ply[k].thickness;
    }
  }
  if (u->l->notes) u->l->notes->web = -1;
  return NULL;
}

// Points of the line between two feet of one web go: its plies end on straight faces.
static void drop_points_under_webs(Layup *u, double widest) {
  int kept = 0;
  for (int i = 0; i < u->vertices; i++) {
    const Vertex *v = &u->vertex[i];
    bool before = false, after = false;
    for (int k = 0; k < u->vertices && !v->foot; k++)
      if (u->vertex[k].foot && fabs(u->vertex[k].along - v->along) < widest)
        before = before || u->vertex[k].along <= v->along, after = after || u->vertex[k].along >= v->along;
    if (!(before && after)) u->vertex[kept++] = *v;
  }
  u->vertices = kept;
}

static void add_webs(PlaneBuilder *b, const Layup *u) {
  int line = 0;
  for (int w = 0; w < u->l->webs; w++, line++) {
    const PlaneWeb *web = &u->l->web[w];
    const PlaneStack *s = &u->l->stack[web->stack];
    double length = hypot(web->to[0] - web->from[0], web->to[1] - web->from[1]);
    int cells = u->l->longest > 0 ? (int)fmin(400, ceil(length / u->l->longest)) : 1;
    b->plane = atan2(web->to[1] - web->from[1], web->to[0] - web->from[0]);
    for (int k = 0; k < s->plies; k++, line++) {
      const double(*low)[2] = (const double(*)[2])u->foot[line], (*high)[2] = (const double(*)[2])u->foot[line + 1];
      double c[4][2] = {
          {low[0][0], low[0][1]}, {low[1][0], low[1][1]}, {high[1][0], high[1][1]}, {high[0][0], high[0][1]}};
      plane_add_quadrilateral(b, cells, 1, s->ply[k].material, (const double(*)[2])c);
    }
  }
}

// ---- the wall ----

static bool is_convex(const double c[4][2]) { // anticlockwise
  for (int i = 0; i < 4; i++) {
    const double *p = c[i], *q = c[(i + 1) % 4], *o = c[(i + 3) % 4];
    if (!((q[0] - p[0]) * (o[1] - p[1]) - (q[1] - p[1]) * (o[0] - p[0]) > 0)) return false;
  }
  return true;
}

static const char *add_wall(PlaneBuilder *b, const Layup *u) {
  for (int i = 0; i < u->vertices; i++) {
    const Vertex *v = &u->vertex[i], *w = &u->vertex[(i + 1) % u->vertices];
    double end = i + 1 < u->vertices ? w->along : w->along + u->length, length = end - v->along;
    const PlaneStack *s = stack_at(u, 0.5 * (v->along + end));
    double depth = stack_depth(s);
    bool whole = (v->foot && w->foot) || !(u->l->longest > 0);
    int cells = whole ? 1 : (int)fmin(400, ceil(length / u->l->longest));
    b->plane = atan2(w->at[1] - v->at[1], w->at[0] - v->at[0]);
    for (int k = 0; k + 1 < u->levels && u->level[k + 1] < depth * (1 + 1e-9); k++) {
      double c[4][2], d[2] = {u->level[k], u->level[k + 1]};
      for (int m = 0; m < 2; m++) {
        c[0][m] = v->at[m] + d[0] * v->inner[m], c[1][m] = w->at[m] + d[0] * w->inner[m];
        c[2][m] = w->at[m] + d[1] * w->inner[m], c[3][m] = v->at[m] + d[1] * v->inner[m];
      }
      if (!is_convex((const double(*)[2])c))
        return "the plies of the section have no room inside its outer line: thinner plies, fewer or blunter corners";
      int across = u->l->longest > 0 ? (int)fmin(8, ceil((d[1] - d[0]) / u->l->longest)) : 1;
      plane_add_quadrilateral(b, cells, across, material_at(s, 0.5 * (d[0] + d[1])), (const double(*)[2])c);
    }
  }
  return NULL;
}

// ---- places for pictures ----

static void place_on_line(const Layup *u, double along, OutlineMark *out) {
  const PlaneLayup *l = u->l;
  if (along < u->along[0]) along += u->length;
  for (int i = 0; i < l->points; i++) {
    const double *a = l->point[i], *b = l->point[(i + 1) % l->points];
    double t = (along - u->along[i]) / (piece_end(u, i) - u->along[i]), inwards[2];
    if (t < 0 || t > 1) continue;
    segment_normal(a, b, inwards);
    for (int k = 0; k < 2; k++) out->at[k] = a[k] + t * (b[k] - a[k]), out->out[k] = -inwards[k];
  }
}

static void set_marks(const Layup *u) {
  const PlaneLayup *l = u->l;
  OutlineMark *mark = l->notes ? l->notes->mark : NULL;
  double from = 0;
  int line = 0;
  for (int r = 0; mark && r < l->regions; r++) {
    double until = l->region[r].until;
    place_on_line(u, 0.5 * (from + until) * u->length, &mark[2 * r]);
    place_on_line(u, until * u->length, &mark[2 * r + 1]);
    from = until;
  }
  for (int w = 0; mark && w < l->webs; w++) {
    OutlineMark *m = &mark[2 * l->regions + w];
    int plies = l->stack[l->web[w].stack].plies;
    segment_normal(l->web[w].from, l->web[w].to, m->out);
    for (int k = 0; k < 2; k++) m->at[k] = 0.5 * (u->foot[line + plies][0][k] + u->foot[line + plies][1][k]);
    line += plies + 1;
  }
}

const char *plane_add_layup(PlaneBuilder *b, const PlaneLayup *layup) {
  PlaneLayup own = *layup, *l = &own;
  Layup u = {.l = l};
  const char *wrong;
  int lines = 0;
  double widest = 0;
  if (l->notes) *l->notes = (PlaneLayupNotes){.region = -1, .web = -1, .mark = l->notes->mark};
  for (int w = 0; w < l->webs; w++) {
    lines += l->stack[l->web[w].stack].plies + 1;
    widest = fmax(widest, 1.5 * stack_depth(&l->stack[l->web[w].stack]));
  }
  u.vertex = b->memory.allocate(b->memory.self, (size_t)(l->points + l->regions + 2 * lines) * sizeof *u.vertex);
  u.foot = b->memory.allocate(b->memory.self, (size_t)(lines + 1) * sizeof *u.foot);
  if (!u.vertex || !u.foot) return no_memory;
  if (l->points < 3 || l->regions < 1) return "the outer line of a section has three points or more, and a stack";
  if ((wrong = add_levels(&u)) || (wrong = drop_short_pieces(b, &u, l))) return wrong;
  add_points(&u);
  for (int r = 0; r < l->regions && l->regions > 1; r++)
    if ((wrong = cut_at(&u, r, r + 1 < l->regions ? l->region[r].until * u.length : u.length))) return wrong;
  if ((wrong = add_feet(&u))) return wrong;
  set_marks(&u);
  drop_points_under_webs(&u, widest);
  if ((wrong = add_wall(b, &u))) return wrong;
  add_webs(b, &u);
  b->plane = 0;
  return NULL;
}
