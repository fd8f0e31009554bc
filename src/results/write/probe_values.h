// SPDX-License-Identifier: Apache-2.0
// The numbers of each quantity that a probe may record (quantities/quantities.def).
#ifndef LIMBER_RESULTS_WRITE_PROBE_VALUES_H
#define LIMBER_RESULTS_WRITE_PROBE_VALUES_H

#include "analyses/stepping/observable.h"
#include "quantities/probe.h"
#include "model/formula.h"
#include "results/write/probe_stress.h"
#include "results/write/rotation_tracker.h"

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
