// SPDX-License-Identifier: Apache-2.0
// Any coordinates of two or three joints: d = f_1 z_1 + f_2 z_2 + f_3 z_3, or a formula d = F(z_1, z_2, z_3).
#include "joints/tie.h"

static int ties(const void *params, JointTie *tie) {
  const LimberCoupler *p = params;
  int n = LIMBER_IS_NONE(p->joint[2]) ? 2 : 3;
  for (int i = 0; i < n; i++)
    tie[i] = (JointTie){.joint = p->joint[i].index, .coordinate = p->coordinate[i], .factor = p->factors[i]};
  return n;
}

static Reason prepare(const void *params, const JointNodes *n, Joint *out) {
  const LimberCoupler *p = params;
  bool factors = p->factors[0] != 0 || p->factors[1] != 0 || p->factors[2] != 0;
  if (n->formula && factors) return reason(REASON_CONFLICT, "factors", "give `factors` or a `formula`, not both");
  if (!n->formula && !factors)
    return reason(REASON_CONFLICT, "factors", "it needs `factors`, or a `formula` of `first`, `second` and `third`");
  for (int i = 0; i < n->ntie && !n->formula; i++)
    if (p->factors[i] == 0) return reason(REASON_VALUE, "factors", "a factor of a coupler must not be zero");
  return tie_prepare(n, p->law, out);
}

static const char *coordinate_name(int i) {
  static const char *const names[] = {"first", "second", "third", NULL};
  return names[i];
}
static const FieldMore coordinates = {NULL, coordinate_name};

#define TIED(i, name, required, help) \
  {name, FIELD_JOINT, 1, offsetof(LimberCoupler, joint[i]), "", required, LIMBER_NONE, help, NULL}, { \
    name "_coordinate", FIELD_TEXT, 1, offsetof(LimberCoupler, coordinate[i]), "", false, 0, \
        "coordinate of that joint, named as in limber describe; default: its first", NULL \
  }
static const Field fields[] = {
    TIED(0, "first", true, "joint with a coordinate"),
    TIED(1, "second", true, "another"),
    TIED(2, "third", false, "one more"),
    {"factors", FIELD_REALS, 3, offsetof(LimberCoupler, factors), "", false, 0,
     "factors of the coordinates, whose weighted sum stays zero; for two joints the third is 0", NULL},
    {"formula", FIELD_FORMULA, 1, offsetof(LimberCoupler, formula), "", false, 0,
     "instead of factors: a formula of `first`, `second`, `third` in SI units and of parameters, which stays zero, as "
     "it is at the start",
     &coordinates},
    LAW_FIELD(LimberCoupler, 0, "sum", slide, TIE_LAW "the sum or the formula; its unit is taken as m"),
};

static const char *const row_names[] = {"sum", "first", "second", "third"}, *const row_units[] = {"N", "N", "N", "N"};
static const LimberCoupler example = {
    .joint = {{0}, {1}, {2}},
    .law = {{.stiffness = 3, .clearance = 0.1, .damping = 0.1}},
    .formula = {.text = "0.4*first - 0.5*sin(second)*cos(0.7*third) + 0.1*third^2 + 0.3*third*exp(first/4)"},
};

const JointKind joint_coupler = {
    .name = "coupler",
    .help =
        "Couples coordinates of two or three joints: a sum of them with constant factors, or a formula, stays zero.",
    .fields = FIELDS(fields, LimberCoupler),
    .ncoord = 4,
    .coord_names = {"sum", "first", "second", "third"},
    .coord_units = {"m", "m", "m", "m"},
    .rate_units = {"m s-1", "m s-1", "m s-1", "m s-1"},
    .laws = offsetof(LimberCoupler, law),
    .ties = ties,
    .formula = offsetof(LimberCoupler, formula),
    .prepare = prepare,
    .row_names = row_names,
    .row_units = row_units,
    .example_nodes = "FFFF",
    .example = &example,
};
