// SPDX-License-Identifier: Apache-2.0
// What a step carries along of each component: the velocity of its mass centre, the turn of flexible bodies of points, and what
// keeps its angular momentum.
// Equations: eq-rotation-velocity (8.3).
#include "assembly/evaluate.h"
#include "assembly/ranks.h"
#include "assembly/state_values.h"
#include "base/rotation.h"

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
// `decaying` moves a node by u = h (v + d) with the velocity v at the middle of the step and d = delta (Dv - T a'), and
// sum M d x u is what the angular momentum changes by beyond the moments of loads and reactions. With exact momentum d
// loses its part along b x u', where u' are the displacements of a component, relative to its mass centre if it is not
// tied to the ground, and the part that all nodes of such a component have in common: d is orthogonal, in the norm of the
// masses, to rotations of the displacements and to translations. With g = 1 + 2 delta, w = u'/h, and primes for values
// relative to the mass centre,
//   g v' = w + z - b x w,   z = delta (2 v_n' + (T a')'),   (tr C - C) b = sum M w x z,   C = sum M w w^T.
// Along an axis that all w are parallel to, b has no effect and is zero. Where velocities alternate and a component hardly
// moves, b is large and sensitive to round-off. The component then loses all of d, so that v' = w: this
// keeps momentum and energy too, without the damping of velocities.
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

static const ComponentStep *component_of(const Motion *motion, PetscInt i) {
  return &motion->step.component[motion->layout.component[i]];
}

// w of a node.
static void find_displacement_rates(const Motion *motion, PetscInt i, int nvec, Vec3 *w) {
  const ComponentStep *c = component_of(motion, i);
  for (int j = 0; j < nvec; j++) w[j] = vec3_scale(1 / motion->step.h, motion->step.motion[i].chord[j]);
  w[0] = vec3_sub(vec3_sub(w[0], c->v), c->change);
}

static Vec3 relative_velocity(const ComponentStep *c, const NodeState *n, int j) {
  return j == 0 ? vec3_sub(n->v[0], c->v) : n->v[j];
}

// z of a node.
static void find_known_part(const Motion *motion, PetscInt i, int nvec, Vec3 *z) {
  const ComponentStep *c = component_of(motion, i);
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  double delta = motion->step.recall.delta;
  for (int j = 0; j < nvec; j++)
    z[j] = vec3_axpy(vec3_scale(2 * delta, relative_velocity(c, &n, j)), delta * n.keep, n.dv[j]);
  z[0] = vec3_axpy(z[0], -delta, c->recalled);
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
    motion->step.component[c] = (ComponentStep){
        .mass = at[0], .v = vec3_scale(f, vec3_of(at + 1)), .recalled = vec3_scale(f, vec3_of(at + 4)), .turns = true};
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

// Sums for b: C by rows, sum M w x z, and M w of the translation.
enum { TURN_SUMS = 15 };

static void add_turn_sums(int nvec, const double mass[4][4], const Vec3 *w, const Vec3 *z, double *sum) {
  Vec3 mw[4];
  multiply_mass(nvec, mass, w, mw);
  for (int a = 0; a < nvec; a++) {
    add_scaled(sum, mw[a].x, w[a]), add_scaled(sum + 3, mw[a].y, w[a]), add_scaled(sum + 6, mw[a].z, w[a]);
    add_scaled(sum + 9, 1, vec3_cross(mw[a], z[a]));
  }
  add_scaled(sum + 12, 1, mw[0]);
}

static double trace(Mat3 a) { return a.m[0][0] + a.m[1][1] + a.m[2][2]; }

static const double regular = 1e-6;   // of the cube of the trace: smallest determinant of a matrix with an inverse
static const double parallel = 1e-10; // of the trace: eigenvalue along an axis that all w are parallel to

// (tr C - C)^-1 without such axes. The eigenvalues are sums of two of C.
static Mat3 invert_inertia(Mat3 c) {
  double t = trace(c), axis[3][3];
  Mat3 a = mat3_sub(mat3_diag(t, t, t), c), out = mat3_zero();
  double det = mat3_det(a);
  if (!(t > 0)) return out;
  if (det > regular * t * t * t) {
    Vec3 a1 = mat3_column(a, 0), a2 = mat3_column(a, 1), a3 = mat3_column(a, 2);
    return mat3_scale(1 / det, mat3_columns(vec3_cross(a2, a3), vec3_cross(a3, a1), vec3_cross(a1, a2)));
  }
  principal_axes(c.m, axis);
  for (int k = 0; k < 3; k++) {
    double value = c.m[(k + 1) % 3][(k + 1) % 3] + c.m[(k + 2) % 3][(k + 2) % 3];
    Vec3 e = vec3(axis[0][k], axis[1][k], axis[2][k]);
    if (value > parallel * t) out = mat3_axpy(out, 1 / value, mat3_outer(e, e));
  }
  return out;
}

// C of the sums, as a symmetric matrix.
static Mat3 matrix_of(const double *s) {
  double yz = 0.5 * (s[5] + s[7]), zx = 0.5 * (s[2] + s[6]), xy = 0.5 * (s[1] + s[3]);
  return (Mat3){{{s[0], xy, zx}, {xy, s[4], yz}, {zx, yz, s[8]}}};
}

static Vec3 turn_left(Mat3 c, Vec3 b, Vec3 r) {
  return vec3_sub(r, vec3_sub(vec3_scale(trace(c), b), mat3_apply(c, b)));
}

// b of the right-hand side r; a second time for what round-off leaves.
static Vec3 find_turn(Mat3 c, Mat3 inverse, Vec3 r) {
  Vec3 b = mat3_apply(inverse, r);
  return vec3_add(b, mat3_apply(inverse, turn_left(c, b, r)));
}

static const double largest_turn = 1000;
static const double turn_error = 1e-13; // of the trace: what may be left of the equation for b
enum { MOST_SWITCHES = 4 };             // in a step; then a component has no b, so that Newton's method converges

// b of a component, and whether it is too large; `known`: that stays as Newton's method had it.
static void find_component_turn(ComponentStep *step, double g, Mat3 c, Vec3 r, bool known) {
  Mat3 inverse = invert_inertia(c);
  Vec3 b = find_turn(c, inverse, r);
  bool good = step->switches < MOST_SWITCHES && vec3_norm(b) <= largest_turn &&
              vec3_norm(turn_left(c, b, r)) <= turn_error * trace(c);
  if (!known) step->switches += good != step->turns, step->turns = good;
  step->inverse = step->turns ? inverse : mat3_zero();
  step->turn = step->turns ? b : vec3_zero();
  step->tilt = mat3_scale(step->turns ? 1 / g : 1, mat3_sub(mat3_identity(), mat3_cross(step->turn)));
}

// b of all components; `middle` becomes z.
static PetscErrorCode FindTurns(Motion *motion, bool known) {
  const Layout *layout = &motion->layout;
  double *sum, g = 1 + 2 * motion->step.recall.delta;
  PetscFunctionBegin;
  PetscCall(CreateSums(layout, TURN_SUMS, &sum));
  for (PetscInt c = 0; c < layout->ncomponent + layout->nsingle; c++) motion->step.component[c].change = vec3_zero();
  for (PetscInt i = 1; i < layout->nnode; i++) {
    int nvec = count_vectors(layout, i);
    Vec3 w[4], *z = motion->step.middle + 4 * i;
    if (!has_component(layout, i)) continue;
    find_known_part(motion, i, nvec, z);
    if (!counts(layout, i)) continue;
    find_displacement_rates(motion, i, nvec, w);
    add_turn_sums(nvec, (const double(*)[4])layout->mass[i], w, z, sum + TURN_SUMS * layout->component[i]);
  }
  PetscCall(ReduceSums(layout, TURN_SUMS, sum));
  for (PetscInt i = 0; i < layout->ncomponent + layout->nsingle; i++) {
    ComponentStep *c = &motion->step.component[i];
    const double *at = sum + TURN_SUMS * i;
    if (!layout->component_tied[i] && c->mass > 0) c->change = vec3_scale(1 / c->mass, vec3_of(at + 12));
    Mat3 all = mat3_axpy(matrix_of(at), -c->mass, mat3_outer(c->change, c->change));
    find_component_turn(c, g, all, vec3_of(at + 9), known);
  }
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(0);
}

static PetscErrorCode BalanceMomentum(Motion *motion, bool known) {
  double delta = motion->step.recall.delta, g = 1 + 2 * delta;
  PetscFunctionBegin;
  PetscCall(FindTurns(motion, known));
  for (PetscInt i = 1; i < motion->layout.nnode; i++) {
    Vec3 w[4], *v = motion->step.middle + 4 * i, *beyond = motion->step.beyond + 4 * i;
    int nvec = count_vectors(&motion->layout, i);
    if (!has_component(&motion->layout, i)) continue;
    const ComponentStep *c = component_of(motion, i);
    find_displacement_rates(motion, i, nvec, w);
    for (int j = 0; j < nvec; j++) {
      beyond[j] = c->turns ? vec3_cross(w[j], c->turn) : vec3_sub(vec3_scale(2 * delta, w[j]), v[j]);
      v[j] = vec3_scale(1 / g, vec3_add(vec3_add(w[j], v[j]), beyond[j]));
    }
    beyond[0] = vec3_axpy(vec3_axpy(beyond[0], 2 * delta, c->change), -delta, c->recalled);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode MotionBalanceMomentum(Motion *motion) {
  PetscFunctionBegin;
  PetscCall(BalanceMomentum(motion, false));
  PetscFunctionReturn(0);
}

// ---- its memory ----

// Increments of the velocities of a node over the step under way, relative to the mass centre; `middle` becomes w.
static void find_increments(const Motion *motion, PetscInt i, int nvec, Vec3 *out) {
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  Vec3 *v = motion->step.middle + 4 * i;
  for (int j = 0; j < nvec; j++)
    out[j] = vec3_scale(2, vec3_sub(v[j], relative_velocity(component_of(motion, i), &n, j)));
  find_displacement_rates(motion, i, nvec, v);
}

// At the start of a run velocities and increments are those of a step to come.
static void find_start_increments(const Motion *motion, PetscInt i, int nvec, Vec3 *out) {
  NodeState n = step_node_state(&motion->state, &motion->step, i);
  const ComponentStep *c = component_of(motion, i);
  for (int j = 0; j < nvec; j++) {
    out[j] = j == 0 ? vec3_sub(n.dv[j], c->recalled) : n.dv[j];
    motion->step.middle[4 * i + j] = vec3_axpy(relative_velocity(c, &n, j), 0.5, out[j]);
  }
}

// The increments lose their parts along rotations of `middle`.
static PetscErrorCode ProjectIncrements(Motion *motion, Vec3 *increment) {
  const Layout *layout = &motion->layout;
  double *sum;
  PetscFunctionBegin;
  PetscCall(CreateSums(layout, TURN_SUMS, &sum));
  for (PetscInt i = 1; i < layout->nnode; i++)
    if (counts(layout, i))
      add_turn_sums(count_vectors(layout, i), (const double(*)[4])layout->mass[i], motion->step.middle + 4 * i,
                    increment + 4 * i, sum + TURN_SUMS * layout->component[i]);
  PetscCall(ReduceSums(layout, TURN_SUMS, sum));
  for (PetscInt i = 0; i < layout->ncomponent + layout->nsingle; i++) {
    const double *at = sum + TURN_SUMS * i;
    ComponentStep *c = &motion->step.component[i];
    Mat3 all = matrix_of(at);
    c->turn = find_turn(all, invert_inertia(all), vec3_of(at + 9));
  }
  for (PetscInt i = 1; i < layout->nnode; i++)
    for (int j = 0; has_component(layout, i) && j < count_vectors(layout, i); j++) {
      const ComponentStep *c = component_of(motion, i);
      Vec3 *a = increment + 4 * i + j;
      *a = c->turns ? vec3_sub(*a, vec3_cross(c->turn, motion->step.middle[4 * i + j])) : vec3_zero();
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
  PetscCall(ProjectIncrements(motion, motion->state.dv));
  PetscFunctionReturn(0);
}

PetscErrorCode MotionKeepMomentum(Motion *motion) {
  PetscFunctionBegin;
  if (!motion->step.component) PetscFunctionReturn(0);
  PetscCall(BalanceMomentum(motion, true));
  for (PetscInt i = 1; i < motion->layout.nnode; i++)
    if (has_component(&motion->layout, i))
      find_increments(motion, i, count_vectors(&motion->layout, i), motion->step.kept + 4 * i);
  PetscCall(ProjectIncrements(motion, motion->step.kept));
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

// Columns for the turn: forces on the unknowns for a unit of b, and what a change of the unknowns takes from the
// right-hand side of the equation for b.
static void find_turn_columns(const Motion *motion, PetscInt i, int nvec, MomentumNode *out) {
  const ComponentStep *c = component_of(motion, i);
  const double(*mass)[4] = (const double(*)[4])motion->layout.mass[i];
  const NodeMotion *m = motion->step.motion + i;
  double h = motion->step.h, g = 1 + 2 * motion->step.recall.delta;
  Vec3 w[4], y[4], mw[4], my[4];
  Mat3 moment = mat3_zero(), turn = mat3_zero();
  find_displacement_rates(motion, i, nvec, w);
  for (int j = 0; j < nvec; j++) y[j] = vec3_sub(vec3_scale(g, motion->step.middle[4 * i + j]), w[j]);
  multiply_mass(nvec, mass, w, mw);
  multiply_mass(nvec, mass, y, my);
  for (int j = 0; j < nvec; j++) {
    Mat3 left = mat3_cross(mw[j]), right = mat3_sub(cross_times(c->turn, left), mat3_cross(my[j]));
    if (j == 0) put_block(out->left, 0, 0, 2 / (g * h), left), put_block(out->right, 0, 0, 1 / h, right);
    else moment = mat3_add(moment, cross_times(m->rho[j], left)), turn = mat3_add(turn, cross_times(m->x[j], right));
  }
  if (nvec == 1) return;
  put_block(out->left, 0, 3, 2 / (g * h), moment);
  put_block(out->right, 0, 3, 1 / h, mat3_mul(mat3_transpose(m->spin), turn));
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
  const ComponentStep *c = component_of(motion, i);
  int nvec = count_vectors(&motion->layout, i);
  *out = (MomentumNode){.free = !motion->layout.component_tied[motion->layout.component[i]] && c->mass > 0};
  if (c->turns) find_turn_columns(motion, i, nvec, out);
  if (out->free)
    find_centre_columns(c, motion->step.motion + i, motion->step.h, nvec, (const double(*)[4])motion->layout.mass[i],
                        out);
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
        mat3_apply(component_of(motion, i)->inverse, vec3(q.right[0][column], q.right[1][column], q.right[2][column]));
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
    local_begin(equations->scratch, 1, count, true);
    add_mass_times(equations->scratch, nvec, (const double(*)[4])layout->mass[i], motion->step.motion + i,
                   mat3_scale(f, mat3_axpy(component_of(motion, i)->tilt, -1 / g, mat3_identity())));
    if (layout_is_single(layout, i)) add_columns(motion, i, equations->scratch);
    PetscCall(EquationsAddLocal(layout, equations, count, blocks, residual, PETSC_TRUE));
  }
  PetscFunctionReturn(0);
}
