// SPDX-License-Identifier: Apache-2.0
// Who owns what, and what of the model does not change.
#ifndef LIMBER_ASSEMBLY_LAYOUT_H
#define LIMBER_ASSEMBLY_LAYOUT_H

#include "mechanics/node.h"
#include "mechanics/projection.h"
#include "model/model.h"
#include "schemes/scheme.h"

#include <petscsys.h>

// On several ranks, every rank solves a system of up to so many unknowns on its own: this costs less than dividing it.
enum { EACH_FOR_ITSELF = 20000 };

typedef struct {
  MPI_Comm comm;
  PetscMPIInt rank, size;
  Model model;
  const StepRule *rule; // of the scheme
  PetscInt bs;          // 3 unknowns for each stage of the scheme

  // blocks: the rank's own first, then the ghosts
  PetscInt nblock_own, nblock, first_block;
  PetscInt *block_global;             // of each local block
  PetscInt *block_node, *block_joint; // local node or joint that a block belongs to, -1

  // nodes: the rank's own first; node 0 of the list is the ground
  PetscInt nnode, nnode_own;
  PetscInt *node, *node_block; // in the model; first local block, after those of the projection; -1: fixed
  PetscInt *local_node;        // of each model node, -1: not here
  // Each model node: it has a projection velocity, whose blocks come before the node's own: their rows hold only the
  // node's mass and the joints' multipliers, and eliminated first they fill next to nothing.
  bool *has_projection;
  PetscInt *free_body; // free component of each local node, -1: tied to the ground
  PetscInt nfree_body;
  // Only with exact momentum: the connected component of each local node, without the ground; -1: none. Those of several
  // nodes come first and have the same number on every rank, those of one local node follow.
  PetscInt *component, ncomponent, nsingle;
  bool *component_tied; // to the ground
  bool *may_corotate;   // of each free component: a flexible body of points without joints, under a decaying scheme
  Inertia *inertia;     // of local nodes
  double (*mass)[4][4]; // ambient
  double (*damped_mass)[4][4]; // the same of damping against the ground (mechanics/node.h); NULL: there is none
  double total_mass;
  double length;    // size of the model
  PetscInt frames;  // nodes that are frames
  double half_band; // mean half band of the nodes' order
  bool is_wide;     // the graph has no narrow band: a net, a lattice, a solid

  PetscInt nelement, *element, *element_node_start, *element_node; // local nodes
  bool *element_primary;                                           // counted on this rank
  PetscInt njoint, *joint, *joint_block;
  PetscInt (*joint_node)[MAX_LOCAL_NODES];
  bool *joint_primary;
  bool coords_follow;       // coordinates on which nothing acts are no unknowns (mechanics/joint.h) ...
  const Joint **joint_form; // ... of each local joint: the model's, or what is left without such coordinates
  Joint *joint_without;
  PetscInt *node_load_start, *node_load; // loads on each local node
  PetscInt nfield, *field;               // loads on masses
  double (**field_mass)[4];              // of each: mass and first moments of local nodes on which it acts; NULL: all
  PetscInt *element_load_start, *element_load; // loads along each local element
  PetscInt *joint_load_start, *joint_load;     // loads on each local joint
} Layout;

static inline bool layout_is_mass_damped(const Layout *layout, PetscInt node) {
  return layout->damped_mass && layout->damped_mass[node][0][0] > 0;
}

// Whether a joint of the model holds a node at the ground. Others list the ground, which is last, only for its axes.
static inline bool model_joint_is_tied(Model m, const ModelJoint *j) {
  bool tied = j->nnode == 2; // one node and the ground: a clamp
  for (int a = 0; a + 1 < j->nnode; a++) tied = tied || model_node(m, j->node[a])->kind == NODE_FIXED;
  return tied;
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

// A local node that stands for a coordinate of a joint and for no place: fields, rotations and momenta of bodies do not
// concern it.
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

// Whether a local node is a component of its own.
static inline bool layout_is_single(const Layout *layout, PetscInt node) {
  return layout->component[node] >= layout->ncomponent;
}

static inline bool layout_is_material(const Layout *layout, PetscInt node) {
  return layout->rule->material && model_node(layout->model, layout->node[node])->kind == NODE_FRAME;
}

#endif
