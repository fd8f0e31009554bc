// SPDX-License-Identifier: Apache-2.0
// A lumped mass at a point or at the origin of a frame.
#include "mechanics/element.h"

static Reason build(const void *params, ElementBuilder *b) {
  const LimberMass *p = params;
  if (!(p->mass > 0)) return reason(REASON_VALUE, "mass", "a lumped mass must be positive");
  double *data = b->add_element(b, 1, &p->node);
  if (data) *data = p->mass;
  return no_reason();
}

static void inertia(const void *data, int node, Inertia *out) {
  (void)node;
  *out = (Inertia){*(const double *)data, {0, 0, 0}, {{{0}}}};
}

static void visual(const void *data, double at, ElementVisual *out) {
  (void)data, (void)at;
  out->shape = VISUAL_POINT;
}

static const Field fields[] = {
    {"node", FIELD_NODE, 1, offsetof(LimberMass, node), "", true, LIMBER_NONE, "point or frame", NULL},
    {"mass", FIELD_REAL, 1, offsetof(LimberMass, mass), "kg", true, 0, "the mass", NULL},
};

static const LimberMass example = {{1}, 0.5};

const ElementKind element_mass = {
    .name = "mass",
    .help = "A point mass.",
    .fields = FIELDS(fields, LimberMass),
    .data_size = sizeof(double),
    .build = build,
    .points = element_no_points,
    .inertia = inertia,
    .drawing = {.visual = visual},
    .example = {.nodes = "P", .item = &example, .mass = 0.5},
};
