// SPDX-License-Identifier: Apache-2.0
// The numbers of each quantity that a probe may record (input/quantities.def).
#ifndef LIMBER_RESULTS_WRITE_PROBE_VALUES_H
#define LIMBER_RESULTS_WRITE_PROBE_VALUES_H

#include "analyses/stepping/observable.h"
#include "input/yaml/probe.h"
#include "model/formula.h"
#include "results/write/probe_stress.h"
#include "results/write/rotation_tracker.h"

// A node or a station as an observer sees it. A point has no axes.
typedef struct {
  Vec3 x, v, w;
  Mat3 axes; // columns
} ProbeMotion;

typedef struct { // from step to step
  ProbeMotion start;
  RotationTracker tracker;
  Vec3 rotation;
  double quaternion[4];
} FollowedMotion;

// Follows the rotation since the start, which is returned.
Mat3 follow_motion(FollowedMotion *f, const ProbeMotion *m);

// All that a probe has to go by at one time.
typedef struct {
  const FollowedMotion *followed;
  ProbeMotion motion;          // of a node or a station
  Mat3 rotation;               // its rotation since the start
  ProbeMotion observer;        // who carries the unloaded beam
  ProbeMotion carried;         // motion as seen from there, and ...
  const ProbeMotion *unloaded; // ... what it would be without load
  const StateSample *resultant;
  const StressGauge *gauge;
  const StressPeak *peak;    // of each measure of stress
  const StateSample *sample; // of a section, joint or element
  const ProbeMotion *node;   // in whose axes vectors are recorded; NULL: the ground's
  Formula *formula;
  int width; // how many numbers are wanted
} ProbeState;

typedef void (*ProbePut)(const ProbeState *s, double *out);
extern const ProbePut probe_puts[QUANTITIES];

#endif
