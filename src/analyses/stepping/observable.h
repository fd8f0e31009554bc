// SPDX-License-Identifier: Apache-2.0
// Samples of the state of a run: motion, forces, energies. Many samples need only one message between ranks.
#ifndef LIMBER_ANALYSES_STEPPING_OBSERVABLE_H
#define LIMBER_ANALYSES_STEPPING_OBSERVABLE_H

#include "analyses/stepping/stepper.h"

typedef enum {
  OBSERVABLE_NODE,      // motion of a node
  OBSERVABLE_STATION,   // motion of a station along an element
  OBSERVABLE_SECTION,   // forces and strains there
  OBSERVABLE_RESULTANT, // force and moment through the section there, in ground axes
  OBSERVABLE_POINT,     // forces and strains at an integration point
  OBSERVABLE_JOINT,
  OBSERVABLE_LOAD,
  OBSERVABLE_ENERGY,      // of an element item
  OBSERVABLE_CONTACT,     // all pairs of a contact
  OBSERVABLE_WHEEL,       // of an element item that is a wheel
  OBSERVABLE_MESH_NODE,   // motion and stress of a node of the mesh that an element carries
  OBSERVABLE_MESH_STRESS, // the largest stress over such a mesh
} ObservableKind;

typedef struct {
  ObservableKind kind;
  int id;              // node, joint or item; of a station, section or point: the model's element
  int point;           // integration point of the element, or point of its mesh
  double at;           // 0 .. 1 along the element
  bool without_forces; // of a joint: they are not wanted
} Observable;

typedef union {
  double all[46];
  struct {
    double x[4][3], velocity[3], angular[3]; // position and axes; ground components
    double force_axes[3][3];                 // its axes when the forces of the last step act
    double stress[CARRIED_STRESSES];         // of a node of a mesh
  } motion;
  struct {
    double strain[MAX_ROWS], force[MAX_ROWS], own[MAX_OWN_OUTPUTS]; // own: further outputs of the kind
  } section;
  struct {
    double force[3], moment[3];
  } resultant;
  struct {
    double multiplier[MAX_ROWS], coord[MAX_COORDS], rate[MAX_COORDS];
    double force[3], moment[3]; // of the first body on the second at the joint, over the last step; ground components
    double reaction[6];         // the same in the axes of the joint
    // over the last step along each coordinate, on the second body: of loads and drives, and of the joint's law
    double drive[MAX_COORDS], spring[MAX_COORDS], damper[MAX_COORDS], friction[MAX_COORDS];
  } joint;
  struct {
    double force[3], moment[3]; // in ground axes; for a load on a joint only force[0], along the coordinate
  } load;
  struct {
    double kinetic, strain, potential;
  } energy;
  struct {
    double normal, friction, touching, gap, energy, touched; // forces over the last step; least gap; when it last began
  } contact;
  struct {
    double speed, momentum, torque, power, work; // relative to its node; absolute; of its motor over the last step
  } wheel;
  struct {
    double von_mises, number, at[3]; // of the node of the mesh; its place in the unloaded body
  } largest;
} StateSample;

// The motion or the section at a fraction 0 .. 1 of the length of an item.
Observable observable_station(Model m, ObservableKind kind, int component, double at);
Observable observable_point(Model m, int component, int point);

// Position and axes of a node or station in the model file; those of the ground are at the origin.
void observable_unloaded(Model m, const Observable *q, StateSample *out);

// Takes samples. Collective; all ranks pass the same list.
PetscErrorCode SystemSample(System *s, int count, const Observable *observable, StateSample *sample);

// Velocities of the vectors of a local node.
void motion_vector_rates(const Motion *motion, PetscInt node, Vec3 *rate);
// The same of all vectors of a local element.
void motion_element_rates(const Motion *motion, PetscInt e, Vec3 *rate);

// Force and moment of a local joint on its second body over the step that led to the state.
void motion_joint_reaction(const Motion *motion, const double *unknown, PetscInt joint, JointReaction *out);

// The axes of a local node when the forces of the last step act: half way through it, or at its end.
// observable_forces.c
Mat3 state_force_axes(const Layout *layout, const State *state, PetscInt node);
// For a joint over a step: its axes, carried by its first node (ground axes if it has none); the arm from its last node
// to its location; and the weights of the points of a body at that location.
Mat3 joint_axes(Model m, const ModelJoint *j, const LocalMotion *it);
Vec3 joint_lever(Model m, const ModelJoint *j, const LocalMotion *it);
void joint_point_weights(Model m, const ModelJoint *j, double *weight);
void motion_sample_load(const Motion *motion, const double *unknown, int load, StateSample *out);

// Samples of the state a short time h after that of a run; the run is unchanged. `good`: such a state was found.
// Collective.
PetscErrorCode StepperSampleAfter(Stepper *p, double h, int count, const Observable *observable, StateSample *sample,
                                  bool *good);

#endif
