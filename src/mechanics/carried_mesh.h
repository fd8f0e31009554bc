// SPDX-License-Identifier: Apache-2.0
// A mesh that moves with the nodes of an element, for output: the full mesh of a reduced body. Its points are no nodes
// of the model. Their places are x = sum_a weight_a y_a of the nodes y_a of the element. Stresses follow from the
// strains e_A of the element, the amplitudes of its modes: they are those of the small displacements
//   u = sum_a weight_a u_a,   u_a = sum_A e_A phi_Aa,
// which contain no rigid motion and no elongation of second order by rotations of the body's parts.
// Equation: eq-reduced-stress (10.19).
#ifndef LIMBER_MECHANICS_CARRIED_MESH_H
#define LIMBER_MECHANICS_CARRIED_MESH_H

#include "mechanics/element.h"

// An element of a mesh that is not part of the model.
typedef struct {
  const ElementKind *kind;
  const void *data;
  int nnode;
  const int *node; // of the mesh, all points; at most CARRIED_NODES
} CarriedCell;

enum { CARRIED_NODES = 30, CARRIED_STRESSES = 6 };

typedef struct Reduction Reduction; // mechanics/reduction.h

struct CarriedMesh {
  int points, cells, nodes; // nodes: of the element that carries it
  const int *number;        // of each point, as in the file of the mesh, ascending
  const Vec3 *at;           // of each point, at the reference
  const CarriedCell *cell;
  const double *weight; // points x nodes
  int strains;
  const double *mode;         // strains x 3 nodes
  const int *start, *ring;    // the cells at point i are ring[start[i]] to ring[start[i + 1] - 1]
  const Reduction *reduction; // of which it is
};

// The place of a point from those of the nodes; with velocities of the nodes its velocity.
Vec3 carried_place(const CarriedMesh *m, const Vec3 *y, int point);
// The displacements u_a of the nodes that the strains of an element at its vectors y stand for.
void carried_displacements(const CarriedMesh *m, const ElementKind *kind, const void *data, const Vec3 *y, Vec3 *u);
// Means of strain and stress over a cell: 11, 22, 33, 23, 13, 12 along ground axes of the unloaded body.
void carried_cell(const CarriedMesh *m, const Vec3 *u, int cell, double *strain, double *stress);
// Stress at a point: the mean over its cells, in each of which stress is extrapolated linearly to the point.
void carried_stress(const CarriedMesh *m, const Vec3 *u, int point, double stress[CARRIED_STRESSES]);
// The same at all points.
void carried_stresses(const CarriedMesh *m, const Vec3 *u, double (*stress)[CARRIED_STRESSES]);
// The point with this number; -1: none.
int carried_point(const CarriedMesh *m, int number);

#endif
