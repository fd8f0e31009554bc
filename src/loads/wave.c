// SPDX-License-Identifier: Apache-2.0
// A wave port: the end of a line to another model, at a coordinate of a joint or at a node. Over a step with the
// displacement D the line puts on it
//   -b,   b = Z D/h + sqrt(2 Z) u_in,        and takes the wave   u_out = sqrt(2 Z) D/h + u_in,
// so that  b D = h/2 (u_out^2 - u_in^2).  With a mass z0 lent to the line Z = z0/h.
// Equations: eq-port-step (24.1), eq-port-work (24.2).
#include "mechanics/load.h"

static Reason prepare(const void *params, Load *out) {
  const LimberWave *p = params;
  bool node = !LIMBER_IS_NONE(p->node);
  if (node == !LIMBER_IS_NONE(p->joint))
    return reason(REASON_CONFLICT, "joint", "a port needs either `joint` or `node`");
  if (node && p->coordinate) return reason(REASON_CONFLICT, "coordinate", "a `node` has no coordinate");
  if ((p->mass != 0) == (p->impedance != 0))
    return reason(REASON_CONFLICT, p->mass != 0 ? "impedance" : "mass", "a port needs either `mass` or `impedance`");
  if (!(p->mass >= 0)) return reason(REASON_VALUE, "mass", "`mass` must be positive");
  if (!(p->impedance >= 0)) return reason(REASON_VALUE, "impedance", "`impedance` must be positive");
  out->target = node ? LOAD_NODE : LOAD_JOINT, out->id = node ? p->node.index : p->joint.index;
  out->coordinate = p->coordinate;
  return no_reason();
}

static const Field fields[] = {
    {"joint", FIELD_JOINT, 1, offsetof(LimberWave, joint), "", false, LIMBER_NONE, "a joint with a coordinate", NULL},
    {"coordinate", FIELD_TEXT, 1, offsetof(LimberWave, coordinate), "", false, 0,
     "coordinate of the joint, named as in limber describe; default: its first", NULL},
    {"node", FIELD_NODE, 1, offsetof(LimberWave, node), "", false, LIMBER_NONE,
     "instead of `joint`: a node, whose position is coupled", NULL},
    {"mass", FIELD_REAL, 1, offsetof(LimberWave, mass), UNIT_ANY, false, 0,
     "mass of the line in kg, or its inertia in kg m2 at an angle; half of it is taken from this model. The same at "
     "both "
     "ends",
     NULL},
    {"impedance", FIELD_REAL, 1, offsetof(LimberWave, impedance), UNIT_ANY, false, 0,
     "instead of `mass`, where an end has none to lend: N s m-1, or N m s rad-1 at an angle; first order", NULL},
};

const LoadKind *const port_kinds[] = {&load_wave, &load_bond, NULL};

const LoadKind load_wave = {
    .name = "wave",
    .help = "The end of a line to another model: it couples a coordinate or a node and never creates energy.",
    .fields = FIELDS(fields, LimberWave),
    .target = LOAD_JOINT,
    .prepare = prepare,
};
