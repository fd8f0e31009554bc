// SPDX-License-Identifier: Apache-2.0
// What a step carries along of each component: the velocity of its mass centre, the turn of flexible bodies of points, and what
// keeps its angular momentum.
// Equations: eq-rotation-velocity (8.3).
#include "assembly/state_values.h"
#include "assembly/ranks.h"

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
// `decaying` moves a node by u = h (v_mid + d) with d = delta (Dv - T a'), and h sum M d x v_mid is what its angular momentum
// changes by beyond the moments of loads and reactions. With exact momentum d loses its part along b x v', v' the velocities
// at the middle against that of the mass centre V of a component that is not tied to the ground, and the part that all its
// nodes have in common: d is orthogonal, in the norm of the masses, to rotations of the velocities and to translations.
// With g = 1 + 2 delta, and primes for what is taken against the mass centre,
//   y = u'/h + 2 delta v_n' + delta T a'',   g v' - b x v' = y,   sum M u' x v' = 0,
// three equations for b of each component, whose sums are C = sum M u' y^T:
//   g^2 c + g (tr C - C^T) b + (C b) x b = 0,   c = sum M u' x y.

typedef struct { // of one node over the step under way, against its mass centre where the component is free
  int nvec;
  Vec3 chord[4], v[4], y[4];
} RelativeMotion;

static void relative_motion(const Motion *motion, PetscInt i, RelativeMotion *out) {
  const ComponentStep *c = &motion->step.component[motion->layout.component[i]];
  const NodeMotion *m = motion->step.motion + i;
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  double h = motion->step.h, delta = motion->step.recall.delta;
  out->nvec = node_vectors(model_node(motion->layout.model, motion->layout.node[i])->kind);
  for (int j = 0; j < out->nvec; j++) {
    Vec3 recalled = vec3_scale(n.keep, n.dv[j]);
    out->chord[j] = m->chord[j], out->v[j] = n.v[j];
    if (j == 0) {
      out->chord[j] = vec3_axpy(out->chord[j], -h, c->v), out->v[j] = vec3_sub(out->v[j], c->v);
      recalled = vec3_sub(recalled, c->recalled);
    }
    out->y[j] = vec3_axpy(vec3_scale(1 / h, out->chord[j]), 2 * delta, out->v[j]);
    out->y[j] = vec3_axpy(out->y[j], delta, recalled);
  }
}

static void add_outer(double *sum, double f, Vec3 a, Vec3 b) {
  const double p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum[3 * i + j] += f * p[i] * q[j];
}

static void add_scaled(double *sum, double f, Vec3 a) { sum[0] += f * a.x, sum[1] += f * a.y, sum[2] += f * a.z; }

static bool has_component(const Layout *layout, PetscInt i) {
  return layout->component[i] >= 0 && layout->node_block[i] >= 0;
}

// Mass, momentum and recalled momentum of the components that are free: of 7.
PetscErrorCode MotionBeginMomentum(Motion *motion) {
  PetscInt count = motion->layout.ncomponent;
  double *sum;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(7 * count, &sum));
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    if (!has_component(&motion->layout, i)) continue;
    NodeState n = step_node_state(&motion->state, &motion->step, i);
    double *at = sum + 7 * motion->layout.component[i];
    const double *first = motion->layout.mass[i][0];
    at[0] += first[0];
    for (int j = 0; j < node_vectors(model_node(motion->layout.model, motion->layout.node[i])->kind); j++)
      add_scaled(at + 1, first[j], n.v[j]), add_scaled(at + 4, first[j] * n.keep, n.dv[j]);
  }
  PetscCall(ReduceArray(motion->layout.comm, sum, (PetscInt64)7 * count, MPI_DOUBLE, MPI_SUM));
  for (PetscInt c = 0; c < count; c++) {
    const double *at = sum + 7 * c, f = at[0] > 0 && !motion->layout.component_tied[c] ? 1 / at[0] : 0;
    motion->step.component[c] =
        (ComponentStep){.mass = at[0], .v = vec3_scale(f, vec3_of(at + 1)), .recalled = vec3_scale(f, vec3_of(at + 4))};
  }
  PetscCall(PetscArrayzero(motion->step.beyond, 4 * motion->layout.nnode));
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

// (k + shift)^-1 r, the shift a trace of k: where all velocities are parallel, k is singular along them.
static Vec3 solve_small(Mat3 k, double trace, Vec3 r) {
  double shift = 1e-13 * fabs(trace);
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
  double trace = a.m[0][0] + a.m[1][1] + a.m[2][2];
  return mat3_sub(mat3_diag(trace, trace, trace), mat3_transpose(a));
}

// b by Newton's method; zero where it does not converge, as before: the loss is then that of the usual scheme.
static Vec3 find_turn(Mat3 c, double g) {
  double trace = c.m[0][0] + c.m[1][1] + c.m[2][2];
  Mat3 linear = mat3_scale(g, trace_less(c));
  Vec3 b = vec3_zero(), start = vec3_scale(g * g, axial(c));
  for (int i = 0; i < 30; i++) {
    Vec3 cb = mat3_apply(c, b);
    Vec3 r = vec3_add(start, vec3_add(mat3_apply(linear, b), vec3_cross(cb, b)));
    Mat3 k = mat3_add(linear, mat3_sub(mat3_cross(cb), mat3_mul(mat3_cross(b), c)));
    Vec3 db = solve_small(k, g * trace, r);
    b = vec3_sub(b, db);
    if (!(vec3_norm(b) < g)) return vec3_zero();
    if (vec3_norm(db) <= 1e-15 * g) return b;
  }
  return vec3_norm(b) < 1e-8 ? b : vec3_zero();
}

// v' = (g - b~)^-1 y
static Vec3 turned_velocity(Vec3 b, double g, Vec3 y) {
  Vec3 sum = vec3_axpy(vec3_scale(g * g, y), g, vec3_cross(b, y));
  return vec3_scale(1 / (g * (g * g + vec3_dot(b, b))), vec3_axpy(sum, vec3_dot(b, y), b));
}

// The velocities of a node at the middle of the step, against the mass centre.
static void middle_velocity(const Motion *motion, PetscInt i, const RelativeMotion *r, Vec3 *out) {
  const ComponentStep *c = &motion->step.component[motion->layout.component[i]];
  double g = 1 + 2 * motion->step.recall.delta;
  for (int j = 0; j < r->nvec; j++) {
    Vec3 y = j == 0 ? vec3_axpy(r->y[j], -1 / motion->step.h, c->chord) : r->y[j];
    out[j] = turned_velocity(c->turn, g, y);
  }
}

void motion_middle_velocity(const Motion *motion, PetscInt i, Vec3 *out) {
  RelativeMotion r;
  relative_motion(motion, i, &r);
  middle_velocity(motion, i, &r, out);
}

static PetscErrorCode FindTurns(Motion *motion) {
  PetscInt count = motion->layout.ncomponent;
  double *sum, h = motion->step.h;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(12 * count, &sum));
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    RelativeMotion r;
    if (!has_component(&motion->layout, i)) continue;
    double *at = sum + 12 * motion->layout.component[i];
    relative_motion(motion, i, &r);
    for (int a = 0; a < r.nvec; a++) {
      Vec3 y = vec3_zero();
      for (int b = 0; b < r.nvec; b++) y = vec3_axpy(y, motion->layout.mass[i][a][b], r.y[b]);
      add_outer(at, 1, r.chord[a], y);
      add_scaled(at + 9, motion->layout.mass[i][0][a], r.chord[a]);
    }
  }
  PetscCall(ReduceArray(motion->layout.comm, sum, (PetscInt64)12 * count, MPI_DOUBLE, MPI_SUM));
  for (PetscInt i = 0; i < count; i++) {
    ComponentStep *c = &motion->step.component[i];
    double *at = sum + 12 * i;
    c->chord = motion->layout.component_tied[i] || !(c->mass > 0) ? vec3_zero() : vec3_scale(1 / c->mass, vec3_of(at + 9));
    add_outer(at, -c->mass / h, c->chord, c->chord);
    c->turn = find_turn(matrix_of(at), 1 + 2 * motion->step.recall.delta);
  }
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

// Turns of the memory: of the increments against the mass centre, sum M v' x Dv' and v' v'.
static PetscErrorCode FindKept(Motion *motion) {
  PetscInt count = motion->layout.ncomponent;
  double *sum;
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(12 * count, &sum));
  for (PetscInt i = 1; i < motion->layout.nnode_own; i++) {
    RelativeMotion r;
    Vec3 v[4];
    if (!has_component(&motion->layout, i)) continue;
    double *at = sum + 12 * motion->layout.component[i];
    relative_motion(motion, i, &r);
    middle_velocity(motion, i, &r, v);
    for (int a = 0; a < r.nvec; a++)
      for (int b = 0; b < r.nvec; b++) {
        double m = motion->layout.mass[i][a][b];
        add_outer(at, m, v[a], v[b]);
        add_scaled(at + 9, 2 * m, vec3_cross(v[a], vec3_sub(v[b], r.v[b])));
      }
  }
  PetscCall(ReduceArray(motion->layout.comm, sum, (PetscInt64)12 * count, MPI_DOUBLE, MPI_SUM));
  for (PetscInt i = 0; i < count; i++) {
    Mat3 g = matrix_of(sum + 12 * i);
    motion->step.component[i].kept =
        solve_small(trace_less(g), g.m[0][0] + g.m[1][1] + g.m[2][2], vec3_of(sum + 12 * i + 9));
  }
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

PetscErrorCode MotionBalanceMomentum(Motion *motion, bool remember) {
  double delta = motion->step.recall.delta;
  PetscFunctionBegin;
  if (!motion->step.component) PetscFunctionReturn(0);
  PetscCall(FindTurns(motion));
  if (remember) PetscCall(FindKept(motion));
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    RelativeMotion r;
    Vec3 v[4];
    if (!has_component(&motion->layout, i)) continue;
    const ComponentStep *c = &motion->step.component[motion->layout.component[i]];
    Vec3 *beyond = motion->step.beyond + 4 * i, *kept = motion->step.kept + 4 * i;
    relative_motion(motion, i, &r);
    middle_velocity(motion, i, &r, v);
    for (int j = 0; j < r.nvec; j++) beyond[j] = vec3_cross(c->turn, v[j]);
    beyond[0] = vec3_add(beyond[0], vec3_axpy(vec3_scale(2 * delta / motion->step.h, c->chord), -delta, c->recalled));
    for (int j = 0; j < r.nvec && remember; j++) {
      Vec3 dv = vec3_sub(v[j], r.v[j]);
      kept[j] = vec3_sub(vec3_scale(2, dv), vec3_cross(c->kept, v[j]));
    }
  }
  PetscFunctionReturn(0);
}
