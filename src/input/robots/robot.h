// SPDX-License-Identifier: Apache-2.0
// Robots of URDF files (https://wiki.ros.org/urdf/XML): a tree of links and joints. `limber import` writes them as
// models.
#ifndef LIMBER_INPUT_ROBOTS_ROBOT_H
#define LIMBER_INPUT_ROBOTS_ROBOT_H

#include "base/vec3.h"
#include "input/diagnostic.h"
#include "model/store.h"

#include <stdio.h>

typedef struct { // xyz and rpy of an <origin>: x = at + turn X
  Vec3 at;
  Mat3 turn;
} RobotPose;

typedef enum { ROBOT_NO_SHAPE, ROBOT_BOX, ROBOT_CYLINDER, ROBOT_SPHERE, ROBOT_MESH } RobotShape;

typedef struct { // a <visual> or <collision>
  RobotPose origin;
  RobotShape shape;
  double size[3];   // sides; radius and length; radius; scale
  const char *file; // of a mesh
  const char *material;
  double colour[3];
  bool coloured;
} RobotGeometry;

typedef struct {
  const char *name;
  SourceLocation at;
  RobotPose inertial;
  double mass, inertia[6]; // xx yy zz xy xz yz about the centre of mass, in the axes of `inertial`
  RobotGeometry *visual, *collision;
  int visuals, visual_room, collisions, collision_room;
  int joint;      // whose child it is; -1: of none
  RobotPose pose; // when all joints are at zero
} RobotLink;

typedef enum {
  ROBOT_FIXED,
  ROBOT_REVOLUTE,
  ROBOT_CONTINUOUS,
  ROBOT_PRISMATIC,
  ROBOT_PLANAR,
  ROBOT_FLOATING,
} RobotJointType;

typedef struct {
  const char *name, *parent, *child;
  SourceLocation at;
  RobotJointType type;
  RobotPose origin;
  Vec3 axis;
  bool limited;
  double lower, upper, effort, velocity, damping, friction;
  const char *mimic;
  double multiplier, offset;
  int leader;  // joint that it mimics; -1: none
  int link[2]; // parent and child
} RobotJoint;

typedef struct {
  const char *name, *colour_text;
  double colour[3];
} RobotMaterial;

typedef struct {
  const char *name;
  RobotLink *link;
  RobotJoint *joint;
  RobotMaterial *material;
  int links, link_room, joints, joint_room, materials, material_room;
  int root; // link
} Robot;

// Reads a file; all mistakes are noted, `good` says whether there were none.
Error RobotRead(const char *path, Store *store, Diagnostics *diagnostics, Robot *out, bool *good);
// The same of the text of a file.
Error RobotReadText(const char *path, const char *text, size_t length, Store *store, Diagnostics *diagnostics,
                    Robot *out, bool *good);
// The file of a shape, as a model names it; NULL: it is no file that a model can show.
const char *robot_shape_file(const RobotGeometry *v);
Error RobotWriteModel(const Robot *r, const char *path, FILE *out);

#endif
