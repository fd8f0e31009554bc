// SPDX-License-Identifier: Apache-2.0
// What the state remembers of the last step (mechanics/tableau.h): increments of the rows of elements, of the coordinates of
// joints and of velocities. Those of velocities turn along with what moved: a frame's with the frame (schemes), a point's with
// the elements and joints around it, so that a steady rotation has the same increments step by step. Any turn is safe, since
// it keeps their energy; a good one costs a rotating body nothing.
// Equations: eq-decaying-memory (4.2), eq-decaying-point-rotation (4.8), eq-decaying-shorter (4.9).
#include "assembly/step_memory.h"
#include "assembly/state_values.h"
#include "base/rotation.h"

// Held elements have no strain to remember; in schemes whose stress remembers nothing dampers alone ask for it.
int layout_remembers(const Layout *layout, PetscInt element) {
  const ModelElement *el = model_element(layout->model, element);
  if (!layout->rule->remembers || el->kind->points(el->data) == 0 || element_is_augmented(el->kind, el->data)) return 0;
  if (!(layout->rule->tableau.delta > 0) && !element_is_damped(el->kind, el->data)) return 0;
  return element_memory(el->kind, el->data);
}

PetscErrorCode MotionCreateMemory(Motion *motion) {
  PetscInt points = 0;
  PetscFunctionBegin;
  motion->step.recall = no_recall;
  PetscCall(PetscArraycpy(motion->state.coord_before, motion->state.coord, motion->layout.njoint));
  if (!motion->state.dv) PetscFunctionReturn(0);
  for (PetscInt i = 1; i < motion->layout.nnode; i++)
    points += model_node(motion->layout.model, motion->layout.node[i])->kind == NODE_POINT;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &points, 1, MPIU_INT, MPI_SUM, motion->layout.comm));
  if (points > 0) PetscCall(PetscMalloc1(motion->layout.nnode, &motion->step.rotation_sums));
  PetscFunctionReturn(0);
}

PetscErrorCode StepDestroyMemory(StepContext *step) {
  PetscFunctionBegin;
  PetscCall(PetscFree(step->rotation_sums));
  PetscFunctionReturn(0);
}

PetscErrorCode StateForget(const Layout *layout, State *state, const Vec3 *before) {
  PetscFunctionBegin;
  if (!before) state->past_step = state->recalled_step = 0;
  if (!state->row_increment_start) PetscFunctionReturn(0);
  for (int i = 0; i < 2; i++) {
    PetscCall(PetscArrayzero(state->row_increment[i], state->row_increment_start[layout->nelement]));
    PetscCall(PetscArrayzero(state->coord_increment[i], layout->njoint));
  }
  for (PetscInt i = 0; i < layout->nnode && state->dv; i++) {
    double change = 0, size = 0;
    for (PetscInt j = 4 * i; j < 4 * i + 4 && before; j++)
      change += vec3_norm(vec3_sub(state->v[j], before[j])), size += vec3_norm(before[j]);
    if (!before || change > 1e-12 * size) PetscCall(PetscArrayzero(state->dv + 4 * i, 4));
  }
  PetscFunctionReturn(0);
}

// At the end of the step the rate of a row is that of the parabola through its values at both ends and at the start of
// the last step; x: length of this step over that of the last.
static void recall_end(double x, Recall *m) { m->rate = (1 + 2 * x) / (1 + x), m->before = -x * x / (1 + x); }

// A step that is shorter than the last recalls so much less of it.
Recall state_recall(const Layout *layout, const State *state, double h) {
  const Tableau *t = &layout->rule->tableau;
  Recall m = no_recall;
  if (!layout->rule->remembers) return m;
  m.delta = t->delta;
  if (!(state->past_step > 0)) return m;
  m.keep = PetscMin(h / state->past_step, 1);
  if (t->force_rule == FORCE_END) recall_end(h / state->past_step, &m);
  return m;
}

// ---- the turn of points ----

// Vectors r that turn by R, the Cayley map of theta, have r_1 - r_0 = theta x (r_0 + r_1)/2. So the mean turn of
// several solves sum (r.r I - r r) theta = sum r x (r_1 - r_0), with r at the middle.
static void add_vector(RotationSums *a, Vec3 r0, Vec3 r1) {
  Vec3 r = vec3_mean(r0, r1), l = vec3_cross(r, vec3_sub(r1, r0));
  a->l = vec3_add(a->l, l);
  a->xx += r.x * r.x, a->yy += r.y * r.y, a->zz += r.z * r.z;
  a->yz += r.y * r.z, a->zx += r.z * r.x, a->xy += r.x * r.y;
}

static void add_around(RotationSums *to, const RotationSums *a) {
  to->l = vec3_add(to->l, a->l);
  to->xx += a->xx, to->yy += a->yy, to->zz += a->zz, to->yz += a->yz, to->zx += a->zx, to->xy += a->xy;
}

// A trace of the whole stands for the inertia about a line on which all vectors lie.
static Vec3 mean_rotation(const RotationSums *a) {
  double trace = a->xx + a->yy + a->zz, shift = 1e-6 * trace;
  if (!(trace > 0)) return vec3_zero();
  Vec3 k1 = vec3(a->yy + a->zz + shift, -a->xy, -a->zx), k2 = vec3(-a->xy, a->xx + a->zz + shift, -a->yz);
  Vec3 k3 = vec3(-a->zx, -a->yz, a->xx + a->yy + shift), b = vec3_cross(k2, k3);
  double det = vec3_dot(k1, b);
  Vec3 rotation = vec3(vec3_dot(a->l, b), vec3_dot(a->l, vec3_cross(k3, k1)), vec3_dot(a->l, vec3_cross(k1, k2)));
  return vec3_scale(1 / det, rotation);
}

// (I - theta~/2)^-1 (I + theta~/2) v
static Vec3 cayley_rotate(Vec3 theta, Vec3 v) {
  double f = 1 / (1 + 0.25 * vec3_dot(theta, theta));
  Vec3 w = vec3_axpy(v, 0.5, vec3_cross(theta, v));
  return vec3_axpy(v, f, vec3_cross(theta, w));
}

// That turns with what is around it.
static bool is_point(const Layout *layout, PetscInt node) {
  return model_node(layout->model, layout->node[node])->kind == NODE_POINT && !layout_is_abstract(layout, node);
}

// The nodes of an item about their mean place.
static void add_nodes(const State *state, PetscInt count, const PetscInt *node, RotationSums *a) {
  Vec3 before = vec3_zero(), now = vec3_zero();
  for (PetscInt i = 0; i < count; i++)
    before = vec3_axpy(before, 1.0 / (double)count, state->x_before[4 * node[i]]),
    now = vec3_axpy(now, 1.0 / (double)count, state->x[4 * node[i]]);
  for (PetscInt i = 0; i < count; i++)
    add_vector(a, vec3_sub(state->x_before[4 * node[i]], before), vec3_sub(state->x[4 * node[i]], now));
}

// The vectors of a joint's rows in which a point takes part; and its nodes that move.
static void add_joint(const Layout *layout, const State *state, PetscInt j, RotationSums *a) {
  const ModelJoint *m = model_joint(layout->model, layout->joint[j]);
  const Rows *rows = &m->joint.rows;
  Vec3 x[2][MAX_LOCAL_VECTORS] = {{{0}}}, y[2][MAX_Y];
  bool point[MAX_LOCAL_VECTORS] = {false};
  PetscInt moving[MAX_LOCAL_NODES], count = 0, n = 0;
  for (int i = 0; i < m->nnode; i++) {
    PetscInt node = layout->joint_node[j][i];
    NodeKind kind = model_node(layout->model, layout->node[node])->kind;
    if (kind != NODE_FIXED) moving[count++] = node;
    point[n] = kind == NODE_POINT;
    for (int v = 0; v < node_vectors(kind); v++, n++)
      x[0][n] = state->x_before[4 * node + v], x[1][n] = state->x[4 * node + v];
  }
  for (int side = 0; side < 2; side++) rows_interpolate(rows, x[side], y[side]);
  for (int i = 0; i < rows->ny; i++) {
    bool has = false;
    for (int e = rows->start[i]; e < rows->start[i + 1]; e++) has = has || point[rows->vec[e]];
    if (has) add_vector(a, y[0][i], y[1][i]);
  }
  if (count > 1) add_nodes(state, count, moving, a);
}

static void add_to_points(const Layout *layout, StepContext *step, PetscInt count, const PetscInt *node,
                          const RotationSums *a) {
  for (PetscInt i = 0; i < count; i++)
    if (node[i] < layout->nnode_own && is_point(layout, node[i])) add_around(&step->rotation_sums[node[i]], a);
}

static bool has_point(const Layout *layout, PetscInt count, const PetscInt *node) {
  bool any = false;
  for (PetscInt i = 0; i < count; i++) any = any || (node[i] < layout->nnode_own && is_point(layout, node[i]));
  return any;
}

// Turns of own points are sent to the ranks that hold copies, in the place of the unknowns, which come back.
PetscErrorCode EquationsFindPointRotations(Motion *motion, Equations *equations, Vec3 *rotation) {
  Vec local;
  const double *q;
  double *own;
  PetscFunctionBegin;
  if (!motion->step.rotation_sums) PetscCall(PetscMalloc1(motion->layout.nnode, &motion->step.rotation_sums));
  PetscCall(PetscArrayzero(motion->step.rotation_sums, motion->layout.nnode));
  PetscCall(PetscArrayzero(rotation, motion->layout.nnode));
  for (PetscInt e = 0; e < motion->layout.nelement; e++) {
    PetscInt first = motion->layout.element_node_start[e], count = motion->layout.element_node_start[e + 1] - first;
    RotationSums a = {.xx = 0};
    if (count < 2 || !has_point(&motion->layout, count, motion->layout.element_node + first)) continue;
    add_nodes(&motion->state, count, motion->layout.element_node + first, &a);
    add_to_points(&motion->layout, &motion->step, count, motion->layout.element_node + first, &a);
  }
  for (PetscInt j = 0; j < motion->layout.njoint; j++) {
    PetscInt count = model_joint(motion->layout.model, motion->layout.joint[j])->nnode;
    RotationSums a = {.xx = 0};
    if (!has_point(&motion->layout, count, motion->layout.joint_node[j]) ||
        model_joint_is_abstract(model_joint(motion->layout.model, motion->layout.joint[j])))
      continue;
    add_joint(&motion->layout, &motion->state, j, &a);
    add_to_points(&motion->layout, &motion->step, count, motion->layout.joint_node[j], &a);
  }
  PetscCall(VecCopy(equations->unknown, equations->work));
  PetscCall(VecGetArray(equations->unknown, &own));
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++)
    if (motion->layout.node_block[i] >= 0 && is_point(&motion->layout, i))
      vec3_to(mean_rotation(&motion->step.rotation_sums[i]), own + motion->layout.node_block[i] * motion->layout.bs);
  PetscCall(VecRestoreArray(equations->unknown, &own));
  PetscCall(EquationsRefresh(&motion->layout, equations));
  PetscCall(EquationsOpenUnknowns(&motion->layout, equations, &local, &q));
  for (PetscInt i = 1; i < motion->layout.nnode; i++)
    if (motion->layout.node_block[i] >= 0 && is_point(&motion->layout, i))
      rotation[i] = vec3_of(q + motion->layout.node_block[i] * motion->layout.bs);
  PetscCall(EquationsCloseUnknowns(&motion->layout, equations, &local, &q));
  PetscCall(VecCopy(equations->work, equations->unknown));
  PetscCall(EquationsRefresh(&motion->layout, equations));
  PetscFunctionReturn(0);
}

static PetscErrorCode RotatePointIncrements(Motion *motion, Equations *equations) {
  Vec3 *rotation;
  PetscFunctionBegin;
  if (!motion->step.rotation_sums) PetscFunctionReturn(0);
  PetscCall(PetscMalloc1(motion->layout.nnode, &rotation));
  PetscCall(EquationsFindPointRotations(motion, equations, rotation));
  for (PetscInt i = 1; i < motion->layout.nnode; i++)
    if (motion->layout.node_block[i] >= 0 && is_point(&motion->layout, i))
      motion->state.dv[4 * i] = cayley_rotate(rotation[i], motion->state.dv[4 * i]);
  PetscCall(PetscFree(rotation));
  PetscFunctionReturn(0);
}

// ---- rows ----

const double *state_past(const State *state, PetscInt e, bool last) {
  bool any = state->row_increment_start && state->row_increment_start[e] < state->row_increment_start[e + 1];
  return any ? state->row_increment[last] + state->row_increment_start[e] : NULL;
}

// Whether a local element takes part in the rotation.
static bool element_turns(const Motion *motion, PetscInt e) {
  const Layout *layout = &motion->layout;
  bool turns = false;
  for (PetscInt a = layout->element_node_start[e]; a < layout->element_node_start[e + 1]; a++)
    turns = turns || layout_turns(layout, &motion->step.spin, layout->element_node[a]);
  return turns;
}

void motion_take_flow(const Motion *motion, PetscInt e, double time, ElementStep *step) {
  const ModelComponent *c =
      model_component(motion->layout.model, model_element(motion->layout.model, motion->layout.element[e])->component);
  double part = step->t->force_rule == FORCE_END ? 1 : 0.5, h = step->h < PETSC_INFINITY ? step->h : 0;
  step->time = time, step->amplitude = 1;
  if (!c->kind->around) return;
  if (c->amplitude != LIMBER_NONE)
    step->amplitude = model_amplitude(motion->layout.model, c->amplitude, time + part * h);
  if (!element_turns(motion, e)) return;
  step->omega = vec3_scale(motion->step.spin.rate, motion->step.spin.axis), step->centre = motion->step.spin.centre;
}

ElementStep motion_element_step(const Motion *motion, PetscInt e) {
  ElementStep step = {.t = &motion->layout.rule->tableau,
                      .h = motion->step.h,
                      .recall = augmented_multipliers(&motion->augmented, e) ? &no_recall
                                                                             : step_element_recall(&motion->step),
                      .past = state_past(&motion->state, e, false)};
  motion_take_flow(motion, e, motion->state.time, &step);
  return step;
}

// Vectors of an element's nodes at the start and at the ends of the stages.
static void take_vectors(const Layout *layout, const StepContext *step, PetscInt e, const Vec3 *start, Vec3 *xn,
                         Vec3 xk[][MAX_LOCAL_VECTORS]) {
  const int stages = layout->rule->tableau.s;
  int n = 0;
  for (PetscInt a = layout->element_node_start[e]; a < layout->element_node_start[e + 1]; a++) {
    PetscInt i = layout->element_node[a];
    for (int j = 0; j < node_vectors(model_node(layout->model, layout->node[i])->kind); j++, n++) {
      xn[n] = start[4 * i + j];
      for (int k = 0; k < stages; k++) xk[k][n] = step->motion[i * stages + k].x[j];
    }
  }
}

void motion_element_balance(Motion *motion, PetscInt e, bool moved, ElementBalance *balance) {
  const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
  Vec3 xn[MAX_LOCAL_VECTORS], xk[MAX_STAGES][MAX_LOCAL_VECTORS];
  ElementStep step = motion_element_step(motion, e);
  double *next = moved && step.past ? motion->state.row_increment[1] + motion->state.row_increment_start[e] : NULL;
  take_vectors(&motion->layout, &motion->step, e, moved ? motion->state.x_before : motion->state.x, xn, xk);
  element_balance(el->kind, el->data, &step, xn, xk, next, balance);
}

// The laws of a joint's coordinates over the step that was taken.
static void remember_coords(Motion *motion, PetscInt j) {
  const Joint *joint = switches_model_joint(&motion->layout, &motion->switches, motion->layout.joint[j]);
  for (int c = 0; c < joint->ncoord; c++) {
    LawState state;
    if (!law_acts(&joint->law[c])) continue;
    law_evaluate(&joint->law[c], &motion->layout.rule->tableau, motion->step.h, &motion->step.recall,
                 motion->state.coord_increment[0][j].z[c], motion->state.coord_before[j].z[c],
                 &motion->state.coord[j].z[c], &state);
    motion->state.coord_increment[1][j].z[c] = state.next;
  }
}

PetscErrorCode EquationsRemember(Motion *motion, Equations *equations, ElementBalance *own) {
  PetscFunctionBegin;
  for (PetscInt e = 0; e < motion->layout.nelement; e++) {
    const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
    ElementBalance other = {0};
    if (el->kind->points(el->data) == 0 ||
        (!motion->layout.element_primary[e] && !state_past(&motion->state, e, false)))
      continue;
    motion_element_balance(motion, e, true, motion->layout.element_primary[e] ? own : &other);
  }
  if (!motion->layout.rule->remembers) PetscFunctionReturn(0);
  for (PetscInt j = 0; j < motion->layout.njoint; j++) remember_coords(motion, j);
  double *rows = motion->state.row_increment[0];
  Coords *coords = motion->state.coord_increment[0];
  motion->state.row_increment[0] = motion->state.row_increment[1], motion->state.row_increment[1] = rows;
  motion->state.coord_increment[0] = motion->state.coord_increment[1], motion->state.coord_increment[1] = coords;
  motion->state.recalled_step = motion->state.past_step, motion->state.past_step = motion->step.h;
  PetscCall(RotatePointIncrements(motion, equations));
  PetscFunctionReturn(0);
}

// ---- forces of the last step ----

// Where forces are told. Strains at the end of a step converge as positions do, but in schemes with a jump: there a
// stiff row that turns leaves a strain of the order of the step, and what converges is the force in balance over the
// step.
static const Tableau at_end = {.s = 1, .force_rule = FORCE_END, .a = {{1}}, .b = {1}, .weight = {1}};
static bool has_jump(const Layout *layout, const StepContext *step) {
  return layout->rule->tableau.s > 1 && !step->end_forces;
}

void motion_section(const Motion *motion, PetscInt e, int g, double *strain, double *force) {
  const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
  const double(*multipliers)[MAX_ROWS] = augmented_multipliers(&motion->augmented, e);
  Vec3 xn[MAX_LOCAL_VECTORS], xk[MAX_STAGES][MAX_LOCAL_VECTORS];
  ElementPoint p;
  if (!motion->state.stepped) {
    state_element_vectors(&motion->layout, &motion->state, e, xn);
    element_forces(el->kind, el->data, g, xn, strain, force);
    return;
  }
  Recall end = no_recall;
  if (motion->state.recalled_step > 0) recall_end(motion->state.last_h / motion->state.recalled_step, &end);
  ElementStep step = {
      .t = &at_end, .h = motion->state.last_h, .recall = &end, .past = state_past(&motion->state, e, true)};
  if (has_jump(&motion->layout, &motion->step) || multipliers)
    step.t = &motion->layout.rule->tableau, step.recall = &no_recall;
  take_vectors(&motion->layout, &motion->step, e, motion->state.x_before, xn, xk);
  element_step_forces(el->kind, el->data, &step, g, xn, xk, strain, force);
  if (!multipliers) return;
  element_point(el->kind, el->data, g, &p);
  for (int r = 0; r < p.rows.nrow; r++) force[r] = multipliers[0][r] + motion->augmented.penalty_factor * force[r];
}

void motion_flow_values(const Motion *motion, PetscInt e, int g, double *out) {
  const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
  Vec3 xn[MAX_LOCAL_VECTORS], xk[MAX_STAGES][MAX_LOCAL_VECTORS], yn[MAX_Y], yk[MAX_Y];
  bool stepped = motion->state.stepped;
  Tableau rule = motion->layout.rule->tableau;
  ElementStep step = {.t = &rule, .h = stepped ? motion->state.last_h : PETSC_INFINITY, .recall = &no_recall};
  ElementPoint p;
  if (!stepped) rule.force_rule = FORCE_END;
  motion_take_flow(motion, e, motion->state.time - (stepped ? step.h : 0), &step);
  state_element_vectors(&motion->layout, &motion->state, e, xk[0]);
  if (stepped) take_vectors(&motion->layout, &motion->step, e, motion->state.x_before, xn, xk);
  element_point(el->kind, el->data, g, &p);
  rows_interpolate(&p.rows, stepped ? xn : xk[0], yn);
  rows_interpolate(&p.rows, xk[0], yk);
  FlowStep flow = element_flow_step(&step, yn, yk);
  el->kind->output.flow_values(el->data, &flow, out);
}

void motion_cell_section(const Motion *motion, PetscInt e, int cell, double *strain, double *force) {
  const ModelElement *el = model_element(motion->layout.model, motion->layout.element[e]);
  int count = el->kind->points(el->data), n = 0;
  double all = 0, sum[2][MAX_ROWS] = {{0}}, one[2][MAX_ROWS];
  if (cell < count && !el->kind->drawing.cell) motion_section(motion, e, cell, strain, force);
  if (!el->kind->drawing.cell) return;
  for (int g = 0; g < count; g++) {
    ElementPoint p;
    element_point(el->kind, el->data, g, &p);
    motion_section(motion, e, g, one[0], one[1]);
    n = p.rows.nrow, all += p.weight;
    for (int r = 0; r < n; r++) sum[0][r] += p.weight * one[0][r], sum[1][r] += p.weight * one[1][r];
  }
  for (int r = 0; r < n; r++) strain[r] = sum[0][r] / all, force[r] = sum[1][r] / all;
}
