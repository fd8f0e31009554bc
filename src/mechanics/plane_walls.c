// SPDX-License-Identifier: Apache-2.0
#include "mechanics/plane_walls.h"

#include <math.h>
#include <string.h>

enum { MOST_AT_JOINT = 16 };
static const double pi = 3.14159265358979323846;

typedef struct {
  const Thin *walls;
  int end[THIN_WALLS][2];             // joints
  double corner[THIN_WALLS][2][2][2]; // of each wall at each end: right and left of it, seen from its start to its end
} Net;

typedef struct {
  int wall, side;        // an end of a wall
  double along[2], half; // away from the joint; half the thickness
  double angle;
} Spoke;

static const double *end_point(const ThinWall *w, int side) { return side ? w->to : w->from; }

// The walls that end in a joint, anticlockwise.
static int collect_spokes(const Net *n, int joint, Spoke *s) {
  int count = 0;
  for (int i = 0; i < n->walls->n; i++)
    for (int side = 0; side < 2; side++) {
      if (n->end[i][side] != joint) continue;
      if (count == MOST_AT_JOINT) return MOST_AT_JOINT + 1;
      const ThinWall *w = &n->walls->wall[i];
      const double *a = end_point(w, side), *b = end_point(w, 1 - side);
      double length = hypot(b[0] - a[0], b[1] - a[1]);
      Spoke one = {i, side, {(b[0] - a[0]) / length, (b[1] - a[1]) / length}, w->t / 2, 0};
      one.angle = atan2(one.along[1], one.along[0]);
      int k = count++;
      for (; k > 0 && s[k - 1].angle > one.angle; k--) s[k] = s[k - 1];
      s[k] = one;
    }
  return count;
}

// Where the left face of one wall meets the right face of the next. Faces that go on straight, or nearly so with another
// thickness, meet between them.
static void meet(const double p[2], const Spoke *a, const Spoke *b, double out[2]) {
  double na[2] = {-a->along[1], a->along[0]}, nb[2] = {b->along[1], -b->along[0]}; // along both faces' normals
  double cosine = na[0] * nb[0] + na[1] * nb[1], half = 0.5 * (a->half + b->half);
  bool alike = fabs(a->half - b->half) < 1e-9 * half;
  for (int k = 0; k < 2; k++) out[k] = p[k] + half * (na[k] + nb[k]) / (1 + cosine);
  if (cosine > (alike ? 1 - 1e-12 : 0.9)) return;
  // h_a na + s a = h_b nb + t b, times nb: s = (h_b - h_a na.nb)/(a.nb)
  double s = (b->half - a->half * cosine) / (a->along[0] * nb[0] + a->along[1] * nb[1]);
  for (int k = 0; k < 2; k++) out[k] = p[k] + a->half * na[k] + s * a->along[k];
}

static void set_corner(Net *n, const Spoke *s, bool left,
                       const double at[2]) { // left of the spoke, away from the joint
  memcpy(n->corner[s->wall][s->side][s->side ? !left : left], at, 2 * sizeof *at);
}

// Corners of all walls at a joint, and the polygon between three or more.
static const char *make_joint(PlaneBuilder *b, int cells, Net *n, int joint) {
  Spoke s[MOST_AT_JOINT];
  double at[MOST_AT_JOINT][2];
  int count = collect_spokes(n, joint, s);
  if (count > MOST_AT_JOINT) return "at most 16 walls of a profile meet in one point";
  const double *p = end_point(&n->walls->wall[s[0].wall], s[0].side);
  if (count == 1) {
    for (int left = 0; left < 2; left++) {
      double h = left ? s->half : -s->half, corner[2] = {p[0] - h * s->along[1], p[1] + h * s->along[0]};
      set_corner(n, s, left, corner);
    }
    return NULL;
  }
  for (int i = 0; i < count; i++) {
    const Spoke *next = &s[(i + 1) % count];
    double gap = next->angle - s[i].angle + (i + 1 < count ? 0 : 2 * pi);
    if (fmin(gap, 2 * pi - gap) < pi / 18) return "two walls of the profile meet at less than 10 degrees";
    meet(p, &s[i], next, at[i]);
    set_corner(n, &s[i], true, at[i]);
    set_corner(n, next, false, at[i]);
  }
  for (int i = 0; i < count && count > 2; i++) {
    const double *from = at[(i + count - 1) % count];
    double c[3][2] = {{p[0], p[1]}, {from[0], from[1]}, {at[i][0], at[i][1]}};
    plane_add_triangle(b, cells, 0, (const double(*)[2])c);
  }
  return NULL;
}

// ---- walls ----

static double area_of(const double c[4][2]) {
  return 0.5 * ((c[2][0] - c[0][0]) * (c[3][1] - c[1][1]) - (c[3][0] - c[1][0]) * (c[2][1] - c[0][1]));
}

static const char *add_piece(PlaneBuilder *b, int along, int cells, const double start[2][2], const double end[2][2]) {
  double c[4][2] = {
      {start[0][0], start[0][1]}, {end[0][0], end[0][1]}, {end[1][0], end[1][1]}, {start[1][0], start[1][1]}};
  for (int i = 0; i < 4; i++) { // each corner, so that no cell is turned over
    const double *p = c[i], *q = c[(i + 1) % 4], *o = c[(i + 3) % 4];
    if (!((q[0] - p[0]) * (o[1] - p[1]) - (q[1] - p[1]) * (o[0] - p[0]) > 0))
      return "walls of the profile overlap: they are too thick for their lengths and angles";
  }
  if (!(area_of((const double(*)[2])c) > 0)) return "a wall of the profile has no area";
  plane_add_quadrilateral(b, along, cells, 0, (const double(*)[2])c);
  return NULL;
}

// Whether the corners at an end lie on the faces of the wall.
static bool on_faces(const ThinWall *w, const double along[2], const double corner[2][2]) {
  for (int left = 0; left < 2; left++) {
    double across = (corner[left][1] - w->from[1]) * along[0] - (corner[left][0] - w->from[0]) * along[1];
    if (fabs(across - (left ? 0.5 : -0.5) * w->t) > 1e-9 * w->t) return false;
  }
  return true;
}

// A wall whose thickness differs from that of its straight continuation gets thicker or thinner over its own thickness.
static const char *make_wall(PlaneBuilder *b, int cells, const Net *n, int i) {
  const ThinWall *w = &n->walls->wall[i];
  double d[2] = {w->to[0] - w->from[0], w->to[1] - w->from[1]}, length = hypot(d[0], d[1]);
  double along[2] = {d[0] / length, d[1] / length}, at[4][2][2];
  int count = 0;
  memcpy(at[count++], n->corner[i][0], sizeof at[0]);
  for (int side = 0; side < 2; side++) {
    if (on_faces(w, along, n->corner[i][side])) continue;
    double where = side ? length - w->t : w->t;
    if (2 * w->t > length) return "a wall of the profile is too short for the change of thickness at its end";
    for (int left = 0; left < 2; left++)
      for (int k = 0; k < 2; k++)
        at[count][left][k] = w->from[k] + where * along[k] + (left ? 0.5 : -0.5) * w->t * (k ? along[0] : -along[1]);
    count++;
  }
  memcpy(at[count++], n->corner[i][1], sizeof at[0]);
  const char *wrong = NULL;
  for (int k = 0; k + 1 < count && !wrong; k++) {
    double piece = hypot(at[k + 1][0][0] - at[k][0][0], at[k + 1][0][1] - at[k][0][1]);
    double need = ceil(piece / (4 * w->t) * cells);
    wrong = add_piece(b,
                      need > 200 ? 200
                      : need < 1 ? 1
                                 : (int)need,
                      cells, (const double(*)[2])at[k], (const double(*)[2])at[k + 1]);
  }
  return wrong;
}

const char *plane_add_walls(PlaneBuilder *b, int cells, const Thin *walls) {
  Net n = {.walls = walls};
  const char *wrong = NULL;
  for (int i = 0; i < walls->n; i++) {
    const ThinWall *w = &walls->wall[i];
    if (!(w->t > 0)) return "the thickness of a profile must be positive";
    if (!(hypot(w->to[0] - w->from[0], w->to[1] - w->from[1]) > 0)) return "two consecutive points coincide";
  }
  int joints = thin_joints(walls, n.end);
  for (int j = 0; j < joints && !wrong; j++) wrong = make_joint(b, cells, &n, j);
  for (int i = 0; i < walls->n && !wrong; i++) wrong = make_wall(b, cells, &n, i);
  return wrong;
}
