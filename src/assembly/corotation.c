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
// Equations: eq-momentum-step (4.10), eq-momentum-turn (4.13), eq-momentum-tangent (4.14).

typedef struct { // of one node over the step under way, relative to its mass centre where the component is free
  int nvec;
  Vec3 chord[4], v[4], y[4];
} RelativeMotion;

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

static void relative_motion(const Motion *motion, PetscInt i, RelativeMotion *out) {
  const ComponentStep *c = &motion->step.component[motion->layout.component[i]];
  const NodeMotion *m = motion->step.motion + i;
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  double h = motion->step.h, delta = motion->step.recall.delta;
  out->nvec = count_vectors(&motion->layout, i);
  for (int j = 0; j < out->nvec; j++) {
    Vec3 recalled = vec3_scale(n.keep, n.dv[j]);
    out->chord[j] = m->chord[j], out->v[j] = n.v[j];
    if (j == 0) {
      out->chord[j] = vec3_sub(vec3_axpy(out->chord[j], -h, c->v), c->chord), out->v[j] = vec3_sub(out->v[j], c->v);
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

Vec3 solve_regularised(Mat3 k, Vec3 r) {
  double shift = 1e-13 * trace(k);
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

enum { MOST_TURNS = 40 };                 // iterations for b
static const double last_turn = 1e-15;    // the last change of b, of g
static const double small_turn = 1e-8;    // below which changes that no longer shrink are round-off
static const double largest_turn = 100.0; // of g: v' is then 1 % of y and vanishes for the step

// b by Newton's method. Zero where it does not converge: the step is then one of the usual scheme.
static Vec3 find_turn(Mat3 c, double g) {
  Mat3 linear = mat3_scale(g, trace_less(c));
  Vec3 b = vec3_zero(), start = vec3_scale(g * g, axial(c));
  double before = HUGE_VAL;
  for (int i = 0; i < MOST_TURNS; i++) {
    Vec3 cb = mat3_apply(c, b);
    Vec3 r = vec3_add(start, vec3_add(mat3_apply(linear, b), vec3_cross(cb, b)));
    Mat3 k = mat3_add(linear, mat3_sub(mat3_cross(cb), mat3_mul(mat3_cross(b), c)));
    Vec3 db = solve_regularised(k, r);
    double size = vec3_norm(db);
    b = vec3_sub(b, db);
    if (!(vec3_norm(b) < largest_turn * g)) break;
    if (size <= last_turn * g || (size <= small_turn * g && size >= 0.5 * before)) return b;
    before = size;
  }
  return vec3_zero();
}

// (g - b~)^-1
static Mat3 tilt_of(Vec3 b, double g) {
  double f = 1 / (g * (g * g + vec3_dot(b, b)));
  Mat3 sum = mat3_axpy(mat3_outer(b, b), g, mat3_cross(b));
  return mat3_scale(f, mat3_axpy(sum, g * g, mat3_identity()));
}

// Velocities of a node at the middle of the step.
static void middle_velocity(const ComponentStep *c, const RelativeMotion *r, Vec3 *out) {
  for (int j = 0; j < r->nvec; j++) out[j] = mat3_apply(c->tilt, r->y[j]);
}

static PetscErrorCode FindTurns(Motion *motion) {
  const Layout *layout = &motion->layout;
  double *sum, h = motion->step.h, g = 1 + 2 * motion->step.recall.delta;
  PetscFunctionBegin;
  PetscCall(CreateSums(layout, 12, &sum));
  for (PetscInt c = 0; c < layout->ncomponent + layout->nsingle; c++) motion->step.component[c].chord = vec3_zero();
  for (PetscInt i = 1; i < layout->nnode; i++) {
    RelativeMotion r;
    if (!counts(layout, i)) continue;
    double *at = sum + 12 * layout->component[i];
    relative_motion(motion, i, &r);
    for (int a = 0; a < r.nvec; a++) {
      Vec3 y = vec3_zero();
      for (int b = 0; b < r.nvec; b++) y = vec3_axpy(y, layout->mass[i][a][b], r.y[b]);
      add_outer(at, 1, r.chord[a], y);
      add_scaled(at + 9, layout->mass[i][0][a], r.chord[a]);
    }
  }
  PetscCall(ReduceSums(layout, 12, sum));
  for (PetscInt i = 0; i < layout->ncomponent + layout->nsingle; i++) {
    ComponentStep *c = &motion->step.component[i];
    double *at = sum + 12 * i;
    if (!layout->component_tied[i] && c->mass > 0) c->chord = vec3_scale(1 / c->mass, vec3_of(at + 9));
    add_outer(at, -c->mass / h, c->chord, c->chord);
    c->turn = find_turn(matrix_of(at), g), c->tilt = tilt_of(c->turn, g);
  }
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

// ---- its memory ----

// Velocities at the middle of a step and their increments: of the step under way; at the start of a run, where velocities and
// increments are those of a step to come.
static int remembered_motion(const Motion *motion, PetscInt i, bool at_start, Vec3 *v, Vec3 *dv) {
  const ComponentStep *c = &motion->step.component[motion->layout.component[i]];
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  RelativeMotion r;
  if (at_start) {
    r.nvec = count_vectors(&motion->layout, i);
    for (int j = 0; j < r.nvec; j++) {
      dv[j] = j == 0 ? vec3_sub(n.dv[j], c->recalled) : n.dv[j];
      v[j] = vec3_axpy(j == 0 ? vec3_sub(n.v[j], c->v) : n.v[j], 0.5, dv[j]);
    }
    return r.nvec;
  }
  relative_motion(motion, i, &r);
  middle_velocity(c, &r, v);
  for (int j = 0; j < r.nvec; j++) dv[j] = vec3_scale(2, vec3_sub(v[j], r.v[j]));
  return r.nvec;
}

// The turns that the memory leaves out.
static PetscErrorCode FindKeptTurns(Motion *motion, bool at_start) {
  const Layout *layout = &motion->layout;
  double *sum;
  PetscFunctionBegin;
  PetscCall(CreateSums(layout, 12, &sum));
  for (PetscInt i = 1; i < layout->nnode; i++) {
    Vec3 v[4], dv[4];
    if (!counts(layout, i)) continue;
    double *at = sum + 12 * layout->component[i];
    int nvec = remembered_motion(motion, i, at_start, v, dv);
    for (int a = 0; a < nvec; a++)
      for (int b = 0; b < nvec; b++) {
        double m = layout->mass[i][a][b];
        add_outer(at, m, v[a], v[b]);
        add_scaled(at + 9, m, vec3_cross(v[a], dv[b]));
      }
  }
  PetscCall(ReduceSums(layout, 12, sum));
  for (PetscInt i = 0; i < layout->ncomponent + layout->nsingle; i++)
    motion->step.component[i].kept = solve_regularised(trace_less(matrix_of(sum + 12 * i)), vec3_of(sum + 12 * i + 9));
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

static PetscErrorCode KeepIncrements(Motion *motion, bool at_start, Vec3 *out) {
  PetscFunctionBegin;
  PetscCall(FindKeptTurns(motion, at_start));
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    Vec3 v[4], dv[4];
    if (!has_component(&motion->layout, i)) continue;
    Vec3 kept = motion->step.component[motion->layout.component[i]].kept;
    int nvec = remembered_motion(motion, i, at_start, v, dv);
    for (int j = 0; j < nvec; j++) out[4 * i + j] = vec3_sub(dv[j], vec3_cross(kept, v[j]));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode MotionStartMomentum(Motion *motion) {
  PetscFunctionBegin;
  if (!motion->step.component) PetscFunctionReturn(0);
  PetscCall(FindCentres(motion, 1));
  PetscCall(KeepIncrements(motion, true, motion->state.dv));
  PetscFunctionReturn(0);
}

PetscErrorCode MotionBalanceMomentum(Motion *motion, bool remember) {
  double delta = motion->step.recall.delta;
  PetscFunctionBegin;
  if (!motion->step.component) PetscFunctionReturn(0);
  PetscCall(FindTurns(motion));
  if (remember) PetscCall(KeepIncrements(motion, false, motion->step.kept));
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    RelativeMotion r;
    Vec3 v[4], *beyond = motion->step.beyond + 4 * i;
    if (!has_component(&motion->layout, i)) continue;
    const ComponentStep *c = &motion->step.component[motion->layout.component[i]];
    relative_motion(motion, i, &r);
    middle_velocity(c, &r, v);
    for (int j = 0; j < r.nvec; j++) beyond[j] = vec3_cross(c->turn, v[j]);
    beyond[0] = vec3_add(beyond[0], vec3_axpy(vec3_scale(2 * delta / motion->step.h, c->chord), -delta, c->recalled));
  }
  PetscFunctionReturn(0);
}

// ---- its tangent ----

// Forces on the vectors of a node as those on its unknowns.
static void on_unknowns(int nvec, const NodeMotion *m, const Vec3 *f, double *out) {
  Vec3 moment = vec3_zero();
  for (int j = 1; j < nvec; j++) moment = vec3_add(moment, vec3_cross(m->rho[j], f[j]));
  vec3_to(f[0], out), vec3_to(moment, out + 3);
}

// sum f . dx over the vectors of a node, as a row for the changes of its unknowns
static void along_unknowns(int nvec, const NodeMotion *m, const Vec3 *f, double *out) {
  Vec3 turn = vec3_zero();
  for (int j = 1; j < nvec; j++) turn = vec3_add(turn, vec3_cross(m->x[j], f[j]));
  vec3_to(f[0], out), vec3_to(nvec > 1 ? mat3_apply_transpose(m->spin, turn) : turn, out + 3);
}

static void multiply_mass(int nvec, const double mass[4][4], const Vec3 *a, Vec3 *out) {
  for (int i = 0; i < nvec; i++) {
    out[i] = vec3_zero();
    for (int j = 0; j < nvec; j++) out[i] = vec3_axpy(out[i], mass[i][j], a[j]);
  }
}

void motion_momentum_columns(const Motion *motion, PetscInt i, MomentumNode *out) {
  const PetscInt component = motion->layout.component[i];
  const ComponentStep *c = &motion->step.component[component];
  const double(*mass)[4] = (const double(*)[4])motion->layout.mass[i], h = motion->step.h;
  const NodeMotion *m = motion->step.motion + i;
  Vec3 v[4], a[4], b[4];
  RelativeMotion r;
  relative_motion(motion, i, &r);
  middle_velocity(c, &r, v);
  out->free = !motion->layout.component_tied[component] && c->mass > 0;
  for (int k = 0; k < 3; k++) {
    Vec3 e = vec3(k == 0, k == 1, k == 2), sum = vec3_zero();
    for (int j = 0; j < r.nvec; j++) a[j] = mat3_apply(c->tilt, vec3_cross(e, v[j]));
    multiply_mass(r.nvec, mass, a, b);
    for (int j = 0; j < r.nvec; j++) sum = vec3_add(sum, vec3_cross(r.chord[j], b[j])), b[j] = vec3_scale(2 / h, b[j]);
    on_unknowns(r.nvec, m, b, out->left[k]);
    for (int l = 0; l < 3; l++) out->sum.m[l][k] = l == 0 ? sum.x : l == 1 ? sum.y : sum.z;
    for (int j = 0; j < r.nvec; j++)
      a[j] = vec3_sub(vec3_scale(1 / h, mat3_apply_transpose(c->tilt, vec3_cross(e, r.chord[j]))), vec3_cross(e, v[j]));
    multiply_mass(r.nvec, mass, a, b);
    along_unknowns(r.nvec, m, b, out->right[k]);
    if (!out->free) continue;
    for (int j = 0; j < r.nvec; j++)
      a[j] = vec3_scale(2 / (h * h) * mass[j][0], vec3_sub(e, mat3_column(c->tilt, k))),
      b[j] = vec3_scale(mass[0][j] / c->mass, e);
    on_unknowns(r.nvec, m, a, out->left[k + 3]);
    along_unknowns(r.nvec, m, b, out->right[k + 3]);
  }
}

// The mass of a node times a matrix, between its vectors.
static void add_mass_times(Local *out, int nvec, const double mass[4][4], const NodeMotion *m, Mat3 d) {
  Vec3 turned[4], lever = vec3_zero();
  Mat3 both = mat3_zero();
  local_add_mat(out, 0, 0, mass[0][0], d);
  if (nvec == 1) return;
  for (int i = 0; i < 4; i++) {
    turned[i] = vec3_zero();
    for (int j = 1; j < 4; j++) turned[i] = vec3_axpy(turned[i], mass[i][j], m->x[j]);
    if (i == 0) continue;
    lever = vec3_axpy(lever, mass[i][0], m->rho[i]);
    both = mat3_add(both, mat3_mul(mat3_cross(m->rho[i]), mat3_mul(d, mat3_cross(turned[i]))));
  }
  local_add_mat(out, 0, 3, -1, mat3_mul(d, mat3_mul(mat3_cross(turned[0]), m->spin)));
  local_add_mat(out, 3, 0, 1, mat3_mul(mat3_cross(lever), d));
  local_add_mat(out, 3, 3, -1, mat3_mul(both, m->spin));
}

// What a component of one node lacks: its columns times its rows.
static void add_columns(const Motion *motion, PetscInt i, Local *out) {
  MomentumNode q;
  motion_momentum_columns(motion, i, &q);
  for (int column = 0; column < out->n; column++) {
    Vec3 turn = solve_regularised(q.sum, vec3(q.right[0][column], q.right[1][column], q.right[2][column]));
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
  double f = 2 / (motion->step.h * motion->step.h), g = 1 + 2 * motion->step.recall.delta;
  PetscFunctionBegin;
  for (PetscInt i = 1; i < layout->nnode_own; i++) {
    PetscInt blocks[2] = {layout->node_block[i], layout->node_block[i] + 1};
    if (!has_component(layout, i)) continue;
    int nvec = count_vectors(layout, i), count = nvec > 1 ? 2 : 1;
    Mat3 tilt = motion->step.component[layout->component[i]].tilt;
    local_begin(equations->scratch, 1, count, true);
    add_mass_times(equations->scratch, nvec, (const double(*)[4])layout->mass[i], motion->step.motion + i,
                   mat3_scale(f, mat3_axpy(tilt, -1 / g, mat3_identity())));
    if (layout_is_single(layout, i)) add_columns(motion, i, equations->scratch);
    PetscCall(EquationsAddLocal(layout, equations, count, blocks, residual, PETSC_TRUE));
  }
  PetscFunctionReturn(0);
}
