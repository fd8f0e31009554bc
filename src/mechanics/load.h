// SPDX-License-Identifier: Apache-2.0
// The contract of a load: an amplitude of time times a constant pattern, which is a force and a moment on a node, the
// same per length along an element, or an acceleration of masses; or what drives a coordinate of a joint: a force, a
// controller, or a motion that is prescribed.
// Force and moment keep their direction, or turn with the axes of the node or section: F(t) = amplitude(t) sum_j F_j
// d_j. Over a stage they pass through the tableau as a stress does,
//   F_k = b_k F_n + sum_l a_kl (F_l - F_n),
// where the amplitude of F_l is that at the end of the step for l = 0 and that at its start for a jump.
#ifndef LIMBER_MECHANICS_LOAD_H
#define LIMBER_MECHANICS_LOAD_H

#include "base/field.h"
#include "limber/catalogue.h"
#include "mechanics/element.h"

typedef enum { LOAD_NODE, LOAD_ELEMENT, LOAD_JOINT, LOAD_FIELD, LOAD_WHEEL } LoadTarget;

typedef enum {
  DRIVE_FORCE,   // torque times amplitude
  DRIVE_CONTROL, // gain (amplitude - z) + derivative_gain (rate of the amplitude - rate of z)
  DRIVE_MOTION,  // z is the amplitude, less what that is at the start
  DRIVE_RATE,    // the rate of z is the amplitude
} CoordDrive;

typedef struct {
  LoadTarget target;
  int id;                 // of the node, element item or joint; which of the wheels of the model
  Vec3 force, moment;     // on the node, or per length ...
  bool follower;          // ... in the axes of the node or section, not the ground's
  CoordDrive drive;       // of a coordinate of the joint ...
  const char *coordinate; // ... by name
  int coord;
  double torque;                     // a force: times the amplitude
  double gain, derivative_gain;      // a controller towards the amplitude and its rate
  Vec3 acceleration;                 // of the field ...
  const LimberElementId *components; // ... on the mass of these element items
  int ncomponents;                   // 0: on all
  int amplitude;
  bool switched;      // events begin or end it
  const double *held; // force and moment on the node, set between steps, in place of `force` and `moment`; or NULL
  // Of a port, on a coordinate or along `force` on a node: 1 + which of the model's waves, or -1 - which of its bonds;
  // 0: no port.
  int wave;
} Load;

typedef struct {
  const char *name, *help;
  FieldTable fields;
  LoadTarget target;
  Reason (*prepare)(const void *params, Load *out);
  const char *example_nodes;
  const void *example;
} LoadKind;

extern const LoadKind *const load_kinds[]; // ends with NULL
extern const LoadKind load_wheel_motor;    // of a wheel, which adds it (model/element.c): none that a user writes
extern const LoadKind load_held;           // of a point of a blade in the air, from `aerodynamics` (model/load.c)
extern const LoadKind load_wave;           // of a port, which adds one for each of its coordinates (model/load.c)
extern const LoadKind load_bond;           // of a port to an FMU
extern const LoadKind *const port_kinds[]; // both; ends with NULL

// Words for the axes of a direction along an element; what a word (or NULL: ground) says. NULL, or what is wrong.
extern const FieldMore load_axes;

// Does a field act on the mass of an element item?
static inline bool load_acts_on(const Load *l, int component) {
  bool acts = l->ncomponents == 0;
  for (int i = 0; i < l->ncomponents; i++) acts = acts || l->components[i].index == component;
  return acts;
}

// The amplitude over a step.
typedef struct {
  double now, next;        // at its start and end
  double impedance_over_h; // of a port: Z/h ...
  double wave;             // ... and sqrt(2 Z) u: its force is -(Z/h D + wave), D the displacement of the step. A
                           // bond has Z = 0
} Amplitude;

// The force of a port on its coordinate, constant over the step, whose displacement is `moved`.
static inline double wave_force(Amplitude a, double moved) { return -(a.impedance_over_h * moved + a.wave); }

static inline double amplitude_of(const Tableau *t, Amplitude a, int k) {
  return t->b[k] * a.now + t->a[k][0] * (a.next - a.now);
}

// Force and moment on a node over each stage. In the motion only `x` is read.
typedef struct {
  Vec3 force[MAX_STAGES], moment[MAX_STAGES];
} NodeLoad;

void load_on_node(const Load *l, const Tableau *t, Amplitude a, const Vec3 *xn, const NodeMotion *m, NodeLoad *out);
// Subtracts them from the residual, with their tangent. The item begins with the node's blocks.
void load_add_node(const Load *l, const Tableau *t, Amplitude a, NodeKind kind, const Vec3 *xn, const NodeMotion *m,
                   Local *out);

// The same along an element, at its integration points: the load of each of its nodes. `out` NULL: no residual is
// wanted.
void load_on_element(const Load *l, const ElementKind *kind, const void *data, const Tableau *t, Amplitude a,
                     const LocalMotion *it, NodeLoad *node, Local *out);

// The force that a field puts on the vectors of a node with that mass and first moments: the first column of its
// ambient mass matrix.
void load_on_mass(Vec3 acceleration, int nvec, const double first[4], Vec3 *f);

static inline bool load_prescribes(const Load *l) {
  return l->target == LOAD_JOINT && (l->drive == DRIVE_MOTION || l->drive == DRIVE_RATE);
}

// What a load that prescribes nothing puts on its coordinate over a step of length h with that amplitude, in which z
// goes from zn to zk. It passes through the tableau as a stress does.
typedef struct {
  double force[MAX_STAGES], tangent[MAX_STAGES][MAX_STAGES]; // d force_k / d z_l
} CoordLoad;
void load_on_coord(const Load *l, const Tableau *t, double h, Amplitude a, double zn, const double *zk, CoordLoad *out);

// Work of a force and a moment over a stage of increments u, c of a node.
double load_work(Vec3 force, Vec3 moment, NodeKind kind, ForceRule force_rule, Vec3 u, Vec3 c);

#endif
