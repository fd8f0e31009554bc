// SPDX-License-Identifier: Apache-2.0
// The outer faces of a body of cells: points of quadrature on each, with the area for which it stands. The energy of a
// contact with it is an integral over the faces of the unloaded body. Equation: eq-contact-faces (22.15).
#include "mechanics/cell.h"
#include "mechanics/surface.h"

static bool faces_towards(Vec3 normal, const double *direction) {
  const double cosine = 0.70710678; // of 45 degrees, and a bit
  Vec3 d = vec3_of(direction);
  return vec3_dot(normal, d) >= cosine * vec3_norm(normal) * vec3_norm(d);
}

static Reason add_face(const LimberFacesSurface *p, const SurfaceBuilder *b, SurfacePoint *point, const Vec3 *at) {
  for (int g = 0; g < face_points(point->nnode, p->points); g++) {
    double n[FACE_NODES];
    point->weight = face_point(point->nnode, p->points, g, at, n);
    for (int a = 0; a < point->nnode; a++) point->coef[a][0] = n[a];
    if (!b->add_point(b->self, point)) return reason(REASON_LIMIT, NULL, surface_too_many);
  }
  return no_reason();
}

static Reason build(const void *params, const SurfaceBuilder *b) {
  const LimberFacesSurface *p = params;
  SurfacePoint point = {.radius = p->radius};
  int found = 0;
  if (!(p->radius >= 0) || !(p->radius < HUGE_VAL))
    return reason(REASON_VALUE, "radius", "`radius` must not be negative");
  if (p->points < 1 || p->points > FACE_ORDER) return reason(REASON_VALUE, "points", "`points` must be 1, 2 or 3");
  double length = p->facing ? vec3_norm(vec3_of(p->facing)) : 1;
  if (!(length > 0) || !(length < HUGE_VAL))
    return reason(REASON_VALUE, "facing", "its direction `facing` must not be zero");
  Reason error = reason(REASON_VALUE, "element", b->find_faces(b->self, p->element.index, &p->cells));
  if (error.text) return error;
  for (int i = 0; (point.nnode = b->face(b->self, i, point.node)) > 0; i++) {
    Vec3 x[4], at[FACE_NODES];
    for (int a = 0; a < point.nnode; a++) b->node(b->self, point.node[a], x), at[a] = x[0];
    if (p->facing && !faces_towards(face_normal(point.nnode, at), p->facing)) continue;
    Reason wrong = add_face(p, b, &point, at);
    if (wrong.text) return wrong;
    found++;
  }
  return found ? no_reason() : reason(REASON_VALUE, "facing", "none of its faces points within 45 degrees of `facing`");
}

static const Field fields[] = {
    {"element", FIELD_ELEMENT, 1, offsetof(LimberFacesSurface, element), "", true, LIMBER_NONE,
     "solid, solid_shell or membrane whose outer faces they are", NULL},
    {"mesh", FIELD_CELLS, 2, offsetof(LimberFacesSurface, cells), "", false, 0,
     "only the faces of this group of the mesh, MESH.GROUP, of triangles of 3 or quadrilaterals of 4 nodes; default: "
     "all",
     NULL},
    {"facing", FIELD_OPTIONAL_REALS, 3, offsetof(LimberFacesSurface, facing), "", false, 0,
     "only faces that point within 45 degrees of this direction, in ground axes at the start; default: all",
     &field_direction},
    {"radius", FIELD_REAL, 1, offsetof(LimberFacesSurface, radius), "m", false, 0,
     "radius of a skin around the faces; spheres and other faces touch it, so one of two faces needs a radius", NULL},
    {"points", FIELD_INT, 1, offsetof(LimberFacesSurface, points), "", false, 2,
     "contact points along each side of a face: 1, 2 or 3; their spacing should be less than the radius of the "
     "surfaces that touch them",
     NULL},
};

const SurfaceKind surface_faces = {
    .name = "faces",
    .help = "The outer faces of a body of solids, or the faces of a membrane; stiffnesses are per area.",
    .fields = FIELDS(fields, LimberFacesSurface),
    .areal = true,
    .build = build,
};
