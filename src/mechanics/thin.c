// SPDX-License-Identifier: Apache-2.0
#include "mechanics/thin.h"

#include "mechanics/quadrature.h"

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
int thin_joints(const Thin *p, int end[THIN_WALLS][2]) {
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
