// SPDX-License-Identifier: Apache-2.0
// What solids and membranes share. The columns of the deformation gradient are y_i = sum_a dN_a/dX_i x_a, and the rows
// of a point are Green's strains, (y_i . y_j - [i = j])/2, shear strains twice that: quadratic, as every table is. Stress is
// linear in them (Saint Venant & Kirchhoff), or that of a potential (hyper.h). Masses stand at the nodes.
#ifndef LIMBER_ELEMENTS_CONTINUUM_H
#define LIMBER_ELEMENTS_CONTINUUM_H

#include "mechanics/cell.h"
#include "mechanics/element.h"
#include "mechanics/hyper.h"

typedef struct {
  Vec3 at; // at the reference
  double mass;
  int first; // its first vector
} ContinuumNode;

typedef struct Enhanced Enhanced; // enhanced.h

typedef struct {
  CellShape shape;
  const ContinuumNode *node;
  const double *stiffness;
  const Hyper *hyper;        // NULL: linear
  const Enhanced *enhanced;  // NULL: the strains are those of the displacements
  double damping, thickness; // 1: a solid
} Continuum;

// lambda and mu of an isotropic material; or what is wrong
Reason continuum_constants(const LimberMaterial *m, double *lambda, double *mu);

extern const FieldMore hexahedra_words;
#define HEXAHEDRA_FIELD(type) \
  { \
    "hexahedra", FIELD_WORD, 1, offsetof(type, hexahedra), "", false, 0, \
        "how hexahedra of 8 nodes deform; full: strains of the displacements, too stiff in bending; enhanced: they " \
        "bend " \
        "without shear, with a linear material; as_meshed: enhanced of type C3D8I in a mesh of Abaqus, else full; " \
        "default: as_meshed", \
        &hexahedra_words \
  }

// What all cells of a component share. `stiffness` is kept by the caller; `hexahedra` are as the cells have it, if it
// does not say.
typedef struct {
  const LimberMaterial *material;
  double lambda, mu, thickness, damping;
  bool plane_stress;
  const double *stiffness;
  LimberHexahedra hexahedra;
} ContinuumPlan;

// Builds one element a cell, all of `dimension`.
Reason continuum_build(const LimberCells *cells, int dimension, const ContinuumPlan *plan, ElementBuilder *b);

// Stiffness and law of a point.
void continuum_material(const Continuum *c, ElementPoint *p);

int continuum_points(const void *data);
CellShape continuum_cell(const void *data);
void continuum_visual(const void *data, double at, ElementVisual *out);
void continuum_inertia(const void *data, int node, Inertia *out);

// dN_a/dX at the point; returns its volume.
double continuum_at(const Continuum *c, int g, Vec3 *dn, Vec3 *normal);
// y = sum_a (dN_a/dX . axis) x_a
void continuum_column(const Continuum *c, const Vec3 *dn, Vec3 axis, Rows *rows);
// Axes in a sheet: the ground's x axis, or y where that is nearly normal to it, projected on it, and the one normal to
// it.
void continuum_sheet_axes(Vec3 normal, Vec3 e[2]);

#endif
