// SPDX-License-Identifier: Apache-2.0
// Stresses of beams whose sections were solved on a mesh (mechanics/cross_section.h): the largest over a section.
#ifndef LIMBER_MODEL_STRESS_H
#define LIMBER_MODEL_STRESS_H

#include "model/model.h"

typedef enum { STRESS_VON_MISES, STRESS_TSAI_WU, STRESS_MEASURES } StressMeasure;

// NULL, or why there are no such stresses of a component, and what to do.
const char *stress_lacks(Model m, int component, StressMeasure measure, char *text, size_t size);

// A station beside a place between stations, where the stiffness of the beam changes in a straight line. The section
// there has the strains of the place, so that its forces are K_station K_place^-1 times those of the place; stresses of
// the place lie in a straight line between those of the two.
typedef struct {
  const SectionSolution *solution;
  double part; // of this station in the place
  bool same;   // forces are those of the place
  double force[6][6];
} StressStation;

// The stations on either side of a place 0 .. 1 on the elements of a component, whose section is solved; returns which
// of them is the nearer.
int stress_stations(Model m, int component, double along, StressStation out[2]);
// Where a place 0 .. 1 of its length lies on its elements.
double stress_along(Model m, int component, double at);
void stress_station_force(const StressStation *s, const double force[6], double out[6]);

// The measure at every point of a solved section is a polynomial of second degree of its six forces: these coefficients
// find the point where it is largest.
typedef struct {
  const SectionSolution *solution;
  StressMeasure measure;
  double (*form)[27]; // of each point: linear, then quadratic with i <= j
} StressForms;

// Whether a value is above the largest so far (NAN: there is none) by more than round-off: of equals the first stays.
bool stress_exceeds(double value, double largest);

enum { STRESS_WITHOUT = -1 }; // no point has the measure
// `form` has room for all points of the solution. Of von Mises stress the square.
void stress_forms(StressForms *f);
// The point where the measure is largest under six forces; of equals the first.
int stress_largest(const StressForms *f, const double force[6]);

// Stresses at one point of a section.
typedef struct {
  double unit[6][6]; // stress k of the unit force f, in section axes
  double axes[3][3]; // rows: along the fibres of the ply there, across them, across its plane
} StressGauge;

bool stress_gauge(const StressStation *s, const double at[2], StressGauge *out); // false: outside of the section
// 11, 22, 33, 23, 13, 12 in section axes, or in those of the ply.
void stress_gauge_read(const StressGauge *g, const double force[6], bool ply, double out[6]);

// Where it was found: "beam 'blade', 0.25 of its length, y = 0.1 m, z = 0 m, in 'glass'".
void stress_place(Model m, int component, double at, double y, double z, int cell, char *text, size_t size);

#endif
