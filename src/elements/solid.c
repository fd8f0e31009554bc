// SPDX-License-Identifier: Apache-2.0
// A body of tetrahedra and hexahedra between points. Strains E_11, E_22, E_33, 2 E_23, 2 E_13, 2 E_12 and stresses (Piola &
// Kirchhoff's second) are along ground axes of the unloaded body.
#include "elements/enhanced.h"

static Reason build(const void *params, ElementBuilder *b) {
  const LimberSolid *p = params;
  double lambda, mu;
  Reason error = continuum_constants(&p->material, &lambda, &mu);
  if (error.text) return error;
  double *c = b->keep(b, 36 * sizeof *c);
  if (!c) return no_reason();
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) c[6 * i + j] = lambda + (i == j) * 2 * mu;
    c[6 * (i + 3) + i + 3] = mu;
  }
  const ContinuumPlan plan = {&p->material, lambda, mu, 1, p->damping, false, c, p->hexahedra};
  return continuum_build(&p->cells, 3, &plan, b);
}

static void point(const void *data, int g, ElementPoint *p) {
  static const RowTerm term[] = {{0, 0, 0, 0.5, FACTOR_ONE, 0}, {1, 1, 1, 0.5, FACTOR_ONE, 0},
                                 {2, 2, 2, 0.5, FACTOR_ONE, 0}, {3, 1, 2, 1, FACTOR_ONE, 0},
                                 {4, 0, 2, 1, FACTOR_ONE, 0},   {5, 0, 1, 1, FACTOR_ONE, 0}};
  const Continuum *c = data;
  Vec3 dn[CELL_NODES], normal;
  p->at = 0.5;
  if (c->enhanced) {
    enhanced_rows(c, g, p);
    continuum_material(c, p);
    return;
  }
  p->weight = continuum_at(c, g, dn, &normal);
  for (int i = 0; i < 3; i++) continuum_column(c, dn, vec3(i == 0, i == 1, i == 2), &p->rows);
  p->rows.nrow = 6, p->rows.nterm = 6, p->rows.term = term;
  for (int i = 0; i < 6; i++) p->rows.ref[i] = i < 3 ? 0.5 : 0;
  continuum_material(c, p);
}

static bool shears_in_bending(const void *data) {
  const Continuum *c = data;
  return c->shape == LIMBER_HEXAHEDRON && !c->enhanced;
}

static const Field fields[] = {
    {"mesh", FIELD_CELLS, 3, offsetof(LimberSolid, cells), "", true, 0,
     "cells of three dimensions: a mesh, or a group of it, MESH.GROUP", NULL},
    {"material", FIELD_MATERIAL, 1, offsetof(LimberSolid, material), "", true, 0, "one of the file's materials", NULL},
    HEXAHEDRA_FIELD(LimberSolid),
    ELEMENT_DAMPING_FIELD(LimberSolid, 2, ""),
};

static const char *const row_names[] = {"S11", "S22", "S33", "S23", "S13", "S12"};
static const char *const row_units[] = {"Pa", "Pa", "Pa", "Pa", "Pa", "Pa"};
static const char *const strain_units[] = {"1", "1", "1", "1", "1", "1"};
static const LimberCellShape example_shape[] = {LIMBER_TETRAHEDRON};
static const LimberNodeId example_nodes[] = {{1}, {2}, {3}, {4}};
static const LimberSolid example = {
    {example_shape, example_nodes, 1, NULL}, {70, 0.3, 0, 3, LIMBER_LAW_LINEAR}, LIMBER_HEXAHEDRA_AS_MESHED, 0.05, 0};

const ElementKind element_solid = {
    .name = "solid",
    .help = "A body of tetrahedra and hexahedra, from a mesh.",
    .fields = FIELDS(fields, LimberSolid),
    .data_size = sizeof(Continuum),
    .build = build,
    .shears_in_bending = shears_in_bending,
    .points = continuum_points,
    .point = point,
    .inertia = continuum_inertia,
    .drawing = {.cell = continuum_cell, .visual = continuum_visual},
    .output = {.row_names = row_names, .row_units = row_units, .strain_units = strain_units},
    .example = {.nodes = "PPPP", .item = &example},
};
