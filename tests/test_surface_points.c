// SPDX-License-Identifier: Apache-2.0
// Points of surfaces: what those of every kind promise, lengths that points of beams stand for, edges of boxes.
#include "check.h"
#include "model/model.h"

static LimberModel model_with_rope(LimberNodeId *node, LimberElementId *rope) {
  LimberModel m = NULL;
  LimberNodeId a, b;
  const double at[3] = {0.3, -0.2, 0.7}, axes[9] = {0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1};
  CHECK(!LimberModelCreate(&m));
  CHECK(!LimberModelAddFrame(m, "body", at, axes, node));
  CHECK(!LimberModelAddPoint(m, "a", (double[]){0, 0, 0}, &a));
  CHECK(!LimberModelAddPoint(m, "b", (double[]){0, 3, 4}, &b));
  LimberCable cable = limber_cable_default();
  cable.from = a, cable.to = b, cable.stiffness = 1, cable.mass = 1, cable.elements = 7;
  CHECK(!LimberModelAddCable(m, "rope", &cable, rope));
  return m;
}

static void add_all(LimberModel m, LimberNodeId node, LimberElementId rope) {
  LimberSphereSurface sphere = limber_sphere_surface_default();
  sphere.node = node, sphere.radius = 0.1, sphere.at = (double[]){1, 2, 3};
  CHECK(!LimberModelAddSphereSurface(m, "sphere", &sphere, NULL));
  LimberPlaneSurface plane = limber_plane_surface_default();
  plane.node = node, plane.normal[0] = 2;
  CHECK(!LimberModelAddPlaneSurface(m, "plane", &plane, NULL));
  LimberCylinderSurface rod = limber_cylinder_surface_default();
  rod.node = node, rod.axis[1] = 3, rod.radius = 0.2, rod.length = 1, rod.points = 4;
  CHECK(!LimberModelAddCylinderSurface(m, "rod", &rod, NULL));
  LimberBoxSurface box = limber_box_surface_default();
  box.node = node, box.size[0] = 0.3, box.size[1] = 0.5, box.size[2] = 0.7, box.rounding = 0.05, box.points = 3;
  CHECK(!LimberModelAddBoxSurface(m, "box", &box, NULL));
  LimberBeamSurface beam = limber_beam_surface_default();
  beam.element = rope, beam.radius = 0.1, beam.points = 5;
  CHECK(!LimberModelAddBeamSurface(m, "skin", &beam, NULL));
}

TEST(points_and_bodies_move_with_their_nodes) {
  LimberNodeId node;
  LimberElementId rope;
  LimberModel m = model_with_rope(&node, &rope);
  add_all(m, node, rope);
  CHECK_STR(limber_model_diagnostics(m), "");
  for (int i = 0; i < m->points.count; i++) {
    const SurfacePoint *p = model_point(m, i);
    double share = 0;
    for (int a = 0; a < p->nnode; a++) share += p->coef[a][0];
    CHECK_NEAR(share, 1, 1e-15); // a displacement of the nodes is that of the point
    CHECK(p->radius >= 0 && p->weight > 0 && p->surface >= 0 && p->surface < m->surfaces.count);
  }
  for (int i = 0; i < m->surfaces.count; i++) {
    const ModelSurface *s = model_surface(m, i);
    CHECK(s->count > 0 || s->body.kind);
    if (!s->body.kind) continue;
    CHECK_NEAR(s->body.place[0], 1, 0);
    for (int d = 1; d < s->body.kind->ny; d++) {
      const double *n = s->body.direction[d - 1];
      CHECK_NEAR(n[0], 0, 0); // it has no place
      CHECK_NEAR(n[1] * n[1] + n[2] * n[2] + n[3] * n[3], 1, 1e-15);
    }
  }
  CHECK(!LimberModelDestroy(&m));
}

TEST(points_of_a_beam_stand_for_its_length) {
  for (int points = 1; points <= 100; points += points < 6 ? 1 : 47) {
    LimberNodeId node;
    LimberElementId rope;
    LimberModel m = model_with_rope(&node, &rope);
    LimberBeamSurface beam = limber_beam_surface_default();
    beam.element = rope, beam.radius = 0.1, beam.points = points;
    CHECK(!LimberModelAddBeamSurface(m, "skin", &beam, NULL));
    double length = 0, moment = 0, last = 0;
    for (int i = 0; i < m->points.count; i++) {
      const SurfacePoint *p = model_point(m, i);
      Vec3 y = vec3_zero();
      for (int a = 0; a < 2; a++) y = vec3_axpy(y, p->coef[a][0], model_node(m, p->node[a])->x[0]);
      CHECK_NEAR(vec3_norm(y), p->along, 1e-13); // from the origin, along the straight rope
      CHECK_LT(last, p->along);
      length += p->weight, moment += p->weight * p->along, last = p->along;
    }
    CHECK_INT(m->points.count, 7 * points);
    CHECK_NEAR(length, 5, 1e-13);
    CHECK_NEAR(moment, 12.5, 1e-12);
    CHECK(!LimberModelDestroy(&m));
  }
}

TEST(points_of_a_box_are_its_corners_and_lie_on_its_edges) {
  for (int points = 0; points < 4; points++) {
    LimberNodeId node;
    LimberElementId rope;
    LimberModel m = model_with_rope(&node, &rope);
    LimberBoxSurface box = limber_box_surface_default();
    box.node = node, box.size[0] = 0.3, box.size[1] = 0.5, box.size[2] = 0.7, box.rounding = 0.05, box.points = points;
    CHECK(!LimberModelAddBoxSurface(m, "box", &box, NULL));
    CHECK_INT(m->points.count, 8 + 12 * points);
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < m->points.count; i++) {
      const SurfacePoint *p = model_point(m, i);
      int at_end = 0;
      for (int k = 0; k < 3; k++) {
        double half = 0.5 * box.size[k] - box.rounding, x = p->coef[0][1 + k];
        at_end += fabs(fabs(x) - half) < 1e-15, sum[k] += x;
        CHECK_LE(fabs(x), half + 1e-15);
      }
      CHECK(at_end >= 2);
      for (int j = 0; j < i; j++) { // no two of them are the same
        const double *q = model_point(m, j)->coef[0], *o = p->coef[0];
        CHECK(fabs(q[1] - o[1]) + fabs(q[2] - o[2]) + fabs(q[3] - o[3]) > 0.01);
      }
    }
    for (int k = 0; k < 3; k++) CHECK_NEAR(sum[k], 0, 1e-14);
    CHECK(!LimberModelDestroy(&m));
  }
}

TEST(a_beam_meets_itself_only_far_along_the_line) {
  LimberNodeId node;
  LimberElementId rope;
  LimberSurfaceId skin;
  LimberModel m = model_with_rope(&node, &rope);
  LimberBeamSurface beam = limber_beam_surface_default();
  LimberContact c = limber_contact_default();
  beam.element = rope, beam.radius = 0.1, beam.self_contact = 1;
  CHECK(!LimberModelAddBeamSurface(m, "skin", &beam, &skin));
  c.surfaces = &skin, c.nsurfaces = 1, c.stiffness = 1;
  CHECK(!LimberModelAddContact(m, "c", &c, NULL));
  CHECK_STR(limber_model_diagnostics(m), "");
  for (int i = 0; i < m->points.count; i++)
    for (int j = 0; j < m->points.count; j++) {
      const SurfacePoint *p = model_point(m, i), *q = model_point(m, j);
      CHECK_INT(model_contact_joins_itself(model_contact(m, 0), p, q), fabs(p->along - q->along) >= 1);
    }
  CHECK(!LimberModelDestroy(&m));
}

CHECK_MAIN
