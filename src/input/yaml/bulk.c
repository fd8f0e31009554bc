// SPDX-License-Identifier: Apache-2.0
// What a body is as a whole, from the cells of a mesh: volume, centre, and second moments about it. No node is made of it.
#include "input/yaml/cells.h"
#include "input/yaml/fields.h"
#include "input/yaml/reader.h"
#include "input/yaml/report.h"

// sum over a tetrahedron of x x^T, x from `origin`: V/20 (sum_a x_a x_a^T + (sum_a x_a)(sum_b x_b)^T)
static Mat3 tetrahedron_moments(const Vec3 *x, double volume) {
  Vec3 all = vec3_add(vec3_add(x[0], x[1]), vec3_add(x[2], x[3]));
  Mat3 sum = mat3_outer(all, all);
  for (int a = 0; a < 4; a++) sum = mat3_add(sum, mat3_outer(x[a], x[a]));
  return mat3_scale(volume / 20, sum);
}

typedef struct {
  double volume;
  Vec3 first;
  Mat3 second;
} Moments;

// Of cells with straight edges exact; of others as their integration points have it.
static void add_cell(CellShape shape, const Vec3 *x, Moments *m) {
  double n[CELL_NODES], turned = 0;
  Vec3 dn[CELL_NODES], normal, first = vec3_zero();
  Mat3 second = mat3_zero();
  for (int g = 0; g < cell_points(shape); g++) {
    double w = cell_derive(shape, x, g, n, dn, &normal);
    Vec3 at = vec3_zero();
    for (int a = 0; a < cell_nodes(shape); a++) at = vec3_axpy(at, n[a], x[a]);
    turned += w, first = vec3_axpy(first, w, at), second = mat3_axpy(second, w, mat3_outer(at, at));
  }
  if (shape == LIMBER_TETRAHEDRON) second = tetrahedron_moments(x, turned);
  double sign = turned < 0 ? -1 : 1; // a mirrored cell
  m->volume += fabs(turned), m->first = vec3_axpy(m->first, sign, first),
                             m->second = mat3_axpy(m->second, sign, second);
}

Error ReadBulkField(Reader *r, FieldValue *v, void *out) {
  const Tree *t = v->tree;
  const Mesh *m;
  const MeshGroup *group;
  Moments sum = {0, {0, 0, 0}, {{{0}}}};
  Vec3 x[CELL_NODES], origin = vec3_zero();
  bool named = true;
  TRY(FindCells(r, v->field, t, &m, &group, &named));
  v->good = v->good && named;
  if (!named) return 0;
  for (int i = 0; i < m->cells; i++) {
    const MeshCell *c = &m->cell[i];
    if (c->dimension != v->field->count || !mesh_has(m, c, group) || c->shape == CELL_WITHOUT_SHAPE) continue;
    if (sum.volume == 0) origin = m->node[m->cell_node[c->first]].at; // near the body, wherever that is
    for (int a = 0; a < c->count; a++) x[a] = vec3_sub(m->node[m->cell_node[c->first + a]].at, origin);
    add_cell((CellShape)c->shape, x, &sum);
  }
  if (!(sum.volume > 0)) {
    v->good = false;
    TRY(ReportError(r, t->at, "'%s' has no volume", t->text));
    return 0;
  }
  Vec3 centre = vec3_scale(1 / sum.volume, sum.first);
  Mat3 s = mat3_axpy(sum.second, -sum.volume, mat3_outer(centre, centre));
  LimberBulk *bulk = out;
  *bulk =
      (LimberBulk){.volume = sum.volume, .second = {s.m[0][0], s.m[1][1], s.m[2][2], s.m[0][1], s.m[0][2], s.m[1][2]}};
  vec3_to(vec3_add(origin, centre), bulk->centre);
  return 0;
}
