// SPDX-License-Identifier: Apache-2.0
// Checks that a rotation can be steady: in rotating axes nothing may change. Obstacles are reported by name: velocities
// of single nodes, joints and drives that move differently, elements attached to the ground, laws along coordinates
// that the rotation moves, and loads and wind with a fixed direction other than the axis.
#include "analyses/stepping/start.h"
#include "assembly/state_values.h"
#include "base/rotation.h"
#include "model/refusal.h"
#include "solvers/solvers.h"

static const double same = 1e-9; // relative difference below which two numbers are equal

typedef enum { FINE, OWN_VELOCITY, OTHER_MOTION, GROUND_TIED, LAW, LOAD, WIND } Obstacle;

// Parts of messages: start, end, name of the rotation. Messages of a run say how to do without it.
typedef struct {
  const char *head, *tail, *rotation, *part;
} Words;

static Words words_of(const Layout *layout, bool run) {
  bool given = vec3_norm(layout->model->rigid[1]) > 0;
  return (Words){run ? "run: `start: equilibrium`: " : "", run ? ", or start without `start: equilibrium`" : "",
                 given ? "the rotation under `motion`" : "the rotation that the drives ask for",
                 run ? "" : ", or use `limber floquet` if only a part of the model rotates"};
}

// The first obstacle on all ranks: the lowest kind, then the lowest index.
static PetscErrorCode FindFirstObstacle(const Layout *layout, Obstacle kind, PetscInt id, Obstacle *out,
                                        PetscInt *first) {
  double code = kind == FINE ? PETSC_MAX_REAL : 1e12 * (double)kind + (double)id;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_DOUBLE, MPI_MIN, layout->comm));
  *out = code < PETSC_MAX_REAL ? (Obstacle)(code / 1e12) : FINE;
  *first = *out == FINE ? -1 : (PetscInt)(code - 1e12 * (double)*out);
  PetscFunctionReturn(0);
}

static bool has_own_velocity(Model m, int node) {
  Vec3 v, w, rigid = vec3_add(m->rigid[0], vec3_cross(m->rigid[1], model_node(m, node)->x[0]));
  model_velocity(m, node, &v, &w);
  if (model_node(m, node)->kind == NODE_FIXED) return false;
  bool turns = model_node(m, node)->kind == NODE_FRAME && vec3_norm(vec3_sub(w, m->rigid[1])) > same * vec3_norm(w);
  return turns || vec3_norm(vec3_sub(v, rigid)) > same * (vec3_norm(v) + vec3_norm(rigid));
}

// Whether rows are unchanged when all moving nodes turn about the axis.
static bool rows_stay(const Layout *layout, const State *state, const Spin *spin, const Rows *rows, int nnode,
                      const PetscInt *node, const Coords *z) {
  double first[MAX_ROWS], e[MAX_ROWS], worst = 0;
  for (int turn = 0; turn < 4; turn++) {
    Mat3 r = rotation_exponential(vec3_scale(1.3 * turn, spin->axis));
    Vec3 x[MAX_LOCAL_VECTORS];
    int n = 0;
    for (int a = 0; a < nnode; a++)
      for (int k = 0; k < node_vectors(model_node(layout->model, layout->node[node[a]])->kind); k++, n++) {
        Vec3 from = k ? vec3_zero() : spin->centre;
        x[n] = state->x[4 * node[a] + k];
        if (layout->node_block[node[a]] >= 0) x[n] = vec3_add(from, mat3_apply(r, vec3_sub(x[n], from)));
      }
    rows_value(rows, x, z, turn ? e : first);
    for (int i = 0; i < rows->nrow && turn; i++) worst = PetscMax(worst, fabs(e[i] - first[i]));
  }
  return worst <= same * PetscMax(1, layout->length);
}

static bool element_stays(const Layout *layout, const State *state, const Spin *spin, PetscInt e) {
  const ModelElement *el = model_element(layout->model, layout->element[e]);
  const PetscInt *node = layout->element_node + layout->element_node_start[e];
  bool ground = false;
  for (int a = 0; a < el->nnode; a++) ground = ground || layout->node_block[node[a]] < 0;
  for (int g = 0; ground && g < el->kind->points(el->data); g++) {
    ElementPoint p;
    element_point(el->kind, el->data, g, &p);
    if (!rows_stay(layout, state, spin, &p.rows, el->nnode, node, no_coords)) return false;
  }
  return true;
}

// Whether the velocities of the rotation satisfy a joint and its drives.
static bool joint_fits(const Motion *motion, const Spin *spin, PetscInt j) {
  const ModelJoint *m = model_joint(motion->layout.model, motion->layout.joint[j]);
  StartRows rows;
  motion_rows_at_start(motion, j, &rows);
  for (int i = 0; i < rows.joint.nprojection; i++) {
    double scale, defect = motion_start_defect(motion, j, &rows, i, &scale);
    if (fabs(defect) > same * (scale + spin->rate * 1e-3)) return false;
  }
  return m->joint.ncoord > 0 || rows_stay(&motion->layout, &motion->state, spin, &m->joint.rows, m->nnode,
                                          motion->layout.joint_node[j], no_coords);
}

// Rates of a joint's coordinates in the rotation.
static Coords coordinate_rates(const Layout *layout, const State *state, const Spin *spin, PetscInt j) {
  const ModelJoint *m = model_joint(layout->model, layout->joint[j]);
  Vec3 g[MAX_ROWS][MAX_LOCAL_VECTORS], omega = vec3_scale(spin->rate, spin->axis);
  double gz[MAX_COORDS][MAX_ROWS], moves[MAX_ROWS] = {0};
  JointState q;
  int n = 0;
  state_get_joint(layout, state, j, &q);
  rows_gradient(&m->joint.rows, q.x, &state->coord[j], g, q.first[m->nnode - 1] + node_vectors(q.kind[m->nnode - 1]));
  for (int a = 0; a < m->nnode; a++)
    for (int k = 0; k < node_vectors(q.kind[a]); k++, n++)
      for (int r = 0; r < m->joint.rows.nrow && layout->node_block[layout->joint_node[j][a]] >= 0; r++)
        moves[r] += vec3_dot(g[r][n], vec3_cross(omega, k ? q.x[n] : vec3_sub(q.x[n], spin->centre)));
  for (int c = 0; c < m->joint.ncoord; c++) rows_rate(&m->joint.rows, q.x, &state->coord[j], c, gz[c]);
  return rows_coord_rates(m->joint.rows.nrow, m->joint.ncoord, gz, moves);
}

// Whether the rotation, but no drive, moves a coordinate of a local joint.
static bool moves_freely(const Layout *layout, const State *state, const Spin *spin, PetscInt j, int c) {
  const Joint *m = &model_joint(layout->model, layout->joint[j])->joint;
  return !m->prescribed[c] && fabs(coordinate_rates(layout, state, spin, j).z[c]) > same * spin->rate;
}

// Whether a load acts along a free coordinate at the start: any force would change the speed.
static bool speeds_up(const Layout *layout, const State *state, const Spin *spin, PetscInt j, const Load *l) {
  double now = model_amplitude(layout->model, l->amplitude, state->time), z = state->coord[j].z[l->coord];
  if (load_prescribes(l) || !moves_freely(layout, state, spin, j, l->coord)) return false;
  if (l->drive == DRIVE_FORCE) return l->torque * now != 0;
  double rate = model_amplitude_rate(layout->model, l->amplitude, state->time),
         zdot = coordinate_rates(layout, state, spin, j).z[l->coord];
  double force = l->gain * (now - z) + l->derivative_gain * (rate - zdot);
  return fabs(force) >
         same * (fabs(l->gain) * (fabs(now) + fabs(z)) + fabs(l->derivative_gain) * (fabs(rate) + fabs(zdot)));
}

bool steady_load_rotates(const Load *l, Vec3 axis) {
  Vec3 part[3] = {l->force, l->moment, l->acceleration};
  if (l->target == LOAD_JOINT || l->follower) return true;
  for (int i = 0; i < 3; i++)
    if (vec3_norm(vec3_cross(axis, part[i])) > same * vec3_norm(part[i])) return false;
  return true;
}

bool steady_wind_rotates(Model m, int element, double time, Vec3 axis) {
  const ModelElement *el = model_element(m, element);
  if (model_amplitude(m, model_component(m, el->component)->amplitude, time) == 0) return true;
  for (int g = 0; g < el->kind->points(el->data); g++) {
    ElementPoint p;
    element_point(el->kind, el->data, g, &p);
    if (p.flow && !p.flow->rotates(p.of, axis)) return false;
  }
  return true;
}

PetscInt steady_load_pushes(const Layout *layout, const State *state) {
  Model m = layout->model;
  for (int l = 0; l < m->loads.count; l++) {
    const Load *q = &model_load(m, l)->load;
    bool pushes = q->target != LOAD_JOINT && (q->follower || vec3_norm(q->moment) > 0);
    if (pushes && model_amplitude(m, q->amplitude, state->time) != 0) return l;
  }
  return -1;
}

// ---- messages ----

static void load_name(Model m, PetscInt l, char *out, size_t size) {
  snprintf(out, size, "%s '%s'", model_load(m, l)->kind->name, shown_name(model_load(m, l)->name));
}

static PetscErrorCode DescribeJoint(const Layout *layout, const State *state, const Words *w, PetscInt joint,
                                    const char *rotation, Refusal *wrong) {
  char name[256], load[256];
  const Joint *m = &model_joint(layout->model, joint)->joint;
  PetscInt drive = -1;
  bool rate = false;
  PetscFunctionBegin;
  model_name_joint(layout->model, joint, name, sizeof name);
  for (PetscInt l = 0; l < layout->model->loads.count; l++) {
    const Load *q = &model_load(layout->model, l)->load;
    if (load_prescribes(q) && q->id == joint) drive = l;
  }
  for (int c = 0; c < m->ncoord; c++) rate = rate || m->law[c].initial_rate;
  if (drive >= 0) {
    load_name(layout->model, drive, load, sizeof load);
    double asked = model_drive_rate(layout->model, &model_load(layout->model, drive)->load, state->time);
    refuse(wrong,
           "%s%s, %s, contradicts %s, which moves %s at the rate %.6g. Give `motion` the rate, the axis and "
           "a point of the driven shaft%s",
           w->head, w->rotation, rotation, load, name, asked, w->tail);
  } else
    refuse(wrong, "%s%s, %s, contradicts %s%s. Give `motion` the axis and a point of the rotating shaft%s%s", w->head,
           w->rotation, rotation, rate ? "the `initial_rate` of " : "", name, w->part, w->tail);
  PetscFunctionReturn(0);
}

static PetscErrorCode DescribeLoad(const Layout *layout, const Words *w, PetscInt l, Refusal *wrong) {
  const Load *q = &model_load(layout->model, l)->load;
  char name[256], joint[256];
  PetscFunctionBegin;
  load_name(layout->model, l, name, sizeof name);
  if (q->target == LOAD_JOINT) {
    model_name_joint(layout->model, q->id, joint, sizeof joint);
    refuse(wrong,
           "%s%s changes the speed of the rotation, because %s turns freely. Prescribe its motion "
           "with a drive, or let the load rise from zero after the start%s",
           w->head, name, joint, w->tail);
  } else
    refuse(wrong,
           "%s%s has a component normal to the axis of the rotation, so that the motion "
           "is not steady. Let it act along the axis, or let it rise from zero after the start%s%s",
           w->head, name, q->target == LOAD_FIELD ? "" : ", or use a follower load", w->tail);
  PetscFunctionReturn(0);
}

static PetscErrorCode DescribeObstacle(const Layout *layout, const State *state, const Words *w, const Spin *spin,
                                       Obstacle what, PetscInt id, Refusal *wrong) {
  Vec3 a = spin->axis, c = spin->centre;
  char name[256], rotation[256];
  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(rotation, sizeof rotation, "%.6g rad/s about [%.4g, %.4g, %.4g] through [%.4g, %.4g, %.4g]",
                          spin->rate, a.x + 0., a.y + 0., a.z + 0., c.x + 0., c.y + 0., c.z + 0.)); // no -0
  switch (what) {
  case FINE: break;
  case OWN_VELOCITY:
    model_name_node(layout->model, id, name, sizeof name);
    refuse(wrong, "%s%s has an initial velocity that differs from %s. Leave it out%s", w->head, name, w->rotation,
           w->tail);
    break;
  case OTHER_MOTION: PetscCall(DescribeJoint(layout, state, w, id, rotation, wrong)); break;
  case GROUND_TIED: {
    const ModelComponent *component = model_component(layout->model, model_element(layout->model, id)->component);
    refuse(wrong,
           "%s%s '%s' connects a rotating part to the ground and is strained by the "
           "rotation, %s. Connect it to a point on the axis or to the rotating part%s",
           w->head, component->kind->name, shown_name(component->name), rotation, w->tail);
    break;
  }
  case LAW:
    model_name_joint(layout->model, id, name, sizeof name);
    refuse(wrong,
           "%sa spring, a damper, friction or a limit of %s changes the speed of the rotation. Prescribe its "
           "motion with a drive, or take it out%s",
           w->head, name, w->tail);
    break;
  case LOAD: PetscCall(DescribeLoad(layout, w, id, wrong)); break;
  case WIND: {
    const ModelComponent *component = model_component(layout->model, model_element(layout->model, id)->component);
    refuse(wrong,
           "%sthe wind of %s '%s' changes as its section turns, so that the motion is not steady. Let the wind blow "
           "along the axis of the rotation, without `shear`%s",
           w->head, component->kind->name, shown_name(component->name), w->tail);
    break;
  }
  }
  PetscFunctionReturn(0);
}

// ---- the whole check ----

static void find_obstacle(const Motion *motion, const Spin *spin, Obstacle *what, PetscInt *id) {
  Model m = motion->layout.model;
  for (int i = 1; i < m->nodes.count; i++)
    if (*what == FINE && has_own_velocity(m, i)) *what = OWN_VELOCITY, *id = i;
  for (PetscInt j = 0; j < motion->layout.njoint && *what == FINE; j++)
    if (motion->layout.joint_primary[j] && !joint_fits(motion, spin, j))
      *what = OTHER_MOTION, *id = motion->layout.joint[j];
  for (PetscInt e = 0; e < motion->layout.nelement && *what == FINE; e++)
    if (motion->layout.element_primary[e] && !element_stays(&motion->layout, &motion->state, spin, e))
      *what = GROUND_TIED, *id = motion->layout.element[e];
  for (PetscInt j = 0; j < motion->layout.njoint && *what == FINE; j++) {
    const Joint *q = &model_joint(m, motion->layout.joint[j])->joint;
    for (int c = 0; c < q->ncoord && motion->layout.joint_primary[j]; c++)
      if (law_acts(&q->law[c]) && moves_freely(&motion->layout, &motion->state, spin, j, c))
        *what = LAW, *id = motion->layout.joint[j];
  }
  for (PetscInt j = 0; j < motion->layout.njoint && *what == FINE; j++)
    for (PetscInt i = motion->layout.joint_load_start[j];
         i < motion->layout.joint_load_start[j + 1] && motion->layout.joint_primary[j]; i++)
      if (speeds_up(&motion->layout, &motion->state, spin, j, &model_load(m, motion->layout.joint_load[i])->load))
        *what = LOAD, *id = motion->layout.joint_load[i];
  for (int l = 0; l < m->loads.count && *what == FINE; l++) {
    const Load *q = &model_load(m, l)->load;
    if (!steady_load_rotates(q, spin->axis) && model_amplitude(m, q->amplitude, motion->state.time) != 0)
      *what = LOAD, *id = l;
  }
  for (PetscInt e = 0; e < motion->layout.nelement && *what == FINE; e++) {
    const int element = (int)motion->layout.element[e];
    if (!steady_wind_rotates(m, element, motion->state.time, spin->axis)) *what = WIND, *id = element;
  }
}

PetscErrorCode SteadyCheck(const Motion *motion, const Spin *spin, bool run, Refusal *wrong) {
  Obstacle what = FINE, first = FINE;
  Words w = words_of(&motion->layout, run);
  PetscInt id = -1, at = -1;
  PetscFunctionBegin;
  find_obstacle(motion, spin, &what, &id);
  PetscCall(FindFirstObstacle(&motion->layout, what, id, &first, &at));
  PetscCall(DescribeObstacle(&motion->layout, &motion->state, &w, spin, first, at, wrong));
  PetscFunctionReturn(0);
}
