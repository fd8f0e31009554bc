// SPDX-License-Identifier: Apache-2.0
// Stresses of beams whose sections were solved on a mesh (mechanics/cross_section.h), at points and the largest ones.
#ifndef LIMBER_MODEL_STRESS_H
#define LIMBER_MODEL_STRESS_H

#include "model/model.h"

typedef enum { STRESS_VON_MISES, STRESS_TSAI_WU, STRESS_MEASURES } StressMeasure;

// Why such stresses of a component are not known, and what to do about it; NULL: they are.
const char *stress_lacks(Model m, int component, StressMeasure measure, char *text, size_t size);
// The same of a component that carries a mesh, of which matrices need not have cells.
const char *mesh_stress_lacks(Model m, int component, char *text, size_t size);

// One of the two stations on either side of a place, between which the stiffness of the beam is interpolated linearly.
// The station has the strains of the place, so its forces are K_station K_place^-1 times those of the place. Stresses
// of the place are interpolated linearly between the two stations.
typedef struct {
  const SectionSolution *solution;
  double part; // weight of this station
  bool same;   // forces are those of the place
  double force[6][6];
} StressStation;

// The stations on either side of a place, `along` 0 .. 1 of a component's elements; returns which of them is nearer.
// The section must be solved.
int stress_stations(Model m, int component, double along, StressStation out[2]);
// Converts a place 0 .. 1 of a component's length to `along`.
double stress_along(Model m, int component, double at);
void stress_station_force(const StressStation *s, const double force[6], double out[6]);

// The stress measure at each point of a solved section, as a quadratic polynomial of the six section forces. It is used
// to find the point with the largest value.
typedef struct {
  const SectionSolution *solution;
  StressMeasure measure;
  double (*form)[27]; // coefficients of each point: linear, then quadratic with i <= j
} StressForms;

// Whether a value exceeds the largest so far (NAN: there is none) by more than round-off; the first of equals stays.
bool stress_exceeds(double value, double largest);

enum { STRESS_WITHOUT = -1 }; // the measure is not known at any point
// Computes `form`, which has room for all points of the solution. For von Mises stress it gives the square.
void stress_forms(StressForms *f);
// The point where the measure is largest under six forces; the first of equals.
int stress_largest(const StressForms *f, const double force[6]);

// Stresses at one point of a section.
typedef struct {
  double unit[6][6]; // stress k of the unit force f, in section axes
  double axes[3][3]; // rows: along the fibres of the ply, across them, normal to its plane
} StressGauge;

bool stress_gauge(const StressStation *s, const double at[2], StressGauge *out); // false: outside the section
// 11, 22, 33, 23, 13, 12 in section axes, or in those of the ply.
void stress_gauge_read(const StressGauge *g, const double force[6], bool ply, double out[6]);

// Where it was found: "beam 'blade', 0.25 of its length, y = 0.1 m, z = 0 m, in 'glass'".
void stress_place(Model m, int component, double at, double y, double z, int cell, char *text, size_t size);

#endif
