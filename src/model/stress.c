// SPDX-License-Identifier: Apache-2.0
#include "model/stress.h"

#include "mechanics/plane_mesh.h"
#include "mechanics/section_matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ModelSection *section_of(Model m, int component) {
  int id = model_component(m, component)->section;
  return id >= 0 && model_component(m, component)->kind->line.resultant ? model_section(m, id) : NULL;
}

static bool has_strength(const SectionSolution *s) {
  for (int i = 0; i < s->mesh.materials; i++)
    if (strength_known(&s->mesh.material[i].strength)) return true;
  return false;
}

const char *stress_lacks(Model m, int component, StressMeasure measure, char *text, size_t size) {
  const ModelComponent *c = model_component(m, component);
  const ModelSection *s = section_of(m, component);
  if (!s) {
    snprintf(text, size, "%s '%s' has no section with stresses; beams have", c->kind->name, c->name);
    return text;
  }
  const char *name = shown_name(s->name);
  for (int i = 0; i < s->count; i++)
    if (!s->solution || !s->solution[i]) {
      snprintf(text, size,
               "section '%s' of %s '%s' has no mesh, so that it has no stresses; give it a shape with `solve: true`, a "
               "`mesh` or a `layup`",
               name, c->kind->name, c->name);
      return text;
    }
  for (int i = 0; measure == STRESS_TSAI_WU && i < s->count; i++)
    if (!has_strength(s->solution[i])) {
      snprintf(text, size, "no material of section '%s' of %s '%s' has a `strength`, which Tsai-Wu's index needs", name,
               c->kind->name, c->name);
      return text;
    }
  return NULL;
}

const char *mesh_stress_lacks(Model m, int component, char *text, size_t size) {
  const ModelComponent *c = model_component(m, component);
  ModelMesh of;
  if (!model_component_mesh(m, component, &of) || of.mesh->cells) return NULL;
  snprintf(
      text, size,
      "%s '%s' has no stresses, because it has matrices alone: its mesh needs cells, and the body their `material`",
      c->kind->name, c->name);
  return text;
}

// ---- stations ----

static void set_force(const ModelSection *s, const int station[2], double part, StressStation *out, int k) {
  double place[6][6], inverse[6][6];
  out->solution = s->solution[station[k]];
  out->part = k ? part : 1 - part;
  for (int i = 0; i < 36; i++)
    place[i / 6][i % 6] = (1 - part) * s->station[station[0]].stiffness[i / 6][i % 6] +
                          part * s->station[station[1]].stiffness[i / 6][i % 6];
  out->same = out->part == 1 || !symmetric_inverse((const double(*)[6])place, inverse);
  for (int i = 0; i < 36 && !out->same; i++) {
    out->force[i / 6][i % 6] = 0;
    for (int j = 0; j < 6; j++)
      out->force[i / 6][i % 6] += s->station[station[k]].stiffness[i / 6][j] * inverse[j][i % 6];
  }
}

int stress_stations(Model m, int component, double along, StressStation out[2]) {
  const ModelSection *s = section_of(m, component);
  int i = 0;
  double part = 0;
  while (i + 2 < s->count && s->station[i + 1].at < along) i++;
  const int station[2] = {i, s->count > 1 ? i + 1 : i};
  if (s->count > 1) part = fmin(1, fmax(0, (along - s->station[i].at) / (s->station[i + 1].at - s->station[i].at)));
  for (int k = 0; k < 2; k++) set_force(s, station, part, &out[k], k);
  return part > 0.5;
}

double stress_along(Model m, int component, double at) {
  const ModelComponent *c = model_component(m, component);
  const ModelElement *e = model_component_station(m, component, &at);
  return ((double)(e - model_element(m, c->first)) + at) / c->count;
}

void stress_station_force(const StressStation *s, const double force[6], double out[6]) {
  for (int i = 0; i < 6; i++) {
    out[i] = s->same ? force[i] : 0;
    for (int j = 0; j < 6 && !s->same; j++) out[i] += s->force[i][j] * force[j];
  }
}

// ---- the largest ----

static double measure_at(const StressForms *f, int point, const double force[6]) {
  SectionStress s;
  section_stress(f->solution, point, force, &s);
  return f->measure == STRESS_VON_MISES ? s.von_mises * s.von_mises : s.tsai_wu;
}

// Coefficients from the values at unit forces and at sums of two unit forces.
void stress_forms(StressForms *f) {
  for (int p = 0; p < f->solution->points; p++) {
    double *linear = f->form[p], *quadratic = linear + 6, own[6];
    for (int i = 0; i < 6; i++) {
      double up[6] = {0}, down[6] = {0};
      up[i] = 1, down[i] = -1;
      double a = measure_at(f, p, up), b = measure_at(f, p, down);
      linear[i] = (a - b) / 2, own[i] = (a + b) / 2;
    }
    for (int i = 0; i < 6; i++)
      for (int j = i; j < 6; j++, quadratic++) {
        double both[6] = {0};
        both[i] = both[j] = 1;
        *quadratic = i == j ? own[i] : measure_at(f, p, both) - linear[i] - linear[j] - own[i] - own[j];
      }
  }
}

bool stress_exceeds(double value, double largest) {
  return isnan(largest) ? !isnan(value) : value > largest + 1e-9 * fabs(largest);
}

int stress_largest(const StressForms *f, const double force[6]) {
  double product[21], best = NAN;
  int at = STRESS_WITHOUT, k = 0;
  for (int i = 0; i < 6; i++)
    for (int j = i; j < 6; j++) product[k++] = force[i] * force[j];
  for (int p = 0; p < f->solution->points; p++) {
    const double *c = f->form[p];
    double value = 0;
    for (int i = 0; i < 6; i++) value += c[i] * force[i];
    for (int i = 0; i < 21; i++) value += c[6 + i] * product[i];
    if (stress_exceeds(value, best)) best = value, at = p; // never NaN: that material has no strengths
  }
  return at;
}

void stress_place(Model m, int component, double at, double y, double z, int cell, char *text, size_t size) {
  const ModelComponent *c = model_component(m, component);
  const ModelSection *s = section_of(m, component);
  StressStation station[2];
  snprintf(text, size, "%s '%s', %.4g of its length, y = %.5g m, z = %.5g m", c->kind->name, c->name, at, y, z);
  if (!s || !s->solution) return;
  const SectionSolution *solution =
      station[stress_stations(m, component, stress_along(m, component, at), station)].solution;
  if (!solution || solution->mesh.materials < 2 || cell < 0 || cell >= solution->mesh.cells) return;
  int material = solution->mesh.cell[cell].material;
  size_t used = strlen(text);
  snprintf(text + used, size - used, ", in '%s'", solution->name[material]);
  double fibre = solution->mesh.material[material].fibre * 57.29577951308232;
  used = strlen(text);
  if (fabs(fibre) > 1e-9) snprintf(text + used, size - used, " at %.4g degrees", fibre);
}

// ---- stresses at a point, interpolated from the nodes of its cell ----

// Finds a point in a cell with Newton's method; false: it is outside.
static bool find_in_cell(const PlaneMesh *m, int cell, const double at[2], double tolerance, PlanePoint *out) {
  int nodes = m->cell[cell].nodes;
  bool triangle = nodes == 3 || nodes == 6;
  double a = triangle ? 1. / 3 : 0, b = a;
  for (int k = 0; k < 20; k++) {
    double jy[2] = {0}, jz[2] = {0}, step = 1e-6;
    PlanePoint p, pa, pb;
    plane_at(m, cell, a, b, &p), plane_at(m, cell, a + step, b, &pa), plane_at(m, cell, a, b + step, &pb);
    jy[0] = (pa.y - p.y) / step, jz[0] = (pa.z - p.z) / step, jy[1] = (pb.y - p.y) / step, jz[1] = (pb.z - p.z) / step;
    double det = jy[0] * jz[1] - jy[1] * jz[0], dy = at[0] - p.y, dz = at[1] - p.z;
    a += (dy * jz[1] - dz * jy[1]) / det, b += (jy[0] * dz - jz[0] * dy) / det;
    if (!(fabs(a) < 10 && fabs(b) < 10)) return false;
  }
  plane_at(m, cell, a, b, out);
  const double edge = 1e-6;
  bool inside = triangle ? a >= -edge && b >= -edge && a + b <= 1 + edge : fabs(a) <= 1 + edge && fabs(b) <= 1 + edge;
  return inside && hypot(out->y - at[0], out->z - at[1]) <= tolerance;
}

static bool is_near_cell(const PlaneMesh *m, int cell, const double at[2], double tolerance) {
  for (int k = 0; k < 2; k++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < m->cell[cell].nodes; i++)
      low = fmin(low, m->at[m->cell[cell].node[i]][k]), high = fmax(high, m->at[m->cell[cell].node[i]][k]);
    double margin = tolerance + 0.1 * (high - low); // edges may be curved
    if (at[k] < low - margin || at[k] > high + margin) return false;
  }
  return true;
}

// Converts stresses due to unit forces at the station to stresses due to unit forces at the place.
static void carry_forces(const StressStation *s, StressGauge *out) {
  double own[6][6];
  memcpy(own, out->unit, sizeof own);
  for (int f = 0; f < 6; f++) {
    double unit[6] = {0}, force[6];
    unit[f] = 1;
    stress_station_force(s, unit, force);
    for (int k = 0; k < 6; k++) {
      out->unit[f][k] = 0;
      for (int g = 0; g < 6; g++) out->unit[f][k] += force[g] * own[g][k];
    }
  }
}

bool stress_gauge(const StressStation *s, const double at[2], StressGauge *out) {
  const PlaneMesh *m = &s->solution->mesh;
  double size = 0;
  PlanePoint p;
  memset(out, 0, sizeof *out);
  for (int i = 0; i < m->nodes; i++) size = fmax(size, hypot(m->at[i][0], m->at[i][1]));
  for (int cell = 0, first = 0; cell < m->cells; first += m->cell[cell++].nodes) {
    if (!is_near_cell(m, cell, at, 1e-9 * size) || !find_in_cell(m, cell, at, 1e-6 * size, &p)) continue;
    for (int i = 0; i < m->cell[cell].nodes; i++)
      for (int k = 0; k < 36; k++) out->unit[k / 6][k % 6] += p.n[i] * s->solution->point[first + i].unit[k / 6][k % 6];
    const PlaneMaterial *material = &m->material[m->cell[cell].material];
    double c = cos(m->cell[cell].plane), d = sin(m->cell[cell].plane), e = cos(material->fibre),
           f = sin(material->fibre);
    const double axes[3][3] = {{e, f * c, f * d}, {-f, e * c, e * d}, {0, -d, c}};
    memcpy(out->axes, axes, sizeof axes);
    carry_forces(s, out);
    return true;
  }
  return false;
}

void stress_gauge_read(const StressGauge *g, const double force[6], bool ply, double out[6]) {
  double stress[6] = {0};
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++) stress[k] += force[i] * g->unit[i][k];
  if (ply) stress_turn(stress, g->axes, out);
  else memcpy(out, stress, sizeof stress);
}
