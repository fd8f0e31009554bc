// SPDX-License-Identifier: Apache-2.0
// A rigid body: a frame with inertia. J about the node follows from the tensor about the mass centre (Steiner).
#include "mechanics/element.h"

static Reason build(const void *params, ElementBuilder *b) {
  const LimberRigidBody *p = params;
  const double *i = p->inertia;
  Vec3 x[4];
  if (!(p->mass > 0)) return reason(REASON_VALUE, "mass", "the mass of a body must be positive");
  if (b->node(b, p->node, x) != NODE_FRAME) return reason(REASON_CONFLICT, "node", "a rigid body needs a frame node");
  Inertia *data = b->add_element(b, 1, &p->node);
  Mat3 jc = {{{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}}};
  if (data) *data = inertia_of_body(p->mass, vec3_of(p->centre), jc);
  return no_reason();
}

static void inertia(const void *data, int node, Inertia *out) {
  (void)node;
  *out = *(const Inertia *)data;
}

static void visual(const void *data, double at, ElementVisual *out) {
  const Inertia *i = data;
  (void)at;
  out->shape = i->j.m[0][0] + i->j.m[1][1] + i->j.m[2][2] > 0 ? VISUAL_BODY : VISUAL_POINT;
}

static const Field fields[] = {
    {"node", FIELD_NODE, 1, offsetof(LimberRigidBody, node), "", true, LIMBER_NONE, "frame of the body", NULL},
    {"mass", FIELD_REAL, 1, offsetof(LimberRigidBody, mass), "kg", true, 0, "total mass", NULL},
    {"centre", FIELD_REALS, 3, offsetof(LimberRigidBody, centre), "m", false, 0, "centre of mass, in the node's axes",
     NULL},
    {"inertia", FIELD_TENSOR, 6, offsetof(LimberRigidBody, inertia), "kg m2", false, 0,
     "about the centre of mass in the node's axes: 11 22 33 12 13 23", NULL},
};

static const LimberRigidBody example = {{1}, 2.5, {0.1, -0.2, 0.3}, {0.4, 0.5, 0.6, 0.02, -0.03, 0.01}};

const ElementKind element_rigid_body = {
    .name = "rigid_body",
    .help = "A rigid body at one frame.",
    .fields = FIELDS(fields, LimberRigidBody),
    .data_size = sizeof(Inertia),
    .build = build,
    .points = element_no_points,
    .inertia = inertia,
    .drawing = {.visual = visual},
    .example = {.nodes = "F", .item = &example, .mass = 2.5},
};
