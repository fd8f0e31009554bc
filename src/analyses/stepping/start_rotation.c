// SPDX-License-Identifier: Apache-2.0
// Initial velocities of rotating bodies. In schemes that move along chords, a step turns a body whose velocities have
// the rate nu by phi = 2 atan(h nu/2). The rates in a model file are those of the true motion, so a node that turns at
// omega starts with
//   nu = 2 tan(h omega/2)/h = f omega,     v <- v + (f - 1) w,
// where w is the part of its velocity that turns with it. Nodes that elements connect are changed as one body. A scheme
// with stored increments starts with those of a step of this rotation R before the start,
//   D v' = R v - v  of directors,     D v' = (R - 1) f w + s/h  of positions.
// If w does not follow from a rotation of the whole model, it is found from two steps of the preserving scheme without
// loads, from v and from -v. The sum of their displacements, u(v) + u(-v) = -(1 - R') rho - (1 - R'^T) rho + s,
// contains the arm rho = -(omega x w)/omega^2 of the turning part and the rest s, along the axis or without rotation.
// All odd functions of the velocities cancel, such as dampers, or waves that the step does not resolve.
// Equations: eq-start-tangent (6.4), eq-start-memory (6.5), eq-start-second-difference (6.6).
#include "analyses/stepping/start.h"
#include "assembly/create.h"
#include "assembly/evaluate.h"
#include "assembly/partition.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "assembly/step_memory.h"
#include "assembly/wheels.h"

#include "base/rotation.h"
#include "solvers/redundancy.h"

enum { MOST_ITERATIONS = 50 };
static const double least_angle = 1e-7; // rad per step: below it, f - 1 is round-off
static const double stiffening = 1e4;   // of elements, so that bodies turn as rigid ones
static const double most_angle = 3;     // rad per step: the tangent has a pole at pi

static double largest_angle(const Motion *motion, double h, PetscInt *node) {
  double most = 0;
  *node = -1;
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    Vec3 x[4], v, omega;
    if (motion->layout.node_block[i] < 0) continue;
    motion_node_values(motion, i, x, &v, &omega);
    if (h * vec3_norm(omega) > most) most = h * vec3_norm(omega), *node = motion->layout.node[i];
  }
  return most;
}

double start_tangent_factor(double h, Vec3 omega) {
  double half = 0.5 * h * vec3_norm(omega);
  return half > 0 ? tan(half) / half : 1;
}

void start_set_rotation(Motion *motion, double h, PetscInt node, const NodeRotation *r, bool remember) {
  double rate = vec3_norm(r->omega);
  NodeState n = step_node_state(&motion->state, &motion->step, node);
  Vec3 axis = rate > 0 ? vec3_scale(1 / rate, r->omega) : vec3_zero(), v[4];
  Mat3 turn = rotation_matrix(vec3_scale(4 * tan(0.25 * h * rate), axis));
  int nvec = node_vectors(model_node(motion->layout.model, motion->layout.node[node])->kind);
  n.v[0] = vec3_add(n.v[0], r->change[0]), v[0] = vec3_scale(start_tangent_factor(h, r->omega), r->turning);
  for (int j = 1; j < nvec; j++) n.v[j] = v[j] = vec3_cross(vec3_add(r->omega, r->change[1]), n.x[j]);
  if (!remember || !motion->state.dv) return;
  for (int j = 0; j < nvec; j++) n.dv[j] = vec3_sub(mat3_apply(turn, v[j]), v[j]);
  n.dv[0] = vec3_axpy(n.dv[0], 1 / h, r->rest);
  motion->state.past_step = h;
}

// ---- two steps ----

typedef struct { // for each model node, in ground axes
  double (*position)[3], (*velocity)[12];
  double (*angular)[3];      // rates of frames; those of points are found from the step from v
  double (*displacement)[3]; // u(v) + u(-v)
} StartMotion;

static PetscErrorCode GatherVelocities(const Motion *motion, StartMotion *m) {
  PetscFunctionBegin;
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    Vec3 x[4], v, omega;
    motion_node_values(motion, i, x, &v, &omega);
    for (int j = 0; j < 4; j++) vec3_to(motion->state.v[4 * i + j], m->velocity[motion->layout.node[i]] + 3 * j);
    vec3_to(omega, m->angular[motion->layout.node[i]]), vec3_to(x[0], m->position[motion->layout.node[i]]);
  }
  PetscCall(
      ReduceArray(motion->layout.comm, m->position[0], 3 * motion->layout.model->nodes.count, MPI_DOUBLE, MPI_SUM));
  PetscCall(
      ReduceArray(motion->layout.comm, m->velocity[0], 12 * motion->layout.model->nodes.count, MPI_DOUBLE, MPI_SUM));
  PetscCall(
      ReduceArray(motion->layout.comm, m->angular[0], 3 * motion->layout.model->nodes.count, MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}

// One step from sign v, without loads, with drives that continue at their rates.
static PetscErrorCode StepWithoutLoads(System *s, double h, double sign, int iterations, const StartMotion *m,
                                       bool *good) {
  NewtonOutcome o;
  double *q;
  PetscFunctionBegin;
  PetscCall(MotionBeginStep(&s->motion, h));
  s->motion.step.stiffened = (Recall){.delta = stiffening, .rate = 1};
  for (PetscInt l = 0; l < s->motion.layout.model->loads.count; l++)
    s->motion.step.amplitude[l][0] = 0, s->motion.step.end_amplitude[l] = (Amplitude){.now = 0};
  state_stop_wheels(&s->motion.layout, &s->motion.state);
  for (PetscInt j = 0; j < s->motion.layout.njoint; j++)
    for (int c = 0; c < MAX_COORDS; c++)
      s->motion.step.target[j].z[c] = s->motion.state.coord[j].z[c] + sign * h * s->motion.step.target_rate[j].z[c];
  for (PetscInt i = 1; i < s->motion.layout.nnode; i++)
    for (int j = 0; j < 4; j++)
      s->motion.state.v[4 * i + j] = vec3_scale(sign, vec3_of(m->velocity[s->motion.layout.node[i]] + 3 * j));
  PetscCall(VecZeroEntries(s->equations.unknown));
  PetscCall(VecGetArray(s->equations.unknown, &q));
  for (PetscInt i = 1; i < s->motion.layout.nnode_own; i++) {
    Vec3 omega = vec3_of(m->angular[s->motion.layout.node[i]]);
    double rate = vec3_norm(omega), c = rate > 0 ? sign * 4 * tan(0.5 * atan(0.5 * h * rate)) / rate : 0;
    if (s->motion.layout.node_block[i] < 0) continue;
    vec3_to(vec3_scale(h, s->motion.state.v[4 * i]), q + s->motion.layout.node_block[i] * s->motion.layout.bs);
    if (model_node(s->motion.layout.model, s->motion.layout.node[i])->kind == NODE_FRAME)
      vec3_to(vec3_scale(c, omega), q + (s->motion.layout.node_block[i] + 1) * s->motion.layout.bs);
  }
  PetscCall(VecRestoreArray(s->equations.unknown, &q));
  PetscCall(SystemSolveAugmented(s, 0, 1e-14, iterations, &o));
  PetscCall(EquationsMoveNodes(&s->motion, &s->equations));
  *good = o.converged;
  PetscFunctionReturn(0);
}

// Finds the rates of points, which are those of their surroundings: theta of the Cayley map over the step from v, over
// h.
static PetscErrorCode FindPointRates(Motion *motion, Equations *equations, double h, StartMotion *m) {
  Vec3 *now = motion->state.x, *rotation;
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(4 * motion->layout.nnode, &motion->state.x, motion->layout.nnode, &rotation));
  PetscCall(PetscArraycpy(motion->state.x, now, 4 * motion->layout.nnode));
  PetscCall(PetscArraycpy(motion->state.x_before, now, 4 * motion->layout.nnode));
  for (PetscInt i = 1; i < motion->layout.nnode; i++)
    for (int j = 0; j < node_vectors(model_node(motion->layout.model, motion->layout.node[i])->kind); j++)
      motion->state.x[4 * i + j] = motion->step.motion[i].x[j];
  PetscCall(EquationsFindPointRotations(motion, equations, rotation));
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++)
    if (model_node(motion->layout.model, motion->layout.node[i])->kind == NODE_POINT)
      vec3_to(vec3_scale(1 / h, rotation[i]), m->angular[motion->layout.node[i]]);
  PetscCall(PetscFree2(motion->state.x, rotation));
  motion->state.x = now;
  PetscFunctionReturn(0);
}

// Takes both steps, on a separate system in the same position.
static PetscErrorCode TakeBothSteps(Stepper *p, StartMotion *m, bool *good) {
  System *s = p->s, *aux;
  StepRule rule = {0};
  double h = p->options.step;
  PetscInt n = s->motion.layout.model->nodes.count;
  PetscFunctionBegin;
  *good = true;
  scheme_preserving.make(&p->options, &rule);
  PetscCall(StartCreateBeside(s, &rule, &aux));
  for (int back = 0; back < 2 && *good; back++) {
    PetscCall(StepWithoutLoads(aux, h, back ? -1 : 1, MOST_ITERATIONS, m, good));
    for (PetscInt i = 1; i < aux->motion.layout.nnode_own && *good; i++) {
      double u[3];
      vec3_to(vec3_sub(aux->motion.step.motion[i].x[0], aux->motion.state.x[4 * i]), u);
      for (int k = 0; k < 3; k++) m->displacement[aux->motion.layout.node[i]][k] += u[k];
    }
    if (!back && *good) PetscCall(FindPointRates(&aux->motion, &aux->equations, h, m));
  }
  for (PetscInt i = 1; i < n; i++) { // each rank has the rates of its own points
    PetscInt own = aux->motion.layout.local_node[i];
    if (own < 0 || own >= aux->motion.layout.nnode_own) m->angular[i][0] = m->angular[i][1] = m->angular[i][2] = 0;
  }
  PetscCall(SystemDestroy(&aux));
  PetscCall(ReduceArray(s->motion.layout.comm, m->displacement[0], 3 * n, MPI_DOUBLE, MPI_SUM));
  PetscCall(ReduceArray(s->motion.layout.comm, m->angular[0], 3 * n, MPI_DOUBLE, MPI_SUM));
  if (!*good) PetscCall(PetscArrayzero(m->displacement, n));
  PetscFunctionReturn(0);
}

// The rotation from the rate omega and the displacement d = -2 (1 - cos phi') rho + s of both steps, tan(phi'/2) = h
// omega/2. `own`: velocities are those of the scheme, which turns by phi'.
static NodeRotation rotation_of(double h, Vec3 omega, Vec3 d, bool own) {
  double rate2 = vec3_dot(omega, omega), x = 0.5 * h * sqrt(rate2);
  NodeRotation r = {.omega = omega, .rest = d};
  if (!(2 * x > least_angle)) return r;
  r.rest = vec3_scale(vec3_dot(omega, d) / rate2, omega);
  r.turning = vec3_scale(-(1 + x * x) / (4 * x * x), vec3_cross(omega, vec3_sub(d, r.rest)));
  if (own) {
    r.omega = vec3_scale(atan(x) / x, omega), r.turning = vec3_scale(atan(x) / x, r.turning);
    r.change[1] = vec3_sub(omega, r.omega);
  } else {
    double f = start_tangent_factor(h, omega);
    r.change[0] = vec3_scale(f - 1, r.turning), r.change[1] = vec3_scale(f - 1, omega);
  }
  return r;
}

// ---- bodies ----

// Nodes that elements connect change their velocities as a rigid body, so that no element is strained: V + Omega x (r -
// centre) is the best fit to the changes of all nodes. Changes of angular velocities of frames count times the size of
// the body.
typedef struct {
  double count, frames, size2;
  Vec3 centre, velocity, angular, about; // sums, then means; about: sum of (r - centre) x change
  Mat3 inertia;
} BodyChange;

static void find_bodies(Model m, PetscInt *parent) {
  for (PetscInt i = 0; i < m->nodes.count; i++) parent[i] = i;
  for (PetscInt e = 0; e < m->elements.count; e++) {
    const ModelElement *el = model_element(m, e);
    PetscInt first = -1;
    for (int a = 0; a < el->nnode && el->kind->points(el->data) > 0; a++) {
      int id = model_element_nodes(m, el)[a];
      if (model_node(m, id)->kind == NODE_FIXED) continue;
      PetscInt root = system_root(parent, id);
      if (first < 0) first = root;
      parent[root] = first;
    }
  }
}

static PetscErrorCode ChangeAsBodies(Model m, const double (*x)[3], NodeRotation *r) {
  PetscInt *parent, n = m->nodes.count;
  BodyChange *body;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(n, &parent));
  PetscCall(PetscCalloc1(n, &body));
  find_bodies(m, parent);
  for (PetscInt i = 1; i < n; i++) {
    BodyChange *b = &body[system_root(parent, i)];
    bool frame = model_node(m, i)->kind == NODE_FRAME;
    b->count++, b->frames += frame, b->centre = vec3_add(b->centre, vec3_of(x[i]));
    b->velocity = vec3_add(b->velocity, r[i].change[0]);
    if (frame) b->angular = vec3_add(b->angular, r[i].change[1]);
  }
  for (PetscInt i = 1; i < n; i++) {
    BodyChange *b = &body[system_root(parent, i)];
    if (b->count < 2) continue;
    Vec3 arm = vec3_axpy(vec3_of(x[i]), -1 / b->count, b->centre);
    b->about = vec3_add(b->about, vec3_cross(arm, r[i].change[0])), b->size2 += vec3_dot(arm, arm) / b->count;
    b->inertia = mat3_add(b->inertia, mat3_scale(vec3_dot(arm, arm), mat3_identity()));
    b->inertia = mat3_sub(b->inertia, mat3_outer(arm, arm));
  }
  for (PetscInt i = 1; i < n; i++) {
    BodyChange *b = &body[system_root(parent, i)];
    if (b->count < 2) continue;
    Mat3 inertia = mat3_add(b->inertia, mat3_scale(b->frames * b->size2, mat3_identity()));
    r[i].change[1] = corotation_rate(vec3_axpy(b->about, b->size2, b->angular), inertia);
    r[i].change[0] = vec3_scale(1 / b->count, b->velocity);
    Vec3 arm = vec3_axpy(vec3_of(x[i]), -1 / b->count, b->centre);
    r[i].change[0] = vec3_add(r[i].change[0], vec3_cross(r[i].change[1], arm));
  }
  PetscCall(PetscFree(body));
  PetscCall(PetscFree(parent));
  PetscFunctionReturn(0);
}

// Whether anything turns, or moves while joints or elements constrain it.
static PetscErrorCode MovesAtAll(const Layout *layout, const State *state, bool *moves) {
  int found = 0;
  PetscFunctionBegin;
  bool held = layout->model->joints.count > 0 || layout->model->elements.count > 0;
  for (PetscInt i = 1; i < layout->nnode_own; i++)
    for (int j = held ? 0 : 1; j < 4 && layout->node_block[i] >= 0; j++) found |= vec3_norm(state->v[4 * i + j]) > 0;
  PetscCall(ReduceArray(layout->comm, &found, 1, MPI_INT, MPI_LOR));
  *moves = found;
  PetscFunctionReturn(0);
}

// Points that represent coordinates with inertia move with these, not along chords.
static void use_slopes(Motion *motion) {
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    const ModelJoint *m = model_joint(motion->layout.model, motion->layout.joint[j]);
    if (!model_joint_is_abstract(m)) continue;
    double own = motion_coordinate_rates(motion, j, false).z[0], slope = motion_coordinate_rates(motion, j, true).z[0];
    Vec3 *v = &motion->state.v[4 * motion->layout.joint_node[j][m->nnode - 2]];
    if (own != 0) *v = vec3_scale(slope / own, *v);
  }
}

PetscErrorCode StartRotation(Stepper *p) {
  System *s = p->s;
  PetscInt n = s->motion.layout.model->nodes.count, node;
  double h = p->options.step, most;
  StartMotion m;
  NodeRotation *r;
  ProjectedStart change;
  bool moves = false, good, own = p->options.start_increments == LIMBER_INCREMENTS_MOMENTUM;
  char name[256];
  PetscFunctionBegin;
  if (!p->rule.tangent_rates || p->options.start_increments == LIMBER_INCREMENTS_ZERO) PetscFunctionReturn(0);
  PetscCall(MovesAtAll(&s->motion.layout, &s->motion.state, &moves));
  if (!moves) PetscFunctionReturn(0);
  most = largest_angle(&s->motion, h, &node);
  PetscCall(ReduceLargest(s->motion.layout.comm, &most, &node, NULL));
  if (most > most_angle && !own) {
    model_name_node(s->motion.layout.model, node, name, sizeof name);
    start_remark(
        p,
        "%s turns by %.3g rad per step at the start, but a step turns a body by less than half a turn: it will "
        "turn by %.3g rad. Choose steps of at most %.2g s, which turn it by 0.1 rad",
        name, most, 2 * atan(0.5 * most), 0.1 * h / most);
    PetscFunctionReturn(0);
  }
  PetscCall(PetscCalloc5(n, &m.position, n, &m.velocity, n, &m.angular, n, &m.displacement, n, &r));
  PetscCall(GatherVelocities(&s->motion, &m));
  PetscCall(TakeBothSteps(p, &m, &good));
  if (!good)
    start_remark(
        p,
        "the step is too long to find the paths of rotating bodies at the start: the stored increments start at zero");
  for (PetscInt i = 1; i < n; i++) r[i] = rotation_of(h, vec3_of(m.angular[i]), vec3_of(m.displacement[i]), own);
  if (!own) PetscCall(ChangeAsBodies(s->motion.layout.model, (const double(*)[3])m.position, r));
  for (PetscInt i = 1; i < s->motion.layout.nnode; i++)
    if (s->motion.layout.node_block[i] >= 0 && !layout_is_abstract(&s->motion.layout, i))
      start_set_rotation(&s->motion, h, i, &r[s->motion.layout.node[i]], true);
  state_start_coordinates(&s->motion.layout, &s->motion.state);
  PetscCall(PetscFree5(m.position, m.velocity, m.angular, m.displacement, r));
  s->motion.step.angles_follow = true; // angular velocities no longer equal the rates of drives
  if (p->kind->follows_drives) PetscCall(StartFollowDrives(p, &change));
  PetscCall(EquationsProjectVelocities(&s->motion, &s->equations, &change));
  s->motion.step.angles_follow = false;
  use_slopes(&s->motion);
  for (PetscInt j = 0; j < s->motion.layout.njoint; j++) { // for angles that turn far in the first step
    Coords rate = motion_coordinate_rates(&s->motion, j, true);
    for (int c = 0; c < MAX_COORDS; c++)
      s->motion.state.coord_before[j].z[c] = s->motion.state.coord[j].z[c] - h * rate.z[c];
  }
  s->motion.state.last_h = h;
  PetscFunctionReturn(0);
}
