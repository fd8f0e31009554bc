// SPDX-License-Identifier: Apache-2.0
// What may be asked of the state of a run. Many questions cost one message between the ranks.
#ifndef LIMBER_ANALYSES_STEPPING_OBSERVABLE_H
#define LIMBER_ANALYSES_STEPPING_OBSERVABLE_H

#include "analyses/stepping/stepper.h"

typedef enum {
  OBSERVABLE_NODE,      // motion of a node
  OBSERVABLE_STATION,   // motion of a place along an element
  OBSERVABLE_SECTION,   // forces and strains there
  OBSERVABLE_RESULTANT, // force and moment through the section there, in ground axes
  OBSERVABLE_POINT,     // forces and strains at an integration point
  OBSERVABLE_JOINT,
  OBSERVABLE_ENERGY,  // of an element item
  OBSERVABLE_CONTACT, // all pairs of a contact
} ObservableKind;

typedef struct {
  ObservableKind kind;
  LimberId id; // node, joint or item; of a station, section or point: the model's element
  int point;   // the element's own
  double at;   // 0 .. 1 along the element
} Observable;

typedef union {
  double all[20];
  struct {
    double x[4][3], velocity[3], angular[3]; // position and axes; ground components
  } motion;
  struct {
    double strain[MAX_ROWS], force[MAX_ROWS];
  } section;
  struct {
    double force[3], moment[3];
  } resultant;
  struct {
    double multiplier[MAX_ROWS], coord[MAX_COORDS], rate[MAX_COORDS];
    double force[3], moment[3]; // on the last of its nodes, over the last step; ground components
  } joint;
  struct {
    double kinetic, strain, potential;
  } energy;
  struct {
    double normal, friction, touching, gap, energy, touched; // forces over the last step; least gap; when it last began
  } contact;
} StateSample;

// The motion and the section of a place along an item, 0 .. 1 of its length.
Observable observable_station(Model m, ObservableKind kind, LimberId component, double at);
Observable observable_point(Model m, LimberId component, int point);

// Position and axes of a node or station where the model is written; the ground's are those of the origin.
void observable_unloaded(Model m, const Observable *q, StateSample *out);

// Collective; all ranks ask the same.
PetscErrorCode SystemSample(System *s, int count, const Observable *observable, StateSample *sample);

// Force and moment of a local joint on the last of its nodes over the step that led to the state.
void system_joint_reaction(const System *s, const double *unknown, PetscInt joint, Vec3 *out);

#endif
