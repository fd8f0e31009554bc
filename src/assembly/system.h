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

typedef struct Loop Loop;             // redundancy.h
typedef struct ContactSet ContactSet; // contacts.h

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
  bool least_norm; // the multipliers of loops are those of least norm
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

// The solvers of a linear system, and their vectors (solvers/linear_solver.c).
typedef struct {
  Vec increment, correction;
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

// Everything that an evaluation of a step reads: who owns what, the state, and the step under way.
typedef struct {
  Layout layout;
  State state;
  Switches switches;
  StepContext step;
  AugmentedLagrangian augmented;
  bool (*row_off)[MAX_ROWS]; // of local joints: rows that follow from others and carry no force (solvers/redundancy.h)
  ContactSet *contacts;      // of surfaces that may touch (assembly/contacts.h); NULL: the model has none
} Motion;

// The equations of a step: their unknowns, and the places that an evaluation writes to.
typedef struct {
  Vec unknown, residual, work;
  MatrixSlots matrix;
  Batches batches;
  Local *scratch; // residual and tangent of one item
  Stopwatch watch;
} Equations;

// A model in motion, its equations and what solves them.
typedef struct {
  Motion motion;
  Equations equations;
  LinearSolver linear;
  Redundancy redundancy;
  struct SpareSolver
      *spare; // of a workspace (workspace.h): matrix, vectors and solvers go back there; NULL: they are its own
} System;

// The inertia of nodes, the state at the start: create.c
PetscErrorCode LayoutCreateInertia(Layout *layout);
// Damping of masses: mass_damping.c. Its forces on a local node over the step under way go to the scratch, in its block 0; what it
// takes in the step.
PetscErrorCode LayoutCreateMassDamping(Layout *l);
void equations_add_mass_damping(const Motion *moving, Equations *equations, PetscInt node, NodeKind kind,
                                const NodeMotion *motion);
double step_mass_damping_work(const Layout *layout, const StepContext *step, PetscInt node);
static inline bool layout_is_mass_damped(const Layout *layout, PetscInt node) {
  return layout->damped_mass && layout->damped_mass[node][0][0] > 0;
}
PetscErrorCode SystemCreateState(System *s);
// Gives the points of coordinates with inertia the rates that the bodies have. create.c
void state_start_coordinates(const Layout *layout, State *state);

// The root of a tree in a forest of parents, whose paths are halved on the way. partition.c
PetscInt system_root(PetscInt *parent, PetscInt i);
// Partition, numbering, ghosts: partition.c
PetscErrorCode LayoutPartition(Layout *layout);

// Switches as they are at the start; joints as the switches are now. switches.c
PetscErrorCode MotionCreateSwitches(Motion *motion);
PetscErrorCode SwitchesDestroy(const Layout *layout, Switches *switches);
void motion_form_joints(Motion *motion);

// Wheels as they start, before and after velocities are projected; their moments in the step under way; what they give to energy, to
// angular momentum and to the work of loads; and the end of the step. wheels.c
PetscErrorCode StateCreateWheels(const Layout *layout, State *state);
PetscErrorCode MotionStartWheels(Motion *motion);
PetscErrorCode EquationsEvaluateWheels(const Motion *motion, Equations *equations, double *residual, PetscBool tangent);
double motion_wheel_energy(const Motion *motion, PetscInt wheel);
Vec3 state_wheel_momentum(const Layout *layout, const State *state, PetscInt wheel);
void motion_wheel_balance(Motion *motion, const double *q, PetscInt wheel, double *work);
void motion_move_wheels(Motion *motion);
void state_stop_wheels(const Layout *layout, State *state); // for steps without loads
// The frame of a wheel where this rank owns it, -1 elsewhere; its rate about the axis; the momentum in a steady rotation or at rest.
PetscInt layout_wheel_node(const Layout *layout, PetscInt wheel);
double motion_wheel_turn(const Motion *motion, PetscInt wheel);
double motion_wheel_steady(const Motion *motion, PetscInt wheel, const Spin *spin);
// Whether matrices of the state have a gyroscopic part.
static inline bool layout_has_gyroscopic(const Layout *layout, const Spin *spin) {
  return (spin && spin->rate != 0) || layout->model->wheels.count > 0;
}

// Loads on each local node, element and joint, and fields: loads.c
PetscErrorCode LayoutCreateLoads(Layout *layout);
PetscErrorCode LayoutDestroyLoads(Layout *layout);

// Ghosts of the unknowns as their owners have them; own and ghost unknowns as one array, and done with it. state_values.c
PetscErrorCode EquationsRefresh(const Layout *layout, Equations *equations);
PetscErrorCode EquationsOpenUnknowns(const Layout *layout, const Equations *equations, Vec *local, const double **q);
PetscErrorCode EquationsCloseUnknowns(const Layout *layout, const Equations *equations, Vec *local, const double **q);

// Mass-centre velocity of every free component. corotation.c
PetscErrorCode MotionFindCentreVelocities(Motion *motion);
// How the velocities of free bodies of points turn along over the step that began; none where a load changes. corotation.c
PetscErrorCode MotionFindCorotation(Motion *motion);

// What is remembered of the last step: step_memory.c. How many increments of its rows an element of the model remembers; nothing from now
// on; what a step of length h recalls; of a local element, for the
// next step or as the `last` one recalled it (NULL: nothing).
PetscErrorCode MotionCreateMemory(Motion *motion);
PetscErrorCode StepDestroyMemory(StepContext *step);
int layout_remembers(const Layout *layout, PetscInt element);
PetscErrorCode StateForget(
    const Layout *layout, State *state,
    const Vec3 *before); // `before`: nodes whose velocities are still those keep the memory of them
// How the surroundings of each local point turned from x_before to x: theta of the Cayley map, 2 tan(phi/2) along the axis; zero
// for other nodes.
PetscErrorCode EquationsFindPointRotations(Motion *motion, Equations *equations, Vec3 *rotation);
Recall state_recall(const Layout *layout, const State *state, double h);
const double *state_past(const State *state, PetscInt e, bool last);
// The step under way of a local element; and what it gives to the balance of energy, before or after the state moved.
ElementStep motion_element_step(const Motion *motion, PetscInt e);
void motion_element_balance(Motion *motion, PetscInt e, bool moved, ElementBalance *balance);
// After the state moved: takes the step into memory; `own` gets the books of all elements that this rank counts.
PetscErrorCode EquationsRemember(Motion *motion, Equations *equations, ElementBalance *own);
// Strains and forces at a point of a local element, or of one of its cells, in the balance of the last step; of the state where
// there was none. `strain` and `force` stay as they are for a cell without points.
void motion_section(const Motion *motion, PetscInt e, int g, double *strain, double *force);
void motion_cell_section(const Motion *motion, PetscInt e, int cell, double *strain, double *force);

// Fills amplitudes for a step from `time` of length h.
PetscErrorCode MotionBeginStep(Motion *motion, double h);

// Residual, and the tangent when wanted, at the unknowns of the equations (ghosts are refreshed here).
PetscErrorCode EquationsEvaluate(Motion *motion, Equations *equations, PetscBool tangent);

// Adds the item in the scratch to the rows that this rank owns. evaluate.c
PetscErrorCode EquationsAddLocal(const Layout *layout, Equations *equations, PetscInt count, const PetscInt *blocks,
                                 double *residual, PetscBool tangent);

// Whether rows of a local block may depend on the unknowns of another of the same item. matrix_slots.c
bool layout_links(const Layout *layout, PetscInt row, PetscInt col);
// The tangent, zeroed and open for blocks of items in their order, whose places are found first; and closed. matrix_slots.c
PetscErrorCode MatrixOpenTangent(const Motion *motion, MatrixSlots *matrix);
PetscErrorCode MatrixCloseTangent(const Layout *layout, MatrixSlots *matrix);
PetscErrorCode MatrixFindSlots(const Layout *layout, MatrixSlots *matrix, PetscInt count, const PetscInt *blocks);
void equations_add_blocks(const Layout *layout, Equations *equations, PetscInt count, const PetscInt *blocks);

// Frames without mass or without inertia about an axis: found; and given a trace of it in the tangent that is open. thin_frames.c
PetscErrorCode MatrixCreateThinFrames(const Layout *layout, MatrixSlots *matrix);
void matrix_stiffen_thin_frames(const Motion *motion, MatrixSlots *matrix);

// Puts elements side by side that may stand so; finds where their blocks lie once the matrix is there; evaluates them.
// element_batches.c
PetscErrorCode EquationsCreateBatches(const Layout *layout, Equations *equations);
PetscErrorCode BatchesDestroy(Batches *batches);
PetscErrorCode EquationsEvaluateBatches(const Motion *motion, Equations *equations, double *residual,
                                        PetscBool tangent);

// The same of joints, whose motions are known. joint_batches.c
PetscErrorCode EquationsCreateJointBatches(const Layout *layout, Equations *equations);
PetscErrorCode BatchesDestroyJointBatches(Batches *batches);
void equations_evaluate_joint_batches(const Motion *motion, Equations *equations, const double *q, double *residual,
                                      PetscBool tangent);

// The same of frames, with the motions of all nodes; without a residual the motions alone. frame_batches.c
PetscErrorCode EquationsCreateFrames(const Layout *layout, Equations *equations);
PetscErrorCode BatchesDestroyFrames(Batches *batches);
void equations_evaluate_frames(Motion *motion, Equations *equations, const double *q, double *residual,
                               PetscBool tangent);
// Ghosts of the unknowns as their owners have them, and the motions of all nodes by them; the same from the start of the last step.
PetscErrorCode EquationsMoveNodes(Motion *motion, Equations *equations);
PetscErrorCode EquationsMoveAgain(Motion *motion, Equations *equations);
// Whether inertia and loads on masses of a local node are evaluated there.
static inline bool batches_have_frame(const Motion *motion, const Batches *batches, PetscInt node) {
  return batches->framed[node] && motion->step.spin.rate == 0 && motion->layout.nfield <= MAX_BATCH_FIELDS;
}
// Places of pairs of blocks of nodes in a lane: of the own rows of `count` nodes that are not fixed, NO_SLOT otherwise.
PetscErrorCode MatrixFindBatchSlots(const Layout *layout, MatrixSlots *matrix, PetscInt count, const PetscInt *nodes,
                                    int lane, int *slot);

// Multipliers of a local element over the step under way; NULL: it is not held.
static inline double (*augmented_multipliers(const AugmentedLagrangian *augmented, PetscInt e))[MAX_ROWS] {
  return augmented->at && augmented->at[e] >= 0 ? augmented->multiplier[augmented->at[e]] : NULL;
}
// Blocks of a model node and of a joint, with those of the projection.
static inline int layout_projection_blocks(const Layout *layout, PetscInt node) {
  return layout->has_projection[node] ? node_blocks(model_node(layout->model, node)->kind) : 0;
}
static inline int layout_node_blocks(const Layout *layout, PetscInt node) {
  return node_blocks(model_node(layout->model, node)->kind) * (layout->has_projection[node] ? 2 : 1);
}
// Unknowns of a model joint in a step, without those of the projection.
static inline int layout_joint_unknown_count(const Layout *layout, PetscInt joint) {
  const Joint *j = &model_joint(layout->model, joint)->joint;
  return layout->coords_follow ? joint_step_unknowns(j) : joint_unknowns(j);
}
static inline int layout_joint_blocks(const Layout *layout, PetscInt joint) {
  const Joint *j = &model_joint(layout->model, joint)->joint;
  return (layout_joint_unknown_count(layout, joint) + 2) / 3 +
         (layout->rule->projects_velocities ? projection_blocks(j) : 0);
}
// A joint of the model as the switches have it.
static inline const Joint *switches_model_joint(const Layout *layout, const Switches *switches, PetscInt joint) {
  const Joint *form = switches->any ? switches->form[joint] : NULL;
  return form ? form : &model_joint(layout->model, joint)->joint;
}
static inline bool switches_load_acts(const Switches *switches, PetscInt load) {
  return !switches->any || switches->load[load].off == 0;
}
// A local joint as the unknowns have it.
static inline const Joint *layout_joint(const Layout *layout, PetscInt joint) { return layout->joint_form[joint]; }

// u[k], c[k] of a local node, from the local array of the unknowns
static inline void layout_increments(const Layout *layout, const double *q, PetscInt node, Vec3 *u, Vec3 *c) {
  int n = layout->rule->tableau.s;
  PetscInt b = layout->node_block[node];
  bool frame = model_node(layout->model, layout->node[node])->kind == NODE_FRAME;
  for (int k = 0; k < n; k++) {
    u[k] = b < 0 ? vec3_zero() : vec3_of(q + b * layout->bs + 3 * k);
    c[k] = b < 0 || !frame ? vec3_zero() : vec3_of(q + (b + 1) * layout->bs + 3 * k);
  }
}

// y^k of a local node with projection; false if it does not
bool layout_projection(const Layout *layout, const double *q, PetscInt node, ProjectionVelocity *out);

// Velocities of a local node over the step under way, for a frame with material velocity or a point with projection.
void motion_frame_velocity(const Motion *motion, const double *q, PetscInt node, MaterialVelocity *out);
void motion_point_velocity(const Motion *motion, const double *q, PetscInt node, PointVelocity *out);

// The velocity of the mass centre of a node's free component, and the node's v_n against it.
static inline Vec3 step_centre_velocity(const Layout *layout, const StepContext *step, PetscInt node) {
  return layout->free_body[node] < 0 ? vec3_zero() : step->centre_velocity[layout->free_body[node]];
}
// How the velocities of a point turn along with its body over the step under way; NULL: they do not.
static inline const CoRotation *step_corotation(const Layout *layout, const StepContext *step, PetscInt node) {
  PetscInt c = layout->free_body[node];
  return c >= 0 && step->corotation[c].on ? &step->corotation[c] : NULL;
}
void motion_start_velocity(const Motion *motion, PetscInt node, Vec3 vn[2]);

// Ghat of a local joint at t_n, as the step under way sees it, or as velocities are.
void motion_projection_rows(const Motion *motion, PetscInt joint, bool stepping, ProjectionRows *out);

// mu^k of a local joint with projection
void layout_projection_multipliers(const Layout *layout, const double *q, PetscInt joint,
                                   double mu[MAX_STAGES][MAX_ROWS]);

// Keeps the multipliers of a local joint over the step under way, before the state moves.
void motion_store_multipliers(Motion *motion, const double *q, PetscInt joint);
// The nodes of a local joint: their kinds, first vectors and vectors as the state is. state_values.c
typedef struct {
  NodeKind kind[MAX_LOCAL_NODES];
  int first[MAX_LOCAL_NODES];
  Vec3 x[MAX_LOCAL_VECTORS];
} JointState;
void state_get_joint(const Layout *layout, const State *state, PetscInt joint, JointState *out);
// The largest |g| of a local joint as the state is, and of all, with the joint of the model that has it. state_values.c
double motion_joint_gap(const Motion *motion, PetscInt joint);
PetscErrorCode MotionWorstGap(const Motion *motion, double *gap, PetscInt *joint);

// What a load puts on its coordinate of a local joint in the step under way, which takes it to zk.
void motion_joint_load(const Motion *motion, PetscInt joint, PetscInt load, const Coords *zk, CoordLoad *out);
// Coordinates of a local joint at the end of the step under way that are no unknowns of it. state_values.c
Coords motion_followed_coords(const Motion *motion, PetscInt joint);
// multipliers and coordinates of a local joint
void state_joint_unknowns(const Layout *layout, const State *state, const double *q, PetscInt joint,
                          double lambda[MAX_STAGES][MAX_ROWS], Coords *zk);

// A local node that stands for a coordinate of a joint and for no place: fields, rotations and momenta of bodies do not concern it.
static inline bool layout_is_abstract(const Layout *layout, PetscInt node) {
  return model_node(layout->model, layout->node[node])->abstract;
}

// Mass and first moments of a local node on which the l-th field acts.
static inline void layout_field_mass(const Layout *layout, PetscInt l, PetscInt node, double out[4]) {
  for (int j = 0; j < 4; j++) {
    out[j] = layout->field_mass[l] ? layout->field_mass[l][node][j] : layout->mass[node][j][0];
    if (layout_is_abstract(layout, node)) out[j] = 0;
  }
}

// The nodes of a local element over the step under way.
void state_gather_element(const Layout *layout, const State *state, const double *q, PetscInt e, LocalMotion *it);

static inline NodeState step_node_state(const State *state, const StepContext *step, PetscInt node) {
  return (NodeState){.x = state->x + 4 * node,
                     .v = state->v + 4 * node,
                     .a = state->a ? state->a + 4 * node : NULL,
                     .w = state->w ? state->w + 4 * node : NULL,
                     .dv = state->dv ? state->dv + 4 * node : NULL,
                     .keep = step->recall.keep};
}

// What is reported of a local node, in ground components: position and axes (zero of a point), velocity and angular
// velocity. state_values.c
void motion_node_values(const Motion *motion, PetscInt node, Vec3 x[4], Vec3 *velocity, Vec3 *angular);
// An angular velocity of the state as it is reported: the slope of the angle, where the scheme's own is a tangent. state_values.c
Vec3 motion_reported_rate(const Motion *motion, Vec3 angular);
// The rates of a local joint's coordinates, as they are reported or as the state has them. state_values.c
Coords motion_coordinate_rates(const Motion *motion, PetscInt joint, bool reported);
static inline const Recall *step_element_recall(const StepContext *step) {
  return step->stiffened.delta > 0 ? &step->stiffened : &step->recall;
}
// The vectors of a local element's nodes; returns their number.
int state_element_vectors(const Layout *layout, const State *state, PetscInt e, Vec3 *x);

static inline double equations_clock(const Equations *equations) {
  return equations->watch.now ? equations->watch.now() : 0;
}

static inline bool layout_is_material(const Layout *layout, PetscInt node) {
  return layout->rule->material && model_node(layout->model, layout->node[node])->kind == NODE_FRAME;
}

#endif
