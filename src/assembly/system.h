// SPDX-License-Identifier: Apache-2.0
// The model on PETSc: who owns what, the unknowns of a step, their residual and tangent, Newton.
//
// Unknowns stand in blocks of 3 for each stage (block size 3 s): a point has one block (u), a frame two (u, c), a
// joint ceil(m/3) with its multipliers and angle. Each rank evaluates every element and joint that touches a node of
// its own and keeps only its own rows, so assembly sends nothing and its sums have one order.
#ifndef LIMBER_ASSEMBLY_SYSTEM_H
#define LIMBER_ASSEMBLY_SYSTEM_H

#include "assembly/layout.h"
#include "assembly/log_events.h"
#include "assembly/reduce.h"
#include "assembly/state.h"
#include "assembly/switches.h"
#include "mechanics/augmented.h"
#include "mechanics/joint_batch.h"
#include "mechanics/projection.h"
#include "mechanics/corotation.h"
#include "model/model.h"
#include "schemes/scheme.h"

#include <petscksp.h>

typedef struct Loop Loop; // redundancy.h

typedef struct { // elements side by side (mechanics/batch.h)
  const ElementBatch *lanes;
  PetscInt element[BATCH_WIDTH]; // local; a lane that is not filled has the first
  void *packed;
  int *node, *block, *slot; // as BatchStep has them
} Batch;

typedef struct {                                                                       // frames side by side
  int node[BATCH_WIDTH], from[BATCH_WIDTH], block[BATCH_WIDTH], slot[4 * BATCH_WIDTH]; // as FrameBatchStep has them
  bool inertia;
} FrameBatch;

typedef struct JointBatch JointBatch; // joints side by side (joint_batches.c)

typedef struct { // of which step a solver's factors are
  double time, h;
  const StepRule *rule;
  PetscInt64 tangent, checked; // counts of the tangent that they are of, and of the last one that they solved well
  bool made;
} FactorRecord;

// Strains that multipliers hold at zero by an augmented Lagrangian (mechanics/augmented.h).
typedef struct {
  PetscInt *at; // of each local element: its place in `multiplier`, -1: it is not held; NULL: none of the model is
  AugmentedMultipliers *multiplier;
  double strain;         // the largest left in the last step
  double penalty_factor; // f of augmented.h in the step under way
} AugmentedLagrangian;

// Rows of joints that follow from others (solvers/redundancy.h).
typedef struct {
  PetscInt nloop;
  Loop *loop;
  bool (*row_off)[MAX_ROWS]; // of local joints
  bool least_norm;           // the multipliers of loops are those of least norm
} Redundancy;

// Elements and frames that are evaluated side by side.
typedef struct {
  PetscInt nbatch;
  Batch *batch;
  bool *batched; // of local elements
  PetscInt nframe;
  FrameBatch *frame;
  bool *framed; // of local nodes: inertia and loads on masses are evaluated side by side with others'
  PetscInt njoint;
  JointBatch *joint;
  bool *joint_batched; // of local joints
} Batches;

// The tangent, and where the blocks of all items lie in it, one after the other (matrix_slots.c).
typedef struct {
  Mat tangent;
  int *slot;
  PetscInt64 count, room, next;
  double *value[2]; // of the tangent's own and ghost columns
  PetscInt64 made;  // tangents so far
  Mat reduced; // without zero blocks (solvers/reduced_tangent.c), and the tangent it is from; NULL: it is not much smaller
  PetscInt64 reduced_from;
  PetscInt nthin; // blocks of frames that lack inertia, where they lie, and others that have some (thin_frames.c)
  int (*thin)[2];
  bool of_rotation; // the slots are of items in a steady rotation, in which frames are evaluated one by one
} MatrixSlots;

// Unknowns, right-hand side and the solvers of a linear system (solvers/linear_solver.c).
typedef struct {
  Vec unknown, residual, increment, work, correction;
  Vec scale;                // of unknowns, for iterative solvers; NULL: none yet
  PetscInt64 scale_tangent; // the tangent that the sizes are of
  KSP ksp, robust;          // the fast solver; MUMPS
  FactorRecord factors[2];  // of both
  bool factor_lasts;        // beyond a step
  bool inexact;             // the last solution came by iterations, and was checked there
  int nfallback;            // times that the fast solver had to give way lately (linear_solver.c)
  PetscInt64 fallbacks;     // so far
  PetscInt64 solutions;     // so far
  bool used[2], failed[2];  // both solvers, since the system was created
} LinearSolver;

typedef struct {       // seconds of a run that is timed
  double (*now)(void); // NULL: nothing is timed
  double evaluate, solve;
} Stopwatch;

typedef struct {
  Layout layout;
  const StepRule *rule;
  State state;
  Switches switches;
  StepContext step;
  AugmentedLagrangian augmented;
  Redundancy redundancy;
  Batches batches;
  MatrixSlots matrix;
  LinearSolver linear;
  Stopwatch watch;
  struct ContactSet *contacts; // of surfaces that may touch (assembly/contacts.h); NULL: the model has none
  Local *scratch;
  struct SpareSolver
      *spare; // of a workspace (workspace.h): matrix, vectors and solvers go back there; NULL: they are its own
} System;

// The inertia of nodes, the state at the start: create.c
PetscErrorCode SystemCreateInertia(System *s);
// Damping of masses: mass_damping.c. Its forces on a local node over the step under way go to the scratch, in its block 0; what it
// takes in the step.
PetscErrorCode SystemCreateMassDamping(System *s);
void system_add_mass_damping(System *s, PetscInt node, NodeKind kind, const NodeMotion *motion);
double system_mass_damping_work(const System *s, PetscInt node);
static inline bool system_is_mass_damped(const System *s, PetscInt node) {
  return s->layout.damped_mass && s->layout.damped_mass[node][0][0] > 0;
}
PetscErrorCode SystemCreateState(System *s);
// Gives the points of coordinates with inertia the rates that the bodies have. create.c
void system_start_coordinates(System *s);

// The root of a tree in a forest of parents, whose paths are halved on the way. partition.c
PetscInt system_root(PetscInt *parent, PetscInt i);
// Partition, numbering, ghosts: partition.c
PetscErrorCode SystemPartition(System *s);

// Switches as they are at the start; joints as the switches are now. switches.c
PetscErrorCode SystemCreateSwitches(System *s);
PetscErrorCode SystemDestroySwitches(System *s);
void system_form_joints(System *s);

// Wheels as they start, before and after velocities are projected; their moments in the step under way; what they give to energy, to
// angular momentum and to the work of loads; and the end of the step. wheels.c
PetscErrorCode SystemCreateWheels(System *s);
PetscErrorCode SystemStartWheels(System *s);
PetscErrorCode SystemEvaluateWheels(System *s, double *residual, PetscBool tangent);
double system_wheel_energy(const System *s, PetscInt wheel);
Vec3 system_wheel_momentum(const System *s, PetscInt wheel);
void system_wheel_balance(System *s, const double *q, PetscInt wheel, double *work);
void system_move_wheels(System *s);
void system_stop_wheels(System *s); // for steps without loads
// The frame of a wheel where this rank owns it, -1 elsewhere; its rate about the axis; the momentum in a steady rotation or at rest.
PetscInt system_wheel_node(const System *s, PetscInt wheel);
double system_wheel_turn(const System *s, PetscInt wheel);
double system_wheel_steady(const System *s, PetscInt wheel, const Spin *spin);
// Whether matrices of the state have a gyroscopic part.
static inline bool system_has_gyroscopic(const System *s, const Spin *spin) {
  return (spin && spin->rate != 0) || s->layout.model->wheels.count > 0;
}

// Loads on each local node, element and joint, and fields: loads.c
PetscErrorCode SystemCreateLoads(System *s);
PetscErrorCode SystemDestroyLoads(System *s);

// Ghosts of the unknowns as their owners have them; own and ghost unknowns as one array, and done with it. state_values.c
PetscErrorCode SystemRefresh(System *s);
PetscErrorCode SystemOpenUnknowns(const System *s, Vec *local, const double **q);
PetscErrorCode SystemCloseUnknowns(const System *s, Vec *local, const double **q);

// Mass-centre velocity of every free component. corotation.c
PetscErrorCode SystemFindCentreVelocities(System *s);
// How the velocities of free bodies of points turn along over the step that began; none where a load changes. corotation.c
PetscErrorCode SystemFindCorotation(System *s);

// What is remembered of the last step: step_memory.c. How many increments of its rows an element of the model remembers; nothing from now
// on; what a step of length h recalls; of a local element, for the
// next step or as the `last` one recalled it (NULL: nothing).
PetscErrorCode SystemCreateMemory(System *s);
PetscErrorCode SystemDestroyMemory(System *s);
int system_remembers(const System *s, PetscInt element);
PetscErrorCode SystemForget(
    System *s, const Vec3 *before); // `before`: nodes whose velocities are still those keep the memory of them
// How the surroundings of each local point turned from x_before to x: theta of the Cayley map, 2 tan(phi/2) along the axis; zero
// for other nodes.
PetscErrorCode SystemFindPointRotations(System *s, Vec3 *rotation);
Recall system_recall(const System *s, double h);
const double *system_past(const System *s, PetscInt e, bool last);
// The step under way of a local element; and what it gives to the balance of energy, before or after the state moved.
ElementStep system_element_step(const System *s, PetscInt e);
void system_element_balance(System *s, PetscInt e, bool moved, ElementBalance *balance);
// After the state moved: takes the step into memory; `own` gets the books of all elements that this rank counts.
PetscErrorCode SystemRemember(System *s, ElementBalance *own);
// Strains and forces at a point of a local element, or of one of its cells, in the balance of the last step; of the state where
// there was none. `strain` and `force` stay as they are for a cell without points.
void system_section(const System *s, PetscInt e, int g, double *strain, double *force);
void system_cell_section(const System *s, PetscInt e, int cell, double *strain, double *force);

// Fills amplitudes for a step from `time` of length h.
PetscErrorCode SystemBeginStep(System *s, double h);

// Residual, and the tangent when wanted, at the unknowns in s->unknown (ghosts are refreshed here).
PetscErrorCode SystemEvaluate(System *s, PetscBool tangent);

// Adds the item in the scratch to the rows that this rank owns. evaluate.c
PetscErrorCode SystemAddLocal(System *s, PetscInt count, const PetscInt *blocks, double *residual, PetscBool tangent);

// Whether rows of a local block may depend on the unknowns of another of the same item. matrix_slots.c
bool system_linked(const System *s, PetscInt row, PetscInt col);
// The tangent, zeroed and open for blocks of items in their order, whose places are found first; and closed. matrix_slots.c
PetscErrorCode SystemOpenTangent(System *s);
PetscErrorCode SystemCloseTangent(System *s);
PetscErrorCode SystemFindSlots(System *s, PetscInt count, const PetscInt *blocks);
void system_add_blocks(System *s, PetscInt count, const PetscInt *blocks);

// Frames without mass or without inertia about an axis: found; and given a trace of it in the tangent that is open. thin_frames.c
PetscErrorCode SystemCreateThinFrames(System *s);
void system_stiffen_thin_frames(System *s);

// Puts elements side by side that may stand so; finds where their blocks lie once the matrix is there; evaluates them.
// element_batches.c
PetscErrorCode SystemCreateBatches(System *s);
PetscErrorCode SystemDestroyBatches(System *s);
PetscErrorCode SystemEvaluateBatches(System *s, double *residual, PetscBool tangent);

// The same of joints, whose motions are known. joint_batches.c
PetscErrorCode SystemCreateJointBatches(System *s);
PetscErrorCode SystemDestroyJointBatches(System *s);
void system_evaluate_joint_batches(System *s, const double *q, double *residual, PetscBool tangent);

// The same of frames, with the motions of all nodes; without a residual the motions alone. frame_batches.c
PetscErrorCode SystemCreateFrames(System *s);
PetscErrorCode SystemDestroyFrames(System *s);
void system_evaluate_frames(System *s, const double *q, double *residual, PetscBool tangent);
// Ghosts of the unknowns as their owners have them, and the motions of all nodes by them; the same from the start of the last step.
PetscErrorCode SystemMoveNodes(System *s);
PetscErrorCode SystemMoveAgain(System *s);
// Whether inertia and loads on masses of a local node are evaluated there.
static inline bool system_framed(const System *s, PetscInt node) {
  return s->batches.framed[node] && s->step.spin.rate == 0 && s->layout.nfield <= MAX_BATCH_FIELDS;
}
// Places of pairs of blocks of nodes in a lane: of the own rows of `count` nodes that are not fixed, NO_SLOT otherwise.
PetscErrorCode SystemFindBatchSlots(System *s, PetscInt count, const PetscInt *nodes, int lane, int *slot);

// Multipliers of a local element over the step under way; NULL: it is not held.
static inline double (*system_augmented_multipliers(const System *s, PetscInt e))[MAX_ROWS] {
  return s->augmented.at && s->augmented.at[e] >= 0 ? s->augmented.multiplier[s->augmented.at[e]] : NULL;
}
// Blocks of a model node and of a joint, with those of the projection.
static inline int system_projection_blocks(const System *s, PetscInt node) {
  return s->layout.has_projection[node] ? node_blocks(model_node(s->layout.model, node)->kind) : 0;
}
static inline int system_node_blocks(const System *s, PetscInt node) {
  return node_blocks(model_node(s->layout.model, node)->kind) * (s->layout.has_projection[node] ? 2 : 1);
}
// Unknowns of a model joint in a step, without those of the projection.
static inline int system_joint_unknown_count(const System *s, PetscInt joint) {
  const Joint *j = &model_joint(s->layout.model, joint)->joint;
  return s->layout.coords_follow ? joint_step_unknowns(j) : joint_unknowns(j);
}
static inline int system_joint_blocks(const System *s, PetscInt joint) {
  const Joint *j = &model_joint(s->layout.model, joint)->joint;
  return (system_joint_unknown_count(s, joint) + 2) / 3 + (s->rule->projects_velocities ? projection_blocks(j) : 0);
}
// A joint of the model as the switches have it.
static inline const Joint *system_model_joint(const System *s, PetscInt joint) {
  const Joint *form = s->switches.any ? s->switches.form[joint] : NULL;
  return form ? form : &model_joint(s->layout.model, joint)->joint;
}
static inline bool system_load_acts(const System *s, PetscInt load) {
  return !s->switches.any || s->switches.load[load].off == 0;
}
// A local joint as the unknowns have it.
static inline const Joint *system_joint(const System *s, PetscInt joint) { return s->layout.joint_form[joint]; }

// u[k], c[k] of a local node, from the local array of the unknowns
static inline void system_increments(const System *s, const double *q, PetscInt node, Vec3 *u, Vec3 *c) {
  int n = s->rule->tableau.s;
  PetscInt b = s->layout.node_block[node];
  bool frame = model_node(s->layout.model, s->layout.node[node])->kind == NODE_FRAME;
  for (int k = 0; k < n; k++) {
    u[k] = b < 0 ? vec3_zero() : vec3_of(q + b * s->layout.bs + 3 * k);
    c[k] = b < 0 || !frame ? vec3_zero() : vec3_of(q + (b + 1) * s->layout.bs + 3 * k);
  }
}

// y^k of a local node with projection; false if it does not
bool system_projection(const System *s, const double *q, PetscInt node, ProjectionVelocity *out);

// Velocities of a local node over the step under way, for a frame with material velocity or a point with projection.
void system_frame_velocity(const System *s, const double *q, PetscInt node, MaterialVelocity *out);
void system_point_velocity(const System *s, const double *q, PetscInt node, PointVelocity *out);

// The velocity of the mass centre of a node's free component, and the node's v_n against it.
static inline Vec3 system_centre_velocity(const System *s, PetscInt node) {
  return s->layout.free_body[node] < 0 ? vec3_zero() : s->step.centre_velocity[s->layout.free_body[node]];
}
// How the velocities of a point turn along with its body over the step under way; NULL: they do not.
static inline const CoRotation *system_corotation(const System *s, PetscInt node) {
  PetscInt c = s->layout.free_body[node];
  return c >= 0 && s->step.corotation[c].on ? &s->step.corotation[c] : NULL;
}
void system_start_velocity(const System *s, PetscInt node, Vec3 vn[2]);

// Ghat of a local joint at t_n, as the step under way sees it, or as velocities are.
void system_projection_rows(const System *s, PetscInt joint, bool stepping, ProjectionRows *out);

// mu^k of a local joint with projection
void system_projection_multipliers(const System *s, const double *q, PetscInt joint, double mu[MAX_STAGES][MAX_ROWS]);

// Keeps the multipliers of a local joint over the step under way, before the state moves.
void system_store_multipliers(System *s, const double *q, PetscInt joint);
// The nodes of a local joint: their kinds, first vectors and vectors as the state is. state_values.c
typedef struct {
  NodeKind kind[MAX_LOCAL_NODES];
  int first[MAX_LOCAL_NODES];
  Vec3 x[MAX_LOCAL_VECTORS];
} JointState;
void system_joint_state(const System *s, PetscInt joint, JointState *out);
// The largest |g| of a local joint as the state is, and of all, with the joint of the model that has it. state_values.c
double system_joint_gap(const System *s, PetscInt joint);
PetscErrorCode SystemWorstGap(const System *s, double *gap, PetscInt *joint);

// What a load puts on its coordinate of a local joint in the step under way, which takes it to zk.
void system_joint_load(const System *s, PetscInt joint, PetscInt load, const Coords *zk, CoordLoad *out);
// Coordinates of a local joint at the end of the step under way that are no unknowns of it. state_values.c
Coords system_followed_coords(const System *s, PetscInt joint);
// multipliers and coordinates of a local joint
void system_joint_unknowns(const System *s, const double *q, PetscInt joint, double lambda[MAX_STAGES][MAX_ROWS],
                           Coords *zk);

// A local node that stands for a coordinate of a joint and for no place: fields, rotations and momenta of bodies do not concern it.
static inline bool system_is_abstract(const System *s, PetscInt node) {
  return model_node(s->layout.model, s->layout.node[node])->abstract;
}

// Mass and first moments of a local node on which the l-th field acts.
static inline void system_field_mass(const System *s, PetscInt l, PetscInt node, double out[4]) {
  for (int j = 0; j < 4; j++) {
    out[j] = s->layout.field_mass[l] ? s->layout.field_mass[l][node][j] : s->layout.mass[node][j][0];
    if (system_is_abstract(s, node)) out[j] = 0;
  }
}

// The nodes of a local element over the step under way.
void system_gather_element(const System *s, const double *q, PetscInt e, LocalMotion *it);

static inline NodeState system_node_state(const System *s, PetscInt node) {
  return (NodeState){.x = s->state.x + 4 * node,
                     .v = s->state.v + 4 * node,
                     .a = s->state.a ? s->state.a + 4 * node : NULL,
                     .w = s->state.w ? s->state.w + 4 * node : NULL,
                     .dv = s->state.dv ? s->state.dv + 4 * node : NULL,
                     .keep = s->step.recall.keep};
}

// What is reported of a local node, in ground components: position and axes (zero of a point), velocity and angular
// velocity. state_values.c
void system_node_values(const System *s, PetscInt node, Vec3 x[4], Vec3 *velocity, Vec3 *angular);
// An angular velocity of the state as it is reported: the slope of the angle, where the scheme's own is a tangent. state_values.c
Vec3 system_reported_rate(const System *s, Vec3 angular);
// The rates of a local joint's coordinates, as they are reported or as the state has them. state_values.c
Coords system_coordinate_rates(const System *s, PetscInt joint, bool reported);
static inline const Recall *system_element_recall(const System *s) {
  return s->step.stiffened.delta > 0 ? &s->step.stiffened : &s->step.recall;
}
// The vectors of a local element's nodes; returns their number.
int system_element_vectors(const System *s, PetscInt e, Vec3 *x);

static inline double system_clock(const System *s) { return s->watch.now ? s->watch.now() : 0; }

static inline bool system_material(const System *s, PetscInt node) {
  return s->rule->material && model_node(s->layout.model, s->layout.node[node])->kind == NODE_FRAME;
}

#endif
