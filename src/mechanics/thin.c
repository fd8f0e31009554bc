// SPDX-License-Identifier: Apache-2.0
#include "mechanics/thin.h"

#include "mechanics/cell.h"

#include <math.h>
#include <string.h>

typedef struct {
  double r[2], e[2], n[2], length, t; // place of the start from the centroid; directions along and across
  int end[2];                         // joints of walls
  double start[2];                    // flow at the start for unit forces along y and z
} FlowWall;

typedef struct {
  int n, joints;
  FlowWall wall[THIN_WALLS];
  double c[2][2]; // inverse of the second moments: c[i] for the unit force i
  SectionShape shape;
} Flow;

void thin_add(Thin *p, double t, double y0, double z0, double y1, double z1) {
  p->wall[p->n++] = (ThinWall){{y0, z0}, {y1, z1}, t};
}

static double dot_2d(const double a[2], const double b[2]) { return a[0] * b[0] + a[1] * b[1]; }

// Ends that lie closer than 1e-9 of the profile's size are one joint.
// Numbers the joints, in which walls end; returns how many there are.
static int thin_joints(const Thin *p, int end[THIN_WALLS][2]) {
  double size = 0, at[2 * THIN_WALLS][2];
  int joints = 0;
  for (int i = 0; i < p->n; i++)
    size = fmax(size, hypot(p->wall[i].to[0] - p->wall[0].from[0], p->wall[i].to[1] - p->wall[0].from[1]));
  for (int i = 0; i < p->n; i++)
    for (int k = 0; k < 2; k++) {
      const double *x = k ? p->wall[i].to : p->wall[i].from;
      int j = 0;
      while (j < joints && hypot(at[j][0] - x[0], at[j][1] - x[1]) > 1e-9 * size) j++;
      if (j == joints) memcpy(at[joints++], x, sizeof at[0]);
      end[i][k] = j;
    }
  return joints;
}

static void join_walls(const Thin *p, Flow *f) {
  int end[THIN_WALLS][2];
  f->joints = thin_joints(p, end);
  for (int i = 0; i < p->n; i++) memcpy(f->wall[i].end, end[i], sizeof end[i]);
}

// Area, centroid and second moments of the walls as rectangles.
static void integrate_area(const Thin *p, Flow *f) {
  SectionShape *s = &f->shape;
  *s = (SectionShape){0};
  for (int i = 0; i < p->n; i++) {
    const ThinWall *w = &p->wall[i];
    FlowWall *out = &f->wall[i];
    double d[2] = {w->to[0] - w->from[0], w->to[1] - w->from[1]}, length = hypot(d[0], d[1]), a = length * w->t;
    double all = s->area + a, both = s->area * a / all;
    for (int k = 0; k < 2; k++) out->e[k] = d[k] / length;
    out->n[0] = -out->e[1], out->n[1] = out->e[0];
    out->length = length, out->t = w->t;
    double m[2], la = a * length * length / 12, ta = a * w->t * w->t / 12;
    for (int k = 0; k < 2; k++) m[k] = 0.5 * (w->from[k] + w->to[k]) - s->centroid[k];
    s->yy += la * out->e[0] * out->e[0] + ta * out->n[0] * out->n[0] + both * m[0] * m[0];
    s->yz += la * out->e[0] * out->e[1] + ta * out->n[0] * out->n[1] + both * m[0] * m[1];
    s->zz += la * out->e[1] * out->e[1] + ta * out->n[1] * out->n[1] + both * m[1] * m[1];
    for (int k = 0; k < 2; k++) s->centroid[k] += a / all * m[k];
    s->area = all;
    s->torsion += length * w->t * w->t * w->t / 3;
  }
  for (int i = 0; i < p->n; i++)
    for (int k = 0; k < 2; k++) f->wall[i].r[k] = p->wall[i].from[k] - s->centroid[k];
}

// Flow of the unit force i at a distance from the wall's start.
static double flow_at(const Flow *f, const FlowWall *w, int i, double s) {
  return w->start[i] - w->t * s * (dot_2d(f->c[i], w->r) + 0.5 * s * dot_2d(f->c[i], w->e));
}

static double flow_across(const Flow *f, const FlowWall *w, int i) {
  return w->t * w->t * w->t / 12 * dot_2d(f->c[i], w->n);
}

// From the free ends inwards: a joint of which all walls but one are known gives the last. `in` is the flow into a
// joint so far.
static void solve_flow(Flow *f, int i) {
  double in[2 * THIN_WALLS] = {0};
  bool known[THIN_WALLS] = {false};
  for (int count = 0; count < f->n; count++)
    for (int k = 0; k < f->n; k++) {
      FlowWall *w = &f->wall[k];
      int open[2] = {0, 0};
      if (known[k]) continue;
      for (int l = 0; l < f->n; l++)
        for (int end = 0; end < 2 && !known[l]; end++)
          for (int side = 0; side < 2; side++) open[side] += f->wall[l].end[end] == w->end[side];
      if (open[0] > 1 && open[1] > 1) continue;
      w->start[i] = 0;
      double gain = flow_at(f, w, i, w->length);
      w->start[i] = open[0] == 1 ? in[w->end[0]] : -in[w->end[1]] - gain;
      in[w->end[0]] -= w->start[i], in[w->end[1]] += w->start[i] + gain;
      known[k] = true;
      break;
    }
}

static const char *prepare_flow(const Thin *p, Flow *f) {
  if (p->n > THIN_WALLS) return "a profile has at most 128 straight walls";
  f->n = p->n;
  for (int i = 0; i < p->n; i++) {
    const ThinWall *w = &p->wall[i];
    if (!(w->t > 0)) return "the thickness of a profile must be positive";
    if (!(hypot(w->to[0] - w->from[0], w->to[1] - w->from[1]) > 0)) return "two consecutive points coincide";
  }
  join_walls(p, f);
  if (f->joints <= p->n) return "the profile is closed: use box or tube, or `solve: true`";
  if (f->joints > p->n + 1)
    return "the lines of a profile must be connected: start a branch at a point of another line";
  integrate_area(p, f);
  SectionShape *s = &f->shape;
  double det = s->yy * s->zz - s->yz * s->yz;
  f->c[0][0] = s->zz / det, f->c[1][1] = s->yy / det, f->c[0][1] = f->c[1][0] = -s->yz / det;
  solve_flow(f, 0), solve_flow(f, 1);
  return NULL;
}

const char *thin_shape(const Thin *p, SectionShape *out) {
  Flow f;
  const char *error = prepare_flow(p, &f);
  if (error) return error;
  SectionShape *s = &f.shape;
  double moment[2] = {0, 0}; // about the centroid, of unit forces
  for (int k = 0; k < f.n; k++) {
    const FlowWall *w = &f.wall[k];
    double middle[2] = {w->r[0] + 0.5 * w->length * w->e[0], w->r[1] + 0.5 * w->length * w->e[1]};
    double lever_arm = w->r[0] * w->e[1] - w->r[1] * w->e[0],
           lever_arm_across = middle[0] * w->n[1] - middle[1] * w->n[0];
    for (int i = 0; i < 2; i++) {
      moment[i] += w->length * flow_across(&f, w, i) * lever_arm_across;
      for (int j = 0; j < 2; j++)
        s->shear[i][j] += 1.2 * w->length * flow_across(&f, w, i) * flow_across(&f, w, j) / w->t;
      for (int g = 0; g < 3; g++) { // exact for the quadratic flows and their products
        double at = 0.5 * w->length * (1 + gauss_point[3][g]), weight = 0.5 * w->length * gauss_weight[3][g];
        double q = flow_at(&f, w, i, at);
        moment[i] += weight * q * lever_arm;
        for (int j = 0; j < 2; j++) s->shear[i][j] += weight * q * flow_at(&f, w, j, at) / w->t;
      }
    }
  }
  s->shear[0][1] = s->shear[1][0];
  s->centre[0] = s->centroid[0] + moment[1], s->centre[1] = s->centroid[1] - moment[0];
  *out = *s;
  return NULL;
}

// (x^2 - y^2, 2 x y) . d with x the component along the axis, of vectors given by y, z.
static double turned_product(const double r[2], const double d[2], int axis) {
  double x = r[axis], y = r[1 - axis];
  return d[axis] * (x * x - y * y) + d[1 - axis] * 2 * x * y;
}

double thin_poisson(const Thin *p, int axis, double nu) {
  Flow f;
  if (prepare_flow(p, &f)) return 0;
  double sum = 0, along = axis ? f.shape.zz : f.shape.yy, other = axis ? f.shape.yy : f.shape.zz;
  for (int k = 0; k < f.n; k++) {
    const FlowWall *w = &f.wall[k];
    double l = w->length, t2 = w->t * w->t, middle[2] = {w->r[0] + 0.5 * l * w->e[0], w->r[1] + 0.5 * l * w->e[1]};
    for (int g = 0; g < 3; g++) {
      double at = 0.5 * l * (1 + gauss_point[3][g]), r[2] = {w->r[0] + at * w->e[0], w->r[1] + at * w->e[1]};
      double mean = turned_product(r, w->e, axis) + t2 / 12 * turned_product(w->n, w->e, axis); // over the thickness
      sum += 0.5 * l * gauss_weight[3][g] * flow_at(&f, w, axis, at) * mean;
    }
    double mean = turned_product(middle, w->n, axis) + l * l / 12 * turned_product(w->e, w->n, axis) +
                  t2 / 20 * turned_product(w->n, w->n, axis); // over the wall, in a parabola across
    sum += l * flow_across(&f, w, axis) * mean;
  }
  return nu / (4 * (1 + nu) * along * f.shape.area) * (other - along + f.shape.area * sum);
}

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

// Where the left face of one wall meets the right face of the next. Faces that go on straight, or nearly so with
// another thickness, meet between them.
static void find_meeting_point(const double p[2], const Spoke *a, const Spoke *b, double out[2]) {
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
    find_meeting_point(p, &s[i], next, at[i]);
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
