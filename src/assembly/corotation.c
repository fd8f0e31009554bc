// SPDX-License-Identifier: Apache-2.0
// What a step carries along of each component: the velocity of its mass centre, the turn of flexible bodies of points, and what
// keeps its angular momentum.
// Equations: eq-rotation-velocity (8.3).
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"

PetscErrorCode MotionFindCentreVelocities(Motion *motion) {
  double *sum;
  PetscFunctionBegin;
  if (motion->layout.nfree_body == 0) PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(4 * motion->layout.nfree_body, &sum));
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    if (motion->layout.free_body[i] < 0) continue;
    NodeState n = step_node_state(&motion->state, &motion->step, i);
    double *at = sum + 4 * motion->layout.free_body[i];
    Vec3 p = layout_is_material(&motion->layout, i)
                 ? mat3_apply(node_axes(n.x), inertia_momentum(&motion->layout.inertia[i], n.v[0], n.v[1]))
                 : vec3_scale(motion->layout.mass[i][0][0], n.v[0]);
    at[0] += p.x, at[1] += p.y, at[2] += p.z, at[3] += motion->layout.inertia[i].m;
  }
  PetscCall(ReduceArray(motion->layout.comm, sum, (PetscInt64)4 * motion->layout.nfree_body, MPI_DOUBLE, MPI_SUM));
  for (PetscInt c = 0; c < motion->layout.nfree_body; c++)
    motion->step.centre_velocity[c] =
        sum[4 * c + 3] > 0 ? vec3_scale(1 / sum[4 * c + 3], vec3_of(sum + 4 * c)) : vec3_zero();
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

// Sums over the own nodes of components that may turn: mass times place, of 4; then about that centre angular momentum
// and inertia, of 9.
static void sum_angular_momenta(const Motion *motion, const double *centre, double *sum) {
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    PetscInt c = motion->layout.free_body[i];
    double m = motion->layout.inertia[i].m;
    if (c < 0 || !motion->layout.may_corotate[c]) continue;
    if (!centre) {
      double *at = sum + 4 * c;
      Vec3 x = motion->state.x[4 * i];
      at[0] += m * x.x, at[1] += m * x.y, at[2] += m * x.z, at[3] += m;
      continue;
    }
    double *at = sum + 9 * c;
    Vec3 r = vec3_axpy(motion->state.x[4 * i], -1 / centre[4 * c + 3], vec3_of(centre + 4 * c));
    Vec3 l = vec3_cross(r, vec3_scale(m, vec3_sub(motion->state.v[4 * i], motion->step.centre_velocity[c])));
    at[0] += l.x, at[1] += l.y, at[2] += l.z;
    at[3] += m * r.x * r.x, at[4] += m * r.y * r.y, at[5] += m * r.z * r.z;
    at[6] += m * r.y * r.z, at[7] += m * r.x * r.z, at[8] += m * r.x * r.y;
  }
}

PetscErrorCode MotionFindCorotation(Motion *motion) {
  double *centre, *sum;
  bool any = false, steady = true;
  PetscFunctionBegin;
  for (PetscInt c = 0; c < motion->layout.nfree_body; c++)
    any = any || motion->layout.may_corotate[c], motion->step.corotation[c].on = false;
  for (PetscInt l = 0; l < motion->layout.model->loads.count; l++)
    steady = steady && motion->step.end_amplitude[l].now == motion->step.end_amplitude[l].next;
  if (!any || !steady) PetscFunctionReturn(0);
  PetscCall(PetscCalloc2(4 * motion->layout.nfree_body, &centre, 9 * motion->layout.nfree_body, &sum));
  sum_angular_momenta(motion, NULL, centre);
  PetscCall(ReduceArray(motion->layout.comm, centre, (PetscInt64)4 * motion->layout.nfree_body, MPI_DOUBLE, MPI_SUM));
  sum_angular_momenta(motion, centre, sum);
  PetscCall(ReduceArray(motion->layout.comm, sum, (PetscInt64)9 * motion->layout.nfree_body, MPI_DOUBLE, MPI_SUM));
  for (PetscInt c = 0; c < motion->layout.nfree_body; c++) {
    const double *at = sum + 9 * c;
    Mat3 j = {{{at[4] + at[5], -at[8], -at[7]}, {-at[8], at[3] + at[5], -at[6]}, {-at[7], -at[6], at[3] + at[4]}}};
    if (motion->layout.may_corotate[c])
      motion->step.corotation[c] =
          corotation_of(motion->step.h, motion->step.centre_velocity[c], corotation_rate(vec3_of(at), j));
  }
  PetscCall(PetscFree2(centre, sum));
  PetscFunctionReturn(0);
}

// ---- exact momentum ----
// `decaying` moves a node by u = h (v_mid + d) with d = delta (Dv - T a'), and h sum M d x v_mid is what the angular momentum
// changes by beyond the moments of loads and reactions. With exact momentum d loses its part along b x v', where v' are the
// velocities at the middle of the step, relative to the mass centre of a component that is not tied to the ground, and the part
// that all nodes of such a component have in common: d is orthogonal, in the norm of the masses, to rotations of the velocities
// and to translations. With g = 1 + 2 delta, and primes for values relative to the mass centre,
//   y = u'/h + 2 delta v_n' + delta T a'',   g v' - b x v' = y,   sum M u' x v' = 0,
// three equations for b of each component, whose sums are C = sum M u' y^T:
//   g^2 c + g (tr C - C^T) b + (C b) x b = 0,   c = sum M u' x y.
// Equations: eq-momentum-step (4.11), eq-momentum-turn (4.13), eq-momentum-tangent (4.14).

static bool has_component(const Layout *layout, PetscInt i) {
  return layout->component[i] >= 0 && layout->node_block[i] >= 0;
}

// Ghosts count where their component is a single node.
static bool counts(const Layout *layout, PetscInt i) {
  return has_component(layout, i) && (i < layout->nnode_own || layout_is_single(layout, i));
}

static int count_vectors(const Layout *layout, PetscInt i) {
  return node_vectors(model_node(layout->model, layout->node[i])->kind);
}

// Of vector j of a node: displacement, and velocity at the start, relative to the mass centre.
static Vec3 relative_chord(const ComponentStep *c, const NodeMotion *m, double h, int j) {
  return j == 0 ? vec3_sub(vec3_axpy(m->chord[0], -h, c->v), c->chord) : m->chord[j];
}

static Vec3 relative_velocity(const ComponentStep *c, const NodeState *n, int j) {
  return j == 0 ? vec3_sub(n->v[0], c->v) : n->v[j];
}

static void add_outer(double *sum, double f, Vec3 a, Vec3 b) {
  Vec3 x = vec3_scale(f * a.x, b), y = vec3_scale(f * a.y, b), z = vec3_scale(f * a.z, b);
  sum[0] += x.x, sum[1] += x.y, sum[2] += x.z, sum[3] += y.x, sum[4] += y.y;
  sum[5] += y.z, sum[6] += z.x, sum[7] += z.y, sum[8] += z.z;
}

static void add_scaled(double *sum, double f, Vec3 a) { sum[0] += f * a.x, sum[1] += f * a.y, sum[2] += f * a.z; }

// Most masses are diagonal.
static void multiply_mass(int nvec, const double mass[4][4], const Vec3 *a, Vec3 *out) {
  for (int i = 0; i < nvec; i++) {
    out[i] = vec3_scale(mass[i][i], a[i]);
    for (int j = 0; j < nvec; j++)
      if (j != i && mass[i][j] != 0) out[i] = vec3_axpy(out[i], mass[i][j], a[j]);
  }
}

// Sums of `width` numbers for each component; those of single nodes are known without other ranks.
static PetscErrorCode CreateSums(const Layout *layout, PetscInt width, double **sum) {
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(width * (layout->ncomponent + layout->nsingle), sum));
  PetscFunctionReturn(0);
}

static PetscErrorCode ReduceSums(const Layout *layout, PetscInt width, double *sum) {
  PetscFunctionBegin;
  PetscCall(ReduceArray(layout->comm, sum, (PetscInt64)width * layout->ncomponent, MPI_DOUBLE, MPI_SUM));
  PetscFunctionReturn(0);
}

// Mass, and velocity and recalled increment of the mass centre of components that are free.
static PetscErrorCode FindCentres(Motion *motion, double keep) {
  const Layout *layout = &motion->layout;
  double *sum;
  PetscFunctionBegin;
  PetscCall(CreateSums(layout, 7, &sum));
  for (PetscInt i = 1; i < layout->nnode; i++) {
    if (!counts(layout, i)) continue;
    NodeState n = step_node_state(&motion->state, &motion->step, i);
    double *at = sum + 7 * layout->component[i];
    const double *first = layout->mass[i][0];
    at[0] += first[0];
    for (int j = 0; j < count_vectors(layout, i); j++)
      add_scaled(at + 1, first[j], n.v[j]), add_scaled(at + 4, first[j] * keep, n.dv[j]);
  }
  PetscCall(ReduceSums(layout, 7, sum));
  for (PetscInt c = 0; c < layout->ncomponent + layout->nsingle; c++) {
    const double *at = sum + 7 * c, f = at[0] > 0 && !layout->component_tied[c] ? 1 / at[0] : 0;
    motion->step.component[c] =
        (ComponentStep){.mass = at[0], .v = vec3_scale(f, vec3_of(at + 1)), .recalled = vec3_scale(f, vec3_of(at + 4))};
  }
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

PetscErrorCode MotionBeginMomentum(Motion *motion) {
  PetscFunctionBegin;
  PetscCall(FindCentres(motion, motion->step.recall.keep));
  PetscCall(PetscArrayzero(motion->step.beyond, 4 * motion->layout.nnode));
  PetscFunctionReturn(0);
}

static double trace(Mat3 a) { return a.m[0][0] + a.m[1][1] + a.m[2][2]; }

Vec3 solve_regularised(Mat3 k, double part, Vec3 r) {
  double shift = part * trace(k);
  for (int i = 0; i < 3; i++) k.m[i][i] += shift;
  Vec3 k1 = mat3_column(k, 0), k2 = mat3_column(k, 1), k3 = mat3_column(k, 2), b = vec3_cross(k2, k3);
  double det = vec3_dot(k1, b);
  if (!(fabs(det) > 0)) return vec3_zero();
  return vec3_scale(1 / det, vec3(vec3_dot(r, b), vec3_dot(r, vec3_cross(k3, k1)), vec3_dot(r, vec3_cross(k1, k2))));
}

static Mat3 matrix_of(const double *sum) {
  return (Mat3){{{sum[0], sum[1], sum[2]}, {sum[3], sum[4], sum[5]}, {sum[6], sum[7], sum[8]}}};
}

static Vec3 axial(Mat3 a) { return vec3(a.m[1][2] - a.m[2][1], a.m[2][0] - a.m[0][2], a.m[0][1] - a.m[1][0]); }

// tr a - a^T
static Mat3 trace_less(Mat3 a) {
  double t = trace(a);
  return mat3_sub(mat3_diag(t, t, t), mat3_transpose(a));
}

enum { MOST_TURNS = 40 }; // iterations for b
static const double turn_shift =
    1e-12; // of the trace; it slows iterations along weak directions and keeps round-off small there
static const double turn_left = 1e-15;     // of the sums: what is left of the equation
static const double turn_accepted = 1e-13; // the same if it no longer shrinks
static const double largest_turn =
    10; // of g: velocities of the middle nearly vanish, and round-off grows with its cube

// b by Newton's method. False if it does not converge.
static bool find_turn_from(Mat3 c, double g, Vec3 *b) {
  Mat3 linear = mat3_scale(g, trace_less(c));
  Vec3 start = vec3_scale(g * g, axial(c));
  double before = HUGE_VAL, size = 0;
  for (int i = 0; i < 9; i++) size += g * g * fabs(c.m[i / 3][i % 3]);
  for (int i = 0; i < MOST_TURNS; i++) {
    Vec3 cb = mat3_apply(c, *b);
    Vec3 r = vec3_add(start, vec3_add(mat3_apply(linear, *b), vec3_cross(cb, *b)));
    double left = vec3_norm(r), scale = size * (1 + vec3_dot(*b, *b));
    if (left <= turn_left * scale || (left >= 0.5 * before && left <= turn_accepted * scale)) return true;
    Mat3 k = mat3_add(linear, mat3_sub(mat3_cross(cb), mat3_mul(mat3_cross(*b), c)));
    *b = vec3_sub(*b, solve_regularised(k, turn_shift, r));
    if (!(vec3_norm(*b) < largest_turn * g)) return false;
    before = left;
  }
  return false;
}

enum { MOST_FAILURES = 3 }; // of b in a step; then the component has none, so that Newton converges

// From the last b of the step, or from zero. If there is none, the component moves as without the option.
static void find_turn(Mat3 c, double g, ComponentStep *out) {
  out->turns = out->failures < MOST_FAILURES && find_turn_from(c, g, &out->turn);
  if (out->turns) return;
  out->turn = vec3_zero();
  out->turns = out->failures < MOST_FAILURES && find_turn_from(c, g, &out->turn);
  if (out->turns) return;
  out->turn = vec3_zero(), out->failures++;
}

// (g - b~)^-1
static Mat3 tilt_of(Vec3 b, double g) {
  double f = 1 / (g * (g * g + vec3_dot(b, b)));
  Mat3 sum = mat3_axpy(mat3_outer(b, b), g, mat3_cross(b));
  return mat3_scale(f, mat3_axpy(sum, g * g, mat3_identity()));
}

// y of a node, with the displacement relative to h V.
static void find_start(const Motion *motion, PetscInt i, int nvec, Vec3 *y) {
  const ComponentStep *c = &motion->step.component[motion->layout.component[i]];
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  double h = motion->step.h, delta = motion->step.recall.delta;
  for (int j = 0; j < nvec; j++) {
    y[j] = vec3_scale(1 / h, relative_chord(c, motion->step.motion + i, h, j));
    y[j] = vec3_axpy(vec3_axpy(y[j], 2 * delta, relative_velocity(c, &n, j)), delta * n.keep, n.dv[j]);
  }
  y[0] = vec3_axpy(y[0], -delta, c->recalled);
}

// C, and the displacement of the mass centre beyond h V times the mass, of a node.
static void add_turn_sums(const Motion *motion, PetscInt i, int nvec, const Vec3 *y, double *sum) {
  const ComponentStep *c = &motion->step.component[motion->layout.component[i]];
  const double(*mass)[4] = (const double(*)[4])motion->layout.mass[i];
  Vec3 my[4];
  multiply_mass(nvec, mass, y, my);
  for (int a = 0; a < nvec; a++) {
    Vec3 chord = relative_chord(c, motion->step.motion + i, motion->step.h, a);
    add_outer(sum, 1, chord, my[a]);
    if (mass[0][a] != 0) add_scaled(sum + 9, mass[0][a], chord);
  }
}

// A component that is one point has velocities along its displacement, without b: v' = u (u . y)/(g u . u).
static bool is_lone_point(const Layout *layout, PetscInt i) {
  return layout_is_single(layout, i) && layout->component_tied[layout->component[i]] && count_vectors(layout, i) == 1;
}

static const double at_rest = 1e-12; // of the model's size: a component that moves less in a step has no b

static bool lone_moves(const Motion *motion, PetscInt i) {
  return vec3_norm(motion->step.motion[i].chord[0]) > at_rest * motion->layout.length;
}

static Vec3 along(Vec3 u, Vec3 y) {
  double size = vec3_dot(u, u);
  return size > 0 ? vec3_scale(vec3_dot(u, y) / size, u) : y;
}

static Vec3 lone_start(const Motion *motion, PetscInt i) {
  Vec3 y;
  find_start(motion, i, 1, &y);
  return y;
}

// g times the derivative of v'.
static Mat3 lone_derivative(Vec3 u, double h, Vec3 y) {
  double size = vec3_dot(u, u), part = vec3_dot(u, y);
  if (!(size > 0)) return mat3_scale(1 / h, mat3_identity());
  Vec3 row = vec3_axpy(vec3_axpy(y, 1 / h, u), -2 * part / size, u);
  return mat3_scale(1 / size, mat3_axpy(mat3_outer(u, row), part, mat3_identity()));
}

// b of all components; `middle` becomes y.
static PetscErrorCode FindTurns(Motion *motion) {
  const Layout *layout = &motion->layout;
  double *sum, h = motion->step.h, g = 1 + 2 * motion->step.recall.delta;
  PetscFunctionBegin;
  PetscCall(CreateSums(layout, 12, &sum));
  for (PetscInt c = 0; c < layout->ncomponent + layout->nsingle; c++) motion->step.component[c].chord = vec3_zero();
  for (PetscInt i = 1; i < layout->nnode; i++) {
    int nvec = count_vectors(layout, i);
    if (!has_component(layout, i)) continue;
    find_start(motion, i, nvec, motion->step.middle + 4 * i);
    if (counts(layout, i) && !is_lone_point(layout, i))
      add_turn_sums(motion, i, nvec, motion->step.middle + 4 * i, sum + 12 * layout->component[i]);
  }
  PetscCall(ReduceSums(layout, 12, sum));
  for (PetscInt i = 0; i < layout->ncomponent + layout->nsingle; i++) {
    ComponentStep *c = &motion->step.component[i];
    double *at = sum + 12 * i;
    if (!layout->component_tied[i] && c->mass > 0) c->chord = vec3_scale(1 / c->mass, vec3_of(at + 9));
    add_outer(at, -c->mass / h, c->chord, c->chord);
    double moved = 0;
    for (int k = 0; k < 9; k++) moved += fabs(at[k]) * h;
    if (moved > c->mass * PetscSqr(at_rest * layout->length)) find_turn(matrix_of(at), g, c);
    else c->turns = false, c->turn = vec3_zero();
    c->tilt = tilt_of(c->turn, g);
  }
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

PetscErrorCode MotionBalanceMomentum(Motion *motion) {
  double delta = motion->step.recall.delta, h = motion->step.h;
  PetscFunctionBegin;
  if (!motion->step.component) PetscFunctionReturn(0);
  PetscCall(FindTurns(motion));
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    Vec3 *v = motion->step.middle + 4 * i, *beyond = motion->step.beyond + 4 * i;
    if (!has_component(&motion->layout, i)) continue;
    const ComponentStep *c = &motion->step.component[motion->layout.component[i]];
    if (is_lone_point(&motion->layout, i)) {
      Vec3 u = motion->step.motion[i].chord[0], part = lone_moves(motion, i) ? along(u, v[0]) : v[0];
      beyond[0] = vec3_sub(part, v[0]), v[0] = vec3_scale(1 / (1 + 2 * delta), part);
      continue;
    }
    v[0] = vec3_axpy(v[0], -1 / h, c->chord);
    for (int j = 0; j < count_vectors(&motion->layout, i); j++)
      v[j] = mat3_apply(c->tilt, v[j]), beyond[j] = vec3_cross(c->turn, v[j]);
    beyond[0] = vec3_axpy(vec3_axpy(beyond[0], 2 * delta / h, c->chord), -delta, c->recalled);
  }
  PetscFunctionReturn(0);
}

// ---- its memory ----

// Increments of the velocities of a node over the step under way, relative to the mass centre.
static void find_increments(const Motion *motion, PetscInt i, int nvec, Vec3 *out) {
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  const ComponentStep *c = &motion->step.component[motion->layout.component[i]];
  for (int j = 0; j < nvec; j++)
    out[j] = vec3_scale(2, vec3_sub(motion->step.middle[4 * i + j], relative_velocity(c, &n, j)));
}

// At the start of a run velocities and increments are those of a step to come.
static void find_start_increments(const Motion *motion, PetscInt i, int nvec, Vec3 *out) {
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  const ComponentStep *c = &motion->step.component[motion->layout.component[i]];
  for (int j = 0; j < nvec; j++) {
    out[j] = j == 0 ? vec3_sub(n.dv[j], c->recalled) : n.dv[j];
    motion->step.middle[4 * i + j] = vec3_axpy(relative_velocity(c, &n, j), 0.5, out[j]);
  }
}

// The increments become those that are stored.
static PetscErrorCode ProjectIncrements(Motion *motion, bool at_start, Vec3 *increment) {
  const Layout *layout = &motion->layout;
  double *sum;
  PetscFunctionBegin;
  PetscCall(CreateSums(layout, 12, &sum));
  for (PetscInt i = 1; i < layout->nnode; i++) {
    const Vec3 *v = motion->step.middle + 4 * i;
    Vec3 mv[4];
    int nvec = count_vectors(layout, i);
    if (!counts(layout, i)) continue;
    double *at = sum + 12 * layout->component[i];
    multiply_mass(nvec, (const double(*)[4])layout->mass[i], v, mv);
    for (int a = 0; a < nvec; a++)
      add_outer(at, 1, mv[a], v[a]), add_scaled(at + 9, 1, vec3_cross(mv[a], increment[4 * i + a]));
  }
  PetscCall(ReduceSums(layout, 12, sum));
  for (PetscInt i = 1; i < layout->nnode; i++) {
    if (!has_component(layout, i)) continue;
    if (is_lone_point(layout, i)) {
      Vec3 way = at_start ? motion->step.middle[4 * i] : motion->step.motion[i].chord[0];
      if (at_start || lone_moves(motion, i)) increment[4 * i] = along(way, increment[4 * i]);
      continue;
    }
    if (!at_start && !motion->step.component[layout->component[i]].turns) continue; // as without the option
    const double *at = sum + 12 * layout->component[i];
    Vec3 turn = solve_regularised(trace_less(matrix_of(at)), singular_part, vec3_of(at + 9));
    for (int j = 0; j < count_vectors(layout, i); j++)
      increment[4 * i + j] = vec3_sub(increment[4 * i + j], vec3_cross(turn, motion->step.middle[4 * i + j]));
  }
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

PetscErrorCode MotionStartMomentum(Motion *motion) {
  PetscFunctionBegin;
  if (!motion->step.component) PetscFunctionReturn(0);
  PetscCall(FindCentres(motion, 1));
  for (PetscInt i = 1; i < motion->layout.nnode; i++)
    if (has_component(&motion->layout, i))
      find_start_increments(motion, i, count_vectors(&motion->layout, i), motion->state.dv + 4 * i);
  PetscCall(ProjectIncrements(motion, true, motion->state.dv));
  PetscFunctionReturn(0);
}

PetscErrorCode MotionKeepMomentum(Motion *motion) {
  PetscFunctionBegin;
  if (!motion->step.component) PetscFunctionReturn(0);
  PetscCall(MotionBalanceMomentum(motion));
  for (PetscInt i = 1; i < motion->layout.nnode; i++)
    if (has_component(&motion->layout, i))
      find_increments(motion, i, count_vectors(&motion->layout, i), motion->step.kept + 4 * i);
  PetscCall(ProjectIncrements(motion, false, motion->step.kept));
  PetscFunctionReturn(0);
}

// ---- its tangent ----

// a t~ and t~ a
static Mat3 times_cross(Mat3 a, Vec3 t) {
  Vec3 r[3];
  for (int i = 0; i < 3; i++) r[i] = vec3_cross(vec3_of(a.m[i]), t);
  return (Mat3){{{r[0].x, r[0].y, r[0].z}, {r[1].x, r[1].y, r[1].z}, {r[2].x, r[2].y, r[2].z}}};
}

static Mat3 cross_times(Vec3 t, Mat3 a) {
  return mat3_columns(vec3_cross(t, mat3_column(a, 0)), vec3_cross(t, mat3_column(a, 1)),
                      vec3_cross(t, mat3_column(a, 2)));
}

static void put_block(double out[6][6], int column, int row, double f, Mat3 a) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) out[column + k][row + i] = f * a.m[i][k];
}

// Columns for the turn: forces on the unknowns for a unit of b, and what a change of the unknowns adds to the equation for b.
static void find_turn_columns(const ComponentStep *c, const NodeMotion *m, double h, int nvec, const double mass[4][4],
                              const Vec3 *v, MomentumNode *out) {
  Vec3 u[4], mv[4], mu[4];
  Mat3 moment = mat3_zero(), turn = mat3_zero(), tilt_t = mat3_transpose(c->tilt);
  for (int j = 0; j < nvec; j++) u[j] = relative_chord(c, m, h, j);
  multiply_mass(nvec, mass, v, mv);
  multiply_mass(nvec, mass, u, mu);
  out->sum = mat3_zero();
  for (int j = 0; j < nvec; j++) {
    Mat3 left = times_cross(c->tilt, mv[j]); // of -A (M v)~
    Mat3 right = mat3_axpy(mat3_cross(mv[j]), -1 / h, times_cross(tilt_t, mu[j]));
    out->sum = mat3_sub(out->sum, cross_times(u[j], left));
    if (j == 0) put_block(out->left, 0, 0, -2 / h, left), put_block(out->right, 0, 0, 1, right);
    else moment = mat3_add(moment, cross_times(m->rho[j], left)), turn = mat3_add(turn, cross_times(m->x[j], right));
  }
  if (nvec == 1) return;
  put_block(out->left, 0, 3, -2 / h, moment);
  put_block(out->right, 0, 3, 1, mat3_mul(mat3_transpose(m->spin), turn));
}

// Columns for the mass centre of a free component.
static void find_centre_columns(const ComponentStep *c, const NodeMotion *m, double h, int nvec,
                                const double mass[4][4], MomentumNode *out) {
  Mat3 less = mat3_sub(mat3_identity(), c->tilt);
  Vec3 lever = vec3_zero(), arm = vec3_zero();
  for (int j = 1; j < nvec; j++)
    lever = vec3_axpy(lever, mass[j][0], m->rho[j]), arm = vec3_axpy(arm, mass[0][j], m->x[j]);
  put_block(out->left, 3, 0, 2 / (h * h) * mass[0][0], less);
  put_block(out->right, 3, 0, mass[0][0] / c->mass, mat3_identity());
  if (nvec == 1) return;
  put_block(out->left, 3, 3, 2 / (h * h), cross_times(lever, less));
  put_block(out->right, 3, 3, 1 / c->mass, mat3_mul(mat3_transpose(m->spin), mat3_cross(arm)));
}

void motion_momentum_columns(const Motion *motion, PetscInt i, MomentumNode *out) {
  const PetscInt component = motion->layout.component[i];
  const ComponentStep *c = &motion->step.component[component];
  const double(*mass)[4] = (const double(*)[4])motion->layout.mass[i];
  const NodeMotion *m = motion->step.motion + i;
  int nvec = count_vectors(&motion->layout, i);
  *out = (MomentumNode){.sum = mat3_identity(), .free = !motion->layout.component_tied[component] && c->mass > 0};
  if (c->turns) find_turn_columns(c, m, motion->step.h, nvec, mass, motion->step.middle + 4 * i, out);
  if (out->free) find_centre_columns(c, m, motion->step.h, nvec, mass, out);
}

// The mass of a node times a matrix, between its vectors.
static void add_mass_times(Local *out, int nvec, const double mass[4][4], const NodeMotion *m, Mat3 d) {
  Vec3 turned[4], lever = vec3_zero();
  Mat3 both = mat3_zero();
  local_add_mat(out, 0, 0, mass[0][0], d);
  if (nvec == 1) return;
  for (int i = 0; i < 4; i++) {
    turned[i] = i > 0 ? vec3_scale(mass[i][i], m->x[i]) : vec3_zero();
    for (int j = 1; j < 4; j++)
      if (j != i && mass[i][j] != 0) turned[i] = vec3_axpy(turned[i], mass[i][j], m->x[j]);
    if (i == 0) continue;
    lever = vec3_axpy(lever, mass[i][0], m->rho[i]);
    both = mat3_add(both, cross_times(m->rho[i], times_cross(d, turned[i])));
  }
  local_add_mat(out, 3, 3, -1, mat3_mul(both, m->spin));
  if (vec3_dot(lever, lever) + vec3_dot(turned[0], turned[0]) == 0) return;
  local_add_mat(out, 0, 3, -1, mat3_mul(times_cross(d, turned[0]), m->spin));
  local_add_mat(out, 3, 0, 1, cross_times(lever, d));
}

// What a component of one node lacks: its columns times its rows.
static void add_columns(const Motion *motion, PetscInt i, Local *out) {
  MomentumNode q;
  motion_momentum_columns(motion, i, &q);
  for (int column = 0; column < out->n; column++) {
    Vec3 turn =
        solve_regularised(q.sum, singular_part, vec3(q.right[0][column], q.right[1][column], q.right[2][column]));
    const double part[3] = {turn.x, turn.y, turn.z};
    for (int row = 0; row < out->n; row++)
      for (int k = 0; k < 3; k++) {
        out->k[row * out->n + column] -= q.left[k][row] * part[k];
        if (q.free) out->k[row * out->n + column] += q.left[k + 3][row] * q.right[k + 3][column];
      }
  }
}

PetscErrorCode EquationsAddMomentumTangent(const Motion *motion, Equations *equations, double *residual) {
  const Layout *layout = &motion->layout;
  double h = motion->step.h, f = 2 / (h * h), g = 1 + 2 * motion->step.recall.delta;
  PetscFunctionBegin;
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    PetscInt blocks[2] = {layout->node_block[i], layout->node_block[i] + 1};
    if (!has_component(layout, i)) continue;
    int nvec = count_vectors(layout, i), count = nvec > 1 ? 2 : 1;
    Mat3 tilt = motion->step.component[layout->component[i]].tilt;
    bool lone = is_lone_point(layout, i), point = layout_is_single(layout, i) && nvec == 1;
    if (point && !lone) tilt = mat3_identity(); // of a free point: it is its mass centre
    if (lone && lone_moves(motion, i))
      tilt = mat3_scale(h / g, lone_derivative(motion->step.motion[i].chord[0], h, lone_start(motion, i)));
    local_begin(equations->scratch, 1, count, true);
    add_mass_times(equations->scratch, nvec, (const double(*)[4])layout->mass[i], motion->step.motion + i,
                   mat3_scale(f, mat3_axpy(tilt, -1 / g, mat3_identity())));
    if (layout_is_single(layout, i) && !point) add_columns(motion, i, equations->scratch);
    PetscCall(EquationsAddLocal(layout, equations, count, blocks, residual, PETSC_TRUE));
  }
  PetscFunctionReturn(0);
}
