// SPDX-License-Identifier: Apache-2.0
// A wheel: an axisymmetric rotor on a frame (mechanics/wheel.h). Its mass and its inertia across the axis do not turn with it and belong to
// the body that carries it.
#include "mechanics/wheel.h"
#include "mechanics/element.h"

static Reason build(const void *params, ElementBuilder *b) {
  const LimberWheel *p = params;
  Vec3 x[4], axis = vec3_of(p->axis);
  if (!(p->inertia > 0)) return reason(REASON_VALUE, "inertia", "the `inertia` of a wheel must be positive");
  if (!(vec3_norm(axis) > 0)) return reason(REASON_VALUE, "axis", "the axis must not be zero");
  if (b->node(b, p->node, x) != NODE_FRAME) return reason(REASON_CONFLICT, "node", "a wheel needs a frame node");
  if (!LIMBER_IS_NONE(p->torque) && !LIMBER_IS_NONE(p->drive))
    return reason(REASON_CONFLICT, "torque", "give `torque` or `drive`, not both");
  if (!LIMBER_IS_NONE(p->drive) && p->speed != 0)
    return reason(REASON_CONFLICT, "speed", "`drive` already gives the speed: leave out `speed`");
  Wheel *data = b->add_element(b, 1, &p->node);
  if (!data) return no_reason();
  axis = vec3_unit(mat3_apply_transpose(node_axes(x), axis));
  *data = (Wheel){axis, p->inertia, p->speed, !LIMBER_IS_NONE(p->drive)};
  b->add_wheel(b, data, p->node, LIMBER_IS_NONE(p->drive) ? p->torque : p->drive);
  return no_reason();
}

// That of a driven wheel about its axis, as if it were locked.
static void inertia(const void *data, int node, Inertia *out) {
  const Wheel *w = data;
  (void)node;
  *out = (Inertia){0, {0, 0, 0}, {{{0}}}};
  if (w->driven) out->j = mat3_scale(w->inertia, mat3_outer(w->axis, w->axis));
}

static void visual(const void *data, double at, ElementVisual *out) {
  (void)data, (void)at;
  out->shape = VISUAL_WHEEL;
}

static const Field fields[] = {
    {"node", FIELD_NODE, 1, offsetof(LimberWheel, node), "", true, LIMBER_NONE, "frame that carries it", NULL},
    {"axis", FIELD_REALS, 3, offsetof(LimberWheel, axis), "", true, 0, "axis of the spin, in ground axes at the start",
     &field_direction},
    {"inertia", FIELD_REAL, 1, offsetof(LimberWheel, inertia), "kg m2", true, 0,
     "moment of inertia about the axis; mass and transverse inertia belong to the body of the node", NULL},
    {"speed", FIELD_REAL, 1, offsetof(LimberWheel, speed), "rad s-1", false, 0, "initial speed, relative to the node",
     NULL},
    {"torque", FIELD_FUNCTION, 1, offsetof(LimberWheel, torque), "N m", false, LIMBER_NONE,
     "motor torque between node and wheel, as a function of time; default: it turns freely", NULL},
    {"drive", FIELD_FUNCTION, 1, offsetof(LimberWheel, drive), "rad s-1", false, LIMBER_NONE,
     "instead of `speed` and `torque`: speed relative to the node as a function of time", NULL},
};

static const LimberWheel example = {{1}, {0.3, -0.5, 0.8}, 0.4, 50, {LIMBER_NONE}, {LIMBER_NONE}};

const ElementKind element_wheel = {
    .name = "wheel",
    .help = "A rotor that spins about an axis of a node: flywheel, reaction wheel, gyroscope, motor or generator.",
    .fields = FIELDS(fields, LimberWheel),
    .data_size = sizeof(Wheel),
    .build = build,
    .points = element_no_points,
    .inertia = inertia,
    .drawing = {.visual = visual},
    .example = {.nodes = "F", .item = &example},
};
