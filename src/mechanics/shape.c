// SPDX-License-Identifier: Apache-2.0
#include "mechanics/shape.h"

#include <math.h>
#include <string.h>

void outline_add(Outline *o, int count, const double (*corner)[2]) {
  int first = o->lines ? o->end[o->lines - 1] : 0;
  if (o->lines == OUTLINE_LINES || first + count > OUTLINE_CORNERS) return;
  for (int i = 0; i < 2 * count; i++) o->corner[first + i / 2][i % 2] = corner[i / 2][i % 2];
  o->end[o->lines++] = first + count;
}

void outline_add_rectangle(Outline *o, double y0, double z0, double y1, double z1) {
  outline_add(o, 4, (const double[][2]){{y0, z0}, {y1, z0}, {y1, z1}, {y0, z1}});
}

void outline_add_circle(Outline *o, double radius, bool hole) {
  const double turn = (hole ? -2 : 2) * 3.14159265358979323846 / OUTLINE_ROUND;
  double corner[OUTLINE_ROUND][2];
  for (int i = 0; i < OUTLINE_ROUND; i++) corner[i][0] = radius * cos(turn * i), corner[i][1] = radius * sin(turn * i);
  outline_add(o, OUTLINE_ROUND, (const double(*)[2])corner);
}

void outline_add_ellipse(Outline *o, double y, double z) {
  int first = o->lines ? o->end[o->lines - 1] : 0, lines = o->lines;
  outline_add_circle(o, 1, false);
  for (int i = first; o->lines > lines && i < o->end[lines]; i++) o->corner[i][0] *= y, o->corner[i][1] *= z;
}

bool outlines_match(const Outline *a, const Outline *b) {
  bool match = a->lines == b->lines;
  for (int l = 0; match && l < a->lines; l++) match = a->end[l] == b->end[l];
  return match;
}

void outline_between(const Outline *a, const Outline *b, double part, Outline *out) {
  *out = *a;
  if (!outlines_match(a, b)) return;
  for (int i = 0; a->lines && i < 2 * a->end[a->lines - 1]; i++)
    out->corner[i / 2][i % 2] += part * (b->corner[i / 2][i % 2] - a->corner[i / 2][i % 2]);
}

double outline_extent(const Outline *o) {
  double low[2] = {0, 0}, high[2] = {0, 0};
  for (int i = 0; o->lines && i < 2 * o->end[o->lines - 1]; i++) {
    double x = o->corner[i / 2][i % 2];
    low[i % 2] = i < 2 ? x : fmin(low[i % 2], x), high[i % 2] = i < 2 ? x : fmax(high[i % 2], x);
  }
  return fmax(high[0] - low[0], high[1] - low[1]);
}

void outline_move(Outline *o, double y, double z) {
  for (int i = 0; o->lines && i < o->end[o->lines - 1]; i++) o->corner[i][0] -= y, o->corner[i][1] -= z;
}

// Green's theorem along each line.
double outline_area(const Outline *o, double centroid[2]) {
  double area = 0, first[2] = {0, 0};
  for (int l = 0, from = 0; l < o->lines; from = o->end[l++])
    for (int i = from; i < o->end[l]; i++) {
      const double *a = o->corner[i], *b = o->corner[i + 1 < o->end[l] ? i + 1 : from];
      double twice = a[0] * b[1] - b[0] * a[1];
      area += twice / 2;
      for (int d = 0; d < 2; d++) first[d] += (a[d] + b[d]) * twice / 6;
    }
  for (int d = 0; d < 2; d++) centroid[d] = area > 0 ? first[d] / area : 0;
  return area;
}

void outline_centre(Outline *o) {
  double centroid[2];
  outline_area(o, centroid);
  outline_move(o, centroid[0], centroid[1]);
}

// With D the constants at centroid and shear centre, the strains there are B times those at the reference line:
//   axial at the centroid  E1 + zc K2 - yc K3,  shear at the shear centre  G2 - zs K1, G3 + ys K1,
// and the stiffness is B^T D B.

void shape_add_rectangle(SectionShape *s, double sign, double y0, double z0, double y1, double z1) {
  double b = fabs(y1 - y0), h = fabs(z1 - z0), a = sign * b * h, all = s->area + a;
  double dy = 0.5 * (y0 + y1) - s->centroid[0], dz = 0.5 * (z0 + z1) - s->centroid[1], both = s->area * a / all;
  s->yy += a * b * b / 12 + both * dy * dy;
  s->zz += a * h * h / 12 + both * dz * dz;
  s->yz += both * dy * dz;
  s->centroid[0] += a / all * dy, s->centroid[1] += a / all * dz;
  s->area = all;
}

void shape_move(SectionShape *s, double y, double z) {
  s->centroid[0] -= y, s->centroid[1] -= z;
  s->centre[0] -= y, s->centre[1] -= z;
}

void shape_set_factors(SectionShape *s, double k2, double k3) {
  s->shear[0][0] = 1 / (k2 * s->area), s->shear[1][1] = 1 / (k3 * s->area);
  s->shear[0][1] = s->shear[1][0] = 0;
}

const char *shape_mesh_rectangles(PlaneBuilder *b, int cells, int count, MeshRectangle *r) {
  SectionShape s = {0};
  for (int i = 0; i < count; i++) shape_add_rectangle(&s, 1, r[i].y[0], r[i].z[0], r[i].y[1], r[i].z[1]);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 2; k++) r[i].y[k] -= s.centroid[0], r[i].z[k] -= s.centroid[1];
  plane_add_rectangles(b, cells > 0 ? cells : count > 1 ? 4 : 16, count, r);
  return NULL;
}

const char *const material_laws[] = {"linear", "neo_hookean", NULL}; // of LimberMaterialLaw

const char material_linear_only[] =
    "its `material` has the law neo_hookean, which is for solids and membranes only: use a linear material";
bool material_is_neo_hookean(const LimberMaterial *m) { return m->law == LIMBER_LAW_NEO_HOOKEAN; }

Reason material_error(const LimberMaterial *m) {
  if (!(m->E > 0)) return reason(REASON_VALUE, "E", "E must be positive");
  if (m->G != 0 && !(m->G > 0)) return reason(REASON_VALUE, "G", "G must be positive");
  if (!(m->nu > -1 && m->nu <= 0.5)) return reason(REASON_VALUE, "nu", "nu must lie between -1 and 0.5");
  if (!(m->density >= 0)) return reason(REASON_VALUE, "density", "density must not be negative");
  if (m->law != LIMBER_LAW_LINEAR && m->law != LIMBER_LAW_NEO_HOOKEAN)
    return reason(REASON_VALUE, "law", "`law` is not a LimberMaterialLaw");
  return no_reason();
}

static void stiffness_of(const SectionShape *s, double E, double G, double out[6][6]) {
  double det = s->shear[0][0] * s->shear[1][1] - s->shear[0][1] * s->shear[1][0];
  double d[6][6] = {{E * s->area}}, b[6][6] = {{0}};
  d[1][1] = G * s->shear[1][1] / det, d[2][2] = G * s->shear[0][0] / det;
  d[1][2] = d[2][1] = -G * s->shear[0][1] / det;
  d[3][3] = G * s->torsion;
  d[4][4] = E * s->zz, d[5][5] = E * s->yy, d[4][5] = d[5][4] = -E * s->yz;
  for (int i = 0; i < 6; i++) b[i][i] = 1;
  b[0][4] = s->centroid[1], b[0][5] = -s->centroid[0];
  b[1][3] = -s->centre[1], b[2][3] = s->centre[0];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = 0; k < 6; k++)
        for (int l = 0; l < 6; l++) sum += b[k][i] * d[k][l] * b[l][j];
      out[i][j] = out[j][i] = sum;
    }
}

Reason section_of_shape(const ShapeKind *kind, const void *params, const LimberMaterial *m, const double *offset,
                        const double *factors, LimberSection *out) {
  SectionShape s = {0};
  Reason error = material_error(m);
  if (error.text) return error;
  if (material_is_neo_hookean(m)) return reason(REASON_VALUE, "material", material_linear_only);
  double G = m->G > 0 ? m->G : m->E / (2 * (1 + m->nu)), nu = m->E / (2 * G) - 1;
  if (!(nu > -1 && nu <= 0.5)) nu = 0; // E and G of no isotropic material: factors of the shear stress alone
  error = kind->make(params, nu, &s);
  if (error.text) return error;
  if (factors && !(factors[0] > 0 && factors[1] > 0))
    return reason(REASON_VALUE, "shear", "`shear` must be two positive factors");
  if (factors) shape_set_factors(&s, factors[0], factors[1]);
  if (offset) shape_move(&s, offset[0], offset[1]);
  memset(out, 0, sizeof *out);
  stiffness_of(&s, m->E, G, out->stiffness);
  double rho = m->density, y = s.centroid[0], z = s.centroid[1];
  double yy = rho * (s.yy + s.area * y * y), zz = rho * (s.zz + s.area * z * z), yz = rho * (s.yz + s.area * y * z);
  out->mass = rho * s.area;
  memcpy(out->centre, s.centroid, sizeof out->centre);
  out->inertia[0][0] = yy + zz, out->inertia[1][1] = zz, out->inertia[2][2] = yy;
  out->inertia[1][2] = out->inertia[2][1] = -yz;
  return no_reason();
}
