// SPDX-License-Identifier: Apache-2.0
// Computes the numbers of each quantity that a probe can record (quantities/quantities.def), including rotation vectors
// beyond one turn and the largest stresses of beams.
#ifndef LIMBER_RESULTS_WRITE_PROBE_VALUES_H
#define LIMBER_RESULTS_WRITE_PROBE_VALUES_H

#include "analyses/stepping/observable.h"
#include "base/vec3.h"
#include "model/formula.h"
#include "model/stress.h"
#include "quantities/probe.h"

// The rotation vector of a body that keeps turning: of all vectors (phi + 2 pi k) n of its rotation, the one that
// continues the previous ones. Near a whole number of turns n does not give the axis of rotation; there, the angle
// about the last known axis is followed instead.

typedef struct {
  Vec3 axis;           // last known axis of rotation; zero at the start
  double total, twist; // angle about it; the same between -pi and pi
} RotationTracker;

// Follows the rotation to r, less than half a turn from the last one; returns its vector.
Vec3 rotation_tracker_follow(RotationTracker *t, Mat3 r);

// The largest stresses of beams: over a section, or along a beam at the ends and integration points of all elements.

typedef struct {
  double value; // Pa, or an index
  double at;    // 0 .. 1 of the length of the beam
  double y, z;  // m, in the section
  double cell;  // of the mesh of the section
  double force[6];
} StressPeak;

typedef struct StressSearch StressSearch;

PetscErrorCode StressSearchCreate(Model m, StressSearch **out);
PetscErrorCode StressSearchDestroy(StressSearch **s);

int stress_positions(Model m, const Probe *p); // number of observables that a probe adds
// Adds the stresses that a probe records: `add` adds an observable and returns its index. `first`: index of its first
// peak; those of the other measures follow.
typedef int (*AddObservable)(void *self, Observable q);
PetscErrorCode StressSearchAdd(StressSearch *s, const Probe *p, const bool measure[STRESS_MEASURES], AddObservable add,
                               void *self, int *first);

// Finds all peaks from samples of the observables. Collective; the positions are divided among ranks.
PetscErrorCode StressSearchFind(StressSearch *s, MPI_Comm comm, const StateSample *sample);
const StressPeak *stress_peak(const StressSearch *s, int peak);

// The motion of a node or station relative to an observer. A point has no axes.
typedef struct {
  Vec3 x, v, w;
  Mat3 axes; // columns
} ProbeMotion;

// Velocities at the ends of the last steps, newest first, their number, and the accelerations at the start.
enum { PAST_MOTIONS = 4 };
typedef struct {
  double count, time[PAST_MOTIONS];
  Vec3 v[PAST_MOTIONS], w[PAST_MOTIONS], start, angular_start;
} PastMotion;

typedef struct { // updated at every step
  ProbeMotion start;
  PastMotion past;
  RotationTracker tracker;
  Vec3 rotation;
  double quaternion[4];
  double time, work, power; // of a load
} Followed;

// Adds the motion at a time; if the time is not later than the last, replaces it.
void follow_past(PastMotion *p, double time, const ProbeMotion *m);

// Updates the rotation since the start, and returns it.
Mat3 follow_motion(Followed *f, const ProbeMotion *m);

// All inputs of a probe at one time.
typedef struct {
  const Followed *followed;
  ProbeMotion motion;          // of a node or station
  Mat3 rotation;               // its rotation since the start
  ProbeMotion observer;        // reference that carries the unloaded beam
  ProbeMotion carried;         // motion relative to it ...
  const ProbeMotion *unloaded; // ... and the same without load
  const StateSample *resultant;
  const StressGauge *gauge;
  const StressPeak *peak;    // of each measure of stress
  const StateSample *sample; // of a section, joint or element
  const StateSample *mesh;   // of a node of a mesh
  const ProbeMotion *node;   // in whose axes vectors are recorded; NULL: ground axes ...
  Mat3 force_axes;           // ... its axes when the forces of the last step act
  const StateSample *joint;  // of a probe of a joint, or of a load on one ...
  int coord;                 // ... and the first coordinate recorded
  Formula *formula;
  int width; // number of values to write
} ProbeState;

typedef void (*ProbePut)(const ProbeState *s, double *out);
extern const ProbePut probe_puts[QUANTITIES];

#endif
