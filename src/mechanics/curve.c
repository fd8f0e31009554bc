// SPDX-License-Identifier: Apache-2.0
// With h_i = u_i+1 - u_i, slopes d_i of the chords and second derivatives M_i:
//   h_i-1 M_i-1 + 2 (h_i-1 + h_i) M_i + h_i M_i+1 = 6 (d_i - d_i-1),  0 < i < n - 1,
// and at the ends M_0 = M_1 + h_0/h_1 (M_1 - M_2), likewise M_n-1, which go into the first and last row.
#include "mechanics/curve.h"

static double chord_slope(const Spline *s, int i, int k) {
  return (s->y[(i + 1) * s->m + k] - s->y[i * s->m + k]) / (s->u[i + 1] - s->u[i]);
}

void spline_make(const Spline *s, double *work) {
  int n = s->n, m = s->m, last = n - 2;
  double *second = s->second;
  for (int i = 0; i < n * m; i++) second[i] = 0;
  if (n < 3) return;
  if (n == 3) {
    for (int k = 0; k < m; k++)
      second[k] = second[m + k] = second[2 * m + k] =
          2 * (chord_slope(s, 1, k) - chord_slope(s, 0, k)) / (s->u[2] - s->u[0]);
    return;
  }
  double first = (s->u[1] - s->u[0]) / (s->u[2] - s->u[1]),
         end = (s->u[n - 1] - s->u[n - 2]) / (s->u[n - 2] - s->u[n - 3]);
  for (int i = 1; i <= last; i++) { // work: what the row above leaves of the upper diagonal
    double a = s->u[i] - s->u[i - 1], b = s->u[i + 1] - s->u[i], lower = a, diagonal = 2 * (a + b), upper = b;
    if (i == 1) diagonal += a * (1 + first), upper -= a * first;
    if (i == last) diagonal += b * (1 + end), lower -= b * end;
    if (i > 1) diagonal -= lower * work[i - 1];
    work[i] = upper / diagonal;
    for (int k = 0; k < m; k++) {
      double right =
          6 * (chord_slope(s, i, k) - chord_slope(s, i - 1, k)) - (i > 1 ? lower * second[(i - 1) * m + k] : 0);
      second[i * m + k] = right / diagonal;
    }
  }
  for (int i = last - 1; i > 0; i--)
    for (int k = 0; k < m; k++) second[i * m + k] -= work[i] * second[(i + 1) * m + k];
  for (int k = 0; k < m; k++) {
    second[k] = second[m + k] + first * (second[m + k] - second[2 * m + k]);
    second[(n - 1) * m + k] = second[last * m + k] + end * (second[last * m + k] - second[(last - 1) * m + k]);
  }
}

int spline_interval(const Spline *s, const double *u, double x) {
  int lo = 0, hi = s->n - 1;
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (u[mid] <= x) lo = mid;
    else hi = mid;
  }
  return lo;
}

void spline_at(const Spline *s, int i, double x, double *value, double *slope) {
  double h = s->u[i + 1] - s->u[i], b = (x - s->u[i]) / h, a = 1 - b;
  for (int k = 0; k < s->m; k++) {
    double y0 = s->y[i * s->m + k], y1 = s->y[(i + 1) * s->m + k];
    double m0 = s->second[i * s->m + k], m1 = s->second[(i + 1) * s->m + k];
    value[k] = a * y0 + b * y1 + h * h / 6 * ((a * a * a - a) * m0 + (b * b * b - b) * m1);
    slope[k] = (y1 - y0) / h + h / 6 * ((1 - 3 * a * a) * m0 + (3 * b * b - 1) * m1);
  }
}

bool curve_axes(Vec3 tangent, Vec3 up, Mat3 *out) {
  Vec3 e1 = vec3_unit(tangent);
  if (!(vec3_norm(up) > 0)) up = fabs(e1.z) < 0.9 ? vec3_cross(vec3(0, 0, 1), e1) : vec3(0, 1, 0);
  Vec3 e3 = vec3_cross(e1, up);
  if (!(vec3_norm(e3) > 1e-9 * vec3_norm(up))) return false;
  e3 = vec3_unit(e3);
  *out = mat3_columns(e1, vec3_cross(e3, e1), e3);
  return true;
}

// ---- constant curvature ----

bool curve_screw(Curve *c, Vec3 centre, Vec3 axis, double turn, double climb, Vec3 up, bool *upright) {
  Vec3 a = vec3_unit(axis), from = vec3_sub(c->start, centre), radius = vec3_axpy(from, -vec3_dot(a, from), a);
  Vec3 way = vec3_axpy(vec3_scale(turn, vec3_cross(a, radius)), climb, a); // d position/d at, at the start
  *upright = true;
  if (!(vec3_norm(radius) > 1e-9 * vec3_norm(from))) return false;
  *upright = curve_axes(way, up, &c->axes);
  c->length = vec3_norm(way), c->curved = true;
  if (*upright) c->curvature = mat3_apply_transpose(c->axes, vec3_scale(turn / c->length, a));
  return true;
}

static void screw_at(const Curve *c, double at, Vec3 *x, Mat3 *axes) {
  double s = at * c->length, k = vec3_norm(c->curvature), phi = k * s;
  Mat3 skew = mat3_cross(c->curvature), square = mat3_mul(skew, skew);
  // integral of exp(s k~): s I + (1 - cos phi)/k^2 k~ + (phi - sin phi)/k^3 k~ k~
  double half = phi < 1e-8 ? s / 2 : sin(phi / 2) / k, f1 = 2 * half * half;
  double f2 = phi < 1e-2 ? s * s * s / 6 * (1 - phi * phi / 20 * (1 - phi * phi / 42)) : (phi - sin(phi)) / (k * k * k);
  Mat3 path = mat3_axpy(mat3_axpy(mat3_scale(s, mat3_identity()), f1, skew), f2, square);
  *x = vec3_add(c->start, mat3_apply(c->axes, mat3_column(path, 0)));
  *axes = mat3_mul(c->axes, rotation_exponential(vec3_scale(s, c->curvature)));
}

// ---- stations ----

static Vec3 station_at(const Stations *t, int i, double u, Vec3 *tangent) {
  double value[4], slope[4];
  spline_at(&t->spline, i, u, value, slope);
  *tangent = vec3_of(slope);
  return vec3_of(value);
}

// Arc length from the start of stage i to u: five Gauss points on each of eight pieces.
static double arc_length(const Stations *t, int i, double u) {
  enum { PIECES = 8 };
  static const double g[3] = {0, 0.53846931010568309, 0.90617984593866399},
                      w[3] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
  double h = (u - t->spline.u[i]) / PIECES, sum = 0;
  for (int k = 0; k < PIECES; k++)
    for (int q = -2; q <= 2; q++) {
      Vec3 d;
      int p = q < 0 ? -q : q;
      station_at(t, i, t->spline.u[i] + h * (k + 0.5 * (1 + (q < 0 ? -g[p] : g[p]))), &d);
      sum += 0.5 * h * w[p] * vec3_norm(d);
    }
  return sum;
}

// Carries e2 along stage i up to u without turning about the tangent: reflection at the plane between two points, then
// at that between the tangents, in 32 steps (Wang, Juttler, Zheng & Liu, ACM Trans. Graphics 27, 2008: fourth order).
// Only the chord's direction counts. The tangent is quadratic in u, so Simpson's rule gives the chord exactly; the
// difference of two points would be round-off, or nothing, where u stands beside a station.
static Mat3 transported_axes(const Stations *t, int i, double u) {
  enum { STEPS = 32 };
  Vec3 slope, e2 = mat3_column(t->axes[i], 1);
  station_at(t, i, t->spline.u[i], &slope);
  Vec3 e1 = vec3_unit(slope);
  double h = (u - t->spline.u[i]) / STEPS;
  for (int k = 1; k <= STEPS && h > 0; k++) {
    Vec3 middle, end;
    station_at(t, i, t->spline.u[i] + (k - 0.5) * h, &middle);
    station_at(t, i, t->spline.u[i] + k * h, &end);
    Vec3 v = vec3_unit(vec3_add(vec3_axpy(slope, 4, middle), end)), next = vec3_unit(end);
    Vec3 r = vec3_axpy(e2, -2 * vec3_dot(v, e2), v);
    Vec3 d = vec3_axpy(e1, -2 * vec3_dot(v, e1), v), w = vec3_sub(next, d);
    e2 = vec3_axpy(r, -2 * vec3_dot(w, r) / vec3_dot(w, w), w);
    e2 = vec3_unit(vec3_axpy(e2, -vec3_dot(next, e2), next));
    e1 = next, slope = end;
  }
  return mat3_columns(e1, e2, vec3_cross(e1, e2));
}

enum { NUMBERS = 4 + 4 + 1 + 1 + 1 }; // of a station in memory, beside its axes

size_t curve_room(int n) { return sizeof(Stations) + (size_t)n * (sizeof(Mat3) + NUMBERS * sizeof(double)); }

bool curve_through(Curve *c, int n, const LimberStation *station, Vec3 up, void *memory) {
  Stations *t = memory;
  t->axes = (Mat3 *)(t + 1);
  double *y = (double *)(t->axes + n), *u = y + 4 * n, *work;
  t->length = u + n, work = t->length + n;
  t->spline = (Spline){n, 4, u, y, work + n};
  for (int i = 0; i < n; i++) {
    vec3_to(vec3_of(station[i].at), y + 4 * i), y[4 * i + 3] = station[i].twist;
    u[i] = i ? u[i - 1] + vec3_norm(vec3_sub(vec3_of(station[i].at), vec3_of(station[i - 1].at))) : 0;
  }
  spline_make(&t->spline, work);
  Vec3 tangent;
  c->start = station_at(t, 0, 0, &tangent);
  if (!curve_axes(tangent, up, &c->axes)) return false;
  t->axes[0] = c->axes, t->length[0] = 0;
  for (int i = 0; i + 1 < n; i++) {
    t->axes[i + 1] = transported_axes(t, i, u[i + 1]);
    t->length[i + 1] = t->length[i] + arc_length(t, i, u[i + 1]);
  }
  c->length = t->length[n - 1], c->stations = t;
  return true;
}

static void through_at(const Curve *c, double at, Vec3 *x, Mat3 *axes) {
  const Stations *t = c->stations;
  const double *u = t->spline.u;
  double s = fmin(1, fmax(0, at)) * c->length, value[4], slope[4];
  int i = spline_interval(&t->spline, t->length, s);
  double span = t->length[i + 1] - t->length[i], v = u[i] + (s - t->length[i]) / span * (u[i + 1] - u[i]);
  for (int k = 0; k < 20; k++) { // Newton: the length up to v shall be s
    Vec3 d;
    double off = t->length[i] + arc_length(t, i, v) - s;
    if (fabs(off) <= 1e-15 * c->length) break;
    station_at(t, i, v, &d);
    v = fmin(u[i + 1], fmax(u[i], v - off / vec3_norm(d)));
  }
  spline_at(&t->spline, i, v, value, slope);
  *x = vec3_of(value);
  *axes = mat3_mul(transported_axes(t, i, v), rotation_exponential(vec3(value[3], 0, 0)));
}

void curve_at(const Curve *c, double at, Vec3 x[4]) {
  Mat3 axes = c->axes;
  if (c->stations) through_at(c, at, &x[0], &axes);
  else if (c->curved) screw_at(c, at, &x[0], &axes);
  else x[0] = vec3_axpy(c->start, at, c->along);
  if (c->twist != 0) axes = mat3_mul(axes, rotation_exponential(vec3(at * c->twist, 0, 0)));
  for (int j = 0; j < 3; j++) x[j + 1] = mat3_column(axes, j);
}
