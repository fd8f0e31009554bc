// SPDX-License-Identifier: Apache-2.0
// A thin sheet of triangles and quadrilaterals between points: it stretches and shears in its plane and does not resist
// bending. In plane stress it is free to grow thinner; in plane strain it is a slice of a long body, which must stay in its
// plane. Strains E_11, E_22, 2 E_12 and stresses (Piola & Kirchhoff's second) are along axes in the unloaded sheet: e1 is the
// ground's x axis, or y where that is nearly normal to the sheet, projected on it.
// Equations: eq-solid-plane-stress (10.9).
#include "elements/continuum.h"

#include <string.h>

static const char *const planes[] = {"stress", "strain", NULL};
static const char *plane_word(int i) { return planes[i]; } // of LimberPlaneState
static const FieldMore plane_words = {NULL, plane_word};

static Reason build(const void *params, ElementBuilder *b) {
  const LimberMembrane *p = params;
  double lambda, mu;
  bool strain = p->plane == LIMBER_PLANE_STRAIN;
  Reason error = continuum_constants(&p->material, &lambda, &mu);
  if (error.text) return error;
  if (!(p->thickness > 0)) return reason(REASON_VALUE, "thickness", "its `thickness` must be positive");
  double *c = b->keep(b, 9 * sizeof *c);
  if (!c) return no_reason();
  c[1] = c[3] = strain ? lambda : 2 * lambda * mu / (lambda + 2 * mu); // the latter: no stress across it
  c[0] = c[4] = c[1] + 2 * mu, c[8] = mu;
  const ContinuumPlan plan = {&p->material, lambda,  mu, p->thickness,
                              p->damping,   !strain, c,  LIMBER_HEXAHEDRA_AS_MESHED};
  return continuum_build(&p->cells, 2, &plan, b);
}

static void point(const void *data, int g, ElementPoint *p) {
  static const RowTerm term[] = {
      {0, 0, 0, 0.5, FACTOR_ONE, 0}, {1, 1, 1, 0.5, FACTOR_ONE, 0}, {2, 0, 1, 1, FACTOR_ONE, 0}};
  const Continuum *c = data;
  Vec3 dn[CELL_NODES], normal, e[2];
  p->weight = continuum_at(c, g, dn, &normal);
  continuum_sheet_axes(normal, e);
  for (int i = 0; i < 2; i++) continuum_column(c, dn, e[i], &p->rows);
  p->rows.nrow = 3, p->rows.nterm = 3, p->rows.term = term;
  p->rows.ref[0] = p->rows.ref[1] = 0.5, p->rows.ref[2] = 0;
  continuum_material(c, p);
  p->at = 0.5;
}

static const Field fields[] = {
    {"mesh", FIELD_CELLS, 2, offsetof(LimberMembrane, cells), "", true, 0,
     "cells of two dimensions: a mesh, or a group of it, MESH.GROUP", NULL},
    {"material", FIELD_MATERIAL, 1, offsetof(LimberMembrane, material), "", true, 0, "one of the file's materials",
     NULL},
    {"thickness", FIELD_REAL, 1, offsetof(LimberMembrane, thickness), "m", true, 0, "thickness of the unloaded sheet",
     NULL},
    {"plane", FIELD_WORD, 1, offsetof(LimberMembrane, plane), "", false, 0,
     "stress: plane stress, thickness changes; strain: plane strain, constant thickness; default: stress",
     &plane_words},
    ELEMENT_DAMPING_FIELD(LimberMembrane, 2, ""),
};

static const char *const row_names[] = {"S11", "S22", "S12"}, *const row_units[] = {"Pa", "Pa", "Pa"};
static const char *const strain_units[] = {"1", "1", "1"};
static const LimberCellShape example_shape[] = {LIMBER_TRIANGLE};
static const LimberNodeId example_nodes[] = {{1}, {2}, {3}};
static const LimberMembrane example = {
    {example_shape, example_nodes, 1, NULL}, {70, 0.3, 0, 3, LIMBER_LAW_LINEAR}, 0.2, LIMBER_PLANE_STRESS, 0.05, 0};

const ElementKind element_membrane = {
    .name = "membrane",
    .help = "A thin sheet without bending stiffness, or a slice of a long body, of triangles and quadrilaterals from a "
            "mesh.",
    .fields = FIELDS(fields, LimberMembrane),
    .data_size = sizeof(Continuum),
    .build = build,
    .points = continuum_points,
    .point = point,
    .inertia = continuum_inertia,
    .drawing = {.cell = continuum_cell, .visual = continuum_visual},
    .output = {.row_names = row_names, .row_units = row_units, .strain_units = strain_units},
    .example = {.nodes = "PPP", .item = &example},
};
