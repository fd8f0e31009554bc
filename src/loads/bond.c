// SPDX-License-Identifier: Apache-2.0
// A bond port: a coordinate of a joint or a direction at a node gives its velocity to an FMU and gets a force from it,
// constant over each step (analyses/stepping/bonds.c).
#include "mechanics/load.h"

static Reason prepare(const void *params, Load *out) {
  const LimberBond *p = params;
  bool node = !LIMBER_IS_NONE(p->node);
  double length = vec3_norm(vec3_of(p->direction));
  if (node == !LIMBER_IS_NONE(p->joint))
    return reason(REASON_CONFLICT, "joint", "a port needs either `joint` or `node`");
  if (node && p->coordinate) return reason(REASON_CONFLICT, "coordinate", "a `node` has no coordinate");
  if (node && !(length > 0)) return reason(REASON_VALUE, "direction", "a bond at a `node` needs a `direction`");
  if (!node && length > 0)
    return reason(REASON_CONFLICT, "direction", "a `joint` gives the direction of its coordinate");
  if (!(p->tolerance > 0)) return reason(REASON_VALUE, "tolerance", "`tolerance` must be positive");
  if (p->repeats < 0 || p->repeats > 100) return reason(REASON_VALUE, "repeats", "`repeats` must be 0 to 100");
  if (p->substeps < 0 || p->substeps > 1000) return reason(REASON_VALUE, "substeps", "`substeps` must be 0 to 1000");
  out->target = node ? LOAD_NODE : LOAD_JOINT, out->id = node ? p->node.index : p->joint.index;
  out->coordinate = p->coordinate;
  if (node) out->force = vec3_scale(1 / length, vec3_of(p->direction));
  return no_reason();
}

static const Field fields[] = {
    {"joint", FIELD_JOINT, 1, offsetof(LimberBond, joint), "", false, LIMBER_NONE, "a joint with a coordinate", NULL},
    {"coordinate", FIELD_TEXT, 1, offsetof(LimberBond, coordinate), "", false, 0,
     "coordinate of the joint, named as in limber describe; default: its first", NULL},
    {"node", FIELD_NODE, 1, offsetof(LimberBond, node), "", false, LIMBER_NONE, "instead of `joint`: a node", NULL},
    {"direction", FIELD_REALS, 3, offsetof(LimberBond, direction), "", false, 0,
     "of the velocity and the force at a `node`, in ground axes", &field_direction},
    {"fmu", FIELD_TEXT, 1, offsetof(LimberBond, fmu), "", true, 0, "a control block of the kind `fmu`", NULL},
    {"flow", FIELD_TEXT, 1, offsetof(LimberBond, flow), "", true, 0,
     "one of its inputs: the velocity of the coordinate, in m/s or rad/s", NULL},
    {"effort", FIELD_TEXT, 1, offsetof(LimberBond, effort), "", true, 0,
     "one of its outputs: the force on the coordinate, in N or N m", NULL},
    {"tolerance", FIELD_REAL, 1, offsetof(LimberBond, tolerance), "J", true, 0,
     "energy that the exchange may create during the run", NULL},
    {"repeats", FIELD_INT, 1, offsetof(LimberBond, repeats), "", false, 20,
     "a step is repeated at most so often until the FMU's velocity is that of the coordinate; needs an FMU that can be "
     "set back",
     NULL},
    {"substeps", FIELD_INT, 1, offsetof(LimberBond, substeps), "", false, 0,
     "steps that the FMU takes within one of the model, with the same velocity; the force is the mean over them; 0: 8, "
     "or 1 of an FMU that needs steps of equal length",
     NULL},
};

const LoadKind load_bond = {
    .name = "bond",
    .help = "The exchange of velocity and force with an FMU: it creates no more energy than `tolerance`.",
    .fields = FIELDS(fields, LimberBond),
    .target = LOAD_JOINT,
    .prepare = prepare,
};
