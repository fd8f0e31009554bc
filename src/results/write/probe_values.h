// SPDX-License-Identifier: Apache-2.0
// The numbers of each quantity that a probe may record (quantities/quantities.def), with what some of them need:
// rotation vectors that go beyond one turn, and the largest stresses of beams.
#ifndef LIMBER_RESULTS_WRITE_PROBE_VALUES_H
#define LIMBER_RESULTS_WRITE_PROBE_VALUES_H

#include "analyses/stepping/observable.h"
#include "base/vec3.h"
#include "model/formula.h"
#include "model/stress.h"
#include "quantities/probe.h"

// The rotation vector of a body that keeps turning: of the vectors (phi + 2 pi k) n that describe its rotation, the
// one that continues those before. Near a whole number of turns n says nothing of the axis about which the body turns;
// there the turn about the last axis that was known is followed instead.

typedef struct {
  Vec3 axis;           // about which it turned when that was last known; zero at the start
  double total, twist; // turn about it; the same between -pi and pi
} RotationTracker;

// Follows the rotation to r, by less than half a turn since the last; returns its vector.
Vec3 rotation_tracker_follow(RotationTracker *t, Mat3 r);

// The largest stresses of beams that probes ask for: over a section, or along a beam at the ends and the integration
// points of all its elements.

typedef struct {
  double value; // Pa, or an index
  double at;    // 0 .. 1 of the length of the beam
  double y, z;  // m, in the section
  double cell;  // of its mesh
  double force[6];
} StressPeak;

typedef struct StressSearch StressSearch;

PetscErrorCode StressSearchCreate(Model m, StressSearch **out);
PetscErrorCode StressSearchDestroy(StressSearch **s);

int stress_positions(Model m, const Probe *p); // how many observables a probe adds
// Adds what a probe asks for: `add` takes each observable and returns its number. Returns the number of its first peak;
// peaks of the measures follow each other.
typedef int (*AddObservable)(void *self, Observable q);
PetscErrorCode StressSearchAdd(StressSearch *s, const Probe *p, const bool measure[STRESS_MEASURES], AddObservable add,
                               void *self, int *first);

// Finds all peaks in samples of the observables. Collective; every rank looks at a part of the positions.
PetscErrorCode StressSearchFind(StressSearch *s, MPI_Comm comm, const StateSample *sample);
const StressPeak *stress_peak(const StressSearch *s, int peak);

// A node or a station as an observer sees it. A point has no axes.
typedef struct {
  Vec3 x, v, w;
  Mat3 axes; // columns
} ProbeMotion;

// Velocities at the ends of the last steps, [0] the newest, and how many of them there are; accelerations at the start.
enum { PAST_MOTIONS = 4 };
typedef struct {
  double count, time[PAST_MOTIONS];
  Vec3 v[PAST_MOTIONS], w[PAST_MOTIONS], start, angular_start;
} PastMotion;

typedef struct { // from step to step
  ProbeMotion start;
  PastMotion past;
  RotationTracker tracker;
  Vec3 rotation;
  double quaternion[4];
  double time, work, power; // of a load
} Followed;

// Adds the motion at a time; a time that comes again replaces what was there.
void follow_past(PastMotion *p, double time, const ProbeMotion *m);

// Follows the rotation since the start, which is returned.
Mat3 follow_motion(Followed *f, const ProbeMotion *m);

// All that a probe has to go by at one time.
typedef struct {
  const Followed *followed;
  ProbeMotion motion;          // of a node or a station
  Mat3 rotation;               // its rotation since the start
  ProbeMotion observer;        // who carries the unloaded beam
  ProbeMotion carried;         // motion as seen from there, and ...
  const ProbeMotion *unloaded; // ... what it would be without load
  const StateSample *resultant;
  const StressGauge *gauge;
  const StressPeak *peak;    // of each measure of stress
  const StateSample *sample; // of a section, joint or element
  const ProbeMotion *node;   // in whose axes vectors are recorded; NULL: the ground's ...
  Mat3 force_axes;           // ... as they are when the forces of the last step act
  const StateSample *joint;  // of a probe of a joint, or of a load on one ...
  int coord;                 // ... and the first of the coordinates that are wanted
  Formula *formula;
  int width; // how many numbers are wanted
} ProbeState;

typedef void (*ProbePut)(const ProbeState *s, double *out);
extern const ProbePut probe_puts[QUANTITIES];

#endif
